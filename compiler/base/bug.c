// SPDX-License-Identifier: Apache-2.0
// BUG(): what happens when the compiler itself is wrong.
#include <stdio.h>
#include <stdlib.h>

#include "base.h"

void bug_at(const char *file, int line, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  fprintf(stderr, "pallasc: internal error at %s:%d: ", file, line);
  vfprintf(stderr, fmt, args);
  fputs("\nThis is a mistake in pallasc itself, whatever the source says; please report it.\n",
        stderr);
  va_end(args);
  abort();
}
