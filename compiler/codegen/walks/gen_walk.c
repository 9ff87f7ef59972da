// SPDX-License-Identifier: Apache-2.0
// A walk as loops. The last dimension that is kept (or, if the reductions run along rows, reduced)
// is the lane dimension: it is covered by vectors, several at a time; what is left at its end is
// one masked vector, or narrower ones where there are no masks.
#include "codegen/elements/gen_elem.h"
#include "codegen/elements/gen_math.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "gen_stream.h"

enum { MAX_PIECES = 2 * SUM_LANES, MAX_SIDE = 16, CHEAP_WALK = 8 };

// How the lane dimension is cut: `unroll` vectors of `lanes` at a time as long as they fit, then
// the pieces of the rest.
typedef struct Cut {
  int dim; // -1: no lane dimension
  int64_t size, whole;
  unsigned lanes, unroll;
} Cut;

// How a walk's stores may go past the caches.
typedef enum Streaming {
  STREAM_NOT,
  STREAM_WHOLE,  // every row starts at a line
  STREAM_PEELED, // elements up to the first line go one by one, in every row
} Streaming;

typedef struct Emit {
  Cluster *c;
  LlvmGen *g;
  Walk *walk;
  Cut cut;
  bool along_rows;             // reductions end in one element: they run along the lane dimension
  size_t order[MAX_WALK_DIMS]; // dimensions outside of the lane dimension (and, for columns,
                               // reduced ones), outermost first
  size_t outer_count;
  size_t reduced[MAX_WALK_DIMS]; // reduced dimensions apart from the lane dimension
  size_t reduced_count;
  Reduction *reductions;
  size_t reduction_count;
  int shared_dim; // whose range is shared among threads, or -1
  int cross;      // the dimension that some load is dense along, while it is not along the lane
                  // dimension; or -1
  Streaming streaming;
} Emit;

// ---- how wide -----------------------------------------------------------------------------------
static unsigned register_bytes(DType dtype) {
  if (dtype == DT_BOOL) return 1;
  return dtype_is_float(dtype) ? 4 : (unsigned)dtype_size(dtype);
}

static unsigned lanes_of(const Walk *walk, const LlvmGen *g) {
  unsigned widest = 1;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    unsigned bytes =
        walk->nodes.items[i]->kind == NODE_IOTA ? 4 : register_bytes(walk->nodes.items[i]->dtype);
    if (bytes > widest) widest = bytes;
  }
  unsigned lanes = g->target->vector_bytes / widest;
  return lanes < MAX_LANES ? lanes : MAX_LANES;
}

int walk_cost(const Walk *walk) {
  int cost = 0;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    cost += node->kind == NODE_OP ? elem_cost(node->op) : 1;
  }
  return cost;
}

// Polynomials wait for one operation after the other: vectors of two registers keep the processor
// busy meanwhile.
static bool wants_two_registers(const Walk *walk) {
  enum { DEAR = 16 };
  bool found = false;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kind != NODE_OP || elem_cost(node->op) < DEAR) continue;
    if (!math_is_polynomial(node->op->code)) return false;
    found = true;
  }
  return found;
}

static void choose_cut(Emit *e, int dim) {
  Walk *walk = e->walk;
  Cut *cut = &e->cut;
  *cut = (Cut){.dim = dim, .size = dim < 0 ? 1 : walk->space.sizes[dim], .lanes = 1, .unroll = 1};
  if (dim < 0) return;
  cut->lanes = lanes_of(walk, e->g);
  int cost = walk_cost(walk);
  if (e->cross < 0 && wants_two_registers(walk) && cut->lanes * 2 <= SUM_LANES &&
      cut->size >= cut->lanes * 2)
    cut->lanes *= 2;
  cut->unroll = e->g->shares.all ? 1 : cost <= CHEAP_WALK ? 4 : cost <= 30 ? 2 : 1;
  if (walk->has_reduction && e->along_rows && walk->is_ordered) {
    if (cut->lanes > SUM_LANES) cut->lanes = SUM_LANES;
    cut->unroll = SUM_LANES / cut->lanes;
  }
  int64_t step = (int64_t)cut->lanes * cut->unroll;
  while (!walk->is_ordered && cut->unroll > 1 && cut->size < step) {
    cut->unroll /= 2;
    step /= 2;
  }
  cut->whole = cut->size / step * step;
}

