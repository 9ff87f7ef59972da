// SPDX-License-Identifier: Apache-2.0
// Aliases of refs: by the memory they come from, then dimension by dimension while both come the
// same way.
#include "ir/core/attr.h"
#include "ir/core/region.h"
#include "access.h"
#include "alias.h"

#include "effects.h"

static bool is_ref_op(const IrOp *op) { return op && op_info(op->code)->effects & EFFECT_VIEWS; }

// The steps of one dimension: an arithmetic progression, if all is known.
static bool known_dim(const IndexDim *dim) {
  return dim->kind != INDEX_ARRAY && dim->start_operand < 0 && dim->size_operand < 0;
}

static int64_t dim_size(const IndexDim *dim) { return dim->kind == INDEX_SLICE ? dim->size : 1; }
static int64_t dim_stride(const IndexDim *dim) {
  return dim->kind == INDEX_SLICE ? dim->stride : 1;
}

static bool dims_apart(const IndexDim *a, const IndexDim *b) {
  if (!known_dim(a) || !known_dim(b)) return false;
  if (dim_size(a) <= 0 || dim_size(b) <= 0) return true;
  int64_t a_last = a->start + (dim_size(a) - 1) * dim_stride(a),
          b_last = b->start + (dim_size(b) - 1) * dim_stride(b);
  int64_t a_low = a->start < a_last ? a->start : a_last,
          a_high = a->start < a_last ? a_last : a->start;
  int64_t b_low = b->start < b_last ? b->start : b_last,
          b_high = b->start < b_last ? b_last : b->start;
  if (a_high < b_low || b_high < a_low) return true;
  return dim_stride(a) == dim_stride(b) && dim_stride(a) > 1 &&
         (a->start - b->start) % dim_stride(a) != 0;
}

static const IrValue *operand_or_null(const IrOp *op, int position) {
  return position < 0 ? NULL : op->operands[position];
}

static bool dims_equal(const IrOp *a_op, const IndexDim *a, const IrOp *b_op, const IndexDim *b) {
  return a->kind == b->kind && a->kind != INDEX_ARRAY && a->start == b->start &&
         dim_size(a) == dim_size(b) && dim_stride(a) == dim_stride(b) &&
         operand_or_null(a_op, a->start_operand) == operand_or_null(b_op, b->start_operand) &&
         operand_or_null(a_op, a->size_operand) == operand_or_null(b_op, b->size_operand);
}

bool alias_are_disjoint(const IrOp *a, const IrOp *b) {
  const IrIndex *x = ir_attr_index(a), *y = ir_attr_index(b);
  for (int i = 0; i < x->rank; i++)
    if (dims_apart(&x->dims[i], &y->dims[i])) return true;
  return false;
}

// Both ops index the same ref.
static Alias compare_indices(const IrOp *a, const IrOp *b) {
  if (alias_are_disjoint(a, b)) return ALIAS_NO;
  const IrIndex *x = ir_attr_index(a), *y = ir_attr_index(b);
  for (int i = 0; i < x->rank; i++)
    if (!dims_equal(a, &x->dims[i], b, &y->dims[i])) return ALIAS_MAYBE;
  return ALIAS_SAME;
}

enum { MAX_CHAIN = 32 };
// The ref behind a ref value, down to the root: chain[0] is the root, chain[n - 1] is `ref`.
static size_t ref_chain(const IrValue *ref, const IrValue *chain[MAX_CHAIN]) {
  const IrValue *reversed[MAX_CHAIN];
  size_t count = 0;
  for (;;) {
    if (count == MAX_CHAIN) return 0;
    reversed[count++] = ref;
    if (!is_ref_op(ref->def)) break;
    ref = ref->def->operands[0];
  }
  for (size_t i = 0; i < count; i++) chain[i] = reversed[count - 1 - i];
  return count;
}

// How two refs with one root lie to each other.
static Alias alias_of_views(const IrValue *a, const IrValue *b) {
  if (a == b) return ALIAS_SAME;
  const IrValue *x[MAX_CHAIN], *y[MAX_CHAIN];
  size_t x_count = ref_chain(a, x), y_count = ref_chain(b, y);
  if (!x_count || !y_count) return ALIAS_MAYBE;
  size_t i = 1;
  for (; i < x_count && i < y_count; i++) {
    if (x[i] == y[i]) continue;
    if (x[i]->def->code != OP_VIEW || y[i]->def->code != OP_VIEW) return ALIAS_MAYBE;
    Alias alias = compare_indices(x[i]->def, y[i]->def);
    if (alias != ALIAS_SAME) return alias;
  }
  return x_count == y_count ? ALIAS_SAME : ALIAS_MAYBE;
}

static bool is_memory_root(const IrValue *root) {
  return !root->def || root->def->code == OP_ALLOC || root->def->code == OP_PART;
}

Alias alias_of_refs(const IrValue *a, const IrValue *b) {
  const IrValue *a_root = ir_ref_root(a), *b_root = ir_ref_root(b);
  if (a_root == b_root) return alias_of_views(a, b);
  return is_memory_root(a_root) && is_memory_root(b_root) ? ALIAS_NO : ALIAS_MAYBE;
}

Alias alias_of(const IrOp *a, const IrOp *b) {
  Alias refs = alias_of_refs(access_ref(a), access_ref(b));
  return refs == ALIAS_SAME ? compare_indices(a, b) : refs;
}

// While a program waits, others write: copies that land, other cores. So they do once it has
// signalled that they may.
static bool writes_what_is_read(const IrOp *op, const IrOp *load) {
  if (effects_communicates(op->code)) return true;
  const IrValue *root = ir_ref_root(load->operands[0]);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!effects_writes(op, i) || ir_ref_root(op->operands[i]) != root) continue;
    bool are_accesses = op->code == OP_STORE && load->code == OP_LOAD;
    if (!are_accesses || alias_of(op, load) != ALIAS_NO) return true;
  }
  return false;
}

bool alias_op_may_write(const IrOp *op, const IrOp *load) {
  if (writes_what_is_read(op, load)) return true;
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (alias_op_may_write(inner, load)) return true;
  return false;
}
