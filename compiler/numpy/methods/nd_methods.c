// SPDX-License-Identifier: Apache-2.0
// Methods of numpy.ndarray, which the functions of the numpy module call too. What composes is in
// library/numpy.pk.
#include "numpy/arrays/nd_convert.h"
#include "nd_methods.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/loops/loops.h"
#include "numpy/ufuncs/nd_errors.h"
#include "numpy/arrays/nd_broadcast.h"
#include "nd_index.h"
#include "numpy/arrays/nd_layout.h"
#include "numpy/dtypes/nd_promote.h"
#include "nd_sort.h"
#include "numpy/arrays/nd_watch.h"
#include "numpy/numpy_state.h"
#include "python/builtins/builtin_index.h"
#include "python/modules/module.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/ufuncs/ufunc.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

static NdArray *self_nd(Value v) { return (NdArray *)v.o; }

static NORETURN void raise_axis(Eval *ev, int64_t axis, int rank, const char *name) {
  Value args[] = {v_int(axis), v_int(rank), name ? make_str_c(ev, name) : v_none()};
  value_call_n(ev, module_lookup(ev, "numpy", "_axis_of"), 3, args);
  BUG("an axis error that was not raised");
}

static int64_t axis_number(Eval *ev, Value axis, const char *bool_message) {
  if (axis.kind == V_BOOL) eval_raise(ev, ev->types.TypeError, "%s", bool_message);
  int64_t number;
  if (value_as_int(ev, axis, &number)) return number;
  return take_index64(ev, axis);
}

static uint32_t axes_mask(Eval *ev, Value axis, int rank, const char *bool_message) {
  if (v_is_none(axis)) return (1u << rank) - 1;
  const Tuple *tuple = value_as_tuple(axis);
  uint32_t mask = 0;
  for (size_t i = 0; i < (tuple ? tuple->count : 1); i++) {
    int64_t a = axis_number(ev, tuple ? tuple->items[i] : axis, bool_message);
    if (a < -rank || a >= rank) raise_axis(ev, a, rank, NULL);
    uint32_t bit = 1u << (a < 0 ? a + rank : a);
    if (mask & bit) eval_raise(ev, ev->types.ValueError, "duplicate value in 'axis'");
    mask |= bit;
  }
  return mask;
}

uint32_t nd_axes(Eval *ev, Value axis, int rank) {
  return axes_mask(ev, axis, rank, "an integer is required");
}

int nd_axis(Eval *ev, Value axis, int rank) {
  if (v_is_none(axis) || value_as_tuple(axis))
    eval_raise(ev, ev->types.TypeError, "'%s' object cannot be interpreted as an integer",
               value_type_name(ev, axis));
  return __builtin_ctz(axes_mask(ev, axis, rank, "an integer is required for the axis"));
}

// ---- conversion ---------------------------------------------------------------------------------

// self, dtype, order, casting, subok, copy.
static Value method_astype(Eval *ev, Value *a) {
  if (dtype_says_objects(ev, a[1]))
    return value_call_n(ev, module_lookup(ev, "numpy", "_array_of_objects"), 3,
                        (Value[]){a[0], a[1], v_bool(true)});
  NdArray *nd = self_nd(a[0]);
  DType dtype = take_dtype(ev, a[1], "astype");
  NdCasting casting = take_casting(ev, a[3]);
  if (!nd_can_cast(nd->dtype, dtype, casting))
    eval_raise(ev, ev->types.TypeError,
               "Cannot cast array data from %.*s to %.*s according to the rule %.*s",
               STR_FMT(value_repr(ev, make_dtype(ev, nd->dtype))),
               STR_FMT(value_repr(ev, make_dtype(ev, dtype))), STR_FMT(value_repr(ev, a[3])));
  if (dtype_is_complex(nd->dtype) && !dtype_is_complex(dtype) && dtype != DT_BOOL)
    nd_warn_discarded(ev);
  char order = take_order(ev, a[2]);
  bool is_kept = order == 'K' || (order != 'F' && nd_is_contiguous(nd));
  NdArray *reported = nd->is_scalar || !is_kept ? NULL : nd_cast_reported(ev, nd, dtype);
  if (reported) return made(ev, v_object(reported));
  nd_errors_of_cast(ev, nd, dtype);
  nd = nd_in_order(ev, nd, dtype, order, value_truth(ev, a[5]));
  if (nd == self_nd(a[0])) return a[0];
  return made(ev, self_nd(a[0])->is_scalar ? nd_value(ev, nd) : v_object(nd));
}

static Value method_tolist(Eval *ev, Value *a) { return nd_to_python(ev, self_nd(a[0])); }

static Value method_item(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  const Tuple *at = value_as_tuple(a[1]);
  if (at->count == 0) {
    if (nd_count(nd) != 1)
      eval_raise(ev, ev->types.ValueError,
                 "can only convert an array of size 1 to a Python scalar");
    return nd_item(ev, nd, 0);
  }
  if (at->count > 1) return nd_item(ev, (NdArray *)nd_getitem(ev, a[0], a[1]).o, 0);
  int64_t i = take_int(ev, at->items[0], "index"), n = nd_count(nd);
  if (i < -n || i >= n)
    eval_raise(ev, ev->types.IndexError, "index %lld is out of bounds for size %lld", (long long)i,
               (long long)n);
  return nd_item(ev, nd, i < 0 ? i + n : i);
}

static Value scalar_of(Eval *ev, Value self, Type *type) {
  const NdArray *nd = self_nd(self);
  if (dtype_is_complex(nd->dtype) && type != ev->types.complex) {
    if (!nd->is_scalar && nd->rank == 0)
      eval_raise(ev, ev->types.TypeError, "%s not 'complex'",
                 type == ev->types.integer
                     ? "int() argument must be a string, a bytes-like object or a real number,"
                     : "float() argument must be a string or a real number,");
    nd_warn_discarded(ev);
    nd = nd_parts(ev, nd, false);
  }
  if (nd->rank != 0)
    eval_raise(ev, ev->types.TypeError,
               "only 0-dimensional arrays can be converted to Python scalars");
  Value item = nd_item(ev, nd, 0);
  if ((type == ev->types.floating && item.kind == V_FLOAT) ||
      (type == ev->types.integer && item.kind == V_INT))
    return item;
  return value_call_n(ev, v_object(type), 1, &item);
}

