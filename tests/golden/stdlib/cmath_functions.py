# cmath, as CPython computes it: to 12 digits, and along the cuts with the signs of zeros.
import cmath
import math


def shown(z):
    return f"{z.real:.12g} {z.imag:.12g}j" if isinstance(z, complex) else f"{z:.12g}"


points = [0j, -0.0 + 0j, 1, -1, 1j, -1j, 0.5 + 0.25j, -2.5 + 1.75j, 3 - 4j, -0.3 - 0.9j, complex(2, 0.0), complex(2, -0.0), complex(-2, 0.0), complex(-2, -0.0),
          complex(0.0, 2), complex(-0.0, 2), complex(0.0, -2), 1e-10 + 1e-10j, 100 + 20j, 1e10 - 1e-10j, 0.99 + 0.05j, complex(1e-320, 1e-320), complex(1e200, 1e200)]
for name in ("phase", "exp", "log", "log10", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh"):
    for z in points:
        try:
            result = shown(getattr(cmath, name)(z))
        except (ValueError, OverflowError) as error:
            result = f"{type(error).__name__}: {error}"
        print(name, z, result)
print(cmath.polar(3 + 4j), cmath.polar(-1), shown(cmath.rect(2, math.pi / 3)), cmath.rect(0, 5), cmath.rect(1, 0.0), cmath.rect(-1, -0.0))
print(shown(cmath.log(8, 2)), shown(cmath.log(1j, 10)), shown(cmath.log(-1, 1j)))
print(cmath.isfinite(1j), cmath.isfinite(complex(1, math.inf)), cmath.isnan(complex(math.nan, 0)), cmath.isinf(complex(0, -math.inf)), cmath.isnan(2.0))
print(cmath.isclose(1 + 1j, 1 + 1.0000000001j), cmath.isclose(1, 1.1), cmath.isclose(0, 1e-12, abs_tol=1e-9), cmath.isclose(cmath.inf, cmath.inf), cmath.isclose(cmath.infj, 1))
print(cmath.pi == math.pi, cmath.e == math.e, cmath.tau, cmath.inf, cmath.nan, cmath.infj, cmath.nanj)
for bad in ("1", None, []):
    try:
        cmath.sqrt(bad)
    except TypeError as error:
        print(error)
