// SPDX-License-Identifier: Apache-2.0
// lifetimes: where arrays of a program are used for the last time, under check.
//   takes:  programs with semaphores that live longer than a launch: copies may be under way behind
//           the launch that has started them
//   makes:  an op `dies` behind the last use of each array that a launch has: XLA may give its
//           memory to another one from there on; `over` behind that of what cores share; what a
//           launch leaves is read where it is used first, not behind the launch
//   breaks: nothing
//   not:    parameters and results, which live to the end, and what a loop carries or a branch
//           yields; an array made of another one counts as the same, so that nothing dies too
//           early, but for one that a launch writes: XLA may make it in place of the other one
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "passes/pass.h"

// What lives in one piece of memory, or is copied from one to another as a whole.
typedef struct Life {
  struct Life *joined; // the life that it is a part of
  IrOp *last;          // of the region, that uses it
  bool goes_on;        // behind the region
  bool is_launched;
} Life;

typedef struct Lives {
  PassContext *ctx;
  IrRegion *region;
  IrOp *now;    // of the region, or what is looked at is in it
  Map *of;      // by value: Life *
  Map *changed; // roots that launches write
} Lives;

static Life *life_of(const Lives *l, const IrValue *value) {
  const IrValue *key = value->type->is_ref ? ir_ref_root(value) : value;
  Life *life = map_get(l->of, key);
  if (!life) {
    life = ARENA_NEW(l->ctx->arena, Life);
    life->goes_on = !key->def || key->def->parent != l->region;
    map_set(l->of, key, life);
  }
  while (life->joined) life = life->joined;
  return life;
}

static void join(const Lives *l, const IrValue *a, const IrValue *b) {
  Life *x = life_of(l, a), *y = life_of(l, b);
  if (x == y) return;
  x->joined = y;
  y->goes_on |= x->goes_on;
  y->is_launched |= x->is_launched;
  y->last = l->now;
}

static void note_changed(IrValue *ref, void *data) {
  const Lives *l = data;
  const IrValue *root = ir_ref_root(ref);
  map_set(l->changed, root, root);
}

static void note_written(IrOp *op, void *data) { effects_visit_written(op, note_changed, data); }

static void note_launch(IrOp *op, void *data) {
  if (op->code == OP_LAUNCH) note_written(op, data);
  if (op->code == OP_CORES) ir_walk(op->regions[0], note_written, data);
}

static void note_uses(IrOp *op, void *data) {
  const Lives *l = data;
  bool is_launch = op->code == OP_LAUNCH || op->code == OP_CORES;
  bool hands_on = op->code == OP_YIELD || (op->region_count && !is_launch);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    Life *life = life_of(l, op->operands[i]);
    life->last = l->now;
    life->goes_on |= hands_on;
    life->is_launched |= is_launch || l->now->code == OP_CORES;
  }
  bool is_same = op->code == OP_LOAD || op_info(op->code)->op_class == CLASS_SHAPE;
  if (is_same && op->operand_count) join(l, op->results[0], op->operands[0]);
  if ((op->code == OP_STORE || op->code == OP_COPY) &&
      !map_has(l->changed, ir_ref_root(op->operands[1])))
    join(l, op->operands[0], op->operands[1]);
}

// What cores share is of their launch.
static bool is_shared(const IrOp *op) { return op->results[0]->type->space == SPACE_VMEM_SHARED; }

static bool is_array(const IrOp *op) {
  return op->code == OP_ALLOC && (op->results[0]->type->space == SPACE_HBM || is_shared(op));
}

static void end_lives(Lives *l) {
  for (IrOp *op = l->region->first, *next; op; op = next) {
    next = op->next;
    const Life *life = is_array(op) ? life_of(l, op->results[0]) : NULL;
    if (!life || life->goes_on || !life->is_launched || !life->last->next) continue;
    IrBuilder b = ir_builder_behind(life->last);
    ir_build(&b, is_shared(op) ? OP_OVER : OP_DIES, 1, op->results, 0, NULL);
  }
}

// ---- reads --------------------------------------------------------------------------------------
// Whether the load, which was recorded with the launch before it, is of an array that it wrote.
static bool is_of_launch(const Lives *l, const IrOp *load) {
  const IrOp *launch = load->prev;
  while (launch && launch->code == OP_LOAD) launch = launch->prev;
  return launch && (launch->code == OP_LAUNCH || launch->code == OP_CORES) &&
         launch->span.file == load->span.file && launch->span.begin == load->span.begin &&
         map_has(l->changed, ir_ref_root(load->operands[0]));
}

// What uses the load first, of the ops from `op` on, or writes what it loads; NULL: none.
static IrOp *first_user(const IrOp *load, IrOp *op) {
  const IrValue *root = ir_ref_root(load->operands[0]);
  while (op && !ir_op_uses(op, load->results[0]) && !effects_op_writes(op, root)) op = op->next;
  return op;
}

static bool uses(const IrRegion *region, const IrValue *value) {
  for (const IrOp *op = region->first; op; op = op->next)
    if (ir_op_uses(op, value)) return true;
  return false;
}

// Whether each branch that uses the load of a choice can have one of its own, and so can what uses
// it behind the choice. Only what is written before that keeps it in front.
static bool is_split(const IrOp *load, const IrOp *choice) {
  if (choice->code != OP_IF && choice->code != OP_SWITCH) return false;
  const IrValue *root = ir_ref_root(load->operands[0]), *value = load->results[0];
  for (uint32_t i = 0; i < choice->operand_count; i++)
    if (choice->operands[i] == value) return false;
  bool is_written = effects_op_writes(choice, root);
  for (const IrOp *op = choice->next; op; op = op->next) {
    if (ir_op_uses(op, value)) return !is_written;
    is_written |= effects_op_writes(op, root);
  }
  return true;
}

