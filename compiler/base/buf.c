// SPDX-License-Identifier: Apache-2.0
// The growing containers: Buf, and the storage of VEC.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"

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
  char *data = arena_alloc(buf->arena, capacity);
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
  int len = vsnprintf(NULL, 0, fmt, args);
  if (len < 0) BUG("cannot format '%s'", fmt);
  reserve(buf, (size_t)len);
  vsnprintf(buf->data + buf->len, (size_t)len + 1, fmt, again);
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

// Digits of the shortest decimal that reads back as `value`, and the power of ten of the first one.
static int shortest_digits(double value, char digits[20], int *exponent) {
  char text[40];
  for (int precision = 0; precision < 17; precision++) {
    snprintf(text, sizeof text, "%.*e", precision, value);
    if (strtod(text, NULL) == value) break;
  }
  int count = 0;
  const char *p = text;
  for (; *p && *p != 'e'; p++)
    if (*p >= '0' && *p <= '9') digits[count++] = *p;
  *exponent = (int)strtol(p + 1, NULL, 10);
  while (count > 1 && digits[count - 1] == '0') count--;
  return count;
}

void buf_double(Buf *buf, double value) {
  if (value != value) {
    buf_c(buf, "nan");
    return;
  }
  if (__builtin_signbit(value)) buf_char(buf, '-');
  value = __builtin_fabs(value);
  if (value > 0x1.fffffffffffffp1023) {
    buf_c(buf, "inf");
    return;
  }
  char digits[20];
  int exponent, count = shortest_digits(value, digits, &exponent);
  if (exponent < -4 || exponent >= 16) {
    buf_char(buf, digits[0]);
    if (count > 1) buf_char(buf, '.');
    buf_str(buf, (Str){digits + 1, (size_t)(count - 1)});
    buf_printf(buf, "e%c%02d", exponent < 0 ? '-' : '+', abs(exponent));
  } else if (exponent < 0) {
    buf_c(buf, "0.");
    buf_pad(buf, '0', (size_t)(-exponent - 1));
    buf_str(buf, (Str){digits, (size_t)count});
  } else {
    int whole = count < exponent + 1 ? count : exponent + 1;
    buf_str(buf, (Str){digits, (size_t)whole});
    buf_pad(buf, '0', (size_t)(exponent + 1 - whole));
    buf_char(buf, '.');
    buf_str(buf, (Str){digits + whole, (size_t)(count - whole)});
    if (count == whole) buf_char(buf, '0');
  }
}

Str buf_view(const Buf *buf) {
  if (!buf->data) return STR("");
  buf->data[buf->len] = '\0';
  return (Str){buf->data, buf->len};
}

void *vec__grow(Arena *arena, void *items, size_t count, size_t *capacity, size_t item_size) {
  size_t larger = *capacity ? *capacity * 2 : 8;
  char *storage = arena_alloc_array(arena, larger, item_size);
  if (count) memcpy(storage, items, count * item_size);
  *capacity = larger;
  return storage;
}
