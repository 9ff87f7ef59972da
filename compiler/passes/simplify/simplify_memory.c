// SPDX-License-Identifier: Apache-2.0
// What is known of the contents of refs: a load of what was stored or loaded before, with no write
// in between that may meet it, is that value. Different allocs, parameters and private blocks never
// overlap; blocks that work in place overlap whatever overlaps their array.
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "simplify.h"

#define MAX_KNOWN 16 // accesses remembered for one root

// A load or store, and the value that its elements have.
typedef struct Known {
  const IrOp *op;
  IrValue *ref, *value;
} Known;

typedef struct KnownList {
  Known items[MAX_KNOWN];
  int count;
} KnownList;

struct Memory {
  Map *lists; // root -> KnownList
};

struct Memory *simplify_memory_new(Simplifier *s) {
  struct Memory *memory = ARENA_NEW(s->arena, struct Memory);
  memory->lists = map_new(s->arena);
  return memory;
}

// ---- roots -------------------------------------------------------------------------------------
// The launch's operand whose memory an argument of its regions is, or NULL.
static IrValue *launch_operand(const IrValue *arg) {
  const IrRegion *region = arg->region;
  if (!region || !region->parent || region->parent->code != OP_LAUNCH) return NULL;
  const IrOp *launch = region->parent;
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  const IrAttr *blocks = ir_attr_find(launch, ATTR_BLOCKS);
  size_t prefetch = (size_t)ir_attr_int(launch, ATTR_PREFETCH);
  if (arg->index < grid.count) return NULL;
  size_t at = arg->index - grid.count;
  if (at >= prefetch + blocks->blocks.count) return NULL; // scratch
  if (at >= prefetch && blocks->blocks.items[at - prefetch].mode == BLOCK_COPIED) return NULL;
  return launch->operands[ir_launch_dynamic_sizes(launch) + at];
}

IrValue *simplify_root(IrValue *ref) {
  for (;;) {
    ref = ir_ref_root(ref);
    IrValue *outer = launch_operand(ref);
    if (!outer) return ref;
    ref = outer;
  }
}

// ---- what is known -----------------------------------------------------------------------------
// Whether no position is written twice, so that what is stored can be read back.
static bool is_injective(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_ARRAY || (dim->kind == INDEX_SLICE && dim->stride == 0)) return false;
  }
  return true;
}

static void remember(Simplifier *s, const IrOp *op, IrValue *value) {
  IrValue *ref = access_ref(op), *root = simplify_root(ref);
  KnownList *list = map_get(s->memory->lists, root);
  if (!list) {
    list = ARENA_NEW(s->arena, KnownList);
    map_set(s->memory->lists, root, list);
  }
  if (list->count == MAX_KNOWN) {
    for (int i = 1; i < MAX_KNOWN; i++) list->items[i - 1] = list->items[i];
    list->count--;
  }
  list->items[list->count++] = (Known){.op = op, .ref = ref, .value = value};
}

// Forgets what a write through `ref` may change; with `store`, all but what it provably misses.
static void forget(struct Memory *memory, IrValue *ref, const IrOp *store) {
  KnownList *list = map_get(memory->lists, simplify_root(ref));
  int kept = 0;
  for (int i = 0; list && i < list->count; i++) {
    const Known *known = &list->items[i];
    if (store && known->ref == ref && alias_are_disjoint(known->op, store))
      list->items[kept++] = *known;
  }
  if (list) list->count = kept;
}

static void forget_all(struct Memory *memory) {
  void *value;
  for (size_t it = 0; map_next(memory->lists, &it, NULL, &value);) ((KnownList *)value)->count = 0;
}

// Under check every load stays what it is, so that each place that reads is reported.
IrValue *simplify_load(Simplifier *s, IrOp *load) {
  if (access_is_masked(load) || s->ctx->options->check) return NULL;
  IrValue *ref = access_ref(load);
  const KnownList *list = map_get(s->memory->lists, simplify_root(ref));
  for (int i = list ? list->count - 1 : -1; i >= 0; i--)
    if (list->items[i].ref == ref && simplify_same_index(list->items[i].op, load))
      return list->items[i].value;
  remember(s, load, load->results[0]);
  return NULL;
}

// ---- writes ------------------------------------------------------------------------------------
// Of an op and, through ir_walk, of the ops inside of it. Others write while a program waits, and
// when a copy that is under way writes is not known.
static void forget_written(IrOp *op, void *data) {
  struct Memory *memory = data;
  if (effects_waits(op->code) || effects_is_later(op->code)) {
    forget_all(memory);
    return;
  }
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (effects_writes(op, i)) forget(memory, op->operands[i], NULL);
}

static bool is_one_place(const IndexDim *dim) {
  return dim->kind == INDEX_SCALAR ||
         (dim->kind == INDEX_SLICE && dim->size == 1 && dim->size_operand < 0);
}

// Whether the elements of a view lie in a row: of one dimension it has a part, of those before it
// one place, of those behind it all.
static bool is_in_a_row(const IrOp *view) {
  const IrIndex *index = ir_attr_index(view);
  const IrType *whole = access_ref(view)->type;
  int i = 0;
  while (i < index->rank && is_one_place(&index->dims[i])) i++;
  if (i < index->rank && (index->dims[i].kind != INDEX_SLICE || index->dims[i].stride != 1 ||
                          index->dims[i].size_operand >= 0))
    return false;
  while (++i < index->rank)
    if (!access_dim_is_whole(&index->dims[i], whole->dims[i])) return false;
  return true;
}

