// SPDX-License-Identifier: Apache-2.0
// Affine accesses and what shape operations make of them.
#include "access.h"
#include <string.h>
#include "codegen/emit/gen_build.h"

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
  Access access = ARENA_ARRAY(arena, Form, rank + 1);
  for (size_t d = 0; d < space->rank; d++)
    if (space->sizes[d] != 1) access[space->origin[d]].coef[d] = space->scale[d];
  return access;
}

bool form_equal(const Form *a, const Form *b) {
  return a->dynamic == b->dynamic && a->constant == b->constant &&
         memcmp(a->coef, b->coef, sizeof a->coef) == 0;
}

bool form_is_index(const Space *space, const Form *form, size_t root_dim) {
  if (form->dynamic || form->constant) return false;
  for (size_t d = 0; d < space->rank; d++) {
    int64_t expected =
        space->origin[d] == (int)root_dim && space->sizes[d] != 1 ? space->scale[d] : 0;
    if (form->coef[d] != expected) return false;
  }
  return true;
}

// form * factor + addend * 1, into out.
static void form_accumulate(LlvmGen *g, Form *out, const Form *form, int64_t factor) {
  out->constant += form->constant * factor;
  out->dynamic = gen_add(g, out->dynamic, gen_mul_const(g, form->dynamic, factor));
  for (size_t d = 0; d < MAX_WALK_DIMS; d++) out->coef[d] += form->coef[d] * factor;
}

Form access_offset(LlvmGen *g, size_t rank, const int64_t *strides, const Form *access) {
  Form out = {0};
  for (size_t i = 0; i < rank; i++) form_accumulate(g, &out, &access[i], strides[i]);
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

// Cuts a linear form into the digits of the operand's dimensions.
static AccessResult cut(const Space *space, const Group *group, const Form *linear, Form *out,
                        SplitRequest *split) {
  int64_t strides[IR_MAX_RANK], highest[IR_MAX_RANK], stride = 1;
  for (size_t i = group->operand_count; i-- > 0;) {
    strides[i] = stride;
    stride *= group->operand_dims[i];
  }
  int64_t rest = linear->constant;
  if (linear->dynamic || rest < 0) return ACCESS_NONE;
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

static AccessResult cut_group(LlvmGen *g, const Space *space, const Group *group,
                              const Form *result, Form *operand, SplitRequest *split) {
  // A dimension that stays as it is, but for dimensions of size 1 around it, keeps any form.
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
  Form linear = {0};
  int64_t stride = 1;
  for (size_t i = group->result_count; i-- > 0;) {
    if (group->result_dims[i] != 1) form_accumulate(g, &linear, &result[i], stride);
    stride *= group->result_dims[i];
  }
  return cut(space, group, &linear, operand, split);
}

static AccessResult through_reshape(LlvmGen *g, const Space *space, const IrType *result_type,
                                    const IrType *operand_type, const Form *result, Access operand,
                                    SplitRequest *split) {
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
    AccessResult status = cut_group(g, space, &group, result + first_r, operand + first_o, split);
    if (status != ACCESS_OK) return status;
  }
  return ACCESS_OK;
}

// ---- the other shape operations -----------------------------------------------------------------
static void through_broadcast(const IrOp *op, const Form *result, Access operand) {
  const IrType *type = op->operands[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  for (size_t i = 0; i < dims.count; i++)
    if (type->dims[i] != 1) operand[i] = result[dims.items[i]];
}

static void through_slice(LlvmGen *g, const IrOp *op, const Form *result, Access operand) {
  IrInts starts = ir_attr_ints(op, ATTR_STARTS), strides = ir_attr_ints(op, ATTR_STRIDES);
  for (size_t i = 0; i < starts.count; i++) {
    operand[i].constant = starts.items[i];
    form_accumulate(g, &operand[i], &result[i], strides.count ? strides.items[i] : 1);
  }
}

static void negate_within(LlvmGen *g, Form *form, int64_t size) {
  Form reversed = {.constant = size - 1};
  form_accumulate(g, &reversed, form, -1);
  *form = reversed;
}

AccessResult access_through(LlvmGen *g, Arena *arena, const Space *space, const IrOp *op,
                            const Form *result, Value const *starts, Access *out,
                            SplitRequest *split) {
  const IrType *type = op->operands[0]->type;
  Access operand = ARENA_ARRAY(arena, Form, type->rank + 1);
  *out = operand;
  switch (op->code) {
  case OP_BROADCAST: through_broadcast(op, result, operand); return ACCESS_OK;
  case OP_RESHAPE:
    return through_reshape(g, space, op->results[0]->type, type, result, operand, split);
  case OP_TRANSPOSE: {
    IrInts dims = ir_attr_ints(op, ATTR_DIMS);
    for (size_t i = 0; i < dims.count; i++) operand[dims.items[i]] = result[i];
    return ACCESS_OK;
  }
  case OP_REV: {
    IrInts dims = ir_attr_ints(op, ATTR_DIMS);
    memcpy(operand, result, sizeof *operand * type->rank);
    for (size_t i = 0; i < dims.count; i++)
      negate_within(g, &operand[dims.items[i]], type->dims[dims.items[i]]);
    return ACCESS_OK;
  }
  case OP_SLICE: through_slice(g, op, result, operand); return ACCESS_OK;
  case OP_DYNAMIC_SLICE:
    for (size_t i = 0; i < type->rank; i++) {
      operand[i] = result[i];
      operand[i].dynamic = gen_add(g, operand[i].dynamic, starts[i]);
    }
    return ACCESS_OK;
  default: BUG("%s is no affine access", op_info(op->code)->name);
  }
}
