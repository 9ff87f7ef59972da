// SPDX-License-Identifier: Apache-2.0
// Arrays of the host from Python values and back. In: scalars, nested lists and tuples, objects
// that are arrays or give one. Out: an array of their promoted type; of an array, Python values.
#include "nd_convert.h"
#include "nd.h"
#include "nd_shape.h"
#include "numpy/dtypes/nd_promote.h"
#include "nd_watch.h"
#include "numpy/numpy_state.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/objects/attribute.h"
#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_find.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

bool value_is_python_number(const Eval *ev, Value v) {
  Value plain = value_unwrap(v);
  return (plain.kind >= V_BOOL && plain.kind <= V_FLOAT) ||
         (plain.kind == V_OBJECT &&
          (plain.o->type == ev->types.complex || plain.o->type == ev->types.integer));
}

static NdArray *of_parts(Eval *ev, DType dtype, double real, double imag) {
  NdArray *nd = nd_new(ev, dtype, 0, NULL);
  DType parts = dtype_of_parts(dtype);
  dtype_store_f64(parts, nd->data, real);
  if (dtype != parts) dtype_store_f64(parts, nd->data + dtype_size(parts), imag);
  return nd;
}

Value nd_value(Eval *ev, NdArray *nd) {
  if (nd->rank == 0 && !nd->is_scalar) nd = nd_scalar(ev, nd->dtype, nd->data);
  return v_object(nd);
}

static Value element_value(Eval *ev, const NdArray *nd, const char *p) {
  switch (dtype_kind(nd->dtype)) {
  case 'b': return v_bool(*p != 0);
  case 'f': return v_float(dtype_load_f64(nd->dtype, p));
  case 'c': {
    DType parts = dtype_of_parts(nd->dtype);
    return make_complex(ev, dtype_load_f64(parts, p), dtype_load_f64(parts, p + dtype_size(parts)));
  }
  default: break;
  }
  int64_t n = dtype_load_i64(nd->dtype, p);
  if (nd->dtype == DT_U64 && n < 0) { // beyond int64: 2**64 + n
    Value two64 = value_binary(ev, BIN_SHL, v_int(1), v_int(64));
    return value_binary(ev, BIN_ADD, two64, v_int(n));
  }
  return v_int(n);
}

Value nd_item(Eval *ev, const NdArray *nd, int64_t i) {
  nd_look_at_element(ev, nd, i);
  return element_value(ev, nd, nd_element(nd, i));
}

// The list of a row: numbers of the types that most programs have, and all others.
static void row_to_python(Eval *ev, const NdArray *nd, const char *p, Value *items) {
  int axis = nd->rank - 1;
  int64_t count = nd->dims[axis], stride = nd->strides[axis];
  for (int64_t i = 0; i < count; i++, p += stride) {
    float narrow;
    double wide;
    int64_t whole;
    switch (nd->dtype) {
    case DT_F32:
      memcpy(&narrow, p, sizeof narrow);
      items[i] = v_float((double)narrow);
      break;
    case DT_F64:
      memcpy(&wide, p, sizeof wide);
      items[i] = v_float(wide);
      break;
    case DT_I64:
      memcpy(&whole, p, sizeof whole);
      items[i] = v_int(whole);
      break;
    default: items[i] = element_value(ev, nd, p);
    }
  }
}

static Value to_python(Eval *ev, const NdArray *nd, int axis, const char *p) {
  size_t count = (size_t)nd->dims[axis];
  List *list = list_new(ev, count);
  if (axis == nd->rank - 1) {
    row_to_python(ev, nd, p, list->items);
  } else {
    for (size_t i = 0; i < count; i++)
      list->items[i] = to_python(ev, nd, axis + 1, p + (int64_t)i * nd->strides[axis]);
  }
  list->count = count;
  return v_object(list);
}

Value nd_to_python(Eval *ev, const NdArray *nd) {
  if (nd->rank == 0) return nd_item(ev, nd, 0);
  nd_look_at(ev, nd);
  return to_python(ev, nd, 0, nd->data);
}

// ---- from Python values -------------------------------------------------------------------------

