# Powers that wrap, and of complex numbers.
import numpy as np
print(2 ** np.array([6, 2**64-4], np.uint64), np.float_power(np.array([1+1j], np.complex64), 2), np.array([3], np.int8) ** np.int8(5))
