// SPDX-License-Identifier: Apache-2.0
// The % operator of strings: "%-5.2f of %(name)s" % values.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include <math.h>
#include <string.h>

#include "text/prt_float_text.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_index.h"
#include "builtin_text.h"
#include "python/builtins/builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/values/bytes_like.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"
#include "builtin_percent.h"

typedef struct Percent {
  Eval *ev;
  Str format;
  size_t at;
  Value mapping;       // V_UNBOUND if the values are no mapping
  const Value *values; // of a tuple, or the one value
  size_t count, next;
  bool of_bytes;
  Buf out;
} Percent;

typedef struct Conversion {
  bool left, plus, space, alternate, zero;
  int64_t width, precision; // -1: none
  uint32_t type;
  size_t type_at; // in the format, for messages
} Conversion;

#define MAX_FIELD ((int64_t)1 << 31)

static NORETURN void fail(Percent *p, const char *message) {
  eval_raise(p->ev, p->ev->types.ValueError, "%s", message);
}

static Value next_value(Percent *p) {
  if (p->next >= p->count)
    eval_raise(p->ev, p->ev->types.TypeError, "not enough arguments for format string");
  return p->values[p->next++];
}

// ---- reading one conversion ---------------------------------------------------------------------
// "(name)": its value becomes the only one.
static void take_key(Percent *p, Value *room) {
  if (v_is_unbound(p->mapping))
    eval_raise(p->ev, p->ev->types.TypeError, "format requires a mapping");
  size_t begin = ++p->at;
  for (int depth = 1; depth > 0; p->at++) {
    if (p->at >= p->format.len) fail(p, "incomplete format key");
    if (p->format.data[p->at] == '(') depth++;
    if (p->format.data[p->at] == ')') depth--;
  }
  Value key = make_str(p->ev, (Str){p->format.data + begin, p->at - 1 - begin});
  *room = value_getitem(p->ev, p->mapping, key);
  p->values = room;
  p->count = 1;
  p->next = 0;
}

static bool take_flag(Percent *p, Conversion *c) {
  if (p->at >= p->format.len) return false;
  switch (p->format.data[p->at]) {
  case '-': c->left = true; break;
  case '+': c->plus = true; break;
  case ' ': c->space = true; break;
  case '#': c->alternate = true; break;
  case '0': c->zero = true; break;
  default: return false;
  }
  p->at++;
  return true;
}

// Digits or '*'. -1 if there is neither.
static int64_t take_number(Percent *p, const char *too_big) {
  if (p->at < p->format.len && p->format.data[p->at] == '*') {
    p->at++;
    Value v = next_value(p);
    if (!int_operand(&v)) eval_raise(p->ev, p->ev->types.TypeError, "* wants int");
    int64_t number = v.kind == V_OBJECT ? MAX_FIELD : v.i;
    if (number >= MAX_FIELD)
      eval_raise(p->ev, p->ev->types.OverflowError, "Python int too large to convert to C int");
    return number;
  }
  int64_t number = -1;
  for (; p->at < p->format.len && p->format.data[p->at] >= '0' && p->format.data[p->at] <= '9';
       p->at++) {
    number = (number < 0 ? 0 : number * 10) + (p->format.data[p->at] - '0');
    if (number >= MAX_FIELD) fail(p, too_big);
  }
  return number;
}

static Conversion take_conversion(Percent *p) {
  Conversion c = {.width = -1, .precision = -1};
  while (take_flag(p, &c)) {
  }
  c.width = take_number(p, "width too big");
  if (c.width < -1) {
    c.left = true;
    c.width = -c.width;
  }
  if (p->at < p->format.len && p->format.data[p->at] == '.') {
    p->at++;
    c.precision = take_number(p, "precision too big");
    if (c.precision < 0) c.precision = 0;
  }
  while (p->at < p->format.len && strchr("hlL", p->format.data[p->at])) p->at++;
  if (p->at >= p->format.len) fail(p, "incomplete format");
  c.type_at = p->at;
  c.type = text_next(p->format, &p->at);
  return c;
}

// ---- converting ---------------------------------------------------------------------------------
// sign and prefix, then digits; '0' fills between them. `length` is the digits' in code points.
static void put_field(Percent *p, const Conversion *c, Str lead, Str digits, int64_t length,
                      bool numeric) {
  int64_t room = c->width - length - (int64_t)lead.len;
  bool zeros = numeric && c->zero && !c->left;
  if (room > 0 && !c->left && !zeros) buf_pad(&p->out, ' ', (size_t)room);
  buf_str(&p->out, lead);
  if (room > 0 && zeros) buf_pad(&p->out, '0', (size_t)room);
  buf_str(&p->out, digits);
  if (room > 0 && c->left) buf_pad(&p->out, ' ', (size_t)room);
}

