# Every reflected and in-place operator of one class, and NotImplemented.
class N:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"N({self.v})"
for op in "add sub mul truediv floordiv mod pow lshift rshift and or xor matmul divmod".split():
    setattr(N, f"__{op}__", lambda s, o, op=op: (op, s.v, getattr(o, "v", o)))
    setattr(N, f"__r{op}__", lambda s, o, op=op: ("r" + op, o, s.v))
    if op != "divmod": setattr(N, f"__i{op}__", lambda s, o, op=op: N(("i" + op, s.v, o)))
a, b = N(1), N(2)
print(a + b, a - 1, 1 - a, a * 2, 2 * a, a / 3, 3 / a, a // 1, 1 // a, a % 2, 2 % a, a ** 2, 2 ** a, a << 1, 1 << a, a >> 1, a & 1, 1 & a, a | b, 1 | a, a ^ 1, 1 ^ a, a @ b, divmod(a, 3), divmod(3, a))
x = N(0); x += 1; print(x); x -= 2; x *= 3; x @= 4; x //= 5; x **= 6; x >>= 7; x &= 8; x |= 9; x ^= 1; x %= 2; x /= 3; x <<= 4
print(x)
class S(N):
    def __radd__(self, o): return "sub first"
print(N(1) + S(2), S(2) + N(1), 5 + S(1))
class Q:
    def __add__(self, o): return NotImplemented
    def __lt__(self, o): return NotImplemented
    def __eq__(self, o): return NotImplemented
for f in (lambda: Q() + 1, lambda: Q() < Q(), lambda: Q() == 1, lambda: Q() != 1, lambda: Q() - 1, lambda: -Q(), lambda: 1 + Q(), lambda: abs(Q()), lambda: Q()[0], lambda: Q()(), lambda: len(Q()), lambda: Q() @ 2, lambda: ~Q()):
    try: print(f())
    except TypeError as e: print(e)
