# pickle: plain data, arrays and instances there and back, with CPython's bytes; what a file may not name.
import collections, dataclasses, enum, io, pickle, typing
import numpy as np


@dataclasses.dataclass
class Config:
    name: str
    sizes: list
    kind: object = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    a: int


class Slotted:
    __slots__ = ("x", "y")


class Kind(enum.Enum):
    ONE = 1
    TWO = "two"


class Pair(typing.NamedTuple):
    x: int
    y: str


class Plain:
    pass


class Careful:
    def __setstate__(self, state):
        print("never")


shared = ["shared"]
values = [None, True, False, 0, 255, 256, 65535, 65536, -1, -128, -129, 2**31, -2**31, 2**63, -2**63, 10**30, -(10**700), 0.1, float("inf"), "", "é", "x" * 300, b"", b"\xff", b"y" * 300, (), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4),
          [], [1], [1, "a", "a"], {}, {"a": 1}, {"a": [1], "b": {2: None}}, set(), {1}, frozenset({1}), [shared, shared], list(range(1500)), [1.5, [2, [3, [4]]]]]
for value in values:
    data = pickle.dumps(value)
    back = pickle.loads(data)
    print(len(data), data[:60], back == value, type(back) is type(value))
print(pickle.loads(pickle.dumps([shared, shared]))[0] is pickle.loads(pickle.dumps([shared, shared]))[1])
loop = [1]
loop.append(loop)
again = pickle.loads(pickle.dumps(loop))
print(again[1] is again)
for protocol in (0, 1, 2, 3, 4, 5):
    print(pickle.loads(pickle.dumps({"k": [1, 2.5, "té", None, True, (1, 2), {"a": b"xy"}, -5, 2**70, {3}]}, protocol)))
slotted = Slotted()
slotted.x = 3
for value in (Config("a", [1, 2], Kind.TWO), Frozen(3), Pair(1, "b"), Kind.ONE, complex(1, -2), bytearray(b"ab"), range(1, 9, 2), collections.OrderedDict(b=1, a=2), collections.Counter("aab"), collections.deque([1, 2], 5),
              collections.defaultdict(list, a=[1]), {"cls": Config}, slotted):
    back = pickle.loads(pickle.dumps(value))
    print(type(back).__name__, back if not isinstance(back, Slotted) else (back.x, hasattr(back, "y")))
plain = Plain()
plain.a, plain.b = 1, {"c": plain}
back = pickle.loads(pickle.dumps(plain))
print(back.a, back.b["c"] is back)
params = {"w": np.arange(6, dtype=np.float32).reshape(2, 3), "b": np.zeros(3, np.int8), "s": np.float64(2.5), "t": np.dtype("int16"), "e": np.ones((0, 2)), "f": np.asfortranarray(np.arange(6).reshape(2, 3)), "m": np.array([True, False])}
file = io.BytesIO()
pickle.dump(params, file)
file.seek(0)
for name, value in pickle.load(file).items():
    print(name, repr(value), value.dtype if hasattr(value, "dtype") else "")
pickle.Pickler(file).dump("more")
file.seek(-9, 2)
for data in (b"", b"\x80\x04", b"?", b"\x80\x04K", b"t."):
    try:
        print(pickle.loads(data))
    except Exception as e:
        print(type(e).__name__, type(e).__mro__[1].__name__)
try:
    pickle.dumps(lambda: 0)
except Exception as e:
    print(type(e).__name__)
