// SPDX-License-Identifier: Apache-2.0
// What code under check records of counts of semaphores that it has read, for the search for races:
// a program reads some, computes with them and goes one way or the other, and what it calls is
// noted. (The calls themselves are test_prt_race_log.c's.)
#include <check.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/buf.h"
#include "base/session.h"
#include "codegen/codegen.h"
#include "ir/core/ir.h"
#include "ir_case.h"
#include "prt.h"
#include "prt_codegen.h"
#include "suite.h"

// ---- what is called (CMakeLists.txt wraps it) ---------------------------------------------------
static char heard[4000];

static void note(const char *format, ...) {
  size_t used = strlen(heard);
  va_list list;
  va_start(list, format);
  int length = vsnprintf(heard + used, sizeof heard - used, format, list);
  va_end(list);
  ck_assert(length >= 0 && used + (size_t)length < sizeof heard);
}

void __wrap_prt__race_polled(prt_task *task, const prt_sem *sem, int32_t count, int32_t least,
                             const prt_site *site);
void __wrap_prt__race_polled_term(prt_task *task, const prt_sem *sem, int64_t weight);
void __wrap_prt__race_polled_sum(prt_task *task, int64_t least, const prt_site *site);
void __wrap_prt__race_polled_count(prt_task *task, const prt_sem *sem);
void __wrap_prt__race_polled_point(prt_task *task, int32_t side, int64_t point);
void __wrap_prt__race_polled_points(prt_task *task, int32_t side, const prt_site *site);

// A semaphore is known by its count: those of a case differ.
static int64_t count_of(const prt_sem *sem) {
  return atomic_load_explicit(&sem->count, memory_order_relaxed);
}

void __wrap_prt__race_polled(prt_task *task, const prt_sem *sem, int32_t count, int32_t least,
                             const prt_site *site) {
  (void)task, (void)site;
  ck_assert_int_eq(count, count_of(sem));
  if (least <= count) note("%d of %d, ", least, count);
}

void __wrap_prt__race_polled_term(prt_task *task, const prt_sem *sem, int64_t weight) {
  (void)task;
  note("%lld times %lld + ", (long long)weight, (long long)count_of(sem));
}

void __wrap_prt__race_polled_sum(prt_task *task, int64_t least, const prt_site *site) {
  (void)task, (void)site;
  note(">= %lld, ", (long long)least);
}

static int points;
static int64_t first_point, last_point;

void __wrap_prt__race_polled_count(prt_task *task, const prt_sem *sem) {
  (void)task;
  points = 0;
  note("(%lld) ", (long long)count_of(sem));
}

void __wrap_prt__race_polled_point(prt_task *task, int32_t side, int64_t point) {
  (void)task, (void)side;
  if (!points++) first_point = point;
  ck_assert(points == 1 || point > last_point);
  last_point = point;
}

// How many, and the least of them digit by digit.
void __wrap_prt__race_polled_points(prt_task *task, int32_t side, const prt_site *site) {
  (void)task, (void)site;
  note("%d points of side %d", points, side);
  if (points)
    note(" from %lld %lld", (long long)(first_point % side), (long long)(first_point / side));
  note(", ");
}

// ---- cases --------------------------------------------------------------------------------------
// %a, %b, %c: the counts; %x: a number that is the same for all counts.
typedef struct PollCase {
  int32_t counts[3], x;
  const char *lines; // make the condition %k
  const char *heard;
} PollCase;

#include "poll_cases.h"

static const char start[] =
    "%i0 = const 0 : i32\n%i1 = const 1 : i32\n%i2 = const 2 : i32\n"
    "%sa = alloc \"a\" : sem regular\n%sb = alloc \"b\" : sem regular\n%sc = alloc \"c\" : sem "
    "regular\n%na = load %counts[0] : i32\n%nb = load %counts[1] : i32\n%nc = load %counts[2] : "
    "i32\n"
    "%x = load %counts[3] : i32\nstep.enter name \"k\"\nsem.signal %sa, %na\nsem.signal %sb, %nb\n"
    "sem.signal %sc, %nc\n";
static const char reads[] =
    "%a = sem.read %sa : i32\n%b = sem.read %sb : i32\n%c = sem.read %sc : i32\n";
static const char branch[] = "if %k {\nstore %i1, %o[]\n} else {\nstore %i2, %o[]\n}\n";
static const char end[] = "sem.wait %sa, %na\nsem.wait %sb, %nb\nsem.wait %sc, %nc\nstep.leave\n";

static bool has(const char *text, const char *part) { return strstr(text, part) != NULL; }

static Str lines_of(Arena *arena, const PollCase *c) {
  Buf out;
  buf_init(&out, arena);
  buf_c(&out, start);
  if (!has(c->lines, "sem.read")) buf_c(&out, reads);
  buf_c(&out, c->lines);
  if (has(c->lines, "%k =")) buf_c(&out, branch);
  buf_c(&out, end);
  return buf_view(&out);
}

static int run_poll(Session *session, void *data) {
  const PollCase *c = data;
  Str lines = str_copy(session->arena, lines_of(session->arena, c));
  IrModule *module = ir_case_read(session, "%counts: hbm i32[4], out %o: hbm i32", lines.data);
  CodegenOptions options = {.check = true};
  Jit *jit = jit_new(session, &options);
  JitModule *code = jit_add(jit, module);
  diag_flush(session);
  ck_assert_ptr_nonnull(code);
  int32_t numbers[4] = {c->counts[0], c->counts[1], c->counts[2], c->x}, out = 0;
  heard[0] = 0;
  int status = jit_run(jit, code, STR("f"), NULL, (void *[]){numbers, &out});
  ck_assert_msg(status == 0, "%s", prt_error_message());
  size_t length = strlen(heard);
  if (length) heard[length - 2] = 0;
  jit_free(jit);
  return 0;
}

static void check_case(const PollCase *c) {
  Session *session = session_new(0);
  ck_assert_int_eq(session_run(session, run_poll, (void *)c), 0);
  ck_assert_msg(strcmp(heard, c->heard) == 0,
                "counts %d %d %d:\n%sare recorded as\n  %s\nand not\n  %s", c->counts[0],
                c->counts[1], c->counts[2], c->lines, heard, c->heard);
  session_free(session);
}

START_TEST(polls_one) { check_case(&one_count[_i]); }
END_TEST

START_TEST(polls_several) { check_case(&several_counts[_i]); }
END_TEST

START_TEST(polls_ways) { check_case(&ways[_i]); }
END_TEST

int main(void) {
  Suite *suite = suite_create("polls");
  TCase *tcase = tcase_create("one_count");
  tcase_add_loop_test(tcase, polls_one, 0, (int)COUNT_OF(one_count));
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("several_counts");
  tcase_add_loop_test(tcase, polls_several, 0, (int)COUNT_OF(several_counts));
  suite_add_tcase(suite, tcase);
  tcase = tcase_create("ways");
  tcase_add_loop_test(tcase, polls_ways, 0, (int)COUNT_OF(ways));
  suite_add_tcase(suite, tcase);
  return suite_run(suite);
}
