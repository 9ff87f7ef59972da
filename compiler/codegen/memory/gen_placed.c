// SPDX-License-Identifier: Apache-2.0
// Vectors whose lanes take elements of memory in any order: what lies between the first and the
// last of these is read as vectors, never more, and shuffles put the elements into their lanes.
#include "gen_placed.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_type.h"
#include "gen_vector.h"

static Value wider(LlvmGen *g, Value vector, unsigned lanes) {
  Value order[MAX_LANES];
  if (gen_lanes(vector) == 1) return gen_splat(g, vector, lanes);
  for (unsigned i = 0; i < lanes; i++) order[i] = gen_i32(g, i % gen_lanes(vector));
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, lanes), "");
}

// The last part ends with the last element, so that nothing behind that is read.
static Value load_parts(LlvmGen *g, Value first, DType dtype, const Placed *placed,
                        unsigned lanes) {
  unsigned bytes = (unsigned)dtype_size(dtype), width = 1;
  while (width * 2 <= lanes && width * 2 <= placed->span) width *= 2;
  Value found = NULL, mix[MAX_LANES];
  for (int64_t from = 0; from < placed->span; from += width) {
    int64_t start = from + width <= placed->span ? from : placed->span - width;
    Value part = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, width),
                                gen_offset_const(g, first, dtype, start), "");
    gen_set_align(part, bytes);
    if (width < lanes) part = wider(g, part, lanes);
    for (unsigned i = 0; i < lanes; i++) {
      bool is_here = placed->places[i] >= from && placed->places[i] < from + width;
      int64_t place = placed->places[i] - start;
      mix[i] = gen_i32(g, is_here ? (found ? place + lanes : place) : found ? (int64_t)i : 0);
    }
    found = LLVMBuildShuffleVector(g->builder, found ? found : part,
                                   found ? part : LLVMGetPoison(LLVMTypeOf(part)),
                                   LLVMConstVector(mix, lanes), "");
  }
  return found;
}

static Value load_masked(LlvmGen *g, Value first, DType dtype, const Placed *placed,
                         unsigned lanes) {
  Type type = gen_storage_type(g, dtype, lanes);
  Value bits[MAX_LANES], places[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    bits[i] = LLVMConstInt(g->i1, i < placed->span, false);
    places[i] = gen_i32(g, placed->places[i]);
  }
  Value vector = gen_masked_load(g, first, type, (unsigned)dtype_size(dtype),
                                 LLVMConstVector(bits, lanes), LLVMConstNull(type));
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(type),
                                LLVMConstVector(places, lanes), "");
}

Value gen_load_placed(LlvmGen *g, Value first, DType dtype, const Placed *placed, unsigned lanes) {
  return g->target->has_masks && placed->span <= lanes ? load_masked(g, first, dtype, placed, lanes)
                                                       : load_parts(g, first, dtype, placed, lanes);
}
