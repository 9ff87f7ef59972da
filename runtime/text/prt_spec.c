// SPDX-License-Identifier: Apache-2.0
// Format specs: read, and numbers and texts laid out by them. What a type may not have (a sign for
// a text) is the caller's to refuse.
#include "prt_spec.h"
#include <math.h>
#include <string.h>
#include "prt_float_text.h"

// ---- reading --------------------------------------------------------------------------------
typedef struct Reader {
  const char *at, *end;
} Reader;

static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static bool take(Reader *r, char c) {
  if (r->at == r->end || *r->at != c) return false;
  r->at++;
  return true;
}

// -1 if there are no digits; false if they are too many.
static bool take_number(Reader *r, int64_t *number) {
  *number = -1;
  for (; r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++) {
    int64_t sum = *number < 0 ? 0 : *number;
    if (__builtin_mul_overflow(sum, 10, &sum) || __builtin_add_overflow(sum, *r->at - '0', number))
      return false;
  }
  return true;
}

// Bytes of the character that begins here; a malformed one counts as one byte.
static int character_size(const Reader *r) {
  unsigned char lead = (unsigned char)*r->at;
  int size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return size <= r->end - r->at ? size : 1;
}

static uint32_t take_character(Reader *r) {
  int size = character_size(r);
  uint32_t code = (unsigned char)*r->at;
  if (size > 1) code &= 0x7fu >> size;
  for (int i = 1; i < size; i++) code = code << 6 | ((unsigned char)r->at[i] & 0x3fu);
  r->at += size;
  return code;
}

static bool take_fill_and_align(Reader *r, prt_spec *spec, bool *has_fill) {
  int size = r->at < r->end ? character_size(r) : 0;
  *has_fill = size && size < r->end - r->at && is_align(r->at[size]);
  if (*has_fill) {
    memcpy(spec->fill, r->at, (size_t)size);
    spec->fill_size = size;
    r->at += size;
  } else if (!size || !is_align(*r->at)) {
    return false;
  }
  spec->align = *r->at++;
  return true;
}

static bool may_group(const prt_spec *spec) {
  if (!spec->grouping || spec->type == 0) return true;
  if (spec->type >= 128) return false;
  return strchr("defgEG%F", (char)spec->type) ||
         (spec->grouping == '_' && strchr("boxX", (char)spec->type));
}

prt_spec_error prt__spec_parse(const char *text, size_t length, char default_type,
                               char default_align, prt_spec *out) {
  Reader r = {text, text + length};
  *out = (prt_spec){.fill = " ",
                    .fill_size = 1,
                    .align = default_align,
                    .width = -1,
                    .precision = -1,
                    .type = (unsigned char)default_type};
  bool has_fill, has_align = take_fill_and_align(&r, out, &has_fill);
  if (r.at < r.end && (*r.at == '+' || *r.at == '-' || *r.at == ' ')) out->sign = *r.at++;
  out->no_minus_zero = take(&r, 'z');
  out->alternate = take(&r, '#');
  if (!has_fill && take(&r, '0')) {
    out->fill[0] = '0';
    if (!has_align && default_align == '>') out->align = '=';
  }
  if (!take_number(&r, &out->width)) return PRT_SPEC_TOO_MANY_DIGITS;
  if (take(&r, ',')) out->grouping = ',';
  if (take(&r, '_')) {
    if (out->grouping) return PRT_SPEC_TWO_GROUPINGS;
    out->grouping = '_';
    if (take(&r, ',')) return PRT_SPEC_TWO_GROUPINGS;
  }
  if (take(&r, '.')) {
    if (!take_number(&r, &out->precision)) return PRT_SPEC_TOO_MANY_DIGITS;
    if (out->precision < 0) return PRT_SPEC_NO_PRECISION;
  }
  if (r.at < r.end) out->type = take_character(&r);
  if (r.at < r.end) return PRT_SPEC_UNREAD;
  return may_group(out) ? PRT_SPEC_OK : PRT_SPEC_BAD_GROUPING;
}

bool prt__spec_is_float(const prt_spec *spec) {
  return spec->type && spec->type < 128 && strchr("eEfFgG%", (char)spec->type);
}

int prt__spec_base(const prt_spec *spec) {
  switch (spec->type) {
  case 'b': return 2;
  case 'o': return 8;
  case 'x':
  case 'X': return 16;
  default: return 10;
  }
}

// ---- laying out -----------------------------------------------------------------------------
static void put_fill(const prt_sink *out, const prt_spec *spec, int64_t count) {
  if (spec->fill_size == 1)
    prt__put_pad(out, spec->fill[0], count);
  else
    for (; count > 0; count--) prt__put(out, spec->fill, (size_t)spec->fill_size);
}

void prt__put_field(const prt_sink *out, const prt_spec *spec, const char *text, size_t length,
                    int64_t columns) {
  int64_t room = spec->width > columns ? spec->width - columns : 0;
  int64_t left = spec->align == '<' ? 0 : spec->align == '^' ? room / 2 : room;
  put_fill(out, spec, left);
  prt__put(out, text, length);
  put_fill(out, spec, room - left);
}

// How many digits a number has with zeros in front up to `least` characters, separators included. A
// separator never comes first.
static int64_t digits_with_zeros(int64_t count, bool separated, int every, int64_t least) {
  int64_t made = 0;
  while (made < count || least > 0) {
    if (separated && made && made % every == 0) least--;
    least--;
    made++;
  }
  return made;
}

typedef struct Digits {
  const char *text;
  int64_t count, total; // total: with zeros in front
  int every;
  bool upper;
} Digits;

