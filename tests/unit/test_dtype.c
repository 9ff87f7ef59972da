// SPDX-License-Identifier: Apache-2.0
// Conversions, against a reference that goes by the definition: the value of each code by ldexp,
// and for writing the nearest of two neighbouring codes, the even one at a tie. Every code and
// every midpoint of the narrow formats is tried.
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "suite.h"

typedef struct Narrow {
  DType dtype;
  int exponent, mantissa, bias;
  bool has_infinity, is_fnuz;
} Narrow;

static const Narrow narrows[] = {
    {DT_F8E4M3FN, 4, 3, 7, false, false},      {DT_F8E5M2, 5, 2, 15, true, false},
    {DT_F8E4M3B11FNUZ, 4, 3, 11, false, true}, {DT_BF16, 8, 7, 127, true, false},
    {DT_F16, 5, 10, 15, true, false},
};

static unsigned sign_bit(const Narrow *n) { return 1u << (n->exponent + n->mantissa); }

static double reference_value(const Narrow *n, unsigned code) {
  unsigned magnitude = code & (sign_bit(n) - 1);
  double sign = code & sign_bit(n) ? -1 : 1;
  unsigned exponent = magnitude >> n->mantissa, mantissa = magnitude & ((1u << n->mantissa) - 1);
  unsigned top = (1u << n->exponent) - 1;
  if (n->is_fnuz) {
    if (code == sign_bit(n)) return NAN;
  } else if (n->has_infinity) {
    if (exponent == top) return mantissa ? NAN : sign * INFINITY;
  } else if (magnitude == sign_bit(n) - 1) {
    return NAN;
  }
  double fraction = ldexp(mantissa, -n->mantissa);
  if (exponent == 0) return sign * ldexp(fraction, 1 - n->bias);
  return sign * ldexp(1 + fraction, (int)exponent - n->bias);
}

static double load(DType dtype, unsigned code) {
  uint16_t wide = (uint16_t)code;
  uint8_t narrow = (uint8_t)code;
  return dtype_load_f64(dtype, dtype_size(dtype) == 1 ? (void *)&narrow : (void *)&wide);
}

static unsigned store(DType dtype, double value) {
  uint16_t wide = 0;
  uint8_t narrow = 0;
  if (dtype_size(dtype) == 2) {
    dtype_store_f64(dtype, &wide, value);
    return wide;
  }
  dtype_store_f64(dtype, &narrow, value);
  return narrow;
}

START_TEST(every_code_loads) {
  const Narrow *n = &narrows[_i];
  for (unsigned code = 0; code < sign_bit(n) * 2; code++) {
    double want = reference_value(n, code), got = load(n->dtype, code);
    if (isnan(want))
      ck_assert_msg(isnan(got), "%s code %x is %g", dtype_name(n->dtype), code, got);
    else
      ck_assert_msg(want == got && signbit(want) == signbit(got), "%s code %x is %g, not %g",
                    dtype_name(n->dtype), code, got, want);
  }
}
END_TEST

START_TEST(every_code_stores_back) {
  const Narrow *n = &narrows[_i];
  for (unsigned code = 0; code < sign_bit(n) * 2; code++) {
    double value = reference_value(n, code);
    unsigned got = store(n->dtype, value);
    if (isnan(value))
      ck_assert(isnan(reference_value(n, got)));
    else
      ck_assert_msg(got == code, "%s code %x comes back as %x", dtype_name(n->dtype), code, got);
  }
}
END_TEST

