// SPDX-License-Identifier: Apache-2.0
// Reductions of jax.numpy: sum, max, any, argmax, mean, cumsum, …
#include "ir/core/arithmetic.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "jax/array/scalar_type.h"
#include "python/objects/convert.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "jax/array/arith.h"
#include "jax/array/array.h"
#include "jax/array/operands.h"
#include "jax/array/promote.h"
#include "natives.h"
#include <math.h>
#include <string.h>

typedef struct Reduction {
  const char *name; // in errors
  OpCode code;
  Value a, axis, dtype, initial, where;
  bool keepdims, promote_integers;
} Reduction;

static Value operand_of(Eval *ev, const char *name, Value a, Aval *aval) {
  if (!value_aval(ev, a, false, aval)) take_aval(ev, name, a, 0, aval);
  return a;
}

static IrValue *keep_dims(Eval *ev, IrValue *x, const Aval *aval, size_t count,
                          const int64_t *axes) {
  int64_t dims[IR_MAX_RANK];
  memcpy(dims, aval->dims, sizeof dims);
  for (size_t i = 0; i < count; i++) dims[axes[i]] = 1;
  return ir_reshape(trace_builder(ev), x, aval->rank, dims);
}

// The value that changes nothing.
static IrValue *identity_value(Eval *ev, OpCode code, const IrType *type) {
  uint64_t element = 0;
  arithmetic_store(arithmetic_neutral(code, type->dtype), type->dtype, &element);
  return ir_const(trace_builder(ev), type, &element, 1);
}

static DType promoted_integer(const Eval *ev, DType dtype) {
  switch (dtype_kind(dtype)) {
  case 'b':
  case 'i': return default_int(ev);
  case 'u': return default_uint(ev);
  default: return dtype;
  }
}

static void refuse_axis_names(Eval *ev, const char *name, Value axis) {
  Str text;
  Tuple *tuple = value_as_tuple(axis);
  size_t count = tuple ? tuple->count : 1;
  for (size_t i = 0; i < count; i++)
    if (value_as_str(tuple ? tuple->items[i] : axis, &text))
      eval_raise(ev, ev->types.NameError,
                 "Found an unbound axis name: %.*s. To fix this, please call p%s under "
                 "`jax.shard_map`.",
                 STR_FMT(text), name);
}

static IrValue *masked(Eval *ev, IrValue *x, Value where, OpCode code, const Aval *shape) {
  IrValue *m = operand_as(ev, where, DT_BOOL, shape->rank, shape->dims);
  IrBuilder *b = trace_builder(ev);
  x = ir_broadcast_to(b, x, shape->rank, shape->dims);
  return ir_select(b, m, x, identity_value(ev, code, x->type));
}

static Value reduce(Eval *ev, const Reduction *r) {
  Aval aval;
  int64_t axes[IR_MAX_RANK];
  Value a = operand_of(ev, r->name, r->a, &aval);
  refuse_axis_names(ev, r->name, r->axis);
  DType computed = aval.dtype, result = aval.dtype;
  if (!v_is_none(r->dtype))
    computed = result = take_requested_dtype(ev, r->dtype, r->name);
  else if (r->promote_integers)
    computed = result = promoted_integer(ev, aval.dtype);
  else if (aval.dtype == DT_BOOL && (r->code == OP_REDUCE_SUM || r->code == OP_REDUCE_PROD))
    computed = result = default_int(ev);
  bool monoid_max = r->code == OP_REDUCE_MAX || r->code == OP_REDUCE_MIN;
  if (!v_is_none(r->where) && v_is_none(r->initial) && monoid_max)
    eval_raise(
        ev, ev->types.ValueError,
        "reduction operation %s does not have an identity, so to use a where mask one has to "
        "specify 'initial'",
        r->name);
  Aval shape = aval, mask;
  if (!v_is_none(r->where)) {
    size_t rank = shape.rank;
    take_aval(ev, r->name, r->where, 1, &mask);
    if (mask.dtype != DT_BOOL)
      eval_raise(ev, ev->types.ValueError,
                 "jnp.%s: where must be None or a boolean array; got where.dtype=dtype('%s').",
                 r->name, dtype_name(mask.dtype));
    if (!broadcast_dims(&rank, shape.dims, mask.rank, mask.dims))
      eval_raise(ev, ev->types.ValueError,
                 "Incompatible shapes for broadcasting: shapes=[%.*s, %.*s, ()]",
                 STR_FMT(shape_text(ev->arena, mask.rank, mask.dims)),
                 STR_FMT(shape_text(ev->arena, aval.rank, aval.dims)));
    shape.rank = (uint8_t)rank;
  }
  size_t count = take_axes(ev, r->axis, aval.rank, axes);
  IrValue *x = array_ir_cast(ev, a, computed);
  if (!v_is_none(r->where)) x = masked(ev, x, r->where, r->code, &shape);
  for (size_t i = 0; monoid_max && v_is_none(r->initial) && i < count; i++)
    if (shape.dims[axes[i]] == 0)
      eval_raise(ev, ev->types.ValueError,
                 "zero-size array to reduction operation %s which has no identity", r->name);
  if (count) x = ir_reduce(trace_builder(ev), r->code, x, count, axes);
  if (!v_is_none(r->initial)) {
    Aval initial;
    take_aval(ev, r->name, r->initial, 2, &initial);
    if (initial.rank)
      eval_raise(ev, ev->types.ValueError,
                 "initial value must be a scalar. Got array of shape %.*s",
                 STR_FMT(shape_text(ev->arena, initial.rank, initial.dims)));
    IrValue *start = operand_as(ev, r->initial, x->type->dtype, x->type->rank, x->type->dims);
    x = ir_binary(trace_builder(ev), arithmetic_of(r->code)->step, x, start);
  }
  if (r->keepdims) x = keep_dims(ev, x, &shape, count, axes);
  return array_result(ev, ir_convert(trace_builder(ev), x, result));
}

