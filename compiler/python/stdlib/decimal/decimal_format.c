// SPDX-License-Identifier: Apache-2.0
// Decimal numbers by a format specification: [[fill]align][sign][z][0][width][,][.precision][type].
#include "base/buf.h"
#include "base/unicode.h"
#include "decimal_arithmetic.h"
#include "decimal_text.h"
#include "python/builtins/text/builtin_text.h"
#include "python/values/raise.h"
#include <string.h>

typedef struct Spec {
  Str fill;
  char align; // '<', '>', '^', '='
  char sign;  // '-', '+', ' '
  bool no_negative_zero, pads_zeros, groups;
  int64_t width, places; // -1: not given
  char type;             // e f g %, small
  bool upper;
} Spec;

static bool parse_count(const char **at, const char *end, int64_t *out) {
  int64_t value = 0;
  for (; *at < end && ascii_is_digit(**at); ++*at) {
    value = value * 10 + (**at - '0');
    if (value > INT32_MAX) return false;
  }
  *out = value;
  return true;
}

static bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

static void parse_fill(Spec *spec, Str text, const char **at, bool *is_aligned) {
  size_t first = 0;
  if (text.len) text_next(text, &first);
  *is_aligned = true;
  if (text.len && first < text.len && is_align(text.data[first])) {
    spec->fill = (Str){text.data, first};
    spec->align = text.data[first];
    *at += first + 1;
  } else if (text.len && is_align(text.data[0])) {
    spec->align = text.data[0];
    ++*at;
  } else {
    *is_aligned = false;
  }
}

static bool parse_spec(Spec *spec, Str text, bool capitals) {
  *spec = (Spec){.fill = STR(" "), .align = '>', .sign = '-', .places = -1, .type = 'g'};
  spec->upper = capitals;
  const char *at = text.data, *end = text.data + text.len;
  bool is_aligned;
  parse_fill(spec, text, &at, &is_aligned);
  if (at < end && (*at == '+' || *at == '-' || *at == ' ')) spec->sign = *at++;
  if (at < end && *at == 'z') {
    spec->no_negative_zero = true;
    at++;
  }
  if (at < end && *at == '0') {
    if (is_aligned) return false;
    spec->fill = STR("0");
    spec->align = '=';
    spec->pads_zeros = true;
    at++;
  }
  if (!parse_count(&at, end, &spec->width)) return false;
  if (at < end && *at == ',') {
    spec->groups = true;
    at++;
  }
  if (at < end && *at == '.') {
    at++;
    if (at == end || !ascii_is_digit(*at) || !parse_count(&at, end, &spec->places)) return false;
  }
  if (at < end && strchr("eEfFgGn%", *at)) {
    if (*at == 'n' && spec->groups) return false;
    spec->upper = *at < 'a';
    spec->type = *at == 'n' ? 'g' : *at == '%' ? '%' : (char)(*at | 32);
    at++;
  }
  return at == end;
}

// Rounded to what the specification shows.
static void round_shown(Calc *c, Num *n, const Spec *spec) {
  if (spec->type == '%') n->exponent += 2;
  bool is_fixed = spec->type == 'f' || spec->type == '%';
  if (spec->places >= 0 && is_fixed) {
    num_rescale(c, n, -spec->places);
  } else if (spec->places >= 0 && !(spec->type == 'e' && n->size == 0)) {
    int64_t digits = num_digits(c->ev, n);
    int64_t wanted = spec->type == 'e' ? spec->places + 1 : spec->places ? spec->places : 1;
    if (digits > wanted || spec->type == 'e') num_rescale(c, n, n->exponent + digits - wanted);
    if (num_digits(c->ev, n) > wanted) num_rescale(c, n, n->exponent + 1); // 9.9 became 10
  }
  if (is_fixed && n->size == 0 && n->exponent > 0) n->exponent = 0;
}

// "1234567" as "1,234,567", of at least `width` characters with zeros in front.
static void put_grouped(Buf *out, Str digits, int64_t width) {
  int64_t count = (int64_t)digits.len;
  while (count + (count - 1) / 3 < width) count++;
  // A separator is not the first.
  for (int64_t i = 0; i < count; i++) {
    if (i > 0 && (count - i) % 3 == 0) buf_char(out, ',');
    int64_t at = i - (count - (int64_t)digits.len);
    buf_char(out, at < 0 ? '0' : digits.data[at]);
  }
}

static Str shown_digits(Calc *c, const Num *n, const Spec *spec) {
  Buf out;
  buf_init(&out, c->ev->arena);
  if (num_is_special(n)) {
    Num positive;
    num_copy(c, &positive, n);
    positive.negative = false;
    buf_str(&out, num_text(c->ev, &positive, false, true));
  } else {
    Str digits = num_digit_text(c->ev, n);
    int64_t left = n->exponent + (int64_t)digits.len, before;
    if (spec->type == 'e')
      before = n->size || spec->places < 0 ? 1 : 1 - spec->places;
    else if (spec->type == 'g')
      before = n->exponent <= 0 && left > -6 ? left : 1;
    else
      before = left;
    put_decimal(&out, digits, before);
    if (before != left || spec->type == 'e')
      buf_printf(&out, "%c%+lld", spec->upper ? 'E' : 'e', (long long)(left - before));
  }
  if (spec->type == '%') buf_char(&out, '%');
  return buf_view(&out);
}

static Str grouped(Calc *c, Str body, int64_t width) {
  Buf out;
  buf_init(&out, c->ev->arena);
  size_t whole = 0;
  while (whole < body.len && ascii_is_digit(body.data[whole])) whole++;
  put_grouped(&out, (Str){body.data, whole}, width - (int64_t)(body.len - whole));
  buf_str(&out, (Str){body.data + whole, body.len - whole});
  return buf_view(&out);
}

Str num_format(Calc *c, const Num *given, Str text, bool capitals) {
  Spec spec;
  Num n;
  if (!parse_spec(&spec, text, capitals))
    eval_raise(c->ev, c->ev->types.ValueError, "invalid format string");
  num_copy(c, &n, given);
  if (num_is_special(&n)) {
    if (spec.pads_zeros) {
      spec.fill = STR(" ");
      spec.align = '>';
    }
    spec.groups = false;
  } else {
    demand_memory(c->ev, (size_t)(spec.width + (spec.places > 0 ? spec.places : 0)));
    round_shown(c, &n, &spec);
    if (spec.no_negative_zero && n.size == 0) n.negative = false;
  }
  char sign = n.negative ? '-' : spec.sign == '-' ? '\0' : spec.sign;
  Str body = shown_digits(c, &n, &spec);
  int64_t room = spec.width - (sign != '\0');
  if (spec.groups) body = grouped(c, body, spec.pads_zeros ? room : 0);
  size_t pad = room > (int64_t)body.len ? (size_t)(room - (int64_t)body.len) : 0;
  size_t left = spec.align == '<' ? 0 : spec.align == '^' ? pad / 2 : pad;
  Buf out;
  buf_init(&out, c->ev->arena);
  if (spec.align != '=') buf_repeat(&out, spec.fill, left);
  if (sign) buf_char(&out, sign);
  if (spec.align == '=') buf_repeat(&out, spec.fill, left);
  buf_str(&out, body);
  buf_repeat(&out, spec.fill, pad - left);
  return buf_view(&out);
}
