// SPDX-License-Identifier: Apache-2.0
// The rules of windows, executed plainly on a LaunchCase: what a launch must leave in its outputs,
// and which elements it leaves unspecified.
//
// A step evaluates the index of each block; a window whose index differs from the step before is
// entered: outputs that are left are written back first, then inputs are fetched, each element of
// the array that lies in the window; what a window holds otherwise is unspecified, and so is what
// depends on it. The windows of outputs are written back at the end.
#pragma once
#include "ir/core/ir.h"
#include "launch_case.h"

typedef struct Cells {
  int rank;
  int64_t dims[MAX_RANK + 1], count;
  uint32_t *bits; // i32 or f32
  bool *known;
  bool *written; // of an array: by a write-back of this launch
} Cells;

typedef struct Model {
  Arena *arena;
  const LaunchCase *k;
  Cells arrays[MAX_BLOCKS];      // by block; those that share are one
  Cells windows[MAX_BLOCKS + 2]; // and scratch
  int64_t held[MAX_BLOCKS][MAX_RANK + 1];
  bool is_held[MAX_BLOCKS];
  Cells values[MAX_VALUES];
  int64_t at[MAX_GRID];
  Cells left[MAX_BLOCKS]; // of an output: which elements its windows have left
  bool reads_written; // an array that is written was read, by a fetch or past the windows: an early
                      // copy would see it otherwise
} Model;

static inline Cells cells_new(Arena *arena, int rank, const int64_t *dims) {
  Cells c = {.rank = rank, .count = 1};
  for (int i = 0; i < rank; i++) c.count *= c.dims[i] = dims[i];
  c.bits = ARENA_ARRAY(arena, uint32_t, c.count);
  c.known = ARENA_ARRAY(arena, bool, c.count);
  c.written = ARENA_ARRAY(arena, bool, c.count);
  return c;
}

static inline void cells_forget(Cells *c) { memset(c->known, 0, (size_t)c->count); }

static inline void cells_place(const Cells *c, int64_t i, int64_t *at) {
  for (int d = c->rank; d-- > 0;) {
    at[d] = i % c->dims[d];
    i /= c->dims[d];
  }
}

static inline int64_t cells_offset(const Cells *c, const int64_t *at) {
  int64_t i = 0;
  for (int d = 0; d < c->rank; d++) {
    ck_assert(at[d] >= 0 && at[d] < c->dims[d]);
    i = i * c->dims[d] + at[d];
  }
  return i;
}