static void place_read(PassContext *ctx, IrOp *load, IrOp *from);

// In the branches of the choice, and behind it.
static void split_read(PassContext *ctx, IrOp *load, const IrOp *choice) {
  IrOp *behind = first_user(load, choice->next);
  for (uint32_t i = 0; i < choice->region_count; i++) {
    IrRegion *branch = choice->regions[i];
    if (!uses(branch, load->results[0])) continue;
    IrBuilder b = ir_builder_before(branch->first);
    IrOp *own = ir_op_clone(&b, load, map_new(ctx->arena));
    ir_replace_uses(branch, load->results[0], own->results[0]);
    place_read(ctx, own, own->next);
  }
  if (behind && ir_op_uses(behind, load->results[0]))
    place_read(ctx, load, behind);
  else
    ir_op_remove(load);
}

// As lax has it: what leaves the array is moved into it.
static IrValue *clamped(IrBuilder *b, IrValue *start, int64_t last) {
  IrValue *at_least = ir_binary(b, OP_MAX, start, ir_i32(b, 0));
  return ir_binary(b, OP_MIN, at_least, ir_i32(b, (int32_t)last));
}

static void slice_from_zero(IrBuilder *b, IrOp *slice, IrValue *part) {
  int64_t zeros[IR_MAX_RANK] = {0}, ones[IR_MAX_RANK];
  for (int d = 0; d < part->type->rank; d++) {
    ones[d] = 1;
    if (slice->code == OP_DYNAMIC_SLICE) ir_set_operand(slice, 1 + (size_t)d, ir_i32(b, 0));
  }
  ir_set_operand(slice, 0, part);
  if (slice->code == OP_DYNAMIC_SLICE) return;
  ir_set_ints(b->module, slice, ATTR_STARTS, part->type->rank, zeros);
  ir_set_ints(b->module, slice, ATTR_LIMITS, part->type->rank, part->type->dims);
  ir_set_ints(b->module, slice, ATTR_STRIDES, part->type->rank, ones);
}

// Of what is sliced no more is read than that; the slice is of all of it then.
static void read_part(const IrOp *load, IrOp *slice) {
  bool is_dynamic = slice->code == OP_DYNAMIC_SLICE;
  const IrType *all = load->operands[0]->type, *type = slice->results[0]->type;
  IrBuilder b = ir_builder_before(slice);
  IrValue *starts[IR_MAX_RANK];
  IrIndex index;
  int count = 0;
  ir_index_full(all, &index);
  for (int d = 0; d < index.rank; d++) {
    IndexDim *dim = &index.dims[d];
    dim->size = type->dims[d];
    if (!is_dynamic) {
      dim->start = ir_attr_ints(slice, ATTR_STARTS).items[d];
      dim->stride = ir_attr_ints(slice, ATTR_STRIDES).items[d];
    } else if (dim->size < all->dims[d]) {
      dim->start_operand = count;
      starts[count++] = clamped(&b, slice->operands[1 + d], all->dims[d] - dim->size);
    }
  }
  IrValue *part = ir_load(&b, load->operands[0], &index, (size_t)count, starts, NULL, NULL);
  slice_from_zero(&b, slice, part);
}

// In front of what uses it first, of the ops from `from` on, or of what writes there before that:
// XLA keeps a copy of what it was.
static void place_read(PassContext *ctx, IrOp *load, IrOp *from) {
  IrOp *user = first_user(load, from);
  if (!user || ir_op_is_unused(load)) return;
  if (user->span.file) {
    load->span = user->span;
    load->frames = user->frames;
  }
  if (is_split(load, user)) {
    split_read(ctx, load, user);
    return;
  }
  ir_op_move(load, user->parent, user);
  bool is_slice = user->code == OP_SLICE || user->code == OP_DYNAMIC_SLICE;
  if (!is_slice || user->operands[0] != load->results[0] || !access_is_whole(load)) return;
  read_part(load, user);
  if (ir_op_is_unused(load))
    ir_op_remove(load);
  else
    place_read(ctx, load, user->next);
}

// Whether copies may be under way between its ops.
static bool has_semaphore(const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next)
    if (op->code == OP_ALLOC && op->results[0]->type->space == SPACE_SEM) return true;
  return false;
}

static void look_at(PassContext *ctx, IrRegion *region) {
  if (has_semaphore(region)) {
    Lives l = {.ctx = ctx, .region = region, .of = map_new(ctx->arena)};
    l.changed = map_new(ctx->arena);
    ir_walk(region, note_launch, &l);
    for (IrOp *op = region->first; op; op = op->next) {
      l.now = op;
      note_uses(op, &l);
      for (uint32_t i = 0; i < op->region_count; i++) ir_walk(op->regions[i], note_uses, &l);
    }
    for (IrOp *op = region->last, *before; op; op = before) { // what is moved is not met again
      before = op->prev;
      if (op->code == OP_LOAD && is_of_launch(&l, op)) place_read(ctx, op, op->next);
    }
    end_lives(&l);
  }
  for (IrOp *op = region->first; op; op = op->next)
    for (uint32_t i = 0; i < op->region_count; i++)
      if (op->code != OP_LAUNCH && (op->code != OP_CORES || ir_runs_devices(op)))
        look_at(ctx, op->regions[i]);
}

bool pass_lifetimes(PassContext *ctx) {
  for (IrFunc *f = ctx->module->first; f; f = f->next) look_at(ctx, f->body);
  return true;
}
