// SPDX-License-Identifier: Apache-2.0
// An object compiled with checks: what it finds comes as a status and through on_finding.
#include <stdio.h>
#include <string.h>
#include "found.h"

typedef struct Heard {
  int count, line;
  char message[200], launch[40];
} Heard;

static void hear(void *data, const prt_finding *finding) {
  Heard *heard = data;
  heard->count++;
  heard->line = finding->site->line;
  snprintf(heard->message, sizeof heard->message, "%s", finding->message);
  snprintf(heard->launch, sizeof heard->launch, "%s", finding->launch ? finding->launch : "");
}

int main(void) {
  static float x[TAKE_ROW_X_COUNT], out[TAKE_ROW_OUT_COUNT];
  Heard heard = {0};
  prt_machine_options options;
  prt_machine_options_init(&options);
  options.on_finding = hear;
  options.data = &heard;
  prt_machine *machine = prt_machine_new(&options);
  int32_t row = 3;
  x[3 * 128] = 42;
  if (take_row(machine, &row, x, out) != PRT_OK || out[0] != 42 || heard.count)
    return puts("row 3"), 1;
  row = 8;
  if (take_row(machine, &row, x, out) != PRT_ERROR_CHECK || out[0] != 0) return puts("row 8"), 1;
  if (heard.count != 1 || heard.line != 4 || strcmp(heard.launch, "kernel"))
    return puts("place"), 1;
  if (strcmp(heard.message,
             "index 8 is out of bounds for dimension 0 of 'x_ref', which has size 8"))
    return puts(heard.message), 1;
  if (!strstr(prt_error_message(), "found.pk:4:")) return puts(prt_error_message()), 1;
  prt_machine_free(machine);
  return 0;
}
