# Tracebacks as texts, exception attributes, sys.exc_info, chained reports, custom hierarchies, assert messages.
import sys
import traceback

def inner(x):
    return 1 / x

def outer(x):
    try:
        return inner(x)
    except ZeroDivisionError as e:
        raise RuntimeError("outer failed") from e

try:
    outer(0)
except RuntimeError as e:
    text = traceback.format_exc()
    lines = [l.strip() for l in text.splitlines()]
    print(lines[0], [l for l in lines if l.startswith("return") or l.startswith("raise")], lines[-1], sum("File" in l for l in lines))
    print(sys.exc_info()[0].__name__, sys.exc_info()[1] is e, traceback.format_exception_only(e))
print(sys.exc_info())
class AppError(Exception):
    "base"
    def __init__(self, message, *, code=0):
        super().__init__(message)
        self.code = code
class NotFound(AppError, LookupError): ...
try:
    raise NotFound("no file", code=404)
except LookupError as e:
    print(e, e.code, repr(e), isinstance(e, AppError), NotFound.__mro__[1:4])
def gen():
    try:
        yield 1
    except KeyError as e:
        print("in gen", e)
        yield 2
g = gen()
next(g)
print(g.throw(KeyError("k")))
def nested():
    try:
        try:
            raise ValueError(1)
        finally:
            print("f1")
            raise TypeError(2)
    except TypeError as e:
        return e.__context__, e.__cause__
print(nested())
def ret():
    for i in range(3):
        try:
            if i == 1: return i
        finally:
            print("fin", i)
print(ret())
for args in ((), (1,), (1, 2), ("a",), (None,)):
    e = ValueError(*args)
    print(str(e), repr(e), e.args)
print(KeyError("a"), str(KeyError("a")), StopIteration(3).value, SystemExit(2).code, ImportError("m", name="n").name, AttributeError("x", name="nm", obj=1).name)