static bool flag(Eval *ev, Value v, const char *what) {
  return v_is_none(v) ? false : take_bool(ev, v, what);
}

// a, axis, dtype, out, keepdims, initial, where, promote_integers
static Value sum_like(Eval *ev, const char *name, OpCode code, Value *a) {
  refuse_keyword(ev, name, "out", a[3]);
  Reduction r = {name,
                 code,
                 a[0],
                 array_axes_given(ev, a[1]),
                 a[2],
                 a[5],
                 a[6],
                 flag(ev, a[4], "keepdims"),
                 flag(ev, a[7], "promote_integers")};
  return reduce(ev, &r);
}

Value jnp_sum(Eval *ev, Value *a) { return sum_like(ev, "sum", OP_REDUCE_SUM, a); }
Value jnp_prod(Eval *ev, Value *a) { return sum_like(ev, "prod", OP_REDUCE_PROD, a); }

// a, axis, out, keepdims, initial, where
static Value max_like(Eval *ev, const char *name, OpCode code, Value *a) {
  refuse_keyword(ev, name, "out", a[2]);
  Value axis = array_axes_given(ev, a[1]);
  Reduction r = {name, code, a[0], axis, v_none(), a[4], a[5], flag(ev, a[3], "keepdims"), false};
  return reduce(ev, &r);
}

Value jnp_max(Eval *ev, Value *a) { return max_like(ev, "max", OP_REDUCE_MAX, a); }
Value jnp_min(Eval *ev, Value *a) { return max_like(ev, "min", OP_REDUCE_MIN, a); }

// a, axis, out, keepdims, where
static Value any_like(Eval *ev, const char *name, OpCode code, Value *a) {
  refuse_keyword(ev, name, "out", a[2]);
  Aval aval;
  operand_of(ev, name, a[0], &aval);
  Value bools = aval.dtype == DT_BOOL ? a[0] : array_result(ev, array_ir_cast(ev, a[0], DT_BOOL));
  Value axis = array_axes_given(ev, a[1]);
  Reduction r = {name, code, bools, axis, v_none(), v_none(), a[4], flag(ev, a[3], "keepdims"),
                 false};
  return reduce(ev, &r);
}

Value jnp_any(Eval *ev, Value *a) { return any_like(ev, "any", OP_REDUCE_OR, a); }
Value jnp_all(Eval *ev, Value *a) { return any_like(ev, "all", OP_REDUCE_AND, a); }

