// SPDX-License-Identifier: Apache-2.0
// Runs races.pk on four threads, as often as the argument says: it takes many calls, on a busy
// machine, until two of them are at it.
#include <stdio.h>
#include <stdlib.h>
#include "races.h"

enum { ROWS = 32, COLUMNS = 256 };
static float x[ROWS][COLUMNS], out[ROWS][COLUMNS];

int main(int count, char **arguments) {
  int calls = count > 1 ? atoi(arguments[1]) : 50;
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.devices = 4;
  options.threads = 4;
  prt_machine *machine = prt_machine_new(&options);
  for (int i = 0; i < calls; i++) {
    prt_status status = turn(machine, &x[0][0], &out[0][0]);
    if (status == PRT_OK) continue;
    printf("%s\n", prt_error_message());
    return 1;
  }
  prt_machine_free(machine);
  return 0;
}
