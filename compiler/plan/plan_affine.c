// SPDX-License-Identifier: Apache-2.0
// Affine maps. In: which element of a result a point of a walk needs, and the shape operation that
// makes the result. Out: the same of its operand.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "plan_affine.h"
#include <string.h>

void space_init(Space *space, size_t rank, const int64_t *dims) {
  space->rank = rank;
  for (size_t i = 0; i < rank; i++) {
    space->sizes[i] = dims[i];
    space->origin[i] = (int)i;
    space->scale[i] = 1;
  }
}

bool space_split(Space *space, size_t d, int64_t inner) {
  if (space->rank == MAX_WALK_DIMS) return false;
  for (size_t i = space->rank++; i > d + 1; i--) {
    space->sizes[i] = space->sizes[i - 1];
    space->origin[i] = space->origin[i - 1];
    space->scale[i] = space->scale[i - 1];
  }
  space->sizes[d + 1] = inner;
  space->origin[d + 1] = space->origin[d];
  space->scale[d + 1] = space->scale[d];
  space->sizes[d] /= inner;
  space->scale[d] *= inner;
  return true;
}

Access access_identity(Arena *arena, const Space *space, size_t rank) {
  Access access = ARENA_ARRAY(arena, Affine, rank + 1);
  for (size_t d = 0; d < space->rank; d++)
    if (space->sizes[d] != 1) access[space->origin[d]].coef[d] = space->scale[d];
  return access;
}

static bool terms_equal(const AffineTerm *a, const AffineTerm *b) {
  return a->factor == b->factor && start_equal(&a->start, &b->start);
}

bool affine_equal(const Affine *a, const Affine *b) {
  if (a->constant != b->constant || a->term_count != b->term_count ||
      memcmp(a->coef, b->coef, sizeof a->coef) != 0)
    return false;
  for (size_t i = 0; i < a->term_count; i++)
    if (!terms_equal(&a->terms[i], &b->terms[i])) return false;
  return true;
}

bool affine_is_index(const Space *space, const Affine *map, size_t root_dim) {
  if (map->term_count || map->constant) return false;
  for (size_t d = 0; d < space->rank; d++) {
    int64_t expected =
        space->origin[d] == (int)root_dim && space->sizes[d] != 1 ? space->scale[d] : 0;
    if (map->coef[d] != expected) return false;
  }
  return true;
}

static void add_terms(Arena *arena, Affine *out, const AffineTerm *terms, size_t count,
                      int64_t factor) {
  if (count == 0 || factor == 0) return;
  AffineTerm *sum = ARENA_ARRAY(arena, AffineTerm, out->term_count + count);
  for (size_t i = 0; i < out->term_count; i++) sum[i] = out->terms[i];
  for (size_t i = 0; i < count; i++)
    sum[out->term_count + i] = (AffineTerm){terms[i].start, terms[i].factor * factor};
  out->terms = sum;
  out->term_count += count;
}

void affine_add(Arena *arena, Affine *out, const Affine *map, int64_t factor) {
  out->constant += map->constant * factor;
  add_terms(arena, out, map->terms, map->term_count, factor);
  for (size_t d = 0; d < MAX_WALK_DIMS; d++) out->coef[d] += map->coef[d] * factor;
}

void affine_add_start(Arena *arena, Affine *out, const Start *start, int64_t factor) {
  AffineTerm term = {*start, 1};
  if (start->value)
    add_terms(arena, out, &term, 1, factor);
  else
    out->constant += start->number * factor;
}

uint64_t affine_depends(const Space *space, const Affine *map) {
  uint64_t mask = 0;
  for (size_t d = 0; d < space->rank; d++)
    if (map->coef[d]) mask |= UINT64_C(1) << d;
  return mask;
}

Affine access_offset(Arena *arena, size_t rank, const int64_t *strides, const Affine *access) {
  Affine out = {0};
  for (size_t i = 0; i < rank; i++) affine_add(arena, &out, &access[i], strides[i]);
  return out;
}

// ---- reshape ------------------------------------------------------------------------------------
// A run of dimensions of the result and one of the operand that hold the same elements.
typedef struct Group {
  const int64_t *result_dims, *operand_dims;
  size_t result_count, operand_count;
} Group;

// The digit of the operand's mixed radix that a step of `step` belongs to: strides[i] <= step <
// strides[i] * dims[i].
static size_t digit_of(const Group *group, const int64_t *strides, int64_t step) {
  for (size_t i = 0; i < group->operand_count; i++)
    if (step >= strides[i] && group->operand_dims[i] > 1) return i;
  return group->operand_count;
}

