# Decimal numbers: what they are, how contexts round, their text.
import decimal
import fractions
import json
import math
import random
import statistics
from decimal import Context, Decimal, DecimalException, InvalidOperation, getcontext, localcontext, setcontext

D = Decimal
ROUNDINGS = [getattr(decimal, name) for name in dir(decimal) if name.startswith("ROUND_")]


def tell(f):
    try:
        print(f())
    except (DecimalException, TypeError, ValueError, OverflowError) as e:
        print(type(e).__name__, e if not isinstance(e, TypeError) else "")


values = [D(t) for t in ("0", "-0", "1", "-1", "0.1", "2.50", "-7.25", "1E+3", "123456789.987654321", "1E-7", "-3E+20", "0E+5", "0.000", "Infinity", "-Infinity", "NaN")]
for a in values:
    print(a, repr(a), a.to_eng_string(), a.adjusted(), a.as_tuple(), bool(a), a.number_class(), a.normalize(), a.to_integral_value(), -a, +a, abs(a))
    tell(lambda: int(a))
    tell(lambda: (float(a), a.as_integer_ratio()))
    for b in values:
        for f in (lambda: a + b, lambda: a - b, lambda: a * b, lambda: a / b, lambda: a // b, lambda: a % b, lambda: divmod(a, b), lambda: a < b,
                  lambda: a == b, lambda: a.compare(b), lambda: a.quantize(b), lambda: a.remainder_near(b), lambda: a.max(b), lambda: a.same_quantum(b)):
            tell(f)
for text in ("abc", "", " 7 ", "1_000.5", "+.5", "5.", ".", "1e", "--1", "inf", "-nan12", "sNaN", "0x10", "1E5", "12e-3"):
    tell(lambda: repr(D(text)))
for value in (1.5, 0.1, -2.0, 10**30, True, (0, (1, 2, 5), -1), (1, (0,), 0), (0, (), "F"), [1], None, float("inf"), (2, (1,), 0)):
    tell(lambda: repr(D(value)))
for spec in ("", "f", ".2f", "e", ".3e", "g", ".3g", "%", ".1%", ",", ",.2f", "010.2f", "<12", ">12", "^12", "*^12.1f", "+", " .1f", "=+10", "x=10", "_", ".0f", "E", "q"):
    for a in (D("1234.5678"), D("-0.005"), D("1E+10"), D("0"), D("NaN"), D("-12")):
        tell(lambda: f"[{a:{spec}}]")
for rounding in ROUNDINGS:
    with localcontext() as context:
        context.rounding, context.prec = rounding, 3
        print(rounding, [str(D(t).quantize(D("1"))) for t in ("2.5", "-2.5", "3.5", "2.4", "-2.6", "0.5", "10.01", "-5.5")], D(2) / 3, D(-2) / 3, D("1.005") + 0, D("1234.5") * 1)
generator = random.Random(5)
for prec in (1, 5, 16, 28, 50):
    with localcontext(prec=prec):
        for _ in range(12):
            a = D(generator.randrange(1, 10**12)).scaleb(generator.randrange(-14, 4))
            b = D(generator.randrange(-10**6, 10**6)).scaleb(-4)
            n = generator.randrange(-20, 20)
            print(prec, a.sqrt(), a.ln(), a.log10(), (b / 10).exp(), a ** n, a ** (b / 50), a / (b or 1), a.fma(b, 3))
for f in (lambda: D(-1).sqrt(), lambda: D(0).ln(), lambda: D(-1).ln(), lambda: D("Infinity").exp(), lambda: D(0) ** 0, lambda: D(0) ** -1, lambda: D(-8) ** D("0.5"), lambda: D("-2") ** 3,
          lambda: D(1000).log10(), lambda: D("0.01").log10(), lambda: D(4).sqrt(), lambda: D("400").sqrt(), lambda: D("0.0004").sqrt(), lambda: D(10) ** 400000000, lambda: D("1E+999999") * 10,
          lambda: D(1) + 1.5, lambda: D(1) + "1", lambda: D(1) < "1", lambda: round(D("2.675"), 2), lambda: round(D("3.5")), lambda: math.floor(D("-1.5")), lambda: math.ceil(D("1.2")),
          lambda: D("1.5") == fractions.Fraction(3, 2), lambda: hash(D("1.50")) == hash(1.5), lambda: sum([D("0.1")] * 10), lambda: statistics.mean([D("1.1"), D("2.2")]),
          lambda: D("1.50").compare_total(D("1.5")), lambda: 3 - D("0.5"), lambda: 1 / D(8), lambda: 2 ** D(10), lambda: 7 // D(2), lambda: 7 % D("2.5"),
          lambda: sorted([D("3"), D("1.5"), 2]), lambda: Context(prec=3).divide(D(1), D(7)), lambda: Context(prec=5).create_decimal("1.234567"), lambda: getcontext().traps[InvalidOperation], lambda: D.from_float(0.1),
          lambda: json.dumps({"a": str(D("1.10"))}), lambda: D("12.3").logb(), lambda: D(7).copy_sign(D(-1)), lambda: isinstance(D(1), decimal.Decimal), lambda: max(D(1), 2.5), lambda: D("123").quantize(D("1e-30"))):
    tell(f)
setcontext(Context(prec=6, traps=[]))
print(D(1) / 0, D(0) / 0, D("bad"), D(1) / 3, D("Infinity") - D("Infinity"))
setcontext(Context(prec=4))
print(D(2) / 3, D(22) / 7, getcontext().prec)
