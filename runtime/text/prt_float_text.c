// SPDX-License-Identifier: Apache-2.0
// Floats as text. In: a float and how it is wanted. Out: its digits, laid out. Digits are the
// shortest ones (prt_digits.c), or the C library's, which rounds correctly.
#include "prt_float_text.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// No double has more than 1074 digits after the point, or 309 before it.
enum { MAX_FRACTION = 1080, MAX_EXACT = MAX_FRACTION + 330 };

// ---- Python ---------------------------------------------------------------------------------
// Significant digits, then `zeros` more of them; the value is 0.d1d2d3… * 10^point.
typedef struct Decimal {
  const char *digits;
  int count, point;
  int64_t zeros;
} Decimal;

static void put_exponent(const prt_sink *out, int exponent, unsigned flags) {
  char text[16];
  snprintf(text, sizeof text, "%c%c%02d", flags & PRT_FLOAT_UPPER ? 'E' : 'e',
           exponent < 0 ? '-' : '+', abs(exponent));
  prt__put_c(out, text);
}

static void put_fixed(const prt_sink *out, Decimal d, unsigned flags) {
  if (d.point <= 0) {
    prt__put_c(out, "0.");
    prt__put_pad(out, '0', -d.point);
    prt__put(out, d.digits, (size_t)d.count);
    prt__put_pad(out, '0', d.zeros);
    return;
  }
  int whole = d.point < d.count ? d.point : d.count;
  prt__put(out, d.digits, (size_t)whole);
  prt__put_pad(out, '0', d.point - d.count);
  int64_t behind = d.count + d.zeros - d.point;
  if (behind > 0) {
    prt__put_c(out, ".");
    prt__put(out, d.digits + whole, (size_t)(d.count - whole));
    prt__put_pad(out, '0', behind - (d.count - whole));
  } else if (flags & PRT_FLOAT_ADD_DOT_0) {
    prt__put_c(out, ".0");
  } else if (flags & PRT_FLOAT_ALT) {
    prt__put_c(out, ".");
  }
}

static void put_scientific(const prt_sink *out, Decimal d, unsigned flags) {
  prt__put(out, d.digits, 1);
  if (d.count + d.zeros > 1 || flags & PRT_FLOAT_ALT) prt__put_c(out, ".");
  prt__put(out, d.digits + 1, (size_t)d.count - 1);
  prt__put_pad(out, '0', d.zeros);
  put_exponent(out, d.point - 1, flags);
}

// x rounded to `wanted` significant digits, zeros included.
static Decimal rounded(double x, int64_t wanted, char room[MAX_EXACT]) {
  char text[MAX_EXACT + 16];
  int64_t known = wanted < MAX_FRACTION + 1 ? wanted : MAX_FRACTION + 1;
  snprintf(text, sizeof text, "%.*e", (int)known - 1, x);
  Decimal d = {.digits = room, .zeros = wanted - known};
  const char *p = text;
  for (; *p != 'e'; p++)
    if (*p != '.') room[d.count++] = *p;
  d.point = atoi(p + 1) + 1;
  return d;
}

// Few digits of what is not large: as an integer, in which the double times 10^precision is exact.
static bool put_f_quickly(const prt_sink *out, double x, int64_t precision) {
  enum { MOST_DIGITS = 8, TEXT_SIZE = 24 };
  static const uint32_t powers[MOST_DIGITS + 1] = {1,      10,      100,      1000,     10000,
                                                   100000, 1000000, 10000000, 100000000};
  if (precision > MOST_DIGITS || !(x < 1e10)) return false;
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int exponent = (int)(bits >> 52);
  uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  if (exponent) mantissa |= (uint64_t)1 << 52;
  int shift = 1075 - (exponent ? exponent : 1); // at least 19, for x is not large
  unsigned __int128 exact = (unsigned __int128)mantissa * powers[precision];
  uint64_t digits = 0;
  if (shift < 100) { // else it is less than a half
    unsigned __int128 half = (unsigned __int128)1 << (shift - 1), rest = exact & (2 * half - 1);
    digits = (uint64_t)(exact >> shift);
    if (rest > half || (rest == half && digits & 1)) digits++;
  }
  char text[TEXT_SIZE], *at = text + sizeof text;
  for (int64_t i = 0; digits || i <= precision; i++, digits /= 10) {
    if (precision && i == precision) *--at = '.';
    *--at = (char)('0' + digits % 10);
  }
  prt__put(out, at, (size_t)(text + sizeof text - at));
  return true;
}

