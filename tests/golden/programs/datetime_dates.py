# datetime: arithmetic, formats, parsing, comparison, time zones.
from datetime import date, datetime, time, timedelta, timezone

d, t = date(2024, 2, 28), datetime(2024, 12, 31, 23, 59, 58, 123456)
print(d + timedelta(days=2), d.weekday(), d.isoweekday(), d.isocalendar()[:], d.toordinal(), d.replace(year=2023), d.strftime("%A %d %B %y %j %U"), date.fromisoformat("2020-01-05"), date(2024, 3, 1) - d, d < date(2025, 1, 1), d.timetuple()[:3], date.min, date.max)
print(t, repr(t), t + timedelta(seconds=2), t.isoformat(), t.isoformat(" ", "minutes"), t.date(), t.time(), t.replace(microsecond=0), t.strftime("%Y-%m-%dT%H:%M:%S.%f %p %I %%"), datetime.strptime("05/03/21 14:30", "%d/%m/%y %H:%M"), datetime.fromisoformat("2024-01-02T03:04:05+02:00"), (t - datetime(2024, 1, 1)).total_seconds())
x = timedelta(days=1, hours=-3, minutes=5, microseconds=7)
print(x, repr(x), -x, x * 2, x / 2, x // timedelta(minutes=7), x % timedelta(hours=1), abs(-x), x.days, x.seconds, timedelta(weeks=1) > x, sum([x, x], timedelta()), divmod(x, timedelta(hours=2)), timedelta(seconds=0.5), bool(timedelta()))
z = datetime(2024, 6, 1, 12, tzinfo=timezone.utc)
e = z.astimezone(timezone(timedelta(hours=5, minutes=30), "IST"))
print(z, e, e.tzname(), z == e, e.utcoffset(), z.timestamp(), datetime.fromtimestamp(0, timezone.utc), time(1, 2, 3).isoformat(), time(23, 0) > time(5), datetime.combine(d, time(7)))
for bad in (lambda: date(2023, 2, 29), lambda: time(25), lambda: datetime.strptime("x", "%Y"), lambda: z < t, lambda: date.fromisoformat("2024-1-1"), lambda: datetime(2024, 1, 1, 0, 60)):
    try:
        print(bad())
    except Exception as x:
        print(type(x).__name__, x)
