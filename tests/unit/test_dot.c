// SPDX-License-Identifier: Apache-2.0
// Products against a plain loop: every pair of element types, shapes around the edges of tiles,
// panels, blocks of k and cells, factors that lie either way, on several targets. Inputs are small
// whole numbers, so that every sum is exact and must be equal.
#define _GNU_SOURCE // registers in tile_emulator.h
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "codegen/codegen.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "passes/pass.h"
#include "prt.h"
#include "suite.h"
#include "tile_emulator.h"

// The last ones multiply pairs of bf16, where this CPU can, and in tiles.
static const char *const targets[] = {"native", "x86-64-v3", "x86-64", "cooperlake",
                                      "sapphirerapids"};

static bool runs_here(size_t target) {
  if (IS_SANITIZED && target > 0 && target < 4) return false;
  if (target == 4) return tiles_emulate();
  return target < 3 ||
         (__builtin_cpu_supports("avx512bf16") && __builtin_cpu_supports("avx512vnni"));
}

typedef struct Product {
  const char *a, *b, *c; // element types
  int64_t m, n, k;
  bool a_across, b_along; // the factor is stored [k, m], [n, k]
  int64_t batch;          // 0: none
} Product;

static DType dtype_of(const char *name) {
  DType dtype;
  ck_assert(dtype_from_name(str_from_c(name), &dtype));
  return dtype;
}

static const char *dims_text(Arena *arena, const Product *p, int64_t first, int64_t second) {
  if (p->batch)
    return str_format(arena, "%lld,%lld,%lld", (long long)p->batch, (long long)first,
                      (long long)second)
        .data;
  return str_format(arena, "%lld,%lld", (long long)first, (long long)second).data;
}

static const char *text_of(Arena *arena, const Product *p) {
  const char *all = p->batch ? ":, :, :" : ":, :";
  const char *x = dims_text(arena, p, p->a_across ? p->k : p->m, p->a_across ? p->m : p->k);
  const char *y = dims_text(arena, p, p->b_along ? p->n : p->k, p->b_along ? p->k : p->n),
             *z = dims_text(arena, p, p->m, p->n);
  int64_t base = p->batch ? 1 : 0;
  const char *batch = p->batch ? " lhs_batch [0] rhs_batch [0]" : "";
  return str_format(arena,
                    "module tpu v5p devices 1\nfunc @f(%%x: hbm %s[%s], %%y: hbm %s[%s], out %%o: "
                    "hbm %s[%s]) {\n"
                    "  %%a = load %%x[%s] : %s[%s]\n  %%b = load %%y[%s] : %s[%s]\n"
                    "  %%c = dot %%a, %%b lhs_contract [%lld] rhs_contract [%lld]%s precision "
                    "default : %s[%s]\n  store %%c, %%o[%s]\n}\n",
                    p->a, x, p->b, y, p->c, z, all, p->a, x, all, p->b, y,
                    (long long)(base + (p->a_across ? 0 : 1)),
                    (long long)(base + (p->b_along ? 1 : 0)), batch, p->c, z, all)
      .data;
}

// How many values there are of a type: of integers among themselves, such that none narrower has
// them all, and that no sum is beyond 2^53.
static int64_t values_of(DType dtype, bool is_exact) {
  if (!is_exact || dtype_bits(dtype) <= 8) return 256;
  return dtype_bits(dtype) == 16 ? 1 << 16 : 1 << 20;
}

static void fill(DType dtype, bool is_exact, char *memory, int64_t count, uint64_t *state) {
  int64_t values = values_of(dtype, is_exact);
  for (int64_t i = 0; i < count; i++) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    int64_t value = (int64_t)(*state >> 33) % 9;
    if (!dtype_is_float(dtype) && !dtype_is_signed(dtype)) {
      value = (int64_t)(*state >> 33) % values;
    } else if (!dtype_is_float(dtype)) {
      value = (int64_t)(*state >> 33) % values - values / 2;
    } else {
      value -= 4;
    }
    dtype_store_f64(dtype, memory + (size_t)i * dtype_size(dtype), (double)value);
  }
}

// In doubles: exact here. What is looked for is not in this loop, which is most of what runs.
__attribute__((no_sanitize("address", "undefined"))) static double
plain(const Product *p, const double *x, const double *y, int64_t batch, int64_t i, int64_t j) {
  int64_t step_x = p->a_across ? p->m : 1, step_y = p->b_along ? 1 : p->n;
  x += batch * p->m * p->k + (p->a_across ? i : i * p->k);
  y += batch * p->k * p->n + (p->b_along ? j * p->k : j);
  double sum = 0;
  for (int64_t k = 0; k < p->k; k++, x += step_x, y += step_y) sum += *x * *y;
  return sum;
}

static double *in_doubles(Arena *arena, DType dtype, const char *data, int64_t count) {
  double *out = ARENA_ARRAY(arena, double, (size_t)count);
  for (int64_t i = 0; i < count; i++)
    out[i] = dtype_load_f64(dtype, data + (size_t)i * dtype_size(dtype));
  return out;
}

