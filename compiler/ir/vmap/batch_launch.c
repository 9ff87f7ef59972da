// SPDX-License-Identifier: Apache-2.0
// vmap of a launch, as jax.vmap has it for pallas_call: the batch is a parallel grid dimension in
// front. A batched array's block gets a squeezed dimension that the new grid index picks; whole
// arrays and prefetch refs become views at that index, in the body and in the index maps. Scalars
// from outside that differ within the batch become prefetch refs. If a size of the grid differs
// within the batch, each element has a launch of its own, in a loop.
#include <string.h>

#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "batch_ops.h"

// ---- what a launch takes from outside ----------------------------------------------------------
// Every operand of its ops: values from inside are never batched, and are made anew with their ops.
typedef struct Operands {
  void (*visit)(IrValue *value, const IrOp *user, void *data);
  void *data;
} Operands;

static void visit_operands(IrOp *op, void *data) {
  const Operands *o = data;
  for (uint32_t i = 0; i < op->operand_count; i++) o->visit(op->operands[i], op, o->data);
}

static void for_each_operand(const IrOp *launch,
                             void (*visit)(IrValue *value, const IrOp *user, void *data),
                             void *data) {
  Operands o = {.visit = visit, .data = data};
  for (int i = 0; i < launch->region_count; i++) ir_walk(launch->regions[i], visit_operands, &o);
}

typedef struct Query {
  const Batcher *v;
  bool found;
} Query;

static void find_batched(IrValue *value, const IrOp *user UNUSED, void *data) {
  Query *q = data;
  q->found |= batch_is(q->v, value);
}

bool batch_launch_is(Batcher *v, IrOp *launch) {
  Query q = {v, batch_any(v, launch)};
  if (!q.found) for_each_operand(launch, find_batched, &q);
  return q.found;
}

// ---- what a launch writes ----------------------------------------------------------------------
// ---- the new launch ----------------------------------------------------------------------------
typedef struct LaunchBatch {
  Batcher *v;
  IrOp *old, *with;
  size_t rank;      // of the old grid
  uint32_t dynamic; // operands that are grid sizes
  size_t prefetch, block_count;
  // Batched ones from outside, old; they become prefetch refs behind the old ones.
  VEC(IrValue *) scalars;
  Map *scalar_seen;
  bool has_own_grids; // of each element of the batch
  bool ok;
} LaunchBatch;

static void collect_scalar(IrValue *value, const IrOp *user, void *data) {
  LaunchBatch *l = data;
  if (!batch_is(l->v, value) || map_has(l->scalar_seen, value)) return;
  if (map_has(l->v->lazy, value))
    l->ok = batch_fail(l->v, user,
                       "a view at an index that differs within the batch is used in a kernel");
  map_set(l->scalar_seen, value, NULL);
  if (!value->type->is_ref) VEC_PUSH(l->v->arena, &l->scalars, value);
}

// What is written must be batched.
static void check_written(IrValue *ref, void *data) {
  LaunchBatch *l = data;
  if (l->ok && !batch_is(l->v, ir_ref_root(ref)))
    l->ok = batch_fail(l->v, l->old,
                       "a kernel whose inputs differ within the batch writes to a ref that is "
                       "shared by the batch");
}

static bool check_launch(LaunchBatch *l) {
  for (uint32_t i = 0; i < l->old->operand_count; i++) {
    const IrValue *operand = l->old->operands[i];
    l->has_own_grids |= i < l->dynamic && batch_is(l->v, operand);
    if (map_has(l->v->lazy, operand))
      return batch_fail(l->v, l->old,
                        "a view at an index that differs within the batch is an "
                        "operand of a kernel");
  }
  l->ok = true;
  effects_visit_written(l->old, check_written, l);
  if (l->ok) for_each_operand(l->old, collect_scalar, l);
  if (l->ok && !l->has_own_grids && l->rank == IR_MAX_RANK)
    l->ok = batch_fail(l->v, l->old, "the grid has too many dimensions");
  return l->ok;
}

