# Diamonds, mixins, super() chains, abstract-like errors, class attributes, __new__, singletons.
class A:
    def __init__(self, **k): print("A", sorted(k)); self.a = 1
    def who(self): return "A"
class B(A):
    def __init__(self, b=0, **k): super().__init__(**k); print("B", b)
    def who(self): return "B" + super().who()
class C(A):
    def __init__(self, c=0, **k): super().__init__(**k); print("C", c)
    def who(self): return "C" + super().who()
class D(B, C):
    def who(self): return "D" + super().who()
d = D(b=1, c=2)
print(d.who(), [k.__name__ for k in D.__mro__], issubclass(D, A), isinstance(d, C), D.__bases__ == (B, C), D.__base__.__name__, super(B, d).who())
class One:
    _it = None
    def __new__(cls, *a):
        if cls._it is None: cls._it = super().__new__(cls)
        return cls._it
    def __init__(self, v=None): self.v = v
print(One(1) is One(2), One(3).v)
class Celsius(float):
    def __new__(cls, f): return super().__new__(cls, (f - 32) / 1.8)
class Up(str):
    def __new__(cls, s): return super().__new__(cls, s.upper())
    def __add__(self, o): return Up(str.__add__(self, o))
class Tup(tuple):
    def total(self): return sum(self)
class L(list):
    def __getitem__(self, i): return "L" if i == "x" else super().__getitem__(i)
class Dd(dict):
    def __missing__(self, k): return k * 2
print(Celsius(212), Up("ab") + "c", type(Up("ab") + "c").__name__, Tup([1, 2]).total(), L([1, 2])["x"], L([1, 2])[0], Dd()["ab"], Dd(a=1)["a"], isinstance(Celsius(0), float), L([3]) + [4])
try:
    class E(A, B): pass
except TypeError as e: print(e)
for f in (lambda: A(1), lambda: D(z=1, **{"z": 2}) if False else d.nope, lambda: object().x, lambda: A.who(), lambda: setattr(object(), "x", 1)):
    try: print(f())
    except (TypeError, AttributeError) as e: print(type(e).__name__, e)
