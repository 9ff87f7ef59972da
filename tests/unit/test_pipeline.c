// SPDX-License-Identifier: Apache-2.0
// What launches do, executed: random ones (launch_case.h) go through the passes in every
// combination that may be used, and each must leave the bytes that the rules of windows leave
// (launch_model.h). PIPELINE_CASES=N runs N of them, PIPELINE_SEED=N begins at another one.
#include <check.h>
#include <stdio.h>

#include "base/buf.h"
#include "ir/core/ir.h"
#include "ir/core/verify.h"
#include "ir/text/read.h"
#include "codegen/codegen.h"
#include "launch_model.h"
#include "passes/pass.h"
#include "prt.h"
#include "suite.h"

enum { BATCH = 12, DEFAULT_CASES = 48 };

// A way through the passes: all of them under some options, or a list.
typedef struct Way {
  const char *name;
  PassOptions options;
  PassId passes[8]; // ends with PASS_COUNT; empty: passes_run
  int codegen_level;
} Way;

#define LIST(...)                                                                                  \
  { __VA_ARGS__, PASS_COUNT }

static const Way ways[] = {
    {"O0", {.opt_level = 0, .stop_after = PASS_COUNT}, {PASS_COUNT}, 0},
    {"O2", {.opt_level = 2, .stop_after = PASS_COUNT}, {PASS_COUNT}, 2},
    {"check", {.opt_level = 2, .check = true, .stop_after = PASS_COUNT}, {PASS_COUNT}, 1},
    {"schedule", {.opt_level = 2, .schedule = true, .stop_after = PASS_COUNT}, {PASS_COUNT}, 1},
    {"no forward",
     {.opt_level = 2},
     LIST(PASS_SIMPLIFY, PASS_PARTITION, PASS_PIPELINE, PASS_CLEANUP, PASS_FUSE),
     1},
    {"no partition",
     {.opt_level = 2},
     LIST(PASS_SIMPLIFY, PASS_FORWARD, PASS_PIPELINE, PASS_CLEANUP, PASS_FUSE),
     1},
    {"no simplify",
     {.opt_level = 2},
     LIST(PASS_FORWARD, PASS_PARTITION, PASS_PIPELINE, PASS_FUSE),
     1},
    {"partition alone", {.opt_level = 2}, LIST(PASS_PARTITION, PASS_PIPELINE, PASS_FUSE), 0},
};

// ---- the data of a case -------------------------------------------------------------------------
typedef struct Batch {
  LaunchCase cases[BATCH];
  uint32_t *inputs[BATCH][MAX_BLOCKS];
  Model *models[BATCH];
  int count;
  Str text;
} Batch;

static int64_t array_count(const LaunchCase *k, int i) {
  int64_t dims[MAX_RANK + 1], n = 1;
  for (int d = array_dims(&k->blocks[i], dims); d-- > 0;) n *= dims[d];
  return n;
}

static bool same_known(const Model *x, const Model *y) {
  for (int i = 0; i < x->k->block_count; i++) {
    const Cells *a = &x->arrays[i], *b = &y->arrays[i];
    for (int64_t n = 0; x->k->blocks[i].role == ROLE_OUT && n < a->count; n++)
      if (a->known[n] != b->known[n] || (a->known[n] && a->bits[n] != b->bits[n])) return false;
  }
  return true;
}

static void make_case(Arena *arena, Batch *batch, uint64_t seed) {
  Chance c = {seed};
  int n = batch->count++;
  LaunchCase *k = &batch->cases[n];
  *k = random_case(&c);
  for (int i = 0; i < k->block_count; i++) {
    int64_t count = array_count(k, i);
    batch->inputs[n][i] = ARENA_ARRAY(arena, uint32_t, count);
    for (int64_t e = 0; e < count; e++)
      batch->inputs[n][i][e] = bits_of_number(k->dtype, chance_below(&c, 17) - 8);
  }
  batch->models[n] = model_new(arena, k, batch->inputs[n]);
  model_run(batch->models[n]);
  // What an author calls parallel must be: the same on cores of their own.
  Model *apart = model_new(arena, k, batch->inputs[n]);
  model_run_apart(apart);
  if (!same_known(batch->models[n], apart)) memset(k->semantics, 'a', (size_t)k->grid_rank);
}

static void make_batch(Arena *arena, Batch *batch, uint64_t first, int count) {
  Buf text;
  buf_init(&text, arena);
  buf_c(&text, "module tpu v5p devices 1\n\n");
  for (int n = 0; n < count; n++) {
    make_case(arena, batch, first + (uint64_t)n);
    put_case(&text, &batch->cases[n], n);
  }
  batch->text = buf_view(&text);
}

