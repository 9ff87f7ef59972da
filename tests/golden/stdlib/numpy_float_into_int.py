# A float of Python that becomes an integer of an array is taken as int() takes it, and must fit; what is cast, wraps.
import numpy as np


def tell(f):
    try:
        print(repr(f()))
    except Exception as error:
        print(type(error).__name__, error)


def assigned(index, value):
    a = np.zeros(2, np.int32)
    a[index] = value
    return a


def filled(value):
    a = np.zeros(2, np.int32)
    a.fill(value)
    return a


for f in (lambda: np.asarray(3e9, np.int32), lambda: np.array([1.5, 3e9], np.int32), lambda: np.array([300.0], np.int8), lambda: np.int8(300.0),
          lambda: np.asarray(float("nan"), np.int32), lambda: np.asarray(float("-inf"), np.int32), lambda: np.asarray(-128.9, np.int8),
          lambda: np.asarray(-129.0, np.int8), lambda: np.uint8(-1.0), lambda: np.uint8(-0.9), lambda: np.asarray(2.0**63, np.uint64),
          lambda: np.asarray(2.0**64, np.uint64), lambda: np.asarray(1e30, np.int64)):
    tell(f)
for value in (7.9, 3e9, float("nan")):
    tell(lambda: assigned(0, value))
    tell(lambda: assigned(slice(None), value))
    tell(lambda: assigned(slice(None), [value, 1]))
    tell(lambda: filled(value))
tell(lambda: np.full(2, 300.0, np.int16))
tell(lambda: np.full(2, 300, np.int8))
tell(lambda: np.full_like(np.zeros(2, np.int16), 2.5))
tell(lambda: np.full_like(np.zeros(2, np.int8), 300))
tell(lambda: np.zeros(2, np.int32) + 3e9)
