// SPDX-License-Identifier: Apache-2.0
// The table of arithmetic says what the evaluator computes: of every op and type, each fact that
// stands there holds of some elements, and what does not stand there does not hold of all of them.
#include <check.h>
#include <math.h>
#include <string.h>

#include "base/session.h"
#include "ir/core/arithmetic.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/interpret/evaluate.h"
#include "suite.h"

static const DType types[] = {DT_BOOL, DT_I8,  DT_U8,   DT_I16, DT_I32, DT_U32,
                              DT_I64,  DT_U64, DT_BF16, DT_F16, DT_F32, DT_F64};
enum { TYPES = sizeof types / sizeof *types };

static bool is_elementwise(OpCode code) { return op_is_elementwise(code); }
static bool takes_two(OpCode code) {
  OpClass op_class = op_info(code)->op_class;
  return op_class == CLASS_BINARY || op_class == CLASS_COMPARE;
}
static bool takes_one(OpCode code) {
  return op_info(code)->op_class == CLASS_UNARY && code != OP_REDUCE_PRECISION;
}

// ---- elements ----------------------------------------------------------------------------------
typedef struct Bench {
  Session *session;
  IrModule *module;
  IrBuilder builder;
  DType dtype;
  IrValue *samples[32];
  int count;
} Bench;

static const IrType *scalar_of(Bench *b, DType dtype) {
  return ir_array_type(b->module, dtype, 0, NULL);
}

static IrValue *element_of(Bench *b, double value) {
  return dtype_is_float(b->dtype)
             ? ir_const_f64(&b->builder, scalar_of(b, b->dtype), value)
             : ir_const_i64(&b->builder, scalar_of(b, b->dtype), (int64_t)value);
}

static IrValue *kind_of(Bench *b, ElementKind kind) {
  uint64_t bits = 0;
  arithmetic_store(kind, b->dtype, &bits);
  return ir_const(&b->builder, scalar_of(b, b->dtype), &bits, 1);
}

static void bench_open(Bench *b, DType dtype) {
  static const double floats[] = {0.0, -0.0, 1, -1, 2, 3.5, -2.5, 0.75, 100, -7, INFINITY, NAN},
                      ints[] = {0, 1, 2, 3, 5, 7, 100, 127, -1, -2, -128, -100};
  memset(b, 0, sizeof *b);
  b->session = session_new(0);
  b->module = ir_module_new(b->session);
  b->dtype = dtype;
  IrFunc *func = ir_func_new(b->module, name_intern_c(b->session->interner, "f"), (Span){0});
  b->builder = (IrBuilder){.module = b->module, .region = func->body};
  bool is_float = dtype_is_float(dtype);
  size_t count = is_float ? sizeof floats / sizeof *floats : sizeof ints / sizeof *ints;
  for (size_t i = 0; i < count; i++) {
    if (dtype == DT_BOOL && i > 1) break;
    if (dtype_kind(dtype) == 'u' && ints[i] < 0) continue;
    b->samples[b->count++] = element_of(b, is_float ? floats[i] : ints[i]);
  }
  b->samples[b->count++] = kind_of(b, ELEMENT_LEAST);
  b->samples[b->count++] = kind_of(b, ELEMENT_GREATEST);
}

static const IrData *computed(Bench *b, const IrValue *result) {
  const IrOp *op = result->def;
  const IrData *operands[4];
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = ir_const_data(op->operands[i]);
  const IrData *data = ir_evaluate(b->session->arena, op, operands);
  ck_assert_ptr_nonnull(data);
  return data;
}

static bool same(const IrData *x, const IrData *y) {
  ck_assert_int_eq(x->dtype, y->dtype);
  if (dtype_is_float(x->dtype)) {
    double a = dtype_load_f64(x->dtype, x->bytes), b = dtype_load_f64(y->dtype, y->bytes);
    return (a != a && b != b) || (a == b && signbit(a) == signbit(b));
  }
  return dtype_load_i64(x->dtype, x->bytes) == dtype_load_i64(y->dtype, y->bytes);
}

static bool same_as(Bench *b, OpCode code, IrValue *x, IrValue *y, const IrData *wanted) {
  return same(computed(b, ir_binary(&b->builder, code, x, y)), wanted);
}

// ---- of two operands ---------------------------------------------------------------------------
// Whether x op kind is x, or is kind, for all samples; kinds that the type writes the same are one.
static bool is_neutral(Bench *b, OpCode code, ElementKind kind) {
  bool is = true;
  for (int i = 0; i < b->count; i++)
    is &= same_as(b, code, b->samples[i], kind_of(b, kind), ir_const_data(b->samples[i]));
  return is;
}

static bool is_absorbing(Bench *b, OpCode code, ElementKind kind) {
  IrValue *y = kind_of(b, kind);
  bool is = true;
  for (int i = 0; i < b->count; i++) is &= same_as(b, code, b->samples[i], y, ir_const_data(y));
  return is;
}

static bool written_the_same(Bench *b, ElementKind x, ElementKind y) {
  return x != ELEMENT_NONE && y != ELEMENT_NONE &&
         same(ir_const_data(kind_of(b, x)), ir_const_data(kind_of(b, y)));
}

