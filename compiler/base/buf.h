// SPDX-License-Identifier: Apache-2.0
// A growing byte buffer, for printers.
#pragma once
#include "base.h"

typedef struct Buf {
  Arena *arena;
  char *data;
  size_t len, capacity;
} Buf;
void buf_init(Buf *buf, Arena *arena);
void buf_char(Buf *buf, char c);
void buf_str(Buf *buf, Str s);
void buf_c(Buf *buf, const char *text);
void buf_printf(Buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(Buf *buf, const char *fmt, va_list args);
void buf_repeat(Buf *buf, Str s, size_t times);
void buf_pad(Buf *buf, char c, size_t count);
// The shortest text that reads back as the same number, laid out as Python's repr(float): 1.0, 0.1,
// 1e-05, inf, nan.
void buf_double(Buf *buf, double value);
Str buf_view(const Buf *buf); // valid until the next append; NUL-terminated
