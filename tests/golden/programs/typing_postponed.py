from __future__ import annotations
import abc, typing, inspect
from collections.abc import Callable, Iterable, Mapping, Sequence, Hashable, Iterator, MutableMapping
from typing import (Any, ClassVar, Final, Generic, Literal, NamedTuple, NewType, NoReturn, Optional, overload, ParamSpec, Protocol, Self,
  TypeAlias, TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, runtime_checkable, Annotated, Concatenate, TYPE_CHECKING, Required, NotRequired, assert_never, final)
if TYPE_CHECKING:
    from nowhere import Nothing
T = TypeVar("T"); K = TypeVar("K", bound=Hashable); V = TypeVar("V", int, str); P = ParamSpec("P"); R = TypeVar("R", covariant=True)
UserId = NewType("UserId", int)
Mode: TypeAlias = Literal["train", "eval", 3]
Vec = Annotated[list[float], "len>0"]
class Shape(NamedTuple):
    rows: int
    cols: int = 1
    """doc"""
    @property
    def size(self) -> int: return self.rows * self.cols
    def t(self) -> Shape: return self._replace(rows=self.cols, cols=self.rows)
class Opts(TypedDict, total=False):
    lr: Required[float]
    name: str
class Opts2(Opts):
    depth: NotRequired[int]
@runtime_checkable
class SupportsClose(Protocol):
    def close(self) -> None: ...
class Box(Generic[T]):
    count: ClassVar[int] = 0
    limit: Final = 10
    def __init__(self, v: T) -> None:
        self.v = v
        Box.count += 1
    def map(self, f: Callable[[T], R]) -> Box[R]: return Box(f(self.v))
    @overload
    def get(self) -> T: ...
    @overload
    def get(self, d: int) -> T | int: ...
    def get(self, d=None): return self.v if self.v is not None else d
    def chainme(self) -> Self: return self
    def __class_getitem__(cls, item):
        return super().__class_getitem__(item)
class Pair(Box[T], Generic[T, K]):
    pass
def logged(f: Callable[P, T]) -> Callable[P, tuple[str, T]]:
    def inner(*a: P.args, **k: P.kwargs):
        return f.__name__, f(*a, **k)
    return inner
@logged
def area(s: Shape, *, scale: float = 2.) -> float: return s.size * scale
def with_ctx(f: Callable[Concatenate[int, P], T]) -> Callable[P, T]:
    return lambda *a, **k: f(7, *a, **k)
@final
class Leaf: pass
def check(m: Mode) -> str:
    if m == "train": return "t"
    elif m == "eval": return "e"
    elif m == 3: return "3"
    assert_never(m)
print(area(Shape(2, 3), scale=3.0), Shape(4).t(), Shape._fields, Shape._field_defaults, Shape(1, 2)._asdict())
print(Shape.__annotations__)
print(get_args(Mode), get_origin(Mode), get_args(Union[int, str, None]), Optional[int], Union[int, int], get_origin(list[int]), list[int], dict[str, list[int]])
print(Annotated[int, "x"].__metadata__, get_type_hints(Shape.t), get_args(Callable[[int, str], float]))
o: Opts2 = {"lr": .1, "depth": 3}
print(o, Opts2.__total__, sorted(Opts2.__required_keys__), sorted(Opts2.__optional_keys__), Opts2(lr=2.0))
class F:
    def close(self): print("closed")
print(isinstance(F(), SupportsClose), isinstance(3, SupportsClose))
b = Box(3).map(lambda x: x + 1).chainme()
print(b.get(), Box[int], Box.count, Pair[int, str].__args__, Pair.__mro__[1].__name__, Box.__parameters__)
print(UserId(5), UserId.__name__, with_ctx(lambda n, m: (n, m))(9), cast(int, "not"))
try: check("no")
except AssertionError as e: print("AE", e)
print(inspect.signature(area), T, K.__bound__, V.__constraints__, P.args, T.__name__, R.__covariant__)
def f(a: int, b: "str" = "x", *args: float, c: list[int] | None = None, **kw: Any) -> Iterator[int]: yield a
print(f.__annotations__); print(inspect.signature(f)); print({k: str(p.kind) for k, p in inspect.signature(f).parameters.items()})
print(isinstance([], Sequence), isinstance({}, Mapping), issubclass(dict, MutableMapping), isinstance(iter([]), Iterator), isinstance(3, int | str), int | None)
match get_origin(dict[str, int]), get_args(dict[str, int]):
    case (t, (k, v)) if t is dict: print("dict", k.__name__, v.__name__)
class Reg(abc.ABC):
    _reg: ClassVar[dict[str, type[Reg]]] = {}
    def __init_subclass__(cls, /, tag: str | None = None, **kw):
        super().__init_subclass__(**kw); Reg._reg[tag or cls.__name__] = cls
    @abc.abstractmethod
    def run(self) -> int: ...
    @classmethod
    def make(cls, tag, *a) -> Reg: return cls._reg[tag](*a)
class A(Reg, tag="a"):
    def run(self): return 1
class B(Reg): pass
print(Reg._reg, Reg.make("a").run())
try: Reg.make("B")
except TypeError as e: print(e)
