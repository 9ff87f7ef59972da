// SPDX-License-Identifier: Apache-2.0
// Python's str.format for the values of debug prints and findings.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "prt_internal.h"

enum { MAX_PRECISION = 400, NUMBER_SIZE = 1024 };

// [[fill]align][sign][z][#][0][width][grouping][.precision][type]
typedef struct Spec {
  char fill, align, sign, grouping, type; // 0: not given
  bool alternate, zero, no_negative_zero, is_empty;
  int width, precision; // -1: not given
} Spec;

static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static int parse_number(const char **p, const char *end) {
  int number = -1;
  for (; *p < end && **p >= '0' && **p <= '9'; (*p)++) {
    number = (number < 0 ? 0 : number) * 10 + (**p - '0');
    if (number > 1 << 20) number = 1 << 20;
  }
  return number;
}

static Spec parse_spec(const char *p, const char *end) {
  Spec s = {.is_empty = p == end, .width = -1, .precision = -1};
  if (end - p >= 2 && is_align(p[1])) {
    s.fill = p[0];
    s.align = p[1];
    p += 2;
  } else if (p < end && is_align(*p)) {
    s.align = *p++;
  }
  if (p < end && strchr("+- ", *p)) s.sign = *p++;
  if (p < end && *p == 'z') s.no_negative_zero = true, p++;
  if (p < end && *p == '#') s.alternate = true, p++;
  if (p < end && *p == '0') s.zero = true, p++;
  s.width = parse_number(&p, end);
  if (p < end && (*p == ',' || *p == '_')) s.grouping = *p++;
  if (p < end && *p == '.') {
    p++;
    s.precision = parse_number(&p, end);
    if (s.precision > MAX_PRECISION) s.precision = MAX_PRECISION;
  }
  if (p < end) s.type = *p;
  if (s.zero && !s.align) s.align = '=';
  if (s.zero && !s.fill) s.fill = '0';
  if (!s.fill) s.fill = ' ';
  return s;
}

// Digits before the point with the separator after each `group` of them. Zeros that fill a field up
// are grouped with them: `other` characters of the field are not these digits.
static void add_grouped(prt_text *out, const Spec *s, const char *digits, size_t count,
                        size_t group, size_t other) {
  size_t total = count;
  if (s->grouping && s->fill == '0' && s->align == '=' && s->width > 0)
    while (total + (total - 1) / group + other < (size_t)s->width) total++;
  for (size_t i = 0; i < total; i++) {
    if (i && s->grouping && (total - i) % group == 0) prt__text_add(out, &s->grouping, 1);
    prt__text_add(out, i < total - count ? "0" : digits + i - (total - count), 1);
  }
}

// sign + body in the field; `body` has the prefix 0x in front if there is one.
static void add_field(prt_text *out, const Spec *s, char default_align, const char *sign,
                      const prt_text *body) {
  const char *text = body->data ? body->data : "";
  int64_t used = (int64_t)(strlen(sign) + body->length),
          room = s->width > used ? s->width - used : 0;
  char align = s->align ? s->align : default_align;
  int64_t before = align == '>'   ? room
                   : align == '^' ? room / 2
                                  : 0,
          inside = align == '=' ? room : 0;
  prt__text_pad(out, s->fill, before);
  prt__text_c(out, sign);
  prt__text_pad(out, s->fill, inside);
  prt__text_add(out, text, body->length);
  prt__text_pad(out, s->fill, room - before - inside);
}

static const char *sign_text(const Spec *s, bool negative) {
  if (negative) return "-";
  return s->sign == '+' ? "+" : s->sign == ' ' ? " " : "";
}

static void format_integer(prt_text *out, const Spec *s, bool negative, uint64_t magnitude) {
  char digits[72];
  size_t at = sizeof digits;
  unsigned base = s->type == 'b'                     ? 2
                  : s->type == 'o'                   ? 8
                  : s->type == 'x' || s->type == 'X' ? 16
                                                     : 10;
  const char *alphabet = s->type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  do digits[--at] = alphabet[magnitude % base];
  while (magnitude /= base);
  prt_text body = {0};
  if (s->alternate && base != 10) {
    const char prefix[] = {'0', s->type, 0};
    prt__text_c(&body, prefix);
  }
  const char *sign = sign_text(s, negative);
  add_grouped(&body, s, digits + at, sizeof digits - at, base == 10 ? 3 : 4,
              body.length + strlen(sign));
  add_field(out, s, '>', sign, &body);
  prt__text_free(&body);
}

