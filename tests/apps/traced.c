// SPDX-License-Identifier: Apache-2.0
// Calls the kernel that a debugger is to stop in.
#include <stdio.h>
#include "traced.h"

int main(void) {
  static float x[GROW_X_COUNT], out[GROW_OUT_COUNT];
  prt_status status = grow(NULL, x, out);
  if (status) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  return out[0] == 1 ? 0 : 1;
}
