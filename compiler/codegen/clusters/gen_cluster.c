// SPDX-License-Identifier: Apache-2.0
// A planned cluster: its memory, what its walks need, its results.
#include "base/map.h"
#include "ir/core/ir.h"
#include "gen_cluster.h"
#include "gen_cluster_rows.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "ir/core/place.h"

// ---- planning -----------------------------------------------------------------------------------
static KeptPlace *given_place(ClusterCode *c, const IrValue *value) {
  KeptPlace *place = map_get(c->given_places, value);
  if (place) return place;
  KeptPlace fresh = {0};
  fresh.buffer = destination_take(c->g, value, &fresh.mem);
  fresh.whole = destination_place(c->g, value, &fresh.at);
  cluster_place(c, value, &fresh);
  return map_get(c->given_places, value);
}

static bool is_made_inside(const ClusterCode *c, const IrValue *value) {
  for (size_t i = 0; i < c->request.count; i++)
    if (value->def == c->request.ops[i]) return true;
  return false;
}

// A constant is no memory where it was bound as a scalar: as a parameter of an outlined cluster.
static bool find_memory(void *data, const IrValue *value, Layout *out) {
  ClusterCode *c = data;
  if (value->def && value->def->code == OP_CONST && !map_has(c->g->bindings, value)) {
    *out = layout_usual(value);
    return true;
  }
  if (is_made_inside(c, value) && value->def->code != OP_CONST) {
    *out = mem_layout(&given_place(c, value)->mem);
    return true;
  }
  const Binding *binding = value_binding(c->g, value);
  if (binding->kind == BIND_SCALAR) return false;
  *out = mem_layout(&binding->mem);
  return true;
}

ClusterOps cluster_fused_ops(Arena *arena, const IrOp *fuse) {
  const IrRegion *body = fuse->regions[0];
  ClusterOps ops = {0};
  for (const IrOp *op = body->first; op != body->last; op = op->next) ops.count++;
  ops.items = ARENA_ARRAY(arena, IrOp *, ops.count + 1);
  size_t i = 0;
  for (IrOp *op = body->first; op != body->last; op = op->next) ops.items[i++] = op;
  return ops;
}

void cluster_open(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  ClusterCode *c) {
  *c = (ClusterCode){.g = g, .arena = arena, .given_places = map_new(arena)};
  c->request = (PlanRequest){.ops = ops,
                             .count = count,
                             .rows = rows,
                             .memory = {find_memory, c},
                             .options = {.vector_bytes = g->target->vector_bytes,
                                         .registers = g->target->registers,
                                         .many_ops = g->shares.all,
                                         .check = g->options->check,
                                         .eager = g->options->eager}};
}

const IrOp *cluster_op(const ClusterCode *c) {
  const IrOp *op = c->request.ops[0], *outer = op->parent->parent;
  return outer && outer->code == OP_FUSE ? outer : op;
}

void cluster_place(ClusterCode *c, const IrValue *value, const KeptPlace *place) {
  KeptPlace *copy = ARENA_NEW(c->arena, KeptPlace);
  *copy = *place;
  map_set(c->given_places, value, copy);
}

bool cluster_plan(ClusterCode *c) {
  c->plan = plan_make(c->arena, &c->request);
  return c->plan;
}

// ---- the report ---------------------------------------------------------------------------------
void cluster_report(const ClusterCode *c) {
  Session *session = c->g->session;
  if (!remark_is_on(session)) return;
  RemarkItem *item = plan_report(session, c->plan, cluster_op(c));
  if (c->taken_over)
    remark_text(session, item, FACT_PLACE,
                str_format(c->arena, "in the memory of %.*s", STR_FMT(remark_name(c->taken_over))));
}

void cluster_report_reuse(const ClusterCode *c) {
  Session *session = c->g->session;
  if (!remark_is_on(session)) return;
  RemarkItem *item = plan_report_cluster(session, cluster_op(c), c->request.ops, c->request.count);
  remark_text(session, item, FACT_REUSED, STR(""));
}

