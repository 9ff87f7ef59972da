// SPDX-License-Identifier: Apache-2.0
// Entry points: a file to a tree, a text to an expression, a file to its tokens.
#include "base/buf.h"
#include "base/unicode.h"
#include "ast.h"
#include "layout.h"
#include "literals.h"
#include "mistake.h"
#include "parser.h"

// Whether the text can be read at all: UTF-8 without NUL bytes. Reports the first byte that is not.
static bool is_readable(Session *session, const SourceFile *file, size_t from) {
  Str text = file->text;
  for (size_t at = from; at < text.len;) {
    unsigned char c = (unsigned char)text.data[at];
    size_t begin = at;
    if (c && c < 0x80) {
      at++;
      continue;
    }
    uint32_t code = utf8_decode(text, &at);
    if (code && code != UTF8_BAD) continue;
    Span span = {file->id, (uint32_t)begin, (uint32_t)begin + 1};
    if (code == 0)
      mistake_report(session, MISTAKE_SYNTAX, span, "a NUL byte in the source");
    else if (begin == 0 &&
             (str_starts_with(text, STR("\xff\xfe")) || str_starts_with(text, STR("\xfe\xff"))))
      mistake_report(session, MISTAKE_SYNTAX, span, "the file is in %s; save it as UTF-8",
                     str_starts_with(text, STR("\xff\xfe\0\0")) ? "UTF-32" : "UTF-16");
    else
      mistake_report(session, MISTAKE_SYNTAX, span,
                     "the byte 0x%02x is not UTF-8, which sources are written in", c);
    return false;
  }
  return true;
}

static void parse(Session *session, SourceFile *file, LayoutMode mode, Parser *parser) {
  parser->session = session;
  parser->file = file;
  parser->arena = parser->module->arena;
  size_t errors = session->error_count;
  if (!is_readable(session, file, parser->begin)) return;
  parser->scratch = session_scratch(session);
  ArenaMark mark = arena_mark(parser->scratch);
  parser->layout = layout_new(session, file, parser->begin, parser->scratch, mode);
  pk_parse(parser);
  if (parser->as_count && session->error_count == errors)
    mistake_report(session, MISTAKE_SYNTAX, parser->as_item, "'as' has no meaning here");
  arena_release(parser->scratch, mark);
}

static Module *module_of(Arena *arena, SourceFile *file) {
  Module *module = ARENA_NEW(arena, Module);
  module->arena = arena;
  module->file = file;
  return module;
}

static Module *parse_module(Session *session, SourceFile *file, Arena *arena, Parser parser) {
  size_t errors = session->error_count;
  Module *module = module_of(arena, file);
  parser.module = module;
  parse(session, file, LAYOUT_FILE, &parser);
  if (parser.refused.why)
    mistake_report(session, MISTAKE_SYNTAX, parser.refused.place, "%s", parser.refused.why);
  if (session->error_count == errors) scope_resolve(session, module);
  return module;
}

Module *syntax_parse(Session *session, SourceFile *file) {
  return parse_module(session, file, session->arena, (Parser){.begin = 0});
}

Module *syntax_parse_made(Session *session, SourceFile *file, Arena *arena) {
  return parse_module(session, file, arena, (Parser){.defers_refusals = true});
}

Module *syntax_parse_imported(Session *session, SourceFile *file) {
  return syntax_parse_made(session, file, session->arena);
}

Module *syntax_parse_part(Session *session, SourceFile *file, uint32_t begin, uint32_t end) {
  SourceFile view = *file;
  view.text.len = end;
  Module *module = parse_module(session, &view, session->arena, (Parser){.begin = begin});
  module->file = file;
  return module;
}

Expr *syntax_parse_expression_from(Session *session, SourceFile *file, uint32_t begin) {
  size_t errors = session->error_count;
  Module *module = module_of(session->arena, file);
  Parser parser = {.module = module, .begin = begin};
  parse(session, file, LAYOUT_EXPR, &parser);
  if (session->error_count > errors || !parser.expression) return NULL;
  // Names are looked up as those of a module with this one statement.
  Stmt stmt = {.kind = ST_EXPR, .span = parser.expression->span, .value = parser.expression};
  Stmt *body[] = {&stmt};
  module->body = (StmtList){body, 1};
  scope_resolve(session, module);
  return session->error_count > errors ? NULL : parser.expression;
}

Expr *syntax_parse_expression(Session *session, SourceFile *file) {
  return syntax_parse_expression_from(session, file, 0);
}

// ---- tokens as text ----------------------------------------------------------------------------
static const char *class_of(int kind) {
  switch (kind) {
  case TOK_NAME: return "NAME";
  case TOK_NUMBER: return "NUMBER";
  case TOK_STRING: return "STRING";
  case TOK_POISON: return "ERROR";
  case TOK_FSTRING_START: return "FSTRING_START";
  case TOK_FSTRING_MIDDLE: return "FSTRING_MIDDLE";
  case TOK_FSTRING_END: return "FSTRING_END";
  case TOK_NEWLINE: return "NEWLINE";
  case TOK_INDENT: return "INDENT";
  case TOK_DEDENT: return "DEDENT";
  case TOK_YYEOF: return "END";
  default: return kind >= TOK_AND && kind <= TOK_YIELD ? "KEYWORD" : "OP";
  }
}

static void put_quoted(Buf *out, Str text) {
  buf_char(out, '"');
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.data[i];
    if (c == '"' || c == '\\')
      buf_printf(out, "\\%c", c);
    else if (c == '\n')
      buf_c(out, "\\n");
    else if (c < 0x20 || c == 0x7f)
      buf_printf(out, "\\x%02x", c);
    else
      buf_char(out, (char)c);
  }
  buf_char(out, '"');
}

static void put_token(const SourceFile *file, int kind, Span span, Buf *out) {
  LineCol begin = source_line_col(file, span.begin), end = source_line_col(file, span.end);
  buf_printf(out, "%u:%u-%u:%u %s", begin.line, begin.column, end.line, end.column, class_of(kind));
  bool has_text =
      kind != TOK_NEWLINE && kind != TOK_INDENT && kind != TOK_DEDENT && kind != TOK_YYEOF;
  if (has_text) {
    buf_char(out, ' ');
    put_quoted(out, (Str){file->text.data + span.begin, span.end - span.begin});
  }
  buf_char(out, '\n');
}

void syntax_print_tokens(Session *session, SourceFile *file, Buf *out) {
  if (!is_readable(session, file, 0)) return;
  Arena *scratch = session_scratch(session);
  ArenaMark mark = arena_mark(scratch);
  Layout *layout = layout_new(session, file, 0, scratch, LAYOUT_FILE);
  PK_STYPE value;
  Span span;
  layout_lex(layout, &value, &span); // the start
  int kind;
  do {
    kind = layout_lex(layout, &value, &span);
    put_token(file, kind, span, out);
  } while (kind != TOK_YYEOF);
  arena_release(scratch, mark);
}
