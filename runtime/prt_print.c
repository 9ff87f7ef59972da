// SPDX-License-Identifier: Apache-2.0
// Values as NumPy prints arrays (precision 8, threshold 1000, three items at the edges, lines of
// 75) and Python prints scalars.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "prt_internal.h"

enum { PRECISION = 8, THRESHOLD = 1000, EDGE_ITEMS = 3, LINE_WIDTH = 75, WORD_SIZE = 400 };

// How the elements of one array are laid out.
typedef struct Layout {
  char kind;       // of the dtype, 'x' for the floats of ml_dtypes, which NumPy prints as objects
  bool exponent;   // floats in scientific notation
  int left, right; // characters before and behind the point; `left` is the whole width for integers
  int fraction;    // digits behind the point in scientific notation
  int exponent_digits;
} Layout;

typedef struct Printer {
  prt_text *out;
  const prt_value *value;
  size_t element_bytes;
  Layout layout;
  bool summary;
} Printer;

static bool is_ml_dtype(prt_dtype dtype) {
  return dtype == PRT_BF16 || (prt__dtype_kind(dtype) == 'f' && prt_dtype_size(dtype) == 1);
}

// ---- scalars ------------------------------------------------------------------------------------
// repr() of a Python float.
static void print_double(prt_text *out, double x) {
  if (isnan(x)) {
    prt__text_c(out, "nan");
    return;
  }
  if (signbit(x)) prt__text_c(out, "-");
  if (isinf(x)) {
    prt__text_c(out, "inf");
    return;
  }
  prt_digits d;
  prt__shortest(PRT_F64, fabs(x), &d);
  if (d.exponent < -4 || d.exponent >= 16) {
    prt__text_printf(out, "%c%s%se%c%02d", d.digits[0], d.count > 1 ? "." : "", d.digits + 1,
                     d.exponent < 0 ? '-' : '+', d.exponent < 0 ? -d.exponent : d.exponent);
    return;
  }
  if (d.exponent < 0) {
    prt__text_c(out, "0.");
    prt__text_pad(out, '0', -d.exponent - 1);
    prt__text_c(out, d.digits);
    return;
  }
  int whole = d.exponent + 1, have = d.count < whole ? d.count : whole;
  prt__text_add(out, d.digits, (size_t)have);
  prt__text_pad(out, '0', whole - have);
  prt__text_printf(out, ".%s", d.count > whole ? d.digits + whole : "0");
}

static void print_integer(prt_text *out, prt_dtype dtype, const void *element) {
  int64_t value = prt__load_int(dtype, element);
  if (dtype == PRT_U64)
    prt__text_printf(out, "%" PRIu64, (uint64_t)value);
  else
    prt__text_printf(out, "%" PRId64, value);
}

void prt__print_scalar(prt_text *out, prt_dtype dtype, const void *element) {
  switch (prt__dtype_kind(dtype)) {
  case 'b': prt__text_c(out, prt__load_int(dtype, element) ? "True" : "False"); break;
  case 'f': print_double(out, prt__load_float(dtype, element)); break;
  default: print_integer(out, dtype, element);
  }
}

// ---- the layout of an array ---------------------------------------------------------------------
// Calls visit for the elements that are shown.
static void each_shown(const Printer *p, int32_t axis, int64_t offset,
                       void (*visit)(const void *, void *), void *data) {
  const prt_value *v = p->value;
  if (axis == v->rank) {
    visit((const char *)v->data + (size_t)offset * p->element_bytes, data);
    return;
  }
  int64_t n = v->dims[axis];
  for (int64_t i = 0; i < n; i++) {
    if (p->summary && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) i = n - EDGE_ITEMS;
    each_shown(p, axis + 1, offset * n + i, visit, data);
  }
}

typedef struct Survey {
  Printer *printer;
  double least, greatest; // of the finite absolute values that are not zero
  bool any_finite, any_special, negative_infinity;
} Survey;

