// SPDX-License-Identifier: Apache-2.0
// The text of arrays, as NumPy 2 prints them by its print options. Element types that NumPy does
// not know itself (bfloat16, fp8, int4) are printed as their extension types print: %.6g,
// unaligned.
#include "nd.h"
#include "nd_digits.h"
#include "jax/program/eager.h"
#include <math.h>
#include <string.h>

static const char *special_text(double x) { return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf"; }

Str nd_element_text(Eval *ev, const NdArray *nd, int64_t i) {
  switch (dtype_kind(nd->dtype)) {
  case 'b': return nd_get_i64(nd, i) ? STR("True") : STR("False");
  case 'i': return str_format(ev->arena, "%lld", (long long)nd_get_i64(nd, i));
  case 'u': return str_format(ev->arena, "%llu", (unsigned long long)nd_get_i64(nd, i));
  default: break;
  }
  double x = nd_get_f64(nd, i), magnitude = fabs(x);
  if (!isfinite(x)) return str_from_c(special_text(x));
  if (dtype_is_extension(nd->dtype)) return str_format(ev->arena, "%.6g", x);
  char text[FLOAT_TEXT_SIZE];
  FloatStyle style = {.unique = true, .precision = -1, .trim = '0'};
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < float_scientific_from(nd->dtype))) {
    float_positional(nd->dtype, x, style, text);
  } else {
    style.trim = '-';
    float_scientific(nd->dtype, x, style, text);
  }
  return str_format(ev->arena, "%s", text);
}

// ---- the layout of all elements -----------------------------------------------------------------

typedef struct Layout {
  Eval *ev;
  const NdArray *nd;
  const PrintOptions *options;
  // 'b', 'i', 'f', 'x' for extension types and unaligned ones, 'c' if a function of the program's
  // makes the text.
  char kind;
  int width;        // of integers and booleans
  bool exponent;    // floats in scientific form
  int left, right;  // columns before and behind the point
  FloatStyle style; // of the elements
  Value formatter;
  Str separator;
  bool summarize;
} Layout;

// Row-major positions of the elements that are shown.
static void visit_shown(const Layout *l, int axis, int64_t base,
                        void (*visit)(Layout *, int64_t, void *), Layout *self, void *data) {
  const NdArray *nd = l->nd;
  if (axis == nd->rank) {
    visit(self, base, data);
    return;
  }
  int64_t n = nd->dims[axis];
  for (int64_t i = 0; i < n; i++) {
    int64_t edge = l->options->edgeitems;
    if (l->summarize && edge && n > 2 * edge && i == edge) i = n - edge;
    visit_shown(l, axis + 1, base * n + i, visit, self, data);
  }
}

typedef struct Extremes {
  double least, greatest; // of the finite magnitudes that are not zero
  int64_t shown, special;
  bool any, any_negative, any_negative_infinity;
} Extremes;

static void find_extremes(Layout *l, int64_t i, void *data) {
  Extremes *e = data;
  double x = nd_get_f64(l->nd, i), m = fabs(x);
  e->shown++;
  if (!isfinite(x)) {
    e->special++;
    e->any_negative_infinity |= isinf(x) && x < 0;
    return;
  }
  e->any_negative |= signbit(x) != 0;
  if (m == 0) return;
  if (!e->any || m < e->least) e->least = m;
  if (!e->any || m > e->greatest) e->greatest = m;
  e->any = true;
}

static int max_int(int a, int b) { return a > b ? a : b; }

typedef struct Columns { // the most that the elements need
  int left, behind, exponent;
} Columns;

static void measure_float(Layout *l, int64_t i, void *data) {
  Columns *columns = data;
  char text[FLOAT_TEXT_SIZE];
  double x = nd_get_f64(l->nd, i);
  if (!isfinite(x)) return;
  if (l->exponent) {
    float_scientific(l->nd->dtype, x, l->style, text);
  } else {
    float_positional(l->nd->dtype, x, l->style, text);
  }
  const char *point = strchr(text, '.'), *e = l->exponent ? strchr(text, 'e') : text + strlen(text);
  columns->left = max_int(columns->left, (int)(point - text));
  columns->behind = max_int(columns->behind, (int)(e - point) - 1);
  columns->exponent = max_int(columns->exponent, (int)strlen(e) - 2);
}

static void measure_int(Layout *l, int64_t i, void *data) {
  bool *any_negative = data;
  Str text = nd_element_text(l->ev, l->nd, i);
  bool negative = text.data[0] == '-';
  *any_negative |= negative;
  l->width = max_int(l->width, (int)text.len + (l->options->sign == '+' && !negative));
}

static void plan_ints(Layout *l) {
  bool any_negative = false;
  visit_shown(l, 0, 0, measure_int, l, &any_negative);
  if (l->options->sign == ' ' && !any_negative) l->width++;
}

