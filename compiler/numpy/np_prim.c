// SPDX-License-Identifier: Apache-2.0
// The primitives behind the numpy module (module _np); what composes of them is library/numpy.pk.
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "loops/loops.h"
#include "numpy/ufuncs/nd_errors.h"
#include "numpy/arrays/nd_broadcast.h"
#include "numpy/methods/nd_index.h"
#include "numpy/arrays/nd_layout.h"
#include "numpy/methods/nd_methods.h"
#include "numpy/dtypes/nd_promote.h"
#include "numpy/text/np_print.h"
#include "numpy_state.h"
#include "python/modules/module.h"
#include "numpy/arrays/nd_shape.h"
#include "numpy/ufuncs/ufunc.h"
#include "python/objects/convert.h"
#include "python/numbers/bigint.h"
#include "python/numbers/digits.h"
#include "python/objects/fresh.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/objects/type_find.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

static Ufunc take_op(Eval *ev, Value v) {
  Str name = take_str(ev, v, "op");
  Ufunc code;
  if (!ufunc_from_name(name, &code)) BUG("no op '%.*s'", STR_FMT(name));
  return code;
}

static DType optional_dtype(Eval *ev, Value v) {
  return v_is_none(v) ? DT_COUNT : take_dtype(ev, v, "dtype");
}

static Value call_numpy(Eval *ev, const char *function, size_t count, const Value *args) {
  return value_call_n(ev, module_lookup(ev, "numpy", function), count, args);
}

// An array of what are no numbers (library/numpy/_objects.pk), if the type says so, or else the
// first element: a text, or an object that may be one of them or that the floor above knows.
static Value array_of_objects(Eval *ev, Value v, Value type, bool copies) {
  if (!dtype_says_objects(ev, type)) {
    Value first = v;
    for (const Tuple *t; first.kind == V_OBJECT;) {
      const List *list = (t = value_as_tuple(first)) ? NULL : value_as_list(first);
      if (!t && !list) t = nd_sequence(ev, first);
      if ((!t || !t->count) && (!list || !list->count)) break;
      first = t ? t->items[0] : list->items[0];
    }
    if (first.kind != V_OBJECT || value_is_nd(ev, first)) return v_none();
    bool is_text = v_is_none(type) && value_is_text(ev, first);
    if (!is_text && !first.o->type->is_heap) return v_none();
    Name buffer = name_intern_c(ev->session->interner, "__buffer__");
    if (!is_text && !v_is_unbound(type_find(ev, first.o->type, buffer))) return v_none();
  }
  return call_numpy(ev, "_array_of_objects", 3, (Value[]){v, type, v_bool(copies)});
}

// As an array of a type and an order. `copies`: it shares no memory with v; `never`: it must.
static Value as_array(Eval *ev, Value v, Value type, Value layout, bool copies, bool never) {
  Tuple *items = nd_sequence(ev, v);
  if (items) v = v_object(items);
  Value objects = array_of_objects(ev, v, type, copies);
  if (!v_is_none(objects)) return objects;
  char order = take_order(ev, layout);
  DType dtype = optional_dtype(ev, type);
  bool is_nd = value_is_nd(ev, v);
  NdArray *nd = nd_array(ev, v, is_nd ? DT_COUNT : dtype);
  if (!nd) { // of numbers, and of texts or None behind the first of them
    objects = call_numpy(ev, "_array_of_objects", 3, (Value[]){v, type, v_bool(copies)});
    if (!v_is_none(objects)) return objects;
    eval_raise(ev, ev->types.NotImplementedError,
               "np.array: numbers, texts and other objects in one array are only made where dtype= "
               "says 'object'");
  }
  if (dtype == DT_COUNT) dtype = nd->dtype;
  if (!is_nd) nd_errors_of_made(ev, nd, v);
  if (is_nd) nd_errors_of_cast(ev, nd, dtype);
  bool same = is_nd && (NdArray *)v.o == nd;
  bool whole = (copies && (same || nd->readonly)) || nd->is_scalar;
  Value out = v_object(nd_in_order(ev, nd, dtype, order, whole));
  bool is_new = out.o != &nd->base || value_as_list(v) || value_as_tuple(v);
  if (is_new && never && !v_is_none(v) && out.o != v.o)
    eval_raise(
        ev, ev->types.ValueError,
        "Unable to avoid copy while creating an array as requested.\nIf using "
        "`np.array(obj, copy=False)` replace it with `np.asarray(obj)` to allow a copy when "
        "needed (no behavior change in NumPy 1.x).\nFor more details, see "
        "https://numpy.org/devdocs/numpy_2_0_migration_guide.html#adapting-to-changes-in-the-"
        "copy-keyword.");
  return is_new ? made(ev, out) : out;
}

