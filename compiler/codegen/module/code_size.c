// SPDX-License-Identifier: Apache-2.0
// A function's size before there is code. In: a function of the IR. Out: what it has so much of
// that pieces which are identical become calls. It looks at no other function, so that adding one
// to a file changes the code of no other.
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "code_size.h"
#include "ir/core/arithmetic.h"

// Instructions of one op, about as they come out for AVX2: a loop of vectors with its head and its
// end; a polynomial in vectors of two registers; a fold of the lanes of several accumulators; a
// micro-kernel with its edges and packing.
enum { OP_SIZE = 16, POLYNOMIAL_SIZE = 150, FOLD_SIZE = 150, PRODUCT_SIZE = 600 };
// As much is written out: some 70 KB, twice what a first-level instruction cache holds, which is
// read from the second level as fast as it runs; and LLVM takes some tenths of a second for it.
enum { MOST_WRITTEN_OUT = 14400 };

typedef struct CodeSize {
  size_t all, products, polynomials, reductions; // in instructions
} CodeSize;

static void add_op(IrOp *op, void *data) {
  CodeSize *size = data;
  if (op->code == OP_CONST) return;
  size->all += OP_SIZE;
  if (op->code == OP_DOT) size->products += PRODUCT_SIZE;
  if (op_is_reduction(op->code)) size->reductions += FOLD_SIZE;
  if (arithmetic_is(op->code, ARITHMETIC_POLYNOMIAL)) size->polynomials += POLYNOMIAL_SIZE;
}

Sharing code_size_sharing(const IrFunc *func) {
  CodeSize size = {0};
  ir_walk(func->body, add_op, &size);
  return (Sharing){.products = size.products >= MOST_WRITTEN_OUT,
                   .polynomials = size.polynomials >= MOST_WRITTEN_OUT,
                   .reductions = size.reductions >= MOST_WRITTEN_OUT,
                   .all = size.all >= MOST_WRITTEN_OUT};
}