// A parameter of the function, or a part of one that nothing but one op knows.
static bool is_dense_output(const IrFunc *func, const IrValue *ref, const IrOp *reshape) {
  if (ref->def) {
    if (ir_same_wide_dims(reshape->operands[0]->type, reshape->results[0]->type)) return false;
    if (ref->def->code != OP_VIEW || ref->use_count != 1 || !is_in_a_row(ref->def)) return false;
    ref = ref->def->operands[0];
  }
  return !ref->def && ref->region == func->body;
}

// What is stored whole into a parameter, or a block of one, is stored in the shape that it is made
// in: no walk then has to look for places across a reshape. The store there is afterwards.
static IrOp *store_unshaped(Simplifier *s, IrOp *store) {
  IrValue *value = store->operands[0], *ref = store->operands[1];
  const IrOp *reshape = value->def;
  const IrOp *outer = store->parent->parent; // clusters have views of values alone
  if (s->ctx->options->check || (outer && outer->code == OP_FUSE) || !reshape ||
      reshape->code != OP_RESHAPE || value->use_count != 1 ||
      !is_dense_output(store->parent->func, ref, reshape) || dtype_bits(ref->type->dtype) < 8 ||
      access_is_masked(store) || !access_is_whole(store))
    return store;
  IrValue *made = reshape->operands[0];
  if (!made->def || made->def->code == OP_LOAD) return store;
  IrBuilder b = ir_builder_before(store);
  const IrType *type = ir_ref_type(s->module, ref->type->space, made->type->dtype, made->type->rank,
                                   made->type->dims);
  ir_store_all(&b, made, ir_build(&b, OP_REF_RESHAPE, 1, &ref, 1, &type)->results[0]);
  IrOp *with = store->prev;
  ir_op_remove(store);
  return with;
}

void simplify_effects(Simplifier *s, IrOp *op) {
  if (op->code == OP_STORE) {
    op = store_unshaped(s, op);
    forget(s->memory, op->operands[1], op);
    if (!access_is_masked(op) && is_injective(ir_attr_index(op))) remember(s, op, op->operands[0]);
    return;
  }
  forget_written(op, s->memory);
  for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], forget_written, s->memory);
}

// ---- indices -----------------------------------------------------------------------------------
static void drop_operand(IrOp *op, uint32_t at) {
  op->operands[at]->use_count--;
  for (uint32_t i = at + 1; i < op->operand_count; i++) op->operands[i - 1] = op->operands[i];
  op->operand_count--;
}

// The constant start of a dimension, if it is inside of the ref: what is not is left for the checks
// at run time.
static bool fixed_start(const IrOp *op, const IndexDim *dim, int64_t extent, int64_t *start) {
  if (dim->kind == INDEX_ARRAY || dim->start_operand < 0) return false;
  if (!ir_const_int(op->operands[dim->start_operand], start)) return false;
  int64_t room = extent - *start; // elements from there on
  if (dim->kind == INDEX_SLICE && dim->size == 0) return *start >= 0 && room >= 0;
  return *start >= 0 && room > (dim->kind == INDEX_SLICE ? (dim->size - 1) * dim->stride : 0);
}

void simplify_index(Simplifier *s, IrOp *op) {
  if (op->code != OP_LOAD && op->code != OP_STORE && op->code != OP_VIEW) return;
  const IrType *ref = access_ref(op)->type;
  IrIndex index = *ir_attr_index(op);
  bool changed = false;
  for (int i = 0; i < index.rank; i++) {
    int64_t start;
    int position = index.dims[i].start_operand;
    if (!fixed_start(op, &index.dims[i], ref->dims[i], &start)) continue;
    index.dims[i].start = start;
    index.dims[i].start_operand = -1;
    changed = true;
    drop_operand(op, (uint32_t)position);
    for (int j = 0; j < index.rank; j++) {
      index.dims[j].start_operand -= index.dims[j].start_operand > position;
      index.dims[j].size_operand -= index.dims[j].size_operand > position;
    }
  }
  if (changed) ir_set_index(s->module, op, &index);
}

// ---- allocs that are only written --------------------------------------------------------------
// Whether the op does nothing with the operand but write it, or make a view of it.
static bool leaves_unread(const IrOp *op, uint32_t operand) {
  if (op_info(op->code)->effects & EFFECT_VIEWS) return operand == 0;
  return effects_writes(op, operand) && !effects_reads(op, operand) &&
         !effects_is_ordered(op->code);
}

typedef struct Unread {
  Map *read; // allocs that somebody reads
  bool changed;
} Unread;

static void find_read(IrOp *op, void *data) {
  Map *read = ((Unread *)data)->read;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->is_ref && !leaves_unread(op, i))
      map_set(read, ir_ref_root(op->operands[i]), NULL);
}

static void remove_unread(IrOp *op, void *data) {
  Unread *unread = data;
  const IrValue *written = effects_written(op);
  if (!written || op->result_count) return;
  const IrValue *root = ir_ref_root(written);
  if (!root->def || root->def->code != OP_ALLOC || map_has(unread->read, root)) return;
  ir_op_remove(op);
  unread->changed = true;
}

// Under check the stores stay, since they may be out of bounds.
bool simplify_dead_allocs(Simplifier *s, IrFunc *func) {
  if (s->ctx->options->check) return false;
  Unread unread = {.read = map_new(s->arena)};
  ir_walk(func->body, find_read, &unread);
  ir_walk(func->body, remove_unread, &unread);
  return unread.changed;
}
