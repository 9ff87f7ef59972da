from fractions import Fraction as F; from decimal import *; import math
def egypt(f):
    out = []
    while f: n = math.ceil(1 / f); out.append(n); f -= F(1, n)
    return out
print(egypt(F(7, 15)), F('3.25'), F(0.1), F(0.1).limit_denominator(100), F(1, 3) + 1, F(1, 3) * 1.5, F(-7, 2) // 1, F(7, 3) % 1, F(2, 3) ** -2, F(4, 9) ** .5, round(F(22, 7), 3), float(F(1, 7)), F(6, 4), repr(F(5)), F(1, 2) < .6, hash(F(1, 2)) == hash(.5), F(3, 4).as_integer_ratio(), F('1/3'), F(Decimal('.5')), math.floor(F(-1, 2)), divmod(F(7, 2), F(2, 3)), abs(F(-1, 2)), int(F(7, 2)), F.from_float(.25), f'{float(F(1, 3)):.3f}', sum(F(1, n) for n in range(1, 11)))
try: F(1, 0)
except ZeroDivisionError as e: print(e)
def cf(x, n):
    out = []
    for _ in range(n):
        a = x.numerator // x.denominator; out.append(a); x -= a
        if not x: break
        x = 1 / x
    return out
print(cf(F(415, 93), 10), cf(F(math.pi).limit_denominator(10**6), 5)); getcontext().prec = 50; print(Decimal(2).sqrt(), Decimal(1).exp(), Decimal(10).ln(), Decimal(2) ** Decimal('.5'), Decimal(100).log10())
def pi():
    getcontext().prec += 2; lasts, t, s, n, na, d, da = 0, Decimal(3), 3, 1, 0, 0, 24
    while s != lasts: lasts = s; n, na = n + na, na + 8; d, da = d + da, da + 32; t = (t * n) / d; s += t
    getcontext().prec -= 2; return +s
print(pi()); getcontext().prec = 28; d = Decimal('-1234.5678'); print(d.as_tuple(), d.quantize(Decimal('.01')), d.to_integral_value(ROUND_FLOOR), d.copy_abs(), d.adjusted(), d.is_signed(), d.scaleb(2), d.compare(Decimal(0)), d.max(Decimal(1)), d // 100, d % 100, -d, f'{d:e}', f'{d:.1f}', f'{d:>15,.3f}', d.remainder_near(Decimal(10)), Decimal('1.000').normalize(), Decimal((0, (1, 2, 3), -2)), Decimal('Infinity') > 1, Decimal('sNaN').is_snan(), Decimal(7).fma(2, 3), Decimal(5).is_finite(), Decimal('12').logb())
for r in (ROUND_UP, ROUND_DOWN, ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_05UP): print(r, *[Decimal(x).quantize(Decimal(1), rounding=r) for x in ('2.5', '-2.5', '1.1', '-1.6')])
with localcontext(Context(prec=4, rounding=ROUND_DOWN)) as c: print(Decimal(2) / 3, c.divide(1, 7), c.flags[Inexact]); c.traps[Inexact] = True
try:
    with localcontext() as c: c.traps[Inexact] = True; Decimal(1) / 3
except Inexact: print('inexact')
try: Decimal('nan') < 1
except InvalidOperation as e: print(e)
print(math.comb(10, 3), math.perm(5, 2), math.isqrt(99), math.gcd(12, 18, 8), math.lcm(4, 6), math.fsum([.1] * 10), math.prod([1, 2, 3]), math.dist([0, 0], [3, 4]), math.copysign(1, -0.0), math.frexp(8.5), math.ldexp(.5, 3), math.modf(-2.5), math.nextafter(1, 2), math.ulp(1.0), math.isclose(.1 + .2, .3), math.remainder(7, 4), math.fmod(-7, 3), math.log2(8), math.log(8, 2), math.erf(.5), math.gamma(5), math.factorial(20), math.trunc(-2.7), math.degrees(math.pi), math.cbrt(27), math.exp2(3), math.inf, math.tau)
