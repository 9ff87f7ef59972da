// SPDX-License-Identifier: Apache-2.0
// Writes the tables of ops in docs/ir.md anew:   ir_doc docs/ir.md
#include "ir_doc.h"

static int run(Session *session, void *data) {
  const char *path = data;
  SourceFile *file = source_read(session, str_from_c(path), (Span){0});
  diag_flush(session);
  if (!file) return 3;
  Str text = ir_doc_update(session->arena, file->text);
  if (!text.len) {
    fprintf(stderr, "%s has no place for the tables\n", path);
    return 1;
  }
  FILE *out = fopen(path, "w");
  if (!out) {
    perror(path);
    return 3;
  }
  fwrite(text.data, 1, text.len, out);
  return fclose(out) ? 3 : 0;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: ir_doc docs/ir.md\n", stderr);
    return 2;
  }
  Session *session = session_new(0);
  int status = session ? session_run(session, run, argv[1]) : 3;
  session_free(session);
  return status;
}
