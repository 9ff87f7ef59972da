# contextlib: contextmanager, ExitStack, suppress, closing, redirect_stdout, nullcontext, ContextDecorator, errors through them.
import contextlib
import io
from contextlib import AbstractContextManager, ContextDecorator, ExitStack, closing, contextmanager, nullcontext, redirect_stdout, suppress


@contextmanager
def tag(name, swallow=False):
    print(f"<{name}>")
    try:
        yield name.upper()
    except ValueError as e:
        print("inside", e)
        if not swallow:
            raise
    finally:
        print(f"</{name}>")


with tag("a") as a, tag("b", swallow=True) as b:
    print(a, b)
    raise ValueError("x")
try:
    with tag("c"):
        raise ValueError("y")
except ValueError as e:
    print("out", e)


@tag("deco")
def f(x):
    return x + 1


print(f(1), f(2))
with ExitStack() as stack:
    names = [stack.enter_context(tag(n)) for n in "pq"]
    stack.callback(print, "callback", 1, sep="-")
    stack.push(lambda t, e, tb: print("exit", t, e) or True)
    print(names)
    raise KeyError("k")
with suppress(KeyError, IndexError):
    {}["x"]
    print("never")
buffer = io.StringIO()
with redirect_stdout(buffer):
    print("hidden")
    with redirect_stdout(io.StringIO()) as inner:
        print("more")
    print("again")
print(repr(buffer.getvalue()), repr(inner.getvalue()))


class Res:
    def close(self):
        print("closed")


with closing(Res()) as r, nullcontext(5) as five:
    print(type(r).__name__, five)


class Timer(ContextDecorator):
    def __enter__(self):
        print("start")
        return self

    def __exit__(self, *exc):
        print("stop", exc[0] and exc[0].__name__)
        return False


@Timer()
def g():
    raise RuntimeError("in g")


try:
    g()
except RuntimeError as e:
    print(e)
with ExitStack() as s:
    s.callback(print, "moved")
    keep = s.pop_all()
print("nothing yet")
keep.close()
try:
    with contextmanager(lambda: iter([]))():
        pass
except Exception as e:
    print(type(e).__name__, e)


@contextmanager
def twice():
    yield 1
    yield 2


try:
    with twice():
        pass
except RuntimeError as e:
    print(e)
print(issubclass(Timer, AbstractContextManager), isinstance(nullcontext(), contextlib.AbstractContextManager))
