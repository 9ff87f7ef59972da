// SPDX-License-Identifier: Apache-2.0
// Reads regular expressions as Python 3.11 writes them.
#include "std_re.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_text.h"
#include "python/objects/convert.h"
#include "python/values/make.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/value_call.h"
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT UINT64_MAX

typedef struct Parser {
  Eval *ev;
  Value pattern; // for errors
  uint32_t *codes;
  size_t count, at;
  unsigned flags; // of the place being read
  ReProgram *program;
  VEC(bool) is_open;           // by group: its ')' has not come yet
  unsigned greatest_reference; // of conditions
  size_t reference_at;
} Parser;

static ReSeq parse_alternatives(Parser *p, int depth);
static ReSeq parse_sequence(Parser *p, int depth);

static NORETURN void fail_at(Parser *p, size_t at, const char *fmt, ...) PRINTF_LIKE(3, 4);
static void fail_at(Parser *p, size_t at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Str text = str_vformat(p->ev->arena, fmt, args);
  va_end(args);
  Value items[] = {make_str(p->ev, text), p->pattern, v_int((int64_t)at)};
  eval_raise_value(p->ev, value_call_n(p->ev, module_lookup(p->ev, "re", "error"), 3, items));
}

static bool peek(const Parser *p, uint32_t code) {
  return p->at < p->count && p->codes[p->at] == code;
}

static bool accept(Parser *p, uint32_t code) {
  if (!peek(p, code)) return false;
  p->at++;
  return true;
}

static Str codes_text(Parser *p, size_t begin, size_t end) {
  Buf buf;
  buf_init(&buf, p->ev->arena);
  for (size_t i = begin; i < end && i < p->count; i++) text_put_code(&buf, p->codes[i]);
  return buf_view(&buf);
}

static ReNode *node_new(Parser *p, ReKind kind) {
  ReNode *node = ARENA_NEW(p->ev->arena, ReNode);
  node->kind = kind;
  node->ignore_case = p->flags & RE_FLAG_IGNORECASE;
  node->ascii = p->flags & RE_FLAG_ASCII;
  return node;
}

static ReNode *char_node(Parser *p, uint32_t code) {
  ReNode *node = node_new(p, RE_CHAR);
  node->code = code;
  return node;
}

// ---- escapes ---------------------------------------------------------------------------------
static int hex_value(uint32_t code) {
  if (code >= '0' && code <= '9') return (int)code - '0';
  if (code >= 'a' && code <= 'f') return (int)code - 'a' + 10;
  if (code >= 'A' && code <= 'F') return (int)code - 'A' + 10;
  return -1;
}

// \x, \u and \U with their digits; `begin` is the backslash.
static uint32_t parse_hex(Parser *p, size_t begin, int digits, char letter) {
  uint32_t code = 0;
  for (int i = 0; i < digits; i++) {
    int value = p->at < p->count ? hex_value(p->codes[p->at]) : -1;
    if (value < 0) {
      Str shown = codes_text(p, begin + 2, p->at);
      fail_at(p, begin, "incomplete escape \\%c%.*s", letter, STR_FMT(shown));
    }
    code = code << 4 | (uint32_t)value;
    p->at++;
  }
  if (code > 0x10ffff) {
    Str shown = codes_text(p, begin, p->at);
    fail_at(p, begin, "bad escape %.*s", STR_FMT(shown));
  }
  return code;
}

static bool simple_escape(uint32_t code, uint32_t *out) {
  static const char from[] = "afnrtv\\", to[] = "\a\f\n\r\t\v\\";
  const char *found = code < 128 && code ? strchr(from, (int)code) : NULL;
  if (!found) return false;
  *out = (unsigned char)to[found - from];
  return true;
}

static bool category_escape(uint32_t code, ReItem *item) {
  *item = (ReItem){.is_category = true};
  switch (code) {
  case 'D': item->negate = true; // fallthrough
  case 'd': item->category = RE_DIGIT; return true;
  case 'S': item->negate = true; // fallthrough
  case 's': item->category = RE_SPACE; return true;
  case 'W': item->negate = true; // fallthrough
  case 'w': item->category = RE_WORD; return true;
  default: return false;
  }
}