// ---- pieces -------------------------------------------------------------------------------------
typedef struct Pieces {
  Lanes items[MAX_PIECES];
  size_t count;
} Pieces;

static void add_piece(Emit *e, Pieces *pieces, unsigned lanes, unsigned active, int64_t shift) {
  Value *values = ARENA_ARRAY(e->c->arena, Value, e->walk->nodes.count + 1);
  pieces->items[pieces->count++] =
      (Lanes){.lanes = lanes, .active = active, .shift = shift, .values = values};
}

static unsigned power_at_least(unsigned n) {
  unsigned power = 1;
  while (power < n) power *= 2;
  return power;
}

static void whole_pieces(Emit *e, Pieces *pieces) {
  pieces->count = 0;
  for (unsigned i = 0; i < e->cut.unroll; i++)
    add_piece(e, pieces, e->cut.lanes, e->cut.lanes, (int64_t)i * e->cut.lanes);
}

static void rest_pieces(Emit *e, Pieces *pieces) {
  pieces->count = 0;
  unsigned rest = (unsigned)(e->cut.size - e->cut.whole), lanes = e->cut.lanes;
  int64_t shift = 0;
  for (; rest >= lanes; rest -= lanes, shift += lanes) add_piece(e, pieces, lanes, lanes, shift);
  if (rest && e->g->target->has_masks) {
    add_piece(e, pieces, power_at_least(rest), rest, shift);
    return;
  }
  for (unsigned width = lanes / 2; width > 0; width /= 2) {
    if (!(rest & width)) continue;
    add_piece(e, pieces, width, width, shift);
    shift += width;
  }
}

// ---- bodies -------------------------------------------------------------------------------------
static uint64_t all_dims(const Emit *e) {
  return e->walk->space.rank == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->walk->space.rank) - 1;
}

static void emit_body(Emit *e, Pieces *pieces) {
  uint64_t not_yet = all_dims(e) & ~e->walk->entered;
  // Long computations side by side would need more registers than there are.
  bool one_by_one = walk_cost(e->walk) > CHEAP_WALK;
  for (size_t i = 0; i < pieces->count && !one_by_one; i++)
    eval_lanes(e->c, e->walk, e->cut.dim, &pieces->items[i], not_yet);
  for (size_t i = 0; i < pieces->count; i++) {
    Lanes *lanes = &pieces->items[i];
    if (one_by_one) eval_lanes(e->c, e->walk, e->cut.dim, lanes, not_yet);
    for (size_t k = 0; k < e->walk->roots.count; k++) {
      Root *root = e->walk->roots.items[k];
      if (root->kind != ROOT_REDUCE) {
        eval_store(e->c, e->walk, root, e->cut.dim, lanes);
        continue;
      }
      Value value = eval_value(e->c, e->walk, root->node, lanes);
      unsigned place = (unsigned)lanes->shift; // from a multiple of all accumulators
      if (e->along_rows)
        reduction_add(e->g, root->reduction, place / e->cut.lanes % root->reduction->count,
                      place % e->cut.lanes, value, lanes->active);
      else
        root->reduction->accumulators[i] =
            reduction_combine(e->g, root->reduction->code, root->reduction->dtype,
                              root->reduction->accumulators[i], value);
    }
  }
}

// All accumulators of all reductions in one array, as loops carry them.
static unsigned gather_accumulators(const Emit *e, Value *out) {
  unsigned count = 0;
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->reductions[i].count; k++)
      out[count++] = e->reductions[i].accumulators[k];
  return count;
}

static void scatter_accumulators(Emit *e, Value const *in) {
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->reductions[i].count; k++) e->reductions[i].accumulators[k] = *in++;
}

static unsigned accumulator_count(const Emit *e) {
  unsigned count = 0;
  for (size_t i = 0; i < e->reduction_count; i++) count += e->reductions[i].count;
  return count;
}

// A loop over `size` in steps, with the accumulators carried, around body(e, data).
typedef void (*Body)(Emit *e, void *data);
static void emit_loop(Emit *e, size_t dim, int64_t size, int64_t step, Body body, void *data) {
  Value *saved = eval_save(e->c, e->walk);
  if (size == step) {
    eval_enter(e->c, e->walk, dim, gen_i64(e->g, 0));
    body(e, data);
  } else {
    Value *carried = ARENA_ARRAY(e->c->arena, Value, accumulator_count(e) + 1);
    unsigned count = gather_accumulators(e, carried);
    Loop loop;
    loop_begin_count(e->g, &loop, size, step, count, carried);
    scatter_accumulators(e, loop.carried);
    eval_enter(e->c, e->walk, dim, loop.index);
    body(e, data);
    gather_accumulators(e, carried);
    loop_end(e->g, &loop, carried);
    scatter_accumulators(e, loop.carried);
  }
  e->walk->entered &= ~(UINT64_C(1) << dim);
  eval_restore(e->walk, saved);
}

