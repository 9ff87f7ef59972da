// SPDX-License-Identifier: Apache-2.0
// Results of a function that is called by a program: what makes them, and NaNs in them.
#pragma once
#include "base/session.h"
#include "ir/core/ir.h"

// The op that makes what the array, a parameter, is given; NULL: there is none.
const IrOp *result_maker(const IrFunc *func, const IrValue *array);
// Where the op is; of a function of the library, what called it.
Span result_place(const Session *session, const IrOp *op);

// A result of floating-point numbers, as it is before the passes change the function.
typedef struct WatchedResult {
  uint32_t param;
  DType dtype;
  int64_t count; // of parts, where numbers are complex
  const char *op;
  Span place;
} WatchedResult;

typedef VEC(WatchedResult) WatchedResults;

void results_watch(const Session *session, Arena *arena, const IrFunc *func, WatchedResults *out);
// "invalid value (nan) encountered in add (f.pk:3)" if a result has what WATCH_… bits ask for;
// empty: none does.
Str results_invalid(const Session *session, const WatchedResults *results, unsigned watch,
                    void *const *buffers);
