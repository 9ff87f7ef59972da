// SPDX-License-Identifier: Apache-2.0
// Untiling: a launch whose grid only cuts its arrays into tiles, and whose body treats each tile
// the same way, is the same computation on whole arrays. It becomes that, so that the walk over
// memory is one contiguous pass (or one matrix product) instead of one a block.
//
// Each dimension of each value of the body gets a label: the grid dimension that tiles it, or none.
// Labels are unified along the ops; an op that treats positions of a dimension differently (a
// reduction over it, a slice of it) needs it untiled. If all labels agree, every tiled dimension
// takes the array's extent, and the ops are cloned in front of the launch on values of that shape.
//
// A product that is accumulated over the last grid dimension (made zero at its first step, added to
// at each, used at its last) is one product over all of k, whose sums are as long as the steps'
// are: they are added up one after another (accumulate.c).
//
// What blocks have outside of their arrays is masked by the kernel, or of no use: the mask is
// dropped (edge.c), and where something is reduced along a dimension that one block covers and
// more, what the mask puts outside must leave the result alone.
//
// Results are the same to the bit: each element is computed by the same ops from the same elements,
// and a reduction or a sum over k runs over the same elements in the same order.
#include <math.h>
#include <string.h>
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/analysis/steps.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/remarks/remark.h"
#include "edge.h"
#include "launch.h"
#include "separate.h"

// Made by a broadcast and not yet bound; untiled; else a grid dimension; from the grid's rank on,
// one of those that one block covers, and more.
enum { LABEL_FREE = -2, LABEL_NONE = -1, MOST_COVERED = 8 };

// A label variable of a union-find forest.
typedef struct LabelVar {
  int parent; // itself: a root
  int label;
} LabelVar;

// The body of an accumulation:
//   if k == 0 { store %start, %sums }   store (dot %x, %y, (load %sums)), %sums   if k == last { …
//   load %sums … }
typedef struct Accumulation {
  int dim;                          // of the grid; -1: the body is none
  const IrValue *ref;               // %sums: scratch, or an output's window
  const IrOp *first, *store, *last; // `last` may be missing
  const IrOp *start;                // the store in `first`
  const IrOp *dot, *load;
} Accumulation;

typedef struct Raising {
  PassContext *ctx;
  IrOp *launch;
  LaunchParts parts;
  VEC(LabelVar) vars;
  Map *first_var; // IrValue -> position of its dimension 0's variable + 1
  int64_t extents[IR_MAX_RANK + MOST_COVERED]; // of the arrays, by label; 0: not yet known
  int64_t sizes[IR_MAX_RANK + MOST_COVERED];   // of their blocks
  size_t covered;                              // dimensions that one block covers, and more
  Edges edges;
  int dots;
  bool *stored; // by block
  Accumulation sums;
  Map *values; // while the body is raised: IrValue -> its raised value
  Reason *why; // of the first refusal
} Raising;

// The launch stays. The first reason is the one: what refuses for the lack of a better one comes
// last.
static bool refuse(Raising *r, ReasonId id, Span span, Str what) {
  if (r->why->id == REASON_NONE) *r->why = (Reason){id, span, what};
  return false;
}

static Str op_name(const IrOp *op) { return str_from_c(op_info(op->code)->name); }

static bool refuse_op(Raising *r, ReasonId id, const IrOp *op) {
  return refuse(r, id, op->span, op_name(op));
}

static bool refuse_block(Raising *r, ReasonId id, size_t block) {
  return refuse(r, id, r->parts.blocks[block].span, launch_block_name(&r->parts, block));
}

// ---- labels -------------------------------------------------------------------------------------

// The way to it is halved: a chain of ops would make it as long as itself.
static int root(Raising *r, int var) {
  LabelVar *vars = r->vars.items;
  while (vars[var].parent != var) var = vars[var].parent = vars[vars[var].parent].parent;
  return var;
}

static int vars_of(Raising *r, const IrValue *value) {
  size_t known = (size_t)map_get(r->first_var, value);
  if (known) return (int)known - 1;
  int first = (int)r->vars.count;
  for (int i = 0; i < value->type->rank; i++) {
    LabelVar var = {(int)r->vars.count, LABEL_FREE};
    VEC_PUSH(r->ctx->arena, &r->vars, var);
  }
  map_set(r->first_var, value, (void *)(size_t)(first + 1));
  return first;
}

static bool bind(Raising *r, int var, int label) {
  LabelVar *v = &r->vars.items[root(r, var)];
  if (v->label == LABEL_FREE) v->label = label;
  return v->label == label;
}

