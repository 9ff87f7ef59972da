// SPDX-License-Identifier: Apache-2.0
// How products are cut: what each CPU's registers and caches lead to, and that it fits into them.
#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "base/buf.h"
#include "base/session.h"
#include "codegen/codegen.h"
#include "codegen/emit/gen.h"
#include "codegen/products/gen_cell.h"
#include "codegen/products/gemm_shape.h"
#include "codegen/products/gen_cell.h"
#include "suite.h"

enum { SIZE = 4096 };

static Gemm square(DotKind kind, bool b_is_along_k) {
  DType dtype = kind == DOT_I8 ? DT_I8 : DT_F32;
  return (Gemm){
      .m = SIZE,
      .n = SIZE,
      .k = SIZE,
      .a = {.dtype = dtype, .step = SIZE, .k_step = 1},
      .b = {.dtype = dtype, .step = b_is_along_k ? SIZE : 1, .k_step = b_is_along_k ? 1 : SIZE},
      .sums = kind == DOT_F32 ? DT_F32 : DT_I32,
      .sum_block = INT64_MAX,
      .kind = kind};
}

typedef struct Expected {
  const char *cpu;
  unsigned vectors, rows;
  int64_t k_block, group;
} Expected;

static const Expected expected[] = {
    {"haswell", 2, 6, 512, 90},          // 32 KB, 256 KB
    {"znver3", 2, 6, 512, 186},          // 32 KB, 512 KB
    {"alderlake", 2, 6, 688, 312},       // 48 KB, 1,280 KB: 768 cells, in blocks of one size
    {"znver4", 4, 6, 512, 510},          // 32 registers, 1 MB
    {"sapphirerapids", 4, 6, 1024, 510}, // 2 MB
};

START_TEST(shapes_follow_from_the_cpu) {
  const Expected *e = &expected[_i];
  Session *session = session_new(0);
  const Target *target = target_find(session, session->arena, str_from_c(e->cpu));
  ck_assert_ptr_nonnull(target);
  Gemm gemm = square(DOT_F32, true);
  GemmShape s = gemm_shape(target, &gemm, false);
  ck_assert_uint_eq(s.vectors, e->vectors);
  ck_assert_uint_eq(s.rows, e->rows);
  ck_assert_int_eq(s.k_block, e->k_block);
  ck_assert_int_eq(s.group, e->group);
  session_free(session);
}
END_TEST

static const char *const cpus[] = {
    "x86-64", "x86-64-v3",      "x86-64-v4",      "nehalem",        "haswell", "alderlake",
    "znver1", "skylake-avx512", "icelake-client", "sapphirerapids", "znver5",  "native"};

START_TEST(blocks_fit_the_caches) {
  Session *session = session_new(0);
  const Target *t = target_find(session, session->arena, str_from_c(cpus[_i / 4]));
  ck_assert_ptr_nonnull(t);
  Gemm gemm = square(_i & 1 ? DOT_I8 : DOT_F32, _i & 2);
  GemmShape s = gemm_shape(t, &gemm, false);
  ck_assert_uint_le(s.rows * s.vectors + s.vectors + 1, t->registers);
  int64_t panel = s.k_block * s.panel * 4;
  ck_assert_msg(panel <= t->l1_bytes || panel <= t->l2_bytes / 8, "%s: a panel has %lld bytes",
                cpus[_i / 4], (long long)panel);
  ck_assert_int_le(s.group * s.k_block * 4, t->l2_bytes);
  ck_assert_int_ge(s.group, s.rows);
  session_free(session);
}
END_TEST

// ---- whole shapes -------------------------------------------------------------------------------
typedef struct WholeCase {
  const char *cpu, *a, *b; // how the factors lie: "rows" or "columns", or "pitch N" of rows
  DotKind kind;
  int64_t m, n, k;
  const char *shape; // of one thread, and "|" of several if that differs
} WholeCase;

#include "gemm_shapes.h"

