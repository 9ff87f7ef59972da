import enum
from enum import *
class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3
    CRIMSON = 1
    def hot(self): return self in (Color.RED,)
    @property
    def label(self): return self.name.title()
    @classmethod
    def first(cls): return list(cls)[0]
    @staticmethod
    def st(): return 's'
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, Color(2), Color['BLUE'], Color.CRIMSON is Color.RED, list(Color), len(Color), Color.RED.hot(), Color.BLUE.label, Color.first(), Color.st())
print(Color, type(Color), Color.__members__, Color.RED == Color.RED, Color.RED == 1, Color.RED != Color.BLUE, {Color.RED: 5}[Color.RED], Color.RED in Color, isinstance(Color.RED, Color), list(reversed(Color)), bool(Color.RED))
print(f'{Color.RED} {Color.RED!r} {Color.RED:>12}', '%s' % Color.RED, hash(Color.RED) == hash(Color.RED), Color.RED.__class__, Color.__name__)
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
tr(lambda: Color(9)); tr(lambda: Color['X']); tr(lambda: Color.PURPLE); tr(lambda: setattr(Color, 'RED', 5)); tr(lambda: delattr(Color, 'RED')); tr(lambda: 1 in Color); tr(lambda: Color.RED < Color.BLUE); tr(lambda: setattr(Color.RED, 'value', 3)); tr(lambda: Color.RED.RED)
def sub():
    class More(Color): X = 1
tr(sub)
def dup():
    class D(Enum):
        A = 1
        A = 2
class A(Enum):
    X = auto()
    Y = auto()
    Z = 10
    W = auto()
print([(m.name, m.value) for m in A])
class G(Enum):
    def _generate_next_value_(name, start, count, last): return name + str(count)
    P = auto()
    Q = auto()
print(list(G))
class I(IntEnum):
    ONE = 1
    TWO = 2
    T = auto()
print(I.ONE, repr(I.ONE), I.ONE + 1, I.TWO > I.ONE, I(2), [10,20,30][I.ONE], f'{I.TWO}', f'{I.TWO:03d}', I.T.value, isinstance(I.ONE, int), sorted([I.TWO, I.ONE]), I.ONE == 1, int(I.TWO), {1: 'a'}[I.ONE], I.ONE | 2, max(I), '%d' % I.TWO, str(I.TWO), I.ONE.bit_length(), -I.ONE)
class S(StrEnum):
    AA = 'x'
    BB = auto()
print(S.AA, repr(S.AA), S.BB, S.AA + 'y', S('x'), f'{S.BB}', S.AA == 'x', S.AA.upper(), isinstance(S.AA, str), {'x': 1}[S.AA], ','.join(S), len(S.AA))
class M(str, Enum):
    A = 'a'
    B = 'b'
    def __call__(self, x): return self.value + x
print(M.A, repr(M.A), M.A == 'a', f'{M.A}', M.A.value, M('b'), M.A('z'), M.A.upper(), '%s' % M.A, {M.A: 1}['a'], str.__str__(M.A))
class P(Enum):
    EARTH = (5.9, 6.3)
    MARS = (6.4, 3.3)
    def __init__(self, mass, radius):
        self.mass = mass
        self.radius = radius
    @property
    def g(self): return round(self.mass / self.radius, 3)
print(P.EARTH.mass, P.MARS.g, P.EARTH.value, P((6.4, 3.3)), P.EARTH)
class N(Enum):
    def __new__(cls, value, label):
        obj = object.__new__(cls)
        obj._value_ = value
        obj.label = label
        return obj
    X = (1, 'ex')
    Y = (2, 'why')
print(N.X.label, N(2), N.Y.value, list(N))
class F(Flag):
    R = auto()
    W = auto()
    X = auto()
    RW = R | W
    NONE = 0
print(F.R, repr(F.R), F.R | F.W, repr(F.R | F.X), F.RW, repr(F.RW), ~F.R, F.R & F.W, repr(F(0)), F.R in F.RW, list(F), list(F.RW), F.RW.value, F(5), bool(F.NONE), F.R ^ F.RW, len(F.RW), F.X.name, (F.R|F.X).name, F(0).name, len(F))
tr(lambda: F(8)); tr(lambda: F.R | 1); tr(lambda: F['R'])
class IF(IntFlag):
    A = 1
    B = 2
    C = 4
print(IF.A | IF.B, repr(IF.A | IF.B), IF.A | 8, repr(IF.A | 8), IF.A + 1, IF(3), repr(IF(3)), ~IF.A, repr(~IF.A), IF.A in IF(3), IF(0), repr(IF(0)), str(IF.A), f'{IF.A}', IF.B == 2, list(IF(7)))
@unique
class U(Enum):
    A = 1
    B = 2
def un():
    @unique
    class V(Enum):
        A = 1
        B = 1
tr(un)
E2 = Enum('E2', 'a b c'); print(list(E2), E2.a, E2.__module__)
E3 = Enum('E3', {'x': 10, 'y': 20}); print(list(E3)); E4 = IntEnum('E4', ['p', 'q'], start=5); print(list(E4)); E5 = Enum('E5', [('m', 1), ('n', 2)]); print(list(E5))
class Miss(Enum):
    A = 1
    @classmethod
    def _missing_(cls, value): return cls.A if value == 'a' else None
print(Miss('a')); tr(lambda: Miss('q'))
class Base(Enum):
    def shared(self): return 'shared ' + self.name
class Derived(Base):
    Z = 1
print(Derived.Z.shared())
class Mem(Enum):
    f = member(lambda self: 1)
    g = nonmember(5)
    _ignore_ = ['tmp']
    tmp = 3
    A = 1
print(list(Mem.__members__), Mem.g, hasattr(Mem, 'tmp'))
match Color(2):
    case Color.RED: print('r')
    case Color.GREEN: print('g')
import copy
print(copy.copy(Color.RED) is Color.RED, copy.deepcopy(Color.RED) is Color.RED, copy.deepcopy({'a': Color.RED})['a'] is Color.RED)
print(Color.RED.__doc__, Color.__doc__, A.__doc__)
class Doc(Enum):
    "the doc"
    A = 1
print(Doc.__doc__, Doc.A._name_, Doc.A._value_, Doc._member_names_, Doc._value2member_map_)
print(EnumMeta is EnumType, isinstance(Color, EnumType), issubclass(I, int), I.__mro__[1:3])
class Empty(Enum): pass
print(list(Empty)); tr(lambda: Empty(1))
class Fl2(Flag):
    A = 0x10
    B = auto()
    C = 3
print([ (m, m.value) for m in Fl2], Fl2.C, Fl2(3))
from dataclasses import dataclass
@dataclass(frozen=True)
class Mix:
    a: int
    b: str = 'q'
class DM(Mix, Enum):
    ONE = 1, 'x'
    TWO = 2
print(DM.ONE, repr(DM.ONE), DM.TWO.b, DM.ONE.a)
class Ord(Enum):
    A = 'a'; B = 'b'
    def __lt__(self, o): return self.value < o.value
print(sorted([Ord.B, Ord.A]), Ord.A < Ord.B)
print(F.R.value, F['W'], F.RW in F, F.__members__.keys(), [f.name for f in F.__members__.values()])