static bool unify(Raising *r, int x, int y) {
  x = root(r, x);
  y = root(r, y);
  if (x == y) return true;
  LabelVar *a = &r->vars.items[x], *b = &r->vars.items[y];
  if (a->label != LABEL_FREE && b->label != LABEL_FREE && a->label != b->label) return false;
  if (a->label == LABEL_FREE) a->label = b->label;
  b->parent = x;
  return true;
}

static bool untiled(Raising *r, const IrValue *value, int dim) {
  return bind(r, vars_of(r, value) + dim, LABEL_NONE);
}

static bool same(Raising *r, const IrValue *x, int x_dim, const IrValue *y, int y_dim) {
  return unify(r, vars_of(r, x) + x_dim, vars_of(r, y) + y_dim);
}

static int label_of(Raising *r, const IrValue *value, int dim) {
  int var = vars_of(r, value) + dim; // which may move the variables
  int label = r->vars.items[root(r, var)].label;
  return label == LABEL_FREE ? LABEL_NONE : label;
}

// ---- blocks -------------------------------------------------------------------------------------

static bool is_covered(const Raising *r, int label) { return label >= (int)r->parts.rank; }

// The label of dimensions of this extent that one block of this size covers, and more.
static bool cover(Raising *r, int64_t size, int64_t extent, int *label) {
  size_t at = r->parts.rank, end = at + r->covered;
  while (at < end && (r->sizes[at] != size || r->extents[at] != extent)) at++;
  if (at == end && r->covered++ == MOST_COVERED) return false;
  r->sizes[at] = size;
  r->extents[at] = extent;
  *label = (int)at;
  return true;
}

// The label of a block's dimension: its grid dimension if it tiles the array, none if it spans it.
static bool block_label(Raising *r, size_t block, int dim, int *label) {
  const BlockDim *d = &r->parts.blocks[block].dims[dim];
  int64_t extent = r->parts.arrays[block]->type->dims[dim];
  AffineIndex index;
  if (d->kind != BLOCK_BLOCKED) return refuse_block(r, REASON_WALKED_BLOCK_KIND, block);
  if (!launch_affine_index(r->launch, ir_launch_index_map(r->launch, block), (size_t)dim, &index))
    return refuse_block(r, REASON_WALKED_INDEX_MAP, block);
  if (index.dim < 0 || r->parts.grid[index.dim] == 1) {
    *label = LABEL_NONE;
    if (index.offset == 0 && d->size == extent) return true;
    if (index.offset == 0 && d->size > extent && extent && cover(r, d->size, extent, label))
      return true;
    return refuse_block(r, REASON_WALKED_COVER, block);
  }
  int64_t steps = r->parts.grid[index.dim];
  if (steps < 0 || index.scale != 1 || index.offset != 0)
    return refuse_block(r, REASON_WALKED_INDEX_MAP, block);
  if (extent <= d->size * (steps - 1) || extent > d->size * steps)
    return refuse_block(r, REASON_WALKED_COVER, block);
  if (r->extents[index.dim] && r->extents[index.dim] != extent)
    return refuse_block(r, REASON_WALKED_COVER, block);
  r->extents[index.dim] = extent;
  r->sizes[index.dim] = d->size;
  *label = index.dim;
  return true;
}

static bool label_blocks(Raising *r) {
  for (size_t i = 0; i < r->parts.block_count; i++) {
    const IrBlock *block = &r->parts.blocks[i];
    const IrValue *arg = r->parts.body->args[r->parts.first_block + i];
    if (block->mode == BLOCK_WHOLE) return refuse_block(r, REASON_WALKED_NO_BLOCKS, i);
    if (block->dir == BLOCK_IN_OUT) return refuse_block(r, REASON_WALKED_IN_OUT, i);
    if (effects_region_is_ordered(ir_launch_index_map(r->launch, i)))
      return refuse_block(r, REASON_WALKED_MAP_EFFECTS, i);
    unsigned seen = 0;
    for (int d = 0; d < block->rank; d++) {
      int label;
      if (!block_label(r, i, d, &label)) return false;
      if (!bind(r, vars_of(r, arg) + d, label)) return refuse_block(r, REASON_WALKED_COVER, i);
      if (label < 0 || is_covered(r, label)) continue;
      if (seen & (1u << label)) // a diagonal walk
        return refuse_block(r, REASON_WALKED_COVER, i);
      seen |= 1u << label;
    }
    // Every step writes a tile of its own of each output, and together they cover it; the steps of
    // a sum do so together.
    for (size_t g = 0; block->dir == BLOCK_OUT && g < r->parts.rank; g++)
      if (r->parts.grid[g] != 1 && (int)g != r->sums.dim && !(seen & (1u << g)))
        return refuse_block(r, REASON_WALKED_REVISITED, i);
    if (block->dir == BLOCK_OUT && r->sums.dim >= 0 && seen & (1u << r->sums.dim))
      return refuse_block(r, REASON_WALKED_COVER, i);
    for (size_t j = 0; block->dir == BLOCK_OUT && j < r->parts.block_count; j++)
      if (j != i && ir_ref_root(r->parts.arrays[j]) == ir_ref_root(r->parts.arrays[i]) &&
          !separate_is_not_seen(r->ctx, r->launch, &r->parts, j, i))
        return refuse_block(r, REASON_WALKED_SHARED, i);
  }
  return true;
}

