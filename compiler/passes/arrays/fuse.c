// SPDX-License-Identifier: Apache-2.0
// fuse: runs of array operations become clusters (OP_FUSE), which the code generator turns into
// walks without temporaries.
//   takes:  any IR without launches
//   makes:  fuse ops; iotas once for each user
//   breaks: nothing
//   not:    deciding what of a cluster is kept in memory, and in which loops: that is plan's
//           (plan_make.c)
//
// A cluster is open while ops are taken into it in program order; what it cannot take, but does not
// depend on, is put before it. If it has reductions along rows whose results go on being used, it
// is walked row by row: `axes` are the leading dimensions walked outside.
#include <string.h>

#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build_memory.h"
#include "ir/core/region.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "fuse.h"
#include "fuse_reread.h"
#include "fuse_spread.h"
#include "ir/analysis/alias.h"
#include "ir/analysis/bounds.h"
#include "ir/analysis/element_cost.h"
#include "ir/core/cpu.h"
#include "ir/remarks/remark.h"
#include "passes/pass.h"

enum {
  MAX_OPS = 128, // a choice: bounds the time of a cluster's plan; a butterfly of eight points fits
  MAX_ROWS = 3,  // outer dimensions that rows are of
  MOST_MOVES = 4 // each has two addresses, so that these take half of the 16 registers for them
};

// ---- what can be in a cluster -------------------------------------------------------------------
// Whether strides describe the ref for sure.
static bool is_plain_ref(const IrValue *ref) {
  while (ref->def) {
    const IrOp *op = ref->def;
    if (op->code == OP_ALLOC || op->code == OP_PART) return true;
    if (op->code == OP_VIEW) {
      if (!access_index_is_strided(ir_attr_index(op))) return false;
    } else if (op->code == OP_REF_BITCAST) {
      if (dtype_bits(op->operands[0]->type->dtype) != dtype_bits(op->results[0]->type->dtype))
        return false;
    } else if (op->code == OP_REF_RESHAPE) {
      for (const IrValue *below = op->operands[0]; below->def && below->def->code != OP_ALLOC;
           below = below->def->operands[0])
        if (below->def->code == OP_VIEW) return false;
    } else {
      return false;
    }
    ref = op->operands[0];
  }
  return true;
}

static bool is_plain_access(const IrOp *op) {
  if (!access_index_is_strided(ir_attr_index(op))) return false;
  // What a mask leaves out may be out of bounds, and where it does is found out element by element.
  if (access_is_masked(op) && !bounds_inside(op)) return false;
  if (bounds_leaves_by_steps(op)) return false;
  return is_plain_ref(access_ref(op));
}

static bool is_reduction(const IrOp *op) {
  return op_is_reduction(op->code) && op->code != OP_ARGMAX && op->code != OP_ARGMIN;
}

bool fuse_reshapes_spread(const IrOp *op) {
  const IrOp *from = op->code == OP_RESHAPE ? op->operands[0]->def : NULL;
  return from && from->code == OP_BROADCAST &&
         ir_type_count(from->operands[0]->type) < ir_type_count(from->results[0]->type);
}

bool fuse_takes(const IrOp *op) {
  if (op->code == OP_LOAD || op->code == OP_STORE) return is_plain_access(op);
  return op_is_pointwise(op->code) || op->code == OP_IOTA || op_is_view(op->code) ||
         is_reduction(op);
}

// ---- the open cluster ---------------------------------------------------------------------------
typedef struct Fuser {
  PassContext *ctx;
  IrRegion *region;
  VEC(IrOp *) ops; // of the open cluster, in order
  Map *members;    // IrOp * -> itself
  Map *looked_up;  // those of them that a lookup gives, or are computed from one
  int reductions;
  int rows;      // for which the cluster is legal so far, if it has reductions
  Map *replaced; // IrValue * -> the fuse op's result
} Fuser;

static bool in_cluster(const Fuser *f, const IrValue *value) {
  return value->def && map_has(f->members, value->def);
}

