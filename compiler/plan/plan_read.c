// SPDX-License-Identifier: Apache-2.0
// Reads what plan_print.c prints. In: a module, and the text of the plans of its clusters. Out: the
// plans, or a diagnostic at what is no plan of them; print(read(print(p))) == print(p).
#include <setjmp.h>
#include "base/map.h"
#include "ir/core/ir.h"
#include "ir/text/print.h"
#include "ir/text/scan.h"
#include "plan_module.h"
#include "planner.h"

// What a name stands for.
typedef struct Named {
  const IrValue *value;
} Named;

typedef struct Reader {
  Scan scan;
  Arena *arena;
  Map *values; // Name -> Named *, of the function at hand
  Interner *interner;
  ClusterPlan *cluster;
  Plan *plan;
  Walk *walk;
} Reader;

// ---- small things -------------------------------------------------------------------------------
static bool accept(Reader *r, const char *word) { return scan_accept_word(&r->scan, word); }
static void expect(Reader *r, const char *word) { scan_expect_word(&r->scan, word); }
static int64_t number(Reader *r) { return scan_int(&r->scan); }

static int64_t number_behind(Reader *r, const char *word) {
  expect(r, word);
  return number(r);
}

static size_t number_below(Reader *r, size_t limit, const char *what) {
  ScanToken at = r->scan.token;
  int64_t n = number(r);
  if (n < 0 || (uint64_t)n >= limit) scan_fail(&r->scan, at, "there is no such %s", what);
  return (size_t)n;
}

// One of the words; which.
static int word_of(Reader *r, size_t count, const char *const *words) {
  for (size_t i = 0; i < count; i++)
    if (accept(r, words[i])) return (int)i;
  scan_expected(&r->scan, words[0]);
}

static const IrValue *value_of(Reader *r) {
  if (r->scan.token.kind != TOKEN_VALUE) scan_expected(&r->scan, "a value");
  ScanToken at = scan_take(&r->scan);
  const Named *named = map_get(r->values, name_intern(r->interner, at.text));
  if (!named) scan_fail(&r->scan, at, "there is no such value");
  return named->value;
}

// [1, 2, 3] of at most `limit`.
static size_t items_of(Reader *r, size_t limit, int64_t *items) {
  size_t count = 0;
  scan_expect(&r->scan, '[');
  while (!scan_accept(&r->scan, ']')) {
    if (count) scan_expect(&r->scan, ',');
    if (count == limit) scan_expected(&r->scan, "the end of the list");
    items[count++] = number(r);
  }
  return count;
}

static size_t list(Reader *r, const char *word, size_t limit, int64_t *items) {
  expect(r, word);
  return items_of(r, limit, items);
}

static Affine affine(Reader *r) {
  Affine at = {0};
  expect(r, "at");
  scan_expect(&r->scan, '[');
  at.constant = number(r);
  while (scan_accept(&r->scan, ',')) {
    if (r->scan.token.kind != TOKEN_VALUE) {
      size_t d = number_below(r, MAX_WALK_DIMS, "dimension");
      scan_expect(&r->scan, ':');
      at.coef[d] = number(r);
      continue;
    }
    Start start = {.value = value_of(r), .last = -1};
    scan_expect(&r->scan, ':');
    int64_t factor = number(r);
    if (accept(r, "wrap")) start.wrap = number(r);
    if (accept(r, "last")) start.last = number(r);
    affine_add_start(r->arena, &at, &start, factor);
  }
  scan_expect(&r->scan, ']');
  return at;
}

static Node *node_of(Reader *r) {
  return r->walk->nodes.items[number_below(r, r->walk->nodes.count, "node")];
}

// ---- nodes --------------------------------------------------------------------------------------
static void read_steps(Reader *r, Node *node) {
  expect(r, "steps");
  scan_expect(&r->scan, '[');
  while (!scan_accept(&r->scan, ']')) {
    if (node->operand_count) scan_expect(&r->scan, ',');
    if (node->operand_count == MAX_NODE_OPERANDS) scan_expected(&r->scan, "the end of the list");
    node->operands[node->operand_count] = node_of(r);
    scan_expect(&r->scan, ':');
    node->steps[node->operand_count++] = number(r);
  }
}