// object, dtype, copy, order, ndmin.
static Value native_array(Eval *ev, Value *a) {
  bool never = a[2].kind == V_BOOL && !a[2].i;
  bool copies = !v_is_none(a[2]) && value_truth(ev, a[2]);
  Value out = as_array(ev, a[0], a[1], a[3], copies, never);
  if (a[4].kind == V_INT && a[4].i == 0) return out;
  int64_t rank = take_int(ev, a[4], "ndmin");
  if (!value_is_nd(ev, out)) return call_numpy(ev, "_deep_objects", 2, (Value[]){out, v_int(rank)});
  NdArray *nd = (NdArray *)out.o;
  if (rank <= nd->rank) return out;
  if (rank > ND_MAX_RANK)
    eval_raise(ev, ev->types.ValueError,
               "ndmin bigger than allowable number of dimensions NPY_MAXDIMS (=%d)", ND_MAX_RANK);
  NdArray *wide = nd_view(ev, nd);
  int64_t more = rank - nd->rank;
  for (int64_t d = 0; d < rank; d++) {
    wide->dims[d] = d < more ? 1 : nd->dims[d - more];
    wide->strides[d] =
        d < more ? (int64_t)dtype_size(nd->dtype) * nd_count(nd) : nd->strides[d - more];
  }
  wide->rank = (uint8_t)rank;
  return v_object(wide);
}

// a, dtype, order, copy.
static Value native_asarray(Eval *ev, Value *a) {
  if (value_is_nd(ev, a[0]) && !((NdArray *)a[0].o)->is_scalar && v_is_none(a[1]) &&
      v_is_none(a[2]) && v_is_none(a[3]))
    return a[0];
  bool copies = !v_is_none(a[3]) && value_truth(ev, a[3]);
  return as_array(ev, a[0], a[1], a[2], copies, a[3].kind == V_BOOL && !a[3].i);
}

static Value filled_with_objects(Eval *ev, Value shape, Value value, Value type) {
  return call_numpy(ev, "_filled_with_objects", 3, (Value[]){shape, value, type});
}

static Value native_zeros(Eval *ev, Value *a) {
  if (dtype_says_objects(ev, a[1])) return call_numpy(ev, "_zeros_of_objects", 2, a);
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_shape(ev, a[0], dims, "shape");
  DType dtype = v_is_none(a[1]) ? DT_F64 : take_dtype(ev, a[1], "dtype");
  char order = v_is_none(a[2]) ? 'C' : take_order(ev, a[2]);
  if (order != 'C' && order != 'F')
    eval_raise(ev, ev->types.ValueError, "only 'C' or 'F' order is permitted");
  return made(ev, v_object(nd_new_in_order(ev, dtype, rank, dims, order, NULL)));
}

static Value native_empty(Eval *ev, Value *a) {
  bool are_objects = dtype_says_objects(ev, a[1]);
  return are_objects ? filled_with_objects(ev, a[0], v_none(), a[1]) : native_zeros(ev, a);
}

// Of a shape and a type, with contents that are not known: for who writes all of them. `like`: an
// array of as many dimensions, as which it lies (order K), or None.
static Value native_unset(Eval *ev, Value *a) {
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_shape(ev, a[0], dims, "shape");
  DType dtype = take_dtype(ev, a[1], "dtype");
  if (v_is_none(a[2])) return v_object(nd_new_unset(ev, dtype, rank, dims));
  return v_object(nd_new_along(ev, dtype, dims, 1, (const NdArray *[]){(const NdArray *)a[2].o}));
}

