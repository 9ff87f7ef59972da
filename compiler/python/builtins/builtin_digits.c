// SPDX-License-Identifier: Apache-2.0
// Doubles as decimal text and back. The C library's printf and strtod round correctly; what is
// added is the search for the shortest digits, Python's layouts, and Python's hash.
#include "builtin_local.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// No double has more than 1074 digits after the point, or 309 before it.
#define MAX_FRACTION 1080
#define MAX_EXACT    (MAX_FRACTION + 330)

// ---- digits -------------------------------------------------------------------------------------
// Splits "d.ddde±xx" into digits without trailing zeros and the point.
static Digits split_exponent_form(const char *text) {
  Digits digits = {.count = 0};
  const char *p = text;
  for (; *p && *p != 'e'; p++) {
    if (*p != '.') digits.text[digits.count++] = *p;
  }
  digits.point = atoi(p + 1) + 1;
  while (digits.count > 1 && digits.text[digits.count - 1] == '0') digits.count--;
  digits.text[digits.count] = 0;
  return digits;
}

// The next greater decimal of as many digits.
static void increment_digits(Digits *digits) {
  int i = digits->count - 1;
  while (i >= 0 && digits->text[i] == '9') digits->text[i--] = '0';
  if (i >= 0) {
    digits->text[i]++;
    return;
  }
  digits->text[0] = '1';
  digits->point++;
}

static double digits_value(const Digits *digits) {
  char text[40];
  snprintf(text, sizeof text, "0.%se%d", digits->text, digits->point);
  return strtod(text, NULL);
}

// Below a power of two doubles lie twice as dense as above it. A decimal of few digits may then
// read back as x although the nearest one of as many digits, on the dense side, does not.
static bool try_above(double x, int precision, Digits *out) {
  int exponent;
  if (frexp(x, &exponent) != 0.5) return false;
  char text[40];
  snprintf(text, sizeof text, "%.*e", precision - 1, x);
  Digits digits = {.count = 0};
  for (const char *p = text; *p != 'e'; p++) {
    if (*p != '.') digits.text[digits.count++] = *p;
  }
  digits.point = atoi(strchr(text, 'e') + 1) + 1;
  increment_digits(&digits);
  if (digits_value(&digits) != x) return false;
  *out = digits;
  return true;
}

Digits digits_shortest(double x) {
  x = fabs(x);
  if (x == 0) return (Digits){.text = "0", .count = 1, .point = 1};
  // A normal double keeps any 15 digits, so that the shortest text of up to 15 is what "%.15g"
  // gives. Subnormals keep fewer.
  int precision = x < 2.2250738585072014e-308 ? 1 : 15;
  for (; precision < 17; precision++) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", precision - 1, x);
    if (strtod(text, NULL) == x) return split_exponent_form(text);
    Digits above;
    if (try_above(x, precision, &above)) return above;
  }
  char text[40];
  snprintf(text, sizeof text, "%.16e", x);
  return split_exponent_form(text);
}

// ---- layouts ------------------------------------------------------------------------------------
static void put_exponent(Buf *buf, int exponent, unsigned flags) {
  buf_printf(buf, "%c%c%02d", flags & FLOAT_UPPER ? 'E' : 'e', exponent < 0 ? '-' : '+',
             abs(exponent));
}

static void put_fixed(Buf *buf, const char *digits, int count, int point, unsigned flags) {
  if (point <= 0) {
    buf_c(buf, "0.");
    buf_pad(buf, '0', (size_t)-point);
    buf_str(buf, (Str){digits, (size_t)count});
    return;
  }
  int whole = point < count ? point : count;
  buf_str(buf, (Str){digits, (size_t)whole});
  if (point > count) buf_pad(buf, '0', (size_t)(point - count));
  if (point < count) {
    buf_char(buf, '.');
    buf_str(buf, (Str){digits + point, (size_t)(count - point)});
  } else if (flags & FLOAT_ADD_DOT_0) {
    buf_c(buf, ".0");
  } else if (flags & FLOAT_ALT) {
    buf_char(buf, '.');
  }
}

static void put_scientific(Buf *buf, const char *digits, int count, int point, unsigned flags) {
  buf_char(buf, digits[0]);
  if (count > 1 || flags & FLOAT_ALT) buf_char(buf, '.');
  buf_str(buf, (Str){digits + 1, (size_t)count - 1});
  put_exponent(buf, point - 1, flags);
}

// Digits of x rounded to `count` significant ones, zeros included. `out` has room for MAX_EXACT.
static int rounded_digits(double x, int count, char *out, int *point) {
  char text[MAX_EXACT + 16];
  snprintf(text, sizeof text, "%.*e", count - 1, x);
  int n = 0;
  const char *p = text;
  for (; *p != 'e'; p++) {
    if (*p != '.') out[n++] = *p;
  }
  out[n] = 0;
  *point = atoi(p + 1) + 1;
  return n;
}

