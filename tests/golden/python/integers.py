# Integers of any size: limits of the fast path, mixed arithmetic, conversions, bit operations.
M = 2 ** 63
edges = [0, 1, -1, 2, M - 1, M, M + 1, -M, -M - 1, -M + 1, 2 ** 64, 10 ** 40, -(10 ** 40)]
for a in edges:
    print(a, -a, ~a, abs(a), a + 1, a - 1, a * 2, a * -1, bool(a), a == a + 0, hash(a) == hash(a + 0))
ops = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b, '//': lambda a, b: a // b, '%': lambda a, b: a % b,
       '&': lambda a, b: a & b, '|': lambda a, b: a | b, '^': lambda a, b: a ^ b}
for name, op in ops.items():
    total = 0
    for a in edges:
        for b in edges:
            if b == 0 and name in ('//', '%'):
                continue
            total += op(a, b)
    print(name, total)
print([a // b * b + a % b == a for a in edges for b in edges if b], sum(a < b for a in edges for b in edges))
print([divmod(a, b) for a in (7, -7) for b in (2, -2)], [divmod(a, 3) for a in (10 ** 20, -(10 ** 20))])
print([1 << n for n in (0, 1, 31, 32, 61, 62, 63, 64, 100)], [-1 << n for n in (62, 63, 64)], [(2 ** 100) >> n for n in (1, 64, 99, 100, 101)])
print(-5 >> 1, -1 >> 100, 5 >> 1000, 3 << 62, -3 << 62, 1 << 62 << 1)
print([x ** y for x in (2, -3, 10) for y in (0, 1, 20, 41)], 2 ** 0.5, 4 ** -1, (-8) ** 3, pow(3, 100, 7), pow(2, -1, 7))
print([a / 3 for a in (1, 2 ** 53, 2 ** 53 + 1, 10 ** 30)], 10 ** 400 / 10 ** 399, (2 ** 1000 + 1) / 2 ** 1000)
try:
    10 ** 400 / 1
except OverflowError as e:
    print(e)
try:
    float(10 ** 400)
except OverflowError as e:
    print(e)
print(int(1e30), int(-2.9), int('123456789012345678901234567890'), int('-0x1F', 16), int('0b101', 0), int('z', 36), int(' 42 '), int('1_000'))
print(2 ** 53 + 1 == float(2 ** 53), 2 ** 53 == float(2 ** 53), 10 ** 22 == 1e22, 10 ** 23 == 1e23, 1e300 < 10 ** 301, -(10 ** 400) < float('-inf'))
print(str(2 ** 100), repr(-(2 ** 100)), f'{2 ** 100:,}', f'{2 ** 70:x}', f'{10 ** 20:e}', f'{2 ** 64:_d}', f'{-(2 ** 65):>25}', hex(2 ** 65), bin(-5), oct(64))
print((2 ** 100).bit_length(), (0).bit_length(), (255).bit_count(), (5).to_bytes(2, 'big'), int.from_bytes(b'\xff\xfe', 'big', signed=True))
print(round(12345, -2), round(15, -1), round(25, -1), round(-15, -1), round(10 ** 20 + 55, -2), (7).__floordiv__(2), (7).__rsub__(10), (3).__add__('a'))


def fact(n):
    return 1 if n < 2 else n * fact(n - 1)


def isqrt(n):
    x = n
    while (y := (x + n // x) // 2) < x:
        x = y
    return x


print(fact(30), fact(50) // fact(48), sum(int(c) for c in str(fact(100))), isqrt(10 ** 50), isqrt(2 * 10 ** 40))
a, b = 0, 1
for _ in range(150):
    a, b = b, a + b
print(a)
x = 1
for i in range(70):
    x = x * 3 + i
print(x, x % 1000007, x & (2 ** 64 - 1), x ^ x >> 17)
h = 14695981039346656037
for c in b'hash me':
    h = (h ^ c) * 1099511628211 % 2 ** 64
print(h)
s = 0
for i in range(1000):
    s = (s * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
print(s, s.bit_length() <= 64)
print(True + 2 ** 63, False * 10 ** 30, (2 ** 63) * True, -True, True << 70, 5 & True, 2 ** 64 | False, isinstance(2 ** 80, int), type(2 ** 63 - 1) is type(2 ** 63))
print(sorted([10 ** 20, -1, 2 ** 63, 0.5, -(10 ** 19)]), max(2 ** 63, 1e19), min(10 ** 20, 1e20), {2 ** 64: 'big'}[18446744073709551616], 2 ** 64 in {2 ** 64})