static void compare_kinds(Bench *b, OpCode code) {
  ElementKind neutral = arithmetic_neutral(code, b->dtype);
  ElementKind absorbing = arithmetic_absorbing(code, b->dtype);
  if (op_info(code)->op_class == CLASS_COMPARE && b->dtype != DT_BOOL) return;
  for (ElementKind kind = ELEMENT_ZERO; kind <= ELEMENT_GREATEST; kind++) {
    if (dtype_is_float(b->dtype) ? kind == ELEMENT_ONES : kind == ELEMENT_MINUS_ZERO) continue;
    ck_assert_msg(is_neutral(b, code, kind) == written_the_same(b, kind, neutral),
                  "%s %s: neutral %d", op_info(code)->name, dtype_short_name(b->dtype), kind);
    if (!dtype_is_float(b->dtype))
      ck_assert_msg(is_absorbing(b, code, kind) == written_the_same(b, kind, absorbing),
                    "%s %s: absorbing %d", op_info(code)->name, dtype_short_name(b->dtype), kind);
  }
}

typedef struct Laws {
  bool commutes, idempotent, cancels, reflexive;
} Laws;

static void hold(Bench *b, OpCode code, Laws *laws) {
  bool gives_bool = op_info(code)->op_class == CLASS_COMPARE;
  for (int i = 0; i < b->count; i++) {
    IrValue *x = b->samples[i];
    const IrData *twice = computed(b, ir_binary(&b->builder, code, x, x));
    double value = dtype_is_float(b->dtype) ? dtype_load_f64(b->dtype, ir_const_data(x)->bytes) : 0;
    if (!gives_bool) laws->idempotent &= same(twice, ir_const_data(x));
    if (!dtype_is_float(b->dtype)) laws->cancels &= !dtype_load_i64(twice->dtype, twice->bytes);
    if (gives_bool && value == value) laws->reflexive &= dtype_load_i64(DT_BOOL, twice->bytes) == 1;
    for (int k = 0; k < i; k++)
      laws->commutes &= same_as(b, code, x, b->samples[k],
                                computed(b, ir_binary(&b->builder, code, b->samples[k], x)));
  }
}

START_TEST(two_operands) {
  OpCode code = (OpCode)_i;
  if (!takes_two(code)) return;
  bool gives_bool = op_info(code)->op_class == CLASS_COMPARE;
  Laws laws = {true, !gives_bool, true, gives_bool};
  for (int t = 0; t < TYPES; t++) {
    if (!arithmetic_is_defined_on(code, types[t])) continue;
    Bench b;
    bench_open(&b, types[t]);
    compare_kinds(&b, code);
    hold(&b, code, &laws);
    session_free(b.session);
  }
  const char *kinds = arithmetic_of(code)->types;
  if (strcmp(kinds, "f") == 0) laws.cancels = false; // it is said of integers
  ck_assert_msg(laws.commutes == arithmetic_is(code, ARITHMETIC_COMMUTES), "%s: commutes",
                op_info(code)->name);
  ck_assert_msg(laws.idempotent == arithmetic_is(code, ARITHMETIC_IDEMPOTENT), "%s: idempotent",
                op_info(code)->name);
  ck_assert_msg(laws.cancels == arithmetic_is(code, ARITHMETIC_CANCELS), "%s: cancels",
                op_info(code)->name);
  ck_assert_msg(laws.reflexive == arithmetic_is(code, ARITHMETIC_REFLEXIVE), "%s: reflexive",
                op_info(code)->name);
}
END_TEST

// What it is on bools it gives for all four pairs.
START_TEST(on_bools) {
  OpCode code = (OpCode)_i;
  if (!takes_two(code) || !arithmetic_is_defined_on(code, DT_BOOL)) return;
  OpCode on_bool = arithmetic_of(code)->on_bool;
  bool is_new = on_bool != code;
  Bench b;
  bench_open(&b, DT_BOOL);
  for (int x = 0; x < 2; x++)
    for (int y = 0; y < 2; y++)
      ck_assert(same_as(&b, code, b.samples[x], b.samples[y],
                        computed(&b, ir_binary(&b.builder, on_bool, b.samples[x], b.samples[y]))));
  ck_assert(!is_new || on_bool == OP_AND || on_bool == OP_OR);
  session_free(b.session);
}
END_TEST

// ---- of one operand ----------------------------------------------------------------------------
static IrValue *constant(Bench *b, const IrData *data) {
  return ir_const(&b->builder, scalar_of(b, data->dtype), data->bytes, 1);
}

static bool is_whole_of_x(double x, double y) {
  return (x != x && y != y) || (x == y) || (isfinite(x) && y == rint(y) && fabs(y - x) < 1);
}

