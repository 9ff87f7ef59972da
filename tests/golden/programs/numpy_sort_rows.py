# Rows of all lengths and types sorted along each axis: by rank, side by side, digit by digit.
import numpy as np

rng = np.random.default_rng(5)
SHAPES = ((1,), (2,), (7,), (9,), (64,), (127,), (128,), (129,), (300,), (3, 50), (40, 7), (40, 100), (17, 2, 33), (33, 1000), (1000, 18), (9, 2048),
          (9, 2049), (0, 4), (4, 0))
for dtype in (np.float32, np.float64, np.int8, np.int64, np.uint64, np.int32, np.uint16, np.float16, np.bool_, np.complex64):
    total, is_right = 0.0, True
    for shape in SHAPES:
        x = rng.standard_normal(shape) if dtype in (np.float32, np.float64) else rng.integers(0, 60, shape)
        x = x.astype(dtype)
        if x.size > 5 and dtype in (np.float32, np.float64):
            x.ravel()[1:5] = [np.inf, -0.0, np.nan, -np.inf]
        for axis in [None, *range(-len(shape), len(shape))]:
            y, places = np.sort(x, axis), np.argsort(x, axis=axis, kind="stable")
            z = np.take_along_axis(x.ravel() if axis is None else x, places, 0 if axis is None else axis)
            is_right = is_right and y.tobytes() == z.tobytes() or x.dtype.kind == "f" and np.array_equal(y, z, equal_nan=True)
            numbers = np.nan_to_num(np.abs(y.astype(np.complex128)), posinf=3).ravel()
            total += float(places.sum()) + float((numbers * (np.arange(numbers.size) % 7)).sum())
    print(np.dtype(dtype).name, is_right, f"{total:.9g}")

# In place, where it lies otherwise, and where it may not be written.
t = rng.standard_normal((50, 60))
t[:, ::2].sort(0)
print(t[3, :4])
t.T.sort(0)
print(t[5, :4], t[:, 0].sum())
t.sort(1)
print(t[7, -3:])
try:
    np.broadcast_to(np.arange(3), (2, 3)).sort(0)
except ValueError as error:
    print(error)
