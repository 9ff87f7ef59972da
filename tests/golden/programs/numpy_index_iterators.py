# Iterators over indices, which next() asks; what einsum says of sizes that do not fit.
import numpy as np

pairs = np.ndenumerate([[1, 2], [3, 4]])
print(type(pairs).__name__, next(pairs), list(pairs), isinstance(pairs, np.ndenumerate), list(np.ndenumerate(5)), list(np.ndenumerate(np.zeros((0, 2)))))
indices = np.ndindex(2, 2)
print(type(indices).__name__, next(indices), list(indices), isinstance(indices, np.ndindex), list(np.ndindex(())), list(np.ndindex(0)))
for bad in (-1, 1.5, (2, -1)):
    try:
        print(list(np.ndindex(bad)))
    except Exception as error:
        print(type(error).__name__, error)
for text, *shapes in (("ij,jk", (2, 3), (2, 3)), ("ij,kj,jk->i", (2, 3), (5, 4), (3, 2)), ("ii->i", (2, 3)), ("i,i", (2,), (3,)), ("...i,...i", (2, 3), (4, 3)),
                      ("...i,...i->...", (2, 3), (2, 2)), ("ij,ij->", (2, 3), (1, 4)), ("ij,ij->j", (2, 3), (1, 3))):
    try:
        print(np.einsum(text, *[np.ones(shape) for shape in shapes]).shape)
    except ValueError as error:
        print(text, error)
