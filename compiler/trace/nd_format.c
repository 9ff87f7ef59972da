// SPDX-License-Identifier: Apache-2.0
// The text of arrays, as NumPy 2 prints them with its default options. Element types that NumPy does not know itself (bfloat16, fp8, int4)
// are printed as their extension types print: %.6g, unaligned.
#include "nd.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { THRESHOLD = 1000, EDGE_ITEMS = 3, LINE_WIDTH = 75 };

// ---- digits ------------------------------------------------------------------------------------------

// The value that reading `text` as an element of this type gives.
static double read_back(DType dtype, const char *text) {
  if (dtype == DT_F32) return strtof(text, NULL);
  double v = strtod(text, NULL);
  if (dtype == DT_F64) return v;
  uint64_t raw = 0;
  dtype_store_f64(dtype, &raw, v);
  return dtype_load_f64(dtype, &raw);
}

// The fewest digits after the first that read back as x: text is "d.ddde±xx". x is finite and not negative.
static int shortest_digits(DType dtype, double x, char text[40]) {
  for (int digits = 0; digits <= 17; digits++) {
    snprintf(text, 40, "%.*e", digits, x);
    if (read_back(dtype, text) == x) return digits;
  }
  return 17;
}

// Where the decimal point of the shortest digits lies: x = 0.d1d2… * 10^point.
typedef struct Shortest {
  int digits; // after the first
  int exponent;
} Shortest;

static Shortest shortest(DType dtype, double x) {
  char text[40];
  Shortest s = {.digits = shortest_digits(dtype, x, text)};
  s.exponent = atoi(strchr(text, 'e') + 1);
  return s;
}

static void trim_zeros(char *text) {
  if (!strchr(text, '.')) return;
  size_t n = strlen(text);
  while (n && text[n - 1] == '0') text[--n] = 0;
}

// Positional text with at most `precision` digits after the point (negative: as many as the shortest form has), trailing zeros
// trimmed, the point kept: "1.", "0.25".
static void positional(DType dtype, double x, int precision, char *out, size_t size) {
  double magnitude = fabs(x);
  int fraction = 0;
  if (magnitude != 0) {
    Shortest s = shortest(dtype, magnitude);
    fraction = s.digits - s.exponent;
    if (fraction < 0) fraction = 0;
    if (precision >= 0 && fraction > precision) {
      fraction = precision;
    } else {
      // The shortest digits exactly, not the digits of the double behind them.
      char text[40];
      snprintf(text, sizeof text, "%.*e", s.digits, magnitude);
      magnitude = strtod(text, NULL);
    }
  }
  snprintf(out, size, "%s%.*f%s", signbit(x) ? "-" : "", fraction, magnitude, fraction ? "" : ".");
  trim_zeros(out);
}

// Scientific text with exactly `digits` digits after the point (padded with zeros), or the shortest, at most `precision`, if digits < 0.
static void scientific(DType dtype, double x, int precision, int digits, char *out, size_t size) {
  double magnitude = fabs(x);
  int used = digits;
  if (magnitude != 0) {
    int s = shortest(dtype, magnitude).digits;
    used = precision >= 0 && s > precision ? precision : s;
  } else {
    used = 0;
  }
  char text[64]; // of at most 20 digits
  snprintf(text, sizeof text, "%.*e", used, magnitude);
  char *e = strchr(text, 'e');
  char mantissa[400], exponent[16];
  snprintf(exponent, sizeof exponent, "%.15s", e);
  *e = 0;
  snprintf(mantissa, sizeof mantissa, "%s%s", text, used ? "" : ".");
  trim_zeros(mantissa);
  int have = (int)strlen(strchr(mantissa, '.')) - 1;
  for (; have < digits && have < 300; have++) strcat(mantissa, "0");
  snprintf(out, size, "%s%s%s", signbit(x) ? "-" : "", mantissa, exponent);
}

static bool is_extension(DType dtype) {
  return dtype == DT_I4 || dtype == DT_U4 || (dtype_is_float(dtype) && dtype != DT_F16 && dtype != DT_F32 && dtype != DT_F64);
}

static const char *special_text(double x) {
  return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

Str nd_element_text(Eval *ev, const NdArray *nd, int64_t i) {
  char text[400];
  switch (dtype_kind(nd->dtype)) {
    case 'b': return nd_get_i64(nd, i) ? STR("True") : STR("False");
    case 'i': return str_format(ev->arena, "%lld", (long long)nd_get_i64(nd, i));
    case 'u': return str_format(ev->arena, "%llu", (unsigned long long)nd_get_i64(nd, i));
    default: break;
  }
  double x = nd_get_f64(nd, i), magnitude = fabs(x);
  if (!isfinite(x)) return str_from_c(special_text(x));
  if (is_extension(nd->dtype)) return str_format(ev->arena, "%.6g", x);
  if (magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e16)) {
    positional(nd->dtype, x, -1, text, sizeof text - 2);
    if (text[strlen(text) - 1] == '.') strcat(text, "0");
  } else {
    scientific(nd->dtype, x, -1, -1, text, sizeof text);
    char *point = strchr(text, '.'); // "1.e-05" loses its point
    if (point && (point[1] == 'e' || !point[1])) memmove(point, point + 1, strlen(point));
  }
  return str_format(ev->arena, "%s", text);
}

