# SPDX-License-Identifier: Apache-2.0
# Operators that change an array in its memory, and the rules of casts that hold there.
import numpy as np


def told(f):
    try:
        print(f())
    except Exception as e:
        print([c.__name__ for c in type(e).__mro__ if c.__name__ in ("TypeError", "ValueError", "OverflowError")][0], e)


a = np.arange(4.0)
b, row = a, a[1:3]
b += 1
row *= 10
print(a, row)
a[::2] -= 0.5
a[[0, 3]] /= 2
print(a)
m = np.arange(6).reshape(2, 3)
m += np.array([1, 2, 3])
m[:, 1] **= 2
m //= 2
m %= 5
m <<= 1
m |= 1
m &= 7
m ^= 2
m >>= 1
print(m)
x = np.arange(5)
x[1:] += x[:-1]
print(x)
x[:-1] -= x[1:]
print(x)


def add_float():
    c = np.arange(4)
    c += 1.5


def divide():
    c = np.arange(4)
    c /= 2


def grow():
    c = np.arange(3)
    c += np.ones((2, 3), int)


def closed():
    c = np.arange(3)
    c.setflags(write=False)
    c += 1


def wide():
    c = np.zeros(3, np.uint8)
    c += 300


def complex_to_real():
    c = np.zeros(3)
    c += 1j


for f in (add_float, divide, grow, closed, wide, complex_to_real):
    told(f)
c = np.ones(3, np.float32)
c += np.arange(3, dtype=np.float64)
c -= 1
print(c, c.dtype)
s = np.float32(3)
t = s
s += 1
print(s, t, type(s).__name__)
q = np.eye(2)
r = q
q @= np.array([[1.0, 2], [3, 4]])
print(r)
told(lambda: np.arange(3.5).astype(np.int32, casting="safe"))
told(lambda: np.arange(3.5).astype(np.int32, casting="same_kind"))
told(lambda: np.arange(3).astype(np.float64, casting="safe"))
told(lambda: np.arange(3).astype(np.float64, casting="wrong"))
told(lambda: np.uint8(1) + 300)
told(lambda: np.array([300], np.uint8))
told(lambda: np.array([1, 2], np.uint8) < 300)
told(lambda: np.array([1, 2], np.uint64) > -1)
told(lambda: np.int8(-1) == 255)
told(lambda: -np.array([True]))
told(lambda: np.array([1.5]) & 1)
told(lambda: np.array([1.5, np.nan]).astype(bool))
told(lambda: (True + np.array([True]), np.array([True]) // np.array([True]), np.array([True]) << np.array([True])))
told(lambda: (np.arctan2(np.int8(1), np.int8(1)).dtype, (np.int8(1) / np.int8(2)).dtype))
