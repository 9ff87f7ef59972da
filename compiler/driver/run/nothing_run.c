// SPDX-License-Identifier: Apache-2.0
// A hint for run and check of a file that defines functions and calls none: nothing has happened,
// and how its functions are called is said.
#include <string.h>
#include "base/buf.h"
#include "program.h"

static bool is_neutral(const Stmt *stmt) {
  switch (stmt->kind) {
  case ST_FUNCTION_DEF:
  case ST_CLASS_DEF:
  case ST_IMPORT:
  case ST_IMPORT_FROM:
  case ST_ASSIGN:
  case ST_ANN_ASSIGN:
  case ST_TYPE_ALIAS:
  case ST_PASS: return true;
  case ST_EXPR: // a text, or a call such as jax.config.update(…)
    return stmt->value->kind == EX_STR ||
           (stmt->value->kind == EX_CALL && stmt->value->call.func->kind == EX_ATTRIBUTE);
  default: return false;
  }
}

// The function that is probably meant to be called: the last one, kernels and helpers come first.
// NULL if the file has statements that do something, or no function.
static const Stmt *only_defines(const Module *module) {
  const Stmt *last = NULL;
  for (size_t i = 0; i < module->body.count; i++) {
    const Stmt *stmt = module->body.items[i];
    if (!is_neutral(stmt)) return NULL;
    if (stmt->kind == ST_FUNCTION_DEF && stmt->function.name->text[0] != '_') last = stmt;
  }
  return last;
}

void hint_nothing_run(Session *session, const Module *module, const char *verb) {
  const Stmt *function = only_defines(module);
  if (!function) return;
  const char *name = function->function.name->text;
  Str path = module->file->path;
  Buf files;
  buf_init(&files, session->arena);
  for (size_t i = 0; i < function->function.params.positional; i++) {
    const Param *param = &function->function.params.items[i];
    if (!param->default_value) buf_printf(&files, " %s.npy", param->name->text);
  }
  Diag *diag = diag_warning(session, WARN_HINT, (Span){module->file->id, 0, 0},
                            "nothing was %s: the file defines functions and calls none", verb);
  diag_note(session, diag, (Span){0}, "'pallasc run %.*s:%s%.*s' calls one on arrays",
            STR_FMT(path), name, STR_FMT(buf_view(&files)));
  if (strcmp(verb, "checked"))
    diag_note(session, diag, (Span){0},
              "'pallasc check %.*s' calls those whose array parameters are annotated, on made-up "
              "inputs, with every check on",
              STR_FMT(path));
  else
    diag_note(session, diag, (Span){0},
              "functions whose array parameters are annotated are called on made-up inputs: 'def "
              "%s(%s: f32[512, 512]):'",
              name,
              function->function.params.positional ? function->function.params.items[0].name->text
                                                   : "x");
  diag_note(session, diag, (Span){0}, "or call it in the file, as in print(%s(…))", name);
}
