# partition and argpartition put what is at their places in order; medians and quantiles are made of them.
import numpy as np

rng = np.random.default_rng(0)
for n in (1, 2, 3, 100, 101, 500, 5000, 20000):
    for kind in (np.float64, np.float32, np.int64, np.int32, np.int8, np.uint16, np.float16):
        x = (rng.standard_normal(n) * 50).astype(kind)
        ordered = np.sort(x)
        for at in ([0], [n - 1], [n // 2], [0, n // 3, n // 2, n - 1]):
            p, places = np.partition(x, at), np.argpartition(x, at)
            assert np.array_equal(np.sort(p), ordered) and np.array_equal(np.sort(places), np.arange(n))
            for k in at:
                assert p[k] == x[places[k]] == ordered[k], (n, kind, k)
                assert (p[:k] <= p[k]).all() and (p[k:] >= p[k]).all() and (x[places[:k]] <= p[k]).all() and (x[places[k:]] >= p[k]).all()
x = np.round(rng.standard_normal((7, 301)), 3)
x[0, 3] = np.nan
print(np.median(x, axis=1), np.median(x[1:]), np.median(x[1:], axis=0)[:3])
print(np.percentile(x[1:], [5, 50, 95]), np.quantile(x[1:], 0.3, axis=1)[:2], np.partition(x[1:], 3, axis=0)[3][:4])
y = np.array([3, 1, 2])
y.partition(1)
print(y, np.partition([3, 1, 2], -1), y.argpartition([0, 1, 2]))
for k in (5, -5):
    try:
        np.partition(np.arange(3), k)
    except ValueError as e:
        print(e)
