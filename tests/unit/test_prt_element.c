// SPDX-License-Identifier: Apache-2.0
// Element types: what the ABI says of each, every value of the small floats, integers of every
// width, what memory holds that nobody has written; and the CPU features that code may need,
// against the compiler's own header.
#define _GNU_SOURCE // syscall
#include <check.h>
#include <math.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "host/prt_cpu.h"
#include "machine/prt_element.h"
#include "suite.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

// Of very many values; ck_assert takes its time.
#define EXPECT(what)                                                                               \
  do {                                                                                             \
    if (!(what)) ck_abort_msg("%s", #what);                                                        \
  } while (0)

// ---- the ABI: prt_dtype.def ---------------------------------------------------------------------
static const struct {
  int number;
  const char *name, *short_name;
  size_t bytes;
  char kind;
  int bits; // of what is packed in its byte
} types[] = {{1, "bool", "bool", 1, 'b', 0},
             {2, "int4", "i4", 1, 'i', 4},
             {3, "int8", "i8", 1, 'i', 0},
             {4, "int16", "i16", 2, 'i', 0},
             {5, "int32", "i32", 4, 'i', 0},
             {6, "int64", "i64", 8, 'i', 0},
             {7, "uint4", "u4", 1, 'u', 4},
             {8, "uint8", "u8", 1, 'u', 0},
             {9, "uint16", "u16", 2, 'u', 0},
             {10, "uint32", "u32", 4, 'u', 0},
             {11, "uint64", "u64", 8, 'u', 0},
             {12, "float8_e4m3fn", "f8e4m3fn", 1, 'f', 0},
             {13, "float8_e5m2", "f8e5m2", 1, 'f', 0},
             {14, "float8_e4m3b11fnuz", "f8e4m3b11fnuz", 1, 'f', 0},
             {15, "bfloat16", "bf16", 2, 'f', 0},
             {16, "float16", "f16", 2, 'f', 0},
             {17, "float32", "f32", 4, 'f', 0},
             {18, "float64", "f64", 8, 'f', 0},
             {19, "float8_e3m4", "f8e3m4", 1, 'f', 0},
             {20, "float8_e4m3", "f8e4m3", 1, 'f', 0},
             {21, "float8_e4m3fnuz", "f8e4m3fnuz", 1, 'f', 0},
             {22, "float8_e5m2fnuz", "f8e5m2fnuz", 1, 'f', 0},
             {23, "float8_e8m0fnu", "f8e8m0fnu", 1, 'f', 0},
             {24, "float4_e2m1fn", "f4e2m1fn", 1, 'f', 0},
             {25, "int2", "i2", 1, 'i', 2},
             {26, "uint2", "u2", 1, 'u', 2}};
enum { TYPES = sizeof types / sizeof *types };

START_TEST(types_are_what_the_abi_says) {
  for (int i = 0; i < TYPES; i++) {
    prt_dtype dtype = (prt_dtype)types[i].number, found = 0;
    ck_assert_str_eq(prt_dtype_name(dtype), types[i].name);
    ck_assert_uint_eq(prt_dtype_size(dtype), types[i].bytes);
    ck_assert_int_eq(prt__dtype_kind(dtype), types[i].kind);
    ck_assert_int_eq(prt__packed_bits(dtype), types[i].bits);
    ck_assert(prt_dtype_from_name(types[i].name, &found) && found == dtype);
    ck_assert(prt_dtype_from_name(types[i].short_name, &found) && found == dtype);
  }
  static const int others[] = {0, TYPES + 1, TYPES + 2, 255, -1};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ck_assert_ptr_null(prt_dtype_name((prt_dtype)others[i]));
    ck_assert_uint_eq(prt_dtype_size((prt_dtype)others[i]), 0);
    ck_assert_int_eq(prt__dtype_kind((prt_dtype)others[i]), 0);
  }
  prt_dtype found;
  ck_assert(!prt_dtype_from_name("float31", &found) && !prt_dtype_from_name("", &found));
}
END_TEST