// Element (i, k) of a, (k, j) of b: rows lie along k in a, along the columns in b.
static Factor factor_of(DotKind kind, const char *lies, bool is_b, int64_t outer, int64_t k) {
  static const DType dtypes[] = {DT_F32, DT_I32, DT_I16, DT_I8, DT_BF16};
  int64_t pitch = 0;
  bool is_rows = strcmp(lies, "columns") != 0;
  if (sscanf(lies, "pitch %" SCNd64, &pitch) != 1) pitch = is_rows == is_b ? outer : k;
  bool along_k = is_rows != is_b;
  return (Factor){.dtype = dtypes[kind],
                  .step = along_k ? pitch : 1,
                  .k_step = along_k ? 1 : pitch,
                  .is_flipped = kind == DOT_I8 && !is_b};
}

static Str text_of_shape(Arena *arena, const GemmShape *s) {
  Buf out;
  buf_init(&out, arena);
  buf_printf(
      &out,
      "%ux%u of %u panel %lld k %lld of %lld by %lld group %lld pitch %lld parts %lld first %u",
      s->rows, s->vectors, s->lanes, (long long)s->panel, (long long)s->k_block,
      (long long)s->cells, (long long)s->unroll, (long long)s->group, (long long)s->a_pitch,
      (long long)s->parts, s->first_rows);
  if (s->strip)
    buf_printf(&out, ", strip %lld ahead %lld", (long long)s->strip, (long long)s->ahead);
  const struct {
    bool is_set;
    const char *name;
  } flags[] = {
      {s->packs_a, "packs a"},    {s->packs_b, "packs b"},    {s->packs_on_the_way, "on the way"},
      {s->in_squares, "squares"}, {s->is_crowded, "crowded"}, {s->waits_for_memory, "waits"},
      {s->by_panels, "by panels"}};
  for (size_t i = 0; i < COUNT_OF(flags); i++)
    if (flags[i].is_set) buf_printf(&out, ", %s", flags[i].name);
  return buf_view(&out);
}

START_TEST(whole_shapes) {
  const WholeCase *c = &whole_cases[_i];
  Session *session = session_new(0);
  const Target *target = target_find(session, session->arena, str_from_c(c->cpu));
  ck_assert_ptr_nonnull(target);
  Gemm gemm = {.m = c->m,
               .n = c->n,
               .k = c->k,
               .a = factor_of(c->kind, c->a, false, c->m, c->k),
               .b = factor_of(c->kind, c->b, true, c->n, c->k),
               .sums = c->kind == DOT_F32 || c->kind == DOT_BF16 ? DT_F32 : DT_I32,
               .sum_block = INT64_MAX,
               .kind = c->kind};
  gemm.in_tiles = cell_fits_tiles(target, &gemm);
  gemm.a.is_flipped &= !gemm.in_tiles;
  GemmShape one = gemm_shape(target, &gemm, false), several = gemm_shape(target, &gemm, true);
  if (gemm.in_tiles) ck_assert_int_eq(one.sum_cells, one.k_block);
  Str text = text_of_shape(session->arena, &one), shared = text_of_shape(session->arena, &several);
  if (!str_equal(text, shared))
    text = str_format(session->arena, "%.*s | %.*s", STR_FMT(text), STR_FMT(shared));
  ck_assert_msg(str_equal(text, str_from_c(c->shape)), "case %d:\n\"%.*s\" is not\n\"%s\"", _i,
                STR_FMT(text), c->shape);
  session_free(session);
}
END_TEST

// Blocks of k are parts of one sum, or whole ones.
typedef struct SumCase {
  const char *cpu;
  bool b_is_along_k;
  int64_t m, k, sum_block, sum_cells, k_block;
} SumCase;

