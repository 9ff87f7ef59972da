# Exceptions raised inside operators, iteration, conversion, attribute look-up, formatting, comparison, import of names.
class Bomb(Exception):
    pass


class B:
    def _boom(self, *a):
        raise Bomb('boom')

    __add__ = __radd__ = __eq__ = __lt__ = __bool__ = __len__ = __iter__ = __getitem__ = __contains__ = _boom
    __repr__ = __str__ = __format__ = __call__ = __enter__ = __neg__ = __int__ = __index__ = __float__ = _boom
    __hash__ = _boom

    @property
    def p(self):
        raise Bomb('property')

    def __exit__(self, *a):
        pass


b = B()


def with_it():
    with b:
        pass


def unpack():
    x, y = b


def loop():
    for _ in b:
        pass


cases = {'add': lambda: b + 1, 'radd': lambda: 1 + b, 'eq': lambda: b == 1, 'lt': lambda: b < 1, 'gt': lambda: 1 > b,
         'bool': lambda: not b, 'if': lambda: 1 if b else 2, 'and': lambda: b and 1, 'len': lambda: len(b), 'list': lambda: list(b),
         'item': lambda: b[0], 'in': lambda: 1 in b, 'in list': lambda: b in [1], 'repr': lambda: repr(b), 'str': lambda: str(b),
         'f': lambda: f'{b}', 'fr': lambda: f'{b!r}', 'call': lambda: b(), 'neg': lambda: -b, 'int': lambda: int(b),
         'index': lambda: [1][b], 'float': lambda: float(b), 'dict': lambda: {b: 1}, 'set': lambda: {b}, 'p': lambda: b.p,
         'with': with_it, 'unpack': unpack, 'for': loop, 'star': lambda: [*b], 'sorted': lambda: sorted([b, b]),
         'max': lambda: max([b, b]), 'any': lambda: any([b]), 'map': lambda: list(map(b, [1])), 'sum': lambda: sum([b]),
         'join': lambda: ''.join(map(str, [b])), 'getattr': lambda: getattr(b, 'p', 'no'), 'hasattr': lambda: hasattr(b, 'p'),
         'range': lambda: range(b), 'mul': lambda: 'a' * b, 'percent': lambda: '%s' % b, 'comp': lambda: [x for x in b],
         'genexpr': lambda: list(1 for _ in b), 'min key': lambda: min([1], key=b), 'slice': lambda: [1][b:], 'print': lambda: print(b)}
survived = []
for name, case in cases.items():
    try:
        case()
        survived.append(name)
    except Bomb as e:
        if str(e) != 'boom':
            print(name, e)
print('survived', survived)


class HalfDone:
    def __init__(self):
        self.first = 1
        raise Bomb('init')


made = []
try:
    made.append(HalfDone())
except Bomb:
    print(made)
data = [1, 2, 3]
try:
    data[0], data[1], data[9] = 'a', 'b', 'c'
except IndexError as e:
    print(e, data)
x = 'before'
try:
    x = 1 / 0
except ZeroDivisionError:
    print(x)
try:
    class Broken:
        a = 1
        b = undefined_thing
except NameError as e:
    print(e)
print('Broken' in globals())
try:
    def default(a=1 / 0):
        pass
except ZeroDivisionError as e:
    print(e, 'default' in globals())


def generator_user():
    total = 0
    try:
        for v in (10 // d for d in (5, 2, 0, 1)):
            total += v
    except ZeroDivisionError:
        return total


print(generator_user())
try:
    [v for v in (1, 2, 'x', 4) if v > 1]
except TypeError as e:
    print(e)
try:
    {k: v for k, v in [(1, 2), (3,)]}
except ValueError as e:
    print(e)
try:
    {[]: 1}
except TypeError as e:
    print(e)
try:
    {**{'a': 1}, **[1]}
except TypeError as e:
    print(e)


class Ctx:
    def __enter__(self):
        return self

    def __exit__(self, t, v, tb):
        self.seen = (t.__name__ if t else None, str(v))
        return True


with Ctx() as c:
    [][5]
print(c.seen)


def finally_sees():
    try:
        raise KeyError('gone')
    finally:
        try:
            raise
        except KeyError as e:
            seen.append(e.args)


seen = []
try:
    finally_sees()
except KeyError as e:
    print(seen, e)


def context_chain():
    try:
        1 / 0
    except ZeroDivisionError:
        try:
            {}['k']
        except KeyError:
            raise TypeError('third')


try:
    context_chain()
except TypeError as e:
    chain = []
    while e:
        chain.append(repr(e))
        e = e.__context__
    print(chain)
