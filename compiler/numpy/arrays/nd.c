// SPDX-License-Identifier: Apache-2.0
// numpy.ndarray and the NumPy scalars at trace time: storage, views, elements, casts.
#include "base/checked.h"
#include "base/collected.h"
#include "nd.h"
#include "nd_shape.h"
#include "numpy/loops/loops.h"
#include "nd_watch.h"
#include "numpy/numpy_state.h"
#include "python/modules/module.h"
#include "python/values/raise.h"
#include "python/objects/type_find.h"
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
  bool is_empty = false;
  for (size_t i = 0; i < rank; i++) {
    is_empty |= dims[i] == 0;
    if (dims[i] < 0) eval_raise(ev, ev->types.ValueError, "negative dimensions are not allowed");
    if (!mul_i64(bytes, dims[i] ? dims[i] : 1, &bytes))
      eval_raise(ev, ev->types.ValueError,
                 "array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum "
                 "possible size.");
  }
  if (is_empty) bytes = 0;
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
  nd->buffer->source = NULL;
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
  buffer->source = NULL;
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

const char *nd_cast_table(Eval *ev, DType from, DType to) {
  const char **slot = &ev->numpy->cast_tables[from][to];
  if (*slot) return *slot;
  size_t count = from == DT_F32 ? 1 << 16 : 256;
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
    nd_look_up(dtype_size(dtype), out->data, nd_cast_table(ev, from, dtype),
               (const uint8_t *)nd_contiguous(ev, nd)->data, count);
    return out;
  }
  if (!is_worth_a_table(ev, from, dtype, count)) return NULL;
  bool is_narrow = dtype_size(dtype) == 1 && dtype != DT_BOOL && !nd_cast_loop(DT_F32, dtype);
  if (is_narrow && from == DT_F32) {
    NdArray *out = nd_new_unset(ev, dtype, nd->rank, nd->dims);
    nd_cast_by_front((uint8_t *)out->data, (const float *)nd_contiguous(ev, nd)->data, count,
                     (const uint8_t *)nd_cast_table(ev, DT_F32, dtype));
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
