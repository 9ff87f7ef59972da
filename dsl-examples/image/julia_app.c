// SPDX-License-Identifier: Apache-2.0
// Draws a Julia set and writes it as a PNG file.
// link: -lpng
// run: "$folder/julia.png"
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include "julia.h"

enum { HEIGHT = JULIA_OUT_DIM1, WIDTH = JULIA_OUT_DIM2 };
static uint8_t planes[JULIA_OUT_COUNT], pixels[HEIGHT * WIDTH * 3];

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "julia.png";
  const float c[2] = {argc > 3 ? (float)atof(argv[2]) : -0.8f,
                      argc > 3 ? (float)atof(argv[3]) : 0.156f};
  if (julia(NULL, c, planes)) return fprintf(stderr, "%s\n", prt_error_message()), 1;
  for (int i = 0; i < HEIGHT * WIDTH; i++)
    for (int plane = 0; plane < 3; plane++)
      pixels[3 * i + plane] = planes[plane * HEIGHT * WIDTH + i];
  png_image image = {
      .version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
  if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL))
    return fprintf(stderr, "%s: %s\n", path, image.message), 1;
  printf("the Julia set of c = %g%+gi is in %s\n", (double)c[0], (double)c[1], path);
  return 0;
}
