# Binary operators: left, reflected, subclass priority, NotImplemented, in place.
class L:
    def __init__(self, name):
        self.name = name

    def __add__(self, other):
        return f'{self.name}.add'

    def __sub__(self, other):
        return NotImplemented


class R:
    def __radd__(self, other):
        return 'R.radd'

    def __rsub__(self, other):
        return 'R.rsub'

    def __rmul__(self, other):
        return 'R.rmul'


print(L('l') + R(), L('l') - R(), 3 * R(), [1] + R(), 'x' - R())


class Base:
    def __add__(self, other):
        return 'Base.add'

    def __radd__(self, other):
        return 'Base.radd'


class Derived(Base):
    def __radd__(self, other):
        return 'Derived.radd'


class Plain(Base):
    pass


print(Base() + Derived(), Base() + Plain(), Derived() + Base(), Plain() + Base())
print(1 + Base(), Base() + 1)

try:
    L('l') - L('m')
except TypeError as e:
    print(e)
try:
    L('l') * 2
except TypeError as e:
    print(e)
try:
    object() @ object()
except TypeError as e:
    print(e)
try:
    2 ** object()
except TypeError as e:
    print(e)
try:
    -object()
except TypeError as e:
    print(e)
try:
    ~1.5
except TypeError as e:
    print(e)


class V:
    def __init__(self, *c):
        self.c = c

    def __repr__(self):
        return f'V{self.c}'

    def __add__(self, o):
        return V(*(a + b for a, b in zip(self.c, o.c)))

    def __mul__(self, k):
        return V(*(a * k for a in self.c)) if isinstance(k, (int, float)) else NotImplemented

    __rmul__ = __mul__

    def __matmul__(self, o):
        return sum(a * b for a, b in zip(self.c, o.c))

    def __neg__(self):
        return V(*(-a for a in self.c))

    def __pos__(self):
        return self

    def __invert__(self):
        return V(*reversed(self.c))

    def __abs__(self):
        return sum(abs(a) for a in self.c)

    def __truediv__(self, k):
        return V(*(a / k for a in self.c))

    def __floordiv__(self, k):
        return V(*(a // k for a in self.c))

    def __mod__(self, k):
        return V(*(a % k for a in self.c))

    def __pow__(self, k):
        return V(*(a ** k for a in self.c))

    def __divmod__(self, k):
        return (self // k, self % k)

    def __lshift__(self, k):
        return ('lshift', k)

    def __rshift__(self, k):
        return ('rshift', k)

    def __and__(self, k):
        return ('and', k)

    def __or__(self, k):
        return ('or', k)

    def __xor__(self, k):
        return ('xor', k)


v, w = V(1, 2), V(3, 4)
print(v + w, v * 3, 3 * v, v @ w, -v, +v is v, ~v, abs(-v))
print(w / 2, w // 2, w % 2, w ** 2, divmod(w, 2))
print(v << 1, v >> 2, v & 3, v | 4, v ^ 5)
try:
    v * 'a'
except TypeError as e:
    print(e)


class Acc:
    def __init__(self):
        self.items = []

    def __iadd__(self, x):
        self.items.append(x)
        return self

    def __imul__(self, x):
        return 'replaced'


a = b = Acc()
a += 1
a += 2
print(a is b, a.items)
a *= 3
print(a)
v += w
print(v)
n = 5
n -= 2; n *= 4; n //= 3; n **= 2; n %= 9; n <<= 3; n >>= 1; n |= 3; n &= 30; n ^= 5
print(n)
n /= 2
print(n)
l = m = [1]
l += (2, 3)
print(m)
l = l + [4]
print(m, l)
try:
    l += 3
except TypeError as e:
    print(e)
try:
    x = 1
    x += 'a'
except TypeError as e:
    print(e)
try:
    'a' + 1
except TypeError as e:
    print(e)
try:
    [1] + (2,)
except TypeError as e:
    print(e)
try:
    [1] * 1.5
except TypeError as e:
    print(e)
try:
    1 + 'a'
except TypeError as e:
    print(e)
print('ab' * 2, 2 * [0], (1,) * 3, [0] * -1)
