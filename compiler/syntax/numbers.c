// SPDX-License-Identifier: Apache-2.0
// Number literals.
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "build_expr.h"
#include "build_node.h"
#include "literals.h"
#include "parser.h"

#define MAX_DECIMAL_DIGITS 4300

// ---- scanning ----------------------------------------------------------------------------------
static bool is_digit(char c, int base) {
  int value = c >= '0' && c <= '9'   ? c - '0'
              : c >= 'a' && c <= 'f' ? c - 'a' + 10
              : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                     : 99;
  return value < base;
}

// Digits with single underscores between them, from `at`; returns where they end.
static size_t skip_digits(Str text, size_t at, int base) {
  while (at < text.len && is_digit(text.data[at], base)) {
    at++;
    if (at + 1 < text.len && text.data[at] == '_' && is_digit(text.data[at + 1], base)) at++;
  }
  return at;
}

static int base_of_prefix(Str text) {
  if (text.len < 2 || text.data[0] != '0') return 10;
  switch (text.data[1] | 0x20) {
  case 'x': return 16;
  case 'o': return 8;
  case 'b': return 2;
  default: return 10;
  }
}

size_t numbers_scan(Str text) {
  int base = base_of_prefix(text);
  if (base != 10) {
    size_t begin = text.len > 2 && text.data[2] == '_' ? 3 : 2;
    size_t end = skip_digits(text, begin, base);
    return end > begin ? end : 1;
  }
  size_t at = skip_digits(text, 0, 10), whole = at;
  if (at < text.len && text.data[at] == '.') at = skip_digits(text, at + 1, 10);
  if (at < text.len && (text.data[at] | 0x20) == 'e') {
    size_t digits = at + 1;
    if (digits < text.len && (text.data[digits] == '+' || text.data[digits] == '-')) digits++;
    size_t end = skip_digits(text, digits, 10);
    if (end > digits) at = end;
  }
  if (at < text.len && (text.data[at] | 0x20) == 'j') return at + 1;
  if (at > whole || text.data[0] != '0') return at;
  size_t zeros = 0; // a decimal integer begins with 0 only if it is 0
  while (zeros < whole && (text.data[zeros] == '0' || text.data[zeros] == '_')) zeros++;
  return zeros;
}

bool numbers_may_follow(Str rest) {
  static const char *const words[] = {"and", "else", "for", "if", "in", "is", "not", "or"};
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (str_equal(rest, str_from_c(words[i]))) return true;
  return false;
}

const char *numbers_mistake(Str text) {
  int base = base_of_prefix(text);
  if (base == 16) return "invalid hexadecimal number";
  if (base == 8) return "invalid octal number";
  if (base == 2) return "invalid binary number";
  size_t digits = skip_digits(text, 0, 10);
  if (digits == text.len) return "a decimal number cannot begin with zeros; octal is written '0o…'";
  if (digits + 1 == text.len && (text.data[digits] | 0x20) == 'l')
    return "integers have no suffix 'L'";
  return "invalid number";
}

// ---- building ----------------------------------------------------------------------------------
// The text without underscores; borrows it if there are none.
static Str plain_digits(Arena *arena, Str text) {
  if (!memchr(text.data, '_', text.len)) return text;
  char *copy = arena_alloc(arena, text.len + 1);
  size_t len = 0;
  for (size_t i = 0; i < text.len; i++)
    if (text.data[i] != '_') copy[len++] = text.data[i];
  return (Str){copy, len};
}

static unsigned digit_value(char c) {
  return (unsigned)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

// False if it does not fit.
static bool small_value(Str digits, int base, int64_t *out) {
  *out = 0;
  for (size_t i = 0; i < digits.len; i++)
    if (__builtin_mul_overflow(*out, base, out) ||
        __builtin_add_overflow(*out, (int64_t)digit_value(digits.data[i]), out))
      return false;
  return true;
}

Expr *build_number(Parser *parser, Span span) {
  Str text = {parser->file->text.data + span.begin, span.end - span.begin};
  int base = base_of_prefix(text);
  bool is_imaginary = base == 10 && (text.data[text.len - 1] | 0x20) == 'j';
  bool is_float =
      base == 10 && (memchr(text.data, '.', text.len) || memchr(text.data, 'e', text.len) ||
                     memchr(text.data, 'E', text.len));
  if (is_imaginary || is_float) {
    Expr *expr = build__expr(parser, is_imaginary ? EX_IMAGINARY : EX_FLOAT, span);
    Str digits =
        str_copy(parser->scratch, plain_digits(parser->scratch, text)); // strtod stops at the j
    expr->float_literal = strtod(digits.data, NULL);
    return expr;
  }
  Expr *expr = build__expr(parser, EX_INT, span);
  if (base != 10) text = (Str){text.data + 2, text.len - 2};
  expr->int_literal.digits = plain_digits(parser->arena, text);
  expr->int_literal.base = base;
  int64_t value;
  if (small_value(expr->int_literal.digits, base, &value)) {
    expr->form = FORM_INT;
    expr->int_literal.value = value;
  }
  return expr;
}

// ---- conversion --------------------------------------------------------------------------------
// Digits of a base that is a power of two as little-endian 32-bit limbs, without zeros at the top.
static size_t to_limbs(Arena *arena, Str digits, int base, uint32_t **out) {
  unsigned bits = base == 16 ? 4 : base == 8 ? 3 : 1;
  uint32_t *limbs = ARENA_ARRAY(arena, uint32_t, digits.len * bits / 32 + 2);
  size_t at = 0;
  for (size_t i = digits.len; i-- > 0; at += bits) {
    uint64_t value = (uint64_t)digit_value(digits.data[i]) << at % 32;
    limbs[at / 32] |= (uint32_t)value;
    limbs[at / 32 + 1] |= (uint32_t)(value >> 32);
  }
  size_t count = at / 32 + 1;
  while (count && limbs[count - 1] == 0) count--;
  *out = limbs;
  return count;
}

Str numbers_decimal(Arena *arena, Str digits, int base) {
  while (digits.len > 1 && digits.data[0] == '0') digits.data++, digits.len--;
  if (base == 10) return digits;
  uint32_t *limbs;
  size_t count = to_limbs(arena, digits, base, &limbs);
  Buf buf;
  buf_init(&buf, arena);
  if (count == 0) return STR("0");
  if (count * 32 > MAX_DECIMAL_DIGITS * 10 / 3) { // digits for certain beyond the limit, or nearly
    buf_printf(&buf, "0x%x", limbs[count - 1]);
    for (size_t i = count - 1; i-- > 0;) buf_printf(&buf, "%08x", limbs[i]);
    return buf_view(&buf);
  }
  uint32_t *groups =
      ARENA_ARRAY(arena, uint32_t, count * 32 / 29 + 2); // nine digits each, lowest first
  size_t group_count = 0;
  while (count) {
    uint64_t rest = 0;
    for (size_t i = count; i-- > 0;) {
      rest = rest << 32 | limbs[i];
      limbs[i] = (uint32_t)(rest / 1000000000);
      rest %= 1000000000;
    }
    groups[group_count++] = (uint32_t)rest;
    while (count && limbs[count - 1] == 0) count--;
  }
  buf_printf(&buf, "%u", groups[group_count - 1]);
  for (size_t i = group_count - 1; i-- > 0;) buf_printf(&buf, "%09u", groups[i]);
  return buf_view(&buf);
}
