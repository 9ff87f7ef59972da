# Windows of samples, and the Bessel function that Kaiser's is made of.
import numpy as np

x = np.linspace(-30, 30, 61)
print([float(f'{v:.13g}') for v in np.i0(x).tolist()])
print(np.i0(2), np.i0([1, 2]), np.i0(np.float32(3)).dtype, np.i0(0.0), np.i0(np.array([[8.0, 8.5]])), repr(np.i0(5)))
for m, beta in ((0, 1), (1, 2), (2, 3.5), (5, 0), (7, 8.6), (12, 14)):
    print(m, [float(f'{v:.13g}') for v in np.kaiser(m, beta).tolist()])
try:
    np.i0(1j)
except TypeError as e:
    print(e)
