// SPDX-License-Identifier: Apache-2.0
// Response files: @FILE on the command line stands for the words in FILE, which are separated by
// white space; '…' and "…" keep it, a backslash keeps the next character. They may name further
// ones.
#include <string.h>
#include "base/buf.h"
#include "options.h"

enum { MAX_NESTING = 20 };

static bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

// The next word of `text` from *at on; false at the end. *open: what quotes it and does not end.
static bool next_word(Arena *arena, Str text, size_t *at, Str *word, char *open) {
  size_t i = *at;
  while (i < text.len && is_space(text.data[i])) i++;
  if (i == text.len) return false;
  Buf buf;
  buf_init(&buf, arena);
  char quote = 0;
  for (; i < text.len && (quote || !is_space(text.data[i])); i++) {
    char c = text.data[i];
    if (c == '\\' && quote != '\'' && i + 1 < text.len)
      buf_char(&buf, text.data[++i]);
    else if (c == quote)
      quote = 0;
    else if (!quote && (c == '\'' || c == '"'))
      quote = c;
    else
      buf_char(&buf, c);
  }
  *at = i;
  *open = quote;
  *word = str_copy(arena, buf_view(&buf));
  return true;
}

void response_words(Arena *arena, Str text, StrList *out) {
  size_t at = 0;
  char open;
  for (Str word; next_word(arena, text, &at, &word, &open);) VEC_PUSH(arena, out, word);
}

static int add_argument(Session *session, Str argument, int nesting, StrList *out) {
  if (argument.len < 2 || argument.data[0] != '@') {
    VEC_PUSH(session->arena, out, argument);
    return STATUS_DONE;
  }
  if (nesting == MAX_NESTING) {
    diag_error(session, (Span){0}, "response files are nested more than %d deep", MAX_NESTING);
    return STATUS_USAGE;
  }
  SourceFile *file = source_read(session, (Str){argument.data + 1, argument.len - 1}, (Span){0});
  if (!file) return STATUS_MACHINE;
  size_t at = 0;
  char open = 0;
  int status = STATUS_DONE;
  for (Str word; !status && next_word(session->arena, file->text, &at, &word, &open);) {
    if (!open) status = add_argument(session, word, nesting + 1, out);
    if (!open) continue;
    diag_error(session, (Span){0}, "%.*s: the text behind %c has no end", STR_FMT(argument), open);
    return STATUS_USAGE;
  }
  return status;
}

int response_expand(Session *session, size_t count, const char *const *args, StrList *out) {
  int status = STATUS_DONE;
  for (size_t i = 0; i < count && !status; i++)
    status = add_argument(session, str_from_c(args[i]), 0, out);
  return status;
}
