// SPDX-License-Identifier: Apache-2.0
// Decimal numbers as text: their digits, and the notations of the General Decimal Arithmetic.
#include "base/buf.h"
#include "base/collected.h"
#include "base/unicode.h"
#include "decimal_text.h"
#include <string.h>

// ---- digits -------------------------------------------------------------------------------------
enum { LIMB_DIGITS = 19 };
#define LIMB_POWER 10000000000000000000u

static Str short_text(Eval *ev, const Num *n) {
  char *text = arena_alloc_bytes(ev->arena, 2 * LIMB_DIGITS + 2), *end = text + 2 * LIMB_DIGITS + 2;
  mp_limb_t rest[2] = {n->limbs[0], n->size > 1 ? n->limbs[1] : 0};
  char *at = end;
  while (rest[1]) {
    mp_limb_t low = mpn_divrem_1(rest, 0, rest, 2, LIMB_POWER);
    for (int i = 0; i < LIMB_DIGITS; i++, low /= 10) *--at = (char)('0' + low % 10);
  }
  for (mp_limb_t low = rest[0]; low; low /= 10) *--at = (char)('0' + low % 10);
  return (Str){at, (size_t)(end - at)};
}

Str num_digit_text(Eval *ev, const Num *n) {
  if (n->size == 0) return STR("0");
  if (n->size <= 2) return short_text(ev, n);
  mp_limb_t *copy = decimal_limbs(ev, n->size + 1); // is overwritten
  memcpy(copy, n->limbs, n->size * sizeof *copy);
  size_t room = (size_t)num_digits(ev, n) + 2;
  unsigned char *text = arena_alloc_bytes(ev->arena, room);
  size_t count = mpn_get_str(text, 10, copy, (mp_size_t)n->size), zeros = 0;
  while (zeros + 1 < count && text[zeros] == 0) zeros++;
  for (size_t i = zeros; i < count; i++) text[i] = (unsigned char)(text[i] + '0');
  return (Str){(const char *)text + zeros, count - zeros};
}

void num_of_digits(Calc *c, Num *n, Str digits) {
  while (digits.len && digits.data[0] == '0') {
    digits.data++;
    digits.len--;
  }
  num_small(n, false, 0, 0);
  if (digits.len <= LIMB_DIGITS) {
    mp_limb_t value = 0;
    for (size_t i = 0; i < digits.len; i++) value = value * 10 + (mp_limb_t)(digits.data[i] - '0');
    num_small(n, false, value, 0);
    return;
  }
  num_reserve(c, n, digits.len * 10 / 192 + 2);
  unsigned char few[256];
  unsigned char *values =
      digits.len <= sizeof few ? few : arena_alloc_bytes(c->ev->arena, digits.len);
  for (size_t i = 0; i < digits.len; i++) values[i] = (unsigned char)(digits.data[i] - '0');
  n->size = (size_t)mpn_set_str(n->limbs, values, digits.len, 10);
  num_normal(n);
}

// ---- reading ------------------------------------------------------------------------------------
static bool same_letters(Str text, const char *word) {
  size_t length = strlen(word);
  if (text.len != length) return false;
  for (size_t i = 0; i < length; i++)
    if ((text.data[i] | 32) != word[i]) return false;
  return true;
}

static bool all_digits(Str text) {
  for (size_t i = 0; i < text.len; i++)
    if (!ascii_is_digit(text.data[i])) return false;
  return true;
}

static Str behind(Str text, size_t count) { return (Str){text.data + count, text.len - count}; }

static bool parse_special(Calc *c, Num *n, Str text, bool negative) {
  if (same_letters(text, "inf") || same_letters(text, "infinity")) {
    num_special(n, DECIMAL_INFINITE, negative);
    return true;
  }
  bool signals = text.len > 0 && (text.data[0] | 32) == 's';
  if (signals) text = behind(text, 1);
  if (text.len < 3 || !same_letters((Str){text.data, 3}, "nan")) return false;
  Str payload = behind(text, 3);
  if (!all_digits(payload)) return false;
  num_of_digits(c, n, payload);
  n->kind = signals ? DECIMAL_SNAN : DECIMAL_QNAN;
  n->negative = negative;
  return true;
}