static int block_of(const Raising *r, const IrValue *ref) {
  if (ref->def || ref->region != r->parts.body || ref->index < r->parts.first_block) return -1;
  size_t block = ref->index - r->parts.first_block;
  return block < r->parts.block_count ? (int)block : -1;
}

// The value's dimensions follow the ref's; what is indexed otherwise than whole must be untiled and
// fixed.
static bool label_access(Raising *r, const IrOp *op, const IrValue *ref, const IrValue *value) {
  const IrIndex *index = ir_attr_index(op);
  Str name = launch_block_name(&r->parts, ref->index - r->parts.first_block);
  int dim = 0;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->kind == INDEX_ARRAY || d->start_operand >= 0 || d->size_operand >= 0)
      return refuse(r, REASON_WALKED_ACCESS, op->span, name);
    if (access_dim_is_whole(d, ref->type->dims[i])) {
      if (!same(r, ref, i, value, dim++)) return false;
      continue;
    }
    if (op->code == OP_STORE || !untiled(r, ref, i))
      return refuse(r, REASON_WALKED_ACCESS, op->span, name);
    if (d->kind == INDEX_SLICE && !untiled(r, value, dim++)) return false;
  }
  return true;
}

// ---- sums over a grid dimension -----------------------------------------------------------------

// Whether the scalar says `index of the sums' dimension == step`.
static bool is_step(const Raising *r, const IrValue *pred, int64_t step) {
  Steps steps = steps_of(r->parts.body, r->parts.rank, r->parts.grid);
  return steps_are_exactly(&steps, pred, (size_t)r->sums.dim, step);
}

// An op of the body that does nothing but say which step it is.
static bool is_step_test(const Raising *r, const IrOp *op) {
  if (op->code == OP_CONST) return op->results[0]->type->rank == 0;
  Steps steps = steps_of(r->parts.body, r->parts.rank, r->parts.grid);
  return steps_is_test(&steps, op);
}

// Scratch of the program around, which it has for this launch alone: a pipeline's accumulator.
static bool is_scratch_of_this(const Raising *r, const IrValue *ref) {
  if (ref->def ? ref->def->code != OP_ALLOC : ref->region->parent == NULL) return false;
  if (!ref->def) {
    if (ref->region->parent->code != OP_LAUNCH) return false;
    LaunchParts around;
    launch_parts(r->ctx->arena, ref->region->parent, &around);
    if (ref->region != around.body || ref->index < around.first_scratch) return false;
  }
  return ref->type->space == SPACE_VMEM && !ir_count_operands(r->launch, ref) &&
         ir_count_uses(r->launch, ref) == ref->use_count;
}

static bool is_private(const Raising *r, const IrValue *ref) {
  if (ref->def || ref->region != r->parts.body) return is_scratch_of_this(r, ref);
  if (ref->index < r->parts.first_block) return false;
  size_t block = ref->index - r->parts.first_block;
  return block >= r->parts.block_count || r->parts.blocks[block].dir == BLOCK_OUT;
}

// `if k == 0 { store %start, %sums }`: with nothing else that is done in it.
static bool find_start(Raising *r) {
  const IrOp *first = r->sums.first;
  if (first->result_count ||
      (first->regions[1]->first && first->regions[1]->first->code != OP_YIELD))
    return false;
  for (const IrOp *op = first->regions[0]->first; op; op = op->next) {
    if (op->code != OP_STORE) continue;
    if (r->sums.start || op->operands[1] != r->sums.ref) return false;
    r->sums.start = op;
  }
  return r->sums.start != NULL;
}

