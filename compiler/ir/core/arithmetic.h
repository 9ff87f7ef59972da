// SPDX-License-Identifier: Apache-2.0
// What is known of arithmetic on elements: arithmetic.def by op.
#pragma once
#include "ir.h"

// An element of any type that an operation treats in a way of its own.
typedef enum ElementKind {
  ELEMENT_NONE,
  ELEMENT_ZERO,
  ELEMENT_MINUS_ZERO, // of floats
  ELEMENT_ONE,
  ELEMENT_ONES,     // all bits; of bools true
  ELEMENT_LEAST,    // minus infinity where there is one
  ELEMENT_GREATEST, // likewise
} ElementKind;

typedef enum Counted { COUNTED_NOT, COUNTED_FLOPS, COUNTED_TRANSCENDENTALS } Counted;

enum {
  ARITHMETIC_COMMUTES = 1 << 0,
  ARITHMETIC_IDEMPOTENT = 1 << 1,
  ARITHMETIC_CANCELS = 1 << 2,
  ARITHMETIC_INVOLUTION = 1 << 3,
  ARITHMETIC_REFLEXIVE = 1 << 4,
  ARITHMETIC_WHOLE = 1 << 5,
  ARITHMETIC_EXACT = 1 << 6,
  ARITHMETIC_APPROXIMATE = 1 << 7,
  ARITHMETIC_POLYNOMIAL = 1 << 8,
  ARITHMETIC_BLOCKS = 1 << 9,
  ARITHMETIC_ROUNDS = 1 << 10
};

typedef struct Arithmetic {
  const char *types; // NULL: the op is no arithmetic
  Counted counted;
  int cost;
  ElementKind neutral, float_neutral, absorbing; // of a reduction, what it starts from
  OpCode on_bool, step;                          // OP_COUNT if there is none
  unsigned traits;                               // ARITHMETIC_… together
} Arithmetic;

// SCAN_BLOCK: places of a block of a cumulative op. SUM_LANES: partial sums of a float sum along
// the last dimension (docs/numbers.md).
enum { SCAN_BLOCK = 16, SUM_LANES = 64 };

const Arithmetic *arithmetic_of(OpCode code);
static inline bool arithmetic_is(OpCode code, unsigned trait) {
  return arithmetic_of(code)->traits & trait;
}
// Whether the op is defined on elements of the type.
bool arithmetic_is_defined_on(OpCode code, DType dtype);
// The y of the type of which x op y is x, is y.
ElementKind arithmetic_neutral(OpCode code, DType dtype);
ElementKind arithmetic_absorbing(OpCode code, DType dtype);
// As a number: of integers and bools, of floats.
int64_t arithmetic_int(ElementKind kind, DType dtype);
double arithmetic_float(ElementKind kind, DType dtype);
// dtype_size bytes: stored, compared. What the type does not hold (zero, of f8e8m0fnu) is no
// element of it.
void arithmetic_store(ElementKind kind, DType dtype, void *element);
bool arithmetic_is_element(ElementKind kind, DType dtype, const void *element);
// Whether a cumulative op on the type goes in blocks.
static inline bool arithmetic_in_blocks(OpCode code, DType dtype) {
  return dtype_is_float(dtype) && arithmetic_is(code, ARITHMETIC_BLOCKS);
}
