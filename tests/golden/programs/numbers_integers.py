# Integers of any size: arithmetic, bits, bases, division of signs, conversions, big powers.
a, b = 2 ** 200 + 7, -3 ** 90
print(a + b, a * b, a // b, a % b, divmod(b, a), a ** 2 % 10 ** 9, pow(3, 1000, 10 ** 9 + 7), pow(7, -1, 31), -7 // 2, -7 % 2, 7 // -2, 7 % -2, divmod(-7, 3), sep="\n")
print(a.bit_length(), (-5).bit_length(), (255).bit_count(), a >> 190, 1 << 100, -1 >> 5, ~a & 0xFF, a & b, a | 1, a ^ a, 0b1010, 0o17, 0xFF, 1_000_000, hex(255), oct(8), bin(-5), int("ff", 16), int("0b11", 0), int("  -12  "), int("z", 36), int(True), int(3.99), int(-3.99))
print((1000).to_bytes(2, "big"), int.from_bytes(b"\x03\xe8", "big"), int.from_bytes(b"\xff", "little", signed=True), (-2).to_bytes(2, "little", signed=True), (5).as_integer_ratio(), round(12345, -2), round(15, -1), round(25, -1), round(-15, -1), abs(-5), float(10 ** 20), 10 ** 20 == 1e20, 2 ** 53 + 1 == float(2 ** 53 + 1), hash(2 ** 61 - 1), hash(2 ** 61), hash(-1), True + True, isinstance(True, int))
print(sum(range(101)), max(3, 1, 2), min([4, 2]), sorted([3, -1, 2], key=abs), [i for i in range(10, 0, -3)], 5 / 2, 4 / 2, 1 / 3, 10 ** -2, 0 ** 0, (-2) ** 3, (-8) ** (1 / 3), 7 .real, (7).imag, (7).numerator, 3 .__add__(4), (3).__rsub__(10), int.__mul__(3, 4), 10 if 3 < 5 < 7 else 0, 1 < 3 > 2)
for bad in (lambda: 1 // 0, lambda: 1 % 0, lambda: 1 / 0, lambda: int("1.5"), lambda: int(""), lambda: int("12", 1), lambda: (300).to_bytes(1, "big"), lambda: (-1).to_bytes(1, "big"), lambda: pow(2, -1, 4), lambda: 1 << -1, lambda: int([]), lambda: float(10 ** 400), lambda: pow(2, 3, 0), lambda: range(1.5), lambda: 0 ** -1, lambda: int(None)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
