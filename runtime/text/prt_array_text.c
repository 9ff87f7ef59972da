// SPDX-License-Identifier: Apache-2.0
// The text of arrays. In: elements and print options. Out: rows in brackets. First all elements
// that are shown are measured, which gives the columns they share; then rows are filled up to the
// line's width.
#include "prt_array_text.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

prt_array_style prt__array_style(void) {
  return (prt_array_style){.precision = 8,
                           .linewidth = 75,
                           .threshold = 1000,
                           .edgeitems = 3,
                           .sign = '-',
                           .mode = PRT_MODE_MAXPREC,
                           .nan = "nan",
                           .inf = "inf",
                           .separator = " "};
}

// How all elements are laid out.
typedef struct Layout {
  const prt_elements *e;
  const prt_array_style *style;
  bool summarize;
  int width;       // of integers and booleans
  bool exponent;   // floats in scientific form
  int left, right; // columns before and behind the point
  prt_float_style number;
  int parts, part; // of complex numbers: 2, and which of them this layout is for
  char sign;       // as in the style
} Layout;

// An element: its text between spaces.
typedef struct Word {
  int left, right;
  const char *text;
  size_t length;
  char room[4 * PRT_STYLE_SIZE]; // of complex numbers two texts, and spaces between
} Word;

static double number_at(const Layout *l, int64_t i) {
  return l->e->number(l->e->data, i * l->parts + l->part);
}

static int max_int(int a, int b) { return a > b ? a : b; }

// ---- measuring ------------------------------------------------------------------------------
typedef struct Survey {
  double least, greatest; // of the finite magnitudes that are not zero
  int64_t shown, special; // special: not finite
  bool any, any_negative, any_negative_infinity;
  int left, behind, exponent; // the most columns that the elements need
} Survey;

typedef void Visit(Layout *l, Survey *s, int64_t i);

// Row-major positions of the elements that are shown.
static void each_shown(Layout *l, Survey *s, int axis, int64_t base, Visit *visit) {
  if (axis == l->e->rank) {
    visit(l, s, base);
    return;
  }
  int64_t n = l->e->dims[axis], edge = l->style->edgeitems;
  for (int64_t i = 0; i < n; i++) {
    if (l->summarize && edge && n > 2 * edge && i == edge) i = n - edge;
    each_shown(l, s, axis + 1, base * n + i, visit);
  }
}

static void find_extremes(Layout *l, Survey *s, int64_t i) {
  double x = number_at(l, i), m = fabs(x);
  s->shown++;
  if (!isfinite(x)) {
    s->special++;
    s->any_negative_infinity |= isinf(x) && x < 0;
    return;
  }
  s->any_negative |= signbit(x) != 0;
  if (m == 0) return;
  if (!s->any || m < s->least) s->least = m;
  if (!s->any || m > s->greatest) s->greatest = m;
  s->any = true;
}

static void float_digits(const Layout *l, double x, char text[PRT_STYLE_SIZE]) {
  if (l->exponent)
    prt__scientific(l->e->bits, x, l->number, text);
  else
    prt__positional(l->e->bits, x, l->number, text);
}

static void measure_float(Layout *l, Survey *s, int64_t i) {
  char text[PRT_STYLE_SIZE];
  double x = number_at(l, i);
  if (!isfinite(x)) return;
  float_digits(l, x, text);
  const char *point = strchr(text, '.'), *e = l->exponent ? strchr(text, 'e') : text + strlen(text);
  s->left = max_int(s->left, (int)(point - text));
  s->behind = max_int(s->behind, (int)(e - point) - 1);
  s->exponent = max_int(s->exponent, (int)strlen(e) - 2);
}

static void integer_word(const Layout *l, int64_t i, Word *word) {
  uint64_t x = l->e->integer(l->e->data, i);
  const char *plus = l->style->sign == '+' && l->e->kind != 'y' ? "+" : "";
  word->text = word->room;
  if (l->e->kind == 'b')
    word->text = x ? "True" : "False";
  else if (l->e->kind == 'u')
    snprintf(word->room, sizeof word->room, "%s%" PRIu64, plus, x);
  else
    snprintf(word->room, sizeof word->room, "%s%" PRId64, (int64_t)x < 0 ? "" : plus, (int64_t)x);
  word->length = strlen(word->text);
}

static void measure_integer(Layout *l, Survey *s, int64_t i) {
  Word word = {0};
  integer_word(l, i, &word);
  s->any_negative |= word.text[0] == '-';
  l->width = max_int(l->width, (int)word.length);
}

