# Recursion: its limit, what is caught, deep data, mutual recursion through dunders.
import sys


def down(n):
    return 0 if n == 0 else 1 + down(n - 1)


print(down(400))


def forever():
    return forever()


try:
    forever()
except RecursionError as e:
    print(type(e).__name__, isinstance(e, RuntimeError))


class Loop:
    def __getattr__(self, name):
        return getattr(self, name + 'x')


try:
    Loop().a
except RecursionError:
    print('getattr')


class Eq:
    def __eq__(self, o):
        return o == self


try:
    Eq() == Eq()
except RecursionError:
    print('eq')


class Repr:
    def __repr__(self):
        return f'{self!r}'


try:
    repr(Repr())
except RecursionError:
    print('repr')
depth = 0


def count():
    global depth
    depth += 1
    count()


try:
    count()
except RecursionError:
    print(depth > 300)
old = sys.getrecursionlimit()
sys.setrecursionlimit(3000)
print(down(2500))
sys.setrecursionlimit(old)
try:
    down(2500)
except RecursionError:
    print('limited again')


def ackermann(m, n):
    return n + 1 if m == 0 else ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


print(ackermann(2, 3))
nested = []
for _ in range(200):
    nested = [nested]


def depth_of(x):
    return 1 + depth_of(x[0]) if x else 1


print(depth_of(nested), str(nested) == '[' * 201 + ']' * 201)


def catch_and_go(n):
    try:
        return catch_and_go(n + 1)
    except RecursionError:
        return n > 100


print(catch_and_go(0))


def flatten(x):
    return [z for y in x for z in flatten(y)] if isinstance(x, list) else [x]


print(flatten([1, [2, [3, [4]], 5]]))
even = lambda n: n == 0 or odd(n - 1)
odd = lambda n: n != 0 and even(n - 1)
print(even(200), odd(201))
