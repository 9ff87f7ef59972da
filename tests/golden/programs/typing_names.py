# typing: what annotations hold at run time, get_type_hints, NamedTuple, TypedDict, Protocol, Generic, Literal, overload.
from typing import (Annotated, Any, Callable, ClassVar, Final, Generic, Hashable, Iterable, Literal, NamedTuple, Never, NewType, Optional, Protocol, Sequence, TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, overload, runtime_checkable)

T = TypeVar("T", bound=int)
print(Optional[int], Union[int, str, None], list[int], dict[str, tuple[int, ...]], Callable[[int], str], Literal["a", 1], Any, T, ClassVar[int], Final[int], Annotated[int, "meta"], Sequence[int], int | None, type[int])
print(get_args(dict[str, int]), get_origin(list[int]), get_args(Literal[1, "x"]), get_origin(Optional[int]) is Union, get_args(Callable[[int, str], bool]), get_args(Annotated[int, 3]), get_origin(int), get_args(int | str))
class Pt(NamedTuple):
    x: int
    y: float = 2.0
    def norm(self): return abs(self.x) + self.y
p = Pt(1)
print(p, p.norm(), p._asdict(), Pt.__annotations__, p == (1, 2.0), Pt._field_defaults)
class TD(TypedDict, total=False):
    a: int
    b: str
print(TD(a=1), TD.__annotations__, TD.__total__, type(TD(a=1)))
@runtime_checkable
class Sized(Protocol):
    def __len__(self) -> int: ...
class Box(Generic[T]):
    items: list[T]
    def __init__(self, v): self.v = v
    def get(self) -> T: return self.v
print(isinstance([], Sized), isinstance(3, Sized), Box[int](3).get(), Box[int], Box.__parameters__, Box.__orig_bases__)
def f(a: int, b: "str" = "x", *c: float, d: Optional[int] = None, **e: Any) -> list[int]: ...
print(get_type_hints(f), f.__annotations__)
@overload
def g(x: int) -> int: ...
@overload
def g(x: str) -> str: ...
def g(x): return x
UserId = NewType("UserId", int)
print(g(1), cast(int, "s"), UserId(5), UserId.__name__, isinstance(1, Hashable), isinstance([], Hashable), issubclass(list, Iterable), Never)
for bad in (lambda: Optional[1, 2], lambda: isinstance(1, list[int]), lambda: Pt(), lambda: TypeVar("A", int), lambda: Union[()]):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