// Of a shape, all elements the same, or a value spread over them.
static Value native_full(Eval *ev, Value *a) {
  bool is_object = v_is_none(a[1]) || value_is_text(ev, a[1]);
  if (dtype_says_objects(ev, a[2]) || (v_is_none(a[2]) && is_object))
    return filled_with_objects(ev, a[0], a[1], a[2]);
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_shape(ev, a[0], dims, "shape");
  DType dtype = v_is_none(a[2]) ? nd_from_value(ev, a[1], DT_COUNT, "full")->dtype
                                : take_dtype(ev, a[2], "dtype");
  char order = v_is_none(a[3]) ? 'C' : take_order(ev, a[3]);
  if (order != 'C' && order != 'F')
    eval_raise(ev, ev->types.ValueError, "only 'C' or 'F' order is permitted");
  Value out = v_object(order == 'C' ? nd_new_unset(ev, dtype, rank, dims)
                                    : nd_new_in_order(ev, dtype, rank, dims, order, NULL));
  // An int that does not fit is refused, a float is cast.
  bool casts = value_is_python_number(ev, a[1]) && a[1].kind != V_INT && !value_is_big(a[1]);
  nd_setitem(ev, out, v_ellipsis(),
             casts ? v_object(nd_from_value(ev, a[1], DT_COUNT, "full")) : a[1]);
  return made(ev, out);
}

// The caller, a function of the library, alone has this array: what it returns (own), or does not
// use any more (drop).
static Value native_own(Eval *ev, Value *a) {
  if (!value_is_nd(ev, a[0])) return a[0];
  nd_own((NdArray *)a[0].o);
  return made(ev, a[0]);
}

static Value native_drop(Eval *ev, Value *a) {
  if (value_is_nd(ev, a[0])) a[0].o->type->slots.discard(ev, a[0]);
  return v_none();
}

// Zeros that lie as `like` does.
static Value native_zeros_like(Eval *ev, Value *a) {
  int64_t dims[ND_MAX_RANK];
  const NdArray *like = nd_from_value(ev, a[0], DT_COUNT, "zeros_like");
  size_t rank = v_is_none(a[2]) ? like->rank : take_shape(ev, a[2], dims, "shape");
  if (v_is_none(a[2])) memcpy(dims, like->dims, rank * sizeof *dims);
  DType dtype = v_is_none(a[1]) ? like->dtype : take_dtype(ev, a[1], "dtype");
  return v_object(nd_new_in_order(ev, dtype, rank, dims, take_order(ev, a[3]), like));
}

static Value native_broadcast_to(Eval *ev, Value *a) {
  int64_t dims[ND_MAX_RANK];
  size_t rank = take_shape(ev, a[1], dims, "shape");
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, "np.broadcast_to");
  bool fits = x->rank <= rank;
  for (size_t d = 0; fits && d < x->rank; d++) {
    int64_t n = x->dims[x->rank - 1 - d];
    fits = n == 1 || n == dims[rank - 1 - d];
  }
  if (!fits)
    eval_raise(ev, ev->types.ValueError,
               x->rank > rank
                   ? "input operand has more dimensions than allowed by the axis remapping"
                   : "operands could not be broadcast together with remapped shapes "
                     "[original->remapped]: %.*s  and requested shape %.*s",
               STR_FMT(shape_close_text(ev->arena, x->rank, x->dims)),
               STR_FMT(shape_close_text(ev->arena, rank, dims)));
  return v_object(nd_broadcast(ev, x, rank, dims));
}

// Whether the elements at `steps` beside the first lie in the memory of `x`.
static bool is_inside(const NdArray *x, size_t rank, const int64_t *dims, const int64_t *steps) {
  int64_t first = x->data - (char *)x->buffer->bytes, last = first;
  for (size_t d = 0; d < rank; d++) {
    int64_t reach;
    if (dims[d] == 0) return true;
    if (__builtin_mul_overflow(dims[d] - 1, steps[d], &reach)) return false;
    int64_t *end = reach < 0 ? &first : &last;
    if (__builtin_add_overflow(*end, reach, end)) return false;
  }
  int64_t size = (int64_t)dtype_size(x->dtype);
  return first >= 0 && last <= (int64_t)x->buffer->size - size;
}

static Value native_strided(Eval *ev, Value *a) { // array, shape, strides in bytes
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, "as_strided");
  int64_t dims[ND_MAX_RANK], steps[ND_MAX_RANK], size = (int64_t)dtype_size(x->dtype);
  size_t rank = take_shape(ev, a[1], dims, "shape");
  if (take_shape(ev, a[2], steps, "strides") != rank)
    eval_raise(ev, ev->types.ValueError, "mismatch in length of strides and shape");
  for (size_t d = 0; d < rank; d++) {
    if (dims[d] < 0) eval_raise(ev, ev->types.ValueError, "negative dimensions are not allowed");
    if (steps[d] % size)
      eval_raise(ev, ev->types.NotImplementedError,
                 "as_strided: strides that are no multiple of the element are not supported");
  }
  if (!is_inside(x, rank, dims, steps))
    eval_raise(ev, ev->types.ValueError, "as_strided: the view leaves the array");
  NdArray *view = nd_view(ev, x);
  view->rank = (uint8_t)rank;
  memcpy(view->dims, dims, rank * sizeof *dims);
  memcpy(view->strides, steps, rank * sizeof *steps);
  return v_object(view);
}

