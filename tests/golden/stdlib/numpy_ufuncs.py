# Functions of elements as objects: out=, where=, dtype=, casting, reduce, accumulate, reduceat, outer, at.
import numpy as np

print(np.add, np.add.nin, np.add.nout, np.add.nargs, np.add.identity, np.maximum.identity, isinstance(np.exp, np.ufunc), np.divide.__name__)
print(np.add.reduce([1, 2, 3]), np.multiply.reduce([[1, 2], [3, 4]]), np.maximum.reduce([[1, 5], [3, 2]], axis=1), np.subtract.reduce([10, 2, 3]))
print(np.add.reduce(np.ones((2, 3, 4)), axis=(0, 2)), np.add.reduce(np.arange(6).reshape(2, 3), axis=None, keepdims=True), np.bitwise_xor.reduce([5, 3, 6]))
print(np.add.reduce([1, 2, 3], initial=10), np.add.reduce([1, 2, 3], where=[True, False, True]), np.minimum.reduce([4, 2], initial=1))
print(np.logical_and.reduce([[True, False], [True, True]]), np.logical_or.reduce([[0, 0], [0, 2]], axis=1), np.hypot.reduce([3.0, 4.0]))
print(np.add.accumulate([[1, 2], [3, 4]]), np.maximum.accumulate([1, 3, 2, 5]), np.subtract.accumulate([10, 1, 2]))
print(np.add.reduceat([1, 2, 3, 4, 5], [0, 2, 4]), np.add.reduceat(np.arange(8), [0, 4, 1, 5]), np.maximum.reduceat([[1, 9], [3, 2], [5, 5]], [0, 2]))
print(np.multiply.outer([1, 2], [3, 4, 5]), np.less.outer([1, 5], [3]), np.add.outer(np.ones((2, 1)), [1, 2]).shape)
a = np.zeros(4)
np.add.at(a, [0, 0, 1], 1)
np.subtract.at(a, [3, 3], [1, 2])
np.negative.at(a, [0])
print(a)
b = np.arange(6).reshape(2, 3)
np.multiply.at(b, ([0, 1, 1], [1, 2, 2]), 3)
print(b)
out = np.empty(3)
same = np.add([1, 2, 3], 1, out=out)
print(same is out, out, np.sqrt([4.0, 9.0, 16.0], out), out, np.add([1, 2], [3, 4], where=[True, False], out=np.full(2, 7)))
print(np.add(1, 2, dtype=np.float32), np.multiply([1, 2], 2, dtype=np.int8).dtype, np.divmod([7, -7], 3), np.add([1, 2], 1, out=(np.zeros(2, int),)))
print(abs(np.array([-1, 2])), divmod(np.array([7, 8]), 3), round(np.float64(2.567), 1), round(np.float32(2.5)), -np.array([1]), ~np.array([1]), 2 ** np.array([3]))
for wrong in (lambda: np.add([1.5], [1], out=np.zeros(1, int)), lambda: np.maximum.reduce([]), lambda: np.add.reduceat([1, 2], [5]), lambda: np.negative.reduce([1]),
              lambda: np.add([1, 2, 3], 1, out=np.zeros(2)), lambda: np.add(1), lambda: np.add.at([1], [0], 1)):
    try:
        print('no error:', wrong())
    except Exception as error:
        print(type(error).__mro__[-3].__name__, error)
table = np.frompyfunc(lambda x, y: x * 10 + y, 2, 1)
print(table([1, 2], 3).tolist(), table.nin)
