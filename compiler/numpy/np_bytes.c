// SPDX-License-Identifier: Apache-2.0
// Arrays from bytes. library/numpy/_npy.pk reads files by it.
#include "dtype_object.h"
#include "nd.h"
#include "nd_shape.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/evaluator_state.h"
#include "python/objects/make.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include <string.h>

static Str take_bytes(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || v.o->type != ev->types.bytes)
    eval_raise(ev, ev->types.TypeError, "a bytes-like object is required, not '%s'",
               value_type_name(ev, v));
  return ((const BytesObject *)v.o)->text;
}

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
  Str bytes = take_bytes(ev, a[0]);
  int64_t dims[ND_MAX_RANK], count = 1, size = 0, offset = take_int(ev, a[3], "offset");
  DType dtype = take_dtype(ev, a[1], "dtype");
  size_t rank = take_shape(ev, a[2], dims, "shape");
  bool fits = offset >= 0 && (uint64_t)offset <= bytes.len;
  for (size_t i = 0; i < rank && fits; i++) fits = !__builtin_mul_overflow(count, dims[i], &count);
  if (!fits || __builtin_mul_overflow(count, (int64_t)dtype_size(dtype), &size) ||
      (uint64_t)size > bytes.len - (uint64_t)offset)
    eval_raise(ev, ev->types.ValueError, "the array needs more bytes than there are");
  NdArray *nd = nd_new(ev, dtype, rank, dims);
  if (size) memcpy(nd->data, bytes.data + offset, (size_t)size);
  size_t each = dtype_size(dtype_of_parts(dtype)); // of complex numbers each part is swapped
  if (value_truth(ev, a[4])) swap_bytes(nd->data, each, size / (int64_t)each);
  return v_object(nd);
}

static const NativeDef natives[] = {
    {"from_bytes(data, dtype, shape, offset, swapped)", native_from_bytes},
    {NULL, NULL},
};

const ModuleDef module_np_bytes = {.name = "_np_bytes", .functions = natives};
