# What is no number is refused where one element is stored, in NumPy's words; argmin of one number along an axis.
import numpy as np

for dtype in (np.float32, np.int64, np.uint8, np.complex128, np.float16):
    a = np.zeros((2, 3), dtype)
    for value in ([1, 2], [1], np.ones((2, 2)), np.ones((1, 1)), np.ones(1), (1,), np.array(1.0), [[1]], 3):
        try:
            a[0, 1] = value
            print(a[0, 1])
        except Exception as error:
            print(np.dtype(dtype), type(error).__name__, error)
for f in (lambda: np.argmin(True, axis=1), lambda: np.argmin(True, axis=-1), lambda: np.argmax(np.arange(3), axis=1)):
    try:
        print(f())
    except IndexError as error:
        print(type(error).__name__, error)
