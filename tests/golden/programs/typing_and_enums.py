import typing as t, collections.abc as ca, enum, dataclasses, functools, types
T = t.TypeVar('T'); K = t.TypeVar('K', bound=ca.Hashable)
class Stack(t.Generic[T]):
    def __init__(self) -> None: self._d: list[T] = []
    def push(self, x: T) -> t.Self: self._d.append(x); return self
    def __len__(self): return len(self._d)
    def __class_getitem__(cls, k): return super().__class_getitem__(k)
print(Stack[int], Stack[int]().push(3).__len__())
@t.runtime_checkable
class Sized(t.Protocol):
    def __len__(self) -> int: ...
print(isinstance([], Sized), isinstance(3, Sized), issubclass(Stack, Sized), t.get_type_hints(Stack.push), t.get_origin(dict[str, int]), t.get_args(t.Union[int, None, str]), t.Optional[int], int | None, list[int] == t.List[int], t.Callable[[int], str], ca.Callable[..., int], t.Literal['a', 1], t.Annotated[int, 'm'])
class TD(t.TypedDict, total=False): a: t.Required[int]; b: str
class NT(t.NamedTuple): x: int; y: str = 'z'
print(TD(a=1), TD.__required_keys__, TD.__annotations__, NT(1), NT.__annotations__, NT(1, 'q')._replace(x=5), t.cast(int, 'x'), t.TYPE_CHECKING, t.NewType('Id', int)(5), t.Any, t.NoReturn, t.Final[int], t.ClassVar[int])
class Color(enum.IntFlag): R = 1; G = 2; B = 4; W = 7
class Mode(str, enum.Enum): A = 'a'; B = 'b'
class St(enum.StrEnum): ONE = enum.auto(); TWO = 'two'
class Pl(enum.Enum):
    X = (1, 2.5); Y = (3, 4.5)
    def __init__(self, m, r): self.m = m; self.r = r
    @property
    def area(self): return self.m * self.r
    @classmethod
    def _missing_(cls, v): return cls.X if v == 'def' else None
print(Color.R | Color.B, Color(3), Color.W & ~Color.G, Color.G in Color.W, Mode.A == 'a', f'{Mode.A}', f'{St.ONE}', str(Mode.B), repr(St.TWO), Pl.X.area, Pl((3, 4.5)), Pl('def'), [m.name for m in Pl], Pl.__members__.keys(), isinstance(Pl.X, Pl), Color(0), Color['R'].value, Mode('b') is Mode.B)
try: Pl('nope')
except ValueError as e: print(e)
try: Color.R = 3
except AttributeError as e: print(e)
@functools.singledispatch
def show(x): return f'obj {x}'
@show.register
def _(x: int): return f'int {x}'
@show.register(list)
def _(x): return f'list of {len(x)}'
print(show(1), show([1]), show('s'), show(True), show.dispatch(bool).__name__ , types.SimpleNamespace(a=1, b='x'), t.get_type_hints(NT), t.assert_type(3, int), t.is_typeddict(TD), types.MappingProxyType({'a': 1}), enum.unique(Mode) is Mode)
@t.overload
def g(x: int) -> int: ...
@t.overload
def g(x: str) -> str: ...
def g(x): return x * 2
print(g(2), g('a'), g.__annotations__, t.ParamSpec('P'), t.TypeVarTuple('Ts'), t.Unpack, (lambda: 0).__annotations__, ca.Mapping[str, int], isinstance({}, ca.MutableMapping), issubclass(range, ca.Sequence))