static void read_load(Reader *r, Node *node) {
  node->memory = value_of(r);
  node->of_copy = accept(r, "copy");
  expect(r, "for");
  node->value = value_of(r);
  node->at = affine(r);
  if (node->kind == NODE_LOOKUP) read_steps(r, node);
  if (!accept(r, "mask")) return;
  node->operands[node->operand_count++] = node_of(r);
  expect(r, "other");
  node->operands[node->operand_count++] = node_of(r);
}

static void read_operation(Reader *r, ScanToken word, Node *node) {
  node->kind = NODE_OP;
  node->value = value_of(r);
  const IrOp *op = node->value->def;
  if (!op || !str_equal(word.text, str_from_c(op_info(op->code)->name)))
    scan_fail(&r->scan, word, "the value is not made by such an op");
  expect(r, "of");
  scan_expect(&r->scan, '[');
  while (!scan_accept(&r->scan, ']')) {
    if (node->operand_count) scan_expect(&r->scan, ',');
    if (node->operand_count == MAX_NODE_OPERANDS) scan_expected(&r->scan, "the end of the list");
    node->operands[node->operand_count++] = node_of(r);
  }
  if (!accept(r, "twin")) return;
  node->twin = node_of(r);
  node->twin->twin = node;
}

static void read_node(Reader *r) {
  static const char *const words[] = {"const", "iota", "load", "lookup", "scalar", "given"};
  static const NodeKind kinds[] = {NODE_CONST,  NODE_IOTA,   NODE_LOAD,
                                   NODE_LOOKUP, NODE_SCALAR, NODE_GIVEN};
  ScanToken at = r->scan.token;
  Node *node = ARENA_NEW(r->arena, Node);
  node->number = (size_t)number(r);
  if (node->number != r->walk->nodes.count)
    scan_fail(&r->scan, at, "nodes are numbered one after another");
  ScanToken word = scan_take(&r->scan);
  size_t which = 0;
  while (which < COUNT_OF(words) && !str_equal(word.text, str_from_c(words[which]))) which++;
  if (which == COUNT_OF(words)) {
    read_operation(r, word, node);
  } else {
    node->kind = kinds[which];
    if (node_reads(node))
      read_load(r, node);
    else
      node->value = value_of(r);
    if (node->kind == NODE_IOTA) node->at = affine(r);
    if (node->kind == NODE_SCALAR) node->kept = plan_kept_of(r->plan, node->value);
  }
  VEC_PUSH(r->arena, &r->walk->nodes, node);
}

// ---- roots --------------------------------------------------------------------------------------
static void read_root(Reader *r) {
  static const char *const words[] = {"store", "keep", "reduce"};
  ScanToken at = r->scan.token;
  Root *root = ARENA_NEW(r->arena, Root);
  root->kind = (RootKind)word_of(r, COUNT_OF(words), words);
  if (r->scan.token.kind == TOKEN_NUMBER) root->node = node_of(r);
  expect(r, "to");
  const IrValue *to = value_of(r);
  if (root->kind == ROOT_STORE) {
    expect(r, "op");
    root->op = r->plan->ops[number_below(r, r->plan->count, "op")];
    if (root->op->code != OP_STORE || root->op->operands[1] != to)
      scan_fail(&r->scan, at, "the op is no store into this value");
  } else {
    root->result = plan_kept_of(r->plan, to);
    if (!root->result) scan_fail(&r->scan, at, "the value is not kept");
    if (root->kind == ROOT_REDUCE) root->op = to->def;
  }
  root->at = affine(r);
  if (accept(r, "mask")) root->mask = node_of(r);
  VEC_PUSH(r->arena, &r->walk->roots, root);
}

// ---- walks --------------------------------------------------------------------------------------
static void read_dims(Reader *r) {
  static const char *const kinds[] = {"row", "kept", "reduced"};
  Space *space = &r->walk->space;
  expect(r, "dims");
  if (r->scan.token.is_first) return; // none
  do {
    if (space->rank == MAX_WALK_DIMS) scan_expected(&r->scan, "the end of the dimensions");
    size_t d = space->rank++;
    r->walk->kinds[d] = (DimKind)word_of(r, COUNT_OF(kinds), kinds);
    space->sizes[d] = number(r);
    space->origin[d] = (int)number_behind(r, "of");
    space->scale[d] = number_behind(r, "by");
  } while (scan_accept(&r->scan, ','));
}

