// SPDX-License-Identifier: Apache-2.0
// What follows a product, evaluated on its accumulators.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"

typedef struct Epilogue Epilogue;

// A cluster that consumes a product's result (of rank 2, not a column) where it is: evaluated on
// the accumulators. It writes no operand of the product. NULL if that cannot be.
Epilogue *epilogue_new(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count);
// The same in parts, which other functions evaluate: here are only the results. A part takes
// where they start from its caller.
Epilogue *epilogue_new_whole(LlvmGen *g, const IrOp *dot, IrOp *const *ops, size_t count);
size_t epilogue_result_count(const Epilogue *e);
void epilogue_result_bases(const Epilogue *whole, Value *bases);
Epilogue *epilogue_new_part(LlvmGen *g, const Epilogue *whole, const Value *bases);
// Evaluates it on one vector of a row, from a column on (i64s); the value is rounded to the
// product's type.
void epilogue_apply(LlvmGen *g, Epilogue *e, Value row, Value column, Value value, unsigned active);
void epilogue_close(Epilogue *e);   // binds the cluster's results, but of a part
void epilogue_abandon(Epilogue *e); // as if it had not been made
// Whether a store of the cluster may change what the product still has to read.
bool epilogue_writes_operand(const IrOp *dot, IrOp *const *ops, size_t count);
