# What is read and written natively, at its borders: texts, numbers, depth, classes of the program.
import collections
import enum
import json

texts = ["", "a\"b\\c/", "\b\t\n\f\r\x00\x1f\x7f", "é€😀", "\ud800 alone", "tail\\"]
for text in texts:
    for ascii_only in (True, False):
        written = json.dumps(text, ensure_ascii=ascii_only)
        print(ascii(written), json.loads(written) == text)
print(json.loads(r'"\u00e9\ud83d\ude00\/\b"') == "é😀/\b", ascii(json.loads(r'"\ud83d\u0041 \ude00"')))
numbers = [0, -0, -1, 10 ** 17, -10 ** 18, 2 ** 63, 10 ** 30, 0.1, -0.0, 1e22, 1e-7, 1.5e300, True, False, None]
print(json.dumps(numbers), json.loads(json.dumps(numbers)) == numbers)
print([json.loads(x) for x in ("1E5", "-0", "-0.0", "1e-3", "12345678901234567890123", " [ ] ", "{ }", "\t1\n", "0.5e+2")])
print(json.loads("[NaN, -Infinity]"), json.dumps([float("nan"), float("inf")]))
print(json.loads('{"a": 1, "b": {"a": [1, {"c": null}]}, "a": 2}'))


class Colour(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


Pair = collections.namedtuple("Pair", "a b")
print(json.dumps({"pair": Pair(1, (2,)), Colour.RED: [Colour.RED, Level.HIGH], 1: True, None: 0, 2.5: "x", True: []}))
print(json.dumps(collections.OrderedDict(b=1, a=2), sort_keys=True), json.dumps({"k": [1, {"z": ()}]}, indent=1), json.dumps([1, "a"], separators=(",", ":")))
deep = []
for _ in range(300):
    deep = [deep]
print(json.loads(json.dumps(deep)) == deep)
around = [1]
around.append(around)
for make in (lambda: json.dumps(around), lambda: json.dumps({1, 2}), lambda: json.dumps({(1,): 2}), lambda: json.dumps(float("nan"), allow_nan=False)):
    try:
        print(make())
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
for wrong in ("", " ", "[1,]", '{"a":1,}', "[1 2]", '{"a" 1}', "{1:2}", "nul", "01", "1.", "-", "+1", '"a', '"\\x"', '"\\u12g4"', '"\n"', "[1", "1 2", "\"\t\"", "[1]]"):
    try:
        print(repr(wrong), json.loads(wrong))
    except json.JSONDecodeError as error:
        print(repr(wrong), error)
print(json.loads('[1.5, 2]', parse_float=str, parse_int=float), json.loads('{"a": {"b": 1}}', object_hook=lambda d: sorted(d)),
      json.loads('{"b": 1, "a": 2}', object_pairs_hook=tuple), json.loads(b'["\xc3\xa9"]'), json.JSONDecoder().raw_decode("[1] tail"))
