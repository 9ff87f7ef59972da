# Generators that are left inside of try, with and match: every way on from there.
import contextlib
import sys
import traceback


class Mine(Exception):
    pass


class Manager:
    def __init__(self, name, log, swallows=(), fails=None):
        self.name, self.log, self.swallows, self.fails = name, log, swallows, fails

    def __enter__(self):
        self.log.append(f'enter {self.name}')
        if self.fails == 'enter':
            raise Mine(self.name)
        return self.name

    def __exit__(self, kind, value, tb):
        self.log.append(f'exit {self.name} {kind and kind.__name__}')
        if self.fails == 'exit':
            raise Mine(f'exit {self.name}')
        return kind is not None and issubclass(kind, self.swallows)


def handled():
    error = sys.exc_info()[1]
    return error and f'{type(error).__name__}({error})'


def chain(error):
    if error is None:
        return None
    lines = [(f.name, f.lineno) for f in traceback.extract_tb(error.__traceback__)]
    return f'{type(error).__name__}({error})', lines, chain(error.__cause__), chain(error.__context__)


def drive(make, *steps):
    log = []
    g = make(log)
    for step in ('next',) + steps:
        try:
            if step == 'next':
                out = next(g)
            elif step == 'close':
                out = g.close()
            elif isinstance(step, BaseException):
                out = g.throw(step)
            else:
                out = g.send(step)
            log.append(f'-> {out}')
        except BaseException as error:
            log.append(f'raised {chain(error)}')
        log.append(handled())
    print(make.__name__, *log, sep='\n  ')


def every_clause(log):
    try:
        try:
            log.append((yield 'body'))
        except Mine as error:
            log.append((yield f'Mine {error} {handled()}'))
            log.append(handled())
            raise KeyError('from the handler')
        except (ValueError, TypeError) as error:
            log.append(error.args)
            yield 'handled'
        else:
            yield 'else'
        finally:
            yield f'finally {handled()}'
            log.append(handled())
    except KeyError:
        yield f'outer {handled()}'
    yield f'behind {handled()} {"error" in locals()}'


drive(every_clause, 1, 2, 3, 'next')
drive(every_clause, Mine('a'), 1, 2, 3, 'next')
drive(every_clause, ValueError('b'), 'next', 'next', 'next')
drive(every_clause, OSError('c'), 'next', 'next')
drive(every_clause, Mine('d'), Mine('in the handler'), 'next')
drive(every_clause, 'next', 'next', Mine('in finally'))
drive(every_clause, 'close')
drive(every_clause, Mine('e'), 'close', 'close')


def leaves(way):
    def left(log):
        for i in range(3):
            with Manager(i, log):
                try:
                    yield i
                    if way == 'continue':
                        continue
                    if way == 'break':
                        break
                    if way == 'return':
                        return 'returned'
                    if way == 'undone':
                        return 'lost'
                finally:
                    log.append(f'finally {i}')
                    yield f'in finally {i}'
                    if way == 'undone':
                        break
            log.append('through')
        else:
            log.append('else')
        yield 'end'
    left.__name__ = way
    return left


for way in 'through', 'continue', 'break', 'return', 'undone':
    drive(leaves(way), *['next'] * 7)


def managers(log):
    with Manager('a', log, Mine), Manager('b', log) as b, Manager('c', log, KeyError):
        log.append(b)
        yield 'in c'
        yield 'still'
    yield 'behind'
    with Manager('d', log), Manager('e', log, fails='enter'):
        yield 'never'


drive(managers, 'next', 'next', 'next')
drive(managers, KeyError(1), 'next')
drive(managers, 'next', Mine(2), 'next')
drive(managers, OSError(3), 'next')


def failing_exit(log):
    with Manager('outer', log, KeyError):
        with Manager('inner', log, fails='exit'):
            yield 1
    yield 2


drive(failing_exit, 'next')
drive(failing_exit, KeyError('first'))


def chosen(log):
    while True:
        match (yield 'what'):
            case None:
                yield 'nothing'
            case [first, *rest] if rest:
                for one in rest:
                    yield first, one
            case {'error': error}:
                try:
                    raise error
                except Mine:
                    log.append((yield 'raised'))
            case str():
                return 'done'


drive(chosen, None, 'next', [1, 2, 3], 'next', 'next', {'error': Mine(4)}, 5, [6], 'text')


def again(log):
    def inner():
        try:
            yield 1
        finally:
            log.append(f'inner {handled()}')
            yield 'inner finally'
    try:
        result = yield from inner()
        log.append(result)
    except Mine as error:
        log.append(chain(error))
        yield from inner()
        raise
    finally:
        log.append('outer finally')


drive(again, 'next', 'next')
drive(again, Mine(1), 'next', 'next', 'next', 'next')
drive(again, 'close')


def in_handler_of_caller(log):
    try:
        yield handled()
    except Mine:
        yield handled()
        log.append(handled())
    yield handled()


g = in_handler_of_caller([])
try:
    raise OSError('outside')
except OSError:
    print(next(g), g.throw(Mine('thrown')), handled())
print(next(g), handled())


@contextlib.contextmanager
def noted(name, log):
    log.append(f'enter {name}')
    try:
        yield name
    except Mine as error:
        log.append(f'{name} has {error}')
    else:
        log.append(f'{name} is through')
    finally:
        log.append(f'exit {name}')


def uses(n):
    log = []
    try:
        with noted('a', log) as a, noted('b', log):
            log.append(a)
            if n == 1:
                raise Mine('one')
            if n == 2:
                raise KeyError('two')
            if n == 3:
                return log
    except KeyError as error:
        log.append(chain(error))
    return log


for n in range(4):
    print(uses(n))


def recursive(n):
    try:
        if n:
            yield n
            yield from recursive(n - 1)
    finally:
        if n % 20 == 0:
            yield -n


print(sum(recursive(100)), len(list(recursive(100))))


def broken_out_of(log):
    def numbers():
        try:
            for i in range(5):
                yield i
        finally:
            log.append('numbers closed')
    for i in numbers():
        try:
            yield i
        finally:
            log.append(f'left at {i}')
        if i == 1:
            break


drive(broken_out_of, 'next', 'next')
drive(broken_out_of, 'close')


def expressions(log):
    try:
        total = (yield 1) + (yield 2)
        log.append(total)
        log.append([(yield 3), (yield 4)])
    finally:
        log.append('finally')


drive(expressions, 10, 20, 30, 40)
drive(expressions, 10, Mine('inside of an expression'))


def at_the_end(name):
    try:
        yield
    finally:
        print('closed at the end:', name)


kept = [at_the_end(i) for i in range(3)]
for one in kept[:2]:
    next(one)
