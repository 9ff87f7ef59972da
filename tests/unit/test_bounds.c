// SPDX-License-Identifier: Apache-2.0
// Ranges of integer scalars (bounds.c) against all that the ops can give on all numbers of the
// operands' ranges, which are those of loop indices.
#include <check.h>
#include <stdlib.h>
#include "base/buf.h"
#include "ir/analysis/bounds.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/interpret/evaluate.h"
#include "ir/text/read.h"
#include "suite.h"

// Both included, as loops have them.
static const Range ranges[] = {{0, 0},  {3, 3},   {0, 6},   {1, 3},   {2, 5},  {-5, 7},
                               {-3, 4}, {-9, -2}, {-4, -4}, {-6, -1}, {-7, 0}, {4, 13}};

typedef struct OpCase {
  OpCode code;
  bool is_exact; // of a positive second operand at least, no number too many is in the range
} OpCase;

static const OpCase op_cases[] = {{OP_ADD, true},      {OP_SUB, true},  {OP_MUL, true},
                                  {OP_MIN, true},      {OP_MAX, true},  {OP_DIV, true},
                                  {OP_FLOORDIV, true}, {OP_MOD, false}, {OP_REM, false},
                                  {OP_AND, false},     {OP_SHR, false}};

static IrValue *loop_index(IrBuilder *b, Range range) {
  IrOp *loop = ir_for(b, ir_i32(b, (int32_t)range.low), ir_i32(b, (int32_t)range.high + 1),
                      ir_i32(b, 1), 0, NULL);
  b->region = loop->regions[0];
  b->before = NULL;
  return b->region->args[0];
}

static IrBuilder new_function(Session *session) {
  IrModule *module = ir_module_new(session);
  IrFunc *func = ir_func_new(module, name_intern_c(session->interner, "f"), (Span){0});
  return (IrBuilder){.module = module, .region = func->body};
}

static int64_t value_of(Arena *arena, const IrOp *op, int64_t x, int64_t y) {
  int32_t numbers[] = {(int32_t)x, (int32_t)y};
  IrData data[] = {{DT_I32, 1, &numbers[0]}, {DT_I32, 1, &numbers[1]}};
  const IrData *result = ir_evaluate(arena, op, (const IrData *[]){&data[0], &data[1]});
  return dtype_load_i64(DT_I32, result->bytes);
}

// The least and the greatest of what comes of all numbers of both ranges.
static Range all_values(Arena *arena, const IrOp *op, Range x, Range y) {
  Range all = {INT64_MAX, INT64_MIN};
  for (int64_t i = x.low; i <= x.high; i++)
    for (int64_t j = y.low; j <= y.high; j++) {
      int64_t value = value_of(arena, op, i, j);
      if (value < all.low) all.low = value;
      if (value > all.high) all.high = value;
    }
  return all;
}

// What cannot wrap: sums and products of small numbers; of other ops nothing is said.
START_TEST(wraps) {
  const OpCase *c = &op_cases[_i];
  Session *session = session_new(0);
  bool is_sum = c->code == OP_ADD || c->code == OP_SUB || c->code == OP_MUL;
  IrBuilder b = new_function(session);
  IrValue *small = loop_index(&b, (Range){-5, 40}), *low = loop_index(&b, (Range){INT32_MIN, 0}),
          *high = loop_index(&b, (Range){1 << 30, INT32_MAX - 1});
  ck_assert_int_eq(bounds_never_wraps(ir_binary(&b, c->code, small, small)->def), is_sum);
  ck_assert(!bounds_never_wraps(ir_binary(&b, c->code, high, c->code == OP_SUB ? low : high)->def));
  session_free(session);
}
END_TEST

START_TEST(holds_all_values) {
  const OpCase *c = &op_cases[_i];
  Session *session = session_new(0);
  for (size_t i = 0; i < COUNT_OF(ranges); i++)
    for (size_t j = 0; j < COUNT_OF(ranges); j++) {
      IrBuilder b = new_function(session);
      IrValue *x = loop_index(&b, ranges[i]), *y = loop_index(&b, ranges[j]);
      IrValue *result = ir_binary(&b, c->code, x, y);
      Range got = bounds_of(result);
      Range all = all_values(session->arena, result->def, ranges[i], ranges[j]);
      ck_assert_msg(got.low <= all.low && all.high <= got.high,
                    "%s of %lld..%lld and %lld..%lld: %lld..%lld, and there are %lld..%lld",
                    op_info(c->code)->name, (long long)ranges[i].low, (long long)ranges[i].high,
                    (long long)ranges[j].low, (long long)ranges[j].high, (long long)got.low,
                    (long long)got.high, (long long)all.low, (long long)all.high);
      bool divides = c->code == OP_DIV || c->code == OP_FLOORDIV;
      if (!c->is_exact || (divides && ranges[j].low <= 0)) continue;
      ck_assert_int_eq(got.low, all.low);
      ck_assert_int_eq(got.high, all.high);
    }
  session_free(session);
}
END_TEST

