// SPDX-License-Identifier: Apache-2.0
// ast_dump tokens|ast|text|expr FILE…: the front end alone, for tests. `text` prints each
// statement-level expression as expr_text has it, `expr` reads the file as one expression. With
// several files each is announced by a line.
#include <string.h>

#include "base/buf.h"
#include "syntax/ast.h"

typedef struct Request {
  const char *what;
  const char **paths;
  int count;
} Request;

static void put_texts(Session *session, StmtList body, Buf *out) {
  for (size_t i = 0; i < body.count; i++) {
    if (body.items[i]->kind != ST_EXPR) continue;
    buf_str(out, expr_text(session->arena, body.items[i]->value));
    buf_char(out, '\n');
  }
}

static void dump(Session *session, const char *what, SourceFile *file, Buf *out) {
  if (strcmp(what, "tokens") == 0) {
    syntax_print_tokens(session, file, out);
  } else if (strcmp(what, "expr") == 0) {
    Expr *expr = syntax_parse_expression(session, file);
    if (expr) buf_str(out, expr_text(session->arena, expr));
    buf_char(out, '\n');
  } else {
    Module *module = syntax_parse(session, file);
    if (strcmp(what, "ast") == 0) ast_print(module, out);
    if (strcmp(what, "text") == 0) put_texts(session, module->body, out);
  }
}

static int run(Session *session, void *data) {
  const Request *request = data;
  for (int i = 0; i < request->count; i++) {
    size_t errors = session->error_count;
    SourceFile *file = source_read(session, str_from_c(request->paths[i]), (Span){0});
    if (!file) return 3;
    Buf out;
    buf_init(&out, session->arena);
    dump(session, request->what, file, &out);
    if (request->count > 1)
      printf("==== %s %s\n", request->paths[i], session->error_count == errors ? "ok" : "refused");
    if (out.len) fwrite(out.data, 1, out.len, stdout);
  }
  return session->error_count ? 1 : 0;
}

int main(int argc, const char **argv) {
  if (argc < 3) {
    fputs("usage: ast_dump tokens|ast|text|expr|check FILE...\n", stderr);
    return 2;
  }
  Session *session = session_new(0);
  if (!session) return 3;
  Request request = {argv[1], argv + 2, argc - 2};
  int status = session_run(session, run, &request);
  diag_flush(session);
  session_free(session);
  return status;
}
