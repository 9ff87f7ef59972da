// SPDX-License-Identifier: Apache-2.0
// BUG(): what happens when the compiler itself is wrong.
#include <stdio.h>
#include <stdlib.h>

#include "base.h"

static _Thread_local BugTrap *thread_trap;

void bug_trap(BugTrap *trap) { thread_trap = trap; }

void bug_at(const char *file, int line, const char *fmt, ...) {
  BugTrap here, *trap = thread_trap ? thread_trap : &here;
  size_t size = sizeof trap->message;
  int length = snprintf(trap->message, size, "internal error at %s:%d: ", file, line);
  va_list args;
  va_start(args, fmt);
  if (length > 0 && (size_t)length < size)
    vsnprintf(trap->message + length, size - (size_t)length, fmt, args);
  va_end(args);
  if (thread_trap) {
    thread_trap = NULL;
    longjmp(trap->out, 1);
  }
  fprintf(stderr,
          "pallasc: %s\nThis is a mistake in pallasc itself, whatever the source says; please "
          "report it.\n",
          here.message);
  abort();
}