static bool uses_cluster(const Fuser *f, const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (in_cluster(f, op->operands[i])) return true;
  for (size_t i = 0; i < op->region_count; i++)
    for (const IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (uses_cluster(f, inner)) return true;
  return false;
}

// Operands that must be known before the walks: indices, starts and tables.
static bool is_index_operand(const IrOp *op, size_t i) {
  if (op->code == OP_LOOKUP) return i == 0;
  if (op->code == OP_DYNAMIC_SLICE) return i >= 1;
  if (op->code != OP_LOAD && op->code != OP_STORE) return false;
  const IrIndex *index = ir_attr_index(op);
  for (int k = 0; k < index->rank; k++)
    if (index->dims[k].start_operand == (int)i || index->dims[k].size_operand == (int)i)
      return true;
  return false;
}

static bool index_depends(const Fuser *f, const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (is_index_operand(op, i) && in_cluster(f, op->operands[i])) return true;
  return false;
}

static bool conflicts_with_stores(const Fuser *f, const IrOp *load) {
  for (size_t i = 0; i < f->ops.count; i++)
    if (f->ops.items[i]->code == OP_STORE && alias_of(f->ops.items[i], load) != ALIAS_NO)
      return true;
  return false;
}

// ---- rows ---------------------------------------------------------------------------------------
static bool has_rows(const IrType *type, size_t rows, const int64_t *dims) {
  if (type->rank < rows) return false;
  for (size_t i = 0; i < rows; i++)
    if (type->dims[i] != dims[i]) return false;
  return true;
}

// Whether there is more than one row.
static bool is_wide(size_t rows, const int64_t *dims) {
  for (size_t i = 0; i < rows; i++)
    if (dims[i] != 1) return true;
  return false;
}

// Whether a shape op keeps the leading dimensions as they are.
static bool keeps_rows(const IrOp *op, size_t rows, const int64_t *dims) {
  const IrType *from = op->operands[0]->type, *to = op->results[0]->type;
  if (!has_rows(from, rows, dims) || !has_rows(to, rows, dims)) return false;
  IrInts list;
  switch (op->code) {
  case OP_BROADCAST:
  case OP_TRANSPOSE:
    list = ir_attr_ints(op, ATTR_DIMS);
    for (size_t i = 0; i < rows; i++)
      if (list.items[i] != (int64_t)i) return false;
    return true;
  case OP_REV:
    list = ir_attr_ints(op, ATTR_DIMS);
    for (size_t i = 0; i < list.count; i++)
      if (list.items[i] < (int64_t)rows) return false;
    return true;
  case OP_SLICE: // of the same sizes, so from the start, one after the other
  case OP_DYNAMIC_SLICE:
  case OP_RESHAPE: return true;
  default: return false;
  }
}

static size_t uses_inside(const Fuser *f, const IrValue *value) {
  size_t uses = 0;
  for (size_t i = 0; i < f->ops.count; i++) uses += ir_count_operands(f->ops.items[i], value);
  return uses;
}

bool fuse_stays_in_place(Arena *arena, IrOp *const *ops, size_t count, const IrValue *value) {
  Map *reached = map_new(arena);
  map_set(reached, value, value);
  for (size_t i = 0; i < count; i++) {
    const IrOp *op = ops[i];
    bool uses = false;
    for (size_t k = 0; k < op->operand_count; k++) uses |= map_has(reached, op->operands[k]);
    if (!uses || op->code == OP_STORE || is_reduction(op)) continue;
    if (!op_is_elementwise(op->code)) return false;
    for (size_t k = 0; k < op->result_count; k++) map_set(reached, op->results[k], op->results[k]);
  }
  return true;
}

// A load that a store of the cluster overwrites must be read element by element where it is
// written.
static bool store_fits_rows(const Fuser *f, const IrOp *store, size_t position) {
  for (size_t i = 0; i < position; i++) {
    const IrOp *load = f->ops.items[i];
    if (load->code != OP_LOAD) continue;
    Alias alias = alias_of(store, load);
    if (alias != ALIAS_NO &&
        (alias != ALIAS_SAME ||
         !fuse_stays_in_place(f->ctx->arena, f->ops.items, f->ops.count, load->results[0])))
      return false;
  }
  return true;
}

static bool op_fits_rows(const Fuser *f, const IrOp *op, size_t position, size_t rows,
                         const int64_t *dims, Map *row_values) {
  bool is_row = is_reduction(op);
  for (size_t i = 0; i < op->operand_count; i++)
    if (map_has(row_values, op->operands[i])) is_row = true;
  if (is_reduction(op)) {
    IrInts axes = ir_attr_ints(op, ATTR_AXES);
    if (!has_rows(op->operands[0]->type, rows, dims)) return false;
    for (size_t i = 0; i < axes.count; i++)
      if (axes.items[i] < (int64_t)rows) return false;
    if (axes.count == 0) return false;
  } else if (op->code == OP_STORE) {
    if (!has_rows(op->operands[0]->type, rows, dims) || !store_fits_rows(f, op, position))
      return false;
  } else if (is_row && op_is_view(op->code)) {
    if (!keeps_rows(op, rows, dims)) return false;
  } else if (is_row && !has_rows(op->results[0]->type, rows, dims)) {
    return false;
  }
  for (size_t i = 0; is_row && i < op->result_count; i++)
    map_set(row_values, op->results[i], op->results[i]);
  return true;
}

// The dimension of a reshape's operand that is dimension `dim` of its result; -1 if that is part of
// one or several together.
static int reshaped_from(const IrOp *op, int dim) {
  const IrType *from = op->operands[0]->type, *to = op->results[0]->type;
  int64_t before = 1, seen = 1;
  for (int i = 0; i < dim; i++) before *= to->dims[i];
  for (int i = 0; i < from->rank && seen <= before; seen *= from->dims[i++])
    if (seen == before && from->dims[i] == to->dims[dim]) return i;
  return -1;
}

// The dimensions of a shape op's operand that step with the rows, from those of its result. False
// if a row is not one index of the operand.
static bool rows_through(const IrOp *op, uint32_t mask, uint32_t *operand) {
  const IrType *from = op->operands[0]->type, *to = op->results[0]->type;
  *operand = 0;
  if (op->code == OP_RESHAPE) {
    for (int i = 0; i < to->rank; i++) {
      if (!(mask >> i & 1) || to->dims[i] == 1) continue;
      int at = reshaped_from(op, i);
      if (at < 0) return false;
      *operand |= UINT32_C(1) << at;
    }
    return true;
  }
  if (op->code != OP_BROADCAST && op->code != OP_TRANSPOSE) {
    *operand = mask;
    return true;
  }
  IrInts list = ir_attr_ints(op, ATTR_DIMS);
  for (size_t i = 0; i < list.count; i++) {
    bool is_broadcast = op->code == OP_BROADCAST;
    size_t in = is_broadcast ? i : (size_t)list.items[i],
           out = is_broadcast ? (size_t)list.items[i] : i;
    if ((mask >> out & 1) && from->dims[in] != 1) *operand |= UINT32_C(1) << in;
  }
  return true;
}

// A reshape may need its operand in memory, which is there row by row.
static bool reshapes_rows(const Fuser *f, const IrOp *op, size_t rows, const int64_t *dims) {
  return op->code != OP_RESHAPE || !in_cluster(f, op->operands[0]) ||
         ir_same_wide_dims(op->operands[0]->type, op->results[0]->type) ||
         has_rows(op->operands[0]->type, rows, dims);
}

// What is computed for each row anew must be found by the row's index alone.
static bool rows_reach_operands(const Fuser *f, size_t rows, const int64_t *dims) {
  uint32_t all = (UINT32_C(1) << rows) - 1;
  Map *masks = map_new(f->ctx->arena);
  for (size_t i = f->ops.count; i-- > 0;) {
    const IrOp *op = f->ops.items[i];
    uint32_t mask = op->code == OP_STORE || is_reduction(op) ? all : 0;
    for (size_t k = 0; k < op->result_count && !is_reduction(op); k++) {
      const IrValue *value = op->results[k];
      mask |= (uint32_t)(uintptr_t)map_get(masks, value);
      if (value->use_count > uses_inside(f, value)) mask |= all;
    }
    if (!reshapes_rows(f, op, rows, dims)) return false;
    if (op_is_view(op->code) && !rows_through(op, mask, &mask)) return false;
    for (size_t k = 0; k < op->operand_count; k++) {
      if (is_index_operand(op, k)) continue;
      uint32_t before = (uint32_t)(uintptr_t)map_get(masks, op->operands[k]);
      map_set(masks, op->operands[k], (void *)(uintptr_t)(before | mask));
    }
  }
  return true;
}

// Those of what the first reduction takes, whose leading ones are the rows'; NULL: there is none.
static const int64_t *row_dims(const Fuser *f) {
  for (size_t i = 0; i < f->ops.count; i++)
    if (is_reduction(f->ops.items[i])) return f->ops.items[i]->operands[0]->type->dims;
  return NULL;
}

static bool fits_rows(const Fuser *f, size_t rows) {
  const int64_t *dims = row_dims(f);
  if (!dims || !is_wide(rows, dims)) return false;
  Map *row_values = map_new(f->ctx->arena);
  for (size_t i = 0; i < f->ops.count; i++)
    if (!op_fits_rows(f, f->ops.items[i], i, rows, dims, row_values)) return false;
  return rows_reach_operands(f, rows, dims);
}

static bool outside_values_fit(const Fuser *f, size_t rows) {
  const int64_t *dims = row_dims(f);
  for (size_t i = 0; i < f->ops.count; i++)
    for (size_t k = 0; k < f->ops.items[i]->result_count; k++) {
      const IrValue *value = f->ops.items[i]->results[k];
      if (value->use_count > uses_inside(f, value) && !has_rows(value->type, rows, dims))
        return false;
    }
  return true;
}

// The most leading dimensions that the cluster can be walked by.
static int legal_rows(const Fuser *f) {
  for (int rows = MAX_ROWS; rows > 0; rows--)
    if (fits_rows(f, (size_t)rows)) return rows;
  return 0;
}

enum { DEAR = 16 }; // what is computed for an element, in additions: an exponential

// Whether something dear is computed once a row, where rows are short: of several rows at a time it
// goes by vectors.
static bool wants_more_at_a_time(const Fuser *f, size_t rows) {
  enum {
    SHORT_ROW = 16 * FULL_VECTOR, // vectors up to which their fold is a part of a row's time
    LEAST_ROWS = FULL_VECTOR / 2, // a vector of them is half full
    MOST_ELEMENTS = FIRST_LEVEL_BYTES / 4, // of the rows together
  };
  bool found = false;
  for (size_t i = 0; i < f->ops.count; i++) {
    const IrOp *op = f->ops.items[i];
    if (op->code == OP_STORE) continue;
    const IrType *type = is_reduction(op) ? op->operands[0]->type : op->results[0]->type;
    int64_t row = 1;
    for (int d = (int)rows; d < type->rank; d++) row *= type->dims[d];
    if (is_reduction(op) && (row > SHORT_ROW || type->dims[rows - 1] < LEAST_ROWS ||
                             row * type->dims[rows - 1] > MOST_ELEMENTS))
      return false;
    found |= row == 1 && op_is_elementwise(op->code) && cost_of_element(op) >= DEAR;
  }
  return found;
}

// Walking by rows only pays if something uses a reduction's result.
static bool wants_rows(const Fuser *f) {
  for (size_t i = 0; i < f->ops.count; i++) {
    const IrOp *op = f->ops.items[i];
    if (!is_reduction(op) || op->results[0]->type->rank == 0) continue;
    if (uses_inside(f, op->results[0])) return true;
  }
  return false;
}

// What is computed once for each row, beside its reductions: in additions.
static int cost_of_row(const Fuser *f, int rows) {
  int cost = 0;
  for (size_t i = 0; i < f->ops.count; i++) {
    const IrOp *op = f->ops.items[i];
    if (!op_is_pointwise(op->code)) continue;
    const IrType *type = op->results[0]->type;
    int64_t count = 1;
    for (int d = 0; d < rows && d < type->rank; d++) count *= type->dims[d];
    if (count == ir_type_count(type)) cost += cost_of_element(op);
  }
  return cost;
}

// Rows pay where what the loops of one share would not be near any more. In a small cluster dear
// scalars, one of each row, are rather computed side by side. MOST_NEAR: of the array that is
// reduced; with what is made of it, it fills a part of a second-level cache.
static bool wants_scalars_side_by_side(const Fuser *f, int rows) {
  enum { MOST_NEAR = SECOND_LEVEL_BYTES / 16 };
  for (size_t i = 0; i < f->ops.count; i++)
    if (is_reduction(f->ops.items[i]) &&
        ir_type_bytes(f->ops.items[i]->operands[0]->type) > MOST_NEAR)
      return false;
  return cost_of_row(f, rows) >= DEAR;
}

// ---- closing ------------------------------------------------------------------------------------
static IrOp *replace_by_fuse(Fuser *f, IrOp *before, int rows) {
  PassContext *ctx = f->ctx;
  VEC(IrValue *) yielded = {0};
  for (size_t i = 0; i < f->ops.count; i++)
    for (size_t k = 0; k < f->ops.items[i]->result_count; k++) {
      IrValue *value = f->ops.items[i]->results[k];
      if (value->use_count > uses_inside(f, value)) VEC_PUSH(ctx->arena, &yielded, value);
    }
  const IrType **types = ARENA_ARRAY(ctx->arena, const IrType *, yielded.count + 1);
  for (size_t i = 0; i < yielded.count; i++) types[i] = yielded.items[i]->type;
  IrOp *last = f->ops.items[f->ops.count - 1];
  IrBuilder b = {ctx->module, f->region, before, last->span, last->frames};
  IrOp *fuse = ir_build(&b, OP_FUSE, 0, NULL, yielded.count, types);
  int64_t axes[MAX_ROWS] = {0, 1, 2};
  ir_set_ints(ctx->module, fuse, ATTR_AXES, (size_t)rows, axes);
  IrRegion *body = ir_add_region(ctx->module, fuse);
  for (size_t i = 0; i < f->ops.count; i++) ir_op_move(f->ops.items[i], body, NULL);
  IrBuilder inside = {.module = ctx->module, .region = body, .span = last->span};
  ir_yield(&inside, yielded.count, yielded.items);
  for (size_t i = 0; i < yielded.count; i++)
    map_set(f->replaced, yielded.items[i], fuse->results[i]);
  return fuse;
}

static void reset(Fuser *f) {
  f->ops.count = 0;
  f->members = map_new(f->ctx->arena);
  f->looked_up = map_new(f->ctx->arena);
  f->reductions = 0;
  f->rows = 0;
}

static bool uses_any(const IrOp *op, const Map *made) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->def && map_has(made, op->operands[i]->def)) return true;
  return false;
}

