// SPDX-License-Identifier: Apache-2.0
// Reads regular expressions as Python 3.11 writes them.
#include "base/unicode.h"
#include "base/buf.h"
#include "std_re.h"
#include "python/modules/module.h"
#include "python/builtins/text/builtin_bytes.h"
#include "python/builtins/text/builtin_text.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/values.h"
#include "python/objects/value_call.h"
#include <stdlib.h>
#include <string.h>

#define VARIABLE SIZE_MAX // of width

typedef struct Parser {
  Eval *ev;
  Value pattern; // for errors
  bool is_bytes; // it is one of bytes
  uint32_t *codes;
  size_t count, at;
  unsigned flags; // of the place being read
  ReProgram *program;
  VEC(bool) is_open;           // by group: its ')' has not come yet
  VEC(size_t) widths;          // by group: of what it matches, or VARIABLE
  unsigned greatest_reference; // of conditions
  size_t reference_at;
  bool looks_behind_badly; // by no fixed width: reported when all is read
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
  else if (code == 'u' && !p->is_bytes)
    *out = parse_hex(p, begin, 4, 'u');
  else if (code == 'U' && !p->is_bytes)
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

static ReNode *backref_node(Parser *p, unsigned group, size_t at) {
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
  if (group > p->program->groups) fail_at(p, begin + 1, "invalid group reference %u", group);
  return backref_node(p, group, begin);
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
  if (ascii_is_letter(code)) bad_escape(p, begin);
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
      if (ascii_is_letter(code) || (code >= '0' && code <= '9')) bad_escape(p, begin);
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
static Name parse_group_name(Parser *p, uint32_t end) {
  size_t start = p->at;
  while (p->at < p->count && p->codes[p->at] != end) p->at++;
  if (p->at == start && p->at >= p->count) fail_at(p, start, "missing group name");
  if (p->at >= p->count) fail_at(p, start, "missing %c, unterminated name", (char)end);
  Str text = codes_text(p, start, p->at);
  p->at++;
  if (text.len == 0) fail_at(p, start, "missing group name");
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

// The width of a sequence if all it matches is of one width.
static bool fixed_width(const Parser *p, const ReSeq *seq, size_t *width);

static bool node_width(const Parser *p, const ReNode *node, size_t *width) {
  switch (node->kind) {
  case RE_CHAR:
  case RE_ANY:
  case RE_SET: *width = 1; return true;
  case RE_BRANCH:
  case RE_CONDITION: {
    size_t first = 0;
    for (size_t i = 0; i < node->branches.count; i++) {
      if (!fixed_width(p, &node->branches.items[i], width)) return false;
      if (i == 0) first = *width;
      if (*width != first) return false;
    }
    return node->kind == RE_BRANCH || node->branches.count == 2 || first == 0;
  }
  case RE_REPEAT:
    if (!fixed_width(p, &node->body, width)) return false;
    if (node->min != node->max) return *width == 0;
    *width *= (size_t)node->min;
    return true;
  case RE_ATOMIC: return fixed_width(p, &node->body, width);
  case RE_BACKREF: *width = p->widths.items[node->group]; return *width != VARIABLE;
  default: *width = 0; return true;
  }
}

static bool fixed_width(const Parser *p, const ReSeq *seq, size_t *width) {
  size_t total = 0;
  for (size_t i = 0; i < seq->count; i++) {
    size_t one = 0;
    if (!node_width(p, seq->items[i], &one)) return false;
    total += one;
  }
  *width = total;
  return true;
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
  VEC_PUSH(arena, &p->widths, VARIABLE);
  ReNode *start = node_new(p, RE_GROUP_START), *end = node_new(p, RE_GROUP_END);
  start->group = end->group = group;
  VEC_PUSH(arena, out, start);
  unsigned flags = p->flags;
  ReSeq inner = parse_alternatives(p, depth + 1);
  p->flags = flags;
  expect_close(p, begin);
  p->is_open.items[group] = false;
  size_t width;
  if (fixed_width(p, &inner, &width)) p->widths.items[group] = width;
  for (size_t i = 0; i < inner.count; i++) VEC_PUSH(arena, out, inner.items[i]);
  VEC_PUSH(arena, out, end);
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
  size_t width;
  p->looks_behind_badly |= behind && !fixed_width(p, &node->body, &width);
  return node;
}

static ReNode *parse_condition(Parser *p, size_t begin, int depth) {
  size_t at = p->at;
  Name name = parse_group_name(p, ')');
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

static void append_all(Parser *p, ReSeq *out, const ReSeq *more) {
  for (size_t i = 0; i < more->count; i++) VEC_PUSH(p->ev->arena, out, more->items[i]);
}

// The flags up to a sign of `ends`, which is not taken. `missing`: what is said where there is no
// such sign; `first`: what, where there is not even a flag.
static unsigned parse_flag_letters(Parser *p, const char *ends, const char *first,
                                   const char *missing) {
  unsigned flags = 0;
  for (;; p->at++, first = missing) {
    uint32_t code = p->at < p->count ? p->codes[p->at] : 0;
    if (first == missing && code && code < 128 && strchr(ends, (int)code)) return flags;
    unsigned flag = flag_of(code);
    if (!flag) fail_at(p, p->at, "%s", text_flags(code) & TEXT_ALPHA ? "unknown flag" : first);
    if (flag & (p->is_bytes ? RE_FLAG_UNICODE : RE_FLAG_LOCALE))
      fail_at(p, p->at + 1, "bad inline flags: cannot use '%c' flag with a %s pattern", (char)code,
              p->is_bytes ? "bytes" : "str");
    flags |= flag;
  }
}

static void check_flags(Parser *p, unsigned on, unsigned off) {
  const unsigned kinds = RE_FLAG_ASCII | RE_FLAG_UNICODE | RE_FLAG_LOCALE, kind = on & kinds;
  if (kind & (kind - 1))
    fail_at(p, p->at, "bad inline flags: flags 'a', 'u' and 'L' are incompatible");
  if (off & kinds) fail_at(p, p->at, "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
  if (on & off) fail_at(p, p->at, "bad inline flags: flag turned on and off");
}

// (?i) for the whole pattern, which is no item of it, or (?i-s:…) for a part of it.
static bool parse_flags(Parser *p, ReSeq *out, size_t begin, int depth) {
  static const char *const either = "missing -, : or )", *const colon = "missing :";
  unsigned off = 0, on = 0;
  if (!peek(p, '-')) on = parse_flag_letters(p, "-:)", either, either);
  if (accept(p, '-')) off = parse_flag_letters(p, ":", "missing flag", colon);
  check_flags(p, on, off);
  if (accept(p, ')')) {
    if (begin != 0) fail_at(p, begin, "global flags not at the start of the expression");
    p->flags |= on;
    p->program->flags |= on;
    return false;
  }
  p->at++;
  unsigned flags = p->flags;
  p->flags = (p->flags | on) & ~off;
  if (on & RE_FLAG_UNICODE) p->flags &= ~(unsigned)RE_FLAG_ASCII;
  ReSeq inner = parse_alternatives(p, depth + 1);
  p->flags = flags;
  expect_close(p, begin);
  append_all(p, out, &inner);
  return true;
}

// (?P<name>…), (?P=name)
static void parse_python_extension(Parser *p, ReSeq *out, size_t begin, int depth) {
  if (accept(p, '<')) {
    size_t at = p->at;
    Name name = parse_group_name(p, '>');
    if (!is_identifier(p->ev, name)) fail_at(p, at, "bad character in group name '%s'", name->text);
    parse_capture(p, out, begin, name, at, depth);
  } else if (accept(p, '=')) {
    size_t at = p->at;
    Name name = parse_group_name(p, ')');
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

static NORETURN void unknown_extension(Parser *p, size_t begin, size_t from) {
  bool is_escape = p->codes[p->at - 1] == '\\'; // one sign, with what it escapes
  Str shown = codes_text(p, from, p->at + is_escape);
  fail_at(p, begin + 1, "unknown extension ?%.*s", STR_FMT(shown));
}

static ReNode *parse_behind(Parser *p, size_t begin, int depth) {
  size_t from = p->at - 1;
  if (p->at >= p->count) fail_at(p, p->count, "unexpected end of pattern");
  uint32_t code = p->codes[p->at++];
  if (code != '=' && code != '!') unknown_extension(p, begin, from);
  return parse_look(p, begin, true, code == '!', depth);
}

// False: it is no item of a sequence.
static bool parse_extension(Parser *p, ReSeq *out, size_t begin, int depth) {
  Arena *arena = p->ev->arena;
  if (p->at >= p->count) fail_at(p, p->count, "unexpected end of pattern");
  uint32_t code = p->codes[p->at++];
  switch (code) {
  case 'P': parse_python_extension(p, out, begin, depth); return true;
  case ':': {
    unsigned flags = p->flags;
    ReSeq inner = parse_alternatives(p, depth + 1);
    p->flags = flags;
    expect_close(p, begin);
    append_all(p, out, &inner);
    return true;
  }
  case '#':
    while (p->at < p->count && p->codes[p->at] != ')') p->at++;
    if (!accept(p, ')')) fail_at(p, begin, "missing ), unterminated comment");
    return false;
  case '=':
  case '!': VEC_PUSH(arena, out, parse_look(p, begin, false, code == '!', depth)); return true;
  case '<': VEC_PUSH(arena, out, parse_behind(p, begin, depth)); return true;
  case '>': VEC_PUSH(arena, out, parse_enclosed(p, RE_ATOMIC, begin, depth)); return true;
  case '(': VEC_PUSH(arena, out, parse_condition(p, begin, depth)); return true;
  default: break;
  }
  if (code != '-' && !flag_of(code)) unknown_extension(p, begin, p->at - 1);
  p->at--;
  return parse_flags(p, out, begin, depth);
}

// ---- repeats ---------------------------------------------------------------------------------
static bool parse_count(Parser *p, uint64_t *out) {
  if (p->at >= p->count || p->codes[p->at] < '0' || p->codes[p->at] > '9') return false;
  uint64_t value = 0;
  for (; p->at < p->count && p->codes[p->at] >= '0' && p->codes[p->at] <= '9'; p->at++) {
    value = value * 10 + (p->codes[p->at] - '0');
    if (value > RE_MOST_REPEATS)
      eval_raise(p->ev, p->ev->types.OverflowError, "the repetition number is too large");
  }
  *out = value;
  return true;
}

// *, +, ? or {m,n}; false (and nothing taken) if there is none.
static bool parse_bounds(Parser *p, uint64_t *min, uint64_t *max) {
  size_t begin = p->at;
  *min = 0;
  *max = RE_NO_LIMIT;
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

// The last item of a sequence, which a quantifier takes.
typedef struct LastItem {
  size_t first;  // where its nodes begin in the sequence; SIZE_MAX: there is none
  bool is_group; // in parentheses, whatever is in them
} LastItem;

static void repeat_last(Parser *p, ReSeq *out, LastItem *last, size_t at, uint64_t min,
                        uint64_t max) {
  const ReNode *node = !last->is_group && last->first < out->count ? out->items[last->first] : NULL;
  if (last->first == SIZE_MAX || (node && is_edge(node))) fail_at(p, at, "nothing to repeat");
  if (node && node->kind == RE_REPEAT) fail_at(p, at, "multiple repeat");
  ReNode *repeat = node_new(p, RE_REPEAT);
  repeat->min = min;
  repeat->max = max;
  repeat->lazy = accept(p, '?');
  repeat->possessive = !repeat->lazy && accept(p, '+');
  for (size_t i = last->first; i < out->count; i++)
    VEC_PUSH(p->ev->arena, &repeat->body, out->items[i]);
  out->count = last->first;
  VEC_PUSH(p->ev->arena, out, repeat);
  last->is_group = false;
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

// False: it is no item of a sequence.
static bool parse_atom(Parser *p, ReSeq *out, int depth) {
  Arena *arena = p->ev->arena;
  uint32_t code = p->codes[p->at];
  ReNode *node;
  switch (code) {
  case '\\': VEC_PUSH(arena, out, parse_escape(p)); return true;
  case '[': VEC_PUSH(arena, out, parse_set(p)); return true;
  case '(': {
    size_t begin = p->at++;
    if (accept(p, '?')) return parse_extension(p, out, begin, depth);
    parse_capture(p, out, begin, NULL, 0, depth);
    return true;
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
  return true;
}

static ReSeq parse_sequence(Parser *p, int depth) {
  ReSeq out = {0};
  LastItem last = {SIZE_MAX, false};
  while (p->at < p->count && p->codes[p->at] != '|' && p->codes[p->at] != ')') {
    if (skip_verbose(p)) continue;
    uint64_t min, max;
    size_t at = p->at;
    if (parse_bounds(p, &min, &max)) {
      repeat_last(p, &out, &last, at, min, max);
      continue;
    }
    LastItem item = {out.count, p->codes[p->at] == '('};
    if (parse_atom(p, &out, depth)) last = item;
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

uint32_t *re_codes(Eval *ev, Value text, bool is_bytes, size_t *count) {
  Str str = is_bytes ? take_bytes_like(ev, text) : take_str(ev, text, "pattern");
  uint32_t *codes = ARENA_ARRAY(ev->arena, uint32_t, str.len + 1);
  *count = 0;
  if (is_bytes)
    for (; *count < str.len; ++*count) codes[*count] = (unsigned char)str.data[*count];
  else
    for (size_t at = 0; at < str.len;) codes[(*count)++] = text_next(str, &at);
  return codes;
}

ReProgram *re_parse(Eval *ev, Value pattern, unsigned flags) {
  Str text;
  Parser p = {.ev = ev, .pattern = pattern, .is_bytes = !value_as_str(pattern, &text)};
  p.flags = flags | (p.is_bytes ? RE_FLAG_ASCII : 0);
  p.codes = re_codes(ev, pattern, p.is_bytes, &p.count);
  p.program = ARENA_NEW(ev->arena, ReProgram);
  p.program->flags = flags;
  p.program->is_bytes = p.is_bytes;
  VEC_PUSH(ev->arena, &p.program->names, (Name)NULL);
  VEC_PUSH(ev->arena, &p.is_open, true);
  VEC_PUSH(ev->arena, &p.widths, VARIABLE);
  ReSeq seq = parse_alternatives(&p, 0);
  if (p.at < p.count) fail_at(&p, p.at, "unbalanced parenthesis");
  if (p.greatest_reference > p.program->groups)
    fail_at(&p, p.reference_at, "invalid group reference %u", p.greatest_reference);
  if (p.looks_behind_badly) {
    Value reported = make_str_c(ev, "look-behind requires fixed-width pattern");
    eval_raise_value(ev, value_call_n(ev, module_lookup(ev, "re", "error"), 1, &reported));
  }
  if (!p.is_bytes && !(p.program->flags & RE_FLAG_ASCII)) p.program->flags |= RE_FLAG_UNICODE;
  p.program->body = seq;
  return p.program;
}