static Value method_int(Eval *ev, Value *a) { return scalar_of(ev, a[0], ev->types.integer); }

static Value method_float(Eval *ev, Value *a) { return scalar_of(ev, a[0], ev->types.floating); }

static Value method_complex(Eval *ev, Value *a) { return scalar_of(ev, a[0], ev->types.complex); }

static Value method_conj(Eval *ev, Value *a) {
  if (!dtype_is_complex(self_nd(a[0])->dtype)) return a[0];
  return nd_unary(ev, UFUNC_CONJ, a[0]);
}

static Value method_copy(Eval *ev, Value *a) {
  NdArray *nd = self_nd(a[0]);
  NdArray *copy = nd_in_order(ev, nd, nd->dtype, take_order(ev, a[1]), true);
  return made(ev, nd->is_scalar ? nd_value(ev, copy) : v_object(copy));
}

static Value method_copy_module(Eval *ev, Value *a) {
  return method_copy(ev, (Value[]){a[0], v_none()});
}

// The array protocol: the array itself, unless another type or a copy is asked for.
static Value method_array(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  DType dtype = a[1].kind == V_NONE ? nd->dtype : take_dtype(ev, a[1], "__array__");
  bool copies = a[2].kind != V_NONE && value_truth(ev, a[2]);
  if (dtype == nd->dtype && !copies) return a[0];
  if (dtype != nd->dtype && a[2].kind != V_NONE && !copies)
    eval_raise(ev, ev->types.ValueError,
               "Unable to avoid copy while creating an array as requested.");
  return v_object((Object *)nd_cast(ev, nd, dtype));
}

static Value method_tobytes(Eval *ev, Value *a) {
  NdArray *nd = self_nd(a[0]);
  nd = nd_in_order(ev, nd, nd->dtype, take_order(ev, a[1]), false);
  nd_look_at(ev, nd);
  size_t size = (size_t)nd_count(nd) * dtype_size(nd->dtype);
  return made(ev, make_bytes(ev, (Str){nd->data, size}));
}

Value nd_memory(Eval *ev, Value self) {
  const NdArray *nd = self_nd(self);
  const char *code = dtype_code(nd->dtype);
  if (dtype_is_extension(nd->dtype))
    eval_raise(ev, ev->types.ValueError, "cannot include dtype '%s' in a buffer", code);
  nd_look_at(ev, nd);
  MemoryView *view = ARENA_NEW(ev->arena, MemoryView);
  *view = (MemoryView){.base.type = ev->types.memoryview,
                       .object = self,
                       .data = nd->data,
                       .format = nd->dtype == DT_C64    ? "Zf"
                                 : nd->dtype == DT_C128 ? "Zd"
                                                        : code,
                       .is_readonly = nd->readonly || nd->is_scalar,
                       .item_size = dtype_size(nd->dtype),
                       .rank = nd->rank};
  memcpy(view->dims, nd->dims, nd->rank * sizeof *nd->dims);
  memcpy(view->strides, nd->strides, nd->rank * sizeof *nd->strides);
  return v_object(view);
}

static Value method_buffer(Eval *ev, Value *a) { return nd_memory(ev, a[0]); }

// Same bytes, another dtype of the same size (or one that divides the last dimension).
static Value method_view(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  if (v_is_none(a[1])) return v_object(nd_view(ev, nd));
  DType dtype = take_dtype(ev, a[1], "view");
  size_t from = dtype_size(nd->dtype), to = dtype_size(dtype);
  if (from != to && nd->rank && nd->dims[nd->rank - 1] != 1 &&
      nd->strides[nd->rank - 1] != (int64_t)from)
    eval_raise(ev, ev->types.ValueError,
               "To change to a dtype of a different size, the last axis must be contiguous");
  NdArray *out = nd_view(ev, nd);
  out->dtype = dtype;
  if (from != to) {
    if (nd->rank == 0 || nd->dims[nd->rank - 1] * (int64_t)from % (int64_t)to)
      eval_raise(ev, ev->types.ValueError,
                 "When changing to a larger dtype, its size must be a divisor of the total size in "
                 "bytes of the last axis of the array.");
    out->dims[nd->rank - 1] = nd->dims[nd->rank - 1] * (int64_t)from / (int64_t)to;
    out->strides[nd->rank - 1] = (int64_t)to;
  }
  return nd->is_scalar ? nd_value(ev, out) : v_object(out);
}

// In place; what is added is 0. Views see their own elements still, which NumPy refuses where it
// can tell.
static Value method_resize(Eval *ev, Value *a) {
  NdArray *nd = self_nd(a[0]);
  const Tuple *given = value_as_tuple(a[1]);
  if (!given->count || (given->count == 1 && v_is_none(given->items[0]))) return v_none();
  Value shape = given->count == 1 && value_as_tuple(given->items[0]) ? given->items[0] : a[1];
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_shape(ev, shape, dims, "shape");
  if (nd->is_view)
    eval_raise(ev, ev->types.ValueError, "cannot resize this array: it does not own its data");
  char order = nd_is_contiguous(nd) ? 'C' : 'F'; // what lies in memory goes on there
  if (nd_in_order(ev, nd, nd->dtype, order, false) != nd)
    eval_raise(ev, ev->types.ValueError, "resize only works on single-segment arrays");
  NdArray *to = nd_new_in_order(ev, nd->dtype, rank, dims, order, NULL);
  int64_t count = nd_count(nd) < nd_count(to) ? nd_count(nd) : nd_count(to);
  if (count) memcpy(to->data, nd->data, (size_t)count * dtype_size(nd->dtype));
  nd_header(nd, to);
  nd_own(nd);
  return v_none();
}

static Value method_fill(Eval *ev, Value *a) {
  nd_setitem(ev, a[0], v_ellipsis(), a[1]);
  return v_none();
}

// ---- shape --------------------------------------------------------------------------------------

