// SPDX-License-Identifier: Apache-2.0
// A walk as loops, as its plan has them: vectors of the lane dimension, several at a time; what is
// left at its end is one masked vector, or narrower ones where there are no masks.
#include <llvm-c/Target.h>
#include "gen_walk.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "gen_interleave.h"
#include "gen_reduce.h"
#include "gen_stream.h"

enum { MAX_PIECES = 2 * SUM_LANES };

typedef struct Emit {
  const WalkCode *w;
  LlvmGen *g;
  const Walk *walk;
  const Loops *loops;
  const Share *share;
  const size_t *nodes_before; // of each root
  Reduction *reductions;
  size_t reduction_count; // of those that the loop at hand carries
  Streaming streaming;
  bool streams; // the stores at hand go past the caches
} Emit;

// ---- pieces -------------------------------------------------------------------------------------
typedef struct Pieces {
  Lanes items[MAX_PIECES];
  size_t count;
} Pieces;

static void add_piece(Emit *e, Pieces *pieces, unsigned lanes, unsigned active, int64_t shift) {
  Value *values = ARENA_ARRAY(e->w->arena, Value, e->walk->nodes.count + 1);
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
  for (unsigned i = 0; i < e->loops->unroll; i++)
    add_piece(e, pieces, e->loops->lanes, e->loops->lanes, (int64_t)i * e->loops->lanes);
}

static void rest_pieces(Emit *e, Pieces *pieces) {
  pieces->count = 0;
  unsigned rest = (unsigned)(e->loops->size - e->loops->whole), lanes = e->loops->lanes;
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
static Reduction *reduction_of(const Emit *e, const Root *root) {
  for (size_t i = 0; i < e->reduction_count; i++)
    if (e->reductions[i].root == root) return &e->reductions[i];
  BUG("a reduction that is not open");
}

static void reduce_piece(Emit *e, const Point *point, const Root *root, const Lanes *lanes,
                         size_t piece) {
  Reduction *r = reduction_of(e, root);
  Value value = eval_value(e->w, point, root->node, lanes);
  unsigned place = (unsigned)lanes->shift; // from a multiple of all accumulators
  if (e->loops->along_rows)
    reduction_add(e->g, r, place / e->loops->lanes % r->count, place % e->loops->lanes, value,
                  lanes->active);
  else
    reduction_step(e->g, r, piece, value);
}

static void finish_root(Emit *e, const Point *point, size_t root_number, const Lanes *lanes,
                        size_t piece) {
  const Root *root = e->walk->roots.items[root_number];
  if (root->kind == ROOT_REDUCE)
    reduce_piece(e, point, root, lanes, piece);
  else if (!interleave_store(e->w, point, root, e->loops->lane_dim, lanes))
    eval_store(e->w, point, root, e->loops->lane_dim, lanes, e->streams);
}

// Each root is stored as soon as it may be: code that was unrolled has more of them than registers.
static void emit_piece(Emit *e, const Point *point, Lanes *lanes) {
  size_t done = 0;
  for (size_t k = 0; k < e->walk->roots.count; k++) {
    if (e->nodes_before[k] > done) {
      eval_some_lanes(e->w, point, e->loops->lane_dim, lanes, done, e->nodes_before[k]);
      done = e->nodes_before[k];
    }
    finish_root(e, point, k, lanes, 0);
  }
}

static void emit_body(Emit *e, const Point *point, Pieces *pieces) {
  if (pieces->count == 1) {
    emit_piece(e, point, &pieces->items[0]);
    return;
  }
  // Long computations side by side would need more registers than there are.
  bool one_by_one = !plan_waits_for_memory(e->walk) && !e->loops->side_by_side;
  int lane_dim = e->loops->lane_dim;
  if (e->loops->side_by_side)
    eval_side_by_side(e->w, point, lane_dim, pieces->items, pieces->count);
  for (size_t i = 0; i < pieces->count && !one_by_one && !e->loops->side_by_side; i++)
    eval_lanes(e->w, point, lane_dim, &pieces->items[i]);
  for (size_t i = 0; i < pieces->count; i++) {
    Lanes *lanes = &pieces->items[i];
    if (one_by_one) eval_lanes(e->w, point, lane_dim, lanes);
    for (size_t k = 0; k < e->walk->roots.count; k++) finish_root(e, point, k, lanes, i);
  }
}

// All accumulators of all reductions in one array, as loops carry them.
static unsigned gather_accumulators(const Emit *e, Value *out) {
  unsigned count = 0;
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->reductions[i].carried; k++)
      out[count++] = e->reductions[i].accumulators[k];
  return count;
}

static void scatter_accumulators(Emit *e, Value const *in) {
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->reductions[i].carried; k++)
      e->reductions[i].accumulators[k] = *in++;
}

static unsigned accumulator_count(const Emit *e) {
  unsigned count = 0;
  for (size_t i = 0; i < e->reduction_count; i++) count += e->reductions[i].carried;
  return count;
}

// Where the lanes come last, what does not change along them is computed once, before them.
static Point enter_reduced(const Emit *e, const Point *outer, size_t dim, Value index) {
  Point point = point_enter(e->w, outer, dim, index);
  int lane_dim = e->loops->lane_dim;
  if (lane_dim >= 0 && !(point.entered >> lane_dim & 1)) eval_invariant(e->w, &point);
  return point;
}