static void put_e(Buf *buf, double x, int64_t precision, unsigned flags) {
  char digits[MAX_EXACT];
  int point;
  int known = precision < MAX_FRACTION ? (int)precision : MAX_FRACTION;
  int count = rounded_digits(x, known + 1, digits, &point);
  buf_char(buf, digits[0]);
  if (precision > 0 || flags & FLOAT_ALT) buf_char(buf, '.');
  buf_str(buf, (Str){digits + 1, (size_t)count - 1});
  buf_pad(buf, '0', (size_t)(precision - known));
  put_exponent(buf, point - 1, flags);
}

static void put_f(Buf *buf, double x, int64_t precision, unsigned flags) {
  int known = precision < MAX_FRACTION ? (int)precision : MAX_FRACTION;
  buf_printf(buf, "%.*f", known, x);
  buf_pad(buf, '0', (size_t)(precision - known));
  if (precision == 0 && flags & FLOAT_ALT) buf_char(buf, '.');
}

static void put_g(Buf *buf, double x, int64_t precision, unsigned flags) {
  if (precision == 0) precision = 1;
  char room[MAX_EXACT], *digits = room;
  int point;
  int known = precision < MAX_FRACTION ? (int)precision : MAX_FRACTION;
  int count = rounded_digits(x, known, digits, &point);
  if (flags & FLOAT_ALT && known < precision) { // zeros to the end
    digits = arena_alloc(buf->arena, (size_t)precision + 1);
    memset(digits, '0', (size_t)precision);
    memcpy(digits, room, (size_t)count);
    count = (int)precision;
  }
  if (!(flags & FLOAT_ALT)) {
    while (count > 1 && digits[count - 1] == '0') count--;
  }
  int64_t limit = flags & FLOAT_ADD_DOT_0 ? precision - 1 : precision;
  if (x == 0) point = 1;
  if (point <= -4 || point > limit) {
    put_scientific(buf, digits, count, point, flags);
  } else if (flags & FLOAT_ALT && point >= count) {
    put_fixed(buf, digits, count, point, flags & ~(unsigned)FLOAT_ADD_DOT_0);
  } else {
    put_fixed(buf, digits, count, point, flags);
  }
}

static void put_shortest(Buf *buf, double x, unsigned flags) {
  Digits digits = digits_shortest(x);
  if (digits.point <= -4 || digits.point > 16) {
    put_scientific(buf, digits.text, digits.count, digits.point, flags);
  } else {
    put_fixed(buf, digits.text, digits.count, digits.point, flags);
  }
}

Str float_text(Arena *arena, double x, char form, int64_t precision, unsigned flags) {
  if (isnan(x)) return flags & FLOAT_UPPER ? STR("NAN") : STR("nan");
  if (isinf(x)) return flags & FLOAT_UPPER ? STR("INF") : STR("inf");
  Buf buf;
  buf_init(&buf, arena);
  x = fabs(x);
  switch (form) {
  case 'e': put_e(&buf, x, precision, flags); break;
  case 'f': put_f(&buf, x, precision, flags); break;
  case 'g': put_g(&buf, x, precision, flags); break;
  default: put_shortest(&buf, x, flags); break;
  }
  return buf_view(&buf);
}

Str float_repr(Arena *arena, double x) {
  Str text = float_text(arena, x, 'r', 0, FLOAT_ADD_DOT_0);
  if (!signbit(x) || isnan(x)) return text;
  return str_format(arena, "-%.*s", STR_FMT(text));
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

bool float_parse(Arena *arena, Str text, double *out) {
  while (text.len > 0 && isspace((unsigned char)text.data[0])) text.data++, text.len--;
  while (text.len > 0 && isspace((unsigned char)text.data[text.len - 1])) text.len--;
  if (text.len == 0 || memchr(text.data, 0, text.len)) return false;
  char small[128];
  char *copy = 2 * (text.len + 1) <= sizeof small ? small : arena_alloc(arena, 2 * (text.len + 1));
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
    *out = strtod(number, NULL);
  } else {
    return false;
  }
  if (negative) *out = -*out;
  return true;
}

// ---- hashes -------------------------------------------------------------------------------------
// Numbers that compare equal hash alike: the residue modulo the prime 2^61 - 1, with the sign of
// the number.
#define HASH_BITS  61
#define HASH_PRIME (((uint64_t)1 << HASH_BITS) - 1)
#define HASH_INF   314159

uint64_t hash_int(int64_t i) {
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