// Constants of up to 4096 elements are read.
START_TEST(constants) {
  static int32_t items[4097];
  for (int64_t count = 4096; count <= 4097; count++) {
    Session *session = session_new(0);
    IrBuilder b = new_function(session);
    items[count - 1] = 7;
    const IrType *type = ir_array_type(b.module, DT_I32, 1, &count);
    Range range = bounds_of(ir_const(&b, type, items, count));
    ck_assert_int_eq(range.high, count == 4096 ? 7 : INT32_MAX);
    session_free(session);
  }
}
END_TEST

// ---- what is known of single texts --------------------------------------------------------------
typedef struct TextCase {
  const char *lines; // in loops over %i = -5 .. 7, %n = 0 .. 6, %p = 2 .. 5; the last op is asked
  int64_t low, high;
} TextCase;

#define I32_MIN INT32_MIN
#define I32_MAX INT32_MAX
static const TextCase text_cases[] = {
    {"%r = mod %i, %p : i32", 0, 4},
    {"%r = mod %n, %p : i32", 0, 4},
    {"%c = const 20 : i32\n%r = mod %n, %c : i32", 0, 6},
    {"%m = add %n, %1 : i32\n%r = mod %n, %m : i32", 0, 6},
    {"%r = mod %p, %n : i32", I32_MIN, I32_MAX}, // a divisor that may be 0
    {"%r = rem %i, %p : i32", -4, 4},
    {"%r = rem %n, %p : i32", 0, 4},
    {"%c = const 20 : i32\n%r = rem %i, %c : i32", -5, 7},
    {"%c = const -9 : i32\n%r = rem %c, %p : i32", -4, 0},
    {"%r = rem %p, %n : i32", I32_MIN, I32_MAX},
    {"%r = div %p, %n : i32", I32_MIN, I32_MAX},
    {"%r = floordiv %p, %i : i32", I32_MIN, I32_MAX},
    {"%r = and %n, %i : i32", 0, 6},
    {"%r = and %i, %p : i32", 0, 5},
    {"%r = and %n, %p : i32", 0, 5},
    {"%r = and %i, %i : i32", I32_MIN, I32_MAX},
    {"%r = shr %n, %p : i32", 0, 6},
    {"%r = shr %i, %p : i32", I32_MIN, I32_MAX},
    {"%r = shr %n, %i : i32", I32_MIN, I32_MAX},
    {"%u = const 4000000000 : u32\n%o = const 1 : u32\n%r = shr %u, %o : u32", 0, UINT32_MAX},
    {"%r = xor %n, %p : i32", I32_MIN, I32_MAX},
    {"%t = lt %n, %p : bool\n%r = select %t, %n, %i : i32", -5, 7},
    {"%t = lt %n, %p : bool\n%r = select %t, %i, %p : i32", -5, 7},
    {"%t = lt %n, %p : bool\n%r = convert %t : i32", 0, 1},
    {"%r = convert %i : i8", -5, 7},
    {"%r = convert %i : u8", 0, 255}, // -5 is not one
    {"%c = const 100 : i32\n%s = mul %n, %c : i32\n%r = convert %s : i8", -128, 127},
    {"%c = const 100 : i32\n%s = mul %n, %c : i32\n%r = convert %s : i16", 0, 600},
    {"%f = convert %n : f32\n%r = convert %f : i32", I32_MIN, I32_MAX},
    {"%c = const 500000000 : i32\n%r = mul %n, %c : i32", I32_MIN, I32_MAX}, // wraps
    {"%c = const 2147483640 : i32\n%r = add %n, %c : i32", 2147483640, 2147483646},
    {"%c = const 2147483642 : i32\n%r = add %n, %c : i32", I32_MIN, I32_MAX},
    {"%c = const -2147483645 : i32\n%r = sub %c, %n : i32", I32_MIN, I32_MAX},
    {"%c = const -2147483642 : i32\n%r = sub %c, %n : i32", -2147483648, -2147483642},
    // Arrays: what holds of all elements.
    {"%a = iota dim 1 : i32[2,9]\n%r = neg %a : i32[2,9]", I32_MIN, I32_MAX},
    {"%a = iota dim 1 : i32[2,9]\n%r = transpose %a dims [1, 0] : i32[9,2]", 0, 8},
    {"%a = iota dim 0 : i32[0]\n%r = rev %a dims [0] : i32[0]", 0, 0},
    {"%b = broadcast %i dims [] : i32[4]\n%c = const 7 : i32[4]\n%r = mod %b, %c : i32[4]", 0, 6},
    {"%c = const {3, -2, 9} : i32[3]\n%a = iota dim 0 : i32[3]\n%r = add %c, %a : i32[3]", -2, 11},
    {"%c = const {3, -2, 9} : i32[3]\n%a = iota dim 0 : i32[2]\n%r = concat %a, %c dim 0 : i32[5]",
     -2, 9},
    {"%b = broadcast %n dims [] : i32[4]\n%u = convert %b : u8[4]\n%r = reshape %u : u8[2,2]", 0,
     6},
    // Loops over what is in a range, and such that never run.
    {"%o = const 1 : i32\nfor %k = %i to %p step %o {\n%r = add %k, %o : i32", -4, 5},
    {"%o = const 1 : i32\n%z = const -8 : i32\nfor %k = %p to %z step %o {\n%r = add %k, %o : i32",
     3, 3},
    {"%o = const 1 : i32\n%q = for %k = %n to %p step %o carry (%c = %n : i32) {\n"
     "%r = add %c, %o : i32\nyield %r",
     I32_MIN, I32_MAX},
};