// ---- small floats -------------------------------------------------------------------------------
typedef struct Small {
  prt_dtype dtype;
  int exponent_bits, mantissa_bits;
  double least, largest; // above zero
  bool has_infinity;
  int nans; // patterns without a sign, or all if the only one is that of -0
} Small;
static const Small smalls[] = {{PRT_F8E4M3FN, 4, 3, 0x1p-9, 448, false, 1},
                               {PRT_F8E5M2, 5, 2, 0x1p-16, 57344, true, 3},
                               {PRT_F8E4M3B11FNUZ, 4, 3, 0x1p-13, 30, false, 0},
                               {PRT_F8E3M4, 3, 4, 0x1p-6, 15.5, true, 15},
                               {PRT_F8E4M3, 4, 3, 0x1p-9, 240, true, 7},
                               {PRT_F8E4M3FNUZ, 4, 3, 0x1p-10, 240, false, 0},
                               {PRT_F8E5M2FNUZ, 5, 2, 0x1p-17, 57344, false, 0},
                               {PRT_F4E2M1FN, 2, 1, 0.5, 6, false, 0},
                               {PRT_BF16, 8, 7, 0x1p-133, 0x1.fep127, true, 127},
                               {PRT_F16, 5, 10, 0x1p-24, 65504, true, 1023}};

static double value_of(prt_dtype dtype, uint32_t bits) {
  uint8_t memory[2] = {(uint8_t)bits, (uint8_t)(bits >> 8)};
  return prt__load_float(dtype, memory);
}

static bool is_fnuz(prt_dtype dtype) {
  return dtype == PRT_F8E4M3B11FNUZ || dtype == PRT_F8E4M3FNUZ || dtype == PRT_F8E5M2FNUZ;
}

// Values without a sign: multiples of the least, then twice those one exponent below, up to the
// largest; infinity if there is one; NaN.
static void expect_positive(const Small *s) {
  uint32_t patterns = 1u << (s->exponent_bits + s->mantissa_bits), ones = 1u << s->mantissa_bits;
  uint32_t finite = patterns - (uint32_t)s->nans - s->has_infinity;
  ck_assert(value_of(s->dtype, 0) == 0 && !signbit(value_of(s->dtype, 0)));
  for (uint32_t bits = 1; bits < patterns; bits++) {
    double x = value_of(s->dtype, bits);
    if (bits < 2 * ones)
      EXPECT(x == (double)bits * s->least);
    else if (bits < finite)
      EXPECT(x == 2 * value_of(s->dtype, bits - ones));
    else if (bits == finite && s->has_infinity)
      EXPECT(isinf(x) && x > 0);
    else
      EXPECT(isnan(x));
  }
  ck_assert(value_of(s->dtype, finite - 1) == s->largest);
}

START_TEST(small_floats_are_decoded) {
  for (size_t i = 0; i < sizeof smalls / sizeof *smalls; i++) {
    const Small *s = &smalls[i];
    expect_positive(s);
    uint32_t sign = 1u << (s->exponent_bits + s->mantissa_bits);
    for (uint32_t bits = 0; bits < sign; bits++) {
      double x = value_of(s->dtype, bits), negative = value_of(s->dtype, bits | sign);
      if (isnan(x) || (bits == 0 && is_fnuz(s->dtype)))
        EXPECT(isnan(negative));
      else
        EXPECT(negative == -x && signbit(negative));
    }
  }
  for (uint32_t bits = 0; bits < 255; bits++)
    ck_assert(value_of(PRT_F8E8M0FNU, bits) == ldexp(1, (int)bits - 127));
  ck_assert(isnan(value_of(PRT_F8E8M0FNU, 255)));
}
END_TEST

static float f16_value(uint32_t bits) { return prt_f16_to_float((prt_f16)bits); }

// Halfway between two neighbours the even one is taken, a little off it the nearer one.
START_TEST(floats_are_rounded_to_f16) {
  for (uint32_t bits = 0; bits < 0x7c00; bits++) {
    float low = f16_value(bits), high = bits == 0x7bff ? 65536 : f16_value(bits + 1);
    float middle = low + (high - low) / 2;
    uint32_t even = bits + (bits & 1);
    for (int negative = 0; negative < 2; negative++) {
      float sign = negative ? -1 : 1;
      uint32_t set = negative ? 0x8000 : 0;
      EXPECT(prt_f16_from_float(sign * low) == (bits | set));
      EXPECT(prt_f16_from_float(sign * middle) == (even | set));
      EXPECT(prt_f16_from_float(sign * nextafterf(middle, 0)) == (bits | set));
      EXPECT(prt_f16_from_float(sign * nextafterf(middle, 1e30f)) == ((bits + 1) | set));
    }
  }
  ck_assert_uint_eq(prt_f16_from_float(INFINITY), 0x7c00);
  ck_assert_uint_eq(prt_f16_from_float(-3e38f), 0xfc00);
  ck_assert_uint_eq(prt_f16_from_float(1e-30f), 0);
  ck_assert_uint_eq(prt_f16_from_float(NAN), 0x7e00);
}
END_TEST

