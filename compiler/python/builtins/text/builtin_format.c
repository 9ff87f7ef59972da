// SPDX-License-Identifier: Apache-2.0
// The format mini-language on ints, floats and texts: what Python refuses is refused here, the rest
// is runtime/text's.
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/sink.h"
#include "python/values/builtin_state.h"
#include "text/prt_spec.h"
#include "builtin_text.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "builtin_format.h"
#include "python/numbers/digits.h"

#define MAX_WIDTH ((int64_t)1 << 31)

// ---- reading ------------------------------------------------------------------------------------
NORETURN static void raise_grouping(Eval *ev, const prt_spec *spec) {
  if (spec->type > 32 && spec->type < 128)
    eval_raise(ev, ev->types.ValueError, "Cannot specify '%c' with '%c'.", spec->grouping,
               (char)spec->type);
  eval_raise(ev, ev->types.ValueError, "Cannot specify '%c' with '\\x%x'.", spec->grouping,
             spec->type);
}

static prt_spec parse_spec(Eval *ev, Str text, const char *type_name, char default_type,
                           char default_align) {
  prt_spec spec;
  Type *type = ev->types.ValueError;
  switch (prt__spec_parse(text.data, text.len, default_type, default_align, &spec)) {
  case PRT_SPEC_OK: break;
  case PRT_SPEC_TOO_MANY_DIGITS: eval_raise(ev, type, "Too many decimal digits in format string");
  case PRT_SPEC_TWO_GROUPINGS: eval_raise(ev, type, "Cannot specify both ',' and '_'.");
  case PRT_SPEC_BAD_GROUPING: raise_grouping(ev, &spec);
  case PRT_SPEC_NO_PRECISION: eval_raise(ev, type, "Format specifier missing precision");
  case PRT_SPEC_UNREAD:
    eval_raise(ev, type, "Invalid format specifier '%.*s' for object of type '%s'", STR_FMT(text),
               type_name);
  }
  if (spec.precision >= MAX_WIDTH) eval_raise(ev, type, "precision too big");
  if (spec.width >= MAX_WIDTH)
    eval_raise(ev, ev->types.MemoryError, "a field of %lld characters", (long long)spec.width);
  return spec;
}

static NORETURN void raise_unknown_type(Eval *ev, const prt_spec *spec, const char *type_name) {
  if (spec->type > 32 && spec->type < 128) {
    eval_raise(ev, ev->types.ValueError, "Unknown format code '%c' for object of type '%s'",
               (char)spec->type, type_name);
  }
  eval_raise(ev, ev->types.ValueError, "Unknown format code '\\x%x' for object of type '%s'",
             spec->type, type_name);
}

// ---- laying out ---------------------------------------------------------------------------------
// `text` of `length` code points, padded to the width.
static Str pad(Eval *ev, const prt_spec *spec, Str text, int64_t length) {
  if (spec->width <= length) return text;
  Buf buf;
  buf_init(&buf, ev->arena);
  prt_sink out = buf_sink(&buf);
  prt__put_field(&out, spec, text.data, text.len, length);
  return buf_view(&buf);
}

// ---- the three kinds ----------------------------------------------------------------------------
Str format_text(Eval *ev, Str text, Str spec_text) {
  if (spec_text.len == 0) return text;
  prt_spec spec = parse_spec(ev, spec_text, "str", 's', '<');
  if (spec.type != 's') raise_unknown_type(ev, &spec, "str");
  if (spec.sign == ' ')
    eval_raise(ev, ev->types.ValueError, "Space not allowed in string format specifier");
  if (spec.sign)
    eval_raise(ev, ev->types.ValueError, "Sign not allowed in string format specifier");
  if (spec.no_minus_zero)
    eval_raise(ev, ev->types.ValueError,
               "Negative zero coercion (z) not allowed in string format specifier");
  if (spec.alternate)
    eval_raise(ev, ev->types.ValueError,
               "Alternate form (#) not allowed in string format specifier");
  if (spec.align == '=')
    eval_raise(ev, ev->types.ValueError, "'=' alignment not allowed in string format specifier");
  int64_t length = (int64_t)text_length(text);
  if (spec.precision >= 0 && spec.precision < length) {
    text.len = text_offset(text, (size_t)spec.precision);
    length = spec.precision;
  }
  return pad(ev, &spec, text, length);
}

static Str format_double(Eval *ev, double x, const prt_spec *spec) {
  Buf buf;
  buf_init(&buf, ev->arena);
  prt_sink out = buf_sink(&buf);
  prt__put_float_field(&out, spec, x);
  return buf_view(&buf);
}

