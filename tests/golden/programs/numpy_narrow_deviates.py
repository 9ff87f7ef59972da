# Normal and exponential deviates of single precision: enough of them that each layer of the ziggurat ends where NumPy's does.
import numpy as np


def summary(x):
    return int(x.view(np.uint32).sum(dtype=np.uint64)), x.min(), x.max()


rng = np.random.default_rng(3)
for _ in range(3):
    print(*summary(rng.standard_normal(400_000, dtype=np.float32)))
rng = np.random.default_rng(4)
for _ in range(2):
    print(*summary(rng.standard_exponential(400_000, dtype=np.float32)))
