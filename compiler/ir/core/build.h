// SPDX-License-Identifier: Apache-2.0
// Building array ops with their result types worked out. Shapes must already agree (BUG
// otherwise).
#pragma once
#include "ir.h"

// Count 1: splat.
IrValue *ir_const(IrBuilder *b, const IrType *type, const void *element_bytes, int64_t count);
IrValue *ir_const_f64(IrBuilder *b, const IrType *type, double value); // splat, rounded to the type
IrValue *ir_const_i64(IrBuilder *b, const IrType *type, int64_t value);
IrValue *ir_i32(IrBuilder *b, int32_t value); // scalar
IrValue *ir_unary(IrBuilder *b, OpCode code, IrValue *x);
IrValue *ir_binary(IrBuilder *b, OpCode code, IrValue *x, IrValue *y); // BINARY and COMPARE
IrValue *ir_select(IrBuilder *b, IrValue *pred, IrValue *x, IrValue *y);
IrValue *ir_convert(IrBuilder *b, IrValue *x, DType dtype); // x itself if it is of that type
IrValue *ir_bitcast(IrBuilder *b, IrValue *x, DType dtype); // of any widths
IrValue *ir_iota(IrBuilder *b, const IrType *type, int dim);
IrValue *ir_broadcast(IrBuilder *b, IrValue *x, const IrType *type, const int64_t *dims);
// NumPy's rule; x itself if equal.
IrValue *ir_broadcast_to(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims);
IrValue *ir_reshape(IrBuilder *b, IrValue *x, size_t rank, const int64_t *dims);
IrValue *ir_transpose(IrBuilder *b, IrValue *x, const int64_t *perm);
IrValue *ir_slice(IrBuilder *b, IrValue *x, const int64_t *starts, const int64_t *limits,
                  const int64_t *strides);
IrValue *ir_pad(IrBuilder *b, IrValue *x, IrValue *value, const int64_t *low, const int64_t *high,
                const int64_t *interior);
IrValue *ir_concat(IrBuilder *b, size_t count, IrValue *const *xs, int dim);
IrValue *ir_rev(IrBuilder *b, IrValue *x, size_t count, const int64_t *dims);
IrValue *ir_dynamic_slice(IrBuilder *b, IrValue *x, IrValue *const *starts, const int64_t *sizes);
IrValue *ir_dynamic_update_slice(IrBuilder *b, IrValue *x, IrValue *update, IrValue *const *starts);
// Argmax/argmin give i32.
IrValue *ir_reduce(IrBuilder *b, OpCode code, IrValue *x, size_t count, const int64_t *axes);
IrValue *ir_cumulative(IrBuilder *b, OpCode code, IrValue *x, int dim, bool reverse);
// What a scatter does with an element and its update; OP_COUNT: it takes the update.
OpCode ir_combine_op(ScatterCombine how);
