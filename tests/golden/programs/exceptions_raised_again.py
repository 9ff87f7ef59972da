# Tracebacks of exceptions that are raised once more, pass generator expressions and context managers, or are given a traceback.
import contextlib
import traceback


def divided(x):
    return 1 / x


def total(items):
    return sum(divided(x) for x in items)


def again(x):
    try:
        return divided(x)
    except ZeroDivisionError as e:
        raise e


def bare(x):
    try:
        return divided(x)
    except ZeroDivisionError:
        raise


@contextlib.contextmanager
def managed():
    yield


def in_context(x):
    with managed():
        return divided(x)


def in_class(x):
    class Made:
        value = divided(x)


def imports(x):
    import of_no_such_name


def kept(x):
    try:
        divided(x)
    except ZeroDivisionError as e:
        return e


def raises_kept(x):
    raise kept(x)


def without(x):
    raise kept(x).with_traceback(None)


def of_another(x):
    error = ValueError("of another")
    error.__traceback__ = kept(x).__traceback__
    raise error


for call in (total, again, bare, in_context, in_class, imports, raises_kept, without, of_another):
    try:
        call([0] if call is total else 0)
    except Exception as e:
        print(''.join(traceback.format_exception(e)).replace(__file__, 'FILE'))
error = ValueError("kept")
for i in range(3):
    try:
        raise error
    except ValueError:
        print(len(traceback.extract_tb(error.__traceback__)))
try:
    error.__traceback__ = 3
except TypeError as e:
    print(e)
