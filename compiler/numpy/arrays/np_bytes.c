// SPDX-License-Identifier: Apache-2.0
// Arrays from bytes. library/numpy/_npy.pk reads files by it.
#include "numpy/dtypes/dtype_object.h"
#include "nd.h"
#include "nd_shape.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/modules/module.h"
#include "python/values/bytes_like.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include "python/objects/type_lookup.h"
#include <string.h>

// ---- arrays -------------------------------------------------------------------------------------
static void swap_bytes(char *data, size_t size, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    for (size_t a = 0, b = size - 1; a < b; a++, b--) {
      char *p = data + (size_t)i * size, c = p[a];
      p[a] = p[b];
      p[b] = c;
    }
}

// The array of that shape whose elements are the bytes from `offset` on; swapped: they have the
// other byte order.
static Value native_from_bytes(Eval *ev, Value *a) {
  Str bytes = take_bytes_like(ev, a[0]);
  int64_t dims[ND_MAX_RANK], count = 1, size = 0, offset = take_int(ev, a[3], "offset");
  DType dtype = take_dtype(ev, a[1], "dtype");
  size_t rank = take_shape(ev, a[2], dims, "shape");
  bool fits = offset >= 0 && (uint64_t)offset <= bytes.len;
  for (size_t i = 0; i < rank && fits; i++) fits = !__builtin_mul_overflow(count, dims[i], &count);
  if (!fits || __builtin_mul_overflow(count, (int64_t)dtype_size(dtype), &size) ||
      (uint64_t)size > bytes.len - (uint64_t)offset)
    eval_raise(ev, ev->types.ValueError, "the array needs more bytes than there are");
  NdArray *nd = nd_new_unset(ev, dtype, rank, dims);
  if (size) memcpy(nd->data, bytes.data + offset, (size_t)size);
  size_t each = dtype_size(dtype_of_parts(dtype)); // of complex numbers each part is swapped
  if (value_truth(ev, a[4])) swap_bytes(nd->data, each, size / (int64_t)each);
  return v_object(nd);
}

static DType dtype_of_format(Eval *ev, const char *format) {
  const char *code = strcmp(format, "Q") == 0    ? "L"
                     : strcmp(format, "q") == 0  ? "l"
                     : strcmp(format, "Zf") == 0 ? "F"
                     : strcmp(format, "Zd") == 0 ? "D"
                                                 : format;
  for (DType dtype = 0; dtype < DT_COUNT; dtype++)
    if (!dtype_is_extension(dtype) && strcmp(dtype_code(dtype), code) == 0) return dtype;
  eval_raise(ev, ev->types.ValueError, "'%s' is not a valid PEP 3118 buffer format string", format);
}

static bool is_aligned(const MemoryView *view, size_t to) {
  bool aligned = (uintptr_t)view->data % to == 0;
  for (size_t d = 0; d < view->rank; d++) aligned &= view->strides[d] % (int64_t)to == 0;
  return aligned;
}

NdArray *nd_over_memory(Eval *ev, Value v) {
  Value made = value_call_n(ev, v_object(ev->types.memoryview), 1, &v);
  const MemoryView *view = (const MemoryView *)made.o;
  DType dtype = dtype_of_format(ev, view->format);
  NdArray *nd;
  if (!is_aligned(view, dtype_size(dtype_of_parts(dtype)))) {
    nd = nd_new_unset(ev, dtype, view->rank, view->dims);
    Str bytes = memory_bytes(ev, view);
    if (bytes.len) memcpy(nd->data, bytes.data, bytes.len);
  } else {
    nd = nd_over(ev, dtype, view->rank, view->dims, view->data);
    memcpy(nd->strides, view->strides, view->rank * sizeof *nd->strides);
    nd->buffer->source = made.o;
  }
  nd->readonly = view->is_readonly;
  return nd;
}

// np.frombuffer: bytes that lie close as a row of elements.
static Value native_frombuffer(Eval *ev, Value *a) {
  DType dtype = v_is_none(a[1]) ? DT_F64 : take_dtype(ev, a[1], "dtype");
  int64_t count = take_int(ev, a[2], "count"), offset = take_int(ev, a[3], "offset"),
          size = (int64_t)dtype_size(dtype);
  Value made = value_call_n(ev, v_object(ev->types.memoryview), 1, a);
  const MemoryView *view = (const MemoryView *)made.o;
  if (!memory_is_in_order(view))
    eval_raise(ev, (Type *)module_lookup(ev, "builtins", "BufferError").o,
               "memoryview: underlying buffer is not C-contiguous");
  int64_t length = memory_count(view) * (int64_t)view->item_size, left = length - offset;
  if (offset < 0 || left < 0)
    eval_raise(ev, ev->types.ValueError,
               "offset must be non-negative and no greater than buffer length (%lld)",
               (long long)length);
  if (count < 0 && left % size)
    eval_raise(ev, ev->types.ValueError, "buffer size must be a multiple of element size");
  if (count < 0) count = left / size;
  if (count > left / size)
    eval_raise(ev, ev->types.ValueError, "buffer is smaller than requested size");
  char *data = view->data + offset; // of a read-only one it is not written to
  bool is_aligned = (uintptr_t)data % dtype_size(dtype_of_parts(dtype)) == 0;
  NdArray *nd =
      is_aligned ? nd_over(ev, dtype, 1, &count, data) : nd_new_unset(ev, dtype, 1, &count);
  bool is_bytes = a[0].kind == V_OBJECT && a[0].o->type == ev->types.bytes;
  if (is_aligned) nd->buffer->source = is_bytes ? a[0].o : made.o;
  if (!is_aligned && count) memcpy(nd->data, data, (size_t)(count * size));
  nd->readonly = view->is_readonly;
  return v_object(nd);
}

static const NativeDef natives[] = {
    {"frombuffer(buffer, dtype=None, count=-1, offset=0, *, like=None)", native_frombuffer},
    {"from_bytes(data, dtype, shape, offset, swapped)", native_from_bytes},
    {NULL, NULL},
};

const ModuleDef module_np_bytes = {.name = "_np_bytes", .functions = natives};
