// SPDX-License-Identifier: Apache-2.0
// Slices of what is computed element by element from sorted arrays: the sorted arrays themselves
// are sliced, so that a sort of which only the first elements are needed shows that (lax.top_k
// orders floats by their bits, and makes them floats again behind the sort).
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "simplify.h"

enum { DEEPEST = 8 }; // operations between the sort and the slice

static bool is_elementwise(const IrOp *op) {
  return op && op_is_elementwise(op->code) && op->result_count == 1;
}

// Whether nothing but sorts and constants of equal elements is at the bottom of `value`; `sorts`
// counts the ways to a sort.
static bool comes_from_sorts(const IrValue *value, int depth, size_t *sorts) {
  if (ir_const_splat(value)) return true;
  if (value->def && value->def->code == OP_SORT) return ++*sorts;
  if (!is_elementwise(value->def) || depth == 0) return false;
  for (uint32_t i = 0; i < value->def->operand_count; i++)
    if (!comes_from_sorts(value->def->operands[i], depth - 1, sorts)) return false;
  return true;
}

// The same part of `value` as `slice` takes of its operand; `made`: what is there already.
static IrValue *part_of(IrBuilder *b, const IrOp *slice, IrValue *value, Map *made) {
  const IrType *part = slice->results[0]->type, *type = value->type;
  IrValue *known = map_get(made, value);
  if (known) return known;
  if (type->rank) type = ir_type_with_dims(b->module, type, part->rank, part->dims);
  const IrData *data = ir_const_splat(value);
  if (data) {
    known = ir_const(b, type, data->bytes, 1);
  } else if (value->def->code == OP_SORT) {
    known =
        ir_slice(b, value, ir_attr_ints(slice, ATTR_STARTS).items,
                 ir_attr_ints(slice, ATTR_LIMITS).items, ir_attr_ints(slice, ATTR_STRIDES).items);
  } else {
    for (uint32_t i = 0; i < value->def->operand_count; i++)
      part_of(b, slice, value->def->operands[i], made);
    known = ir_op_clone(b, value->def, made)->results[0];
    known->type = type;
  }
  map_set(made, value, known);
  return known;
}

IrValue *simplify_slice_of_sorted(const Simplifier *s, IrBuilder b, const IrOp *slice) {
  size_t sorts = 0;
  IrValue *value = slice->operands[0];
  if (!is_elementwise(value->def) || !comes_from_sorts(value, DEEPEST, &sorts) || !sorts)
    return NULL;
  return part_of(&b, slice, value, map_new(s->arena));
}
