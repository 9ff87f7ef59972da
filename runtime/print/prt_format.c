// SPDX-License-Identifier: Apache-2.0
// Python's str.format for the values of debug prints and findings.
#include <math.h>
#include <string.h>
#include "machine/prt_element.h"
#include "prt_print.h"
#include "prt_text.h"
#include "text/prt_spec.h"

static void format_integer(prt_text *out, const prt_spec *spec, bool negative, uint64_t magnitude) {
  char digits[64];
  size_t at = sizeof digits;
  unsigned base = (unsigned)prt__spec_base(spec);
  do digits[--at] = "0123456789abcdef"[magnitude % base];
  while (magnitude /= base);
  prt__put_integer_field(&(prt_sink){prt__text_sink, out}, spec, negative, digits + at,
                         sizeof digits - at);
}

// An array, or any value as str() has it.
static void format_text(prt_text *out, const char *spec_text, size_t length, const prt_value *value,
                        bool is_repr) {
  prt_spec spec;
  prt_text body = {0};
  if (is_repr)
    prt__print_repr(&body, value);
  else
    prt__print_value(&body, value);
  if (prt__spec_parse(spec_text, length, 's', '<', &spec) != PRT_SPEC_OK) spec.width = -1;
  if (spec.precision >= 0 && body.length > (size_t)spec.precision)
    body.length = (size_t)spec.precision;
  if (body.data)
    prt__put_field(&(prt_sink){prt__text_sink, out}, &spec, body.data, body.length,
                   (int64_t)body.length);
  prt__text_free(&body);
}

// The compiler has refused what Python refuses; a spec that cannot be read counts as none.
static void format_value(prt_text *out, const char *spec_text, size_t length,
                         const prt_value *value, char conversion) {
  prt_dtype dtype = (prt_dtype)value->dtype;
  prt_spec spec;
  bool is_read = prt__spec_parse(spec_text, length, 0, '>', &spec) == PRT_SPEC_OK;
  if (value->rank || conversion || !length || !is_read || spec.type == 's') {
    format_text(out, spec_text, length, value, conversion == 'r' || conversion == 'a');
    return;
  }
  if (prt__dtype_kind(dtype) == 'f' || prt__spec_is_float(&spec)) {
    prt__put_float_field(&(prt_sink){prt__text_sink, out}, &spec,
                         prt__load_float(dtype, value->data));
    return;
  }
  int64_t x = prt__load_int(dtype, value->data);
  bool negative = x < 0 && dtype != PRT_U64;
  format_integer(out, &spec, negative, negative ? 0 - (uint64_t)x : (uint64_t)x);
}

// The number at the front of [*p, end); -1 if there is none.
static int parse_number(const char **p, const char *end) {
  enum { LARGEST = 1 << 20 };
  int number = -1;
  for (; *p < end && (unsigned)(**p - '0') <= 9; (*p)++) {
    number = (number < 0 ? 0 : number) * 10 + (**p - '0');
    if (number > LARGEST) number = LARGEST;
  }
  return number;
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
  char conversion = *p == '!' ? p[1] : 0;
  if (*p == '!') p += strcspn(p, ":}");
  if (*p == ':') p++;
  if (index < count)
    format_value(out, p, (size_t)(end - p), &values[index], conversion);
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