// Rows that do not follow one another in memory are too short for the processor to see where they
// go: it is asked for some rows ahead.
static void ask_ahead(Emit *e) {
  enum { ROWS_AHEAD = 4, LEAST_ROW = 4096 };
  const Walk *walk = e->walk;
  if (e->streaming != STREAM_WHOLE || e->outer_count == 0) return;
  size_t outer = e->order[e->outer_count - 1];
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kind != NODE_LOAD || node->is_done || node->form.coef[e->cut.dim] != 1) continue;
    int64_t size = (int64_t)dtype_size(node->mem.dtype), pitch = node->form.coef[outer] * size;
    if (pitch <= e->cut.size * size || e->cut.size * size > LEAST_ROW) continue;
    for (int64_t at = 0; at < (int64_t)e->cut.lanes * e->cut.unroll * size; at += STREAM_ALIGN)
      gen_prefetch(e->g, gen_address(e->g, node->address, ROWS_AHEAD * pitch + at), false);
  }
}

static void body_pieces(Emit *e, void *data) {
  (void)data;
  ask_ahead(e);
  Pieces pieces;
  whole_pieces(e, &pieces);
  emit_body(e, &pieces);
}

// ---- parts of a walk ----------------------------------------------------------------------------
Bounds share_bounds(LlvmGen *g, const Share *share, int64_t size, int64_t step) {
  if (!share->begin) return (Bounds){gen_i64(g, 0), gen_i64(g, size), false};
  Value units = gen_i64(g, size / step), count = gen_i64(g, share->count),
        ends[] = {share->begin, share->end};
  for (int i = 0; i < 2; i++) {
    Value unit = LLVMBuildUDiv(g->builder, emit_mul(g, ends[i], units), count, "");
    ends[i] = emit_mul(g, unit, gen_i64(g, step));
  }
  return (Bounds){ends[0], ends[1], true};
}

static Bounds bounds_of(const Emit *e, size_t dim, int64_t size, int64_t step) {
  Share all = {0};
  return share_bounds(e->g, (int)dim == e->shared_dim ? &e->c->share : &all, size, step);
}

// What is left behind the whole steps belongs to the last share.
static void begin_rest(const Emit *e, Branch *branch) {
  if (e->cut.dim != e->shared_dim) return;
  const Share *share = &e->c->share;
  branch_begin(e->g, branch, emit_icmp_c(e->g, LLVMIntEQ, share->end, share->count), false);
}

static void end_rest(const Emit *e, Branch *branch) {
  if (e->cut.dim != e->shared_dim) return;
  branch_else(e->g, branch);
  branch_end(e->g, branch);
}

// A loop of bodies with nothing carried.
static void emit_range(Emit *e, Value lower, Value upper, int64_t step, bool may_be_empty,
                       Body body) {
  Value *saved = eval_save(e->c, e->walk);
  Loop loop;
  loop_begin(e->g, &loop, lower, upper, step, 0, NULL, may_be_empty);
  eval_enter(e->c, e->walk, (size_t)e->cut.dim, loop.index);
  body(e, NULL);
  loop_end(e->g, &loop, NULL);
  e->walk->entered &= ~(UINT64_C(1) << e->cut.dim);
  eval_restore(e->walk, saved);
}

static void body_element(Emit *e, void *data) {
  (void)data;
  Pieces pieces = {.count = 0};
  add_piece(e, &pieces, 1, 1, 0);
  emit_body(e, &pieces);
}

