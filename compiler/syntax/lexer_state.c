// SPDX-License-Identifier: Apache-2.0
// What scanning keeps beside the position: open brackets and open f-strings, and whether the line
// has a mistake. In: brackets and quotes as lexer.l meets them. Out: the tokens to give for them.
#include "lexer.h"

#include <string.h>

void lexer_mistake(Lexer *lexer, MistakeKind kind, Span span, const char *fmt, ...) {
  if (lexer->has_error) return;
  lexer->has_error = true;
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(lexer->scratch, fmt, args);
  va_end(args);
  mistake_report(lexer->session, kind, span, "%.*s", STR_FMT(message));
}

static Bracket *innermost(const Lexer *lexer) {
  size_t base =
      lexer->fstrings.count ? lexer->fstrings.items[lexer->fstrings.count - 1].bracket_base : 0;
  return lexer->brackets.count > base ? &lexer->brackets.items[lexer->brackets.count - 1] : NULL;
}

LexerMode lexer_mode(const Lexer *lexer) {
  if (!lexer->fstrings.count) return LEX_CODE;
  const Bracket *bracket = innermost(lexer);
  if (!bracket) return LEX_FTEXT;
  return bracket->is_field && bracket->is_in_spec ? LEX_FSPEC : LEX_CODE;
}

bool lexer_is_in_field(const Lexer *lexer) {
  const Bracket *bracket = innermost(lexer);
  return bracket && bracket->is_field;
}

int lexer_open_bracket(Lexer *lexer, char open, Span span) {
  if (lexer->brackets.count == AST_MAX_BRACKETS) {
    lexer_error(lexer, span, "more than %d nested brackets", AST_MAX_BRACKETS);
    lexer->is_over = true;
    return 0;
  }
  VEC_PUSH(lexer->scratch, &lexer->brackets, ((Bracket){.span = span, .open = open}));
  return open;
}

static char closer_of(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

int lexer_close_bracket(Lexer *lexer, char close, Span span, bool *keeps) {
  Bracket *top = innermost(lexer);
  if (!top || (top->is_field && close != '}')) {
    lexer_error(lexer, span, "unmatched '%c'", close);
    return 0;
  }
  if (closer_of(top->open) != close) {
    if (!lexer->has_error) {
      lexer->has_error = true;
      Diag *diag = mistake_report(lexer->session, MISTAKE_SYNTAX, span, "'%c' does not close '%c'",
                                  close, top->open);
      diag_note(lexer->session, diag, top->span, "'%c' is opened here", top->open);
    }
    const Bracket *all = lexer->brackets.items;
    size_t base =
        lexer->fstrings.count ? lexer->fstrings.items[lexer->fstrings.count - 1].bracket_base : 0;
    for (size_t i = lexer->brackets.count - 1; i-- > base;)
      if (closer_of(all[i].open) == close) *keeps = true;
  }
  lexer->brackets.count--;
  if (!top->is_field) return closer_of(top->open);
  lexer->piece_begin = span.end;
  return TOK_FIELD_END;
}

void lexer_open_fstring(Lexer *lexer, Span span, Str prefix) {
  FString fstring = {.span = span, .bracket_base = lexer->brackets.count};
  fstring.quote = prefix.data[prefix.len - 1];
  fstring.is_triple = prefix.len > 3 && prefix.data[prefix.len - 3] == fstring.quote;
  fstring.is_raw = memchr(prefix.data, 'r', 2) || memchr(prefix.data, 'R', 2);
  VEC_PUSH(lexer->scratch, &lexer->fstrings, fstring);
  lexer->piece_begin = span.end;
}

void lexer_close_fstring(Lexer *lexer) {
  lexer->fstrings.count--;
  lexer->brackets.count = lexer->fstrings.items[lexer->fstrings.count].bracket_base;
}
