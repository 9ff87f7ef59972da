// SPDX-License-Identifier: Apache-2.0
// libFuzzer: any bytes go through scanner, layout, parser and scopes, as a file and as an
// expression; what comes out is printed, and a printed expression must read back as itself.
#include "in_session.h"

#include "base/buf.h"
#include "syntax/ast.h"

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
  const Str *input = data;
  SourceFile *file = source_add(session, STR("a.pk"), *input, false);
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
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return in_session(data, size, run); }