// A loop over `size` in steps, with the accumulators carried, around body(e, point, data).
typedef void (*Body)(Emit *e, const Point *point, void *data);
static void emit_loop(Emit *e, const Point *outer, size_t dim, int64_t size, int64_t step,
                      Body body, void *data) {
  if (size == step) {
    Point point = enter_reduced(e, outer, dim, gen_i64(e->g, 0));
    body(e, &point, data);
    return;
  }
  Value *carried = ARENA_ARRAY(e->w->arena, Value, accumulator_count(e) + 1);
  unsigned count = gather_accumulators(e, carried);
  Loop loop;
  loop_begin_count(e->g, &loop, size, step, count, carried);
  scatter_accumulators(e, loop.carried);
  Point point = enter_reduced(e, outer, dim, loop.index);
  body(e, &point, data);
  gather_accumulators(e, carried);
  loop_end(e->g, &loop, carried);
  scatter_accumulators(e, loop.carried);
}

// Rows that do not follow one another in memory are too short for the processor to see where they
// go: some rows ahead are asked for.
static void ask_ahead(const Emit *e, const Point *point) {
  // Prefetchers of CPUs stop at the end of a page: longer rows are found by themselves. ROWS_AHEAD
  // is a choice.
  enum { ROWS_AHEAD = 4, LEAST_ROW = 4096 };
  const Loops *loops = e->loops;
  if (e->streaming != STREAM_WHOLE || loops->outer.count == 0) return;
  size_t outer = loops->outer.items[loops->outer.count - 1];
  for (size_t i = 0; i < e->walk->nodes.count; i++) {
    const Node *node = e->walk->nodes.items[i];
    if (node->kind != NODE_LOAD || node->at.coef[loops->lane_dim] != 1) continue;
    int64_t size = (int64_t)dtype_size(node->memory->type->dtype),
            pitch = node->at.coef[outer] * size, row = loops->size * size;
    if (pitch <= row || row > LEAST_ROW) continue;
    for (int64_t at = 0; at < loops_step(loops) * size; at += LINE_BYTES)
      gen_prefetch(e->g, gen_address(e->g, point->addresses[i], ROWS_AHEAD * pitch + at), false);
  }
}

static void body_pieces(Emit *e, const Point *point, void *data UNUSED) {
  ask_ahead(e, point);
  Pieces pieces;
  whole_pieces(e, &pieces);
  emit_body(e, point, &pieces);
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
  return share_bounds(e->g, (int)dim == e->loops->shared_dim ? e->share : &all, size, step);
}

// What is left behind the whole steps of the shared dimension belongs to the last share.
static Value is_last_share(const Emit *e) {
  return emit_icmp_c(e->g, LLVMIntEQ, e->share->end, e->share->count);
}

// A loop of bodies along the lane dimension with nothing carried.
static void emit_range(Emit *e, const Point *outer, Value lower, Value upper, int64_t step,
                       bool may_be_empty, Body body) {
  Loop loop;
  loop_begin(e->g, &loop, lower, upper, step, 0, NULL, may_be_empty);
  Point point = point_enter(e->w, outer, (size_t)e->loops->lane_dim, loop.index);
  body(e, &point, NULL);
  loop_end(e->g, &loop, NULL);
}

// ---- passes -------------------------------------------------------------------------------------
typedef struct Passes {
  size_t count;
  size_t *first, *last; // of each node: the pass that it is computed in, and the last that uses it
  Mem *
      kept; // of nodes that later passes use: for the elements of a piece; the others' have no base
  Buffer **buffers;
} Passes;

static size_t first_of_pass(const Emit *e, size_t pass) {
  return pass ? e->loops->cuts.items[pass - 1] : 0;
}

static size_t end_of_pass(const Emit *e, size_t pass) {
  return pass < e->loops->cuts.count ? e->loops->cuts.items[pass] : e->walk->nodes.count;
}

// Roots are finished in the last pass.
static void find_passes(const Emit *e, Passes *passes) {
  const Walk *walk = e->walk;
  passes->count = e->loops->cuts.count + 1;
  for (size_t pass = 0; pass < passes->count; pass++)
    for (size_t i = first_of_pass(e, pass); i < end_of_pass(e, pass); i++) {
      const Node *node = walk->nodes.items[i];
      passes->first[i] = passes->last[i] = pass;
      for (unsigned k = 0; k < node->operand_count; k++)
        passes->last[node->operands[k]->number] = pass;
    }
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    passes->last[root->node->number] = passes->count - 1;
    if (root->mask) passes->last[root->mask->number] = passes->count - 1;
  }
}

static Passes open_passes(const Emit *e) {
  const Walk *walk = e->walk;
  Arena *arena = e->w->arena;
  size_t count = walk->nodes.count;
  Passes passes = {.first = ARENA_ARRAY(arena, size_t, count),
                   .last = ARENA_ARRAY(arena, size_t, count),
                   .kept = ARENA_ARRAY(arena, Mem, count),
                   .buffers = ARENA_ARRAY(arena, Buffer *, count)};
  find_passes(e, &passes);
  const int64_t size = PASS_ELEMENTS;
  for (size_t i = 0; i < count; i++) {
    const Node *node = walk->nodes.items[i];
    if (!(node->depends >> e->loops->lane_dim & 1) || passes.last[i] == passes.first[i]) continue;
    passes.buffers[i] = frame_take_array(e->g, node->value->type->dtype, 1, &size, &passes.kept[i]);
  }
  return passes;
}