static void survey_range(const void *element, void *data) {
  Survey *s = data;
  double x = prt__load_float((prt_dtype)s->printer->value->dtype, element);
  if (!isfinite(x)) {
    s->any_special = true;
    if (isinf(x) && x < 0) s->negative_infinity = true;
    return;
  }
  s->any_finite = true;
  x = fabs(x);
  if (x == 0) return;
  if (s->least == 0 || x < s->least) s->least = x;
  if (x > s->greatest) s->greatest = x;
}

// The digits NumPy shows: the shortest ones; `fraction` digits behind the point of the exact value
// if there are more of them, or if they are fewer than `least`.
static void shown_digits(prt_dtype dtype, double x, bool exponent, int fraction, int least,
                         prt_digits *d) {
  prt__shortest(dtype, x, d);
  int behind = exponent ? d->count - 1 : d->count - 1 - d->exponent;
  if ((behind >= least || least == 0) && behind <= fraction) return;
  char text[WORD_SIZE];
  if (exponent) {
    snprintf(text, sizeof text, "%.*e", fraction, x);
    d->exponent = (int)strtol(strchr(text, 'e') + 1, NULL, 10);
  } else {
    snprintf(text, sizeof text, "%.*f", fraction, x);
  }
  // Digits as text again; positional ones start at the first that is not zero.
  const char *end = strchr(text, 'e');
  if (!end) end = text + strlen(text);
  const char *point = memchr(text, '.', (size_t)(end - text));
  const char *p = text;
  if (!exponent) {
    while (p < end && (*p == '0' || *p == '.')) p++;
    if (p == end) {
      *d = (prt_digits){.digits = "0", .count = 1};
      return;
    }
    d->exponent = (int)(p < point ? point - p - 1 : point - p);
  }
  d->count = 0;
  for (; p < end && d->count < 30; p++)
    if (*p != '.') d->digits[d->count++] = *p;
  while (d->count > 1 && d->digits[d->count - 1] == '0') d->count--;
  d->digits[d->count] = 0;
}

static int exponent_width(int exponent) { return exponent > 99 || exponent < -99 ? 3 : 2; }

static void survey_digits(const void *element, void *data) {
  Survey *s = data;
  Layout *layout = &s->printer->layout;
  prt_dtype dtype = (prt_dtype)s->printer->value->dtype;
  double x = prt__load_float(dtype, element);
  if (!isfinite(x)) return;
  prt_digits d;
  shown_digits(dtype, fabs(x), layout->exponent, PRECISION, 0, &d);
  int left = signbit(x) ? 2 : 1, right;
  if (layout->exponent) {
    right = d.count - 1;
    int width = exponent_width(d.exponent);
    if (width > layout->exponent_digits) layout->exponent_digits = width;
  } else {
    if (d.exponent > 0) left += d.exponent;
    right = d.count - 1 - d.exponent > 0 ? d.count - 1 - d.exponent : 0;
  }
  if (left > layout->left) layout->left = left;
  if (right > layout->right) layout->right = right;
}

static void survey_integer(const void *element, void *data) {
  Survey *s = data;
  prt_dtype dtype = (prt_dtype)s->printer->value->dtype;
  char text[32];
  int64_t x = prt__load_int(dtype, element);
  int width = dtype == PRT_U64 ? snprintf(text, sizeof text, "%" PRIu64, (uint64_t)x)
                               : snprintf(text, sizeof text, "%" PRId64, x);
  if (width > s->printer->layout.left) s->printer->layout.left = width;
}

// From this value on NumPy goes over to scientific notation.
static double positional_limit(prt_dtype dtype) {
  return dtype == PRT_F16 ? 1e3 : dtype == PRT_F32 ? 1e6 : 1e8;
}

