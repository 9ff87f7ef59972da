// SPDX-License-Identifier: Apache-2.0
// The graph of a walk: every value its roots need, at every access they need it, down to loads,
// constants and scalars.
#include <string.h>
#include "ir/analysis/access.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/refs/gen_ref_index.h"
#include "plan.h"

typedef struct Build {
  Cluster *c;
  LlvmGen *g;
  Walk *walk;
  AccessResult problem; // ACCESS_OK while all goes well
  SplitRequest split;
  Val *force; // of ACCESS_NONE
} Build;

static Node *build_value(Build *b, const IrValue *value, Access access);

static bool accesses_equal(const Node *node, const Form *access) {
  for (size_t i = 0; i < node->value->type->rank; i++)
    if (!form_equal(&node->access[i], &access[i])) return false;
  return true;
}

static Node *find_node(const Build *b, const IrValue *value, const Form *access) {
  Node *node = map_get(b->walk->node_lists, value);
  while (node && !accesses_equal(node, access)) node = node->same_value;
  return node;
}

static uint64_t form_depends(const Build *b, const Form *form) {
  uint64_t mask = 0;
  for (size_t d = 0; d < b->walk->space.rank; d++)
    if (form->coef[d]) mask |= UINT64_C(1) << d;
  return mask;
}

static Node *add_node(Build *b, NodeKind kind, const IrValue *value, Access access) {
  Node *node = ARENA_NEW(b->c->arena, Node);
  node->kind = kind;
  node->value = value;
  node->op = value->def;
  node->dtype = value->type->dtype;
  node->access = access;
  node->same_value = map_get(b->walk->node_lists, value);
  node->position = b->walk->nodes.count;
  map_set(b->walk->node_lists, value, node);
  VEC_PUSH(b->c->arena, &b->walk->nodes, node);
  return node;
}

static void add_operand(Build *b, Node **operands, unsigned *count, const IrValue *value,
                        Access access) {
  if (*count == MAX_NODE_OPERANDS) BUG("too many operands");
  operands[*count] = build_value(b, value, access);
  if (operands[*count]) ++*count;
}

static Node *adopt_operands(Node *node, Node *const *operands, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    node->operands[node->operand_count++] = operands[i];
    node->depends |= operands[i]->depends;
  }
  return node;
}

// ---- leaves -------------------------------------------------------------------------------------
static Node *build_memory(Build *b, const IrValue *value, const Mem *mem, Access access) {
  Node *node = add_node(b, NODE_LOAD, value, access);
  node->op = NULL;
  node->mem = *mem;
  node->form = access_offset(b->g, mem->rank, mem->strides, access);
  node->depends = form_depends(b, &node->form);
  return node;
}

static Node *build_outside(Build *b, const IrValue *value, Access access) {
  const Binding *binding = value_binding(b->g, value);
  if (binding->kind == BIND_MEM) return build_memory(b, value, &binding->mem, access);
  Node *node = add_node(b, NODE_SCALAR, value, access);
  node->scalar = binding->scalar;
  return node;
}

static Node *build_const(Build *b, const IrValue *value, Access access) {
  const IrData *data = ir_attr_data(value->def, ATTR_DATA);
  const Binding *binding = map_get(b->g->bindings, value);
  bool is_passed = binding && binding->kind == BIND_SCALAR; // to a function that clusters share
  if (data->count != 1 || is_passed) return build_outside(b, value, access);
  Node *node = add_node(b, NODE_CONST, value, access);
  node->scalar = gen_const_element(b->g, node->dtype, data->bytes, 1);
  return node;
}

static Node *build_iota(Build *b, const IrValue *value, Access access) {
  Node *node = add_node(b, NODE_IOTA, value, access);
  node->form = access[ir_attr_int(value->def, ATTR_DIM)];
  node->depends = form_depends(b, &node->form);
  return node;
}

