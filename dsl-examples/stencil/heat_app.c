// SPDX-License-Identifier: Apache-2.0
// Lets the heat of a hot edge and two hot spots spread, and shows the plate in characters.
#include <stdio.h>
#include "heat.h"

enum { ROWS = HEAT_U_DIM0, COLUMNS = HEAT_U_DIM1 };
static float plate[2][ROWS * COLUMNS];

static void show(const float *u) {
  static const char shades[] = " .:-=+*#%@";
  for (int i = 0; i < ROWS; i += 8) {
    for (int j = 0; j < COLUMNS; j += 4) {
      int shade = (int)(u[i * COLUMNS + j] / 10);
      putchar(shades[shade < 0 ? 0 : shade > 9 ? 9 : shade]);
    }
    putchar('\n');
  }
}

int main(void) {
  for (int j = 0; j < COLUMNS; j++) plate[0][j] = 100;
  for (int i = 60; i < 90; i++)
    for (int j = 40; j < 70; j++)
      plate[0][i * COLUMNS + j] = plate[0][(i - 20) * COLUMNS + j + 140] = 100;
  int now = 0;
  for (int i = 0; i < 4; i++, now = !now)
    if (heat(NULL, plate[now], plate[!now])) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  show(plate[now]);
  printf("after 400 steps the middle of the left spot is at %.1f degrees\n",
         (double)plate[now][75 * COLUMNS + 55]);
  return 0;
}