static Value reshape(Eval *ev, const NdArray *nd, Value shape) {
  return nd_reshape(ev, nd, shape, 'C', v_none());
}

void nd_set_shape(Eval *ev, NdArray *nd, Value shape) {
  const NdArray *to = self_nd(reshape(ev, nd, shape));
  if (to->buffer != nd->buffer)
    eval_raise(ev, ev->types.AttributeError,
               "Incompatible shape for in-place modification. Use `.reshape()` to make a copy with "
               "the desired shape.");
  nd->rank = to->rank;
  memcpy(nd->dims, to->dims, sizeof nd->dims);
  memcpy(nd->strides, to->strides, sizeof nd->strides);
}

static Value method_reshape(Eval *ev, Value *a) {
  const Tuple *shape = value_as_tuple(a[1]);
  return made(ev, nd_reshape(ev, self_nd(a[0]), shape->count == 1 ? shape->items[0] : a[1],
                             take_order(ev, a[2]), a[3]));
}

// In one dimension and without gaps; of K in the order that the elements lie in.
static Value ravel(Eval *ev, const NdArray *nd, char order, Value copy) {
  int64_t perm[ND_MAX_RANK];
  const NdArray *lying = order == 'K' ? nd_by_steps(ev, nd, perm) : nd;
  char way = order == 'K' ? 'C' : order;
  Value out = nd_reshape(ev, lying, v_int(-1), way, copy);
  bool has_gaps = !nd_is_contiguous(self_nd(out));
  return has_gaps ? nd_reshape(ev, lying, v_int(-1), way, v_bool(true)) : out;
}

// What is no view is new.
static Value made_unless_view(Eval *ev, Value self, Value out) {
  NdArray *nd = self_nd(out);
  if (nd->buffer != self_nd(self)->buffer) nd_own(nd);
  return made(ev, out);
}

Value nd_ravel(Eval *ev, NdArray *nd, Value order) {
  return made_unless_view(ev, v_object(nd), ravel(ev, nd, take_order(ev, order), v_none()));
}

static Value method_ravel(Eval *ev, Value *a) { return nd_ravel(ev, self_nd(a[0]), a[1]); }

static Value method_flatten(Eval *ev, Value *a) {
  return made_unless_view(ev, a[0], ravel(ev, self_nd(a[0]), take_order(ev, a[1]), v_bool(true)));
}

static Value method_transpose(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  if (nd->is_scalar) return a[0];
  Tuple *axes = value_as_tuple(a[1]);
  if (axes->count == 1 && !v_is_none(axes->items[0]) &&
      (value_as_tuple(axes->items[0]) || value_as_list(axes->items[0])))
    axes = value_to_tuple(ev, axes->items[0]);
  int64_t perm[ND_MAX_RANK];
  bool reversed = axes->count == 0 || (axes->count == 1 && v_is_none(axes->items[0]));
  if (!reversed && axes->count != nd->rank)
    eval_raise(ev, ev->types.ValueError, "axes don't match array");
  uint32_t seen = 0;
  for (int i = 0; i < nd->rank; i++) {
    perm[i] = reversed ? nd->rank - 1 - i : nd_axis(ev, axes->items[i], nd->rank);
    seen |= 1u << perm[i];
  }
  if (seen != (1u << nd->rank) - 1)
    eval_raise(ev, ev->types.ValueError, "repeated axis in transpose");
  return made(ev, v_object(nd_transposed(ev, nd, perm)));
}

static int one_axis(Eval *ev, Value axis, int rank, const char *name) {
  int64_t a = take_int(ev, axis, name);
  if (a < -rank || a >= rank) raise_axis(ev, a, rank, name);
  return (int)(a < 0 ? a + rank : a);
}

Value nd_swapaxes(Eval *ev, const NdArray *nd, Value axis1, Value axis2) {
  int64_t perm[ND_MAX_RANK];
  for (int i = 0; i < nd->rank; i++) perm[i] = i;
  int x = one_axis(ev, axis1, nd->rank, "axis1"), y = one_axis(ev, axis2, nd->rank, "axis2");
  perm[x] = y;
  perm[y] = x;
  return made(ev, v_object(nd_transposed(ev, nd, perm)));
}

static Value method_swapaxes(Eval *ev, Value *a) {
  return nd_swapaxes(ev, self_nd(a[0]), a[1], a[2]);
}

Value nd_squeeze(Eval *ev, const NdArray *nd, Value axis) {
  bool is_end = axis.kind == V_INT && (axis.i == 0 || axis.i == -1);
  if (nd->rank == 0 && is_end) axis = v_none(); // which NumPy lets pass
  uint32_t axes = v_is_none(axis) ? 0 : nd_axes(ev, axis, nd->rank);
  NdArray *out = nd_view(ev, nd);
  out->rank = 0;
  for (int i = 0; i < nd->rank; i++) {
    bool drop = v_is_none(axis) ? nd->dims[i] == 1 : (axes >> i & 1);
    if (drop && nd->dims[i] != 1)
      eval_raise(ev, ev->types.ValueError,
                 "cannot select an axis to squeeze out which has size not equal to one");
    if (drop) continue;
    out->dims[out->rank] = nd->dims[i];
    out->strides[out->rank++] = nd->strides[i];
  }
  return made(ev, nd->is_scalar ? nd_value(ev, out) : v_object(out));
}

static Value method_squeeze(Eval *ev, Value *a) { return nd_squeeze(ev, self_nd(a[0]), a[1]); }

// ---- reductions ---------------------------------------------------------------------------------

static Value reduce(Eval *ev, Ufunc code, Value self, Value axis, Value dtype, Value keepdims,
                    Value initial) {
  const NdArray *nd = self_nd(self);
  DType result = v_is_none(dtype) ? DT_COUNT : take_dtype(ev, dtype, "dtype");
  int64_t only;
  if (nd->rank == 0 && value_as_int(ev, axis, &only) && (only == 0 || only == -1)) axis = v_none();
  return nd_value(ev, nd_reduce(ev, code, nd, nd_axes(ev, axis, nd->rank),
                                value_truth(ev, keepdims), result, initial));
}

