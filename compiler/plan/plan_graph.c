// SPDX-License-Identifier: Apache-2.0
// The graph of a walk: every value its roots need, at every access they need it, down to loads,
// constants and scalars.
#include <string.h>
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/bounds.h"
#include "ir/core/attr.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "planner.h"

// A node with what it is looked up by.
typedef struct Known {
  Node *node;
  Access access;
  struct Known *next; // of the same value
} Known;

typedef struct Build {
  Planner *p;
  WalkDraft *draft;
  Walk *walk;
  Map *known;           // IrValue * -> Known *
  AccessResult problem; // ACCESS_OK while all goes well
  SplitRequest split;
  Candidate *force; // of ACCESS_NONE
} Build;

static Node *build_value(Build *b, const IrValue *value, Access access);

static bool accesses_equal(const Known *known, const Affine *access) {
  for (size_t i = 0; i < known->node->value->type->rank; i++)
    if (!affine_equal(&known->access[i], &access[i])) return false;
  return true;
}

static Node *find_node(const Build *b, const IrValue *value, const Affine *access) {
  const Known *known = map_get(b->known, value);
  while (known && !accesses_equal(known, access)) known = known->next;
  return known ? known->node : NULL;
}

static Node *add_node(Build *b, NodeKind kind, const IrValue *value, Access access) {
  Arena *arena = b->p->arena;
  Node *node = ARENA_NEW(arena, Node);
  Known *known = ARENA_NEW(arena, Known);
  *node = (Node){.kind = kind, .value = value, .number = b->walk->nodes.count};
  *known = (Known){node, access, map_get(b->known, value)};
  map_set(b->known, value, known);
  VEC_PUSH(arena, &b->walk->nodes, node);
  return node;
}

static void add_operand(Build *b, Node **operands, unsigned *count, const IrValue *value,
                        Access access) {
  if (*count == MAX_NODE_OPERANDS) BUG("too many operands");
  operands[*count] = build_value(b, value, access);
  if (operands[*count]) ++*count;
}

static Node *adopt_operands(Node *node, Node *const *operands, unsigned count) {
  for (unsigned i = 0; i < count; i++) node->operands[node->operand_count++] = operands[i];
  return node;
}

// ---- leaves -------------------------------------------------------------------------------------
// `value` as it lies in the memory of another one.
static Node *build_memory(Build *b, const IrValue *value, const IrValue *memory,
                          const Layout *layout, Access access) {
  Node *node = add_node(b, NODE_LOAD, value, access);
  node->memory = memory;
  node->at = access_offset(b->p->arena, layout->rank, layout->strides, access);
  return node;
}

static bool find_memory(const Build *b, const IrValue *value, Layout *out) {
  const PlanMemory *memory = &b->p->request->memory;
  return memory->find(memory->data, value, out);
}

static Node *build_outside(Build *b, const IrValue *value, Access access) {
  Layout layout;
  if (find_memory(b, value, &layout)) return build_memory(b, value, value, &layout, access);
  return add_node(b, NODE_SCALAR, value, access);
}

static Node *build_const(Build *b, const IrValue *value, Access access) {
  Layout layout;
  bool is_passed = !find_memory(b, value, &layout);
  if (ir_attr_data(value->def, ATTR_DATA)->count != 1 || is_passed)
    return build_outside(b, value, access);
  return add_node(b, NODE_CONST, value, access);
}

static Node *build_iota(Build *b, const IrValue *value, Access access) {
  Node *node = add_node(b, NODE_IOTA, value, access);
  node->at = access[ir_attr_int(value->def, ATTR_DIM)];
  return node;
}

// The ref's coordinates for a load's or store's own, one after another for the dimensions the index
// keeps.
static Affine ref_offset(Build *b, const IrOp *op, const Affine *access) {
  Arena *arena = b->p->arena;
  const IrIndex *index = ir_attr_index(op);
  Layout layout;
  if (!find_memory(b, access_ref(op), &layout)) BUG("a ref is no memory");
  Affine out = {0};
  size_t at = 0;
  for (int i = 0; i < index->rank; i++) {
    Start start = start_of_index(op, i);
    affine_add_start(arena, &out, &start, layout.strides[i]);
    if (index->dims[i].kind != INDEX_SCALAR)
      affine_add(arena, &out, &access[at++], index->dims[i].stride * layout.strides[i]);
  }
  return out;
}

