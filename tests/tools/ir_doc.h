// SPDX-License-Identifier: Apache-2.0
// The tables of docs/ir.md, made from ops.def and attrs.def; for the tool that writes them and the
// test that they are current.
#pragma once
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "ir/core/attr.h"

#define IR_DOC_BEGIN "<!-- ops: made by ir_doc -->\n"
#define IR_DOC_END   "<!-- ops: end -->\n"

static inline void ir_doc_count(Buf *out, int count) {
  if (count == OP_VARIADIC)
    buf_c(out, "any");
  else
    buf_printf(out, "%d", count);
}

static inline void ir_doc_cell(Buf *out, const char *text) {
  for (; *text; text++) {
    if (*text == '|') buf_char(out, '\\');
    buf_char(out, *text);
  }
}

static inline void ir_doc_on(Buf *out, const char *what, unsigned effects, unsigned first) {
  for (int i = 0; i <= EFFECT_MAX_OPERAND; i++)
    if (effects & first << i) buf_printf(out, "%s %d, ", what, i);
}

// "reads 0, writes 1, ordered"
static inline void ir_doc_effects(Buf *out, unsigned effects) {
  static const struct {
    unsigned bit;
    const char *word;
  } words[] = {{EFFECT_VIEWS, "views 0, "},
               {EFFECT_ALLOCATES, "allocates, "},
               {EFFECT_LATER, "later, "},
               {EFFECT_WAITS, "waits, "},
               {EFFECT_COMMUNICATES, "communicates, "},
               {EFFECT_ORDERED, "ordered, "},
               {EFFECT_TERMINATOR, "ends a region, "}};
  size_t before = out->len;
  ir_doc_on(out, "reads", effects, EFFECT_READS(0));
  ir_doc_on(out, "writes", effects, EFFECT_WRITES(0));
  ir_doc_on(out, "signals", effects, EFFECT_SIGNALS(0));
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (effects & words[i].bit) buf_c(out, words[i].word);
  if (out->len > before) out->len -= 2;
}

static inline void ir_doc_op(Buf *out, const OpInfo *info) {
  buf_printf(out, "| `%s` | ", info->name);
  ir_doc_count(out, info->operands);
  buf_c(out, " | ");
  ir_doc_count(out, info->results);
  buf_c(out, " | ");
  ir_doc_count(out, info->regions);
  buf_c(out, " | ");
  for (int i = 0; i < info->attr_count; i++)
    buf_printf(out, "%s`%s`", i ? ", " : "", attr_name(info->attrs[i]));
  buf_c(out, " | ");
  ir_doc_effects(out, info->effects);
  buf_c(out, " | ");
  ir_doc_cell(out, info->meaning);
  buf_c(out, " |\n");
}

// Sections in the order of the table; a class may have several runs.
static inline void ir_doc_tables(Buf *out) {
  static const char *const titles[] = {"Constants",
                                       "Elementwise, one operand",
                                       "Elementwise, two operands",
                                       "Comparisons",
                                       "Elementwise, other",
                                       "Shape",
                                       "Reductions",
                                       "Cumulative",
                                       "Algorithms of their own",
                                       "Memory",
                                       "Control",
                                       "Effects"};
  for (size_t c = 0; c < COUNT_OF(titles); c++) {
    buf_printf(out, "\n### %s\n\n", titles[c]);
    buf_c(out, "| op | operands | results | regions | attributes | effects | meaning "
               "|\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < OP_COUNT; i++)
      if (op_info((OpCode)i)->op_class == (OpClass)c) ir_doc_op(out, op_info((OpCode)i));
  }
  buf_char(out, '\n');
}

// The document with the tables of today between the marks; empty if there are no marks.
static inline Str ir_doc_update(Arena *arena, Str document) {
  const char *begin = strstr(document.data, IR_DOC_BEGIN), *end = strstr(document.data, IR_DOC_END);
  if (!begin || !end || end < begin) return STR("");
  Buf out;
  buf_init(&out, arena);
  begin += strlen(IR_DOC_BEGIN);
  buf_str(&out, (Str){document.data, (size_t)(begin - document.data)});
  ir_doc_tables(&out);
  buf_str(&out, (Str){end, document.len - (size_t)(end - document.data)});
  return buf_view(&out);
}
