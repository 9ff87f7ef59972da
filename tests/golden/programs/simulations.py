import heapq, random, dataclasses, collections, itertools, math
import numpy as np
@dataclasses.dataclass(order=True)
class Ev: t: float; seq: int; kind: str = dataclasses.field(compare=False)
class Sim:
    def __init__(self, seed, lam, mu): self.r = random.Random(seed); self.q = []; self.c = itertools.count(); self.lam, self.mu = lam, mu; self.waiting = collections.deque(); self.busy = False; self.waits = []; self.now = 0.
    def at(self, dt, kind): heapq.heappush(self.q, Ev(self.now + dt, next(self.c), kind))
    def run(self, n):
        self.at(self.r.expovariate(self.lam), 'arrive'); done = 0
        while done < n:
            e = heapq.heappop(self.q); self.now = e.t
            if e.kind == 'arrive':
                self.waiting.append(self.now); self.at(self.r.expovariate(self.lam), 'arrive')
            else: self.busy = False; done += 1
            if not self.busy and self.waiting: self.busy = True; self.waits.append(self.now - self.waiting.popleft()); self.at(self.r.expovariate(self.mu), 'depart')
        return sum(self.waits) / len(self.waits)
s = Sim(3, .8, 1.); print(f'{s.run(2000):.9f} {s.now:.6f} {len(s.waiting)} {max(s.waits):.6f}')
rng = np.random.default_rng(7); pos = np.zeros((1000, 2)); 
for t in range(50): pos += rng.normal(scale=.1, size=pos.shape)
print(np.round((pos ** 2).sum(1).mean(), 6)); P = np.array([[.9, .1, 0], [.2, .7, .1], [0, .3, .7]]); st = np.array([1., 0, 0])
for _ in range(200): st = st @ P
print(st.round(5)); cdf = P.cumsum(1); x = 0; path = []
for u in rng.random(30): x = int(np.searchsorted(cdf[x], u)); path.append(x)
print(path); g = np.zeros((8, 8), int); g[1:4, 2] = g[3, 1] = g[2, 0] = 1
for _ in range(4): nb = sum(np.roll(g, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)) - g; g = ((nb == 3) | (g & (nb == 2))).astype(int)
print('\n'.join(''.join('.#'[c] for c in r) for r in g)); u = np.zeros(21); u[10] = 1
for _ in range(30): u[1:-1] += .25 * (u[2:] - 2 * u[1:-1] + u[:-2])
print(u.round(4), u.sum().round(6)); y, v, h = 1., 0., .01
for i in range(314): k1 = -y; k2 = -(y + h / 2 * v); v += h * k2; y += h * v
print(f'{y:.6f} {v:.6f}'); c = np.random.RandomState(3); print(c.randn(3), c.rand(2), c.randint(0, 10, 5), c.choice(5, 3, replace=False), c.permutation(4), c.normal(2, 3), c.uniform(), c.binomial(10, .5, 3), c.poisson(4, 3), c.exponential(2.), c.beta(1, 2), c.gamma(2.), c.multivariate_normal([0, 0], np.eye(2)), c.standard_normal(2), c.shuffle, sep='\n') if False else print(c.randn(3), c.rand(2), c.randint(0, 10, 5), c.choice(5, 3, replace=False), c.permutation(4))
print(rng.integers(0, 5, (2, 3)), rng.choice(4, 4), rng.choice(10, 3, replace=False), rng.poisson(3., 4), rng.binomial(10, .3, 4), rng.exponential(size=2), rng.gamma(2., size=2), rng.beta(1, 2), rng.multinomial(10, [.2, .3, .5]), rng.dirichlet([1, 1, 1]), rng.triangular(0, 1, 2), rng.geometric(.3, 3), rng.standard_t(3), rng.chisquare(2), rng.laplace(), rng.bytes(4), rng.multivariate_normal([0, 1], [[1, .5], [.5, 2]]), rng.spawn(1)[0].random(), np.random.SeedSequence(5).generate_state(2), sep='\n')
