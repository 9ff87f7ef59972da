# __int__, __float__, __index__, __round__, __divmod__, __bool__ and who asks for them.
import math


class I:
    def __index__(self):
        return 3


class N:
    def __int__(self):
        return 7

    def __float__(self):
        return 7.5


class Trunc:
    def __trunc__(self):
        return 4

    def __round__(self, n=None):
        return ('round', n)

    def __floor__(self):
        return 'floor'

    def __ceil__(self):
        return 'ceil'


print(int(I()), int(N()), float(N()), float(I()), [1, 2, 3, 4][I()], 'abcd'[:I()], range(I()), [0] * I())
print(round(Trunc()), round(Trunc(), 2), math.floor(Trunc()), math.ceil(Trunc()))
print(hex(I()), bin(I()), chr(97 + I().__index__()), (10).__pow__(2), divmod(7, 2), divmod(-7.5, 2))


class Bad:
    def __index__(self):
        return 'x'

    def __int__(self):
        return 'x'

    def __float__(self):
        return 1


for call in (lambda: [1][Bad()], lambda: int(Bad()), lambda: float(Bad()), lambda: range('a'), lambda: [1]['a'],
             lambda: int([]), lambda: float({}), lambda: 'abc'[1.0], lambda: [1, 2][None], lambda: round('x')):
    try:
        print(call())
    except TypeError as e:
        print(e)


class M:
    def __init__(self, v):
        self.v = v

    def __divmod__(self, o):
        return ('divmod', self.v, o)

    def __rdivmod__(self, o):
        return ('rdivmod', self.v, o)

    def __rpow__(self, o):
        return ('rpow', o)

    def __pow__(self, o, m=None):
        return ('pow', o, m)

    def __rfloordiv__(self, o):
        return ('rfloordiv', o)

    def __rmod__(self, o):
        return ('rmod', o)

    def __rlshift__(self, o):
        return ('rlshift', o)

    def __ror__(self, o):
        return ('ror', o)

    def __rand__(self, o):
        return ('rand', o)

    def __rxor__(self, o):
        return ('rxor', o)

    def __rmatmul__(self, o):
        return ('rmatmul', o)

    def __rtruediv__(self, o):
        return ('rtruediv', o)

    def __rrshift__(self, o):
        return ('rrshift', o)


m = M(1)
print(divmod(m, 2), divmod(3, m), 2 ** m, m ** 3, pow(m, 3, 5), 5 // m, 5 % m, 5 << m, 5 >> m)
print(5 | m, 5 & m, 5 ^ m, 5 @ m, 5 / m, 'fmt' @ m, [1] | m)
print(-7 // 2, -7 % 2, 7 // -2, 7 % -2, -7.5 // 2, -7.5 % 2, 7.5 % -2, 2 ** -1, (-2) ** 3, 0 ** 0, 2 ** 0.5)
print(True + True, True * 3, -True, ~False, True & False, True | 1, True ^ True, 5 - True, True / 2, 10 ** True)
print(2 ** 100, 3 ** 50 // 7 ** 20, (2 ** 64) % 1000, -(2 ** 63), 2 ** 63 - 1 + 1, 1 << 70, (1 << 70) >> 68, ~(2 ** 65))
print(9223372036854775807 + 1, -9223372036854775808 - 1, 9223372036854775807 * 2, -9223372036854775808 // -1)
print(1e308 * 10, -1e308 * 10, 1e16 + 1, 0.1 + 0.2, 1 / 3, 5e-324, 1e22, 1e21, 123456789.123456789, 100.0, 1e5, 1e-5)
for call in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: 1.0 / 0, lambda: 1.0 // 0, lambda: 1.0 % 0,
             lambda: 0 ** -1, lambda: 1 << -1, lambda: 1 >> -1, lambda: divmod(1, 0), lambda: 10.0 ** 400, lambda: int('1_0x')):
    try:
        print(call())
    except (ArithmeticError, ValueError) as e:
        print(type(e).__name__, e)
print(0x1F, 0b101, 0o17, 1_000, 1e3, .5, 5., 1_0.5e-1, 0xFFFFFFFFFFFFFFFFFF)
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234, -2), abs(-3), abs(-2.5), min(1, 2.0), max(1, True))
print(7 .bit_length(), (255).to_bytes(2, 'big'), int.from_bytes(b'\x01\x00', 'little'), float('inf') > 10 ** 400)
