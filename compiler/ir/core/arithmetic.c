// SPDX-License-Identifier: Apache-2.0
// The table of arithmetic on elements, and the elements that it names.
#include "arithmetic.h"

#include <math.h>
#include <string.h>

// T(X, Y) becomes ARITHMETIC_X | ARITHMETIC_Y.
#define T(...)                           T_PICK(_, ##__VA_ARGS__, T_4, T_3, T_2, T_1, T_0)(__VA_ARGS__)
#define T_PICK(_, a, b, c, d, pick, ...) pick
#define T_0()                            0
#define T_1(a)                           ARITHMETIC_##a
#define T_2(a, b)                        T_1(a) | T_1(b)
#define T_3(a, b, c)                     T_2(a, b) | T_1(c)
#define T_4(a, b, c, d)                  T_3(a, b, c) | T_1(d)

const Arithmetic *arithmetic_of(OpCode code) {
  static const Arithmetic none = {.on_bool = OP_COUNT, .step = OP_COUNT};
  static const Arithmetic rows[OP_COUNT] = {
#define FUNCTION(id, types, counted, cost, traits)                                                 \
  [OP_##id] = {types,        COUNTED_##counted, cost,     ELEMENT_NONE, ELEMENT_NONE,              \
               ELEMENT_NONE, OP_##id,           OP_COUNT, traits},
#define OPERATION(id, types, counted, cost, neutral, float_neutral, absorbing, on_bool, traits)    \
  [OP_##id] = {types,                                                                              \
               COUNTED_##counted,                                                                  \
               cost,                                                                               \
               ELEMENT_##neutral,                                                                  \
               ELEMENT_##float_neutral,                                                            \
               ELEMENT_##absorbing,                                                                \
               OP_##on_bool,                                                                       \
               OP_COUNT,                                                                           \
               traits},
#define REDUCTION(id, types, step, start, traits)                                                  \
  [OP_##id] = {types,        COUNTED_NOT, 1,         ELEMENT_##start, ELEMENT_##start,             \
               ELEMENT_NONE, OP_##id,     OP_##step, traits},
#include "arithmetic.def"
#undef FUNCTION
#undef OPERATION
#undef REDUCTION
  };
  if ((unsigned)code >= OP_COUNT) BUG("no op %d", (int)code);
  return rows[code].types ? &rows[code] : &none;
}

bool arithmetic_is_defined_on(OpCode code, DType dtype) {
  const char *types = arithmetic_of(code)->types;
  return types && strchr(types, dtype_kind(dtype));
}

ElementKind arithmetic_neutral(OpCode code, DType dtype) {
  const Arithmetic *arithmetic = arithmetic_of(code);
  return dtype_is_float(dtype) ? arithmetic->float_neutral : arithmetic->neutral;
}

ElementKind arithmetic_absorbing(OpCode code, DType dtype) {
  if (dtype_is_float(dtype)) return ELEMENT_NONE;
  return arithmetic_of(dtype == DT_BOOL ? arithmetic_of(code)->on_bool : code)->absorbing;
}

static double float_limit(DType dtype, bool least) {
  if (dtype_float_format(dtype).special != 'i')
    return least ? dtype_float_min(dtype) : dtype_float_max(dtype);
  return least ? -INFINITY : INFINITY;
}

int64_t arithmetic_int(ElementKind kind, DType dtype) {
  switch (kind) {
  case ELEMENT_ONE: return 1;
  case ELEMENT_ONES: return dtype == DT_BOOL ? 1 : -1;
  case ELEMENT_LEAST: return dtype_int_min(dtype);
  case ELEMENT_GREATEST: return (int64_t)dtype_int_max(dtype);
  default: return 0;
  }
}

double arithmetic_float(ElementKind kind, DType dtype) {
  switch (kind) {
  case ELEMENT_MINUS_ZERO: return -0.0;
  case ELEMENT_ONE: return 1;
  case ELEMENT_LEAST:
  case ELEMENT_GREATEST: return float_limit(dtype, kind == ELEMENT_LEAST);
  default: return 0;
  }
}

void arithmetic_store(ElementKind kind, DType dtype, void *element) {
  if (dtype_is_float(dtype))
    dtype_store_f64(dtype, element, arithmetic_float(kind, dtype));
  else
    dtype_store_i64(dtype, element, arithmetic_int(kind, dtype));
}

bool arithmetic_is_element(ElementKind kind, DType dtype, const void *element) {
  uint64_t bits = 0;
  if (kind == ELEMENT_NONE) return false;
  arithmetic_store(kind, dtype, &bits);
  bool is_held =
      !dtype_is_float(dtype) || dtype_load_f64(dtype, &bits) == arithmetic_float(kind, dtype);
  return is_held && memcmp(&bits, element, dtype_size(dtype)) == 0;
}
