// SPDX-License-Identifier: Apache-2.0
// Building ops on memory and control flow. In: refs, indices, values whose types agree. Out: the
// op, with the operands of its index behind what it reads or writes.
#include "attr.h"
#include "build.h"
#include "build_memory.h"
#include "require.h"

// ---- memory ------------------------------------------------------------------------------------
IrValue *ir_alloc(IrBuilder *b, const IrType *ref_type, Str name) {
  REQUIRE(ref_type->is_ref, OP_ALLOC);
  IrOp *op = ir_build(b, OP_ALLOC, 0, NULL, 1, &ref_type);
  ir_set_str(b->module, op, ATTR_NAME, name);
  ir_set_int(b->module, op, ATTR_PER_CORE, 0);
  ir_set_int(b->module, op, ATTR_BUFFERED, 0);
  ir_set_int(b->module, op, ATTR_OWNER, 0);
  ir_set_int(b->module, op, ATTR_FETCHED, 0);
  ir_set_int(b->module, op, ATTR_EXCHANGED, 0);
  ir_set_int(b->module, op, ATTR_READ_ONLY, 0);
  return op->results[0];
}

// The index with its operand positions moved by `base`.
static IrIndex shifted(const IrIndex *index, int base) {
  IrIndex out = *index;
  for (int i = 0; i < out.rank; i++) {
    IndexDim *dim = &out.dims[i];
    if (dim->start_operand >= 0) dim->start_operand += base;
    if (dim->size_operand >= 0) dim->size_operand += base;
  }
  return out;
}

// A load, store or view: `first` operands, those of the index, then what `last` has (NULLs are left
// out).
static IrOp *build_access(IrBuilder *b, OpCode code, size_t first_count, IrValue *const *first,
                          const IrIndex *index, size_t extra_count, IrValue *const *extra,
                          IrValue *const last[2], const IrType *type) {
  IrValue *operands[4 + 2 * IR_MAX_RANK];
  size_t count = 0;
  REQUIRE(extra_count <= (size_t)2 * IR_MAX_RANK, code);
  for (size_t i = 0; i < first_count; i++) operands[count++] = first[i];
  for (size_t i = 0; i < extra_count; i++) operands[count++] = extra[i];
  for (size_t i = 0; i < 2; i++)
    if (last && last[i]) operands[count++] = last[i];
  IrOp *op = ir_build(b, code, count, operands, type ? 1 : 0, &type);
  IrIndex moved = shifted(index, (int)first_count);
  ir_set_index(b->module, op, &moved);
  if (code != OP_VIEW) ir_set_int(b->module, op, ATTR_MASKED, last && last[0]);
  return op;
}

static const IrType *access_type(IrBuilder *b, const IrValue *ref, const IrIndex *index,
                                 IrValue *const *extra, OpCode code) {
  REQUIRE(ref->type->is_ref && index->rank == ref->type->rank, code);
  const IrType *type = ir_index_result(b->module, ref->type, index, (const IrValue *const *)extra);
  REQUIRE(type, code);
  return type;
}

static const IrType *array_of(IrBuilder *b, const IrType *ref_type) {
  return ir_array_type(b->module, ref_type->dtype, ref_type->rank, ref_type->dims);
}

static bool is_mask_of(IrBuilder *b, const IrValue *mask, const IrType *type) {
  return mask->type == ir_type_with_dtype(b->module, type, DT_BOOL);
}

// Without `other`, what the mask leaves out is zero.
IrValue *ir_load(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra, IrValue *mask, IrValue *other) {
  const IrType *type = array_of(b, access_type(b, ref, index, extra, OP_LOAD));
  if (mask) {
    REQUIRE(is_mask_of(b, mask, type), OP_LOAD);
    if (!other) other = ir_const_i64(b, type, 0);
    REQUIRE(other->type == type, OP_LOAD);
  }
  IrValue *last[2] = {mask, mask ? other : NULL};
  return build_access(b, OP_LOAD, 1, &ref, index, extra_count, extra, last, type)->results[0];
}

IrOp *ir_store(IrBuilder *b, IrValue *value, IrValue *ref, const IrIndex *index, size_t extra_count,
               IrValue *const *extra, IrValue *mask) {
  const IrType *type = array_of(b, access_type(b, ref, index, extra, OP_STORE));
  REQUIRE(value->type == type, OP_STORE);
  REQUIRE(!mask || is_mask_of(b, mask, type), OP_STORE);
  IrValue *first[2] = {value, ref}, *last[2] = {mask, NULL};
  return build_access(b, OP_STORE, 2, first, index, extra_count, extra, last, NULL);
}

IrValue *ir_view(IrBuilder *b, IrValue *ref, const IrIndex *index, size_t extra_count,
                 IrValue *const *extra) {
  const IrType *type = access_type(b, ref, index, extra, OP_VIEW);
  return build_access(b, OP_VIEW, 1, &ref, index, extra_count, extra, NULL, type)->results[0];
}

IrValue *ir_load_all(IrBuilder *b, IrValue *ref) {
  IrIndex full;
  ir_index_full(ref->type, &full);
  return ir_load(b, ref, &full, 0, NULL, NULL, NULL);
}

IrOp *ir_copy(IrBuilder *b, IrValue *from, IrValue *to, WindowMove move) {
  IrOp *op = ir_build(b, OP_COPY, 2, (IrValue *[]){from, to}, 0, NULL);
  ir_set_int(b->module, op, ATTR_MOVE, move);
  return op;
}

void ir_store_all(IrBuilder *b, IrValue *value, IrValue *ref) {
  IrIndex full;
  ir_index_full(ref->type, &full);
  ir_store(b, value, ref, &full, 0, NULL, NULL);
}

// ---- control -----------------------------------------------------------------------------------
void ir_yield(IrBuilder *b, size_t count, IrValue *const *values) {
  ir_build(b, OP_YIELD, count, values, 0, NULL);
}

IrOp *ir_for(IrBuilder *b, IrValue *lower, IrValue *upper, IrValue *step, size_t carry_count,
             IrValue *const *carries) {
  REQUIRE(is_scalar_value(lower, DT_I32) && is_scalar_value(upper, DT_I32) &&
              is_scalar_value(step, DT_I32),
          OP_FOR);
  Arena *arena = b->module->arena;
  IrValue **operands = ARENA_ARRAY(arena, IrValue *, 3 + carry_count);
  const IrType **types = ARENA_ARRAY(arena, const IrType *, carry_count);
  operands[0] = lower;
  operands[1] = upper;
  operands[2] = step;
  for (size_t i = 0; i < carry_count; i++) {
    operands[3 + i] = carries[i];
    types[i] = carries[i]->type;
  }
  IrOp *op = ir_build(b, OP_FOR, 3 + carry_count, operands, carry_count, types);
  ir_set_int(b->module, op, ATTR_PARALLEL, 0);
  ir_set_int(b->module, op, ATTR_UNROLL, 1);
  IrRegion *body = ir_add_region(b->module, op);
  ir_region_add_arg(body, lower->type, NULL);
  for (size_t i = 0; i < carry_count; i++) ir_region_add_arg(body, types[i], carries[i]->name);
  return op;
}

IrOp *ir_if(IrBuilder *b, IrValue *pred, size_t result_count, const IrType *const *result_types) {
  REQUIRE(is_scalar_value(pred, DT_BOOL), OP_IF);
  IrOp *op = ir_build(b, OP_IF, 1, &pred, result_count, result_types);
  ir_add_region(b->module, op);
  ir_add_region(b->module, op);
  return op;
}
