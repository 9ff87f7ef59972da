# * and ** everywhere: calls, displays, targets, indexes, definitions, returns.
def f(*args, **kwargs):
    return args, kwargs


a, d = [1, 2], {'x': 1}
print(f(*a), f(*a, 3, *a), f(**d), f(**d, y=2), f(*a, **d, **{'z': 3}), f(*'ab', *range(2)), f(*(i for i in a)), f(*d, **{}))
print([*a, 0, *a], (*a, *'x'), {*a, *'12', 2} == {1, 2, '1', '2'}, {**d, 'x': 9}, {'x': 0, **d}, [*d], [*d.items()], [*[]], (*(),))
first, *middle, last = [*range(6)]
(h, *t), *rest = [[1, 2, 3], 4, 5]
print(first, middle, last, h, t, rest)
*a1, b1 = a1_b1 = 'xyz'
print(a1, b1, a1_b1)
for x, *ys in ((1, 2, 3), 'ab', [9]):
    print(x, ys)


def gather(a, *rest, k=0, **more):
    return a, rest, k, more


print(gather(1), gather(1, 2, 3), gather(1, 2, k=3), gather(*'abc', **{'k': 5, 'm': 6}), gather(1, *[], **{}))


def only(*, a, b=2):
    return a, b


def both(p, /, q, *, r):
    return p, q, r


print(only(a=1), only(**{'a': 5, 'b': 6}), both(1, 2, r=3), both(1, q=2, r=3), both(*[1, 2], **{'r': 3}))


def forward(*args, **kwargs):
    return gather(*args, **kwargs)


print(forward(1, 2, k=3, z=4))


def partial_args(g, *args, **kw):
    return lambda *more, **kw2: g(*args, *more, **{**kw, **kw2})


print(partial_args(gather, 1, k=2)(3, k=9, n=1))


def swap(a, b):
    return b, a


print(swap(*swap(1, 2)), max(*[3, 1], 2), print(*[1, 2], *'ab', sep='-'), list(zip(*[[1, 2], [3, 4]])), [*map(sum, zip(*[(1, 2), (3, 4)]))])


class C:
    def __init__(self, *args, **kwargs):
        self.args, self.kwargs = args, kwargs

    def __iter__(self):
        return iter(self.args)

    def keys(self):
        return self.kwargs.keys()

    def __getitem__(self, k):
        return k if isinstance(k, tuple) else self.kwargs[k]


c = C(1, 2, k=3)
print([*c], f(*c, **c), {**c}, c[*c], c[0, *c.args], C(*c, **c).kwargs, dict(**c))


def returns():
    return *a, 3


def yields_tuple(x):
    return 0, *x


print(returns(), yields_tuple('ab'), (lambda *a, **k: (a, k))(1, b=2), (lambda a, *, b: (a, b))(1, b=2), (lambda *, k=1: k)())
args = [1]
kw = {'k': [2]}


def mutate(*args, **kwargs):
    kwargs['k'].append(3)
    kwargs['new'] = 1
    return args + (9,)


print(mutate(*args, **kw), args, kw)
x = *'ab', 'c'
print(x, [*x][::-1], {*x} == {'a', 'b', 'c'}, {i: v for i, v in enumerate((*x, 'd'))})
i = 0
i, *lst = i + 1, *[i] * 3
print(i, lst)
m = [[1, 2], [3, 4]]
print([*zip(*m)], [v for row in m for v in row], [*m[0], *m[1]], {**{k: v for k, v in zip('ab', m)}, 'c': [*m]})
try:
    f(**{'a': 1}, a=2)
except TypeError as e:
    print(e)
try:
    gather(k=1, *[])
except TypeError as e:
    print(e)
try:
    only(1, a=2)
except TypeError as e:
    print(e)
