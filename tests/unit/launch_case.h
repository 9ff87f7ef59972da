// SPDX-License-Identifier: Apache-2.0
// Random launches for test_pipeline: what one is, how it is made, its text in the IR.
// launch_model.h runs it by the rules of windows.
//
// All windows of a case have one shape B (of `reduced` outputs: B without its last dimension), all
// arrays one element type. Extents follow from what the index maps give, so that every block has an
// element inside its array, as Pallas demands.
#pragma once
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "ir/core/ir.h"

enum {
  MAX_GRID = 3,
  MAX_BLOCKS = 6,
  MAX_RANK = 4,
  MAX_STMTS = 64,
  MAX_VALUES = 96,
  PREFETCH_COUNT = 8
};

typedef enum MapKind {
  MAP_CONST,
  MAP_LINEAR,
  MAP_HALF,
  MAP_SUM,
  MAP_PREFETCH,
  MAP_MIN,
  MAP_REM
} MapKind;
typedef struct IndexMap {
  MapKind kind;
  int g, h;              // grid dimensions
  int64_t scale, offset; // MAP_LINEAR; the constant of MAP_CONST, MAP_MIN
  int64_t unit;          // of Element: elements an index stands for
} IndexMap;

typedef struct CaseDim {
  BlockDimKind kind;
  int64_t size, pad_lo, pad_hi, extent;
  IndexMap map;
} CaseDim;

typedef enum BlockRole { ROLE_IN, ROLE_OUT } BlockRole;
typedef struct CaseBlock {
  BlockRole role;
  bool is_whole;   // the array itself: dims[0] of extent 3, then B
  bool is_reduced; // an output without the last dimension of B
  bool in_smem;
  int alias; // the input whose array it shares, or -1
  int rank;
  CaseDim dims[MAX_RANK + 1];
  int buffers;
  bool by_alloc; // the output is memory of the function, copied to its parameter at the end
} CaseBlock;

typedef enum StmtKind {
  STMT_LOAD,       // value = window
  STMT_CONST,      // value = number
  STMT_GRID,       // value = 10 * grid index g + number
  STMT_IOTA,       // value = index along dimension number
  STMT_BINARY,     // value = x op y
  STMT_ROW_SUM,    // value = sum of x along the last dimension, broadcast
  STMT_STORE,      // window = x
  STMT_STORE_PART, // window[..., from : to] = x there, in dimension g
  STMT_REDUCE,     // reduced window = max of x along the last dimension
  STMT_LOAD_AT,    // value = whole[grid index g rem 3]
  STMT_STORE_AT,   // whole[grid index g rem 3] = x
  STMT_LOAD_OUTER, // value = the corner of block `window`'s array, past its windows
  STMT_MASKED,     // window = x where y > 0
  STMT_COPY_ROWS,  // window = window y, row by row in a loop
  STMT_IF,         // if all conditions hold: the next `count` statements
} StmtKind;

typedef enum CondKind { COND_FIRST, COND_LAST, COND_ODD, COND_PREFETCH } CondKind;
typedef struct Cond {
  CondKind kind;
  int g;
} Cond;

typedef struct Stmt {
  StmtKind kind;
  int value, x, y, window, g; // window: a block, or block_count + a scratch buffer
  OpCode op;
  int64_t number, from, to;
  Cond conds[3];
  int cond_count, count;
} Stmt;

typedef struct LaunchCase {
  DType dtype;
  int grid_rank;
  int64_t grid[MAX_GRID];
  bool is_dynamic[MAX_GRID];
  char semantics[MAX_GRID + 1];
  int b_rank;
  int64_t b[MAX_RANK];
  bool has_prefetch;
  int32_t prefetch[PREFETCH_COUNT];
  int block_count, scratch_count;
  CaseBlock blocks[MAX_BLOCKS];
  int stmt_count, value_count;
  Stmt stmts[MAX_STMTS];
} LaunchCase;

// ---- chance -------------------------------------------------------------------------------------
typedef struct Chance {
  uint64_t state;
} Chance;

