# Operators between single numbers of NumPy and of Python: values, types and warnings.
import operator
import warnings

import numpy as np

warnings.simplefilter("always")
OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "eq", "ne", "lt", "le", "gt", "ge", "and_", "xor"]
NUMBERS = [np.float64(2.5), np.float64(-0.0), np.float64("nan"), np.float64(1e308), np.float32(1.5), np.float32(3e38), np.int64(7), np.int64(-7),
           np.int64(2**63 - 1), np.int32(3), 3, -2, 0, 2.5, 1e30, True]
for name in OPERATORS:
    for x in NUMBERS:
        row = []
        for y in NUMBERS:
            if not (isinstance(x, np.generic) or isinstance(y, np.generic)):
                continue
            with warnings.catch_warnings(record=True) as told:
                try:
                    result = getattr(operator, name)(x, y)
                    row.append(f"{result!r}".replace("np.", "") + "!" * len(told))
                except (TypeError, OverflowError) as error:
                    row.append(type(error).__name__)
        print(name, repr(x), *row)
for x in NUMBERS[:10]:
    print(repr(x), float(x), bool(x), int(x) if x == x and abs(x) < 1e30 else "")
x, total = np.float32(0.5), np.float64(0)
for i in range(1000):
    total = total + x * i
print(repr(total), repr(np.float64(3)[None] + x), repr(np.float64(4)[()]), np.full(3, x), np.float32(2)[np.newaxis, np.newaxis].shape)
with np.errstate(under="raise"):
    try:
        print(np.float64(1e-300) * 1e-300)
    except FloatingPointError as error:
        print(error)
a = np.arange(4.0)
print(np.add(a, 1, out=a.copy()), a, np.multiply(a + 1, 2, out=np.empty(4)))
print(np.frombuffer(b"abcdefgh", np.uint16, 2, 2), np.frombuffer(bytearray(b"1234"), "u1"))
for call in (lambda: np.frombuffer(b"abc", np.int16), lambda: np.frombuffer(b"abcd", np.int16, 3), lambda: np.frombuffer(b"ab", np.int8, 1, 3),
             lambda: np.frombuffer(memoryview(b"0a1b")[::2], np.uint8)):
    try:
        call()
    except (ValueError, BufferError) as error:
        print(error)
