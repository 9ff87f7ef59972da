# Library helpers meeting the object model: functools, dataclasses, enum, namedtuple, contextlib, collections.
import functools
from collections import namedtuple, defaultdict, Counter, OrderedDict, deque
from contextlib import contextmanager, suppress, ExitStack, nullcontext
from dataclasses import dataclass, field, replace, fields, asdict
from enum import Enum, IntEnum, auto
import itertools
import operator


@functools.total_ordering
class Grade:
    def __init__(self, n):
        self.n = n

    def __eq__(self, o):
        return self.n == o.n

    def __lt__(self, o):
        return self.n < o.n


print(Grade(1) <= Grade(2), Grade(3) > Grade(2), Grade(2) >= Grade(3), sorted([Grade(2), Grade(1)])[0].n)


class Heavy:
    made = 0

    @functools.cached_property
    def value(self):
        Heavy.made += 1
        return Heavy.made * 100

    @functools.lru_cache(maxsize=None)
    def square(self, n):
        Heavy.made += 10
        return n * n


h = Heavy()
print(h.value, h.value, h.square(3), h.square(3), Heavy.made)


@functools.singledispatch
def kind(x):
    return 'object'


@kind.register
def _(x: int):
    return 'int'


@kind.register(list)
def _(x):
    return 'list of ' + ','.join(map(kind, x))


print(kind('s'), kind(3), kind([1, 'a']), kind(True))


@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list = field(default_factory=list)

    @property
    def label(self):
        return f'{self.name}@{self.price}'

    def __post_init__(self):
        self.name = self.name.upper()


@dataclass(frozen=True, order=True)
class Key:
    a: int
    b: str = 'x'


@dataclass
class Sub(Item):
    extra: int = 0


i = Item('n')
print(i, i.label, i == Item('n'), replace(i, price=2), asdict(Sub('s', extra=5)), [f.name for f in fields(Sub)])
print(Key(1), Key(1) < Key(2), {Key(1): 'k'}[Key(1)], sorted([Key(2), Key(1, 'z'), Key(1, 'a')]))
for bad in (lambda: setattr(Key(1), 'a', 2), lambda: Item(), lambda: Item(1, 2, 3, 4), lambda: Key(c=1)):
    try:
        bad()
    except (AttributeError, TypeError) as e:
        print(type(e).__name__, e)


class Color(Enum):
    RED = 1
    GREEN = auto()
    CRIMSON = 1

    @property
    def pretty(self):
        return self.name.title()

    @classmethod
    def default(cls):
        return cls.RED


class Level(IntEnum):
    LOW = 1
    HIGH = 10


print(Color.RED, repr(Color.GREEN), Color(2), Color['RED'], Color.CRIMSON is Color.RED, list(Color), len(Color))
print(Color.RED.pretty, Color.default().value, Color.RED == 1, Level.HIGH > 5, Level.LOW + 1, sorted(Level), Color.RED in Color)
try:
    Color(7)
except ValueError as e:
    print(e)
match Color.GREEN:
    case Color.RED:
        print('red')
    case Color.GREEN:
        print('green')
P = namedtuple('P', 'x y', defaults=[0])


class Q(P):
    __slots__ = ()

    def norm(self):
        return self.x ** 2 + self.y ** 2


print(P(1), Q(3, 4).norm(), Q(1, 2)._replace(y=9), P._fields, P(1, 2) == (1, 2), [*Q(5, 6)])
with suppress(KeyError):
    {}['x']
with nullcontext(5) as five, ExitStack() as stack:
    stack.callback(print, 'callback')
    print(five)
dd = defaultdict(list)
dd['a'].append(1)
c = Counter('banana')
dq = deque([1, 2, 3], maxlen=3)
dq.append(4)
print(dict(dd), c.most_common(2), dq, OrderedDict(a=1), c['z'])
print(list(itertools.chain.from_iterable([[1], [2, 3]])), list(itertools.accumulate([1, 2, 3], operator.mul)),
      list(itertools.product('ab', repeat=2))[:3], list(itertools.islice(itertools.count(5), 3)))
print(sorted([{'k': 2}, {'k': 1}], key=operator.itemgetter('k')), operator.attrgetter('x.real')(P(3)), operator.methodcaller('upper')('a'))
print([(k, list(g)) for k, g in itertools.groupby('aabbc')], list(itertools.zip_longest('ab', 'c', fillvalue='-')))
