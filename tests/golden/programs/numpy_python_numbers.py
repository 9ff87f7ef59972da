"""NumPy's float64 is a number of Python, too."""
import csv
import io
import json
import math
import numbers
import statistics
import numpy as np

x, z = np.float64(1.5), np.complex128(1 + 2j)
print(isinstance(x, float), issubclass(np.float64, float), isinstance(np.float32(1), float), isinstance(np.int64(1), int))
print(np.float64.__mro__, np.float64.__bases__)
print(json.dumps({"loss": x, "all": [np.float64(2), np.mean(np.arange(4.0))], np.float64(0.5): 1}))
print(x.is_integer(), np.float64(2).is_integer(), x.as_integer_ratio(), x.hex(), float.hex(x), float.__repr__(x), repr(x), str(x), f"{x} {x:.3f} {x!r}")
print(x + 1, 1 + x, type(x + 1), type(1.5 * x), x // 1, 1 // x, x ** 2, -x, abs(x), x == 1.5, 1.5 == x, x < 2, hash(x) == hash(1.5), {1.5: "a"}[x])
print(type(float(x)), float(x), int(x), round(x), type(round(x)), round(x, 1), type(round(x, 1)), math.floor(x), math.sqrt(x), divmod(x, 1), bool(x))
print(type(z * 2), z * 2, complex(z), type(complex(z)), abs(z), z.conjugate(), z.real, z.imag)
print(sum([x, x]), type(sum([x, x])), max(x, 1.0), statistics.mean([x, 2.5]), sorted([np.float64(2), 1.0, x]))
out = io.StringIO()
csv.writer(out).writerow([x, 1.5, np.float32(2), "a"])
print(out.getvalue().strip(), "%s %.2f %r %d" % (x, x, x, x))
match x:
    case float():
        print("a float")
    case _:
        print("none")


class Loss(float):
    pass


print(np.array([x, 1, Loss(2)]), np.add(x, Loss(1)), type(x + Loss(1)), np.float64(Loss(3)), isinstance(x, numbers.Real), isinstance(x, (int, str)))
print(np.float64.fromhex("0x1.8p+0"), type(np.float64.fromhex("0x1.8p+0")), np.array([1.5, 2]).tolist(), json.dumps(np.array([1.5]).tolist()))
