// SPDX-License-Identifier: Apache-2.0
// Paths. In: what the user wrote. Out: parts of it, or the one path that stands for a file.
#define _GNU_SOURCE
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "path.h"

enum { MOST_LINKS = 40 }; // as the kernel follows

static size_t folder_length(Str path) {
  size_t length = path.len;
  while (length > 0 && path.data[length - 1] != '/') length--;
  return length;
}

Str path_file_name(Str path) {
  size_t folder = folder_length(path);
  return (Str){path.data + folder, path.len - folder};
}

// How long a path is without its ending; a dot at the head of a name does not begin one.
static size_t stem_length(Str path) {
  for (size_t i = path.len; i-- > folder_length(path) + 1;)
    if (path.data[i] == '.') return i;
  return path.len;
}

Str path_replace_ending(Arena *arena, Str path, const char *ending) {
  return str_format(arena, "%.*s%s", (int)stem_length(path), path.data, ending);
}

Str path_with_ending(Arena *arena, Str path, const char *ending) {
  return path_replace_ending(arena, path_file_name(path), ending);
}

static Str real_or_empty(Arena *arena, Str path) {
  char *real = realpath(str_copy(arena, path).data, NULL);
  Str out = str_copy(arena, str_from_c(real ? real : ""));
  free(real);
  return out;
}

// Of a file that is not there yet: where a symbolic link leads, then the folder's real path.
Str path_real(Arena *arena, Str path) {
  path = str_copy(arena, path);
  for (int links = 0; links < MOST_LINKS; links++) {
    Str real = real_or_empty(arena, path);
    if (real.len) return real;
    Str folder = {path.data, folder_length(path)};
    char target[PATH_MAX];
    ssize_t length = readlink(path.data, target, sizeof target);
    if (length < 0) {
      Str name = path_file_name(path),
          parent = real_or_empty(arena, folder.len ? folder : STR("."));
      if (!parent.len) return path;
      bool is_root = parent.len == 1;
      return str_format(arena, "%.*s/%.*s", is_root ? 0 : (int)parent.len, parent.data,
                        STR_FMT(name));
    }
    Str to = {target, (size_t)length};
    path = target[0] == '/' ? str_copy(arena, to)
                            : str_format(arena, "%.*s%.*s", STR_FMT(folder), STR_FMT(to));
  }
  return path;
}

bool path_is_stream(Arena *arena, Str path) {
  struct stat st;
  return stat(str_copy(arena, path).data, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

bool path_is_stdout(Str path) { return str_equal(path, STR("-")); }
