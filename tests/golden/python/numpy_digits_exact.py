# Digits of the exact value, as many as are asked for: cut, rounded up to a ten, or all there are.
import numpy as np
for x in (9.9996, 0.99996, 0.09996, 12345.678, 100.00001, 9.5, 0.0001, 9.9999e-5, 100.0, 1.0000001, 1e22, 5e-324, 0.00012345):
    for x in (x, np.float32(x)) if 1e-40 < x else (x,):
        for digits in (1, 2, 4, 6, 30, 100):
            print(x, digits, *[np.format_float_positional(x, precision=digits, unique=False, fractional=False, trim=trim) for trim in 'k.0-'])
            print(*[np.format_float_scientific(x, precision=digits, unique=False, trim=trim) for trim in 'k.0-'])
        for digits in (1, 2, 4):
            print(*[np.format_float_positional(x, precision=digits, fractional=False, trim=trim) for trim in 'k.0-'])
            print(*[np.format_float_scientific(x, precision=digits, trim=trim) for trim in 'k-'])
