# Types of arrays in annotations: numpy.typing, and brackets behind ndarray, dtype and the abstract scalars.
from typing import Any, TypeVar, get_args, get_origin
import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike, DTypeLike, NDArray

S = TypeVar("S", bound=np.generic)
Vector = npt.NDArray[np.float32]
Pair = np.ndarray[tuple[Any, ...], np.dtype[S]]


def scaled(x: NDArray[np.float32], by: ArrayLike = 2, dtype: DTypeLike = None) -> np.ndarray[Any, np.dtype[np.float32]]:
    return np.multiply(x, by, dtype=dtype)


print(scaled(np.ones(2, np.float32)), Vector, NDArray, scaled.__annotations__["x"])
print(Pair[np.int8], Pair.__parameters__, get_args(Vector), get_origin(Vector) is np.ndarray)
for ask in (lambda: np.ndarray[int, int, int], lambda: np.dtype[int, int], lambda: np.floating[Any], lambda: np.float32[int],
            lambda: np.ndarray[()], lambda: np.complexfloating[Any, Any], lambda: np.generic[int], lambda: np.arange(3)[1]):
    try:
        print(ask())
    except TypeError as error:
        print(error)
try:
    class Wide(npt.NBitBase):
        pass
except TypeError as error:
    print(error)