static bool is_last_step(const Raising *r, const IrOp *op) {
  if (op->code != OP_IF || op->result_count ||
      !is_step(r, op->operands[0], r->parts.grid[r->sums.dim] - 1))
    return false;
  return !op->regions[1]->first || op->regions[1]->first->code == OP_YIELD;
}

// How often the body's own tests, conditions and masks use a value.
static uint32_t uses_as_test(const Raising *r, const IrValue *value) {
  uint32_t uses = 0;
  for (const IrOp *op = r->parts.body->first; op; op = op->next) {
    bool counts = op->code == OP_IF || is_step_test(r, op) || edge_is_mask(&r->edges, op);
    if (counts) uses += ir_count_operands(op, value);
  }
  return uses;
}

// Whether tests are for conditions alone: there are no steps any more where the whole array is.
static bool tests_are_conditions(const Raising *r) {
  for (const IrOp *op = r->parts.body->first; op; op = op->next)
    if (op->code != OP_CONST && is_step_test(r, op) &&
        uses_as_test(r, op->results[0]) != op->results[0]->use_count)
      return false;
  for (size_t i = 0; i < r->parts.rank; i++)
    if (uses_as_test(r, r->parts.body->args[i]) != r->parts.body->args[i]->use_count) return false;
  return true;
}

// The ops of the body in the order they must have: the tests, the first `if`, the loads, the
// product, its store, the last `if`.
static bool find_sums(Raising *r) {
  Accumulation *s = &r->sums;
  for (const IrOp *op = r->parts.body->first; op; op = op->next) {
    switch (op->code) {
    case OP_IF:
      if (!s->first && !s->dot && is_step(r, op->operands[0], 0))
        s->first = op;
      else if (s->store && !s->last && is_last_step(r, op))
        s->last = op;
      else
        return false;
      break;
    case OP_DOT:
      if (s->dot || op->operand_count != 3 || !s->first) return false;
      s->dot = op;
      s->load = op->operands[2]->def;
      if (!s->load || s->load->code != OP_LOAD || op->operands[2]->use_count != 1) return false;
      s->ref = s->load->operands[0];
      break;
    case OP_STORE:
      if (s->store || !s->dot || op->operands[0] != s->dot->results[0] || op->operands[1] != s->ref)
        return false;
      s->store = op;
      break;
    case OP_LOAD:
    case OP_YIELD: break;
    default:
      if (!is_step_test(r, op) && !edge_is_mask(&r->edges, op)) return false;
    }
  }
  if (!s->store || !is_private(r, s->ref) || !find_start(r) || !tests_are_conditions(r))
    return false;
  for (const IrOp *op = r->parts.body->first; op; op = op->next)
    if (op->code == OP_LOAD && op->operands[0] == s->ref && op != s->load) return false;
  return s->load->parent == r->parts.body && s->dot->results[0]->use_count == 1;
}

// The last dimension that has more than one step, if the body accumulates over it; its blocks must
// not reach over the end of k.
static void find_accumulation(Raising *r) {
  r->sums.dim = -1;
  bool has_dot = false;
  for (const IrOp *op = r->parts.body->first; op; op = op->next)
    has_dot |= op->code == OP_DOT && op->operand_count == 3;
  int dim = (int)r->parts.rank - 1;
  while (dim >= 0 && r->parts.grid[dim] == 1) dim--;
  if (!has_dot || dim < 0 || r->parts.grid[dim] < 0) return;
  Accumulation found = {.dim = dim};
  r->sums = found;
  if (!find_sums(r)) r->sums = (Accumulation){.dim = -1};
}

// Blocks of k are whole: nothing that lies behind the end of an array is added to the sums.
static bool sums_are_whole(const Raising *r) {
  for (size_t i = 0; i < r->parts.block_count; i++) {
    for (int d = 0; d < r->parts.blocks[i].rank; d++) {
      AffineIndex index;
      if (!launch_affine_index(r->launch, ir_launch_index_map(r->launch, i), (size_t)d, &index) ||
          index.dim != r->sums.dim)
        continue;
      if (r->parts.arrays[i]->type->dims[d] !=
          r->parts.blocks[i].dims[d].size * r->parts.grid[r->sums.dim])
        return false;
    }
  }
  return true;
}

// ---- ops ----------------------------------------------------------------------------------------

