// SPDX-License-Identifier: Apache-2.0
// publish: what programs of devices write into memory that all devices see is sent to other ranks.
//   takes:  explicit loops and copies
//   makes:  publish ops behind what writes such memory
//   breaks: nothing
//   not:    copies that a program starts itself: the runtime publishes those when they land
//
// A device's results go into arrays from outside of its program. Where devices are spread over
// several processes, each has such an array for itself, and the ops say what of it is new. An op in
// a loop that does not communicate is published behind the loop, if the part that it writes is
// known there; one in a branch is not, since the branch may not be taken.
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch.h"

typedef struct Written {
  IrOp *op;
  IrValue *ref;
} Written;

typedef struct Publisher {
  PassContext *ctx;
  IrRegion *device;
  VEC(Written) writes;
} Publisher;

// Memory that other devices see too: it is made outside of the program, or is a part of such.
static bool is_outside(const Publisher *p, const IrValue *ref) {
  IrValue *root = ir_ref_root(ref);
  while (root->def && root->def->code == OP_PART) root = ir_ref_root(root->def->operands[0]);
  return !ir_region_is_in(ir_value_region(root), p->device);
}

static void note_written(IrValue *ref, void *data) {
  Publisher *p = ((void **)data)[0];
  IrOp *op = ((void **)data)[1];
  if (is_outside(p, ref)) VEC_PUSH(p->ctx->arena, &p->writes, ((Written){op, ref}));
}

static void look_at(IrOp *op, void *data) {
  if (effects_is_later(op->code)) return;
  void *both[] = {data, op};
  effects_visit_written(op, note_written, both);
}

// The part of memory that the ref is in, as far as it is known outside of `region`.
static IrValue *known_outside(IrValue *ref, const IrRegion *region) {
  while (ir_region_is_in(ir_value_region(ref), region) && ref->def->code != OP_PART)
    ref = ref->def->operands[0];
  return ref;
}

// Refs that are another way to see the same memory, or whose sizes are known at run time only.
static bool is_plain_view(const IrOp *view) {
  if (view->code != OP_VIEW) return view->code == OP_PART || view->code == OP_ALLOC;
  const IrIndex *index = ir_attr_index(view);
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_ARRAY) return false;
  return true;
}

static bool is_part_of_device(const Publisher *p, const IrValue *ref) {
  return ref->def && ir_region_is_in(ir_value_region(ref), p->device);
}

// A store to all elements of a view of the whole memory: what its index says, as a view. It is made
// in front of the op that holds the store.
static IrValue *stored_part(Publisher *p, const Written *w, IrOp *before) {
  if (w->op->code != OP_STORE || access_is_whole(w->op)) return w->ref;
  const IrIndex *index = ir_attr_index(w->op);
  IrIndex shifted = *index;
  size_t extra = w->op->operand_count - 2 - access_is_masked(w->op);
  for (int i = 0; i < index->rank; i++) {
    IndexDim *d = &shifted.dims[i];
    if (d->kind == INDEX_ARRAY) return w->ref;
    if (d->start_operand >= 0) d->start_operand -= 2;
    if (d->size_operand >= 0) d->size_operand -= 2;
  }
  for (size_t i = 2; i < 2 + extra; i++)
    if (ir_region_is_in(ir_value_region(w->op->operands[i]), w->op->parent) &&
        before->parent != w->op->parent)
      return w->ref;
  IrBuilder b = {.module = p->ctx->module,
                 .region = before->parent,
                 .before = before->next,
                 .span = w->op->span,
                 .frames = w->op->frames};
  return ir_view(&b, w->ref, &shifted, extra, w->op->operands + 2);
}

static bool is_published(const IrOp *behind, const IrValue *ref) {
  for (const IrOp *op = behind->next; op && op->code == OP_PUBLISH; op = op->next)
    if (op->operands[0] == ref) return true;
  return false;
}

static void publish(Publisher *p, const Written *w) {
  IrOp *behind = w->op;
  IrValue *ref = w->ref;
  if (behind->parent->parent->code == OP_FUSE) {
    behind = behind->parent->parent;
    ref = known_outside(ref, behind->regions[0]);
  }
  while (ref->def && !is_plain_view(ref->def)) ref = ref->def->operands[0];
  bool is_whole = !is_part_of_device(p, ref);
  if (is_whole && ref == w->ref) ref = stored_part(p, w, behind);
  while (behind->parent != p->device && ir_is_loop(behind->parent->parent)) {
    IrValue *wider = known_outside(ref, behind->parent);
    if (is_part_of_device(p, ref) != is_part_of_device(p, wider)) break;
    if (effects_region_communicates(behind->parent)) break;
    ref = wider;
    behind = behind->parent->parent;
  }
  if (is_published(behind, ref)) return;
  IrOp *made = ref->def && ref->def->prev == behind && ref != w->ref ? ref->def : behind;
  IrBuilder b = {.module = p->ctx->module,
                 .region = behind->parent,
                 .before = made->next,
                 .span = w->op->span,
                 .frames = w->op->frames};
  ir_build(&b, OP_PUBLISH, 1, &ref, 0, NULL);
}

static void publish_all(IrOp *op, void *data) {
  if (op->code != OP_CORES || !ir_runs_devices(op)) return;
  Publisher p = {.ctx = data, .device = op->regions[0]};
  ir_walk(p.device, look_at, &p);
  for (size_t i = 0; i < p.writes.count; i++) publish(&p, &p.writes.items[i]);
}

bool pass_publish(PassContext *ctx) {
  ir_walk_module(ctx->module, publish_all, ctx);
  return true;
}
