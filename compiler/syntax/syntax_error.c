// SPDX-License-Identifier: Apache-2.0
// From the parser's stack and the tokens that would have fitted to a sentence. Rules are tried in
// order, the most particular first; each looks at the token found, the one before it, and the
// construct being read.
#include "base/buf.h"
#include "build_node.h"
#include "parser.h"
#include "syntax_error.h"

#include <string.h>

#include "layout.h"

#define MAX_QUOTED 40

typedef struct Situation {
  Parser *parser;
  const SyntaxError *error;
  const Token *found, *before;
  const char *construct; // the innermost keyword or open bracket being read, as parser.y names it;
                         // NULL if none
  size_t construct_at;   // its place on the stack
  bool wants_value;      // an expression has to come
  bool has_value;        // an expression has come, and an operator could go on with it
} Situation;

// ---- looking -----------------------------------------------------------------------------------
static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool expects(const SyntaxError *error, const char *name) {
  return is_one_of(name, error->expected, error->expected_count);
}

static bool is_construct(const Situation *s, const char *name) {
  return s->construct && strcmp(s->construct, name) == 0;
}

static const char *stack_name(const SyntaxError *error, size_t at) {
  return at < error->stack_count ? error->stack[at] : "";
}

static bool is_open_bracket(const char *name) {
  static const char *const names[] = {"'('", "'['", "'{'", "'{' in an f-string"};
  return is_one_of(name, names, COUNT_OF(names));
}

static bool is_close_bracket(const char *name) {
  static const char *const names[] = {"')'", "']'", "'}'", "'}' in the f-string"};
  return is_one_of(name, names, COUNT_OF(names));
}

static void find_construct(Situation *s) {
  static const char *const keywords[] = {
      "if",   "elif",   "else",     "while",  "for",    "with",  "def",    "class",
      "try",  "except", "finally",  "lambda", "match",  "case",  "return", "import",
      "from", "global", "nonlocal", "del",    "assert", "raise", "type"};
  const SyntaxError *error = s->error;
  unsigned closed = 0; // brackets that are closed already
  for (size_t i = 0; i < error->stack_count; i++) {
    const char *name = error->stack[i];
    if (is_close_bracket(name)) closed++;
    if (is_open_bracket(name) && closed) {
      closed--;
      continue;
    }
    if (strcmp(name, "block") == 0 || strcmp(name, "stmts") == 0 ||
        strcmp(name, "the end of the line") == 0)
      return;
    if (!is_open_bracket(name) && !is_one_of(name, keywords, COUNT_OF(keywords))) continue;
    s->construct = name;
    s->construct_at = i;
    return;
  }
}

static Situation look(Parser *parser, const SyntaxError *error) {
  Situation s = {.parser = parser, .error = error};
  s.found = layout_recent(parser->layout, 0);
  s.before = layout_recent(parser->layout, 1);
  find_construct(&s);
  s.has_value = expects(error, "'+'") && expects(error, "==") && !expects(error, "a number");
  s.wants_value = expects(error, "a number") && expects(error, "'['");
  return s;
}

// ---- words -------------------------------------------------------------------------------------
static Str source_of(const Parser *parser, Span span) {
  return (Str){parser->file->text.data + span.begin, span.end - span.begin};
}

static bool is_text(const Situation *s, const Token *token, const char *text) {
  return str_equal(source_of(s->parser, token->span), str_from_c(text));
}

static bool is_keyword(int kind) { return kind >= TOK_AND && kind <= TOK_YIELD; }

// The token in quotes, or in words: "'lambda'", "a string", "the end of the line".
static Str describe(const Situation *s, const Token *token) {
  Arena *arena = s->parser->scratch;
  switch (token->kind) {
  case TOK_YYEOF: return STR("the end of the file");
  case TOK_NEWLINE: return STR("the end of the line");
  case TOK_INDENT: return STR("an indented block");
  case TOK_DEDENT: return STR("the end of the block");
  case TOK_START_FILE:
  case TOK_START_EXPR: return STR("the beginning");
  case TOK_STRING: return STR("a string");
  case TOK_FSTRING_START: return STR("an f-string");
  case TOK_FSTRING_MIDDLE: return STR("the text of an f-string");
  case TOK_FSTRING_END: return STR("the end of the f-string");
  default: {
    Str text = source_of(s->parser, token->span);
    if (text.len > MAX_QUOTED) return str_format(arena, "'%.*s…'", MAX_QUOTED, text.data);
    return str_format(arena, "'%.*s'", STR_FMT(text));
  }
  }
}