static void put_text(Percent *p, const Conversion *c, Str text) {
  int64_t length = (int64_t)text_length(text);
  if (c->precision >= 0 && c->precision < length) {
    text.len = text_offset(text, (size_t)c->precision);
    length = c->precision;
  }
  put_field(p, c, (Str){0}, text, length, false);
}

static const char *sign_of(const Conversion *c, bool negative) {
  return negative ? "-" : c->plus ? "+" : c->space ? " " : "";
}

// The integer that %d or %x makes of a value.
static Value as_integer(Percent *p, const Conversion *c, Value v) {
  Eval *ev = p->ev;
  bool decimal = c->type == 'd' || c->type == 'i' || c->type == 'u';
  if (int_operand(&v)) return v;
  Value result = v_unbound();
  Value plain = value_unwrap(v);
  if (decimal && plain.kind == V_FLOAT) return int_from_double(ev, trunc(plain.f));
  if (decimal && !value_as_str(v, &(Str){0}))
    result = special_call(ev, v, ev->builtin->names.dunder_int, 0, NULL);
  if (v_is_unbound(result)) result = take_index_opt(ev, v);
  if (!v_is_unbound(result) && int_operand(&result)) return result;
  eval_raise(ev, ev->types.TypeError, "%%%c format: %s is required, not %s", (char)c->type,
             decimal ? "a real number" : "an integer", value_type_name(ev, v));
}

// With as many zeros in front as the precision asks for, and capitals for 'X'.
static Str spelled_digits(Percent *p, const Conversion *c, Str digits) {
  Buf buf;
  buf_init(&buf, p->ev->arena);
  if (c->precision > (int64_t)digits.len) buf_pad(&buf, '0', (size_t)c->precision - digits.len);
  for (size_t i = 0; i < digits.len; i++) {
    char d = digits.data[i];
    buf_char(&buf, c->type == 'X' && d >= 'a' ? (char)(d - 32) : d);
  }
  return buf_view(&buf);
}

static void put_integer(Percent *p, const Conversion *c, Value v) {
  v = as_integer(p, c, v);
  int base = c->type == 'o' ? 8 : c->type == 'x' || c->type == 'X' ? 16 : 10;
  Str digits = base == 10 ? int_text(p->ev, v) : big_text(p->ev->arena, v, base);
  bool negative = digits.data[0] == '-';
  if (negative) digits.data++, digits.len--;
  const char *prefix = !c->alternate || base == 10 ? ""
                       : base == 8                 ? "0o"
                       : c->type == 'X'            ? "0X"
                                                   : "0x";
  const char *sign = sign_of(c, negative);
  Str lead = *prefix ? str_format(p->ev->arena, "%s%s", sign, prefix) : str_from_c(sign);
  if (c->precision > (int64_t)digits.len || c->type == 'X') digits = spelled_digits(p, c, digits);
  put_field(p, c, lead, digits, (int64_t)digits.len, true);
}

static void put_float(Percent *p, const Conversion *c, Value v) {
  double x = take_real(p->ev, v);
  bool is_upper = c->type >= 'A' && c->type <= 'Z';
  unsigned flags = (c->alternate ? PRT_FLOAT_ALT : 0) | (is_upper ? PRT_FLOAT_UPPER : 0);
  Str text =
      float_text(p->ev->arena, x, (char)(c->type | 32), c->precision < 0 ? 6 : c->precision, flags);
  put_field(p, c, str_from_c(sign_of(c, signbit(x) && !isnan(x))), text, (int64_t)text.len, true);
}

static void put_char(Percent *p, const Conversion *c, Value v) {
  Eval *ev = p->ev;
  Str text;
  Buf buf;
  buf_init(&buf, ev->arena);
  if (value_as_str(v, &text)) {
    if (text_length(text) != 1) eval_raise(ev, ev->types.TypeError, "%%c requires int or char");
  } else {
    Value code = value_unwrap(v).kind == V_FLOAT ? v_unbound() : take_index_opt(ev, v);
    if (v_is_unbound(code)) eval_raise(ev, ev->types.TypeError, "%%c requires int or char");
    if (code.kind == V_OBJECT || code.i < 0 || code.i > 0x10ffff)
      eval_raise(ev, ev->types.OverflowError, "%%c arg not in range(0x110000)");
    text_put_code(&buf, (uint32_t)code.i);
    text = buf_view(&buf);
  }
  put_field(p, c, (Str){0}, text, 1, false);
}