static void take(Fuser *f, IrOp *op) {
  VEC_PUSH(f->ctx->arena, &f->ops, op);
  map_set(f->members, op, op);
  if (op->code == OP_LOOKUP || uses_any(op, f->looked_up)) map_set(f->looked_up, op, op);
  if (is_reduction(op)) f->reductions++;
}

// Whether a reshape groups elements that the cluster computes in other rows than it does.
static bool regroups(const IrOp *reshape) {
  const IrOp *op = reshape->operands[0]->def;
  return op_info(op->code)->op_class != CLASS_SHAPE && op->code != OP_LOAD &&
         !ir_same_wide_dims(op->results[0]->type, reshape->results[0]->type);
}

// Takes a reshape out of the cluster whose operand is seen outside as well, or has other rows, as
// it is its result: behind the cluster it is another look at the same memory, inside it the same
// elements once more.
static IrOp *drop_reshape(Fuser *f) {
  for (size_t i = f->ops.count; i-- > 0;) {
    IrOp *op = f->ops.items[i];
    if (op->code != OP_RESHAPE || uses_inside(f, op->results[0])) continue;
    const IrValue *from = op->operands[0];
    if (!in_cluster(f, from) || (!regroups(op) && from->use_count == uses_inside(f, from)))
      continue;
    memmove(&f->ops.items[i], &f->ops.items[i + 1], (--f->ops.count - i) * sizeof *f->ops.items);
    return op;
  }
  return NULL;
}

