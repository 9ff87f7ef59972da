# Ranges whose bounds 64 bits do not hold.
import itertools


def shown(f):
    try:
        print(f())
    except (TypeError, ValueError, IndexError, OverflowError, AttributeError) as error:
        print(type(error).__name__, error)


big = 2 ** 70
r = range(big)
shown(lambda: r)
shown(lambda: len(r))
shown(lambda: len(range(big, big + 5)))
shown(lambda: (r[0], r[-1], r[2 ** 69], range(0, big, 2 ** 68)[-1]))
shown(lambda: r[big])
shown(lambda: r["a"])
shown(lambda: list(range(big, big + 3)))
shown(lambda: list(range(big, big - 9, -4)))
shown(lambda: list(range(2 ** 63 - 2, 2 ** 63 + 2)))
shown(lambda: list(range(-big, -big + 2)))
shown(lambda: (2 ** 69 in r, big in r, -1 in r, 3 in range(0, big, 2), 4.0 in range(big), big - 3 in range(big, 0, -3)))
shown(lambda: list(itertools.islice(r, 3)))
shown(lambda: list(itertools.islice(reversed(r), 2)))
shown(lambda: (r[5:], r[:-5], r[::2], r[10:2:-3], r[::-1], r[-3:]))
shown(lambda: r[::0])
shown(lambda: (bool(r), bool(range(big, 0)), list(range(big, 0))))
shown(lambda: (r == range(big), r != range(big + 1), range(0, big, big) == range(0, 1), range(big, big) == range(0), r == 3, hash(r) == hash(range(0, big, 1))))
shown(lambda: (r.index(2 ** 65), r.count(2 ** 65), r.count(-1), range(0, big, 3).index(9)))
shown(lambda: r.index(-1))
shown(lambda: range(0, big, 0))
shown(lambda: range(big, 2.0))
shown(lambda: (r.start, r.stop, r.step, range(1, big, big).step))
shown(lambda: isinstance(r, range))
shown(lambda: (big.__index__(), (-big).__index__(), (7).__index__()))
shown(lambda: [i - big for i, _ in zip(range(big, big + 100, 7), range(3))])
for i in range(big, big + 2):
    print(i)
shown(lambda: dict(zip("ab", range(big, big + 2))))