// A number of 8 bits as f32: the result is exact if a bfloat16 holds it.
static bool is_exact_on(Bench *b, OpCode code, const IrValue *x) {
  double value = dtype_load_f64(DT_F32, ir_const_data(x)->bytes);
  uint64_t bits = 0;
  dtype_store_f64(DT_BF16, &bits, value);
  if (dtype_load_f64(DT_BF16, &bits) != value) return true; // (the limits of f32)
  const IrData *result = computed(b, ir_unary(&b->builder, code, constant(b, ir_const_data(x))));
  double exact = dtype_load_f64(DT_F32, result->bytes);
  dtype_store_f64(DT_BF16, &bits, exact);
  return exact != exact || dtype_load_f64(DT_BF16, &bits) == exact;
}

START_TEST(one_operand) {
  OpCode code = (OpCode)_i;
  if (!takes_one(code)) return;
  bool idempotent = true, involution = true, whole = true, exact = true;
  for (int t = 0; t < TYPES; t++) {
    if (!arithmetic_is_defined_on(code, types[t])) continue;
    Bench b;
    bench_open(&b, types[t]);
    for (int i = 0; i < b.count; i++) {
      const IrData *x = ir_const_data(b.samples[i]);
      const IrData *once = computed(&b, ir_unary(&b.builder, code, constant(&b, x)));
      const IrData *twice = computed(&b, ir_unary(&b.builder, code, constant(&b, once)));
      idempotent &= same(once, twice);
      involution &= same(x, twice);
      whole &= dtype_is_float(types[t]) && is_whole_of_x(dtype_load_f64(x->dtype, x->bytes),
                                                         dtype_load_f64(x->dtype, once->bytes));
      if (types[t] == DT_F32) exact &= is_exact_on(&b, code, b.samples[i]);
    }
    session_free(b.session);
  }
  const char *name = op_info(code)->name;
  ck_assert_msg(idempotent == arithmetic_is(code, ARITHMETIC_IDEMPOTENT), "%s: idempotent", name);
  ck_assert_msg(involution == arithmetic_is(code, ARITHMETIC_INVOLUTION), "%s: involution", name);
  ck_assert_msg(whole == arithmetic_is(code, ARITHMETIC_WHOLE), "%s: whole", name);
  if (arithmetic_is_defined_on(code, DT_F32))
    ck_assert_msg(exact == arithmetic_is(code, ARITHMETIC_EXACT), "%s: exact", name);
}
END_TEST

// ---- reductions --------------------------------------------------------------------------------
START_TEST(reductions_start_from_what_changes_nothing) {
  OpCode code = (OpCode)_i, step = arithmetic_of(code)->step;
  OpClass op_class = op_info(code)->op_class;
  bool combines = op_class == CLASS_REDUCE || op_class == CLASS_CUMULATIVE;
  ck_assert(combines || step == OP_COUNT);
  for (int t = 0; step != OP_COUNT && t < TYPES; t++) {
    if (!arithmetic_is_defined_on(code, types[t])) continue;
    ElementKind start = arithmetic_neutral(code, types[t]),
                neutral = arithmetic_neutral(step, types[t]);
    // Of nothing but -0.0 the sum is 0.0.
    bool is_sum = step == OP_ADD && dtype_is_float(types[t]);
    ck_assert_msg(start == (is_sum ? ELEMENT_ZERO : neutral), "%s of %s", op_info(code)->name,
                  dtype_short_name(types[t]));
    ck_assert(arithmetic_is_defined_on(step, types[t]));
  }
}
END_TEST

START_TEST(every_op_on_elements_has_a_row) {
  OpCode code = (OpCode)_i;
  OpClass op_class = op_info(code)->op_class;
  bool wants = is_elementwise(code) || op_class == CLASS_REDUCE || op_class == CLASS_CUMULATIVE;
  ck_assert_msg(wants == (arithmetic_of(code)->types != NULL), "%s", op_info(code)->name);
  if (wants) ck_assert_int_ge(arithmetic_of(code)->cost, 1);
}
END_TEST

// What a type has no element for is none of its elements.
START_TEST(a_type_without_a_zero) {
  uint64_t bits = 0;
  arithmetic_store(ELEMENT_ZERO, DT_F8E8M0FNU, &bits);
  ck_assert(!arithmetic_is_element(ELEMENT_ZERO, DT_F8E8M0FNU, &bits));
  arithmetic_store(ELEMENT_ONE, DT_F8E8M0FNU, &bits);
  ck_assert(arithmetic_is_element(ELEMENT_ONE, DT_F8E8M0FNU, &bits));
  ck_assert(arithmetic_float(ELEMENT_LEAST, DT_F8E4M3FN) == -448);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("arithmetic");
  TCase *tcase = tcase_create("arithmetic");
  tcase_add_loop_test(tcase, every_op_on_elements_has_a_row, 0, OP_COUNT);
  tcase_add_loop_test(tcase, two_operands, 0, OP_COUNT);
  tcase_add_loop_test(tcase, on_bools, 0, OP_COUNT);
  tcase_add_loop_test(tcase, one_operand, 0, OP_COUNT);
  tcase_add_loop_test(tcase, reductions_start_from_what_changes_nothing, 0, OP_COUNT);
  tcase_add_test(tcase, a_type_without_a_zero);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
