import typing
from typing import *
T = TypeVar('T'); U = TypeVar('U', bound=int); K = TypeVar('K', int, str); C = TypeVar('C', covariant=True)
class A: pass
for f in [lambda: Any, lambda: Optional[int], lambda: Union[int,str], lambda: Union[int,None], lambda: Union[int], lambda: Union[int,Union[str,int]], lambda: Optional['A'], lambda: List[int], lambda: Dict[str, List[int]], lambda: Callable[[int], str], lambda: Callable[..., int], lambda: Tuple[int, ...], lambda: Tuple[()], lambda: Tuple, lambda: Literal['a', 1], lambda: Annotated[int, 'x', 3], lambda: ClassVar[int], lambda: Final[int], lambda: Final, lambda: Type[A], lambda: Sequence[A], lambda: Iterable, lambda: T, lambda: U.__bound__, lambda: K.__constraints__, lambda: C, lambda: List[T], lambda: Dict[K, T][int, str], lambda: List[T].__parameters__, lambda: Callable[[T], U].__parameters__, lambda: int | Any, lambda: List[int] | None, lambda: None | List[int], lambda: T | None, lambda: Optional[int] | str, lambda: Union[int, str].__args__, lambda: Union[int,str].__origin__, lambda: List[int].__origin__, lambda: List[int].__args__, lambda: Callable[[int,str],bool].__args__, lambda: Literal[1].__args__, lambda: Annotated[int,'x'].__metadata__, lambda: Annotated[int,'x'].__origin__, lambda: get_origin(List[int]), lambda: get_args(Dict[str,int]), lambda: get_origin(int), lambda: get_args(int), lambda: get_origin(Union[int,str]), lambda: get_args(Callable[[int],str]), lambda: get_origin(list[int]), lambda: get_args(int|str), lambda: get_origin(int|str), lambda: get_args(Annotated[int,'x']), lambda: get_origin(Annotated[int,'x']), lambda: Union[int,str]==Union[str,int], lambda: List[int]==List[int], lambda: hash(List[int])==hash(List[int]), lambda: isinstance([], List), lambda: isinstance(5, Optional[int]), lambda: isinstance(None, Optional[int]), lambda: isinstance('a', Union[int,str]), lambda: isinstance(5, Sequence), lambda: isinstance([], List[int]), lambda: isinstance(5, Any), lambda: List[int](), lambda: Dict(), lambda: Any(), lambda: Union[int,str](), lambda: cast(int, 'x'), lambda: TYPE_CHECKING, lambda: NewType('Id', int)(5), lambda: NewType('Id', int), lambda: assert_never(5), lambda: NoReturn, lambda: Self, lambda: Never, lambda: Union[()], lambda: Optional[int,str], lambda: Optional, lambda: typing.Deque[int], lambda: typing.DefaultDict[str,int], lambda: typing.AnyStr, lambda: typing.Text, lambda: typing.Hashable, lambda: Type, lambda: List[int].copy, lambda: Mapping[str, 'A'], lambda: ForwardRef('A'), lambda: Concatenate, lambda: ParamSpec('P'), lambda: TypeVar('T', bound='A').__bound__, lambda: get_type_hints(A), lambda: Union[list[int], None], lambda: Optional[list[int]], lambda: list[T], lambda: list[T][int], lambda: (list[T] | None), lambda: Generic[T], lambda: Literal[None, True], lambda: Union[None, int], lambda: Optional[None], lambda: Dict[str, Any], lambda: Callable, lambda: Callable[[], None], lambda: SupportsInt, lambda: isinstance(5, SupportsInt), lambda: isinstance(5, SupportsIndex), lambda: isinstance('a', SupportsIndex)]:
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
class G(Generic[T]):
    def __init__(self, x): self.x = x
    def get(self) -> T: return self.x
print(G(5).get(), G[int](6).get(), G[int], G.__parameters__, G.__orig_bases__, G.__mro__, G[int].__origin__, isinstance(G(1), G))
try: isinstance(G(1), G[int])
except TypeError as e: print(e)
class G2(G[int], Generic[U]): pass
print(G2.__mro__, G2.__parameters__, G2(3).x)
class L(List[int]):
    def s(self): return sum(self)
print(L([1,2]).s(), L.__mro__)
@runtime_checkable
class P(Protocol):
    x: int
    def f(self) -> int: ...
class Good:
    x = 1
    def f(self): return 2
print(isinstance(Good(), P), isinstance(A(), P), P, issubclass(Good, object))
class P2(Protocol):
    def g(self): ...
try: isinstance(A(), P2)
except TypeError as e: print(e)
try: P2()
except TypeError as e: print(e)
class Impl(P2):
    def __init__(self, v): self.v = v
    def g(self): return self.v
print(Impl(4).g(), Impl.__mro__)
class P3(Protocol[T]):
    def h(self) -> T: ...
print(P3[int], P3.__mro__)
@overload
def ov(x: int) -> int: ...
@overload
def ov(x: str) -> str: ...
def ov(x): return x
print(ov(3))
@overload
def ov2(x): ...
try: ov2(1)
except NotImplementedError as e: print(e)
@final
class Fin: pass
class NT(NamedTuple):
    a: int
    b: str = 'q'
    "doc"
    def m(self): return self.a * 2
    @property
    def p(self): return self.b + '!'
    @classmethod
    def mk(cls): return cls(9)
n = NT(3); print(n, n.m(), n.p, NT.mk(), n._asdict(), NT._fields, NT._field_defaults, NT.__annotations__, n == (3,'q'), NT.__mro__, NT.__bases__, n._replace(a=1), isinstance(n, tuple))
try: NT()
except TypeError as e: print(e)
try:
    class Bad(NamedTuple):
        a: int = 1
        b: str
except TypeError as e: print(e)
N2 = NamedTuple('N2', [('x', int), ('y', float)]); print(N2(1, 2.0), N2.__annotations__)
class NT2(NT):
    def extra(self): return 'e'
print(NT2(1).extra(), NT2(1))
class TD(TypedDict):
    a: int
    b: str
class TD2(TD, total=False):
    c: float
print(TD(a=1, b='x'), TD2(a=1), TD.__annotations__, TD2.__required_keys__ == frozenset({'a','b'}), TD2.__optional_keys__, TD.__total__, TD2.__total__)
TD3 = TypedDict('TD3', {'x': int}); print(TD3(x=1), TD3)
def fn(a: int, b: 'str' = 'x', *, c: Optional[int] = None) -> List[int]: ...
print(get_type_hints(fn))
class H:
    x: int
    y: 'Optional[str]' = None
print(get_type_hints(H))
print(get_type_hints(NT))
Ps = ParamSpec('Ps'); print(Ps, Ps.args, Ps.kwargs, Callable[Ps, int])