static Value kept_address(Emit *e, const Mem *kept, Value place, int64_t shift) {
  return gen_offset_const(e->g, gen_offset(e->g, kept->base, kept->dtype, place), kept->dtype,
                          shift);
}

// What vectors of earlier passes are used in this one or later.
static void load_kept(Emit *e, const Passes *passes, size_t pass, Value place, Lanes *lanes) {
  for (size_t i = 0; i < first_of_pass(e, pass); i++) {
    const Mem *kept = &passes->kept[i];
    if (!kept->base || passes->last[i] < pass) continue;
    lanes->values[i] =
        mem_load_vector(e->g, kept_address(e, kept, place, lanes->shift), kept->dtype,
                        (unsigned)dtype_size(kept->dtype), lanes->lanes, lanes->lanes);
  }
}

static void store_kept(Emit *e, const Point *point, const Passes *passes, size_t pass, Value place,
                       const Lanes *lanes) {
  for (size_t i = first_of_pass(e, pass); i < end_of_pass(e, pass); i++) {
    const Mem *kept = &passes->kept[i];
    if (kept->base)
      mem_store_vector(e->g, eval_value(e->w, point, e->walk->nodes.items[i], lanes),
                       kept_address(e, kept, place, lanes->shift), kept->dtype,
                       (unsigned)dtype_size(kept->dtype), lanes->lanes);
  }
}

// `place`: of the point, in the piece.
static void emit_pass_body(Emit *e, const Point *point, const Passes *passes, size_t pass,
                           Value place) {
  Pieces pieces;
  if (pass == 0) ask_ahead(e, point);
  whole_pieces(e, &pieces);
  for (size_t p = 0; p < pieces.count; p++) {
    Lanes *lanes = &pieces.items[p];
    load_kept(e, passes, pass, place, lanes);
    eval_some_lanes(e->w, point, e->loops->lane_dim, lanes, first_of_pass(e, pass),
                    end_of_pass(e, pass));
    store_kept(e, point, passes, pass, place, lanes);
    for (size_t k = 0; pass == passes->count - 1 && k < e->walk->roots.count; k++)
      finish_root(e, point, k, lanes, p);
  }
}

// The steps from `lower` to `upper`; the last pass carries the accumulators.
static void emit_pass(Emit *e, const Point *outer, const Passes *passes, size_t pass, Value lower,
                      Value upper) {
  const Loops *loops = e->loops;
  Value *carried = ARENA_ARRAY(e->w->arena, Value, accumulator_count(e) + 1);
  unsigned count = pass == passes->count - 1 ? gather_accumulators(e, carried) : 0;
  Loop loop;
  loop_begin(e->g, &loop, lower, upper, loops_step(loops), count, carried, false);
  if (count) scatter_accumulators(e, loop.carried);
  Point point = point_enter(e->w, outer, (size_t)loops->lane_dim, loop.index);
  emit_pass_body(e, &point, passes, pass, emit_sub(e->g, loop.index, lower));
  if (count) gather_accumulators(e, carried);
  loop_end(e->g, &loop, carried);
  if (count) scatter_accumulators(e, loop.carried);
}

// Pieces of the lane dimension, each pass by pass.
static void emit_passes(Emit *e, const Point *outer, const Bounds *bounds) {
  LlvmGen *g = e->g;
  Passes passes = open_passes(e);
  int64_t step = loops_step(e->loops), piece = PASS_ELEMENTS / step * step;
  Value *carried = ARENA_ARRAY(e->w->arena, Value, accumulator_count(e) + 1);
  unsigned count = gather_accumulators(e, carried);
  Loop loop;
  loop_begin(g, &loop, bounds->lower, bounds->upper, piece, count, carried, bounds->may_be_empty);
  scatter_accumulators(e, loop.carried);
  Value end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, piece), bounds->upper);
  for (size_t i = 0; i < passes.count; i++) emit_pass(e, outer, &passes, i, loop.index, end);
  gather_accumulators(e, carried);
  loop_end(g, &loop, carried);
  scatter_accumulators(e, loop.carried);
  for (size_t i = 0; i < e->walk->nodes.count; i++)
    if (passes.buffers[i]) frame_give(g, passes.buffers[i]);
}

// ---- the lane dimension -------------------------------------------------------------------------
static void body_element(Emit *e, const Point *point, void *data UNUSED) {
  Pieces pieces = {.count = 0};
  add_piece(e, &pieces, 1, 1, 0);
  emit_body(e, point, &pieces);
}

