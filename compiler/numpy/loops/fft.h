// SPDX-License-Identifier: Apache-2.0
// What Fourier transforms are made of (np_fft_plan.c): passes over columns of numbers, whose real
// and imaginary parts lie apart, so that every loop runs along the columns. A matrix is rows of
// `lanes` numbers; a transform goes down each of its columns.
#pragma once
#include "loops.h"

enum { FFT_LARGE_PRIME = 50, FFT_MOST_PASSES = 64 };

typedef struct FftParts {
  double *re, *im;
} FftParts;

// exp(-2 pi i k / n), 0 <= k < n.
void fft_root(int64_t k, int64_t n, double *re, double *im);

// A length whose prime factors are at most FFT_LARGE_PRIME, and the roots that its passes take.
typedef struct FftColumns {
  int64_t length;
  int count;
  int64_t radices[FFT_MOST_PASSES];
  const double *roots[FFT_MOST_PASSES];
} FftColumns;
// What `roots` has room for, in numbers; they are filled in.
int64_t fft_columns_room(FftColumns *columns, int64_t length);
void fft_columns_fill(FftColumns *columns, double *room);
// The rows of `x` begin `pitch` numbers apart. The result, rows of `lanes`, lies in `a` or in `b`:
// the one that is given back.
FftParts fft_columns_run(const FftColumns *columns, FftParts x, int64_t pitch, int64_t lanes,
                         FftParts a, FftParts b);

// A matrix of n x lanes times `factors` (rows of which begin `pitch` apart), turned: column j of it
// becomes row j of `to`, n numbers.
void fft_turn(FftParts to, FftParts x, FftParts factors, int64_t pitch, int64_t n, int64_t lanes);
void fft_times(FftParts x, FftParts y, int64_t count); // x *= y

// Numbers of an array, `step` bytes apart, become rows: column j are those from from[j] on. The
// imaginary part lies `apart` bytes behind the real one; 0: it is 0.
void fft_load(DType part, FftParts to, const char *const *from, int64_t step, int64_t apart,
              int64_t count, int64_t lanes);
// And back, times `scale`; `apart` 0: the real parts alone.
void fft_store(DType part, char *const *to, int64_t step, int64_t apart, FftParts from,
               int64_t count, int64_t lanes, double scale);

// Real numbers of an even count are transformed as half as many complex ones. Of the transform of
// those, h rows, twice that of the real numbers, h + 1 rows; and back, without the factor. `roots`:
// exp(-2 pi i k / 2h) for k up to h / 2.
void fft_split_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes);
void fft_join_halves(FftParts x, FftParts roots, int64_t h, int64_t lanes);
