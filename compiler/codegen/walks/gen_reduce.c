// SPDX-License-Identifier: Apache-2.0
// Reductions. Their order is part of what the compiler promises, and the same for every target,
// tile and number of threads:
//   - along the last dimension, float sums and products are made of SUM_LANES partial ones: the
//   element at place c goes to partial
//     c % SUM_LANES, in row-major order; at the end partial i takes partial i + 32, then i + 16, …
//     i + 1;
//   - along other dimensions, each result takes its elements one after another, in row-major order.
// Sums and products of floats are kept in what the type is computed in, and rounded once, at the
// end. The others do not depend on the order.
#include "ir/core/ops.h"
#include "gen_reduce.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_outlined.h"
#include "ir/core/arithmetic.h"

Value reduction_identity(LlvmGen *g, OpCode code, DType dtype) {
  ElementKind start = arithmetic_neutral(code, dtype);
  return dtype_is_float(dtype)
             ? gen_const_float(g, dtype, 1, arithmetic_float(start, dtype))
             : gen_const_int(gen_compute_type(g, dtype, 1), arithmetic_int(start, dtype));
}

Value reduction_combine(LlvmGen *g, OpCode code, DType dtype, Value x, Value y) {
  return elem_binary(g, arithmetic_of(code)->step, dtype_computed_in(dtype), x, y);
}

// As the accumulators have it.
static Value enter(LlvmGen *g, const Reduction *r, Value value) {
  if (r->of_bits) return emit_as_int(g, value);
  return r->is_negated ? LLVMBuildFNeg(g->builder, value, "") : value;
}

void reduction_step(LlvmGen *g, Reduction *r, size_t at, Value value) {
  r->accumulators[at] =
      reduction_combine(g, r->code, r->dtype, r->accumulators[at], enter(g, r, value));
}

Value reduction_result(LlvmGen *g, const Reduction *r, Value value) {
  if (r->of_bits) value = emit_as_float(g, value);
  if (r->is_negated) value = LLVMBuildFNeg(g->builder, value, "");
  return convert_round(g, r->root->node->value->type->dtype, value);
}

// Of a maximum of floats. Bits of absolute values are in the order of these, NaNs behind all
// others: theirs is one instruction. A minimum needs no look for NaNs (gen_elem.c): without an
// instruction for the maximum, it is that of the numbers with the other sign.
static void choose_domain(LlvmGen *g, Reduction *r, unsigned width) {
  const Node *node = r->root->node;
  bool in_f32 = dtype_computed_in(r->dtype) == DT_F32;
  if (r->code != OP_REDUCE_MAX || !dtype_is_float(r->dtype)) return;
  if (in_f32 && node->kind == NODE_OP && node->value->def->code == OP_ABS) {
    r->of_bits = true;
    r->dtype = DT_I32;
  } else if (!elem_has_greater(g, gen_splat(g, reduction_identity(g, r->code, r->dtype), width))) {
    r->is_negated = true;
    r->code = OP_REDUCE_MIN;
  }
}

void reduction_open(LlvmGen *g, Arena *arena, Reduction *r, const Root *root, unsigned lanes,
                    unsigned count, unsigned width) {
  DType dtype = root->node->value->type->dtype;
  OpCode code = root->op->code;
  *r = (Reduction){.root = root, .code = code, .dtype = dtype, .lanes = lanes, .count = count};
  choose_domain(g, r, width);
  r->identity = reduction_identity(g, r->code, r->dtype);
  r->accumulators = ARENA_ARRAY(arena, Value, count + 1);
  for (unsigned i = 0; i < count; i++) r->accumulators[i] = gen_splat(g, r->identity, lanes);
  r->carried = count;
  if (r->code == OP_REDUCE_MAX && dtype_is_float(r->dtype) &&
      elem_has_greater(g, r->accumulators[0]))
    r->accumulators[r->carried++] = LLVMConstNull(LLVMVectorType(g->i1, lanes));
}

static bool keeps_nans_apart(const Reduction *r) { return r->carried > r->count; }

// NaNs are kept apart, so that one instruction leads from a value of an accumulator to the next.
static void add_number(LlvmGen *g, Reduction *r, unsigned at, Value value) {
  Value *mask = &r->accumulators[r->count];
  *mask = LLVMBuildOr(g->builder, *mask, emit_fcmp(g, LLVMRealUNO, value, value), "");
  r->accumulators[at] = elem_greater(g, r->accumulators[at], value);
}