static void run_product(Session *session, Jit *jit, const Product *p, const char *target) {
  const char *text = text_of(session->arena, p);
  IrModule *module = ir_read(session, source_add(session, STR("dot.ir"), str_from_c(text), false));
  diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", text);
  PassOptions options = {.opt_level = 2, .stop_after = PASS_COUNT, .verify = true};
  ck_assert(pass_run_one(session, module, &options, PASS_FUSE));
  JitModule *code = jit_add(jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(code);
  DType types[] = {dtype_of(p->a), dtype_of(p->b), dtype_of(p->c)};
  int64_t batches = p->batch ? p->batch : 1,
          counts[] = {batches * p->m * p->k, batches * p->k * p->n, batches * p->m * p->n};
  void *arguments[3];
  uint64_t state = (uint64_t)(p->m * 131 + p->n * 17 + p->k);
  enum { GUARD = 64 };
  for (int i = 0; i < 3; i++) {
    size_t size = dtype_size(types[i]), bytes = (size_t)counts[i] * size;
    char *block = malloc(bytes + 2 * GUARD + size);
    memset(block, 0x5a, bytes + 2 * GUARD + size);
    arguments[i] = block + GUARD + size;
    bool is_exact =
        !dtype_is_float(types[0]) && !dtype_is_float(types[1]) && !dtype_is_float(types[2]);
    if (i < 2) fill(types[i], is_exact, arguments[i], counts[i], &state);
  }
  ck_assert_msg(jit_run(jit, code, name_str(module->first->name), NULL, arguments) == 0, "%s",
                prt_error_message());
  size_t size = dtype_size(types[2]);
  Arena *arena = arena_new_child(session->arena);
  const double *x = in_doubles(arena, types[0], arguments[0], counts[0]),
               *y = in_doubles(arena, types[1], arguments[1], counts[1]);
  for (int64_t at = 0; at < counts[2]; at++) {
    double want = plain(p, x, y, at / (p->m * p->n), at / p->n % p->m, at % p->n);
    const char *got = (const char *)arguments[2] + (size_t)at * size;
    bool equal;
    if (dtype_is_float(types[2])) {
      char rounded[8];
      dtype_store_f64(types[2], rounded, want);
      equal = memcmp(rounded, got, size) == 0;
    } else { // modulo 2^bits
      int64_t whole = (int64_t)want;
      equal = memcmp(&whole, got, size) == 0;
    }
    if (!equal)
      ck_abort_msg("%s: element %lld is %.9g, not %.9g, in\n%s", target, (long long)at,
                   dtype_load_f64(types[2], got), want, text);
  }
  arena_free(arena);
  for (int i = 0; i < 3; i++) {
    size_t element = dtype_size(types[i]), bytes = (size_t)counts[i] * element;
    char *block = (char *)arguments[i] - GUARD - element;
    for (size_t k = 0; k < GUARD + element; k++)
      if (block[k] != 0x5a) ck_abort_msg("wrote before parameter %d: %s", i, text);
    for (size_t k = 0; k < GUARD; k++)
      if (((char *)arguments[i])[bytes + k] != 0x5a)
        ck_abort_msg("wrote behind parameter %d: %s", i, text);
    free(block);
  }
  jit_remove(jit, code);
  ir_module_free(module);
}

typedef struct Products {
  const Product *items;
  size_t count;
} Products;

static int run_products(Session *session, void *data) {
  const Products *products = data;
  for (size_t t = 0; t < COUNT_OF(targets); t++) {
    if (!runs_here(t)) continue;
    CodegenOptions options = {.opt_level = 1, .target_cpu = str_from_c(targets[t]), .verify = true};
    Jit *jit = jit_new(session, &options);
    ck_assert_ptr_nonnull(jit);
    for (size_t i = 0; i < products->count; i++)
      run_product(session, jit, &products->items[i], targets[t]);
    jit_free(jit);
  }
  return 0;
}

static void check_products(const Product *items, size_t count) {
  Session *session = session_new(0);
  Products products = {items, count};
  ck_assert_int_eq(session_run(session, run_products, &products), 0);
  session_free(session);
}

// ---- cases --------------------------------------------------------------------------------------
// Tiles have 6 rows; panels up to 64 columns; a group 144 rows; a block of k 16, 256, 512 or 1024
// cells of up to four.
static const int64_t shapes[][3] = {{1, 1, 1},    {1, 40, 3},     {5, 7, 9},     {6, 16, 16},
                                    {7, 17, 1},   {13, 33, 31},   {31, 1, 70},   {1, 300, 130},
                                    {64, 64, 64}, {40, 100, 130}, {150, 70, 37}, {290, 130, 67},
                                    {3, 700, 41}, {145, 5, 6}};

START_TEST(test_shapes) {
  static const char *const types[][3] = {
      {"f32", "f32", "f32"}, {"bf16", "bf16", "f32"}, {"i8", "i8", "i32"}, {"u8", "i8", "i32"}};
  const char *const *t = types[_i];
  Product products[COUNT_OF(shapes) * 4];
  for (size_t i = 0; i < COUNT_OF(products); i++) {
    const int64_t *s = shapes[i / 4];
    products[i] = (Product){t[0], t[1], t[2], s[0], s[1], s[2], i & 1, i & 2, 0};
  }
  check_products(products, COUNT_OF(products));
}
END_TEST

START_TEST(test_types) {
  static const char *const types[][3] = {
      {"i8", "u8", "i32"},      {"u8", "u8", "i32"},    {"i16", "i16", "i32"},
      {"i16", "i8", "i32"},     {"i32", "i32", "i32"},  {"i4", "i4", "i32"},
      {"u4", "i8", "i32"},      {"f16", "f16", "f32"},  {"f16", "f16", "f16"},
      {"bf16", "bf16", "bf16"}, {"bf16", "f32", "f32"}, {"i8", "i8", "i8"},
      {"u32", "u32", "u32"},    {"u16", "u16", "u32"},  {"f8e4m3fn", "f8e4m3fn", "f32"},
      {"i8", "i32", "i32"},     {"i32", "i16", "i32"},  {"u8", "u16", "i32"},
      {"i16", "u8", "i32"},     {"u8", "i4", "i32"},    {"f32", "bf16", "f32"},
      {"f16", "bf16", "f32"},   {"i8", "f32", "f32"},   {"bf16", "u8", "f32"}};
  Product products[4 * COUNT_OF(types)];
  size_t count = 0;
  for (size_t i = 0; i < COUNT_OF(types); i++)
    for (int way = 0; way < 4; way++)
      products[count++] =
          (Product){types[i][0], types[i][1], types[i][2], 19, 37, 21, way & 1, way & 2, 0};
  check_products(products, count);
}
END_TEST

// Several blocks of k, with results that can and cannot keep sums between them; batches; sizes that
// threads share.
START_TEST(test_large) {
  static const Product products[] = {
      {"f32", "f32", "f32", 20, 40, 1300, false, false, 0},
      {"f32", "f32", "f32", 2, 200, 1300, false, false, 0},
      {"f32", "f32", "f32", 200, 1, 700, false, false, 0},
      {"bf16", "bf16", "bf16", 20, 40, 2300, false, true, 0},
      {"i8", "i8", "i32", 20, 40, 4700, false, false, 0},
      {"i8", "i8", "i32", 20, 70, 4701, true, true, 0},
      {"f32", "f32", "f32", 9, 12, 11, false, false, 5},
      {"f32", "f32", "f32", 9, 12, 11, true, true, 5},
      {"i8", "i8", "i32", 9, 12, 11, true, true, 5},
      {"f32", "f32", "f32", 170, 130, 140, false, false, 0},
      {"f32", "f32", "f32", 100, 300, 140, true, true, 0},
      {"bf16", "bf16", "f32", 200, 200, 600, false, true, 0},
      {"i8", "i8", "i32", 200, 200, 130, false, false, 0},
      {"f32", "f32", "f32", 1000, 20, 140, false, false, 0},
      // Parts of the rows: of one size, of two, with a as it lies and packed, with sums that go
      // from block to block.
      {"f32", "f32", "f32", 512, 192, 66, false, false, 0},
      {"f32", "f32", "f32", 389, 131, 83, false, false, 0},
      {"f32", "f32", "f32", 403, 130, 77, true, false, 0},
      {"bf16", "bf16", "bf16", 391, 130, 1301, false, false, 0},
      {"i32", "i32", "i32", 260, 140, 65, false, false, 0},
  };
  check_products(products, COUNT_OF(products));
}
END_TEST

// By all values of those of at most 16 bits, and by the ends of the others.
START_TEST(wide_floats_include_narrow_numbers) {
  DType wide = (DType)_i;
  if (!dtype_is_float(wide)) return;
  for (int i = 0; i < DT_COUNT; i++) {
    DType narrow = (DType)i;
    if (dtype_bits(narrow) > 16 || dtype_is_complex(narrow) || narrow == DT_BOOL) continue;
    bool are_all = true;
    for (uint32_t code = 0; code < 1u << dtype_bits(narrow) && are_all; code++) {
      unsigned char there[8] = {0};
      double x = dtype_load_f64(narrow, &code);
      dtype_store_f64(wide, there, x);
      double y = dtype_load_f64(wide, there);
      are_all = x == y || (x != x && y != y) || (isinf(x) && ir_dot_includes(wide, narrow));
    }
    ck_assert_msg(!ir_dot_includes(wide, narrow) || are_all, "%s does not hold all of %s",
                  dtype_name(wide), dtype_name(narrow));
    bool is_known = wide == DT_BF16 || wide == DT_F32 || wide == DT_F64;
    ck_assert_msg(!is_known || !are_all || ir_dot_includes(wide, narrow), "%s holds all of %s",
                  dtype_name(wide), dtype_name(narrow));
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dot");
  TCase *tests = tcase_create("dot");
  tcase_set_timeout(tests, 300);
  tcase_add_loop_test(tests, test_shapes, 0, 4);
  tcase_add_test(tests, test_types);
  tcase_add_test(tests, test_large);
  tcase_add_loop_test(tests, wide_floats_include_narrow_numbers, 0, DT_COUNT);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
