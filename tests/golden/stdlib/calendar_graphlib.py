import calendar, datetime as dt, graphlib
print(calendar.monthrange(2024, 2), calendar.isleap(1900), calendar.leapdays(1999, 2025), calendar.weekday(2026, 11, 26), calendar.month_name[3], calendar.day_abbr[0], list(calendar.month_abbr)[:4], calendar.timegm((1970, 1, 2, 0, 0, 1)), calendar.weekheader(3))
calendar.prmonth(2024, 2); print(calendar.month(2023, 10, w=3)); print(calendar.calendar(2025)); c = calendar.Calendar(calendar.SUNDAY); print(list(c.itermonthdays(2024, 9)), c.monthdayscalendar(2024, 9)[0], list(c.iterweekdays()), c.monthdatescalendar(2024, 9)[0][0], list(calendar.Calendar().itermonthdays2(2021, 2))[:3], len(calendar.monthcalendar(2021, 2)), list(c.itermonthdays4(2024, 9))[:2])
print(calendar.TextCalendar(6).formatmonth(2024, 12, 4, 2), calendar.TextCalendar().formatyear(2024, m=4)[:300])
for bad in (0, 13):
    try: calendar.monthrange(2024, bad)
    except calendar.IllegalMonthError as e: print(e)
try: calendar.setfirstweekday(9)
except calendar.IllegalWeekdayError as e: print(e)
third = [d for d in calendar.Calendar().itermonthdates(2024, 5) if d.weekday() == calendar.FRIDAY and d.month == 5][2]; print(third, (third - dt.date(2024, 1, 1)).days)
ts = graphlib.TopologicalSorter({'D': {'B', 'C'}, 'C': {'A'}, 'B': {'A'}}); print(list(ts.static_order())[0::3]); g = graphlib.TopologicalSorter(); g.add(3, 2, 1); g.add(2, 1); g.prepare(); out = []
while g.is_active(): ready = g.get_ready(); out.append(sorted(ready)); g.done(*ready)
print(out, bool(g))
try: list(graphlib.TopologicalSorter({1: [2], 2: [3], 3: [1]}).static_order())
except graphlib.CycleError as e: print(e.args[0], e.args[1])
for f in (lambda: g.add(9), lambda: g.done(1), lambda: g.done(77), lambda: g.prepare(), lambda: graphlib.TopologicalSorter().get_ready()):
    try: print(f())
    except ValueError as e: print(e)
