# Indexing and slicing of sequences, slice objects, assignment and deletion through them.
a = list(range(10))
print(a[2:5], a[:3], a[7:], a[::3], a[::-1], a[8:2:-2], a[-3:], a[:-7], a[5:2], a[100:], a[-100:2], a[:], a[1:1])
t, s = tuple(a), 'abcdefghij'
print(t[2:4], s[2:4], s[::-2], t[-1], s[-1], s[3:3] == '')
a[2:4] = ['x']
a[:0] = [-2, -1]
a[len(a):] = ['end']
print(a)
a[::4] = ['k'] * len(a[::4])
del a[1:4]
del a[-1]
del a[::5]
print(a)
for bad in (lambda: a.__setitem__(slice(0, 4, 2), [1]), lambda: a[100], lambda: a.__setitem__(100, 0), lambda: t[5:][9],
            lambda: s[20], lambda: a['x'], lambda: a[1.0], lambda: s[::0], lambda: a.__delitem__(99), lambda: {}[0],
            lambda: a.__setitem__(slice(1, 2), 5), lambda: range(5)[7], lambda: b'ab'[9]):
    try:
        bad()
    except (ValueError, IndexError, TypeError, KeyError) as e:
        print(type(e).__name__, e)
sl = slice(1, 10, 2)
print(sl, sl.start, sl.stop, sl.step, s[sl], sl.indices(5), slice(3), slice(None) == slice(None, None, None), sl == slice(1, 10, 2))


class Show:
    def __getitem__(self, key):
        return key

    def __setitem__(self, key, value):
        print('set', key, value)

    def __delitem__(self, key):
        print('del', key)


w = Show()
print(w[1], w[1:2], w[1, 2], w[:], w[::2, 1:], w[...], w[..., 0], w[None, :], w[(1, 2)], w[1,], w[[1, 2]], w['k'])
i = (1, 2)
print(w[*i], w[0, *i], w[*i, 3:4], w[-1], w[i:], w[lambda: 1] is not None)
w[1:2] = 3
w[1, ::2] = 4
w['a'] += ' appended' if False else 'b'
del w[5], w[1:, 2]
m = [[0] * 3 for _ in range(2)]
m[0][1] = m[1][2] = 7
m[1][0] += 5
m[-1][-1] *= 2
print(m)
shared = [[0] * 2] * 2
shared[0][0] = 1
print(shared)
d = {'l': [1, 2], ('t', 1): {'deep': (0, [9])}}
d['l'][0] += 10
d['l'] += [3]
d['t', 1]['deep'][1].append(8)
print(d)
try:
    d['t', 1]['deep'][1] += [7]
except TypeError as e:
    print(e, d['t', 1])
print('hello'[1:-1].upper()[::-1], [1, 2, 3][::-1][0], (1, 2, 3)[1:][0], {'a': [5]}['a'][0], 'abc'.split('b')[1])
x = [1, 2, 3]
x[0], x[2] = x[2], x[0]
print(x)
x[1:2] = x
print(x)
x.insert(1, 'i')
x.extend('ab')
print(x.pop(), x.pop(0), x, x.index('i'), x.count(2))
e = [1, 2, 3, 4, 5]
e[1:4] = range(2)
e[5:] = (8, 9)
e[:1] = iter('xy')
print(e)
