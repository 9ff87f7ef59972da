// SPDX-License-Identifier: Apache-2.0
// numpy.ndarray and the NumPy scalars at trace time: storage, views, elements, conversion from and
// to Python values.
#include "base/checked.h"
#include "base/collected.h"
#include "nd_convert.h"
#include "nd.h"
#include "nd_shape.h"
#include "loops/loops.h"
#include "nd_promote.h"
#include "nd_watch.h"
#include "numpy_state.h"
#include "python/modules/module.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_find.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

bool value_is_nd(const Eval *ev, Value v) {
  const NumpyState *types = ev->numpy;
  return v.kind == V_OBJECT &&
         (v.o->type == types->nd_array || (v.o->type->slots.is_own && !v.o->type->is_heap) ||
          (types->nd_generic && type_is_subtype(v.o->type, types->nd_generic)));
}

bool value_is_python_number(const Eval *ev, Value v) {
  Value plain = value_unwrap(v);
  return (plain.kind >= V_BOOL && plain.kind <= V_FLOAT) ||
         (plain.kind == V_OBJECT &&
          (plain.o->type == ev->types.complex || plain.o->type == ev->types.integer));
}

// ---- storage ------------------------------------------------------------------------------------

int64_t nd_count(const NdArray *nd) {
  int64_t count = 1;
  for (int i = 0; i < nd->rank; i++) count *= nd->dims[i];
  return count;
}

static void set_contiguous(NdArray *nd, size_t rank, const int64_t *dims) {
  nd->rank = (uint8_t)rank;
  int64_t stride = (int64_t)dtype_size(nd->dtype);
  for (size_t i = rank; i-- > 0;) {
    nd->dims[i] = dims[i];
    nd->strides[i] = stride;
    stride *= dims[i] ? dims[i] : 1;
  }
}

enum { LARGE_BYTES = 1 << 20 }; // what is smaller does not fill the memory at once

// As NumPy does, a program may go on without an array that does not fit.
NORETURN static void raise_no_room(Eval *ev, size_t bytes, DType dtype, size_t rank,
                                   const int64_t *dims) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double size = (double)bytes / 1024;
  size_t unit = 0;
  for (; size >= 1024 && unit + 1 < COUNT_OF(units); unit++) size /= 1024;
  eval_raise(ev, ev->types.MemoryError,
             "Unable to allocate %.3g %s for an array with shape %.*s and data type %s", size,
             units[unit], STR_FMT(shape_text(ev->arena, rank, dims)), dtype_name(dtype));
}

static void demand_room(Eval *ev, size_t bytes, DType dtype, size_t rank, const int64_t *dims) {
  if (bytes >= LARGE_BYTES && !arena_has_room(ev->arena, bytes + LARGE_BYTES))
    raise_no_room(ev, bytes, dtype, rank, dims);
}

void nd_must_fit(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  int64_t bytes = (int64_t)dtype_size(dtype);
  for (size_t i = 0; i < rank; i++)
    if (!mul_i64(bytes, dims[i], &bytes)) bytes = INT64_MAX;
  size_t limit = arena_limit(ev->session->arena);
  if (limit && (size_t)bytes > limit) raise_no_room(ev, (size_t)bytes, dtype, rank, dims);
}

// An array and its buffer, and elements of up to SMALL_BYTES: one object of the heap.
enum { SMALL_BYTES = 128, SCALAR_BYTES = 16 };
typedef struct Whole {
  NdArray nd;
  NdBuffer buffer;
  _Alignas(16) char data[];
} Whole;

// `inside`: elements of so many bytes lie behind the header, zeroed; else there are none yet.
static NdArray *new_header(Eval *ev, DType dtype, size_t rank, const int64_t *dims, size_t inside) {
  if (rank > ND_MAX_RANK)
    eval_raise(ev, ev->types.ValueError,
               "maximum supported dimension for an ndarray is %d, found %zu", ND_MAX_RANK, rank);
  int64_t bytes = (int64_t)dtype_size(dtype);
  for (size_t i = 0; i < rank; i++) {
    if (dims[i] < 0) eval_raise(ev, ev->types.ValueError, "negative dimensions are not allowed");
    if (!mul_i64(bytes, dims[i] ? dims[i] : 1, &bytes))
      eval_raise(ev, ev->types.ValueError,
                 "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                 "possible size.");
  }
  demand_room(ev, (size_t)bytes, dtype, rank, dims);
  size_t within = (size_t)bytes <= inside ? (size_t)bytes : 0;
  Whole *whole = arena_alloc(ev->arena, sizeof(Whole) + within);
  NdArray *nd = &whole->nd;
  nd->base.type = ev->numpy->nd_array;
  nd->dtype = dtype;
  set_contiguous(nd, rank, dims);
  nd->buffer = &whole->buffer;
  nd->buffer->size = (size_t)bytes;
  nd->buffer->owner = nd;
  if (within) nd->data = nd->buffer->bytes = whole->data;
  return nd;
}

NdArray *nd_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  NdArray *nd = new_header(ev, dtype, rank, dims, SMALL_BYTES);
  if (!nd->data) nd->data = nd->buffer->bytes = arena_alloc_bytes(ev->arena, nd->buffer->size);
  return nd;
}

