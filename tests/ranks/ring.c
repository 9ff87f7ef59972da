// SPDX-License-Identifier: Apache-2.0
// Calls the ring on a machine whose devices are spread by the transport that the argument names;
// with "local" behind it each rank has its own devices' rows of x alone, and makes its own of out.
#include <stdio.h>
#include <string.h>
#include "ring.h"
static float x[RING_X_COUNT], out[RING_OUT_COUNT];
int main(int argc, char **argv) {
  prt_machine_options o;
  prt_machine_options_init(&o);
  o.devices = 8;
  if (argc > 1) o.transport = argv[1];
  o.local_results = argc > 2;
  prt_machine *m = prt_machine_new(&o);
  if (!m) return puts(prt_error_message()), 1;
  int parts = o.local_results ? prt_machine_ranks(m) : 1,
      part = parts > 1 ? prt_machine_rank(m) : 0;
  int count = RING_X_COUNT / parts, first = part * count;
  for (int i = first; i < first + count; i++) x[i] = i;
  if (ring(m, x, out) != PRT_OK) return puts(prt_error_message()), 1;
  double s = 0;
  int own = RING_OUT_COUNT / parts; // what the others write is not here
  for (int i = part * own; i < (part + 1) * own; i++) s += out[i];
  printf("rank %d of %d: %.9g %g %g\n", prt_machine_rank(m), prt_machine_ranks(m), s * parts,
         out[first], out[first + count - 1]);
  prt_machine_free(m);
  return 0;
}