// One by one up to the first line of the row's output, then whole steps, then one by one.
static void emit_peeled(Emit *e, const Point *outer) {
  LlvmGen *g = e->g;
  const Loops *loops = e->loops;
  const Root *root = e->walk->roots.items[0];
  int64_t step = loops_step(loops), size = (int64_t)dtype_size(eval_root_dtype(root));
  Bounds bounds = bounds_of(e, (size_t)loops->lane_dim, loops->whole, step);
  Value upper = bounds.upper;
  if (bounds.may_be_empty && loops->whole < loops->size)
    upper = emit_select(g, is_last_share(e), gen_i64(g, loops->size), upper);
  else if (!bounds.may_be_empty)
    upper = gen_i64(g, loops->size);
  Value off =
      stream_misalignment(g, eval_root_address(e->w, outer, root)); // the same at every step
  Value head =
      LLVMBuildUDiv(g->builder, emit_and_c(g, emit_sub(g, gen_i64(g, 0), off), LINE_BYTES - 1),
                    gen_i64(g, size), "");
  Value first = gen_intrinsic2(g, "llvm.smin", emit_add(g, bounds.lower, head), upper);
  Value count = emit_sub(g, upper, first);
  Value last = emit_add(g, first,
                        emit_sub(g, count, LLVMBuildURem(g->builder, count, gen_i64(g, step), "")));
  emit_range(e, outer, bounds.lower, first, 1, true, body_element);
  e->streams = true;
  if (loops->cuts.count)
    emit_passes(e, outer, &(Bounds){first, last, true});
  else
    emit_range(e, outer, first, last, step, true, body_pieces);
  e->streams = false;
  emit_range(e, outer, last, upper, 1, true, body_element);
}

// What the whole steps leave.
static void emit_lane_rest(Emit *e, const Point *outer) {
  Point point =
      point_enter(e->w, outer, (size_t)e->loops->lane_dim, gen_i64(e->g, e->loops->whole));
  Pieces pieces;
  rest_pieces(e, &pieces);
  emit_body(e, &point, &pieces);
}

// What the whole steps of a dimension leave: the last share does it, if the dimension is shared.
typedef void (*Rest)(Emit *e, const Point *outer);
static void emit_rest(Emit *e, const Point *outer, int dim, Rest rest) {
  Branch branch;
  bool is_shared = dim == e->loops->shared_dim;
  if (is_shared) branch_begin(e->g, &branch, is_last_share(e), false);
  rest(e, outer);
  if (is_shared) branch_end_then(e->g, &branch);
}

// Along the lane dimension: the innermost loop if reductions run along it, or if there are none.
static void emit_lane_dim(Emit *e, const Point *outer) {
  const Loops *loops = e->loops;
  if (loops->lane_dim < 0) {
    body_pieces(e, outer, NULL);
    return;
  }
  size_t dim = (size_t)loops->lane_dim;
  if (e->streaming == STREAM_PEELED) {
    emit_peeled(e, outer);
    return;
  }
  int64_t step = loops_step(loops);
  if (loops->cuts.count) {
    Bounds bounds = bounds_of(e, dim, loops->whole, step);
    emit_passes(e, outer, &bounds);
  } else if (loops->whole && loops->lane_dim == loops->shared_dim) {
    Bounds bounds = bounds_of(e, dim, loops->whole, step);
    emit_range(e, outer, bounds.lower, bounds.upper, step, true, body_pieces);
  } else if (loops->whole) {
    emit_loop(e, outer, dim, loops->whole, step, body_pieces, NULL);
  }
  if (loops->whole < loops->size) emit_rest(e, outer, loops->lane_dim, emit_lane_rest);
}

// ---- reductions along rows ----------------------------------------------------------------------
static void emit_reduced_dims(Emit *e, const Point *point, void *data) {
  size_t at = (size_t)(uintptr_t)data;
  if (at == e->loops->reduced.count) {
    emit_lane_dim(e, point);
    return;
  }
  size_t dim = e->loops->reduced.items[at];
  emit_loop(e, point, dim, e->walk->space.sizes[dim], 1, emit_reduced_dims,
            (void *)(uintptr_t)(at + 1));
}

static void open_reductions(Emit *e, unsigned lanes, unsigned count) {
  size_t at = 0;
  for (size_t i = 0; i < e->walk->roots.count; i++) {
    const Root *root = e->walk->roots.items[i];
    if (root->kind == ROOT_REDUCE)
      reduction_open(e->g, e->w->arena, &e->reductions[at++], root, lanes, count, e->loops->lanes);
  }
}

// The piece of a reduction's result.
static void store_result(Emit *e, const Point *point, const Root *root, const Lanes *lanes,
                         Value value) {
  LlvmGen *g = e->g;
  if (root->result->is_scalar) e->w->places[root->result->number].scalar = value;
  Value start = eval_root_address(e->w, point, root);
  if (!start) return;
  DType dtype = eval_root_dtype(root);
  int64_t step =
      e->loops->lane_dim < 0 || e->loops->along_rows ? 1 : root->at.coef[e->loops->lane_dim];
  Value address = gen_offset_const(g, start, dtype, lanes->shift * step);
  if (step != 1) BUG("a reduction's result is not dense");
  if (lanes->lanes == 1)
    mem_store_raw(g, convert_to_storage(g, dtype, value), address, dtype);
  else
    mem_store_vector(g, value, address, dtype, (unsigned)dtype_size(dtype), lanes->active);
}

static void emit_along_rows(Emit *e, const Point *point) {
  static const Lanes one = {.lanes = 1, .active = 1};
  open_reductions(e, e->loops->lanes, e->loops->unroll);
  emit_reduced_dims(e, point, NULL);
  for (size_t i = 0; i < e->reduction_count; i++)
    store_result(e, point, e->reductions[i].root, &one,
                 reduction_finish_lanes(e->g, &e->reductions[i]));
}