// Another op stands for this one in the list.
static void compute_again(const Fuser *f, FuseOps *list, IrOp *op) {
  IrBuilder b = ir_builder_before(op);
  IrOp *copy = ir_op_clone(&b, op, map_new(f->ctx->arena));
  for (size_t i = 0; i < list->count; i++) {
    IrOp *user = list->items[i];
    if (user == op) list->items[i] = copy;
    for (uint32_t k = 0; k < user->operand_count; k++)
      if (user->operands[k] == op->results[0]) ir_set_operand(user, k, copy->results[0]);
  }
}

// ---- what the cluster writes over ---------------------------------------------------------------
// A load outside the cluster whose memory a store of it writes over would be a copy made before:
// its value is needed while the memory changes. Inside, each element is read where it is written.

// Whether nothing between a load and the cluster writes what it reads; as far as is looked.
static bool is_unwritten_since(const Fuser *f, const IrOp *load) {
  enum { MOST_BETWEEN = 4 * MAX_OPS }; // a choice: keeps the pass linear
  const IrOp *op = load->next;
  for (size_t i = 0; op && i < MOST_BETWEEN; op = op->next, i++) {
    if (op == f->ops.items[0]) return true;
    if (alias_op_may_write(op, load)) return false;
  }
  return false;
}

// Whether the store writes, place by place, over what the cluster has of a load before it.
static bool writes_over(const Fuser *f, const IrOp *store, const IrValue *value) {
  const IrOp *load = value->def;
  return load && load->code == OP_LOAD && load->parent == f->region && value->type->rank &&
         !in_cluster(f, value) && !access_is_masked(load) && fuse_takes(load) &&
         alias_of(store, load) == ALIAS_SAME &&
         fuse_stays_in_place(f->ctx->arena, f->ops.items, f->ops.count, value) &&
         is_unwritten_since(f, load);
}