// A batched scalar in memory, so that the kernel can pick its own.
static IrValue *scalar_ref(Batcher *v, IrValue *scalar) {
  IrValue *x = batch_get(v, scalar);
  const IrType *type = ir_ref_type(v->module, SPACE_HBM, x->type->dtype, 1, &v->size);
  IrValue *ref = ir_alloc(&v->b, type, scalar->name ? name_str(scalar->name) : STR(""));
  ir_store_all(&v->b, x, ref);
  return ref;
}

static void set_grid(LaunchBatch *l) {
  Batcher *v = l->v;
  IrInts grid = ir_attr_ints(l->old, ATTR_GRID);
  IrInts semantics = ir_attr_ints(l->old, ATTR_SEMANTICS);
  int64_t sizes[IR_MAX_RANK + 1] = {v->size}, orders[IR_MAX_RANK + 1] = {SEMANTICS_PARALLEL};
  if (grid.count) memcpy(sizes + 1, grid.items, grid.count * sizeof *sizes);
  if (grid.count) memcpy(orders + 1, semantics.items, grid.count * sizeof *orders);
  ir_set_ints(v->module, l->with, ATTR_GRID, grid.count + 1, sizes);
  ir_set_ints(v->module, l->with, ATTR_SEMANTICS, grid.count + 1, orders);
  IrStrs old = ir_attr_strs(l->old, ATTR_GRID_NAMES);
  Str names[IR_MAX_RANK + 1] = {{0}}; // the batch's dimension has none
  if (old.count) memcpy(names + 1, old.items, old.count * sizeof *names);
  if (old.count) ir_set_strs(v->module, l->with, ATTR_GRID_NAMES, old.count + 1, names);
  ir_set_int(v->module, l->with, ATTR_PREFETCH, (int64_t)(l->prefetch + l->scalars.count));
}

static bool set_blocks(LaunchBatch *l) {
  Batcher *v = l->v;
  const IrAttr *old = ir_attr_find(l->old, ATTR_BLOCKS);
  IrBlock *blocks = arena_dup(v->arena, old->blocks.items, l->block_count * sizeof *blocks);
  for (size_t i = 0; i < l->block_count; i++) {
    IrBlock *block = &blocks[i];
    if (!batch_is(v, l->old->operands[l->dynamic + l->prefetch + i])) continue;
    if (block->rank == IR_MAX_RANK) return batch_fail(v, l->old, "a block has too many dimensions");
    memmove(block->dims + 1, block->dims, block->rank * sizeof *block->dims);
    block->rank++;
    bool whole = block->mode == BLOCK_WHOLE;
    block->dims[0] =
        (BlockDim){.kind = whole ? BLOCK_BLOCKED : BLOCK_SQUEEZED, .size = whole ? v->size : 1};
  }
  ir_set_blocks(v->module, l->with, l->block_count, blocks);
  return true;
}

// A region of the new launch while it is made.
typedef struct Making {
  LaunchBatch *l;
  IrRegion *old, *region;
  Map *values;      // old -> new, inside and outside of the launch
  Map *scalar_args; // batched scalar from outside -> the ref that holds it
} Making;

static IrBuilder builder_of(const Making *m) {
  IrBuilder b = m->l->v->b;
  b.region = m->region;
  b.before = NULL;
  return b;
}

// The index [batch, …]: the batch's index is the region's first argument.
static IrIndex own_index(const IrType *ref_type) {
  IrIndex index;
  ir_index_full(ref_type, &index);
  index.dims[0] = (IndexDim){
      .kind = INDEX_SCALAR, .start_operand = 0, .size = 1, .size_operand = -1, .stride = 1};
  return index;
}

static IrValue *own_view(const Making *m, IrValue *ref) {
  IrBuilder b = builder_of(m);
  IrIndex index = own_index(ref->type);
  return ir_view(&b, ref, &index, 1, &m->region->args[0]);
}

