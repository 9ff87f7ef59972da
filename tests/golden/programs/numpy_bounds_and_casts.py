# Bounds, casts and orders at the edges of their types.
import numpy as np
def told(f):
    try: return f()
    except Exception as e: return f"{type(e).__name__}: {e}"
print(told(lambda: np.clip(np.array([5], 'i8'), 0, 2**63)))
print(told(lambda: np.clip(np.array([1, 200], 'u1'), -1, 300)))
print(told(lambda: np.clip(np.array([1, 200], 'u1'), 300, 400)))
print(told(lambda: np.clip(np.array([1, 200], 'u1'), -5, None)))
print(told(lambda: np.clip(np.array([1.5, 200], 'f4'), 0, 2**70)), told(lambda: np.clip(np.array([1, 200], 'i8'), 0, 2**70)))
print(told(lambda: np.clip(np.array([1, 200], 'i8'), 0.5, 2**70)))
print(told(lambda: np.array([1, -7], 'i1').clip(-1000, 1000)), told(lambda: np.array([1, -7], 'i1').clip(-3, 1000)))
for dtype, value in [('i1', 300), ('u1', -1), ('i4', 2**40), ('i4', 2.5), ('?', 300), ('f4', 2.5), ('f4', 3), ('i4', True), ('c8', 2.5), ('?', True), ('f2', np.float64(2)), ('i4', np.int64(3)), ('u1', [1, 2])]:
    x = np.zeros(2, dtype)
    print(dtype, value, told(lambda: np.copyto(x, value)), x)
x = np.zeros(3, 'i4')
np.copyto(x, [5, 6, 7], where=[True, False, True]); print(x)
np.copyto(x, np.array([1.5, 2.5, 3.5]), casting='unsafe'); print(x)
print(told(lambda: np.copyto(x, np.array([1.5, 2.5, 3.5]))))
print(told(lambda: np.copyto([1], 2)))
nan = float('nan')
z = np.array([2 + 0j, complex(1, nan), complex(nan, 1), complex(nan, nan), 0, complex(nan, 0), complex(0, nan)])
print(np.sort(z), np.argsort(z, kind='stable'))
print(np.sort(z.astype(np.complex64)))
print(np.where([True, False], np.ones(2, 'f4'), 2**70), told(lambda: np.where([True, False], np.ones(2, 'i4'), 2**70)))
print(told(lambda: np.where([True, False], 1.5, 2**70)), told(lambda: np.where([True, False], 2**70, 2)))