// Of two of the shapes, the first that do not fit.
static NORETURN void raise_mismatch(Eval *ev, size_t count, NdArray *const *arrays) {
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  for (size_t i = 0; i < count; i++) {
    for (size_t j = i + 1; j < count; j++) {
      const NdArray *x = arrays[i], *y = arrays[j];
      if (nd_common_shape(2, (NdArray *const[]){arrays[i], arrays[j]}, &rank, dims)) continue;
      eval_raise(ev, ev->types.ValueError,
                 "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is "
                 "between arg %zu with shape %.*s and arg %zu with shape %.*s.",
                 i, STR_FMT(shape_close_text(ev->arena, x->rank, x->dims)), j,
                 STR_FMT(shape_close_text(ev->arena, y->rank, y->dims)));
    }
  }
  BUG("shapes that fit by twos, but not all");
}

static Value native_address(Eval *ev, Value *a) {
  const NdArray *x = nd_from_value(ev, a[0], DT_COUNT, "an array");
  return v_int((int64_t)(intptr_t)x->data);
}

static Value native_common_shape(Eval *ev, Value *a) {
  Tuple *items = value_to_tuple(ev, a[0]);
  NdArray **arrays = ARENA_ARRAY(ev->arena, NdArray *, items->count + 1);
  for (size_t i = 0; i < items->count; i++)
    arrays[i] = nd_from_value(ev, items->items[i], DT_COUNT, "an operand");
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(items->count, arrays, &rank, dims)) raise_mismatch(ev, items->count, arrays);
  return make_tuple_i64(ev, rank, dims);
}

static int64_t whole_length(int64_t start, int64_t stop, int64_t step) {
  if (step > 0 ? stop <= start : stop >= start) return 0;
  uint64_t distance =
               step > 0 ? (uint64_t)stop - (uint64_t)start : (uint64_t)start - (uint64_t)stop,
           pace = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
  return (int64_t)((distance - 1) / pace + 1);
}

// How many numbers there are of a range. A length of 2**63, whose double is no int64, is none.
static int64_t range_length(Eval *ev, const Value *range, double start, double stop, double step) {
  bool integers = range[0].kind == V_INT && range[1].kind == V_INT && range[2].kind == V_INT;
  if (step == 0) eval_raise(ev, ev->types.ZeroDivisionError, "division by zero");
  double quotient = (stop - start) / step, length = ceil(quotient);
  if (isnan(quotient)) eval_raise(ev, ev->types.ValueError, "arange: cannot compute length");
  if (fabs(length) > 0x1p63) eval_raise(ev, ev->types.ValueError, "Maximum allowed size exceeded");
  if (length == 0x1p63) return 0;
  if (integers) return whole_length(range[0].i, range[1].i, range[2].i);
  if (quotient == 0 && start != stop) return !signbit(quotient); // a step too long to divide by
  return length > 0 ? (int64_t)length : 0;
}

static NdArray *cast_range(Eval *ev, NdArray *range, DType dtype) {
  if (range->dtype == dtype) return range;
  NdArray *cast = nd_cast(ev, range, dtype);
  nd_discard(ev, range);
  return cast;
}

static void range_f32(float *out, int64_t count, float first, float second) {
  float step = second - first;
  for (int64_t i = 0; i < count; i++) out[i] = first + (float)i * step;
  if (count) out[0] = first; // also beside a step that is not finite
  if (count > 1) out[1] = second;
}

