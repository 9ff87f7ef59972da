import zlib
import numpy as np
rng = np.random.default_rng(5)
KINDS = {'random': lambda n: rng.normal(size=n) * 1000, 'few': lambda n: rng.integers(0, 3, n), 'up': lambda n: np.arange(n), 'down': lambda n: np.arange(n)[::-1], 'same': lambda n: np.ones(n), 'saw': lambda n: np.arange(n) % 37}
for dt in (np.int8, np.int16, np.int32, np.int64, np.uint32, np.uint64, np.float32, np.float64):
    for kind, make in KINDS.items():
        crc, held = 0, True
        for n in (0, 1, 63, 64, 65, 128, 129, 200, 1000, 9000):
            a = make(n).astype(dt); s = np.sort(a); o = np.argsort(a, kind='stable'); crc = zlib.crc32(o.tobytes(), zlib.crc32(s.tobytes(), crc))
            if n > 3:
                k = sorted({1, n // 2, n - 2}); p = np.partition(a, k); q = np.argpartition(a, k)
                held = held and all(p[i] == s[i] == a[q[i]] and (p[:i] <= s[i]).all() and (p[i:] >= s[i]).all() and (a[q[:i]] <= s[i]).all() for i in k) and bool((np.sort(p) == s).all() and (np.sort(q) == np.arange(n)).all())
        print(dt.__name__, kind, crc, held)
x = np.array([np.nan, 1, -np.inf, np.nan, 2.0, -3.0] * 300); print(np.sort(x)[[0, 299, 300, 599, 600, 899, 900, 1199, 1200, 1799]], np.argsort(x, kind='stable')[[0, 300, 301, 302, 900, 1200, 1799]], np.unique(x))
