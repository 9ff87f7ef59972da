// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes go through scanner, layout, parser and scopes, as a file and as an
// expression; what comes out is printed, and a printed expression must read back as itself.
#include <stdlib.h>

#include "base/buf.h"
#include "syntax/ast.h"

typedef struct Input {
  Str text;
} Input;

static void print_diagnostics(Session *session) {
  for (const Diag *diag = session->first_diag; diag; diag = diag->next) {
    ArenaMark mark = arena_mark(session->arena);
    Buf buf;
    buf_init(&buf, session->arena);
    diag_render(session, diag, &buf);
    arena_release(session->arena, mark);
  }
}

static void check_text(Session *session, const Expr *expr) {
  size_t errors = session->error_count;
  Str text = expr_text(session->arena, expr);
  const Expr *again =
      syntax_parse_expression(session, source_add(session, STR("again"), text, false));
  // Parentheses that ast.unparse adds may pass a limit that the source kept.
  if (!again && session->error_count > errors) return;
  if (!str_equal(expr_text(session->arena, again), text))
    BUG("'%.*s' reads back as another text", STR_FMT(text));
}

static int run(Session *session, void *data) {
  const Input *input = data;
  SourceFile *file = source_add(session, STR("a.pk"), input->text, false);
  Buf out;
  buf_init(&out, session->arena);
  syntax_print_tokens(session, file, &out);
  Module *module = syntax_parse(session, file);
  ast_print(module, &out);
  size_t errors = session->error_count;
  const Expr *expr = syntax_parse_expression(session, file);
  if (expr) check_text(session, expr);
  for (size_t i = 0; errors == 0 && i < module->body.count; i++)
    if (module->body.items[i]->kind == ST_EXPR) check_text(session, module->body.items[i]->value);
  print_diagnostics(session);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Session *session = session_new((size_t)1 << 29);
  if (!session) abort();
  Input input = {{(const char *)data, size}};
  session_run(session, run, &input);
  session_free(session);
  return 0;
}
