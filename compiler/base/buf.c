// SPDX-License-Identifier: Apache-2.0
// The growing containers: Buf, and the storage of VEC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "collected.h"
#include "base.h"
#include "sink.h"
#include "text/prt_float_text.h"

void buf_init(Buf *buf, Arena *arena) { *buf = (Buf){.arena = arena}; }

// Room for `extra` more bytes and the NUL.
static void reserve(Buf *buf, size_t extra) {
  if (buf->capacity - buf->len > extra) return;
  size_t capacity = buf->capacity ? buf->capacity : 64;
  while (capacity - buf->len <= extra) {
    // The latter is refused as out of memory.
    capacity = capacity > SIZE_MAX / 4 ? SIZE_MAX / 2 : capacity * 2;
    if (capacity == SIZE_MAX / 2) break;
  }
  char *data = arena_alloc_bytes(buf->arena, capacity);
  if (buf->len) memcpy(data, buf->data, buf->len);
  buf->data = data;
  buf->capacity = capacity;
}

void buf_char(Buf *buf, char c) {
  reserve(buf, 1);
  buf->data[buf->len++] = c;
}

void buf_str(Buf *buf, Str s) {
  if (s.len == 0) return;
  reserve(buf, s.len);
  memcpy(buf->data + buf->len, s.data, s.len);
  buf->len += s.len;
}

void buf_c(Buf *buf, const char *text) { buf_str(buf, str_from_c(text)); }

void buf_vprintf(Buf *buf, const char *fmt, va_list args) {
  va_list again;
  va_copy(again, args);
  size_t room = buf->capacity - buf->len;
  int len = vsnprintf(room ? buf->data + buf->len : NULL, room, fmt, args);
  if (len < 0) BUG("cannot format '%s'", fmt);
  if ((size_t)len >= room) {
    reserve(buf, (size_t)len);
    vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
  }
  va_end(again);
  buf->len += (size_t)len;
}

void buf_printf(Buf *buf, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  buf_vprintf(buf, fmt, args);
  va_end(args);
}

void buf_repeat(Buf *buf, Str s, size_t times) {
  if (s.len == 0 || times == 0) return;
  reserve(buf, times > SIZE_MAX / 4 / s.len ? SIZE_MAX / 4 : s.len * times);
  for (size_t i = 0; i < times; i++) memcpy(buf->data + buf->len + i * s.len, s.data, s.len);
  buf->len += s.len * times;
}

void buf_pad(Buf *buf, char c, size_t count) {
  reserve(buf, count);
  memset(buf->data + buf->len, c, count);
  buf->len += count;
}

static void add_to_buf(void *buf, const char *text, size_t length) {
  buf_str(buf, (Str){text, length});
}

prt_sink buf_sink(Buf *buf) { return (prt_sink){add_to_buf, buf}; }

void buf_double(Buf *buf, double value) {
  prt_sink out = buf_sink(buf);
  prt__put_repr(&out, value);
}

Str buf_view(const Buf *buf) {
  if (!buf->data) return STR("");
  buf->data[buf->len] = '\0';
  return (Str){buf->data, buf->len};
}

void *vec__grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t item_size) {
  size_t larger = *capacity ? *capacity * 2 : 4;
  char *storage = arena_alloc_array(arena, larger, item_size);
  if (count) memcpy(storage, items, count * item_size);
  *capacity = larger;
  return storage;
}