static IrOp *find_overwritten(const Fuser *f) {
  for (size_t i = 0; i < f->ops.count; i++) {
    const IrOp *store = f->ops.items[i];
    if (store->code != OP_STORE) continue;
    for (size_t k = 0; k <= i; k++)
      for (size_t n = 0; n < f->ops.items[k]->operand_count; n++)
        if (writes_over(f, store, f->ops.items[k]->operands[n]))
          return f->ops.items[k]->operands[n]->def;
  }
  return NULL;
}

// The cluster loads for itself.
static void take_overwritten(Fuser *f) {
  for (IrOp *load; f->ops.count < MAX_OPS && (load = find_overwritten(f));) {
    IrBuilder b = ir_builder_for(load, f->ops.items[0]);
    IrOp *own = ir_op_clone(&b, load, map_new(f->ctx->arena));
    for (size_t i = 0; i < f->ops.count; i++)
      for (uint32_t k = 0; k < f->ops.items[i]->operand_count; k++)
        if (f->ops.items[i]->operands[k] == load->results[0])
          ir_set_operand(f->ops.items[i], k, own->results[0]);
    VEC_PUSH(f->ctx->arena, &f->ops, NULL);
    memmove(f->ops.items + 1, f->ops.items, (f->ops.count - 1) * sizeof *f->ops.items);
    f->ops.items[0] = own;
    map_set(f->members, own, own);
    if (!load->results[0]->use_count) ir_op_remove(load);
  }
}

