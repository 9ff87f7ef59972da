# Classes that derive from ModuleType, and objects in sys.modules.
import types
class L(types.ModuleType):
    def __init__(self, name):
        super().__init__(name); self.x = 3
    def __getattr__(self, name):
        return "dyn " + name
l = L("foo"); print(l.x, l.bar, l.__name__, isinstance(l, types.ModuleType), type(l).__name__)
import sys
class Lazy(types.ModuleType):
    def __getattr__(self, n): return 42
    @property
    def p(self): return "prop"
m = Lazy("lazymod", "docs"); m.y = 5
sys.modules["lazymod"] = m
import lazymod
from lazymod import zzz, y
print(lazymod.anything, zzz, y, lazymod.__doc__, m.p, vars(m)["y"], repr(m)[:17], m is lazymod, "y" in dir(m), m.__dict__ is vars(m))
try: types.ModuleType()
except TypeError as e: print(e)
try: types.ModuleType(3)
except TypeError as e: print(e)
print(types.ModuleType("a", "b").__doc__, types.ModuleType("q"))
class N(types.ModuleType):
    def __init__(self, a, b): self.a = a; super().__init__("n" + b)
print(N(1, "x").a, N(1, "x").__name__, N(1, b="z"))