// ---- before the walks ---------------------------------------------------------------------------
// The memory of the rows of a block; that of the first.
static void take_rows(ClusterCode *c, const Kept *kept, KeptPlace *place) {
  const Layout *layout = &kept->layout;
  if (!kept->in_memory || kept->is_result) return;
  int64_t count = cluster_row_elements(c, kept) * c->plan->row_block;
  Mem rows;
  place->buffer = frame_take_array(c->g, layout->dtype, 1, &count, &rows);
  place->mem = mem_at(rows.base, layout);
}

static void make_copies(ClusterCode *c) {
  c->copies = ARENA_ARRAY(c->arena, Mem, c->plan->copies.count + 1);
  c->copy_buffers = ARENA_ARRAY(c->arena, Buffer *, c->plan->copies.count + 1);
  for (size_t i = 0; i < c->plan->copies.count; i++) {
    Mem from = value_mem(c->g, c->plan->copies.items[i]);
    c->copy_buffers[i] = frame_take_array(c->g, from.dtype, from.rank, from.dims, &c->copies[i]);
    mem_copy(c->g, &c->copies[i], &from);
  }
}

static Value base_of_copy(const ClusterCode *c, const IrValue *value) {
  for (size_t i = 0; i < c->plan->copies.count; i++)
    if (c->plan->copies.items[i] == value) return c->copies[i].base;
  BUG("a copy that was not made");
}

static Value base_of(const ClusterCode *c, const Node *node) {
  if (node->of_copy) return base_of_copy(c, node->memory);
  const Kept *kept = plan_kept_of(c->plan, node->memory);
  return kept ? c->places[kept->number].mem.base : value_mem(c->g, node->memory).base;
}

static Value start_value(ClusterCode *c, const Start *start) {
  for (size_t i = 0; i < c->starts.count; i++) {
    const KnownStart *known = &c->starts.items[i];
    if (start_equal(&known->start, start)) return known->value;
  }
  Value value = value_index(c->g, start->value);
  if (start->last >= 0) value = gen_bring_inside(c->g, value, start->wrap, start->last);
  KnownStart known = {*start, value};
  VEC_PUSH(c->arena, &c->starts, known);
  return value;
}

static Value dynamic_of(ClusterCode *c, const Affine *at) {
  Value sum = NULL;
  for (size_t i = 0; i < at->term_count; i++) {
    Value start = start_value(c, &at->terms[i].start);
    sum = gen_add(c->g, sum, gen_mul_const(c->g, start, at->terms[i].factor));
  }
  return sum;
}

static void prepare_node(ClusterCode *c, WalkCode *w, const Node *node) {
  Origin *origin = &w->nodes[node->number];
  if (node_reads(node)) origin->base = base_of(c, node);
  if (node_has_map(node)) origin->dynamic = dynamic_of(c, &node->at);
  if (node->kind == NODE_SCALAR && !node->kept)
    w->scalars[node->number] = value_scalar(c->g, node->value);
}

static void prepare_walk(ClusterCode *c, const Walk *walk, WalkCode *w) {
  *w = (WalkCode){.g = c->g,
                  .arena = c->arena,
                  .walk = walk,
                  .places = c->places,
                  .shown = c->shown,
                  .nodes = ARENA_ARRAY(c->arena, Origin, walk->nodes.count + 1),
                  .roots = ARENA_ARRAY(c->arena, Origin, walk->roots.count + 1),
                  .scalars = ARENA_ARRAY(c->arena, Value, walk->nodes.count + 1)};
  for (size_t i = 0; i < walk->nodes.count; i++) prepare_node(c, w, walk->nodes.items[i]);
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    Origin *origin = &w->roots[i];
    origin->base = root->kind == ROOT_STORE ? value_mem(c->g, root->op->operands[1]).base
                                            : c->places[root->result->number].mem.base;
    origin->dynamic = dynamic_of(c, &root->at);
  }
}

void cluster_take_results(ClusterCode *c) {
  c->places = ARENA_ARRAY(c->arena, KeptPlace, c->plan->kept.count + 1);
  for (size_t i = 0; i < c->plan->kept.count; i++) {
    const KeptPlace *given = map_get(c->given_places, c->plan->kept.items[i]->value);
    if (given) c->places[i] = *given;
  }
}

