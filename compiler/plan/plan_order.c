// SPDX-License-Identifier: Apache-2.0
// When roots may be stored: in, a walk; out, how far its nodes are to be evaluated before. What is
// stored early needs no register any more.
#include "ir/analysis/access.h"
#include "ir/analysis/alias.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "plan.h"

// The load that a node is, of a ref or of a value that lies in the ref it was loaded from; NULL: of
// other memory.
static const IrOp *load_of(const Node *node) {
  const IrOp *op = node->memory->type->is_ref ? node->value->def : node->memory->def;
  return !node->of_copy && op && op->code == OP_LOAD ? op : NULL;
}

// Elements of one ref that are apart as a whole may still lie under one vector: only memory of
// other refs counts as apart.
static bool may_load_stored(const Node *node, const Root *root) {
  const IrOp *load = load_of(node);
  if (root->kind != ROOT_STORE || !load) return true;
  return ir_ref_root(access_ref(load)) == ir_ref_root(access_ref(root->op)) ||
         alias_of(root->op, load) != ALIAS_NO;
}

size_t plan_nodes_before(const Walk *walk, const Root *root) {
  size_t count = root->node->number + 1;
  if (root->mask && root->mask->number >= count) count = root->mask->number + 1;
  if (root->kind == ROOT_REDUCE) return count;
  for (size_t i = walk->nodes.count; i > count; i--) {
    const Node *node = walk->nodes.items[i - 1];
    if (node_reads(node) && may_load_stored(node, root)) return i;
  }
  return count;
}