// One by one up to the first line of the row's output, then whole steps, then one by one.
static void emit_peeled(Emit *e) {
  LlvmGen *g = e->g;
  Root *root = e->walk->roots.items[0];
  int64_t step = (int64_t)e->cut.lanes * e->cut.unroll, size = (int64_t)dtype_size(root->mem.dtype);
  Bounds bounds = bounds_of(e, (size_t)e->cut.dim, e->cut.whole, step);
  Value upper = bounds.upper;
  if (bounds.may_be_empty && e->cut.whole < e->cut.size) {
    Value is_last = emit_icmp_c(g, LLVMIntEQ, e->c->share.end, e->c->share.count);
    upper = emit_select(g, is_last, gen_i64(g, e->cut.size), upper);
  } else if (!bounds.may_be_empty) {
    upper = gen_i64(g, e->cut.size);
  }
  Value off = stream_misalignment(g, root); // the same at every step
  Value head =
      LLVMBuildUDiv(g->builder, emit_and_c(g, emit_sub(g, gen_i64(g, 0), off), STREAM_ALIGN - 1),
                    gen_i64(g, size), "");
  Value first = gen_intrinsic2(g, "llvm.smin", emit_add(g, bounds.lower, head), upper);
  Value count = emit_sub(g, upper, first);
  Value last = emit_add(g, first,
                        emit_sub(g, count, LLVMBuildURem(g->builder, count, gen_i64(g, step), "")));
  root->streams = false;
  emit_range(e, bounds.lower, first, 1, true, body_element);
  root->streams = true;
  emit_range(e, first, last, step, true, body_pieces);
  root->streams = false;
  emit_range(e, last, upper, 1, true, body_element);
}

// What the whole steps leave.
static void emit_lane_rest(Emit *e) {
  size_t dim = (size_t)e->cut.dim;
  Value *saved = eval_save(e->c, e->walk);
  eval_enter(e->c, e->walk, dim, gen_i64(e->g, e->cut.whole));
  Pieces pieces;
  rest_pieces(e, &pieces);
  emit_body(e, &pieces);
  e->walk->entered &= ~(UINT64_C(1) << dim);
  eval_restore(e->walk, saved);
}

// Along the lane dimension: the innermost loop if reductions run along it, or if there are none.
static void emit_lane_dim(Emit *e) {
  if (e->cut.dim < 0) {
    body_pieces(e, NULL);
    return;
  }
  size_t dim = (size_t)e->cut.dim;
  if (e->streaming == STREAM_PEELED) {
    emit_peeled(e);
    return;
  }
  int64_t step = (int64_t)e->cut.lanes * e->cut.unroll;
  if (e->cut.whole && e->cut.dim == e->shared_dim) {
    Bounds bounds = bounds_of(e, dim, e->cut.whole, step);
    emit_range(e, bounds.lower, bounds.upper, step, true, body_pieces);
  } else if (e->cut.whole) {
    emit_loop(e, dim, e->cut.whole, step, body_pieces, NULL);
  }
  if (e->cut.whole == e->cut.size) return;
  Branch branch;
  begin_rest(e, &branch);
  emit_lane_rest(e);
  end_rest(e, &branch);
}

// ---- reductions along rows ----------------------------------------------------------------------
static void emit_reduced_dims(Emit *e, void *data) {
  size_t at = (size_t)(uintptr_t)data;
  if (at == e->reduced_count) {
    emit_lane_dim(e);
    return;
  }
  size_t dim = e->reduced[at];
  emit_loop(e, dim, e->walk->space.sizes[dim], 1, emit_reduced_dims, (void *)(uintptr_t)(at + 1));
}

static void open_reductions(Emit *e, unsigned lanes, unsigned count) {
  size_t at = 0;
  for (size_t i = 0; i < e->walk->roots.count; i++) {
    Root *root = e->walk->roots.items[i];
    if (root->kind == ROOT_REDUCE)
      reduction_open(e->g, e->c->arena, &e->reductions[at++], root, lanes, count);
  }
}

static void store_element(Emit *e, const Root *root, Value value) {
  if (root->result->is_scalar) root->result->scalar = value;
  if (!root->mem.base) return;
  Value store = LLVMBuildStore(e->g->builder, convert_to_storage(e->g, root->mem.dtype, value),
                               root->address);
  gen_set_align(store, (unsigned)dtype_size(root->mem.dtype));
}

static void emit_along_rows(Emit *e) {
  open_reductions(e, e->cut.lanes, e->cut.unroll);
  emit_reduced_dims(e, NULL);
  for (size_t i = 0; i < e->reduction_count; i++)
    store_element(e, e->reductions[i].root, reduction_finish_lanes(e->g, &e->reductions[i]));
}

// ---- reductions along columns: each lane is a result of its own ---------------------------------
typedef struct Strip {
  Pieces *pieces;
  size_t at;
} Strip;

