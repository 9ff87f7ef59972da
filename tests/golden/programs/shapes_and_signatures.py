from abc import ABC, abstractmethod, ABCMeta
import inspect, typing, types
class Shape(ABC):
    registry = {}
    def __init_subclass__(cls, /, kind=None, **kw): super().__init_subclass__(**kw); Shape.registry[kind or cls.__name__] = cls
    @property
    @abstractmethod
    def area(self): ...
    @abstractmethod
    def scale(self, k: float) -> "Shape": ...
    @classmethod
    def make(cls, kind, *a): return cls.registry[kind](*a)
class Sq(Shape, kind="square"):
    def __init__(self, s): self.s = s
    @property
    def area(self): return self.s ** 2
    def scale(self, k): return type(self)(self.s * k)
    def __repr__(self): return f"{type(self).__name__}({self.s!r})"
print(Shape.make("square", 3).scale(2), Shape.make("square", 3).area, Shape.registry)
try: Shape()
except TypeError as e: print(e)
class Bad(Shape):
    area = 1
try: Bad()
except TypeError as e: print(e)
print(inspect.isabstract(Shape), sorted(Shape.__abstractmethods__), inspect.signature(Sq.__init__), inspect.getmembers(Sq(1), inspect.ismethod)[0][0])
def f(a, /, b: int = 2, *args: str, c, d=None, **kw) -> list[int]: "Doc.\n\n  more"
s = inspect.signature(f); print(s, [(p.name, str(p.kind), p.default is p.empty) for p in s.parameters.values()], s.return_annotation); b = s.bind(1, c=3, e=4); b.apply_defaults(); print(b.arguments, b.args, b.kwargs); print(inspect.getdoc(f), inspect.isfunction(f), inspect.getfullargspec(f).kwonlyargs)
try: s.bind(1)
except TypeError as e: print(e)
print(s.replace(parameters=list(s.parameters.values())[:2]), inspect.isgeneratorfunction(lambda: (yield)), inspect.isclass(Sq), inspect.ismodule(inspect), inspect.unwrap(f) is f, inspect.getmro(Sq)[1].__name__)
class Meta(type):
    def __new__(m, n, b, d, **k): d["tag"] = n.lower(); return super().__new__(m, n, b, d)
    def __call__(cls, *a): o = super().__call__(*a); o.made = True; return o
    def __len__(cls): return 7
class K(metaclass=Meta): pass
print(K.tag, K().made, len(K), type(K).__name__)
class D:
    def __set_name__(s, o, n): s.n = "_" + n
    def __get__(s, i, o=None): return s if i is None else getattr(i, s.n, 0)
    def __set__(s, i, v):
        if v < 0: raise ValueError(f"{s.n} < 0")
        setattr(i, s.n, v)
class Q: x = D()
q = Q(); q.x = 3; print(q.x, q.__dict__)
try: q.x = -1
except ValueError as e: print(e)
print(types.SimpleNamespace(a=1, b=[2]), types.MappingProxyType({"a": 1})["a"], type(f).__name__, types.FunctionType is type(f), callable(K), isinstance(f, types.FunctionType))