static Node *build_load(Build *b, const IrValue *value, Access access) {
  const IrOp *op = value->def;
  Node *operands[MAX_NODE_OPERANDS];
  unsigned count = 0;
  if (access_is_masked(op)) {
    add_operand(b, operands, &count, op->operands[op->operand_count - 2], access);
    add_operand(b, operands, &count, op->operands[op->operand_count - 1], access);
    if (b->problem) return NULL;
  }
  Node *node = add_node(b, NODE_LOAD, value, access);
  node->memory = op->operands[0];
  node->at = ref_offset(b, op, access);
  return adopt_operands(node, operands, count);
}

// ---- operations ---------------------------------------------------------------------------------
static Node *build_elementwise(Build *b, const IrValue *value, Access access) {
  const IrOp *op = value->def;
  Node *operands[MAX_NODE_OPERANDS];
  unsigned count = 0;
  for (size_t i = 0; i < op->operand_count; i++)
    add_operand(b, operands, &count, op->operands[i], access);
  if (b->problem) return NULL;
  Node *node = adopt_operands(add_node(b, NODE_OP, value, access), operands, count);
  if (op->result_count == 2) { // the first of two evaluates both
    Node *other = find_node(b, op->results[1 - value->index], access);
    if (other) node->twin = other, other->twin = node;
  }
  return node;
}

// Whether an access stays in the row that is being walked.
static bool is_in_row(const Build *b, const IrType *type, const Affine *access) {
  for (size_t i = 0; i < b->p->request->rows; i++)
    if (type->dims[i] != 1 && !affine_is_index(&b->walk->space, &access[i], i)) return false;
  return true;
}

static bool is_copied(const Planner *p, const IrValue *value) {
  for (size_t i = 0; i < p->copies.count; i++)
    if (p->copies.items[i] == value) return true;
  return false;
}

// Whether what is kept of a value is there when this walk runs.
static bool is_kept_before(const Build *b, const Candidate *v) {
  return v->state == VALUE_KEPT && b->draft->order > v->keeper->order;
}

// The memory a value is in when this walk runs; false if it is computed inside.
static bool memory_of(const Build *b, const IrValue *value, Layout *layout) {
  const Candidate *v = planner_candidate(b->p, value);
  if (v) {
    bool is_kept = (v->state == VALUE_BOUND && b->walk->stage >= v->stage) || is_kept_before(b, v);
    if (!is_kept || v->kept.is_scalar) return false;
    *layout = v->kept.layout;
    return true;
  }
  if (!find_memory(b, value, layout)) return false;
  if (is_copied(b->p, value)) *layout = layout_dense(layout->dtype, layout->rank, layout->dims);
  return true;
}

// Memory can be reshaped without asking where each element comes from.
static Node *build_reshaped_memory(Build *b, const IrValue *value, Access access) {
  const IrValue *operand = value->def->operands[0];
  Layout layout, reshaped;
  if (!memory_of(b, operand, &layout)) return NULL;
  if (planner_candidate(b->p, operand) && !is_in_row(b, value->type, access)) return NULL;
  for (size_t i = 0; i < b->p->request->rows; i++)
    if (operand->type->rank <= i || value->type->rank <= i ||
        layout.dims[i] != value->type->dims[i])
      return NULL;
  if (!layout_reshape(&layout, value->type->rank, value->type->dims, &reshaped)) return NULL;
  Node *node = build_memory(b, value, operand, &reshaped, access);
  node->of_copy = is_copied(b->p, operand);
  return node;
}

static Node *build_shape(Build *b, const IrValue *value, Access access) {
  const IrOp *op = value->def;
  if (op->code == OP_RESHAPE) {
    Node *node = build_reshaped_memory(b, value, access);
    if (node) return node;
  }
  Access operand;
  AccessResult status =
      access_through(b->p->arena, &b->walk->space, op, access, &operand, &b->split);
  if (status == ACCESS_OK) return build_value(b, op->operands[0], operand);
  b->problem = status;
  b->force = planner_candidate(b->p, op->operands[0]);
  if (status != ACCESS_NONE || b->force) return NULL;
  b->problem = ACCESS_OK;
  VEC_PUSH(b->p->arena, &b->p->copies, op->operands[0]);
  return build_reshaped_memory(b, value, access);
}

static Node *build_kept(Build *b, const Candidate *v, Access access) {
  if (!v->kept.is_scalar)
    return build_memory(b, v->kept.value, v->kept.value, &v->kept.layout, access);
  Node *node = add_node(b, NODE_SCALAR, v->kept.value, access);
  node->kept = &v->kept;
  return node;
}

