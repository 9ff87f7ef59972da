# random: whole numbers below a bound are drawn as Python draws them, and by classes, too, that have another random() or getrandbits().
import random


class Halved(random.Random):
    def random(self):
        return 0.25 + super().random() / 2


class Even(random.Random):
    def getrandbits(self, k):
        return super().getrandbits(k) & ~1


class Inner(Halved):
    pass


class Named(random.Random):
    def __init__(self, x):
        super().__init__(x)
        self.name = x


random.seed(12)
x = list(range(20))
random.shuffle(x)
print(x, [random.randrange(10) for _ in range(5)], random.randint(3, 3000), random.randint(-5, 10**30), random.choice("abc"))
print(random.sample(range(1000), 6), random.sample("abcdefg", 3), random.randrange(5, 50, 7), random.choices("abc", k=4), random.gauss(0, 1))
print([random.randrange(n) for n in (1, 2, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 63, 1 << 64)])
for kind in (Halved, Even, Inner, Named, random.Random):
    r, x = kind(5), list(range(9))
    r.shuffle(x)
    print(kind.__name__, [r.randrange(1, 100) for _ in range(6)], r.choice("xyz"), x, r.randint(0, 2**40), r.randrange(10**25), r.random(), r.sample(range(50), 4))
r = random.Random(3)
state = r.getstate()
print(r.randint(1, 6), r.setstate(state), r.randint(1, 6))
for bad in (lambda: random.randrange(0), lambda: random.randint(3, 1), lambda: random.randrange(1, 5, 0), lambda: random.choice([]), lambda: random.randrange("a")):
    try:
        print(bad())
    except (TypeError, ValueError, IndexError) as error:
        print(type(error).__name__, error)