static void body_strip(Emit *e, void *data) {
  Strip *strip = data;
  if (strip->at == e->reduced_count) {
    // What a piece computed for other indices of the reduced dimensions does not hold here.
    Pieces inner = *strip->pieces;
    for (size_t i = 0; i < inner.count; i++) {
      inner.items[i].values = ARENA_ARRAY(e->c->arena, Value, e->walk->nodes.count + 1);
      for (size_t k = 0; k < e->walk->nodes.count; k++)
        inner.items[i].values[k] = strip->pieces->items[i].values[k];
    }
    emit_body(e, &inner);
    return;
  }
  size_t dim = e->reduced[strip->at];
  Strip next = {strip->pieces, strip->at + 1};
  emit_loop(e, dim, e->walk->space.sizes[dim], 1, body_strip, &next);
}

static void store_piece(Emit *e, const Root *root, const Lanes *lanes, Value value) {
  if (root->result->is_scalar) root->result->scalar = value;
  if (!root->mem.base) return;
  LlvmGen *g = e->g;
  DType dtype = root->mem.dtype;
  int64_t step = e->cut.dim < 0 ? 1 : root->offset.coef[e->cut.dim];
  Value address = gen_offset_const(g, root->address, dtype, lanes->shift * step);
  if (step != 1) BUG("a reduction's result is not dense");
  if (lanes->lanes == 1)
    gen_set_align(LLVMBuildStore(g->builder, convert_to_storage(g, dtype, value), address),
                  (unsigned)dtype_size(dtype));
  else
    mem_store_vector(g, value, address, dtype, (unsigned)dtype_size(dtype), lanes->active);
}

static void emit_strip(Emit *e, Pieces *pieces) {
  // Only what does not change along the reduced dimensions; the loops below evaluate the rest.
  uint64_t not_yet = all_dims(e) & ~e->walk->entered;
  for (size_t i = 0; i < pieces->count; i++)
    eval_lanes(e->c, e->walk, e->cut.dim, &pieces->items[i], not_yet);
  size_t at = 0;
  for (size_t i = 0; i < e->walk->roots.count; i++) {
    Root *root = e->walk->roots.items[i];
    if (root->kind != ROOT_REDUCE) BUG("a store inside a reduction along columns");
    Reduction *r = &e->reductions[at++];
    reduction_open(e->g, e->c->arena, r, root, 1, (unsigned)pieces->count);
    for (size_t k = 0; k < pieces->count; k++)
      r->accumulators[k] = gen_splat(e->g, r->identity, pieces->items[k].lanes);
  }
  Strip strip = {pieces, 0};
  body_strip(e, &strip);
  for (size_t i = 0; i < e->reduction_count; i++) {
    const Reduction *r = &e->reductions[i];
    for (size_t k = 0; k < pieces->count; k++)
      store_piece(e, r->root, &pieces->items[k],
                  reduction_result(e->g, r->code, r->dtype, r->accumulators[k]));
  }
}

static void body_whole_strip(Emit *e, void *data) {
  (void)data;
  Pieces pieces;
  whole_pieces(e, &pieces);
  emit_strip(e, &pieces);
}

static void emit_columns(Emit *e) {
  size_t reduction_count = e->reduction_count;
  if (e->cut.dim < 0) {
    body_whole_strip(e, NULL);
    return;
  }
  e->reduction_count = 0; // none is carried by the loop over strips
  Value *saved = eval_save(e->c, e->walk);
  if (e->cut.whole) {
    int64_t step = (int64_t)e->cut.lanes * e->cut.unroll;
    Bounds bounds = bounds_of(e, (size_t)e->cut.dim, e->cut.whole, step);
    Loop loop;
    loop_begin(e->g, &loop, bounds.lower, bounds.upper, step, 0, NULL, bounds.may_be_empty);
    eval_enter(e->c, e->walk, (size_t)e->cut.dim, loop.index);
    e->reduction_count = reduction_count;
    body_whole_strip(e, NULL);
    loop_end(e->g, &loop, NULL);
    eval_restore(e->walk, saved);
  }
  e->reduction_count = reduction_count;
  if (e->cut.whole < e->cut.size) {
    Branch branch;
    begin_rest(e, &branch);
    eval_enter(e->c, e->walk, (size_t)e->cut.dim, gen_i64(e->g, e->cut.whole));
    Pieces pieces;
    rest_pieces(e, &pieces);
    emit_strip(e, &pieces);
    eval_restore(e->walk, saved);
    end_rest(e, &branch);
  }
  e->walk->entered &= ~(UINT64_C(1) << e->cut.dim);
}

