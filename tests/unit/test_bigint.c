// SPDX-License-Identifier: Apache-2.0
// Integers of any size against what CPython 3.11 gives (make_number_cases.py).
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "python/values/builtin_state.h"
#include "python/eval.h"
#include "python/numbers/bigint.h"
#include "python/objects/operators.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/numbers/integer.h"
#include "python/objects/protocol.h"
#include "suite.h"

static Eval *ev;
static Session *session;

static void setup(void) {
  session = session_new(0);
  EvalOptions options = {.tpu = STR("v5p"), .devices = 1};
  ev = eval_new(session, &options);
}

static void teardown(void) { session_free(session); }

static Value integer(const char *text) {
  bool negative = *text == '-';
  Value v = int_from_digits(ev, str_from_c(text + negative), 10);
  return negative ? big_negate(ev, v) : v;
}

static void check_text(Value v, int base, const char *want, const char *what) {
  Str got = big_text(ev->arena, v, base);
  ck_assert_msg(str_equal(got, str_from_c(want)), "%s: %.*s, not %s", what, STR_FMT(got), want);
  // What fits an int64 is one, so that equal integers have one form.
  bool fits = big_bit_length(v) < 64 || (v.kind == V_INT && v.i == INT64_MIN);
  ck_assert_msg(fits == (v.kind == V_INT), "%s: wrong form of %s", what, want);
}

static void check_double(double got, uint64_t bits, const char *what) {
  double want;
  memcpy(&want, &bits, sizeof want);
  ck_assert_msg(got == want, "%s: %.17g, not %.17g", what, got, want);
}

static void check_binary(BinaryOp op, const char *a, const char *b, const char *want) {
  Str what = str_format(ev->arena, "%s %s %s", a, binary_op_text(op), b);
  check_text(value_binary(ev, op, integer(a), integer(b)), 10, want, what.data);
  check_text(big_binary(ev, op, integer(a), integer(b)), 10, want, what.data);
}

static void check_unary(const char *text, const char *negated, const char *inverted, int64_t hash,
                        int64_t length, int64_t count, uint64_t bits) {
  Value v = integer(text);
  check_text(big_negate(ev, v), 10, negated, "-");
  check_text(big_invert(ev, v), 10, inverted, "~");
  ck_assert_int_eq((int64_t)big_hash(v), hash);
  ck_assert_int_eq(big_bit_length(v), length);
  ck_assert_int_eq(big_bit_count(v), count);
  double x;
  ck_assert(big_as_double(v, &x));
  check_double(x, bits, text);
}

static void check_bytes(const char *text, size_t size, const char *hex) {
  unsigned char bytes[256];
  Value v = integer(text);
  ck_assert(big_to_bytes(v, bytes, size, true));
  for (size_t i = 0; i < size; i++) {
    char digits[3] = {hex[2 * i], hex[2 * i + 1], 0};
    ck_assert_msg(bytes[i] == strtoul(digits, NULL, 16), "byte %zu of %s", i, text);
  }
  ck_assert_int_eq(big_compare(big_from_bytes(ev, bytes, size, true), v), 0);
}

START_TEST(test_table) {
#define BINARY(op, a, b, want) check_binary(BIN_##op, a, b, want);
#define COMPARE(a, b, want)    ck_assert_int_eq(big_compare(integer(a), integer(b)), want);
#define DIVIDE(a, b, bits)                                                                         \
  check_double(big_true_divide(ev, integer(a), integer(b)), bits, a " / " b);
#define POW_MOD(a, e, m, want)                                                                     \
  check_text(big_pow_mod(ev, integer(a), integer(e), integer(m)), 10, want, "pow");
#define UNARY(a, n, i, h, l, c, b) check_unary(a, n, i, h, l, c, b);
#define BYTES(a, size, hex)        check_bytes(a, size, hex);
#define check_base(a, base, want)                                                                  \
  do {                                                                                             \
    Str got = big_text(ev->arena, integer(a), base);                                               \
    ck_assert_msg(str_equal(got, str_from_c(want)), "%s in base %d", a, base);                     \
  } while (0)
#define TEXT(a, base, want) check_base(a, base, want);
#include "bigint_cases.def"
}
END_TEST

// Results that would not fit memory are refused before GMP is asked.
static void shift_far(Eval *e, void *data) {
  (void)data;
  big_binary(e, BIN_SHL, v_int(1), v_int((int64_t)1 << 40));
}

START_TEST(test_too_large) {
  Value exception;
  ck_assert(!eval_try(ev, shift_far, NULL, &exception));
  ck_assert_str_eq(value_type_name(ev, exception), "MemoryError");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("bigint");
  TCase *tcase = tcase_create("bigint");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_set_timeout(tcase, 60);
  tcase_add_test(tcase, test_table);
  tcase_add_test(tcase, test_too_large);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
