# types, dynamic classes, SimpleNamespace, MappingProxyType, MethodType, getattr and friends.
import types
N = types.SimpleNamespace(a=1, b=[2])
N.c = 3
print(N, N == types.SimpleNamespace(a=1, b=[2], c=3), vars(N), types.MappingProxyType({"a": 1})["a"])
C = type("C", (object,), {"x": 5, "f": lambda self: self.x})
c = C(); c.g = types.MethodType(lambda self, k: self.x * k, c)
print(c.f(), c.g(3), C.__name__, C.__dict__["x"], getattr(c, "zz", "none"), hasattr(c, "f"), callable(c.f), type(c.f).__name__, type(C.f).__name__, isinstance(c.f, types.MethodType), isinstance(C.f, types.FunctionType), isinstance(len, types.BuiltinFunctionType), c.f.__self__ is c, c.f.__func__ is C.f)
setattr(C, "y", property(lambda s: s.x + 1)); print(c.y, delattr(C, "x") if False else C.x, dir(c)[-4:])
M = types.ModuleType("m", "doc"); M.v = 1; print(M.v, M.__name__, M.__doc__, types.NoneType is type(None), types.GeneratorType is type(x for x in ()), types.LambdaType is types.FunctionType)
f = lambda a, b=2, *c, d, **e: 0
print(f.__name__, f.__defaults__, f.__kwdefaults__, f.__code__.co_argcount, f.__code__.co_varnames, f.__module__, f.__qualname__, f.__doc__)
f.extra = 1; print(f.extra, f.__dict__, types.new_class("D", (C,)).__mro__[1] is C, type(types.CodeType).__name__)
try: types.MappingProxyType({})["k"] = 1
except TypeError as e: print(e)
for bad in (lambda: type("X", (), {}, 1), lambda: type("X", 1, {}), lambda: type(1, (), {}), lambda: getattr(c), lambda: c.nope, lambda: delattr(c, "nope"), lambda: type()):
    try: print(bad())
    except (TypeError, AttributeError) as e: print(type(e).__name__)
