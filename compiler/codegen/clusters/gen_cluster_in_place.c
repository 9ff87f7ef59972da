// SPDX-License-Identifier: Apache-2.0
// Results of a cluster in the memory of what it is made from. In: a plan whose results have places.
// Out: the place of a result is that of an operand which nobody needs afterwards, where each point
// of the walk reads the element that it writes, and no later walk reads the operand. So a value
// that a loop carries stays where it is.
#include "base/map.h"
#include "ir/core/ir.h"
#include "gen_cluster_in_place.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_value.h"

// Where a result is made: the only root that writes it.
typedef struct Making {
  size_t walk;
  const Root *root;
} Making;

static bool find_making(const Plan *plan, const Kept *kept, Making *out) {
  size_t found = 0;
  for (size_t i = 0; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    for (size_t k = 0; k < walk->roots.count; k++) {
      const Root *root = walk->roots.items[k];
      if (root->result != kept) continue;
      *out = (Making){i, root};
      found++;
    }
  }
  return found == 1 && out->root->kind == ROOT_KEEP;
}

static bool reads(const Node *node, const IrValue *value) {
  return node_reads(node) && node->memory == value;
}

// Whether threads that share both walks read in each column what is made there.
static bool is_in_same_columns(const Walk *walk, const Node *node, const Walk *making,
                               const Root *made) {
  const Loops *a = &walk->loops, *b = &making->loops;
  bool is_same_share = a->shared_dim == b->shared_dim && a->shared_dim == a->lane_dim &&
                       b->shared_dim == b->lane_dim && a->size == b->size && a->whole == b->whole &&
                       loops_step(a) == loops_step(b);
  return node->kind == NODE_LOAD && is_same_share && affine_equal(&node->at, &made->at);
}

// Walks of a cluster with rows take turns, row by row: then the operand is read in this one alone.
// Without rows one thread runs several walks, or threads share their columns; one walk is shared
// point by point.
static bool reads_in_time(const Plan *plan, const Making *making, const IrValue *operand) {
  for (size_t i = 0; i < plan->walks.count; i++) {
    const Walk *walk = plan->walks.items[i];
    for (size_t k = 0; k < walk->nodes.count; k++) {
      const Node *node = walk->nodes.items[k];
      if (!reads(node, operand)) continue;
      bool is_same = i == making->walk && !node->of_copy && !node->operand_count &&
                     affine_equal(&node->at, &making->root->at);
      bool is_before =
          i < making->walk && plan->rows == 0 &&
          (plan->sharing != SHARE_WALKS ||
           is_in_same_columns(walk, node, plan->walks.items[making->walk], making->root));
      if (!is_same && !is_before) return false;
    }
  }
  return true;
}

static bool has_same_type(const IrValue *a, const IrValue *b) {
  if (a->type->is_ref || a->type->dtype != b->type->dtype || a->type->rank != b->type->rank)
    return false;
  for (int i = 0; i < a->type->rank; i++)
    if (a->type->dims[i] != b->type->dims[i]) return false;
  return true;
}

static bool take_over(ClusterCode *c, const Making *making, const IrValue *operand,
                      KeptPlace *place) {
  if (!map_has(c->g->bindings, operand)) return false; // made here, or a constant
  if (!has_same_type(operand, making->root->result->value) ||
      !reads_in_time(c->plan, making, operand))
    return false;
  Mem mem;
  Buffer *buffer = live_take_over(c->g, operand, cluster_op(c), &mem);
  if (!buffer) return false;
  frame_keep(buffer);
  frame_give(c->g, place->buffer);
  *place = (KeptPlace){.mem = mem, .buffer = buffer};
  c->taken_over = operand;
  return true;
}

// What the value replaces in the loop whose region yields it; NULL: nothing.
static const IrValue *carried_before(const IrOp *op, const IrValue *value) {
  const IrRegion *region = op->parent;
  const IrOp *loop = region ? region->parent : NULL;
  if (!loop || loop->code != OP_FOR) return NULL;
  for (size_t i = 0; i < op->result_count; i++) {
    if (op->code == OP_FUSE ? op->regions[0]->last->operands[i] != value : op->results[i] != value)
      continue;
    for (size_t k = 0; k < region->last->operand_count; k++)
      if (region->last->operands[k] == op->results[i]) return region->args[k + 1];
  }
  return NULL;
}

static bool take_over_of(ClusterCode *c, const Making *making, KeptPlace *place,
                         const IrValue *wanted) {
  const Walk *walk = c->plan->walks.items[making->walk];
  for (size_t k = 0; k < walk->nodes.count; k++) {
    const Node *node = walk->nodes.items[k];
    if (node->kind == NODE_LOAD && !node->of_copy && (!wanted || node->memory == wanted) &&
        affine_equal(&node->at, &making->root->at) && take_over(c, making, node->memory, place))
      return true;
  }
  return false;
}

void cluster_take_over(ClusterCode *c) {
  if (c->g->options->check) return; // memory is more than its bytes there
  for (size_t i = 0; i < c->plan->kept.count; i++) {
    const Kept *kept = c->plan->kept.items[i];
    KeptPlace *place = map_get(c->given_places, kept->value);
    Making making;
    // A destination has a second user.
    if (!kept->is_result || !kept->in_memory || !place || !place->buffer ||
        place->buffer->users != 1 || !layout_is_dense(&kept->layout) ||
        !find_making(c->plan, kept, &making))
      continue;
    const IrValue *before = carried_before(cluster_op(c), kept->value);
    if (!before || !take_over_of(c, &making, place, before)) take_over_of(c, &making, place, NULL);
  }
}
