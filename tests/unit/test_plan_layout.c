// SPDX-License-Identifier: Apache-2.0
// Layouts, against memory that has them: elements of a reshape are found one after the other where
// those of the original are.
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include "plan/plan_layout.h"
#include "suite.h"

enum { MOST = 4 };

typedef struct Case {
  int rank;
  int64_t dims[MOST], strides[MOST];
  int new_rank;
  int64_t new_dims[MOST];
  bool is_possible;
} Case;

static const Case cases[] = {
    {2, {4, 6}, {6, 1}, 1, {24}, true},
    {2, {4, 6}, {6, 1}, 3, {2, 2, 6}, true},
    {2, {4, 6}, {6, 1}, 3, {4, 3, 2}, true},
    {2, {4, 6}, {6, 1}, 2, {6, 4}, true},
    {2, {4, 6}, {8, 1}, 1, {24}, false}, // rows with something between them
    {2, {4, 6}, {8, 1}, 2, {8, 3}, false},
    {2, {4, 6}, {8, 1}, 3, {4, 2, 3}, true},
    {2, {4, 6}, {8, 1}, 2, {2, 12}, false},
    {2, {4, 6}, {1, 4}, 1, {24}, false}, // columns first
    {2, {4, 6}, {1, 4}, 3, {2, 2, 6}, true},
    {2, {4, 6}, {1, 4}, 3, {4, 3, 2}, true},
    {2, {4, 6}, {0, 1}, 3, {2, 2, 6}, true}, // rows again and again
    {2, {4, 6}, {0, 1}, 1, {24}, false},
    {2, {4, 6}, {0, 0}, 1, {24}, true},
    {2, {4, 6}, {-6, -1}, 1, {24}, true},
    {2, {4, 6}, {-6, 1}, 1, {24}, false},
    {3, {4, 1, 6}, {6, 99, 1}, 1, {24}, true}, // where it does not matter
    {3, {1, 4, 6}, {99, 6, 1}, 2, {24, 1}, true},
    {2, {4, 6}, {6, 1}, 4, {1, 4, 1, 6}, true},
    {3, {1, 1, 1}, {7, 8, 9}, 0, {0}, true},
    {0, {0}, {0}, 2, {1, 1}, true},
    {3, {2, 3, 4}, {12, 4, 1}, 2, {6, 4}, true},
    {3, {2, 3, 4}, {24, 4, 1}, 2, {2, 12}, true},
    {3, {2, 3, 4}, {24, 4, 1}, 2, {6, 4}, false},
    {3, {2, 3, 4}, {24, 8, 2}, 2, {6, 4}, true},
    {2, {0, 4}, {9, 5}, 2, {2, 0}, true}, // no elements
    {2, {4, 0}, {9, 5}, 3, {0, 7, 2}, true},
};

static Layout layout_of(const Case *c) {
  Layout layout = {.dtype = DT_F32, .rank = (uint8_t)c->rank};
  memcpy(layout.dims, c->dims, sizeof c->dims);
  memcpy(layout.strides, c->strides, sizeof c->strides);
  return layout;
}

static int64_t count_of(const Layout *layout) {
  int64_t count = 1;
  for (int i = 0; i < layout->rank; i++) count *= layout->dims[i];
  return count;
}

// Where element `number` lies.
static int64_t place_of(const Layout *layout, int64_t number) {
  int64_t place = 0;
  for (int i = layout->rank; i-- > 0; number /= layout->dims[i])
    place += number % layout->dims[i] * layout->strides[i];
  return place;
}

START_TEST(reshapes) {
  const Case *c = &cases[_i];
  Layout layout = layout_of(c), out;
  ck_assert_int_eq(layout_reshape(&layout, (size_t)c->new_rank, c->new_dims, &out), c->is_possible);
  if (!c->is_possible) return;
  ck_assert_int_eq(out.dtype, DT_F32);
  ck_assert_int_eq(out.rank, c->new_rank);
  ck_assert_int_eq(count_of(&out), count_of(&layout));
  for (int i = 0; i < c->new_rank; i++) ck_assert_int_eq(out.dims[i], c->new_dims[i]);
  for (int64_t n = 0; n < count_of(&out); n++)
    ck_assert_int_eq(place_of(&out, n), place_of(&layout, n));
}
END_TEST

// Whether each element lies behind the one before.
START_TEST(dense) {
  Layout layout = layout_of(&cases[_i]);
  bool is_dense = true;
  for (int64_t n = 0; n < count_of(&layout); n++) is_dense = is_dense && place_of(&layout, n) == n;
  ck_assert_int_eq(layout_is_dense(&layout), is_dense);
  Layout made = layout_dense(layout.dtype, layout.rank, layout.dims);
  ck_assert(layout_is_dense(&made));
  for (int64_t n = 0; n < count_of(&made); n++) ck_assert_int_eq(place_of(&made, n), n);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("plan_layout");
  TCase *tests = tcase_create("plan_layout");
  tcase_add_loop_test(tests, reshapes, 0, COUNT_OF(cases));
  tcase_add_loop_test(tests, dense, 0, COUNT_OF(cases));
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