// ---- the layout of all elements ------------------------------------------------------------------------

typedef struct Layout {
  Eval *ev;
  const NdArray *nd;
  char kind;        // 'b', 'i', 'f', or 'x' for extension types and unaligned ones
  int width;        // of integers and booleans
  bool exponent;    // floats in scientific form
  int left, right;  // columns before and behind the point
  int precision;    // digits after the point
  int limit;        // the most digits after the point that are shown
  Str separator;
  bool summarize;
} Layout;

// Row-major positions of the elements that are shown.
static void visit_shown(const Layout *l, int axis, int64_t base, void (*visit)(Layout *, int64_t, void *), Layout *self, void *data) {
  const NdArray *nd = l->nd;
  if (axis == nd->rank) {
    visit(self, base, data);
    return;
  }
  int64_t n = nd->dims[axis];
  for (int64_t i = 0; i < n; i++) {
    if (l->summarize && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) i = n - EDGE_ITEMS;
    visit_shown(l, axis + 1, base * n + i, visit, self, data);
  }
}

typedef struct Extremes {
  double least, greatest; // of the finite magnitudes that are not zero
  bool any, any_special, any_negative_infinity;
} Extremes;

static void find_extremes(Layout *l, int64_t i, void *data) {
  Extremes *e = data;
  double x = nd_get_f64(l->nd, i), m = fabs(x);
  if (!isfinite(x)) {
    e->any_special = true;
    e->any_negative_infinity |= isinf(x) && x < 0;
    return;
  }
  if (m == 0) return;
  if (!e->any || m < e->least) e->least = m;
  if (!e->any || m > e->greatest) e->greatest = m;
  e->any = true;
}

static int max_int(int a, int b) {
  return a > b ? a : b;
}

static void measure_float(Layout *l, int64_t i, void *data) {
  char text[400];
  (void)data;
  double x = nd_get_f64(l->nd, i);
  if (!isfinite(x)) return;
  if (l->exponent) {
    scientific(l->nd->dtype, x, l->limit, -1, text, sizeof text);
    char *e = strchr(text, 'e'), *point = strchr(text, '.');
    l->precision = max_int(l->precision, (int)(e - point) - 1);
    l->left = max_int(l->left, (int)(point - text));
    l->right = max_int(l->right, (int)strlen(e)); // of the exponent; completed below
    return;
  }
  positional(l->nd->dtype, x, l->limit, text, sizeof text);
  char *point = strchr(text, '.');
  l->left = max_int(l->left, (int)(point - text));
  l->right = max_int(l->right, (int)strlen(point + 1));
}

static void measure_int(Layout *l, int64_t i, void *data) {
  (void)data;
  l->width = max_int(l->width, (int)nd_element_text(l->ev, l->nd, i).len);
}

static void plan_floats(Layout *l) {
  Extremes e = {0};
  visit_shown(l, 0, 0, find_extremes, l, &e);
  l->exponent = e.any && (e.greatest >= 1e8 || e.least < 1e-4 || e.greatest / e.least > 1000);
  visit_shown(l, 0, 0, measure_float, l, NULL);
  if (l->exponent) l->right += 1 + l->precision - 1; // 'e', sign and digits of the exponent come behind the fraction
  if (!e.any_special) return;
  int offset = l->right + 1;
  l->left = max_int(l->left, max_int(3 - offset, 3 + e.any_negative_infinity - offset));
}

