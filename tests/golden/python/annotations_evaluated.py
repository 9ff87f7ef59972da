import dataclasses, typing, enum
from typing import Protocol, runtime_checkable, NamedTuple, TypedDict, Generic, TypeVar
T = TypeVar("T")
@dataclasses.dataclass
class A(Generic[T]):
    y: "undefined_name" = 3
    c: typing.ClassVar[int] = 1
    i: dataclasses.InitVar[int] = 5
    _: dataclasses.KW_ONLY
    k: T = 0
    def __post_init__(self, i): print("init", i)
x: int = 3
print(__annotations__)
def loud(x): print("evaluated", x); return x
class B:
    a: loud(int)
    b: loud(str) = "x"
    print(__annotations__)
@runtime_checkable
class P(Protocol):
    name: str
    def f(self): ...
class Q:
    name = "q"
    def f(self): pass
print(isinstance(Q(), P), isinstance(3, P))
class N(NamedTuple):
    a: int
    b: str = "z"
print(N(1), N.__annotations__)
class TD(TypedDict):
    a: int
print(TD(a=1), TD.__annotations__)
class E(enum.Enum):
    _ignore_: list = ["q"]
    A = 1
print(list(E))
class M(type):
    def __new__(cls, name, bases, ns):
        print(sorted(k for k in ns))
        return super().__new__(cls, name, bases, ns)
class C(metaclass=M):
    v: int = 1
class D(B): pass
print(D.__annotations__, "__annotations__" in D.__dict__)
def f():
    z: nothing = 1
    class K:
        z2: int
    return K.__annotations__
print(f())
try:
    class H:
        a: missing
except NameError as e: print(e)
try:
    z: undefined_name = 3
except NameError as e: print(e, z)
try:
    def f(x, *a: 1 // 0): pass
except ZeroDivisionError as e: print(e)
try:
    def f(x) -> [][1]: pass
except IndexError as e: print(e)
def f(a: loud(1), b: loud(2) = 3, *c: loud(4), d: loud(5), **e: loud(6)) -> loud(7): pass
print(f.__annotations__)
f.__annotations__["a"] = 8
print(f.__annotations__)
class L:
    Inner = int
    def m(self, x: Inner) -> "L": return x
print(L.m.__annotations__)


def noted(x):
    print("noted", x)
    return x


class Holder:
    items = [0]
    items[noted(0)]: noted("of an element") = noted(1)


items = [0]
items[0]: noted("of an element") = 2
Holder.size: noted("of an attribute") = 3


def inside():
    items[0]: noted("never") = 4
    Holder.size: noted("never") = 5


inside()
print(items, Holder.items, Holder.size, __annotations__.get("items"))
