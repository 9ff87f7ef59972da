import random
from random import Random
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
for s in [0, 1, 42, -5, 2**40, 10**30, 'hello', b'bytes', 3.5, '']:
    random.seed(s)
    print(s, random.random(), random.randint(1, 100), random.uniform(-1, 1), random.choice('abcdef'), random.getrandbits(10), random.getrandbits(70), random.randrange(0, 100, 7))
r = Random(7)
l = list(range(20)); r.shuffle(l); print(l, r.sample(range(100), 5), r.sample(range(10), 8), r.choices('abc', k=5), r.choices([1,2,3], weights=[1,5,1], k=6), r.choices('xy', cum_weights=[1, 4], k=4))
print(r.gauss(0, 1), r.gauss(0, 1), r.normalvariate(5, 2), r.expovariate(1.5), r.triangular(0, 10, 3), r.betavariate(2, 3), r.gammavariate(0.5, 1), r.gammavariate(3, 2), r.lognormvariate(0, 1), r.vonmisesvariate(1, 2), r.paretovariate(3), r.weibullvariate(1, 2))
print(r.sample(['a','b'], k=3, counts=[2, 2]), r.randbytes(5), r.randrange(10), r.randrange(-5, 5))
st = r.getstate(); a = r.random(); r.setstate(st); print(a == r.random(), len(st), len(st[1]))
for i in range(700): r.random()
print(r.random(), r.randint(0, 10**40))
random.seed(5, version=2); print(random.random()); random.seed('abc', version=1); print(random.random())
tr(lambda: random.choice([])); tr(lambda: random.randint(5, 1)); tr(lambda: random.sample([1], 2)); tr(lambda: random.sample({1}, 1)); tr(lambda: random.randrange(0)); tr(lambda: random.randrange(1, 2, 0)); tr(lambda: random.seed([])); tr(lambda: random.randint(1.5, 2)); tr(lambda: random.getrandbits(-1)); tr(lambda: random.choices('ab', weights=[1])); tr(lambda: random.randrange(5, 2))
