// SPDX-License-Identifier: Apache-2.0
// The loops over a cluster's rows, and its walks inside of them.
#include "gen_cluster_rows.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/walks/gen_stream.h"
#include "codegen/walks/gen_walk.h"
#include "ir/core/ir.h"

// What a debugger is to show: the scalars that a walk has made.
static void show_scalars(const ClusterCode *c, const Walk *walk) {
  if (!c->shown) return;
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Kept *result = walk->roots.items[i]->result;
    if (!result || !result->is_scalar || !map_has(c->shown, result->value)) continue;
    debug_at(c->g, result->value->def);
    debug_scalar(c->g, result->value, c->places[result->number].scalar);
  }
}

// Whether stores went past the caches.
static bool emit_walks(ClusterCode *c, const Share *share) {
  bool streamed = false;
  for (size_t i = 0; i < c->plan->walks.count; i++) {
    if (walk_emit(&c->walks[i], c->row_index, share)) streamed = true;
    show_scalars(c, c->plan->walks.items[i]);
  }
  return streamed;
}

static bool emit_all_walks(ClusterCode *c) {
  static const Share all = {0};
  return emit_walks(c, c->plan->sharing == SHARE_WALKS ? &c->share : &all);
}

// ---- blocks of rows -----------------------------------------------------------------------------
int64_t cluster_row_elements(const ClusterCode *c, const Kept *kept) {
  int64_t count = 1;
  for (size_t i = c->plan->rows; i < kept->layout.rank; i++) count *= kept->layout.dims[i];
  return count;
}

// Where the memory of a block's row starts; that of results has all rows.
static Value base_in_block(const ClusterCode *c, const Kept *kept, Value base, Value row) {
  if (!kept || !kept->in_memory || kept->is_result) return base;
  Value offset = gen_mul_const(c->g, row, cluster_row_elements(c, kept));
  return gen_offset(c->g, base, kept->layout.dtype, offset);
}

// A block on its way: the numbers that its rows' walks hand on.
typedef struct Block {
  Mem *scalars; // of each kept value, by row
  Buffer **buffers;
} Block;

static Block take_block(ClusterCode *c) {
  size_t count = c->plan->kept.count;
  Block block = {ARENA_ARRAY(c->arena, Mem, count + 1), ARENA_ARRAY(c->arena, Buffer *, count + 1)};
  for (size_t i = 0; i < count; i++)
    if (c->plan->kept.items[i]->is_scalar)
      block.buffers[i] = frame_take_array(c->g, c->plan->kept.items[i]->value->type->dtype, 1,
                                          &c->plan->row_block, &block.scalars[i]);
  return block;
}

static void load_scalars(ClusterCode *c, const Block *block, const Walk *walk, Value row) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kind == NODE_SCALAR && node->kept)
      c->places[node->kept->number].scalar =
          mem_load(c->g, &block->scalars[node->kept->number], &row);
  }
}

static void store_scalars(ClusterCode *c, const Block *block, const Walk *walk, Value row) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Kept *result = walk->roots.items[i]->result;
    if (result && result->is_scalar)
      mem_store(c->g, &block->scalars[result->number], &row, c->places[result->number].scalar);
  }
}

// One walk of one row; `row`: its number in the block.
static bool emit_walk_of_row(ClusterCode *c, const Block *block, const WalkCode *walk, Value row) {
  static const Share all = {0};
  WalkCode own = *walk;
  const Walk *plan = walk->walk;
  own.nodes = ARENA_ARRAY(c->arena, Origin, plan->nodes.count + 1);
  own.roots = ARENA_ARRAY(c->arena, Origin, plan->roots.count + 1);
  for (size_t i = 0; i < plan->nodes.count; i++) {
    const Node *node = plan->nodes.items[i];
    own.nodes[i] = walk->nodes[i];
    if (node_reads(node) && !node->of_copy)
      own.nodes[i].base =
          base_in_block(c, plan_kept_of(c->plan, node->memory), own.nodes[i].base, row);
  }
  for (size_t i = 0; i < plan->roots.count; i++) {
    own.roots[i] = walk->roots[i];
    own.roots[i].base = base_in_block(c, plan->roots.items[i]->result, own.roots[i].base, row);
  }
  load_scalars(c, block, plan, row);
  bool streamed = walk_emit(&own, c->row_index, &all);
  store_scalars(c, block, plan, row);
  return streamed;
}

static bool emit_blocks(ClusterCode *c, size_t at, const Bounds *bounds) {
  LlvmGen *g = c->g;
  bool streamed = false;
  Block block = take_block(c);
  Loop blocks, rows;
  loop_begin(g, &blocks, bounds->lower, bounds->upper, c->plan->row_block, 0, NULL,
             bounds->may_be_empty);
  Value end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, blocks.index, c->plan->row_block),
                             bounds->upper);
  for (size_t i = 0; i < c->plan->walks.count; i++) {
    loop_begin(g, &rows, blocks.index, end, 1, 0, NULL, false);
    c->row_index[at] = rows.index;
    if (emit_walk_of_row(c, &block, &c->walks[i], emit_sub(g, rows.index, blocks.index)))
      streamed = true;
    loop_end(g, &rows, NULL);
  }
  loop_end(g, &blocks, NULL);
  for (size_t i = 0; i < c->plan->kept.count; i++) frame_give(g, block.buffers[i]);
  return streamed;
}

// ---- rows ---------------------------------------------------------------------------------------
// `share`: of the first dimension with more than one row, if there is something to share.
static bool emit_rows(ClusterCode *c, size_t at, const Share *share) {
  static const Share all = {0};
  if (at == c->plan->rows) return emit_all_walks(c);
  int64_t size = c->plan->row_dims[at];
  if (size == 0) return false;
  if (size == 1) {
    c->row_index[at] = gen_i64(c->g, 0);
    return emit_rows(c, at + 1, share);
  }
  Loop loop;
  Bounds bounds = share_bounds(c->g, share, size, 1);
  if (c->plan->row_block > 1 && (int)at == plan_block_dim(c->plan) && !c->shown) {
    for (size_t i = at + 1; i < c->plan->rows; i++) c->row_index[i] = gen_i64(c->g, 0);
    return emit_blocks(c, at, &bounds);
  }
  loop_begin(c->g, &loop, bounds.lower, bounds.upper, 1, 0, NULL, bounds.may_be_empty);
  c->row_index[at] = loop.index;
  bool streamed = emit_rows(c, at + 1, &all);
  loop_end(c->g, &loop, NULL);
  return streamed;
}

void cluster_emit_walks(ClusterCode *c) {
  if (emit_rows(c, 0, &c->share)) stream_fence(c->g);
}
