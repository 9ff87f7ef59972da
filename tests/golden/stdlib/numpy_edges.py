# What stands at the edge of what functions take: roots of three of the largest numbers, places that are truth values or floats, bits of nothing,
# masks in tuples, squares of complex zeros and infinities, blanks at the ends of texts.
import os
import tempfile
import numpy as np


def said(function, *args, **kw):
    try:
        return function(*args, **kw)
    except Exception as e:
        return f"{type(e).__name__}: {e}"


large = np.array([1e271, 3e307, 6.1e307, 1e308, -1.7e308, 1.7976931348623157e308, 2.0**900, 2.0**-900])
print(np.abs(np.cbrt(large) / np.array([2.154434690031884e90, 3.1072325059538586e102, 3.9364971831021734e102, 4.641588833612779e102, -5.539658256754465e102,
                                       5.643803094122362e102, 2.0**300, 2.0**-300]) - 1).max() < 4e-16)

a = np.arange(10) * 3
print(np.take(a, [True, False]), np.take(a, np.array([True, False])), np.take(a, True), np.take(a, [1.0, 2.5]), np.take(a, 1.0), a.take([True]), np.take(a, [], 0), said(np.take, a, np.array([1.0])))
print(np.take(a, [True, False], axis=0), np.take(a.reshape(2, 5), [1.0], axis=1).tolist(), np.take(a, np.array(True), axis=0))

for order in ("big", "little"):
    for shape in ((3, 0), (0, 3), (0, 0)):
        x = np.zeros(shape, np.uint8)
        print([np.packbits(x, axis, order).shape for axis in (None, 0, 1)], [np.unpackbits(x, axis, bitorder=order).shape for axis in (None, 0, 1)])
print(said(np.unpackbits, np.uint8([7]), count=-9), np.unpackbits(np.uint8([7]), count=-8))

by_column = np.asfortranarray(np.arange(6.0).reshape(2, 3))
print(by_column @ np.arange(3.0), said(lambda: by_column @ np.arange(4.0)))


def store(index, values):
    b = np.arange(4).reshape(2, 2)
    b[index] = values
    return b.tolist()


mask = np.array([[True, False], [True, True]])
print(store((mask,), [7, 8, 9]), said(store, (mask,), [1, 2]), said(store, (mask,), [[1, 2, 3]]))

zeros = np.array([0j, complex(0, -0.0), complex(-0.0, 0.0), complex(-0.0, -0.0)])
for kind in (np.complex64, np.complex128):
    squares = np.power(zeros.astype(kind), 2)
    print(np.signbit(squares.real), np.signbit(squares.imag), np.power(np.array([1 + 2j, np.inf], kind), [2, 2]), np.power(np.array([np.inf, 2j], kind), [1, 3]))

texts = np.array(["a", "b ", "c"])
print(np.char.equal(texts, ["a ", "b", "d"]), np.char.less(texts, "b"), np.strings.equal(texts, ["a", "b ", "d"]), np.strings.equal(texts, ["a ", "b", "c"]), np.strings.greater(texts, "b"))

print(said(np.hstack, []), np.arange(stop=3), said(np.arange), np.digitize([0.5, 1.5, 3], [1, 2, np.nan]))
print(np.polyval([1, 2], np.int8(100)), np.polyval([1.5, 2], np.float32([1, 2])).dtype, np.float64(2) * np.poly1d([1, 2]), np.poly1d([1, 2]) * np.float64(2), np.poly1d([1j, 2, -3]), type(np.poly1d([1]) == np.poly1d([1])).__name__)

name = os.path.join(tempfile.mkdtemp(), "x")
np.arange(5, dtype=np.int32).tofile(name)
print(said(np.memmap, name, np.int64, "r"), np.memmap(name, np.int64, "r", 4)[0] == 2 << 32 | 1)
