// SPDX-License-Identifier: Apache-2.0
// Products in tile registers, run by the CPU or by tile_emulator.h, bit by bit: of bf16 in the
// order that docs/numbers.md states, with values of every size, and of bytes modulo 2^32; sizes
// around those of tiles, steps, panels and blocks of k; factors that lie either way; what the sums
// are added to, and what is done with them.
#define _GNU_SOURCE
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "passes/pass.h"
#include "prt.h"
#include "suite.h"
#include "tile_emulator.h"

static const char tiles_cpu[] = "sapphirerapids";

typedef enum Form {
  PLAIN,
  ADDED,         // to %l2
  ADDED_TO_ZERO, // a constant
  CLAMPED,       // the greater one of it and %l2, evaluated with it
  BATCH,         // BATCHES of them
  SPLIT,         // k is two dimensions of different order in the factors
  JOINED         // of the same order; clamped
} Form;
enum { BATCHES = 3, SPLIT_K = 3, SUM_BLOCK = 512 };

typedef struct TileProduct {
  const char *a, *b, *c; // element types
  int64_t m, n, k;
  bool a_across, b_along; // the factor is stored [k, m], [n, k]
  Form form;
  int64_t sum_block;       // or 0
  bool has_negative_zeros; // that is what the sums come to, of two steps or more
} TileProduct;

static bool has_two_k(const TileProduct *p) { return p->form == SPLIT || p->form == JOINED; }

static bool is_clamped(const TileProduct *p) { return p->form == CLAMPED || p->form == JOINED; }

// ---- the program --------------------------------------------------------------------------------
typedef struct Shape {
  int rank;
  int64_t dims[3];
} Shape;
enum { LEFT, RIGHT, START, RESULT, ARRAYS };

static Shape shape_of(const TileProduct *p, int array) {
  int64_t first[] = {p->a_across ? p->k : p->m, p->b_along ? p->n : p->k, p->m, p->m},
          second[] = {p->a_across ? p->m : p->k, p->b_along ? p->k : p->n, p->n, p->n};
  if (p->form == BATCH) return (Shape){3, {BATCHES, first[array], second[array]}};
  if (has_two_k(p) && array == LEFT) return (Shape){3, {p->m, SPLIT_K, p->k / SPLIT_K}};
  if (p->form == JOINED && array == RIGHT) return (Shape){3, {SPLIT_K, p->k / SPLIT_K, p->n}};
  if (p->form == SPLIT && array == RIGHT) return (Shape){3, {p->k / SPLIT_K, SPLIT_K, p->n}};
  return (Shape){2, {first[array], second[array]}};
}

static const char *type_name(const TileProduct *p, int array) {
  const char *const names[] = {p->a, p->b, p->c, p->c};
  return names[array];
}

static void put_type(Buf *out, const TileProduct *p, int array) {
  Shape shape = shape_of(p, array);
  buf_printf(out, "%s[%lld,%lld", type_name(p, array), (long long)shape.dims[0],
             (long long)shape.dims[1]);
  if (shape.rank == 3) buf_printf(out, ",%lld", (long long)shape.dims[2]);
  buf_c(out, "]");
}

static void put_load(Buf *out, const TileProduct *p, int array) {
  buf_printf(out, "%%l%d = load %%p%d[%s] : ", array, array,
             shape_of(p, array).rank == 3 ? ":, :, :" : ":, :");
  put_type(out, p, array);
  buf_c(out, "\n");
}

static void put_dot(Buf *out, const TileProduct *p) {
  int base = p->form == BATCH;
  bool is_added = p->form == ADDED || p->form == ADDED_TO_ZERO;
  buf_printf(out, "%%d = dot %%l0, %%l1%s ", is_added ? ", %l2" : "");
  if (has_two_k(p))
    buf_printf(out, "lhs_contract [1, 2] rhs_contract [%s]", p->form == SPLIT ? "1, 0" : "0, 1");
  else
    buf_printf(out, "lhs_contract [%d] rhs_contract [%d]", base + !p->a_across, base + p->b_along);
  buf_printf(out,
             "%s precision default sum_block %lld : ", base ? " lhs_batch [0] rhs_batch [0]" : "",
             (long long)p->sum_block);
  put_type(out, p, RESULT);
  buf_c(out, "\n");
}