// The first two numbers are rounded to the type, and their distance there is that of the others:
// of integers in their own arithmetic, of floats narrower than float64 in that of float32.
static NdArray *float_range(Eval *ev, int64_t n, double start, double step, DType dtype) {
  NdArray *out;
  NdArray *ends = nd_new_unset(ev, DT_F64, 1, (int64_t[]){2});
  ((double *)ends->data)[0] = start;
  ((double *)ends->data)[1] = start + step;
  if (dtype_is_integer(dtype)) {
    ends = cast_range(ev, cast_range(ev, ends, dtype), DT_I64);
    const int64_t *end = (const int64_t *)ends->data;
    out = nd_new_unset(ev, DT_I64, 1, &n);
    nd_range_i64((int64_t *)out->data, n, end[0], (int64_t)((uint64_t)end[1] - (uint64_t)end[0]));
  } else if (dtype == DT_F64 || dtype == DT_C128 || dtype == DT_BOOL) {
    const double *end = (const double *)ends->data;
    out = nd_new_unset(ev, DT_F64, 1, &n);
    nd_range_f64((double *)out->data, n, start, end[1] - start);
  } else {
    ends = cast_range(ev, cast_range(ev, ends, dtype), DT_F32);
    const float *end = (const float *)ends->data;
    out = nd_new_unset(ev, DT_F32, 1, &n);
    range_f32((float *)out->data, n, end[0], end[1]);
  }
  nd_discard(ev, ends);
  return cast_range(ev, out, dtype);
}

// None: of an int beyond int64.
static Value native_arange(Eval *ev, Value *a) {
  DType dtype = optional_dtype(ev, a[3]);
  bool integers = a[0].kind == V_INT && a[1].kind == V_INT && a[2].kind == V_INT, any_big = false,
       any_float = false;
  for (int i = 0; i < 3; i++) {
    any_big |= value_is_big(a[i]);
    any_float |= a[i].kind == V_FLOAT;
  }
  if (any_big && !any_float) return v_none();
  double start = take_float(ev, a[0], "start"), stop = take_float(ev, a[1], "stop"),
         step = take_float(ev, a[2], "step");
  int64_t n = range_length(ev, a, start, stop, step);
  if (dtype == DT_COUNT) dtype = integers ? DT_I64 : DT_F64;
  if (!integers || !dtype_is_integer(dtype))
    return made(ev, v_object(float_range(ev, n, start, step, dtype)));
  if (n > 0) nd_check_python_int(ev, a[0], dtype);
  NdArray *out = nd_new_unset(ev, DT_I64, 1, &n);
  nd_range_i64((int64_t *)out->data, n, a[0].i, a[2].i);
  return made(ev, v_object(cast_range(ev, out, dtype)));
}

// An int of Python beyond every integer type is a double beside floats, and else refused.
static NdArray *chosen(Eval *ev, Value v, Value other) {
  uint64_t bits;
  if (!value_is_big(v) || big_as_u64(v, &bits)) return nd_from_value(ev, v, DT_COUNT, "np.where");
  DType dtype = nd_from_value(ev, other, DT_COUNT, "np.where")->dtype;
  if (!dtype_is_float(dtype) && !dtype_is_complex(dtype)) nd_check_python_int(ev, v, DT_I64);
  return nd_from_value(ev, v_float(nd_python_int_as_double(ev, v)), DT_COUNT, "np.where");
}

static NORETURN void raise_no_promotion(Eval *ev, DType a, DType b, size_t count,
                                        const DType *types) {
  Value *all = ARENA_ARRAY(ev->arena, Value, count);
  for (size_t i = 0; i < count; i++) all[i] = make_dtype(ev, types[i]);
  Value args[] = {make_dtype(ev, a), make_dtype(ev, b), make_tuple(ev, count, all)};
  eval_raise_value(ev,
                   value_call_n(ev, module_lookup(ev, "numpy._numbers", "no_promotion"), 3, args));
}

// Of types that do not go together two by two, one that goes with all.
static bool common_of_all(size_t count, const DType *types, DType *out) {
  for (size_t i = 0; i < count; i++) {
    size_t held = 0;
    while (held < count && nd_common(types[i], false, types[held], false, out) && *out == types[i])
      held++;
    if (held == count) return true;
  }
  return false;
}

// The type of an array that holds all; `python`: which are Python scalars, or NULL.
static DType common_dtype(Eval *ev, size_t count, const DType *types, const bool *python) {
  DType common = types[0], all;
  bool weak = python && python[0];
  for (size_t i = 1; i < count; i++) {
    bool is_python = python && python[i];
    if (!nd_common(common, weak, types[i], is_python, &common)) {
      if (common_of_all(count, types, &all)) return all;
      raise_no_promotion(ev, common, types[i], count, types);
    }
    weak = weak && is_python;
  }
  return common;
}

