// SPDX-License-Identifier: Apache-2.0
// outside: accesses out of bounds fail the call, in launches whose author asked for that
// (ATTR_RAISES).
//   takes:  launches and programs of cores as they were recorded
//   makes:  in front of a load, store or view whose index may be out of bounds, ops `check`
//   breaks: nothing
//   not:    under check, where each access is looked at as it is made; masked accesses and index
//           arrays, which say themselves what there is; blocks, which pipeline.c checks
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/bounds.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

typedef struct Raiser {
  IrModule *module;
  Arena *arena;
  Map *masked; // views that a masked access goes through (IrOp *)
  VEC(IrOp *) accesses;
} Raiser;

static bool has_index(const IrOp *op) {
  return op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_VIEW;
}

static void find_accesses(IrOp *op, void *data) {
  Raiser *r = data;
  if (!has_index(op)) return;
  VEC_PUSH(r->arena, &r->accesses, op);
  if (!access_is_masked(op)) return;
  for (IrOp *view = access_ref(op)->def; view && op_info(view->code)->op_class == CLASS_REF &&
                                         view->operand_count && view->code != OP_ALLOC;
       view = view->operands[0]->def)
    map_set(r->masked, view, view);
}

static IrValue *compare(IrBuilder *b, OpCode code, IrValue *x, int64_t c) {
  return ir_binary(b, code, x, ir_const_i64(b, x->type, c));
}

static IrValue *operand_or(IrBuilder *b, const IrOp *op, int number, int64_t otherwise) {
  return number >= 0 ? op->operands[number] : ir_i32(b, (int32_t)otherwise);
}

// Whether what one dimension of the index takes is there; of no elements everything is.
static IrValue *is_inside(IrBuilder *b, const IrOp *op, int i, IrValue *start) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  int64_t limit = access_ref(op)->type->dims[i];
  IrValue *from = compare(b, OP_GE, start, 0);
  if (dim->kind == INDEX_SCALAR) return ir_binary(b, OP_AND, from, compare(b, OP_LT, start, limit));
  if (dim->size_operand < 0) {
    int64_t last = dim->size ? limit - 1 - (dim->size - 1) * dim->stride : limit;
    return ir_binary(b, OP_AND, from, compare(b, OP_LE, start, last));
  }
  IrValue *size = op->operands[dim->size_operand];
  IrValue *reach = ir_binary(b, OP_MUL, ir_binary(b, OP_SUB, size, ir_const_i64(b, size->type, 1)),
                             ir_const_i64(b, size->type, dim->stride));
  IrValue *room = ir_binary(b, OP_SUB, ir_const_i64(b, size->type, limit - 1), reach);
  IrValue *to = ir_binary(b, OP_LE, start, room);
  IrValue *none = compare(b, OP_EQ, size, 0);
  return ir_binary(
      b, OP_OR, none,
      ir_binary(b, OP_AND, compare(b, OP_GE, size, 0), ir_binary(b, OP_AND, from, to)));
}

static Str name_of(const IrValue *ref) {
  const IrValue *root = ir_ref_root(ref);
  if (root->def && root->def->code == OP_ALLOC && ir_attr_str(root->def, ATTR_NAME).len)
    return ir_attr_str(root->def, ATTR_NAME);
  return root->name ? name_str(root->name) : STR("ref");
}

static void check_dim(const Raiser *r, IrOp *op, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  if (dim->kind == INDEX_ARRAY || (dim->size_operand < 0 && bounds_dim_inside(op, i))) return;
  IrBuilder b = ir_builder_before(op);
  IrValue *start = operand_or(&b, op, dim->start_operand, dim->start);
  IrValue *operands[] = {
      is_inside(&b, op, i, start), start,
      dim->kind == INDEX_SCALAR ? ir_i32(&b, 1) : operand_or(&b, op, dim->size_operand, dim->size)};
  IrOp *check = ir_build(&b, OP_CHECK, COUNT_OF(operands), operands, 0, NULL);
  const IrValue *ref = access_ref(op);
  ir_set_str(r->module, check, ATTR_FORMAT,
             str_format(r->module->arena,
                        "Out-of-bounds %s of '%.*s': from index {} of dimension %d, which has size "
                        "%lld, elements: {}",
                        op->code == OP_STORE  ? "write"
                        : op->code == OP_LOAD ? "read"
                                              : "access",
                        STR_FMT(name_of(ref)), i, (long long)ref->type->dims[i]));
  ir_set_int(r->module, check, ATTR_FINDING, FINDING_OUT_OF_BOUNDS);
}

static void raise_in(Raiser *r, IrOp *op) {
  for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], find_accesses, r);
  for (size_t k = 0; k < r->accesses.count; k++) {
    IrOp *access = r->accesses.items[k];
    if (access_is_masked(access) || map_has(r->masked, access)) continue;
    for (int i = 0; i < ir_attr_index(access)->rank; i++) check_dim(r, access, i);
  }
}

static void find_launches(IrOp *op, void *data) {
  Raiser *found = data;
  if ((op->code == OP_LAUNCH || op->code == OP_CORES) && ir_attr_int(op, ATTR_RAISES))
    VEC_PUSH(found->arena, &found->accesses, op);
}

bool pass_outside(PassContext *ctx) {
  Raiser launches = {.arena = ctx->arena};
  ir_walk_module(ctx->module, find_launches, &launches);
  for (size_t i = 0; i < launches.accesses.count; i++) {
    Raiser r = {.module = ctx->module, .arena = ctx->arena, .masked = map_new(ctx->arena)};
    raise_in(&r, launches.accesses.items[i]);
  }
  return true;
}