// Takes out of the cluster what had better be there before it, as clusters of their own: dear
// values that its loops would compute many more elements of than there are.
static void close_cluster(Fuser *f, IrOp *before, ReasonId why);
static void close_spread(Fuser *f, IrOp *before) {
  FuseOps again, first = fuse_spread(f->ctx->arena, f->ops.items, f->ops.count, &again);
  if (!first.count) return;
  for (size_t i = 0; i < again.count; i++) compute_again(f, &first, again.items[i]);
  Fuser inner = {.ctx = f->ctx, .region = f->region, .replaced = f->replaced};
  reset(&inner);
  for (size_t i = 0; i < first.count; i++) take(&inner, first.items[i]);
  size_t kept = 0;
  for (size_t i = 0; i < f->ops.count; i++)
    if (!map_has(inner.members, f->ops.items[i])) f->ops.items[kept++] = f->ops.items[i];
  f->ops.count = kept;
  close_cluster(&inner, before, REASON_NONE);
}

// Ends the open cluster; it stands before `before` (NULL: at the region's end), which does not go
// into it for that reason.
static void close_cluster(Fuser *f, IrOp *before, ReasonId why) {
  close_spread(f, before);
  VEC(IrOp *) behind = {0};
  for (IrOp *op; (op = drop_reshape(f));) VEC_PUSH(f->ctx->arena, &behind, op);
  if (f->ops.count >= 2) {
    take_overwritten(f);
    IrOp *behind_it = fuse_reread(f->ops.items, f->ops.count, before);
    int rows = 0;
    if (f->reductions && wants_rows(f)) {
      rows = legal_rows(f);
      while (rows > 0 && !outside_values_fit(f, (size_t)rows)) rows--;
      if (rows > 1 && wants_more_at_a_time(f, (size_t)rows))
        rows--;
      else if (wants_scalars_side_by_side(f, rows))
        rows = 0;
    }
    IrOp *fuse = replace_by_fuse(f, behind_it, rows);
    if (before)
      remark_later(f->ctx->session, fuse,
                   &(Reason){why, before->span, str_from_c(op_info(before->code)->name)});
  } else if (f->ops.count == 1 && f->ops.items[0]->next != before) {
    ir_op_move(f->ops.items[0], f->region, before);
  }
  while (behind.count) ir_op_move(behind.items[--behind.count], f->region, before);
  reset(f);
}