static const SumCase sum_cases[] = {
    {"haswell", true, SIZE, SIZE, 512, 512, 512},
    {"alderlake", true, SIZE, SIZE, 512, 512, 512}, // 768 cells would be two parts of sums
    {"sapphirerapids", true, SIZE, SIZE, 512, 512, 1024},
    {"sapphirerapids", true, SIZE, SIZE, 100, 100, 1000},
    {"sapphirerapids", true, SIZE, 1024, 100, 100, 1024}, // all of k is one block
    {"sapphirerapids", true, SIZE, 512, 512, 512, 512},   // or one sum
    {"sapphirerapids", false, 4, SIZE, 512, 512, 4},      // few rows: strips of b, from memory
    {"sapphirerapids", false, 4, SIZE, 6, 6, 4},
    {"sapphirerapids", false, 4, 512, 12, 12, 12},     // along b's lines
    {"sapphirerapids", true, 4, SIZE, 512, 512, SIZE}, // squares
};

START_TEST(blocks_do_not_cut_sums) {
  const SumCase *c = &sum_cases[_i];
  Session *session = session_new(0);
  const Target *target = target_find(session, session->arena, str_from_c(c->cpu));
  ck_assert_ptr_nonnull(target);
  Gemm gemm = square(DOT_F32, c->b_is_along_k);
  gemm.m = c->m;
  gemm.k = c->k;
  gemm.sum_block = c->sum_block;
  GemmShape s = gemm_shape(target, &gemm, false);
  ck_assert_int_eq(s.sum_cells, c->sum_cells);
  ck_assert_int_eq(s.k_block, c->k_block);
  session_free(session);
}
END_TEST

// The sizes of real caches: first levels of ways of a page, second levels of quarters of a
// megabyte.
START_TEST(caches_are_possible) {
  Session *session = session_new(0);
  Str names = codegen_cpu_names(session->arena);
  size_t count = 0;
  for (size_t at = 0; at < names.len; count++) {
    size_t end = at;
    while (end < names.len && names.data[end] != ',') end++;
    Str name = {names.data + at, end - at};
    at = end + 2;
    const Target *t = target_find(session, session->arena, name);
    ck_assert_ptr_nonnull(t);
    ck_assert(codegen_knows_cpu(name));
    if (str_equal(name, STR("native"))) continue; // what the machine says
    ck_assert_msg(t->l1_bytes % (16 << 10) == 0 && t->l2_bytes % (256 << 10) == 0 &&
                      t->l1_bytes * 8 <= t->l2_bytes,
                  "%.*s", STR_FMT(name));
    ck_assert(!t->has_vnni || t->has_masks);
    ck_assert(!t->multiplies_pairs || t->has_vnni);
  }
  ck_assert_uint_ge(count, 29);
  ck_assert(codegen_knows_cpu(STR("")));
  ck_assert(!codegen_knows_cpu(STR("znver")));
  session_free(session);
}
END_TEST

// What a product of two types is computed in, without and with the instructions for narrow ones,
// and whether cells of the factors lie in memory where k is their last dimension.
typedef struct Kind {
  DType a, b, sums;
  DotKind plain, with_vnni;
  bool a_lies, b_lies; // with VNNI
} Kind;

static const Kind kinds[] = {
    {DT_F32, DT_F32, DT_F32, DOT_F32, DOT_F32, true, true},
    {DT_F64, DT_F64, DT_F64, DOT_F64, DOT_F64, true, true},
    {DT_F32, DT_F64, DT_F64, DOT_F64, DOT_F64, false, true},
    {DT_I64, DT_U64, DT_I64, DOT_I64, DOT_I64, true, true},
    {DT_I32, DT_I64, DT_I64, DOT_I64, DOT_I64, false, true},
    {DT_I32, DT_U32, DT_I32, DOT_I32, DOT_I32, true, true},
    {DT_I16, DT_I32, DT_I32, DOT_I32, DOT_I32, false, true},
    {DT_I32, DT_I16, DT_I32, DOT_I32, DOT_I32, true, false},
    {DT_U16, DT_I16, DT_I32, DOT_I32, DOT_I32, false, false}, // an i16 does not hold it
    {DT_I16, DT_U16, DT_I32, DOT_I32, DOT_I32, false, false},
    {DT_I16, DT_I16, DT_I32, DOT_I16, DOT_I16, true, true},
    {DT_I16, DT_I8, DT_I32, DOT_I16, DOT_I16, true, false},
    {DT_U8, DT_I16, DT_I32, DOT_I16, DOT_I16, false, true},
    {DT_U8, DT_U8, DT_I32, DOT_I16, DOT_I16, false, false}, // no instruction for two of them
    {DT_U8, DT_I8, DT_I32, DOT_I16, DOT_I8, true, true},
    {DT_I8, DT_U8, DT_I32, DOT_I16, DOT_I8, true, true},
    {DT_I8, DT_I8, DT_I32, DOT_I16, DOT_I8, true, true},
    {DT_I4, DT_I8, DT_I32, DOT_I16, DOT_I8, false, true},
    {DT_BF16, DT_F32, DT_F32, DOT_F32, DOT_F32, false, true},
    {DT_F32, DT_BF16, DT_F32, DOT_F32, DOT_F32, true, false},
    {DT_BF16, DT_BF16, DT_F32, DOT_F32, DOT_F32, false, false},
};

