// SPDX-License-Identifier: Apache-2.0
// Arrays that are arranged anew: diagonals as views, places that are stored to, windows that are
// multiplied and summed, products along named dimensions (np.einsum).
#include "numpy/arrays/nd.h"
#include "numpy/arrays/nd_convert.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/loops/loops.h"
#include "nd_methods.h"
#include "numpy/arrays/nd_watch.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/fresh.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include <math.h>
#include <string.h>

// ---- diagonals, ranges --------------------------------------------------------------------------

// Of two axes of an array, which come last as one: a view that is not written to.
static Value native_diagonal(Eval *ev, Value *a) {
  const NdArray *nd = nd_given(ev, a[0]);
  int64_t offset = take_int(ev, a[1], "offset");
  int rows = (int)a[2].i, columns = (int)a[3].i, at = 0;
  NdArray *out = nd_view(ev, nd);
  int64_t below = offset < 0 ? -offset : 0, beside = offset > 0 ? offset : 0;
  int64_t left = nd->dims[rows] - below, right = nd->dims[columns] - beside;
  for (int d = 0; d < nd->rank; d++) {
    if (d == rows || d == columns) continue;
    out->dims[at] = nd->dims[d];
    out->strides[at++] = nd->strides[d];
  }
  int64_t length = left < right ? left : right;
  out->dims[at] = length > 0 ? length : 0;
  out->strides[at++] = nd->strides[rows] + nd->strides[columns];
  if (length > 0) out->data += below * nd->strides[rows] + beside * nd->strides[columns];
  out->rank = (uint8_t)at;
  out->readonly = true;
  return v_object(out);
}

// Ones of a type on a diagonal of a matrix of zeros.
static Value native_eye(Eval *ev, Value *a) {
  int64_t dims[] = {take_int(ev, a[0], "N"), take_int(ev, a[1], "M")}, k = take_int(ev, a[2], "k");
  DType dtype = take_dtype(ev, a[3], "dtype");
  NdArray *out = nd_new(ev, dtype, 2, dims);
  char one[16] = {0};
  if (dtype_is_float(dtype) || dtype_is_complex(dtype))
    dtype_store_f64(dtype_of_parts(dtype), one, 1);
  else
    dtype_store_i64(dtype, one, 1);
  size_t size = dtype_size(dtype);
  for (int64_t i = k < 0 ? -k : 0; i < dims[0] && i + k < dims[1]; i++)
    memcpy(out->data + (size_t)(i * dims[1] + i + k) * size, one, size);
  return made(ev, v_object(out));
}

// Numbers of float64 from start to stop; None: those are no floats or ints of Python.
static Value native_linspace(Eval *ev, Value *a) {
  bool are_numbers = (a[0].kind == V_INT || a[0].kind == V_FLOAT) &&
                     (a[1].kind == V_INT || a[1].kind == V_FLOAT) && a[2].kind == V_INT;
  if (!are_numbers || a[2].i < 0) return v_none();
  double start = a[0].kind == V_INT ? (double)a[0].i : a[0].f,
         stop = a[1].kind == V_INT ? (double)a[1].i : a[1].f, delta = stop - start;
  bool has_end = value_truth(ev, a[3]);
  int64_t count = a[2].i, gaps = has_end ? count - 1 : count;
  double step = gaps > 0 ? delta / (double)gaps : NAN;
  if (gaps > 0 && (step == 0 || !isfinite(step))) return v_none(); // its products are not lost
  NdArray *out = nd_new_unset(ev, DT_F64, 1, &count);
  double *to = (double *)out->data;
  nd_range_f64(to, count, start, gaps > 0 ? step : delta);
  if (has_end && count > 1) to[count - 1] = stop;
  return made(ev, v_object(out));
}

// ---- places -------------------------------------------------------------------------------------

