// SPDX-License-Identifier: Apache-2.0
// Walks over the elements of several arrays at once.
#include "loops.h"
#include "nd_walk_rounded.h"

// A square of this many steps a side is walked before the next, where arrays run across each other.
#define TILE 64

typedef struct Walk {
  NdLoop *loop;
  size_t count;
  int rank;
  int64_t dims[ND_MAX_RANK];
  int64_t strides[ND_MAX_RANK][ND_WALK_MAX];
  NdLoop *convert;            // or NULL
  char *row;                  // where the elements of the second array are converted to …
  int64_t size;               // … and the size that they have there
  const NdRounding *rounding; // or NULL: how results are rounded
  float *results;
} Walk;

static int64_t distance(const int64_t *strides, size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += strides[i] < 0 ? -strides[i] : strides[i];
  return sum;
}

// Dimensions of more than one element, the largest strides first.
static void gather_dims(Walk *w, const NdArray *const *arrays) {
  for (int d = 0; d < arrays[0]->rank; d++) {
    if (arrays[0]->dims[d] == 1) continue;
    int64_t strides[ND_WALK_MAX];
    for (size_t i = 0; i < w->count; i++) strides[i] = arrays[i]->strides[d];
    int at = w->rank++;
    for (; at > 0 && distance(w->strides[at - 1], w->count) < distance(strides, w->count); at--) {
      w->dims[at] = w->dims[at - 1];
      for (size_t i = 0; i < w->count; i++) w->strides[at][i] = w->strides[at - 1][i];
    }
    w->dims[at] = arrays[0]->dims[d];
    for (size_t i = 0; i < w->count; i++) w->strides[at][i] = strides[i];
  }
}

// One dimension for two, where the outer one goes on where the inner one ends.
static void join_dims(Walk *w) {
  int last = 0;
  for (int d = 1; d < w->rank; d++) {
    bool joins = true;
    for (size_t i = 0; i < w->count; i++)
      joins = joins && w->strides[last][i] == w->strides[d][i] * w->dims[d];
    if (joins)
      w->dims[last] *= w->dims[d];
    else
      w->dims[++last] = w->dims[d];
    for (size_t i = 0; i < w->count; i++) w->strides[last][i] = w->strides[d][i];
  }
  if (w->rank) w->rank = last + 1;
}

enum { ROW = 8192 }; // elements that are converted at once

static void run_converted(const Walk *w, const int64_t *strides, int64_t count, char *const *data) {
  for (int64_t at = 0, n; at < count; at += n) {
    n = count - at < ROW ? count - at : ROW;
    w->convert((char *[]){w->row, data[1] + at * strides[1]}, (int64_t[]){w->size, strides[1]}, n);
    w->loop((char *[]){data[0] + at * strides[0], w->row}, (int64_t[]){strides[0], w->size}, n);
  }
}

enum { WIDE = sizeof(float) };

// Elements of the type as float32s in a row.
static void widen(const NdRounding *r, char *to, char *from, int64_t stride, int64_t count) {
  if (r->widen)
    r->widen((char *[]){to, from}, (int64_t[]){WIDE, stride}, count);
  else if (stride == 1)
    nd_look_up(WIDE, to, r->values, (uint8_t *)from, count);
  else
    for (int64_t i = 0; i < count; i++)
      memcpy(to + i * WIDE, r->values + (uint8_t)from[i * stride] * WIDE, WIDE);
}

static void narrow(const NdRounding *r, char *to, int64_t stride, char *from, int64_t count) {
  if (r->narrow)
    r->narrow((char *[]){to, from}, (int64_t[]){stride, WIDE}, count);
  else if (stride == 1)
    nd_cast_by_front((uint8_t *)to, (float *)from, count, r->codes);
  else
    for (int64_t i = 0; i < count; i++)
      nd_cast_by_front((uint8_t *)to + i * stride, (float *)from + i, 1, r->codes);
}

static void fold_rounded(const Walk *w, int64_t stride, int64_t count, char *const *data) {
  static const int64_t still[] = {0, 0}, along[] = {0, WIDE};
  const NdRounding *r = w->rounding;
  char *all = (char *)w->results;
  widen(r, all, data[0], 0, 1);
  for (int64_t at = 0, n; at < count; at += n) {
    n = count - at < ROW ? count - at : ROW;
    widen(r, w->row, data[1] + at * stride, stride, n);
    if (!r->always) w->loop((char *[]){all, w->row}, along, n);
    if (r->fold) r->fold((char *[]){all, w->row}, along, n);
    for (int64_t i = 0; r->always && !r->fold && i < n; i++) {
      w->loop((char *[]){all, w->row + i * WIDE}, still, 1);
      narrow(r, data[0], 0, all, 1);
      widen(r, all, data[0], 0, 1);
    }
  }
  narrow(r, data[0], 0, all, 1);
}

