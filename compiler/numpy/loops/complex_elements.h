// SPDX-License-Identifier: Apache-2.0
// What loops do to one complex element where C's operators are not NumPy's: included for each type
// of parts, with
//   P         the C type of a part, float or double
//   C(name)   the C library's function of that name on the type: C(sqrt) is csqrtf
//   F(name)   the same of parts: F(fabs) is fabsf
//   OF(x)     x with the type's name at its end

typedef P _Complex OF(complex);

static inline OF(complex) OF(make)(P real, P imag) {
  OF(complex) z;
  __real__ z = real;
  __imag__ z = imag;
  return z;
}

static inline bool OF(is_nan)(OF(complex) x) {
  return __real__ x != __real__ x || __imag__ x != __imag__ x;
}

// Without C's special cases: infinite parts may give NaN, as in NumPy.
static inline OF(complex) OF(times)(OF(complex) x, OF(complex) y) {
  P a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return OF(make)(a * c - b * d, a * d + b * c);
}

// By the larger part of the divisor, so that nothing overflows that need not (Smith 1962).
static inline OF(complex) OF(over)(OF(complex) x, OF(complex) y) {
  P a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  if (F(fabs)(c) >= F(fabs)(d)) {
    if (c == 0 && d == 0) return OF(make)(a / F(fabs)(c), b / F(fabs)(c));
    P ratio = d / c, scale = 1 / (c + d * ratio);
    return OF(make)((a + b * ratio) * scale, (b - a * ratio) * scale);
  }
  P ratio = c / d, scale = 1 / (c * ratio + d);
  return OF(make)((a * ratio + b) * scale, (b * ratio - a) * scale);
}

static inline OF(complex) OF(reciprocal)(OF(complex) x) {
  P c = __real__ x, d = __imag__ x;
  if (F(fabs)(d) <= F(fabs)(c)) {
    P ratio = d / c, scale = c + d * ratio;
    return OF(make)(1 / scale, -ratio / scale);
  }
  P ratio = c / d, scale = c * ratio + d;
  return OF(make)(ratio / scale, -1 / scale);
}

// By the real parts, and by the imaginary ones where these are equal; false for NaN.
static inline bool OF(less)(OF(complex) x, OF(complex) y) {
  P a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return (a < c && b == b && d == d) || (a == c && b < d);
}

static inline bool OF(at_most)(OF(complex) x, OF(complex) y) {
  P a = __real__ x, b = __imag__ x, c = __real__ y, d = __imag__ y;
  return (a < c && b == b && d == d) || (a == c && b <= d);
}

static inline OF(complex) OF(sign)(OF(complex) x) {
  P a = __real__ x, b = __imag__ x, size = F(hypot)(a, b);
  if (OF(is_nan)(x)) return OF(make)((P)NAN, (P)NAN);
  if (size < (P)INFINITY) return size == 0 ? OF(make)(0, 0) : OF(make)(a / size, b / size);
  bool wide = F(fabs)(a) == (P)INFINITY, high = F(fabs)(b) == (P)INFINITY;
  if (wide && high) return OF(make)((P)NAN, (P)NAN);
  return wide ? OF(make)(F(copysign)(1, a), 0) : OF(make)(0, F(copysign)(1, b));
}

static inline OF(complex) OF(power)(OF(complex) x, OF(complex) y) {
  P c = __real__ y, d = __imag__ y;
  if (c == 0 && d == 0) return OF(make)(1, 0);
  if (__real__ x == 0 && __imag__ x == 0) return c > 0 ? OF(make)(0, 0) : OF(make)((P)NAN, (P)NAN);
  if (d == 0 && (c == 1 || c == 2 || c == 3)) { // no product with 1, which makes NaNs of infinities
    OF(complex) all = x;
    for (; c > 1; c--) all = OF(times)(all, x);
    return all;
  }
  if (d == 0 && c == F(trunc)(c) && F(fabs)(c) < 100) {
    OF(complex) all = OF(make)(1, 0), each = x;
    for (unsigned n = (unsigned)F(fabs)(c), bit = 1;; bit <<= 1) {
      if (n & bit) all = OF(times)(all, each);
      if (bit > n / 2) break;
      each = OF(times)(each, each);
    }
    return c < 0 ? OF(over)(OF(make)(1, 0), all) : all;
  }
  return C(pow)(x, y);
}

static inline OF(complex) OF(scaled)(OF(complex) x, double by) {
  return OF(make)((P)(__real__ x * by), (P)(__imag__ x * by));
}

static inline OF(complex) OF(expm1)(OF(complex) x) {
  P a = __real__ x, b = __imag__ x, half = F(sin)(b / 2);
  return OF(make)(F(expm1)(a) * F(cos)(b) - 2 * half * half, F(exp)(a) * F(sin)(b));
}

static inline OF(complex) OF(log1p)(OF(complex) x) {
  P a = __real__ x, b = __imag__ x;
  return OF(make)(F(log)(F(hypot)(a + 1, b)), F(atan2)(b, a + 1));
}

#undef P
#undef C
#undef F
#undef OF
