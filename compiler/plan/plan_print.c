// SPDX-License-Identifier: Apache-2.0
// Plans as text:
//   plan @softmax {
//     cluster 0 of reduce_max broadcast sub exp {
//       rows [8]
//       keep %1 scalar
//       keep %4 result f32 dims [8, 128] strides [128, 1]
//       walk stage 0 over [8, 128] reduced [1] cost 1 {
//         dims row 8 of 0 by 1, reduced 128 of 1 by 1
//         loops along rows lane 1 size 128 whole 128 lanes 16 unroll 4 outer [] reduced []
//         0 load %x for %0 at [0, 0: 128, 1: 1]
//         reduce 0 to %1 at [0]
//       }
// Values are called what they are called in the IR's text. An access is a constant, the factors of
// the walk's dimensions, and those of values that the program computes: `%i: 128 wrap 64 last 56`
// counts from 64 where %i is negative, and is brought into [0, 56]. A lookup's `steps [4: 64, 7:
// 1]` are what nodes 4 and 7 add to it, times 64 and 1.
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "plan_module.h"

typedef struct Printer {
  Buf *out;
  Map *names; // of the function's values
  const Plan *plan;
} Printer;

static void put_value(const Printer *p, const IrValue *value) {
  Name name = map_get(p->names, value);
  buf_printf(p->out, "%%%s", name ? name->text : "?");
}

static void put_list(Buf *out, const char *word, size_t count, const int64_t *items) {
  buf_printf(out, " %s [", word);
  for (size_t i = 0; i < count; i++) buf_printf(out, "%s%lld", i ? ", " : "", (long long)items[i]);
  buf_c(out, "]");
}

static void put_dims(Buf *out, const char *word, size_t count, const size_t *items) {
  buf_printf(out, " %s [", word);
  for (size_t i = 0; i < count; i++) buf_printf(out, "%s%zu", i ? ", " : "", items[i]);
  buf_c(out, "]");
}

static void put_affine(const Printer *p, const Affine *at) {
  buf_printf(p->out, " at [%lld", (long long)at->constant);
  for (int d = 0; d < MAX_WALK_DIMS; d++)
    if (at->coef[d]) buf_printf(p->out, ", %d: %lld", d, (long long)at->coef[d]);
  for (size_t i = 0; i < at->term_count; i++) {
    const AffineTerm *term = &at->terms[i];
    buf_c(p->out, ", ");
    put_value(p, term->start.value);
    buf_printf(p->out, ": %lld", (long long)term->factor);
    if (term->start.wrap) buf_printf(p->out, " wrap %lld", (long long)term->start.wrap);
    if (term->start.last >= 0) buf_printf(p->out, " last %lld", (long long)term->start.last);
  }
  buf_c(p->out, "]");
}

// ---- nodes and roots ----------------------------------------------------------------------------
static void put_operands(const Printer *p, const Node *node) {
  buf_c(p->out, " of [");
  for (unsigned i = 0; i < node->operand_count; i++)
    buf_printf(p->out, "%s%zu", i ? ", " : "", node->operands[i]->number);
  buf_c(p->out, "]");
  if (node->twin && node->twin->number < node->number)
    buf_printf(p->out, " twin %zu", node->twin->number);
}

static void put_steps(const Printer *p, const Node *node) {
  buf_c(p->out, " steps [");
  for (unsigned i = 0; i < node->operand_count; i++)
    buf_printf(p->out, "%s%zu: %lld", i ? ", " : "", node->operands[i]->number,
               (long long)node->steps[i]);
  buf_c(p->out, "]");
}

static void put_load(const Printer *p, const Node *node) {
  put_value(p, node->memory);
  if (node->of_copy) buf_c(p->out, " copy");
  buf_c(p->out, " for ");
  put_value(p, node->value);
  put_affine(p, &node->at);
  if (node->kind == NODE_LOOKUP)
    put_steps(p, node);
  else if (node->operand_count == 2)
    buf_printf(p->out, " mask %zu other %zu", node->operands[0]->number, node->operands[1]->number);
}

static void put_node(const Printer *p, const Node *node) {
  static const char *const words[] = {
      [NODE_CONST] = "const",   [NODE_IOTA] = "iota",     [NODE_LOAD] = "load",
      [NODE_LOOKUP] = "lookup", [NODE_SCALAR] = "scalar", [NODE_GIVEN] = "given"};
  const char *word =
      node->kind == NODE_OP ? op_info(node->value->def->code)->name : words[node->kind];
  buf_printf(p->out, "      %zu %s ", node->number, word);
  if (node_reads(node))
    put_load(p, node);
  else
    put_value(p, node->value);
  if (node->kind == NODE_IOTA) put_affine(p, &node->at);
  if (node->kind == NODE_OP) put_operands(p, node);
  buf_c(p->out, "\n");
}

static size_t op_number(const Plan *plan, const IrOp *op) {
  for (size_t i = 0; i < plan->count; i++)
    if (plan->ops[i] == op) return i;
  BUG("op is not in the cluster");
}

static void put_root(const Printer *p, const Root *root) {
  static const char *const words[] = {"store", "keep", "reduce"};
  buf_printf(p->out, "      %s", words[root->kind]);
  if (root->node) buf_printf(p->out, " %zu", root->node->number);
  buf_c(p->out, " to ");
  if (root->kind == ROOT_STORE) {
    put_value(p, root->op->operands[1]);
    buf_printf(p->out, " op %zu", op_number(p->plan, root->op));
  } else {
    put_value(p, root->result->value);
  }
  put_affine(p, &root->at);
  if (root->mask) buf_printf(p->out, " mask %zu", root->mask->number);
  buf_c(p->out, "\n");
}