// `value` in the lanes from `lane` on, the identity in the others.
static Value widen(LlvmGen *g, const Reduction *r, Value value, unsigned lane) {
  unsigned given = gen_lanes(value);
  if (given == r->lanes) return value;
  Value identity = gen_splat(g, r->identity, given == 1 ? r->lanes : given);
  if (given == 1) return LLVMBuildInsertElement(g->builder, identity, value, gen_i32(g, lane), "");
  Value order[MAX_LANES];
  for (unsigned i = 0; i < r->lanes; i++)
    order[i] = gen_i32(g, i >= lane && i < lane + given ? i - lane : given);
  return LLVMBuildShuffleVector(g->builder, value, identity, LLVMConstVector(order, r->lanes), "");
}

void reduction_add(LlvmGen *g, Reduction *r, unsigned at, unsigned lane, Value value,
                   unsigned active) {
  unsigned given = gen_lanes(value);
  value = enter(g, r, value);
  if (active < given) {
    Value bits[MAX_LANES];
    for (unsigned i = 0; i < given; i++) bits[i] = LLVMConstInt(g->i1, i < active, false);
    value = emit_select(g, LLVMConstVector(bits, given), value, gen_splat(g, r->identity, given));
  }
  value = widen(g, r, value, lane);
  if (keeps_nans_apart(r))
    add_number(g, r, at, value);
  else
    r->accumulators[at] = reduction_combine(g, r->code, r->dtype, r->accumulators[at], value);
}

enum { LEAST_LANES = 4 }; // the shortest vector register has four lanes of f32

// Lanes [from, from + count) of a vector, in the first lanes of one of `kept`.
static Value half_of(LlvmGen *g, Value vector, unsigned from, unsigned count, unsigned kept) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < kept; i++)
    order[i] = i < count ? gen_i32(g, from + i) : LLVMGetPoison(g->i32);
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, kept), "");
}

static Value combine(LlvmGen *g, const Reduction *r, Value x, Value y) {
  return keeps_nans_apart(r) ? elem_greater(g, x, y)
                             : reduction_combine(g, r->code, r->dtype, x, y);
}

// All lanes of the accumulators combined into one element. The last steps keep a vector: its unused
// lanes cost nothing, and a scalar maximum would be a branch. Where there is elem_greater, it is of
// whole registers.
static Value fold_lanes(LlvmGen *g, const Reduction *r, Value const *accumulators) {
  Value partial[SUM_LANES];
  for (unsigned i = 0; i < r->count; i++) partial[i] = accumulators[i];
  for (unsigned n = r->count; n > 1; n /= 2)
    for (unsigned i = 0; i < n / 2; i++) partial[i] = combine(g, r, partial[i], partial[i + n / 2]);
  Value vector = partial[0];
  unsigned lanes = gen_lanes(vector);
  for (unsigned n = lanes; n > 1; n /= 2) {
    unsigned kept = n / 2 > LEAST_LANES ? n / 2 : lanes < LEAST_LANES ? lanes : LEAST_LANES;
    if (keeps_nans_apart(r)) kept = lanes;
    vector =
        combine(g, r, half_of(g, vector, 0, n / 2, kept), half_of(g, vector, n / 2, n / 2, kept));
  }
  return lanes > 1 ? LLVMBuildExtractElement(g->builder, vector, gen_i32(g, 0), "") : vector;
}

// The same in a function that all folds of this kind share.
static Value call_fold(LlvmGen *g, Reduction *r) {
  const char *name =
      str_format(g->arena, "fold.%s.%d.%u.%u", op_info(r->code)->name, r->dtype, r->lanes, r->count)
          .data;
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, gen_compute_type(g, r->dtype, 1), r->count,
                     r->accumulators)) {
    Value params[SUM_LANES];
    LLVMGetParams(outlined.function, params);
    outlined_end(g, &outlined, fold_lanes(g, r, params));
  }
  return outlined_call(g, &outlined, r->count, r->accumulators);
}

// NaN if one was met.
static Value put_nan_back(LlvmGen *g, const Reduction *r, Value element) {
  if (!keeps_nans_apart(r)) return element;
  Value bits = LLVMBuildBitCast(g->builder, r->accumulators[r->count],
                                LLVMIntTypeInContext(g->context, r->lanes), "");
  return emit_select(g, emit_icmp_c(g, LLVMIntNE, bits, 0),
                     gen_float_like(g, element, __builtin_nan("")), element);
}

Value reduction_finish_lanes(LlvmGen *g, Reduction *r) {
  bool is_shared = g->shares.reductions && r->lanes > 1;
  Value element = is_shared ? call_fold(g, r) : fold_lanes(g, r, r->accumulators);
  return reduction_result(g, r, put_nan_back(g, r, element));
}