// ---- integers -----------------------------------------------------------------------------------
START_TEST(integers_are_loaded) {
  static const struct {
    prt_dtype dtype;
    int bits;
    bool is_signed;
  } ints[] = {{PRT_I2, 2, true},   {PRT_U2, 2, false},  {PRT_I4, 4, true},   {PRT_U4, 4, false},
              {PRT_I8, 8, true},   {PRT_U8, 8, false},  {PRT_I16, 16, true}, {PRT_U16, 16, false},
              {PRT_I32, 32, true}, {PRT_U32, 32, false}};
  for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
    int64_t span = INT64_C(1) << ints[i].bits, top = ints[i].is_signed ? span / 2 : span;
    int64_t step = span > 65536 ? span / 65536 + 1 : 1;
    for (int64_t n = 0; n < span; n += step) {
      uint64_t memory = (uint64_t)n | (ints[i].bits < 8 ? 0x50 & ~(uint64_t)(span - 1) : 0);
      int64_t wanted = n < top ? n : n - span;
      EXPECT(prt__load_int(ints[i].dtype, &memory) == wanted);
      EXPECT(prt__load_float(ints[i].dtype, &memory) == (double)wanted);
    }
  }
  uint64_t big = UINT64_MAX - 2047;
  ck_assert_int_eq(prt__load_int(PRT_I64, &big), -2048);
  ck_assert_int_eq(prt__load_int(PRT_U64, &big), -2048); // as it lies there
  ck_assert(prt__load_float(PRT_I64, &big) == -2048 &&
            prt__load_float(PRT_U64, &big) == (double)big);
  uint8_t flags[] = {0, 1, 2};
  ck_assert(!prt__load_int(PRT_BOOL, &flags[0]) && prt__load_int(PRT_BOOL, &flags[1]) == 1 &&
            prt__load_int(PRT_BOOL, &flags[2]) == 1);
  float f = -2.75f;
  double d = 1e12;
  ck_assert(prt__load_float(PRT_F32, &f) == -2.75 && prt__load_float(PRT_F64, &d) == 1e12);
  ck_assert(prt__load_int(PRT_F32, &f) == -2 && prt__load_int(PRT_F64, &d) == 1000000000000);
}
END_TEST

// ---- memory that nobody has written -------------------------------------------------------------
START_TEST(every_type_has_an_unspecified_element) {
  for (int i = 0; i < TYPES; i++) {
    prt_dtype dtype = (prt_dtype)types[i].number;
    uint8_t memory[4 * 8];
    memset(memory, 0x11, sizeof memory);
    prt__fill_unspecified(dtype, memory, 3);
    size_t bytes = types[i].bytes;
    int bits = types[i].bits ? types[i].bits : 8 * (int)bytes;
    for (size_t at = 0; at < 3 * bytes; at += bytes) {
      double x = prt__load_float(dtype, memory + at), largest = ldexp(1, bits);
      if (dtype == PRT_F4E2M1FN)
        ck_assert(x == 6); // no NaN, so the greatest
      else if (types[i].kind == 'f')
        ck_assert(isnan(x));
      else if (types[i].kind == 'b')
        ck_assert_uint_eq(memory[at], 1);
      else if (types[i].kind == 'i')
        ck_assert_int_eq(prt__load_int(dtype, memory + at), (int64_t)(UINT64_MAX >> (65 - bits)));
      else
        ck_assert(x == (bits == 64 ? largest : largest - 1));
      // All of its bits, and no sign where a float can do without.
      if (types[i].bits) ck_assert_uint_lt(memory[at], 1u << types[i].bits);
      if (types[i].kind == 'f' && !is_fnuz(dtype) && dtype != PRT_F8E8M0FNU)
        ck_assert(memory[at + bytes - 1] < 0x80);
    }
    ck_assert_uint_eq(memory[3 * bytes], 0x11);
  }
}
END_TEST

// ---- features of the CPU: prt_cpu.def -----------------------------------------------------------
#if defined(__x86_64__)
enum { A, B, C, D };
enum { NONE = 0, AVX = 1 << 1 | 1 << 2, AVX512 = AVX | 7 << 5, AMX = 3 << 17 };

typedef struct Feature {
  int bit;
  const char *name;
  uint32_t leaf, subleaf;
  int reg, reg_bit;
  uint64_t state;
} Feature;
static const Feature features[] = {
#define PRT_CPU(bit, name, leaf, subleaf, reg, reg_bit, state)                                     \
  {bit, name, leaf, subleaf, reg, reg_bit, state},
#include "host/prt_cpu.def"
#undef PRT_CPU
};
enum { FEATURES = sizeof features / sizeof *features };