// Elements of an array that lies in one piece, at places, become those of values of its type, over
// and over. False: some of them lie beyond.
static Value native_put(Eval *ev, Value *a) {
  NdArray *nd = nd_given(ev, a[0]);
  const NdArray *places = nd_contiguous(ev, nd_from_value(ev, a[1], DT_I64, "np.put")),
                *values = nd_contiguous(
                    ev, nd_as(ev, nd_from_value(ev, a[2], DT_COUNT, "np.put"), nd->dtype));
  const int64_t *at = (const int64_t *)places->data;
  int64_t count = nd_count(places), size = nd_count(nd), given = nd_count(values);
  size_t element = dtype_size(nd->dtype);
  if (!nd_are_places(at, count, size)) return v_bool(false);
  if (given == 1 || given >= count) {
    nd_scatter(element, nd->data, (int64_t)element, at, count, size, values->data,
               given == 1 ? 0 : (int64_t)element);
    return v_bool(true);
  }
  for (int64_t i = 0; i < count && given; i++) {
    int64_t place = at[i] < 0 ? at[i] + size : at[i];
    memcpy(nd->data + (size_t)place * element, values->data + (size_t)(i % given) * element,
           element);
  }
  return v_bool(true);
}

// ---- other shapes of the same elements ----------------------------------------------------------

static NdArray *take_array(Eval *ev, Value v, const char *what) {
  return value_is_nd(ev, v) ? (NdArray *)v.o : nd_from_value(ev, v, DT_COUNT, what);
}

static Value native_squeeze(Eval *ev, Value *a) {
  Value method = nd_other_method(ev, a[0], "squeeze");
  if (!v_is_unbound(method)) return value_call_n(ev, method, 1, a + 1);
  return nd_squeeze(ev, take_array(ev, a[0], "np.squeeze"), a[1]);
}

static Value native_ravel(Eval *ev, Value *a) {
  return nd_ravel(ev, take_array(ev, a[0], "np.ravel"), a[1]);
}

static Value native_swapaxes(Eval *ev, Value *a) {
  Value method = nd_other_method(ev, a[0], "swapaxes");
  if (!v_is_unbound(method)) return value_call_n(ev, method, 2, a + 1);
  return nd_swapaxes(ev, take_array(ev, a[0], "np.swapaxes"), a[1], a[2]);
}

// By one axis or several, named by their places in the result.
static Value native_expand_dims(Eval *ev, Value *a) {
  const NdArray *x = take_array(ev, a[0], "np.expand_dims");
  const List *list = value_as_list(a[1]);
  if (list) a[1] = make_tuple(ev, list->count, list->items);
  const Tuple *tuple = value_as_tuple(a[1]);
  size_t rank = x->rank + (tuple ? tuple->count : 1);
  for (size_t i = 0; tuple && i < tuple->count; i++)
    for (size_t k = 0; k < i; k++)
      if (tuple->items[i].kind == V_INT && value_is(tuple->items[i], tuple->items[k]))
        eval_raise(ev, ev->types.ValueError, "repeated axis");
  if (rank > ND_MAX_RANK) eval_raise(ev, ev->types.ValueError, "too many dimensions");
  uint32_t axes = nd_axes(ev, a[1], (int)rank);
  NdArray *view = nd_view(ev, x);
  for (size_t d = 0, from = 0; d < rank; d++) {
    bool is_new = axes >> d & 1;
    view->dims[d] = is_new ? 1 : x->dims[from];
    view->strides[d] = is_new ? 0 : x->strides[from++];
  }
  view->rank = (uint8_t)rank;
  return made(ev, v_object(view));
}

// One axis to another place; None: what the library has to look at.
static Value native_move_axis(Eval *ev, Value *a) {
  if (!value_is_nd(ev, a[0]) || a[1].kind != V_INT || a[2].kind != V_INT) return v_none();
  const NdArray *x = (const NdArray *)a[0].o;
  int64_t rank = x->rank, from = a[1].i < 0 ? a[1].i + rank : a[1].i,
          to = a[2].i < 0 ? a[2].i + rank : a[2].i, perm[ND_MAX_RANK];
  if (from < 0 || from >= rank || to < 0 || to >= rank) return v_none();
  for (int64_t d = 0, at = 0; d < rank; d++) {
    if (at == from) at++;
    perm[d] = d == to ? from : at++;
  }
  return made(ev, v_object(nd_transposed(ev, x, perm)));
}