#define TELL(s, span, ...) (build__syntax_error((s)->parser, (span), __VA_ARGS__), true)

// ---- rules: each reports and returns true, or does not apply ------------------------------------
// "else" and its like where no statement waits for them.
static bool report_stray_clause(const Situation *s) {
  static const struct {
    int kind;
    const char *message;
  } clauses[] = {
      {TOK_ELSE, "'else' without an 'if', 'for', 'while' or 'try' at the same indentation"},
      {TOK_ELIF, "'elif' without an 'if' at the same indentation"},
      {TOK_EXCEPT, "'except' without a 'try' at the same indentation"},
      {TOK_FINALLY, "'finally' without a 'try' at the same indentation"},
  };
  if (!layout_is_line_mark(s->before->kind)) return false;
  for (size_t i = 0; i < COUNT_OF(clauses); i++) {
    if (clauses[i].kind != s->found->kind) continue;
    // The statement it belongs to may be one that could not be read.
    if (s->parser->recovered_column == s->found->column + 1) return true;
    return TELL(s, s->found->span, "%s", clauses[i].message);
  }
  return false;
}

static bool report_python2(const Situation *s) {
  bool is_print = s->before->kind == TOK_NAME &&
                  (is_text(s, s->before, "print") || is_text(s, s->before, "exec"));
  int kind = s->found->kind;
  if (is_print && layout_line(s->parser->layout)->span.begin == s->before->span.begin &&
      (kind == TOK_NAME || kind == TOK_STRING || kind == TOK_NUMBER || kind == TOK_FSTRING_START))
    return TELL(s, span_join(s->before->span, s->found->span),
                "missing parentheses in the call of '%.*s'; it is a function",
                STR_FMT(source_of(s->parser, s->before->span)));
  if (is_construct(s, "except") && kind == ',')
    return TELL(
        s, s->found->span,
        "several exceptions stand in parentheses: 'except (A, B)'; a name comes after 'as'");
  if (is_construct(s, "raise") && kind == ',')
    return TELL(s, s->found->span, "'raise' takes one exception: write 'raise Error(message)'");
  return false;
}

static bool report_condition(const Situation *s) {
  if (s->found->kind != '=' || !expects(s->error, "':'")) return false;
  if (!is_construct(s, "if") && !is_construct(s, "elif") && !is_construct(s, "while")) return false;
  return TELL(s, s->found->span, "'=' in the condition of '%s'; did you mean '==', or ':='?",
              s->construct);
}

static bool report_keyword_name(const Situation *s) {
  if (!is_keyword(s->found->kind) || !expects(s->error, "a name") || s->wants_value) return false;
  if (s->has_value || s->found->kind == TOK_MATCH || s->found->kind == TOK_CASE ||
      s->found->kind == TOK_TYPE)
    return false;
  return TELL(s, s->found->span, "%.*s is a keyword and cannot be a name",
              STR_FMT(describe(s, s->found)));
}

static bool report_field(const Situation *s) {
  if (!is_construct(s, "'{' in an f-string")) return false;
  if (s->found->kind == TOK_FIELD_END || s->found->kind == TOK_SPEC_COLON ||
      s->found->kind == '!') {
    if (s->before->kind == TOK_FIELD_BEGIN)
      return TELL(s, span_join(s->before->span, s->found->span), "an empty field in an f-string");
    if (s->wants_value) return false;
  }
  if (s->has_value)
    return TELL(s, s->found->span, "expected '}', '!', ':' or '=' in the f-string before %.*s",
                STR_FMT(describe(s, s->found)));
  return false;
}

