// SPDX-License-Identifier: Apache-2.0
// Source files: read once, with a table of their lines; spans of bytes as lines and columns.
#include "source.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

#define MAX_SOURCE ((size_t)1 << 30)

// The end of the line that begins at `at`, its terminator included: "\n", "\r\n" or "\r", as Python
// reads them. `has_returns`: whether there is any "\r".
static size_t line_end(Str text, size_t at, bool has_returns) {
  if (!has_returns) {
    const char *end = memchr(text.data + at, '\n', text.len - at);
    return end ? (size_t)(end - text.data) + 1 : text.len;
  }
  size_t i = at;
  while (i < text.len && text.data[i] != '\n' && text.data[i] != '\r') i++;
  if (i + 1 < text.len && text.data[i] == '\r' && text.data[i + 1] == '\n') return i + 2;
  return i < text.len ? i + 1 : i;
}

static void index_lines(Arena *arena, SourceFile *file) {
  Str text = file->text;
  bool has_returns = text.len && memchr(text.data, '\r', text.len);
  size_t count = 1;
  for (size_t at = 0; at < text.len; at = line_end(text, at, has_returns)) count++;
  file->line_starts.items = ARENA_ARRAY(arena, uint32_t, count);
  file->line_starts.capacity = count;
  size_t lines = 0, at = 0;
  do {
    file->line_starts.items[lines++] = (uint32_t)at;
    at = line_end(text, at, has_returns);
  } while (at < text.len);
  // After a final newline there is one more line, empty: the place of the end of the file.
  if (at > 0 && (text.data[at - 1] == '\n' || text.data[at - 1] == '\r'))
    file->line_starts.items[lines++] = (uint32_t)at;
  file->line_starts.count = lines;
}

// `text` is NUL-terminated and lives as long as the session.
static SourceFile *add_owned(Session *session, Str path, Str text, bool is_builtin) {
  if (text.len >= UINT32_MAX) BUG("a source text of %zu bytes", text.len);
  SourceFile *file = ARENA_NEW(session->arena, SourceFile);
  file->path = file->absolute = str_copy(session->arena, path);
  file->text = text;
  file->is_builtin = is_builtin;
  index_lines(session->arena, file);
  VEC_PUSH(session->arena, &session->files, file);
  file->id = (uint32_t)session->files.count;
  return file;
}

SourceFile *source_add(Session *session, Str path, Str text, bool is_builtin) {
  return add_owned(session, path, is_builtin ? text : str_copy(session->arena, text), is_builtin);
}

static SourceFile *refuse(Session *session, Str path, Span from, const char *reason) {
  diag_error(session, from, "cannot read '%.*s': %s", STR_FMT(path), reason);
  return NULL;
}

// All of a stream, into a buffer that starts with room for `expected` bytes. False: see errno; 0
// there is "too large".
static bool read_all(Arena *arena, FILE *in, size_t expected, Str *out) {
  size_t capacity = expected < 4096 ? 4096 : expected + 1, len = 0; // one more, to see the end
  char *data = arena_alloc(arena, capacity + 1);
  for (;;) {
    errno = 0;
    size_t got = fread(data + len, 1, capacity - len, in);
    len += got;
    if (len > MAX_SOURCE) {
      errno = 0;
      return false;
    }
    if (ferror(in)) {
      if (!errno) errno = EIO;
      return false;
    }
    if (len < capacity) break;
    char *larger = arena_alloc(arena, capacity * 2 + 1);
    memcpy(larger, data, len);
    data = larger;
    capacity *= 2;
  }
  data[len] = '\0';
  *out = (Str){data, len};
  return true;
}

const SourceText *source_given(const Session *session, Str path) {
  for (size_t i = 0; i < session->text_count; i++)
    if (str_equal(session->texts[i].path, path)) return &session->texts[i];
  return NULL;
}

SourceFile *source_read(Session *session, Str path, Span from) {
  const SourceText *given = source_given(session, path);
  if (given && given->text.len > MAX_SOURCE)
    return refuse(session, path, from, "it is larger than 1 GiB");
  if (given) return source_add(session, path, given->text, given->is_builtin);
  bool is_stdin = str_equal(path, STR("-"));
  if (path.len && memchr(path.data, '\0', path.len))
    return refuse(session, path, from, "the path holds a NUL byte");
  errno = 0;
  FILE *in = is_stdin ? stdin : fopen(str_copy(session->arena, path).data, "rb");
  if (!in) return refuse(session, path, from, strerror(errno));
  struct stat facts;
  bool is_known = fstat(fileno(in), &facts) == 0;
  const char *reason = NULL;
  Str text = STR("");
  if (is_known && S_ISDIR(facts.st_mode)) {
    reason = strerror(EISDIR);
  } else {
    size_t expected = is_known && S_ISREG(facts.st_mode) ? (size_t)facts.st_size : 0;
    errno = 0;
    if (expected > MAX_SOURCE || !read_all(session->arena, in, expected, &text))
      reason = errno ? strerror(errno) : "it is larger than 1 GiB";
  }
  if (!is_stdin) fclose(in);
  if (reason) return refuse(session, path, from, reason);
  Str unknown;
  text = source_decode(session->arena, text, &unknown);
  if (unknown.len)
    return refuse(session, path, from,
                  str_format(session->arena,
                             "a comment says that it is in '%.*s'; sources are read in UTF-8, "
                             "ASCII and Latin-1",
                             STR_FMT(unknown))
                      .data);
  SourceFile *file = add_owned(session, is_stdin ? STR("<stdin>") : path, text, false);
  char folder[PATH_MAX];
  if (!is_stdin && path.data[0] != '/' && getcwd(folder, sizeof folder))
    file->absolute = str_format(session->arena, "%s/%.*s", folder, STR_FMT(path));
  return file;
}

SourceFile *source_get(const Session *session, uint32_t id) {
  if (id == 0) return NULL;
  if (id > session->files.count) BUG("no source file %u", id);
  return session->files.items[id - 1];
}

bool source_is_users(const Session *session, Span span) {
  const SourceFile *file = source_get(session, span.file);
  return file && !file->is_builtin;
}

LineCol source_line_col(const SourceFile *file, uint32_t offset) {
  size_t low = 0, high = file->line_starts.count; // the line is in [low, high)
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (file->line_starts.items[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return (LineCol){(uint32_t)low + 1, offset - file->line_starts.items[low] + 1};
}

Str source_line(const SourceFile *file, uint32_t line) {
  if (line == 0 || line > file->line_starts.count) return STR("");
  size_t begin = file->line_starts.items[line - 1];
  size_t end = line < file->line_starts.count ? file->line_starts.items[line] : file->text.len;
  while (end > begin && (file->text.data[end - 1] == '\n' || file->text.data[end - 1] == '\r'))
    end--;
  return (Str){file->text.data + begin, end - begin};
}