static const char *program_of(Arena *arena, const TileProduct *p) {
  Buf out;
  buf_init(&out, arena);
  buf_c(&out, "module tpu v5p devices 1\nfunc @f(");
  for (int i = 0; i < ARRAYS; i++) {
    buf_printf(&out, "%s%%p%d: hbm ", i == RESULT ? ", out " : i ? ", " : "", i);
    put_type(&out, p, i);
  }
  buf_c(&out, ") {\n");
  for (int i = LEFT; i <= (p->form == ADDED || is_clamped(p) ? START : RIGHT); i++)
    put_load(&out, p, i);
  if (p->form == ADDED_TO_ZERO) {
    buf_c(&out, "%l2 = const 0 : ");
    put_type(&out, p, START);
    buf_c(&out, "\n");
  }
  put_dot(&out, p);
  if (is_clamped(p)) {
    buf_c(&out, "%e = max %d, %l2 : ");
    put_type(&out, p, RESULT);
    buf_c(&out, "\n");
  }
  buf_printf(&out, "store %%%s, %%p3[%s]\n}\n", is_clamped(p) ? "e" : "d",
             p->form == BATCH ? ":, :, :" : ":, :");
  return str_copy(arena, buf_view(&out)).data;
}

// ---- values -------------------------------------------------------------------------------------
static uint32_t draw(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}

// Finite, some so small that products with others are subnormal, some subnormal.
static uint32_t draw_bf16(uint64_t *state) {
  uint32_t bits = draw(state), way = draw(state) % 32, exponent = 115 + bits % 20;
  if (way == 0) exponent = 0;
  if (way == 1) exponent = 8;
  if (way == 2) return bits & 0x8000;
  return (bits & 0x8000) | exponent << 7 | (bits >> 16 & 0x7f);
}

static void fill(DType dtype, char *memory, int64_t count, uint64_t *state) {
  for (int64_t i = 0; i < count; i++) {
    uint32_t bits = draw(state);
    if (dtype == DT_BF16) bits = draw_bf16(state);
    if (dtype == DT_F32) bits = draw_bf16(state) << 16 | (bits & 0xffff);
    memcpy(memory + i * (int64_t)dtype_size(dtype), &bits, dtype_size(dtype));
  }
}

// A maximum of a zero and a subnormal number is another test's business.
static void make_normal(char *memory, int64_t count) {
  for (int64_t i = 0; i < count; i++) memory[4 * i + 3] |= 0x08;
}

// ---- what is right ------------------------------------------------------------------------------
typedef struct Element {
  int64_t batch, i, j;
} Element;

static int64_t place_of_left(const TileProduct *p, Element e, int64_t k) {
  if (p->a_across) return (e.batch * p->k + k) * p->m + e.i;
  return (e.batch * p->m + e.i) * p->k + k;
}

static int64_t place_of_right(const TileProduct *p, Element e, int64_t k) {
  int64_t inner = p->k / SPLIT_K;
  if (p->form == SPLIT) return (k % inner * SPLIT_K + k / inner) * p->n + e.j;
  if (p->b_along) return (e.batch * p->n + e.j) * p->k + k;
  return (e.batch * p->k + k) * p->n + e.j;
}

