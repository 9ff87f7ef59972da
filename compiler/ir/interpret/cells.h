// SPDX-License-Identifier: Apache-2.0
// The parts of ir_evaluate. Private to compiler/ir.
#pragma once
#include "ir/core/ir.h"

// An operand or a result in the making. A splat's one element stands for all.
typedef struct Cells {
  const IrType *type;
  DType dtype;
  size_t size; // bytes of an element
  int64_t count;
  bool is_splat;
  union {
    char *bytes;
    const void *data; // of an operand
  };
} Cells;
static inline char *cell_at(const Cells *cells, int64_t i) {
  return cells->bytes + (cells->is_splat ? 0 : (size_t)i * cells->size);
}

// One element of an elementwise op: operands[i] and results[i] point to elements of the op's types.
void evaluate_element(const IrOp *op, const char *const *operands, char *const *results);
// x op y for the reductions and the combinations of scatter: ADD, MUL, MAX, MIN, AND, OR, XOR.
// Floats are rounded to `dtype`.
double evaluate_float_binary(OpCode code, DType dtype, double x, double y);
int64_t evaluate_int_binary(OpCode code, DType dtype, int64_t x, int64_t y);
// `value` as an element of the dtype holds it, by way of f32.
double evaluate_round(DType dtype, double value);
// A float element as arithmetic and comparisons take it: a subnormal one is zero.
double evaluate_operand(DType dtype, const void *element);

bool evaluate_reduce(Arena *arena, const IrOp *op, const Cells *operands, Cells *result);
bool evaluate_heavy(Arena *arena, const IrOp *op, const Cells *operands, Cells *results);

// Walks over the positions of a shape in row-major order: for (bool more = evaluate_walk_start(&w,
// type); more; more = evaluate_walk_next(&w)).
typedef struct Walk {
  int rank;
  const int64_t *dims;
  int64_t at[IR_MAX_RANK];
  int64_t linear;
} Walk;
bool evaluate_walk_start(Walk *walk, const IrType *type); // false if there are none
bool evaluate_walk_next(Walk *walk);
// Row-major strides, in elements.
void evaluate_strides(const IrType *type, int64_t strides[IR_MAX_RANK]);
