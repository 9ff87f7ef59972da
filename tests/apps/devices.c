// SPDX-License-Identifier: Apache-2.0
// Functions over eight devices take and give global arrays; the runtime runs the devices.
#include <stdio.h>
#include <stdlib.h>
#include "devices.h"

enum { ROWS = 64, COLUMNS = 128, DEVICES = 8, PART = ROWS / DEVICES };
static float x[ROWS][COLUMNS], out[ROWS][COLUMNS];

static void expect(int condition, const char *what) {
  if (condition) return;
  printf("%s: %s\n", what, prt_error_message());
  exit(1);
}

static void run_on(prt_machine *machine) {
  for (int again = 0; again < 3; again++) {
    for (int i = 0; i < ROWS; i++)
      for (int j = 0; j < COLUMNS; j++) x[i][j] = (float)(i * 3 + j + again), out[i][j] = -1;
    expect(all_reduce(machine, &x[0][0], &out[0][0]) == PRT_OK, "all_reduce");
    float sum = 0, whole = 0;
    for (int i = 0; i < ROWS; i++) {
      for (int j = 0; j < COLUMNS; j++) {
        float want = 0;
        for (int d = 0; d < DEVICES; d++) want += x[d * PART + i % PART][j];
        expect(out[i][j] == want, "the values of all_reduce");
        whole += x[i][j];
      }
    }
    expect(total(machine, &x[0][0], &sum) == PRT_OK && sum == whole, "total");
  }
}

int main(void) {
  run_on(NULL);
  for (int seed = 0; seed < 6; seed++) {
    prt_machine_options options;
    prt_machine_options_init(&options);
    options.devices = DEVICES;
    options.threads = seed + 1;
    options.seeded = seed > 2;
    options.seed = (uint64_t)seed;
    prt_machine *machine = prt_machine_new(&options);
    expect(machine != NULL, "a machine");
    run_on(machine);
    prt_machine_free(machine);
  }
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.devices = 4;
  prt_machine *small = prt_machine_new(&options);
  expect(all_reduce(small, &x[0][0], &out[0][0]) == PRT_ERROR_MACHINE, "four devices are too few");
  prt_machine_free(small);
  expect(prt_entry_all_reduce.devices == DEVICES, "the descriptor's devices");
  return 0;
}
