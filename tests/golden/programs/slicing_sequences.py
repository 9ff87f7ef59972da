# Slices of lists, tuples, strings, ranges, bytes: reading, assigning, deleting, steps, own __getitem__.
s = list(range(10))
print(s[2:5], s[::-1], s[-3:], s[:-7:-2], s[5:2], s[100:], s[-100:2], s[::3], tuple(s)[1::4], "abcdef"[::-2], range(10)[2:8:3], range(10)[::-1], b"abc"[1:])
s[2:4] = "xyz"
s[::5] = [0, 0, 0]
del s[1:3]
s[1:1] = [7, 7]
print(s, len(s))
for bad in (lambda: s.__setitem__(slice(None, None, 2), [1]), lambda: s[::0], lambda: s["a":], lambda: s[1.0], lambda: (1, 2)[5], lambda: "abc"[10], lambda: range(3)[3], lambda: s.__setitem__(slice(0, 1), 5), lambda: s.__delitem__(99)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
class Grid:
    def __getitem__(self, key):
        return key
g = Grid()
print(g[1], g[1:2], g[:, 0], g[..., None], g[1:2, ::3], g[()], g["a", "b"])
print(slice(1, 10, 2).indices(5), slice(None).indices(3), slice(-1, None, -1).indices(4), slice(1, 2) == slice(1, 2), repr(slice(3)), slice(1, 2, 3).stop)
a = [1, 2, 3]
b = a[:]
b.append(4)
a += [9]
a *= 2
print(a, b, a.index(9), a.count(9), [1] < [1, 0], [2] > [1, 9], [[]] * 2, ([0] * 2)[1:], a is a[:], max(a[1:4]), sum(a[::2]))