static Layout plan(Eval *ev, const NdArray *nd, Str separator, int limit) {
  Layout l = {.ev = ev, .nd = nd, .separator = separator, .limit = limit, .kind = dtype_kind(nd->dtype)};
  l.summarize = nd_count(nd) > THRESHOLD;
  if (is_extension(nd->dtype)) {
    l.kind = 'x';
  } else if (l.kind == 'f') {
    plan_floats(&l);
  } else if (l.kind == 'b') {
    l.width = nd->rank ? 5 : 0;
  } else {
    visit_shown(&l, 0, 0, measure_int, &l, NULL);
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

static Str element(const Layout *l, int64_t i) {
  if (l->kind == 'x') return nd_element_text(l->ev, l->nd, i);
  if (l->kind != 'f') {
    Str text = nd_element_text(l->ev, l->nd, i);
    return padded(l->ev, l->width - (int)text.len, text, 0);
  }
  double x = nd_get_f64(l->nd, i);
  if (!isfinite(x)) {
    Str text = str_from_c(special_text(x));
    return padded(l->ev, l->left + l->right + 1 - (int)text.len, text, 0);
  }
  char text[400];
  if (l->exponent) {
    scientific(l->nd->dtype, x, l->precision, l->precision, text, sizeof text);
    return padded(l->ev, l->left - (int)(strchr(text, '.') - text), str_from_c(text), 0);
  }
  positional(l->nd->dtype, x, l->limit, text, sizeof text);
  const char *point = strchr(text, '.');
  return padded(l->ev, l->left - (int)(point - text), str_from_c(text), l->right - (int)strlen(point + 1));
}

// ---- lines -----------------------------------------------------------------------------------------------

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

static Str format_axis(const Layout *l, int axis, int64_t base, Str indent, int width);

static Str format_row(const Layout *l, int64_t n, int64_t base, Str indent, int width) {
  Buf done, line;
  buf_init(&done, l->ev->arena);
  buf_init(&line, l->ev->arena);
  size_t separator = trimmed_len(l->separator);
  int room = width - (separator > 1 ? (int)separator : 1);
  buf_str(&line, indent);
  bool summary = l->summarize && n > 2 * EDGE_ITEMS;
  for (int64_t i = 0; i < n; i++) {
    if (summary && i == EDGE_ITEMS) {
      extend_line(&done, &line, STR("..."), room, indent);
      buf_str(&line, l->separator);
      i = n - EDGE_ITEMS;
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
    bool summary = l->summarize && n > 2 * EDGE_ITEMS;
    for (int64_t i = 0; i < n; i++) {
      Str item = STR("...");
      bool gap = summary && i == EDGE_ITEMS;
      if (!gap) item = format_axis(l, axis + 1, base * n + i, deeper, width - 1);
      buf_str(&buf, indent);
      buf_str(&buf, item);
      if (gap) i = n - EDGE_ITEMS - 1;
      if (i + 1 == n) break;
      buf_str(&buf, (Str){l->separator.data, trimmed_len(l->separator)});
      buf_pad(&buf, '\n', (size_t)left - 1);
    }
  }
  Str inner = buf_view(&buf);
  return str_format(arena, "[%.*s]", (int)(inner.len - indent.len), inner.data + indent.len);
}

Str nd_text(Eval *ev, const NdArray *nd, Str separator, Str prefix, Str suffix, int precision) {
  if (nd_count(nd) == 0) return STR("[]");
  Layout l = plan(ev, nd, separator, precision);
  Str indent = padded(ev, (int)prefix.len + 1, STR(""), 0);
  return format_axis(&l, 0, 0, indent, LINE_WIDTH - (int)suffix.len);
}

Str nd_str(Eval *ev, const NdArray *nd) {
  if (nd->rank == 0) return nd_element_text(ev, nd, 0);
  return nd_text(ev, nd, STR(" "), STR(""), STR(""), ND_PRECISION);
}

// ---- repr --------------------------------------------------------------------------------------------------

static void buf_shape(Buf *buf, const NdArray *nd) {
  buf_char(buf, '(');
  for (int i = 0; i < nd->rank; i++)
    buf_printf(buf, i + 1 < nd->rank ? "%lld, " : nd->rank == 1 ? "%lld," : "%lld", (long long)nd->dims[i]);
  buf_char(buf, ')');
}

static size_t last_line_len(Str s) {
  size_t n = 0;
  while (n < s.len && s.data[s.len - 1 - n] != '\n') n++;
  return n;
}

static Str scalar_repr(Eval *ev, const NdArray *nd) {
  Str text = nd_element_text(ev, nd, 0);
  if (nd->dtype == DT_BOOL) return str_format(ev->arena, "np.%.*s_", STR_FMT(text));
  if (is_extension(nd->dtype)) return text;
  return str_format(ev->arena, "np.%s(%.*s)", dtype_name(nd->dtype), STR_FMT(text));
}

Str nd_repr(Eval *ev, const NdArray *nd, int precision) {
  if (nd->is_scalar) return scalar_repr(ev, nd);
  int64_t count = nd_count(nd);
  bool implied = count > 0 && (nd->dtype == DT_I64 || nd->dtype == DT_F64 || nd->dtype == DT_BOOL);
  bool shape = (count == 0 && !(nd->rank == 1)) || count > THRESHOLD;
  Buf buf, extra;
  buf_init(&buf, ev->arena);
  buf_init(&extra, ev->arena);
  if (shape) {
    buf_c(&extra, "shape=");
    buf_shape(&extra, nd);
  }
  if (!implied) {
    bool quoted = is_extension(nd->dtype) && nd->dtype >= DT_F8E4M3FN && nd->dtype <= DT_F8E4M3B11FNUZ;
    const char *quote = quoted ? "'" : "";
    buf_printf(&extra, "%sdtype=%s%s%s", shape ? ", " : "", quote, dtype_name(nd->dtype), quote);
  }
  buf_c(&buf, "array(");
  buf_str(&buf, nd_text(ev, nd, STR(", "), STR("array("), extra.len ? STR(",") : STR(")"), precision));
  if (!extra.len) {
    buf_char(&buf, ')');
    return buf_view(&buf);
  }
  buf_char(&buf, ',');
  bool fits = last_line_len(buf_view(&buf)) + extra.len + 2 <= LINE_WIDTH;
  buf_c(&buf, fits ? " " : "\n      ");
  buf_str(&buf, buf_view(&extra));
  buf_char(&buf, ')');
  return buf_view(&buf);
}
