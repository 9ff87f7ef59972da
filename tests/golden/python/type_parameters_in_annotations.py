# own: Python 3.11 has no type parameters
import dataclasses
class C[T]:
    a: T = None
    b: list[T] = None
    def f(self, x: T) -> T:
        def inner(y: T) -> list[T]:
            return [y]
        return inner(x)
    class D:
        c: T = 1
def g[T: int, *Ts, **P](x: T, *y: T) -> T:
    z: T = x
    class E:
        w: T = 3
    return E.w
@dataclasses.dataclass
class F[T, U]:
    x: T
    y: list[U] = None
print(C().f(2), C.D.c, g(1), F(1))
type X[T] = list[T]
try:
    class H:
        q: T = 1
except NameError as e:
    print(e)
try:
    def h(x: T): pass
except NameError as e:
    print(e)
