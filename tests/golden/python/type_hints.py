# Annotations: kept, not enforced, evaluated where they stand; typing constructs as values.
from __future__ import annotations
from typing import Any, Callable, Optional, Union, NamedTuple, TypeVar, Generic, Protocol
x: int = 5
y: str
z: list[int] = [1]
print(x, z)
try:
    y
except NameError as e:
    print(e)


def f(a: int, b: UndefinedName = 3, *c: 'whatever', d: Optional[int] = None) -> list[int]:
    local: SomeThing = 4
    other: int
    return [a, b, local]


print(f('not an int'))


class P(NamedTuple):
    x: int
    y: float = 0.5

    def total(self):
        return self.x + self.y


p = P(1)
print(p, p.x, p.total(), p._replace(x=2), P._fields, tuple(p), p == (1, 0.5), p._asdict())
T = TypeVar('T')


class Box(Generic[T]):
    def __init__(self, v: T) -> None:
        self.v = v

    def get(self) -> T:
        return self.v


class IntBox(Box[int]):
    pass


print(Box(3).get(), IntBox(4).get(), [c.__name__ for c in IntBox.__mro__], Box[int](5).v)


class Quacks(Protocol):
    def quack(self) -> str: ...


class Duck:
    def quack(self):
        return 'quack'


def make_noise(q: Quacks) -> str:
    return q.quack()


print(make_noise(Duck()))


class Config:
    name: str = 'default'
    size: int
    __slots__ = ()


print(Config.name, list(Config.__annotations__))
o = Duck()
o.attr: int = 3
d = {}
d['k']: str = 'v'
print(o.attr, d)


def g():
    n: int = 1
    m: int
    return n


print(g(), isinstance(3, int | str), isinstance(None, int | None), isinstance('a', (int, str)))
