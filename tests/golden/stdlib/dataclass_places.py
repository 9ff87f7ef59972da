# Methods of dataclasses remember where their fields were: classes that derive with properties, slots or __setattr__, and attributes that go, are seen.
import dataclasses
from dataclasses import dataclass, field
@dataclass(order=True)
class A:
    x: int
    y: float = 2.0
    z: list = field(default_factory=list, compare=False)
class B(A):
    @property
    def x(self): return -self.__dict__["x"]
    @x.setter
    def x(self, v): self.__dict__["x"] = v * 10
class C(A):
    def __setattr__(self, n, v): object.__setattr__(self, n, v if n == "z" else v + 1)
@dataclass(slots=True, order=True)
class S:
    a: int
    b: str = "q"
@dataclass(frozen=True, order=True)
class F:
    a: int
class D(A):
    __slots__ = ("w",)
for _ in range(3):
    print(A(1), B(1), C(1), S(3), F(4), A(1) < A(2), B(1) < B(2), C(1) <= C(1), S(1) > S(0), F(1) == F(1), A(1) == B(1), D(5))
    a = A(1); del a.x
    try: a < A(1)
    except AttributeError as e: print(e)
    A.x = 7
    print(a < A(9), a == A(7))
    del A.x
A.y = property(lambda s: 5)
try: A(1)
except AttributeError as e: print(e)
W = dataclasses.make_dataclass("W", [f"f{i}" for i in range(20)], order=True)
print(W(*range(20)) < W(*range(1, 21)), W(*range(20)) == W(*range(20)))