static void put_f(const prt_sink *out, double x, int64_t precision, unsigned flags) {
  if (!(flags & PRT_FLOAT_ALT) && put_f_quickly(out, x, precision)) return;
  char text[MAX_EXACT + 16];
  int64_t known = precision < MAX_FRACTION ? precision : MAX_FRACTION;
  prt__put(out, text, (size_t)snprintf(text, sizeof text, "%.*f", (int)known, x));
  prt__put_pad(out, '0', precision - known);
  if (precision == 0 && flags & PRT_FLOAT_ALT) prt__put_c(out, ".");
}

static void put_g(const prt_sink *out, double x, int64_t precision, unsigned flags) {
  char room[MAX_EXACT];
  if (precision == 0) precision = 1;
  Decimal d = rounded(x, precision, room);
  if (!(flags & PRT_FLOAT_ALT)) {
    d.zeros = 0;
    while (d.count > 1 && d.digits[d.count - 1] == '0') d.count--;
  }
  if (x == 0) d.point = 1;
  int64_t limit = flags & PRT_FLOAT_ADD_DOT_0 ? precision - 1 : precision;
  if (d.point <= -4 || d.point > limit)
    put_scientific(out, d, flags);
  else if (flags & PRT_FLOAT_ALT && d.point >= d.count + d.zeros)
    put_fixed(out, d, flags & ~(unsigned)PRT_FLOAT_ADD_DOT_0);
  else
    put_fixed(out, d, flags);
}

static void put_shortest(const prt_sink *out, double x, unsigned flags) {
  prt_digits digits;
  prt__shortest(64, x, &digits);
  Decimal d = {digits.digits, digits.count, digits.exponent + 1, 0};
  if (d.point <= -4 || d.point > 16)
    put_scientific(out, d, flags);
  else
    put_fixed(out, d, flags);
}

