# Closures over a call whose own variables they do not use: its environment is another call's by then.
import functools


def logged(prefix):
    def wrap(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            inner.calls += 1
            return function(*args, **kwargs)
        inner.calls = 0
        return inner
    return wrap


@logged("f")
def scaled(a, b=2, *, c=1):
    """Scales."""
    return a * b + c


print(scaled(1), scaled(2, c=5), scaled.calls, scaled.__name__, scaled.__doc__)


def outermost(unused):
    def outer(also_unused):
        def middle(f):
            def inner(x):
                return f(x) + x
            return inner
        return middle
    return outer


steps = [outermost(i)(i + 1)(lambda x, i=i: x * i) for i in range(4)]
print([step(3) for step in steps])


def annotated(unused):
    def wrap(f: "unused") -> unused:
        return lambda x: f(x)
    return wrap


print(annotated(int)(str)(5), annotated(int).__annotations__)