// What the compiler's header, or for the newest ones the manuals, say of each.
static const Feature wanted[] = {
#define ONE(name, leaf, subleaf, reg, mask, state)                                                 \
  { 0, name, leaf, subleaf, reg, __builtin_ctz((unsigned)(mask)), state }
    ONE("sse3", 1, 0, C, bit_SSE3, NONE),
    ONE("ssse3", 1, 0, C, bit_SSSE3, NONE),
    ONE("sse4.1", 1, 0, C, bit_SSE4_1, NONE),
    ONE("sse4.2", 1, 0, C, bit_SSE4_2, NONE),
    ONE("cx16", 1, 0, C, bit_CMPXCHG16B, NONE),
    ONE("movbe", 1, 0, C, bit_MOVBE, NONE),
    ONE("popcnt", 1, 0, C, bit_POPCNT, NONE),
    ONE("aes", 1, 0, C, bit_AES, NONE),
    ONE("pclmul", 1, 0, C, bit_PCLMUL, NONE),
    ONE("rdrnd", 1, 0, C, bit_RDRND, NONE),
    ONE("avx", 1, 0, C, bit_AVX, AVX),
    ONE("f16c", 1, 0, C, bit_F16C, AVX),
    ONE("fma", 1, 0, C, bit_FMA, AVX),
    ONE("xsave", 1, 0, C, bit_XSAVE, NONE),
    ONE("fsgsbase", 7, 0, B, bit_FSGSBASE, NONE),
    ONE("bmi", 7, 0, B, bit_BMI, NONE),
    ONE("avx2", 7, 0, B, bit_AVX2, AVX),
    ONE("bmi2", 7, 0, B, bit_BMI2, NONE),
    ONE("avx512f", 7, 0, B, bit_AVX512F, AVX512),
    ONE("avx512dq", 7, 0, B, bit_AVX512DQ, AVX512),
    ONE("rdseed", 7, 0, B, bit_RDSEED, NONE),
    ONE("adx", 7, 0, B, bit_ADX, NONE),
    ONE("avx512ifma", 7, 0, B, bit_AVX512IFMA, AVX512),
    ONE("clflushopt", 7, 0, B, bit_CLFLUSHOPT, NONE),
    ONE("clwb", 7, 0, B, bit_CLWB, NONE),
    ONE("avx512cd", 7, 0, B, bit_AVX512CD, AVX512),
    ONE("sha", 7, 0, B, bit_SHA, NONE),
    ONE("avx512bw", 7, 0, B, bit_AVX512BW, AVX512),
    ONE("avx512vl", 7, 0, B, bit_AVX512VL, AVX512),
    ONE("avx512vbmi", 7, 0, C, bit_AVX512VBMI, AVX512),
    ONE("avx512vbmi2", 7, 0, C, bit_AVX512VBMI2, AVX512),
    ONE("gfni", 7, 0, C, bit_GFNI, NONE),
    ONE("vaes", 7, 0, C, bit_VAES, AVX),
    ONE("vpclmulqdq", 7, 0, C, bit_VPCLMULQDQ, AVX),
    ONE("avx512vnni", 7, 0, C, bit_AVX512VNNI, AVX512),
    ONE("avx512bitalg", 7, 0, C, bit_AVX512BITALG, AVX512),
    ONE("avx512vpopcntdq", 7, 0, C, bit_AVX512VPOPCNTDQ, AVX512),
    ONE("movdiri", 7, 0, C, bit_MOVDIRI, NONE),
    ONE("movdir64b", 7, 0, C, bit_MOVDIR64B, NONE),
    ONE("avx512vp2intersect", 7, 0, D, bit_AVX512VP2INTERSECT, AVX512),
    ONE("amx-bf16", 7, 0, D, bit_AMX_BF16, AMX),
    ONE("avx512fp16", 7, 0, D, bit_AVX512FP16, AVX512),
    ONE("amx-tile", 7, 0, D, bit_AMX_TILE, AMX),
    ONE("amx-int8", 7, 0, D, bit_AMX_INT8, AMX),
    ONE("avxvnni", 7, 1, A, bit_AVXVNNI, AVX),
    ONE("avx512bf16", 7, 1, A, bit_AVX512BF16, AVX512),
    ONE("amx-fp16", 7, 1, A, 1 << 21, AMX),
    ONE("avxifma", 7, 1, A, 1 << 23, AVX),
    ONE("avxvnniint8", 7, 1, D, 1 << 4, AVX),
    ONE("avxneconvert", 7, 1, D, 1 << 5, AVX),
    ONE("avxvnniint16", 7, 1, D, 1 << 10, AVX),
    ONE("lzcnt", 0x80000001, 0, C, bit_LZCNT, NONE),
    ONE("sse4a", 0x80000001, 0, C, bit_SSE4a, NONE),
    ONE("prfchw", 0x80000001, 0, C, bit_PRFCHW, NONE),
    ONE("xop", 0x80000001, 0, C, bit_XOP, AVX),
    ONE("fma4", 0x80000001, 0, C, bit_FMA4, AVX),
    ONE("tbm", 0x80000001, 0, C, bit_TBM, NONE),
    ONE("sahf", 0x80000001, 0, C, bit_LAHF_LM, NONE),
#undef ONE
};