// A nest of lists as it is being read: shape, and the promotion of all leaves.
typedef struct Nest {
  Eval *ev;
  const char *what;
  bool wants_array; // of whatever it is, not numbers to compute with
  size_t rank;
  int64_t dims[ND_MAX_RANK];
  bool any; // any leaf seen
  DType dtype;
  DType settled;     // the caller's, whose elements hold what they can; DT_COUNT: the leaves' own
  bool has_object;   // what is no number, where an array of such may be made
  VEC(Value) leaves; // Python scalars or NdArrays of the rest of the shape
} Nest;

static NdArray *as_nd(Eval *ev, Value v) {
  if (value_is_nd(ev, v)) return (NdArray *)v.o;
  if (v.kind == V_OBJECT && (v.o->type == ev->types.memoryview || v.o->type == ev->types.bytearray))
    return nd_over_memory(ev, v);
  const NdHooks *hooks = &ev->numpy->hooks;
  NdArray *other = hooks->data_of ? hooks->data_of(ev, v, "an argument of a NumPy function") : NULL;
  if (other) return nd_read_only(ev, other); // arrays of JAX do not change
  if (v.kind == V_OBJECT && !value_as_list(v) && !value_as_tuple(v)) {
    Value method = value_getattr_opt(ev, v, name_intern_c(ev->session->interner, "__array__"));
    if (!v_is_unbound(method) && !value_is_type(ev, v)) {
      // It would be asked what functions make of the object; nobody says whether one converts.
      Name protocol = name_intern_c(ev->session->interner, "__array_function__");
      if (v.o->type->is_heap && !v_is_unbound(type_find(ev, v.o->type, protocol)))
        eval_raise(ev, ev->types.NotImplementedError,
                   "'__array_function__' of class '%s' is not supported: functions compute arrays "
                   "themselves",
                   value_type_name(ev, v));
      Value made = value_call_n(ev, method, 0, NULL);
      if (value_is_nd(ev, made)) return (NdArray *)made.o;
    }
    Name buffer = name_intern_c(ev->session->interner, "__buffer__");
    if (!v_is_unbound(type_find(ev, v.o->type, buffer))) return nd_over_memory(ev, v);
  }
  return NULL;
}

// In a sequence numbers of Python count as int64 and float64, beside those of NumPy, too.
static void see_dtype(Nest *nest, DType dtype) {
  bool has_type = nest->settled != DT_COUNT;
  if (!nest->any || has_type)
    nest->dtype = dtype;
  else if (!nd_common(nest->dtype, false, dtype, false, &nest->dtype))
    eval_raise(nest->ev, nest->ev->types.NotImplementedError,
               "%s: %s and %s have no common type: data type 'object' is only made where dtype= "
               "says so",
               nest->what, dtype_name(nest->dtype), dtype_name(dtype));
  nest->any = true;
}

static NORETURN void raise_ragged(Nest *nest, size_t depth) {
  eval_raise(nest->ev, nest->ev->types.ValueError,
             "setting an array element with a sequence. The requested array has an inhomogeneous "
             "shape after %zu dimensions. The detected shape was %.*s + inhomogeneous part.",
             depth, STR_FMT(shape_close_text(nest->ev->arena, depth, nest->dims)));
}

static void check_dim(Nest *nest, size_t depth, int64_t n, bool known) {
  if (depth >= ND_MAX_RANK)
    eval_raise(nest->ev, nest->ev->types.ValueError, "%s: too many dimensions", nest->what);
  if (!known) {
    nest->dims[depth] = n;
    nest->rank = depth + 1;
  } else if (depth >= nest->rank || nest->dims[depth] != n) {
    raise_ragged(nest, depth);
  }
}

// NumPy has arrays of what is no number, but computes with none of them.
static void raise_no_number(Nest *nest, Value v) {
  Eval *ev = nest->ev;
  if (nest->wants_array) {
    nest->has_object = true;
    return;
  }
  eval_raise(ev, ev->types.TypeError, "%s: cannot make an array of a value of type %s", nest->what,
             value_type_name(ev, v));
}

static bool is_number(Eval *ev, Value v) {
  return v.kind == V_BOOL || v.kind == V_INT || v.kind == V_FLOAT || value_is_big(v) ||
         (v.kind == V_OBJECT && v.o->type == ev->types.complex);
}

