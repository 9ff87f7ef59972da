# What a program puts over a name of numpy is seen by everybody who asks numpy, and not by numpy itself.
from unittest import mock

import numpy as np

whole = np.array
np.array = lambda *args, **keywords: ("patched", whole(*args, **keywords).tolist())
print(np.array([1, 2]), np.zeros(2), np.stack([[1], [2]]).tolist(), np.mean([1, 2]))
from numpy import array
print(array([3]), "array" in dir(np), np.__dict__["array"] is np.array)
np.array = whole
print(np.array([1, 2]))

with mock.patch.object(np, "square", lambda a: "inner"):
    with mock.patch("numpy.square", lambda a: "innermost"):
        print(np.square(3))
    print(np.square(3), np.var([1.0, 4.0]))
print(np.square(3))

np.twice = lambda x: 2 * x
print(np.twice(3), hasattr(np, "twice"), vars(np)["twice"](4))
del np.twice
print(hasattr(np, "twice"))
try:
    del np.twice
except AttributeError as error:
    print(error)