START_TEST(features_are_where_cpuid_has_them) {
  ck_assert_uint_eq(FEATURES, sizeof wanted / sizeof *wanted);
  for (int i = 0; i < FEATURES; i++) {
    const Feature *f = &features[i], *w = &wanted[i];
    ck_assert_int_eq(f->bit, i); // of the ABI
    ck_assert_str_eq(f->name, w->name);
    ck_assert_msg(f->leaf == w->leaf && f->subleaf == w->subleaf && f->reg == w->reg &&
                      f->reg_bit == w->reg_bit && f->state == w->state,
                  "%s", f->name);
  }
}
END_TEST

static uint64_t saved_by_the_system(void) {
  unsigned a, b, c, d, low, high;
  __cpuid(1, a, b, c, d);
  if (!(c & bit_OSXSAVE)) return 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

// The components that this process may use of those that must be asked for.
static uint64_t permitted(void) {
  enum { ARCH_GET_XCOMP_PERM = 0x1022 };
  uint64_t mask = 0;
  return syscall(SYS_arch_prctl, ARCH_GET_XCOMP_PERM, &mask) == 0 ? mask : 0;
}

START_TEST(this_cpu_has_what_it_says) {
  uint64_t found[2], saved = saved_by_the_system();
  prt__cpu_features(found);
  for (int i = 0; i < FEATURES; i++) {
    const Feature *w = &wanted[i];
    unsigned regs[4] = {0};
    __get_cpuid_count(w->leaf, w->subleaf, &regs[A], &regs[B], &regs[C], &regs[D]);
    bool has = regs[w->reg] >> w->reg_bit & 1 && (saved & w->state) == w->state;
    if (w->state == AMX) has = has && permitted() >> 18 & 1;
    ck_assert_msg((found[i / 64] >> i % 64 & 1) == has, "%s", w->name);
  }
  ck_assert(found[1] == 0 && found[0] >> FEATURES == 0);
}
END_TEST

START_TEST(missing_features_have_names) {
  char text[100], little[12];
  prt__cpu_feature_names((uint64_t[]){1 | 1 << 10 | 1 << 18, 0}, text, sizeof text);
  ck_assert_str_eq(text, "sse3, avx, avx512f");
  prt__cpu_feature_names((uint64_t[]){1 << 2, 1}, text, sizeof text);
  ck_assert_str_eq(text, "sse4.1, and features this runtime does not know");
  prt__cpu_feature_names((uint64_t[]){UINT64_C(1) << 63, 0}, text, sizeof text);
  ck_assert_str_eq(text, "features this runtime does not know");
  prt__cpu_feature_names((uint64_t[]){0, 0}, text, sizeof text);
  ck_assert_str_eq(text, "");
  prt__cpu_feature_names((uint64_t[]){7, 0}, little, sizeof little);
  ck_assert_str_eq(little, "sse3, ssse3"); // as much as there is room for
}
END_TEST
#endif

int main(void) {
  Suite *suite = suite_create("prt_element");
  TCase *tests = tcase_create("element");
  tcase_add_test(tests, types_are_what_the_abi_says);
  tcase_add_test(tests, small_floats_are_decoded);
  tcase_add_test(tests, floats_are_rounded_to_f16);
  tcase_add_test(tests, integers_are_loaded);
  tcase_add_test(tests, every_type_has_an_unspecified_element);
#if defined(__x86_64__)
  tcase_add_test(tests, features_are_where_cpuid_has_them);
  tcase_add_test(tests, this_cpu_has_what_it_says);
  tcase_add_test(tests, missing_features_have_names);
#endif
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