// The last op before the yield of the innermost region.
static const IrOp *last_op(const IrRegion *region) {
  const IrOp *op = region->last;
  while (op->prev && (op->code == OP_YIELD || op->code == OP_FOR)) {
    if (op->code == OP_FOR) return last_op(op->regions[0]);
    op = op->prev;
  }
  return op->code == OP_FOR ? last_op(op->regions[0]) : op;
}

START_TEST(texts) {
  const TextCase *c = &text_cases[_i];
  Session *session = session_new(0);
  bool opens = false;
  for (const char *p = c->lines; *p; p++) opens |= *p == '{' && p[1] == '\n';
  Str text = str_format(
      session->arena,
      "module tpu v5p devices 1\nfunc @f() {\n%%0 = const 0 : i32\n%%1 = const 1 : i32\n"
      "%%m5 = const -5 : i32\n%%2 = const 2 : i32\n%%6 = const 6 : i32\n%%7 = const 7 : i32\n"
      "%%8 = const 8 : i32\nfor %%i = %%m5 to %%8 step %%1 {\nfor %%n = %%0 to %%7 step %%1 {\n"
      "for %%p = %%2 to %%6 step %%1 {\n%s\n%s}\n}\n}\n}\n",
      c->lines, opens ? "}\n" : "");
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", c->lines);
  Range got = bounds_of(last_op(module->first->body)->results[0]);
  ck_assert_msg(got.low == c->low && got.high == c->high, "%s: %lld..%lld", c->lines,
                (long long)got.low, (long long)got.high);
  session_free(session);
}
END_TEST

// ---- depth --------------------------------------------------------------------------------------
typedef struct DeepCase {
  const char *even, *odd; // what the values of a chain are of the one before
} DeepCase;

// A chain is followed some ops back, or each would double the work of the next.
static const DeepCase deep_cases[] = {
    {"sub %%v%d, %%v%d : i32\n", "sub %%v%d, %%v%d : i32\n"},
    {"select %%t, %%v%d, %%v%d : i32\n", "select %%t, %%v%d, %%v%d : i32\n"},
    {"convert %%v%d : i32\n", "convert %%v%d : i16\n"},
};

START_TEST(deep_chains) {
  const DeepCase *c = &deep_cases[_i];
  Session *session = session_new(0);
  Buf text;
  buf_init(&text, session->arena);
  buf_c(&text, "module tpu v5p devices 1\nfunc @f() {\n%0 = const 0 : i32\n"
               "%1 = const 1 : i32\n%7 = const 7 : i32\n"
               "for %v0 = %0 to %7 step %1 {\n%t = lt %v0, %1 : bool\n");
  for (int i = 1; i <= 44; i++) {
    Str line = str_format(session->arena, "%%v%d = ", i);
    buf_str(&text, line);
    buf_printf(&text, i % 2 ? c->odd : c->even, i - 1, i - 1);
  }
  buf_c(&text, "}\n}\n");
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), buf_view(&text), false));
  if (!module) diag_flush(session);
  ck_assert_ptr_nonnull(module);
  const IrOp *last = last_op(module->first->body);
  Range got = bounds_of(last->results[0]);
  ck_assert_int_eq(got.low, _i == 2 ? INT16_MIN : I32_MIN);
  ck_assert_int_eq(got.high, _i == 2 ? INT16_MAX : I32_MAX);
  session_free(session);
}
END_TEST

