// SPDX-License-Identifier: Apache-2.0
// Reductions. Their order is part of what the compiler promises, and the same for every target, tile and number of threads:
//   - along the last dimension, float sums and products are made of SUM_LANES partial ones: the element at place c goes to partial
//     c % SUM_LANES, in row-major order; at the end partial i takes partial i + 32, then i + 16, … i + 1;
//   - along other dimensions, each result takes its elements one after another, in row-major order.
// Sums and products of floats are kept in f32 and rounded once, at the end. The others do not depend on the order.
#include "emit.h"
#include "plan.h"

static Value float_limit(LlvmGen *g, DType dtype, bool least) {
  if (dtype_float_format(dtype).special != 'i') return gen_const_f32(g, 1, least ? dtype_float_min(dtype) : dtype_float_max(dtype));
  return gen_const_f32(g, 1, least ? -__builtin_inf() : __builtin_inf());
}

static Value int_limit(LlvmGen *g, DType dtype, bool least) {
  return gen_const_int(gen_compute_type(g, dtype, 1), least ? dtype_int_min(dtype) : (int64_t)dtype_int_max(dtype));
}

Value reduction_identity(LlvmGen *g, OpCode code, DType dtype) {
  Type type = gen_compute_type(g, dtype, 1);
  switch (code) {
  case OP_REDUCE_SUM:
  case OP_REDUCE_OR:
  case OP_REDUCE_XOR: return LLVMConstNull(type);
  case OP_REDUCE_PROD: return dtype_is_float(dtype) ? gen_const_f32(g, 1, 1.0) : gen_const_int(type, 1);
  case OP_REDUCE_AND: return LLVMConstAllOnes(type);
  case OP_REDUCE_MAX:
  case OP_REDUCE_MIN:
    if (dtype == DT_BOOL) return gen_const_int(type, code == OP_REDUCE_MIN);
    return dtype_is_float(dtype) ? float_limit(g, dtype, code == OP_REDUCE_MAX) : int_limit(g, dtype, code == OP_REDUCE_MAX);
  default: BUG("%s is no reduction", op_info(code)->name);
  }
}

static OpCode element_op(OpCode code) {
  switch (code) {
  case OP_REDUCE_SUM: return OP_ADD;
  case OP_REDUCE_PROD: return OP_MUL;
  case OP_REDUCE_MAX: return OP_MAX;
  case OP_REDUCE_MIN: return OP_MIN;
  case OP_REDUCE_AND: return OP_AND;
  case OP_REDUCE_OR: return OP_OR;
  case OP_REDUCE_XOR: return OP_XOR;
  default: BUG("%s is no reduction", op_info(code)->name);
  }
}

Value reduction_combine(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  return elem_binary(g, element_op(code), dtype_is_float(dtype) ? DT_F32 : dtype, x, y);
}

Value reduction_result(LlvmGen *g, OpCode code, DType dtype, Value value) {
  (void)code;
  return convert_round(g, dtype, value);
}

void reduction_open(LlvmGen *g, Arena *arena, Reduction *r, Root *root, unsigned lanes, unsigned count) {
  DType dtype = root->value->type->dtype;
  OpCode code = root->op->code;
  *r = (Reduction){.root = root, .code = code, .dtype = dtype, .lanes = lanes, .count = count};
  r->identity = reduction_identity(g, code, dtype);
  r->accumulators = ARENA_ARRAY(arena, Value, count);
  for (unsigned i = 0; i < count; i++) r->accumulators[i] = gen_splat(g, r->identity, lanes);
  root->reduction = r;
}

// `value` in the lanes from `lane` on, the identity in the others.
static Value widen(LlvmGen *g, const Reduction *r, Value value, unsigned lane) {
  unsigned given = gen_lanes(value);
  if (given == r->lanes) return value;
  Value identity = gen_splat(g, r->identity, given == 1 ? r->lanes : given);
  if (given == 1) return LLVMBuildInsertElement(g->builder, identity, value, gen_i32(g, lane), "");
  Value order[MAX_LANES];
  for (unsigned i = 0; i < r->lanes; i++) order[i] = gen_i32(g, i >= lane && i < lane + given ? i - lane : given);
  return LLVMBuildShuffleVector(g->builder, value, identity, LLVMConstVector(order, r->lanes), "");
}

void reduction_add(LlvmGen *g, Reduction *r, unsigned at, unsigned lane, Value value, unsigned active) {
  unsigned given = gen_lanes(value);
  if (active < given) {
    Value bits[MAX_LANES];
    for (unsigned i = 0; i < given; i++) bits[i] = LLVMConstInt(g->i1, i < active, false);
    value = emit_select(g, LLVMConstVector(bits, given), value, gen_splat(g, r->identity, given));
  }
  value = widen(g, r, value, lane);
  r->accumulators[at] = reduction_combine(g, r->code, r->dtype, r->accumulators[at], value);
}

static Value half_of(LlvmGen *g, Value vector, unsigned from, unsigned count) {
  Value order[MAX_LANES];
  if (count == 1) return LLVMBuildExtractElement(g->builder, vector, gen_i32(g, from), "");
  for (unsigned i = 0; i < count; i++) order[i] = gen_i32(g, from + i);
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)), LLVMConstVector(order, count), "");
}

Value reduction_finish_lanes(LlvmGen *g, Reduction *r) {
  for (unsigned n = r->count; n > 1; n /= 2)
    for (unsigned i = 0; i < n / 2; i++)
      r->accumulators[i] = reduction_combine(g, r->code, r->dtype, r->accumulators[i], r->accumulators[i + n / 2]);
  Value vector = r->accumulators[0];
  for (unsigned n = r->lanes; n > 1; n /= 2)
    vector = reduction_combine(g, r->code, r->dtype, half_of(g, vector, 0, n / 2), half_of(g, vector, n / 2, n / 2));
  return reduction_result(g, r->code, r->dtype, vector);
}
