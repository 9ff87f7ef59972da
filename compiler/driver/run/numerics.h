// SPDX-License-Identifier: Apache-2.0
// check --numerics: results with exact products of float32, and with those of the chip.
#pragma once
#include "ir/core/ir.h"

typedef struct Numerics Numerics;

// How the chip makes products: of inputs rounded to bfloat16, or in six passes of such.
typedef enum NumericsWay { NUMERICS_DEFAULT, NUMERICS_HIGHEST, NUMERICS_WAYS } NumericsWay;

typedef struct NumericsResult {
  uint32_t param;
  DType dtype;
  int64_t count, dims[IR_MAX_RANK];
  int rank;
  const IrOp *maker; // NULL: there is none
  Span place;        // where it is made
  Str type;
  bool is_taken;    // by another op of the same call of a function of the library
  bool is_left_out; // what that makes on its way is no result
} NumericsResult;

// One call of a function, before its passes.
typedef struct NumericsCall {
  Arena *arena;
  void **buffers[NUMERICS_WAYS]; // for the chip's calls: results have memory of their own
  VEC(NumericsResult) results;
} NumericsCall;

Numerics *numerics_new(Session *session);
// Whether the function has products that the chip makes otherwise by default, and results to
// compare; then *call is filled, in `arena`.
bool numerics_begin(Numerics *n, Arena *arena, const IrFunc *func, void *const *buffers,
                    NumericsCall *call);
// The same functions in a module of their own. NULL after a diagnostic.
IrModule *numerics_copy(Session *session, const IrModule *module);
// Products that have no precision of their own are made in six passes.
void numerics_six_passes(IrModule *module);
// After all calls: `buffers` are those of the exact one.
void numerics_compare(Numerics *n, const NumericsCall *call, void *const *buffers);
// All that was found.
void numerics_report(const Numerics *n, bool as_json, FILE *out);