START_TEST(every_midpoint_rounds_to_even) {
  const Narrow *n = &narrows[_i];
  for (unsigned code = 0; code + 1 < sign_bit(n); code++) {
    double low = reference_value(n, code), high = reference_value(n, code + 1);
    if (isnan(high) || isinf(high)) break;
    double middle = low + (high - low) / 2; // exact: one more bit of mantissa
    unsigned even = code & 1 ? code + 1 : code;
    ck_assert_uint_eq(store(n->dtype, middle), even);
    ck_assert_uint_eq(store(n->dtype, nextafter(middle, 0)), code);
    ck_assert_uint_eq(store(n->dtype, nextafter(middle, INFINITY)), code + 1);
    unsigned minus = n->is_fnuz && even == 0 ? 0 : sign_bit(n) | even;
    ck_assert_uint_eq(store(n->dtype, -middle), minus);
  }
}
END_TEST

START_TEST(beyond_the_greatest) {
  const Narrow *n = &narrows[_i];
  double max = dtype_float_max(n->dtype);
  unsigned code = store(n->dtype, max);
  ck_assert(reference_value(n, code) == max);
  double step = max - reference_value(n, code - 1), limit = max + step / 2;
  ck_assert(load(n->dtype, store(n->dtype, nextafter(limit, 0))) == max);
  double beyond = load(n->dtype, store(n->dtype, nextafter(limit, INFINITY)));
  ck_assert(n->has_infinity ? isinf(beyond) : isnan(beyond));
  double infinite = load(n->dtype, store(n->dtype, -INFINITY));
  ck_assert(n->has_infinity ? infinite == -INFINITY : isnan(infinite));
  ck_assert(isnan(load(n->dtype, store(n->dtype, NAN))));
  ck_assert(load(n->dtype, store(n->dtype, 5e-324)) == 0);
  ck_assert(load(n->dtype, store(n->dtype, 1e-310)) == 0);
  ck_assert(dtype_float_tiny(n->dtype) == ldexp(1, 1 - n->bias));
  ck_assert(dtype_float_eps(n->dtype) == ldexp(1, -n->mantissa));
}
END_TEST

// An integer of 64 bits reaches each format in one rounding, not by way of a rounded double.
START_TEST(wide_integers_round_once) {
  uint16_t bits;
  // Between two bf16 numbers, one above the middle: as a double it would be the middle itself.
  int64_t above = ((int64_t)257 << 53) + 1; // 1.00000001|1 of 8 bits, at 2^61
  dtype_store_i64(DT_BF16, &bits, above);
  ck_assert(dtype_load_f64(DT_BF16, &bits) == ldexp(258, 53));
  dtype_store_i64(DT_BF16, &bits, above - 1);
  ck_assert(dtype_load_f64(DT_BF16, &bits) == ldexp(256, 53));
  dtype_store_i64(DT_BF16, &bits, -above);
  ck_assert(dtype_load_f64(DT_BF16, &bits) == -ldexp(258, 53));
  float single;
  int64_t half = ((int64_t)((1 << 24) + 1) << 38) + 1;
  dtype_store_i64(DT_F32, &single, half);
  ck_assert(single == (float)half);
  double wide;
  dtype_store_i64(DT_F64, &wide, INT64_MAX);
  ck_assert(wide == 0x1p63);
  dtype_store_i64(DT_F16, &bits, 70000);
  ck_assert(isinf(dtype_load_f64(DT_F16, &bits)));
}
END_TEST

