// SPDX-License-Identifier: Apache-2.0
// Copies of elements, against one element after the other: random shapes and strides, in one piece
// or not, and sums.
#include <check.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "tasks/prt_copy.h"
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

int main(void) {
  Suite *suite = suite_create("prt_copy");
  TCase *tests = tcase_create("prt_copy");
  tcase_add_test(tests, elements);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
