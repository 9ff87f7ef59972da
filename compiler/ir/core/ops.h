// SPDX-License-Identifier: Apache-2.0
// The operations of the kernel IR, as ops.def and attrs.def list them.
#pragma once
#include "base/base.h"

typedef enum OpCode {
#define OP(id, ...) OP_##id,
#include "ops.def"
#undef OP
  OP_COUNT
} OpCode;
typedef enum OpClass {
  CLASS_CONST,
  CLASS_UNARY,
  CLASS_BINARY,
  CLASS_COMPARE,
  CLASS_ELEMENTWISE,
  CLASS_SHAPE,
  CLASS_REDUCE,
  CLASS_CUMULATIVE,
  CLASS_HEAVY,
  CLASS_REF,
  CLASS_CONTROL,
  CLASS_EFFECTFUL
} OpClass;
// Bits of OpInfo.effects, as ops.def explains them. ir/analysis/effects.h asks them.
#define EFFECT_READS(operand)   (1u << (operand))
#define EFFECT_WRITES(operand)  (16u << (operand))
#define EFFECT_SIGNALS(operand) (256u << (operand))
typedef enum OpEffect {
  EFFECT_VIEWS = 1 << 12,
  EFFECT_ALLOCATES = 1 << 13,
  EFFECT_LATER = 1 << 14,
  EFFECT_WAITS = 1 << 15,
  EFFECT_COMMUNICATES = 1 << 16,
  EFFECT_ORDERED = 1 << 17,
  EFFECT_TERMINATOR = 1 << 18,
} OpEffect;
enum { EFFECT_MAX_OPERAND = 3 }; // whose memory an effect can be on
// What constants may be given to the op when the code runs.
typedef enum OpNumbers { NUMBERS_FIXED, NUMBERS_ANY, NUMBERS_ROUNDED } OpNumbers;
typedef enum AttrName {
#define ATTR(id, name, kind) ATTR_##id,
#include "attrs.def"
#undef ATTR
  ATTR_COUNT
} AttrName;
typedef enum AttrKind {
  KIND_INT,
  KIND_INTS,
  KIND_FLOAT,
  KIND_BOOL,
  KIND_WORD,
  KIND_WORDS,
  KIND_NAME,
  KIND_STR,
  KIND_STRS,
  KIND_DTYPE,
  KIND_DATA,
  KIND_TYPES,
  KIND_INDEX,
  KIND_BLOCKS,
  KIND_MESHES
} AttrKind;

#define OP_VARIADIC  (-1)
#define OP_MAX_ATTRS 11
typedef struct OpInfo {
  const char *name;
  int operands, results, regions; // or OP_VARIADIC
  OpClass op_class;
  unsigned effects; // EFFECT_… together
  OpNumbers numbers;
  AttrName attrs[OP_MAX_ATTRS];
  int attr_count;
  const char *meaning;
} OpInfo;
const OpInfo *op_info(OpCode code);
bool op_from_name(Str name, OpCode *out);
static inline bool op_is_elementwise(OpCode code) {
  OpClass c = op_info(code)->op_class;
  return c == CLASS_UNARY || c == CLASS_BINARY || c == CLASS_COMPARE || c == CLASS_ELEMENTWISE;
}

// Whether an element of a result is computed from one of each operand at its own place; and of a
// lookup from one of its table, at any.
static inline bool op_is_pointwise(OpCode code) {
  return op_is_elementwise(code) || code == OP_LOOKUP;
}

static inline bool op_is_reduction(OpCode code) { return op_info(code)->op_class == CLASS_REDUCE; }

// Whether the op computes nothing: its result is another view of its operand.
static inline bool op_is_view(OpCode code) {
  return code == OP_BROADCAST || code == OP_RESHAPE || code == OP_TRANSPOSE || code == OP_SLICE ||
         code == OP_REV || code == OP_DYNAMIC_SLICE;
}

// Whether equal elements of every operand give equal elements of the result.
static inline bool op_keeps_splats(OpCode code) {
  return op_is_elementwise(code) || op_is_view(code);
}
// Which operand of an access, or of a view, is the ref.
static inline uint32_t op_ref_position(OpCode code) {
  return op_info(code)->effects & EFFECT_WRITES(1) ? 1 : 0;
}