// Inside brackets, after a complete item.
static bool report_bracket(const Situation *s) {
  if (!s->construct || !is_open_bracket(s->construct)) return false;
  const Bracket *bracket = layout_bracket(s->parser->layout);
  bool is_closer = s->found->kind == ')' || s->found->kind == ']' || s->found->kind == '}';
  // A line that begins at the statement's own indentation looks like the next statement.
  const Token *begin = s->found->kind == '=' ? s->before : s->found;
  if (bracket && begin->is_first && !is_closer &&
      begin->column <= layout_line(s->parser->layout)->column)
    return TELL(s, bracket->span, "unclosed '%c'", bracket->open);
  if (!s->has_value) return false;
  const char *open = s->construct;
  const char *close = open[1] == '(' ? ")" : open[1] == '[' ? "]" : "}";
  Str found = describe(s, s->found);
  if (expects(s->error, "else"))
    return TELL(s, s->found->span, "expected 'else' of the conditional expression before %.*s",
                STR_FMT(found));
  if (expects(s->error, "','") && s->found->is_first) { // the place is the end of the line before
    Span end = {s->before->span.file, s->before->span.end, s->before->span.end};
    return TELL(s, end, "expected ',' or '%s' after %.*s", close, STR_FMT(describe(s, s->before)));
  }
  if (expects(s->error, "','"))
    return TELL(s, s->found->span, "expected ',' or '%s' before %.*s", close, STR_FMT(found));
  if (expects(s->error, "':'") && open[1] == '{')
    return TELL(s, s->found->span, "expected ':' after the key of the dict before %.*s",
                STR_FMT(found));
  return TELL(s, s->found->span, "expected '%s' before %.*s", close, STR_FMT(found));
}

// What comes before the ':' of a compound statement, in words; NULL if `at` is not one's keyword.
static const char *header_of(const Situation *s) {
  static const struct {
    const char *keyword, *words;
  } headers[] = {
      {"elif", "the condition of 'elif'"},
      {"while", "the condition of 'while'"},
      {"for", "the iterable of 'for'"},
      {"with", "the items of 'with'"},
      {"class", "the head of 'class'"},
      {"except", "the exception of 'except'"},
      {"lambda", "the parameters of 'lambda'"},
      {"match", "the subject of 'match'"},
      {"case", "the pattern of 'case'"},
      {"else", "'else'"},
      {"try", "'try'"},
      {"finally", "'finally'"},
      {"def", "the head of 'def'"},
  };
  const char *below = stack_name(s->error, s->construct_at + 1);
  if (is_construct(s, "if")) {
    if (strcmp(below, "disjunction") == 0) return NULL;
    return strcmp(below, "case_pattern") == 0 ? "the guard of 'case'" : "the condition of 'if'";
  }
  if (is_construct(s, "else") && strcmp(below, "disjunction") == 0) return NULL;
  for (size_t i = 0; i < COUNT_OF(headers); i++)
    if (is_construct(s, headers[i].keyword)) return headers[i].words;
  return NULL;
}

static bool report_header(const Situation *s) {
  if (!s->construct || is_open_bracket(s->construct)) return false;
  Str found = describe(s, s->found);
  const SyntaxError *error = s->error;
  if (expects(error, "else") && s->has_value)
    return TELL(s, s->found->span, "expected 'else' of the conditional expression before %.*s",
                STR_FMT(found));
  if (is_construct(s, "for") && expects(error, "in") && !expects(error, "=="))
    return TELL(s, s->found->span, "expected 'in' after the target of 'for', before %.*s",
                STR_FMT(found));
  if (is_construct(s, "def") && expects(error, "'('"))
    return TELL(s, s->found->span, "expected '(' after the name of the function");
  if (is_construct(s, "from") && expects(error, "import") && s->before->kind == TOK_NAME)
    return TELL(s, s->found->span, "expected 'import' after the name of the module");
  const char *words = header_of(s);
  if (!words || !expects(error, "':'") || s->wants_value) return false;
  if (is_construct(s, "else") && s->found->kind == TOK_IF)
    return TELL(s, s->found->span, "expected ':' after 'else'; did you mean 'elif'?");
  if (s->construct_at == 0) return TELL(s, s->found->span, "expected ':' after '%s'", s->construct);
  Span after = {s->before->span.file, s->before->span.end, s->before->span.end + 1};
  bool at_end = s->found->kind == TOK_NEWLINE;
  return TELL(s, at_end ? after : s->found->span, "expected ':' after %s", words);
}