// ---- windows ------------------------------------------------------------------------------------

// The full convolution of two rows of one type, the second one the shorter; None: there is no loop.
static Value native_convolve(Eval *ev, Value *a) {
  const NdArray *x = nd_contiguous(ev, nd_given(ev, a[0])),
                *y = nd_contiguous(ev, nd_given(ev, a[1]));
  NdLoop *times = nd_binary_loop(UFUNC_MUL, x->dtype), *plus = nd_binary_loop(UFUNC_ADD, x->dtype);
  if (!times || !plus || x->dtype != y->dtype) return v_none();
  enum { ROW = 1024 };
  int64_t n = x->dims[0], m = y->dims[0], all = n + m - 1, size = (int64_t)dtype_size(x->dtype);
  NdArray *out = nd_new(ev, x->dtype, 1, &all);
  char *product = nd_new_unset(ev, x->dtype, 1, (int64_t[]){ROW})->data;
  const int64_t by_one[] = {size, size, 0}, each[] = {size, size, size};
  for (int64_t begin = 0, wide; begin < n; begin += wide) { // a part that stays in the caches
    wide = n - begin < ROW ? n - begin : ROW;
    for (int64_t i = 0; i < m; i++) {
      char *to = out->data + (begin + i) * size;
      times((char *[]){product, x->data + begin * size, y->data + i * size}, by_one, wide);
      plus((char *[]){to, to, product}, each, wide);
    }
  }
  return made(ev, v_object(out));
}

// ---- named dimensions ---------------------------------------------------------------------------

enum { LETTERS = 52, MOST_OPERANDS = 2 };

typedef struct Term {
  int count;
  int8_t letters[ND_MAX_RANK];
} Term;

typedef struct Einsum {
  int operands;
  Term terms[MOST_OPERANDS], result;
  int64_t size[LETTERS];                  // -1: no such letter
  int64_t stride[MOST_OPERANDS][LETTERS]; // of all dimensions of that name
  uint8_t times[LETTERS];                 // in all terms
  bool in[MOST_OPERANDS][LETTERS], in_result[LETTERS];
} Einsum;

static int letter_of(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? 26 + c - 'a' : -1;
}

// Letters and blanks to a term; false: something else, or too many.
static bool read_term(Term *term, const char **p, const char *end) {
  for (; *p < end && **p != ',' && **p != '-'; (*p)++) {
    if (**p == ' ') continue;
    int letter = letter_of(**p);
    if (letter < 0 || term->count == ND_MAX_RANK) return false;
    term->letters[term->count++] = (int8_t)letter;
  }
  return true;
}

static bool read_subscripts(Einsum *e, Str text, int operands) {
  const char *p = text.data, *end = p + text.len;
  *e = (Einsum){.operands = operands};
  for (int i = 0; i < operands; i++) {
    if (i && (p == end || *p++ != ',')) return false;
    if (!read_term(&e->terms[i], &p, end)) return false;
    for (int k = 0; k < e->terms[i].count; k++) e->times[e->terms[i].letters[k]]++;
  }
  if (p < end) {
    if (end - p < 2 || p[0] != '-' || p[1] != '>') return false;
    p += 2;
    if (!read_term(&e->result, &p, end) || p != end) return false;
  } else {
    for (int letter = 0; letter < LETTERS; letter++)
      if (e->times[letter] == 1 && e->result.count < ND_MAX_RANK)
        e->result.letters[e->result.count++] = (int8_t)letter;
  }
  for (int k = 0; k < e->result.count; k++) {
    int letter = e->result.letters[k];
    if (e->in_result[letter] || !e->times[letter]) return false;
    e->in_result[letter] = true;
  }
  return true;
}

// Sizes and strides by letter; false: they do not fit, which the library explains.
static bool measure(Einsum *e, const NdArray *const *x) {
  for (int i = 0; i < LETTERS; i++) e->size[i] = -1;
  for (int i = 0; i < e->operands; i++) {
    const Term *term = &e->terms[i];
    if (term->count != x[i]->rank) return false;
    for (int k = 0; k < term->count; k++) {
      int letter = term->letters[k];
      int64_t n = x[i]->dims[k];
      if (e->size[letter] >= 0 && e->size[letter] != n) return false;
      e->size[letter] = n;
      e->in[i][letter] = true;
      e->stride[i][letter] += x[i]->strides[k];
    }
  }
  return true;
}

