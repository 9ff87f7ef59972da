# SPDX-License-Identifier: Apache-2.0
"""Load a shared library of kernels with ctypes and call it on Python's arrays, and on NumPy's where it is. Usage: load_from_python.py LIBRARY"""
import array
import ctypes
import sys

library = ctypes.CDLL(sys.argv[1])
library.prt_error_message.restype = ctypes.c_char_p
floats = ctypes.POINTER(ctypes.c_float)
library.add.argtypes = [ctypes.c_void_p, floats, floats, floats]


def pointer(values):
    return ctypes.cast((ctypes.c_float * len(values)).from_buffer(values), floats)


x, y, out = (array.array('f', [k] * 1024) for k in (1.5, 2.0, 0.0))
status = library.add(None, pointer(x), pointer(y), pointer(out))
assert status == 0, library.prt_error_message()
assert out == array.array('f', [3.5] * 1024)
assert library.add(None, pointer(x), None, pointer(out)) == 1
assert b"'y'" in library.prt_error_message(), library.prt_error_message()

try:
    import numpy as np
except ImportError:
    print('arrays of Python; no NumPy here')
else:
    a, b = np.random.default_rng(0).random((2, 8, 128), np.float32)
    c = np.empty_like(a)
    assert library.add(None, *(v.ctypes.data_as(floats) for v in (a, b, c))) == 0
    np.testing.assert_array_equal(c, a + b)
    print('arrays of Python and of NumPy')
