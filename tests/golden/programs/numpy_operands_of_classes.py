import numpy as np
class A:
    def __array__(self, dtype=None, copy=None): return np.array([1, 2])
class N(A):
    __array_ufunc__ = None
    def __radd__(self, o): return "radd"
def t(f):
    try: print(repr(f()))
    except Exception as e: print(type(e).__name__, e)
t(lambda: np.arange(2) + A()); t(lambda: np.add(A(), 1)); t(lambda: np.arange(2) * A()); t(lambda: A() + np.arange(2)); t(lambda: np.arange(2) == A())
t(lambda: np.arange(2) + N()); t(lambda: np.add(1, N())); t(lambda: np.float32(1) + A())
