// SPDX-License-Identifier: Apache-2.0
// Deviates that numpy.random draws most, one by one: normal, exponential and those by inversion.
//   Normal and exponential: Marsaglia and Tsang 2000 (ziggurat, 256 layers); of the older
//   functions, Marsaglia's polar method and inversion.
#pragma once
#include "np_stream.h"

enum { LAYERS = 256 };

typedef struct Ziggurat {
  uint64_t k[LAYERS];
  double w[LAYERS], f[LAYERS];
} Ziggurat;

typedef struct Ziggurats {
  Ziggurat wide, narrow;                    // normal, for double and for float
  Ziggurat exponential, narrow_exponential; // the same
} Ziggurats;

typedef enum Draw {
  DRAW_UNIT,
  DRAW_NORMAL,
  DRAW_INTEGERS,
  DRAW_EXPONENTIAL,
  DRAW_LAPLACE,
  DRAW_GUMBEL,
  DRAW_LOGISTIC,
  DRAW_INVERTED_EXPONENTIAL
} Draw;

const Ziggurats *ziggurats(Eval *ev);
double polar_normal(Stream *s);
double draw_normal(Stream *s, const Ziggurats *z);
float draw_normal_float(Stream *s, const Ziggurat *z);
double draw_exponential(Stream *s, const Ziggurats *z);
float draw_exponential_float(Stream *s, const Ziggurat *z);
double draw_inverted(Stream *s, Draw kind); // DRAW_LAPLACE, DRAW_GUMBEL, DRAW_LOGISTIC
