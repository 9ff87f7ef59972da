# type() called with bases whose metaclass is another; the body of a class sees what its function has not bound yet; match of a signed subject.
from abc import ABC, abstractmethod


class Base(ABC):
    @abstractmethod
    def f(self): ...


try:
    type("Half", (Base,), {})()
except TypeError as e:
    print(e)
print(type(type("Whole", (Base,), {"f": lambda self: 1})).__name__, type("Whole", (Base,), {"f": lambda self: 1})().f())


def later():
    class C:
        def g(self, a=unbound): ...
    unbound = 1


try:
    later()
except NameError as e:
    print(type(e).__name__, e)
match +(3 - 5):
    case -2:
        print("minus two")
for n in (2 ** 70, -2 ** 70, -1):
    L = type("L", (), {"__len__": lambda self: n})
    try:
        len(L())
    except (OverflowError, ValueError) as e:
        print(type(e).__name__, e)