// What fails without a reason of its own meets dimensions that are cut differently.
static bool label_elementwise(Raising *r, const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    for (int d = 0; d < op->results[0]->type->rank; d++)
      if (!same(r, op->operands[i], d, op->results[0], d)) return false;
  for (size_t i = 1; i < op->result_count; i++)
    for (int d = 0; d < op->results[0]->type->rank; d++)
      if (!same(r, op->results[i], d, op->results[0], d)) return false;
  return true;
}

static bool label_broadcast(Raising *r, const IrOp *op) {
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  const IrValue *x = op->operands[0], *y = op->results[0];
  for (size_t i = 0; i < dims.count; i++) {
    bool stretched = x->type->dims[i] != y->type->dims[dims.items[i]];
    if (stretched ? !untiled(r, x, (int)i) : !same(r, x, (int)i, y, (int)dims.items[i]))
      return false;
  }
  return true;
}

// Reshapes that only add or take away dimensions of size 1.
static bool label_reshape(Raising *r, const IrOp *op) {
  const IrValue *x = op->operands[0], *y = op->results[0];
  int i = 0, j = 0;
  while (i < x->type->rank || j < y->type->rank) {
    bool x_left = i < x->type->rank, y_left = j < y->type->rank;
    if (x_left && y_left && x->type->dims[i] == y->type->dims[j]) {
      if (!same(r, x, i++, y, j++)) return false;
    } else if (x_left && x->type->dims[i] == 1) {
      if (!untiled(r, x, i++)) return false;
    } else if (y_left && y->type->dims[j] == 1) {
      if (!untiled(r, y, j++)) return false;
    } else {
      return false;
    }
  }
  return true;
}

// A dimension that is reduced is whole in each step; what is outside of its array changes nothing.
static bool may_reduce(Raising *r, const IrOp *op, int dim) {
  const IrValue *x = op->operands[0];
  double fill;
  if (!is_covered(r, label_of(r, x, dim))) return untiled(r, x, dim);
  return edge_fill(&r->edges, x, dim, &fill) && edge_is_neutral(op, fill);
}

// Only reductions over trailing dimensions stay one walk.
static bool label_reduce(Raising *r, const IrOp *op) {
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  const IrValue *x = op->operands[0];
  int kept = x->type->rank - (int)axes.count;
  for (size_t i = 0; i < axes.count; i++)
    if (axes.items[i] < kept || !may_reduce(r, op, (int)axes.items[i])) return false;
  for (int d = 0; d < kept; d++)
    if (!same(r, x, d, op->results[0], d)) return false;
  return true;
}

// Whether nothing is added to a product's sums behind the end of k: both factors are zero there,
// and there are sums that adding zero leaves as they are.
static bool adds_nothing(Raising *r, const IrOp *dot, int x_k, int y_k) {
  double fill;
  if (!edge_fill(&r->edges, dot->operands[0], x_k, &fill) || fill != 0) return false;
  if (!edge_fill(&r->edges, dot->operands[1], y_k, &fill) || fill != 0) return false;
  if (r->sums.dim < 0) return true;
  return edge_fill(&r->edges, r->sums.start->operands[0], 0, &fill) && fill == 0 && !signbit(fill);
}

// Terms of one of the sums of the product over all of k that has the steps' bits; 0: there is none.
// Sums of pairs (gen_cell.c) are of two terms each.
static int64_t raised_sum_block(const IrOp *dot) {
  int64_t own = ir_dot_sum_block(dot), k = ir_attr_ints(dot, ATTR_LHS_CONTRACT).items[0];
  int64_t terms = dot->operands[0]->type->dims[k];
  if (own == INT64_MAX) return own;
  if (terms > own) return terms % own ? 0 : own;
  return terms % 2 ? 0 : terms;
}

// The label of k: of a sum its grid dimension, else none that is cut.
static bool label_k(Raising *r, const IrOp *dot, int x_k, int y_k) {
  const IrValue *x = dot->operands[0], *y = dot->operands[1];
  bool is_sum = r->sums.dim >= 0 && dot == r->sums.dot;
  int covered = label_of(r, x, x_k), k = is_sum ? r->sums.dim : LABEL_NONE;
  if (!is_sum && is_covered(r, covered)) k = covered;
  if (!bind(r, vars_of(r, x) + x_k, k) || !bind(r, vars_of(r, y) + y_k, k)) return false;
  if (is_sum && !raised_sum_block(dot)) return refuse_op(r, REASON_WALKED_TERMS, dot);
  bool is_whole = is_sum ? sums_are_whole(r) : k == LABEL_NONE;
  return is_whole || adds_nothing(r, dot, x_k, y_k) || refuse_op(r, REASON_WALKED_SUMS, dot);
}

