// SPDX-License-Identifier: Apache-2.0
// read_only: a launch that writes to an array that it may only read, under check.
//   takes:  launches, and memory that stands for such an array (ATTR_READ_ONLY)
//   makes:  an op `check` in front of each op that writes there
//   breaks: nothing
//   not:    blocks of inputs in VMEM and SMEM, of which the launch has copies of its own
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/launch/launch.h"

typedef struct ReadOnly {
  PassContext *ctx;
  const IrRegion *region;    // of the op that is looked at
  const IrValue *ref;        // the first ref that it writes and that is read-only; NULL: none
  VEC(IrOp *) writes;        // ops that write one
  VEC(const IrValue *) refs; // and which
} ReadOnly;

// What the launch sees as the argument of its body, if that is a whole array; else NULL.
static IrValue *array_of(const ReadOnly *l, const IrValue *arg) {
  const IrOp *launch = arg->region->parent;
  if (!launch || launch->code != OP_LAUNCH) return NULL;
  LaunchParts parts;
  launch_parts(l->ctx->arena, launch, &parts);
  size_t block = arg->index - parts.first_block;
  if (arg->index < parts.first_block || block >= parts.block_count) return NULL;
  return parts.blocks[block].mode == BLOCK_WHOLE ? parts.arrays[block] : NULL;
}

// The op that makes the memory, if it is read-only; else NULL.
static const IrOp *read_only_alloc(const ReadOnly *l, const IrValue *ref) {
  while (ref) {
    const IrValue *root = ir_ref_root(ref);
    if (root->type->space != SPACE_HBM) return NULL;
    bool is_alloc = root->def && root->def->code == OP_ALLOC;
    if (root->def) return is_alloc && ir_attr_int(root->def, ATTR_READ_ONLY) ? root->def : NULL;
    ref = root->region ? array_of(l, root) : NULL;
  }
  return NULL;
}

static void look(IrValue *ref, void *data) {
  ReadOnly *l = data;
  const IrOp *alloc = l->ref ? NULL : read_only_alloc(l, ref);
  // Beside the launch stand the launch itself, and what has filled the memory.
  if (alloc && alloc->parent != l->region) l->ref = ir_ref_root(ref);
}

static void find_writes(IrOp *op, void *data) {
  ReadOnly *l = data;
  l->ref = NULL;
  l->region = op->parent;
  effects_visit_written(op, look, l);
  if (!l->ref) return;
  VEC_PUSH(l->ctx->arena, &l->writes, op);
  VEC_PUSH(l->ctx->arena, &l->refs, l->ref);
}

static void insert_check(PassContext *ctx, IrOp *write, const IrValue *ref) {
  IrBuilder b = ir_builder_before(write);
  IrValue *never = ir_const_i64(&b, ir_array_type(ctx->module, DT_BOOL, 0, NULL), 0);
  IrOp *check = ir_build(&b, OP_CHECK, 1, &never, 0, NULL);
  const char *name = ref->name ? name_str(ref->name).data : NULL;
  Str what = name ? str_format(ctx->arena, "'%s', an input that is no output as well:", name)
                  : STR("an input that is no output as well:");
  ir_set_str(ctx->module, check, ATTR_FORMAT,
             str_format(ctx->arena,
                        "this writes to %.*s on a chip the caller's array changes, which nobody "
                        "else expects; alias it to an output, or hand over a Ref",
                        STR_FMT(what)));
  ir_set_int(ctx->module, check, ATTR_FINDING, FINDING_LOST);
}

bool pass_read_only(PassContext *ctx) {
  ReadOnly l = {.ctx = ctx};
  ir_walk_module(ctx->module, find_writes, &l);
  for (size_t i = 0; i < l.writes.count; i++) insert_check(ctx, l.writes.items[i], l.refs.items[i]);
  return true;
}
