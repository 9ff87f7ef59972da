# A class that is made a dataclass a second time: its own fields are those that it has now, and it is no base of its own.
import dataclasses


@dataclasses.dataclass
class Point:
    x: int
    y: int = 2


Frozen = dataclasses.dataclass(frozen=True)(Point)
print(Frozen is Point, [f.name for f in dataclasses.fields(Frozen)], Frozen.__dataclass_params__.frozen)
try:
    Frozen(1)  # by the initializer that it had, which assigns
except dataclasses.FrozenInstanceError as error:
    print(type(error).__name__, error)


@dataclasses.dataclass(frozen=True)
class Base:
    a: int


try:
    @dataclasses.dataclass
    class Below(Base):
        b: int = 0
except TypeError as error:
    print(error)


@dataclasses.dataclass
class Changed:
    a: int = 1
    b: int = 2


del Changed.__annotations__['b']
print(dataclasses.dataclass(Changed)(5), [f.name for f in dataclasses.fields(Changed)])