static IrValue *own_scalar(const Making *m, IrValue *ref) {
  IrBuilder b = builder_of(m);
  IrIndex index = own_index(ref->type);
  return ir_load(&b, ref, &index, 1, &m->region->args[0], NULL, NULL);
}

// Arguments that body and index maps share: grid indices, prefetch refs, batched scalars.
static bool add_shared_args(Making *m) {
  LaunchBatch *l = m->l;
  Batcher *v = l->v;
  const IrType *i32 = ir_array_type(v->module, DT_I32, 0, NULL);
  ir_region_add_arg(m->region, i32, name_intern_c(v->session->interner, "batch"));
  for (size_t i = 0; i < l->rank; i++)
    map_set(m->values, m->old->args[i], ir_region_add_arg(m->region, i32, m->old->args[i]->name));
  for (size_t i = 0; i < l->prefetch; i++) {
    const IrValue *arg = m->old->args[l->rank + i];
    bool batched = batch_is(v, l->old->operands[l->dynamic + i]);
    const IrType *type = batched ? batch_type(v, l->old, arg->type) : arg->type;
    if (!type) return false;
    IrValue *with = ir_region_add_arg(m->region, type, arg->name);
    map_set(m->values, arg, batched && arg->use_count ? own_view(m, with) : with);
  }
  for (size_t i = 0; i < l->scalars.count; i++) {
    const IrValue *scalar = l->scalars.items[i];
    const IrType *type = ir_ref_type(v->module, SPACE_SMEM, scalar->type->dtype, 1, &v->size);
    map_set(m->scalar_args, scalar, ir_region_add_arg(m->region, type, scalar->name));
  }
  return true;
}

// What stands for a value from outside: itself made anew, a view of a batched ref, a load of a
// batched scalar.
static void map_outside(IrValue *value, const IrOp *user UNUSED, void *data) {
  Making *m = data;
  Batcher *v = m->l->v;
  if (map_has(m->values, value)) return;
  IrValue *with = batch_get(v, value);
  if (batch_is(v, value))
    with = value->type->is_ref ? own_view(m, with) : own_scalar(m, map_get(m->scalar_args, value));
  map_set(m->values, value, with);
}

static void clone_ops(Making *m) {
  Operands o = {.visit = map_outside, .data = m};
  IrBuilder b = builder_of(m);
  ir_walk(m->old, visit_operands, &o);
  for (const IrOp *op = m->old->first; op && op->code != OP_YIELD; op = op->next)
    ir_op_clone(&b, op, m->values);
}

static Making making(LaunchBatch *l, size_t region) {
  Making m = {.l = l, .old = l->old->regions[region], .region = l->with->regions[region]};
  m.values = map_new(l->v->arena);
  m.scalar_args = map_new(l->v->arena);
  return m;
}

static bool make_body(LaunchBatch *l) {
  Batcher *v = l->v;
  Making m = making(l, 0);
  const IrAttr *blocks = ir_attr_find(l->old, ATTR_BLOCKS);
  if (!add_shared_args(&m)) return false;
  size_t first = l->rank + l->prefetch;
  for (size_t i = first; i < m.old->arg_count; i++) {
    const IrValue *arg = m.old->args[i];
    size_t block = i - first;
    bool whole = block < l->block_count && blocks->blocks.items[block].mode == BLOCK_WHOLE &&
                 batch_is(v, l->old->operands[l->dynamic + l->prefetch + block]);
    const IrType *type = whole ? batch_type(v, l->old, arg->type) : arg->type;
    if (!type) return false;
    IrValue *with = ir_region_add_arg(m.region, type, arg->name);
    map_set(m.values, arg, whole && arg->use_count ? own_view(&m, with) : with);
  }
  clone_ops(&m);
  IrBuilder b = builder_of(&m);
  ir_yield(&b, 0, NULL);
  return true;
}