// Dimensions of the walk.
static size_t dims(Reader *r, const char *word, int64_t *items) {
  ScanToken at = r->scan.token;
  size_t count = list(r, word, MAX_WALK_DIMS, items);
  for (size_t i = 0; i < count; i++)
    if (items[i] < 0 || (size_t)items[i] >= r->walk->space.rank)
      scan_fail(&r->scan, at, "there is no such dimension");
  return count;
}

static int dim_behind(Reader *r, const char *word) {
  if (!accept(r, word)) return -1;
  return (int)number_below(r, r->walk->space.rank, "dimension");
}

// The nodes come behind.
static void read_cuts(Reader *r, Loops *loops) {
  int64_t found[MOST_CUTS];
  if (!accept(r, "cuts")) return;
  size_t count = items_of(r, MOST_CUTS, found);
  for (size_t i = 0; i < count; i++) VEC_PUSH(r->arena, &loops->cuts, (size_t)found[i]);
}

static void read_loops(Reader *r) {
  static const char *const streaming[] = {"not", "whole", "peeled"};
  Loops *loops = &r->walk->loops;
  int64_t found[MAX_WALK_DIMS];
  expect(r, "loops");
  if (accept(r, "along")) {
    expect(r, "rows");
    loops->along_rows = true;
  }
  loops->lane_dim = (int)number_behind(r, "lane");
  loops->size = number_behind(r, "size");
  loops->whole = number_behind(r, "whole");
  loops->lanes = (unsigned)number_behind(r, "lanes");
  loops->unroll = (unsigned)number_behind(r, "unroll");
  if (accept(r, "side")) {
    expect(r, "by");
    expect(r, "side");
    loops->side_by_side = true;
  }
  read_cuts(r, loops);
  size_t count = dims(r, "outer", found);
  for (size_t i = 0; i < count; i++) VEC_PUSH(r->arena, &loops->outer, (size_t)found[i]);
  count = dims(r, "reduced", found);
  for (size_t i = 0; i < count; i++) VEC_PUSH(r->arena, &loops->reduced, (size_t)found[i]);
  loops->cross = dim_behind(r, "cross");
  loops->group = dim_behind(r, "group");
  if (loops->group >= 0) loops->steps = (unsigned)number_behind(r, "steps");
  loops->turns = accept(r, "turns");
  if (accept(r, "band")) {
    loops->band = (unsigned)number(r);
    loops->block = number_behind(r, "block");
  }
  loops->shared_dim = dim_behind(r, "shared");
  if (!accept(r, "streams")) return;
  loops->if_aligned = (Streaming)word_of(r, COUNT_OF(streaming), streaming);
  loops->otherwise = (Streaming)word_of(r, COUNT_OF(streaming), streaming);
}

static void read_walk_head(Reader *r, Walk *walk) {
  int64_t dims[IR_MAX_RANK];
  walk->stage = (int)number_behind(r, "stage");
  walk->shape_rank = list(r, "over", IR_MAX_RANK, dims);
  int64_t *shape = ARENA_ARRAY(r->arena, int64_t, walk->shape_rank + 1);
  for (size_t i = 0; i < walk->shape_rank; i++) {
    shape[i] = dims[i];
    if (!dims[i]) walk->is_empty = true;
  }
  walk->shape = shape;
  if (r->scan.token.kind == TOKEN_WORD && str_equal(r->scan.token.text, STR("reduced"))) {
    walk->has_reduction = true;
    size_t count = list(r, "reduced", IR_MAX_RANK, dims);
    for (size_t i = 0; i < count; i++) walk->reduced |= UINT32_C(1) << (dims[i] & 31);
  }
  walk->is_ordered = accept(r, "ordered");
  walk->is_split = accept(r, "split");
  walk->cost = (int)number_behind(r, "cost");
}

static void read_walk(Reader *r) {
  Walk *walk = r->walk = ARENA_NEW(r->arena, Walk);
  walk->loops = (Loops){.lane_dim = -1, .cross = -1, .group = -1, .shared_dim = -1};
  read_walk_head(r, walk);
  scan_expect(&r->scan, '{');
  if (!walk->is_empty) {
    read_dims(r);
    read_loops(r);
  }
  while (r->scan.token.kind == TOKEN_NUMBER) read_node(r);
  while (!scan_accept(&r->scan, '}')) read_root(r);
  planner_find_dependences(walk);
  VEC_PUSH(r->arena, &r->plan->walks, walk);
}

