// SPDX-License-Identifier: Apache-2.0
// Concatenations along a short last dimension, as of colours and their opacity: several rows of the
// result are one vector, into which shuffles put the rows of each part.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_short_parts.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_type.h"
#include "codegen/memory/gen_placed.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_value.h"

enum { MOST_PARTS = 4, LEAST_VECTOR = 32 }; // bytes: below, CPUs have no shuffle of any order

typedef struct Parts {
  Mem from[MOST_PARTS], to;
  int64_t sizes[MOST_PARTS], row; // of each in a row, and the row of the result
  unsigned count, lanes;
  int64_t steps; // rows in a vector
} Parts;

static bool is_one_element(const Mem *mem) {
  for (int i = 0; i < mem->rank; i++)
    if (mem->dims[i] != 1 && mem->strides[i] != 0) return false;
  return true;
}

static bool find_parts(LlvmGen *g, const IrOp *op, const Mem *to, Parts *parts) {
  int last = to->rank - 1;
  *parts = (Parts){.to = *to, .count = op->operand_count, .row = to->dims[last]};
  parts->lanes = g->target->vector_bytes / (unsigned)dtype_size(to->dtype);
  if (ir_attr_int(op, ATTR_DIM) != last || parts->count > MOST_PARTS ||
      g->target->vector_bytes < LEAST_VECTOR || parts->lanes > MAX_LANES || !mem_is_dense(to) ||
      parts->row * 2 > parts->lanes || mem_count(to) < parts->lanes)
    return false;
  parts->steps = parts->lanes / parts->row;
  for (unsigned i = 0; i < parts->count; i++) {
    parts->from[i] = value_mem(g, op->operands[i]);
    parts->sizes[i] = op->operands[i]->type->dims[last];
    if (parts->sizes[i] == 0 ||
        (!mem_is_dense(&parts->from[i]) && !is_one_element(&parts->from[i])))
      return false;
  }
  return true;
}

// The part's elements of `steps` rows, where they belong in the vector.
static Value load_part(LlvmGen *g, const Parts *parts, unsigned part, int64_t start, Value row,
                       int64_t steps) {
  const Mem *from = &parts->from[part];
  bool is_one = is_one_element(from);
  int64_t size = parts->sizes[part];
  Placed placed = {.span = is_one ? 1 : steps * size};
  for (unsigned i = 0; i < parts->lanes; i++) {
    int64_t at = i % parts->row - start, step = i / parts->row;
    bool is_here = at >= 0 && at < size && step < steps;
    placed.places[i] = is_here && !is_one ? step * size + at : 0;
  }
  Value first =
      is_one ? from->base : gen_offset(g, from->base, from->dtype, gen_mul_const(g, row, size));
  return gen_load_placed(g, first, from->dtype, &placed, parts->lanes);
}

static void store_rows(LlvmGen *g, const Parts *parts, Value row, int64_t steps) {
  DType dtype = parts->to.dtype;
  Value found = NULL, mix[MAX_LANES];
  int64_t start = 0;
  for (unsigned part = 0; part < parts->count; start += parts->sizes[part++]) {
    Value own = load_part(g, parts, part, start, row, steps);
    for (unsigned i = 0; i < parts->lanes; i++) {
      int64_t at = i % parts->row - start;
      mix[i] = gen_i32(g, at >= 0 && at < parts->sizes[part] ? i + parts->lanes : i);
    }
    found = found ? LLVMBuildShuffleVector(g->builder, found, own,
                                           LLVMConstVector(mix, parts->lanes), "")
                  : own;
  }
  Value address = gen_offset(g, parts->to.base, dtype, gen_mul_const(g, row, parts->row));
  gen_store_first(g, found, address, dtype, (unsigned)(steps * parts->row));
}

bool concat_short_parts(LlvmGen *g, const IrOp *op, const Mem *to) {
  Parts parts;
  if (to->rank == 0 || !find_parts(g, op, to, &parts)) return false;
  int64_t rows = mem_count(to) / parts.row, whole = rows / parts.steps * parts.steps;
  Loop loop;
  loop_begin_count(g, &loop, whole, parts.steps, 0, NULL);
  store_rows(g, &parts, loop.index, parts.steps);
  loop_end(g, &loop, NULL);
  if (whole < rows) store_rows(g, &parts, gen_i64(g, whole), rows - whole);
  return true;
}