static Value native_where(Eval *ev, Value *a) {
  if (v_is_unbound(a[1]) != v_is_unbound(a[2]))
    eval_raise(ev, ev->types.ValueError, "either both or neither of x and y should be given");
  if (v_is_unbound(a[1])) {
    const NdArray *nd = nd_from_value(ev, a[0], DT_COUNT, "np.where");
    if (nd->rank) return nd_nonzero(ev, nd);
    eval_raise(ev, ev->types.ValueError,
               "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
               "instead.");
  }
  if (value_is_text(ev, a[1]) || value_is_text(ev, a[2]))
    return call_numpy(ev, "_where_objects", 3, a);
  NdArray *all[3] = {nd_from_value(ev, a[0], DT_COUNT, "np.where"), chosen(ev, a[1], a[2]),
                     chosen(ev, a[2], a[1])};
  bool x_python = value_is_python_number(ev, a[1]), y_python = value_is_python_number(ev, a[2]);
  DType dtype = common_dtype(ev, 2, (const DType[]){all[1]->dtype, all[2]->dtype},
                             (const bool[]){x_python, y_python});
  uint8_t rank;
  int64_t dims[ND_MAX_RANK];
  if (!nd_common_shape(3, all, &rank, dims))
    eval_raise(ev, ev->types.ValueError, "operands could not be broadcast together");
  NdArray *pred = nd_broadcast(ev, nd_in_order(ev, all[0], DT_BOOL, 'K', false), rank, dims);
  NdArray *x = nd_broadcast(ev, nd_in_order(ev, all[1], dtype, 'K', false), rank, dims),
          *y = nd_broadcast(ev, nd_in_order(ev, all[2], dtype, 'K', false), rank, dims);
  NdArray *out = nd_new_beside(ev, dtype, 3, (const NdArray *const[]){pred, x, y});
  nd_walk(nd_select_loop(dtype_size(dtype)), 4, (const NdArray *const[]){out, pred, x, y});
  return made(ev, v_object(out));
}

// Whether a tuple or list holds arrays, and nothing that is made one.
static bool are_arrays(const Eval *ev, Value v) {
  const Tuple *tuple = value_as_tuple(v);
  const List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) return false;
  size_t count = tuple ? tuple->count : list->count;
  const Value *items = tuple ? tuple->items : list->items;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind != V_OBJECT || items[i].o->type != ev->numpy->nd_array) return false;
  return true;
}

// arrays, axis: what has been made arrays.
static Value native_join(Eval *ev, Value *a) {
  Tuple *items = value_to_tuple(ev, a[0]);
  if (items->count == 0)
    eval_raise(ev, ev->types.ValueError, "need at least one array to concatenate");
  NdArray **arrays = ARENA_ARRAY(ev->arena, NdArray *, items->count);
  for (size_t i = 0; i < items->count; i++)
    arrays[i] = nd_from_value(ev, items->items[i], DT_COUNT, "np.concatenate");
  if (arrays[0]->rank == 0)
    eval_raise(ev, ev->types.ValueError, "zero-dimensional arrays cannot be concatenated");
  int d = nd_axis(ev, a[1], arrays[0]->rank);
  DType *types = ARENA_ARRAY(ev->arena, DType, items->count);
  for (size_t i = 0; i < items->count; i++) types[i] = arrays[i]->dtype;
  int64_t dims[ND_MAX_RANK];
  memcpy(dims, arrays[0]->dims, arrays[0]->rank * sizeof *dims);
  for (size_t i = 1; i < items->count; i++) {
    if (arrays[i]->rank != arrays[0]->rank)
      eval_raise(ev, ev->types.ValueError,
                 "all the input arrays must have same number of dimensions, but the array at index "
                 "0 has %d dimension(s) and the array at index %zu has %d dimension(s)",
                 arrays[0]->rank, i, arrays[i]->rank);
    for (int j = 0; j < arrays[0]->rank; j++)
      if (j != d && arrays[i]->dims[j] != dims[j])
        eval_raise(ev, ev->types.ValueError,
                   "all the input array dimensions except for the concatenation axis must match "
                   "exactly, but along dimension %d, the array at index 0 has size %lld and the "
                   "array at index %zu has size %lld",
                   j, (long long)dims[j], i, (long long)arrays[i]->dims[j]);
    dims[d] += arrays[i]->dims[d];
  }
  DType dtype = common_dtype(ev, items->count, types, NULL);
  NdArray *out = nd_new_along(ev, dtype, dims, items->count, (const NdArray *const *)arrays);
  NdArray part = *out;
  for (size_t i = 0; i < items->count; i++) {
    part.dims[d] = arrays[i]->dims[d];
    const NdArray *cast = nd_as(ev, arrays[i], dtype);
    nd_copy(&part, cast);
    if (cast != arrays[i]) nd_discard(ev, cast);
    part.data += part.dims[d] * part.strides[d];
  }
  return made(ev, v_object(out));
}

