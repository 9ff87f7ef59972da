// SPDX-License-Identifier: Apache-2.0
// Orders for qsort.
#pragma once
#include <stdint.h>

static inline int compare_i64(const void *x, const void *y) {
  const int64_t *a = x, *b = y;
  return (*a > *b) - (*a < *b);
}