// An operand with a dimension for each letter of a list.
static NdArray *arranged(Eval *ev, const Einsum *e, int operand, const NdArray *x,
                         const int8_t *letters, int count) {
  NdArray *view = nd_view(ev, x);
  view->rank = (uint8_t)count;
  for (int k = 0; k < count; k++) {
    view->dims[k] = e->size[letters[k]];
    view->strides[k] = e->stride[operand][letters[k]];
  }
  return view;
}

static int append(int8_t *letters, int count, const Term *term, const Einsum *e,
                  bool (*wanted)(const Einsum *e, int letter)) {
  for (int k = 0; k < term->count; k++) {
    int letter = term->letters[k];
    bool is_there = false;
    for (int i = 0; i < count; i++) is_there |= letters[i] == letter;
    if (!is_there && wanted(e, letter)) letters[count++] = (int8_t)letter;
  }
  return count;
}

static bool is_batch(const Einsum *e, int l) {
  return e->in[0][l] && e->in[1][l] && e->in_result[l];
}
static bool is_row(const Einsum *e, int l) { return e->in[0][l] && !e->in[1][l]; }
static bool is_column(const Einsum *e, int l) { return e->in[1][l] && !e->in[0][l]; }
static bool is_summed(const Einsum *e, int l) {
  return e->in[0][l] && e->in[1][l] && !e->in_result[l];
}
static bool is_kept(const Einsum *e, int l) { return e->in_result[l]; }
static bool is_dropped(const Einsum *e, int l) { return !e->in_result[l]; }

static int64_t size_of(const Einsum *e, const int8_t *letters, int count) {
  int64_t size = 1;
  for (int i = 0; i < count; i++) size *= e->size[letters[i]];
  return size;
}

static NdArray *in_order_of_result(Eval *ev, const Einsum *e, NdArray *out, const int8_t *letters) {
  int64_t perm[ND_MAX_RANK];
  bool is_same = true;
  for (int k = 0; k < e->result.count; k++) {
    for (int i = 0; i < e->result.count; i++)
      if (letters[i] == e->result.letters[k]) perm[k] = i;
    is_same &= perm[k] == k;
  }
  return is_same ? out : nd_transposed(ev, out, perm);
}

// One operand: a view with its letters, over which what is not in the result is summed.
static NdArray *of_one(Eval *ev, const Einsum *e, const NdArray *x) {
  int8_t letters[ND_MAX_RANK];
  int kept = append(letters, 0, &e->result, e, is_kept);
  int all = append(letters, kept, &e->terms[0], e, is_dropped);
  NdArray *view = arranged(ev, e, 0, x, letters, all);
  if (kept == all) return view;
  uint32_t axes = ((1u << all) - 1) & ~((1u << kept) - 1);
  return nd_reduce(ev, UFUNC_REDUCE_SUM, view, axes, false, x->dtype, v_none());
}

// Two of which nothing is summed: each element by one element.
static NdArray *of_elements(Eval *ev, const Einsum *e, const NdArray *x, const NdArray *y) {
  const Term *to = &e->result;
  int64_t dims[ND_MAX_RANK];
  for (int k = 0; k < to->count; k++) dims[k] = e->size[to->letters[k]];
  NdArray *out = nd_new_unset(ev, x->dtype, (size_t)to->count, dims);
  nd_walk(nd_binary_loop(UFUNC_MUL, x->dtype), 3,
          (const NdArray *const[]){out, arranged(ev, e, 0, x, to->letters, to->count),
                                   arranged(ev, e, 1, y, to->letters, to->count)});
  return out;
}