// ---- the loops outside --------------------------------------------------------------------------
// ---- squares: what is dense along another dimension is read in vectors, and turned in registers
// ----
static void body_square(Emit *e, void *data) {
  (void)data;
  Walk *walk = e->walk;
  unsigned n = e->cut.lanes;
  Pieces pieces = {.count = 0};
  for (unsigned i = 0; i < n; i++) add_piece(e, &pieces, n, n, 0);
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (eval_is_crossed(walk->nodes.items[i], e->cut.dim, e->cross))
      eval_crossed(e->c, walk->nodes.items[i], e->cut.dim, pieces.items, n);
  Value *saved = eval_save(e->c, walk);
  for (unsigned i = 0; i < n; i++) {
    Pieces row = {.items = {pieces.items[i]}, .count = 1};
    eval_shift(e->c, walk, (size_t)e->cross, i);
    emit_body(e, &row);
    eval_restore(walk, saved);
  }
}

// [lower, upper) of the cross dimension, a multiple of the square's side, in blocks of some lines.
static void emit_squares(Emit *e, Value lower, Value upper) {
  LlvmGen *g = e->g;
  int64_t side = e->cut.lanes, block = side > 16 ? side : 16;
  size_t dims[] = {(size_t)e->cross, (size_t)e->cut.dim};
  Value lowers[] = {lower, gen_i64(g, 0)}, uppers[] = {upper, gen_i64(g, e->cut.whole)}, *saved[2];
  Loop blocks[2], squares[2];
  for (int i = 0; i < 2; i++) loop_begin(g, &blocks[i], lowers[i], uppers[i], block, 0, NULL, true);
  for (int i = 0; i < 2; i++) {
    Value end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, blocks[i].index, block), uppers[i]);
    loop_begin(g, &squares[i], blocks[i].index, end, side, 0, NULL, false);
    saved[i] = eval_save(e->c, e->walk);
    eval_enter(e->c, e->walk, dims[i], squares[i].index);
  }
  body_square(e, NULL);
  for (int i = 2; i-- > 0;) {
    loop_end(g, &squares[i], NULL);
    eval_restore(e->walk, saved[i]);
    e->walk->entered &= ~(UINT64_C(1) << dims[i]);
  }
  for (int i = 2; i-- > 0;) loop_end(g, &blocks[i], NULL);
}

// Rows of the cross dimension one by one: the ends of rows, or whole ones.
static void emit_rows_across(Emit *e, Value lower, Value upper, bool whole) {
  Value *saved = eval_save(e->c, e->walk);
  Loop loop;
  loop_begin(e->g, &loop, lower, upper, 1, 0, NULL, true);
  eval_enter(e->c, e->walk, (size_t)e->cross, loop.index);
  eval_invariant(e->c, e->walk, all_dims(e) & ~e->walk->entered);
  if (whole)
    emit_lane_dim(e);
  else
    emit_lane_rest(e);
  for (size_t i = 0; i < e->walk->nodes.count; i++)
    if (e->walk->nodes.items[i]->depends >> e->cross & 1) e->walk->nodes.items[i]->is_done = false;
  loop_end(e->g, &loop, NULL);
  e->walk->entered &= ~(UINT64_C(1) << e->cross);
  eval_restore(e->walk, saved);
}

static void emit_crossed(Emit *e) {
  int64_t side = e->cut.lanes, size = e->walk->space.sizes[e->cross], whole = size / side * side;
  Bounds bounds = bounds_of(e, (size_t)e->cross, whole, side);
  emit_squares(e, bounds.lower, bounds.upper);
  if (e->cut.whole < e->cut.size) emit_rows_across(e, bounds.lower, bounds.upper, false);
  if (whole == size) return;
  Branch branch;
  bool is_last_share = e->cross == e->shared_dim;
  if (is_last_share)
    branch_begin(e->g, &branch, emit_icmp_c(e->g, LLVMIntEQ, e->c->share.end, e->c->share.count),
                 false);
  emit_rows_across(e, gen_i64(e->g, whole), gen_i64(e->g, size), true);
  if (!is_last_share) return;
  branch_else(e->g, &branch);
  branch_end(e->g, &branch);
}

