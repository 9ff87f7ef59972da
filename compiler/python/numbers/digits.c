// SPDX-License-Identifier: Apache-2.0
// Doubles as decimal text and back (the text is runtime/text's, the C library's strtod rounds
// correctly), and Python's hash of numbers.
#include "base/buf.h"
#include "base/collected.h"
#include "digits.h"
#include "base/sink.h"
#include "python/values/builtin_state.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/prt_float_text.h"

// No double has more than 1074 digits after the point, or 309 before it.
#define MAX_FRACTION 1080
#define MAX_EXACT    (MAX_FRACTION + 330)

// ---- text ---------------------------------------------------------------------------------------
Str float_text(Arena *arena, double x, char form, int64_t precision, unsigned flags) {
  Buf buf;
  buf_init(&buf, arena);
  prt_sink out = buf_sink(&buf);
  prt__put_float(&out, x, form, precision, flags);
  return buf_view(&buf);
}

Str float_repr(Arena *arena, double x) {
  Buf buf;
  buf_init(&buf, arena);
  buf_double(&buf, x);
  return buf_view(&buf);
}

// ---- rounding -----------------------------------------------------------------------------------
// To a multiple of 10^places, on the exact decimal text of |x|.
static double round_to_tens(double x, int places) {
  char text[MAX_EXACT + 16];
  snprintf(text, sizeof text, "%.*f", MAX_FRACTION, fabs(x));
  int whole = (int)(strchr(text, '.') - text);
  int keep = whole - places; // digits that stay
  if (keep < 0) return copysign(0.0, x);
  bool half = text[keep] == '5';
  for (const char *p = text + keep + 1; half && *p; p++) half = *p == '0' || *p == '.';
  bool odd = keep > 0 && (text[keep - 1] - '0') % 2 != 0;
  bool up = half ? odd : text[keep] >= '5';
  char rounded[400] = "0";
  memcpy(rounded + 1, text, (size_t)keep);
  int at = keep;
  for (; up && rounded[at] == '9'; at--) rounded[at] = '0';
  if (up) rounded[at]++;
  snprintf(rounded + keep + 1, sizeof rounded - (size_t)keep - 1, "e%d", places);
  return copysign(strtod(rounded, NULL), x);
}

double float_round(double x, int64_t ndigits) {
  if (!isfinite(x) || x == 0 || ndigits > 323) return x;
  if (ndigits < -309) return copysign(0.0, x);
  if (ndigits < 0) return round_to_tens(x, (int)-ndigits);
  char text[MAX_EXACT + 16];
  snprintf(text, sizeof text, "%.*f", (int)ndigits, x);
  return strtod(text, NULL);
}

// ---- reading ------------------------------------------------------------------------------------
static bool word_is(const char *text, const char *word) {
  size_t i = 0;
  for (; word[i]; i++) {
    if (tolower((unsigned char)text[i]) != word[i]) return false;
  }
  return text[i] == 0;
}

// [digits][.digits][e[sign]digits] with single underscores between digits, which are left out of
// `out`.
static bool copy_number(const char *p, char *out) {
  size_t mantissa = 0, exponent = 0;
  bool in_exponent = false, has_point = false;
  char before = 0;
  for (; *p; before = *p++) {
    if (isdigit((unsigned char)*p)) {
      in_exponent ? exponent++ : mantissa++;
    } else if (*p == '_') {
      if (!isdigit((unsigned char)before) || !isdigit((unsigned char)p[1])) return false;
      continue;
    } else if (*p == '.') {
      if (has_point || in_exponent) return false;
      has_point = true;
    } else if (*p == 'e' || *p == 'E') {
      if (in_exponent || mantissa == 0) return false;
      in_exponent = true;
    } else if (*p == '+' || *p == '-') {
      if (before != 'e' && before != 'E') return false;
    } else {
      return false;
    }
    *out++ = *p;
  }
  *out = 0;
  return mantissa > 0 && (!in_exponent || exponent > 0);
}

// Up to 15 digits are exact as a double, and so are powers of ten up to 22: one rounding is left.
static bool read_short(const char *number, double *out) {
  static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  uint64_t digits = 0;
  unsigned count = 0, behind = 0;
  bool has_point = false;
  for (; *number; number++) {
    if (*number == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (*number < '0' || *number > '9' || ++count >= COUNT_OF(powers)) return false;
    digits = 10 * digits + (uint64_t)(*number - '0');
    behind += has_point;
  }
  *out = (double)digits / powers[behind];
  return count != 0;
}

bool float_parse(Arena *arena, Str text, double *out) {
  while (text.len > 0 && isspace((unsigned char)text.data[0])) text.data++, text.len--;
  while (text.len > 0 && isspace((unsigned char)text.data[text.len - 1])) text.len--;
  if (text.len == 0 || memchr(text.data, 0, text.len)) return false;
  char small[128];
  char *copy =
      2 * (text.len + 1) <= sizeof small ? small : arena_alloc_bytes(arena, 2 * (text.len + 1));
  memcpy(copy, text.data, text.len);
  copy[text.len] = 0;
  char *number = copy + text.len + 1;
  const char *p = copy;
  bool negative = *p == '-';
  if (*p == '-' || *p == '+') p++;
  if (word_is(p, "inf") || word_is(p, "infinity")) {
    *out = (double)INFINITY;
  } else if (word_is(p, "nan")) {
    *out = (double)NAN;
  } else if (copy_number(p, number)) {
    if (!read_short(number, out)) *out = strtod(number, NULL);
  } else {
    return false;
  }
  if (negative) *out = -*out;
  return true;
}

// ---- hashes -------------------------------------------------------------------------------------
// Numbers that compare equal have equal hashes: the residue modulo the prime 2^61 - 1, with the
// sign of the number.
#define HASH_BITS 61
#define HASH_INF  314159

uint64_t hash_int(int64_t i) {
  if (is_own_hash(i)) return (uint64_t)i;
  uint64_t magnitude = i < 0 ? -(uint64_t)i : (uint64_t)i;
  uint64_t hash = magnitude % HASH_PRIME;
  if (i < 0) hash = -hash;
  return hash == UINT64_MAX ? (uint64_t)-2 : hash;
}

uint64_t hash_double(double x) {
  if (isinf(x)) return x > 0 ? HASH_INF : -(uint64_t)HASH_INF;
  if (isnan(x)) return 0;
  int exponent;
  double mantissa = frexp(fabs(x), &exponent);
  uint64_t hash = 0;
  while (mantissa != 0) { // 28 bits at a time
    hash = ((hash << 28) & HASH_PRIME) | hash >> (HASH_BITS - 28);
    mantissa *= 268435456.0;
    exponent -= 28;
    uint64_t digit = (uint64_t)mantissa;
    mantissa -= (double)digit;
    hash += digit;
    if (hash >= HASH_PRIME) hash -= HASH_PRIME;
  }
  int shift = exponent % HASH_BITS;
  if (shift < 0) shift += HASH_BITS;
  hash = ((hash << shift) & HASH_PRIME) | hash >> (HASH_BITS - shift);
  if (x < 0) hash = -hash;
  return hash == UINT64_MAX ? (uint64_t)-2 : hash;
}
