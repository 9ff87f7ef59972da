// SPDX-License-Identifier: Apache-2.0
// The format mini-language: [[fill]align][sign][z][#][0][width][grouping][.precision][type] on
// ints, floats and texts.
#include "builtin_local.h"
#include <limits.h>
#include <math.h>
#include <string.h>

typedef struct Spec {
  Str fill;   // one code point
  char align; // '<', '>', '=', '^'
  bool has_align;
  char sign; // '+', '-', ' ' or 0
  bool no_minus_zero, alternate;
  int64_t width;     // -1: none
  char grouping;     // ',', '_' or 0
  int64_t precision; // -1: none
  uint32_t type;     // a code point
} Spec;

#define MAX_WIDTH ((int64_t)1 << 31)

// ---- reading ------------------------------------------------------------------------------------
static bool is_align(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

static bool take_char(Str *rest, char c) {
  if (rest->len == 0 || rest->data[0] != c) return false;
  rest->data++, rest->len--;
  return true;
}

// False if there are no digits.
static bool take_number(Eval *ev, Str *rest, int64_t *out) {
  int64_t number = 0;
  size_t digits = 0;
  for (; rest->len > 0 && rest->data[0] >= '0' && rest->data[0] <= '9'; digits++) {
    if (!mul_i64(number, 10, &number) || !add_i64(number, rest->data[0] - '0', &number))
      eval_raise(ev, ev->types.ValueError, "Too many decimal digits in format string");
    rest->data++, rest->len--;
  }
  *out = number;
  return digits > 0;
}

static void take_fill_and_align(Spec *spec, Str *rest) {
  size_t after_first = 0;
  if (rest->len > 0) text_next(*rest, &after_first);
  if (after_first > 0 && after_first < rest->len && is_align(rest->data[after_first])) {
    spec->fill = (Str){rest->data, after_first};
    spec->align = rest->data[after_first];
    spec->has_align = true;
    rest->data += after_first + 1, rest->len -= after_first + 1;
  } else if (rest->len > 0 && is_align(rest->data[0])) {
    spec->align = rest->data[0];
    spec->has_align = true;
    rest->data++, rest->len--;
  }
}

static void take_grouping(Eval *ev, Spec *spec, Str *rest) {
  if (take_char(rest, ',')) spec->grouping = ',';
  if (take_char(rest, '_')) {
    if (spec->grouping) eval_raise(ev, ev->types.ValueError, "Cannot specify both ',' and '_'.");
    spec->grouping = '_';
  }
  if (spec->grouping == '_' && rest->len > 0 && rest->data[0] == ',')
    eval_raise(ev, ev->types.ValueError, "Cannot specify both ',' and '_'.");
}

static void check_grouping(Eval *ev, const Spec *spec) {
  if (!spec->grouping || spec->type == 0 ||
      (spec->type < 128 && strchr("defgEG%F", (char)spec->type)))
    return;
  if (spec->grouping == '_' && spec->type < 128 && strchr("boxX", (char)spec->type)) return;
  if (spec->type > 32 && spec->type < 128)
    eval_raise(ev, ev->types.ValueError, "Cannot specify '%c' with '%c'.", spec->grouping,
               (char)spec->type);
  eval_raise(ev, ev->types.ValueError, "Cannot specify '%c' with '\\x%x'.", spec->grouping,
             spec->type);
}

static Spec parse_spec(Eval *ev, Str text, const char *type_name, char default_type,
                       char default_align) {
  Spec spec = {.fill = STR(" "),
               .align = default_align,
               .width = -1,
               .precision = -1,
               .type = (unsigned char)default_type};
  Str rest = text;
  take_fill_and_align(&spec, &rest);
  bool has_fill = rest.data - text.data > 1;
  if (rest.len > 0 && (rest.data[0] == '+' || rest.data[0] == '-' || rest.data[0] == ' ')) {
    spec.sign = rest.data[0];
    rest.data++, rest.len--;
  }
  spec.no_minus_zero = take_char(&rest, 'z');
  spec.alternate = take_char(&rest, '#');
  if (!has_fill && take_char(&rest, '0')) {
    spec.fill = STR("0");
    if (!spec.has_align && default_align == '>') spec.align = '=';
  }
  if (!take_number(ev, &rest, &spec.width)) spec.width = -1;
  take_grouping(ev, &spec, &rest);
  if (take_char(&rest, '.') && !take_number(ev, &rest, &spec.precision))
    eval_raise(ev, ev->types.ValueError, "Format specifier missing precision");
  size_t after_type = 0;
  if (rest.len > 0) spec.type = text_next(rest, &after_type);
  if (after_type < rest.len) {
    eval_raise(ev, ev->types.ValueError, "Invalid format specifier '%.*s' for object of type '%s'",
               STR_FMT(text), type_name);
  }
  check_grouping(ev, &spec);
  if (spec.width >= MAX_WIDTH || spec.precision >= MAX_WIDTH) {
    if (spec.precision >= MAX_WIDTH) eval_raise(ev, ev->types.ValueError, "precision too big");
    eval_raise(ev, ev->types.MemoryError, "a field of %lld characters", (long long)spec.width);
  }
  return spec;
}

static NORETURN void raise_unknown_type(Eval *ev, const Spec *spec, const char *type_name) {
  if (spec->type > 32 && spec->type < 128) {
    eval_raise(ev, ev->types.ValueError, "Unknown format code '%c' for object of type '%s'",
               (char)spec->type, type_name);
  }
  eval_raise(ev, ev->types.ValueError, "Unknown format code '\\x%x' for object of type '%s'",
             spec->type, type_name);
}

// ---- laying out ---------------------------------------------------------------------------------
static void put_fill(Buf *buf, const Spec *spec, int64_t count) {
  if (spec->fill.len == 1) {
    buf_pad(buf, spec->fill.data[0], count > 0 ? (size_t)count : 0);
    return;
  }
  buf_repeat(buf, spec->fill, count > 0 ? (size_t)count : 0);
}

// `text` of `length` code points, padded to the width. '=' is seen by the callers.
static Str pad(Eval *ev, const Spec *spec, Str text, int64_t length) {
  int64_t room = spec->width - length;
  if (room <= 0) return text;
  int64_t left = spec->align == '<' ? 0 : spec->align == '^' ? room / 2 : room;
  Buf buf;
  buf_init(&buf, ev->arena);
  put_fill(&buf, spec, left);
  buf_str(&buf, text);
  put_fill(&buf, spec, room - left);
  return buf_view(&buf);
}

// Digits with separators, and with zeros in front up to `least` characters (a separator never comes
// first).
static Str group_digits(Arena *arena, Str digits, char separator, unsigned every, int64_t least) {
  if (!separator && (int64_t)digits.len >= least) return digits;
  size_t longest = (size_t)(least > 0 ? least : 0) + digits.len * 2 + 4;
  char *text = arena_alloc(arena, longest);
  char *p = text + longest;
  size_t left = digits.len, count = 0;
  while (left > 0 || least > 0) {
    if (separator && count > 0 && count % every == 0) {
      *--p = separator;
      least--;
    }
    *--p = left > 0 ? digits.data[--left] : '0';
    least--;
    count++;
  }
  return (Str){p, (size_t)(text + longest - p)};
}

// sign, prefix ("0x"), digits, rest (".5e+10"): all ASCII but the fill.
static Str layout_number(Eval *ev, const Spec *spec, char sign, Str prefix, Str digits, Str rest) {
  bool zero_padded = spec->align == '=' && str_equal(spec->fill, STR("0"));
  int64_t others = (sign != 0) + (int64_t)prefix.len + (int64_t)rest.len;
  bool wide = spec->type == 'b' || spec->type == 'o' || spec->type == 'x' || spec->type == 'X';
  if (digits.len > 0) {
    digits = group_digits(ev->arena, digits, spec->grouping, wide ? 4 : 3,
                          zero_padded ? spec->width - others : 0);
  }
  if (!sign && !prefix.len && !rest.len && (int64_t)digits.len >= spec->width) return digits;
  Buf buf;
  buf_init(&buf, ev->arena);
  int64_t room = spec->width - others - (int64_t)digits.len;
  int64_t left = spec->align == '>' ? room : spec->align == '^' ? room / 2 : 0;
  if (room > 0) put_fill(&buf, spec, left);
  if (sign) buf_char(&buf, sign);
  buf_str(&buf, prefix);
  if (room > 0 && spec->align == '=') put_fill(&buf, spec, room);
  buf_str(&buf, digits);
  buf_str(&buf, rest);
  if (room > 0 && (spec->align == '<' || spec->align == '^')) put_fill(&buf, spec, room - left);
  return buf_view(&buf);
}

static char sign_char(const Spec *spec, bool negative) {
  if (negative) return '-';
  return spec->sign == '+' || spec->sign == ' ' ? spec->sign : 0;
}

// ---- the three kinds ----------------------------------------------------------------------------
Str format_text(Eval *ev, Str text, Str spec_text) {
  if (spec_text.len == 0) return text;
  Spec spec = parse_spec(ev, spec_text, "str", 's', '<');
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

static Str format_double(Eval *ev, double x, const Spec *spec) {
  char form = 0;
  unsigned flags = spec->alternate ? FLOAT_ALT : 0;
  int64_t precision = spec->precision < 0 ? 6 : spec->precision;
  Str after = {0};
  switch (spec->type) {
  case 0:
    form = spec->precision < 0 ? 'r' : 'g';
    flags |= FLOAT_ADD_DOT_0;
    break;
  case 'e':
  case 'f':
  case 'g': form = (char)spec->type; break;
  case 'E':
  case 'F':
  case 'G':
    form = (char)(spec->type | 32);
    flags |= FLOAT_UPPER;
    break;
  case 'n': form = 'g'; break;
  default: // '%'
    form = 'f';
    x *= 100;
    after = STR("%");
    break;
  }
  Str text = float_text(ev->arena, x, form, precision, flags);
  size_t whole = 0;
  while (whole < text.len && text.data[whole] >= '0' && text.data[whole] <= '9') whole++;
  bool negative = signbit(x) && !isnan(x);
  if (spec->no_minus_zero && negative && isfinite(x)) {
    size_t i = 0;
    while (i < text.len && (text.data[i] == '0' || text.data[i] == '.')) i++;
    if (i == text.len || text.data[i] == 'e' || text.data[i] == 'E') negative = false;
  }
  Str rest = {text.data + whole, text.len - whole};
  if (after.len) rest = str_format(ev->arena, "%.*s%%", STR_FMT(rest));
  return layout_number(ev, spec, sign_char(spec, negative), (Str){0}, (Str){text.data, whole},
                       rest);
}

static bool is_float_type(uint32_t type) {
  return type < 128 && type != 0 && strchr("eEfFgG%", (char)type) != NULL;
}

Str format_float(Eval *ev, double x, Str spec_text) {
  if (spec_text.len == 0) return float_repr(ev->arena, x);
  Spec spec = parse_spec(ev, spec_text, "float", 0, '>');
  if (spec.type != 0 && spec.type != 'n' && !is_float_type(spec.type))
    raise_unknown_type(ev, &spec, "float");
  return format_double(ev, x, &spec);
}

static Str format_char(Eval *ev, Value v, const Spec *spec) {
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

static Str format_digits(Eval *ev, Value v, const Spec *spec) {
  int base = spec->type == 'b'                        ? 2
             : spec->type == 'o'                      ? 8
             : spec->type == 'x' || spec->type == 'X' ? 16
                                                      : 10;
  Str digits = base == 10 ? int_text(ev, v) : big_text(ev->arena, v, base);
  bool negative = digits.data[0] == '-';
  if (negative) digits.data++, digits.len--;
  Str prefix = {0};
  if (spec->alternate && base != 10)
    prefix = base == 2 ? STR("0b") : base == 8 ? STR("0o") : STR("0x");
  if (spec->type == 'X') {
    char *upper = arena_dup(ev->arena, digits.data, digits.len);
    for (size_t i = 0; i < digits.len; i++) {
      if (upper[i] >= 'a') upper[i] -= 32;
    }
    digits.data = upper;
    if (prefix.len) prefix = STR("0X");
  }
  return layout_number(ev, spec, sign_char(spec, negative), prefix, digits, (Str){0});
}

Str format_int(Eval *ev, Value v, Str spec_text) {
  const char *type_name = value_type_name(ev, v);
  int_operand(&v);
  if (spec_text.len == 0) return int_text(ev, v);
  Spec spec = parse_spec(ev, spec_text, type_name, 'd', '>');
  if (is_float_type(spec.type)) {
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