NdArray *nd_new_unset(Eval *ev, DType dtype, size_t rank, const int64_t *dims) {
  NdArray *nd = new_header(ev, dtype, rank, dims, 0);
  nd->data = nd->buffer->bytes = arena_alloc_buffer(ev->arena, nd->buffer->size);
  return nd;
}

NdArray *nd_over(Eval *ev, DType dtype, size_t rank, const int64_t *dims, void *data) {
  NdArray *nd = new_header(ev, dtype, rank, dims, 0);
  nd->data = nd->buffer->bytes = data;
  return nd;
}

// A scalar that nd_scalar made is no longer than it needs to be: what a loop of a program makes is
// many.
static bool has_scalar_buffer(const NdArray *nd) { return (const void *)nd->buffer == nd->dims; }

void nd_discard(Eval *ev, const NdArray *nd) {
  if (ev->numpy->hooks.looked_at) return; // the account of what was written goes by addresses
  if (nd->is_view) {                      // of a view the header alone
    arena_discard(ev->arena, nd);
    return;
  }
  if (has_scalar_buffer(nd)) {
    arena_discard(ev->arena, nd);
    return;
  }
  const Whole *whole = (const Whole *)nd;
  bool is_whole = nd->buffer == &whole->buffer, is_inside = nd->buffer->bytes == whole->data;
  if (!is_whole || !is_inside) arena_discard(ev->arena, nd->buffer->bytes);
  if (is_whole) arena_discard(ev->arena, nd);
}

NdArray *nd_read_only(Eval *ev, NdArray *nd) {
  if (nd->readonly) return nd;
  NdArray *view = nd_view(ev, nd);
  view->readonly = true;
  return view;
}

static Type *scalar_class(Eval *ev, DType dtype) { return ev->numpy->nd_scalars[dtype]; }

static void make_scalar(Eval *ev, NdArray *nd) {
  nd->is_scalar = true;
  nd->readonly = true;
  nd->base.type = scalar_class(ev, nd->dtype);
}

NdArray *nd_as_scalar(Eval *ev, NdArray *nd) {
  make_scalar(ev, nd);
  return nd;
}

NdArray *nd_scalar(Eval *ev, DType dtype, const void *element) {
  NdArray *nd = arena_alloc(ev->arena, offsetof(NdArray, dims) + sizeof(NdBuffer) + SCALAR_BYTES);
  NdBuffer *buffer = (NdBuffer *)(void *)nd->dims;
  nd->dtype = dtype;
  nd->buffer = buffer;
  buffer->size = dtype_size(dtype);
  buffer->owner = nd;
  nd->data = buffer->bytes = (char *)(buffer + 1);
  memcpy(nd->data, element, buffer->size);
  return nd_as_scalar(ev, nd);
}

NdArray *nd_view(Eval *ev, const NdArray *base) {
  NdArray *view = ARENA_NEW(ev->arena, NdArray);
  nd_header(view, base);
  view->base.type = ev->numpy->nd_array;
  view->is_scalar = false;
  view->is_view = true;
  return view;
}

void nd_copy(NdArray *to, const NdArray *from) {
  nd_walk(nd_copy_loop(dtype_size(to->dtype)), 2, (const NdArray *const[]){to, from});
}

const NdArray *nd_contiguous(Eval *ev, const NdArray *nd) {
  if (nd_is_contiguous(nd)) return nd;
  NdArray *out = nd_new_unset(ev, nd->dtype, nd->rank, nd->dims);
  nd_copy(out, nd);
  nd_moved(ev, out, nd);
  return out;
}

char *nd_element(const NdArray *nd, int64_t i) {
  char *p = nd->data;
  for (int d = nd->rank; d-- > 0;) {
    if (nd->dims[d] == 0) break;
    p += (i % nd->dims[d]) * nd->strides[d];
    i /= nd->dims[d];
  }
  return p;
}

bool nd_is_contiguous(const NdArray *nd) {
  int64_t stride = (int64_t)dtype_size(nd->dtype);
  for (int i = nd->rank; i-- > 0;) {
    if (nd->dims[i] != 1 && nd->strides[i] != stride) return false;
    stride *= nd->dims[i];
  }
  return true;
}

double nd_get_f64(const NdArray *nd, int64_t i) {
  return dtype_load_f64(nd->dtype, nd_element(nd, i));
}

