// SPDX-License-Identifier: Apache-2.0
// The text of arrays, as NumPy 2 prints them by its print options. Element types that NumPy does
// not know itself (bfloat16, fp8, int4) are printed as their extension types print: %.6g,
// unaligned.
#include "base/buf.h"
#include "nd_format.h"
#include "base/sink.h"
#include "numpy/arrays/nd_watch.h"
#include <math.h>
#include <string.h>

#include "text/prt_array_text.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"

static int bits_of(DType dtype) {
  dtype = dtype_of_parts(dtype);
  return dtype == DT_F16 ? 16 : dtype == DT_F32 ? 32 : 64;
}

Str nd_float_text(Eval *ev, DType dtype, double x, prt_float_style style, bool is_positional) {
  char text[PRT_STYLE_SIZE];
  if (is_positional)
    prt__positional(bits_of(dtype), x, style, text);
  else
    prt__scientific(bits_of(dtype), x, style, text);
  return str_format(ev->arena, "%s", text);
}

// As a scalar is printed; `plus`: with the sign of what is not negative, too.
static Str number_text(Eval *ev, DType dtype, double x, char trim, bool plus) {
  double magnitude = fabs(x);
  const char *sign = signbit(x) && !isnan(x) ? "-" : plus ? "+" : "";
  if (!isfinite(x)) return str_format(ev->arena, "%s%s", sign, isnan(x) ? "nan" : "inf");
  bool is_positional =
      magnitude == 0 || (magnitude >= 1e-4 && magnitude < prt__scientific_from(bits_of(dtype)));
  prt_float_style style = {
      .unique = true, .precision = -1, .trim = is_positional ? trim : '-', .plus = plus};
  return nd_float_text(ev, dtype, x, style, is_positional);
}

static Str complex_text(Eval *ev, DType dtype, const char *element) {
  DType parts = dtype_of_parts(dtype);
  double real = dtype_load_f64(parts, element),
         imag = dtype_load_f64(parts, element + dtype_size(parts));
  if (real == 0 && !signbit(real))
    return str_format(ev->arena, "%.*sj", STR_FMT(number_text(ev, parts, imag, '-', false)));
  return str_format(ev->arena, "(%.*s%.*sj)", STR_FMT(number_text(ev, parts, real, '-', false)),
                    STR_FMT(number_text(ev, parts, imag, '-', true)));
}

static Str first_element_text(Eval *ev, const NdArray *nd) {
  switch (dtype_kind(nd->dtype)) {
  case 'c': return complex_text(ev, nd->dtype, nd_element(nd, 0));
  case 'b': return nd_get_i64(nd, 0) ? STR("True") : STR("False");
  case 'i': return str_format(ev->arena, "%lld", (long long)nd_get_i64(nd, 0));
  case 'u': return str_format(ev->arena, "%llu", (unsigned long long)nd_get_i64(nd, 0));
  default: break;
  }
  double x = nd_get_f64(nd, 0);
  if (dtype_is_extension(nd->dtype) && isfinite(x)) return str_format(ev->arena, "%.6g", x);
  return number_text(ev, nd->dtype, x, '0', false);
}

// ---- the elements as the printer of arrays asks for them ---------------------------------------

typedef struct Elements {
  Eval *ev;
  const NdArray *nd;
  Value formatter; // a function of the program's that makes the text; or V_UNBOUND
} Elements;

static double float_at(const void *data, int64_t i) {
  const NdArray *nd = ((const Elements *)data)->nd;
  if (!dtype_is_complex(nd->dtype)) return nd_get_f64(nd, i);
  DType parts = dtype_of_parts(nd->dtype);
  return dtype_load_f64(parts, nd_element(nd, i / 2) + (i & 1 ? dtype_size(parts) : 0));
}

static uint64_t integer_at(const void *data, int64_t i) {
  return (uint64_t)nd_get_i64(((const Elements *)data)->nd, i);
}

static const char *formatted(const void *data, int64_t i, size_t *length) {
  const Elements *e = data;
  const NdArray *nd = nd_contiguous(e->ev, e->nd);
  Value item = v_object(nd_scalar(e->ev, nd->dtype, nd->data + (size_t)i * dtype_size(nd->dtype)));
  Str text = take_str(e->ev, value_call_n(e->ev, e->formatter, 1, &item),
                      "what a formatter of the print options gives");
  *length = text.len;
  return text.data;
}

// The function of the program's for elements of this type, by the keys that NumPy's `formatter`
// knows; V_UNBOUND if there is none.
static Value find_formatter(Eval *ev, const PrintOptions *o, const NdArray *nd) {
  if (v_is_none(o->formatter)) return v_unbound();
  const char *keys[3] = {"numpystr", "all", NULL};
  char kind = dtype_is_extension(nd->dtype) ? 'x' : dtype_kind(nd->dtype);
  if (kind == 'b') keys[0] = "bool";
  if (kind == 'i' || kind == 'u') keys[0] = "int", keys[2] = "int_kind";
  if (kind == 'f') keys[0] = "float", keys[2] = "float_kind";
  if (kind == 'c') keys[0] = "complexfloat", keys[2] = "complex_kind";
  for (size_t i = 0; i < 3 && keys[i]; i++) {
    Value f = dict_get(ev, value_as_dict(o->formatter), make_str_c(ev, keys[i]));
    if (!v_is_unbound(f) && !v_is_none(f)) return f;
  }
  return v_unbound();
}

