// SPDX-License-Identifier: Apache-2.0
// Functions of one float, from float_function.def; the C library's, and the inverse of erf, which
// it does not have.
#include "float_function.h"
#include <math.h>

// Halley's method on erf, on erfc near the ends, from Winitzki's first approximation.
static double float_erf_inv(double y) {
  if (!(fabs(y) < 1)) return fabs(y) == 1 ? copysign(INFINITY, y) : NAN;
  double w = -log1p(-y * y), a = 0.147, t = 2 / (M_PI * a) - w / 2;
  double x = sqrt(sqrt(t * t + w / a) - t);
  double magnitude = fabs(y);
  for (int i = 0; i < 4; i++) {
    double error = magnitude < 0.5 ? erf(x) - magnitude : (1 - magnitude) - erfc(x);
    double slope = M_2_SQRTPI * exp(-x * x);
    double step = error / slope;
    x -= step / (1 + x * step);
  }
  return copysign(x, y);
}

static double float_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

double float_function(FloatFunction function, double x) {
  switch (function) {
#define FLOAT_FUNCTION(id, name, value)                                                            \
  case FLOAT_##id:                                                                                 \
    return value;
#include "float_function.def"
#undef FLOAT_FUNCTION
  case FLOAT_FUNCTION_COUNT: break;
  }
  return NAN;
}