START_TEST(integers_wrap_and_saturate) {
  static const DType dtypes[] = {DT_I2,  DT_U2, DT_I4, DT_I8,  DT_I16, DT_I32,
                                 DT_I64, DT_U4, DT_U8, DT_U16, DT_U32, DT_U64};
  for (size_t i = 0; i < COUNT_OF(dtypes); i++) {
    DType dtype = dtypes[i];
    uint64_t memory = UINT64_MAX;
    int64_t min = dtype_int_min(dtype);
    uint64_t max = dtype_int_max(dtype);
    dtype_store_f64(dtype, &memory, 1e30);
    ck_assert_uint_eq((uint64_t)dtype_load_i64(dtype, &memory), max);
    dtype_store_f64(dtype, &memory, -1e30);
    ck_assert_int_eq(dtype_load_i64(dtype, &memory), min);
    dtype_store_f64(dtype, &memory, NAN);
    ck_assert_int_eq(dtype_load_i64(dtype, &memory), 0);
    dtype_store_f64(dtype, &memory, 1.99);
    ck_assert_int_eq(dtype_load_i64(dtype, &memory), 1);
    dtype_store_f64(dtype, &memory, -1.99);
    ck_assert_int_eq(dtype_load_i64(dtype, &memory), dtype_is_signed(dtype) ? -1 : 0);
    if (dtype_bits(dtype) < 64) {
      dtype_store_f64(dtype, &memory, (double)max + 0.5);
      ck_assert_uint_eq((uint64_t)dtype_load_i64(dtype, &memory), max);
      dtype_store_i64(dtype, &memory, (int64_t)max + 1);
      ck_assert_int_eq(dtype_load_i64(dtype, &memory), min);
      dtype_store_i64(dtype, &memory, min - 1);
      ck_assert_uint_eq((uint64_t)dtype_load_i64(dtype, &memory), max);
    }
  }
  uint8_t nibble = 0xf8;
  ck_assert_int_eq(dtype_load_i64(DT_I4, &nibble), -8);
  ck_assert_int_eq(dtype_load_i64(DT_U4, &nibble), 8);
  dtype_store_i64(DT_I4, &nibble, -1);
  ck_assert_uint_eq(nibble, 0x0f);
  uint64_t big = UINT64_MAX;
  ck_assert(dtype_load_f64(DT_U64, &big) == 0x1p64);
  dtype_store_f64(DT_U64, &big, 0x1p63);
  ck_assert_uint_eq(big, (uint64_t)1 << 63);
  bool truth;
  dtype_store_f64(DT_BOOL, &truth, 0.25);
  ck_assert(truth);
  dtype_store_i64(DT_BOOL, &truth, 256);
  ck_assert(truth);
}
END_TEST

START_TEST(floats_load_as_integers) {
  double value = 1e300;
  ck_assert_int_eq(dtype_load_i64(DT_F64, &value), INT64_MAX);
  value = -1e300;
  ck_assert_int_eq(dtype_load_i64(DT_F64, &value), INT64_MIN);
  value = -2.9;
  ck_assert_int_eq(dtype_load_i64(DT_F64, &value), -2);
  float single = 7.9f;
  ck_assert_int_eq(dtype_load_i64(DT_F32, &single), 7);
}
END_TEST

START_TEST(names) {
  DType dtype;
  for (int i = 0; i < DT_COUNT; i++) {
    ck_assert(dtype_from_name(str_from_c(dtype_name((DType)i)), &dtype) && dtype == (DType)i);
    ck_assert(dtype_from_name(str_from_c(dtype_short_name((DType)i)), &dtype) && dtype == (DType)i);
  }
  ck_assert(dtype_from_name(STR("bool_"), &dtype) && dtype == DT_BOOL);
  ck_assert(dtype_from_name(STR("float_"), &dtype) && dtype == DT_F32);
  ck_assert(!dtype_from_name(STR("float31"), &dtype));
  ck_assert_uint_eq(dtype_size(DT_I4), 1);
  ck_assert_uint_eq(dtype_bits(DT_I4), 4);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dtype");
  TCase *tests = tcase_create("dtype");
  int count = (int)COUNT_OF(narrows);
  tcase_add_loop_test(tests, every_code_loads, 0, count);
  tcase_add_loop_test(tests, every_code_stores_back, 0, count);
  tcase_add_loop_test(tests, every_midpoint_rounds_to_even, 0, count);
  tcase_add_loop_test(tests, beyond_the_greatest, 0, count);
  tcase_add_test(tests, wide_integers_round_once);
  tcase_add_test(tests, integers_wrap_and_saturate);
  tcase_add_test(tests, floats_load_as_integers);
  tcase_add_test(tests, names);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
