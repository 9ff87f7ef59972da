# Values of the standard library in pickles, and instances of classes made from dict and list.
import abc, datetime as dt, pathlib, pickle, types
from decimal import Decimal
from fractions import Fraction


class AttrDict(dict):
    def __getattr__(self, k):
        try: return self[k]
        except KeyError: raise AttributeError(k) from None


class Rows(list):
    pass


ist = dt.timezone(dt.timedelta(hours=5, minutes=30), "IST")
rows = Rows([1, 2]); rows.name = "r"
vals = [dt.date(2024, 2, 29), dt.datetime(2024, 2, 29, 1, 2, 3, 4), dt.datetime(1999, 12, 31, 23, 59, 59, 999999, dt.timezone.utc, fold=1), dt.datetime(2024, 1, 1, tzinfo=ist), dt.time(1, 2, 3, 400000), dt.time(4, tzinfo=ist), dt.timedelta(-3, 5, 7), dt.timezone.utc, ist,
  Decimal("-1.50E+7"), Decimal("NaN"), Fraction(-3, 7), pathlib.Path("/a/b.c"), pathlib.PurePosixPath("x/y"), types.SimpleNamespace(a=1, b=[2]), AttrDict(lr=.1, opt=AttrDict(n=2)), rows, ValueError("x", 2), KeyError("k"), OSError(2, "no"), {dt.date(2020, 1, 1): [Decimal(1)]}]
for protocol in (4, 5):
    got = pickle.loads(pickle.dumps(vals, protocol))
    for a, b in zip(vals, got):
        print(type(b).__name__, repr(b), repr(a) == repr(b))
print(got[15].opt.n, got[16].name, got[7] is dt.timezone.utc)


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Square(Shape):
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side ** 2


print(pickle.loads(pickle.dumps([Square(3)]))[0].area())
