# The normal distribution's quantiles to their last bits, lengths of time that are too long, numbers of other types in tables.
import csv, io
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from statistics import NormalDist

n = NormalDist(3, 2)
print([n.inv_cdf(i / 23) for i in range(1, 23)], n.inv_cdf(1e-300), n.inv_cdf(1e-10), n.inv_cdf(1 - 1e-12), n.quantiles(3))
for make in (lambda: timedelta(days=10**10), lambda: timedelta(10**9), lambda: timedelta(seconds=10**20), lambda: timedelta(days=1e20),
             lambda: timedelta.max * 2, lambda: timedelta(weeks=-10**9), lambda: timedelta(hours="a"), lambda: timedelta(weeks=None)):
    try:
        print(make())
    except (OverflowError, TypeError) as e:
        print(type(e).__name__, e)
out = io.StringIO()
csv.writer(out, quoting=csv.QUOTE_NONNUMERIC).writerow([1, 2.5, True, Decimal("1.50"), Fraction(1, 3), "1", None, 1j])
print(repr(out.getvalue()))
