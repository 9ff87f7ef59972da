// SPDX-License-Identifier: Apache-2.0
// All that depends on lines and brackets. Scanned tokens pass through here into a queue: line ends
// inside brackets are dropped, the others become NEWLINE, INDENT and DEDENT, as Python's tokenizer
// has them. On the way out of the queue `match`, `case` and `type` are distinguished from names;
// only `match` looks further than one token, to the end of its line.
//
// Invariant: each logical line gives its tokens, then one NEWLINE; INDENT and DEDENT stand between
// lines, balanced.
#include "layout.h"

#include <string.h>

#define TAB_SIZE   8
#define MAX_AHEAD  100000 // tokens that `match` looks ahead
#define MAX_RECENT 2

typedef struct Indent {
  uint32_t column;     // tabs to the next multiple of 8
  uint32_t alt_column; // tabs as one: where the two disagree, the file mixes tabs and spaces
} Indent;

struct Layout {
  Lexer lexer;
  void *scanner;
  LayoutMode mode;
  uint32_t line;       // logical line being scanned, from 1
  uint32_t line_begin; // offset of the physical line being scanned
  bool is_at_line_start, is_at_physical_start;
  bool is_recovering; // the line has a syntax error
  bool is_done;
  uint32_t line_column;  // of the first token of the logical line being scanned
  uint32_t stray_column; // of lines that match no line above them, once reported; else 0
  int last_kind;         // of the last token of the line before
  VEC(Indent) indents;
  uint32_t error_line; // the last logical line that has a mistake of the scanner's or the layout's
  // Scanned and not yet given: a ring of `capacity`, a power of two.
  Token *queue;
  size_t head, count, capacity;
  // Given.
  Token recent[MAX_RECENT];
  Token first, ended; // first tokens of the current logical line, and of the one that ended last
  bool is_first_pending;
  bool is_started;
  bool opens_cases; // a match keyword was given: the next INDENT begins its cases
  VEC(bool) levels; // of the given INDENTs: whether they hold cases
};

// ---- the queue ---------------------------------------------------------------------------------
static void push(Layout *layout, Token token) {
  if (layout->count == layout->capacity) {
    size_t capacity = layout->capacity ? layout->capacity * 2 : 16;
    Token *queue = ARENA_ARRAY(layout->lexer.scratch, Token, capacity);
    for (size_t i = 0; i < layout->count; i++)
      queue[i] = layout->queue[(layout->head + i) & (layout->capacity - 1)];
    layout->queue = queue;
    layout->capacity = capacity;
    layout->head = 0;
  }
  token.line = layout->line;
  layout->queue[(layout->head + layout->count++) & (layout->capacity - 1)] = token;
}

static void push_mark(Layout *layout, int kind, uint32_t begin, uint32_t end) {
  push(layout, (Token){.kind = kind, .span = {layout->lexer.file->id, begin, end}});
}

static void note_error(Layout *layout) {
  if (layout->lexer.has_error) layout->error_line = layout->line;
}

static void push_newline(Layout *layout, uint32_t begin, uint32_t end) {
  note_error(layout);
  push_mark(layout, TOK_NEWLINE, begin, end);
  layout->line++;
  layout->lexer.has_error = false;
  layout->is_recovering = false;
  layout->is_at_line_start = true;
}

// ---- indentation -------------------------------------------------------------------------------
// The blanks with which a physical line begins; joined lines count by the first.
static Indent measure(const Layout *layout, uint32_t begin) {
  Str text = layout->lexer.file->text;
  Indent indent = {0};
  for (size_t i = begin; i < text.len; i++) {
    switch (text.data[i]) {
    case ' ':
      indent.column++;
      indent.alt_column++;
      break;
    case '\t':
      indent.column = (indent.column / TAB_SIZE + 1) * TAB_SIZE;
      indent.alt_column++;
      break;
    case '\f': indent = (Indent){0}; break;
    default: return indent;
    }
  }
  return indent;
}

static void mixed_tabs(Layout *layout, Span span) {
  lexer_mistake(&layout->lexer, MISTAKE_TABS, span,
                "tabs and spaces are mixed in a way that depends on the width of a tab");
}