int64_t nd_get_i64(const NdArray *nd, int64_t i) {
  return dtype_load_i64(nd->dtype, nd_element(nd, i));
}

// As the loops do; only of floats of one byte infinities saturate, and NaN is 0.
static void cut_off(double x, DType from, DType to, char *target) {
  if (dtype_size(from) == 1 && !isfinite(x)) {
    dtype_store_f64(to, target, x);
    return;
  }
  nd_cast_loop(DT_F64, to)((char *[]){target, (char *)&x}, (int64_t[]){0, 0}, 1);
}

// One element converted; integers never pass through doubles.
static void convert_element(DType from, const char *source, DType to, char *target) {
  if (from == to)
    memcpy(target, source, dtype_size(to));
  else if (to == DT_BOOL)
    *target = dtype_is_float(from) ? dtype_load_f64(from, source) != 0
                                   : dtype_load_i64(from, source) != 0;
  else if (dtype_is_float(from) && dtype_is_integer(to) && nd_cast_loop(DT_F64, to))
    cut_off(dtype_load_f64(from, source), from, to, target);
  else if (dtype_is_float(from) || dtype_is_complex(from))
    dtype_store_f64(to, target, dtype_load_f64(from, source));
  else if (from == DT_U64 && (dtype_is_float(to) || dtype_is_complex(to)))
    dtype_store_f64(to, target, (double)(uint64_t)dtype_load_i64(from, source));
  else
    dtype_store_i64(to, target, dtype_load_i64(from, source));
}

// The elements of every code of a type of one byte, or those codes of every float that has the
// sixteen bits in front: what is behind them is an odd last one (nd_cast_to_front).
static const char *table_of(Eval *ev, DType from, DType to, size_t count) {
  const char **slot = &ev->numpy->cast_tables[from][to];
  if (*slot) return *slot;
  char *table = arena_alloc_bytes(ev->session->arena, count * dtype_size(to));
  for (size_t code = 0; code < count; code++) {
    const uint8_t narrow = (uint8_t)code;
    const uint32_t wide = (uint32_t)code << 16;
    convert_element(from, from == DT_F32 ? (const char *)&wide : (const char *)&narrow, to,
                    table + code * dtype_size(to));
  }
  return *slot = table;
}

// A table is made for so many elements, in whatever portions they come.
enum { WORTH_A_TABLE = 4096, WORTH_A_LOOK = 8 };
static bool is_worth_a_table(Eval *ev, DType from, DType to, int64_t count) {
  uint32_t *all = &ev->numpy->cast_counts[from][to];
  if (*all < WORTH_A_TABLE) *all += count < WORTH_A_TABLE ? (uint32_t)count : WORTH_A_TABLE;
  return *all >= WORTH_A_TABLE && count >= WORTH_A_LOOK;
}

// Where there is no loop: by way of a type that holds what both do, or by a table; NULL: neither.
static NdArray *cast_by_way(Eval *ev, const NdArray *nd, DType dtype) {
  DType from = nd->dtype;
  int64_t count = nd_count(nd);
  bool has_table = ev->numpy->cast_tables[from][dtype] && count >= WORTH_A_LOOK;
  if (dtype_size(from) == 1 && (count >= 256 || has_table) && dtype_size(dtype) <= 8) {
    NdArray *out = nd_new_unset(ev, dtype, nd->rank, nd->dims);
    nd_look_up(dtype_size(dtype), out->data, table_of(ev, from, dtype, 256),
               (const uint8_t *)nd_contiguous(ev, nd)->data, count);
    return out;
  }
  if (!is_worth_a_table(ev, from, dtype, count)) return NULL;
  bool is_narrow = dtype_size(dtype) == 1 && dtype != DT_BOOL && !nd_cast_loop(DT_F32, dtype);
  if (is_narrow && from == DT_F32) {
    NdArray *out = nd_new_unset(ev, dtype, nd->rank, nd->dims);
    nd_cast_by_front((uint8_t *)out->data, (const float *)nd_contiguous(ev, nd)->data, count,
                     (const uint8_t *)table_of(ev, DT_F32, dtype, 1 << 16));
    return out;
  }
  bool is_float = dtype_is_float(from);
  DType between = is_float ? DT_F32 : DT_F64;
  if (from == between || from == DT_F64 || (!is_float && !dtype_is_integer(from)) ||
      !nd_cast_loop(from, between) || (!nd_cast_loop(between, dtype) && !is_narrow))
    return NULL;
  const NdArray *wide = nd_cast(ev, nd, between);
  NdArray *out = nd_cast(ev, wide, dtype);
  nd_discard(ev, wide);
  return out;
}

