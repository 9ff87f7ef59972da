// SPDX-License-Identifier: Apache-2.0
// pallasc's main.
#include <signal.h>

#include "base/process_heap.h"
#include "invocation.h"
#include "numpy/linalg/lapack_cores.h"

int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of writing
  process_heap_use_large_pages();
  lapack_fit_cpu();
  size_t skipped = argc > 0 ? 1 : 0;
  const char *const *args = (const char *const *)argv + skipped;
  return invocation_run(&(Invocation){.count = (size_t)argc - skipped, .args = args});
}
