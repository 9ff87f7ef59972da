# Arrays that local variables have: who else has got them keeps them, whatever the variable gets next.
import contextlib

import numpy as np

N = 50_000
kept = []


def made(i):
    return np.full(N, float(i))


def check(*arrays):
    more = [np.full(N, -1.0) for _ in range(3)]  # in the place of what was given back too soon
    print(*[(float(a[0]), float(a.sum())) for a in arrays], len(more))


def rebound():
    x = made(1) + 1
    y = x
    x = x * 2
    z = [x]
    x = x + x
    view = x[1:]
    x = x - 1
    check(y, x, z[0], view)


def in_one_expression():
    x = made(2) + 0
    both = x + (y := x)
    x = made(9) + 0
    check(both, y)
    x = made(3) + 0
    total = x + (lambda: kept.append(x) or x)()
    x = made(9) + 0
    check(total, kept[-1])
    x = made(4) + 0
    total = x + sum([x for _ in range(2)])
    x = made(9) + 0
    check(total)


def returned():
    x = made(5) * 1
    return x


def returned_and_kept():
    x = made(6) * 1
    kept.append(x)
    return x


def returned_and_kept_at_last():
    x = made(7) * 1
    try:
        return x
    finally:
        kept.append(x)


def returned_and_read():
    x = made(8) * 1
    read = lambda: x
    kept.append(read)
    return x


@contextlib.contextmanager
def around():
    yield


def returned_within():
    x = made(9) * 1
    with around():
        return x


def of_argument(x):
    y = x
    x = x + 1
    return y


def is_argument(x):
    return x


def by_methods():
    x = made(10) + 0
    same = x.astype(np.float64, copy=False)
    rows = x.reshape(-1, 10)
    turned = rows.T
    copied = x.copy()
    x = x + 1
    x += 1
    other = x
    x += 1
    x = x * 0
    check(same, rows.ravel(), turned.ravel(), copied, other)


def by_out():
    x = made(11) + 0
    y = np.add(x, 1, out=x)
    x = made(0) + 0
    check(y)


def yielded():
    x = made(12) + 0
    got = x + (yield x)
    yield got
    x = got
    got = got * 2
    yield x


def named():
    x = made(13) + 0
    have = locals()
    x = x + 1
    check(have["x"], x)
    try:
        y = x * 2
        raise ValueError(y)
    except ValueError as error:
        x = y = made(0) + 0
        check(error.args[0])
    for x in (made(14) + 0, made(15) + 0):
        kept.append(x)
    del x
    check(kept[-1], kept[-2])


def bound_again_within():
    x = made(21) + 0
    y = x
    x += (x := made(30) + 0) * 0 + 1
    check(x, y)


def deleted():
    x = made(16) + 0
    y = x
    del x
    check(y)


def of_sets():
    s = {1, 2} | {3}
    t = s
    s = s | {4}
    s |= {5}
    u = s
    s = s & {1}
    print(sorted(t), sorted(s), sorted(u))


rebound()
in_one_expression()
for f in (returned, returned_and_kept, returned_and_kept_at_last, returned_and_read, returned_within):
    f()
    check(f(), *[k for k in kept if not callable(k)])
check(kept[3]() if callable(kept[3]) else kept[3], *[k() for k in kept if callable(k)])
a = made(20)
check(of_argument(made(17) + 0), of_argument(a), is_argument(made(18) + 0), is_argument(a), a)
by_methods()
by_out()
steps = yielded()
first = next(steps)
second = steps.send(1)
check(first, second, next(steps))
named()
bound_again_within()
deleted()
of_sets()