static void put_digits(const prt_sink *out, const prt_spec *spec, const Digits *d) {
  for (int64_t left = d->total; left > 0; left--) {
    char c = left > d->count ? '0' : d->text[d->count - left];
    if (d->upper && c >= 'a') c = (char)(c - 'a' + 'A');
    prt__put(out, &c, 1);
    if (spec->grouping && left > 1 && (left - 1) % d->every == 0) prt__put(out, &spec->grouping, 1);
  }
}

// What a number is made of besides its whole digits: text before them, columns of text behind.
typedef struct NumberField {
  char sign; // or 0
  const char *prefix;
  Digits digits;
  int64_t behind;
} NumberField;

// Puts all up to the digits' end; the result is how much of the fill comes after what is behind.
static int64_t put_number(const prt_sink *out, const prt_spec *spec, NumberField *n) {
  bool zero_padded = spec->align == '=' && spec->fill_size == 1 && spec->fill[0] == '0';
  int64_t others = (n->sign != 0) + (int64_t)strlen(n->prefix) + n->behind;
  Digits *d = &n->digits;
  d->every = prt__spec_base(spec) == 10 ? 3 : 4;
  d->total = d->count;
  if (d->count)
    d->total = digits_with_zeros(d->count, spec->grouping, d->every,
                                 zero_padded ? spec->width - others : 0);
  int64_t columns = d->total;
  if (spec->grouping && d->total) columns += (d->total - 1) / d->every;
  int64_t room = spec->width - others - columns;
  if (room < 0) room = 0;
  int64_t left = spec->align == '>' ? room : spec->align == '^' ? room / 2 : 0;
  put_fill(out, spec, left);
  if (n->sign) prt__put(out, &n->sign, 1);
  prt__put_c(out, n->prefix);
  if (spec->align == '=') put_fill(out, spec, room);
  put_digits(out, spec, d);
  return spec->align == '=' ? 0 : room - left;
}

static char sign_of(const prt_spec *spec, bool negative) {
  if (negative) return '-';
  return spec->sign == '+' || spec->sign == ' ' ? spec->sign : 0;
}

void prt__put_integer_field(const prt_sink *out, const prt_spec *spec, bool negative,
                            const char *digits, size_t count) {
  const char *prefix = "";
  if (spec->alternate && prt__spec_base(spec) != 10)
    prefix = spec->type == 'b' ? "0b" : spec->type == 'o' ? "0o" : spec->type == 'x' ? "0x" : "0X";
  NumberField n = {.sign = sign_of(spec, negative),
                   .prefix = prefix,
                   .digits = {.text = digits, .count = (int64_t)count, .upper = spec->type == 'X'}};
  put_fill(out, spec, put_number(out, spec, &n));
}

// ---- floats ---------------------------------------------------------------------------------
// A float's text, of which the whole digits are kept for grouping, and the rest is measured …
enum { WHOLE_MAX = 320 };
typedef struct Measure {
  char whole[WHOLE_MAX];
  int64_t count, behind;
  bool only_zeros; // the exponent of which is zero, too
} Measure;

static void measure(void *to, const char *text, size_t length) {
  Measure *m = to;
  for (size_t i = 0; i < length; i++) {
    bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (is_digit && text[i] != '0') m->only_zeros = false;
    if (is_digit && !m->behind && m->count < WHOLE_MAX)
      m->whole[m->count++] = text[i];
    else
      m->behind++;
  }
}

// … and put behind them.
typedef struct Behind {
  const prt_sink *out;
  size_t skip; // of the text, the whole digits
} Behind;

static void put_behind(void *to, const char *text, size_t length) {
  Behind *b = to;
  size_t skipped = b->skip < length ? b->skip : length;
  b->skip -= skipped;
  prt__put(b->out, text + skipped, length - skipped);
}

// How a spec wants a float written.
typedef struct FloatForm {
  char form;
  unsigned flags;
  int64_t precision;
  bool percent;
} FloatForm;

static FloatForm float_form(const prt_spec *spec) {
  FloatForm f = {.flags = spec->alternate ? PRT_FLOAT_ALT : 0,
                 .precision = spec->precision < 0 ? 6 : spec->precision};
  switch (spec->type) {
  case 'e':
  case 'f':
  case 'g': f.form = (char)spec->type; break;
  case 'E':
  case 'F':
  case 'G':
    f.form = (char)(spec->type | 32);
    f.flags |= PRT_FLOAT_UPPER;
    break;
  case 'n': f.form = 'g'; break;
  case '%':
    f.form = 'f';
    f.percent = true;
    break;
  default:
    f.form = spec->precision < 0 ? 'r' : 'g';
    f.flags |= PRT_FLOAT_ADD_DOT_0;
    break;
  }
  return f;
}

void prt__put_float_field(const prt_sink *out, const prt_spec *spec, double x) {
  FloatForm f = float_form(spec);
  if (f.percent) x *= 100;
  Measure m = {.only_zeros = isfinite(x)};
  prt__put_float(&(prt_sink){measure, &m}, x, f.form, f.precision, f.flags);
  bool negative = signbit(x) && !isnan(x);
  if (spec->no_minus_zero && m.only_zeros) negative = false;
  NumberField n = {.sign = sign_of(spec, negative),
                   .prefix = "",
                   .digits = {.text = m.whole, .count = m.count},
                   .behind = m.behind + f.percent};
  int64_t fill = put_number(out, spec, &n);
  Behind behind = {out, (size_t)m.count};
  prt__put_float(&(prt_sink){put_behind, &behind}, x, f.form, f.precision, f.flags);
  if (f.percent) prt__put_c(out, "%");
  put_fill(out, spec, fill);
}
