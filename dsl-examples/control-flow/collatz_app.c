// SPDX-License-Identifier: Apache-2.0
// Finds the number below 4097 that takes longest to come to one.
#include <stdio.h>
#include "collatz.h"

static int32_t n[COLLATZ_N_COUNT], steps[COLLATZ_OUT_COUNT];

int main(void) {
  for (int i = 0; i < COLLATZ_N_COUNT; i++) n[i] = i + 1;
  if (collatz(NULL, n, steps)) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  int longest = 0;
  for (int i = 1; i < COLLATZ_N_COUNT; i++)
    if (steps[i] > steps[longest]) longest = i;
  printf("%d takes %d steps, 27 takes %d\n", n[longest], steps[longest], steps[26]);
  return steps[26] == 111 ? 0 : 1;
}