// i++ and i--
static bool is_step(const Situation *s) {
  Span span = s->before->span;
  char sign = s->parser->file->text.data[span.begin];
  return (sign == '+' || sign == '-') && span.end == span.begin + 1 && span.begin > 0 &&
         s->parser->file->text.data[span.begin - 1] == sign;
}

static bool report_value(const Situation *s) {
  if (!s->wants_value) return false;
  Str before = describe(s, s->before), found = describe(s, s->found);
  Span span = s->found->span;
  const char *what = s->before->kind == TOK_FOR    ? "a target"
                     : expects(s->error, "lambda") ? "an expression"
                                                   : "an operand";
  if (is_construct(s, "case") && !s->has_value) what = "a pattern";
  if (layout_is_line_mark(s->before->kind) || s->before->kind == TOK_START_EXPR)
    return TELL(s, span, "expected a statement, not %.*s", STR_FMT(found));
  if (s->found->kind == TOK_NEWLINE) span = s->before->span;
  if (s->found->kind == TOK_NEWLINE && is_step(s)) {
    Str sign = source_of(s->parser, span);
    span.begin--;
    return TELL(s, span, "there is no '%.*s%.*s'; write '%.*s= 1'", STR_FMT(sign), STR_FMT(sign),
                STR_FMT(sign));
  }
  if (expects(s->error, "pass")) what = "a statement";
  return TELL(s, span, "expected %s after %.*s, not %.*s", what, STR_FMT(before), STR_FMT(found));
}

static bool report_name(const Situation *s) {
  if (!expects(s->error, "a name") || s->has_value) return false;
  Str before = describe(s, s->before), found = describe(s, s->found);
  return TELL(s, s->found->span, "expected a name after %.*s, not %.*s", STR_FMT(before),
              STR_FMT(found));
}

static bool report_missing_end(const Situation *s) {
  if (!expects(s->error, "the end of the line")) return false;
  Str found = describe(s, s->found);
  if (s->found->kind == TOK_INDENT) {
    build__mistake(s->parser, MISTAKE_INDENTATION, s->found->span, "unexpected indent");
    return true;
  }
  if (is_construct(s, "import") && str_equal(found, STR("'.'"))) {
    Str name = source_of(s->parser, s->before->span);
    return TELL(s, s->found->span,
                "names behind 'import' have no dots: write 'from PACKAGE.%.*s import NAME'",
                STR_FMT(name));
  }
  if (s->has_value)
    return TELL(s, s->found->span, "expected an operator or the end of the line before %.*s",
                STR_FMT(found));
  return TELL(s, s->found->span, "expected the end of the line before %.*s", STR_FMT(found));
}

// "expected X, Y or Z before W", of what is left; operators are none of the news.
static bool report_list(const Situation *s) {
  const SyntaxError *error = s->error;
  Str found = describe(s, s->found);
  Buf buf;
  buf_init(&buf, s->parser->scratch);
  if (error->expected_count > 6 || error->expected_count == 0)
    return TELL(s, s->found->span, "unexpected %.*s", STR_FMT(found));
  for (size_t i = 0; i < error->expected_count; i++) {
    const char *name = error->expected[i];
    if (i) buf_c(&buf, i + 1 == error->expected_count ? " or " : ", ");
    bool is_quoted = strchr(name, ' ') || name[0] == '\'';
    buf_printf(&buf, is_quoted ? "%s" : "'%s'", name);
  }
  return TELL(s, s->found->span, "expected %.*s before %.*s", STR_FMT(buf_view(&buf)),
              STR_FMT(found));
}

// ---- entry -------------------------------------------------------------------------------------
bool syntax_error_is_reported(const Parser *parser) {
  return !layout_has_error(parser->layout) &&
         parser->error_line != layout_recent(parser->layout, 0)->line;
}

void syntax_error_report(Parser *parser, const SyntaxError *error) {
  static bool (*const rules[])(const Situation *) = {
      report_stray_clause, report_python2,     report_condition, report_keyword_name,
      report_field,        report_bracket,     report_header,    report_value,
      report_name,         report_missing_end, report_list};
  Situation s = look(parser, error);
  for (size_t i = 0; i < COUNT_OF(rules); i++)
    if (rules[i](&s)) break;
  layout_recover(parser->layout);
}