// arrays, axis, out, dtype, casting.
static Value native_concatenate(Eval *ev, Value *a) {
  if (value_is_nd(ev, a[1]) && ((const NdArray *)a[1].o)->rank) {
    ExceptionObject *exception =
        exception_new(ev, ev->types.TypeError,
                      STR("only integer scalar arrays can be converted to a scalar index"));
    exception->hint = STR("the arrays are one argument, a list");
    eval_raise_value(ev, v_object(exception));
  }
  Str casting;
  bool is_plain = !v_is_none(a[1]) && v_is_none(a[2]) && v_is_none(a[3]) &&
                  value_as_str(a[4], &casting) && str_equal(casting, STR("same_kind"));
  if (is_plain && are_arrays(ev, a[0])) return native_join(ev, a);
  return value_call_n(ev, module_lookup(ev, "numpy._joins", "_concatenate"), 5, a);
}

// An array's axes the other way round, or as they are asked for.
static Value native_transpose(Eval *ev, Value *a) {
  bool is_nd = a[0].kind == V_OBJECT && a[0].o->type == ev->numpy->nd_array;
  if (!is_nd || !v_is_none(a[1])) return call_numpy(ev, "_transpose", 2, a);
  const NdArray *nd = (const NdArray *)a[0].o;
  int64_t perm[ND_MAX_RANK];
  for (int i = 0; i < nd->rank; i++) perm[i] = nd->rank - 1 - i;
  return v_object(nd_transposed(ev, nd, perm));
}

static Value native_result_type(Eval *ev, Value *a) {
  Tuple *items = value_to_tuple(ev, a[0]);
  DType *types = ARENA_ARRAY(ev->arena, DType, items->count);
  bool *python = ARENA_ARRAY(ev->arena, bool, items->count);
  for (size_t i = 0; i < items->count; i++) {
    python[i] = value_is_python_number(ev, items->items[i]);
    if (python[i] || !value_as_dtype(ev, items->items[i], &types[i]))
      types[i] = nd_from_value(ev, items->items[i], DT_COUNT, "np.result_type")->dtype;
  }
  return make_dtype(ev, items->count ? common_dtype(ev, items->count, types, python) : DT_BOOL);
}

// Bits of a float element as an unsigned integer, for the ulp tests of np.testing.
static Value native_is_nd(Eval *ev, Value *a) { return v_bool(value_is_nd(ev, a[0])); }

static Value native_dtype_limits(Eval *ev, Value *a) {
  DType d = take_dtype(ev, a[0], "dtype");
  d = dtype_of_parts(d);
  if (dtype_is_float(d)) {
    Value items[] = {v_float(dtype_float_max(d)), v_float(dtype_float_tiny(d)),
                     v_float(dtype_float_eps(d)), v_int(dtype_bits(d))};
    return make_tuple(ev, 4, items);
  }
  uint64_t most = dtype_int_max(d);
  Value top =
      most > INT64_MAX
          ? value_binary(ev, BIN_SUB, value_binary(ev, BIN_SHL, v_int(1), v_int(64)), v_int(1))
          : v_int((int64_t)most);
  Value items[] = {v_int(dtype_int_min(d)), top, v_int(dtype_bits(d))};
  return make_tuple(ev, 3, items);
}

static Value native_other(Eval *ev, Value *a) {
  Str name = take_str(ev, a[1], "name");
  Value method = nd_other_method(ev, a[0], name.data);
  return v_is_unbound(method) ? v_none() : method;
}

static Value native_can_cast(Eval *ev, Value *a) {
  return v_bool(nd_can_cast(take_dtype(ev, a[0], "from_"), take_dtype(ev, a[1], "to"),
                            take_casting(ev, a[2])));
}

// The type that arrays of both become, or None.
static Value native_common(Eval *ev, Value *a) {
  DType common;
  bool is_known =
      nd_common(take_dtype(ev, a[0], "a"), false, take_dtype(ev, a[1], "b"), false, &common);
  return is_known ? make_dtype(ev, common) : v_none();
}

