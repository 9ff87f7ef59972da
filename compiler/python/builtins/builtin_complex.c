// SPDX-License-Identifier: Apache-2.0
// complex: numbers of the host with an imaginary part, two doubles. Powers, quotients and texts are
// computed as CPython computes them, so that the last digits agree.
#include "base/buf.h"
#include "builtin_complex.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "builtin_float.h"
#include "python/builtins/text/builtin_format.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/values/builtin_state.h"
#include "python/objects/convert.h"
#include "python/numbers/digits.h"
#include "python/numbers/integer.h"
#include "python/values/new_value.h"
#include "python/numbers/number.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

static bool is_complex(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == ev->types.complex;
}

// A complex, float, int or bool; false if it is none of them.
static bool complex_operand(Eval *ev, Value v, Complex *out) {
  Value plain = value_unwrap(v);
  if (is_complex(ev, plain)) {
    *out = ((ComplexObject *)plain.o)->number;
    return true;
  }
  out->imag = 0;
  return float_operand(ev, v, &out->real);
}

static Complex self_complex(Eval *ev, Value self) {
  Value plain = value_unwrap(self);
  if (!is_complex(ev, plain))
    eval_raise(ev, ev->types.TypeError,
               "descriptor requires a 'complex' object but received a '%s'",
               value_type_name(ev, self));
  return ((ComplexObject *)plain.o)->number;
}

static Value made(Eval *ev, Complex z) { return make_complex(ev, z.real, z.imag); }

// ---- arithmetic ---------------------------------------------------------------------------------
static Complex product(Complex a, Complex b) {
  return (Complex){a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}

// By the larger part of the divisor, so that nothing overflows that need not (Smith 1962).
static Complex quotient(Eval *ev, Complex a, Complex b) {
  if (b.real == 0 && b.imag == 0)
    eval_raise(ev, ev->types.ZeroDivisionError, "complex division by zero");
  if (fabs(b.real) >= fabs(b.imag)) {
    double ratio = b.imag / b.real, under = b.real + b.imag * ratio;
    return (Complex){(a.real + a.imag * ratio) / under, (a.imag - a.real * ratio) / under};
  }
  if (fabs(b.imag) >= fabs(b.real)) {
    double ratio = b.real / b.imag, under = b.real * ratio + b.imag;
    return (Complex){(a.real * ratio + a.imag) / under, (a.imag * ratio - a.real) / under};
  }
  return (Complex){NAN, NAN};
}

static Complex whole_power(Complex x, unsigned n) {
  Complex result = {1, 0};
  for (unsigned bit = 1; bit && n >= bit; bit <<= 1) {
    if (n & bit) result = product(result, x);
    x = product(x, x);
  }
  return result;
}

static Complex general_power(Eval *ev, Complex a, Complex b) {
  if (a.real == 0 && a.imag == 0) {
    if (b.imag != 0 || b.real < 0)
      eval_raise(ev, ev->types.ZeroDivisionError, "0.0 to a negative or complex power");
    return (Complex){0, 0};
  }
  double size = hypot(a.real, a.imag), angle = atan2(a.imag, a.real);
  double length = pow(size, b.real), phase = angle * b.real;
  if (b.imag != 0) {
    length *= exp(-angle * b.imag); // as CPython 3.12 has it
    phase += b.imag * log(size);
  }
  return (Complex){length * cos(phase), length * sin(phase)};
}

static Complex power(Eval *ev, Complex a, Complex b) {
  Complex result;
  bool is_whole = b.imag == 0 && b.real == floor(b.real) && fabs(b.real) <= 100;
  if (b.real == 0 && b.imag == 0)
    result = (Complex){1, 0};
  else if (is_whole && b.real > 0)
    result = whole_power(a, (unsigned)b.real);
  else if (is_whole && (a.real != 0 || a.imag != 0))
    result = quotient(ev, (Complex){1, 0}, whole_power(a, (unsigned)-b.real));
  else
    result = general_power(ev, a, b);
  bool is_finite = isfinite(a.real) && isfinite(a.imag) && isfinite(b.real) && isfinite(b.imag);
  if (is_finite && (isinf(result.real) || isinf(result.imag)))
    eval_raise(ev, ev->types.OverflowError, "complex exponentiation");
  return result;
}

Value complex_power(Eval *ev, double a, double b) {
  return made(ev, power(ev, (Complex){a, 0}, (Complex){b, 0}));
}

static Value complex_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  Complex a, b;
  if (!complex_operand(ev, left, &a) || !complex_operand(ev, right, &b)) return v_not_implemented();
  switch (op) {
  case BIN_ADD: return make_complex(ev, a.real + b.real, a.imag + b.imag);
  case BIN_SUB: return make_complex(ev, a.real - b.real, a.imag - b.imag);
  case BIN_MUL: return made(ev, product(a, b));
  case BIN_DIV: return made(ev, quotient(ev, a, b));
  case BIN_POW: return made(ev, power(ev, a, b));
  default: return v_not_implemented();
  }
}

