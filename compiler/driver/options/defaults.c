// SPDX-License-Identifier: Apache-2.0
// What options are where the command line does not say it: of the machine, the environment and the
// installation.
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include "base/host.h"
#include "driver/installed.h"
#include "options.h"

#define MAX_COMPILE_MEMORY ((size_t)2 << 30)

// A trace that grows without end must end before the machine does. Running keeps arrays as well.
size_t defaults_memory_limit(Command command) {
  size_t machine = host_memory_bytes();
  if (command != COMMAND_COMPILE) return machine / 5 * 4;
  size_t limit = machine / 4 * 3;
  return limit == 0 || limit > MAX_COMPILE_MEMORY ? MAX_COMPILE_MEMORY : limit;
}

const char *defaults_environment(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

void defaults_add_path(Arena *arena, StrList *dirs) {
  const char *text = defaults_environment("PALLASC_PATH");
  while (*text) {
    size_t length = strcspn(text, ":");
    if (length) VEC_PUSH(arena, dirs, ((Str){text, length}));
    text += length + (text[length] == ':');
  }
}

// The pattern that matches just `path`.
static const char *quote_pattern(Arena *arena, const char *path) {
  char *quoted = ARENA_ARRAY(arena, char, 2 * strlen(path) + 1), *end = quoted;
  for (; *path; path++) {
    if (strchr("*?[\\", *path)) *end++ = '\\';
    *end++ = *path;
  }
  *end = 0;
  return quoted;
}

// Where packages of the active virtual environment of Python are; empty: there is none.
Str defaults_site_packages(Session *session) {
  const char *environment = defaults_environment("VIRTUAL_ENV");
  if (!*environment) return (Str){0};
  Str pattern = str_format(session->arena, "%s/lib/python3*/site-packages",
                           quote_pattern(session->arena, environment));
  glob_t found = {0};
  Str folder = {0};
  if (glob(pattern.data, 0, NULL, &found) == 0)
    folder = str_copy(session->arena, str_from_c(found.gl_pathv[0]));
  globfree(&found);
  return folder;
}

Str defaults_third_party(Session *session) {
  static const char *const places[] = {"third_party", "../" PALLASC_DATADIR "/pallasc/third_party",
                                       "../share/pallasc/third_party",
                                       "../../share/pallasc/third_party"};
  return installed_find(session, COUNT_OF(places), places);
}