size_t cluster_result_bases(const ClusterCode *whole, Value *bases) {
  size_t count = 0;
  for (size_t i = 0; i < whole->plan->kept.count; i++)
    if (whole->plan->kept.items[i]->is_result) bases[count++] = whole->places[i].mem.base;
  return count;
}

void cluster_open_part(LlvmGen *g, Arena *arena, const ClusterCode *whole, const Value *bases,
                       ClusterCode *part) {
  const PlanRequest *request = &whole->request;
  cluster_open(g, arena, request->ops, request->count, request->rows, part);
  part->plan = whole->plan;
  for (size_t i = 0, at = 0; i < whole->plan->kept.count; i++) {
    if (!whole->plan->kept.items[i]->is_result) continue;
    KeptPlace place = whole->places[i];
    place.mem.base = bases[at++];
    place.buffer = NULL;
    cluster_place(part, whole->plan->kept.items[i]->value, &place);
  }
}

// A variable that is bound to two of the scalars shows neither.
static void report_scalar(Map *shown, Map *of_name, const IrValue *value) {
  map_set(shown, value, value);
  for (const IrPlace *place = value->places; place; place = place->next) {
    if (!place->variable) continue;
    const IrValue *other = map_get(of_name, place->variable);
    if (other) map_remove(shown, value), map_remove(shown, other);
    map_set(of_name, place->variable, value);
  }
}

// Scalars with a variable of their own. Where several turns of a loop of the source are one
// cluster, a variable would have the value of another turn.
static Map *find_shown(const ClusterCode *c) {
  if (!c->g->options->debug_info) return NULL;
  Map *shown = map_new(c->arena), *of_name = map_new(c->arena);
  for (size_t i = 0; i < c->request.count; i++)
    for (size_t j = 0; j < c->request.ops[i]->result_count; j++) {
      const IrValue *value = c->request.ops[i]->results[j];
      if (debug_has_variables(c->g, value)) report_scalar(shown, of_name, value);
    }
  return shown;
}

void cluster_prepare(ClusterCode *c) {
  const Plan *plan = c->plan;
  c->shown = find_shown(c);
  cluster_take_results(c);
  for (size_t i = 0; i < plan->kept.count; i++) take_rows(c, plan->kept.items[i], &c->places[i]);
  make_copies(c);
  c->walks = ARENA_ARRAY(c->arena, WalkCode, plan->walks.count + 1);
  for (size_t i = 0; i < plan->walks.count; i++)
    prepare_walk(c, plan->walks.items[i], &c->walks[i]);
}

// ---- after the walks ----------------------------------------------------------------------------
KeptPlace *cluster_place_of(const ClusterCode *c, const IrValue *value) {
  const Kept *kept = plan_kept_of(c->plan, value);
  if (!kept) BUG("a value that is not kept");
  return &c->places[kept->number];
}

void cluster_give_back(ClusterCode *c) {
  for (size_t i = 0; i < c->plan->kept.count; i++)
    if (!c->plan->kept.items[i]->is_result) frame_give(c->g, c->places[i].buffer);
  for (size_t i = 0; i < c->plan->copies.count; i++) frame_give(c->g, c->copy_buffers[i]);
}

void cluster_bind_results(const ClusterCode *c) {
  for (size_t i = 0; i < c->plan->kept.count; i++) {
    const Kept *kept = c->plan->kept.items[i];
    if (!kept->is_result) continue;
    if (kept->in_memory)
      value_bind_mem(c->g, kept->value, &c->places[i].mem, c->places[i].buffer);
    else
      value_bind_scalar(c->g, kept->value, c->places[i].scalar);
  }
}

void cluster_finish(ClusterCode *c) {
  cluster_give_back(c);
  cluster_bind_results(c);
}

void cluster_abandon(ClusterCode *c) {
  if (c->places) cluster_give_back(c);
  const void *value;
  void *place;
  for (size_t it = 0; map_next(c->given_places, &it, &value, &place);)
    frame_give(c->g, ((KeptPlace *)place)->buffer);
}