static Value complex_unary(Eval *ev, UnaryOp op, Value self) {
  Complex z = self_complex(ev, self);
  if (op == UN_NEG) return make_complex(ev, -z.real, -z.imag);
  if (op == UN_POS) return made(ev, z);
  return v_not_implemented();
}

// Numbers of the line equal what has no imaginary part; nothing is less than another.
static Value complex_compare(Eval *ev, CompareOp op, Value left, Value right) {
  Complex a = self_complex(ev, left), b;
  if (op != CMP_EQ && op != CMP_NE) return v_not_implemented();
  Value other = value_unwrap(right);
  bool is_equal;
  if (int_operand(&other))
    is_equal = a.imag == 0 && !isnan(a.real) && big_compare_double(other, a.real) == 0;
  else if (complex_operand(ev, right, &b))
    is_equal = a.real == b.real && a.imag == b.imag;
  else
    return v_not_implemented();
  return v_bool(is_equal == (op == CMP_EQ));
}

static uint64_t complex_hash(Eval *ev, Value self) {
  Complex z = self_complex(ev, self);
  return hash_double(z.real) + 1000003u * hash_double(z.imag);
}

static bool complex_truth(Eval *ev, Value self) {
  Complex z = self_complex(ev, self);
  return z.real != 0 || z.imag != 0;
}

static Str complex_repr(Eval *ev, Value self) {
  return format_complex(ev, self_complex(ev, self), STR(""));
}

static Str complex_format(Eval *ev, Value self, Str spec) {
  return format_complex(ev, self_complex(ev, self), spec);
}

// ---- making -------------------------------------------------------------------------------------
// Underscores stand between digits; false if one does not.
static bool without_underscores(Arena *arena, Str *text) {
  if (!text->len || !memchr(text->data, '_', text->len)) return true;
  Buf out;
  buf_init(&out, arena);
  for (size_t i = 0; i < text->len; i++) {
    char c = text->data[i];
    bool before = i > 0 && text->data[i - 1] >= '0' && text->data[i - 1] <= '9',
         behind = i + 1 < text->len && text->data[i + 1] >= '0' && text->data[i + 1] <= '9';
    if (c == '_' && !(before && behind)) return false;
    if (c != '_') buf_char(&out, c);
  }
  *text = buf_view(&out);
  return true;
}

// A decimal number at *at, which is moved behind it; false if there is none.
static bool read_number(const char **at, double *out) {
  const char *p = *at + (**at == '+' || **at == '-');
  if (p[0] == '0' && (p[1] | 32) == 'x') return false;
  if (!strchr("0123456789.iInN", *p) || !*p || ((*p | 32) == 'n' && strncmp(p, "nan(", 4) == 0))
    return false;
  char *end;
  *out = strtod(*at, &end);
  if (end == *at) return false;
  *at = end;
  return true;
}

static bool is_j(char c) { return (c | 32) == 'j'; }

static bool read_sign(const char **at, double *out) {
  *out = **at == '-' ? -1 : 1;
  if (**at != '+' && **at != '-') return is_j(**at);
  ++*at;
  return true;
}

static bool complex_parse(Eval *ev, Str text, Complex *out) {
  text = text_number_ascii(ev->arena, text);
  Str given = text;
  if (!without_underscores(ev->arena, &text))
    eval_raise(ev, ev->types.ValueError, "could not convert string to complex: %.*s",
               STR_FMT(value_repr(ev, make_str(ev, given))));
  if (strlen(str_copy(ev->arena, text).data) != text.len) return false;
  const char *p = str_copy(ev->arena, text).data;
  double first, second;
  *out = (Complex){0, 0};
  while (*p && strchr(" \t\n\r\f\v", *p)) p++;
  bool in_parentheses = *p == '(';
  if (in_parentheses)
    for (p++; *p && strchr(" \t\n\r\f\v", *p);) p++;
  if (read_number(&p, &first)) {
    if (is_j(*p)) {
      out->imag = first;
      p++;
    } else {
      out->real = first;
      if (*p == '+' || *p == '-') {
        if (!read_number(&p, &second) && !read_sign(&p, &second)) return false;
        if (!is_j(*p++)) return false;
        out->imag = second;
      }
    }
  } else {
    if (!read_sign(&p, &second) || !is_j(*p++)) return false;
    out->imag = second;
  }
  while (*p && strchr(" \t\n\r\f\v", *p)) p++;
  if (in_parentheses) {
    if (*p++ != ')') return false;
    while (*p && strchr(" \t\n\r\f\v", *p)) p++;
  }
  return *p == '\0';
}