// ---- reductions along columns: each lane is a result of its own ---------------------------------
typedef struct Strip {
  Pieces *pieces;
  size_t at;
} Strip;

static void body_strip(Emit *e, const Point *point, void *data) {
  Strip *strip = data;
  if (strip->at == e->loops->reduced.count) {
    // What a piece computed for other indices of the reduced dimensions does not hold here.
    Pieces inner = *strip->pieces;
    for (size_t i = 0; i < inner.count; i++) {
      inner.items[i].values = ARENA_ARRAY(e->w->arena, Value, e->walk->nodes.count + 1);
      for (size_t k = 0; k < e->walk->nodes.count; k++)
        inner.items[i].values[k] = strip->pieces->items[i].values[k];
    }
    emit_body(e, point, &inner);
    return;
  }
  size_t dim = e->loops->reduced.items[strip->at];
  Strip next = {strip->pieces, strip->at + 1};
  emit_loop(e, point, dim, e->walk->space.sizes[dim], 1, body_strip, &next);
}

static void emit_strip(Emit *e, const Point *point, Pieces *pieces) {
  // Only what does not change along the reduced dimensions; the loops below evaluate the rest.
  for (size_t i = 0; i < pieces->count; i++)
    eval_lanes(e->w, point, e->loops->lane_dim, &pieces->items[i]);
  if (e->reduction_count < e->walk->roots.count) BUG("a store inside a reduction along columns");
  open_reductions(e, 1, (unsigned)pieces->count);
  for (size_t i = 0; i < e->reduction_count; i++)
    for (size_t k = 0; k < pieces->count; k++)
      e->reductions[i].accumulators[k] =
          gen_splat(e->g, e->reductions[i].identity, pieces->items[k].lanes);
  Strip strip = {pieces, 0};
  body_strip(e, point, &strip);
  for (size_t i = 0; i < e->reduction_count; i++) {
    const Reduction *r = &e->reductions[i];
    for (size_t k = 0; k < pieces->count; k++)
      store_result(e, point, r->root, &pieces->items[k],
                   reduction_result(e->g, r, r->accumulators[k]));
  }
}

static void body_whole_strip(Emit *e, const Point *point, void *data UNUSED) {
  Pieces pieces;
  whole_pieces(e, &pieces);
  emit_strip(e, point, &pieces);
}

static void emit_strip_rest(Emit *e, const Point *outer) {
  Point point =
      point_enter(e->w, outer, (size_t)e->loops->lane_dim, gen_i64(e->g, e->loops->whole));
  Pieces pieces;
  rest_pieces(e, &pieces);
  emit_strip(e, &point, &pieces);
}

// ---- bands: some rows go together through a block of columns, whose partial results lie in memory
typedef struct Block {
  Value lower, upper; // columns
  Buffer **partial;   // of each reduction, in what it is computed in
} Block;

// Columns of the block, from its first whole step on, with their partial results.
typedef struct Columns {
  Loop loop;
  Value place; // of the first column in the block
} Columns;

static void columns_begin(Emit *e, const Block *block, Columns *columns) {
  int64_t step = loops_step(e->loops);
  loop_begin(e->g, &columns->loop, block->lower, block->upper, step, 0, NULL, false);
  columns->place = emit_sub(e->g, columns->loop.index, block->lower);
  open_reductions(e, 1, e->loops->unroll);
}

// Truth values are bytes in memory.
static Type partial_type(const Emit *e, const Reduction *r) {
  return r->dtype == DT_BOOL ? e->g->i8 : gen_compute_type(e->g, r->dtype, 1);
}

static Value partial_address(Emit *e, const Block *block, size_t reduction, Value place,
                             unsigned piece) {
  Value at = emit_add_c(e->g, place, (int64_t)piece * e->loops->lanes);
  return LLVMBuildGEP2(e->g->builder, partial_type(e, &e->reductions[reduction]),
                       frame_address(e->g, block->partial[reduction]), &at, 1, "");
}

static Type partial_vector(const Emit *e, const Reduction *r) {
  return LLVMVectorType(partial_type(e, r), e->loops->lanes);
}

static unsigned bytes_of(const Emit *e, Type type) {
  return (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(e->g->module), type);
}

static void store_partial(Emit *e, const Block *block, Value place) {
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->loops->unroll; k++) {
      const Reduction *r = &e->reductions[i];
      Type type = partial_vector(e, r);
      Value value = r->accumulators[k];
      if (r->dtype == DT_BOOL) value = LLVMBuildZExt(e->g->builder, value, type, "");
      gen_set_align(LLVMBuildStore(e->g->builder, value, partial_address(e, block, i, place, k)),
                    bytes_of(e, type));
    }
}

static void load_partial(Emit *e, const Block *block, Value place) {
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->loops->unroll; k++) {
      Reduction *r = &e->reductions[i];
      Type type = partial_vector(e, r);
      Value value = LLVMBuildLoad2(e->g->builder, type, partial_address(e, block, i, place, k), "");
      gen_set_align(value, bytes_of(e, type));
      if (r->dtype == DT_BOOL)
        value = LLVMBuildTrunc(e->g->builder, value, LLVMVectorType(e->g->i1, e->loops->lanes), "");
      r->accumulators[k] = value;
    }
}

