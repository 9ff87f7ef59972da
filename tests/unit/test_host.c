// SPDX-License-Identifier: Apache-2.0
// The CPU "native", of a machine that has what each case says, whatever this one has: the level of
// the psABI for which nothing is missing, and what of the rest is worth using.
#include <check.h>
#include <llvm-c/Core.h>
#include <string.h>
#include "codegen/emit/target.h"
#include "suite.h"

// ---- the machine (CMakeLists.txt wraps what asks it) --------------------------------------------
static const char *host_name, *missing;

static bool is_missing(const char *feature) {
  size_t length = strlen(feature);
  for (const char *at = missing; (at = strstr(at, feature)); at++)
    if ((at == missing || at[-1] == ' ') && (!at[length] || at[length] == ' ')) return true;
  return false;
}

void __wrap_prt__cpu_features(uint64_t features[2]);
void __wrap_prt__cpu_features(uint64_t features[2]) {
  features[0] = features[1] = 0;
#define PRT_CPU(bit, name, leaf, subleaf, reg, reg_bit, state)                                     \
  if (!is_missing(name)) features[bit / 64] |= (uint64_t)1 << bit % 64;
#include "host/prt_cpu.def"
#undef PRT_CPU
}

char *__wrap_LLVMGetHostCPUName(void);
char *__wrap_LLVMGetHostCPUName(void) { return LLVMCreateMessage(host_name); }

// ---- cases --------------------------------------------------------------------------------------
typedef struct HostCase {
  const char *name, *missing, *cpu, *features;
  bool has_vnni, multiplies_pairs, has_tiles;
} HostCase;

#define NO_TILES "amx-tile amx-bf16 amx-int8"
static const HostCase cases[] = {
    {"none that is known", "", "x86-64-v4",
     "+avx512vnni,+avx512bf16,+avx512vbmi,+avx512vpopcntdq,+amx-tile,+amx-bf16,+amx-int8", true,
     true, true},
    {"none that is known", NO_TILES, "x86-64-v4",
     "+avx512vnni,+avx512bf16,+avx512vbmi,+avx512vpopcntdq", true, true, false},
    {"none that is known", "avx512vnni avx512vbmi", "x86-64-v4",
     "+avx512bf16,+avx512vpopcntdq,+amx-tile,+amx-bf16,+amx-int8", false, true, true},
    {"none that is known", "avx512bf16 amx-int8", "x86-64-v4",
     "+avx512vnni,+avx512vbmi,+avx512vpopcntdq", true, false, false},
    // one of those that are known has what its row says, of which a virtual one may hide some
    {"x86-64-v4", NO_TILES, "x86-64-v4", "", false, false, false},
    {"cascadelake", NO_TILES, "x86-64-v4", "+avx512vnni", true, false, false},
    {"cascadelake", NO_TILES " avx512vnni", "x86-64-v4", "", false, false, false},
    {"cooperlake", NO_TILES, "x86-64-v4", "+avx512vnni,+avx512bf16", true, true, false},
    {"cooperlake", NO_TILES " avx512vnni", "x86-64-v4", "+avx512bf16", false, true, false},
    {"cooperlake", NO_TILES " avx512cd", "x86-64-v3", "", false, false, false},
    // whose pairs of bf16 are slow, with tiles and without
    {"sapphirerapids", "", "x86-64-v4",
     "+avx512vnni,+avx512vbmi,+avx512vpopcntdq,+avx512bf16,+amx-tile,+amx-bf16,+amx-int8", true,
     false, true},
    {"sapphirerapids", NO_TILES, "x86-64-v4",
     "+avx512vnni,+avx512vbmi,+avx512vpopcntdq,+avx512bf16", true, false, false},
    {"haswell", NO_TILES, "x86-64-v4", "+avx512vnni,+avx512bf16,+avx512vbmi,+avx512vpopcntdq", true,
     true, false},
};

static const Target *target_of(Session *session, const char *name, const char *without) {
  host_name = name;
  missing = without;
  const Target *t = target_find(session, session->arena, STR("native"));
  ck_assert_ptr_nonnull(t);
  return t;
}

START_TEST(uses_what_there_is) {
  const HostCase *c = &cases[_i];
  Session *session = session_new(0);
  const Target *t = target_of(session, c->name, c->missing);
  ck_assert_str_eq(t->name, c->name);
  ck_assert_str_eq(t->cpu, c->cpu);
  ck_assert_str_eq(t->features, c->features);
  ck_assert_int_eq(t->has_vnni, c->has_vnni);
  ck_assert_int_eq(t->multiplies_pairs, c->multiplies_pairs);
  ck_assert_int_eq(t->has_tiles, c->has_tiles);
  ck_assert(t->l1_bytes > 0 && t->l2_bytes >= t->l1_bytes);
  session_free(session);
}
END_TEST

// What the psABI asks of each level.
static const struct {
  const char *level, *words[12];
} levels[] = {
    {"x86-64", {"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}},
    {"x86-64-v2", {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}},
    {"x86-64-v3", {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}},
};

START_TEST(without_one_the_level_is_the_one_below) {
  Session *session = session_new(0);
  for (size_t i = 0; levels[_i].words[i]; i++) {
    const Target *t = target_of(session, "none that is known", levels[_i].words[i]);
    ck_assert_msg(strcmp(t->cpu, levels[_i].level) == 0, "%s without %s", t->cpu,
                  levels[_i].words[i]);
    ck_assert_str_eq(t->features, "");
  }
  session_free(session);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("host");
  TCase *tests = tcase_create("all");
  tcase_add_loop_test(tests, uses_what_there_is, 0, (int)COUNT_OF(cases));
  tcase_add_loop_test(tests, without_one_the_level_is_the_one_below, 0, (int)COUNT_OF(levels));
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
