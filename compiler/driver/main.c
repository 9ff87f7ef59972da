// SPDX-License-Identifier: Apache-2.0
// pallasc's main.
#include <signal.h>
#include "invocation.h"

int main(int argc, char **argv) {
  // A reader that left and a file that may not grow are errors of writing.
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  size_t skipped = argc > 0 ? 1 : 0;
  const char *const *args = (const char *const *)argv + skipped;
  return invocation_run(&(Invocation){.count = (size_t)argc - skipped, .args = args});
}
