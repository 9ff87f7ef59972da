// SPDX-License-Identifier: Apache-2.0
// Files that are built and installed with the program are found from where it lies itself, so that
// an installation may be moved; in the library, from where that lies.
#define _GNU_SOURCE
#include "installed.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The path of what this code is in: the program or the library. False if the system cannot say.
static bool own_path(char path[PATH_MAX]) {
  Dl_info info;
  struct link_map *map = NULL;
  static const char here = 0;
  bool is_known = dladdr1(&here, &info, (void **)&map, RTLD_DL_LINKMAP) != 0;
  bool is_library = is_known && map && map->l_name[0]; // the program's name there is empty
  return realpath(is_library ? map->l_name : "/proc/self/exe", path) != NULL;
}

Str installed_find(Session *session, size_t count, const char *const *places) {
  char self[PATH_MAX];
  if (!own_path(self)) return STR("");
  size_t length = strlen(self);
  while (length > 0 && self[length - 1] != '/') length--;
  for (size_t i = 0; i < count && length > 0; i++) {
    Str path = str_format(session->arena, "%.*s%s", (int)length, self, places[i]);
    if (access(path.data, R_OK) == 0) return path;
  }
  return STR("");
}

Str installed_identity(Session *session) {
  char self[PATH_MAX];
  struct stat st;
  if (!own_path(self) || stat(self, &st)) return STR(PALLASC_VERSION);
  return str_format(session->arena, "%s %lld %lld.%09ld", self, (long long)st.st_size,
                    (long long)st.st_mtim.tv_sec, st.st_mtim.tv_nsec);
}