static uint32_t plain_bytes(const TileProduct *p, char *const *memory, Element e) {
  DType a = DT_I8, b = DT_I8;
  if (strcmp(p->a, "u8") == 0) a = DT_U8;
  if (strcmp(p->b, "u8") == 0) b = DT_U8;
  uint32_t sum = 0, start;
  memcpy(&start, memory[START] + 4 * (e.i * p->n + e.j), 4);
  if (p->form == ADDED) sum = start;
  for (int64_t k = 0; k < p->k; k++) {
    int x = (int)dtype_load_f64(a, memory[LEFT] + place_of_left(p, e, k)),
        y = (int)dtype_load_f64(b, memory[RIGHT] + place_of_right(p, e, k));
    sum += (uint32_t)(x * y);
  }
  if (is_clamped(p) && (int32_t)sum < (int32_t)start) return start;
  return sum;
}

static float f32_of_bf16(const char *memory, int64_t at) {
  uint16_t half;
  memcpy(&half, memory + 2 * at, 2);
  uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static float factors_of(const TileProduct *p, char *const *memory, Element e, int64_t k, float *b) {
  *b = f32_of_bf16(memory[RIGHT], place_of_right(p, e, k));
  return f32_of_bf16(memory[LEFT], place_of_left(p, e, k));
}

// In the mode that takes subnormal numbers for zero.
__attribute__((target("fma"))) static float in_steps(const TileProduct *p, char *const *memory,
                                                     Element e, int64_t begin, int64_t end) {
  unsigned mode = _mm_getcsr();
  _mm_setcsr(mode | 0x8040);
  volatile float sum = 0;
  for (int64_t step = begin; step < end; step += 32) {
    volatile float parts[2] = {0, 0};
    for (int64_t k = step; k < end && k < step + 32; k++) {
      float b, a = factors_of(p, memory, e, k, &b);
      parts[(k - step) % 2] = __builtin_fmaf(a, b, parts[(k - step) % 2]);
    }
    volatile float both = parts[0] + parts[1];
    sum = sum + both;
  }
  _mm_setcsr(mode);
  return sum;
}

static uint32_t plain_bf16(const TileProduct *p, char *const *memory, Element e) {
  float clamp, start = -0.0f;
  memcpy(&clamp, memory[START] + 4 * (e.i * p->n + e.j), 4);
  if (p->form == ADDED) start = clamp;
  if (p->form == ADDED_TO_ZERO) start = 0;
  int64_t size = has_two_k(p) ? p->k : p->sum_block ? p->sum_block : SUM_BLOCK;
  float sum = start;
  for (int64_t k = 0; k < p->k; k += size)
    sum = sum + in_steps(p, memory, e, k, k + size < p->k ? k + size : p->k);
  if (is_clamped(p) && !(sum > clamp)) sum = clamp;
  uint32_t bits;
  memcpy(&bits, &sum, 4);
  return bits;
}

static void check_elements(const TileProduct *p, char *const *memory, const char *text) {
  bool is_bf16 = strcmp(p->a, "bf16") == 0;
  int64_t batches = p->form == BATCH ? BATCHES : 1;
  for (int64_t at = 0; at < batches * p->m * p->n; at++) {
    Element e = {at / (p->m * p->n), at / p->n % p->m, at % p->n};
    uint32_t want = is_bf16 ? plain_bf16(p, memory, e) : plain_bytes(p, memory, e), got;
    memcpy(&got, memory[RESULT] + 4 * at, 4);
    CHECK_EACH(got == want, "element %lld is %08x, not %08x, in\n%s", (long long)at, got, want,
               text);
    if (p->has_negative_zeros) ck_assert_uint_eq(got, p->form == ADDED_TO_ZERO ? 0 : 0x80000000);
  }
}

static void put_bf16(char *memory, int64_t at, uint16_t bits) { memcpy(memory + 2 * at, &bits, 2); }

// The first step comes to 3/2 of the least normal number, the second one to -7/4 of it.
static void make_negative_zeros(const TileProduct *p, char *const *memory) {
  memset(memory[LEFT], 0, (size_t)(p->m * p->k) * 2);
  for (int64_t at = 0; at < p->k * p->n; at++) put_bf16(memory[RIGHT], at, 0x2000);
  for (int64_t i = 0; i < p->m; i++) {
    put_bf16(memory[LEFT], place_of_left(p, (Element){0, i, 0}, 0), 0x2040);
    put_bf16(memory[LEFT], place_of_left(p, (Element){0, i, 0}, 32), 0xa060);
  }
}

// ---- running ------------------------------------------------------------------------------------
static void run_product(Session *session, Jit *jit, const TileProduct *p) {
  const char *text = program_of(session->arena, p);
  IrModule *module = ir_read(session, source_add(session, STR("f.ir"), str_from_c(text), false));
  diag_flush(session);
  ck_assert_msg(module != NULL, "not read: %s", text);
  PassOptions options = {.opt_level = 2, .stop_after = PASS_COUNT, .verify = true};
  ck_assert(pass_run_one(session, module, &options, PASS_FUSE));
  JitModule *code = jit_add(jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(code);
  char *memory[ARRAYS];
  uint64_t state = (uint64_t)(p->m * 131 + p->n * 17 + p->k);
  for (int i = 0; i < ARRAYS; i++) {
    DType dtype;
    ck_assert(dtype_from_name(str_from_c(type_name(p, i)), &dtype));
    Shape shape = shape_of(p, i);
    int64_t count = shape.dims[0] * shape.dims[1] * (shape.rank == 3 ? shape.dims[2] : 1);
    memory[i] = malloc((size_t)count * dtype_size(dtype));
    fill(dtype, memory[i], count, &state);
    if (is_clamped(p) && i == START) make_normal(memory[i], count);
  }
  if (p->has_negative_zeros) make_negative_zeros(p, memory);
  void *arguments[ARRAYS] = {memory[0], memory[1], memory[2], memory[3]};
  ck_assert_msg(jit_run(jit, code, name_str(module->first->name), NULL, arguments) == 0, "%s",
                prt_error_message());
  check_elements(p, memory, text);
  for (int i = 0; i < ARRAYS; i++) free(memory[i]);
  jit_remove(jit, code);
  ir_module_free(module);
}

typedef struct TileProducts {
  const TileProduct *items;
  size_t count;
} TileProducts;

static int run_products(Session *session, void *data) {
  const TileProducts *products = data;
  CodegenOptions options = {.opt_level = 1, .target_cpu = str_from_c(tiles_cpu), .verify = true};
  Jit *jit = jit_new(session, &options);
  ck_assert_ptr_nonnull(jit);
  for (size_t i = 0; i < products->count; i++) run_product(session, jit, &products->items[i]);
  jit_free(jit);
  return 0;
}

// Whatever is configured is released, and each product is in tiles, here or on a CPU that has them.
static void check_products(const TileProduct *items, size_t count, EmulatedKind kind) {
  if (!tiles_emulate()) return;
  Session *session = session_new(0);
  TileProducts products = {items, count};
  ck_assert_int_eq(session_run(session, run_products, &products), 0);
  session_free(session);
  ck_assert_int_eq(tile_counts[TILE_CONFIG], tile_counts[TILE_RELEASE]);
  if (tile_counts[TILE_CONFIG]) ck_assert_int_ge(tile_counts[kind], (long)count);
}

// ---- cases --------------------------------------------------------------------------------------
// Around 16 rows, columns and cells of two and of four; a panel has 32 columns, a kernel 32 rows; a
// block of k some 256 cells.
static const int64_t shapes[][3] = {{1, 1, 1},    {1, 40, 300}, {3, 17, 31},   {15, 15, 32},
                                    {16, 16, 33}, {17, 33, 64}, {31, 32, 65},  {32, 31, 96},
                                    {33, 64, 63}, {47, 65, 50}, {70, 100, 37}, {64, 96, 128}};

static void check_shapes(const char *a, const char *b, const char *c, EmulatedKind kind) {
  TileProduct products[COUNT_OF(shapes) * 4];
  for (size_t i = 0; i < COUNT_OF(products); i++) {
    const int64_t *s = shapes[i / 4];
    products[i] = (TileProduct){a, b, c, s[0], s[1], s[2], i & 1, i & 2, PLAIN, 0, false};
  }
  check_products(products, COUNT_OF(products), kind);
}

START_TEST(bf16_of_every_shape) { check_shapes("bf16", "bf16", "f32", TILE_BF16); }
END_TEST

// Those that are large enough.
START_TEST(bytes_of_every_sign) {
  static const char *const types[][2] = {{"i8", "i8"}, {"i8", "u8"}, {"u8", "i8"}, {"u8", "u8"}};
  const char *const *t = types[_i];
  const TileProduct products[] = {
      {t[0], t[1], "i32", 33, 64, 70, false, false, PLAIN, 0, false},
      {t[0], t[1], "i32", 50, 47, 129, true, false, PLAIN, 0, false},
      {t[0], t[1], "i32", 8, 257, 64, false, true, PLAIN, 0, false},
      {t[0], t[1], "i32", 48, 64, 64, true, true, PLAIN, 0, false},
      {t[0], t[1], "i32", 64, 63, 128, false, false, ADDED, 0, false},
      {t[0], t[1], "i32", 47, 65, 66, false, true, CLAMPED, 0, false},
      {t[0], t[1], "i32", 40, 40, 90, false, false, BATCH, 0, false},
      {t[0], t[1], "i32", 40, 40, 2200, false, false, PLAIN, 0, false},
  };
  check_products(products, COUNT_OF(products), TILE_BYTES);
}
END_TEST

START_TEST(bf16_of_every_form) {
  static const int64_t sizes[][3] = {{17, 33, 66}, {40, 20, 512}, {32, 48, 480}, {5, 70, 30}};
  for (Form form = PLAIN; form <= BATCH; form++) {
    TileProduct products[COUNT_OF(sizes) * 4];
    for (size_t i = 0; i < COUNT_OF(products); i++) {
      const int64_t *s = sizes[i / 4];
      products[i] =
          (TileProduct){"bf16", "bf16", "f32", s[0], s[1], s[2], i & 1, i & 2, form, 0, false};
    }
    check_products(products, COUNT_OF(products), TILE_BF16);
  }
}
END_TEST

// Of k that is several dimensions, in one block and in more.
START_TEST(one_sum_of_any_length) {
  static const TileProduct products[] = {
      {"bf16", "bf16", "f32", 17, 33, 66, false, false, SPLIT, 0, false},
      {"bf16", "bf16", "f32", 40, 20, 1302, false, false, SPLIT, 0, false},
      {"bf16", "bf16", "f32", 32, 48, 576, false, false, SPLIT, 0, false},
      {"bf16", "bf16", "f32", 5, 70, 30, false, false, JOINED, 0, false},
      {"bf16", "bf16", "f32", 40, 20, 1302, false, false, JOINED, 0, false},
      {"bf16", "bf16", "f32", 70, 48, 1536, false, false, JOINED, 0, false},
  };
  check_products(products, COUNT_OF(products), TILE_BF16);
}
END_TEST

START_TEST(negative_zeros) {
  static const TileProduct products[] = {
      {"bf16", "bf16", "f32", 17, 20, 64, false, false, PLAIN, 0, true},
      {"bf16", "bf16", "f32", 17, 20, 64, false, false, ADDED_TO_ZERO, 0, true},
  };
  check_products(products, COUNT_OF(products), TILE_BF16);
}
END_TEST

START_TEST(several_sums) {
  static const int64_t sizes[][4] = {{17, 33, 513, 0},  {40, 20, 1100, 0},  {32, 48, 1024, 0},
                                     {64, 64, 1536, 0}, {32, 64, 512, 128}, {20, 40, 300, 70},
                                     {70, 33, 96, 32},  {16, 16, 64, 8},    {5, 40, 130, 130},
                                     {33, 33, 200, 196}};
  for (Form form = PLAIN; form <= BATCH; form++) {
    TileProduct products[COUNT_OF(sizes) * 4];
    for (size_t i = 0; i < COUNT_OF(products); i++) {
      const int64_t *s = sizes[i / 4];
      products[i] =
          (TileProduct){"bf16", "bf16", "f32", s[0], s[1], s[2], i & 1, i & 2, form, s[3], false};
    }
    check_products(products, COUNT_OF(products), TILE_BF16);
  }
}
END_TEST

// Shared by threads: by rows and by panels.
START_TEST(threads) {
  static const TileProduct products[] = {
      {"bf16", "bf16", "f32", 200, 300, 350, false, false, PLAIN, 0, false},
      {"bf16", "bf16", "f32", 50, 900, 400, true, true, CLAMPED, 0, false},
      {"bf16", "bf16", "f32", 512, 160, 512, false, true, ADDED, 0, false},
      {"bf16", "bf16", "f32", 200, 160, 1302, false, false, SPLIT, 0, false},
      {"bf16", "bf16", "f32", 50, 900, 750, false, false, JOINED, 0, false},
      {"bf16", "bf16", "f32", 200, 300, 1350, false, false, CLAMPED, 0, false},
      {"bf16", "bf16", "f32", 50, 900, 1400, false, true, ADDED, 0, false},
  };
  check_products(products, COUNT_OF(products), TILE_BF16);
}
END_TEST

static int find_bits(Session *session, void *data) {
  static const TileProduct products[] = {
      {"bf16", "bf16", "f32", 4, 4, 4, false, false, PLAIN, 0, false},
      {"i8", "i8", "i32", 64, 64, 64, false, false, PLAIN, 0, false},
      {"i8", "i8", "i32", 16, 16, 16, false, false, PLAIN, 0, false},
      {"f32", "f32", "f32", 64, 64, 64, false, false, PLAIN, 0, false},
  };
  uint64_t *needed = data;
  CodegenOptions options = {.opt_level = 1, .target_cpu = str_from_c(tiles_cpu), .verify = true};
  Jit *jit = jit_new(session, &options);
  for (size_t i = 0; i < COUNT_OF(products); i++) {
    Str text = str_from_c(program_of(session->arena, &products[i]));
    IrModule *module = ir_read(session, source_add(session, STR("f.ir"), text, false));
    JitModule *code = jit_add(jit, module);
    ck_assert_ptr_nonnull(code);
    needed[i] = jit_find(jit, code, STR("f"))->cpu_features[0] & tile_feature_bits;
    jit_remove(jit, code);
    ir_module_free(module);
  }
  jit_free(jit);
  return 0;
}

// Products of a batch that one thread makes are configured for once.
START_TEST(a_batch_is_configured_once) {
  static const TileProduct product = {"bf16", "bf16", "f32", 20, 20,   40,
                                      false,  false,  BATCH, 0,  false};
  check_products(&product, 1, TILE_BF16);
  ck_assert_int_le(tile_counts[TILE_CONFIG], 1);
}
END_TEST

START_TEST(code_without_tiles_needs_none) {
  uint64_t needed[4];
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, find_bits, needed), 0);
  session_free(session);
  ck_assert(needed[0] == tile_feature_bits && needed[1] == tile_feature_bits);
  ck_assert(needed[2] == 0 && needed[3] == 0);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("tiles");
  TCase *tests = tcase_create("tiles");
  tcase_set_timeout(tests, 300);
  tcase_add_test(tests, bf16_of_every_shape);
  tcase_add_loop_test(tests, bytes_of_every_sign, 0, 4);
  tcase_add_test(tests, bf16_of_every_form);
  tcase_add_test(tests, one_sum_of_any_length);
  tcase_add_test(tests, negative_zeros);
  tcase_add_test(tests, several_sums);
  tcase_add_test(tests, threads);
  tcase_add_test(tests, a_batch_is_configured_once);
  tcase_add_test(tests, code_without_tiles_needs_none);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
