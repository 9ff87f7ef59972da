"""numpy.poly1d, and what functions of polynomials give of it."""
import numpy as np

p, q = np.poly1d([1, 2, 3]), np.poly1d([2.5, -1])
for value in (p, q, np.poly1d([0, 0, 1]), np.poly1d([0]), np.poly1d([1, 2], r=True), np.poly1d([1, 0, -3, 0], variable="t"), np.poly1d([1 + 2j, 3])):
    print(repr(value))
    print(value, value.order, value.o, value.variable, len(value), list(value))
print(np.poly1d([1.23456789, -1e10, 1e-7, 5] * 8))
print(p(2), p([1, 2]), repr(p(q)), repr(p + q), repr(p - 1), repr(2 - p), repr(p * q), repr(p * 2), repr(3 * p), repr(p ** 3), repr(-p), p / 2, p / q, 6 / np.poly1d([2]))
print(p.c, p.coeffs, p.coef, p.roots, p.r, p[0], p[1], p[7], p == np.poly1d([1, 2, 3]), p == q, p != q, p == 3)
print(repr(p.deriv()), repr(p.deriv(2)), repr(p.integ()), repr(p.integ(2, k=[1, 2])), repr(np.polyder(p)), np.polyder([3, 2, 1], 2), np.polyint([6, 2], k=7))
print(repr(np.polyadd(p, [1])), np.polymul([1, 1], [1, -1]), repr(np.polysub([1], q)), np.polydiv([1, 3, 2], [1, 1]), np.asarray(p), np.polyval(p, 3))
p[4] = 9
p[0] = -1
print(repr(p))
for wrong in (lambda: np.poly1d([[1]]), lambda: p ** -1, lambda: p.deriv(-1), lambda: setattr(p, "c", [1]), lambda: p.__setitem__(-1, 2), lambda: {p}, lambda: np.polyint([1], -1)):
    try:
        print(wrong())
    except Exception as e:
        print(type(e).__name__, e)
