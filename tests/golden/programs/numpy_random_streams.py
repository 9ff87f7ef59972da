# Seeded streams: bits, distributions, choices, permutations, of both generations.
import numpy as np

r = np.random.RandomState(42)
print(r.rand(3), r.randn(2), r.randint(0, 10, 5), r.uniform(-1, 1, 2), r.normal(5, 2, 2), r.choice(5, 3), r.choice([10, 20, 30], 2, replace=False), r.permutation(5), r.random_sample(2), r.randint(100), r.standard_normal((1, 2)))
x = np.arange(6)
r.shuffle(x)
print(x, r.exponential(2.0, 2), r.choice(3, 4, p=[0.2, 0.3, 0.5]))
g = np.random.default_rng(7)
print(g.random(3), g.standard_normal(2), g.integers(0, 100, 5), g.integers(5, endpoint=True), g.uniform(0, 10, 2), g.normal(1, 0.5, (1, 2)), g.choice(10, 3, replace=False), g.permutation([1, 2, 3]), g.random(2, dtype=np.float32), g.integers(0, 256, 3, dtype=np.uint8), g.exponential(size=2), g.permuted(np.arange(4)))
np.random.seed(3)
print(np.random.rand(), np.random.randint(5, size=(2, 2)), np.random.random(), np.random.normal(), np.random.permutation(3), np.random.choice(["a", "b"]) if False else "")
p = np.random.default_rng(5)
print(p.integers(0, 1000, 3), p.random(), np.random.Generator(np.random.PCG64(1)).random(), np.random.SeedSequence(1).generate_state(2))
a, b = np.random.default_rng(5), np.random.default_rng(5)
print((a.random(10) == b.random(10)).all())
for f in (lambda: r.choice(3, 5, replace=False), lambda: g.integers(5, 5), lambda: g.choice([], 1), lambda: r.randint(5, 2), lambda: g.normal(0, -1), lambda: g.random(-1), lambda: np.random.default_rng(-1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