// One plain matrix product of what is loaded.
static bool label_dot(Raising *r, const IrOp *op) {
  const IrValue *x = op->operands[0], *y = op->operands[1], *z = op->results[0];
  const IrValue *left = edge_unmasked(&r->edges, op->operands[0]),
                *right = edge_unmasked(&r->edges, op->operands[1]);
  IrInts xc = ir_attr_ints(op, ATTR_LHS_CONTRACT), yc = ir_attr_ints(op, ATTR_RHS_CONTRACT);
  if (x->type->rank != 2 || y->type->rank != 2 || xc.count != 1 || yc.count != 1 ||
      ir_attr_ints(op, ATTR_LHS_BATCH).count)
    return refuse_op(r, REASON_WALKED_PRODUCT, op);
  if (!left->def || left->def->code != OP_LOAD || !right->def || right->def->code != OP_LOAD)
    return refuse_op(r, REASON_WALKED_PRODUCT, op);
  bool is_sum = r->sums.dim >= 0 && op == r->sums.dot;
  if (++r->dots > 1 || (!is_sum && op->operand_count != 2))
    return refuse_op(r, REASON_WALKED_PRODUCT, op);
  for (int d = 0; is_sum && d < 2; d++)
    if (!same(r, op->operands[2], d, z, d)) return false;
  return label_k(r, op, (int)xc.items[0], (int)yc.items[0]) &&
         same(r, x, 1 - (int)xc.items[0], z, 0) && same(r, y, 1 - (int)yc.items[0], z, 1);
}

// The sums' ref has the shape of the product.
static bool label_sums_access(Raising *r, const IrOp *op, const IrValue *value) {
  const IrIndex *index = ir_attr_index(op);
  for (int i = 0; i < index->rank; i++)
    if (!access_dim_is_whole(&index->dims[i], r->sums.ref->type->dims[i]) ||
        !same(r, r->sums.ref, i, value, i))
      return false;
  return !access_is_masked(op);
}

static bool label_load(Raising *r, const IrOp *op) {
  if (r->sums.dim >= 0 && op->operands[0] == r->sums.ref)
    return label_sums_access(r, op, op->results[0]);
  int block = block_of(r, op->operands[0]);
  if (block < 0) return refuse_op(r, REASON_WALKED_OPERATION, op);
  if (r->parts.blocks[block].dir != BLOCK_IN || access_is_masked(op))
    return refuse(r, REASON_WALKED_ACCESS, op->span, launch_block_name(&r->parts, (size_t)block));
  return label_access(r, op, op->operands[0], op->results[0]);
}

static bool label_store(Raising *r, const IrOp *op) {
  if (op == r->sums.store || op == r->sums.start) {
    int own = block_of(r, op->operands[1]);
    if (own >= 0) r->stored[own] = true;
    return label_sums_access(r, op, op->operands[0]);
  }
  int block = block_of(r, op->operands[1]);
  if (block < 0) return refuse_op(r, REASON_WALKED_OPERATION, op);
  Str name = launch_block_name(&r->parts, (size_t)block);
  if (r->parts.blocks[block].dir != BLOCK_OUT || access_is_masked(op))
    return refuse(r, REASON_WALKED_ACCESS, op->span, name);
  if (r->stored[block]) return refuse(r, REASON_WALKED_STORES, op->span, name);
  r->stored[block] = true;
  return label_access(r, op, op->operands[1], op->operands[0]);
}

static bool label_constant(Raising *r, const IrOp *op) {
  const IrValue *y = op->results[0];
  bool splat = op->code == OP_CONST && ir_attr_data(op, ATTR_DATA)->count == 1;
  if (op->code == OP_IOTA) return untiled(r, y, (int)ir_attr_int(op, ATTR_DIM));
  for (int d = 0; !splat && d < y->type->rank; d++)
    if (!untiled(r, y, d)) return false;
  return true;
}

static bool uses_grid_index(const Raising *r, const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *v = op->operands[i];
    if (!v->def && v->region == r->parts.body && v->index < r->parts.first_block) return true;
  }
  return false;
}