static Node *fail(Build *b) {
  b->p->failed = true;
  b->problem = ACCESS_NONE;
  return NULL;
}

static Node *build_given(Build *b, const IrValue *value, Access access) {
  for (size_t i = 0; i < value->type->rank; i++)
    if (value->type->dims[i] != 1 && !affine_is_index(&b->walk->space, &access[i], i))
      return fail(b);
  return add_node(b, NODE_GIVEN, value, access);
}

// ---- lookups ------------------------------------------------------------------------------------
// An index, and for which of its elements.
typedef struct Index {
  const IrValue *value;
  Access access;
} Index;

static Index behind_views(const Build *b, Index index) {
  SplitRequest split;
  for (const IrOp *def; (def = index.value->def) && op_is_view(def->code);) {
    Access operand;
    if (access_through(b->p->arena, &b->walk->space, def, index.access, &operand, &split) !=
        ACCESS_OK)
      break;
    index = (Index){def->operands[0], operand};
  }
  return index;
}

// Adds so many steps of the index to the map, if it is one of the walk's indices; nothing wraps.
static bool add_affine(const Build *b, Index index, int64_t step, Affine *out) {
  index = behind_views(b, index);
  const IrOp *def = index.value->def;
  const IrData *data;
  if (!def) return false;
  Affine sum = *out;
  switch (def->code) {
  case OP_IOTA:
    affine_add(b->p->arena, out, &index.access[ir_attr_int(def, ATTR_DIM)], step);
    return true;
  case OP_CONST:
    data = ir_const_splat(index.value);
    if (data) out->constant += step * dtype_load_i64(data->dtype, data->bytes);
    return data;
  case OP_ADD:
    if (!bounds_never_wraps(def) ||
        !add_affine(b, (Index){def->operands[0], index.access}, step, &sum) ||
        !add_affine(b, (Index){def->operands[1], index.access}, step, &sum))
      return false;
    *out = sum;
    return true;
  case OP_MUL:
    data = ir_const_splat(def->operands[1]);
    return data && bounds_never_wraps(def) &&
           add_affine(b, (Index){def->operands[0], index.access},
                      step * dtype_load_i64(data->dtype, data->bytes), out);
  default: return false;
  }
}

// What is left of an index that is a sum of this cluster behind its affine parts, which go to the
// map. Of one from outside, nothing else may be there any more.
static Index without_affine(const Build *b, Index index, int64_t step, Affine *out) {
  for (;;) {
    Index sum = behind_views(b, index);
    const IrOp *def = sum.value->def;
    if (!def || def->code != OP_ADD || !planner_candidate(b->p, sum.value) ||
        !bounds_never_wraps(def))
      return index;
    Index left = {def->operands[0], sum.access}, right = {def->operands[1], sum.access};
    if (add_affine(b, left, step, out))
      index = right;
    else if (add_affine(b, right, step, out))
      index = left;
    else
      return index;
  }
}

// Offsets are counted in 32 bits, in bytes.
static bool has_small_offsets(const Layout *layout) {
  int64_t last = 0;
  for (size_t i = 0; i < layout->rank; i++) last += (layout->dims[i] - 1) * layout->strides[i];
  return last < INT32_MAX / 8;
}

// Where the table is when this walk runs; false: it has to be there first.
static bool table_memory(Build *b, const IrValue *table, Layout *layout) {
  const Candidate *v = planner_candidate(b->p, table);
  if (table == b->p->request->given || (v && b->p->request->rows)) {
    fail(b);
    return false;
  }
  if (v && (v->state != VALUE_BOUND || b->walk->stage < v->stage || v->kept.is_scalar)) {
    b->problem = ACCESS_NONE;
    b->force = planner_candidate(b->p, table);
    return false;
  }
  if (!memory_of(b, table, layout)) BUG("a table that is no memory");
  if (v || has_small_offsets(layout) || is_copied(b->p, table)) return true;
  VEC_PUSH(b->p->arena, &b->p->copies, table);
  return memory_of(b, table, layout);
}