static inline float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline uint32_t bits_of_number(DType dtype, int64_t number) {
  if (dtype == DT_I32) return (uint32_t)number;
  float x = (float)number;
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static inline uint32_t apply(DType dtype, OpCode op, uint32_t x, uint32_t y) {
  if (dtype == DT_I32) {
    switch (op) {
    case OP_ADD: return x + y;
    case OP_SUB: return x - y;
    case OP_MAX: return (int32_t)x > (int32_t)y ? x : y;
    default: return (int32_t)x < (int32_t)y ? x : y;
    }
  }
  float a = float_of(x), b = float_of(y),
        r = op == OP_ADD   ? a + b
            : op == OP_SUB ? a - b
            : op == OP_MAX ? (a > b ? a : b)
                           : (a < b ? a : b);
  uint32_t bits;
  memcpy(&bits, &r, sizeof bits);
  return bits;
}

// ---- windows ------------------------------------------------------------------------------------
// The element of the array behind element `at` of block i's window at these block indices; false if
// there is none.
static inline bool behind(const Model *m, int i, const int64_t *index, const int64_t *at,
                          int64_t *out) {
  const CaseBlock *b = &m->k->blocks[i];
  int64_t place[MAX_RANK + 1];
  for (int d = 0, w = 0; d < b->rank; d++) {
    const CaseDim *dim = &b->dims[d];
    int64_t start = dim->kind == BLOCK_BLOCKED   ? index[d] * dim->size
                    : dim->kind == BLOCK_ELEMENT ? index[d] - dim->pad_lo
                                                 : index[d];
    place[d] = start + (dim->kind == BLOCK_SQUEEZED ? 0 : at[w++]);
    if (place[d] < 0 || place[d] >= dim->extent) return false;
  }
  *out = cells_offset(&m->arrays[i], place);
  return true;
}

static inline void model_fetch(Model *m, int i) {
  Cells *w = &m->windows[i], *a = &m->arrays[i];
  cells_forget(w);
  for (int64_t n = 0; n < w->count; n++) {
    int64_t at[MAX_RANK + 1], from;
    cells_place(w, n, at);
    if (!behind(m, i, m->held[i], at, &from)) continue;
    w->bits[n] = a->bits[from];
    w->known[n] = a->known[from];
    if (a->written[from]) m->reads_written = true;
  }
}

static inline void model_write_back(Model *m, int i) {
  Cells *w = &m->windows[i], *a = &m->arrays[i];
  for (int64_t n = 0; n < w->count; n++) {
    int64_t at[MAX_RANK + 1], to;
    cells_place(w, n, at);
    if (!behind(m, i, m->held[i], at, &to)) continue;
    a->bits[to] = w->bits[n];
    a->written[to] = true;
    // An output's block that is visited again after another holds nothing certain, unless it shares
    // its input's array.
    a->known[to] = w->known[n] && (m->k->blocks[i].alias >= 0 || !m->left[i].known[to]);
    m->left[i].known[to] = true;
  }
}

static inline void model_enter(Model *m) {
  const LaunchCase *k = m->k;
  int64_t index[MAX_BLOCKS][MAX_RANK + 1];
  bool changed[MAX_BLOCKS] = {false};
  for (int i = 0; i < k->block_count; i++) {
    if (k->blocks[i].is_whole) continue;
    changed[i] = !m->is_held[i];
    for (int d = 0; d < k->blocks[i].rank; d++) {
      index[i][d] = map_value(k, &k->blocks[i].dims[d].map, m->at);
      if (m->is_held[i] && index[i][d] != m->held[i][d]) changed[i] = true;
    }
  }
  for (int i = 0; i < k->block_count; i++)
    if (changed[i] && k->blocks[i].role == ROLE_OUT && m->is_held[i]) model_write_back(m, i);
  for (int i = 0; i < k->block_count; i++) {
    if (!changed[i]) continue;
    memcpy(m->held[i], index[i], sizeof index[i]);
    m->is_held[i] = true;
    if (k->blocks[i].role == ROLE_IN)
      model_fetch(m, i);
    else
      cells_forget(&m->windows[i]);
  }
}

// ---- bodies -------------------------------------------------------------------------------------
static inline int64_t place_in_whole(const Model *m, const Stmt *s) {
  return m->k->grid_rank ? m->at[s->g] % 3 : 1;
}

static inline bool model_holds(const Model *m, const Stmt *s) {
  for (int i = 0; i < s->cond_count; i++) {
    const Cond *c = &s->conds[i];
    int64_t x = m->at[c->g];
    if (c->kind == COND_PREFETCH) {
      if (m->k->prefetch[x] != 0) return false;
      continue;
    }
    if (!(c->kind == COND_FIRST  ? x == 0
          : c->kind == COND_LAST ? x == m->k->grid[c->g] - 1
                                 : x % 2 != 0))
      return false;
  }
  return true;
}

// The sum or maximum of a row; known if all of it is.
static inline bool model_row(const Model *m, const Cells *x, int64_t row, OpCode op,
                             uint32_t *out) {
  int64_t n = x->dims[x->rank - 1];
  bool known = true;
  *out = x->bits[row * n];
  for (int64_t i = 0; i < n; i++) {
    known &= x->known[row * n + i];
    if (i) *out = apply(m->k->dtype, op, *out, x->bits[row * n + i]);
  }
  return known;
}

static inline void model_value(Model *m, const Stmt *s) {
  const LaunchCase *k = m->k;
  Cells *v = &m->values[s->value];
  int64_t place = s->kind == STMT_LOAD_AT ? place_in_whole(m, s) * v->count : 0;
  const Cells *from = s->kind == STMT_LOAD      ? &m->windows[s->window]
                      : s->kind == STMT_LOAD_AT ? &m->arrays[s->window]
                                                : NULL;
  for (int64_t n = 0; n < v->count; n++) {
    v->known[n] = true;
    int64_t at[MAX_RANK + 1];
    switch (s->kind) {
    case STMT_LOAD:
    case STMT_LOAD_AT:
      v->bits[n] = from->bits[place + n];
      v->known[n] = from->known[place + n];
      break;
    case STMT_LOAD_OUTER: {
      cells_place(v, n, at);
      const Cells *a = &m->arrays[s->window];
      int64_t i = cells_offset(a, at);
      v->bits[n] = a->bits[i];
      v->known[n] = a->known[i];
      if (k->blocks[s->window].role == ROLE_OUT || is_aliased(k, s->window))
        m->reads_written = true;
      break;
    }
    case STMT_CONST: v->bits[n] = bits_of_number(k->dtype, s->number); break;
    case STMT_GRID: v->bits[n] = bits_of_number(k->dtype, 10 * m->at[s->g] + s->number); break;
    case STMT_IOTA:
      cells_place(v, n, at);
      v->bits[n] = bits_of_number(k->dtype, at[s->number]);
      break;
    case STMT_ROW_SUM:
      v->known[n] = model_row(m, &m->values[s->x], n / v->dims[v->rank - 1], OP_ADD, &v->bits[n]);
      break;
    default:
      v->bits[n] = apply(k->dtype, s->op, m->values[s->x].bits[n], m->values[s->y].bits[n]);
      v->known[n] = m->values[s->x].known[n] && m->values[s->y].known[n];
    }
  }
}

static inline bool is_positive(DType dtype, uint32_t bits) {
  return dtype == DT_I32 ? (int32_t)bits > 0 : float_of(bits) > 0;
}

static inline void model_store_masked(Model *m, const Stmt *s) {
  Cells *w = &m->windows[s->window], *x = &m->values[s->x], *mask = &m->values[s->y];
  for (int64_t n = 0; n < x->count; n++) {
    if (!mask->known[n]) {
      w->known[n] = false;
    } else if (is_positive(m->k->dtype, mask->bits[n])) {
      w->bits[n] = x->bits[n];
      w->known[n] = x->known[n];
    }
  }
}

static inline void model_store(Model *m, const Stmt *s) {
  if (s->kind == STMT_MASKED) {
    model_store_masked(m, s);
    return;
  }
  if (s->kind == STMT_COPY_ROWS) {
    Cells *to = &m->windows[s->window], *from = &m->windows[s->y];
    memcpy(to->bits, from->bits, (size_t)to->count * sizeof to->bits[0]);
    memcpy(to->known, from->known, (size_t)to->count);
    return;
  }
  bool at_place = s->kind == STMT_STORE_AT;
  Cells *w = at_place ? &m->arrays[s->window] : &m->windows[s->window], *x = &m->values[s->x];
  int64_t place = at_place ? place_in_whole(m, s) * x->count : 0;
  for (int64_t n = 0; n < (s->kind == STMT_REDUCE ? w->count : x->count); n++) {
    int64_t at[MAX_RANK + 1];
    cells_place(x, n, at);
    if (s->kind == STMT_STORE_PART && (at[s->g] < s->from || at[s->g] >= s->to)) continue;
    if (s->kind == STMT_REDUCE) {
      w->known[n] = model_row(m, x, n, OP_MAX, &w->bits[n]);
      continue;
    }
    w->bits[place + n] = x->bits[n];
    w->known[place + n] = x->known[n];
    w->written[place + n] = at_place;
  }
}

static inline void model_body(Model *m) {
  const LaunchCase *k = m->k;
  for (int n = 0; n < k->stmt_count; n++) {
    const Stmt *s = &k->stmts[n];
    if (s->kind == STMT_IF) {
      if (!model_holds(m, s)) n += s->count;
    } else if (s->value >= 0) {
      model_value(m, s);
    } else {
      model_store(m, s);
    }
  }
}

// ---- launches -----------------------------------------------------------------------------------
static inline void model_start(Model *m) {
  const LaunchCase *k = m->k;
  memset(m->is_held, 0, sizeof m->is_held);
  for (int i = 0; i < k->block_count + k->scratch_count; i++) cells_forget(&m->windows[i]);
}

static inline void model_finish(Model *m) {
  for (int i = 0; i < m->k->block_count; i++)
    if (m->is_held[i] && m->k->blocks[i].role == ROLE_OUT) model_write_back(m, i);
}

// `inputs`: the contents of the arrays, by block.
static inline Model *model_new(Arena *arena, const LaunchCase *k, uint32_t *const *inputs) {
  Model *m = ARENA_NEW(arena, Model);
  *m = (Model){.arena = arena, .k = k};
  for (int i = 0; i < k->block_count; i++) {
    int64_t dims[MAX_RANK + 1];
    int rank = array_dims(&k->blocks[i], dims);
    m->left[i] = cells_new(arena, rank, dims);
    if (array_of(k, i) != i) {
      m->arrays[i] = m->arrays[array_of(k, i)];
    } else {
      m->arrays[i] = cells_new(arena, rank, dims);
      bool is_input = k->blocks[i].role == ROLE_IN;
      for (int64_t n = 0; is_input && n < m->arrays[i].count; n++)
        m->arrays[i].bits[n] = inputs[i][n], m->arrays[i].known[n] = true;
    }
    rank = window_dims(k, i, dims);
    m->windows[i] = cells_new(arena, rank, dims);
  }
  for (int i = 0; i < k->scratch_count; i++)
    m->windows[k->block_count + i] = cells_new(arena, k->b_rank, k->b);
  for (int i = 0; i < k->value_count; i++) m->values[i] = cells_new(arena, k->b_rank, k->b);
  return m;
}

static inline void model_run(Model *m) {
  if (!has_steps(m->k)) return;
  model_start(m);
  do {
    model_enter(m);
    model_body(m);
  } while (next_step(m->k, m->at));
  model_finish(m);
}

// As if the leading parallel dimensions ran on cores of their own, the last first.
static inline void model_run_apart(Model *m) {
  const LaunchCase *k = m->k;
  int leading = 0;
  int64_t outer = 1, inner = 1;
  while (leading < k->grid_rank && k->semantics[leading] == 'p') outer *= k->grid[leading++];
  for (int d = leading; d < k->grid_rank; d++) inner *= k->grid[d];
  if (!has_steps(k)) return;
  for (int64_t o = outer; o-- > 0;) {
    int64_t rest = o;
    memset(m->at, 0, sizeof m->at);
    for (int d = leading; d-- > 0; rest /= k->grid[d]) m->at[d] = rest % k->grid[d];
    model_start(m);
    for (int64_t i = 0; i < inner; i++) {
      model_enter(m);
      model_body(m);
      next_step(k, m->at);
    }
    model_finish(m);
  }
}
