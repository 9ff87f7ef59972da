// SPDX-License-Identifier: Apache-2.0
// A hundred thousand launches over eight devices, with copies between them: memory does not grow.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "devices.h"

enum { ROWS = 64, COLUMNS = 128, WARM = 1000, LAUNCHES = 100000, SLACK_KIB = 512 };
static float x[ROWS][COLUMNS], out[ROWS][COLUMNS];

// What the process has in memory, in KiB; 0 where the system does not say.
static long resident(void) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long kib = 0;
  while (file && fgets(line, sizeof line, file))
    if (strncmp(line, "VmRSS:", 6) == 0) kib = strtol(line + 6, NULL, 10);
  if (file) fclose(file);
  return kib;
}

int main(void) {
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++) x[i][j] = (float)(i + j);
  long before = 0;
  for (int launch = 0; launch < LAUNCHES; launch++) {
    if (launch == WARM) before = resident();
    if (all_reduce(NULL, &x[0][0], &out[0][0]) != PRT_OK) {
      printf("launch %d: %s\n", launch, prt_error_message());
      return 1;
    }
  }
  long after = resident();
  printf("%ld KiB after %d launches, %ld KiB after %d\n", before, WARM, after, LAUNCHES);
  return after > before + SLACK_KIB;
}
