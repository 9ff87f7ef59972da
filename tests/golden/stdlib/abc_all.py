from abc import ABC, abstractmethod, ABCMeta
import abc
class A(ABC):
    @abstractmethod
    def f(self): ...
    @property
    @abstractmethod
    def p(self): ...
    @classmethod
    @abstractmethod
    def c(cls): ...
    @staticmethod
    @abstractmethod
    def s(): ...
    def g(self): return 'g'
for k in [A]:
    try: k()
    except TypeError as e: print(e)
print(sorted(A.__abstractmethods__), type(A), ABC, ABCMeta)
class B(A):
    def f(self): return super().g()
    p = 5
    def c(cls): pass
class C(B):
    def s(): pass
try: B()
except TypeError as e: print(e)
print(C().f(), C.__abstractmethods__, isinstance(C(), A), issubclass(C, ABC))
class D(metaclass=ABCMeta):
    @abstractmethod
    def z(self): pass
try: D()
except TypeError as e: print(e)
@D.register
class E: pass
print(isinstance(E(), D), issubclass(E, D), issubclass(int, D), D.register(int), isinstance(5, D))
class H(ABC):
    @classmethod
    def __subclasshook__(cls, c):
        if cls is H: return hasattr(c, 'quack')
        return NotImplemented
class Duck:
    def quack(self): pass
print(isinstance(Duck(), H), isinstance(5, H))
class F(ABC):
    def __init_subclass__(cls, **kw): print('sub', cls.__name__, kw)
class G(F, tag=1): pass
try:
    class X(ABC, int): pass
    print(X(5) + 1, X.__mro__)
except TypeError as e: print(e)
