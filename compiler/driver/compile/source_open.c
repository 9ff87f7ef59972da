// SPDX-License-Identifier: Apache-2.0
// A source that the command line names, and the file that was probably meant if there is none: with
// the ending that was left out, without a function behind a colon, or the one beside it whose name
// is nearest.
#include "source_open.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "driver/output/path.h"
#include "python/values/suggest.h"

static const char *const endings[] = {".pk", ".py"};

static bool is_there(Arena *arena, Str path) {
  return access(str_copy(arena, path).data, F_OK) == 0;
}

bool source_has_ending(Str path) {
  for (size_t i = 0; i < COUNT_OF(endings); i++)
    if (str_ends_with(path, str_from_c(endings[i]))) return true;
  return false;
}

static Str without_ending(Str file) {
  for (size_t i = 0; i < COUNT_OF(endings); i++)
    if (file.len > 3 && strncasecmp(file.data + file.len - 3, endings[i], 3) == 0)
      return (Str){file.data, file.len - 3};
  return file;
}

// Names are compared without their endings, which most files share.
static Str nearest(Arena *arena, Str folder, Str name) {
  Suggestion s;
  Str stem = without_ending(name), best = STR("");
  suggestion_init(&s, stem);
  DIR *dir = opendir(folder.len ? str_copy(arena, folder).data : ".");
  if (!dir) return STR("");
  for (struct dirent *entry; (entry = readdir(dir));) {
    Str file = str_copy(arena, str_from_c(entry->d_name)), other = without_ending(file);
    if (other.len == file.len) continue;
    suggestion_try(&s, other);
    bool is_same = other.len == stem.len && // with the other ending, or in capitals
                   strncasecmp(other.data, stem.data, stem.len) == 0;
    if (is_same || s.best.data == file.data) best = file;
    if (is_same) break;
  }
  closedir(dir);
  return best;
}

Str source_meant(Arena *arena, Str path) {
  for (size_t i = 0; i < COUNT_OF(endings); i++) {
    Str longer = str_format(arena, "%.*s%s", STR_FMT(path), endings[i]);
    if (is_there(arena, longer)) return longer;
  }
  const char *colon = memchr(path.data, ':', path.len);
  if (colon && colon > path.data) {
    Str file = {path.data, (size_t)(colon - path.data)};
    if (is_there(arena, file)) return file;
  }
  Str name = path_file_name(path), folder = {path.data, path.len - name.len};
  Str near = nearest(arena, folder, name);
  Str beside = str_format(arena, "%.*s%.*s", STR_FMT(folder), STR_FMT(near));
  return near.len && is_there(arena, beside) ? beside : STR("");
}

SourceFile *source_open(Session *session, Str path) {
  bool is_file = path.len && !memchr(path.data, '\0', path.len) && !str_equal(path, STR("-")) &&
                 !source_given(session, path);
  if (!is_file || is_there(session->arena, path) || errno != ENOENT)
    return source_read(session, path, (Span){0});
  Str meant = source_meant(session->arena, path);
  if (!meant.len) return source_read(session, path, (Span){0});
  Diag *diag = diag_error(session, (Span){0}, "cannot read '%.*s': %s; did you mean '%.*s'?",
                          STR_FMT(path), strerror(ENOENT), STR_FMT(meant));
  // What 'run' and 'check' take is given to the compiler.
  if (path.len > meant.len + 1 && str_starts_with(path, meant) && path.data[meant.len] == ':')
    diag_help(diag, str_format(session->arena, "--entry '%.*s' exports one function of a file",
                               (int)(path.len - meant.len - 1), path.data + meant.len + 1));
  return NULL;
}
