# inspect.getsource, getsourcelines, findsource, getsourcefile, and the first line of code objects.
import functools
import inspect
import os


def traced(f):
    @functools.wraps(f)
    def inner(*args):
        return f(*args)
    return inner


@traced
@functools.lru_cache(maxsize=None)
def decorated(x):
    # a comment
    if x:
        return """
text at the margin
"""

    # what follows is not part of it


@functools.total_ordering
class Config:
    """Of a kernel."""
    size = 3

    def area(self): return self.size * 2

    @property
    def half(self):
        return (self.size +
                1)

    def __lt__(self, other):
        return True


shift = lambda a: (a +
                   1)

for thing in (traced, decorated, Config, Config.area, Config().area, Config.half.fget, shift):
    print(inspect.getsource(thing), end="--\n")
    print(inspect.getsourcelines(thing)[1], os.path.basename(inspect.getsourcefile(thing)))
print(traced.__code__.co_firstlineno, decorated.__wrapped__.__wrapped__.__code__.co_firstlineno)
print(len(inspect.findsource(traced)[0]) > 50, inspect.findsource(traced)[1])
for thing in (3, len, print, "text", Config.half):
    try:
        print(inspect.getsource(thing))
    except (TypeError, OSError) as e:
        print(type(e).__name__, str(e)[:91])
