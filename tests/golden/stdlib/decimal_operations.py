# Every operation of decimal, of special values and others, in nine contexts: a digest of all results and flags for each operation.
import zlib
from decimal import *

VALUES = """0 -0 0E+5 0E-7 1 -1 1.0 1.000 2 -3 7 10 1E+2 0.1 -0.1 0.5 1.5 -2.5 9.99 999999999 123456789012345678901234567890
1.23456789012345678901234567890123456789 1E-10 1E+10 1E-30 9.9E+30 Infinity -Infinity NaN -NaN NaN123 sNaN45 1E+90 -1E-95 5E-99 110 101011 -101
0.99999999 1.00000001 12345.678 1E+300 3E-300""".split()
CONTEXTS = [Context(prec=9, Emin=-99, Emax=99, traps=[]), Context(prec=28, traps=[]),
            Context(prec=3, Emin=-10, Emax=10, rounding=ROUND_UP, clamp=1, capitals=0, traps=[]),
            Context(prec=5, Emin=-5, Emax=5, rounding=ROUND_FLOOR, traps=[]),
            Context(prec=1, Emin=0, Emax=3, rounding=ROUND_05UP, traps=[]),
            Context(prec=6, rounding=ROUND_CEILING, Emin=-20, Emax=20, traps=[]),
            Context(prec=7, rounding=ROUND_HALF_DOWN, Emin=-20, Emax=20, traps=[]),
            Context(prec=7, rounding=ROUND_HALF_UP, Emin=-20, Emax=20, clamp=1, traps=[]),
            Context(prec=4, rounding=ROUND_DOWN, Emin=-20, Emax=20, traps=[])]
ONE = """exp ln log10 sqrt logb next_minus next_plus normalize logical_invert abs plus minus to_integral_value to_integral_exact number_class is_normal
is_subnormal is_zero is_signed is_nan copy_abs copy_negate to_sci_string to_eng_string create_decimal canonical""".split()
TWO = """add subtract multiply divide divide_int remainder remainder_near divmod power compare compare_signal compare_total compare_total_mag logical_and
logical_or logical_xor max max_mag min min_mag next_toward rotate scaleb shift quantize copy_sign same_quantum""".split()
numbers = [Decimal(value) for value in VALUES]


def digest(operation, operands):
    crc, count = 0, 0
    for context in CONTEXTS:
        for args in operands:
            context.clear_flags()
            line = f"{args} {getattr(context, operation)(*args)!r} {[signal.__name__ for signal in context.flags if context.flags[signal]]}\n"
            crc, count = zlib.crc32(line.encode(), crc), count + 1
    print(f"{operation} of {count}: {crc:08x}")


for operation in ONE:
    digest(operation, [(a,) for a in numbers])
pairs = [(a, b) for a in numbers[::2] for b in numbers]
for operation in TWO:
    digest(operation, pairs[::2] if operation == "power" else pairs)
triples = [(a, b, c) for a in numbers[::4] for b in numbers[::3] for c in numbers[::5]]
digest("fma", triples)
digest("power", triples)