// What Python's own type makes of a text or an object, where the type of the elements is settled.
static Value as_number(const Nest *nest, Value v) {
  Eval *ev = nest->ev;
  DType to = nest->settled;
  if (dtype_is_extension(to))
    eval_raise(ev, ev->types.TypeError, "expected number, got %s", value_type_name(ev, v));
  if (to == DT_BOOL) return v_bool(value_truth(ev, v));
  if (v_is_none(v) && !dtype_is_integer(to)) return v_float(NAN);
  Type *type = dtype_is_complex(to) ? ev->types.complex
               : dtype_is_float(to) ? ev->types.floating
                                    : ev->types.integer;
  return value_unwrap(value_call_n(ev, v_object(type), 1, &v));
}

typedef struct Items {
  Value of;
  Tuple *found;
} Items;

static void take_items(Eval *ev, void *data) {
  Items *items = data;
  value_len(ev, items->of);
  items->found = value_to_tuple(ev, items->of);
}

Tuple *nd_sequence(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || value_is_type(ev, v)) return NULL;
  Type *type = v.o->type;
  if (type == ev->types.range) return value_to_tuple(ev, v);
  Value plain = value_unwrap(v); // of a class made from `str`, say, the text
  if (type != ev->builtin->deque) {
    if (!type->is_heap || plain.kind != V_OBJECT || plain.o != v.o || value_as_dict(v)) return NULL;
    if (v_is_unbound(type_find(ev, type, ev->names->len)) ||
        v_is_unbound(type_find(ev, type, ev->names->getitem)) ||
        !v_is_unbound(type_find(ev, type, ev->numpy->names.dtype))) // an array of the library's
      return NULL;
  }
  Items items = {.of = v};
  Value exception;
  if (eval_try(ev, take_items, &items, &exception)) return items.found;
  if (!value_isinstance(ev, exception, v_object(ev->types.KeyError)))
    eval_raise_value(ev, exception);
  return NULL;
}

static void read_nest(Nest *nest, Value v, size_t depth, bool known) {
  Eval *ev = nest->ev;
  NdArray *nd = as_nd(ev, v);
  if (nd) {
    for (int i = 0; i < nd->rank; i++) check_dim(nest, depth + (size_t)i, nd->dims[i], known);
    if (known && depth + nd->rank != nest->rank) raise_ragged(nest, depth + nd->rank);
    see_dtype(nest, nd->dtype);
    VEC_PUSH(ev->arena, &nest->leaves, v_object(nd));
    return;
  }
  const Tuple *tuple = value_as_tuple(v);
  const List *list = tuple ? NULL : value_as_list(v);
  if (!tuple && !list) tuple = nd_sequence(ev, v);
  if (tuple || list) {
    size_t n = tuple ? tuple->count : list->count;
    check_dim(nest, depth, (int64_t)n, known);
    for (size_t i = 0; i < n; i++)
      read_nest(nest, tuple ? tuple->items[i] : list->items[i], depth + 1, known || i > 0);
    return;
  }
  if (known && depth != nest->rank) raise_ragged(nest, depth);
  Value scalar = value_unwrap(v);
  if (nest->settled != DT_COUNT && !is_number(ev, scalar)) scalar = as_number(nest, v);
  switch (scalar.kind) {
  case V_BOOL: see_dtype(nest, DT_BOOL); break;
  case V_INT: see_dtype(nest, DT_I64); break;
  case V_FLOAT: see_dtype(nest, DT_F64); break;
  case V_OBJECT:
    if (scalar.o->type == ev->types.complex) {
      see_dtype(nest, DT_C128);
      break;
    }
    if (value_is_big(scalar)) { // beyond int64
      if (nest->settled == DT_COUNT) nd_check_python_int(ev, scalar, DT_U64);
      see_dtype(nest, DT_U64);
      break;
    }
    // fall through
  default: raise_no_number(nest, v); return;
  }
  VEC_PUSH(ev->arena, &nest->leaves, scalar);
}

