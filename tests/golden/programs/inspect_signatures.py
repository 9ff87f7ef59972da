# inspect.signature and the like, on functions, methods, classes, partials; binding.
import inspect
from functools import partial, wraps

def f(a, b=2, /, c: int = 3, *args, d, e="x", **kw) -> str: ...
s = inspect.signature(f)
print(s, list(s.parameters), [p.kind.name for p in s.parameters.values()], s.parameters["b"].default, s.return_annotation, s.parameters["c"].annotation, s.parameters["a"].default is inspect.Parameter.empty)
class K:
    def __init__(self, x, *, y=1): ...
    def m(self, z): ...
    @classmethod
    def c(cls, q): ...
    @staticmethod
    def st(w=0): ...
print(inspect.signature(K), inspect.signature(K.m), inspect.signature(K(1).m), inspect.signature(K.c), inspect.signature(K.st), inspect.signature(partial(f, 1, d=4)), inspect.signature(lambda x, *y: 0))
b = s.bind(1, d=5, zz=6)
print(b.arguments, b.args, b.kwargs)
b.apply_defaults()
print(b.arguments)
@wraps(f)
def g(*a): ...
print(inspect.signature(g) == s, inspect.isfunction(f), inspect.ismethod(K(1).m), inspect.isclass(K), inspect.isgeneratorfunction(f), inspect.isbuiltin(len), inspect.ismodule(inspect), inspect.getdoc(K) or "none", [n for n, _ in inspect.getmembers(K, inspect.isfunction)])
for bad in (lambda: s.bind(1), lambda: s.bind(1, d=1, a=2) and s.bind(), lambda: f(1), lambda: f(), lambda: f(1, b=2, d=1) and K(), lambda: K(1, 2), lambda: K(1).m(), lambda: K.m(1), lambda: f(*[1, 2], **{"d": 1, "d2": 2}, d=3)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