static bool label_kind(Raising *r, const IrOp *op) {
  if (op_is_elementwise(op->code)) return label_elementwise(r, op);
  if (op_is_reduction(op->code)) return label_reduce(r, op);
  switch (op->code) {
  case OP_CONST:
  case OP_IOTA: return label_constant(r, op);
  case OP_BROADCAST: return label_broadcast(r, op);
  case OP_RESHAPE: return label_reshape(r, op);
  case OP_DOT: return label_dot(r, op);
  case OP_LOAD: return label_load(r, op);
  case OP_STORE: return label_store(r, op);
  case OP_YIELD: return true;
  default: return refuse_op(r, REASON_WALKED_OPERATION, op);
  }
}

// A mask is what it leaves.
static bool label_mask(Raising *r, const IrOp *op) {
  if (op->code != OP_SELECT) return true;
  for (int d = 0; d < op->results[0]->type->rank; d++)
    if (!same(r, op->operands[1], d, op->results[0], d)) return false;
  return true;
}

static bool label_op(Raising *r, const IrOp *op) {
  if (edge_is_mask(&r->edges, op))
    return label_mask(r, op) || refuse_op(r, REASON_WALKED_TILINGS, op);
  if (uses_grid_index(r, op)) return refuse_op(r, REASON_WALKED_GRID_INDEX, op);
  return label_kind(r, op) || refuse_op(r, REASON_WALKED_TILINGS, op);
}

// What follows a product must be evaluated with it, element by element.
static bool fits_product(const IrOp *op) {
  if (op_is_elementwise(op->code)) return op->result_count == 1;
  return op->code == OP_CONST || op->code == OP_IOTA || op->code == OP_BROADCAST ||
         op->code == OP_RESHAPE || op->code == OP_LOAD || op->code == OP_STORE ||
         op->code == OP_YIELD || op->code == OP_DOT;
}

static bool label_region(Raising *r, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (r->sums.dim >= 0 && (op == r->sums.first || op == r->sums.last)) {
      if (!label_region(r, op->regions[0])) return false;
      continue;
    }
    bool is_test = r->sums.dim >= 0 && op->parent == r->parts.body && is_step_test(r, op);
    if (!is_test && !label_op(r, op)) return false;
  }
  return true;
}

static bool all_fit_product(Raising *r, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->region_count == 0 && !edge_is_mask(&r->edges, op) && !fits_product(op))
      return refuse_op(r, REASON_WALKED_EPILOGUE, op);
    for (int i = 0; i < op->region_count; i++)
      if (!all_fit_product(r, op->regions[i])) return false;
  }
  return true;
}

static bool label_body(Raising *r) {
  if (!label_region(r, r->parts.body)) return false;
  if (!edge_masks_hold(&r->edges))
    return refuse(r, REASON_WALKED_GRID_INDEX, r->launch->span, STR(""));
  if (r->dots && !all_fit_product(r, r->parts.body)) return false;
  for (size_t i = 0; i < r->parts.block_count; i++)
    if (r->parts.blocks[i].dir == BLOCK_OUT && !r->stored[i])
      return refuse_block(r, REASON_WALKED_STORES, i);
  return true;
}

// ---- the whole-array ops ------------------------------------------------------------------------

static const IrType *raised_type(Raising *r, const IrValue *value) {
  int64_t dims[IR_MAX_RANK];
  for (int d = 0; d < value->type->rank; d++) {
    int label = label_of(r, value, d);
    dims[d] = label >= 0 ? r->extents[label] : value->type->dims[d];
  }
  return ir_type_with_dims(r->ctx->module, value->type, value->type->rank, dims);
}

static bool types_fit(Raising *r, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    for (size_t i = 0; i < op->result_count; i++)
      if (!raised_type(r, op->results[i])) return refuse_op(r, REASON_WALKED_LARGE, op);
    for (int i = 0; i < op->region_count; i++)
      if (!types_fit(r, op->regions[i])) return false;
  }
  return true;
}

static void raise_index(Raising *r, IrOp *clone, const IrValue *ref) {
  IrIndex index = *ir_attr_index(clone);
  for (int i = 0; i < index.rank; i++) {
    int label = label_of(r, ref, i);
    if (label >= 0) index.dims[i].size = r->extents[label];
  }
  ir_set_index(r->ctx->module, clone, &index);
}

static IrValue *raised(Raising *r, IrValue *value) {
  IrValue *known = map_get(r->values, value);
  return known ? known : value;
}