static char kind_of(DType dtype) {
  char kind = dtype_kind(dtype);
  return !dtype_is_extension(dtype) ? kind : kind == 'f' ? 'x' : 'y';
}

static prt_float_mode mode_of(Str name) {
  if (str_equal(name, STR("fixed"))) return PRT_MODE_FIXED;
  if (str_equal(name, STR("unique"))) return PRT_MODE_UNIQUE;
  return str_equal(name, STR("maxprec_equal")) ? PRT_MODE_MAXPREC_EQUAL : PRT_MODE_MAXPREC;
}

Str nd_text(Eval *ev, const NdArray *nd, const PrintOptions *options, Str separator, Str prefix,
            Str suffix) {
  if (nd_count(nd) == 0) return STR("[]");
  nd_look_at(ev, nd);
  Elements data = {ev, nd, find_formatter(ev, options, nd)};
  prt_elements elements = {.rank = nd->rank,
                           .dims = nd->dims,
                           .kind = v_is_unbound(data.formatter) ? kind_of(nd->dtype) : 't',
                           .bits = bits_of(nd->dtype),
                           .data = &data,
                           .number = float_at,
                           .integer = integer_at,
                           .text = formatted};
  prt_array_style style = {.precision = options->precision,
                           .linewidth = options->linewidth,
                           .threshold = options->threshold,
                           .edgeitems = options->edgeitems,
                           .suppress = options->suppress,
                           .sign = options->sign,
                           .mode = mode_of(options->floatmode),
                           .nan = str_copy(ev->arena, options->nanstr).data,
                           .inf = str_copy(ev->arena, options->infstr).data,
                           .separator = str_copy(ev->arena, separator).data,
                           .prefix = (int)prefix.len,
                           .suffix = (int)suffix.len};
  Buf buf;
  buf_init(&buf, ev->arena);
  prt_sink out = buf_sink(&buf);
  prt__put_array(&out, &elements, &style);
  return buf_view(&buf);
}

Str nd_str(Eval *ev, const NdArray *nd) {
  if (nd->rank == 0) nd_look_at(ev, nd);
  if (nd->rank == 0) return first_element_text(ev, nd);
  return nd_text(ev, nd, nd_print_options(ev), STR(" "), STR(""), STR(""));
}

// ---- repr ---------------------------------------------------------------------------------------

static void buf_shape(Buf *buf, const NdArray *nd) {
  buf_char(buf, '(');
  for (int i = 0; i < nd->rank; i++)
    buf_printf(buf,
               i + 1 < nd->rank ? "%lld, "
               : nd->rank == 1  ? "%lld,"
                                : "%lld",
               (long long)nd->dims[i]);
  buf_char(buf, ')');
}

static size_t last_line_len(Str s) {
  size_t n = 0;
  while (n < s.len && s.data[s.len - 1 - n] != '\n') n++;
  return n;
}

// Before NumPy 2 the text did not name the type.
static bool is_before_2(const PrintOptions *options) {
  return str_equal(options->legacy, STR("1.21")) || str_equal(options->legacy, STR("1.25"));
}

static Str scalar_repr(Eval *ev, const NdArray *nd, const PrintOptions *options) {
  nd_look_at(ev, nd);
  Str text = first_element_text(ev, nd);
  if (is_before_2(options)) return text;
  if (nd->dtype == DT_BOOL) return str_format(ev->arena, "np.%.*s_", STR_FMT(text));
  if (dtype_is_complex(nd->dtype) && text.data[0] == '(') text = (Str){text.data + 1, text.len - 2};
  if (dtype_is_extension(nd->dtype)) return text;
  return str_format(ev->arena, "np.%s(%.*s)", dtype_name(nd->dtype), STR_FMT(text));
}

Str nd_repr(Eval *ev, const NdArray *nd, const PrintOptions *options) {
  if (nd->is_scalar) return scalar_repr(ev, nd, options);
  int64_t count = nd_count(nd);
  bool implied = count > 0 && (nd->dtype == DT_I64 || nd->dtype == DT_F64 || nd->dtype == DT_C128 ||
                               nd->dtype == DT_BOOL);
  bool shape = (count == 0 && !(nd->rank == 1)) || count > options->threshold;
  Buf buf, extra;
  buf_init(&buf, ev->arena);
  buf_init(&extra, ev->arena);
  if (shape) {
    buf_c(&extra, "shape=");
    buf_shape(&extra, nd);
  }
  if (!implied) {
    bool quoted =
        dtype_is_extension(nd->dtype) && dtype_is_float(nd->dtype) && nd->dtype != DT_BF16;
    const char *quote = quoted ? "'" : "";
    buf_printf(&extra, "%sdtype=%s%s%s", shape ? ", " : "", quote, dtype_name(nd->dtype), quote);
  }
  buf_c(&buf, "array(");
  buf_str(&buf,
          nd_text(ev, nd, options, STR(", "), STR("array("), extra.len ? STR(",") : STR(")")));
  if (!extra.len) {
    buf_char(&buf, ')');
    return buf_view(&buf);
  }
  buf_char(&buf, ',');
  bool fits = last_line_len(buf_view(&buf)) + extra.len + 2 <= (size_t)options->linewidth;
  buf_c(&buf, fits ? " " : "\n      ");
  buf_str(&buf, buf_view(&extra));
  buf_char(&buf, ')');
  return buf_view(&buf);
}