// self, axis, dtype, keepdims, out, initial, where: with `out` or `where` it is the function's.
static Value reduce_with(Eval *ev, Ufunc code, const char *name, Value *a) {
  bool is_plain = v_is_none(a[4]) && value_is(a[6], v_bool(true));
  if (is_plain) return made(ev, reduce(ev, code, a[0], a[1], a[2], a[3], a[5]));
  Value args[] = {make_str_c(ev, name), a[0], a[1], a[2], a[3], a[4], a[5], a[6]};
  return forwarded(ev,
                   value_call_n(ev, module_lookup(ev, "numpy", "_reduced"), COUNT_OF(args), args));
}

// Sums and products take a dtype, the others none.
#define SUMMATION(name, code)                                                                      \
  static Value method_##name(Eval *ev, Value *a) { return reduce_with(ev, code, #name, a); }
#define REDUCTION(name, code)                                                                      \
  static Value method_##name(Eval *ev, Value *a) {                                                 \
    return reduce_with(ev, code, #name, (Value[]){a[0], a[1], v_none(), a[2], a[3], a[4], a[5]});  \
  }
SUMMATION(sum, UFUNC_REDUCE_SUM)
SUMMATION(prod, UFUNC_REDUCE_PROD)
REDUCTION(max, UFUNC_REDUCE_MAX)
REDUCTION(min, UFUNC_REDUCE_MIN)

static Value method_any(Eval *ev, Value *a) {
  return reduce_with(ev, UFUNC_REDUCE_OR, "any",
                     (Value[]){a[0], a[1], v_none(), a[2], a[3], v_none(), a[4]});
}

static Value method_all(Eval *ev, Value *a) {
  return reduce_with(ev, UFUNC_REDUCE_AND, "all",
                     (Value[]){a[0], a[1], v_none(), a[2], a[3], v_none(), a[4]});
}

static Value arg_reduce(Eval *ev, Ufunc code, Value self, Value axis) {
  bool is_flat = v_is_none(axis) || self_nd(self)->rank == 0;
  const NdArray *nd = self_nd(self);
  int64_t at = is_flat ? 0 : take_int(ev, axis, "axis");
  if (is_flat && !v_is_none(axis)) nd_axes(ev, axis, nd->rank ? nd->rank : 1); // of one number, too
  bool is_axis = !is_flat && at >= -nd->rank && at < nd->rank;
  if (nd_count(nd) == 0 && (is_flat || (is_axis && nd->dims[at < 0 ? at + nd->rank : at] == 0)))
    eval_raise(ev, ev->types.ValueError, "attempt to get %s of an empty sequence",
               code == UFUNC_ARGMAX ? "argmax" : "argmin");
  if (!is_flat) return reduce(ev, code, self, axis, v_none(), v_bool(false), v_none());
  if (nd_is_contiguous(nd) && nd_reductions(nd->dtype)) {
    nd_look_at(ev, nd);
    const Reductions *loops = nd_reductions(nd->dtype);
    int64_t place = (code == UFUNC_ARGMAX ? loops->argmax : loops->argmin)(
        nd->data, (int64_t)dtype_size(nd->dtype), nd_count(nd));
    return v_object(nd_scalar(ev, DT_I64, &place));
  }
  Value flat = reshape(ev, self_nd(self), v_int(-1));
  return reduce(ev, code, flat, v_is_none(axis) ? v_int(0) : axis, v_none(), v_bool(false),
                v_none());
}

// self, axis, out, keepdims.
static Value arg_reduce_with(Eval *ev, Ufunc code, const char *name, Value *a) {
  if (v_is_none(a[2]) && !value_truth(ev, a[3])) return made(ev, arg_reduce(ev, code, a[0], a[1]));
  Value args[] = {make_str_c(ev, name), a[0], a[1], a[2], a[3]};
  return value_call_n(ev, module_lookup(ev, "numpy", "_arg_reduced"), COUNT_OF(args), args);
}

static Value method_argmax(Eval *ev, Value *a) {
  return arg_reduce_with(ev, UFUNC_ARGMAX, "argmax", a);
}

static Value method_argmin(Eval *ev, Value *a) {
  return arg_reduce_with(ev, UFUNC_ARGMIN, "argmin", a);
}

// A running result as an element of the type, which float32 holds exactly.
static void round_to(DType dtype, float *x) {
  _Alignas(8) char element[8];
  dtype_store_f64(dtype, element, (double)*x);
  *x = (float)dtype_load_f64(dtype, element);
}

// Of types that are computed in float32, rounded at each step.
static void scan_rounded(DType dtype, float *row, int64_t count, bool product) {
  for (int64_t i = 1; i < count; i++) {
    row[i] = product ? row[i - 1] * row[i] : row[i - 1] + row[i];
    round_to(dtype, &row[i]);
  }
}

// Of elements that come by in the order that they lie in, along axis d; rows first.
static NdArray *cumulative(Eval *ev, NdArray *nd, int d, bool product) {
  bool is_counted = nd->dtype == DT_BOOL || dtype_is_integer(nd->dtype);
  DType dtype = !is_counted || dtype_is_extension(nd->dtype) ? nd->dtype
                : dtype_kind(nd->dtype) == 'u'               ? DT_U64
                                                             : DT_I64;
  DType work = nd_compute_dtype(dtype);
  bool by_rows = d == nd->rank - 1, is_whole = by_rows && nd->dtype == work && nd_is_contiguous(nd);
  NdArray *out = is_whole        ? nd_new_unset(ev, work, nd->rank, nd->dims)
                 : work == dtype ? nd_cast(ev, nd, dtype)
                                 : nd_cast(ev, nd_as(ev, nd, dtype), work);
  const Reductions *loops = nd_reductions(work);
  bool watched = nd_errors_begin(ev, dtype);
  if (by_rows) { // each row by itself
    const int64_t steps[] = {out->strides[d], out->strides[d]};
    int64_t row = out->dims[d] * steps[0], count = row ? nd_count(out) / out->dims[d] : 0;
    bool rounded = work == DT_F32 && dtype != DT_F32;
    for (int64_t i = 0; i < count && rounded; i++)
      scan_rounded(dtype, (float *)(out->data + i * row), out->dims[d], product);
    for (int64_t i = 0; i < count && !rounded; i++)
      (product ? loops->scan_product : loops->scan_sum)(
          (char *[]){out->data + i * row, (is_whole ? nd : out)->data + i * row}, steps,
          out->dims[d]);
    if (is_whole) nd_moved(ev, out, nd);
  } else { // each slice onto the next
    NdArray before = *out, after = *out;
    before.dims[d] = after.dims[d] = 1;
    for (int64_t i = 1; i < out->dims[d]; i++) {
      before.data = out->data + (i - 1) * out->strides[d];
      after.data = out->data + i * out->strides[d];
      nd_walk(product ? loops->product : loops->sum, 2, (const NdArray *const[]){&after, &before});
      if (work != dtype) nd_copy(&after, nd_cast(ev, nd_cast(ev, &after, dtype), work));
    }
  }
  if (work != dtype) out = nd_cast(ev, out, dtype);
  if (watched) nd_errors_end(ev, out, nd, "accumulate");
  return out;
}

