# issubclass looks for methods alone; annotations in signatures.
import inspect
from typing import Annotated, Optional, Protocol, runtime_checkable


@runtime_checkable
class Kernel(Protocol):
    name: str

    def __call__(self, x: int) -> int: ...


@runtime_checkable
class Sized(Protocol):
    def size(self): ...


class Relu:
    name = "relu"

    def __call__(self, x):
        return max(x, 0)

    def size(self):
        return 1


def scale(x: Annotated[float, "meters"], y: Optional[int] = None) -> Annotated[list[int], 3]: ...


print(isinstance(Relu(), Kernel), isinstance(3, Kernel), issubclass(Relu, Sized), issubclass(int, Sized), inspect.signature(scale))
try:
    issubclass(Relu, Kernel)
except TypeError as e:
    print(e)
