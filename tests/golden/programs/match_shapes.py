# match: literals, captures, sequences, mappings, classes, or, guards, stars, nested, values by dotted names.
from dataclasses import dataclass
from enum import Enum

class Color(Enum):
    RED = 1
    BLUE = 2

@dataclass
class Point:
    x: int
    y: int

@dataclass
class Circle:
    center: Point
    r: float

def describe(v):
    match v:
        case None: return "none"
        case True | False: return "bool"
        case 0 | 1 as n: return f"small {n}"
        case int(n) if n < 0: return f"negative {n}"
        case int() | float(): return "number"
        case "go" | "run": return "verb"
        case str(s) if len(s) > 3: return f"long {s}"
        case Color.RED: return "red"
        case Color(): return "other color"
        case []: return "empty"
        case [x]: return f"one {x}"
        case [Point(x=0, y=0), *rest]: return f"origin and {rest}"
        case [1, [2, *inner], *_]: return f"nested {inner}"
        case (a, b): return f"pair {a} {b}"
        case [first, *_, last]: return f"{first}..{last}"
        case {"type": "circle", "r": r, **rest}: return f"circle {r} {rest}"
        case {"k": [a, {"z": z}]}: return f"deep {a} {z}"
        case {}: return "mapping"
        case Point(x, y) if x == y: return f"diagonal {x}"
        case Point(0, y=b): return f"on axis {b}"
        case Circle(Point(x=cx), r=r): return f"circle at {cx} of {r}"
        case bytes(): return "bytes"
        case set() | frozenset(): return "set"
        case _: return f"other {type(v).__name__}"

for v in (None, True, 0, 1, -5, 7, 2.5, "go", "stop", "hm", Color.RED, Color.BLUE, [], [9], [Point(0, 0), 1, 2], [1, [2, 3, 4], 5], (1, 2), [1, 2, 3], {"type": "circle", "r": 2, "c": 3}, {"k": [1, {"z": 5}]}, {}, {"a": 1}, Point(3, 3), Point(0, 4), Point(1, 2), Circle(Point(5, 6), 1.5), b"x", {1}, object, range(2), "ab"):
    print(describe(v))
match [1, 2, 3]:
    case [a, b]:
        print("two")
    case [a, b, c] if c > 5:
        print("big")
print(a, b, c)
match = 3
case = match + 1
print(match, case)
