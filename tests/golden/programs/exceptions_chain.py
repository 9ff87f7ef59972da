# Chains of exceptions, cleanup order, re-raising, notes, custom attributes, finally that returns, else.
import traceback


class Base(Exception):
    code = 1


class Derived(Base):
    code = 2

    def __str__(self):
        return f"derived {self.args}"


def run(f):
    try:
        return f()
    except Exception as e:
        parts = []
        while e is not None:
            parts.append(f"{type(e).__name__}({e}) cause={type(e.__cause__).__name__} context={type(e.__context__).__name__} suppress={e.__suppress_context__}")
            e = e.__cause__ or e.__context__
        return parts


def implicit():
    try:
        1 / 0
    except ZeroDivisionError:
        raise Base("later")


def explicit():
    try:
        {}["k"]
    except KeyError as e:
        raise Derived("a", 1) from e


def hidden():
    try:
        int("x")
    except ValueError:
        raise Base from None


def in_finally():
    try:
        raise Base(1)
    finally:
        [][0]


for f in (implicit, explicit, hidden, in_finally):
    print(f.__name__, run(f))


def order():
    log = []
    for kind in (None, ValueError, KeyError):
        try:
            log.append("try")
            if kind:
                raise kind("m")
        except ValueError as e:
            log.append(f"except {e}")
        else:
            log.append("else")
        finally:
            log.append("finally")
    return log


try:
    order()
except KeyError as e:
    print("escaped", repr(e), e, e.args)


def swallow():
    try:
        raise Base
    finally:
        return "returned"


def loops():
    seen = []
    for i in range(4):
        try:
            if i == 1:
                continue
            if i == 3:
                break
            seen.append(i)
        finally:
            seen.append(f"f{i}")
    else:
        seen.append("else")
    return seen


print(swallow(), loops())
try:
    try:
        raise Base("first")
    except Base as e:
        e.add_note("a note")
        raise
except Base as e:
    print(e.__notes__, "".join(traceback.format_exception_only(type(e), e)))
try:
    e
except NameError as x:
    print(x)
try:
    raise ValueError
except (KeyError, ValueError) as x:
    print(repr(x), x.args, str(x) == "")
for bad in (lambda: (_ for _ in ()).throw(Base("g")), lambda: [1, 2][5], lambda: {}[(1, 2)], lambda: "a" + 1, lambda: None.x, lambda: undefined, lambda: int("12a"), lambda: [].pop(), lambda: (1, 2) + [3], lambda: len(5), lambda: 3(), lambda: max([]), lambda: next(iter([])), lambda: open(3.5), lambda: chr(-1), lambda: "abc".index("z"), lambda: [3].remove(4), lambda: set().pop(), lambda: float("1e"), lambda: 2 ** "a", lambda: -"a", lambda: [1] * 1.5, lambda: {[]: 1}, lambda: "x" * "y", lambda: sum(["a"]), lambda: sorted([1, "a"]), lambda: range(1, 2, 0), lambda: int(float("nan")), lambda: int(float("inf")), lambda: 10 ** 400 * 1.0, lambda: 1 << -1, lambda: bytes([256]), lambda: isinstance(1, 5), lambda: (lambda a: a)(), lambda: (lambda: 1)(2), lambda: (lambda *, k: k)(1), lambda: dict([1]), lambda: list(zip([1], [1, 2], strict=True))):
    try:
        print(bad())
    except Exception as x:
        print(type(x).__name__, x)
assert Derived("q").code == 2
try:
    assert 1 == 2, ("msg", 3)
except AssertionError as x:
    print(x, x.args)
print(issubclass(Derived, Base), Exception.__mro__, ZeroDivisionError.__bases__, OSError(2, "nope", "file").filename, OSError(2, "x").errno, repr(OSError(2, "x")), type(OSError(2, "x")))
