# Magnitudes of complex numbers are the same wherever they stand, and NumPy's to the last bit on CPUs with AVX-512.
import numpy as np

i = np.arange(1, 400)
for dtype in (np.complex128, np.complex64):
    z = (np.sin(i) * i + 1j * np.cos(i * i)).astype(dtype)
    whole = np.abs(z)
    print(whole.dtype, all(np.abs(v) == w for v, w in zip(z, whole)), np.array_equal(np.abs(z[::3]), whole[::3]), np.array_equal(np.abs(z[5:70]), whole[5:70]))
    print(np.allclose(whole, np.sqrt(z.real.astype(float) ** 2 + z.imag.astype(float) ** 2), rtol=1e-15 if dtype is np.complex128 else 3e-7, atol=0))
    edges = np.array([0, -0.0, complex(np.inf, np.nan), complex(np.nan, -np.inf), complex(np.inf, -np.inf), complex(np.nan, 1), complex(1, np.nan), 3 + 4j, -5 - 12j, 1e-40j, 3e38 + 1j], dtype)
    with np.errstate(all="raise", under="ignore"):
        print(np.abs(edges), [abs(v) for v in edges[:5]], abs(edges[7]), type(abs(edges[7])).__name__)
big = np.array([3e200 + 4e200j, 3e-200 - 4e-200j, 1.5e308 + 1.5e308j])
with np.errstate(over="ignore"):
    print(np.abs(big))

# What ndarray.put, apply_over_axes and broadcast do.
x = np.arange(6).reshape(2, 3)
print(x.put([0, -1], [10, 20]), x, x.put([7, 9], 5, mode="wrap"), x, x.put([99], 1, "clip"), x)
try:
    x.put([6], 1)
except IndexError as e:
    print(e)
print(np.apply_over_axes(np.sum, np.arange(24).reshape(2, 3, 4), [0, -1]), np.apply_over_axes(np.cumsum, np.array([[1, 2], [3, 4]]), 1))
b = np.broadcast([1, 2, 3], [[4], [5]])
print(b.shape, b.size, b.nd, b.ndim, b.numiter, [(int(p), int(q)) for p, q in b], b.index, [f[1] for f in b.iters])
b.reset()
print(next(b))
for places in (9, [1, -1, 7], np.array([[2, 6]])):
    try:
        np.unravel_index(places, (2, 3))
    except ValueError as e:
        print(e)