// A line between two levels is taken for one of the nearer level, so that one mistake gives one
// message.
static bool is_nearer_to_inner(const Indent *inner, uint32_t column) {
  uint32_t outer = inner[-1].column;
  return column > outer && inner->column - column <= column - outer;
}

static void no_such_level(Layout *layout, const Token *first, uint32_t column) {
  if (column != layout->stray_column)
    lexer_mistake(&layout->lexer, MISTAKE_INDENTATION, first->span,
                  "the indentation matches no line above it");
  layout->stray_column = column;
}

static void push_indentation(Layout *layout, const Token *first) {
  Indent indent = measure(layout, layout->line_begin);
  Indent *top = &layout->indents.items[layout->indents.count - 1];
  uint32_t at = first->span.begin;
  layout->line_column = indent.column;
  if (indent.column > top->column) {
    if (indent.column == layout->stray_column && layout->last_kind != ':') return;
    if (layout->indents.count > AST_MAX_INDENTS) {
      lexer_mistake(&layout->lexer, MISTAKE_INDENTATION, first->span,
                    "more than %d levels of indentation", AST_MAX_INDENTS);
      layout->lexer.is_over = true;
      return;
    }
    if (indent.alt_column <= top->alt_column) {
      mixed_tabs(layout, first->span);
      // No block is expected: the line was meant to be where those above it are.
      if (layout->last_kind != ':') return;
    }
    VEC_PUSH(layout->lexer.scratch, &layout->indents, indent);
    push_mark(layout, TOK_INDENT, layout->line_begin, at);
    return;
  }
  while (indent.column < top->column && !is_nearer_to_inner(top, indent.column)) {
    push_mark(layout, TOK_DEDENT, at, at);
    layout->indents.count--;
    top--;
  }
  if (indent.column != top->column) {
    no_such_level(layout, first, indent.column);
    return;
  }
  layout->stray_column = 0;
  if (indent.alt_column != top->alt_column) mixed_tabs(layout, first->span);
}

// ---- lines -------------------------------------------------------------------------------------
// Keywords that begin a statement and occur nowhere inside brackets.
static bool begins_statement(int kind) {
  switch (kind) {
  case TOK_ASSERT:
  case TOK_BREAK:
  case TOK_CLASS:
  case TOK_CONTINUE:
  case TOK_DEF:
  case TOK_DEL:
  case TOK_ELIF:
  case TOK_EXCEPT:
  case TOK_FINALLY:
  case TOK_GLOBAL:
  case TOK_IMPORT:
  case TOK_NONLOCAL:
  case TOK_PASS:
  case TOK_RAISE:
  case TOK_RETURN:
  case TOK_TRY:
  case TOK_WHILE:
  case TOK_WITH: return true;
  default: return false;
  }
}

static void unclosed_bracket(Layout *layout) {
  const Lexer *lexer = &layout->lexer;
  const Bracket *bracket = &lexer->brackets.items[lexer->brackets.count - 1];
  lexer_error(&layout->lexer, bracket->span, "unclosed '%c'", bracket->open);
}

// Whether the open brackets can be taken as forgotten: the token, first on its line, begins a
// statement.
static bool ends_brackets(const Layout *layout, const Token *token) {
  if (begins_statement(token->kind)) return true;
  if (!layout->is_recovering || token->column > layout->line_column) return false;
  return token->kind == TOK_NAME || token->kind == TOK_IF || token->kind == TOK_FOR ||
         token->kind == TOK_FROM || token->kind == TOK_ASYNC || token->kind == '@';
}

static void drop_brackets(Layout *layout) {
  layout->lexer.brackets.count = 0;
  layout->lexer.fstrings.count = 0;
}

static void finish_file(Layout *layout, uint32_t end) {
  if (layout->lexer.brackets.count && !layout->lexer.is_over) unclosed_bracket(layout);
  drop_brackets(layout);
  if (!layout->is_at_line_start) push_newline(layout, end, end);
  note_error(layout);
  for (; layout->indents.count > 1; layout->indents.count--)
    push_mark(layout, TOK_DEDENT, end, end);
  push_mark(layout, TOK_YYEOF, end, end);
  layout->is_done = true;
}