static Value method_cumulative(Eval *ev, Value self, Value axis, bool product) {
  NdArray *nd = self_nd(self);
  if (v_is_none(axis) || nd->rank == 0) {
    nd = self_nd(reshape(ev, nd, v_int(-1)));
    axis = v_is_none(axis) ? v_int(0) : axis;
  }
  int d = nd_axis(ev, axis, nd->rank);
  int64_t perm[ND_MAX_RANK];
  NdArray *lying = nd_by_steps(ev, nd, perm);
  int at = 0;
  while (perm[at] != d) at++;
  return made(ev, v_object(nd_put_back(cumulative(ev, lying, at, product), perm)));
}

// axis, dtype: the sums are of elements of that type, and wrap around in it.
static Value cumulative_as(Eval *ev, Value *a, bool product) {
  if (v_is_none(a[2])) return method_cumulative(ev, a[0], a[1], product);
  DType dtype = take_dtype(ev, a[2], product ? "cumprod" : "cumsum");
  Value of = v_object(nd_cast(ev, self_nd(a[0]), dtype));
  NdArray *sums = (NdArray *)method_cumulative(ev, of, a[1], product).o;
  return made(ev, v_object(sums->dtype == dtype ? sums : nd_cast(ev, sums, dtype)));
}

static bool is_same_shape(const NdArray *x, const NdArray *y) {
  return x->rank == y->rank && !memcmp(x->dims, y->dims, x->rank * sizeof *x->dims);
}

// A result, or where it goes (out=), which has its shape.
static Value put_into(Eval *ev, Value out, Value result) {
  if (v_is_none(out)) return result;
  if (!is_same_shape(self_nd(out), self_nd(result)))
    eval_raise(ev, ev->types.ValueError, "output array does not match the shape of the result");
  nd_setitem(ev, v_object(self_nd(out)), v_ellipsis(), result);
  return out;
}

// With a place to go to (out=) it is the function's.
static Value into_place(Eval *ev, const char *function, Value *a) {
  return value_call_n(ev, module_lookup(ev, "numpy", function), 4, a);
}

static Value method_cumsum(Eval *ev, Value *a) {
  return v_is_none(a[3]) ? cumulative_as(ev, a, false) : into_place(ev, "cumsum", a);
}

static Value method_cumprod(Eval *ev, Value *a) {
  return v_is_none(a[3]) ? cumulative_as(ev, a, true) : into_place(ev, "cumprod", a);
}

// ---- products -----------------------------------------------------------------------------------

// A vector as a matrix of one row or column, over the same elements.
static NdArray *as_matrix(NdArray *room, const NdArray *vector, bool row) {
  nd_header(room, vector);
  room->rank = 2;
  room->dims[row] = vector->dims[0], room->strides[row] = vector->strides[0];
  room->dims[!row] = 1, room->strides[!row] = 0;
  room->is_view = true;
  return room;
}

// The matrices of an operand in the type that is computed in, one after the other.
static const NdArray *matrices(Eval *ev, const NdArray *x, DType work, size_t rank,
                               const int64_t *dims) {
  x = nd_as(ev, x, work);
  bool is_whole = x->rank == rank && memcmp(x->dims, dims, rank * sizeof *dims) == 0;
  return nd_contiguous(ev, is_whole ? x : nd_broadcast(ev, x, rank, dims));
}

// Without the dimensions that vectors have been given.
static Value of_vectors(Eval *ev, NdArray *out, bool row, bool column) {
  int last = out->rank - 1;
  if (row && !column)
    out->dims[last - 1] = out->dims[last], out->strides[last - 1] = out->strides[last];
  out->rank = (uint8_t)(out->rank - row - column);
  Value result = nd_value(ev, out);
  if (result.o != &out->base) nd_discard(ev, out);
  return result;
}

static bool are_transposed(const NdArray *x, const NdArray *y) {
  return x->rank == 2 && y->rank == 2 && x->data == y->data && x->dtype == y->dtype &&
         x->dims[0] == y->dims[1] && x->strides[0] == y->strides[1] &&
         x->strides[1] == y->strides[0];
}

// A matrix that lies column by column, by a vector: the vector by the matrix that lies row by row.
static bool is_by_column(const NdArray *x, const NdArray *y, bool column) {
  int64_t size = (int64_t)dtype_size(x->dtype);
  return column && x->rank == 2 && x->dims[1] == y->dims[0] && x->strides[0] == size &&
         x->strides[1] == x->dims[0] * size && x->dims[0] > 1 && x->dims[1] > 1 &&
         !dtype_is_complex(y->dtype);
}

// ufuncs of products have loops for NumPy's own types alone, `dot` has one for each of ml_dtypes'.
static DType type_of_product(const NdArray *x, const NdArray *y, bool is_ufunc) {
  if (!is_ufunc) return nd_promote(x->dtype, false, y->dtype, false);
  return nd_promote_own(x->dtype, y->dtype);
}