// ---- taking ops ---------------------------------------------------------------------------------
// Whether taking the op would cost a cluster its rows.
static bool spoils_rows(Fuser *f, IrOp *op) {
  if (!f->reductions && !is_reduction(op)) return false;
  int before = f->rows;
  VEC_PUSH(f->ctx->arena, &f->ops, op);
  int after = legal_rows(f);
  f->ops.count--;
  if (f->reductions) {
    if (before > 0 && after == 0) return true;
    f->rows = after;
    return false;
  }
  // The first reduction: alone it might be walked by rows.
  IrInts axes = ir_attr_ints(op, ATTR_AXES);
  size_t most = axes.count ? MAX_ROWS : 0;
  for (size_t i = 0; i < axes.count; i++)
    if (axes.items[i] < (int64_t)most) most = (size_t)axes.items[i];
  bool could = is_wide(most, op->operands[0]->type->dims);
  if (could && after == 0 && f->ops.count) return true;
  f->rows = after;
  return false;
}

static bool is_scalar_op(const IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->rank) return false;
  for (size_t i = 0; i < op->result_count; i++)
    if (op->results[i]->type->rank) return false;
  return true;
}

// Whether an op that is not taken may come before the cluster.
static bool can_go_before(const Fuser *f, const IrOp *op) {
  if (uses_cluster(f, op)) return false;
  if (effects_is_pure(op->code) || op->code == OP_ALLOC || access_fills_output(op)) return true;
  return op->code == OP_LOAD && !conflicts_with_stores(f, op);
}

// Whether the op needs what the cluster computes, or reads an array that the cluster reads.
static bool meets_cluster(const Fuser *f, const IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrValue *value = op->operands[i];
    if (in_cluster(f, value)) return true;
    bool is_array = value->type->rank && !(value->def && value->def->code == OP_CONST);
    if (is_array && uses_inside(f, value)) return true;
  }
  return false;
}

static void add_operands(Map *needed, const IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->def) map_set(needed, op->operands[i]->def, op->operands[i]->def);
}

// A concatenation, `end`, would end the cluster, and part it from what stands behind, meets it and
// needs nothing of `end`: that goes before `end`, with what it needs. It looks as far as a cluster
// may be long, so that many concatenations in a row are looked at in linear time. The first op that
// went; NULL: none.
static IrOp *pull_before(Fuser *f, IrOp *end) {
  if (end->code != OP_CONCAT) return NULL; // clusters behind others use what those make
  Arena *arena = f->ctx->arena;
  Map *behind = map_new(arena), *meets = map_new(arena), *needed = map_new(arena);
  VEC(IrOp *) free = {0};
  map_set(behind, end, end);
  size_t seen = f->ops.count;
  for (IrOp *op = end->next; op && effects_is_pure(op->code) && !op->region_count; op = op->next) {
    if (seen++ == MAX_OPS) break;
    if (uses_any(op, behind) || !fuse_takes(op)) {
      map_set(behind, op, op);
      continue;
    }
    VEC_PUSH(arena, &free, op);
    if (meets_cluster(f, op) || uses_any(op, meets)) map_set(meets, op, op);
  }
  IrOp *first = end;
  for (size_t i = free.count; i-- > 0;) {
    IrOp *op = free.items[i];
    if (!map_has(needed, op) && (!map_has(meets, op) || op_is_view(op->code))) continue;
    add_operands(needed, op);
    ir_op_move(op, f->region, first);
    first = op;
  }
  return first == end ? NULL : first;
}

// A store of what was loaded: it has nothing to share with others but their loop.
static bool is_move(const IrOp *op) {
  const IrOp *from = op->code == OP_STORE ? op->operands[0]->def : NULL;
  return from && from->code == OP_LOAD;
}

// Each move has two addresses of its own: more of them in one loop find no registers.
static bool is_full_of_moves(const Fuser *f) {
  if (f->ops.count < MOST_MOVES) return false;
  for (size_t i = 0; i < f->ops.count; i++)
    if (!is_move(f->ops.items[i])) return false;
  return true;
}

// Whether it reduces to one element what the cluster has reduced of many.
static bool ends_shared(const Fuser *f, const IrOp *op) {
  if (!is_reduction(op) || ir_type_count(op->results[0]->type) > 1) return false;
  const IrValue *rows = op->operands[0];
  return in_cluster(f, rows) && is_reduction(rows->def) && ir_type_count(rows->type) > 1 &&
         ir_type_count(rows->def->operands[0]->type) >= FUSE_MANY_ELEMENTS;
}

// A store of what an op makes in memory, which can be the output's.
static bool is_filled(const IrOp *op) {
  const IrOp *made = access_fills_output(op) ? op->operands[0]->def : NULL;
  return made && made->code != OP_LOAD && !op_is_view(made->code) &&
         op_info(made->code)->op_class != CLASS_CONST;
}

