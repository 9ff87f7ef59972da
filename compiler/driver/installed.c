// SPDX-License-Identifier: Apache-2.0
// Files that are built and installed with the program are found from where it lies itself, so that
// an installation may be moved.
#define _GNU_SOURCE
#include "installed.h"
#include <unistd.h>

Str installed_find(Session *session, size_t count, const char *const *places) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  while (length > 0 && self[length - 1] != '/') length--;
  for (size_t i = 0; i < count && length > 0; i++) {
    Str path = str_format(session->arena, "%.*s%s", (int)length, self, places[i]);
    if (access(path.data, R_OK) == 0) return path;
  }
  return STR("");
}
