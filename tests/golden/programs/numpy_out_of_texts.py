# Results of ufuncs may go into arrays of texts and of objects.
import numpy as np

texts, objects = np.array(["a", "bc"]), np.array([None, 1], object)
print(repr(np.power(np.float16(2), (2, 2), texts)), repr(np.add((1, 2), (3, 4), objects)), repr(np.equal((1, 2), (1, 3), objects)))
print(np.divmod([1, 2], [1, 2], objects, texts), texts, objects)
try:
    np.multiply.outer((1,), (2, 3), out=objects)
except ValueError as e:
    print(e)
