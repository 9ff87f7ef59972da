// SPDX-License-Identifier: Apache-2.0
// The module zlib: checksums and compression, by libz.
#define ZLIB_CONST
#include <limits.h>
#include <zlib.h>
#include "base/buf.h"
#include "base/collected.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/objects/convert.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/protocol.h"

NORETURN static void raise_zlib(Eval *ev, int code, const char *doing) {
  eval_raise(ev, ev->types.ValueError, "Error %d while %s", code, doing);
}

// ---- checksums ----------------------------------------------------------------------------------
static Value zlib_adler32(Eval *ev, Value *a) {
  Str data = take_bytes_like(ev, a[0]);
  uLong start = (uLong)take_index64(ev, a[1]) & 0xffffffffu;
  return v_int((int64_t)adler32_z(start, (const Bytef *)data.data, data.len));
}

static Value zlib_crc32(Eval *ev, Value *a) {
  Str data = take_bytes_like(ev, a[0]);
  uLong start = (uLong)take_index64(ev, a[1]) & 0xffffffffu;
  return v_int((int64_t)crc32_z(start, (const Bytef *)data.data, data.len));
}

// ---- compression --------------------------------------------------------------------------------
static Value zlib_compress(Eval *ev, Value *a) {
  Str data = take_bytes_like(ev, a[0]);
  int64_t level = take_index64(ev, a[1]);
  if (level < -1 || level > 9) raise_zlib(ev, Z_STREAM_ERROR, "compressing: Bad compression level");
  uLongf length = compressBound(data.len);
  Bytef *out = arena_alloc_bytes(ev->arena, length);
  int code = compress2(out, &length, (const Bytef *)data.data, data.len, (int)level);
  if (code != Z_OK) raise_zlib(ev, code, "compressing data");
  return make_bytes(ev, (Str){(const char *)out, length});
}

// What comes out is bounded by the memory that the program may use. Gives the status of zlib, and
// how much of the data was taken.
static int inflate_stream(Eval *ev, Str data, int64_t window, Buf *out, size_t *taken) {
  z_stream stream = {.next_in = (const Bytef *)data.data, .avail_in = 0};
  if (window < INT_MIN || window > INT_MAX || inflateInit2(&stream, (int)window) != Z_OK)
    eval_raise(ev, ev->types.ValueError, "Invalid initialization option");
  int code = Z_OK;
  size_t left = data.len;
  while (code == Z_OK) {
    Bytef piece[1 << 14];
    if (stream.avail_in == 0) {
      stream.avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
      left -= stream.avail_in;
    }
    stream.next_out = piece;
    stream.avail_out = sizeof piece;
    code = inflate(&stream, Z_NO_FLUSH);
    buf_str(out, (Str){(const char *)piece, sizeof piece - stream.avail_out});
    if (code == Z_OK && stream.avail_in == 0 && left == 0 && stream.avail_out > 0)
      code = Z_BUF_ERROR;
  }
  *taken = data.len - left - stream.avail_in;
  inflateEnd(&stream);
  return code;
}

static Value zlib_decompress(Eval *ev, Value *a) {
  Buf out;
  size_t taken;
  buf_init(&out, ev->arena);
  int code = inflate_stream(ev, take_bytes_like(ev, a[0]), take_index64(ev, a[1]), &out, &taken);
  if (code == Z_BUF_ERROR)
    raise_zlib(ev, code, "decompressing data: incomplete or truncated stream");
  if (code != Z_STREAM_END) raise_zlib(ev, code, "decompressing data: incorrect header check");
  return make_bytes(ev, buf_view(&out));
}

// (The bytes of the stream at the start of the data, or None if it is not there as a whole; how
// many it takes there.)
static Value zlib_decompress_part(Eval *ev, Value *a) {
  Buf out;
  size_t taken;
  buf_init(&out, ev->arena);
  int code = inflate_stream(ev, take_bytes_like(ev, a[0]), take_index64(ev, a[1]), &out, &taken);
  if (code != Z_STREAM_END && code != Z_BUF_ERROR)
    raise_zlib(ev, code, "decompressing data: invalid stream");
  Value bytes = code == Z_STREAM_END ? make_bytes(ev, buf_view(&out)) : v_none();
  return make_tuple(ev, 2, (Value[]){bytes, v_int((int64_t)taken)});
}

// ---- members of zip files -----------------------------------------------------------------------
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
static Value zlib_inflate(Eval *ev, Value *a) {
  int64_t size = take_index64(ev, a[1]);
  Str in = take_bytes_like(ev, a[0]);
  // A byte cannot stand for more than some thousand: a header's claim alone takes no memory.
  if (size < 0 || (uint64_t)size / 2048 > in.len) return v_none();
  char *out = arena_alloc_bytes(ev->arena, (size_t)size + 1);
  if (inflate_all(in, out, (size_t)size) != (size_t)size) return v_none();
  return make_bytes(ev, (Str){out, (size_t)size});
}

static const NativeDef natives[] = {{"adler32(data, value=1, /)", zlib_adler32},
                                    {"crc32(data, value=0, /)", zlib_crc32},
                                    {"_compress(data, level)", zlib_compress},
                                    {"_decompress(data, wbits)", zlib_decompress},
                                    {"_decompress_part(data, wbits=-15)", zlib_decompress_part},
                                    {"_inflate(data, size)", zlib_inflate},
                                    {0}};

const ModuleDef module_zlib = {.name = "zlib", .functions = natives};
