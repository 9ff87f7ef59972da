// SPDX-License-Identifier: Apache-2.0
// Products that may be computed by other operations: see product.h.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "passes/arrays/product.h"

bool product_has_usual_precision(const IrOp *dot) {
  int64_t precision = ir_attr_int(dot, ATTR_PRECISION);
  return precision == PRECISION_DEFAULT || precision == PRECISION_HIGH ||
         precision == PRECISION_HIGHEST;
}

bool product_type(const IrOp *dot, DType *out) {
  DType x = dot->operands[0]->type->dtype, y = dot->operands[1]->type->dtype;
  DType result = dot->results[0]->type->dtype;
  *out = dtype_is_float(result) ? ir_dot_summed_in(dot) : result;
  return dtype_is_float(result)
             ? dtype_is_float(x) && dtype_is_float(y)
             : dtype_is_integer(result) && dtype_is_integer(x) && dtype_is_integer(y);
}