static void emit_outer(Emit *e, size_t at) {
  uint64_t later = all_dims(e) & ~e->walk->entered;
  eval_invariant(e->c, e->walk, later);
  if (at < e->outer_count) {
    size_t dim = e->order[at];
    Value *saved = eval_save(e->c, e->walk);
    Bounds bounds = bounds_of(e, dim, e->walk->space.sizes[dim], 1);
    Loop loop;
    loop_begin(e->g, &loop, bounds.lower, bounds.upper, 1, 0, NULL, bounds.may_be_empty);
    eval_enter(e->c, e->walk, dim, loop.index);
    emit_outer(e, at + 1);
    loop_end(e->g, &loop, NULL);
    eval_restore(e->walk, saved);
    e->walk->entered &= ~(UINT64_C(1) << dim);
    return;
  }
  if (e->cross >= 0)
    emit_crossed(e);
  else if (!e->walk->has_reduction)
    emit_lane_dim(e);
  else if (e->along_rows)
    emit_along_rows(e);
  else
    emit_columns(e);
}

static int last_dim_of(const Walk *walk, DimKind kind) {
  for (size_t d = walk->space.rank; d-- > 0;)
    if (walk->kinds[d] == kind) return (int)d;
  return -1;
}

// The dimension that the first load which is not dense along the lanes is dense along, if both are
// long enough for squares.
static int find_cross(const Emit *e, int lane) {
  const Walk *walk = e->walk;
  if (lane < 0 || walk->has_reduction || walk->kinds[lane] != DIM_KEPT) return -1;
  int64_t side = lanes_of(walk, e->g);
  if (side > MAX_SIDE) side = MAX_SIDE;
  if (side < 4 || walk->space.sizes[lane] < side) return -1;
  for (size_t i = 0; i < walk->nodes.count; i++)
    for (size_t d = 0; d < walk->space.rank; d++)
      if ((int)d != lane && walk->kinds[d] == DIM_KEPT && walk->space.sizes[d] >= side &&
          eval_is_crossed(walk->nodes.items[i], lane, (int)d))
        return (int)d;
  return -1;
}

static void arrange(Emit *e) {
  Walk *walk = e->walk;
  int last = (int)walk->space.rank - 1;
  int lane = last >= 0 && walk->kinds[last] != DIM_ROW ? last : -1;
  if (walk->has_reduction) {
    int kept = last_dim_of(walk, DIM_KEPT), reduced = last_dim_of(walk, DIM_REDUCED);
    e->along_rows = walk_reduces_rows(walk->shape_rank, walk->shape, walk->reduced);
    lane = e->along_rows ? reduced : kept;
  }
  e->cross = find_cross(e, lane);
  for (size_t d = 0; d < walk->space.rank; d++) {
    if (walk->kinds[d] == DIM_ROW || (int)d == lane || (int)d == e->cross) continue;
    if (walk->kinds[d] == DIM_KEPT)
      e->order[e->outer_count++] = d;
    else
      e->reduced[e->reduced_count++] = d;
  }
  choose_cut(e, lane);
  if (e->cross < 0) return;
  if (e->cut.lanes > MAX_SIDE) e->cut.lanes = MAX_SIDE;
  e->cut.unroll = 1;
  e->cut.whole = e->cut.size / e->cut.lanes * e->cut.lanes;
}

// ---- who does what, and where stores go ---------------------------------------------------------
// The dimension whose range the threads share: the outermost one that is long enough, else the lane
// dimension.
static int choose_shared(const Emit *e) {
  const Walk *walk = e->walk;
  int64_t pieces = e->c->share.count, best = 1;
  int chosen = -1;
  for (size_t i = 0; i < e->outer_count; i++) {
    int64_t size = walk->space.sizes[e->order[i]];
    if (size >= pieces) return (int)e->order[i];
    if (size > best) best = size, chosen = (int)e->order[i];
  }
  if (e->cross >= 0) return walk->space.sizes[e->cross] / e->cut.lanes > best ? e->cross : chosen;
  bool lanes_are_kept = e->cut.dim >= 0 && walk->kinds[e->cut.dim] == DIM_KEPT;
  int64_t steps = e->cut.whole / ((int64_t)e->cut.lanes * e->cut.unroll);
  return lanes_are_kept && steps > best ? e->cut.dim : chosen;
}

// How the walk's stores may stream, if it has nothing else, once all outputs are known to start at
// a line; and if not.
typedef struct Streams {
  Streaming aligned, otherwise;
} Streams;