void prt__put_float(const prt_sink *out, double x, char form, int64_t precision, unsigned flags) {
  char room[MAX_EXACT];
  if (!isfinite(x)) {
    bool upper = flags & PRT_FLOAT_UPPER;
    prt__put_c(out, isnan(x) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"));
    return;
  }
  x = fabs(x);
  switch (form) {
  case 'e': put_scientific(out, rounded(x, precision + 1, room), flags); break;
  case 'f': put_f(out, x, precision, flags); break;
  case 'g': put_g(out, x, precision, flags); break;
  default: put_shortest(out, x, flags); break;
  }
}

void prt__put_repr(const prt_sink *out, double x) {
  if (signbit(x) && !isnan(x)) prt__put_c(out, "-");
  prt__put_float(out, x, 'r', 0, PRT_FLOAT_ADD_DOT_0);
}

// ---- NumPy ----------------------------------------------------------------------------------
static int max_int(int a, int b) { return a > b ? a : b; }

// Trims zeros behind the point of `text`, which has a point and nothing behind the digits.
static void trim(char *text, prt_float_style style) {
  if (style.trim == 'k') return;
  size_t n = strlen(text);
  while (n && text[n - 1] == '0') n--;
  if (text[n - 1] == '.') {
    if (style.trim == '0') text[n++] = '0';
    if (style.trim == '-') n--;
  }
  text[n] = 0;
}

static const char *sign_text(double x, prt_float_style style) {
  return signbit(x) ? "-" : style.plus ? "+" : "";
}

// Digits behind the point, at most as many as the style allows, and whether they are those of the
// exact value.
static int digits_behind(int shortest, prt_float_style style, int limit, bool *exact) {
  int digits = max_int(shortest, 0);
  *exact = !style.unique;
  if (!style.unique) return limit;
  if (limit >= 0 && digits > limit) {
    *exact = true;
    digits = limit;
  }
  if (digits < style.min_digits) {
    *exact = true;
    digits = style.min_digits;
  }
  return digits;
}

// Digits that were cut where a 9 went up to 10 lose their zeros in NumPy's algorithm, though not
// those that `min_digits` asks for. `text` has a point, and nothing behind its digits.
static void drop_carried(char *text, prt_float_style style) {
  if (!style.unique) return;
  size_t n = strlen(text), least = (size_t)(strchr(text, '.') - text) + 1;
  if (style.trim == 'k') least += (size_t)style.min_digits;
  while (n > least && text[n - 1] == '0') n--;
  text[n] = 0;
}

// "ddd.ddd" with `behind` digits behind the point, which are all there are.
static void place_digits(const prt_digits *d, int behind, char *out) {
  size_t n = 0;
  for (int i = d->exponent < 0 ? d->exponent : 0; i <= d->exponent + behind; i++) {
    if (i == d->exponent + 1) out[n++] = '.';
    out[n++] = i >= 0 && i < d->count ? d->digits[i] : '0';
  }
  if (behind == 0) out[n++] = '.';
  out[n] = 0;
}

// Where a value lies of its digits as `text` has them, "d.ddde-05": above them (they were cut),
// below (they were rounded up), or there. So many more digits are never all 9, nor all 0 but for a
// number that has no more.
static int side_of(double x, const char *text) {
  enum { MORE = 30 };
  char longer[PRT_STYLE_SIZE];
  const char *e = strchr(text, 'e');
  size_t digits = (size_t)(e - text);
  int has_point = digits > 1;
  snprintf(longer, sizeof longer, "%.*e", (int)digits - 1 - has_point + MORE, x);
  if (memcmp(text, longer, digits) != 0 || strcmp(e, strchr(longer, 'e')) != 0) return -1;
  const char *rest = longer + digits + !has_point;
  return rest[strspn(rest, "0")] != 'e';
}

// The digits of the exact value, `count` of them; without zeros at the end unless more was cut.
static void exact_digits(double x, int count, prt_digits *d) {
  char text[PRT_STYLE_SIZE];
  snprintf(text, sizeof text, "%.*e", count - 1, x);
  char *e = strchr(text, 'e');
  d->exponent = atoi(e + 1);
  d->count = 0;
  for (const char *p = text; p < e; p++)
    if (*p != '.') d->digits[d->count++] = *p;
  bool is_cut = side_of(x, text) > 0;
  while (!is_cut && d->count > 1 && d->digits[d->count - 1] == '0') d->count--;
  d->digits[d->count] = 0;
}

// All digits of the precision, and how many of them stand behind the point: zeros that fill it up,
// too, of which there are fewer in front of digits that begin behind the point.
static int significant_digits(double magnitude, prt_float_style style, prt_digits *d) {
  int count = max_int(style.precision, 1);
  exact_digits(magnitude, count, d);
  int behind = max_int(d->count - 1 - d->exponent, 0);
  return style.trim == 'k' ? max_int(behind, count - max_int(d->exponent + 1, 1)) : behind;
}

void prt__positional(int bits, double x, prt_float_style style, char out[PRT_STYLE_SIZE]) {
  double magnitude = fabs(x);
  prt_digits d;
  prt__shortest(bits, magnitude, &d);
  int limit = style.precision, behind;
  bool exact = false;
  if (style.significant && limit >= 0 && !style.unique) {
    behind = significant_digits(magnitude, style, &d);
  } else {
    if (limit >= 0 && style.significant) {
      if (d.count > limit) exact_digits(magnitude, max_int(limit, 1), &d);
      limit = -1;
    }
    behind = digits_behind(d.count - 1 - d.exponent, style, limit, &exact);
  }
  strcpy(out, sign_text(x, style));
  size_t n = strlen(out);
  if (!exact) {
    place_digits(&d, behind, out + n);
  } else {
    int length = snprintf(out + n, PRT_STYLE_SIZE - n, "%.*f", behind, magnitude);
    if (!behind && n + (size_t)length < PRT_STYLE_SIZE - 1) strcat(out, ".");
    if (strtod(out + n, NULL) > magnitude) drop_carried(out + n, style);
  }
  trim(out, style);
}

void prt__scientific(int bits, double x, prt_float_style style, char out[PRT_STYLE_SIZE]) {
  char text[PRT_STYLE_SIZE - 1]; // besides a sign
  double magnitude = fabs(x);
  prt_digits d;
  prt__shortest(bits, magnitude, &d);
  bool exact, has_fraction = false;
  int digits = digits_behind(d.count - 1, style, style.precision, &exact);
  int exponent = d.exponent, width = max_int(style.exp_digits, 2);
  if (exact) {
    snprintf(text, sizeof text, "%.*e", digits, magnitude);
    int side = side_of(magnitude, text);
    char *e = strchr(text, 'e');
    exponent = atoi(e + 1);
    strcpy(e, digits ? "" : ".");
    if (side < 0) drop_carried(text, style);
    has_fraction = text[2] && (style.unique || side > 0);
  } else {
    snprintf(text, sizeof text, "%c.%s", d.digits[0], d.digits + 1);
  }
  snprintf(out, PRT_STYLE_SIZE, "%s%s", sign_text(x, style), text);
  // A point stays in front of zeros that were asked for or behind which digits were cut.
  if (style.trim == '-' && has_fraction) style.trim = '.';
  trim(out, style);
  size_t n = strlen(out);
  snprintf(out + n, PRT_STYLE_SIZE - n, "e%c%0*d", exponent < 0 ? '-' : '+', width > 9 ? 9 : width,
           abs(exponent));
}

double prt__scientific_from(int bits) { return bits == 16 ? 1e3 : bits == 32 ? 1e6 : 1e16; }