Str format_float(Eval *ev, double x, Str spec_text) {
  if (spec_text.len == 0) return float_repr(ev->arena, x);
  prt_spec spec = parse_spec(ev, spec_text, "float", 0, '>');
  if (spec.type != 0 && spec.type != 'n' && !prt__spec_is_float(&spec))
    raise_unknown_type(ev, &spec, "float");
  return format_double(ev, x, &spec);
}

// A part of a complex number without a format code: the shortest text, without ".0".
static void put_plain_part(Eval *ev, Buf *out, double x, char sign) {
  Str text = float_repr(ev->arena, x);
  if (str_ends_with(text, STR(".0"))) text.len -= 2;
  if (text.data[0] != '-' && sign && sign != '-') buf_char(out, sign);
  buf_str(out, text);
}

static void put_part(Eval *ev, Buf *out, double x, const prt_spec *spec, char sign) {
  prt_spec part = *spec;
  part.sign = sign;
  part.width = -1;
  if (part.type == 0 && part.precision < 0) {
    put_plain_part(ev, out, x, sign);
    return;
  }
  if (part.type == 0) part.type = 'g';
  buf_str(out, format_double(ev, x, &part));
}

static void check_complex(Eval *ev, const prt_spec *spec) {
  Type *type = ev->types.ValueError;
  if (spec->type == '%' || (spec->type != 0 && spec->type != 'n' && !prt__spec_is_float(spec)))
    raise_unknown_type(ev, spec, "complex");
  if (spec->align == '=' && spec->fill_size == 1 && spec->fill[0] == '0')
    eval_raise(ev, type, "Zero padding is not allowed in complex format specifier");
  if (spec->align == '=')
    eval_raise(ev, type, "'=' alignment flag is not allowed in complex format specifier");
}

// Without a code in parentheses, unless the real part is a plain zero, which then is left out.
Str format_complex(Eval *ev, Complex z, Str spec_text) {
  prt_spec spec = parse_spec(ev, spec_text, "complex", 0, '>');
  check_complex(ev, &spec);
  bool is_plain = spec.type == 0, has_real = !is_plain || z.real != 0 || signbit(z.real);
  Buf buf;
  buf_init(&buf, ev->arena);
  if (is_plain && has_real) buf_char(&buf, '(');
  if (has_real) put_part(ev, &buf, z.real, &spec, spec.sign);
  put_part(ev, &buf, z.imag, &spec, has_real ? '+' : spec.sign);
  buf_char(&buf, 'j');
  if (is_plain && has_real) buf_char(&buf, ')');
  return pad(ev, &spec, buf_view(&buf), (int64_t)buf.len);
}

static Str format_char(Eval *ev, Value v, const prt_spec *spec) {
  if (spec->sign)
    eval_raise(ev, ev->types.ValueError, "Sign not allowed with integer format specifier 'c'");
  if (spec->alternate) {
    eval_raise(ev, ev->types.ValueError,
               "Alternate form (#) not allowed with integer format specifier 'c'");
  }
  if (v.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C long");
  if (v.i < 0 || v.i > 0x10ffff)
    eval_raise(ev, ev->types.OverflowError, "%%c arg not in range(0x110000)");
  Buf buf;
  buf_init(&buf, ev->arena);
  text_put_code(&buf, (uint32_t)v.i);
  return pad(ev, spec, buf_view(&buf), 1);
}

static Str format_digits(Eval *ev, Value v, const prt_spec *spec) {
  int base = prt__spec_base(spec);
  Str digits = base == 10 ? int_text(ev, v) : big_text(ev->arena, v, base);
  bool negative = digits.data[0] == '-';
  if (negative) digits.data++, digits.len--;
  Buf buf;
  buf_init(&buf, ev->arena);
  prt_sink out = buf_sink(&buf);
  prt__put_integer_field(&out, spec, negative, digits.data, digits.len);
  return buf_view(&buf);
}

Str format_int(Eval *ev, Value v, Str spec_text) {
  const char *type_name = value_type_name(ev, v);
  int_operand(&v);
  if (spec_text.len == 0) return int_text(ev, v);
  prt_spec spec = parse_spec(ev, spec_text, type_name, 'd', '>');
  if (prt__spec_is_float(&spec)) {
    double x;
    if (!big_as_double(v, &x))
      eval_raise(ev, ev->types.OverflowError, "int too large to convert to float");
    return format_double(ev, x, &spec);
  }
  if (spec.type == 0 || spec.type >= 128 || !strchr("bcdoxXn", (char)spec.type))
    raise_unknown_type(ev, &spec, type_name);
  if (spec.precision >= 0)
    eval_raise(ev, ev->types.ValueError, "Precision not allowed in integer format specifier");
  if (spec.no_minus_zero)
    eval_raise(ev, ev->types.ValueError,
               "Negative zero coercion (z) not allowed in integer format specifier");
  if (spec.type == 'c') return format_char(ev, v, &spec);
  return format_digits(ev, v, &spec);
}