// One of the two arguments: a number, or an object that has __complex__, __float__ or __index__.
static Complex complex_part(Eval *ev, Value v, bool is_first) {
  Complex z;
  if (complex_operand(ev, v, &z)) return z;
  Value found = is_first ? special_call(ev, v, name_of(ev, "__complex__"), 0, NULL) : v_unbound();
  if (!v_is_unbound(found)) {
    if (!is_complex(ev, value_unwrap(found)))
      eval_raise(ev, ev->types.TypeError, "__complex__ returned non-complex (type %s)",
                 value_type_name(ev, found));
    return self_complex(ev, found);
  }
  if (float_of_object(ev, v, &z.real)) return (Complex){z.real, 0};
  eval_raise(ev, ev->types.TypeError,
             is_first ? "complex() first argument must be a string or a number, not '%s'"
                      : "complex() second argument must be a number, not '%s'",
             value_type_name(ev, v));
}

static Value complex_new(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  Complex z = {0, 0}, second;
  bool has_imag = false;
  Str text;
  if (!v_is_unbound(a[2]) && value_as_str(a[2], &text))
    eval_raise(ev, ev->types.TypeError, "complex() second arg can't be a string");
  if (!v_is_unbound(a[1]) && value_as_str(a[1], &text)) {
    if (!v_is_unbound(a[2]))
      eval_raise(ev, ev->types.TypeError, "complex() can't take second arg if first is a string");
    if (!complex_parse(ev, text, &z))
      eval_raise(ev, ev->types.ValueError, "complex() arg is a malformed string");
    return payload_wrap(ev, cls, ev->types.complex, made(ev, z));
  }
  if (!v_is_unbound(a[1])) {
    if (cls == ev->types.complex && is_complex(ev, a[1]) && v_is_unbound(a[2])) return a[1];
    z = complex_part(ev, a[1], true);
    has_imag = z.imag != 0 || is_complex(ev, value_unwrap(a[1]));
  }
  if (!v_is_unbound(a[2])) {
    second = complex_part(ev, a[2], false);
    if (is_complex(ev, value_unwrap(a[2]))) z.real -= second.imag;
    z.imag = has_imag ? z.imag + second.real : second.real; // a zero keeps its sign
  }
  return payload_wrap(ev, cls, ev->types.complex, made(ev, z));
}

// ---- methods ------------------------------------------------------------------------------------
static Value complex_same(Eval *ev, Value *a) { return made(ev, self_complex(ev, a[0])); }

static Value complex_conjugate(Eval *ev, Value *a) {
  Complex z = self_complex(ev, a[0]);
  return make_complex(ev, z.real, -z.imag);
}

Value complex_magnitude(Eval *ev, Value v) {
  Complex z = self_complex(ev, v);
  double size = hypot(z.real, z.imag);
  if (isinf(size) && isfinite(z.real) && isfinite(z.imag))
    eval_raise(ev, ev->types.OverflowError, "absolute value too large");
  return v_float(size);
}

static Value complex_abs(Eval *ev, Value *a) { return complex_magnitude(ev, a[0]); }

static Value complex_pow_method(Eval *ev, Value *a) {
  if (!v_is_none(a[2])) eval_raise(ev, ev->types.ValueError, "complex modulo");
  return complex_binary(ev, BIN_POW, a[0], a[1]);
}

static Value complex_arguments(Eval *ev, Value *a) {
  Complex z = self_complex(ev, a[0]);
  return make_tuple(ev, 2, (Value[]){v_float(z.real), v_float(z.imag)});
}

static Value complex_real(Eval *ev, Value self) { return v_float(self_complex(ev, self).real); }
static Value complex_imag(Eval *ev, Value self) { return v_float(self_complex(ev, self).imag); }

static const NativeGetter complex_getters[] = {{"real", complex_real}, {"imag", complex_imag}, {0}};

static const NativeDef complex_methods[] = {
    {"__new__(cls, real=, imag=)", complex_new},
    {"conjugate(self, /)", complex_conjugate},
    {"__complex__(self, /)", complex_same},
    {"__abs__(self, /)", complex_abs},
    {"__pow__(self, value, mod=None, /)", complex_pow_method},
    {"__getnewargs__(self, /)", complex_arguments},
    {0},
};

static const NativeType complex_type = {
    .slots = {.binary = complex_binary,
              .unary = complex_unary,
              .compare = complex_compare,
              .hash = complex_hash,
              .truth = complex_truth,
              .repr = complex_repr,
              .format = complex_format},
    .methods = complex_methods,
    .getters = complex_getters,
};

void builtin_complex_init(Eval *ev) { native_type_define(ev, ev->types.complex, &complex_type); }
