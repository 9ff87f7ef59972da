// SPDX-License-Identifier: Apache-2.0
// A tree of a regular expression as a pattern of PCRE2. Where the two languages use the same signs
// for different things (what a word is, where a line ends, which letters are the same), Python's
// meaning is spelt out, so that PCRE2's options and versions do not matter. Atoms are code points;
// it is compiled with PCRE2_UCP, without PCRE2_UTF, since surrogates may stand alone.
#include <string.h>
#include "python/builtins/text/builtin_text.h"
#include "std_re.h"

typedef struct Writer {
  Eval *ev;
  ReText text;
} Writer;

static void put(Writer *w, uint32_t code) { VEC_PUSH(w->ev->arena, &w->text, code); }

static void put_text(Writer *w, const char *text) {
  for (; *text; text++) put(w, (unsigned char)*text);
}

static void put_number(Writer *w, uint64_t number) {
  Str text = str_format(w->ev->arena, "%llu", (unsigned long long)number);
  for (size_t i = 0; i < text.len; i++) put(w, (unsigned char)text.data[i]);
}

// The code point itself, in a set or outside.
static void put_code(Writer *w, uint32_t code) {
  bool is_plain = code >= 128 || (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') ||
                  (code >= 'a' && code <= 'z') || code == 0;
  if (!is_plain) put(w, '\\');
  put(w, code);
}

// ---- sets ---------------------------------------------------------------------------------------
// What stands between brackets for a category: [category][is it ASCII][is it negated]. A word is
// what str.isalnum takes, and '_'; what is no word, all general categories but those.
static const char *const categories[3][2][2] = {
    [RE_DIGIT] = {{"\\p{Nd}", "\\P{Nd}"}, {"0-9", "\\x00-/:-\\x{10ffff}"}},
    [RE_SPACE] = {{"\\t-\\r\\x1c- \\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
                   "\\x{205f}\\x{3000}",
                   "\\x00-\\x08\\x0e-\\x1b!-\\x84\\x86-\\x9f\\xa1-\\x{167f}\\x{1681}-\\x{1fff}"
                   "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
                   "\\x{3001}-\\x{10ffff}"},
                  {"\\t-\\r ", "\\x00-\\x08\\x0e-\\x1f!-\\x{10ffff}"}},
    [RE_WORD] = {{"\\p{L}\\p{N}_",
                  "\\p{M}\\p{S}\\p{Z}\\p{C}\\p{Pd}\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}\\p{Po}\\x{203f}"
                  "\\x{2040}\\x{2054}\\x{fe33}\\x{fe34}\\x{fe4d}-\\x{fe4f}\\x{ff3f}"},
                 {"0-9A-Z_a-z", "\\x00-/:-@\\[-\\^`{-\\x{10ffff}"}},
};

static bool has_code(const ReItems *items, uint32_t code) {
  for (size_t i = 0; i < items->count; i++) {
    const ReItem *item = &items->items[i];
    if (!item->is_category && code >= item->low && code <= item->high) return true;
  }
  return false;
}

// Code points that Python takes for one when it ignores case, and Unicode 15 does not.
static void put_equivalents(Writer *w, const ReItems *items) {
  static const uint32_t sets[][4] = {
      {'i', 'I', 0x131, 0x130}, {0x390, 0x1fd3}, {0x3b0, 0x1fe3}, {0xfb05, 0xfb06}};
  for (size_t i = 0; i < COUNT_OF(sets); i++) {
    bool has_any = false;
    for (int j = 0; j < 4 && sets[i][j]; j++) has_any |= has_code(items, sets[i][j]);
    for (int j = 0; j < 4 && sets[i][j] && has_any; j++) put_code(w, sets[i][j]);
  }
}

// The other cases of ASCII's letters.
static void put_ascii_cases(Writer *w, const ReItems *items) {
  for (uint32_t c = 'A'; c <= 'Z'; c++) {
    if (has_code(items, c)) put(w, c + 32);
    if (has_code(items, c + 32)) put(w, c);
  }
}

static void write_set(Writer *w, const ReNode *node) {
  bool folds = node->ignore_case && !node->ascii;
  if (folds) put_text(w, "(?i:");
  put_text(w, node->negate ? "[^" : "[");
  for (size_t i = 0; i < node->items.count; i++) {
    const ReItem *item = &node->items.items[i];
    if (item->is_category) {
      put_text(w, categories[item->category][node->ascii][item->negate]);
      continue;
    }
    put_code(w, item->low);
    if (item->high == item->low) continue;
    put(w, '-');
    put_code(w, item->high);
  }
  if (folds) put_equivalents(w, &node->items);
  if (node->ignore_case && node->ascii) put_ascii_cases(w, &node->items);
  put_text(w, folds ? "])" : "]");
}

static void write_char(Writer *w, const ReNode *node) {
  if (!node->ignore_case) {
    put_code(w, node->code);
    return;
  }
  ReNode set = *node;
  ReItem item = {.low = node->code, .high = node->code};
  set.items = (ReItems){.items = &item, .count = 1};
  write_set(w, &set);
}

// ---- of no width --------------------------------------------------------------------------------
// A word on one side alone; where `negate`, on both or on neither, but not in an empty text.
static void write_word_edge(Writer *w, const ReNode *node) {
  const char *word = categories[RE_WORD][node->ascii][false];
  static const char *const edges[2][5] = {
      {"(?:(?<=[", "])(?![", "])|(?<![", "])(?=[", "]))"},
      {"(?:(?<=[", "])(?=[", "])|(?<![", "])(?![", "])(?!\\A\\z))"}};
  for (int i = 0; i < 5; i++) {
    if (i > 0) put_text(w, word);
    put_text(w, edges[node->negate][i]);
  }
}

static void write_edge(Writer *w, const ReNode *node) {
  switch (node->kind) {
  case RE_TEXT_START: put_text(w, "\\A"); return;
  case RE_TEXT_END: put_text(w, "\\z"); return;
  case RE_LINE_START: put_text(w, node->flag ? "(?:\\A|(?<=\\n))" : "\\A"); return;
  case RE_LINE_END: put_text(w, node->flag ? "(?=\\n|\\z)" : "(?=\\n?\\z)"); return;
  default: write_word_edge(w, node); return;
  }
}

// ---- trees --------------------------------------------------------------------------------------
static void write_all(Writer *w, const ReSeq *seq);

static void write_alternatives(Writer *w, const ReNode *node) {
  for (size_t i = 0; i < node->branches.count; i++) {
    if (i > 0) put(w, '|');
    write_all(w, &node->branches.items[i]);
  }
  put(w, ')');
}

static void write_enclosed(Writer *w, const char *opening, const ReSeq *body) {
  put_text(w, opening);
  write_all(w, body);
  put(w, ')');
}

static void write_repeat(Writer *w, const ReNode *node) {
  bool is_single = node->body.count == 1 && node->body.items[0]->kind <= RE_SET;
  if (is_single)
    write_all(w, &node->body);
  else
    write_enclosed(w, "(?:", &node->body);
  put(w, '{');
  put_number(w, node->min);
  put(w, ',');
  if (node->max != RE_NO_LIMIT) put_number(w, node->max);
  put(w, '}');
  if (node->lazy || node->possessive) put(w, node->lazy ? '?' : '+');
}

static void write_reference(Writer *w, const ReNode *node) {
  put_text(w, node->ignore_case ? "(?i:\\g{" : "\\g{");
  put_number(w, node->group);
  put_text(w, node->ignore_case ? "})" : "}");
}

static void write_look(Writer *w, const ReNode *node) {
  static const char *const openings[2][2] = {{"(?=", "(?!"}, {"(?<=", "(?<!"}};
  write_enclosed(w, openings[node->behind][node->negate], &node->body);
}

static void write_node(Writer *w, const ReNode *node) {
  switch (node->kind) {
  case RE_CHAR: write_char(w, node); return;
  case RE_ANY: put_text(w, node->flag ? "(?s:.)" : "[^\\n]"); return;
  case RE_SET: write_set(w, node); return;
  case RE_GROUP_START: put(w, '('); return;
  case RE_GROUP_END: put(w, ')'); return;
  case RE_BACKREF: write_reference(w, node); return;
  case RE_REPEAT: write_repeat(w, node); return;
  case RE_LOOK: write_look(w, node); return;
  case RE_ATOMIC: write_enclosed(w, "(?>", &node->body); return;
  case RE_BRANCH:
    put_text(w, "(?:");
    write_alternatives(w, node);
    return;
  case RE_CONDITION:
    put_text(w, "(?(");
    put_number(w, node->group);
    put(w, ')');
    write_alternatives(w, node);
    return;
  default: write_edge(w, node); return;
  }
}

static void write_all(Writer *w, const ReSeq *seq) {
  for (size_t i = 0; i < seq->count; i++) write_node(w, seq->items[i]);
}

ReText re_pattern(Eval *ev, const ReProgram *program) {
  Writer w = {.ev = ev};
  write_all(&w, &program->body);
  if (program->groups > 0) put_text(&w, "(?C1)");
  return w.text;
}
