import numpy as np
class Vec:
    __array_priority__ = 10
    def __init__(self, *v): self.v = np.array(v, float)
    def __array__(self, dtype=None, copy=None): return self.v if dtype is None else self.v.astype(dtype)
    def __add__(self, o): return Vec(*(self.v + np.asarray(o)))
    __radd__ = __add__
    def __getitem__(self, i): return self.v[i]
    def __len__(self): return len(self.v)
    def __iter__(self): return iter(self.v)
    def __repr__(self): return f'Vec({", ".join(map(str, self.v))})'
    def __matmul__(self, o): return float(self.v @ np.asarray(o))
    def __eq__(self, o): return np.array_equal(self.v, np.asarray(o))
    def __bool__(self): return bool(self.v.any())
v = Vec(1, 2, 3); print(v + 1, 1 + v, v @ v, np.sum(v), np.asarray(v), list(v), v[1:], v == [1, 2, 3], bool(Vec(0)), np.stack([v, v]), np.linalg.norm(v), max(v), sorted(v, reverse=True), [*v], v + v, np.dot(v, [1, 0, 0]), np.array([v, v]).shape)
a = np.arange(10); a[a > 5] *= 2; a[[0, 0, 1]] += 1; a[::3] = -1; print(a, a[-3:], a[a % 2 == 0], a[np.array([1, -1])], a[None, :3].shape, a[..., 0], a[()][:2]); b = a[2:5]; b[:] = 0; print(a); c = a.copy(); c.sort(); print(c, a.argmax(), a.min(), c.searchsorted(3), a.cumsum()[-1], a.reshape(2, -1).mean(1), a.dot(a), a.clip(0, 5), a.nonzero()[0], a.any(), a.astype(bool).sum(), a.repeat(2)[:4], a.tobytes()[:8], a.byteswap()[1], a.ptp() if hasattr(a, 'ptp') else 'no ptp', a.size, a.ndim, a.T.shape, a.itemsize, a.data.nbytes)
m = np.arange(12).reshape(3, 4); m[1] = [9, 9, 9, 9]; m[:, 2] = 0; m[m == 9] = -9; print(m, m[1:, ::2], m[[0, 2], [1, 3]], m[np.ix_([0, 2], [1, 3])], m.swapaxes(0, 1).shape, m.diagonal(), m.trace(), m.flatten('F'), m.take([0, 2], axis=1), m.sum(axis=(0, 1)), m.max(0, keepdims=True), np.put_along_axis(m, np.array([[0], [1], [2]]), 7, 1), m, m.ravel()[::5], m.compress([1, 0, 1], axis=0), m.choose)if False else print(m, m[[0, 2], [1, 3]])
for bad, f in [
    ('a[10]', lambda: a[10]),
    ('a["x"]', lambda: a["x"]),
    ('a[1.5]', lambda: a[1.5]),
    ('m[0, 0, 0]', lambda: m[0, 0, 0]),
    ('a[[1, 20]]', lambda: a[[1, 20]]),
    ('a.reshape(3)', lambda: a.reshape(3)),
    ('a + [1, 2]', lambda: a + [1, 2]),
    ('m @ m', lambda: m @ m),
    ('np.zeros(-1)', lambda: np.zeros(-1)),
    ('a.astype("q9")', lambda: a.astype("q9")),
    ('int(a)', lambda: int(a)),
    ('bool(a)', lambda: bool(a)),
    ('a.sum(axis=1)', lambda: a.sum(axis=1)),
    ('np.stack([a, m])', lambda: np.stack([a, m])),
    ('np.array([[1, 2], [3]])', lambda: np.array([[1, 2], [3]])),
    ('a[m > 0]', lambda: a[m > 0]),
    ('np.int8(300)', lambda: np.int8(300)),
    ('np.uint8(-1)', lambda: np.uint8(-1)),
    ('m.transpose(0, 0)', lambda: m.transpose(0, 0)),
    ('np.arange(1, 2, 0)', lambda: np.arange(1, 2, 0)),
    ('np.linspace(0, 1, -1)', lambda: np.linspace(0, 1, -1)),
    ('np.concatenate([])', lambda: np.concatenate([])),
    ('np.max([])', lambda: np.max([])),
    ('np.dtype("zz")', lambda: np.dtype("zz")),
    ('np.ones(3).foo', lambda: np.ones(3).foo),
    ('np.nope', lambda: np.nope),
    ('m[:, [0, 9]]', lambda: m[:, [0, 9]]),
    ('np.squeeze(m, 0)', lambda: np.squeeze(m, 0)),
    ('np.broadcast_to(a, (3, 3))', lambda: np.broadcast_to(a, (3, 3))),
    ('a.item()', lambda: a.item()),
    ('np.random.default_rng(-1)', lambda: np.random.default_rng(-1)),
    ('np.random.default_rng(1).integers(5, 2)', lambda: np.random.default_rng(1).integers(5, 2)),
    ('len(np.array(3))', lambda: len(np.array(3))),
    ('np.eye(2)[0] = 1', lambda: np.eye(2)[0] ),
    ('hash(a)', lambda: hash(a)),
    ('np.full((2, 2), [1, 2, 3])', lambda: np.full((2, 2), [1, 2, 3])),
    ('float(np.array([1, 2]))', lambda: float(np.array([1, 2]))),
    ('np.where(a, 1)', lambda: np.where(a, 1)),
    ('np.split(a, 3)', lambda: np.split(a, 3)),
    ('np.percentile(a, 101)', lambda: np.percentile(a, 101)),
    ('np.bincount([-1])', lambda: np.bincount([-1])),
    ('a[::0]', lambda: a[::0]),
    ('np.einsum("ij,jk", a, m)', lambda: np.einsum("ij,jk", a, m)),
    ('np.cross([1], [2])', lambda: np.cross([1], [2])),
]:
    try: print(bad, '->', f())
    except Exception as e: print(bad, '->', type(e).__name__, e)
