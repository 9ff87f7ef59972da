# Elements that are converted on their way: errors are reported, orders kept; arrays joined and taken from in all forms.
import warnings
import numpy as np


def told(f):
    with warnings.catch_warnings(record=True) as all:
        warnings.simplefilter("always")
        result = f()
    return result, [str(w.message) for w in all]


x = np.array([[1.5, 1e39, -np.inf], [np.nan, -1e39, 0.1]])
f = np.asfortranarray(x)
for a in (x, f, x[:, ::2], x.T, x[::-1], (x + 1j * x).real):
    print(told(lambda: a.astype(np.float32)), a.astype(np.float32).strides, a.astype(np.float32, order="C").strides, a.astype(np.float32, order="F").strides)
print(told(lambda: x[:1, :1].astype(np.float32)), told(lambda: np.array([np.inf]).astype(np.float32)), told(lambda: np.array([1e10, 1]).astype(np.int32)[1]))


def store(to, key, value):
    to[key] = value
    return to


print(told(lambda: store(np.zeros((2, 3), np.float32), slice(None), x)))
print(told(lambda: store(np.zeros((2, 3), np.float32), slice(None), np.arange(3))), told(lambda: store(np.zeros((2, 3), np.int8), slice(None), x[0, :1])))
print(told(lambda: store(np.zeros((2, 3), np.float16, order="F"), (slice(None), slice(1)), np.array([[1.0], [70000.0]]))))
a = np.arange(6)
print(told(lambda: store(a.view(np.int32), slice(0, 6), a[::-1]))[0])
try:
    store(np.zeros((2, 3), np.float32), slice(None), np.zeros(4))
except ValueError as e:
    print(e)
row = np.arange(5.0)
print(row.take([1, 2]), row.take(np.array([[0], [-1]])), row.take([]), row.take([True, False]), row.take(3), row.take([7, 1], mode="clip"), row.take([1], axis=0), row.take(np.uint8([4])))
for bad in ([9], np.array([0.5]), [1.5]):
    try:
        print(row.take(bad))
    except (IndexError, TypeError) as e:
        print(type(e).__name__, e)
m = row.reshape(1, 5)
print(np.concatenate([row, row], 0), np.concatenate((m, m), axis=1).shape, np.concatenate([m, m], None), np.concatenate([[1], [2.5]]), np.concatenate([row, [1]], dtype=int, casting="unsafe"), np.concatenate([m, m], axis=-2).shape, np.concatenate([row[:1], row[:1]], out=np.zeros(2, np.float32)))
for bad in (lambda: np.concatenate([]), lambda: np.concatenate([row, m]), lambda: np.concatenate([m, m], axis=2), lambda: np.concatenate([row, row], dtype=np.int8), lambda: np.concatenate(row)):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__, e)
print(np.transpose(m).shape, np.transpose(np.zeros((2, 3, 4)), (1, 0, 2)).shape, np.transpose([[1, 2]]), np.transpose(np.float64(2)))
print(np.zeros((3, 4)).shape, (row + 1).size, (row * 2).strides, (m + m).T.shape, (row + 1).dtype, (row + row).reshape(5, 1).shape)
print("a" in "banana", "z" in "banana", "" in "", "a" in "", "é" in "café", "ab" == "ac", "ab" == "abc", "x" != "y", chr(97) == "a", "" == str())
h = np.full((3000, 4), 1, np.float16)
print(h.sum(0), h.T.copy().sum(1), h.mean(0), h.sum(), h.sum(keepdims=True), h.T.sum(1), np.full(5000, 1.001, np.float16).prod(), np.full((50, 2), 1.01, np.float16).prod(0), h.std(0), h[::2].sum(0, dtype=np.float32), np.zeros((0, 2), np.float16).sum(0), h.reshape(30, 100, 4).sum((0, 2))[:2])
