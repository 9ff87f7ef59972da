# ufuncs as objects: attributes, out, where, dtype, casting, methods, frompyfunc, vectorize.
import numpy as np

print(np.add, np.add.nin, np.add.nout, np.add.nargs, np.add.identity, np.multiply.identity, np.maximum.identity, np.add.__name__, isinstance(np.sin, np.ufunc), type(np.exp).__name__, np.divmod.nout)
o = np.zeros(3)
print(np.add([1, 2, 3], 1, out=o), o, np.add([1, 2, 3], 1, o) is o, np.multiply(o, 2, out=o), o, np.sqrt([4, 9, 16], out=(o,)), np.add(1, 2, dtype=np.float32).dtype)
print(np.add([1, 2, 3], 10, where=[True, False, True], out=np.full(3, -1)), np.exp(np.zeros(2), out=np.empty(2, np.float32)), np.negative(o, out=o)[0], np.true_divide([1, 2], 2, out=np.zeros(2)))
i = np.zeros(2, int)
for f in (lambda: np.add([1.5, 2], 1, out=i), lambda: np.add([1, 2, 3], 1, out=i), lambda: np.add(1), lambda: np.add([1], [2], [3]), lambda: np.add([1, 2], [1, 2, 3]), lambda: np.bitwise_and(1.5, 2), lambda: np.add.reduce(5), lambda: np.sin.reduce([1]), lambda: np.add.at([1], [0], 1)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, str(e)[:120])
print(np.add([1.5, 2], 1, out=i, casting="unsafe"), np.subtract.outer([1, 2], [3, 4]), np.maximum.at(i, [0, 0], [9, 5]), i, np.multiply.reduce([[1, 2], [3, 4]], axis=1), np.add.reduce([1, 2], initial=10), np.logical_or.accumulate([False, True, False]))
f = np.frompyfunc(lambda a, b: a * 10 + b, 2, 1)
v = np.vectorize(lambda a, b=1: a + b, otypes=[float])
print(v([1, 2], 3), v([1, 2]), np.vectorize(len)(["ab", "c"]) if False else "", np.apply_along_axis(lambda r: r.max() - r.min(), 1, np.arange(6).reshape(2, 3)), np.piecewise([1.0, 5.0], [np.array([True, False]), np.array([False, True])], [lambda x: -x, 2]))
x = np.arange(5)
x += 3
x *= 2
x -= 1
x //= 2
x **= 2
x %= 7
x |= 8
x ^= 1
x <<= 1
print(x, x.dtype)
for f in (lambda: x.__itruediv__(2), lambda: x.__iadd__(1.5), lambda: x.__iadd__(np.ones((2, 5), int))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__, e)
