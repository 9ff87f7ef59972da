// SPDX-License-Identifier: Apache-2.0
// A kernel that is made while the program runs, for a factor that it learns then.
#include <stdio.h>
#include <string.h>
#include "pallasc.h"

static const char source[] = "def kernel(x_ref, o_ref):\n"
                             "  o_ref[...] = x_ref[...] * FACTOR\n"
                             "FACTOR = 1\n"
                             "def scale(x: f32[8, 128]):\n"
                             "  return pl.pallas_call(kernel, out_shape=x)(x)\n";

static int scale_by(const char *factor) {
  const char *arguments[] = {"scale.pk", "-D", factor};
  pallasc_text text = {"scale.pk", source, strlen(source)};
  pallasc_result *made = pallasc_load(3, arguments, 1, &text);
  const prt_entry *scale = made ? pallasc_find_entry(made, "scale") : NULL;
  static float x[8 * 128], out[8 * 128];
  x[3] = 2;
  void *arrays[] = {x, out};
  int status = scale ? (int)scale->call(NULL, arrays) : -1;
  if (status == PRT_OK) printf("%g\n", out[3]);
  if (made) fputs(pallasc_diagnostics(made), stdout);
  pallasc_free(made);
  return status;
}

int main(void) { return scale_by("FACTOR=3") || scale_by("FACTOR=21"); }
