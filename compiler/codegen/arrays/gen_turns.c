// SPDX-License-Identifier: Apache-2.0
// Concatenations of a few arrays whose elements take turns in the result: vectors of all of them
// are put together in registers.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_turns.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_type.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_value.h"

typedef struct Turns {
  Mem from[MOST_TURNS], to;
  unsigned count, lanes;
  int lane; // the dimension along which elements of each operand follow one another
} Turns;

// The last dimension with more than one place, but for the one that is concatenated.
static int last_dim(const Mem *to, int dim) {
  int last = to->rank - 1;
  while (last >= 0 && (last == dim || to->dims[last] == 1)) last--;
  return last;
}

static bool can_take_turns(LlvmGen *g, const IrOp *op, const Mem *to, Turns *turns) {
  int dim = (int)ir_attr_int(op, ATTR_DIM), lane = last_dim(to, dim);
  *turns = (Turns){.to = *to, .count = op->operand_count, .lane = lane};
  turns->lanes = g->target->vector_bytes / (unsigned)dtype_size(to->dtype);
  if (lane < 0 || turns->count < 2 || turns->count > MOST_TURNS || to->strides[dim] != 1 ||
      to->strides[lane] != turns->count || to->dims[dim] != turns->count ||
      to->dims[lane] < turns->lanes || turns->lanes > MAX_LANES)
    return false;
  for (unsigned i = 0; i < turns->count; i++) {
    turns->from[i] = value_mem(g, op->operands[i]);
    if (turns->from[i].strides[lane] != 1) return false;
  }
  return true;
}

static void store_turns(LlvmGen *g, const Turns *turns, Value *at, Value start) {
  Value from[MOST_TURNS], to[MOST_TURNS];
  DType dtype = turns->to.dtype;
  unsigned align = (unsigned)dtype_size(dtype), lanes = turns->lanes;
  at[turns->lane] = start;
  for (unsigned i = 0; i < turns->count; i++) {
    Type type = gen_storage_type(g, dtype, lanes);
    from[i] = LLVMBuildLoad2(g->builder, type, mem_address(g, &turns->from[i], at), "");
    gen_set_align(from[i], align);
  }
  gen_take_turns(g, from, turns->count, to);
  Value address = mem_address(g, &turns->to, at);
  for (unsigned i = 0; i < turns->count; i++)
    gen_set_align(
        LLVMBuildStore(g->builder, to[i], gen_offset_const(g, address, dtype, (int64_t)i * lanes)),
        align);
}

// The last vectors begin where they end with the row.
static void row_by_turns(LlvmGen *g, Value const *outer, void *data) {
  const Turns *turns = data;
  Value at[IR_MAX_RANK];
  for (int i = 0; i < turns->to.rank; i++) at[i] = outer[i];
  int64_t size = turns->to.dims[turns->lane], whole = size / turns->lanes * turns->lanes;
  Loop loop;
  loop_begin_count(g, &loop, whole, turns->lanes, 0, NULL);
  store_turns(g, turns, at, loop.index);
  loop_end(g, &loop, NULL);
  if (whole < size) store_turns(g, turns, at, gen_i64(g, size - turns->lanes));
}

bool concat_by_turns(LlvmGen *g, const IrOp *op, const Mem *to) {
  Turns turns;
  if (!can_take_turns(g, op, to, &turns)) return false;
  int64_t dims[IR_MAX_RANK];
  int dim = (int)ir_attr_int(op, ATTR_DIM);
  for (int i = 0; i < to->rank; i++) dims[i] = i == turns.lane || i == dim ? 1 : to->dims[i];
  mem_each(g, to->rank, dims, row_by_turns, &turns);
  return true;
}