// Without a type: the shortest digits, or as 'g', but always with a point or an exponent.
static void general_text(char *text, const Spec *s, double x) {
  if (s->precision < 0) {
    prt_text repr = {0};
    prt__print_scalar(&repr, PRT_F64, &x);
    snprintf(text, NUMBER_SIZE, "%s", repr.data ? repr.data : "");
    prt__text_free(&repr);
    return;
  }
  int precision = s->precision ? s->precision : 1;
  snprintf(text, NUMBER_SIZE, "%.*e", precision - 1, x);
  int exponent = atoi(strchr(text, 'e') + 1);
  if (exponent < -4 || exponent >= precision - 1) {
    // The digits of %e without their trailing zeros.
    char *e = strchr(text, 'e'), *end = e, tail[16];
    snprintf(tail, sizeof tail, "%s", e);
    if (memchr(text, '.', (size_t)(e - text))) {
      while (end[-1] == '0') end--;
      if (end[-1] == '.') end--;
    }
    snprintf(end, NUMBER_SIZE - (size_t)(end - text), "%s", tail);
    return;
  }
  snprintf(text, NUMBER_SIZE, "%.*g", precision, x);
  if (!strpbrk(text, ".e")) strncat(text, ".0", NUMBER_SIZE - strlen(text) - 1);
}

static void float_text(char *text, const Spec *s, double x) {
  char format[16];
  if (isnan(x) || isinf(x)) {
    bool upper = s->type == 'E' || s->type == 'F' || s->type == 'G';
    snprintf(text, NUMBER_SIZE, "%s%s",
             isnan(x) ? (upper ? "NAN" : "nan") : (upper ? "INF" : "inf"),
             s->type == '%' ? "%" : "");
    return;
  }
  if (!s->type) {
    general_text(text, s, x);
    return;
  }
  char type = s->type == 'n' ? 'g' : s->type == '%' ? 'f' : s->type;
  snprintf(format, sizeof format, "%%%s.*%c%s", s->alternate ? "#" : "", type,
           s->type == '%' ? "%%" : "");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  snprintf(text, NUMBER_SIZE, format, s->precision < 0 ? 6 : s->precision,
           s->type == '%' ? x * 100 : x);
#pragma GCC diagnostic pop
}

static void format_float(prt_text *out, const Spec *s, double x) {
  char text[NUMBER_SIZE];
  float_text(text, s, fabs(x));
  bool negative = signbit(x) && !isnan(x);
  if (negative && s->no_negative_zero && strspn(text, "0.") == strcspn(text, "e%"))
    negative = false;
  size_t whole = strspn(text, "0123456789");
  prt_text body = {0};
  const char *sign = sign_text(s, negative);
  if (whole) add_grouped(&body, s, text, whole, 3, strlen(text + whole) + strlen(sign));
  prt__text_c(&body, text + whole);
  add_field(out, s, '>', sign, &body);
  prt__text_free(&body);
}

static void format_text(prt_text *out, const Spec *s, const prt_value *value) {
  prt_text body = {0};
  prt__print_value(&body, value);
  if (s->precision >= 0 && body.length > (size_t)s->precision) body.length = (size_t)s->precision;
  add_field(out, s, '<', "", &body);
  prt__text_free(&body);
}

static void format_value(prt_text *out, const Spec *s, const prt_value *value) {
  prt_dtype dtype = (prt_dtype)value->dtype;
  if (value->rank || s->is_empty || s->type == 's') {
    format_text(out, s, value);
    return;
  }
  bool float_type = s->type && strchr("eEfFgG%", s->type);
  if (prt__dtype_kind(dtype) == 'f' || float_type) {
    format_float(out, s, prt__load_float(dtype, value->data));
    return;
  }
  int64_t x = prt__load_int(dtype, value->data);
  bool negative = x < 0 && dtype != PRT_U64;
  format_integer(out, s, negative, negative ? 0 - (uint64_t)x : (uint64_t)x);
}

// One replacement field; `p` is behind its brace. The end of it, or NULL if there is none.
static const char *format_field(prt_text *out, const char *p, int32_t *next, int32_t count,
                                const prt_value *values) {
  const char *end = strchr(p, '}');
  if (!end) return NULL;
  const char *name_end = p + strcspn(p, ":!}"), *q = p;
  int number = parse_number(&q, name_end);
  int32_t index = number >= 0 ? number : (*next)++;
  p = name_end;
  if (*p == '!') p += strcspn(p, ":}"); // !r and !s are alike for what we print
  if (*p == ':') p++;
  Spec spec = parse_spec(p, end);
  if (index < count)
    format_value(out, &spec, &values[index]);
  else
    prt__text_c(out, "{}");
  return end + 1;
}

void prt__print_format(prt_text *out, const char *format, int32_t count, const prt_value *values) {
  int32_t next = 0;
  for (const char *p = format; *p;) {
    size_t plain = strcspn(p, "{}");
    prt__text_add(out, p, plain);
    p += plain;
    if (!*p) break;
    if (p[1] == p[0]) { // {{ and }}
      prt__text_add(out, p, 1);
      p += 2;
      continue;
    }
    const char *end = *p == '{' ? format_field(out, p + 1, &next, count, values) : NULL;
    if (!end) {
      prt__text_add(out, p++, 1);
      continue;
    }
    p = end;
  }
}
