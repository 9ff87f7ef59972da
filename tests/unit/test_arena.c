// SPDX-License-Identifier: Apache-2.0
#include <check.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "suite.h"

static void leave(void *data) { longjmp(*(jmp_buf *)data, 1); }

static bool is_zero(const unsigned char *data, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (data[i]) return false;
  return true;
}

START_TEST(allocations_are_zeroed_aligned_and_apart) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  unsigned char *last = NULL;
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *data = arena_alloc(arena, size);
    ck_assert_ptr_nonnull(data);
    ck_assert_uint_eq((uintptr_t)data % 16, 0);
    ck_assert_ptr_ne(data, last);
    ck_assert(is_zero(data, size));
    memset(data, 0xaa, size);
    last = data;
  }
  arena_free(arena);
}
END_TEST

START_TEST(released_memory_is_zeroed_when_it_comes_again) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  arena_alloc(arena, 100);
  ArenaMark mark = arena_mark(arena);
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < 2000; i++) {
      unsigned char *data = arena_alloc(arena, 64);
      ck_assert(is_zero(data, 64));
      memset(data, 0x55, 64);
    }
    arena_release(arena, mark);
  }
  arena_free(arena);
}
END_TEST

START_TEST(release_keeps_what_was_before) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  char *before = arena_dup(arena, "before", 7);
  ArenaMark mark = arena_mark(arena);
  memset(arena_alloc(arena, 1 << 22), 1, 1 << 22);
  arena_release(arena, mark);
  ck_assert_str_eq(before, "before");
  ck_assert_str_eq(arena_dup(arena, "after", 6), "after");
  ck_assert_str_eq(before, "before");
  arena_free(arena);
}
END_TEST

START_TEST(released_memory_comes_again_for_what_fits) {
  enum { MANY = 1 << 22 };
  Arena *arena = arena_new((OomHandler){0}, 0);
  ArenaMark mark = arena_mark(arena);
  arena_alloc(arena, 100);
  arena_release(arena, mark);
  unsigned char *data = arena_alloc(arena, MANY);
  ck_assert(is_zero(data, MANY));
  memset(data, 0x55, MANY);
  ck_assert(is_zero(arena_alloc(arena, 100), 100));
  arena_free(arena);
}
END_TEST

START_TEST(release_to_the_mark_of_an_empty_arena) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  ArenaMark mark = arena_mark(arena);
  memset(arena_alloc(arena, 50), 1, 50);
  arena_release(arena, mark);
  ck_assert(is_zero(arena_alloc(arena, 50), 50));
  arena_free(arena);
}
END_TEST

START_TEST(the_limit_holds_and_leaves_through_the_handler) {
  jmp_buf out;
  Arena *arena = arena_new((OomHandler){leave, &out}, 1 << 20);
  volatile size_t taken = 0;
  if (!setjmp(out)) {
    for (;;) {
      arena_alloc(arena, 1000);
      taken += 1000;
    }
  }
  ck_assert_uint_le(arena_footprint(arena), 1 << 20);
  ck_assert_uint_gt(taken, 1 << 18);
  arena_free(arena);
}
END_TEST

START_TEST(sizes_beyond_memory_are_out_of_memory) {
  jmp_buf out;
  Arena *arena = arena_new((OomHandler){leave, &out}, 1 << 20);
  volatile int left = 0;
  if (setjmp(out))
    left++;
  else
    arena_alloc(arena, SIZE_MAX);
  if (setjmp(out))
    left++;
  else
    arena_alloc_array(arena, SIZE_MAX / 2, 3);
  ck_assert_int_eq(left, 2);
  arena_free(arena);
}
END_TEST

START_TEST(children_count_against_the_parent_and_die_with_it) {
  jmp_buf out;
  Arena *parent = arena_new((OomHandler){leave, &out}, 1 << 20);
  Arena *child = arena_new_child(parent), *other = arena_new_child(parent);
  size_t before = arena_footprint(parent);
  memset(arena_alloc(child, 100000), 1, 100000);
  ck_assert_uint_ge(arena_footprint(parent), before + 100000);
  memset(arena_alloc(arena_new_child(other), 100000), 1, 100000);
  arena_free(child);
  ck_assert_uint_lt(arena_footprint(parent), before + 200000);
  volatile bool left = false;
  if (setjmp(out))
    left = true;
  else
    arena_alloc(other, 1 << 20);
  ck_assert(left);
  arena_free(parent);
}
END_TEST

// How many chunks come before the handler is called.
static long take_chunks(Arena *arena, jmp_buf *out) {
  volatile long chunks = 0;
  if (setjmp(*out)) return chunks;
  for (; chunks < 100; chunks++) arena_alloc(arena, 3 << 20);
  return chunks;
}

START_TEST(the_nth_failure_is_injected) {
  jmp_buf out;
  for (long n = 0; n < 6; n++) {
    arena_fail_after(n);
    Arena *arena = arena_new((OomHandler){leave, &out}, 0);
    if (!arena) {
      ck_assert_int_eq(n, 0);
      continue;
    }
    ck_assert_int_eq(take_chunks(arena, &out), n - 1);
    arena_fail_after(-1);
    arena_free(arena);
  }
  arena_fail_after(-1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("arena");
  TCase *tests = tcase_create("arena");
  tcase_add_test(tests, allocations_are_zeroed_aligned_and_apart);
  tcase_add_test(tests, released_memory_is_zeroed_when_it_comes_again);
  tcase_add_test(tests, release_keeps_what_was_before);
  tcase_add_test(tests, released_memory_comes_again_for_what_fits);
  tcase_add_test(tests, release_to_the_mark_of_an_empty_arena);
  tcase_add_test(tests, the_limit_holds_and_leaves_through_the_handler);
  tcase_add_test(tests, sizes_beyond_memory_are_out_of_memory);
  tcase_add_test(tests, children_count_against_the_parent_and_die_with_it);
  tcase_add_test(tests, the_nth_failure_is_injected);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