static DotKind kind_on(Session *session, const char *cpu, const Gemm *gemm) {
  LlvmGen g = {.target = target_find(session, session->arena, str_from_c(cpu))};
  return cell_kind(&g, gemm);
}

START_TEST(kinds_of_products) {
  const Kind *k = &kinds[_i];
  Session *session = session_new(0);
  Gemm gemm = {.m = 8,
               .n = 8,
               .k = 8,
               .a = {.dtype = k->a, .step = 8, .k_step = 1},
               .b = {.dtype = k->b, .step = 8, .k_step = 1},
               .sums = k->sums};
  ck_assert_int_eq(kind_on(session, "haswell", &gemm), k->plain);
  gemm.kind = kind_on(session, "icelake-client", &gemm);
  ck_assert_int_eq(gemm.kind, k->with_vnni);
  ck_assert_int_eq(cell_is_in_memory(&gemm, &gemm.a), k->a_lies);
  ck_assert_int_eq(cell_is_in_memory(&gemm, &gemm.b), k->b_lies);
  if (cell_group(&gemm) > 1) { // several neighbours in k, all of them there, as they are
    gemm.k = 7;
    ck_assert(!cell_is_in_memory(&gemm, &gemm.a) && !cell_is_in_memory(&gemm, &gemm.b));
    gemm.k = 8;
    gemm.a.k_step = gemm.b.k_step = 8;
    ck_assert(!cell_is_in_memory(&gemm, &gemm.a) && !cell_is_in_memory(&gemm, &gemm.b));
  }
  session_free(session);
}
END_TEST

// Tiles are of bytes, or of bf16, of both factors.
START_TEST(tiles_have_their_types) {
  const Kind *k = &kinds[_i];
  Session *session = session_new(0);
  const Target *target = target_find(session, session->arena, STR("sapphirerapids"));
  Gemm gemm = {.m = 256,
               .n = 256,
               .k = 256,
               .a = {.dtype = k->a, .step = 256, .k_step = 1},
               .b = {.dtype = k->b, .step = 256, .k_step = 1},
               .sums = k->sums};
  bool are_bytes = dtype_bits(k->a) <= 8 && dtype_bits(k->b) <= 8;
  ck_assert_int_eq(cell_fits_tiles(target, &gemm),
                   are_bytes || (k->a == DT_BF16 && k->b == DT_BF16));
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("gemm shape");
  TCase *tcase = tcase_create("shapes");
  tcase_add_loop_test(tcase, shapes_follow_from_the_cpu, 0, (int)COUNT_OF(expected));
  tcase_add_loop_test(tcase, blocks_do_not_cut_sums, 0, (int)COUNT_OF(sum_cases));
  tcase_add_loop_test(tcase, blocks_fit_the_caches, 0, 4 * (int)COUNT_OF(cpus));
  tcase_add_loop_test(tcase, whole_shapes, 0, (int)COUNT_OF(whole_cases));
  tcase_add_test(tcase, caches_are_possible);
  tcase_add_loop_test(tcase, kinds_of_products, 0, (int)COUNT_OF(kinds));
  tcase_add_loop_test(tcase, tiles_have_their_types, 0, (int)COUNT_OF(kinds));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
