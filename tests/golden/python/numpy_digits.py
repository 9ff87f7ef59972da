# The digits of NumPy's numbers: shortest ones, also at powers of two, and cut ones.
import numpy as np

for power in (-1074, -1022, -44, -24, -14, 0, 60, 1023):
    print(np.float64(2.0 ** power), repr(np.float64(2.0 ** power)), 2.0 ** power)
for power in (-149, -126, -24, -10, 20, 127):
    print(np.float32(2.0 ** power))
for power in (-24, -20, -14, -10, 0, 11, 15):
    print(np.float16(2.0 ** power))
print(np.format_float_positional(2.0 ** 60), np.format_float_positional(np.float32(2.0 ** 60)), np.format_float_positional(1e23))
for x in (9.9996, 4.88963, 4.0004, 123.9996, 0.00099996, 7.7604):
    for trim in "k.0-":
        print(np.format_float_positional(x, precision=3, trim=trim), np.format_float_positional(x, precision=3, trim=trim, min_digits=2),
              np.format_float_positional(x, precision=4, trim=trim, fractional=False),
              np.format_float_scientific(x, precision=3, trim=trim), np.format_float_scientific(x, precision=3, trim=trim, min_digits=2))
