# __new__ of a built-in type takes a class that derives from it, and nothing else.
import numpy as np

kinds = (bytes, bytearray, str, float, complex, list, dict, set, tuple, zip, range, slice, property, type, np.ndarray, np.float32)
for kind in kinds:
    for args in ((...,), (5, 1), (int,), (bool, 3)):
        try:
            kind.__new__(*args)
            print(kind.__name__, args, "made")
        except TypeError as e:
            print(kind.__name__, args, str(e).replace("numpy.", ""))
for out in (5, "a", [1.0]):
    try:
        np.ones((2, 3)).dot(2j, out)
    except (TypeError, ValueError):
        print("no array")
