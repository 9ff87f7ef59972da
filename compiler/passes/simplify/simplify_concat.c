// SPDX-License-Identifier: Apache-2.0
// Concatenations of what an array was cut into: they are the array, or the array transposed. Those
// of whose two parts a comparison of places selects one: the other is what is selected instead.
#include "ir/analysis/bounds.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "simplify.h"

// Of fewer the elements take turns in registers (codegen/arrays/gen_turns.c).
enum { LEAST_STACKED = FULL_VECTOR / 2 };

// [first, end) along one dimension of an array, all of it along the others.
typedef struct Cut {
  IrValue *whole;
  int dim;
  int64_t first, end;
} Cut;

static bool find_cut(const IrOp *slice, Cut *out) {
  if (!slice || slice->code != OP_SLICE) return false;
  IrInts starts = ir_attr_ints(slice, ATTR_STARTS), limits = ir_attr_ints(slice, ATTR_LIMITS),
         strides = ir_attr_ints(slice, ATTR_STRIDES);
  *out = (Cut){.whole = slice->operands[0], .dim = -1};
  for (int i = 0; i < out->whole->type->rank; i++) {
    if (strides.items[i] != 1) return false;
    if (starts.items[i] == 0 && limits.items[i] == out->whole->type->dims[i]) continue;
    if (out->dim >= 0) return false;
    *out = (Cut){out->whole, i, starts.items[i], limits.items[i]};
  }
  return out->dim >= 0;
}

static bool is_same_without(const IrType *a, int dim_a, const IrType *b, int dim_b) {
  if (a->rank != b->rank || a->dims[dim_a] != 1 || b->dims[dim_b] != 1) return false;
  for (int i = 0, k = 0; i < a->rank; i++, k++) {
    if (i == dim_a) i++;
    if (k == dim_b) k++;
    if (i < a->rank && a->dims[i] != b->dims[k]) return false;
  }
  return true;
}

// A part that is a cut along `dim`, or of size 1 there, and cut out along another one.
static bool find_part(const IrValue *part, int dim, Cut *out) {
  const IrOp *def = part->def;
  if (def && def->code == OP_RESHAPE) {
    const IrValue *cut = def->operands[0];
    return find_cut(cut->def, out) && is_same_without(cut->type, out->dim, part->type, dim);
  }
  return find_cut(def, out) && out->dim == dim;
}

static IrValue *all_of(IrBuilder *b, const Cut *all) {
  const IrType *type = all->whole->type;
  int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
  if (all->first == 0 && all->end == type->dims[all->dim]) return all->whole;
  for (int i = 0; i < type->rank; i++) limits[i] = type->dims[i], strides[i] = 1;
  starts[all->dim] = all->first;
  limits[all->dim] = all->end;
  return ir_slice(b, all->whole, starts, limits, strides);
}

IrValue *simplify_concat(IrBuilder *b, const IrOp *op) {
  int dim = (int)ir_attr_int(op, ATTR_DIM);
  Cut all = {0}, part;
  if (op->operand_count == 1) return op->operands[0];
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!find_part(op->operands[i], dim, &part)) return NULL;
    if (i == 0)
      all = part;
    else if (part.whole != all.whole || part.dim != all.dim || part.first != all.end)
      return NULL;
    all.end = part.end;
  }
  if (all.dim == dim) return all_of(b, &all);
  if (op->operand_count < LEAST_STACKED) return NULL;
  int64_t perm[IR_MAX_RANK];
  for (int i = 0, next = 0; i < op->results[0]->type->rank; i++) {
    if (next == all.dim) next++;
    perm[i] = i == dim ? all.dim : next++;
  }
  return ir_transpose(b, all_of(b, &all), perm);
}

// ---- selected parts -----------------------------------------------------------------------------
// What is selected before a place along a dimension, and from there on.
typedef struct Halves {
  IrValue *before, *behind;
  int dim;
  int64_t place;
} Halves;

static bool find_halves(const IrOp *select, Halves *out) {
  const IrOp *compare = select->operands[0]->def;
  if (!compare || (compare->code != OP_GE && compare->code != OP_LT)) return false;
  const IrOp *iota = compare->operands[0]->def;
  const IrData *place = ir_const_splat(compare->operands[1]);
  if (!iota || iota->code != OP_IOTA || !place || dtype_is_float(place->dtype)) return false;
  if (!bounds_never_wraps(iota)) return false;
  bool is_lt = compare->code == OP_LT;
  *out = (Halves){.before = select->operands[is_lt ? 1 : 2],
                  .behind = select->operands[is_lt ? 2 : 1],
                  .dim = (int)ir_attr_int(iota, ATTR_DIM),
                  .place = dtype_load_i64(place->dtype, place->bytes)};
  return true;
}

// The part of a concatenation of two along a dimension, cut at that place, that nothing else needs.
static IrValue *part_at(const IrValue *value, const Halves *halves, int which) {
  const IrOp *concat = value->def;
  if (!concat || concat->code != OP_CONCAT || concat->operand_count != 2 || value->use_count != 1 ||
      ir_attr_int(concat, ATTR_DIM) != halves->dim ||
      concat->operands[0]->type->dims[halves->dim] != halves->place)
    return NULL;
  return concat->operands[which];
}

static IrValue *constant_like(IrBuilder *b, const IrData *element, const IrType *whole, int dim,
                              int64_t size) {
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < whole->rank; i++) dims[i] = i == dim ? size : whole->dims[i];
  return ir_const(b, ir_type_with_dims(b->module, whole, whole->rank, dims), element->bytes, 1);
}

IrValue *simplify_select_of_parts(IrBuilder *b, const IrOp *select) {
  Halves halves;
  if (!find_halves(select, &halves)) return NULL;
  const IrType *type = select->results[0]->type;
  const IrData *first = ir_const_splat(halves.before), *last = ir_const_splat(halves.behind);
  IrValue *parts[] = {part_at(halves.before, &halves, 0), part_at(halves.behind, &halves, 1)};
  if (first && parts[1])
    parts[0] = constant_like(b, first, type, halves.dim, halves.place);
  else if (last && parts[0])
    parts[1] = constant_like(b, last, type, halves.dim, type->dims[halves.dim] - halves.place);
  else
    return NULL;
  return ir_concat(b, 2, parts, halves.dim);
}