// The largest magnitude below which float arrays are positional.
static double exponent_from(DType dtype) { return fmin(1e8, float_scientific_from(dtype)); }

static void plan_floats(Layout *l) {
  const PrintOptions *o = l->options;
  Extremes e = {0};
  Columns columns = {0};
  bool fixed = str_equal(o->floatmode, STR("fixed"));
  visit_shown(l, 0, 0, find_extremes, l, &e);
  l->exponent = e.any && (e.greatest >= exponent_from(l->nd->dtype) ||
                          (!o->suppress && (e.least < 1e-4 || e.greatest / e.least > 1000)));
  l->style = (FloatStyle){.unique = !fixed,
                          .precision = str_equal(o->floatmode, STR("unique")) ? -1 : o->precision,
                          .trim = fixed ? 'k' : '.',
                          .plus = o->sign == '+'};
  visit_shown(l, 0, 0, measure_float, l, &columns);
  l->left = columns.left;
  l->right = columns.behind;
  if (e.special < e.shown) {
    if (l->exponent) {
      l->right += columns.exponent + 2;
      l->style.exp_digits = columns.exponent;
      l->style.precision = l->style.min_digits = columns.behind;
      l->style.trim = 'k';
    } else if (fixed || str_equal(o->floatmode, STR("maxprec_equal"))) {
      l->style.precision = l->style.min_digits = columns.behind;
      l->style.trim = 'k';
    }
  }
  if (o->sign == ' ' && !e.any_negative) l->left++;
  if (!e.special) return;
  int offset = l->right + 1, sign = o->sign != '-' || e.any_negative_infinity;
  l->left =
      max_int(l->left, max_int((int)o->nanstr.len - offset, (int)o->infstr.len + sign - offset));
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
  for (size_t i = 0; i < 3 && keys[i]; i++) {
    Value f = dict_get(ev, value_as_dict(o->formatter), make_str_c(ev, keys[i]));
    if (!v_is_unbound(f) && !v_is_none(f)) return f;
  }
  return v_unbound();
}

static Layout plan(Eval *ev, const NdArray *nd, Str separator, const PrintOptions *options) {
  Layout l = {.ev = ev,
              .nd = nd,
              .separator = separator,
              .options = options,
              .kind = dtype_kind(nd->dtype)};
  l.summarize = nd_count(nd) > options->threshold;
  l.formatter = find_formatter(ev, options, nd);
  if (!v_is_unbound(l.formatter)) {
    l.kind = 'c';
  } else if (dtype_is_extension(nd->dtype)) {
    l.kind = 'x';
  } else if (l.kind == 'f') {
    plan_floats(&l);
  } else if (l.kind == 'b') {
    l.width = nd->rank ? 5 : 0;
  } else {
    plan_ints(&l);
  }
  return l;
}

static Str padded(Eval *ev, int left, Str text, int right) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_pad(&buf, ' ', left > 0 ? (size_t)left : 0);
  buf_str(&buf, text);
  buf_pad(&buf, ' ', right > 0 ? (size_t)right : 0);
  return buf_view(&buf);
}

static Str float_element(const Layout *l, double x) {
  const PrintOptions *o = l->options;
  if (!isfinite(x)) {
    const char *sign = isnan(x) || x > 0 ? (o->sign == '+' ? "+" : "") : "-";
    Str text = str_format(l->ev->arena, "%s%.*s", sign, STR_FMT(isnan(x) ? o->nanstr : o->infstr));
    return padded(l->ev, l->left + l->right + 1 - (int)text.len, text, 0);
  }
  char text[FLOAT_TEXT_SIZE];
  if (l->exponent) {
    float_scientific(l->nd->dtype, x, l->style, text);
    return padded(l->ev, l->left - (int)(strchr(text, '.') - text), str_from_c(text), 0);
  }
  float_positional(l->nd->dtype, x, l->style, text);
  const char *point = strchr(text, '.');
  return padded(l->ev, l->left - (int)(point - text), str_from_c(text),
                l->right - (int)strlen(point + 1));
}

static Str element(const Layout *l, int64_t i) {
  if (l->kind == 'c') {
    const NdArray *nd = nd_contiguous(l->ev, l->nd);
    Value item =
        v_object(nd_scalar(l->ev, nd->dtype, nd->data + (size_t)i * dtype_size(nd->dtype)));
    return take_str(l->ev, value_call_n(l->ev, l->formatter, 1, &item),
                    "what a formatter of the print options gives");
  }
  if (l->kind == 'x') return nd_element_text(l->ev, l->nd, i);
  if (l->kind == 'f') return float_element(l, nd_get_f64(l->nd, i));
  Str text = nd_element_text(l->ev, l->nd, i);
  if (l->kind != 'b' && l->options->sign == '+' && text.data[0] != '-')
    text = str_format(l->ev->arena, "+%.*s", STR_FMT(text));
  return padded(l->ev, l->width - (int)text.len, text, 0);
}