static void run_rounded(const Walk *w, const int64_t *strides, int64_t count, char *const *data) {
  if (strides[0] == 0) {
    fold_rounded(w, strides[1], count, data);
    return;
  }
  char *wide = (char *)w->results;
  static const int64_t close[] = {WIDE, WIDE};
  for (int64_t at = 0, n; at < count; at += n) {
    n = count - at < ROW ? count - at : ROW;
    char *to = data[0] + at * strides[0];
    widen(w->rounding, wide, to, strides[0], n);
    widen(w->rounding, w->row, data[1] + at * strides[1], strides[1], n);
    w->loop((char *[]){wide, w->row}, close, n);
    narrow(w->rounding, to, strides[0], wide, n);
  }
}

static void walk_dim(const Walk *w, int d, int inner, char *const *data) {
  if (d == inner) {
    if (w->rounding)
      run_rounded(w, w->strides[d], w->dims[d], data);
    else if (w->convert)
      run_converted(w, w->strides[d], w->dims[d], data);
    else
      w->loop(data, w->strides[d], w->dims[d]);
    return;
  }
  char *at[ND_WALK_MAX];
  for (size_t i = 0; i < w->count; i++) at[i] = data[i];
  for (int64_t n = 0; n < w->dims[d]; n++) {
    walk_dim(w, d + 1, inner, at);
    for (size_t i = 0; i < w->count; i++) at[i] += w->strides[d][i];
  }
}

// The last two dimensions in squares.
static void walk_tiles(const Walk *w, int d, char *const *data) {
  char *at[ND_WALK_MAX];
  if (d < w->rank - 2) {
    for (size_t i = 0; i < w->count; i++) at[i] = data[i];
    for (int64_t n = 0; n < w->dims[d]; n++) {
      walk_tiles(w, d + 1, at);
      for (size_t i = 0; i < w->count; i++) at[i] += w->strides[d][i];
    }
    return;
  }
  const int64_t *outer = w->strides[d], *inner = w->strides[d + 1];
  int64_t rows = w->dims[d], columns = w->dims[d + 1];
  for (int64_t r0 = 0; r0 < rows; r0 += TILE)
    for (int64_t c = 0; c < columns; c += TILE)
      for (int64_t r = r0; r < rows && r < r0 + TILE; r++) {
        for (size_t i = 0; i < w->count; i++) at[i] = data[i] + r * outer[i] + c * inner[i];
        w->loop(at, inner, columns - c < TILE ? columns - c : TILE);
      }
}

// Some array goes the shorter way in the last dimension but one.
static bool runs_across(const Walk *w) {
  if (w->rank < 2 || w->dims[w->rank - 1] < TILE / 2 || w->dims[w->rank - 2] < TILE / 2)
    return false;
  for (size_t i = 0; i < w->count; i++) {
    int64_t outer = w->strides[w->rank - 2][i], inner = w->strides[w->rank - 1][i];
    if (outer && (outer < 0 ? -outer : outer) < (inner < 0 ? -inner : inner)) return true;
  }
  return false;
}

static bool begin(Walk *w, NdLoop *loop, size_t count, const NdArray *const *arrays, char **data) {
  w->loop = loop, w->count = count, w->rank = 0, w->convert = NULL;
  w->rounding = NULL; // the rest is long, and written as far as it is read
  for (int d = 0; d < arrays[0]->rank; d++)
    if (arrays[0]->dims[d] == 0) return false;
  for (size_t i = 0; i < count; i++) data[i] = arrays[i]->data;
  gather_dims(w, arrays);
  join_dims(w);
  if (w->rank > 0) return true;
  w->rank = 1, w->dims[0] = 1;
  for (size_t i = 0; i < count; i++) w->strides[0][i] = 0;
  return true;
}

void nd_walk(NdLoop *loop, size_t count, const NdArray *const *arrays) {
  Walk w;
  char *data[ND_WALK_MAX];
  if (!begin(&w, loop, count, arrays, data)) return;
  if (runs_across(&w))
    walk_tiles(&w, 0, data);
  else
    walk_dim(&w, 0, w.rank - 1, data);
}

void nd_walk_in_order(NdLoop *loop, size_t count, const NdArray *const *arrays) {
  Walk w;
  char *data[ND_WALK_MAX];
  if (begin(&w, loop, count, arrays, data)) walk_dim(&w, 0, w.rank - 1, data);
}

void nd_walk_converted(NdLoop *loop, NdLoop *convert, size_t size, const NdArray *const *arrays) {
  Walk w;
  char *data[ND_WALK_MAX];
  _Alignas(64) char row[ROW * 16];
  if (!begin(&w, loop, 2, arrays, data)) return;
  w.convert = convert, w.row = row, w.size = (int64_t)size;
  walk_dim(&w, 0, w.rank - 1, data);
}

void nd_walk_rounded(NdLoop *loop, const NdRounding *rounding, const NdArray *const *arrays) {
  Walk w;
  char *data[ND_WALK_MAX];
  _Alignas(64) float row[ROW], results[ROW];
  if (!begin(&w, loop, 2, arrays, data)) return;
  w.rounding = rounding, w.row = (char *)row, w.results = results;
  walk_dim(&w, 0, w.rank - 1, data);
}