static void begin_partial(Emit *e, const Block *block) {
  Columns columns;
  columns_begin(e, block, &columns);
  for (size_t i = 0; i < e->reduction_count; i++)
    for (unsigned k = 0; k < e->loops->unroll; k++)
      e->reductions[i].accumulators[k] =
          gen_splat(e->g, e->reductions[i].identity, e->loops->lanes);
  store_partial(e, block, columns.place);
  loop_end(e->g, &columns.loop, NULL);
}

static void finish_partial(Emit *e, const Point *outer, const Block *block) {
  Columns columns;
  columns_begin(e, block, &columns);
  load_partial(e, block, columns.place);
  Point point = point_enter(e->w, outer, (size_t)e->loops->lane_dim, columns.loop.index);
  Pieces pieces;
  whole_pieces(e, &pieces);
  for (size_t i = 0; i < e->reduction_count; i++)
    for (size_t k = 0; k < pieces.count; k++)
      store_result(e, &point, e->reductions[i].root, &pieces.items[k],
                   reduction_result(e->g, &e->reductions[i], e->reductions[i].accumulators[k]));
  loop_end(e->g, &columns.loop, NULL);
}

// `count` rows from `index` on.
static void emit_band(Emit *e, const Point *outer, const Block *block, size_t dim, Value index,
                      int64_t count) {
  Point *rows = ARENA_ARRAY(e->w->arena, Point, count);
  for (int64_t i = 0; i < count; i++) {
    rows[i] = point_enter(e->w, outer, dim, emit_add_c(e->g, index, i));
    eval_invariant(e->w, &rows[i]);
  }
  Columns columns;
  columns_begin(e, block, &columns);
  load_partial(e, block, columns.place);
  for (int64_t i = 0; i < count; i++) {
    Point point = point_enter(e->w, &rows[i], (size_t)e->loops->lane_dim, columns.loop.index);
    Pieces pieces;
    whole_pieces(e, &pieces);
    emit_body(e, &point, &pieces);
  }
  store_partial(e, block, columns.place);
  loop_end(e->g, &columns.loop, NULL);
}

static void emit_bands(Emit *e, const Point *outer, const Block *block, size_t at) {
  size_t dim = e->loops->reduced.items[at];
  bool is_last = at + 1 == e->loops->reduced.count;
  int64_t size = e->walk->space.sizes[dim], step = is_last ? e->loops->band : 1,
          whole = size / step * step;
  Loop loop;
  loop_begin_count(e->g, &loop, whole, step, 0, NULL);
  if (is_last) {
    emit_band(e, outer, block, dim, loop.index, step);
  } else {
    Point point = point_enter(e->w, outer, dim, loop.index);
    eval_invariant(e->w, &point);
    emit_bands(e, &point, block, at + 1);
  }
  loop_end(e->g, &loop, NULL);
  if (whole < size) emit_band(e, outer, block, dim, gen_i64(e->g, whole), size - whole);
}

static void emit_blocks(Emit *e, const Point *outer, const Bounds *bounds) {
  LlvmGen *g = e->g;
  Block block = {.partial = ARENA_ARRAY(e->w->arena, Buffer *, e->reduction_count)};
  open_reductions(e, 1, 1);
  for (size_t i = 0; i < e->reduction_count; i++) {
    size_t bytes = bytes_of(e, partial_type(e, &e->reductions[i]));
    block.partial[i] = frame_take(g, (size_t)e->loops->block * bytes);
  }
  Loop loop;
  loop_begin(g, &loop, bounds->lower, bounds->upper, e->loops->block, 0, NULL,
             bounds->may_be_empty);
  block.lower = loop.index;
  block.upper =
      gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, e->loops->block), bounds->upper);
  begin_partial(e, &block);
  emit_bands(e, outer, &block, 0);
  finish_partial(e, outer, &block);
  loop_end(g, &loop, NULL);
  for (size_t i = 0; i < e->reduction_count; i++) frame_give(g, block.partial[i]);
}

// The loop over strips carries nothing.
static void emit_columns(Emit *e, const Point *outer) {
  const Loops *loops = e->loops;
  if (loops->lane_dim < 0) {
    body_whole_strip(e, outer, NULL);
    return;
  }
  if (loops->whole) {
    int64_t step = loops_step(loops);
    Bounds bounds = bounds_of(e, (size_t)loops->lane_dim, loops->whole, step);
    if (loops->band)
      emit_blocks(e, outer, &bounds);
    else
      emit_range(e, outer, bounds.lower, bounds.upper, step, bounds.may_be_empty, body_whole_strip);
  }
  if (loops->whole < loops->size) emit_rest(e, outer, loops->lane_dim, emit_strip_rest);
}

// ---- squares: what is dense along another dimension is read in vectors, and turned in registers -
static void body_square(Emit *e, const Point *point) {
  const Walk *walk = e->walk;
  unsigned n = e->loops->lanes;
  Pieces pieces = {.count = 0};
  for (unsigned i = 0; i < n; i++) add_piece(e, &pieces, n, n, 0);
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (plan_is_crossed(walk->nodes.items[i], e->loops->lane_dim, e->loops->cross))
      eval_crossed(e->w, point, walk->nodes.items[i], e->loops->lane_dim, pieces.items, n);
  for (unsigned i = 0; i < n; i++) {
    Pieces row = {.items = {pieces.items[i]}, .count = 1};
    Point shifted = i ? point_shift(e->w, point, (size_t)e->loops->cross, i) : *point;
    emit_body(e, &shifted, &row);
  }
}

