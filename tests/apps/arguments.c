// SPDX-License-Identifier: Apache-2.0
// Arguments that overlap an output, or are not aligned: a status where calls are checked. Two
// inputs may be one array. With "unchecked" all calls go through.
#include <stdio.h>
#include <string.h>
#include "arguments.h"

static int failures;

static void expect(prt_status status, const char *message) {
  const char *said = status ? prt_error_message() : "";
  if (message ? status == PRT_ERROR_ARGUMENT && strstr(said, message) != NULL : status == PRT_OK)
    return;
  printf("%s instead of %s\n", status ? said : "PRT_OK", message ? message : "PRT_OK");
  failures++;
}

int main(int argc, char **argv) {
  static float memory[4 * ADD_X_COUNT];
  static char bytes[ADD_X_COUNT * sizeof(float) + 8];
  float *x = memory, *y = memory + ADD_X_COUNT, *out = memory + 2 * ADD_X_COUNT;
  int is_checked = argc < 2 || strcmp(argv[1], "unchecked") != 0;
  expect(add(NULL, x, y, out), NULL);
  expect(add(NULL, x, x, out), NULL);
  expect(add(NULL, x, x + 8, out), NULL);
  expect(add(NULL, x, y, y + ADD_X_COUNT), NULL); // side by side
  if (is_checked) {
    expect(add(NULL, x, y, x), "add: arguments 'out' and 'x' overlap");
    expect(add(NULL, x, y, y + ADD_X_COUNT - 1), "add: arguments 'out' and 'y' overlap");
    expect(add(NULL, x + 1, y + ADD_X_COUNT, x + ADD_X_COUNT - 7), "'out' and 'x' overlap");
    expect(both(NULL, x, y, y + 8), "both: arguments 'out0' and 'out1' overlap");
    void *odd = bytes + ((size_t)bytes % 2 ? 2 : 1);
    void *arguments[] = {x, odd, out};
    expect(prt_entry_add.call(NULL, arguments), "add: argument 'y' is at");
    if (strstr(prt_error_message(), "no multiple of 4, the size of float32") == NULL) failures++;
    expect(add(NULL, x, y, out), NULL); // nothing is left of what was refused
  } else {
    expect(add(NULL, x, y, x), NULL);
  }
  expect(add(NULL, NULL, y, out), "argument 'x' is NULL");
  return failures != 0;
}
