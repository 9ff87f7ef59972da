// SPDX-License-Identifier: Apache-2.0
// What the code for a CPU may use.
#include <check.h>
#include "codegen/emit/target.h"
#include "suite.h"

typedef struct Expected {
  const char *cpu;
  unsigned vector_bytes, registers;
  bool has_sse41, has_fma, has_masks, has_vnni, multiplies_pairs, has_tiles, divides_slowly;
} Expected;

static const Expected expected[] = {
    {"x86-64", 16, 16, false, false, false, false, false, false, false},
    {"x86-64-v2", 16, 16, true, false, false, false, false, false, false},
    {"x86-64-v3", 32, 16, true, true, false, false, false, false, false},
    {"x86-64-v4", 64, 32, true, true, true, false, false, false, true},
    {"icelake-server", 64, 32, true, true, true, true, false, false, true},
    {"sapphirerapids", 64, 32, true, true, true, true, false, true, true},
    {"znver4", 64, 32, true, true, true, true, true, false, false},
};

START_TEST(features_follow_from_the_cpu) {
  const Expected *e = &expected[_i];
  Session *session = session_new(0);
  const Target *t = target_find(session, session->arena, str_from_c(e->cpu));
  ck_assert_ptr_nonnull(t);
  ck_assert_uint_eq(t->vector_bytes, e->vector_bytes);
  ck_assert_uint_eq(t->registers, e->registers);
  ck_assert_int_eq(t->has_sse41, e->has_sse41);
  ck_assert_int_eq(t->has_fma, e->has_fma);
  ck_assert_int_eq(t->has_f16c, e->has_fma);
  ck_assert_int_eq(t->has_masks, e->has_masks);
  ck_assert_int_eq(t->has_vnni, e->has_vnni);
  ck_assert_int_eq(t->multiplies_pairs, e->multiplies_pairs);
  ck_assert_int_eq(t->rounds_bf16, e->multiplies_pairs || e->has_tiles);
  ck_assert_int_eq(t->has_tiles, e->has_tiles);
  ck_assert(!t->feature_bits[1] && !t->tile_bits[1]);
  uint64_t tiles = UINT64_C(1) << 40 | UINT64_C(1) << 42 | UINT64_C(1) << 43;
  ck_assert(!(t->feature_bits[0] & tiles) && t->tile_bits[0] == (e->has_tiles ? tiles : 0));
  ck_assert_int_eq(t->divides_slowly, e->divides_slowly);
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("target");
  TCase *tcase = tcase_create("target");
  tcase_add_loop_test(tcase, features_follow_from_the_cpu, 0, sizeof expected / sizeof *expected);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