// Matrix products over the last two dimensions, the others broadcast. `name`: of who reports
// errors.
static Value matmul(Eval *ev, Value xv, Value yv, bool is_ufunc, const char *name) {
  NdArray *x = nd_from_value(ev, xv, DT_COUNT, "matmul"),
          *y = nd_from_value(ev, yv, DT_COUNT, "matmul");
  if (x->rank == 0 || y->rank == 0)
    eval_raise(ev, ev->types.ValueError,
               "matmul: Input operand %d does not have enough dimensions (has 0, gufunc core with "
               "signature (n?,k),(k,m?)->(n?,m?) requires 1)",
               x->rank != 0);
  bool row = x->rank == 1, column = y->rank == 1;
  if (is_by_column(x, y, column))
    return matmul(ev, yv, v_object(nd_transposed(ev, x, (int64_t[]){1, 0})), is_ufunc, name);
  NdArray row_of_x, column_of_y;
  if (row) x = as_matrix(&row_of_x, x, true);
  if (column) y = as_matrix(&column_of_y, y, false);
  int64_t m = x->dims[x->rank - 2], k = x->dims[x->rank - 1], n = y->dims[y->rank - 1];
  if (y->dims[y->rank - 2] != k)
    eval_raise(ev, ev->types.ValueError,
               "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc "
               "signature (n?,k),(k,m?)->(n?,m?) (size %lld is different from %lld)",
               (long long)y->dims[y->rank - 2], (long long)k);
  NdArray x_batch, y_batch, *both[] = {&x_batch, &y_batch};
  nd_header(&x_batch, x);
  nd_header(&y_batch, y);
  x_batch.rank = (uint8_t)(x->rank - 2);
  y_batch.rank = (uint8_t)(y->rank - 2);
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(2, both, &rank, dims))
    eval_raise(ev, ev->types.ValueError, "matmul: operands could not be broadcast together");
  DType dtype = type_of_product(x, y, is_ufunc);
  int64_t x_dims[ND_MAX_RANK], y_dims[ND_MAX_RANK];
  memcpy(x_dims, dims, sizeof dims);
  memcpy(y_dims, dims, sizeof dims);
  x_dims[rank] = m, x_dims[rank + 1] = k, y_dims[rank] = k, y_dims[rank + 1] = n;
  DType work = dtype_is_complex(dtype) ? dtype
               : dtype_is_float(dtype) ? nd_compute_dtype(dtype)
                                       : DT_I64;
  bool is_symmetric = are_transposed(x, y);
  const NdArray *a = matrices(ev, x, work, rank + 2u, x_dims),
                *b = matrices(ev, y, work, rank + 2u, y_dims);
  dims[rank] = m, dims[rank + 1] = n;
  NdArray *out = nd_new_unset(ev, work, rank + 2u, dims);
  int64_t size = (int64_t)dtype_size(work), count = m && n ? nd_count(out) / (m * n) : 0;
  bool watched = nd_errors_begin(ev, work);
  for (int64_t i = 0; i < count; i++)
    nd_product(work)(out->data + i * m * n * size, a->data + i * m * k * size,
                     b->data + i * k * n * size, m, n, k, is_symmetric);
  if (watched) nd_errors_end(ev, out, a, name);
  if (a->buffer != x->buffer && !a->is_view) nd_discard(ev, a);
  if (b->buffer != y->buffer && !b->is_view && b != a) nd_discard(ev, b);
  if (work != dtype) {
    NdArray *wide = out;
    nd_errors_of_narrowing(ev, wide, dtype, false, name);
    out = nd_cast(ev, wide, dtype);
    nd_discard(ev, wide);
  }
  return row || column ? of_vectors(ev, out, row, column) : v_object(out);
}

Value nd_matmul(Eval *ev, Value x, Value y) { return matmul(ev, x, y, true, "matmul"); }

static void check_inner(Eval *ev, const NdArray *x, const NdArray *y) {
  int x_dim = x->rank - 1, y_dim = y->rank > 1 ? y->rank - 2 : 0;
  if (x->dims[x_dim] == y->dims[y_dim]) return;
  eval_raise(ev, ev->types.ValueError,
             "shapes %.*s and %.*s not aligned: %lld (dim %d) != %lld (dim %d)",
             STR_FMT(shape_close_text(ev->arena, x->rank, x->dims)),
             STR_FMT(shape_close_text(ev->arena, y->rank, y->dims)), (long long)x->dims[x_dim],
             x_dim, (long long)y->dims[y_dim], y_dim);
}

// Every row of x with every column of every matrix of y: one product of two matrices.
static Value dot_of_stack(Eval *ev, const NdArray *x, const NdArray *y) {
  size_t x_rest = x->rank - 1u, y_rest = y->rank - 2u;
  int64_t perm[ND_MAX_RANK], dims[2 * ND_MAX_RANK], k = x->dims[x_rest], rows = 1, columns = 1;
  perm[0] = (int64_t)y_rest;
  for (size_t i = 0; i < y_rest; i++) perm[i + 1] = (int64_t)i;
  perm[y_rest + 1] = (int64_t)y_rest + 1;
  for (size_t i = 0; i < x_rest; i++) rows *= dims[i] = x->dims[i];
  for (size_t i = 1; i <= y_rest + 1; i++) columns *= y->dims[perm[i]];
  for (size_t i = 1; i <= y_rest + 1; i++) dims[x_rest + i - 1] = y->dims[perm[i]];
  if (x_rest + y_rest + 1 > ND_MAX_RANK)
    eval_raise(ev, ev->types.ValueError, "too many dimensions in result");
  Value left = make_tuple_i64(ev, 2, (int64_t[]){rows, k}),
        right = make_tuple_i64(ev, 2, (int64_t[]){k, columns}),
        whole = make_tuple_i64(ev, x_rest + y_rest + 1, dims);
  Value product =
      matmul(ev, nd_reshape(ev, x, left, 'C', v_none()),
             nd_reshape(ev, nd_transposed(ev, y, perm), right, 'C', v_none()), false, "dot");
  return nd_reshape(ev, (NdArray *)product.o, whole, 'C', v_none());
}

