# A vector with every operator, slots, iteration, format and hash.
import math


class Vec:
    __slots__ = ("x", "y")
    __match_args__ = ("x", "y")

    def __init__(self, x, y):
        self.x, self.y = x, y

    def __iter__(self):
        yield self.x
        yield self.y

    def __add__(self, o):
        if not isinstance(o, Vec):
            return NotImplemented
        return Vec(self.x + o.x, self.y + o.y)

    def __radd__(self, o):
        return self if o == 0 else NotImplemented

    def __sub__(self, o):
        return self + -o

    def __neg__(self):
        return Vec(-self.x, -self.y)

    def __pos__(self):
        return self

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __matmul__(self, o):
        return self.x * o.x + self.y * o.y

    def __truediv__(self, k):
        return Vec(self.x / k, self.y / k)

    def __divmod__(self, k):
        return Vec(self.x // k, self.y // k), Vec(self.x % k, self.y % k)

    def __abs__(self):
        return math.hypot(*self)

    def __bool__(self):
        return bool(self.x or self.y)

    def __eq__(self, o):
        return tuple(self) == tuple(o)

    def __hash__(self):
        return hash(tuple(self))

    def __getitem__(self, i):
        return tuple(self)[i]

    def __len__(self):
        return 2

    def __contains__(self, v):
        return v in tuple(self)

    def __repr__(self):
        return "Vec({0.x!r}, {0.y!r})".format(self)

    def __format__(self, spec):
        return "<" + ", ".join(format(v, spec) for v in self) + ">"

    def __round__(self, n=None):
        return Vec(round(self.x, n), round(self.y, n))

    def __complex__(self):
        return complex(self.x, self.y)


a, b = Vec(3, 4), Vec(1.5, -2.25)
print(a + b, a - b, -a, +a, 2 * a, a * 2, a @ b, a / 2, divmod(a, 2))
print(abs(a), bool(Vec(0, 0)), a == (3, 4), hash(a) == hash((3, 4)), a[0], a[-1], a[::-1], len(a), 4 in a)
print(f"{b:.1f} {b:>8}|{b!r}", round(b), round(b, 1), sum([a, b, a]), complex(a))
match a:
    case Vec(x, y) if x > y:
        print("right", x, y)
    case Vec(x=3, y=v):
        print("three", v)
for bad in (lambda: a + 1, lambda: 1 + a, lambda: a @ 3, lambda: setattr(a, "z", 1), lambda: a[2], lambda: a < b, lambda: float(a), lambda: a ** 2):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
