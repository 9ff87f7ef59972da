// SPDX-License-Identifier: Apache-2.0
// Compilations of one process do not see each other: what each gives on a thread of its own, while
// others run, is what it gives alone, byte for byte.
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"
#include "ir/text/text.h"
#include "suite.h"

enum { ROUNDS = 4 };

// A function of loops over short rows, `loops` of them, and of stores of scalars in one long block.
typedef struct Work {
  size_t loops, scalars;
  int opt_level;
  const char *cpu;
} Work;

static const Work works[] = {
    {2, 3, 3, "x86-64-v3"},
    {2, 3, 1, "x86-64"},
    {110, 800, 3, "x86-64-v3"},
    {110, 800, 2, "x86-64"},
};
enum { WORKS = sizeof works / sizeof *works };

static Str text_of(Session *session, const Work *work) {
  Buf b;
  buf_init(&b, session->arena);
  buf_c(&b, "module tpu v5p devices 1\n"
            "func @f(%x: hbm f32[40,50], out %o: hbm f32[50,40], %y: hbm f32[4000]) {\n");
  for (size_t i = 0; i < work->loops; i++)
    buf_printf(&b,
               " %%a%zu = load %%x[:, :] : f32[40,50]\n"
               " %%b%zu = transpose %%a%zu dims [1, 0] : f32[50,40]\n"
               " store %%b%zu, %%o[:, :]\n",
               i, i, i, i);
  for (size_t i = 0; i < work->scalars; i++)
    buf_printf(&b,
               " %%s%zu = load %%y[%zu] : f32\n %%t%zu = add %%s%zu, %%s%zu : f32\n"
               " store %%t%zu, %%y[%zu]\n",
               i, i, i, i, i, i, i + 7);
  buf_c(&b, "}\n");
  return buf_view(&b);
}

typedef struct Job {
  const Work *work;
  char *object;
  size_t size;
} Job;

static int compile(Session *session, void *data) {
  Job *job = data;
  const Work *work = job->work;
  IrModule *module =
      ir_read(session, source_add(session, STR("case.ir"), text_of(session, work), false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  CodegenOptions options = {.opt_level = work->opt_level, .target_cpu = str_from_c(work->cpu)};
  LlvmModule *llvm = codegen_module(session, module, &options);
  Str object;
  ck_assert_ptr_nonnull(llvm);
  ck_assert(codegen_emit(session, llvm, EMIT_OBJECT, session->arena, &object));
  codegen_free(llvm);
  job->object = malloc(object.len);
  job->size = object.len;
  memcpy(job->object, object.data, object.len);
  return 0;
}

static Job compiled(const Work *work) {
  Session *session = session_new(0);
  Job job = {.work = work};
  ck_assert_int_eq(session_run(session, compile, &job), 0);
  session_free(session);
  return job;
}

typedef struct Thread {
  pthread_t id;
  Job alone;
  size_t other; // rounds that gave something else
} Thread;

static void *compile_again(void *data) {
  Thread *t = data;
  for (int i = 0; i < ROUNDS; i++) {
    Job job = compiled(t->alone.work);
    t->other += job.size != t->alone.size || memcmp(job.object, t->alone.object, job.size) != 0;
    free(job.object);
  }
  return NULL;
}

START_TEST(threads_do_not_meet) {
  Thread threads[WORKS];
  for (size_t i = 0; i < WORKS; i++) threads[i] = (Thread){.alone = compiled(&works[i])};
  for (size_t i = 0; i < WORKS; i++)
    ck_assert_int_eq(pthread_create(&threads[i].id, NULL, compile_again, &threads[i]), 0);
  for (size_t i = 0; i < WORKS; i++) {
    pthread_join(threads[i].id, NULL);
    ck_assert_msg(threads[i].other == 0, "work %zu: %zu of %d objects differ", i, threads[i].other,
                  ROUNDS);
    free(threads[i].alone.object);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("threads");
  TCase *tcase = tcase_create("codegen");
  tcase_set_timeout(tcase, 100);
  tcase_add_test(tcase, threads_do_not_meet);
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