// [lower, upper) of the cross dimension, a multiple of the square's side, in blocks of some lines.
static void emit_squares(Emit *e, const Point *outer, Value lower, Value upper) {
  LlvmGen *g = e->g;
  int64_t side = e->loops->lanes, block = side > MAX_SIDE ? side : MAX_SIDE;
  size_t dims[] = {(size_t)e->loops->cross, (size_t)e->loops->lane_dim};
  Value lowers[] = {lower, gen_i64(g, 0)}, uppers[] = {upper, gen_i64(g, e->loops->whole)};
  Loop blocks[2], squares[2];
  Point point = *outer;
  for (int i = 0; i < 2; i++) loop_begin(g, &blocks[i], lowers[i], uppers[i], block, 0, NULL, true);
  for (int i = 0; i < 2; i++) {
    Value end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, blocks[i].index, block), uppers[i]);
    loop_begin(g, &squares[i], blocks[i].index, end, side, 0, NULL, false);
    point = point_enter(e->w, &point, dims[i], squares[i].index);
  }
  body_square(e, &point);
  for (int i = 2; i-- > 0;) loop_end(g, &squares[i], NULL);
  for (int i = 2; i-- > 0;) loop_end(g, &blocks[i], NULL);
}

// Rows of the cross dimension one by one: the ends of rows, or whole ones.
static void emit_rows_across(Emit *e, const Point *outer, Value lower, Value upper, Rest row) {
  Loop loop;
  loop_begin(e->g, &loop, lower, upper, 1, 0, NULL, true);
  Point point = point_enter(e->w, outer, (size_t)e->loops->cross, loop.index);
  eval_invariant(e->w, &point);
  row(e, &point);
  loop_end(e->g, &loop, NULL);
}

static int64_t whole_squares(const Emit *e) {
  int64_t side = e->loops->lanes;
  return e->walk->space.sizes[e->loops->cross] / side * side;
}

static void emit_cross_rest(Emit *e, const Point *outer) {
  emit_rows_across(e, outer, gen_i64(e->g, whole_squares(e)),
                   gen_i64(e->g, e->walk->space.sizes[e->loops->cross]), emit_lane_dim);
}

static void emit_crossed(Emit *e, const Point *outer) {
  const Loops *loops = e->loops;
  int64_t whole = whole_squares(e);
  Bounds bounds = bounds_of(e, (size_t)loops->cross, whole, loops->lanes);
  emit_squares(e, outer, bounds.lower, bounds.upper);
  if (loops->whole < loops->size)
    emit_rows_across(e, outer, bounds.lower, bounds.upper, emit_lane_rest);
  if (whole < e->walk->space.sizes[loops->cross])
    emit_rest(e, outer, loops->cross, emit_cross_rest);
}

// ---- groups: rows shorter than a register, several of them a vector -----------------------------
static void emit_steps(Emit *e, const Point *outer, Value index, int64_t steps) {
  const Loops *loops = e->loops;
  Point point = point_enter(e->w, outer, (size_t)loops->group, index);
  point = point_enter(e->w, &point, (size_t)loops->lane_dim, gen_i64(e->g, 0));
  Pieces pieces = {.count = 0};
  add_piece(e, &pieces, loops->lanes, (unsigned)(steps * loops->size), 0);
  emit_body(e, &point, &pieces);
}

// As many steps as there are lanes: vectors of all their elements, and one for what the steps have
// in common. All is loaded before anything is stored.
static void emit_turns(Emit *e, const Point *outer, Value index) {
  const Loops *loops = e->loops;
  Point point = point_enter(e->w, outer, (size_t)loops->group, index);
  point = point_enter(e->w, &point, (size_t)loops->lane_dim, gen_i64(e->g, 0));
  Pieces steps = {.count = 0}, pieces = {.count = 0};
  add_piece(e, &steps, loops->lanes, loops->lanes, 0);
  steps.items[0].of_group = true;
  eval_lanes(e->w, &point, loops->group, &steps.items[0]);
  for (int64_t i = 0; i < loops->size; i++) {
    add_piece(e, &pieces, loops->lanes, loops->lanes, i * loops->lanes);
    pieces.items[i].group = &steps.items[0];
    eval_lanes(e->w, &point, loops->lane_dim, &pieces.items[i]);
  }
  for (size_t i = 0; i < pieces.count; i++)
    for (size_t k = 0; k < e->walk->roots.count; k++)
      finish_root(e, &point, k, &pieces.items[i], i);
}

// Steps of the group's dimension that are one turn.
static int64_t steps_together(const Loops *loops) {
  return loops->turns ? loops->lanes : loops->steps;
}

static int64_t whole_turns(const Emit *e) {
  int64_t steps = steps_together(e->loops);
  return e->walk->space.sizes[e->loops->group] / steps * steps;
}

