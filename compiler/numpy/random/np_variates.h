// SPDX-License-Identifier: Apache-2.0
// The other distributions of numpy.random, one deviate at a time, each with NumPy's draws.
#pragma once
#include "np_deviates.h"

enum { MOST_PARAMETERS = 3 };

// What draws a deviate: floats or integers, of up to three parameters.
typedef struct Variate {
  const char *name;
  double (*real)(Stream *s, const Ziggurats *z, const double *p);   // or NULL
  int64_t (*whole)(Stream *s, const Ziggurats *z, const double *p); // or NULL
} Variate;

const Variate *variate_find(Str name); // NULL: there is none
void draw_colors(Stream *s, int64_t colors, const int64_t *balls, int64_t wanted, int64_t *out);
int64_t draw_binomial(Stream *s, double p, int64_t n);
double draw_beta(Stream *s, const Ziggurats *z, double a, double b);
double draw_gamma(Stream *s, const Ziggurats *z, double shape);