// The ref's coordinates for a load's or store's own, one after another for the dimensions the index
// keeps.
static Form ref_offset(Build *b, const IrOp *op, const Form *access, Mem *mem) {
  const IrIndex *index = ir_attr_index(op);
  *mem = value_mem(b->g, op->code == OP_STORE ? op->operands[1] : op->operands[0]);
  Form out = {0};
  size_t at = 0;
  for (size_t i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    int64_t stride = mem->strides[i], scale = 1;
    if (dim->start_operand < 0)
      out.constant += dim->start * stride;
    else
      out.dynamic =
          gen_add(b->g, out.dynamic, gen_mul_const(b->g, ref_dim_start(b->g, op, (int)i), stride));
    if (dim->kind == INDEX_SCALAR) continue;
    scale = dim->stride * stride;
    const Form *form = &access[at++];
    out.constant += form->constant * scale;
    out.dynamic = gen_add(b->g, out.dynamic, gen_mul_const(b->g, form->dynamic, scale));
    for (size_t d = 0; d < MAX_WALK_DIMS; d++) out.coef[d] += form->coef[d] * scale;
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
  node->form = ref_offset(b, op, access, &node->mem);
  node->depends = form_depends(b, &node->form);
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

static Value clamped_start(LlvmGen *g, const IrOp *op, size_t dim) {
  Value start = value_index(g, op->operands[1 + dim]);
  int64_t last = op->operands[0]->type->dims[dim] - op->results[0]->type->dims[dim];
  start = gen_intrinsic2(g, "llvm.smin", start, gen_i64(g, last));
  return gen_intrinsic2(g, "llvm.smax", start, gen_i64(g, 0));
}

// Whether an access stays in the row that is being walked.
static bool is_in_row(const Build *b, const IrType *type, const Form *access) {
  for (size_t i = 0; i < b->c->rows; i++)
    if (type->dims[i] != 1 && !form_is_index(&b->walk->space, &access[i], i)) return false;
  return true;
}

// A dense copy of an array from outside, made before the walks.
static const Mem *dense_copy(Build *b, const IrValue *value) {
  Mem *copy = map_get(b->c->copies, value);
  if (copy) return copy;
  copy = ARENA_NEW(b->c->arena, Mem);
  Mem from = value_mem(b->g, value);
  Buffer *buffer = frame_take_array(b->g, from.dtype, from.rank, from.dims, copy);
  VEC_PUSH(b->c->arena, &b->c->copy_buffers, buffer);
  mem_copy(b->g, copy, &from);
  map_set(b->c->copies, value, copy);
  return copy;
}

// The memory a value is in when this walk runs; false if it is computed inside.
static bool memory_of(Build *b, const IrValue *value, Mem *mem) {
  const Val *v = cluster_val(b->c, value);
  if (v) {
    bool is_kept = (v->state == VAL_BOUND && b->walk->stage >= v->stage) ||
                   (v->state == VAL_KEPT && b->walk->stage > v->stage);
    if (!is_kept || v->is_scalar) return false;
    *mem = v->mem;
    return true;
  }
  const Binding *binding = value_binding(b->g, value);
  if (binding->kind != BIND_MEM) return false;
  const Mem *copy = map_get(b->c->copies, value);
  *mem = copy ? *copy : binding->mem;
  return true;
}

// Memory can be reshaped without asking where each element comes from.
static Node *build_reshaped_memory(Build *b, const IrValue *value, Access access) {
  const IrOp *op = value->def;
  Mem mem, reshaped;
  if (!memory_of(b, op->operands[0], &mem)) return NULL;
  if (cluster_val(b->c, op->operands[0]) && !is_in_row(b, value->type, access)) return NULL;
  for (size_t i = 0; i < b->c->rows; i++)
    if (op->operands[0]->type->rank <= i || value->type->rank <= i ||
        mem.dims[i] != value->type->dims[i])
      return NULL;
  if (!mem_reshape(&mem, value->type->rank, value->type->dims, &reshaped)) return NULL;
  return build_memory(b, value, &reshaped, access);
}

static Node *build_shape(Build *b, const IrValue *value, const Form *access) {
  const IrOp *op = value->def;
  if (op->code == OP_RESHAPE) {
    Node *node = build_reshaped_memory(b, value, (Access)(uintptr_t)access);
    if (node) return node;
  }
  Value starts[IR_MAX_RANK];
  if (op->code == OP_DYNAMIC_SLICE)
    for (size_t i = 0; i < op->operands[0]->type->rank; i++) starts[i] = clamped_start(b->g, op, i);
  Access operand;
  AccessResult status =
      access_through(b->g, b->c->arena, &b->walk->space, op, access, starts, &operand, &b->split);
  if (status == ACCESS_OK) return build_value(b, op->operands[0], operand);
  b->problem = status;
  b->force = cluster_val(b->c, op->operands[0]);
  if (status == ACCESS_NONE && !b->force) {
    b->problem = ACCESS_OK;
    dense_copy(b, op->operands[0]);
    return build_reshaped_memory(b, value, (Access)(uintptr_t)access);
  }
  return NULL;
}

static Node *build_kept(Build *b, const Val *v, Access access) {
  if (!v->is_scalar) return build_memory(b, v->value, &v->mem, access);
  Node *node = add_node(b, NODE_SCALAR, v->value, access);
  node->val = v;
  return node;
}

static Node *build_given(Build *b, const IrValue *value, Access access) {
  for (size_t i = 0; i < value->type->rank; i++) {
    if (value->type->dims[i] == 1 || form_is_index(&b->walk->space, &access[i], i)) continue;
    b->c->failed = true;
    b->problem = ACCESS_NONE;
    return NULL;
  }
  Node *node = add_node(b, NODE_GIVEN, value, access);
  node->op = NULL;
  return node;
}

static Node *build_value(Build *b, const IrValue *value, Access access) {
  if (b->problem) return NULL;
  Node *node = find_node(b, value, access);
  if (node) return node;
  Val *v = cluster_val(b->c, value);
  if (value == b->c->given) return build_given(b, value, access);
  if (!v) {
    if (value->def && value->def->code == OP_CONST) return build_const(b, value, access);
    return build_outside(b, value, access);
  }
  bool in_row = is_in_row(b, value->type, access);
  if (v->state == VAL_BOUND && b->walk->stage >= v->stage) {
    if (!in_row) BUG("a value of one row is needed in another");
    return build_kept(b, v, access);
  }
  if (v->state == VAL_KEPT && b->walk->stage > v->stage && in_row) return build_kept(b, v, access);
  switch (v->op->code) {
  case OP_CONST: return build_const(b, value, access);
  case OP_IOTA: return build_iota(b, value, access);
  case OP_LOAD: return build_load(b, value, access);
  case OP_BROADCAST:
  case OP_RESHAPE:
  case OP_TRANSPOSE:
  case OP_SLICE:
  case OP_REV:
  case OP_DYNAMIC_SLICE: return build_shape(b, value, access);
  default: break;
  }
  if (!op_is_elementwise(v->op->code)) BUG("%s inside a walk", op_info(v->op->code)->name);
  return build_elementwise(b, value, access);
}

// ---- roots --------------------------------------------------------------------------------------
// The coordinates of a reduction's result: those of its operand without the reduced ones.
static Form result_offset(Build *b, const Root *root, const Mem *mem, const Form *identity) {
  Form kept[IR_MAX_RANK];
  size_t at = 0;
  for (size_t i = 0; i < b->walk->shape_rank; i++)
    if (root->kind != ROOT_REDUCE || !(b->walk->reduced >> i & 1)) kept[at++] = identity[i];
  return access_offset(b->g, at, mem->strides, kept);
}

static void build_root(Build *b, Root *root, Access identity) {
  root->node = build_value(b, root->value, identity);
  root->mask_node = root->mask ? build_value(b, root->mask, identity) : NULL;
  if (b->problem) return;
  if (root->kind == ROOT_STORE) {
    root->offset = ref_offset(b, root->op, identity, &root->mem);
    return;
  }
  root->mem = root->result->mem;
  if (root->mem.base) root->offset = result_offset(b, root, &root->mem, identity);
}

static void init_space(Cluster *c, Walk *walk) {
  if (walk->space.rank == 0) space_init(&walk->space, walk->shape_rank, walk->shape);
  for (size_t d = 0; d < walk->space.rank; d++) {
    size_t origin = (size_t)walk->space.origin[d];
    walk->kinds[d] = origin < c->rows              ? DIM_ROW
                     : walk->reduced >> origin & 1 ? DIM_REDUCED
                                                   : DIM_KEPT;
  }
}

static void build_roots(Build *b) {
  Walk *walk = b->walk;
  init_space(b->c, walk);
  walk->nodes.count = 0;
  walk->node_lists = map_new(b->c->arena);
  Access identity = access_identity(b->c->arena, &walk->space, walk->shape_rank);
  for (size_t i = 0; i < walk->roots.count && !b->problem; i++)
    build_root(b, walk->roots.items[i], identity);
}

// Which partial sum an element belongs to depends on its place in the last dimension: that may only
// be split into multiples.
static bool may_split(const Build *b) {
  const Walk *walk = b->walk;
  if (walk->kinds[b->split.dim] == DIM_ROW) return false;
  if (!walk->is_ordered ||
      walk->space.origin[b->split.dim] != last_wide_dim(walk->shape_rank, walk->shape))
    return true;
  return b->split.inner % SUM_LANES == 0;
}

static bool force(Build *b) {
  if (b->c->failed) return false;
  if (!b->force) BUG("a value from outside has an access that is not affine");
  b->force->is_forced = true;
  return false;
}

// ---- fewer dimensions ---------------------------------------------------------------------------
static void for_each_form(Walk *walk, void (*visit)(Form *, void *), void *data) {
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (walk->nodes.items[i]->kind == NODE_LOAD || walk->nodes.items[i]->kind == NODE_IOTA)
      visit(&walk->nodes.items[i]->form, data);
  for (size_t i = 0; i < walk->roots.count; i++) visit(&walk->roots.items[i]->offset, data);
}

typedef struct Merge {
  size_t dim; // goes into the one before it, or goes away
  int64_t size;
  bool is_possible;
} Merge;

static void check_merge(Form *form, void *data) {
  Merge *m = data;
  if (form->coef[m->dim - 1] != form->coef[m->dim] * m->size) m->is_possible = false;
}

static void remove_coef(Form *form, void *data) {
  const Merge *m = data;
  memmove(&form->coef[m->dim], &form->coef[m->dim + 1],
          sizeof form->coef[0] * (MAX_WALK_DIMS - 1 - m->dim));
  form->coef[MAX_WALK_DIMS - 1] = 0;
}

static void remove_dim(Walk *walk, size_t dim) {
  Merge m = {.dim = dim};
  for_each_form(walk, remove_coef, &m);
  for (size_t d = dim; d + 1 < walk->space.rank; d++) {
    walk->space.sizes[d] = walk->space.sizes[d + 1];
    walk->kinds[d] = walk->kinds[d + 1];
    walk->space.origin[d] = walk->space.origin[d + 1];
  }
  walk->space.rank--;
}

// The forms of both: outer * size + inner is the inner one's coefficient times the joint index.
static void merge_dims(Walk *walk) {
  for (size_t d = walk->space.rank; d-- > 0;)
    if (walk->space.sizes[d] == 1 && walk->kinds[d] != DIM_ROW) remove_dim(walk, d);
  for (size_t d = walk->space.rank; d-- > 1;) {
    if (walk->kinds[d] != walk->kinds[d - 1] || walk->kinds[d] == DIM_ROW) continue;
    if (walk->is_ordered && walk->kinds[d] == DIM_REDUCED && d + 1 == walk->space.rank &&
        walk->space.sizes[d] % SUM_LANES)
      continue;
    Merge m = {.dim = d, .size = walk->space.sizes[d], .is_possible = true};
    for_each_form(walk, check_merge, &m);
    if (!m.is_possible) continue;
    // The joint dimension steps as the inner one does: the outer one's coefficient goes.
    m.dim = d - 1;
    int64_t size = walk->space.sizes[d - 1] * walk->space.sizes[d];
    for_each_form(walk, remove_coef, &m);
    for (size_t k = d; k + 1 < walk->space.rank; k++) {
      walk->space.sizes[k] = walk->space.sizes[k + 1];
      walk->kinds[k] = walk->kinds[k + 1];
      walk->space.origin[k] = walk->space.origin[k + 1];
    }
    walk->space.rank--;
    walk->space.sizes[d - 1] = size;
  }
}

static void find_dependences(Build *b) {
  for (size_t i = 0; i < b->walk->nodes.count; i++) {
    Node *node = b->walk->nodes.items[i];
    node->depends =
        node->kind == NODE_LOAD || node->kind == NODE_IOTA ? form_depends(b, &node->form) : 0;
    if (node->kind == NODE_GIVEN) node->depends = (UINT64_C(1) << b->walk->space.rank) - 1;
    for (unsigned k = 0; k < node->operand_count; k++) node->depends |= node->operands[k]->depends;
  }
}

bool walk_build(Cluster *c, Walk *walk) {
  for (;;) {
    Build b = {.c = c, .g = c->g, .walk = walk};
    build_roots(&b);
    if (b.problem == ACCESS_OK) {
      merge_dims(walk);
      find_dependences(&b);
      return true;
    }
    if (b.problem == ACCESS_NONE || !may_split(&b) ||
        !space_split(&walk->space, b.split.dim, b.split.inner))
      return force(&b);
    walk->is_split = true;
  }
}