// ---- indices ------------------------------------------------------------------------------------
typedef struct IndexCase {
  const char *lines; // %x: f32[8,16]; %n is 0 .. 6; the last op is asked
  bool inside;
} IndexCase;

static const IndexCase index_cases[] = {
    {"%r = load %x[0, 0] : f32", true},
    {"%r = load %x[7, 15] : f32", true},
    {"%r = load %x[%n, 0] : f32", true},
    {"%m = add %n, %1 : i32\n%r = load %x[%m, 0] : f32", true},
    {"%m = add %n, %2 : i32\n%r = load %x[%m, 0] : f32", false},
    {"%m = sub %n, %1 : i32\n%r = load %x[%m, 0] : f32", false},
    {"%r = load %x[0 : 8, %n : 10] : f32[8,10]", true},
    {"%r = load %x[0 : 8, %n : 11] : f32[8,11]", false},
    {"%r = load %x[%n : 2, 0 : 16] : f32[2,16]", true},
    {"%r = load %x[%n : 3, 0 : 16] : f32[3,16]", false},
    {"%r = load %x[0 : 8, %n : 4 : 3] : f32[8,4]", true},
    {"%r = load %x[0 : 8, %n : 4 : 4] : f32[8,4]", false},
    {"%r = load %x[%n : 0, 0 : 16] : f32[0,16]", true},
    {"%s = add %n, %2 : i32\n%r = load %x[%s : 0, 0 : 16] : f32[0,16]", true}, // 8 and nothing
    {"%s = add %n, %2 : i32\n%t = add %s, %1 : i32\n%r = load %x[%t : 0, 0 : 16] : f32[0,16]",
     false},
    {"%s = sub %n, %1 : i32\n%r = load %x[%s : 0, 0 : 16] : f32[0,16]", false},
    // The views that the ref is made by.
    {"%v = view %x[%n : 2, 0 : 16] : vmem f32[2,16]\n%r = load %v[0, 0] : f32", true},
    {"%v = view %x[%n : 3, 0 : 16] : vmem f32[3,16]\n%r = load %v[0, 0] : f32", false},
    {"%v = view %x[%n : 3, 0 : 16] : vmem f32[3,16]\n%w = ref_reshape %v : vmem f32[48]\n"
     "%r = load %w[0] : f32",
     false},
    {"%v = view %x[%n : 2, 0 : 16] : vmem f32[2,16]\n%w = ref_reshape %v : vmem f32[32]\n"
     "%c = const 26 : i32\n%m = add %n, %c : i32\n%r = load %w[%m] : f32",
     false},
};

START_TEST(indices) {
  const IndexCase *c = &index_cases[_i];
  Session *session = session_new(0);
  Str text =
      str_format(session->arena,
                 "module tpu v5p devices 1\nfunc @f() {\n%%0 = const 0 : i32\n%%1 = const 1 : i32\n"
                 "%%2 = const 2 : i32\n%%7 = const 7 : i32\n%%x = alloc \"x\" : vmem f32[8,16]\n"
                 "for %%n = %%0 to %%7 step %%1 {\n%s\n}\n}\n",
                 c->lines);
  IrModule *module = ir_read(session, source_add(session, STR("t.ir"), text, false));
  if (!module) diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", c->lines);
  ck_assert_msg(bounds_inside(last_op(module->first->body)) == c->inside, "%s", c->lines);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bounds");
  TCase *tcase = tcase_create("bounds");
  tcase_add_loop_test(tcase, holds_all_values, 0, (int)COUNT_OF(op_cases));
  tcase_add_loop_test(tcase, wraps, 0, (int)COUNT_OF(op_cases));
  tcase_add_test(tcase, constants);
  tcase_add_loop_test(tcase, texts, 0, (int)COUNT_OF(text_cases));
  tcase_add_loop_test(tcase, deep_chains, 0, (int)COUNT_OF(deep_cases));
  tcase_add_loop_test(tcase, indices, 0, (int)COUNT_OF(index_cases));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