// Two: batches of products of matrices, whose letters are those of both, of one, and the summed.
static NdArray *of_two(Eval *ev, const Einsum *e, const NdArray *x, const NdArray *y) {
  int8_t left[ND_MAX_RANK], right[ND_MAX_RANK], out[2 * ND_MAX_RANK];
  int batch = append(left, 0, &e->terms[0], e, is_batch);
  int rows = append(left, batch, &e->terms[0], e, is_row) - batch;
  int all = append(left, batch + rows, &e->terms[0], e, is_summed), summed = all - batch - rows;
  memcpy(right, left, (size_t)batch);
  memcpy(right + batch, left + batch + rows, (size_t)summed);
  int columns = append(right, batch + summed, &e->terms[1], e, is_column) - batch - summed;
  if (batch + rows + columns > ND_MAX_RANK || batch + rows + columns != e->result.count)
    return NULL;
  if (summed == 0) return of_elements(ev, e, x, y);
  memcpy(out, left, (size_t)(batch + rows));
  memcpy(out + batch + rows, right + batch + summed, (size_t)columns);
  const NdArray *a = nd_contiguous(ev, arranged(ev, e, 0, x, left, all)),
                *b = nd_contiguous(ev, arranged(ev, e, 1, y, right, batch + summed + columns));
  int64_t dims[ND_MAX_RANK], count = size_of(e, left, batch), m = size_of(e, left + batch, rows),
                             k = size_of(e, left + batch + rows, summed),
                             n = size_of(e, right + batch + summed, columns);
  for (int i = 0; i < e->result.count; i++) dims[i] = e->size[out[i]];
  NdArray *to = nd_new_unset(ev, x->dtype, (size_t)e->result.count, dims);
  int64_t size = (int64_t)dtype_size(x->dtype);
  for (int64_t i = 0; m && n && i < count; i++)
    nd_product(x->dtype)(to->data + i * m * n * size, a->data + i * m * k * size,
                         b->data + i * k * n * size, m, n, k, false);
  if (!a->is_view) nd_discard(ev, a);
  if (!b->is_view) nd_discard(ev, b);
  return in_order_of_result(ev, e, to, out);
}

// The sum of products of one or two operands of a common type that loops multiply in; None: of
// others, with an ellipsis, a letter that only one operand has and that is summed, or a mistake.
static Value native_einsum(Eval *ev, Value *a) {
  const Tuple *given = value_as_tuple(a[1]);
  Str text;
  Einsum e;
  if (!value_as_str(a[0], &text) || given->count < 1 || given->count > MOST_OPERANDS)
    return v_none();
  const NdArray *x[MOST_OPERANDS] = {NULL};
  for (size_t i = 0; i < given->count; i++) {
    if (!value_is_nd(ev, given->items[i])) return v_none();
    x[i] = (const NdArray *)given->items[i].o;
    if (x[i]->dtype != x[0]->dtype) return v_none();
  }
  DType dtype = x[0]->dtype;
  bool is_known =
      dtype == DT_F32 || dtype == DT_F64 || dtype == DT_I64 || dtype == DT_C64 || dtype == DT_C128;
  if (!is_known || !read_subscripts(&e, text, (int)given->count) || !measure(&e, x))
    return v_none();
  for (int i = 0; i < e.operands; i++) nd_look_at(ev, x[i]);
  NdArray *out = e.operands == 1 ? of_one(ev, &e, x[0]) : of_two(ev, &e, x[0], x[1]);
  if (!out) return v_none();
  if (out->buffer == x[0]->buffer) return v_object(out); // a view
  return made(ev, nd_value(ev, out));
}

static const NativeDef natives[] = {
    {"diagonal(a, offset, axis1, axis2)", native_diagonal},
    {"eye(rows, columns, k, dtype)", native_eye},
    {"linspace(start, stop, count, has_end)", native_linspace},
    {"put(a, places, values)", native_put},
    {"squeeze(a, axis=None)", native_squeeze},
    {"ravel(a, order='C')", native_ravel},
    {"swapaxes(a, axis1, axis2)", native_swapaxes},
    {"expand_dims(a, axis)", native_expand_dims},
    {"move_axis(a, source, destination)", native_move_axis},
    {"convolve(x, y)", native_convolve},
    {"einsum(subscripts, operands)", native_einsum},
    {NULL, NULL},
};

const ModuleDef module_np_arrange = {.name = "_np_arrange", .functions = natives};
