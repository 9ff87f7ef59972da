# __slots__ below Generic, Protocol and ABC; copies of what has members and a dict; what threads have for themselves; loggers and warnings.
import abc
import collections.abc
import copy
import logging
import threading
import warnings
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

T = TypeVar('T')


class Readable(Protocol):
    __slots__ = ()

    def read(self): ...


@dataclass(slots=True)
class Box(Generic[T]):
    value: T
    label: str = 'box'


class Open(Box):
    pass


for base in (Generic[T], abc.ABC, collections.abc.Sized, collections.abc.Iterator):
    class Derived(base):
        __slots__ = ('a',)
        __len__ = __next__ = lambda self: 1
    print(hasattr(Derived(), '__dict__'), getattr(Derived.__mro__[1], '__slots__'))
print(Protocol.__slots__, Generic.__slots__, hasattr(type('Reader', (Readable,), {'__slots__': ()})(), '__dict__'))
b = Box([1], 'x')
try:
    b.other = 1
except AttributeError as error:
    print(error)
c, d = copy.copy(b), copy.deepcopy(b)
print(c, d, c.value is b.value, d.value is b.value, d == b)
o = Open([2], 'o')
o.more = {'k': o}
c, d = copy.copy(o), copy.deepcopy(o)
print(c.value is o.value, d.value, d.label, d.more['k'] is d, d.value is o.value, vars(c) == vars(o), hasattr(o, '__dict__'))


class Own(threading.local):
    def __init__(self, n):
        self.n = n


own, seen = Own(3), []
own.x = 1
thread = threading.Thread(target=lambda: seen.append(dict(own.__dict__)))
thread.start()
thread.join()
print(seen, own.__dict__, vars(own))
records = []
handler = logging.Handler()
handler.emit = lambda record: records.append((record.name, record.levelname, record.getMessage().splitlines()[0].partition(': ')[2]))
logging.getLogger().addHandler(handler)
warnings.simplefilter('always')
logging.captureWarnings(True)
logging.captureWarnings(True)
warnings.warn('old', DeprecationWarning)
logging.captureWarnings(False)
print(records)
x = logging.getLogger('one.two.three')
names = logging.root.manager.loggerDict
print(names['one.two.three'] is x, type(names['one.two']).__name__, 'one' in names, logging.getLogger('one') is names['one'], type(names['one']).__name__, x.parent is names['one'])
