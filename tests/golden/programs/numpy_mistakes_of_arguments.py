"""What NumPy says of indices, axes and sizes that do not fit, and which of two mistakes it says; parts of numbers stay of their type."""
import numpy as np

a = np.arange(6).reshape(2, 3)


def told(f):
    try:
        print(repr(f()))
    except Exception as e:
        print(type(e).__name__, e)


def stored(index, value):
    a[index] = value


# Shapes are compared before bounds.
told(lambda: a[[0, 1], [0, 1, 2]])
told(lambda: a[[0, 5], [0, 1, 2]])
told(lambda: a[[0, 5]])
told(lambda: a[[0, -3], [0, 7]])
told(lambda: stored(([0, 1], slice(None)), np.zeros((2, 2))))
told(lambda: stored(([0, 9],), np.zeros((2, 2))))
told(lambda: stored(([0, 9],), 0))
told(lambda: np.float32(1)[0])
told(lambda: np.float32(1)[()])
told(lambda: len(np.float32(1)))

told(lambda: np.einsum("ii", a))
told(lambda: np.einsum("ii->i", np.arange(9).reshape(3, 3)))
told(lambda: np.arange())
told(lambda: np.add.reduce(a, 7))
told(lambda: np.add.reduce(a, (0, 0)))
told(lambda: np.add.reduce(a, -1))
told(lambda: np.add.reduce(3))
told(lambda: np.diag(np.ones((1, 1, 1))))
told(lambda: np.digitize([1, 2.5], [1, 3, 2]))
told(lambda: np.digitize([0, 1, 2.5, 9], [3, 2, 1]))
told(lambda: np.digitize([0, 1, 2.5, 9], [3, 2, 1], right=True))
told(lambda: np.digitize(1j, [1]))
told(lambda: np.polyfit([1], [1, 2], 1))
told(lambda: np.polyfit([], [], 1))
told(lambda: np.polyfit([1], [1], -1))
told(lambda: np.vectorize(3))
told(lambda: np.apply_along_axis(sum, 5, a))
told(lambda: np.rot90(np.arange(3)))
told(lambda: np.rot90(a, axes=(0, 5)))
told(lambda: np.random.choice(0))
told(lambda: np.random.default_rng(0).choice(0))
told(lambda: np.random.default_rng(0).shuffle(3))

for x in (np.float64(2.5), np.float32(2.5), np.int32(3), np.complex128(1 + 2j), 2.5, 3):
    told(lambda: (x.real, x.imag, np.real(x), np.imag(x), np.isreal(x)))
told(lambda: (np.kron(2, 3), np.gcd(4, 6), np.gcd([4, 9], 6)))

# Where a mask is true, one value or one for each.
told(lambda: stored(a > 9, [1, 2]))
told(lambda: stored(a > 3, [1, 2, 3]))
told(lambda: stored(a > 3, [[1, 2]]))
told(lambda: stored((np.array([True, False]),), np.zeros((1, 4))))
told(lambda: stored(a > 3, [7]))
print(a)