// The batch's index in front of what the old map yields, if the array is batched; 0 for a whole
// one.
static bool make_index_map(LaunchBatch *l, size_t block) {
  Batcher *v = l->v;
  Making m = making(l, 1 + block);
  const IrAttr *blocks = ir_attr_find(l->old, ATTR_BLOCKS);
  bool batched = batch_is(v, l->old->operands[l->dynamic + l->prefetch + block]);
  bool whole = blocks->blocks.items[block].mode == BLOCK_WHOLE;
  if (!add_shared_args(&m)) return false;
  clone_ops(&m);
  const IrOp *yield = m.old->last;
  IrBuilder b = builder_of(&m);
  IrValue **yields = ARENA_ARRAY(v->arena, IrValue *, yield->operand_count + 1);
  size_t count = 0;
  if (batched && (!whole || yield->operand_count))
    yields[count++] = whole ? ir_i32(&b, 0) : m.region->args[0];
  for (uint32_t i = 0; i < yield->operand_count; i++)
    yields[count++] = map_get(m.values, yield->operands[i]);
  ir_yield(&b, count, yields);
  return true;
}

static bool make_launch(LaunchBatch *l) {
  Batcher *v = l->v;
  VEC(IrValue *) operands = {0};
  for (uint32_t i = 0; i < l->dynamic + l->prefetch; i++)
    VEC_PUSH(v->arena, &operands, batch_get(v, l->old->operands[i]));
  for (size_t i = 0; i < l->scalars.count; i++)
    VEC_PUSH(v->arena, &operands, scalar_ref(v, l->scalars.items[i]));
  for (size_t i = 0; i < l->block_count; i++)
    VEC_PUSH(v->arena, &operands, batch_get(v, l->old->operands[l->dynamic + l->prefetch + i]));
  l->with = batch_build(v, l->old, operands.count, operands.items, 0, NULL);
  for (int i = 0; i < l->old->region_count; i++) ir_add_region(v->module, l->with);
  set_grid(l);
  if (!set_blocks(l) || !make_body(l)) return false;
  for (size_t i = 0; i < l->block_count; i++)
    if (!make_index_map(l, i)) return false;
  return true;
}

// ---- a launch for each element -----------------------------------------------------------------
static void map_element(IrValue *value, const IrOp *user UNUSED, void *data) {
  Making *m = data;
  Batcher *v = m->l->v;
  if (map_has(m->values, value)) return;
  IrValue *with = batch_get(v, value);
  IrBuilder b = builder_of(m);
  if (batch_is(v, value))
    with = value->type->is_ref ? own_view(m, with) : batch_element(&b, with, m->region->args[0]);
  map_set(m->values, value, with);
}

static bool make_launches(LaunchBatch *l) {
  IrBuilder *outer = &l->v->b;
  IrOp *loop = ir_for(outer, ir_i32(outer, 0), ir_i32(outer, (int32_t)l->v->size), ir_i32(outer, 1),
                      0, NULL);
  Making m = {.l = l, .region = loop->regions[0], .values = map_new(l->v->arena)};
  for (uint32_t i = 0; i < l->old->operand_count; i++) map_element(l->old->operands[i], l->old, &m);
  for_each_operand(l->old, map_element, &m);
  IrBuilder b = builder_of(&m);
  ir_op_clone(&b, l->old, m.values);
  ir_yield(&b, 0, NULL);
  return true;
}

bool batch_launch(Batcher *v, IrOp *op) {
  LaunchBatch l = {.v = v, .old = op, .rank = ir_attr_ints(op, ATTR_GRID).count};
  l.dynamic = ir_launch_dynamic_sizes(op);
  l.prefetch = (size_t)ir_attr_int(op, ATTR_PREFETCH);
  l.block_count = ir_attr_find(op, ATTR_BLOCKS)->blocks.count;
  l.scalar_seen = map_new(v->arena);
  return check_launch(&l) && (l.has_own_grids ? make_launches(&l) : make_launch(&l));
}