static void plan_integers(Layout *l) {
  Survey s = {0};
  each_shown(l, &s, 0, 0, measure_integer);
  if (l->style->sign == ' ' && !s.any_negative) l->width++;
}

// The largest magnitude below which float arrays are positional.
static double exponent_from(int bits) { return fmin(1e8, prt__scientific_from(bits)); }

// The least magnitude that is positional: 1e-4 as the type has it.
static double exponent_below(int bits) {
  return bits == 32 ? (double)1e-4f : bits == 16 ? 0x1.a38p-14 : 1e-4;
}

static void plan_floats(Layout *l) {
  const prt_array_style *o = l->style;
  Survey s = {0};
  bool fixed = o->mode == PRT_MODE_FIXED;
  each_shown(l, &s, 0, 0, find_extremes);
  l->exponent =
      s.any &&
      (s.greatest >= exponent_from(l->e->bits) ||
       (!o->suppress && (s.least < exponent_below(l->e->bits) || s.greatest / s.least > 1000)));
  l->number = (prt_float_style){.unique = !fixed,
                                .precision = o->mode == PRT_MODE_UNIQUE ? -1 : o->precision,
                                .trim = fixed ? 'k' : '.',
                                .plus = l->sign == '+'};
  each_shown(l, &s, 0, 0, measure_float);
  l->left = s.left;
  l->right = s.behind;
  if (s.special < s.shown && (l->exponent || o->mode == PRT_MODE_MAXPREC_EQUAL)) {
    if (l->exponent) {
      l->right += s.exponent + 2;
      l->number.exp_digits = s.exponent;
    }
    l->number.precision = l->number.min_digits = s.behind;
    l->number.trim = 'k';
  }
  if (l->sign == ' ' && !s.any_negative) l->left++;
  if (!s.special) return;
  int offset = l->right + 1, sign = l->sign != '-' || s.any_negative_infinity;
  int need = max_int((int)strlen(o->nan), (int)strlen(o->inf) + sign) - offset;
  l->left = max_int(l->left, need);
}

// ---- elements -------------------------------------------------------------------------------
static void special_word(const Layout *l, double x, Word *word) {
  const char *sign = isnan(x) || x > 0 ? (l->sign == '+' ? "+" : "") : "-";
  snprintf(word->room, sizeof word->room, "%s%s", sign, isnan(x) ? l->style->nan : l->style->inf);
  word->text = word->room;
  word->length = strlen(word->text);
}

static void float_word(const Layout *l, int64_t i, Word *word) {
  double x = number_at(l, i);
  if (!isfinite(x)) {
    special_word(l, x, word);
    word->left = l->left + l->right + 1 - (int)word->length;
    return;
  }
  float_digits(l, x, word->room);
  word->text = word->room;
  word->length = strlen(word->text);
  const char *point = strchr(word->text, '.');
  word->left = l->left - (int)(point - word->text);
  if (!l->exponent) word->right = l->right - (int)strlen(point + 1);
}

// Each part as an array of its own would have it, the second with its sign.
static void complex_word(const Layout *l, int64_t i, Word *word) {
  Word imaginary;
  imaginary.left = imaginary.right = 0;
  float_word(l, i, word);
  float_word(l + 1, i, &imaginary);
  int gap = max_int(word->right, 0) + max_int(imaginary.left, 0);
  size_t at = word->length;
  if (at + (size_t)gap + imaginary.length + 2 > sizeof word->room)
    gap = (int)(sizeof word->room - at - imaginary.length) - 2;
  memset(word->room + at, ' ', (size_t)gap);
  memcpy(word->room + at + gap, imaginary.text, imaginary.length);
  word->length = at + (size_t)gap + imaginary.length;
  word->room[word->length++] = 'j';
  word->right = imaginary.right;
}

static void make_word(const Layout *l, int64_t i, Word *word) {
  word->left = word->right = 0;
  switch (l->e->kind) {
  case 'c': complex_word(l, i, word); break;
  case 't': word->text = l->e->text(l->e->data, i, &word->length); break;
  case 'f': float_word(l, i, word); break;
  case 'x': {
    double x = number_at(l, i);
    const char *special = isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
    word->text = isfinite(x) ? word->room : special;
    if (isfinite(x)) snprintf(word->room, sizeof word->room, "%.6g", x);
    word->length = strlen(word->text);
    break;
  }
  default:
    integer_word(l, i, word);
    if (l->e->kind != 'y') word->left = l->width - (int)word->length;
  }
}

// ---- rows and nesting -----------------------------------------------------------------------
// A line being filled. Its last spaces are held back, as they go if the line ends after them.
typedef struct Line {
  const prt_sink *out;
  int64_t column, indent, width, spaces;
} Line;

