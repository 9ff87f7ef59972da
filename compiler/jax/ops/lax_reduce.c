// SPDX-License-Identifier: Apache-2.0
// jax.lax: reductions over axes, cumulative operations, sorting.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "jax/array/scalar_type.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <string.h>

// The reduced axes, each of the operand's own dimensions and once; unlike jnp's, none may be
// negative.
static size_t take_reduced_axes(Eval *ev, Value v, const Aval *aval, int64_t axes[IR_MAX_RANK]) {
  Tuple *items = value_to_tuple(ev, v);
  uint64_t seen = 0;
  bool twice = false, outside = false;
  for (size_t i = 0; i < items->count; i++) {
    int64_t axis = take_int(ev, items->items[i], "axes");
    if (axis < 0 || axis >= aval->rank) {
      outside = true;
      continue;
    }
    twice |= seen >> axis & 1;
    seen |= (uint64_t)1 << axis;
  }
  Str text = value_repr(ev, v_object(items));
  if (twice)
    eval_raise(ev, ev->types.ValueError, "duplicate value in 'axes' of reduction: %.*s",
               STR_FMT(text));
  if (outside)
    eval_raise(ev, ev->types.ValueError,
               "reduction axes %.*s contains out-of-bounds indices for %.*s.", STR_FMT(text),
               STR_FMT(aval_text(ev->arena, aval)));
  size_t count = 0;
  for (int axis = 0; axis < aval->rank; axis++)
    if (seen >> axis & 1) axes[count++] = axis;
  return count;
}

static Value reduce(Eval *ev, const char *what, OpCode code, const char *kinds,
                    Value *a) { // operand, axes
  Aval aval;
  int64_t axes[IR_MAX_RANK];
  take_aval(ev, what, a[0], 0, &aval);
  require_kind(ev, what, aval.dtype, kinds, -1);
  size_t count = take_reduced_axes(ev, a[1], &aval, axes);
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  if (count) x = ir_reduce(trace_builder(ev), code, x, count, axes);
  return array_new(ev, x, aval.weak);
}

#define REDUCE(name, op, kinds)                                                                    \
  Value lax_reduce_##name(Eval *ev, Value *a) {                                                    \
    return reduce(ev, "reduce_" #name, OP_REDUCE_##op, kinds, a);                                  \
  }
REDUCE(prod, PROD, "iufb")
REDUCE(max, MAX, "iufb")
REDUCE(min, MIN, "iufb")
REDUCE(and, AND, "iub")
REDUCE(or, OR, "iub")
REDUCE(xor, XOR, "iub")
#undef REDUCE

Value lax_reduce_sum(Eval *ev, Value *a) {
  refuse_keyword(ev, "reduce_sum", "out_sharding", a[2]);
  return reduce(ev, "reduce_sum", OP_REDUCE_SUM, "iufb", a);
}

static Value arg_reduce(Eval *ev, const char *what, OpCode code,
                        Value *a) { // operand, axis, index_dtype
  Aval aval;
  take_aval(ev, what, a[0], 0, &aval);
  int64_t axis = take_int(ev, a[1], "axis");
  DType dtype = take_requested_dtype(ev, a[2], what);
  if (axis < 0 || axis >= aval.rank)
    eval_raise(ev, ev->types.ValueError, "Invalid axis %lld for operand shape %.*s",
               (long long)axis, STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  if (!dtype_is_integer(dtype))
    eval_raise(ev, ev->types.TypeError, "index_dtype must be an integer type, but got %s",
               dtype_name(dtype));
  if (aval.dims[axis] == 0)
    eval_raise(ev, ev->types.ValueError,
               "argmin and argmax require non-empty reduced dimension. operand.shape=%.*s "
               "axis=%lld",
               STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)), (long long)axis);
  IrValue *x = ir_reduce(trace_builder(ev), code, array_ir(ev, a[0], DT_COUNT), 1, &axis);
  return array_result(ev, ir_convert(trace_builder(ev), x, dtype));
}

Value lax_argmax(Eval *ev, Value *a) { return arg_reduce(ev, "argmax", OP_ARGMAX, a); }
Value lax_argmin(Eval *ev, Value *a) { return arg_reduce(ev, "argmin", OP_ARGMIN, a); }

