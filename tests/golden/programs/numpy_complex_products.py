# Products of complex numbers are rounded in the same way however many there are, and however they lie.
# own: those of NumPy's complex64 depend on how many there are
import numpy as np


def numbers(seed, dtype):
    rng = np.random.default_rng(seed)
    return (rng.standard_normal(200) + 1j * rng.standard_normal(200)).astype(dtype)


for dtype in (np.complex64, np.complex128):
    x, y = numbers(1, dtype), numbers(2, dtype)
    product, scaled, squares = x * y, x * y[3], np.square(x)
    for count in range(1, 70):
        for some in (slice(0, count), slice(7, 7 + count), slice(0, 2 * count, 2), slice(count, 0, -1)):
            assert np.array_equal(x[some] * y[some], product[some]), (dtype, some)
            assert np.array_equal(x[some] * y[3], scaled[some]), (dtype, some)
            assert np.array_equal(np.square(x[some]), squares[some]), (dtype, some)
    print(np.dtype(dtype), "the same")