static Value dot(Eval *ev, Value *a) {
  const NdArray *x = self_nd(a[0]), *y = nd_from_value(ev, a[1], DT_COUNT, "dot");
  if (x->rank == 0 || y->rank == 0) return nd_binary(ev, UFUNC_MUL, a[0], a[1]);
  check_inner(ev, x, y);
  if (y->rank > 2) return dot_of_stack(ev, x, y);
  return made(ev, matmul(ev, a[0], a[1], false, "dot"));
}

static Value method_dot(Eval *ev, Value *a) {
  Value result = dot(ev, a);
  if (v_is_none(a[2])) return result;
  const NdArray *out = value_is_nd(ev, a[2]) ? (const NdArray *)a[2].o : NULL,
                *product = self_nd(result);
  if (!out || out->dtype != product->dtype || !is_same_shape(out, product) ||
      !nd_is_contiguous(out))
    eval_raise(ev, ev->types.ValueError,
               "output array is not acceptable (must have the right datatype, number of "
               "dimensions, and be a C-Array)");
  return put_into(ev, a[2], result);
}

// ---- sorting ------------------------------------------------------------------------------------

static Value method_argsort(Eval *ev, Value *a) {
  nd_check_sort(ev, a[2], a[3], a[4]);
  return made(ev, v_object(nd_sorted(ev, self_nd(a[0]), a[1], true)));
}

static Value method_partition(Eval *ev, Value *a) { // in place
  nd_check_select(ev, a[3], a[4]);
  nd_partition(ev, self_nd(a[0]), a[1], a[2]);
  return v_none();
}

static Value method_argpartition(Eval *ev, Value *a) {
  nd_check_select(ev, a[3], a[4]);
  return made(ev, v_object(nd_partitioned(ev, self_nd(a[0]), a[1], a[2], true)));
}

static Value method_sort(Eval *ev, Value *a) { // in place
  nd_check_sort(ev, a[2], a[3], a[4]);
  nd_sort(ev, self_nd(a[0]), a[1]);
  return v_none();
}

Value nd_nonzero(Eval *ev, const NdArray *nd) {
  const NdArray *places = nd_places(ev, nd_as(ev, nd, DT_BOOL));
  Tuple *out = tuple_new(ev, nd->rank);
  for (int d = 0; d < nd->rank; d++)
    out->items[d] = v_object(nd_places_along(ev, places, nd->rank, nd->dims, d));
  return v_object(out);
}

static Value method_nonzero(Eval *ev, Value *a) { return nd_nonzero(ev, self_nd(a[0])); }

// The rest is written in the language: the function of the same name of the numpy module, on self.
#define FORWARD(name, count)                                                                       \
  static Value method_##name(Eval *ev, Value *a) {                                                 \
    return forwarded(ev, value_call_n(ev, module_lookup(ev, "numpy", #name), count, a));           \
  }
FORWARD(clip, 4)
FORWARD(round, 3)
FORWARD(repeat, 3)
FORWARD(diagonal, 4)
FORWARD(trace, 6)
FORWARD(searchsorted, 3)
FORWARD(choose, 2)
FORWARD(put, 4)

// Of a row at integer places, as they are: an index.
static Value method_take(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  Str mode;
  bool is_plain = nd->rank == 1 && !nd->is_scalar && v_is_none(a[2]) && v_is_none(a[3]) &&
                  value_as_str(a[4], &mode) && str_equal(mode, STR("raise"));
  if (is_plain && (value_as_list(a[1]) || value_is_nd(ev, a[1]))) {
    NdArray *places = nd_from_value(ev, a[1], DT_COUNT, "indices");
    if (dtype_is_integer(places->dtype) && !places->is_scalar)
      return made(ev, nd_getitem(ev, a[0], v_object(places)));
  }
  return forwarded(ev, value_call_n(ev, module_lookup(ev, "numpy", "take"), 5, a));
}

// abs() of one complex number, which NumPy computes in another way than np.abs.
static Value complex_abs(Eval *ev, const NdArray *number) {
  const NdArray *parts = nd_parts(ev, number, false), *other = nd_parts(ev, number, true);
  double a = nd_get_f64(parts, 0), b = nd_get_f64(other, 0);
  NdArray *out = nd_new(ev, parts->dtype, 0, NULL);
  bool is_wide = parts->dtype == DT_F64;
  dtype_store_f64(parts->dtype, out->data, is_wide ? hypot(a, b) : hypotf((float)a, (float)b));
  return nd_value(ev, out);
}

static Value method_abs(Eval *ev, Value *a) {
  const NdArray *self = self_nd(a[0]);
  if (self->is_scalar && dtype_is_complex(self->dtype)) return complex_abs(ev, self);
  nd_errors_of_sign(ev, UFUNC_ABS, self_nd(a[0]));
  return forwarded(ev, value_call_n(ev, module_lookup(ev, "numpy", "abs"), 1, a));
}

static Value method_tofile(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "numpy", "_tofile"), 4, a);
}

static Value method_byteswap(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "numpy._npy", "_byteswap"), 2, a);
}

static Value method_mean(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "numpy", "_mean"), 6,
                      (Value[]){a[0], a[1], a[2], a[4], a[3], a[5]});
}

static Value var_or_std(Eval *ev, const char *name, Value *a) {
  return value_call_n(
      ev, module_lookup(ev, "numpy", "_var_or_std"), 9,
      (Value[]){make_str_c(ev, name), a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]});
}

static Value method_var(Eval *ev, Value *a) { return var_or_std(ev, "var", a); }
static Value method_std(Eval *ev, Value *a) { return var_or_std(ev, "std", a); }

static Value method_compress_self(Eval *ev, Value *a) {
  return value_call_n(ev, module_lookup(ev, "numpy", "compress"), 4,
                      (Value[]){a[1], a[0], a[2], a[3]});
}

// A scalar rounds to an int without a number of digits, as Python's do.
static Value method_round_scalar(Eval *ev, Value *a) {
  const NdArray *nd = self_nd(a[0]);
  if (!nd->is_scalar && nd->rank > 0)
    eval_raise(ev, ev->types.TypeError, "type numpy.ndarray doesn't define __round__ method");
  if (!v_is_none(a[1])) return value_call_n(ev, module_lookup(ev, "numpy", "round"), 2, a);
  return value_call_n(ev, module_lookup(ev, "builtins", "round"), 1, (Value[]){nd_item(ev, nd, 0)});
}

