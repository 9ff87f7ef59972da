// SPDX-License-Identifier: Apache-2.0
// Text by code points: properties, case, searching, repr (builtin_text.c).
#pragma once
#include "base/buf.h"
#include "python/values/evaluator.h"

typedef enum TextFlags { // of a code point, as str.isalpha() and so on have it
  TEXT_ALPHA = 1,
  TEXT_DECIMAL = 2,
  TEXT_DIGIT = 4,
  TEXT_NUMERIC = 8,
  TEXT_SPACE = 16,
  TEXT_UPPER = 32,
  TEXT_LOWER = 64,
  TEXT_TITLE = 128,
  TEXT_CASED = 256,
  TEXT_IGNORABLE = 512, // does not end a word for the final sigma
} TextFlags;
typedef enum TextCase { CASE_UPPER, CASE_LOWER, CASE_TITLE, CASE_FOLD } TextCase;

// As str.isspace() has it; bytes.isspace() takes fewer.
static inline bool text_is_ascii_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}
unsigned text_flags(uint32_t code);
void text_put_code(Buf *buf, uint32_t code);
void text_put_case(Buf *buf, uint32_t code, TextCase which);
uint32_t text_next(Str text, size_t *at); // a malformed byte counts as the code point of its value
bool text_is_ascii(Str text);
size_t text_offset(Str text, size_t index); // of the index-th code point; text.len beyond the end
size_t text_find(Str text, Str wanted, size_t from); // byte offset, SIZE_MAX if absent
size_t text_code_before(Str text, size_t end);       // where the code point that ends there begins
size_t text_rfind(Str text, Str wanted, size_t end); // the last that ends at or before `end`
Str text_strip(Str text, bool left, bool right);     // white space
// For reading numbers: white space becomes ' ', decimal digits of any script become ASCII ones, all
// else that is not ASCII '?'.
Str text_number_ascii(Arena *arena, Str text);

void text_put_escape(Buf *buf, uint32_t code); // "\xe9", "\u20ac", "\U0001f600"
Str str_repr(Arena *arena, Str text);          // 'it\'s' with Python's choice of quotes
Str bytes_repr(Arena *arena, Str text);        // b'…'
size_t text_length(Str text);                  // in code points
