# Unpacking on the left and on the right.
a, b = 1, 2
a, b = b, a
print(a, b)
(c, d), [e, f] = (1, 2), [3, 4]
print(c, d, e, f)
first, *rest = range(5)
print(first, rest)
*init, last = 'abcd'
print(init, last)
x, *mid, y = [1, 2]
print(x, mid, y)
x, (y, *z), w = 1, [2, 3, 4], 5
print(x, y, z, w)
[g] = [7]
(h,) = {8}
print(g, h)
i = j = k = []
i.append(1)
print(j, k is i)
d = {}
d['a'], d['b'] = 1, 2
print(d)


class O:
    pass


o = O()
o.x, o.y = 'xy'
print(o.x, o.y)
l = [0, 0, 0]
n = 0
n, l[n] = 1, 'set'
print(n, l)
l[0], l[1], *l[2:] = 9, 8, 7, 6
print(l)
for p, (q, *r) in [(1, (2, 3)), (4, (5,))]:
    print(p, q, r)
print([*range(3), *'ab'], (*[1], 2), {*[1, 2], 2}, {**{'a': 1}, 'b': 2, **{'a': 3}})
print(*[1, 2], *(3,), sep='-')
t = 1,
print(t, *t)
swap = {'k': 1, 'v': 2}
swap['k'], swap['v'] = swap['v'], swap['k']
print(swap)


def attempt(action):
    try:
        action()
    except (TypeError, ValueError) as err:
        print(type(err).__name__, err)


def u1(): a, b = 1
def u2(): a, b = 1, 2, 3
def u3(): a, b, c = 1, 2
def u4(): a, *b, c = [1]
def u5(): a, b = 'x'
def u6(): (a, b), c = 1, 2
def u7(): a, b = {1: 2}
def u8(): a, b = iter([1, 2, 3])
def u9(): *a, = 5
def u10(): a, b = None
def u11(): [*None]
def u12(): {**5}
def u13(): print(*5)
for action in (u1, u2, u3, u4, u5, u6, u7, u8, u9, u10, u11, u12, u13):
    attempt(action)
*a, = 'xyz'
print(a)
a, b, *c = (v * 2 for v in range(4))
print(a, b, c)
(a), ((b)) = 1, 2
print(a, b)
m = [[1, 2], [3, 4]]
(m[0][0], m[1][1]), q = (10, 40), 'q'
print(m, q)


def returns():
    return 1, *[2, 3]


print(returns(), [x for x, *_ in [(1, 2, 3), (4,)]])
it = iter(range(10))
a, b = next(it), next(it)
c, *d = it
print(a, b, c, d)