static Node *build_lookup(Build *b, const IrValue *value, Access access) {
  const IrOp *op = value->def;
  const IrValue *table = op->operands[0];
  IrInts map = ir_attr_ints(op, ATTR_INDEX_MAP);
  Layout layout;
  if (!table_memory(b, table, &layout)) return NULL;
  Affine at = {0};
  Node *operands[MAX_NODE_OPERANDS];
  int64_t steps[MAX_NODE_OPERANDS];
  unsigned count = 0;
  for (size_t i = 0; i < map.count; i++) {
    int64_t step = layout.strides[map.items[i]];
    Index index = {op->operands[i + 1], access};
    if (add_affine(b, index, step, &at)) continue;
    index = without_affine(b, index, step, &at);
    add_operand(b, operands, &count, index.value, index.access);
    if (b->problem) return NULL;
    steps[count - 1] = step;
  }
  Node *node = add_node(b, count ? NODE_LOOKUP : NODE_LOAD, value, access);
  node->memory = table;
  node->of_copy = is_copied(b->p, table);
  node->at = at;
  memcpy(node->steps, steps, count * sizeof *steps);
  return adopt_operands(node, operands, count);
}

static Node *build_value(Build *b, const IrValue *value, Access access) {
  if (b->problem) return NULL;
  Node *node = find_node(b, value, access);
  if (node) return node;
  const Candidate *v = planner_candidate(b->p, value);
  if (value == b->p->request->given) return build_given(b, value, access);
  if (!v) {
    if (value->def && value->def->code == OP_CONST) return build_const(b, value, access);
    return build_outside(b, value, access);
  }
  bool in_row = is_in_row(b, value->type, access);
  if (v->state == VALUE_BOUND && b->walk->stage >= v->stage)
    return in_row ? build_kept(b, v, access) : fail(b);
  if (is_kept_before(b, v) && in_row) return build_kept(b, v, access);
  if (op_is_view(v->op->code)) return build_shape(b, value, access);
  switch (v->op->code) {
  case OP_CONST: return build_const(b, value, access);
  case OP_IOTA: return build_iota(b, value, access);
  case OP_LOAD: return build_load(b, value, access);
  case OP_LOOKUP: return build_lookup(b, value, access);
  default: break;
  }
  if (!op_is_elementwise(v->op->code)) BUG("%s inside a walk", op_info(v->op->code)->name);
  return build_elementwise(b, value, access);
}

// ---- roots --------------------------------------------------------------------------------------
// The coordinates of a reduction's result: those of its operand without the reduced ones.
static Affine result_offset(Build *b, const RootDraft *draft, const Affine *identity) {
  Affine kept[IR_MAX_RANK];
  size_t at = 0;
  for (size_t i = 0; i < b->walk->shape_rank; i++)
    if (draft->root.kind != ROOT_REDUCE || !(b->walk->reduced >> i & 1)) kept[at++] = identity[i];
  return access_offset(b->p->arena, at, draft->result->kept.layout.strides, kept);
}

static void build_root(Build *b, RootDraft *draft, Access identity) {
  Root *root = &draft->root;
  root->node = build_value(b, draft->value, identity);
  root->mask = draft->mask ? build_value(b, draft->mask, identity) : NULL;
  if (b->problem) return;
  if (root->kind == ROOT_STORE)
    root->at = ref_offset(b, root->op, identity);
  else if (root->result->in_memory)
    root->at = result_offset(b, draft, identity);
}

static void init_space(const Planner *p, Walk *walk) {
  if (walk->space.rank == 0) space_init(&walk->space, walk->shape_rank, walk->shape);
  for (size_t d = 0; d < walk->space.rank; d++) {
    size_t origin = (size_t)walk->space.origin[d];
    walk->kinds[d] = origin < p->request->rows     ? DIM_ROW
                     : walk->reduced >> origin & 1 ? DIM_REDUCED
                                                   : DIM_KEPT;
  }
}

static void build_roots(Build *b) {
  Walk *walk = b->walk;
  init_space(b->p, walk);
  walk->nodes.count = 0;
  Access identity = access_identity(b->p->arena, &walk->space, walk->shape_rank);
  for (size_t i = 0; i < b->draft->roots.count && !b->problem; i++)
    build_root(b, b->draft->roots.items[i], identity);
}

// Which partial sum an element belongs to depends on its place in the last dimension: that may only
// be split into multiples.
static bool may_split(const Build *b) {
  const Walk *walk = b->walk;
  if (walk->kinds[b->split.dim] == DIM_ROW) return false;
  if (!walk->is_ordered ||
      walk->space.origin[b->split.dim] != plan_last_wide_dim(walk->shape_rank, walk->shape))
    return true;
  return b->split.inner % SUM_LANES == 0;
}