// "e+12"; what lies beyond all exponents is one that is too large.
static bool parse_exponent(Str text, int64_t *out) {
  *out = 0;
  if (text.len == 0) return true;
  if ((text.data[0] | 32) != 'e') return false;
  text = behind(text, 1);
  bool negative = text.len && text.data[0] == '-';
  if (negative || (text.len && text.data[0] == '+')) text = behind(text, 1);
  if (text.len == 0 || !all_digits(text)) return false;
  int64_t value = 0;
  for (size_t i = 0; i < text.len; i++)
    value = value < 4 * (DECIMAL_MAX_EMAX / 10) ? value * 10 + (text.data[i] - '0')
                                                : 4 * DECIMAL_MAX_EMAX;
  *out = negative ? -value : value;
  return true;
}

bool num_parse(Calc *c, Num *n, Str text) {
  bool negative = text.len && text.data[0] == '-';
  if (negative || (text.len && text.data[0] == '+')) text = behind(text, 1);
  if (text.len && ascii_is_letter((unsigned char)text.data[0]))
    return parse_special(c, n, text, negative);
  size_t end = 0, point = SIZE_MAX;
  while (end < text.len &&
         (ascii_is_digit(text.data[end]) || (text.data[end] == '.' && point == SIZE_MAX))) {
    if (text.data[end] == '.') point = end;
    end++;
  }
  Str digits = {text.data, end};
  int64_t exponent;
  if (end == (point != SIZE_MAX) || !parse_exponent(behind(text, end), &exponent)) return false;
  if (point != SIZE_MAX) {
    char *joined = arena_alloc_bytes(c->ev->arena, end);
    memcpy(joined, text.data, point);
    memcpy(joined + point, text.data + point + 1, end - point - 1);
    digits = (Str){joined, end - 1};
    exponent -= (int64_t)(end - point - 1);
  }
  num_of_digits(c, n, digits);
  n->negative = negative;
  n->exponent = exponent;
  return true;
}

// ---- writing ------------------------------------------------------------------------------------
void put_decimal(Buf *out, Str digits, int64_t before) {
  if (before <= 0) {
    buf_c(out, "0.");
    buf_pad(out, '0', (size_t)-before);
    buf_str(out, digits);
  } else if ((size_t)before >= digits.len) {
    buf_str(out, digits);
    buf_pad(out, '0', (size_t)before - digits.len);
  } else {
    buf_str(out, (Str){digits.data, (size_t)before});
    buf_char(out, '.');
    buf_str(out, behind(digits, (size_t)before));
  }
}

Str num_text(Eval *ev, const Num *n, bool engineering, bool capitals) {
  Buf out;
  buf_init(&out, ev->arena);
  if (n->negative) buf_char(&out, '-');
  if (num_is_special(n)) {
    buf_c(&out, n->kind == DECIMAL_INFINITE ? "Infinity"
                : n->kind == DECIMAL_QNAN   ? "NaN"
                                            : "sNaN");
    if (n->size) buf_str(&out, num_digit_text(ev, n));
    return buf_view(&out);
  }
  Str digits = num_digit_text(ev, n);
  int64_t left = n->exponent + (int64_t)digits.len, before = 1;
  if (n->exponent <= 0 && left > -6)
    before = left;
  else if (engineering)
    before = n->size == 0 ? ((left + 1) % 3 + 3) % 3 - 1 : ((left - 1) % 3 + 3) % 3 + 1;
  put_decimal(&out, digits, before);
  if (before != left) buf_printf(&out, "%c%+lld", capitals ? 'E' : 'e', (long long)(left - before));
  return buf_view(&out);
}