// ---- lines --------------------------------------------------------------------------------------

static size_t trimmed_len(Str s) {
  while (s.len && s.data[s.len - 1] == ' ') s.len--;
  return s.len;
}

// Appends a word to the line being filled; a line that would be too long is ended first.
static void extend_line(Buf *done, Buf *line, Str word, int width, Str indent) {
  if (line->len + word.len > (size_t)width && line->len > indent.len) {
    buf_str(done, (Str){line->data, trimmed_len(buf_view(line))});
    buf_char(done, '\n');
    line->len = 0;
    buf_str(line, indent);
  }
  buf_str(line, word);
}

// Items behind the "...": without edge items NumPy shows the last one all the same.
static int64_t trailing(const Layout *l) {
  return l->options->edgeitems ? l->options->edgeitems : 1;
}

static Str format_axis(const Layout *l, int axis, int64_t base, Str indent, int width);

static Str format_row(const Layout *l, int64_t n, int64_t base, Str indent, int width) {
  Buf done, line;
  buf_init(&done, l->ev->arena);
  buf_init(&line, l->ev->arena);
  size_t separator = trimmed_len(l->separator);
  int room = width - (separator > 1 ? (int)separator : 1);
  buf_str(&line, indent);
  int64_t edge = l->options->edgeitems;
  bool summary = l->summarize && n > 2 * edge;
  for (int64_t i = 0; i < n; i++) {
    if (summary && i == edge) {
      extend_line(&done, &line, STR("..."), room, indent);
      i = n - trailing(l);
      buf_str(&line, l->separator);
    }
    extend_line(&done, &line, element(l, base * n + i), room, indent);
    if (i + 1 < n) buf_str(&line, l->separator);
  }
  buf_str(&done, buf_view(&line));
  return buf_view(&done);
}

static Str format_axis(const Layout *l, int axis, int64_t base, Str indent, int width) {
  int left = l->nd->rank - axis;
  if (left == 0) return element(l, base);
  Arena *arena = l->ev->arena;
  Str deeper = str_format(arena, "%.*s ", STR_FMT(indent));
  int64_t n = l->nd->dims[axis];
  Buf buf;
  buf_init(&buf, arena);
  if (left == 1) {
    buf_str(&buf, format_row(l, n, base, indent, width));
  } else {
    int64_t edge = l->options->edgeitems;
    bool summary = l->summarize && n > 2 * edge;
    for (int64_t i = 0; i < n; i++) {
      Str item = STR("...");
      bool gap = summary && i == edge;
      if (!gap) item = format_axis(l, axis + 1, base * n + i, deeper, width - 1);
      buf_str(&buf, indent);
      buf_str(&buf, item);
      if (gap) i = n - trailing(l) - 1;
      if (i + 1 == n) break;
      buf_str(&buf, (Str){l->separator.data, trimmed_len(l->separator)});
      buf_pad(&buf, '\n', (size_t)left - 1);
    }
  }
  Str inner = buf_view(&buf);
  return str_format(arena, "[%.*s]", (int)(inner.len - indent.len), inner.data + indent.len);
}

Str nd_text(Eval *ev, const NdArray *nd, const PrintOptions *options, Str separator, Str prefix,
            Str suffix) {
  if (nd_count(nd) == 0) return STR("[]");
  run_look_at(ev, nd);
  Layout l = plan(ev, nd, separator, options);
  Str indent = padded(ev, (int)prefix.len + 1, STR(""), 0);
  return format_axis(&l, 0, 0, indent, options->linewidth - (int)suffix.len);
}

Str nd_str(Eval *ev, const NdArray *nd) {
  if (nd->rank == 0) run_look_at(ev, nd);
  if (nd->rank == 0) return nd_element_text(ev, nd, 0);
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

static Str scalar_repr(Eval *ev, const NdArray *nd) {
  run_look_at(ev, nd);
  Str text = nd_element_text(ev, nd, 0);
  if (nd->dtype == DT_BOOL) return str_format(ev->arena, "np.%.*s_", STR_FMT(text));
  if (dtype_is_extension(nd->dtype)) return text;
  return str_format(ev->arena, "np.%s(%.*s)", dtype_name(nd->dtype), STR_FMT(text));
}

Str nd_repr(Eval *ev, const NdArray *nd, const PrintOptions *options) {
  if (nd->is_scalar) return scalar_repr(ev, nd);
  int64_t count = nd_count(nd);
  bool implied = count > 0 && (nd->dtype == DT_I64 || nd->dtype == DT_F64 || nd->dtype == DT_BOOL);
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
