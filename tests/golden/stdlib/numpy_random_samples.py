# Samples without replacement, few and many of many: the two ways to draw them give other numbers.
import numpy as np

for n, count in (10001, 200), (10001, 201), (10000, 5000), (20000, 400), (20000, 401), (20000, 1001), (20000, 20000):
    for shuffle in True, False:
        rng = np.random.default_rng(7)
        drawn = rng.choice(n, count, replace=False, shuffle=shuffle)
        print(n, count, shuffle, drawn[:5], drawn[-2:], len(np.unique(drawn)), drawn.sum(), rng.integers(1000))