// ---- walks --------------------------------------------------------------------------------------
static void put_loops(const Printer *p, const Loops *loops) {
  static const char *const streaming[] = {"not", "whole", "peeled"};
  buf_c(p->out, "      loops");
  if (loops->along_rows) buf_c(p->out, " along rows");
  buf_printf(p->out, " lane %d size %lld whole %lld lanes %u unroll %u", loops->lane_dim,
             (long long)loops->size, (long long)loops->whole, loops->lanes, loops->unroll);
  if (loops->side_by_side) buf_c(p->out, " side by side");
  if (loops->cuts.count) put_dims(p->out, "cuts", loops->cuts.count, loops->cuts.items);
  put_dims(p->out, "outer", loops->outer.count, loops->outer.items);
  put_dims(p->out, "reduced", loops->reduced.count, loops->reduced.items);
  if (loops->cross >= 0) buf_printf(p->out, " cross %d", loops->cross);
  if (loops->group >= 0) buf_printf(p->out, " group %d steps %u", loops->group, loops->steps);
  if (loops->turns) buf_printf(p->out, " turns");
  if (loops->band) buf_printf(p->out, " band %u block %lld", loops->band, (long long)loops->block);
  if (loops->shared_dim >= 0) buf_printf(p->out, " shared %d", loops->shared_dim);
  if (loops->if_aligned || loops->otherwise)
    buf_printf(p->out, " streams %s %s", streaming[loops->if_aligned], streaming[loops->otherwise]);
  buf_c(p->out, "\n");
}

static void put_space(const Printer *p, const Walk *walk) {
  static const char *const kinds[] = {"row", "kept", "reduced"};
  buf_c(p->out, "      dims");
  for (size_t d = 0; d < walk->space.rank; d++)
    buf_printf(p->out, "%s %s %lld of %d by %lld", d ? "," : "", kinds[walk->kinds[d]],
               (long long)walk->space.sizes[d], walk->space.origin[d],
               (long long)walk->space.scale[d]);
  buf_c(p->out, "\n");
}

static void put_walk(const Printer *p, const Walk *walk) {
  size_t reduced[IR_MAX_RANK], count = 0;
  for (size_t d = 0; d < walk->shape_rank; d++)
    if (walk->reduced >> d & 1) reduced[count++] = d;
  buf_printf(p->out, "    walk stage %d", walk->stage);
  put_list(p->out, "over", walk->shape_rank, walk->shape);
  if (walk->has_reduction) put_dims(p->out, "reduced", count, reduced);
  if (walk->is_ordered) buf_c(p->out, " ordered");
  if (walk->is_split) buf_c(p->out, " split");
  buf_printf(p->out, " cost %d {\n", walk->cost);
  if (!walk->is_empty) {
    put_space(p, walk);
    put_loops(p, &walk->loops);
  }
  for (size_t i = 0; i < walk->nodes.count; i++) put_node(p, walk->nodes.items[i]);
  for (size_t i = 0; i < walk->roots.count; i++) put_root(p, walk->roots.items[i]);
  buf_c(p->out, "    }\n");
}

// ---- clusters -----------------------------------------------------------------------------------
static void put_kept(const Printer *p, const Kept *kept) {
  buf_c(p->out, "    keep ");
  put_value(p, kept->value);
  if (kept->is_result) buf_c(p->out, " result");
  if (kept->is_scalar) buf_c(p->out, " scalar");
  if (kept->in_memory) {
    buf_printf(p->out, " %s", dtype_short_name(kept->layout.dtype));
    put_list(p->out, "dims", kept->layout.rank, kept->layout.dims);
    put_list(p->out, "strides", kept->layout.rank, kept->layout.strides);
  }
  buf_c(p->out, "\n");
}

static void put_cluster(Printer *p, size_t number, const ClusterPlan *cluster) {
  const Plan *plan = cluster->plan;
  p->plan = plan;
  buf_printf(p->out, "  cluster %zu of", number);
  for (size_t i = 0; i < cluster->count; i++)
    buf_printf(p->out, " %s", op_info(cluster->ops[i]->code)->name);
  buf_c(p->out, " {\n");
  if (plan->rows) {
    buf_c(p->out, "   ");
    put_list(p->out, "rows", plan->rows, plan->row_dims);
    if (plan->row_block > 1) buf_printf(p->out, " block %lld", (long long)plan->row_block);
    buf_c(p->out, "\n");
  }
  if (plan->given) {
    buf_c(p->out, "    given ");
    put_value(p, plan->given);
    buf_c(p->out, "\n");
  }
  if (plan->pieces)
    buf_printf(p->out, "    pieces %lld share %s\n", (long long)plan->pieces,
               plan_sharing_names[plan->sharing]);
  for (size_t i = 0; i < plan->kept.count; i++) put_kept(p, plan->kept.items[i]);
  for (size_t i = 0; i < plan->copies.count; i++) {
    buf_c(p->out, "    copy ");
    put_value(p, plan->copies.items[i]);
    buf_c(p->out, "\n");
  }
  for (size_t i = 0; i < plan->walks.count; i++) put_walk(p, plan->walks.items[i]);
  buf_c(p->out, "  }\n");
}

void plan_print(Arena *arena, const ModulePlan *plans, Buf *out) {
  for (size_t i = 0; i < plans->funcs.count; i++) {
    const FuncPlan *func = &plans->funcs.items[i];
    Printer p = {.out = out, .names = ir_value_names(func->func, arena)};
    buf_printf(out, "%splan @%s {\n", i ? "\n" : "", func->func->name->text);
    for (size_t k = 0; k < func->clusters.count; k++) put_cluster(&p, k, &func->clusters.items[k]);
    buf_c(out, "}\n");
  }
}
