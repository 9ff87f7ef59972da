# Floats: text, rounding, comparison, hex, special values, math functions at their edges.
import math

inf, nan = float("inf"), float("nan")
print(0.1 + 0.2, 1e16, 1e15, 123456789.123456789, 1e-5, 0.0001, 5e-324, 1.7976931348623157e308, -0.0, 1e22, 1e23, 2.0 ** 70, 1 / 3, 100.0, float("1e-7"), float(" 1_0.5 "), float("-inf"), float("nan"))
print(round(2.5), round(3.5), round(-2.5), round(2.675, 2), round(1234.5678, -2), round(0.5, 0), round(1e300, 2), round(5e-324, 3), int(1e18), 7.0 // 2, -7.5 // 2, -7.5 % 2, 7.5 % -2, divmod(7.5, 2), 2 ** 0.5, (-2.0) ** 2, 0.0 ** 0, inf - inf == nan, nan == nan, nan != nan, inf > 1e308, -inf < inf, 0.0 == -0.0)
print((0.1).hex(), float.fromhex("0x1.8p3"), (2.5).as_integer_ratio(), (3.0).is_integer(), (3.5).is_integer(), hash(1.0) == hash(1), hash(0.5), max(1, 1.0), max(1.0, 1), min(nan, 1), max(1, nan), sum([0.1] * 10), math.fsum([0.1] * 10), sum([1e16, 1, -1e16]))
print(math.floor(-1.5), math.ceil(-1.5), math.trunc(-1.5), math.fmod(-7, 3), math.remainder(7, 4), math.modf(-1.25), math.frexp(10), math.ldexp(0.5, 4), math.copysign(1, -0.0), math.hypot(3, 4), math.hypot(1, 2, 2), math.dist([0, 0], [3, 4]), math.isclose(1, 1 + 1e-10), math.gcd(12, 18, 27), math.lcm(4, 6), math.comb(10, 3), math.perm(5, 2), math.factorial(20), math.isqrt(99), math.prod([2, 3.5]), math.nextafter(1, 2), math.ulp(1.0), math.log2(8), math.log(8, 2), math.log10(1000), math.log1p(0), math.expm1(0), math.exp(1), math.pow(2, 10), math.cbrt(27), math.degrees(math.pi), math.radians(180), math.atan2(1, -1), math.isinf(inf), math.isnan(nan), math.isfinite(1), math.erf(0), math.gamma(5), math.tau, math.e)
for bad in (lambda: math.sqrt(-1), lambda: math.log(0), lambda: math.exp(1000), lambda: int(inf), lambda: int(nan), lambda: 1.0 / 0, lambda: 1.0 % 0, lambda: 1.0 // 0, lambda: float("abc"), lambda: float([]), lambda: 2.0 ** 10000, lambda: 0.0 ** -1, lambda: math.factorial(-1), lambda: math.factorial(1.5), lambda: math.acos(2), lambda: math.gcd(1.5), lambda: round(inf), lambda: math.fmod(inf, 1), lambda: math.comb(-1, 2), lambda: math.floor("a"), lambda: float.fromhex("zz"), lambda: math.isqrt(-1)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
