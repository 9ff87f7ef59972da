# Integers beyond int64, in lists, as scalars, beside arrays of uint64.
import numpy as np
print(np.array([2**63]), np.array([2**64-5], np.uint64), np.array([2**63, 5], np.uint64), np.array([2**63, 1]).dtype, np.uint64(2**64-1), np.array(2**64-1), np.array([2**63], np.float32), np.full(2, 2**63+1, np.uint64))
a = np.array([2**64-1, 7], np.uint64)
a[1] = 2**63 + 3
print(a, a == 2**64-1, a + 1, a // 2, a.tolist(), np.add(a, 2**63), a > 2**63)
for f in (lambda: np.array([2**64], np.uint64), lambda: np.array([-1], np.uint64), lambda: a.__setitem__(0, 2**64), lambda: np.uint64(2**64), lambda: np.uint64(-1), lambda: a + 2**64):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
print(np.int64(5) < 2**70, np.int8(3) == 2**100)
