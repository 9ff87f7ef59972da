// SPDX-License-Identifier: Apache-2.0
// How arrays lie in memory. In: the layout of an operand and an op that moves no element. Out: the
// layout of its result in the same memory, if strides can say it.
#include "ir/core/attr.h"
#include "plan_layout.h"
#include <string.h>

Layout layout_dense(DType dtype, size_t rank, const int64_t *dims) {
  Layout layout = {.dtype = dtype, .rank = (uint8_t)rank};
  int64_t stride = 1;
  for (size_t i = rank; i-- > 0;) {
    layout.dims[i] = dims[i];
    layout.strides[i] = stride;
    stride *= dims[i];
  }
  return layout;
}

static bool has_elements(const Layout *layout) {
  for (int i = 0; i < layout->rank; i++)
    if (layout->dims[i] == 0) return false;
  return true;
}

bool layout_is_dense(const Layout *layout) {
  int64_t stride = 1;
  for (int i = layout->rank; i-- > 0;) {
    if (layout->dims[i] != 1 && layout->strides[i] != stride) return !has_elements(layout);
    stride *= layout->dims[i];
  }
  return true;
}

// ---- reshapes -----------------------------------------------------------------------------------
// A run of dimensions [from, to) that steps through memory evenly, as one: its stride, or false.
static bool run_stride(const Layout *layout, int from, int to, int64_t *stride) {
  *stride = 0;
  bool found = false;
  int64_t expected = 0;
  for (int i = to; i-- > from;) {
    if (layout->dims[i] == 1) continue;
    if (!found) {
      *stride = layout->strides[i];
      found = true;
    } else if (layout->strides[i] != expected) {
      return false;
    }
    expected = layout->strides[i] * layout->dims[i];
  }
  return true;
}

bool layout_reshape(const Layout *layout, size_t rank, const int64_t *dims, Layout *out) {
  *out = (Layout){.dtype = layout->dtype, .rank = (uint8_t)rank};
  for (size_t i = 0; i < rank; i++) out->dims[i] = dims[i];
  if (!has_elements(layout)) return true;
  int old = 0;
  size_t new = 0;
  while (old < layout->rank || new < rank) {
    // The shortest runs of both shapes with the same number of elements.
    int old_from = old;
    size_t new_from = new;
    int64_t old_count = old < layout->rank ? layout->dims[old++] : 1,
            new_count = new < rank ? dims[new ++] : 1;
    while (old_count != new_count) {
      if (old_count < new_count)
        old_count *= layout->dims[old++];
      else
        new_count *= dims[new ++];
    }
    int64_t stride;
    if (!run_stride(layout, old_from, old, &stride)) return false;
    for (size_t i = new; i-- > new_from;) {
      out->strides[i] = stride;
      stride *= dims[i];
    }
  }
  return true;
}

// ---- views --------------------------------------------------------------------------------------
static Layout indexed(const IrOp *op, const Layout *ref) {
  const IrIndex *index = ir_attr_index(op);
  Layout out = {.dtype = ref->dtype};
  for (int i = 0; i < index->rank; i++) {
    if (index->dims[i].kind == INDEX_SCALAR) continue;
    out.dims[out.rank] = index->dims[i].size;
    out.strides[out.rank++] = ref->strides[i] * index->dims[i].stride;
  }
  return out;
}

bool layout_view(const IrOp *op, const Layout *from, Layout *out) {
  const IrType *type = op->results[0]->type;
  *out = layout_dense(type->dtype, type->rank, type->dims);
  IrInts dims = {0};
  if (op->code == OP_TRANSPOSE || op->code == OP_BROADCAST || op->code == OP_REV)
    dims = ir_attr_ints(op, ATTR_DIMS);
  switch (op->code) {
  case OP_TRANSPOSE:
    for (size_t i = 0; i < dims.count; i++) out->strides[i] = from->strides[dims.items[i]];
    return true;
  case OP_BROADCAST:
    for (int i = 0; i < out->rank; i++) out->strides[i] = 0;
    for (size_t i = 0; i < dims.count; i++)
      if (from->dims[i] != 1) out->strides[dims.items[i]] = from->strides[i];
    return true;
  case OP_REV:
    memcpy(out->strides, from->strides, sizeof out->strides);
    for (size_t i = 0; i < dims.count; i++) out->strides[dims.items[i]] *= -1;
    return true;
  case OP_SLICE: {
    IrInts strides = ir_attr_ints(op, ATTR_STRIDES);
    for (int i = 0; i < out->rank; i++) out->strides[i] = from->strides[i] * strides.items[i];
    return true;
  }
  case OP_DYNAMIC_SLICE: memcpy(out->strides, from->strides, sizeof out->strides); return true;
  case OP_RESHAPE:
  case OP_REF_RESHAPE: return layout_reshape(from, type->rank, type->dims, out);
  case OP_BITCAST_WIDTH:
    return layout_is_dense(from) && dtype_bits(from->dtype) % 8 == 0 &&
           dtype_bits(type->dtype) % 8 == 0;
  default: return false;
  }
}

static bool has_arrays(const IrIndex *index) {
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind == INDEX_ARRAY) return true;
  return false;
}

Layout layout_usual(const IrValue *value) {
  const IrType *type = value->type;
  const IrOp *op = value->def;
  Layout dense = layout_dense(type->dtype, type->rank, type->dims);
  if (!op) return dense;
  if (op->code == OP_CONST && ir_attr_data(op, ATTR_DATA)->count == 1) {
    for (int i = 0; i < dense.rank; i++) dense.strides[i] = 0;
    return dense;
  }
  bool is_access = op->code == OP_LOAD || op->code == OP_VIEW;
  if (!is_access && op_info(op->code)->op_class != CLASS_SHAPE && op->code != OP_REF_RESHAPE)
    return dense;
  if (is_access && has_arrays(ir_attr_index(op))) return dense; // what is gathered is an array
  Layout from = layout_usual(op->operands[0]), view;
  if (is_access) return indexed(op, &from);
  return layout_view(op, &from, &view) ? view : dense;
}
