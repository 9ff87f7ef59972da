# datetime: drawn operations of lengths of time, days and moments with and without zones; their texts, parts and copies.
import copy
import datetime as dt
import pickle
import random

rng = random.Random(3)
def show(f):
    try: return repr(f())
    except Exception as e: return type(e).__name__ + ": " + str(e)
class NY(dt.tzinfo):
    def utcoffset(self, d): return dt.timedelta(hours=-5) + self.dst(d)
    def dst(self, d): return dt.timedelta(hours=1) if d is not None and 3 < d.month < 11 and not d.fold else dt.timedelta(0)
    def tzname(self, d): return "E%DT" if self.dst(d) else "EST"
    def __repr__(self): return "NY()"
class D(dt.date): pass
class DT(dt.datetime): pass
zones = [None, None, dt.timezone.utc, dt.timezone(dt.timedelta(hours=5, minutes=30)), dt.timezone(dt.timedelta(hours=-3), "BRT"), dt.timezone(dt.timedelta(seconds=-3661, microseconds=5)), NY()]
def rint(): return rng.choice([0, 1, -1, 2, 3, 7, 59, 60, 86399, 86400, -86401, 10**6, 10**9, 123456789, -5, 10**12])
def rfloat(): return rng.choice([0.5, 1.5, -0.5, 2.5e-7, 0.1, 1e-6, 1.0000005, 12345.678, -3.25, 1/3, 1e9, 0.0000015])
def rdelta():
    k = rng.randrange(6)
    if k == 0: return dt.timedelta(rng.choice([0, 1, -1, 365, 999999999, -999999999]))
    return dt.timedelta(**{n: rng.choice([rint, rfloat])() % 10**5 for n in rng.sample(["days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"], k % 4)})
def rdate(c=dt.date):
    y = rng.choice([1, 2, 4, 100, 400, 1582, 1900, 1970, 1999, 2000, 2023, 2024, 9998, 9999]); m = rng.randrange(1, 13)
    d = rng.randrange(1, 29) if rng.random() < .8 else min(28 + rng.randrange(0, 3), 28 if m == 2 else 30)
    return c(y, m, d)
def rdt(c=dt.datetime):
    d = rdate()
    return c(d.year, d.month, d.day, rng.choice([0, 23, 12, rng.randrange(24)]), rng.choice([0, 59]), rng.choice([0, 59, 30]), rng.choice([0, 999999, 1000, 123456]), rng.choice(zones), fold=rng.choice([0, 0, 0, 1]))