static void store_python(Eval *ev, DType dtype, char *target, Value v) {
  if (v.kind == V_FLOAT && dtype_is_integer(dtype)) v = int_from_double(ev, trunc(v.f));
  if (value_is_big(v)) {
    nd_check_python_int(ev, v, dtype);
    if (dtype_is_integer(dtype))
      dtype_store_i64(dtype, target, (int64_t)big_low_bits(v));
    else
      dtype_store_f64(dtype, target, dtype == DT_BOOL ? 1.0 : nd_python_int_as_double(ev, v));
  } else if (v.kind == V_OBJECT) {
    Complex z = ((const ComplexObject *)v.o)->number;
    if (dtype == DT_BOOL) {
      dtype_store_i64(dtype, target, z.real != 0 || z.imag != 0);
      return;
    }
    if (!dtype_is_complex(dtype))
      eval_raise(ev, ev->types.TypeError, "%s",
                 dtype_is_float(dtype)
                     ? "float() argument must be a string or a real number, not 'complex'"
                     : "int() argument must be a string, a bytes-like object or a real number, "
                       "not 'complex'");
    memcpy(target, of_parts(ev, dtype, z.real, z.imag)->data, dtype_size(dtype));
  } else if (v.kind == V_FLOAT) {
    dtype_store_f64(dtype, target, v.f);
  } else {
    nd_check_python_int(ev, v, dtype);
    if (dtype_is_float(dtype) || dtype_is_complex(dtype)) // rounded twice, as NumPy does
      dtype_store_f64(dtype, target, (double)v.i);
    else
      dtype_store_i64(dtype, target, v.i);
  }
}

double nd_python_int_as_double(Eval *ev, Value big) {
  double number;
  if (!big_as_double(big, &number))
    eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
  return number;
}

void nd_check_python_int(Eval *ev, Value v, DType dtype) {
  bool is_big = value_is_big(v);
  if ((v.kind != V_INT && !is_big) || !dtype_is_integer(dtype)) return;
  uint64_t bits = 0;
  bool fits = is_big    ? big_as_u64(v, &bits) && bits <= dtype_int_max(dtype)
              : v.i < 0 ? v.i >= dtype_int_min(dtype)
                        : (uint64_t)v.i <= dtype_int_max(dtype);
  if (!fits && is_big && (dtype != DT_U32 || !bits)) // NumPy reads uint32 as C's unsigned long
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C long");
  if (!fits)
    eval_raise(ev, ev->types.OverflowError, "Python integer %.*s out of bounds for %s",
               STR_FMT(value_repr(ev, v)), dtype_name(dtype));
}

// Of a number of Python, without a look at what else it might be; NULL: it is none.
static NdArray *of_number(Eval *ev, Value v, DType dtype) {
  if (v.kind != V_BOOL && v.kind != V_INT && v.kind != V_FLOAT) return NULL;
  if (dtype == DT_COUNT) dtype = v.kind == V_BOOL ? DT_BOOL : v.kind == V_INT ? DT_I64 : DT_F64;
  NdArray *nd = nd_new(ev, dtype, 0, NULL);
  store_python(ev, dtype, nd->data, v);
  return nd;
}

static NdArray *from_value(Eval *ev, Value v, DType dtype, const char *what, bool wants_array) {
  NdArray *number = of_number(ev, v, dtype);
  if (number) return number;
  NdArray *whole = as_nd(ev, v);
  if (whole) return dtype == DT_COUNT || dtype == whole->dtype ? whole : nd_cast(ev, whole, dtype);
  Nest nest = {
      .ev = ev, .what = what, .wants_array = wants_array, .dtype = DT_F64, .settled = dtype};
  read_nest(&nest, v, 0, false);
  if (nest.has_object) return NULL;
  if (dtype == DT_COUNT) dtype = nest.dtype;
  NdArray *out = nd_new(ev, dtype, nest.rank, nest.dims);
  char *target = out->data;
  for (size_t i = 0; i < nest.leaves.count; i++) {
    Value leaf = nest.leaves.items[i];
    size_t bytes = dtype_size(dtype);
    if (leaf.kind == V_OBJECT && value_is_nd(ev, leaf)) {
      const NdArray *nd = nd_contiguous(ev, nd_as(ev, (const NdArray *)leaf.o, dtype));
      bytes *= (size_t)nd_count(nd);
      if (bytes) memcpy(target, nd->data, bytes);
    } else {
      store_python(ev, dtype, target, leaf);
    }
    target += bytes;
  }
  return out;
}

NdArray *nd_given(Eval *ev, Value v) {
  if (!value_is_nd(ev, v))
    eval_raise(ev, ev->types.TypeError, "an array of numbers is needed, not a value of type '%s'",
               value_type_name(ev, v));
  return (NdArray *)v.o;
}

NdArray *nd_from_value(Eval *ev, Value v, DType dtype, const char *what) {
  return from_value(ev, v, dtype, what, false);
}

NdArray *nd_array(Eval *ev, Value v, DType dtype) {
  return from_value(ev, v, dtype, "np.array", true);
}
