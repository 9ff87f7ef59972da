# A module's annotated names are in its __annotations__, whether or not they have values; those of functions are not.
import sys

x: int = 3
y: list[int]
x: float


def f():
    z: str = "s"
    return z


class C:
    n: int = 1


if f():
    w: dict[str, int] = {}
print(__annotations__, C.__annotations__, sys.modules["__main__"].__annotations__ is __annotations__)