// ---- clusters -----------------------------------------------------------------------------------
static void read_kept(Reader *r) {
  Kept *kept = ARENA_NEW(r->arena, Kept);
  kept->value = value_of(r);
  kept->number = r->plan->kept.count;
  kept->is_result = accept(r, "result");
  kept->is_scalar = accept(r, "scalar");
  if (r->scan.token.kind == TOKEN_WORD && !r->scan.token.is_first) {
    scan_next(&r->scan); // the element type is the value's
    kept->in_memory = true;
    kept->layout.dtype = kept->value->type->dtype;
    kept->layout.rank = (uint8_t)list(r, "dims", IR_MAX_RANK, kept->layout.dims);
    list(r, "strides", IR_MAX_RANK, kept->layout.strides);
  }
  VEC_PUSH(r->arena, &r->plan->kept, kept);
}

static void read_cluster(Reader *r, FuncPlan *func) {
  ClusterPlan *cluster = &func->clusters.items[number_below(r, func->clusters.count, "cluster")];
  Plan *plan = r->plan = ARENA_NEW(r->arena, Plan);
  plan->ops = cluster->ops;
  plan->count = cluster->count;
  expect(r, "of");
  for (size_t i = 0; i < cluster->count; i++) expect(r, op_info(cluster->ops[i]->code)->name);
  scan_expect(&r->scan, '{');
  // A cluster that has rows may be planned without them.
  if (cluster->rows && accept(r, "rows")) plan->rows = items_of(r, IR_MAX_RANK, plan->row_dims);
  plan->row_block = plan->rows && accept(r, "block") ? number(r) : 1;
  if (accept(r, "given")) plan->given = value_of(r);
  if (accept(r, "pieces")) {
    plan->pieces = number(r);
    expect(r, "share");
    plan->sharing = (PlanSharing)word_of(r, SHARE_KINDS, plan_sharing_names);
  }
  while (accept(r, "keep")) read_kept(r);
  while (accept(r, "copy")) {
    const IrValue *value = value_of(r);
    VEC_PUSH(r->arena, &plan->copies, value);
  }
  while (accept(r, "walk")) read_walk(r);
  scan_expect(&r->scan, '}');
  cluster->plan = plan;
}

static void find_values(Reader *r, const IrFunc *func) {
  const void *value;
  void *name;
  Map *names = ir_value_names(func, r->arena);
  r->values = map_new(r->arena);
  for (size_t it = 0; map_next(names, &it, &value, &name);) {
    Name own = name;
    Named *named = ARENA_NEW(r->arena, Named);
    named->value = value;
    map_set(r->values, name_intern(r->interner, name_str(own)), named);
  }
}

static void read_func(Reader *r, const IrFunc *func, FuncPlan *out) {
  *out = plan_clusters(r->arena, func);
  find_values(r, func);
  expect(r, "plan");
  scan_expect(&r->scan, '@');
  expect(r, func->name->text);
  scan_expect(&r->scan, '{');
  while (accept(r, "cluster")) read_cluster(r, out);
  for (size_t i = 0; i < out->clusters.count; i++)
    if (!out->clusters.items[i].plan) scan_expected(&r->scan, "a plan of every cluster");
  scan_expect(&r->scan, '}');
}

static bool read_all(Reader *r, const IrModule *module, ModulePlan *out) {
  jmp_buf failed;
  r->scan.failed = &failed;
  if (setjmp(failed)) return false;
  scan_next(&r->scan);
  for (const IrFunc *func = module->first; func; func = func->next) {
    FuncPlan plan;
    read_func(r, func, &plan);
    VEC_PUSH(r->arena, &out->funcs, plan);
  }
  if (r->scan.token.kind != TOKEN_END) scan_expected(&r->scan, "the end of the text");
  return true;
}

bool plan_read(Session *session, SourceFile *file, const IrModule *module, Arena *arena,
               ModulePlan *out) {
  Reader r = {.scan = {.session = session, .file = file, .arena = arena},
              .arena = arena,
              .interner = interner_new(arena)};
  *out = (ModulePlan){0};
  return read_all(&r, module, out);
}