static Value cumulative(Eval *ev, const char *what, OpCode code, const char *kinds,
                        Value *a) { // operand, axis, reverse
  Aval aval;
  take_aval(ev, what, a[0], 0, &aval);
  require_kind(ev, what, aval.dtype, kinds, -1);
  int64_t axis = take_int(ev, a[1], "axis");
  if (axis < 0) eval_raise(ev, ev->types.ValueError, "XLA operations do not allow negative axes");
  if (axis >= aval.rank)
    eval_raise(ev, ev->types.ValueError, "axis %lld is out of bounds for array of shape %.*s",
               (long long)axis, STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
  bool reverse = take_bool(ev, a[2], "reverse");
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  return array_new(ev, ir_cumulative(trace_builder(ev), code, x, (int)axis, reverse), aval.weak);
}

#define CUMULATIVE(name, op, kinds)                                                                \
  Value lax_##name(Eval *ev, Value *a) { return cumulative(ev, #name, OP_##op, kinds, a); }
CUMULATIVE(cumsum, CUMSUM, "iuf")
CUMULATIVE(cumprod, CUMPROD, "iuf")
CUMULATIVE(cummax, CUMMAX, "iuf")
CUMULATIVE(cummin, CUMMIN, "iuf")
CUMULATIVE(cumlogsumexp, CUMLOGSUMEXP, "f")
#undef CUMULATIVE

// _sort(operands, dimension, num_keys, stable, descending): several arrays of one shape, sorted by
// the first keys.
Value lax_sort_arrays(Eval *ev, Value *a) {
  Tuple *items = value_to_tuple(ev, a[0]);
  size_t count = items->count;
  if (count == 0) eval_raise(ev, ev->types.TypeError, "Sort requires at least one operand");
  Aval first, aval;
  int64_t keys = take_int(ev, a[2], "num_keys");
  if (keys < 1 || keys > (int64_t)count)
    eval_raise(ev, ev->types.ValueError, "num_keys=%lld must be between 1 and len(operand)=%zu",
               (long long)keys, count);
  take_aval(ev, "sort", items->items[0], 0, &first);
  int dim = take_axis(ev, a[1], first.rank, "dimension");
  IrValue **x = ARENA_ARRAY(ev->arena, IrValue *, count);
  const IrType **types = ARENA_ARRAY(ev->arena, const IrType *, count);
  for (size_t i = 0; i < count; i++) {
    take_aval(ev, "sort", items->items[i], i, &aval);
    if (i && (aval.rank != first.rank ||
              memcmp(aval.dims, first.dims, first.rank * sizeof *first.dims) != 0))
      eval_raise(ev, ev->types.TypeError,
                 "Arguments to sort must have equal shapes, got: %.*s and %.*s",
                 STR_FMT(shape_text(ev->arena, first.rank, first.dims)),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
    x[i] = array_ir(ev, items->items[i], DT_COUNT);
    types[i] = x[i]->type;
  }
  IrOp *op = ir_build(trace_builder(ev), OP_SORT, count, x, count, types);
  IrModule *m = trace_module(ev);
  ir_set_int(m, op, ATTR_DIM, dim);
  ir_set_int(m, op, ATTR_KEYS, keys);
  ir_set_int(m, op, ATTR_STABLE, take_bool(ev, a[3], "is_stable"));
  ir_set_int(m, op, ATTR_DESCENDING, take_bool(ev, a[4], "descending"));
  Tuple *results = tuple_new(ev, count);
  for (size_t i = 0; i < count; i++) {
    take_aval(ev, "sort", items->items[i], i, &aval);
    results->items[i] = array_new(ev, op->results[i], aval.weak);
  }
  return v_object(results);
}

// _threefry(k1, k2, x1, x2): u32 arrays of one shape to two.
Value lax_threefry(Eval *ev, Value *a) {
  IrValue *x[4];
  Aval avals[4];
  size_t rank = 0;
  int64_t dims[IR_MAX_RANK];
  for (size_t i = 0; i < 4; i++) {
    take_aval(ev, "threefry2x32", a[i], i, &avals[i]);
    if (!broadcast_dims(&rank, dims, avals[i].rank, avals[i].dims))
      BUG("threefry operands of different shapes");
  }
  for (size_t i = 0; i < 4; i++) x[i] = operand_as(ev, a[i], DT_U32, rank, dims);
  const IrType *types[2] = {x[0]->type, x[0]->type};
  IrOp *op = ir_build(trace_builder(ev), OP_THREEFRY, 4, x, 2, types);
  Value pair[2] = {array_result(ev, op->results[0]), array_result(ev, op->results[1])};
  return make_tuple(ev, 2, pair);
}
