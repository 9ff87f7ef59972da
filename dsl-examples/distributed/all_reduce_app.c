// SPDX-License-Identifier: Apache-2.0
// Eight devices average their gradients, from C: the function takes the devices' arrays one behind
// the other, and the machine has eight devices.
#include <stdio.h>
#include <stdlib.h>
#include "all_reduce.h"

enum { DEVICES = 8, EACH = ALL_REDUCE_X_COUNT / DEVICES };
static float gradients[ALL_REDUCE_X_COUNT], sums[ALL_REDUCE_OUT_COUNT];

int main(void) {
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.devices = DEVICES;
  prt_machine *machine = prt_machine_new(&options);
  if (!machine) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  for (int device = 0; device < DEVICES; device++)
    for (int i = 0; i < EACH; i++) gradients[device * EACH + i] = (float)(i % 100 + device);
  prt_status status = all_reduce(machine, gradients, sums);
  if (status) fprintf(stderr, "%s\n", prt_error_message());
  prt_machine_free(machine);
  if (status) return 1;
  int wrong = 0;
  for (int device = 0; device < DEVICES; device++)
    for (int i = 0; i < EACH; i++)
      wrong +=
          sums[device * EACH + i] != (float)(DEVICES * (i % 100) + DEVICES * (DEVICES - 1) / 2);
  printf("%d devices of %d numbers each: device 5 has %g at 42, %d wrong\n", DEVICES, EACH,
         sums[5 * EACH + 42], wrong);
  return wrong != 0;
}
