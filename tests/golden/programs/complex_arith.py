# complex and cmath.
import cmath
a, b = 3 + 4j, complex(1, -2)
print(a + b, a - b, a * b, a / b, a ** 2, a ** 0.5 == cmath.sqrt(a) or abs(a ** 0.5 - cmath.sqrt(a)) < 1e-12, abs(a), a.real, a.imag, a.conjugate(), -a, +b, a == 3 + 4j, a != b, bool(0j), complex("1+2j"), complex("-j"), complex(2), 1j ** 2, 2 ** 1j == cmath.exp(1j * cmath.log(2)) or "near", repr(-0j), str(complex(0, -0.0)), 1e20j, complex(float("inf"), 1), hash(1 + 0j) == hash(1), sum([1j, 2]), a * 2, 2.5 * a, 1 - a)
print(cmath.phase(-1), cmath.polar(1j), cmath.rect(2, 0), cmath.isnan(complex("nan")), cmath.isclose(1j, 1j + 1e-12), f"{a:.2f} {a}", "{:.1f}".format(b), format(1j, "+.1f"), cmath.exp(0), cmath.log(1), cmath.pi)
for f in (lambda: a < b, lambda: int(a), lambda: float(a), lambda: a // b, lambda: a % 2, lambda: 1 / 0j, lambda: complex("x"), lambda: complex("1", 2), lambda: round(a), lambda: divmod(a, 1), lambda: 0j ** -1):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
