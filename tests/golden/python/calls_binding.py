# Binding of arguments, and the TypeErrors when it fails.
def f0(): return ()
def f1(a): return a
def f2(a, b=2): return a, b
def va(a, *rest): return a, rest
def kw(a, *, k, d=4): return a, k, d
def all_(p, /, a, b=3, *rest, k=5, **more): return p, a, b, rest, k, more
def pos(a, b=2, /): return a, b
def posk(a, /, **k): return a, k


print(f0(), f1(1), f1(a=1), f2(1), f2(1, 3), f2(b=5, a=4), va(1), va(1, 2, 3), kw(1, k=2), kw(k=1, a=0, d=9))
print(all_(1, 2), all_(1, 2, 3, 4, 5, k=6, z=7), all_(1, b=2, a=3), all_(1, 2, p=5), pos(1), pos(3, 4), posk(1, a=2))
args, kwargs = [1, 2], {'k': 8, 'x': 9}
print(all_(*args, **kwargs), all_(*args, *args, **kwargs, y=1), all_(0, *args), va(*'abc'), va(*range(3), 9))
print(f2(*[1], **{'b': 7}), kw(*(1,), **{'k': 2}), all_(*{1: 'a', 2: 'b'}))

bad = [
    'f0(1)', 'f0(1, 2)', 'f0(x=1)', 'f1()', 'f1(1, 2)', 'f1(b=1)', 'f1(1, a=1)', 'f2()', 'f2(1, 2, 3)',
    'f2(1, 2, 3, 4)', 'f2(1, c=3)', 'va()', 'kw(1)', 'kw(1, 2, k=3)', 'kw(1, 2)', 'kw()', 'kw(1, k=1, z=2)',
    'all_()', 'all_(1)', 'pos()', 'pos(a=1)', 'pos(1, b=2)', 'pos(1, 2, 3)', 'posk(a=1)',
    'f1(*5)', 'f1(**5)', 'f1(**{1: 2})', 'f1(a=1, **{"a": 2})', 'f1(*[1, 2])', 'all_(1, 2, a=3)',
]


def run(text):
    tests = {
        'f0(1)': lambda: f0(1), 'f0(1, 2)': lambda: f0(1, 2), 'f0(x=1)': lambda: f0(x=1), 'f1()': lambda: f1(),
        'f1(1, 2)': lambda: f1(1, 2), 'f1(b=1)': lambda: f1(b=1), 'f1(1, a=1)': lambda: f1(1, a=1),
        'f2()': lambda: f2(), 'f2(1, 2, 3)': lambda: f2(1, 2, 3), 'f2(1, 2, 3, 4)': lambda: f2(1, 2, 3, 4),
        'f2(1, c=3)': lambda: f2(1, c=3), 'va()': lambda: va(), 'kw(1)': lambda: kw(1),
        'kw(1, 2, k=3)': lambda: kw(1, 2, k=3), 'kw(1, 2)': lambda: kw(1, 2), 'kw()': lambda: kw(),
        'kw(1, k=1, z=2)': lambda: kw(1, k=1, z=2), 'all_()': lambda: all_(), 'all_(1)': lambda: all_(1),
        'pos()': lambda: pos(), 'pos(a=1)': lambda: pos(a=1), 'pos(1, b=2)': lambda: pos(1, b=2),
        'pos(1, 2, 3)': lambda: pos(1, 2, 3), 'posk(a=1)': lambda: posk(a=1), 'f1(*5)': lambda: f1(*5),
        'f1(**5)': lambda: f1(**5), 'f1(**{1: 2})': lambda: f1(**{1: 2}),
        'f1(a=1, **{"a": 2})': lambda: f1(a=1, **{"a": 2}), 'f1(*[1, 2])': lambda: f1(*[1, 2]),
        'all_(1, 2, a=3)': lambda: all_(1, 2, a=3),
    }
    try:
        return tests[text]()
    except TypeError as e:
        return str(e).replace('__main__.', '')


for text in bad:
    print(text, '->', run(text))


def three(a, b, c): pass
def many(a, b, c, d, *, x, y, z): pass


for call in (lambda: three(), lambda: three(1), lambda: many(1, 2), lambda: many(1, 2, 3, 4),
             lambda: many(1, 2, 3, 4, x=1), lambda: many(1, 2, 3, 4, 5, x=1)):
    try:
        call()
    except TypeError as e:
        print(e)


class C:
    def m(self, a):
        return a

    @classmethod
    def c(cls, a):
        return a

    @staticmethod
    def s(a):
        return a

    def __call__(self, x):
        return x


for call in (lambda: C().m(), lambda: C().m(1, 2), lambda: C.m(), lambda: C.c(), lambda: C.s(), lambda: C().s(1, 2),
             lambda: C()(), lambda: C().c(1, 2)):
    try:
        call()
    except TypeError as e:
        print(e)
for value in (5, 'text', None, [], C.m):
    try:
        value()
    except TypeError as e:
        print(e)
order = []


def note(x):
    order.append(x)
    return x


all_(note(1), *[note(2)], b=note(3), k=note(4), **{'z': note(5)})
print(order)


def defaults(a, b=order, *, c=len(order)):
    return b is order, c


order.append('more')
print(defaults(1))
print(len.__name__, f2.__defaults__, kw.__kwdefaults__, all_.__name__, C.m.__qualname__)
print(max(3, 1, 2), max([1, 5, 2]), min('b', 'a'), sum([1, 2], 10), sorted([3, 1, 2], reverse=True))
def only(*, k=1):
    pass


for call in (lambda: len(), lambda: len(1, 2), lambda: isinstance(1), lambda: [].append(), lambda: [].append(1, 2),
             lambda: len(x=1),
             lambda: only(1), lambda: only(1, k=2), lambda: only(1, 2, k=2)):
    try:
        call()
    except TypeError as e:
        print(e)
