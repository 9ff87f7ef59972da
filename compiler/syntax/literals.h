// SPDX-License-Identifier: Apache-2.0
// The inside of literals: numbers.c and strings.c.
#pragma once
#include "base/base.h"
#include "base/buf.h"

// Length of the longest number that the text begins with.
size_t numbers_scan(Str text);
// Whether what follows a number without a space is a keyword that may (as in `1if x else 2`).
bool numbers_may_follow(Str rest);
// What is wrong with a text that begins like a number.
const char *numbers_mistake(Str text);
// The digits of an integer in decimal, or "0x…" if they would be more than 4,300 (as Python prints
// what it can print).
Str numbers_decimal(Arena *arena, Str digits, int base);
// As Python's repr: with quotes, escapes, and a b before bytes.
void strings_repr(Buf *buf, Str text, bool is_bytes);
