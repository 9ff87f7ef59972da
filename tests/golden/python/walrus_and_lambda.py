# Walrus in all places, lambdas with defaults and closures, conditional expressions, immediate calls.
if (n := 10) > 5 and (m := n * 2) > 15:
    print(n, m)
print([y for x in range(5) if (y := x * 2) > 3], y)
print((a := 1, b := a + 1), a, b, (c := [1, 2])[0], len(d := 'text'), d)


def f(x, y=(z := 5)):
    return x + y + (w := 1) + w


print(f(1), z)
data = iter([3, 2, 1, 0, 9])
while (v := next(data)):
    print(v, end=' ')
print('left', list(data))
print(f'{(q := 7)} {q + 1}', q)
print([(t := t2) for t2 in 'ab'], t, {(k := 'key'): (val := 1)}, k, val)
print(any((hit := s).startswith('b') for s in ['a', 'bc', 'bd']), hit)


def uses_global():
    global made
    return (made := 3) + made


print(uses_global(), made)


def nested():
    total = 0
    [total := total + i for i in range(4)]
    return total, [[last := (i, j) for j in range(2)] for i in range(2)], last


print(nested())
add = lambda x, y=10, *args, k=1, **kw: x + y + sum(args) + k + sum(kw.values())
print(add(1), add(1, 2), add(1, 2, 3), add(1, 2, 3, k=4, z=5), (lambda: 42)(), (lambda x: lambda y: (x, y))(1)(2))
ops = {'+': lambda a, b: a + b, 'neg': lambda a: -a, 'const': lambda: 'c', 'cond': lambda a: 'pos' if a > 0 else 'neg' if a < 0 else 'zero'}
print(ops['+'](1, 2), ops['neg'](5), ops['const'](), [ops['cond'](v) for v in (1, -1, 0)])
fs = [(lambda i: lambda: i)(i) for i in range(3)]
print([g() for g in fs], sorted([3, -1, 2], key=lambda v: v * v), list(map(lambda p: p[0], {'a': 1}.items())))
Y = lambda g: (lambda h: h(h))(lambda h: g(lambda *a: h(h)(*a)))
print(Y(lambda self: lambda n: 1 if n == 0 else n * self(n - 1))(6))
compose = lambda *fs: lambda x: x if not fs else compose(*fs[1:])(fs[0](x))
print(compose(str, len, float)(12345), compose()(3))
print(1 if True else 2 if False else 3, (1 if 0 else 2) + 1, [x if x % 2 else -x for x in range(4)], 'a' if [] else 'b' if {} else 'c')
print((lambda x, /, y, *, z: (x, y, z))(1, y=2, z=3), (lambda *a: a)(*'ab'), (lambda **k: k)(a=1))
print(not (lambda: 0)(), (lambda: (yes := True) and yes)(), [*(lambda: 'ab')()], (lambda a, b: a if b else b)(1, 0))


class K:
    f = lambda self, x: (self.__class__.__name__, x)
    g = staticmethod(lambda x: x * 2)
    h = property(lambda self: 'h')
    table = {n: (lambda self, n=n: n) for n in 'ab'}


print(K().f(1), K.g(4), K().h, K.table['a'](None), K.f(K(), 2))
counter = (lambda n=[0]: (n.__setitem__(0, n[0] + 1), n[0])[1])
print(counter(), counter(), counter())
x = 5
print((lambda: x)(), (lambda x: x)(6), (lambda x=x: x)(), x)
