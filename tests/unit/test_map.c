// SPDX-License-Identifier: Apache-2.0
#include <check.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/map.h"
#include "suite.h"

#define MANY 5000

static int keys[MANY], values[MANY];

START_TEST(set_get_remove) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  Map *map = map_new(arena);
  ck_assert_ptr_null(map_get(map, &keys[0]));
  ck_assert(!map_remove(map, &keys[0]));
  for (int i = 0; i < MANY; i++) map_set(map, &keys[i], &values[i]);
  for (int i = 0; i < MANY; i += 2) map_set(map, &keys[i], NULL);
  ck_assert_uint_eq(map_count(map), MANY);
  for (int i = 0; i < MANY; i++) {
    ck_assert(map_has(map, &keys[i]));
    ck_assert_ptr_eq(map_get(map, &keys[i]), i % 2 ? &values[i] : NULL);
  }
  for (int i = 0; i < MANY; i += 3) ck_assert(map_remove(map, &keys[i]));
  for (int i = 0; i < MANY; i++) ck_assert(map_has(map, &keys[i]) == (i % 3 != 0));
  arena_free(arena);
}
END_TEST

START_TEST(order_is_that_of_insertion) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  Map *map = map_new(arena);
  for (int i = MANY - 1; i >= 0; i--) map_set(map, &keys[i], &values[i]);
  map_remove(map, &keys[7]);
  map_set(map, &keys[7], &values[7]); // goes to the end
  const void *key;
  void *value;
  int expected = MANY - 1, seen = 0;
  for (size_t it = 0; map_next(map, &it, &key, &value); seen++) {
    if (expected == 7) expected--;
    int wanted = seen == MANY - 1 ? 7 : expected--;
    ck_assert_ptr_eq(key, &keys[wanted]);
    ck_assert_ptr_eq(value, &values[wanted]);
  }
  ck_assert_int_eq(seen, MANY);
  arena_free(arena);
}
END_TEST

// A set that stays small must not grow without bound.
START_TEST(removing_and_adding_reuses_room) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  Map *map = map_new(arena);
  for (int i = 0; i < 100; i++) map_set(map, &keys[i], NULL);
  size_t before = 0;
  for (int round = 0; round < 100000; round++) {
    if (round == 1000) before = arena_footprint(arena);
    map_remove(map, &keys[round % 100]);
    map_set(map, &keys[round % 100], &values[round % 100]);
  }
  ck_assert_uint_eq(arena_footprint(arena), before);
  ck_assert_uint_eq(map_count(map), 100);
  arena_free(arena);
}
END_TEST

START_TEST(removing_while_iterating) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  Map *map = map_new(arena);
  for (int i = 0; i < 100; i++) map_set(map, &keys[i], NULL);
  const void *key;
  int seen = 0;
  for (size_t it = 0; map_next(map, &it, &key, NULL); seen++) map_remove(map, key);
  ck_assert_int_eq(seen, 100);
  ck_assert_uint_eq(map_count(map), 0);
  arena_free(arena);
}
END_TEST

START_TEST(vectors_grow) {
  Arena *arena = arena_new((OomHandler){0}, 0);
  VEC(int) vec = {0};
  for (int i = 0; i < 1000; i++) VEC_PUSH(arena, &vec, i);
  ck_assert_uint_eq(vec.count, 1000);
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(vec.items[i], i);
  arena_free(arena);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("map");
  TCase *tests = tcase_create("map");
  tcase_add_test(tests, set_get_remove);
  tcase_add_test(tests, order_is_that_of_insertion);
  tcase_add_test(tests, removing_and_adding_reuses_room);
  tcase_add_test(tests, removing_while_iterating);
  tcase_add_test(tests, vectors_grow);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
