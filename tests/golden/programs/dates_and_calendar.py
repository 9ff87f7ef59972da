import datetime as dt, calendar, time
d = dt.datetime(2024, 2, 29, 13, 5, 7, 123456); print(d, repr(d), d.isoformat(timespec='milliseconds'), d.date(), d.time(), d.weekday(), d.isocalendar(), d.timetuple().tm_yday)
print(d.strftime('%Y-%m-%d %H:%M:%S.%f %a %A %b %B %j %p %I %y %U %W %% %d'), dt.datetime.strptime('03/Mar/2021 04:05', '%d/%b/%Y %H:%M'))
print(d + dt.timedelta(days=366, hours=-5), d - dt.datetime(2023, 1, 1), dt.timedelta(days=-1, seconds=3), dt.timedelta(1.5).total_seconds(), dt.timedelta(hours=25) // dt.timedelta(hours=2), str(dt.timedelta(days=2, microseconds=5)), repr(dt.timedelta(minutes=90)))
u = dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc); z = dt.timezone(dt.timedelta(hours=5, minutes=30), 'IST'); print(u.astimezone(z), u.timestamp(), u.tzname(), z, dt.datetime.fromtimestamp(86400, dt.timezone.utc), u == u.astimezone(z))
print(dt.date.fromisoformat('2024-12-30').isocalendar(), dt.datetime.fromisoformat('2024-01-02T03:04:05+02:00'), dt.date(2024, 1, 31).replace(month=3), dt.date.today() > dt.date(2020, 1, 1), dt.date.min, dt.datetime.max)
try: dt.date(2023, 2, 29)
except ValueError as e: print(e)
try: dt.datetime.strptime('x', '%Y')
except ValueError as e: print(e)
try: d < u
except TypeError as e: print(e)
print(calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.month_name[3], calendar.day_abbr[0]); print(calendar.month(2024, 2))
print(time.strftime('%Y-%m-%d', time.gmtime(0)), time.gmtime(3600)[:6], f'{d:%H:%M}', '{:%Y}'.format(d), sorted([dt.date(2024, 5, 1), dt.date(2023, 5, 1)])[0], {dt.date(2024, 1, 1): 1}[dt.date(2024, 1, 1)], dt.time(4, 5).isoformat(), dt.time.fromisoformat('04:05:06'), (d - dt.timedelta(days=d.weekday())).date(), dt.date(2024, 1, 1).toordinal(), dt.date.fromordinal(738000), abs(dt.timedelta(-1)), dt.timedelta(5) / 2, sum([dt.timedelta(1), dt.timedelta(2)], dt.timedelta()), dt.datetime.combine(dt.date(2020, 1, 1), dt.time(5)), d.ctime(), dt.UTC)