static void line_text(Line *line, const char *text, size_t length) {
  size_t solid = length;
  while (solid && text[solid - 1] == ' ') solid--;
  if (solid) {
    prt__put_pad(line->out, ' ', line->spaces);
    prt__put(line->out, text, solid);
    line->spaces = 0;
  }
  line->spaces += (int64_t)(length - solid);
  line->column += (int64_t)length;
}

static void line_pad(Line *line, int count) {
  if (count <= 0) return;
  line->spaces += count;
  line->column += count;
}

// A word goes on the line if it fits; a line that holds nothing takes any.
static void line_word(Line *line, const Word *word) {
  int64_t length = (int64_t)word->length + max_int(word->left, 0) + max_int(word->right, 0);
  if (line->column + length > line->width && line->column > line->indent) {
    prt__put_c(line->out, "\n");
    line->column = line->spaces = line->indent;
  }
  line_pad(line, word->left);
  line_text(line, word->text, word->length);
  line_pad(line, word->right);
}

static size_t trimmed_length(const char *text) {
  size_t length = strlen(text);
  while (length && text[length - 1] == ' ') length--;
  return length;
}

// Items behind the "...": without edge items NumPy shows the last one all the same.
static int64_t trailing(const Layout *l) { return l->style->edgeitems ? l->style->edgeitems : 1; }

static bool is_cut(const Layout *l, int64_t n) {
  return l->summarize && n > 2 * l->style->edgeitems;
}

static void put_row(const Layout *l, const prt_sink *out, int64_t base, int indent, int width) {
  const char *separator = l->style->separator;
  int64_t n = l->e->dims[l->e->rank - 1];
  Line line = {out, indent, indent, width - max_int((int)trimmed_length(separator), 1), 0};
  Word word;
  for (int64_t i = 0; i < n; i++) {
    if (is_cut(l, n) && i == l->style->edgeitems) {
      word.left = word.right = 0;
      word.text = "...";
      word.length = 3;
      line_word(&line, &word);
      line_text(&line, separator, strlen(separator));
      i = n - trailing(l);
    }
    make_word(l, base * n + i, &word);
    line_word(&line, &word);
    if (i + 1 < n) line_text(&line, separator, strlen(separator));
  }
  prt__put_pad(out, ' ', line.spaces);
}

// The part of the array that the leading `axis` indices choose; its items stand at column `indent`.
static void put_axis(const Layout *l, const prt_sink *out, int axis, int64_t base, int indent,
                     int width) {
  int left = l->e->rank - axis;
  prt__put_c(out, "[");
  if (left == 1) {
    put_row(l, out, base, indent, width);
    prt__put_c(out, "]");
    return;
  }
  int64_t n = l->e->dims[axis];
  for (int64_t i = 0; i < n; i++) {
    if (i > 0) prt__put_pad(out, ' ', indent);
    if (is_cut(l, n) && i == l->style->edgeitems) {
      prt__put_c(out, "...");
      i = n - trailing(l) - 1;
    } else {
      put_axis(l, out, axis + 1, base * n + i, indent + 1, width - 1);
    }
    if (i + 1 == n) break;
    prt__put(out, l->style->separator, trimmed_length(l->style->separator));
    prt__put_pad(out, '\n', left - 1);
  }
  prt__put_c(out, "]");
}

void prt__put_array(const prt_sink *out, const prt_elements *e, const prt_array_style *style) {
  int64_t count = 1;
  for (int i = 0; i < e->rank; i++) count *= e->dims[i];
  if (count == 0) {
    prt__put_c(out, "[]");
    return;
  }
  Layout layouts[2], *l = layouts;
  layouts[0] = (Layout){.e = e,
                        .style = style,
                        .summarize = count > style->threshold,
                        .parts = 1,
                        .sign = style->sign};
  if (e->kind == 'c') {
    l->parts = 2;
    layouts[1] = *l;
    layouts[1].part = 1;
    layouts[1].sign = '+';
    plan_floats(&layouts[1]);
  }
  if (e->kind == 'f' || e->kind == 'c') plan_floats(l);
  if (e->kind == 'i' || e->kind == 'u') plan_integers(l);
  if (e->kind == 'b') l->width = e->rank ? (int)strlen("False") : 0;
  if (e->rank) {
    put_axis(l, out, 0, 0, style->prefix + 1, style->linewidth - style->suffix);
    return;
  }
  Word word;
  make_word(l, 0, &word);
  prt__put_pad(out, ' ', word.left);
  prt__put(out, word.text, word.length);
  prt__put_pad(out, ' ', word.right);
}
