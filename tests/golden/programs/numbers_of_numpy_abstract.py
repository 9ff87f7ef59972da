# NumPy's numbers belong to the abstract ones.
import numbers
import numpy as np

for number in (np.int8(1), np.uint64(1), np.float32(1), np.float64(1), np.complex64(1), np.bool_(1)):
    print(type(number).__name__, [kind.__name__ for kind in (numbers.Number, numbers.Complex, numbers.Real, numbers.Rational, numbers.Integral) if isinstance(number, kind)])