static inline int64_t chance_below(Chance *c, int64_t n) { // SplitMix64
  uint64_t z = (c->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (int64_t)((z ^ (z >> 31)) % (uint64_t)n);
}
static inline bool chance_of(Chance *c, int percent) { return chance_below(c, 100) < percent; }

// ---- index maps ---------------------------------------------------------------------------------
static inline int64_t map_value(const LaunchCase *k, const IndexMap *m, const int64_t *at) {
  int64_t g = k->grid_rank ? at[m->g] : 0, h = k->grid_rank ? at[m->h] : 0, value = 0;
  switch (m->kind) {
  case MAP_CONST: value = m->offset; break;
  case MAP_LINEAR: value = m->scale * g + m->offset; break;
  case MAP_HALF: value = g / 2; break;
  case MAP_SUM: value = g + h; break;
  case MAP_PREFETCH: value = k->prefetch[g]; break;
  case MAP_MIN: value = g < m->offset ? g : m->offset; break;
  case MAP_REM: value = g % 2; break;
  }
  return value * m->unit;
}

// Counts up in the grid's order; false behind the last step.
static inline bool next_step(const LaunchCase *k, int64_t *at) {
  for (int d = k->grid_rank; d-- > 0;) {
    if (++at[d] < k->grid[d]) return true;
    at[d] = 0;
  }
  return false;
}

static inline bool has_steps(const LaunchCase *k) {
  for (int d = 0; d < k->grid_rank; d++)
    if (k->grid[d] == 0) return false;
  return true;
}

static inline void map_range(const LaunchCase *k, const IndexMap *m, int64_t *low, int64_t *high) {
  int64_t at[MAX_GRID] = {0};
  *low = *high = 0;
  if (!has_steps(k)) return;
  *low = *high = map_value(k, m, at);
  while (next_step(k, at)) {
    int64_t value = map_value(k, m, at);
    if (value < *low) *low = value;
    if (value > *high) *high = value;
  }
}

static inline IndexMap random_map(const LaunchCase *k, Chance *c) {
  static const MapKind kinds[] = {MAP_LINEAR, MAP_LINEAR, MAP_LINEAR,   MAP_CONST, MAP_CONST,
                                  MAP_HALF,   MAP_SUM,    MAP_PREFETCH, MAP_MIN,   MAP_REM};
  IndexMap m = {.kind = kinds[chance_below(c, COUNT_OF(kinds))], .scale = 1, .unit = 1};
  if (k->grid_rank == 0) m.kind = MAP_CONST;
  if (m.kind == MAP_PREFETCH && !k->has_prefetch) m.kind = MAP_LINEAR;
  if (k->grid_rank) {
    m.g = (int)chance_below(c, k->grid_rank);
    m.h = (int)chance_below(c, k->grid_rank);
  }
  if (m.kind == MAP_CONST || m.kind == MAP_MIN) m.offset = chance_below(c, 2);
  if (m.kind == MAP_LINEAR && chance_of(c, 20)) { // reversed
    m.scale = -1;
    m.offset = k->grid[m.g] > 0 ? k->grid[m.g] - 1 : 0;
  } else if (m.kind == MAP_LINEAR && chance_of(c, 20)) {
    m.scale = 1 + chance_below(c, 2);
    m.offset = chance_below(c, 2);
  }
  return m;
}

// ---- blocks -------------------------------------------------------------------------------------
static inline void fit_extent(const LaunchCase *k, Chance *c, CaseDim *d) {
  int64_t low, high;
  map_range(k, &d->map, &low, &high);
  switch (d->kind) {
  case BLOCK_BLOCKED:
    d->extent = (high + 1) * d->size;
    if (chance_of(c, 30)) d->extent -= chance_below(c, d->size);
    if (chance_of(c, 10)) d->extent += d->size;
    break;
  case BLOCK_SQUEEZED: d->extent = high + 1 + (chance_of(c, 20) ? 1 : 0); break;
  default: // Element: the last window has an element inside, the first too
    d->extent = high - d->pad_lo + 1 + chance_below(c, d->size + 2);
    if (d->extent < 1) d->extent = 1;
  }
}

static inline CaseDim random_dim(const LaunchCase *k, Chance *c, int64_t size, bool element) {
  CaseDim d = {
      .kind = element ? BLOCK_ELEMENT : BLOCK_BLOCKED, .size = size, .map = random_map(k, c)};
  if (element) {
    static const int64_t units[] = {1, 2, 0};
    d.map.unit = units[chance_below(c, 3)];
    if (d.map.unit == 0) d.map.unit = size;
    if (size > 1 && chance_of(c, 30)) d.pad_lo = 1;
    if (size > 1 && chance_of(c, 30)) d.pad_hi = 1;
  }
  fit_extent(k, c, &d);
  return d;
}

static inline CaseBlock random_block(const LaunchCase *k, Chance *c, BlockRole role) {
  CaseBlock block = {.role = role, .alias = -1, .buffers = 1 + (int)chance_below(c, 3)};
  block.in_smem = chance_of(c, 8);
  if (chance_of(c, 8)) {
    block.is_whole = true;
    block.dims[block.rank++] = (CaseDim){.size = 3, .extent = 3};
    for (int i = 0; i < k->b_rank; i++)
      block.dims[block.rank++] = (CaseDim){.size = k->b[i], .extent = k->b[i]};
    return block;
  }
  block.is_reduced = role == ROLE_OUT && k->b_rank > 0 && chance_of(c, 20);
  bool element = chance_of(c, 15);
  int squeezed = chance_of(c, 25) ? (int)chance_below(c, k->b_rank + 1) : -1;
  int count = k->b_rank - block.is_reduced;
  for (int i = 0; i <= count; i++) {
    if (i == squeezed || (i == count && squeezed > count)) {
      CaseDim d = {.kind = BLOCK_SQUEEZED, .size = 1, .map = random_map(k, c)};
      fit_extent(k, c, &d);
      block.dims[block.rank++] = d;
    }
    if (i < count) block.dims[block.rank++] = random_dim(k, c, k->b[i], element);
  }
  return block;
}

// The common case of real kernels: dimension i of the block follows grid dimension i, or spans the
// array.
static inline void make_regular(const LaunchCase *k, Chance *c, CaseBlock *block) {
  if (block->is_whole) return;
  for (int i = 0; i < block->rank; i++) {
    CaseDim *d = &block->dims[i];
    if (d->kind == BLOCK_ELEMENT) d->kind = BLOCK_BLOCKED, d->pad_lo = d->pad_hi = 0;
    d->map = (IndexMap){.kind = MAP_CONST, .scale = 1, .unit = 1};
    if (i < k->grid_rank && chance_of(c, 85)) d->map.kind = MAP_LINEAR, d->map.g = i;
    int64_t low, high;
    map_range(k, &d->map, &low, &high);
    d->extent = (high + 1) * d->size;
    if (d->kind == BLOCK_BLOCKED && chance_of(c, 20) && d->map.kind == MAP_LINEAR)
      d->extent -= chance_below(c, d->size);
  }
}

// ---- bodies -------------------------------------------------------------------------------------
static inline Stmt *add_stmt(LaunchCase *k, StmtKind kind) {
  ck_assert_int_lt(k->stmt_count, MAX_STMTS);
  Stmt *s = &k->stmts[k->stmt_count++];
  *s = (Stmt){.kind = kind, .value = -1};
  return s;
}

static inline int add_value(LaunchCase *k, Stmt *s) {
  ck_assert_int_lt(k->value_count, MAX_VALUES);
  return s->value = k->value_count++;
}

static inline int load_window(LaunchCase *k, Chance *c, int window) {
  bool whole = window < k->block_count && k->blocks[window].is_whole;
  Stmt *s = add_stmt(k, whole ? STMT_LOAD_AT : STMT_LOAD);
  s->window = window;
  if (k->grid_rank) s->g = (int)chance_below(c, k->grid_rank);
  return add_value(k, s);
}

static inline int add_binary(LaunchCase *k, OpCode op, int x, int y) {
  Stmt *s = add_stmt(k, STMT_BINARY);
  s->op = op;
  s->x = x;
  s->y = y;
  return add_value(k, s);
}

static inline int add_const(LaunchCase *k, int64_t number) {
  Stmt *s = add_stmt(k, STMT_CONST);
  s->number = number;
  return add_value(k, s);
}

static inline int random_input(LaunchCase *k, Chance *c) {
  int inputs = 0;
  for (int i = 0; i < k->block_count; i++) inputs += k->blocks[i].role == ROLE_IN;
  return load_window(k, c, (int)chance_below(c, inputs)); // inputs come first
}

// Whether B fits into the array of block i at its corner.
static inline bool has_corner(const LaunchCase *k, int i) {
  const CaseBlock *b = &k->blocks[i];
  if (b->rank != k->b_rank) return false;
  for (int d = 0; d < b->rank; d++)
    if (b->dims[d].extent < k->b[d]) return false;
  return true;
}

static inline int random_value(LaunchCase *k, Chance *c) {
  int x = random_input(k, c), outer = (int)chance_below(c, k->block_count);
  if (chance_of(c, 6) && has_corner(k, outer)) {
    Stmt *s = add_stmt(k, STMT_LOAD_OUTER);
    s->window = outer;
    x = add_binary(k, OP_ADD, x, add_value(k, s));
  }
  static const OpCode ops[] = {OP_ADD, OP_SUB, OP_MAX, OP_MIN};
  for (int n = (int)chance_below(c, 3); n > 0; n--) {
    int y;
    switch (chance_below(c, 4)) {
    case 0: y = random_input(k, c); break;
    case 1: y = add_const(k, chance_below(c, 7) - 3); break;
    case 2: {
      Stmt *s = add_stmt(k, k->grid_rank ? STMT_GRID : STMT_CONST);
      s->number = chance_below(c, 5);
      if (k->grid_rank) s->g = (int)chance_below(c, k->grid_rank);
      y = add_value(k, s);
      break;
    }
    default: {
      Stmt *s = add_stmt(k, k->b_rank ? STMT_IOTA : STMT_CONST);
      s->number = k->b_rank ? chance_below(c, k->b_rank) : 2;
      y = add_value(k, s);
    }
    }
    x = add_binary(k, ops[chance_below(c, COUNT_OF(ops))], x, y);
  }
  if (k->b_rank && chance_of(c, 15)) {
    Stmt *s = add_stmt(k, STMT_ROW_SUM);
    s->x = x;
    x = add_value(k, s);
  }
  return x;
}

static inline void store_window(LaunchCase *k, Chance *c, int window, int x) {
  const CaseBlock *block = window < k->block_count ? &k->blocks[window] : NULL;
  Stmt *s = add_stmt(k, block && block->is_whole     ? STMT_STORE_AT
                        : block && block->is_reduced ? STMT_REDUCE
                                                     : STMT_STORE);
  s->window = window;
  s->x = x;
  if (k->grid_rank) s->g = (int)chance_below(c, k->grid_rank);
  if (s->kind != STMT_STORE || !k->b_rank) return;
  if (chance_of(c, 6)) {
    s->kind = STMT_MASKED;
    s->y = x;
    return;
  }
  if (!chance_of(c, 12)) return;
  s->kind = STMT_STORE_PART;
  s->g = (int)chance_below(c, k->b_rank);
  s->from = chance_below(c, k->b[s->g]);
  s->to = s->from + 1 + chance_below(c, k->b[s->g] - s->from);
}

// An if whose body is closed by end_if.
static inline int begin_if(LaunchCase *k, Chance *c, bool first_only) {
  Stmt *s = add_stmt(k, STMT_IF);
  for (int g = 0; g < k->grid_rank; g++)
    if (chance_of(c, 60))
      s->conds[s->cond_count++] =
          (Cond){first_only || chance_of(c, 60) ? COND_FIRST
                                                : (CondKind)chance_below(c, 3 + k->has_prefetch),
                 g};
  return k->stmt_count - 1;
}

static inline void end_if(LaunchCase *k, int at) { k->stmts[at].count = k->stmt_count - at - 1; }

static inline void random_output(LaunchCase *k, Chance *c, int out) {
  bool plain = !k->blocks[out].is_whole && !k->blocks[out].is_reduced;
  int scratch = k->scratch_count ? k->block_count + (int)chance_below(c, k->scratch_count) : -1, at,
      x;
  switch (chance_below(c, 8)) {
  case 0: // accumulate in the output window
    if (!plain) break;
    at = begin_if(k, c, !chance_of(c, 15));
    store_window(k, c, out, add_const(k, 0));
    end_if(k, at);
    x = load_window(k, c, out);
    store_window(k, c, out, add_binary(k, OP_ADD, x, random_value(k, c)));
    return;
  case 1:
  case 2: // accumulate in scratch
    if (scratch < 0) break;
    at = begin_if(k, c, !chance_of(c, 15));
    store_window(k, c, scratch, add_const(k, chance_below(c, 3)));
    end_if(k, at);
    x = load_window(k, c, scratch);
    store_window(k, c, scratch, add_binary(k, OP_ADD, x, random_value(k, c)));
    store_window(k, c, out, load_window(k, c, scratch));
    return;
  case 3: // change an input's window
    x = (int)chance_below(c, 2);
    if (x >= k->block_count || k->blocks[x].role != ROLE_IN || k->blocks[x].is_whole) break;
    store_window(k, c, x, add_binary(k, OP_ADD, load_window(k, c, x), add_const(k, 1)));
    store_window(k, c, out, load_window(k, c, x));
    return;
  case 5: // row by row
    x = (int)chance_below(c, 2);
    if (!plain || !k->b_rank || x >= k->block_count || k->blocks[x].role != ROLE_IN ||
        k->blocks[x].is_whole)
      break;
    {
      Stmt *s = add_stmt(k, STMT_COPY_ROWS);
      s->window = out;
      s->y = x;
    }
    return;
  case 4: // only at some steps
    at = begin_if(k, c, false);
    store_window(k, c, out, random_value(k, c));
    end_if(k, at);
    return;
  default: break;
  }
  store_window(k, c, out, random_value(k, c));
}

// ---- a case -------------------------------------------------------------------------------------
static inline int64_t steps_of(const LaunchCase *k) {
  int64_t n = 1;
  for (int i = 0; i < k->grid_rank; i++) n *= k->grid[i];
  return n;
}

static inline void random_grid(LaunchCase *k, Chance *c) {
  k->grid_rank = (int)chance_below(c, MAX_GRID + 1);
  for (int i = 0; i < k->grid_rank; i++) {
    k->grid[i] = chance_of(c, 3) ? 0 : 1 + chance_below(c, 4);
    k->is_dynamic[i] = chance_of(c, 12);
    k->semantics[i] = chance_of(c, 20) ? 'p' : 'a';
  }
  k->has_prefetch = chance_of(c, 30);
  for (int i = 0; i < PREFETCH_COUNT; i++) k->prefetch[i] = (int32_t)chance_below(c, 3);
}

// The block whose array it is.
static inline int array_of(const LaunchCase *k, int block) {
  while (k->blocks[block].alias >= 0) block = k->blocks[block].alias;
  return block;
}

// Whether an input's array is an output's as well.
static inline bool is_aliased(const LaunchCase *k, int block) {
  for (int o = 0; o < k->block_count; o++)
    if (k->blocks[o].role == ROLE_OUT && k->blocks[o].alias >= 0 &&
        array_of(k, o) == array_of(k, block))
      return true;
  return false;
}

// Exchanges the maps of some dimensions that are equal.
static inline void exchange_maps(CaseBlock *block, Chance *c) {
  for (int d = 0; d < block->rank; d++) {
    CaseDim *x = &block->dims[d], *y = &block->dims[chance_below(c, block->rank)];
    if (x->kind != y->kind || x->size != y->size || x->extent != y->extent ||
        x->pad_lo != y->pad_lo || x->pad_hi != y->pad_hi)
      continue;
    IndexMap m = x->map;
    x->map = y->map;
    y->map = m;
  }
}

// An array may be bound several times.
static inline void share_inputs(LaunchCase *k, Chance *c, int inputs) {
  for (int i = 1; i < inputs; i++) {
    int other = (int)chance_below(c, i);
    if (!chance_of(c, 15)) continue;
    k->blocks[i] = k->blocks[other];
    k->blocks[i].alias = other;
    if (!k->blocks[i].is_whole && chance_of(c, 50)) exchange_maps(&k->blocks[i], c);
  }
}

static inline void alias_outputs(LaunchCase *k, Chance *c, int inputs) {
  for (int o = inputs; o < k->block_count; o++) {
    int in = (int)chance_below(c, inputs);
    CaseBlock *out = &k->blocks[o];
    if (!chance_of(c, 20) || out->is_reduced || k->blocks[in].is_whole != out->is_whole) continue;
    if (is_aliased(k, in)) continue;
    CaseBlock old = *out;
    *out = k->blocks[in];
    out->role = ROLE_OUT;
    out->alias = in;
    out->buffers = old.buffers;
    if (!out->is_whole && chance_of(c, 30)) exchange_maps(out, c);
  }
}

static inline LaunchCase random_case(Chance *c) {
  LaunchCase k = {.dtype = chance_of(c, 50) ? DT_I32 : DT_F32};
  random_grid(&k, c);
  k.b_rank = chance_of(c, 5) ? 0 : 1 + (int)chance_below(c, 3);
  static const int64_t sizes[] = {1, 2, 3, 4, 8, 17, 33};
  for (int i = 0; i < k.b_rank; i++) k.b[i] = sizes[chance_below(c, COUNT_OF(sizes))];
  int inputs = 1 + (int)chance_below(c, 3), outputs = 1 + (int)chance_below(c, 2);
  bool regular = chance_of(c, 50);
  k.block_count = inputs + outputs;
  for (int i = 0; i < k.block_count; i++) {
    k.blocks[i] = random_block(&k, c, i < inputs ? ROLE_IN : ROLE_OUT);
    k.blocks[i].by_alloc = chance_of(c, 40);
    if (regular) make_regular(&k, c, &k.blocks[i]);
  }
  share_inputs(&k, c, inputs);
  alias_outputs(&k, c, inputs);
  k.scratch_count = (int)chance_below(c, 3);
  for (int o = inputs; o < k.block_count; o++) random_output(&k, c, o);
  return k;
}

// ---- text ---------------------------------------------------------------------------------------
static inline void put_dims(Buf *out, int rank, const int64_t *dims) {
  for (int i = 0; i < rank; i++) buf_printf(out, "%s%lld", i ? "," : "", (long long)dims[i]);
}

static inline void put_type(Buf *out, const LaunchCase *k, int rank, const int64_t *dims) {
  buf_c(out, dtype_short_name(k->dtype));
  if (!rank) return;
  buf_char(out, '[');
  put_dims(out, rank, dims);
  buf_char(out, ']');
}

static inline int array_dims(const CaseBlock *block, int64_t *dims) {
  for (int i = 0; i < block->rank; i++) dims[i] = block->dims[i].extent;
  return block->rank;
}

static inline int window_dims(const LaunchCase *k, int window, int64_t *dims) {
  memcpy(dims, k->b, sizeof k->b);
  return k->b_rank - (window < k->block_count && k->blocks[window].is_reduced);
}

static inline void put_params(Buf *out, const LaunchCase *k, int number) {
  buf_printf(out, "func @f%d(%%n: hbm i32[%d], %%p: hbm i32[%d]", number, MAX_GRID, PREFETCH_COUNT);
  for (int i = 0; i < k->block_count; i++) {
    int64_t dims[MAX_RANK + 1];
    int rank = array_dims(&k->blocks[i], dims);
    buf_printf(out, ", %s%%a%d: hbm ", k->blocks[i].role == ROLE_OUT ? "out " : "", i);
    put_type(out, k, rank, dims);
  }
  buf_c(out, ") {\n");
}

static inline void put_full_index(Buf *out, int rank) {
  buf_char(out, '[');
  for (int i = 0; i < rank; i++) buf_c(out, i ? ", :" : ":");
  buf_char(out, ']');
}

// The memory of block i: its parameter, memory of the function, or that of the input it shares.
static inline Str array_name(Arena *arena, const LaunchCase *k, int i) {
  bool by_alloc = is_aliased(k, i) || (k->blocks[i].role == ROLE_OUT && k->blocks[i].by_alloc);
  return str_format(arena, by_alloc ? "%%m%d" : "%%a%d", array_of(k, i));
}

static inline void put_copy_of(Buf *out, const LaunchCase *k, const char *from, const char *to,
                               int i, const char *value) {
  int64_t dims[MAX_RANK + 1];
  int rank = array_dims(&k->blocks[i], dims);
  buf_printf(out, "  %%%s%d = load %%%s%d", value, i, from, i);
  put_full_index(out, rank);
  buf_c(out, " : ");
  put_type(out, k, rank, dims);
  buf_printf(out, "\n  store %%%s%d, %%%s%d", value, i, to, i);
  put_full_index(out, rank);
  buf_char(out, '\n');
}

static inline void put_arrays(Buf *out, const LaunchCase *k) {
  for (int i = 0; i < k->block_count; i++) {
    Str name = array_name(out->arena, k, i);
    if (!str_starts_with(name, STR("%m")) || array_of(k, i) != i) continue;
    int64_t dims[MAX_RANK + 1];
    int rank = array_dims(&k->blocks[i], dims);
    buf_printf(out, "  %%m%d = alloc : hbm ", i);
    put_type(out, k, rank, dims);
    buf_char(out, '\n');
    if (k->blocks[i].role == ROLE_IN) put_copy_of(out, k, "a", "m", i, "c");
  }
}

static inline void put_map(Buf *out, const LaunchCase *k, int block) {
  const CaseBlock *b = &k->blocks[block];
  buf_c(out, " at (");
  for (int g = 0; g < k->grid_rank; g++) buf_printf(out, "%s%%g%d_%d", g ? ", " : "", g, block);
  if (k->has_prefetch) buf_printf(out, "%s%%p_%d", k->grid_rank ? ", " : "", block);
  buf_c(out, ") {\n");
  for (int d = 0; d < b->rank; d++) {
    const IndexMap *m = &b->dims[d].map;
    Str g = str_format(out->arena, "%%g%d_%d", m->g, block),
        r = str_format(out->arena, "%%r%d_%d", d, block);
    buf_printf(out, "      %%c%d_%d = const %lld : i32\n", d, block,
               (long long)(m->kind == MAP_HALF || m->kind == MAP_REM ? 2 : m->offset));
    switch (m->kind) {
    case MAP_CONST:
      buf_printf(out, "      %s = max %%c%d_%d, %%c%d_%d : i32\n", r.data, d, block, d, block);
      break;
    case MAP_LINEAR:
      buf_printf(out,
                 "      %%k%d_%d = const %lld : i32\n      %%s%d_%d = mul %s, %%k%d_%d : i32\n     "
                 " %s = add %%s%d_%d, %%c%d_%d : i32\n",
                 d, block, (long long)m->scale, d, block, g.data, d, block, r.data, d, block, d,
                 block);
      break;
    case MAP_HALF:
      buf_printf(out, "      %s = floordiv %s, %%c%d_%d : i32\n", r.data, g.data, d, block);
      break;
    case MAP_SUM:
      buf_printf(out, "      %s = add %s, %%g%d_%d : i32\n", r.data, g.data, m->h, block);
      break;
    case MAP_PREFETCH:
      buf_printf(out, "      %s = load %%p_%d[%s] : i32\n", r.data, block, g.data);
      break;
    case MAP_MIN:
      buf_printf(out, "      %s = min %s, %%c%d_%d : i32\n", r.data, g.data, d, block);
      break;
    case MAP_REM:
      buf_printf(out, "      %s = mod %s, %%c%d_%d : i32\n", r.data, g.data, d, block);
      break;
    }
    buf_printf(out, "      %%u%d_%d = const %lld : i32\n      %%y%d_%d = mul %s, %%u%d_%d : i32\n",
               d, block, (long long)m->unit, d, block, r.data, d, block);
  }
  buf_c(out, "      yield");
  for (int d = 0; d < b->rank; d++) buf_printf(out, "%s %%y%d_%d", d ? "," : "", d, block);
  buf_c(out, "\n    }");
}

static inline void put_block(Buf *out, const LaunchCase *k, int i) {
  const CaseBlock *b = &k->blocks[i];
  int64_t dims[MAX_RANK + 1];
  int rank = b->is_whole ? array_dims(b, dims) : window_dims(k, i, dims);
  buf_printf(out, "    block %%w%d: %s ", i, b->is_whole ? "hbm" : b->in_smem ? "smem" : "vmem");
  put_type(out, k, rank, dims);
  buf_printf(out, " %s %s", b->role == ROLE_IN ? "of" : "to", array_name(out->arena, k, i).data);
  if (b->is_whole) {
    buf_c(out, " whole\n");
    return;
  }
  buf_c(out, " shape [");
  for (int d = 0; d < b->rank; d++) {
    const CaseDim *dim = &b->dims[d];
    if (d) buf_c(out, ", ");
    if (dim->kind == BLOCK_SQUEEZED)
      buf_c(out, "squeezed");
    else if (dim->kind == BLOCK_ELEMENT)
      buf_printf(out, "element %lld pad %lld %lld", (long long)dim->size, (long long)dim->pad_lo,
                 (long long)dim->pad_hi);
    else
      buf_printf(out, "%lld", (long long)dim->size);
  }
  buf_c(out, "]");
  put_map(out, k, i);
  buf_printf(out, " buffers %d\n", b->buffers);
}

static inline void put_splat(Buf *out, const LaunchCase *k, const char *indent, int value,
                             const char *scalar) {
  buf_printf(out, "%s%%v%d = broadcast %s : ", indent, value, scalar);
  put_type(out, k, k->b_rank, k->b);
  buf_char(out, '\n');
}

static inline void put_condition(Buf *out, const LaunchCase *k, const char *in, const Stmt *s,
                                 int number) {
  for (int i = 0; i < s->cond_count; i++) {
    const Cond *c = &s->conds[i];
    static const char *const ops[] = {"eq", "eq", "ne", "eq"};
    int64_t with = c->kind == COND_LAST ? k->grid[c->g] - 1 : 0;
    buf_printf(out, "%s%%q%d_%d = const %lld : i32\n", in, number, i, (long long)with);
    if (c->kind == COND_ODD)
      buf_printf(out, "%s%%o%d_%d = const 2 : i32\n%s%%e%d_%d = rem %%g%d, %%o%d_%d : i32\n", in,
                 number, i, in, number, i, c->g, number, i);
    if (c->kind == COND_PREFETCH)
      buf_printf(out, "%s%%e%d_%d = load %%pf[%%g%d] : i32\n", in, number, i, c->g);
    buf_printf(out, "%s%%b%d_%d = %s %%%s, %%q%d_%d : bool\n", in, number, i, ops[c->kind],
               c->kind == COND_ODD || c->kind == COND_PREFETCH
                   ? str_format(out->arena, "e%d_%d", number, i).data
                   : str_format(out->arena, "g%d", c->g).data,
               number, i);
    if (i == 0)
      buf_printf(out, "%s%%x%d_0 = or %%b%d_0, %%b%d_0 : bool\n", in, number, number, number);
    else
      buf_printf(out, "%s%%x%d_%d = and %%x%d_%d, %%b%d_%d : bool\n", in, number, i, number, i - 1,
                 number, i);
  }
  if (!s->cond_count) buf_printf(out, "%s%%x%d_0 = const true : bool\n", in, number);
}

static inline const char *window_name(Buf *out, const LaunchCase *k, int window) {
  return window < k->block_count ? str_format(out->arena, "%%w%d", window).data
                                 : str_format(out->arena, "%%t%d", window - k->block_count).data;
}

// %x = grid index g rem 3, the place in a whole array.
static inline void put_place(Buf *out, const LaunchCase *k, const char *in, const Stmt *s,
                             int number) {
  if (k->grid_rank)
    buf_printf(out, "%s%%three%d = const 3 : i32\n%s%%place%d = rem %%g%d, %%three%d : i32\n", in,
               number, in, number, s->g, number);
  else
    buf_printf(out, "%s%%place%d = const 1 : i32\n", in, number);
}

static inline void put_place_index(Buf *out, const LaunchCase *k, int number) {
  buf_printf(out, "[%%place%d", number);
  for (int i = 0; i < k->b_rank; i++) buf_c(out, ", :");
  buf_c(out, "]");
}

static inline void put_reduction(Buf *out, const LaunchCase *k, const char *in, const char *name,
                                 const char *op, int x) {
  buf_printf(out, "%s%s = %s %%v%d axes [%d] : ", in, name, op, x, k->b_rank - 1);
  put_type(out, k, k->b_rank - 1, k->b);
  buf_char(out, '\n');
}

static inline void put_stmt(Buf *out, const LaunchCase *k, const char *in, const Stmt *s,
                            int number) {
  int64_t dims[MAX_RANK + 1];
  const char *dtype = dtype_short_name(k->dtype);
  switch (s->kind) {
  case STMT_LOAD:
  case STMT_LOAD_AT:
    if (s->kind == STMT_LOAD_AT) put_place(out, k, in, s, number);
    buf_printf(out, "%s%%v%d = load %s", in, s->value, window_name(out, k, s->window));
    if (s->kind == STMT_LOAD_AT)
      put_place_index(out, k, number);
    else
      put_full_index(out, k->b_rank);
    buf_c(out, " : ");
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  case STMT_CONST:
    buf_printf(out, "%s%%v%d = const %lld : ", in, s->value, (long long)s->number);
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  case STMT_GRID:
    buf_printf(out,
               "%s%%ten%d = const 10 : i32\n%s%%gm%d = mul %%g%d, %%ten%d : i32\n%s%%gk%d = const "
               "%lld : i32\n%s%%ga%d = add %%gm%d, %%gk%d : i32\n",
               in, number, in, number, s->g, number, in, number, (long long)s->number, in, number,
               number, number);
    buf_printf(out, "%s%%gc%d = convert %%ga%d : %s\n", in, number, number, dtype);
    put_splat(out, k, in, s->value, str_format(out->arena, "%%gc%d", number).data);
    break;
  case STMT_IOTA:
    buf_printf(out, "%s%%v%d = iota dim %lld : ", in, s->value, (long long)s->number);
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  case STMT_BINARY:
    buf_printf(out, "%s%%v%d = %s %%v%d, %%v%d : ", in, s->value, op_info(s->op)->name, s->x, s->y);
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  case STMT_ROW_SUM: {
    put_reduction(out, k, in, str_format(out->arena, "%%rs%d", number).data, "reduce_sum", s->x);
    buf_printf(out, "%s%%v%d = broadcast %%rs%d dims [", in, s->value, number);
    for (int i = 0; i < k->b_rank - 1; i++) buf_printf(out, "%s%d", i ? ", " : "", i);
    buf_c(out, "] : ");
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  }
  case STMT_STORE:
    buf_printf(out, "%sstore %%v%d, %s", in, s->x, window_name(out, k, s->window));
    put_full_index(out, k->b_rank);
    buf_char(out, '\n');
    break;
  case STMT_STORE_PART:
    memcpy(dims, k->b, sizeof k->b);
    dims[s->g] = s->to - s->from;
    buf_printf(out, "%s%%sl%d = slice %%v%d starts [", in, number, s->x);
    for (int i = 0; i < k->b_rank; i++)
      buf_printf(out, "%s%lld", i ? ", " : "", (long long)(i == s->g ? s->from : 0));
    buf_c(out, "] limits [");
    for (int i = 0; i < k->b_rank; i++)
      buf_printf(out, "%s%lld", i ? ", " : "", (long long)(i == s->g ? s->to : k->b[i]));
    buf_c(out, "] strides [");
    for (int i = 0; i < k->b_rank; i++) buf_c(out, i ? ", 1" : "1");
    buf_c(out, "] : ");
    put_type(out, k, k->b_rank, dims);
    buf_printf(out, "\n%sstore %%sl%d, %s[", in, number, window_name(out, k, s->window));
    for (int i = 0; i < k->b_rank; i++)
      buf_printf(out, "%s%s", i ? ", " : "",
                 i == s->g ? str_format(out->arena, "%lld : %lld", (long long)s->from,
                                        (long long)(s->to - s->from))
                                 .data
                           : ":");
    buf_c(out, "]\n");
    break;
  case STMT_REDUCE:
    put_reduction(out, k, in, str_format(out->arena, "%%rm%d", number).data, "reduce_max", s->x);
    buf_printf(out, "%sstore %%rm%d, %s", in, number, window_name(out, k, s->window));
    put_full_index(out, k->b_rank - 1);
    buf_char(out, '\n');
    break;
  case STMT_STORE_AT:
    put_place(out, k, in, s, number);
    buf_printf(out, "%sstore %%v%d, %s", in, s->x, window_name(out, k, s->window));
    put_place_index(out, k, number);
    buf_char(out, '\n');
    break;
  case STMT_LOAD_OUTER:
    buf_printf(out, "%s%%v%d = load %s[", in, s->value, array_name(out->arena, k, s->window).data);
    for (int i = 0; i < k->b_rank; i++)
      buf_printf(out, "%s0 : %lld", i ? ", " : "", (long long)k->b[i]);
    buf_c(out, "] : ");
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
    break;
  case STMT_MASKED:
    buf_printf(out, "%s%%mz%d = const 0 : ", in, number);
    put_type(out, k, k->b_rank, k->b);
    buf_printf(out, "\n%s%%mk%d = gt %%v%d, %%mz%d : bool[", in, number, s->y, number);
    put_dims(out, k->b_rank, k->b);
    buf_printf(out, "]\n%sstore %%v%d, %s", in, s->x, window_name(out, k, s->window));
    put_full_index(out, k->b_rank);
    buf_printf(out, " mask %%mk%d\n", number);
    break;
  case STMT_COPY_ROWS:
    buf_printf(out,
               "%s%%l%d = const 0 : i32\n%s%%h%d = const %lld : i32\n%s%%t%d_ = const 1 : "
               "i32\n%sfor %%row%d = %%l%d to %%h%d step %%t%d_ {\n",
               in, number, in, number, (long long)k->b[0], in, number, in, number, number, number,
               number);
    for (int half = 0; half < 2; half++) {
      if (half == 0)
        buf_printf(out, "%s  %%rv%d = load %s[%%row%d", in, number, window_name(out, k, s->y),
                   number);
      else
        buf_printf(out, "%s  store %%rv%d, %s[%%row%d", in, number, window_name(out, k, s->window),
                   number);
      for (int i = 1; i < k->b_rank; i++) buf_c(out, ", :");
      buf_c(out, half ? "]\n" : "] : ");
      if (half) continue;
      put_type(out, k, k->b_rank - 1, k->b + 1);
      buf_char(out, '\n');
    }
    buf_printf(out, "%s}\n", in);
    break;
  case STMT_IF: break; // put_body
  }
}

static inline void put_body(Buf *out, const LaunchCase *k) {
  for (int n = 0; n < k->stmt_count; n++) {
    const Stmt *s = &k->stmts[n];
    if (s->kind != STMT_IF) {
      put_stmt(out, k, "    ", s, n);
      continue;
    }
    put_condition(out, k, "    ", s, n);
    buf_printf(out, "    if %%x%d_%d {\n", n, s->cond_count ? s->cond_count - 1 : 0);
    for (int i = 1; i <= s->count; i++) put_stmt(out, k, "      ", &k->stmts[n + i], n + i);
    buf_c(out, "    }\n");
    n += s->count;
  }
}

static inline void put_launch(Buf *out, const LaunchCase *k) {
  for (int i = 0; i < k->grid_rank; i++)
    if (k->is_dynamic[i]) buf_printf(out, "  %%n%d = load %%n[%d] : i32\n", i, i);
  buf_c(out, "  launch \"k\" grid [");
  for (int i = 0; i < k->grid_rank; i++) {
    if (i) buf_c(out, ", ");
    if (k->is_dynamic[i])
      buf_printf(out, "%%n%d", i);
    else
      buf_printf(out, "%lld", (long long)k->grid[i]);
  }
  buf_c(out, "] ");
  for (int i = 0; i < k->grid_rank; i++)
    buf_printf(out, "%s%s", i ? ", " : "{", k->semantics[i] == 'p' ? "parallel" : "arbitrary");
  buf_c(out, k->grid_rank ? "} {\n" : "{\n");
  if (k->has_prefetch) buf_printf(out, "    prefetch %%pf: smem i32[%d] of %%p\n", PREFETCH_COUNT);
  for (int i = 0; i < k->block_count; i++) put_block(out, k, i);
  for (int i = 0; i < k->scratch_count; i++) {
    buf_printf(out, "    scratch %%t%d: vmem ", i);
    put_type(out, k, k->b_rank, k->b);
    buf_char(out, '\n');
  }
  buf_c(out, "  } body (");
  const char *comma = "";
  for (int i = 0; i < k->grid_rank; i++, comma = ", ") buf_printf(out, "%s%%g%d", comma, i);
  if (k->has_prefetch) buf_printf(out, "%s%%pf", comma), comma = ", ";
  for (int i = 0; i < k->block_count; i++, comma = ", ") buf_printf(out, "%s%%w%d", comma, i);
  for (int i = 0; i < k->scratch_count; i++, comma = ", ") buf_printf(out, "%s%%t%d", comma, i);
  buf_c(out, ") {\n");
  put_body(out, k);
  buf_c(out, "  }\n");
}

static inline void put_case(Buf *out, const LaunchCase *k, int number) {
  put_params(out, k, number);
  put_arrays(out, k);
  put_launch(out, k);
  for (int i = 0; i < k->block_count; i++) {
    Str name = array_name(out->arena, k, i);
    if (k->blocks[i].role != ROLE_OUT || !str_starts_with(name, STR("%m"))) continue;
    int64_t dims[MAX_RANK + 1];
    int rank = array_dims(&k->blocks[i], dims);
    buf_printf(out, "  %%z%d = load %s", i, name.data);
    put_full_index(out, rank);
    buf_c(out, " : ");
    put_type(out, k, rank, dims);
    buf_printf(out, "\n  store %%z%d, %%a%d", i, i);
    put_full_index(out, rank);
    buf_char(out, '\n');
  }
  buf_c(out, "}\n\n");
}
