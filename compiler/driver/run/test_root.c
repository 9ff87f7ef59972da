// SPDX-License-Identifier: Apache-2.0
// Which folder is that of the project: the first one upwards that has settings for pytest, or else
// a pyproject.toml, or else a setup.py.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "test_root.h"

// Files with settings, and the sections that they stand in; NULL: any such file has them.
static const struct {
  const char *name, *section;
} settings_files[] = {{"pytest.toml", NULL},
                      {".pytest.toml", NULL},
                      {"pytest.ini", NULL},
                      {".pytest.ini", NULL},
                      {"pyproject.toml", "[tool.pytest"},
                      {"tox.ini", "[pytest]"},
                      {"setup.cfg", "[tool:pytest]"}};

static bool has_file(const char *folder, const char *name, const char *section) {
  char path[PATH_MAX + 32], line[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (!section) return access(path, F_OK) == 0;
  FILE *file = fopen(path, "r");
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file))
    found = strncmp(line, section, strlen(section)) == 0;
  if (file) fclose(file);
  return found;
}

static bool has_settings_in(const char *folder) {
  for (size_t i = 0; i < COUNT_OF(settings_files); i++)
    if (has_file(folder, settings_files[i].name, settings_files[i].section)) return true;
  return false;
}

static bool has_pyproject(const char *folder) { return has_file(folder, "pyproject.toml", NULL); }
static bool has_setup(const char *folder) { return has_file(folder, "setup.py", NULL); }

// False where there is none above.
static bool go_up(char *folder) {
  char *slash = strrchr(folder, '/');
  if (!slash || !folder[1]) return false;
  slash[slash == folder ? 1 : 0] = 0;
  return true;
}

static bool find_up(const char *start, bool (*is_it)(const char *folder), char *out) {
  strcpy(out, start);
  do
    if (is_it(out)) return true;
  while (go_up(out));
  return false;
}

static bool is_in(const char *path, const char *folder) {
  size_t length = strlen(folder);
  return !folder[1] || (strncmp(path, folder, length) == 0 && strchr("/", path[length]));
}

static void join(char *common, const char *path) {
  while (!is_in(path, common) && go_up(common)) {
  }
}

// The folder that all of them are in, each a folder or a file.
static void common_folder(Arena *arena, const StrList *inputs, char *out) {
  out[0] = 0;
  for (size_t i = 0; i < inputs->count; i++) {
    char real[PATH_MAX];
    const char *path = str_copy(arena, inputs->items[i]).data, *node = strstr(path, "::");
    if (node) path = str_copy(arena, (Str){path, (size_t)(node - path)}).data;
    if (!realpath(path, real)) continue;
    if (has_file(real, ".", NULL) || go_up(real)) { // of a file its folder
      if (out[0])
        join(out, real);
      else
        strcpy(out, real);
    }
  }
}

Str test_root(Arena *arena, const StrList *inputs, bool *has_settings) {
  char here[PATH_MAX], start[PATH_MAX], root[PATH_MAX];
  *has_settings = false;
  if (!getcwd(here, sizeof here)) return STR("");
  common_folder(arena, inputs, start);
  if (!start[0]) strcpy(start, here);
  *has_settings = find_up(start, has_settings_in, root);
  if (!*has_settings && !find_up(start, has_pyproject, root) && !find_up(start, has_setup, root)) {
    strcpy(root, start);
    join(root, here);
  }
  return strcmp(root, here) == 0 ? STR("") : str_copy(arena, str_from_c(root));
}
