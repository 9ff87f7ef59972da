# Dates by the number of their day and back, spans of time and their sums: many of each.
import datetime as D, random
r=random.Random(3); h=0
def mix(x):
    global h
    for c in str(x): h=(h*131+ord(c))%(2**61-1)
d=D.date(1,1,1)
for n in list(range(1,1500))+[r.randint(1,3652059) for _ in range(4000)]+[3652059,3652058]+[D.date(y,12,31).toordinal() for y in range(1,9999,7)]+[D.date(y,2,28).toordinal()+1 for y in range(1,9999,3)]:
    x=D.date.fromordinal(n); assert x.toordinal()==n; mix(x)
for i in range(600):
    t=D.timedelta(days=r.randint(-1000,1000),hours=r.randint(-50,50),seconds=r.random()*100 if i%2 else r.randint(0,10**6),milliseconds=i,weeks=r.randint(-3,3)); mix(repr(t)); mix(t*3); mix(-t); mix(t/7); mix(abs(t)//D.timedelta(hours=1))
    x=D.datetime(r.randint(1000,3000),r.randint(1,12),r.randint(1,28),r.randint(0,23),5,6,r.randint(0,999999)); mix(x+t); mix(x-t); mix((x+t)-x==t); mix(x.weekday()); mix(x.isocalendar())
class S(D.datetime): pass
class TD(D.timedelta): pass
print(type(S(2020,1,1)+D.timedelta(1)),type(TD(1)+TD(2)),type(S.fromtimestamp(0)),D.timedelta(True),D.timedelta(1.5))
for f in (lambda: D.timedelta(10**9), lambda: D.timedelta(-10**9), lambda: D.timedelta(days=10**12), lambda: D.datetime.max+D.timedelta(1), lambda: D.date.max+D.timedelta(1), lambda: D.timedelta('a'), lambda: D.date.fromordinal(0), lambda: D.date.fromordinal(3652060), lambda: D.datetime.min-D.timedelta(microseconds=1)):
    try: print(f())
    except Exception as e: print(type(e).__name__,e)
print(h)
