# Exact rational numbers, and values over several lines.
import math, operator, pprint
from fractions import Fraction as F

print(F(1, 3) + F(1, 6), F('3/4'), F('-0.125'), F(' 1e-2 '), F(0.5), F(6, -4), repr(F(2)), F(1, 3) * 3 == 1, F(7, 2) // 1, F(-7, 2) % 2, divmod(F(7, 2), F(2, 3)))
print(1 - F(1, 3), 2 / F(3, 4), F(1, 2) + 0.25, 0.5 * F(1, 2), F(2, 3) ** -2, F(4) ** 0.5, 2 ** F(3), 2 ** F(1, 2), -F(1, 2), abs(F(-3, 2)))
print(int(F(-7, 2)), float(F(1, 8)), math.floor(F(-7, 2)), math.ceil(F(-7, 2)), round(F(5, 2)), round(F(7, 2)), round(F(22, 7), 3), math.trunc(F(7, 2)))
print(F(1, 2) < F(2, 3), F(1, 2) == 0.5, F(1, 3) > 0.3, sorted([F(1, 2), 0.3, 1]), hash(F(1, 2)) == hash(0.5), hash(F(3)) == hash(3), hash(F(-1, 3)), bool(F(0)))
print(F(math.pi).limit_denominator(1000), F(0.1).limit_denominator(), sum([F(1, n) for n in range(1, 10)]), F(3, 4).numerator, F(1.5).as_integer_ratio())
for wrong in (lambda: F(1, 0), lambda: F('1/0'), lambda: F('x'), lambda: F(1, 2) / 0, lambda: F(1.5, 2), lambda: F([]), lambda: F(1, 2) + 'a'):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
data = {'b': list(range(30)), 'a': {'x': 'y' * 30, 'z': ['w' * 40, ('t', 1)]}, 3: {1, 2}, 'empty': [], 'one': ('single' * 12,), 'nested': [[i] * 8 for i in range(4)]}
pprint.pprint(data)
pprint.pprint(data['b'], width=30, compact=True)
pprint.pp({'z': 1, 'a': 'word ' * 30})
pprint.pprint(data, depth=1)
print(pprint.pformat([1000000, 'line\nother line ' * 6], underscore_numbers=True))
pprint.pprint([{'name': 'n' * 20, 'value': v, 'tags': ['t' * v]} for v in (1, 30)], indent=4)
pprint.pprint(frozenset(range(40)))
print(pprint.pformat('short'), pprint.saferepr({'b': 1, 'a': 2}))