// What reads and writes the sums becomes the value itself, unless they are an output's window: that
// is written at the end.
static bool raise_sums_access(Raising *r, IrBuilder *b, const IrOp *op) {
  if (r->sums.dim < 0) return false;
  if (op->code == OP_LOAD && op->operands[0] == r->sums.ref) {
    const IrOp *from = op == r->sums.load ? r->sums.start : r->sums.store;
    map_set(r->values, op->results[0], raised(r, from->operands[0]));
    return true;
  }
  if (op == r->sums.start) return true;
  if (op != r->sums.store) return false;
  int block = block_of(r, r->sums.ref);
  if (block >= 0) ir_store_all(b, raised(r, op->operands[0]), r->parts.arrays[block]);
  return true;
}

static void raise_sum_block(Raising *r, IrOp *clone, const IrOp *dot) {
  int64_t block = raised_sum_block(dot);
  ir_set_int(r->ctx->module, clone, ATTR_SUM_BLOCK, block < DOT_SUM_BLOCK ? block : 0);
}

static void raise_region(Raising *r, IrBuilder *b, const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_YIELD || raise_sums_access(r, b, op)) continue;
    if (op->region_count) {
      raise_region(r, b, op->regions[0]);
      continue;
    }
    if (r->sums.dim >= 0 && op->code != OP_CONST && op->parent == r->parts.body &&
        is_step_test(r, op))
      continue;
    if (edge_is_mask(&r->edges, op)) {
      map_set(r->values, op->results[0], raised(r, edge_unmasked(&r->edges, op->results[0])));
      continue;
    }
    IrOp *clone = ir_op_clone(b, op, r->values);
    for (size_t i = 0; i < op->result_count; i++)
      clone->results[i]->type = raised_type(r, op->results[i]);
    if (r->sums.dim >= 0 && op == r->sums.dot) raise_sum_block(r, clone, op);
    if (op->code == OP_LOAD) raise_index(r, clone, op->operands[0]);
    if (op->code == OP_STORE) raise_index(r, clone, op->operands[1]);
  }
}

static void raise_body(Raising *r) {
  r->values = map_new(r->ctx->arena);
  for (size_t i = 0; i < r->parts.block_count; i++)
    map_set(r->values, r->parts.body->args[r->parts.first_block + i], r->parts.arrays[i]);
  IrBuilder b = ir_builder_before(r->launch);
  raise_region(r, &b, r->parts.body);
}

// Scratch holds nothing but the sums of an accumulation.
static bool scratch_is_for_sums(Raising *r) {
  for (size_t i = 0; i < r->parts.scratch_count; i++) {
    const IrValue *scratch = r->parts.body->args[r->parts.first_scratch + i];
    bool is_of_sums = r->sums.dim >= 0 && (scratch == r->sums.ref || !scratch->use_count);
    if (!is_of_sums)
      return refuse(r, REASON_WALKED_SCRATCH, r->launch->span,
                    scratch->name ? name_str(scratch->name) : STR("scratch"));
  }
  return true;
}

// The places of a value's dimension in its array, for edge.c.
static EdgeDim edge_dim(void *data, const IrValue *value, int dim) {
  Raising *r = data;
  int label = label_of(r, value, dim);
  if (label < 0) return (EdgeDim){-1, value->type->dims[dim], value->type->dims[dim]};
  return (EdgeDim){is_covered(r, label) ? -1 : label, r->sizes[label], r->extents[label]};
}

static bool label_launch(Raising *r) {
  find_accumulation(r);
  if (!scratch_is_for_sums(r)) return false;
  r->first_var = map_new(r->ctx->arena);
  r->stored = ARENA_ARRAY(r->ctx->arena, bool, r->parts.block_count + 1);
  return label_blocks(r) && label_body(r) && types_fit(r, r->parts.body);
}

bool untile_launch(PassContext *ctx, IrOp *launch, Reason *why) {
  Raising r = {.ctx = ctx, .launch = launch, .why = why};
  *why = (Reason){.id = REASON_NONE};
  launch_parts(ctx->arena, launch, &r.parts);
  if (r.parts.prefetch_count) return refuse(&r, REASON_WALKED_PREFETCH, launch->span, STR(""));
  // What has the form of a mask may be another condition, which is for the operations themselves.
  r.edges = (Edges){r.parts.body, r.parts.rank, r.parts.grid, edge_dim, &r, NULL};
  Raising plain = r;
  Reason unused = {.id = REASON_NONE};
  r.why = &unused;
  edge_find(&r.edges, ctx->arena);
  if (!map_count(r.edges.masks) || !label_launch(&r)) {
    r = plain;
    if (!label_launch(&r)) return false;
  }
  raise_body(&r);
  ir_op_remove(launch);
  return true;
}
