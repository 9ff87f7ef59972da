// SPDX-License-Identifier: Apache-2.0
// Copies of elements, against one element after the other: random shapes and strides, in one piece
// or not, and sums.
#define _XOPEN_SOURCE 700
#include <check.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tasks/prt_copy.h"
#include "tasks/prt_task.h"
#include "suite.h"

enum { ROUNDS = 4000, MOST_RANK = 4, MOST_DIM = 3, ROOM = 4096 };

static uint64_t state = 1;

static int draw(int bound) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (int)((state >> 33) % (uint64_t)bound);
}

// Strides of a dense array with these dimensions, some of which are further apart; a dimension of
// one element has any.
static void draw_strides(int rank, const int64_t *dims, int64_t bytes, int64_t *strides) {
  for (int i = rank; i-- > 0;) {
    strides[i] = dims[i] == 1 && draw(2) ? 8 * draw(5) : bytes;
    bytes *= dims[i] + (draw(3) == 0 ? draw(3) : 0);
  }
}

static void put(int dtype, char *to, const char *from, int64_t bytes) {
  int32_t a, b;
  if (dtype < 0) {
    memcpy(to, from, (size_t)bytes);
  } else if (dtype == PRT_F32) {
    float x, y;
    memcpy(&x, to, 4);
    memcpy(&y, from, 4);
    x += y;
    memcpy(to, &x, 4);
  } else {
    memcpy(&a, to, 4);
    memcpy(&b, from, 4);
    a += b;
    memcpy(to, &a, 4);
  }
}

static void one_by_one(const prt_copy *copy, const int64_t *dims, int dtype, char *to,
                       const char *from) {
  int64_t count = 1;
  for (int i = 0; i < copy->rank; i++) count *= dims[i];
  for (int64_t n = 0; n < count; n++) {
    int64_t left = n, at = 0, where = 0;
    for (int i = copy->rank; i-- > 0; left /= dims[i]) {
      at += left % dims[i] * copy->to_strides[i];
      where += left % dims[i] * copy->from_strides[i];
    }
    put(dtype, to + at, from + where, copy->element_bytes);
  }
}

START_TEST(elements) {
  static int32_t from[ROOM], to[ROOM], want[ROOM];
  for (int round = 0; round < ROUNDS; round++) {
    int64_t dims[MOST_RANK], to_strides[MOST_RANK], from_strides[MOST_RANK];
    int rank = draw(MOST_RANK + 1), dtype = draw(3) ? -1 : draw(2) ? PRT_F32 : PRT_I32;
    int32_t bytes = dtype < 0 && draw(2) ? 1 << draw(4) : 4;
    for (int i = 0; i < rank; i++) dims[i] = draw(12) == 0 ? 0 : 1 + draw(MOST_DIM);
    draw_strides(rank, dims, bytes, to_strides);
    draw_strides(rank, dims, bytes, from_strides);
    for (int i = 0; i < ROOM; i++) {
      from[i] = i + round;
      to[i] = want[i] = 3 * i;
    }
    prt_copy copy = {.element_bytes = bytes,
                     .rank = rank,
                     .to_strides = to_strides,
                     .from_strides = from_strides,
                     .add = dtype < 0 ? 0 : dtype};
    one_by_one(&copy, dims, dtype, (char *)want, (const char *)from);
    prt__copy_elements(&copy, dims, (char *)to, (const char *)from);
    CHECK_EACH(memcmp(to, want, sizeof to) == 0, "round %d: rank %d, %d bytes", round, rank, bytes);
  }
}
END_TEST

// A size that is known when it runs may be below zero: then there is nothing to copy.
START_TEST(sizes_below_zero) {
  int32_t from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {0};
  const int64_t strides[] = {12, 4};
  const prt_copy copy = {
      .element_bytes = 4, .rank = 2, .to_strides = strides, .from_strides = strides};
  static const int64_t sizes[][2] = {{-1, 3}, {2, -3}, {-2, -3}, {0, 3}};
  for (int i = 0; i < 4; i++) {
    ck_assert_int_eq(prt__copy_bytes(&copy, sizes[i]), 0);
    prt__copy_elements(&copy, sizes[i], (char *)to, (const char *)from);
    for (int k = 0; k < 6; k++) ck_assert_int_eq(to[k], 0);
  }
  ck_assert_int_eq(prt__copy_bytes(&copy, (const int64_t[]){2, 3}), 24);
}
END_TEST

static void *try_lock(void *lock) {
  int status = pthread_mutex_trylock(lock);
  if (!status) pthread_mutex_unlock(lock);
  return (void *)(intptr_t)status;
}

// Whether another thread can have it.
static bool is_free(pthread_mutex_t *lock) {
  pthread_t thread;
  void *status;
  ck_assert_int_eq(pthread_create(&thread, NULL, try_lock, lock), 0);
  pthread_join(thread, &status);
  return !status;
}

// Sums of several threads are added under a lock, and only those: a lock that counts, which the
// test has, is taken once more and given back.
START_TEST(sums_are_locked) {
  static const struct {
    int add;
    bool shared;
  } cases[] = {{PRT_F32, true}, {PRT_F32, false}, {0, true}};
  for (int i = 0; i < 3; i++) {
    prt_schedule *s = calloc(1, sizeof *s);
    pthread_mutexattr_t counting;
    pthread_mutexattr_init(&counting);
    pthread_mutexattr_settype(&counting, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&s->add_lock, &counting);
    s->shared = cases[i].shared;
    const prt_copy copy = {.element_bytes = 4, .add = cases[i].add};
    float from = 2, to = 1;
    pthread_mutex_lock(&s->add_lock);
    prt__copy_moves(s, NULL, &copy, NULL, (char *)&to, (const char *)&from);
    ck_assert_float_eq(to, cases[i].add ? 3 : 2);
    ck_assert(!is_free(&s->add_lock));
    pthread_mutex_unlock(&s->add_lock);
    ck_assert(is_free(&s->add_lock));
    pthread_mutex_destroy(&s->add_lock);
    pthread_mutexattr_destroy(&counting);
    free(s);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("prt_copy");
  TCase *tests = tcase_create("prt_copy");
  tcase_add_test(tests, elements);
  tcase_add_test(tests, sizes_below_zero);
  tcase_add_test(tests, sums_are_locked);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