// Cuts a linear map into the digits of the operand's dimensions.
static AccessResult cut(const Space *space, const Group *group, const Affine *linear, Affine *out,
                        SplitRequest *split) {
  int64_t strides[IR_MAX_RANK], highest[IR_MAX_RANK], stride = 1;
  for (size_t i = group->operand_count; i-- > 0;) {
    strides[i] = stride;
    stride *= group->operand_dims[i];
  }
  int64_t rest = linear->constant;
  if (linear->term_count) return ACCESS_NONE;
  for (size_t i = 0; i < group->operand_count; i++) {
    highest[i] = out[i].constant = rest / strides[i];
    rest %= strides[i];
  }
  for (size_t d = 0; d < space->rank; d++) {
    int64_t step = linear->coef[d], size = space->sizes[d];
    if (step == 0 || size == 1) continue;
    if (step < 0) return ACCESS_NONE;
    size_t i = digit_of(group, strides, step);
    if (i == group->operand_count || step % strides[i]) return ACCESS_NONE;
    int64_t limit = strides[i] * group->operand_dims[i];
    if (step * (size - 1) >= limit) {
      if (limit % step || size % (limit / step)) return ACCESS_NONE;
      *split = (SplitRequest){d, limit / step};
      return ACCESS_SPLIT;
    }
    out[i].coef[d] = step / strides[i];
    highest[i] += step / strides[i] * (size - 1);
  }
  for (size_t i = 0; i < group->operand_count; i++)
    if (highest[i] >= group->operand_dims[i]) return ACCESS_NONE;
  return ACCESS_OK;
}

static AccessResult cut_group(Arena *arena, const Space *space, const Group *group,
                              const Affine *result, Affine *operand, SplitRequest *split) {
  // A dimension that stays as it is, but for dimensions of size 1 around it, keeps any map.
  size_t result_at = 0, operand_at = 0, result_wide = 0, operand_wide = 0;
  for (size_t i = 0; i < group->result_count; i++)
    if (group->result_dims[i] != 1) result_at = i, result_wide++;
  for (size_t i = 0; i < group->operand_count; i++)
    if (group->operand_dims[i] != 1) operand_at = i, operand_wide++;
  if (operand_wide == 0) return ACCESS_OK;
  if (result_wide == 1 && operand_wide == 1) {
    operand[operand_at] = result[result_at];
    return ACCESS_OK;
  }
  Affine linear = {0};
  int64_t stride = 1;
  for (size_t i = group->result_count; i-- > 0;) {
    if (group->result_dims[i] != 1) affine_add(arena, &linear, &result[i], stride);
    stride *= group->result_dims[i];
  }
  return cut(space, group, &linear, operand, split);
}

static AccessResult through_reshape(Arena *arena, const Space *space, const IrType *result_type,
                                    const IrType *operand_type, const Affine *result,
                                    Access operand, SplitRequest *split) {
  size_t r = 0, o = 0;
  while (r < result_type->rank || o < operand_type->rank) {
    Group group = {result_type->dims + r, operand_type->dims + o, 0, 0};
    size_t first_r = r, first_o = o;
    int64_t result_count = r < result_type->rank ? result_type->dims[r++] : 1;
    int64_t operand_count = o < operand_type->rank ? operand_type->dims[o++] : 1;
    while (result_count != operand_count) {
      if (result_count < operand_count)
        result_count *= result_type->dims[r++];
      else
        operand_count *= operand_type->dims[o++];
    }
    group.result_count = r - first_r;
    group.operand_count = o - first_o;
    AccessResult status =
        cut_group(arena, space, &group, result + first_r, operand + first_o, split);
    if (status != ACCESS_OK) return status;
  }
  return ACCESS_OK;
}

// ---- the other shape operations -----------------------------------------------------------------
static void through_broadcast(const IrOp *op, const Affine *result, Access operand) {
  const IrType *type = op->operands[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  for (size_t i = 0; i < dims.count; i++)
    if (type->dims[i] != 1) operand[i] = result[dims.items[i]];
}

static void through_slice(Arena *arena, const IrOp *op, const Affine *result, Access operand) {
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), strides = ir_attr_ints(op, ATTR_STRIDES);
  for (size_t i = 0; i < starts.count; i++) {
    operand[i].constant = starts.items[i];
    affine_add(arena, &operand[i], &result[i], strides.items[i]);
  }
}

static void negate_within(Arena *arena, Affine *map, int64_t size) {
  Affine reversed = {.constant = size - 1};
  affine_add(arena, &reversed, map, -1);
  *map = reversed;
}

AccessResult access_through(Arena *arena, const Space *space, const IrOp *op, const Affine *result,
                            Access *out, SplitRequest *split) {
  const IrType *type = op->operands[0]->type;
  Access operand = ARENA_ARRAY(arena, Affine, type->rank + 1);
  *out = operand;
  switch (op->code) {
  case OP_BROADCAST: through_broadcast(op, result, operand); return ACCESS_OK;
  case OP_RESHAPE:
    return through_reshape(arena, space, op->results[0]->type, type, result, operand, split);
  case OP_TRANSPOSE: {
    IrInts dims = ir_attr_ints(op, ATTR_DIMS);
    for (size_t i = 0; i < dims.count; i++) operand[dims.items[i]] = result[i];
    return ACCESS_OK;
  }
  case OP_REV: {
    IrInts dims = ir_attr_ints(op, ATTR_DIMS);
    memcpy(operand, result, sizeof *operand * type->rank);
    for (size_t i = 0; i < dims.count; i++)
      negate_within(arena, &operand[dims.items[i]], type->dims[dims.items[i]]);
    return ACCESS_OK;
  }
  case OP_SLICE: through_slice(arena, op, result, operand); return ACCESS_OK;
  case OP_DYNAMIC_SLICE:
    for (size_t i = 0; i < type->rank; i++) {
      operand[i] = result[i];
      Start start = start_of_slice(op, (int)i);
      affine_add_start(arena, &operand[i], &start, 1);
    }
    return ACCESS_OK;
  default: BUG("%s is no affine access", op_info(op->code)->name);
  }
}