// a, axis, out, keepdims
static Value arg_like(Eval *ev, const char *name, OpCode code, Value *a) {
  refuse_keyword(ev, name, "out", a[2]);
  Aval aval;
  operand_of(ev, name, a[0], &aval);
  bool keep = flag(ev, a[3], "keepdims"), flat = v_is_none(a[1]);
  int64_t axis = flat ? 0 : take_axis_of_shape(ev, a[1], aval.rank), count = aval_count(&aval);
  if ((flat ? count : aval.dims[axis]) == 0)
    eval_raise(ev, ev->types.ValueError, "attempt to get %s of an empty sequence", name);
  IrValue *x = array_ir(ev, a[0], DT_COUNT);
  if (flat) x = ir_reshape(trace_builder(ev), x, 1, &count);
  IrValue *index = ir_reduce(trace_builder(ev), code, x, 1, &axis);
  index = ir_convert(trace_builder(ev), index, default_int(ev));
  if (keep) {
    int64_t all[IR_MAX_RANK];
    for (int i = 0; i < aval.rank; i++) all[i] = i;
    index =
        flat ? keep_dims(ev, index, &aval, aval.rank, all) : keep_dims(ev, index, &aval, 1, &axis);
  }
  return array_result(ev, index);
}

Value jnp_argmax(Eval *ev, Value *a) { return arg_like(ev, "argmax", OP_ARGMAX, a); }
Value jnp_argmin(Eval *ev, Value *a) { return arg_like(ev, "argmin", OP_ARGMIN, a); }

// `where` in the shape of what is reduced: a count of it is taken there.
static void check_mask(Eval *ev, Value where, const Aval *aval) {
  Aval mask;
  take_aval(ev, "mean", where, 1, &mask);
  Aval asked = *aval;
  mask.dtype = asked.dtype = DT_BOOL;
  check_broadcast_to(ev, mask, &asked);
}

// a, axis, dtype, out, keepdims, where
Value jnp_mean(Eval *ev, Value *a) {
  refuse_keyword(ev, "jnp.mean", "out", a[3]);
  Aval aval;
  operand_of(ev, "mean", a[0], &aval);
  a[1] = array_axes_given(ev, a[1]);
  if (!v_is_none(a[1]) && !value_as_tuple(a[1]) && !value_as_list(a[1]))
    take_axis_of_shape(ev, a[1], aval.rank);
  DType result =
      v_is_none(a[2]) ? inexact_dtype(ev, aval.dtype) : take_requested_dtype(ev, a[2], "jnp.mean");
  DType computed = result == DT_BF16 || result == DT_F16 ? DT_F32 : result;
  bool keep = flag(ev, a[4], "keepdims");
  if (!v_is_none(a[5])) check_mask(ev, a[5], &aval);
  Reduction r = {"mean",   OP_REDUCE_SUM, a[0], a[1], make_dtype(ev, computed),
                 v_none(), a[5],          keep, false};
  Value sum = reduce(ev, &r), count;
  int64_t axes[IR_MAX_RANK], n = 1;
  size_t axis_count = take_axes(ev, a[1], aval.rank, axes);
  for (size_t i = 0; i < axis_count; i++) n *= aval.dims[axes[i]];
  if (v_is_none(a[5]))
    count = v_float((double)n);
  else {
    Value mask = array_result(ev, operand_as(ev, a[5], DT_BOOL, aval.rank, aval.dims));
    Reduction c = {"mean",   OP_REDUCE_SUM, mask, a[1], make_dtype(ev, computed),
                   v_none(), v_none(),      keep, false};
    count = reduce(ev, &c);
  }
  Value mean = array_true_divide(ev, sum, count);
  return array_astype(ev, mean, result);
}

// a, axis, dtype, out
static Value cumulative(Eval *ev, const char *name, OpCode code, Value *a, bool promote) {
  refuse_keyword(ev, name, "out", a[3]);
  Aval aval;
  operand_of(ev, name, a[0], &aval);
  DType dtype = aval.dtype;
  if (!v_is_none(a[2]))
    dtype = take_requested_dtype(ev, a[2], name);
  else if (promote && dtype == DT_BOOL)
    dtype = default_int(ev);
  int axis = v_is_none(a[1]) ? 0 : take_axis(ev, a[1], aval.rank, "axis");
  IrValue *x = array_ir_cast(ev, a[0], dtype);
  if (v_is_none(a[1])) {
    int64_t count = aval_count(&aval);
    x = ir_reshape(trace_builder(ev), x, 1, &count);
  }
  return array_result(ev, ir_cumulative(trace_builder(ev), code, x, axis, false));
}

Value jnp_cumsum(Eval *ev, Value *a) { return cumulative(ev, "cumsum", OP_CUMSUM, a, true); }
Value jnp_cumprod(Eval *ev, Value *a) { return cumulative(ev, "cumprod", OP_CUMPROD, a, true); }