// ---- running ------------------------------------------------------------------------------------
static IrModule *lowered(Session *session, const Batch *batch, const Way *way) {
  IrModule *module = ir_read(session, source_add(session, STR("launches.ir"), batch->text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  bool ok = true;
  if (way->passes[0] == PASS_COUNT) {
    ok = passes_run(session, module, &way->options);
  } else {
    for (const PassId *id = way->passes; ok && *id != PASS_COUNT; id++)
      ok = pass_run_one(session, module, &way->options, *id);
  }
  diag_flush(session);
  ck_assert(ok);
  Str what;
  ck_assert_msg(ir_verify(module, &what), "%s: %.*s", way->name, STR_FMT(what));
  return module;
}

static Str case_text(Arena *arena, const LaunchCase *k) {
  Buf text;
  buf_init(&text, arena);
  put_case(&text, k, 0);
  return buf_view(&text);
}

static void compare(Arena *arena, const Batch *batch, int n, const Way *way,
                    uint32_t *const *outputs, uint64_t seed) {
  const LaunchCase *k = &batch->cases[n];
  for (int i = 0; i < k->block_count; i++) {
    const Cells *want = &batch->models[n]->arrays[i];
    for (int64_t e = 0; k->blocks[i].role == ROLE_OUT && e < want->count; e++)
      CHECK_EACH(!want->known[e] || outputs[i][e] == want->bits[e],
                 "seed %llu, %s: element %lld of %%a%d is 0x%x instead of 0x%x\nmodule tpu v5p "
                 "devices 1\n%s",
                 (unsigned long long)seed, way->name, (long long)e, i, outputs[i][e], want->bits[e],
                 case_text(arena, k).data);
  }
}

static void run_case(Arena *arena, Jit *jit, JitModule *code, prt_machine *machine,
                     const Batch *batch, int n, const Way *way, uint64_t seed) {
  const LaunchCase *k = &batch->cases[n];
  int32_t sizes[MAX_GRID] = {0};
  for (int d = 0; d < k->grid_rank; d++) sizes[d] = (int32_t)k->grid[d];
  uint32_t *arrays[MAX_BLOCKS];
  void *arguments[2 + MAX_BLOCKS] = {sizes, (void *)k->prefetch};
  for (int i = 0; i < k->block_count; i++) {
    size_t bytes = (size_t)array_count(k, i) * sizeof(uint32_t);
    arguments[2 + i] = arrays[i] = arena_dup(arena, batch->inputs[n][i], bytes);
    if (k->blocks[i].role == ROLE_OUT) memset(arrays[i], 0xa5, bytes);
  }
  char name[20];
  snprintf(name, sizeof name, "f%d", n);
  int status = jit_run(jit, code, str_from_c(name), machine, arguments);
  ck_assert_msg(status == 0, "seed %llu, %s: status %d, %s", (unsigned long long)seed, way->name,
                status, prt_error_message());
  for (int i = 0; i < k->block_count; i++)
    if (k->blocks[i].role == ROLE_IN)
      ck_assert_msg(
          memcmp(arrays[i], batch->inputs[n][i], (size_t)array_count(k, i) * sizeof(uint32_t)) == 0,
          "seed %llu, %s: input %d has changed\n%s", (unsigned long long)seed, way->name, i,
          case_text(arena, k).data);
  compare(arena, batch, n, way, arrays, seed);
}

static void run_way(Session *session, const Batch *batch, const Way *way, prt_machine *machine,
                    uint64_t first) {
  CodegenOptions options = {.opt_level = way->codegen_level};
  IrModule *module = lowered(session, batch, way);
  Jit *jit = jit_new(session, &options);
  JitModule *code = jit_add(jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(code);
  for (int n = 0; n < batch->count; n++) {
    // The chip fetches ahead: what it then reads of an array that is also written is nobody's
    // promise.
    if (way->options.schedule && batch->models[n]->reads_written) continue;
    run_case(session->arena, jit, code, machine, batch, n, way, first + (uint64_t)n);
  }
  jit_free(jit);
}

static uint64_t from_environment(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

typedef struct Range {
  uint64_t first;
  int count;
} Range;

static int run_batch(Session *session, void *data) {
  const Range *range = data;
  Batch *batch = ARENA_NEW(session->arena, Batch);
  make_batch(session->arena, batch, range->first, range->count);
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.threads = 2;
  prt_machine *machine = prt_machine_new(&options);
  for (size_t w = 0; w < COUNT_OF(ways); w++)
    run_way(session, batch, &ways[w], machine, range->first);
  prt_machine_free(machine);
  return 0;
}

START_TEST(random_launches) {
  uint64_t seed = from_environment("PIPELINE_SEED", 1),
           cases = from_environment("PIPELINE_CASES", DEFAULT_CASES);
  for (uint64_t done = 0; done < cases; done += BATCH) {
    Range range = {seed + done, cases - done < BATCH ? (int)(cases - done) : BATCH};
    Session *session = session_new(0);
    ck_assert_int_eq(session_run(session, run_batch, &range), 0);
    session_free(session);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pipeline");
  TCase *tests = tcase_create("launches");
  tcase_set_timeout(tests, 600);
  tcase_add_test(tests, random_launches);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
