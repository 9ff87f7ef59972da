# Enums: auto, aliases, flags, IntEnum, StrEnum, methods, iteration, look-up, errors.
import enum
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum, auto, unique


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    @classmethod
    def parse(cls, text):
        return cls[text.upper()]

    @property
    def bright(self):
        return self.value * 10

    def __str__(self):
        return f"color {self.name.lower()}"


class Planet(Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)

    def __init__(self, mass, radius):
        self.mass, self.radius = mass, radius

    @property
    def gravity(self):
        return round(6.67300e-11 * self.mass / self.radius ** 2, 3)


class Mode(StrEnum):
    TRAIN = auto()
    EVAL = auto()


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Perm(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W


class Bits(IntFlag):
    A = 1
    B = 2
    C = 4


print(list(Color), Color.CRIMSON, repr(Color.CRIMSON), Color(2), Color.parse("green"), Color["RED"].bright, len(Color), Color.__members__.keys())
print([p.gravity for p in Planet], Planet.EARTH.value, Planet((6.421e23, 3.3972e6)))
print(Mode.TRAIN, repr(Mode.EVAL), Mode.TRAIN == "train", f"{Mode.EVAL:>6}", Mode("eval"), "-".join(Mode))
print(Level.LOW < Level.HIGH, Level.HIGH + 1, Level(5), repr(Level.LOW), f"{Level.LOW}", sorted(Level, reverse=True), [10, 20][Level.LOW])
p = Perm.R | Perm.X
print(p, repr(p), Perm.R in p, Perm.W in p, ~p, p ^ Perm.RW, bool(p & Perm.W), list(Perm.RW), len(p), Perm(7), Perm(0))
b = Bits.A | Bits.C
print(b, repr(b), int(b), b | 8, Bits(3), ~Bits.A, b & 1)
print(isinstance(Color.RED, Color), Color.RED in Color, Color.RED is Color(1), {Color.RED: "r"}[Color.CRIMSON], Color.RED.name, hash(Color.RED) == hash(Color(1)))
for bad in (lambda: Color(9), lambda: Color["BLUE"], lambda: setattr(Color, "RED", 2), lambda: Color.RED < Color.GREEN, lambda: Color.BLUE, lambda: Perm(64)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
try:
    @unique
    class Twice(Enum):
        A = 1
        B = 1
except ValueError as e:
    print(e)
try:
    class More(Color):
        X = 1
except TypeError as e:
    print(e)
Animal = Enum("Animal", "CAT DOG")
print(list(Animal), Animal.DOG.value, Enum("N", {"a": 3}).a, Animal.CAT.__class__.__name__)


class Step(Enum):
    def _generate_next_value_(name, start, count, last):
        return name.lower() + str(count)

    ONE = auto()
    TWO = auto()


class Lax(Enum):
    UNKNOWN = 0
    KNOWN = 1

    @classmethod
    def _missing_(cls, value):
        return cls.UNKNOWN


print([s.value for s in Step], Lax(77), enum.auto is auto)
match Level(5):
    case Level.LOW:
        print("low")
    case Level.HIGH:
        print("high")