static bool force(Build *b) {
  if (b->p->failed) return false;
  if (!b->force) BUG("a value from outside has an access that is not affine");
  if (b->force->is_forced || !planner_has_rows(b->p, b->force->kept.value->type)) {
    b->p->failed = true;
    return false;
  }
  b->force->is_forced = true;
  b->force->kept.why = REASON_KEPT_ACCESS;
  return false;
}

// ---- fewer dimensions ---------------------------------------------------------------------------
static void for_each_map(WalkDraft *draft, void (*visit)(Affine *, void *), void *data) {
  const Walk *walk = &draft->walk;
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (node_has_map(walk->nodes.items[i])) visit(&walk->nodes.items[i]->at, data);
  for (size_t i = 0; i < draft->roots.count; i++) visit(&draft->roots.items[i]->root.at, data);
}

typedef struct Merge {
  size_t dim; // goes into the one before it, or goes away
  int64_t size;
  bool is_possible;
} Merge;

static void check_merge(Affine *map, void *data) {
  Merge *m = data;
  if (map->coef[m->dim - 1] != map->coef[m->dim] * m->size) m->is_possible = false;
}

static void remove_coef(Affine *map, void *data) {
  const Merge *m = data;
  memmove(&map->coef[m->dim], &map->coef[m->dim + 1],
          sizeof map->coef[0] * (MAX_WALK_DIMS - 1 - m->dim));
  map->coef[MAX_WALK_DIMS - 1] = 0;
}

static void remove_dim(WalkDraft *draft, size_t dim) {
  Walk *walk = &draft->walk;
  Merge m = {.dim = dim};
  for_each_map(draft, remove_coef, &m);
  for (size_t d = dim; d + 1 < walk->space.rank; d++) {
    walk->space.sizes[d] = walk->space.sizes[d + 1];
    walk->kinds[d] = walk->kinds[d + 1];
    walk->space.origin[d] = walk->space.origin[d + 1];
  }
  walk->space.rank--;
}

// The maps of both: outer * size + inner is the inner one's coefficient times the joint index.
static void merge_dims(WalkDraft *draft) {
  Walk *walk = &draft->walk;
  for (size_t d = walk->space.rank; d-- > 0;)
    if (walk->space.sizes[d] == 1 && walk->kinds[d] != DIM_ROW) remove_dim(draft, d);
  for (size_t d = walk->space.rank; d-- > 1;) {
    if (walk->kinds[d] != walk->kinds[d - 1] || walk->kinds[d] == DIM_ROW) continue;
    if (walk->is_ordered && walk->kinds[d] == DIM_REDUCED && d + 1 == walk->space.rank &&
        walk->space.sizes[d] % SUM_LANES)
      continue;
    Merge m = {.dim = d, .size = walk->space.sizes[d], .is_possible = true};
    for_each_map(draft, check_merge, &m);
    if (!m.is_possible) continue;
    // The joint dimension steps as the inner one does: the outer one's coefficient goes.
    m.dim = d - 1;
    int64_t size = walk->space.sizes[d - 1] * walk->space.sizes[d];
    for_each_map(draft, remove_coef, &m);
    for (size_t k = d; k + 1 < walk->space.rank; k++) {
      walk->space.sizes[k] = walk->space.sizes[k + 1];
      walk->kinds[k] = walk->kinds[k + 1];
      walk->space.origin[k] = walk->space.origin[k + 1];
    }
    walk->space.rank--;
    walk->space.sizes[d - 1] = size;
  }
}

void planner_find_dependences(Walk *walk) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    node->depends = node_has_map(node) ? affine_depends(&walk->space, &node->at) : 0;
    if (node->kind == NODE_GIVEN) node->depends = (UINT64_C(1) << walk->space.rank) - 1;
    for (unsigned k = 0; k < node->operand_count; k++) node->depends |= node->operands[k]->depends;
  }
}

bool planner_build_graph(Planner *p, WalkDraft *draft) {
  for (;;) {
    Build b = {.p = p, .draft = draft, .walk = &draft->walk, .known = map_new(p->arena)};
    build_roots(&b);
    if (b.problem == ACCESS_OK) {
      merge_dims(draft);
      planner_find_dependences(&draft->walk);
      return true;
    }
    if (b.problem == ACCESS_NONE || !may_split(&b) ||
        !space_split(&draft->walk.space, b.split.dim, b.split.inner))
      return force(&b);
    draft->walk.is_split = true;
  }
}
