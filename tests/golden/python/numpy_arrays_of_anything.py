# What is no number is an element of an array of objects, also if it is of a type of Python's own.
import numpy as np

print(repr(np.array({'a': 1})), np.asarray(max).shape, np.array([{'a': 1}, None]).shape, np.array({1, 2}).item())
print(np.asarray(object()).dtype, np.asarray(x for x in [1]).ndim, np.array([1, {2}], dtype=object).tolist())
