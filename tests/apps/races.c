// SPDX-License-Identifier: Apache-2.0
// Runs races.pk on four threads, often enough for ThreadSanitizer to see two of them at it.
#include <stdio.h>
#include "races.h"

enum { ROWS = 32, COLUMNS = 256, CALLS = 50 };
static float x[ROWS][COLUMNS], out[ROWS][COLUMNS];

int main(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.devices = 4;
  options.threads = 4;
  prt_machine *machine = prt_machine_new(&options);
  for (int i = 0; i < CALLS; i++) {
    prt_status status = turn(machine, &x[0][0], &out[0][0]);
    if (status == PRT_OK) continue;
    printf("%s\n", prt_error_message());
    return 1;
  }
  prt_machine_free(machine);
  return 0;
}
