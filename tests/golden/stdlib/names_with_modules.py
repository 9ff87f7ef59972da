# Messages name a class that CPython has in C with its module; classes of the program that derive from it by their own name.
import array
import collections
import datetime
import decimal
import fractions
import re


class Day(datetime.date):
    pass


def show(f):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)


for value in (decimal.Decimal(1), decimal.getcontext(), datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2), datetime.time(1),
              datetime.timedelta(1), datetime.timezone.utc, collections.OrderedDict(), array.array('i'), re.compile('a'),
              fractions.Fraction(1, 2), collections.Counter(), Day(2020, 1, 2)):
    show(lambda: value < 'x')
    show(lambda: 'x' + value)
    show(lambda: value.nothing)
    show(lambda: value())
    show(lambda: [1][value])
    print(type(value).__name__, type(value).__qualname__, type(value).__module__, type(value))
