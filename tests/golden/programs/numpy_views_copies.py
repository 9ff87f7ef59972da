# Views and copies: who shares with whom, writes through views, read-only arrays, overlapping copies.
import numpy as np
a = np.arange(12).reshape(3, 4)
row, col, rev, t, r, f = a[1], a[:, 1], a[::-1], a.T, a.reshape(4, 3), a[[0, 1]]
row[0], col[0], rev[0, 0], t[3, 0] = 100, 200, 300, 400
print(a, r[0], f[0], sep="\n")
print([np.shares_memory(a, x) for x in (row, col, rev, t, r, f, a.copy(), a.ravel(), a.flatten(), a + 0, a.astype(int), a.astype(int, copy=False), a.view(), np.asarray(a), np.array(a), np.squeeze(a[None]), a.real, np.broadcast_to(a, (2, 3, 4)))])
b = np.arange(6)
b[1:] = b[:-1]; print(b)
b[::-1] = b.copy(); print(b)
b += b[::-1]; print(b)
d = np.broadcast_to([1, 2], (2, 2))
for g in (lambda: d.__setitem__((0, 0), 5), lambda: np.frombuffer(b"ab", np.uint8).__setitem__(0, 1)):
    try: g()
    except ValueError as e: print(e)
e = np.zeros(3); e.flags.writeable = False
try: e[0] = 1
except ValueError as x: print(x)
v = np.arange(4, dtype=np.int32).view(np.uint8); print(v.shape, v[:5], np.array([1.0], np.float32).view(np.int32), np.arange(4, dtype=np.int16).view(np.int32))
w = np.lib.stride_tricks.sliding_window_view(np.arange(5), 3); print(w, np.lib.stride_tricks.as_strided(np.arange(4), (2, 2), (8, 8)))