// The types of ml_dtypes take what is no float32 by way of one, which rounds twice.
static bool goes_by_f32(DType from, DType to) {
  return dtype_is_extension(to) && dtype_is_float(to) && (from == DT_F64 || dtype_is_integer(from));
}

NdArray *nd_cast(Eval *ev, const NdArray *nd, DType dtype) {
  if (goes_by_f32(nd->dtype, dtype)) {
    const NdArray *between = nd_cast(ev, nd, DT_F32);
    NdArray *out = nd_cast(ev, between, dtype);
    nd_discard(ev, between);
    return out;
  }
  NdLoop *known = nd_cast_loop(nd->dtype, dtype);
  NdArray *by_way = known ? NULL : cast_by_way(ev, nd, dtype);
  if (by_way) {
    nd_moved(ev, by_way, nd);
    return by_way;
  }
  NdArray *out =
      nd->rank ? nd_new_unset(ev, dtype, nd->rank, nd->dims) : nd_new(ev, dtype, 0, NULL);
  if (nd->dtype == dtype && nd_is_contiguous(nd)) {
    size_t bytes = (size_t)nd_count(nd) * dtype_size(dtype); // a buffer of none has some room, too
    if (bytes) memcpy(out->data, nd->data, bytes);
  } else if (known) {
    nd_walk(known, 2, (const NdArray *const[]){out, nd});
  } else {
    int64_t count = nd_count(nd);
    for (int64_t i = 0; i < count; i++)
      convert_element(nd->dtype, nd_element(nd, i), dtype,
                      out->data + (size_t)i * dtype_size(dtype));
  }
  nd_moved(ev, out, nd);
  return out;
}

const NdArray *nd_as(Eval *ev, const NdArray *nd, DType dtype) {
  return nd->dtype == dtype ? nd : nd_cast(ev, nd, dtype);
}

DType nd_compute_dtype(DType dtype) {
  if (nd_reductions(dtype)) return dtype;
  return dtype_is_float(dtype) ? DT_F32 : dtype_is_signed(dtype) ? DT_I8 : DT_U8;
}

NdArray *nd_parts(Eval *ev, const NdArray *nd, bool imaginary) {
  NdArray *parts = nd_view(ev, nd);
  parts->dtype = dtype_of_parts(nd->dtype);
  if (imaginary) parts->data += dtype_size(parts->dtype);
  return parts;
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
      // It would be asked what functions make of the object; nobody tells whether one converts.
      Name protocol = name_intern_c(ev->session->interner, "__array_function__");
      if (v.o->type->is_heap && !v_is_unbound(type_find(ev, v.o->type, protocol)))
        eval_raise(ev, ev->types.NotImplementedError,
                   "'__array_function__' of class '%s' is not supported: functions compute arrays "
                   "themselves",
                   value_type_name(ev, v));
      Value made = value_call_n(ev, method, 0, NULL);
      if (value_is_nd(ev, made)) return (NdArray *)made.o;
    }
  }
  return NULL;
}

// In a sequence numbers of Python count as int64 and float64, beside those of NumPy, too.
static void see_dtype(Nest *nest, DType dtype) {
  nest->dtype = nest->any ? nd_promote(nest->dtype, false, dtype, false) : dtype;
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
static NORETURN void raise_no_number(Nest *nest, Value v) {
  Eval *ev = nest->ev;
  Str text;
  bool is_bytes = v.kind == V_OBJECT && v.o->type == ev->types.bytes;
  if (nest->wants_array)
    eval_raise(ev, ev->types.NotImplementedError,
               "%s: data type '%s' (of a value of type %s) is not supported: elements are numbers "
               "and truth values",
               nest->what,
               is_bytes                 ? "bytes"
               : value_as_str(v, &text) ? "str"
                                        : "object",
               value_type_name(ev, v));
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
  Tuple *others = NULL;
  if (!tuple && !list && v.kind == V_OBJECT && (v.o->type == ev->types.range))
    tuple = others = value_to_tuple(ev, v);
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
  default: raise_no_number(nest, v);
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

NdArray *nd_from_value(Eval *ev, Value v, DType dtype, const char *what) {
  return from_value(ev, v, dtype, what, false);
}

NdArray *nd_array(Eval *ev, Value v, DType dtype) {
  return from_value(ev, v, dtype, "np.array", true);
}

void nd_warn_discarded(Eval *ev) {
  value_call_n(ev, module_lookup(ev, "numpy", "_warn_discarded"), 0, NULL);
}

NdArray *nd_transposed(Eval *ev, const NdArray *nd, const int64_t *perm) {
  NdArray *out = nd_view(ev, nd);
  for (int i = 0; i < nd->rank; i++) {
    out->dims[i] = nd->dims[perm[i]];
    out->strides[i] = nd->strides[perm[i]];
  }
  return out;
}
