# Context managers: order, several items, exceptions swallowed or not, return and break inside.
class Manager:
    def __init__(self, name, log, swallow=False):
        self.name, self.log, self.swallow = name, log, swallow

    def __enter__(self):
        self.log.append(f'enter {self.name}')
        return self.name.upper()

    def __exit__(self, kind, value, tb):
        self.log.append(f'exit {self.name} {kind.__name__ if kind else None} {value}')
        return self.swallow


log = []
with Manager('a', log) as a, Manager('b', log) as b:
    log.append(f'body {a} {b}')
print(log)

log = []
with Manager('s', log, swallow=True):
    raise ValueError('gone')
print(log)

log = []
try:
    with Manager('o', log) as x, Manager('i', log):
        raise KeyError('passes')
except KeyError as e:
    log.append(repr(e))
print(log)

log = []
with Manager('outer', log), Manager('inner', log, swallow=True):
    raise ValueError('inner takes it')
print(log)


def returns(log):
    with Manager('r', log):
        return 'value'


log = []
print(returns(log), log)


def loops(log):
    for i in range(3):
        with Manager(str(i), log):
            if i == 0:
                continue
            if i == 1:
                break
    return 'end'


log = []
print(loops(log), log)


class Replacing:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, tb):
        raise TypeError('from exit')


try:
    with Replacing():
        raise ValueError('original')
except TypeError as e:
    print(e, repr(e.__context__))


class FailingEnter:
    def __enter__(self):
        raise RuntimeError('enter failed')

    def __exit__(self, *a):
        print('never')


log = []
try:
    with Manager('first', log), FailingEnter():
        pass
except RuntimeError as e:
    print(e, log)
for bad in (5, type('E', (), {'__enter__': lambda s: s})()):
    try:
        with bad:
            pass
    except TypeError as e:
        print(e)


class Tuples:
    def __enter__(self):
        return (1, [2, 3])

    def __exit__(self, *a):
        return None


with Tuples() as (p, [q, *r]):
    print(p, q, r)
target = {}
with Tuples() as target['key']:
    print(target)
with (Tuples() as t1, Tuples() as t2):
    print(t1 == t2)
with (Tuples()):
    print('parenthesised')


class Suppress:
    def __init__(self, *kinds):
        self.kinds = kinds

    def __enter__(self):
        pass

    def __exit__(self, kind, value, tb):
        return kind is not None and issubclass(kind, self.kinds)


with Suppress(ZeroDivisionError, KeyError) as nothing:
    print(nothing)
    1 / 0
    print('not reached')
print('after')


class Nest:
    depth = 0

    def __enter__(self):
        Nest.depth += 1
        return Nest.depth

    def __exit__(self, *a):
        Nest.depth -= 1


def recurse(n):
    with Nest() as d:
        return [d] + (recurse(n - 1) if n else [])


print(recurse(4), Nest.depth)