static Streams find_streams(const Emit *e) {
  // For elements one by one at both ends of each row.
  enum { LEAST_ROW = 2048, MOST_COST = 40, LEAST_CHEAP_ROW = 512 };
  const Walk *walk = e->walk;
  Streams none = {STREAM_NOT, STREAM_NOT};
  if (walk->has_reduction || e->cross >= 0 || e->cut.dim < 0 || e->cut.whole == 0) return none;
  bool is_whole = e->cut.whole == e->cut.size;
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    int64_t size = (int64_t)dtype_size(root->mem.dtype),
            step = (int64_t)e->cut.lanes * e->cut.unroll;
    if (root->offset.coef[e->cut.dim] != 1 || e->cut.lanes * size < 16 ||
        step * size % STREAM_ALIGN)
      return none;
    if (!stream_wanted(e->g, root)) return none;
    for (size_t d = 0; d < walk->space.rank; d++)
      if ((int)d != e->cut.dim && root->offset.coef[d] * size % STREAM_ALIGN) is_whole = false;
  }
  int64_t least = walk_cost(walk) <= CHEAP_WALK ? LEAST_CHEAP_ROW : LEAST_ROW;
  bool can_peel = walk->roots.count == 1 &&
                  ((e->cut.size >= least && walk_cost(walk) <= MOST_COST) || e->g->options->eager);
  Streaming peeled = can_peel ? STREAM_PEELED : STREAM_NOT;
  return (Streams){is_whole ? STREAM_WHOLE : peeled, peeled};
}

static void emit_version(Emit *e, Streaming streaming) {
  Walk *walk = e->walk;
  e->streaming = streaming;
  for (size_t i = 0; i < walk->roots.count; i++)
    walk->roots.items[i]->streams = streaming == STREAM_WHOLE;
  if (streaming != STREAM_NOT) e->c->needs_fence = true;
  eval_begin(e->c, walk);
  for (size_t d = 0; d < walk->space.rank; d++)
    if (walk->kinds[d] == DIM_ROW)
      eval_enter(e->c, walk, d, e->c->row_index[walk->space.origin[d]]);
  emit_outer(e, 0);
}

static void emit_versions(Emit *e) {
  LlvmGen *g = e->g;
  const Walk *walk = e->walk;
  Streams streams = find_streams(e);
  if (streams.aligned == streams.otherwise) {
    emit_version(e, streams.aligned);
    return;
  }
  eval_begin(e->c, e->walk);
  Value off = NULL;
  for (size_t i = 0; i < walk->roots.count; i++) {
    Value own = stream_misalignment(g, walk->roots.items[i]);
    off = off ? LLVMBuildOr(g->builder, off, own, "") : own;
  }
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntEQ, off, 0), false);
  emit_version(e, streams.aligned);
  branch_else(g, &branch);
  emit_version(e, streams.otherwise);
  branch_end(g, &branch);
}

// Of nothing: the identity everywhere.
static void emit_empty(Emit *e) {
  for (size_t i = 0; i < e->walk->roots.count; i++) {
    const Root *root = e->walk->roots.items[i];
    if (root->kind != ROOT_REDUCE) continue;
    Val *result = root->result;
    Value identity = reduction_identity(e->g, root->op->code, root->value->type->dtype);
    if (result->is_scalar) result->scalar = identity;
    if (result->mem.base) mem_fill(e->g, &result->mem, identity);
  }
}

void walk_emit(Cluster *c, Walk *walk) {
  Emit e = {.c = c, .g = c->g, .walk = walk, .shared_dim = -1};
  if (walk->is_empty) {
    emit_empty(&e);
    return;
  }
  arrange(&e);
  for (size_t i = 0; i < walk->roots.count; i++)
    if (walk->roots.items[i]->kind == ROOT_REDUCE) e.reduction_count++;
  e.reductions = ARENA_ARRAY(c->arena, Reduction, e.reduction_count + 1);
  e.shared_dim = c->share.begin ? choose_shared(&e) : -1;
  // Nothing to share: the first thread does it.
  bool is_one_share = c->share.begin && e.shared_dim < 0;
  Branch branch;
  if (is_one_share)
    branch_begin(c->g, &branch, emit_icmp_c(c->g, LLVMIntEQ, c->share.begin, 0), false);
  emit_versions(&e);
  if (!is_one_share) return;
  branch_else(c->g, &branch);
  branch_end(c->g, &branch);
}
