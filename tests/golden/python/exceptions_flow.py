# try, except, else, finally: order, and what return, break and continue do inside them.
def f(kind):
    log = []
    try:
        log.append('try')
        if kind == 'value':
            raise ValueError('v')
        if kind == 'key':
            raise KeyError('k')
        if kind == 'return':
            return log
    except ValueError as e:
        log.append(f'except {e}')
    except (KeyError, IndexError) as e:
        log.append(f'lookup {e!r}')
    else:
        log.append('else')
    finally:
        log.append('finally')
    log.append('after')
    return log


for kind in ('none', 'value', 'key', 'return'):
    print(kind, f(kind))


def override():
    try:
        return 'try'
    finally:
        return 'finally'


def swallow():
    try:
        raise ValueError('lost')
    finally:
        return 'swallowed'


def order():
    log = []

    def note(x):
        log.append(x)
        return x
    try:
        return note('value'), log
    finally:
        note('cleanup')


print(override(), swallow(), order())


def loop():
    out = []
    for i in range(6):
        try:
            if i == 1:
                continue
            if i == 4:
                break
            out.append(i)
        finally:
            out.append(-i)
    else:
        out.append('else')
    return out


print(loop())


def break_in_finally():
    for i in range(3):
        try:
            raise ValueError
        finally:
            break
    return 'broke'


def continue_in_finally():
    n = 0
    for i in range(3):
        try:
            1 / 0
        finally:
            n += 1
            continue
    return n


def pending_return():
    for i in range(3):
        try:
            return i
        finally:
            for j in range(2):
                try:
                    return 'inner'
                finally:
                    break
    return 'none'


print(break_in_finally(), continue_in_finally(), pending_return())


def nested():
    log = []
    try:
        try:
            raise ValueError('a')
        except KeyError:
            log.append('wrong')
        finally:
            log.append('inner finally')
    except ValueError as e:
        log.append(f'outer {e}')
        try:
            raise TypeError('b')
        except TypeError as e2:
            log.append(f'second {e2} while {e2.__context__!r}')
    try:
        e
    except UnboundLocalError as exc:
        log.append(str(exc))
    return log


print(nested())


def reraise():
    try:
        try:
            raise ValueError('again')
        except ValueError:
            raise
    except ValueError as e:
        return repr(e)


print(reraise())
try:
    raise
except RuntimeError as e:
    print(e)


def chained():
    try:
        try:
            {}['x']
        except KeyError as e:
            raise ValueError('bad') from e
    except ValueError as e:
        return repr(e.__cause__), repr(e.__context__), e.__suppress_context__


def suppressed():
    try:
        try:
            {}['x']
        except KeyError:
            raise ValueError('bad') from None
    except ValueError as e:
        return e.__cause__, repr(e.__context__), e.__suppress_context__


print(chained(), suppressed())
try:
    try:
        raise ValueError('first')
    finally:
        raise TypeError('second')
except TypeError as e:
    print(repr(e), repr(e.__context__))
try:
    raise 5
except TypeError as e:
    print(e)
try:
    raise ValueError from 5
except TypeError as e:
    print(e)
try:
    try:
        raise KeyError
    except 5:
        pass
except TypeError as e:
    print(e, repr(e.__context__))


def else_raises():
    try:
        pass
    except ValueError:
        return 'caught own else'
    else:
        raise ValueError('from else')


try:
    else_raises()
except ValueError as e:
    print(e)

for exc in (ValueError, ValueError('x'), KeyError('k'), OSError(2, 'no'), StopIteration(3)):
    try:
        raise exc
    except Exception as e:
        print(type(e).__name__, e.args, str(e), repr(e))


def deep(n):
    if n == 0:
        raise LookupError('deep')
    try:
        deep(n - 1)
    finally:
        counts.append(n)


counts = []
try:
    deep(5)
except LookupError as e:
    print(e, counts)
x = 'unbound?'
try:
    raise ValueError
except ValueError as x:
    pass
try:
    print(x)
except NameError as e:
    print(e)
