# Days, times, lengths of time, zones; no clock.
import time
from datetime import date, datetime, time as clock, timedelta, timezone, tzinfo, MINYEAR

d = date(2024, 2, 28)
print(d, repr(d), d + timedelta(2), d - date(2023, 3, 1), d.weekday(), d.isoweekday(), d.toordinal(), date.fromordinal(738000), d.isocalendar(), d.replace(day=1), d.strftime('%A %d. %B %Y %j %U %W %V'))
print([date(y, 12, 29).isocalendar()[:] for y in (2020, 2021, 2024, 1)], date.min, date.max, max(d, date(2024, 3, 1)), d == date(2024, 2, 28), hash(d) == hash(date(2024, 2, 28)), f'{d:%d/%m/%y}', f'{d}')
t = timedelta(days=1, hours=2, minutes=3, seconds=4.5, microseconds=6)
print(t, repr(t), t.total_seconds(), -t, abs(-t), t * 2, t / 2, t * 1.5, t // timedelta(hours=1), t % timedelta(hours=1), divmod(t, timedelta(hours=5)), t / timedelta(days=1), timedelta(weeks=1), timedelta(0), bool(timedelta(0)))
print(timedelta(microseconds=-1), repr(timedelta(microseconds=-1)), timedelta(seconds=1e-7), timedelta(days=-1, seconds=5), timedelta(hours=25).days, sum([timedelta(1), timedelta(2)], timedelta()), timedelta(1) < timedelta(2), timedelta.max, timedelta(3) / 7)
m = datetime(2024, 1, 5, 10, 0, 1, 250)
print(m, repr(m), m.isoformat(), m.isoformat(' ', 'minutes'), m.isoformat(timespec='milliseconds'), m.date(), m.time(), m + t, m - datetime(2023, 1, 1), (m - t).strftime('%d/%m/%y %H:%M:%S.%f %p %I %a %b %c|%x|%X|%%'), m.replace(hour=3, microsecond=0))
print(datetime.fromisoformat('2024-01-05 10:00:01'), datetime.fromisoformat('2024-01-05T10:00:01.5+02:00'), datetime.fromisoformat('2024-01-05'), datetime.fromisoformat('20240105T1000Z'), date.fromisoformat('2024-01-05'), clock.fromisoformat('04:05:06'))
z = datetime(2024, 1, 1, tzinfo=timezone.utc)
east = timezone(timedelta(hours=5, minutes=30), 'IST')
print(z, repr(z), z.timestamp(), z.astimezone(east), z.astimezone(east) == z, z.tzname(), east, timezone(timedelta(hours=-3)), repr(east), z.astimezone(east).strftime('%z %Z'), datetime.fromtimestamp(0, timezone.utc), datetime.fromtimestamp(1.5, east), z.utcoffset())
print(datetime.strptime('2024-02-03 04:05:06', '%Y-%m-%d %H:%M:%S'), datetime.strptime('3 Feb 99 11:30 PM', '%d %b %y %I:%M %p'), datetime.strptime('2024-01-01+0200', '%Y-%m-%d%z'), datetime.combine(d, clock(1, 2)), datetime.strptime('2024 060', '%Y %j'))
print(clock(1, 2), clock(1, 2, 3, 4), repr(clock(1, 2, 3)), clock(1) < clock(2), clock(23, 59).strftime('%H.%M'), clock(1, tzinfo=timezone.utc), m.timetuple()[:8], sorted([m, datetime(2020, 1, 1)])[0].year, isinstance(m, date), MINYEAR)
for wrong in (lambda: date(2023, 2, 29), lambda: datetime(2024, 13, 1), lambda: clock(25), lambda: date(1, 1, 1) - timedelta(1), lambda: z - m, lambda: z < m, lambda: datetime.fromisoformat('x'), lambda: date.fromisoformat('2024-1-5'),
              lambda: datetime.strptime('a', '%Y'), lambda: datetime.strptime('2024x', '%Y'), lambda: m < d, lambda: timezone(timedelta(days=2)), lambda: tzinfo().utcoffset(None), lambda: date('a', 1, 1)):
    try:
        print('no error', wrong())
    except Exception as error:
        print(type(error).__name__, error)
print(z == m, z != m, d == 5, time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(86400 * 365)), time.gmtime(0)[:9], time.gmtime(0).tm_year, time.asctime(time.gmtime(0)), repr(time.gmtime(0)), time.mktime(time.localtime(1e9)), len(time.ctime()))
now = datetime.now()
print(abs(now.timestamp() - time.time()) < 5, now.date() == date.today() or True, (datetime.now(timezone.utc) - datetime.fromtimestamp(time.time(), timezone.utc)) < timedelta(seconds=5))
