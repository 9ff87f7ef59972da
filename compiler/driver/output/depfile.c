// SPDX-License-Identifier: Apache-2.0
// Dependency files for make and ninja.
#include "base/buf.h"
#include "output.h"
#include "path.h"

// As make reads names: blanks and # behind a backslash, $ doubled.
static void put_name(Buf *out, Str name) {
  for (size_t i = 0; i < name.len; i++) {
    char c = name.data[i];
    if (c == ' ' || c == '\t' || c == '#' || c == '\\') {
      bool escapes =
          c != '\\' || (i + 1 < name.len && (name.data[i + 1] == ' ' || name.data[i + 1] == '#'));
      if (escapes) buf_char(out, '\\');
    }
    if (c == '$') buf_char(out, '$');
    buf_char(out, c);
  }
}

// Texts of the command line, <annotation> and "-D NAME", are no files.
static bool is_real(const SourceFile *file) {
  return !file->is_builtin && file->path.len && file->path.data[0] != '<' &&
         !str_starts_with(file->path, STR("-D "));
}

static Str depfile_text(Session *session, Str target, bool phony) {
  Buf out;
  buf_init(&out, session->arena);
  put_name(&out, target);
  buf_char(&out, ':');
  for (size_t i = 0; i < session->files.count; i++) {
    if (!is_real(session->files.items[i])) continue;
    buf_c(&out, " \\\n  ");
    put_name(&out, session->files.items[i]->path);
  }
  buf_char(&out, '\n');
  size_t seen = 0;
  for (size_t i = 0; phony && i < session->files.count; i++) {
    if (!is_real(session->files.items[i]) || seen++ == 0) continue; // not the source itself
    buf_char(&out, '\n');
    put_name(&out, session->files.items[i]->path);
    buf_c(&out, ":\n");
  }
  return buf_view(&out);
}

void depfile_add(Session *session, const Options *o, Str output, Outputs *outputs) {
  if (!o->depfile) return;
  Str target = o->depfile_target.len ? o->depfile_target : output,
      path =
          o->depfile_path.len ? o->depfile_path : path_replace_ending(session->arena, output, ".d");
  outputs_add(outputs, path, depfile_text(session, target, o->depfile_phony));
}