// Where an op goes that may come before the cluster: what fills an output right behind what it
// fills it with, if that is no loop over elements, so that the one can be made by the other.
static IrOp *before_cluster(const Fuser *f, const IrOp *op) {
  const IrOp *made = is_filled(op) ? op->operands[0]->def : NULL;
  if (made && made->parent == f->region && !fuse_takes(made)) return made->next;
  return f->ops.count ? f->ops.items[0] : NULL;
}

// The op to go on with, if that is not the next one.
static IrOp *visit(Fuser *f, IrOp *op) {
  if (f->ops.count == MAX_OPS || (is_move(op) && is_full_of_moves(f)))
    close_cluster(f, op, REASON_ENDS_FULL);
  // Lookups that wait for each other leave the processor idle, where a loop of each has many under
  // way.
  if (op->code == OP_LOOKUP && (in_cluster(f, op->operands[0]) || uses_any(op, f->looked_up)))
    close_cluster(f, op, REASON_ENDS_OPERATION);
  bool takes = fuse_takes(op) && !index_depends(f, op);
  bool depends = uses_cluster(f, op);
  // Scalars, loads, views and what fills outputs stay outside, where they cost nothing, unless they
  // need what the cluster computes.
  bool is_free = op->code == OP_LOAD || is_filled(op) ||
                 (op_is_view(op->code) && !fuse_reshapes_spread(op)) ||
                 (is_scalar_op(op) && op->code != OP_STORE);
  if (takes && !(is_free && !depends)) {
    if (op->code == OP_LOAD && conflicts_with_stores(f, op))
      close_cluster(f, op, REASON_ENDS_STORE);
    if (ends_shared(f, op)) close_cluster(f, op, REASON_ENDS_ONE);
    if (spoils_rows(f, op)) {
      close_cluster(f, op, REASON_ENDS_ROWS);
      f->rows = 0;
      spoils_rows(f, op);
    }
    take(f, op);
    return NULL;
  }
  if (can_go_before(f, op)) {
    IrOp *before = before_cluster(f, op);
    if (before && before != op) ir_op_move(op, f->region, before);
    return NULL;
  }
  IrOp *pulled = pull_before(f, op);
  if (!pulled)
    close_cluster(f, op, op->code == OP_LOAD ? REASON_ENDS_STORE : REASON_ENDS_OPERATION);
  return pulled;
}

// ---- regions ------------------------------------------------------------------------------------
// One iota for each op that uses one: it costs nothing inside a walk, and memory outside.
static void copy_iotas(PassContext *ctx, IrOp *op) {
  for (size_t i = 0; i < op->operand_count; i++) {
    IrOp *iota = op->operands[i]->def;
    if (!iota || iota->code != OP_IOTA || op->operands[i]->use_count == 1 || !fuse_takes(op))
      continue;
    IrBuilder b = ir_builder_for(iota, op);
    IrOp *copy = ir_op_clone(&b, iota, map_new(ctx->arena));
    ir_set_operand(op, i, copy->results[0]);
  }
}

static void fuse_region(PassContext *ctx, IrRegion *region, Map *replaced) {
  Fuser f = {.ctx = ctx, .region = region, .replaced = replaced};
  for (IrOp *op = region->first; op; op = op->next) copy_iotas(ctx, op);
  reset(&f);
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    if (op->code == OP_YIELD) close_cluster(&f, op, REASON_NONE);
    if (op->code != OP_FUSE)
      for (size_t i = 0; i < op->region_count; i++) fuse_region(ctx, op->regions[i], replaced);
    if (op->code == OP_IOTA && op->results[0]->use_count == 0)
      ir_op_remove(op);
    else if (op->code != OP_YIELD) {
      IrOp *pulled = visit(&f, op);
      if (pulled) next = pulled;
    }
  }
  close_cluster(&f, NULL, REASON_NONE);
}

static void rename_uses(IrOp *op, void *data) {
  const Map *replaced = data;
  for (size_t i = 0; i < op->operand_count; i++) {
    IrValue *old = op->operands[i], *with = map_get(replaced, old);
    if (with && !ir_region_is_in(op->parent, old->def->parent)) ir_set_operand(op, i, with);
  }
}

bool pass_fuse(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    Map *replaced = map_new(ctx->arena);
    fuse_region(ctx, func->body, replaced);
    if (map_count(replaced)) ir_walk(func->body, rename_uses, replaced);
  }
  return true;
}
