# Neighbours of decimals, their digits moved and taken as bits, the orders of what is not a number, and an exponential of many digits.
from decimal import Context, Decimal as D, InvalidOperation, Overflow, getcontext, localcontext

for text in ("1.5", "0", "-0", "-7", "999999999999999999999999999.9", "1E+30", "-1E-40", "Infinity", "-Infinity", "NaN3", "123456789012345678901234567890"):
    x = D(text)
    print(text, x.next_plus(), x.next_minus(), x.next_toward(2), x.next_toward(D("-inf")), x.next_toward(x))
for text in ("123", "-9876543210987654321098765432", "0", "Infinity", "1234567890123456789012345678901", "1.25E+7"):
    print(text, *[f"{D(text).shift(n)} {D(text).rotate(n)}" for n in (0, 1, -2, 28, -28)])
for bad in (29, "1.5", "Infinity", "1E+1"):
    for move in (D(1).shift, D(1).rotate):
        try:
            print(move(D(bad)))
        except InvalidOperation as error:
            print(bad, error)
a, b = D("1101"), D("1011")
print(a.logical_and(b), a.logical_or(b), a.logical_xor(b), a.logical_invert(), D(0).logical_invert(Context(prec=5)), D("11111").logical_or(1, Context(prec=3)))
for bad in ("12", "-1", "1.0", "1E+1", "NaN"):
    try:
        print(a.logical_and(D(bad)))
    except InvalidOperation as error:
        print(bad, error)
kinds = [D(t) for t in ("-NaN5", "-NaN", "-sNaN", "-Infinity", "-1.0", "-1", "-0", "0", "1", "1.0", "Infinity", "sNaN", "sNaN1", "NaN", "NaN7")]
print([[int(x.compare_total(y)) for y in kinds] for x in kinds])
print([[int(x.compare_total_mag(y)) for y in kinds] for x in kinds[:5]])
print(D(-3).max_mag(2), D(3).max_mag(-3), D(-3).min_mag(2), D(3).min_mag(-3), D("NaN").max_mag(-1), D("1.0").min_mag(1), D("1.0").max_mag(1))
print(D(1).compare_signal(2), D("1.20").canonical(), D("1").compare_total(1))
try:
    D("1").compare_total("1.0")
except TypeError as error:
    print(error)
try:
    D("NaN").compare_signal(1)
except InvalidOperation as error:
    print(error)
with localcontext(Emax=5, prec=3):
    print(D("999E+3").next_minus())
    try:
        print(D("999E+3").next_toward(D("Infinity")))
    except Overflow as error:
        print(error)
context = Context(prec=4)
print(context.next_plus(D(1)), context.shift(D(12345), 1), context.logical_and(D(11), 1), context.compare_total(D(1), 2), context.max_mag(1, -2))
print(D("12345.6789").exp(), *[D(t).exp() for t in ("-12345.6789", "-100", "-1", "-1E-30", "-0.5", "1E-20", "23.5")], D(10) ** 5000 // D(10) ** 4990)