static Value native_common_own(Eval *ev, Value *a) {
  return make_dtype(ev, nd_promote_own(take_dtype(ev, a[0], "a"), take_dtype(ev, a[1], "b")));
}

static Value native_inexact(Eval *ev, Value *a) {
  return make_dtype(ev, nd_inexact(take_dtype(ev, a[0], "dtype")));
}

static Value native_ufunc_name(Eval *ev, Value *a) {
  return make_str_c(ev, ufunc_numpy_name(take_op(ev, a[0])));
}

static const NativeDef np_natives[] = {
    {"other(a, name, /)", native_other},
    {"can_cast(from_, to, casting)", native_can_cast},
    {"common(a, b)", native_common},
    {"common_own(a, b)", native_common_own},
    {"float_dtype(dtype)", native_inexact},
    {"ufunc_name(op)", native_ufunc_name},
    {"print_options()", np_print_options},
    {"set_print_options(options)", np_set_print_options},
    {"repr(x, options)", np_array_repr},
    {"text(x, options, separator, prefix, suffix)", np_array_text},
    {"float_text(x, positional, unique, precision, min_digits, trim, plus, fractional, exp_digits)",
     np_float_text},
    {"array(object, dtype=None, *, copy=True, order='K', ndmin=0, subok=False)", native_array},
    {"asarray(a, dtype=None, order=None, *, copy=None)", native_asarray},
    {"zeros(shape, dtype=None, order='C')", native_zeros},
    {"empty(shape, dtype=None, order='C')", native_empty},
    {"unset(shape, dtype, like=None)", native_unset},
    {"full(shape, fill_value, dtype=None, order='C')", native_full},
    {"own(x)", native_own},
    {"drop(x)", native_drop},
    {"zeros_like(x, dtype, shape, order)", native_zeros_like},
    {"address(x)", native_address},
    {"broadcast_to(x, shape)", native_broadcast_to},
    {"strided(x, shape, strides)", native_strided},
    {"common_shape(arrays)", native_common_shape},
    {"arange(start, stop, step, dtype)", native_arange},
    {"where(condition, x=, y=, /)", native_where},
    {"join(arrays, axis)", native_join},
    {"concatenate(arrays, /, axis=0, out=None, *, dtype=None, casting='same_kind')",
     native_concatenate},
    {"transpose(a, axes=None)", native_transpose},
    {"result_type(args)", native_result_type},
    {"is_nd(x)", native_is_nd},
    {"dtype_limits(dtype)", native_dtype_limits},
    {NULL, NULL},
};

static void np_prim_init(Eval *ev, ModuleObject *module) {
  const NumpyState *types = ev->numpy;
  module_set(ev, module, "ndarray", v_object(types->nd_array));
  module_set(ev, module, "generic", v_object(types->nd_generic));
  module_set(ev, module, "dtype", v_object(types->dtype));
  for (size_t i = 0; i < ND_CATEGORIES; i++)
    module_set(ev, module, nd_category_names[i], v_object(types->nd_categories[i]));
  for (int d = 0; d < DT_COUNT; d++)
    module_set(ev, module, dtype_name((DType)d), v_object(types->nd_scalars[d]));
}

static void numpy_module_init(Eval *ev, ModuleObject *module) {
  np_prim_init(ev, module);
  module_set(ev, module, "bool_", v_object(ev->numpy->nd_scalars[DT_BOOL]));
  module_set(ev, module, "pi", v_float(3.14159265358979323846));
  module_set(ev, module, "e", v_float(2.71828182845904523536));
  module_set(ev, module, "inf", v_float(INFINITY));
  module_set(ev, module, "nan", v_float(NAN));
  module_set(ev, module, "newaxis", v_none());
}

const ModuleDef module_np_prim = {.name = "_np", .functions = np_natives, .init = np_prim_init};
// Modules of NumPy's.
static const NotSupported numpy_not_supported[] = {
    {"core", NULL},   {"ctypeslib", NULL},  {"f2py", NULL}, {"ma", NULL},
    {"matlib", NULL}, {"polynomial", NULL}, {"rec", NULL},  {NULL, NULL},
};

const ModuleDef module_numpy = {
    .name = "numpy", .init = numpy_module_init, .not_supported = numpy_not_supported};
const ModuleDef module_ml_dtypes = {.name = "ml_dtypes", .init = np_prim_init};
