# Classes derived from int, float, str, tuple, list, dict, set.
class Meters(int):
    unit = 'm'

    def __new__(cls, value, note=''):
        self = super().__new__(cls, value)
        self.note = note
        return self

    def __add__(self, other):
        return Meters(int(self) + int(other), 'sum')

    def __repr__(self):
        return f'{int(self)}{self.unit}'


m = Meters(5, 'five')
print(m, m.note, m + 3, (m + 3).note, 3 + m, m * 2, type(m * 2).__name__, m == 5, m < 6)
print(isinstance(m, int), [10, 20, 30, 40, 50, 60][m], range(m), f'{m:03d}', str(m), hash(m) == hash(5))
print(int(m), -m, abs(m), m // 2, divmod(m, 3), bool(Meters(0)), {5: 'x'}[m])


class Text(str):
    def shout(self):
        return Text(self.upper() + '!')

    def __add__(self, other):
        return 'added ' + str.__add__(self, other)


t = Text('hey')
print(t, t.shout(), t.shout().shout(), t + 'x', t[1], len(t), t == 'hey', {'hey': 1}[t], repr(t))
print(t.upper(), type(t.upper()).__name__, 'e' in t, '-'.join([t, t]), f'{t:>5}', t.replace('h', 'H'))


class Pair(tuple):
    def __new__(cls, a, b):
        return super().__new__(cls, (a, b))

    @property
    def first(self):
        return self[0]

    def swapped(self):
        return Pair(self[1], self[0])


p = Pair(1, 2)
print(p, p.first, p.swapped(), len(p), p + (3,), p == (1, 2), hash(p) == hash((1, 2)), 2 in p)
a, b = p
print(a, b, [*p], sorted(Pair(2, 1)), isinstance(p, tuple), p[0:1])


class Stack(list):
    def push(self, x):
        self.append(x)
        return self

    def __getitem__(self, i):
        if i == 'top':
            return list.__getitem__(self, -1)
        return super().__getitem__(i)


s = Stack([1, 2])
print(s.push(3), s['top'], s[0], len(s), s == [1, 2, 3], s.pop(), s, bool(Stack()))
s.extra = 'attr'
s[0] = 9
s += [7]
print(s, s.extra, type(s).__name__, [x for x in s], 7 in s, s.index(7))


class Default(dict):
    def __missing__(self, key):
        self[key] = value = key * 2
        return value


d = Default(a=1)
print(d['a'], d['b'], d, len(d), 'b' in d, d.get('zz'), sorted(d.items()))


class Upper(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k.upper(), v)

    def __init__(self, *args, **kwargs):
        super().__init__()
        for k, v in dict(*args, **kwargs).items():
            self[k] = v


u = Upper({'a': 1}, b=2)
u['c'] = 3
print(u, {**u}, dict(u) == u, isinstance(u, dict))


class Bag(set):
    def add(self, x):
        super().add(x * 10)


g = Bag([1])
g.add(2)
print(sorted(g), 20 in g, len(g | {5}))


class F(float):
    def __str__(self):
        return f'<{float(self)}>'


f = F(1.5)
print(str(f), f + 1, f * 2, f'{f:.2f}', f > 1, F('2.5') == 2.5, int(f))


class Weird(int):
    def __init__(self, *args):
        self.args = args


print(Weird(3).args, Weird(7) + 1)
print(Meters.__mro__, Stack.__mro__[1:])


class Celsius(float):
    def __new__(cls, x):
        return float.__new__(cls, x)


print(Celsius(3) + Celsius(4), max(Celsius(3), Celsius(1)))
print(sum([Meters(1), Meters(2)]), [Meters(2), Meters(1)] == [2, 1], sorted([Meters(2), Meters(1)]))