static void layout_floats(Printer *p) {
  Survey survey = {.printer = p};
  Layout *layout = &p->layout;
  each_shown(p, 0, 0, survey_range, &survey);
  if (survey.greatest != 0)
    layout->exponent = survey.greatest >= positional_limit((prt_dtype)p->value->dtype) ||
                       survey.least < 1e-4 || survey.greatest / survey.least > 1000.0;
  if (survey.any_finite) each_shown(p, 0, 0, survey_digits, &survey);
  if (layout->exponent) {
    layout->fraction = layout->right;
    layout->right = layout->fraction + layout->exponent_digits + 2;
  }
  if (!survey.any_special) return;
  int behind = layout->right + 1, need = 3 + survey.negative_infinity - behind;
  if (3 - behind > layout->left) layout->left = 3 - behind;
  if (need > layout->left) layout->left = need;
}

static void layout_value(Printer *p) {
  prt_dtype dtype = (prt_dtype)p->value->dtype;
  Survey survey = {.printer = p};
  p->layout.kind =
      is_ml_dtype(dtype) || dtype == PRT_I4 || dtype == PRT_U4 ? 'x' : prt__dtype_kind(dtype);
  if (p->layout.kind == 'f')
    layout_floats(p);
  else if (p->layout.kind == 'i' || p->layout.kind == 'u')
    each_shown(p, 0, 0, survey_integer, &survey);
}

// ---- elements -----------------------------------------------------------------------------------
static void float_word(const Printer *p, double x, prt_text *word) {
  const Layout *layout = &p->layout;
  if (!isfinite(x)) {
    const char *text = isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    prt__text_pad(word, ' ', layout->left + layout->right + 1 - (int)strlen(text));
    prt__text_c(word, text);
    return;
  }
  prt_digits d;
  int fraction = layout->exponent ? layout->fraction : PRECISION;
  shown_digits((prt_dtype)p->value->dtype, fabs(x), layout->exponent, fraction,
               layout->exponent ? fraction : 0, &d);
  const char *sign = signbit(x) ? "-" : "";
  int whole = layout->exponent || d.exponent < 0 ? 1 : d.exponent + 1;
  prt__text_pad(word, ' ', layout->left - whole - (int)strlen(sign));
  prt__text_c(word, sign);
  if (layout->exponent) {
    prt__text_printf(word, "%c.%s", d.digits[0], d.digits + 1);
    prt__text_pad(word, '0', fraction - (d.count - 1));
    prt__text_printf(word, "e%c%0*d", d.exponent < 0 ? '-' : '+', layout->exponent_digits,
                     d.exponent < 0 ? -d.exponent : d.exponent);
    return;
  }
  size_t from = word->length;
  if (d.exponent < 0) {
    prt__text_c(word, "0.");
    prt__text_pad(word, '0', -d.exponent - 1);
    prt__text_c(word, d.digits);
  } else {
    int have = d.count < whole ? d.count : whole;
    prt__text_add(word, d.digits, (size_t)have);
    prt__text_pad(word, '0', whole - have);
    prt__text_printf(word, ".%s", d.digits + have);
  }
  prt__text_pad(word, ' ', layout->right - (int64_t)(word->length - from - (size_t)whole - 1));
}

static void element_word(const Printer *p, const void *element, prt_text *word) {
  prt_dtype dtype = (prt_dtype)p->value->dtype;
  word->length = 0;
  switch (p->layout.kind) {
  case 'b': prt__text_c(word, !prt__load_int(dtype, element) ? "False" : " True"); break;
  case 'f': float_word(p, prt__load_float(dtype, element), word); break;
  case 'x': {
    double x = prt__load_float(dtype, element);
    if (isfinite(x))
      prt__text_printf(word, "%g", x);
    else
      prt__text_c(word, isnan(x) ? "nan" : x < 0 ? "-inf" : "inf");
    break;
  }
  default: {
    prt_text number = {0};
    print_integer(&number, dtype, element);
    prt__text_pad(word, ' ', p->layout.left - (int64_t)number.length);
    if (number.data) prt__text_add(word, number.data, number.length);
    prt__text_free(&number);
  }
  }
}

