// SPDX-License-Identifier: Apache-2.0
// Plans of Fourier transforms of a length, which are kept.
#pragma once
#include "numpy/loops/fft.h"

typedef struct FftPlan FftPlan;
// Of swapped parts the transform is the inverse one, swapped.
static inline FftParts fft_swapped(FftParts x) { return (FftParts){x.im, x.re}; }
FftPlan *fft_plan(Eval *ev, int64_t length);
// Whether so many columns are transformed side by side; else one by one.
bool fft_goes_side_by_side(const FftPlan *plan, int64_t lanes);
// Columns, where `other` has as much room as they. The result is in the one that is given back.
FftParts fft_run(Eval *ev, FftPlan *plan, FftParts x, FftParts other, int64_t lanes);
// What fft_split_halves and fft_join_halves take.
FftParts fft_half_roots(Eval *ev, FftPlan *plan);