ops = [("+", lambda a, b: a + b), ("-", lambda a, b: a - b), ("*", lambda a, b: a * b), ("/", lambda a, b: a / b), ("//", lambda a, b: a // b), ("%", lambda a, b: a % b), ("<", lambda a, b: a < b), ("<=", lambda a, b: a <= b), ("==", lambda a, b: a == b), ("!=", lambda a, b: a != b), (">", lambda a, b: a > b), (">=", lambda a, b: a >= b), ("divmod", divmod), ("hash", lambda a, b: (a == b) <= (hash(a) == hash(b)))]
def any_(): return rng.choice([rdelta, rdelta, rdate, rdate, rdt, rdt, rint, rfloat, lambda: "x", lambda: None, lambda: True, lambda: rdate(D), lambda: rdt(DT)])()
for i in range(260):
    a, b = any_(), any_()
    if rng.random() < .3: b = rng.choice([rdelta, rint, rfloat])()
    n, f = rng.choice(ops)
    if not any(isinstance(x, (dt.date, dt.timedelta)) for x in (a, b)): continue
    print(n, repr(a), repr(b), show(lambda: f(a, b)), show(lambda: type(f(a, b)).__name__))
for i in range(200):
    k = rng.randrange(8)
    if k == 0:
        kw = {n: rng.choice([rint, rfloat, rint, lambda: "x", lambda: "y"])() for n in rng.sample(["days", "seconds", "microseconds", "milliseconds", "minutes", "hours", "weeks"], rng.randrange(4))}
        print(kw, show(lambda: dt.timedelta(**kw)), show(lambda: str(dt.timedelta(**kw))), show(lambda: dt.timedelta(**kw).total_seconds()))
    elif k == 1:
        d = rng.choice([rdate, rdt])(); f = rng.choice(["%Y-%m-%d", "%a %A %b %B %c", "%x %X %p %I", "%j %U %W %V %G %u %w", "%f %z %Z", "%%%d%", "", "%H:%M:%S.%f", "é%y", "%D %F %T %R %e %h %n%t", "%-d %_m %5Y", "%s%Q" if False else "%Q", "%C %g", "%:z"])
        print("strftime", repr(d), f, show(lambda: d.strftime(f)), show(lambda: format(d, f)))
    elif k == 2:
        d = rdt(rng.choice([dt.datetime, DT])); t = rng.choice(["auto", "hours", "minutes", "seconds", "milliseconds", "microseconds", "x", 5]); s = rng.choice(["T", " ", "é", "", "ab", 5])
        print("iso", repr(d), show(lambda: d.isoformat()), show(lambda: d.isoformat(s, t)), str(d), show(lambda: dt.datetime.fromisoformat(d.isoformat()) == d))
    elif k == 3:
        d = rdt(); t = d.isoformat(rng.choice(["T", " ", "_", "日"]))
        for _ in range(rng.randrange(3)):
            j = rng.randrange(len(t)); t = t[:j] + rng.choice(["", "-", ":", "0", "9", "W", "Z", "+", ".", "T", "日"]) + t[j + rng.randrange(2):]
        print("from", t, show(lambda: dt.datetime.fromisoformat(t)), show(lambda: dt.date.fromisoformat(t[:10])), show(lambda: dt.time.fromisoformat(t[11:])))
    elif k == 4:
        d = rdt(rng.choice([dt.datetime, DT])); kw = {n: rng.choice([0, 1, 5, 12, 31, 60, 20240, 1]) for n in rng.sample(["year", "month", "day", "hour"], rng.randrange(3))}
        print("replace", repr(d), kw, show(lambda: d.replace(**kw)), show(lambda: d.replace(tzinfo=None)), show(lambda: type(d.replace()).__name__))
    elif k == 5:
        d = rng.choice([rdate, rdt, lambda: rdate(D)])()
        print("parts", repr(d), d.year, d.month, d.day, d.weekday(), d.isoweekday(), d.toordinal(), show(d.isocalendar), d.timetuple()[:9], show(d.ctime), show(lambda: type(d).fromordinal(d.toordinal())), d == copy.copy(d), d == copy.deepcopy(d), d.__reduce__()[1:], d.__reduce_ex__(4)[1:])
    elif k == 6:
        d = rdt()
        print("zone", repr(d), show(d.utcoffset), show(d.tzname), show(d.dst), show(d.date), show(d.time), show(d.timetz), show(lambda: d.astimezone(dt.timezone.utc) if d.tzinfo else 0), show(lambda: d.timestamp() if d.tzinfo else 0), show(lambda: d.utctimetuple()[:9]), show(lambda: pickle.loads(pickle.dumps(d)) == d if not isinstance(d.tzinfo, NY) else 0))
    else:
        c = rng.choice([dt.date, dt.datetime]); a = [rng.choice([1, 2, 12, 13, 29, 31, 0, 2024, 9999, 10000, True]) for _ in range(rng.randrange(0, 6))]
        if c is dt.date: a = a[:3]
        print("make", c.__name__, a, show(lambda: c(*a)))
T = dt.timedelta
for f in (lambda:T(1)/0, lambda:T(1)//0, lambda:T(1)/T(0), lambda:T(1)//T(0), lambda:T(1)%T(0), lambda:divmod(T(1),T(0)), lambda:T(1)/0.0, lambda:T(1)*float('inf'), lambda:T(1)*float('nan'), lambda: T(days=10**10), lambda:T(10**20), lambda:T(1e10), lambda:T(float('nan')),lambda:T(float('inf')), lambda:T('x'), lambda:T.max*2, lambda:T.max*10**10, lambda:T(1)*10**30, lambda:T(1)//10**30,lambda:T(-1)//10**30,lambda:T(1)/1e-300, lambda:dt.date(2020), lambda:dt.date(), lambda:dt.date('a',1,1), lambda:dt.date(2020.0,1,1), lambda:dt.date(2**40,1,1), lambda:dt.date(2**70,1,1),lambda:dt.date(-2**40,1,1), lambda:dt.date(0,1,1), lambda:dt.date(2020,13,1), lambda:dt.date(2021,2,29), lambda:dt.datetime(2020,1,1,24), lambda:dt.datetime(2020,1,1,1,60), lambda:dt.datetime(2020,1,1,1,1,1,10**6), lambda:dt.datetime(2020,1,1,fold=2), lambda:dt.datetime(2020,1,1,tzinfo=5), lambda:dt.date.max+T(1), lambda:dt.datetime.max+T(1), lambda:dt.date.min-T(1), lambda: dt.datetime(2020,1,1).isoformat('ab'), lambda:dt.date.fromisoformat(5), lambda:dt.date.fromordinal(0),lambda:dt.date.fromordinal(10**8), lambda:setattr(dt.date(2020,1,1),'year',5), lambda:dt.date.__mro__, lambda:dt.date(b'\x07\xe4\x01\x01'), lambda: dt.date(True,1,1), lambda: T(1,2,3).__reduce__(), lambda: {T(0): 1}[T(0)], lambda: sorted([T(3), T(-1)]), lambda: sum([T(1), T(2)], T()), lambda: abs(T(-1, 5)), lambda: bool(T()), lambda: dt.datetime(2024,1,1).strftime(5), lambda: dt.datetime.min, lambda: dt.date.max, lambda: T.resolution, lambda: isinstance(dt.datetime.now(), dt.date), lambda: issubclass(dt.datetime, dt.date), lambda: dt.datetime.combine(dt.date(2024,1,2), dt.time(3,4)), lambda: dt.datetime.strptime("2024-01-02 03", "%Y-%m-%d %H"), lambda: dt.datetime.utcfromtimestamp(86400.5), lambda: dt.datetime.fromtimestamp(0, dt.timezone.utc), lambda: DT.now().__class__.__name__, lambda: DT.strptime("2024", "%Y"), lambda: D.today().__class__.__name__, lambda: dt.datetime(2024,1,1,tzinfo=dt.timezone.utc) in {dt.datetime(2024,1,1,5,30,tzinfo=zones[3])}): print(show(f))
class Sub(dt.datetime):
    def __new__(cls, *a, **k): self = super().__new__(cls, *a, **k); self.tag = "t"; return self
    def isoformat(self, *a): return "iso:" + super().isoformat(*a)
s = Sub(2024, 1, 2, 3); print(repr(s), str(s), s.tag, (s + T(1)).tag, s < Sub(2025, 1, 1), f"{s}", f"{s:%Y}", copy.copy(s) == s)
