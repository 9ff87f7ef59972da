// SPDX-License-Identifier: Apache-2.0
// Stores that nobody sees: behind them, in the same region, the same elements are stored again, and
// nothing in between may read them. Each region is walked from its end, with the stores that are
// still to come at hand.
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "simplify.h"

#define MAX_LATER 64 // stores remembered for one root

// A store and what it stores to.
typedef struct Later {
  const IrOp *store;
  const IrValue *ref;
  uint64_t key;  // equal if the index is
  bool is_whole; // of its ref
} Later;

// The one seen first, which is last in the region, goes first.
typedef VEC(Later) LaterList;

typedef struct Overwriter {
  Simplifier *s;
  Map *lists; // root -> LaterList
  bool changed;
} Overwriter;

static void clear_all(const Overwriter *o) {
  void *value;
  for (size_t it = 0; map_next(o->lists, &it, NULL, &value);) ((LaterList *)value)->count = 0;
}

// Of `read` only those that a load provably misses stay.
static void clear_read(const Overwriter *o, IrValue *ref, const IrOp *read) {
  LaterList *list = map_get(o->lists, simplify_root(ref));
  size_t kept = 0;
  for (size_t i = 0; list && i < list->count; i++) {
    const Later *later = &list->items[i];
    if (read->code == OP_LOAD && later->ref == ref && alias_are_disjoint(later->store, read))
      list->items[kept++] = *later;
  }
  if (list) list->count = kept;
}

// Other programs may look wherever an op is ordered among theirs.
static void visit_reader(IrOp *op, void *data) {
  const Overwriter *o = data;
  if (effects_is_ordered(op->code)) {
    clear_all(o);
    return;
  }
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->is_ref && effects_reads(op, i)) clear_read(o, op->operands[i], op);
}

static uint64_t index_key(const IrOp *op) {
  const IrIndex *index = ir_attr_index(op);
  uint64_t key = 0;
  for (int i = 0; i < index->rank; i++) {
    int start = index->dims[i].start_operand;
    uint64_t part = start < 0 ? (uint64_t)index->dims[i].start : (uintptr_t)op->operands[start];
    key = (key ^ part) * 0x9E3779B97F4A7C15u;
  }
  return key;
}

static bool is_overwritten(const LaterList *list, const Later *earlier) {
  for (size_t i = 0; i < list->count; i++) {
    const Later *later = &list->items[i];
    if (later->ref == earlier->ref &&
        (later->is_whole ||
         (later->key == earlier->key && simplify_same_index(later->store, earlier->store))))
      return true;
  }
  return false;
}

static void visit_store(Overwriter *o, IrOp *store) {
  Later own = {.store = store,
               .ref = access_ref(store),
               .key = index_key(store),
               .is_whole = access_is_whole(store)};
  const IrValue *root = simplify_root(access_ref(store));
  LaterList *list = map_get(o->lists, root);
  if (!list) {
    list = ARENA_NEW(o->s->arena, LaterList);
    map_set(o->lists, root, list);
  }
  if (is_overwritten(list, &own)) {
    ir_op_remove(store);
    o->changed = true;
    return;
  }
  if (access_is_masked(store)) return;
  if (list->count == MAX_LATER) {
    for (size_t i = 1; i < MAX_LATER; i++) list->items[i - 1] = list->items[i];
    list->count--;
  }
  VEC_PUSH(o->s->arena, list, own);
}

static bool overwritten_in(Simplifier *s, IrRegion *region) {
  Overwriter o = {.s = s, .lists = map_new(s->arena)};
  for (IrOp *op = region->last, *before; op; op = before) {
    before = op->prev;
    if (op->code == OP_STORE) {
      visit_store(&o, op);
      continue;
    }
    visit_reader(op, &o);
    for (int i = 0; i < op->region_count; i++) {
      ir_walk(op->regions[i], visit_reader, &o);
      o.changed |= overwritten_in(s, op->regions[i]);
    }
  }
  return o.changed;
}

// Under check the stores stay, since each is looked at.
bool simplify_overwritten(Simplifier *s, IrFunc *func) {
  return !s->ctx->options->check && overwritten_in(s, func->body);
}
