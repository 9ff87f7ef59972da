# abc, collections.abc and numbers: abstract methods, mixins, registration, subclass hooks.
import numbers
from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Mapping, MutableMapping, MutableSequence, Sequence, Set

class Shape(ABC):
    @property
    @abstractmethod
    def area(self): ...
    @abstractmethod
    def scale(self, k): ...
    def double(self): return self.scale(2)
class Sq(Shape):
    def __init__(self, s): self.s = s
    @property
    def area(self): return self.s ** 2
    def scale(self, k): return Sq(self.s * k)
print(Sq(3).double().area, Shape.__abstractmethods__ == frozenset({"area", "scale"}), isinstance(Sq(1), Shape))
for bad in (lambda: Shape(), lambda: type("Half", (Shape,), {"area": 1})(), lambda: MutableSequence()):
    try:
        print(bad())
    except TypeError as e:
        print(e)
class Case(MutableMapping):
    def __init__(self, *a, **k):
        self.d = {}
        self.update(*a, **k)
    def __getitem__(self, k): return self.d[k.lower()]
    def __setitem__(self, k, v): self.d[k.lower()] = v
    def __delitem__(self, k): del self.d[k.lower()]
    def __iter__(self): return iter(self.d)
    def __len__(self): return len(self.d)
c = Case(A=1, b=2)
print(c["a"], "B" in c, c.get("zz"), c.pop("A"), list(c.items()), c.setdefault("Q", 5), dict(c), c == {"b": 2, "q": 5}, len(c), c.popitem(), isinstance(c, Mapping))
class Pts(Sequence):
    def __init__(self, *v): self.v = v
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
p = Pts(1, 2, 3, 2)
print(p.index(2), p.count(2), list(reversed(p)), 3 in p, list(p))
class Any4(metaclass=ABCMeta):
    @classmethod
    def __subclasshook__(cls, c): return hasattr(c, "four") or NotImplemented
class Has:
    four = 4
@Shape.register
class Fake: ...
print(isinstance(Has(), Any4), issubclass(int, Any4), isinstance(Fake(), Shape), isinstance([], Iterable), isinstance({1}, Set), isinstance(1, numbers.Integral), isinstance(1.5, numbers.Real), isinstance(1j, numbers.Complex), isinstance(True, numbers.Number), issubclass(dict, Mapping), isinstance("a", Sequence))
