# complex: literals, arithmetic, texts, comparison, making; each line as CPython prints it.
import copy
import math
import numbers
import operator


def shown(f, *args):
    try:
        return repr(f(*args))
    except Exception as error:
        return f"{type(error).__name__}: {error}"


print(1j, 2.5J, -1j, 3 + 4j, 3 - 0j, -0.0 + 1j, 1e300j, complex(-0.0, -0.0), complex(0, -0.0))
print((1 + 2j) * (3 - 4j), (1 + 2j) / (3 - 4j), (1 + 2j) - 1, 2 - (1 + 2j), (1 + 2j) + 2.5, True + 1j, 10**20 * 1j)
print((1 + 2j)**2, (1 + 2j)**-3, (1 + 2j)**0.5, 2**(1 + 1j), (1 + 2j)**(3 - 1j), (-8)**(1 / 3), (-2.0)**0.5, 0j**0, 0j**2, (2 + 0j)**101)
print(abs(3 + 4j), (3 + 4j).real, (3 + 4j).imag, (3 + 4j).conjugate(), +(3 + 4j), -(3 + 4j), bool(0j), bool(1e-300j))
print(1 + 0j == 1, 1 == 1 + 0j, 1 + 0j == 1.0, 1 + 1j == 1, 1j != 1j, 2**53 + 1 == complex(2**53), (1 + 0j) == True, 1j == "1j")
print(hash(1 + 0j) == hash(1), hash(0.5 + 0j) == hash(0.5), len({1, 1.0, 1 + 0j, 1j, 1j}), hash(1 + 2j) == hash(complex(1, 2)), {1j: "i"}[1j])
print(complex(), complex(1), complex(1, 2), complex(1j, 1j), complex(real=2, imag=3), complex("1+2j"), complex(" ( -1.5e3-2J ) "), complex("j"), complex("-j"),
      complex("1_0.5j"), complex("inf-nanj"), complex("+3"), complex("1e5"), complex("1-j"))
for text in ("", "1+", "1+2", "1 + 2j", "(1+2j", "j1", "1j+2", "0x1j", "1__0j", "a"):
    print(repr(text), shown(complex, text))
for args in (("1", 2), (1, "2"), ([],), (1, []), (None,), (1, None)):
    print(args, shown(complex, *args))
z = 1.5 - 2.25j
print(f"{z}", f"{z:.3f}", f"{z:20}|", f"{z:<20.1f}|", f"{z:^24g}|", f"{z:+.2e}", f"{1j:.2f}", f"{1j}", f"{1j:>8}|", f"{1234567.0 + 2j:,.1f}", f"{z!r:*^15}", "%s" % z, "{:.2}".format(z))
for spec in ("d", "010", "=10", "%", "s"):
    print(spec, shown(format, z, spec))
for op in (operator.lt, operator.ge, operator.floordiv, operator.mod):
    print(shown(op, 1j, 1), shown(op, 1, 1j))
for f, args in ((operator.truediv, (1j, 0)), (operator.truediv, (1, 0j)), (pow, (0j, -1)), (pow, (0j, 1j)), (pow, (1j, 2, 3)), (pow, (1e300 + 1j, 9)), (int, (1j,)), (float, (1j,)),
                (round, (1j,)), (math.sin, (1j,)), (abs, (complex(1e308, 1e308),)), (range, (1j,)), (operator.getitem, ([1], 1j)), (math.floor, (1j,))):
    print(shown(f, *args))
print(sum([1j, 2, 3.5]), sum([1j] * 3, 1), max([3, 1, 2], key=lambda k: abs(k + 1j)), sorted([2j, 1j], key=abs))
print(isinstance(1j, numbers.Complex), isinstance(1j, numbers.Number), isinstance(1j, numbers.Real), isinstance(1, numbers.Complex), type(1j), complex.__name__, isinstance(1j, (int, complex)))
print(copy.copy(1j), copy.deepcopy([1j]))


class Angle:
    def __complex__(self):
        return 1j

    def __radd__(self, other):
        return ("radd", other)


class Real:
    def __float__(self):
        return 2.5


class Index:
    def __index__(self):
        return 7


class Wrong:
    def __complex__(self):
        return 1


class Named(complex):
    def __repr__(self):
        return f"Named({self.real}, {self.imag})"


print(complex(Angle()), 1j + Angle(), complex(Real()), complex(Index(), Real()), shown(complex, Wrong()))
n = Named(1, 2)
print(n, n + 1, n * n, n == 1 + 2j, abs(n), isinstance(n, complex), n.conjugate(), type(complex(n)))
total = 0
for k in range(4):
    total += 1j**k * (k + 1)
print(total)
total *= 2j
print(total, complex.__add__(1j, 2), (1j).__mul__(2), (2).__mul__(1j), complex.conjugate(2 + 1j), (5).conjugate(), (5).imag, 2.5.imag)
match 1j:
    case 0:
        print("zero")
    case 1j:
        print("i")
match 3 - 2j:
    case 3 - 2j:
        print("matched")
    case complex():
        print("some")
print([name for name in ("__add__", "__rmul__", "__truediv__", "__floordiv__", "__mod__", "__divmod__", "__pow__", "__rpow__") if hasattr(1j, name)])
nan = float("nan")
print(complex(nan, 1), complex(1, nan) == complex(1, nan), complex(float("inf"), -float("inf")), 1e400j - 1e400j)
