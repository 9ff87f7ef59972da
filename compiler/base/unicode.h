// SPDX-License-Identifier: Apache-2.0
// UTF-8, and the properties of code points.
#pragma once
#include "base.h"

#define UTF8_BAD UINT32_MAX

// The code point at *at, which moves past it. Malformed bytes (overlong, surrogates, above
// U+10FFFF, cut short) give UTF8_BAD, and *at moves by one byte.
uint32_t utf8_decode(Str text, size_t *at);
// Writes up to 4 bytes, returns how many. Surrogates are written as if they were characters.
size_t utf8_encode(uint32_t code, char out[4]);
static inline bool ascii_is_letter(uint32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}
static inline bool ascii_is_digit(char c) { return c >= '0' && c <= '9'; }
bool unicode_is_id_start(uint32_t code);
bool unicode_is_id_continue(uint32_t code);
bool unicode_is_identifier(Str text);     // as Python's str.isidentifier
bool unicode_is_printable(uint32_t code); // as Python's str.isprintable
// Columns on a terminal: 0, 1 or 2.
unsigned unicode_width(uint32_t code);
