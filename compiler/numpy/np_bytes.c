// SPDX-License-Identifier: Apache-2.0
// Arrays from bytes, and what .npz files need of zlib: check sums, and members that are compressed.
// In: bytes. Out: arrays, bytes. library/numpy/_npy.pk composes them.
#define ZLIB_CONST
#include "dtype_object.h"
#include "nd.h"
#include "nd_shape.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/evaluator_state.h"
#include "python/objects/make.h"
#include "python/objects/protocol.h"
#include "python/objects/raise.h"
#include <limits.h>
#include <string.h>
#include <zlib.h>

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
  int64_t dims[ND_MAX_RANK], count = 1, size, offset = take_int(ev, a[3], "offset");
  DType dtype = take_dtype(ev, a[1], "dtype");
  size_t rank = take_shape(ev, a[2], dims, "shape");
  bool fits = offset >= 0 && (uint64_t)offset <= bytes.len;
  for (size_t i = 0; i < rank && fits; i++) fits = !__builtin_mul_overflow(count, dims[i], &count);
  if (!fits || __builtin_mul_overflow(count, (int64_t)dtype_size(dtype), &size) ||
      (uint64_t)size > bytes.len - (uint64_t)offset)
    eval_raise(ev, ev->types.ValueError, "the array needs more bytes than there are");
  NdArray *nd = nd_new(ev, dtype, rank, dims);
  if (size) memcpy(nd->data, bytes.data + offset, (size_t)size);
  if (value_truth(ev, a[4])) swap_bytes(nd->data, dtype_size(dtype), count);
  return v_object(nd);
}

// ---- zip ----------------------------------------------------------------------------------------
static Value native_crc32(Eval *ev, Value *a) {
  Str bytes = take_bytes(ev, a[0]);
  return v_int((int64_t)crc32_z(crc32_z(0, NULL, 0), (const Bytef *)bytes.data, bytes.len));
}

// The bytes of a deflate stream without a head, at most `room` of them; how many, SIZE_MAX if they
// are damaged or more.
static size_t inflate_all(Str in, char *out, size_t room) {
  z_stream s = {0};
  if (inflateInit2(&s, -MAX_WBITS) != Z_OK) return SIZE_MAX;
  size_t taken = 0, given = 0;
  int status = Z_OK;
  while (status == Z_OK) {
    size_t left = in.len - taken, free = room - given;
    s.next_in = (const Bytef *)(in.data + taken);
    s.next_out = (Bytef *)(out + given);
    uInt to_take = s.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
    uInt to_give = s.avail_out = free < UINT_MAX ? (uInt)free : UINT_MAX;
    status = inflate(&s, Z_NO_FLUSH);
    taken += to_take - s.avail_in;
    given += to_give - s.avail_out;
  }
  inflateEnd(&s);
  return status == Z_STREAM_END ? given : SIZE_MAX;
}

// The bytes that were compressed; None if they are damaged, or not `size` many.
static Value native_inflate(Eval *ev, Value *a) {
  int64_t size = take_int(ev, a[1], "size");
  Str in = take_bytes(ev, a[0]);
  // A byte cannot stand for more than some thousand: a header's claim alone takes no memory.
  if (size < 0 || (uint64_t)size / 2048 > in.len) return v_none();
  char *out = arena_alloc_bytes(ev->arena, (size_t)size + 1);
  if (inflate_all(in, out, (size_t)size) != (size_t)size) return v_none();
  return make_bytes(ev, (Str){out, (size_t)size});
}

static const NativeDef natives[] = {
    {"from_bytes(data, dtype, shape, offset, swapped)", native_from_bytes},
    {"crc32(data)", native_crc32},
    {"inflate(data, size)", native_inflate},
    {NULL, NULL},
};

const ModuleDef module_np_bytes = {.name = "_np_bytes", .functions = natives};