// Scans until there is more in the queue.
static void scan(Layout *layout) {
  Lexer *lexer = &layout->lexer;
  uint32_t end = (uint32_t)lexer->file->text.len;
  Token token = {.span = {lexer->file->id, end, end}};
  bool was_open = lexer->brackets.count > 0;
  token.kind = lexer_lex(&token.value, &token.span, layout->scanner);
  note_error(layout);
  if (token.kind == TOK_YYEOF) {
    finish_file(layout, end);
    return;
  }
  if (token.kind == TOK_NEWLINE) {
    layout->line_begin = token.span.end;
    layout->is_at_physical_start = true;
    if (!was_open && !layout->is_at_line_start && layout->mode == LAYOUT_FILE)
      push_newline(layout, token.span.begin, token.span.end);
    return;
  }
  token.is_first = layout->is_at_physical_start;
  layout->is_at_physical_start = false;
  if (token.is_first) token.column = measure(layout, layout->line_begin).column;
  if (layout->mode == LAYOUT_FILE && was_open && token.is_first && ends_brackets(layout, &token)) {
    if (!layout->is_recovering) unclosed_bracket(layout);
    drop_brackets(layout);
    push_newline(layout, layout->line_begin, layout->line_begin);
  }
  if (layout->is_at_line_start) {
    layout->is_at_line_start = false;
    if (layout->mode == LAYOUT_FILE) push_indentation(layout, &token);
    if (lexer->is_over) return;
  }
  push(layout, token);
  layout->last_kind = token.kind;
  note_error(layout);
}

// The token that comes `ahead` after the next one.
static const Token *peek(Layout *layout, size_t ahead) {
  while (layout->count <= ahead) {
    if (layout->is_done)
      return &layout->queue[(layout->head + layout->count - 1) & (layout->capacity - 1)];
    scan(layout);
  }
  return &layout->queue[(layout->head + ahead) & (layout->capacity - 1)];
}

// ---- soft keywords -----------------------------------------------------------------------------
bool layout_is_line_mark(int kind) {
  return kind == TOK_NEWLINE || kind == TOK_INDENT || kind == TOK_DEDENT || kind == TOK_START_FILE;
}

// Tokens that can begin an expression and cannot follow a name: "match x", "match 'a'".
static bool cannot_follow_name(int kind) {
  switch (kind) {
  case TOK_NAME:
  case TOK_NUMBER:
  case TOK_STRING:
  case TOK_FSTRING_START:
  case TOK_NONE:
  case TOK_TRUE:
  case TOK_FALSE:
  case TOK_LAMBDA:
  case TOK_ELLIPSIS:
  case '{':
  case '~': return true;
  default: return false;
  }
}

// Whether `match` begins a match statement: its line can be nothing else, or it ends in a ':' and
// has something before it.
static bool is_match_line(Layout *layout) {
  int kind = peek(layout, 0)->kind;
  if (cannot_follow_name(kind)) return true;
  if (kind != '(' && kind != '[' && kind != '-' && kind != '+' && kind != '*' && kind != TOK_NOT)
    return false;
  int last = 0;
  unsigned depth = 0;
  for (size_t ahead = 0; ahead < MAX_AHEAD; ahead++) {
    kind = peek(layout, ahead)->kind;
    if (kind == TOK_NEWLINE || kind == TOK_YYEOF) return last == ':';
    if (kind == '(' || kind == '[' || kind == '{') depth++;
    if (depth && (kind == ')' || kind == ']' || kind == '}')) depth--;
    if (depth == 0 && (kind == ';' || kind == '=')) return false;
    last = kind;
  }
  return false;
}

