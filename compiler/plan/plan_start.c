// SPDX-License-Identifier: Apache-2.0
// Where parts of arrays start. In: an op with an index, or with starts among its operands. Out: for
// each dimension a number, or a value with the range that it is brought into.
#include "ir/core/attr.h"
#include "plan_start.h"
#include "ir/analysis/access.h"
#include "ir/analysis/bounds.h"

bool start_equal(const Start *a, const Start *b) {
  return a->value == b->value && a->wrap == b->wrap && a->last == b->last;
}

Start start_of_index(const IrOp *op, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  if (dim->start_operand < 0) return (Start){.number = dim->start, .last = -1};
  Start start = {.value = op->operands[dim->start_operand], .last = -1};
  if (bounds_dim_inside(op, i)) return start;
  start.last = start.wrap = access_ref(op)->type->dims[i];
  if (dim->kind == INDEX_SCALAR) start.last = start.wrap - 1;
  if (dim->kind == INDEX_SLICE && dim->size_operand < 0 && dim->size > 0)
    start.last = start.wrap - 1 - (dim->size - 1) * dim->stride;
  return start;
}

Start start_of_slice(const IrOp *op, int i) {
  int64_t last = op->operands[0]->type->dims[i] - op->results[0]->type->dims[i];
  if (last == 0) return (Start){.last = -1}; // all of it, wherever it is said to start
  return (Start){.value = op->operands[1 + i], .last = last};
}