// ---- rows and nesting ---------------------------------------------------------------------------
// The line being filled of a row: where in the output it starts, so that its length and trailing
// spaces are known.
typedef struct Line {
  size_t start;
  int indent, width;
} Line;

static void add_word(prt_text *out, Line *line, const char *word, size_t length) {
  size_t used = out->length - line->start;
  if (used + length > (size_t)line->width && used > (size_t)line->indent) {
    while (out->length > line->start && out->data[out->length - 1] == ' ') out->length--;
    prt__text_c(out, "\n");
    line->start = out->length;
    prt__text_pad(out, ' ', line->indent);
  }
  prt__text_add(out, word, length);
}

static void print_row(const Printer *p, int64_t offset, int indent, int width) {
  prt_text *out = p->out, word = {0};
  int64_t n = p->value->dims[p->value->rank - 1];
  // The bracket that was just printed is the last column of the indent.
  Line line = {out->length - (size_t)indent, indent, width - 1};
  for (int64_t i = 0; i < n && !out->failed; i++) {
    if (p->summary && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) {
      add_word(out, &line, "...", 3);
      prt__text_c(out, " ");
      i = n - EDGE_ITEMS;
    }
    element_word(p, (const char *)p->value->data + (size_t)(offset * n + i) * p->element_bytes,
                 &word);
    add_word(out, &line, word.data ? word.data : "", word.length);
    if (i + 1 < n) prt__text_c(out, " ");
  }
  prt__text_free(&word);
}

// Prints the part of the array that the leading `axis` indices choose; `indent` columns stand
// before its bracket.
static void print_nested(const Printer *p, int32_t axis, int64_t offset, int indent, int width) {
  prt_text *out = p->out;
  int32_t left = p->value->rank - axis;
  prt__text_c(out, "[");
  if (left == 1) {
    print_row(p, offset, indent + 1, width);
    prt__text_c(out, "]");
    return;
  }
  int64_t n = p->value->dims[axis];
  for (int64_t i = 0; i < n && !out->failed; i++) {
    if (i) {
      prt__text_pad(out, '\n', left - 1);
      prt__text_pad(out, ' ', indent + 1);
    }
    if (p->summary && n > 2 * EDGE_ITEMS && i == EDGE_ITEMS) {
      prt__text_c(out, "...");
      prt__text_pad(out, '\n', left - 1);
      prt__text_pad(out, ' ', indent + 1);
      i = n - EDGE_ITEMS;
    }
    print_nested(p, axis + 1, offset * n + i, indent + 1, width - 1);
  }
  prt__text_c(out, "]");
}

void prt__print_value(prt_text *out, const prt_value *value) {
  if (value->rank == 0) {
    prt__print_scalar(out, (prt_dtype)value->dtype, value->data);
    return;
  }
  int64_t count = 1;
  for (int32_t i = 0; i < value->rank; i++) count *= value->dims[i];
  if (count == 0) {
    prt__text_c(out, "[]");
    return;
  }
  Printer p = {.out = out,
               .value = value,
               .element_bytes = prt_dtype_size((prt_dtype)value->dtype),
               .summary = count > THRESHOLD};
  layout_value(&p);
  prt_text text = {0};
  p.out = &text;
  print_nested(&p, 0, 0, 0, LINE_WIDTH);
  if (text.data) prt__text_add(out, text.data, text.length);
  prt__text_free(&text);
}

prt_status prt_print_array(FILE *out, prt_dtype dtype, int32_t rank, const int64_t *dims,
                           const void *data) {
  prt_text text = {0};
  prt_value value = {data, (int32_t)dtype, rank, dims};
  prt__print_value(&text, &value);
  bool written = text.data && fwrite(text.data, 1, text.length, out) == text.length;
  bool failed = text.failed || !text.data;
  prt__text_free(&text);
  if (failed) return prt__set_error(PRT_ERROR_MEMORY, "prt_print_array: out of memory");
  return written ? PRT_OK : prt__set_error(PRT_ERROR_IO, "prt_print_array: cannot write");
}