static int soft_keyword(Layout *layout, const Token *token, int previous) {
  bool at_line_start = layout_is_line_mark(previous);
  if (!at_line_start && previous != ';' && previous != ':') return TOK_NAME;
  Str name = name_str(token->value.name);
  if (str_equal(name, STR("type"))) return peek(layout, 0)->kind == TOK_NAME ? TOK_TYPE : TOK_NAME;
  if (!at_line_start) return TOK_NAME;
  bool in_cases = layout->levels.count && layout->levels.items[layout->levels.count - 1];
  if (in_cases && str_equal(name, STR("case"))) return TOK_CASE;
  if (str_equal(name, STR("match")) && is_match_line(layout)) return TOK_MATCH;
  return TOK_NAME;
}

// Follows the blocks as the parser sees them.
static void follow_blocks(Layout *layout, const Token *token) {
  if (token->kind == TOK_MATCH) {
    layout->opens_cases = true;
  } else if (token->kind == TOK_INDENT) {
    VEC_PUSH(layout->lexer.scratch, &layout->levels, layout->opens_cases);
    layout->opens_cases = false;
  } else if (token->kind == TOK_DEDENT) {
    layout->levels.count--;
  } else if (layout_is_line_mark(layout->recent[0].kind)) {
    layout->opens_cases = false;
  }
}

static void give(Layout *layout, const Token *token) {
  follow_blocks(layout, token);
  if (token->kind == TOK_NEWLINE) {
    layout->ended = layout->first;
    layout->is_first_pending = true;
  } else if (layout->is_first_pending && !layout_is_line_mark(token->kind)) {
    layout->first = *token;
    layout->is_first_pending = false;
  }
  layout->recent[1] = layout->recent[0];
  layout->recent[0] = *token;
}

int layout_lex(Layout *layout, PK_STYPE *value, Span *span) {
  Token token = {.span = {layout->lexer.file->id, 0, 0}, .line = 1};
  if (!layout->is_started) {
    layout->is_started = true;
    token.kind = layout->mode == LAYOUT_FILE ? TOK_START_FILE : TOK_START_EXPR;
  } else {
    token = *peek(layout, 0);
    if (token.kind != TOK_YYEOF) {
      layout->head = (layout->head + 1) & (layout->capacity - 1);
      layout->count--;
    }
    if (token.kind == TOK_NAME) token.kind = soft_keyword(layout, &token, layout->recent[0].kind);
  }
  give(layout, &token);
  *value = token.value;
  *span = token.span;
  return token.kind;
}

Layout *layout_new(Session *session, SourceFile *file, uint32_t begin, Arena *scratch,
                   LayoutMode mode) {
  Layout *layout = ARENA_NEW(scratch, Layout);
  layout->lexer = (Lexer){.session = session, .file = file, .scratch = scratch};
  layout->mode = mode;
  layout->line = 1;
  if (begin == 0 && str_starts_with(file->text, STR("\xef\xbb\xbf"))) begin = 3;
  layout->line_begin = begin;
  layout->is_at_line_start = layout->is_at_physical_start = true;
  layout->is_first_pending = true;
  VEC_PUSH(scratch, &layout->indents, ((Indent){0}));
  layout->scanner = lexer_open(&layout->lexer, begin);
  return layout;
}

// ---- for messages ------------------------------------------------------------------------------
const Token *layout_recent(const Layout *layout, unsigned back) {
  return &layout->recent[back < MAX_RECENT ? back : MAX_RECENT - 1];
}

const Bracket *layout_bracket(const Layout *layout) {
  size_t count = layout->lexer.brackets.count;
  return count ? &layout->lexer.brackets.items[count - 1] : NULL;
}

const Token *layout_ended_line(const Layout *layout) { return &layout->ended; }

const Token *layout_line(const Layout *layout) { return &layout->first; }

bool layout_has_error(const Layout *layout) {
  return layout->lexer.is_over || layout->recent[0].line == layout->error_line;
}

void layout_recover(Layout *layout) {
  if (layout->lexer.session->error_count >= layout->lexer.session->max_errors)
    layout->lexer.is_over = true;
  if (layout->recent[0].line != layout->line) return;
  layout->is_recovering = true;
  layout->lexer.has_error = true; // an open bracket, say, is part of the same mistake
}