// What b"%s" takes: bytes, and what has __bytes__.
static Str take_bytes(Eval *ev, Value v) {
  Str bytes;
  if (value_as_bytes(ev, v, &bytes)) return bytes;
  Value made = special_call(ev, v, ev->builtin->names.dunder_bytes, 0, NULL);
  if (v_is_unbound(made) || !value_as_bytes(ev, made, &bytes))
    eval_raise(ev, ev->types.TypeError,
               "%%b requires a bytes-like object, or an object that implements __bytes__, not '%s'",
               value_type_name(ev, v));
  return bytes;
}

static void put_byte(Percent *p, const Conversion *c, Value v) {
  Eval *ev = p->ev;
  Str bytes;
  char byte;
  if (!value_as_bytes(ev, v, &bytes) || bytes.len != 1) {
    Value code = value_unwrap(v).kind == V_FLOAT ? v_unbound() : take_index_opt(ev, v);
    if (v_is_unbound(code))
      eval_raise(ev, ev->types.TypeError, "%%c requires an integer in range(256) or a single byte");
    if (code.kind == V_OBJECT || code.i < 0 || code.i > 255)
      eval_raise(ev, ev->types.OverflowError, "%%c arg not in range(256)");
    byte = (char)code.i;
    bytes = (Str){&byte, 1};
  }
  put_field(p, c, (Str){0}, bytes, 1, false);
}

// Of bytes: what is another conversion than that of a text.
static bool convert_byte(Percent *p, const Conversion *c, Value v) {
  if (c->type == 'c') {
    put_byte(p, c, v);
  } else if (c->type == 's' || c->type == 'b') {
    Str bytes = take_bytes(p->ev, v);
    if (c->precision >= 0 && (size_t)c->precision < bytes.len) bytes.len = (size_t)c->precision;
    put_field(p, c, (Str){0}, bytes, (int64_t)bytes.len, false);
  } else if (c->type == 'r') {
    put_text(p, c, value_ascii(p->ev, v));
  } else {
    return false;
  }
  return true;
}

static void convert(Percent *p, const Conversion *c) {
  Value v = next_value(p);
  if (p->of_bytes && convert_byte(p, c, v)) return;
  switch (c->type) {
  case '%': buf_char(&p->out, '%'); return;
  case 's': put_text(p, c, value_str(p->ev, v)); return;
  case 'r': put_text(p, c, value_repr(p->ev, v)); return;
  case 'a': put_text(p, c, value_ascii(p->ev, v)); return;
  case 'c': put_char(p, c, v); return;
  case 'd':
  case 'i':
  case 'u':
  case 'o':
  case 'x':
  case 'X': put_integer(p, c, v); return;
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': put_float(p, c, v); return;
  default: break;
  }
  eval_raise(p->ev, p->ev->types.ValueError,
             "unsupported format character '%c' (0x%x) at index %zu",
             c->type > 31 && c->type < 128 ? (char)c->type : '?', c->type,
             text_length((Str){p->format.data, c->type_at}));
}

// After a key the values are those of the mapping only.
static void convert_next(Percent *p) {
  Value room;
  bool has_key = p->at < p->format.len && p->format.data[p->at] == '(';
  if (has_key) take_key(p, &room);
  Conversion c = take_conversion(p);
  convert(p, &c);
  if (has_key) p->count = p->next = 0;
}

Str percent_format(Eval *ev, Str format, Value args, bool of_bytes) {
  Percent p = {.ev = ev,
               .format = format,
               .mapping = v_unbound(),
               .values = &args,
               .count = 1,
               .of_bytes = of_bytes};
  buf_init(&p.out, ev->arena);
  const Tuple *tuple = value_as_tuple(args);
  if (tuple) {
    p.values = tuple->items;
    p.count = tuple->count;
  } else if (!value_as_str(args, &(Str){0}) &&
             !v_is_unbound(
                 type_lookup(ev, value_type(ev, args), ev->builtin->names.dunder_getitem))) {
    p.mapping = args;
  }
  while (p.at < format.len) {
    const char *percent = memchr(format.data + p.at, '%', format.len - p.at);
    size_t end = percent ? (size_t)(percent - format.data) : format.len;
    buf_str(&p.out, (Str){format.data + p.at, end - p.at});
    p.at = end;
    if (!percent) break;
    p.at++;
    if (p.at >= format.len) fail(&p, "incomplete format");
    if (format.data[p.at] == '%') {
      buf_char(&p.out, '%');
      p.at++;
    } else {
      convert_next(&p);
    }
  }
  if (p.next < p.count && v_is_unbound(p.mapping))
    eval_raise(ev, ev->types.TypeError, "not all arguments converted during %s formatting",
               of_bytes ? "bytes" : "string");
  return buf_view(&p.out);
}