// Steps that the turns leave, some of them a vector.
static void emit_group_rest(Emit *e, const Point *outer) {
  int64_t from = whole_turns(e), size = e->walk->space.sizes[e->loops->group],
          steps = e->loops->steps, whole = from + (size - from) / steps * steps;
  if (from < whole) {
    Loop loop;
    loop_begin(e->g, &loop, gen_i64(e->g, from), gen_i64(e->g, whole), steps, 0, NULL, false);
    emit_steps(e, outer, loop.index, steps);
    loop_end(e->g, &loop, NULL);
  }
  if (whole < size) emit_steps(e, outer, gen_i64(e->g, whole), size - whole);
}

static void emit_groups(Emit *e, const Point *outer) {
  const Loops *loops = e->loops;
  int64_t steps = steps_together(loops), whole = whole_turns(e);
  Bounds bounds = bounds_of(e, (size_t)loops->group, whole, steps);
  Loop loop;
  loop_begin(e->g, &loop, bounds.lower, bounds.upper, steps, 0, NULL, bounds.may_be_empty);
  if (loops->turns)
    emit_turns(e, outer, loop.index);
  else
    emit_steps(e, outer, loop.index, steps);
  loop_end(e->g, &loop, NULL);
  if (whole < e->walk->space.sizes[loops->group])
    emit_rest(e, outer, loops->group, emit_group_rest);
}

// ---- the loops outside --------------------------------------------------------------------------
static void emit_outer(Emit *e, Point *point, size_t at) {
  eval_invariant(e->w, point);
  if (at < e->loops->outer.count) {
    size_t dim = e->loops->outer.items[at];
    Bounds bounds = bounds_of(e, dim, e->walk->space.sizes[dim], 1);
    Loop loop;
    loop_begin(e->g, &loop, bounds.lower, bounds.upper, 1, 0, NULL, bounds.may_be_empty);
    Point inner = point_enter(e->w, point, dim, loop.index);
    emit_outer(e, &inner, at + 1);
    loop_end(e->g, &loop, NULL);
  } else if (e->loops->cross >= 0) {
    emit_crossed(e, point);
  } else if (e->loops->group >= 0) {
    emit_groups(e, point);
  } else if (!e->walk->has_reduction) {
    emit_lane_dim(e, point);
  } else if (e->loops->along_rows) {
    emit_along_rows(e, point);
  } else {
    emit_columns(e, point);
  }
}

static void emit_version(Emit *e, Value const *row_index, Streaming streaming) {
  const Walk *walk = e->walk;
  e->streaming = streaming;
  e->streams = streaming == STREAM_WHOLE;
  Point point = point_start(e->w);
  for (size_t d = 0; d < walk->space.rank; d++)
    if (walk->kinds[d] == DIM_ROW)
      point = point_enter(e->w, &point, d, row_index[walk->space.origin[d]]);
  emit_outer(e, &point, 0);
}

static void emit_versions(Emit *e, Value const *row_index) {
  LlvmGen *g = e->g;
  const Walk *walk = e->walk;
  if (e->loops->if_aligned == e->loops->otherwise) {
    emit_version(e, row_index, e->loops->otherwise);
    return;
  }
  Point point = point_start(e->w);
  Value off = NULL;
  for (size_t i = 0; i < walk->roots.count; i++) {
    Value own = stream_misalignment(g, eval_root_address(e->w, &point, walk->roots.items[i]));
    off = off ? LLVMBuildOr(g->builder, off, own, "") : own;
  }
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntEQ, off, 0), false);
  emit_version(e, row_index, e->loops->if_aligned);
  branch_else(g, &branch);
  emit_version(e, row_index, e->loops->otherwise);
  branch_end(g, &branch);
}

// Of nothing: the identity everywhere.
static void emit_empty(const WalkCode *w) {
  for (size_t i = 0; i < w->walk->roots.count; i++) {
    const Root *root = w->walk->roots.items[i];
    if (root->kind != ROOT_REDUCE) continue;
    KeptPlace *place = &w->places[root->result->number];
    Value identity = reduction_identity(w->g, root->op->code, root->op->operands[0]->type->dtype);
    if (root->result->is_scalar) place->scalar = identity;
    if (place->mem.base) mem_fill(w->g, &place->mem, identity);
  }
}

bool walk_emit(const WalkCode *w, Value const *row_index, const Share *share) {
  const Walk *walk = w->walk;
  if (walk->is_empty) {
    emit_empty(w);
    return false;
  }
  Emit e = {.w = w, .g = w->g, .walk = walk, .loops = &walk->loops, .share = share};
  for (size_t i = 0; i < walk->roots.count; i++)
    if (walk->roots.items[i]->kind == ROOT_REDUCE) e.reduction_count++;
  e.reductions = ARENA_ARRAY(w->arena, Reduction, e.reduction_count + 1);
  size_t *before = ARENA_ARRAY(w->arena, size_t, walk->roots.count);
  for (size_t i = 0; i < walk->roots.count; i++)
    before[i] = plan_nodes_before(walk, walk->roots.items[i]);
  e.nodes_before = before;
  // Nothing to share: the first thread does it.
  bool is_one_share = share->begin && walk->loops.shared_dim < 0;
  Branch branch;
  if (is_one_share)
    branch_begin(w->g, &branch, emit_icmp_c(w->g, LLVMIntEQ, share->begin, 0), false);
  emit_versions(&e, row_index);
  if (is_one_share) {
    branch_end_then(w->g, &branch);
  }
  return walk->loops.if_aligned != STREAM_NOT || walk->loops.otherwise != STREAM_NOT;
}
