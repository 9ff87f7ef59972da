// SPDX-License-Identifier: Apache-2.0
// land: copies that are waited for in the same run of ops land where they are started.
//   takes:  launches
//   makes:  a load and a store in place of copy.start and copy.wait
//   breaks: nothing
//   not:    anything under check or at -O0; copies to or from other cores and devices, copies that
//           add; copies that are waited for in another region, or far behind; semaphores that are
//           used otherwise
//
// A copy may land when it is started: that is one of the times at which a chip may do it. If the
// wait for its bytes stands behind, and what comes between sees nothing of when it is made, and has
// nothing to do with their semaphore,
// the semaphore counts them for nobody. If that is all it is for, neither has to be, and a kernel
// that has no others starts no copies: its blocks, steps and scratch are those of any kernel.
#include <stdint.h>

#include "base/map.h"
#include "ir/analysis/alias.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/analysis/access.h"
#include "ir/core/region.h"
#include "follow.h"
#include "passes/pass.h"

// Ops from a start to its wait, with those in their regions: so the time is in proportion to the
// code.
enum { FARTHEST = 500 };

typedef struct Pair {
  IrOp *start, *wait;
} Pair;

typedef struct Lander {
  PassContext *ctx;
  Map *uses; // semaphores' root -> how many operands are of it, those of pairs left out
  Map *paired;
  VEC(Pair) pairs;
  int left; // ops to look at for the wait of a copy
} Lander;

static bool is_semaphore(const IrOp *op, uint32_t operand) {
  const IrType *type = op->operands[operand]->type;
  return op->code != OP_VIEW && type->is_ref && type->space == SPACE_SEM;
}

static void add_uses(const Lander *l, IrValue *sem, intptr_t more) {
  const IrValue *root = ir_ref_root(sem);
  map_set(l->uses, root, (void *)((intptr_t)map_get(l->uses, root) + more));
}

static void count_uses(IrOp *op, void *data) {
  const Lander *l = data;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_semaphore(op, i)) add_uses(l, op->operands[i], 1);
}

// Whether an op uses memory so that it sees when the copy is made: what is copied to, or, but to
// read it, what is copied from.
static bool sees(const IrOp *op, const IrOp *copy) {
  if (op->code == OP_VIEW || op->code == OP_COPY_WAIT) return false;
  const IrValue *from = ir_ref_root(copy->operands[0]), *to = ir_ref_root(copy->operands[1]);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!op->operands[i]->type->is_ref) continue;
    const IrValue *root = ir_ref_root(op->operands[i]);
    bool only_reads = op->code == OP_LOAD || (op->code == OP_COPY_START && i == 0);
    if (root == to || (root == from && !only_reads)) return true;
  }
  return false;
}

// Whether an op may look at the semaphore, or change its count, or see when the copy is made.
static bool meets(Lander *l, const IrOp *op, const IrOp *copy) {
  IrValue *sem = copy->operands[2];
  if (l->left-- == 0) return true; // it may, for what is known
  if (map_has(l->paired, op)) return false;
  if (sees(op, copy)) return true;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_semaphore(op, i) && alias_of_refs(op->operands[i], sem) != ALIAS_NO) return true;
  for (int i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (meets(l, inner, copy)) return true;
  return false;
}

static bool is_plain(const IrOp *op) {
  return op->code == OP_COPY_START && follow_is_plain_copy(op);
}

// The wait for the bytes of the copy, if nothing between has to do with them; else NULL.
static IrOp *wait_for(Lander *l, const IrOp *copy) {
  IrValue *sem = copy->operands[2];
  l->left = FARTHEST;
  for (IrOp *op = copy->next; op; op = op->next) {
    bool is_wait = op->code == OP_COPY_WAIT && !map_has(l->paired, op);
    if (is_wait && alias_of_refs(op->operands[0], sem) == ALIAS_SAME) {
      const IrValue *ref = op->operands[1];
      bool is_whole = !access_has_dynamic_size(ref) &&
                      ir_type_bytes(ref->type) == ir_type_bytes(copy->operands[0]->type);
      return is_whole ? op : NULL;
    }
    if (meets(l, op, copy)) return NULL;
  }
  return NULL;
}

// From the last to the first: of several on one semaphore the innermost goes first.
static void find_pairs(Lander *l, const IrRegion *region) {
  for (IrOp *op = region->last; op; op = op->prev) {
    for (int i = 0; i < op->region_count; i++) find_pairs(l, op->regions[i]);
    IrOp *wait = is_plain(op) ? wait_for(l, op) : NULL;
    if (!wait) continue;
    map_set(l->paired, op, op);
    map_set(l->paired, wait, wait);
    add_uses(l, op->operands[2], -2);
    VEC_PUSH(l->ctx->arena, &l->pairs, ((Pair){op, wait}));
  }
}

static void land(const Lander *l, const Pair *pair) {
  IrOp *start = pair->start;
  if (map_get(l->uses, ir_ref_root(start->operands[2]))) return;
  IrBuilder b = ir_builder_before(start);
  ir_store_all(&b, ir_load_all(&b, start->operands[0]), start->operands[1]);
  ir_op_remove(start);
  ir_op_remove(pair->wait);
}

bool pass_land(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    Lander l = {.ctx = ctx, .uses = map_new(ctx->arena), .paired = map_new(ctx->arena)};
    ir_walk(func->body, count_uses, &l);
    find_pairs(&l, func->body);
    for (size_t i = 0; i < l.pairs.count; i++) land(&l, &l.pairs.items[i]);
  }
  return true;
}