static Value method_setflags(Eval *ev, Value *a) {
  NdArray *nd = (NdArray *)a[0].o;
  if (!v_is_none(a[2]) || !v_is_none(a[3]))
    eval_raise(ev, ev->types.NotImplementedError, "setflags: align= and uic= are not supported");
  if (v_is_none(a[1])) return v_none();
  bool writes = value_truth(ev, a[1]);
  bool may_write = nd->is_closed && (!nd->is_view || !nd->buffer->owner->readonly);
  if (writes && nd->readonly && !may_write)
    eval_raise(ev, ev->types.ValueError, "cannot set WRITEABLE flag to True of this array");
  if (!writes && !nd->readonly) nd->is_closed = true;
  nd->readonly = !writes;
  return v_none();
}

static Value method_new(Eval *ev, Value *a) {
  const Type *type = (const Type *)a[0].o, *array = ev->numpy->nd_array;
  if (type != array && type_is_subtype(type, array))
    eval_raise(ev, ev->types.NotImplementedError,
               "'%s': arrays of a class derived from numpy.ndarray are not supported",
               type_shown(type));
  if (type != array)
    eval_raise(ev, ev->types.TypeError, "cannot create '%s' instances", type_shown(type));
  return value_call_n(ev, module_lookup(ev, "numpy._arrays", "_ndarray"), 6, a + 1);
}

const NativeDef nd_methods[] = {
    {"__new__(cls, shape, dtype=None, buffer=None, offset=0, strides=None, order=None)",
     method_new},
    {"__class_getitem__(cls, item, /)", nd_class_getitem},
    {"astype(self, dtype, order='K', casting='unsafe', subok=True, copy=True)", method_astype},
    {"tolist(self)", method_tolist},
    {"item(self, *args)", method_item},
    {"__abs__(self)", method_abs},
    {"__int__(self)", method_int},
    {"__float__(self)", method_float},
    {"__complex__(self)", method_complex},
    {"conj(self)", method_conj},
    {"conjugate(self)", method_conj},
    {"copy(self, order='C')", method_copy},
    {"__array__(self, dtype=None, copy=None)", method_array},
    {"__copy__(self)", method_copy_module},
    {"tobytes(self, order='C')", method_tobytes},
    {"__buffer__(self, flags, /)", method_buffer},
    {"tofile(self, fid, sep='', format='%s')", method_tofile},
    {"byteswap(self, inplace=False)", method_byteswap},
    {"view(self, dtype=None, type=None)", method_view},
    {"resize(self, /, *new_shape, refcheck=True)", method_resize},
    {"fill(self, value)", method_fill},
    {"reshape(self, *shape, order='C', copy=None)", method_reshape},
    {"ravel(self, order='C')", method_ravel},
    {"flatten(self, order='C')", method_flatten},
    {"transpose(self, *axes)", method_transpose},
    {"swapaxes(self, axis1, axis2)", method_swapaxes},
    {"squeeze(self, axis=None)", method_squeeze},
    {"sum(self, axis=None, dtype=None, keepdims=False, out=None, initial=None, where=True)",
     method_sum},
    {"prod(self, axis=None, dtype=None, keepdims=False, out=None, initial=None, where=True)",
     method_prod},
    {"max(self, axis=None, keepdims=False, out=None, initial=None, where=True)", method_max},
    {"min(self, axis=None, keepdims=False, out=None, initial=None, where=True)", method_min},
    {"any(self, axis=None, keepdims=False, out=None, where=True)", method_any},
    {"all(self, axis=None, keepdims=False, out=None, where=True)", method_all},
    {"argmax(self, axis=None, out=None, keepdims=False)", method_argmax},
    {"argmin(self, axis=None, out=None, keepdims=False)", method_argmin},
    {"cumsum(self, axis=None, dtype=None, out=None)", method_cumsum},
    {"cumprod(self, axis=None, dtype=None, out=None)", method_cumprod},
    {"dot(self, b, out=None)", method_dot},
    {"argsort(self, axis=-1, kind=None, order=None, *, stable=None)", method_argsort},
    {"sort(self, axis=-1, kind=None, order=None, *, stable=None)", method_sort},
    {"partition(self, kth, axis=-1, kind='introselect', order=None)", method_partition},
    {"argpartition(self, kth, axis=-1, kind='introselect', order=None)", method_argpartition},
    {"nonzero(self)", method_nonzero},
    {"mean(self, axis=None, dtype=None, out=None, keepdims=False, *, where=True)", method_mean},
    {"var(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None)",
     method_var},
    {"std(self, axis=None, dtype=None, out=None, ddof=0, keepdims=False, *, where=True, mean=None)",
     method_std},
    {"clip(self, min=None, max=None, out=None)", method_clip},
    {"round(self, decimals=0, out=None)", method_round},
    {"__round__(self, ndigits=None)", method_round_scalar},
    {"setflags(self, write=None, align=None, uic=None)", method_setflags},
    {"diagonal(self, offset=0, axis1=0, axis2=1)", method_diagonal},
    {"trace(self, offset=0, axis1=0, axis2=1, dtype=None, out=None)", method_trace},
    {"searchsorted(self, v, side='left')", method_searchsorted},
    {"compress(self, condition, axis=None, out=None)", method_compress_self},
    {"choose(self, choices)", method_choose},
    {"put(self, indices, values, mode='raise')", method_put},
    {"take(self, indices, axis=None, out=None, mode='raise')", method_take},
    {"repeat(self, repeats, axis=None)", method_repeat},
    {NULL, NULL},
};

Value nd_other_method(Eval *ev, Value v, const char *name) {
  if (v.kind != V_OBJECT || value_is_nd(ev, v) || value_as_list(v) || value_as_tuple(v))
    return v_unbound();
  return value_getattr_opt(ev, v, intern(ev, name));
}
