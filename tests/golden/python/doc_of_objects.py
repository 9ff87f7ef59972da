# Each object has a __doc__, which may be None.
import functools
class Plain:
    pass
class Described(Plain):
    "of the class"
for x in (3, len, functools.partial(print), 1.5, object(), type, iter([]), functools, lambda: 0, range(3), {}, (), "", b"", Exception("a"), property(), functools.lru_cache(len)):
    print(type(x).__name__, hasattr(x, "__doc__"), isinstance(x.__doc__, (str, type(None))))
print(Plain().__doc__, Described().__doc__, type("Below", (Described,), {})().__doc__)
