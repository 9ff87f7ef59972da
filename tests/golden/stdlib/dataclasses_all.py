import dataclasses
from dataclasses import *
from typing import ClassVar, Any, Generic, TypeVar, Optional
import typing
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
@dataclass
class P:
    x: int
    y: int = 2
    z: list = field(default_factory=list)
    K: ClassVar[int] = 7
    def s(self): return self.x + self.y
p = P(1)
print(p, p.s(), p == P(1), p != P(2), P(1, 3).y, p.z, P.K, P(1).z is P(1).z, P.y, hasattr(P, 'x'), P.__match_args__, P.__doc__, P.__hash__)
tr(lambda: P()); tr(lambda: P(1,2,[],4)); tr(lambda: P(q=1)); tr(lambda: P(1, x=2)); tr(lambda: hash(p)); tr(lambda: p < p)
p.x = 10; print(p)
@dataclass(frozen=True, order=True)
class F:
    a: int
    b: str = 'q'
f = F(1)
print(f, hash(f) == hash(F(1)), F(1) < F(2), sorted([F(3), F(1)]), F(1, 'a') <= F(1, 'b'), {f: 1}[F(1)])
def sa(): f.a = 5
def da(): del f.a
tr(sa); tr(da); tr(lambda: setattr(f, 'zz', 1)); print(issubclass(FrozenInstanceError, AttributeError))
object.__setattr__(f, 'a', 9); print(f, replace(f, b='new'), asdict(f), astuple(f))
@dataclass
class Q(P):
    w: float = 1.5
    y: int = 20
print(Q(1), Q(1, 2, [3], 4.5), [x.name for x in fields(Q)], is_dataclass(Q), is_dataclass(Q(1)), is_dataclass(5), is_dataclass(int))
@dataclass(kw_only=True)
class K:
    a: int
    b: int = 1
tr(lambda: K(1)); print(K(a=1), K(b=2, a=3))
@dataclass
class KO:
    x: int
    _: KW_ONLY
    y: int = 0
    z: int
tr(lambda: KO(1, 2)); tr(lambda: KO(1)); print(KO(1, z=3), KO.__match_args__)
@dataclass
class Post:
    a: int
    b: InitVar[int] = 5
    c: int = field(init=False)
    d: int = field(init=False, default=3)
    e: list = field(init=False, default_factory=list, repr=False)
    def __post_init__(self, b): self.c = self.a + b
print(Post(1), Post(1, 10), Post(1).e, Post.b)
@dataclass(slots=True)
class S:
    a: int
    b: int = 2
    def m(self): return self.a
s = S(1); print(s, S.__slots__, s.m()); tr(lambda: setattr(s, 'zz', 1)); print(hasattr(s, '__dict__'))
@dataclass(eq=False)
class NE: a: int
print(NE(1) == NE(1), hash(NE(1)) is not None)
@dataclass(unsafe_hash=True)
class UH:
    a: int
    b: int = field(hash=False, compare=True)
print(hash(UH(1,2)) == hash(UH(1,3)), UH(1,2)==UH(1,3))
@dataclass(repr=False)
class NR: a: int
print(repr(NR(1))[:17])
@dataclass
class CR:
    a: int
    def __repr__(self): return 'custom'
    def __eq__(self, o): return True
print(CR(1), CR(1) == 5)
def bad1():
    @dataclass
    class B: x: list = []
def bad2():
    @dataclass
    class B:
        x: int = 1
        y: int
def bad3():
    @dataclass
    class B: x = field(default=1)
def bad4():
    @dataclass
    class B(F): z: int = 1
def bad5():
    @dataclass(frozen=True)
    class B(P): q: int = 1
def bad6(): field(default=1, default_factory=list)
def bad7():
    @dataclass(order=True)
    class B:
        x: int
        def __lt__(self, o): pass
def bad8():
    @dataclass(order=True, eq=False)
    class B: x: int
def bad9():
    @dataclass(frozen=True)
    class B:
        x: int
        def __setattr__(self, n, v): pass
for b in [bad1,bad2,bad3,bad4,bad5,bad6,bad7,bad8,bad9]: tr(b)
ff = fields(P)
print([ (x.name, x.type, x.default is MISSING, x.default_factory is list, x.init, x.repr, x.compare, x.hash, x.kw_only, dict(x.metadata)) for x in ff])
@dataclass
class Me:
    a: int = field(default=1, metadata={'static': True})
print(fields(Me)[0].metadata, fields(Me)[0].metadata['static'], Me.__dataclass_params__)
print(asdict(Q(1, 2, [P(5)], 3.0)), asdict(P(1, 2, {'k': (F(1), [F(2)])})), astuple(P(1,2,[F(3)])))
C = make_dataclass('C', [('x', int), 'y', ('z', int, field(default=5))], namespace={'add': lambda self: self.x + self.z}); print(C(1, 2), C(1,2).add(), C.__name__)
tr(lambda: make_dataclass('C', ['x', 'x'])); tr(lambda: make_dataclass('C', ['1x']))
tr(lambda: replace(Post(1), c=3)); tr(lambda: replace(5)); tr(lambda: replace(P(1), q=2)); tr(lambda: fields(5)); tr(lambda: asdict(5))
T = TypeVar('T')
@dataclass
class G(Generic[T]):
    v: T
    n: 'Optional[G]' = None
    def get(self) -> T: return self.v
print(G(1), G[int](2), G(1, G(2)), fields(G)[1].type)
match P(1, 2):
    case P(x, y): print('m', x, y)
match F(1, 'z'):
    case F(a=1, b=bb): print('mf', bb)
@dataclass
class Prop:
    _v: int = 0
    @property
    def v(self): return self._v
    @v.setter
    def v(self, x): self._v = x * 2
pr = Prop(3); pr.v = 5; print(pr, pr.v)
@dataclass
class Rec:
    me: Any = None
r = Rec(); r.me = r; print(r)
@dataclass
class Base:
    def __init_subclass__(cls, **k): print('isub', cls.__name__)
    b: int = 1
@dataclass
class Sub(Base): c: int = 2
print(Sub(), Sub(5, 6), Sub.__mro__[1:])
class Outer:
    @dataclass
    class Inner: x: int = 1
print(Outer.Inner(), Outer.Inner.__qualname__)
@dataclass
class Self2:
    a: 'typing.ClassVar[int]' = 3
    b: "ClassVar" = 4
    c: int = 5
print(Self2(), [x.name for x in fields(Self2)])
@dataclass(frozen=True)
class FP:
    a: int
    b: int = 0
    def __post_init__(self): object.__setattr__(self, 'b', self.a * 2)
print(FP(4), dataclasses.replace(FP(4), a=5))
@dataclass(match_args=False)
class NM: a: int
print(hasattr(NM, '__match_args__'))
class Mixin:
    def hi(self): return f'hi {self.a}'
@dataclass
class WM(Mixin): a: int
print(WM(3).hi(), WM(a=4))
@dataclass
class Vr:
    a: int
    def __init__(self, q): self.a = q * 100
print(Vr(2))
@dataclass(init=False)
class NI:
    a: int = 3
print(NI(), NI().a)
@dataclass(frozen=True, slots=True)
class FS:
    a: int
    b: float = 1.0
x = FS(1); tr(lambda: setattr(x, 'a', 2)); print(x, hash(x) == hash(FS(1)), replace(x, a=7))
import copy
print(copy.copy(p), copy.deepcopy(P(1, 2, [[1]])), copy.deepcopy(x) == x, copy.copy(x))
import inspect
print(inspect.signature(P), inspect.signature(KO), inspect.signature(F))