static bool is_octal(const Parser *p, size_t at) {
  return at < p->count && p->codes[at] >= '0' && p->codes[at] <= '7';
}

// The escapes that mean one code point everywhere; `code` is behind the backslash, already taken.
static bool parse_code_escape(Parser *p, size_t begin, uint32_t code, uint32_t *out) {
  if (simple_escape(code, out)) return true;
  if (code == 'x')
    *out = parse_hex(p, begin, 2, 'x');
  else if (code == 'u')
    *out = parse_hex(p, begin, 4, 'u');
  else if (code == 'U')
    *out = parse_hex(p, begin, 8, 'U');
  else if (code == '0') {
    *out = 0;
    for (int i = 0; i < 2 && is_octal(p, p->at); i++) *out = *out * 8 + (p->codes[p->at++] - '0');
  } else {
    return false;
  }
  return true;
}

static NORETURN void bad_escape(Parser *p, size_t begin) {
  Str shown = codes_text(p, begin, p->at);
  fail_at(p, begin, "bad escape %.*s", STR_FMT(shown));
}

static bool is_ascii_letter(uint32_t code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

static ReNode *backref_node(Parser *p, unsigned group, size_t at) {
  if (group > p->program->groups) fail_at(p, at, "invalid group reference %u", group);
  if (p->is_open.items[group]) fail_at(p, at, "cannot refer to an open group");
  ReNode *node = node_new(p, RE_BACKREF);
  node->group = group;
  return node;
}

// \1 … \99, or three octal digits.
static ReNode *parse_number_escape(Parser *p, size_t begin, uint32_t first) {
  if (first <= '3' && is_octal(p, p->at) && is_octal(p, p->at + 1)) {
    uint32_t code = (first - '0') * 64 + (p->codes[p->at] - '0') * 8 + (p->codes[p->at + 1] - '0');
    p->at += 2;
    return char_node(p, code);
  }
  unsigned group = first - '0';
  if (p->at < p->count && p->codes[p->at] >= '0' && p->codes[p->at] <= '9')
    group = group * 10 + (p->codes[p->at++] - '0');
  return backref_node(p, group, begin + 1);
}

static ReNode *parse_escape(Parser *p) {
  size_t begin = p->at++;
  if (p->at >= p->count) fail_at(p, begin, "bad escape (end of pattern)");
  uint32_t code = p->codes[p->at++], value;
  ReItem item;
  ReNode *node;
  if (category_escape(code, &item)) {
    node = node_new(p, RE_SET);
    VEC_PUSH(p->ev->arena, &node->items, item);
    return node;
  }
  switch (code) {
  case 'A': return node_new(p, RE_TEXT_START);
  case 'Z': return node_new(p, RE_TEXT_END);
  case 'b':
  case 'B':
    node = node_new(p, RE_WORD_EDGE);
    node->negate = code == 'B';
    return node;
  default: break;
  }
  if (code >= '1' && code <= '9') return parse_number_escape(p, begin, code);
  if (parse_code_escape(p, begin, code, &value)) return char_node(p, value);
  if (is_ascii_letter(code)) bad_escape(p, begin);
  return char_node(p, code);
}

// ---- sets ------------------------------------------------------------------------------------
// One member: a code point or a category.
static ReItem parse_member(Parser *p, size_t set_begin) {
  if (p->at >= p->count) fail_at(p, set_begin, "unterminated character set");
  ReItem item = {0};
  size_t begin = p->at;
  uint32_t code = p->codes[p->at++];
  if (code == '\\') {
    if (p->at >= p->count) fail_at(p, begin, "bad escape (end of pattern)");
    code = p->codes[p->at++];
    if (category_escape(code, &item)) return item;
    if (code == 'b') {
      code = '\b';
    } else if (is_octal(p, p->at - 1) && code != '0') {
      code -= '0';
      for (int i = 0; i < 2 && is_octal(p, p->at); i++) code = code * 8 + (p->codes[p->at++] - '0');
    } else if (!parse_code_escape(p, begin, code, &code)) {
      if (is_ascii_letter(code) || (code >= '0' && code <= '9')) bad_escape(p, begin);
    }
  }
  item = (ReItem){.low = code, .high = code};
  return item;
}

static ReNode *parse_set(Parser *p) {
  size_t set_begin = p->at++;
  ReNode *node = node_new(p, RE_SET);
  node->negate = accept(p, '^');
  bool is_first = true;
  while (is_first || !peek(p, ']')) {
    size_t begin = p->at;
    is_first = false;
    ReItem item = parse_member(p, set_begin);
    bool is_range = peek(p, '-') && p->at + 1 < p->count && p->codes[p->at + 1] != ']';
    if (peek(p, '-') && p->at + 1 >= p->count) fail_at(p, set_begin, "unterminated character set");
    if (is_range) {
      p->at++;
      ReItem end = parse_member(p, set_begin);
      Str shown = codes_text(p, begin, p->at);
      if (item.is_category || end.is_category || end.high < item.low)
        fail_at(p, begin, "bad character range %.*s", STR_FMT(shown));
      item.high = end.high;
    }
    VEC_PUSH(p->ev->arena, &node->items, item);
    if (p->at >= p->count) fail_at(p, set_begin, "unterminated character set");
  }
  p->at++;
  return node;
}

// ---- groups ----------------------------------------------------------------------------------
static Name parse_group_name(Parser *p, uint32_t end, size_t begin) {
  size_t start = p->at;
  while (p->at < p->count && p->codes[p->at] != end) p->at++;
  if (p->at == start && p->at >= p->count) fail_at(p, start, "missing group name");
  if (p->at >= p->count) fail_at(p, start, "missing %c, unterminated name", (char)end);
  Str text = codes_text(p, start, p->at);
  p->at++;
  if (text.len == 0) fail_at(p, start, "missing group name");
  (void)begin;
  return name_intern(p->ev->session->interner, text);
}

static bool is_identifier(Eval *ev, Name name) {
  return value_truth(ev, value_call_method(ev, make_name(ev, name), "isidentifier", 0, NULL));
}

static unsigned find_group(const Parser *p, Name name) {
  for (unsigned i = 1; i < p->program->names.count; i++) {
    if (p->program->names.items[i] == name) return i;
  }
  return 0;
}

static bool all_digits(Name name) {
  for (const char *c = name->text; *c; c++) {
    if (*c < '0' || *c > '9') return false;
  }
  return true;
}

static void expect_close(Parser *p, size_t begin) {
  if (!accept(p, ')')) fail_at(p, begin, "missing ), unterminated subpattern");
}

static void parse_capture(Parser *p, ReSeq *out, size_t begin, Name name, size_t name_at,
                          int depth) {
  Arena *arena = p->ev->arena;
  unsigned group = ++p->program->groups;
  unsigned known = name ? find_group(p, name) : 0;
  if (known)
    fail_at(p, name_at, "redefinition of group name '%s' as group %u; was group %u", name->text,
            group, known);
  VEC_PUSH(arena, &p->program->names, name);
  VEC_PUSH(arena, &p->is_open, true);
  ReNode *start = node_new(p, RE_GROUP_START), *end = node_new(p, RE_GROUP_END);
  start->group = end->group = group;
  VEC_PUSH(arena, out, start);
  unsigned flags = p->flags;
  ReSeq inner = parse_alternatives(p, depth + 1);
  p->flags = flags;
  expect_close(p, begin);
  p->is_open.items[group] = false;
  for (size_t i = 0; i < inner.count; i++) VEC_PUSH(arena, out, inner.items[i]);
  VEC_PUSH(arena, out, end);
}

// The width of a sequence if all it matches is of one width.
static bool fixed_width(const ReSeq *seq, size_t *width);

static bool node_width(const ReNode *node, size_t *width) {
  switch (node->kind) {
  case RE_CHAR:
  case RE_ANY:
  case RE_SET: *width = 1; return true;
  case RE_BRANCH:
  case RE_CONDITION: {
    size_t first = 0;
    for (size_t i = 0; i < node->branches.count; i++) {
      if (!fixed_width(&node->branches.items[i], width)) return false;
      if (i == 0) first = *width;
      if (*width != first) return false;
    }
    return node->kind == RE_BRANCH || node->branches.count == 2 || first == 0;
  }
  case RE_REPEAT:
    if (node->min != node->max || !fixed_width(&node->body, width)) return false;
    *width *= (size_t)node->min;
    return true;
  case RE_ATOMIC: return fixed_width(&node->body, width);
  case RE_BACKREF: return false;
  default: *width = 0; return true;
  }
}

static bool fixed_width(const ReSeq *seq, size_t *width) {
  size_t total = 0;
  for (size_t i = 0; i < seq->count; i++) {
    size_t one = 0;
    if (!node_width(seq->items[i], &one)) return false;
    total += one;
  }
  *width = total;
  return true;
}

static ReNode *parse_enclosed(Parser *p, ReKind kind, size_t begin, int depth) {
  ReNode *node = node_new(p, kind);
  unsigned flags = p->flags;
  node->body = parse_alternatives(p, depth + 1);
  p->flags = flags;
  expect_close(p, begin);
  return node;
}

static ReNode *parse_look(Parser *p, size_t begin, bool behind, bool negate, int depth) {
  ReNode *node = parse_enclosed(p, RE_LOOK, begin, depth);
  node->behind = behind;
  node->negate = negate;
  if (behind && !fixed_width(&node->body, &node->width)) {
    Value items[] = {make_str_c(p->ev, "look-behind requires fixed-width pattern")};
    eval_raise_value(p->ev, value_call_n(p->ev, module_lookup(p->ev, "re", "error"), 1, items));
  }
  return node;
}

static ReNode *parse_condition(Parser *p, size_t begin, int depth) {
  size_t at = p->at;
  Name name = parse_group_name(p, ')', begin);
  unsigned group = 0;
  if (all_digits(name)) {
    group = (unsigned)atoi(name->text);
    if (group == 0) fail_at(p, at, "bad group number");
    // The group may come later: looked at when all is read.
    if (group > p->greatest_reference) {
      p->greatest_reference = group;
      p->reference_at = at;
    }
  } else {
    group = find_group(p, name);
    if (!group) fail_at(p, at, "unknown group name '%s'", name->text);
  }
  ReNode *node = node_new(p, RE_CONDITION);
  node->group = group;
  unsigned flags = p->flags;
  ReSeq yes = parse_sequence(p, depth + 1);
  VEC_PUSH(p->ev->arena, &node->branches, yes);
  if (accept(p, '|')) {
    ReSeq no = parse_sequence(p, depth + 1);
    VEC_PUSH(p->ev->arena, &node->branches, no);
    if (peek(p, '|')) fail_at(p, p->at, "conditional backref with more than two branches");
  }
  p->flags = flags;
  expect_close(p, begin);
  return node;
}

static unsigned flag_of(uint32_t code) {
  switch (code) {
  case 'i': return RE_FLAG_IGNORECASE;
  case 'L': return RE_FLAG_LOCALE;
  case 'm': return RE_FLAG_MULTILINE;
  case 's': return RE_FLAG_DOTALL;
  case 'x': return RE_FLAG_VERBOSE;
  case 'a': return RE_FLAG_ASCII;
  case 'u': return RE_FLAG_UNICODE;
  default: return 0;
  }
}

// (?i) for the whole pattern, or (?i-s:…) for a part of it.
static ReSeq parse_flags(Parser *p, size_t begin, int depth) {
  unsigned on = 0, off = 0;
  bool minus = false;
  for (;; p->at++) {
    if (p->at >= p->count) fail_at(p, p->at, minus ? "missing flag" : "missing -, : or )");
    uint32_t code = p->codes[p->at];
    if (code == '-' && !minus) {
      minus = true;
      continue;
    }
    if (code == ':' || code == ')') break;
    unsigned flag = flag_of(code);
    if (!flag) fail_at(p, p->at, is_ascii_letter(code) ? "unknown flag" : "missing -, : or )");
    *(minus ? &off : &on) |= flag;
  }
  ReSeq seq = {0};
  if (accept(p, ')')) {
    if (begin != 0) fail_at(p, begin, "global flags not at the start of the expression");
    if (minus) fail_at(p, p->at - 1, "missing :");
    p->flags |= on;
    p->program->flags |= on;
    return seq;
  }
  p->at++;
  unsigned flags = p->flags;
  p->flags = (p->flags | on) & ~off;
  if (on & RE_FLAG_UNICODE) p->flags &= ~(unsigned)RE_FLAG_ASCII;
  seq = parse_alternatives(p, depth + 1);
  p->flags = flags;
  expect_close(p, begin);
  return seq;
}

static void append_all(Parser *p, ReSeq *out, const ReSeq *more) {
  for (size_t i = 0; i < more->count; i++) VEC_PUSH(p->ev->arena, out, more->items[i]);
}

// (?P<name>…), (?P=name)
static void parse_python_extension(Parser *p, ReSeq *out, size_t begin, int depth) {
  if (accept(p, '<')) {
    size_t at = p->at;
    Name name = parse_group_name(p, '>', begin);
    if (!is_identifier(p->ev, name)) fail_at(p, at, "bad character in group name '%s'", name->text);
    parse_capture(p, out, begin, name, at, depth);
  } else if (accept(p, '=')) {
    size_t at = p->at;
    Name name = parse_group_name(p, ')', begin);
    if (!is_identifier(p->ev, name)) fail_at(p, at, "bad character in group name '%s'", name->text);
    unsigned group = find_group(p, name);
    if (!group) fail_at(p, at, "unknown group name '%s'", name->text);
    VEC_PUSH(p->ev->arena, out, backref_node(p, group, at));
  } else {
    Str shown = codes_text(p, p->at, p->at + 1);
    if (p->at >= p->count) fail_at(p, p->count, "unexpected end of pattern");
    fail_at(p, begin + 1, "unknown extension ?P%.*s", STR_FMT(shown));
  }
}

static void parse_extension(Parser *p, ReSeq *out, size_t begin, int depth) {
  Arena *arena = p->ev->arena;
  if (p->at >= p->count) fail_at(p, p->count, "unexpected end of pattern");
  uint32_t code = p->codes[p->at++];
  switch (code) {
  case 'P': parse_python_extension(p, out, begin, depth); return;
  case ':': {
    unsigned flags = p->flags;
    ReSeq inner = parse_alternatives(p, depth + 1);
    p->flags = flags;
    expect_close(p, begin);
    append_all(p, out, &inner);
    return;
  }
  case '#':
    while (p->at < p->count && p->codes[p->at] != ')') p->at++;
    if (!accept(p, ')')) fail_at(p, begin, "missing ), unterminated comment");
    return;
  case '=':
  case '!': VEC_PUSH(arena, out, parse_look(p, begin, false, code == '!', depth)); return;
  case '<': {
    bool negate = peek(p, '!');
    if (!negate && !peek(p, '=')) {
      if (p->at >= p->count) fail_at(p, p->count, "unexpected end of pattern");
      Str shown = codes_text(p, p->at, p->at + 1);
      fail_at(p, begin + 1, "unknown extension ?<%.*s", STR_FMT(shown));
    }
    p->at++;
    VEC_PUSH(arena, out, parse_look(p, begin, true, negate, depth));
    return;
  }
  case '>': VEC_PUSH(arena, out, parse_enclosed(p, RE_ATOMIC, begin, depth)); return;
  case '(': VEC_PUSH(arena, out, parse_condition(p, begin, depth)); return;
  default: break;
  }
  if (code == '-' || flag_of(code)) {
    p->at--;
    ReSeq inner = parse_flags(p, begin, depth);
    append_all(p, out, &inner);
    return;
  }
  Str shown = codes_text(p, p->at - 1, p->at);
  fail_at(p, begin + 1, "unknown extension ?%.*s", STR_FMT(shown));
}

// ---- repeats ---------------------------------------------------------------------------------
static bool parse_count(Parser *p, uint64_t *out) {
  if (p->at >= p->count || p->codes[p->at] < '0' || p->codes[p->at] > '9') return false;
  uint64_t value = 0;
  for (; p->at < p->count && p->codes[p->at] >= '0' && p->codes[p->at] <= '9'; p->at++) {
    value = value * 10 + (p->codes[p->at] - '0');
    if (value > UINT32_MAX)
      eval_raise(p->ev, p->ev->types.OverflowError, "the repetition number is too large");
  }
  *out = value;
  return true;
}

// *, +, ? or {m,n}; false (and nothing taken) if there is none.
static bool parse_bounds(Parser *p, uint64_t *min, uint64_t *max) {
  size_t begin = p->at;
  *min = 0;
  *max = NO_LIMIT;
  if (accept(p, '*')) return true;
  if (accept(p, '+')) {
    *min = 1;
    return true;
  }
  if (accept(p, '?')) {
    *max = 1;
    return true;
  }
  if (!accept(p, '{')) return false;
  if (peek(p, '}')) {
    p->at = begin;
    return false;
  }
  bool has_min = parse_count(p, min), has_max = true;
  if (accept(p, ',')) {
    has_max = parse_count(p, max);
  } else {
    *max = *min;
  }
  if (!accept(p, '}') || (!has_min && !has_max && p->codes[begin + 1] != ',')) {
    p->at = begin;
    return false;
  }
  if (*max < *min) fail_at(p, begin + 1, "min repeat greater than max repeat");
  return true;
}

static bool is_edge(const ReNode *node) {
  return node->kind >= RE_LINE_START && node->kind <= RE_WORD_EDGE;
}

// What stands from `first` on in `out` becomes the body of a repeat if a quantifier follows.
static void parse_quantifier(Parser *p, ReSeq *out, size_t first, bool is_repeat) {
  size_t at = p->at;
  uint64_t min, max;
  if (!parse_bounds(p, &min, &max)) return;
  if (first == out->count || (out->count == first + 1 && is_edge(out->items[first])))
    fail_at(p, at, "nothing to repeat");
  if (is_repeat) fail_at(p, at, "multiple repeat");
  ReNode *node = node_new(p, RE_REPEAT);
  node->min = min;
  node->max = max;
  node->lazy = accept(p, '?');
  node->possessive = !node->lazy && accept(p, '+');
  for (size_t i = first; i < out->count; i++) VEC_PUSH(p->ev->arena, &node->body, out->items[i]);
  node->is_single = node->body.count == 1 && node->body.items[0]->kind <= RE_SET;
  out->count = first;
  VEC_PUSH(p->ev->arena, out, node);
  size_t again = p->at;
  uint64_t ignored[2];
  if (parse_bounds(p, &ignored[0], &ignored[1])) fail_at(p, again, "multiple repeat");
}

// ---- sequences -------------------------------------------------------------------------------
static bool skip_verbose(Parser *p) {
  if (!(p->flags & RE_FLAG_VERBOSE)) return false;
  uint32_t code = p->codes[p->at];
  if (code < 128 && code && strchr(" \t\n\r\v\f", (int)code)) {
    p->at++;
    return true;
  }
  if (code != '#') return false;
  while (p->at < p->count && p->codes[p->at] != '\n') p->at++;
  return true;
}

static void parse_atom(Parser *p, ReSeq *out, int depth) {
  Arena *arena = p->ev->arena;
  uint32_t code = p->codes[p->at];
  ReNode *node;
  switch (code) {
  case '\\': VEC_PUSH(arena, out, parse_escape(p)); return;
  case '[': VEC_PUSH(arena, out, parse_set(p)); return;
  case '(': {
    size_t begin = p->at++;
    if (accept(p, '?')) {
      parse_extension(p, out, begin, depth);
    } else {
      parse_capture(p, out, begin, NULL, 0, depth);
    }
    return;
  }
  case '.':
    node = node_new(p, RE_ANY);
    node->flag = p->flags & RE_FLAG_DOTALL;
    break;
  case '^':
    node = node_new(p, RE_LINE_START);
    node->flag = p->flags & RE_FLAG_MULTILINE;
    break;
  case '$':
    node = node_new(p, RE_LINE_END);
    node->flag = p->flags & RE_FLAG_MULTILINE;
    break;
  default: node = char_node(p, code); break;
  }
  p->at++;
  VEC_PUSH(arena, out, node);
}

static bool is_extension_without_atom(const Parser *p) { // (?i) and (?#…) are nothing to repeat
  return p->codes[p->at] == '(' && p->at + 2 < p->count && p->codes[p->at + 1] == '?' &&
         p->codes[p->at + 2] == '#';
}

static ReSeq parse_sequence(Parser *p, int depth) {
  ReSeq out = {0};
  while (p->at < p->count && p->codes[p->at] != '|' && p->codes[p->at] != ')') {
    if (skip_verbose(p)) continue;
    size_t first = out.count;
    uint64_t min, max;
    size_t at = p->at;
    if (parse_bounds(p, &min, &max)) fail_at(p, at, "nothing to repeat");
    bool is_comment = is_extension_without_atom(p);
    parse_atom(p, &out, depth);
    while (!is_comment && p->at < p->count && skip_verbose(p)) {
    }
    if (!is_comment && p->at < p->count) parse_quantifier(p, &out, first, false);
  }
  return out;
}

static ReSeq parse_alternatives(Parser *p, int depth) {
  if (depth > 200) fail_at(p, p->at, "too many nested groups");
  ReSeq first = parse_sequence(p, depth);
  if (!peek(p, '|')) return first;
  ReNode *node = node_new(p, RE_BRANCH);
  VEC_PUSH(p->ev->arena, &node->branches, first);
  while (accept(p, '|')) {
    ReSeq next = parse_sequence(p, depth);
    VEC_PUSH(p->ev->arena, &node->branches, next);
  }
  ReSeq seq = {0};
  VEC_PUSH(p->ev->arena, &seq, node);
  return seq;
}

// ---- linking ---------------------------------------------------------------------------------
static ReNode *end_node(Eval *ev, ReKind kind) {
  ReNode *node = ARENA_NEW(ev->arena, ReNode);
  node->kind = kind;
  return node;
}

// Gives each node what follows it; the result is what stands first.
static ReNode *link_nodes(Eval *ev, const ReSeq *seq, ReNode *follow) {
  for (size_t i = seq->count; i-- > 0;) {
    ReNode *node = seq->items[i];
    node->next = follow;
    if (node->kind == RE_REPEAT) {
      node->first = link_nodes(ev, &node->body, end_node(ev, RE_LOOP_END));
    } else if (node->kind == RE_LOOK || node->kind == RE_ATOMIC) {
      node->first = link_nodes(ev, &node->body, end_node(ev, RE_SUB_END));
    } else if (node->kind == RE_BRANCH || node->kind == RE_CONDITION) {
      node->firsts = ARENA_ARRAY(ev->arena, ReNode *, node->branches.count + 1);
      for (size_t k = 0; k < node->branches.count; k++)
        node->firsts[k] = link_nodes(ev, &node->branches.items[k], follow);
    }
    follow = node;
  }
  return follow;
}

// A possessive repeat is an atomic group around a greedy one.
static void wrap_possessive(Eval *ev, ReSeq *seq) {
  for (size_t i = 0; i < seq->count; i++) {
    ReNode *node = seq->items[i];
    wrap_possessive(ev, &node->body);
    for (size_t k = 0; k < node->branches.count; k++) wrap_possessive(ev, &node->branches.items[k]);
    if (node->kind != RE_REPEAT || !node->possessive) continue;
    node->possessive = false;
    ReNode *atomic = end_node(ev, RE_ATOMIC);
    VEC_PUSH(ev->arena, &atomic->body, node);
    seq->items[i] = atomic;
  }
}

ReProgram *re_parse(Eval *ev, Value pattern, unsigned flags) {
  Str text = take_str(ev, pattern, "pattern");
  Parser p = {.ev = ev, .pattern = pattern, .flags = flags};
  p.codes = ARENA_ARRAY(ev->arena, uint32_t, text.len + 1);
  for (size_t at = 0; at < text.len;) p.codes[p.count++] = text_next(text, &at);
  p.program = ARENA_NEW(ev->arena, ReProgram);
  p.program->flags = flags;
  VEC_PUSH(ev->arena, &p.program->names, (Name)NULL);
  VEC_PUSH(ev->arena, &p.is_open, true);
  ReSeq seq = parse_alternatives(&p, 0);
  if (p.at < p.count) fail_at(&p, p.at, "unbalanced parenthesis");
  if (p.greatest_reference > p.program->groups)
    fail_at(&p, p.reference_at, "invalid group reference %u", p.greatest_reference);
  if (!(p.program->flags & RE_FLAG_ASCII)) p.program->flags |= RE_FLAG_UNICODE;
  wrap_possessive(ev, &seq);
  p.program->first = link_nodes(ev, &seq, end_node(ev, RE_ACCEPT));
  return p.program;
}
