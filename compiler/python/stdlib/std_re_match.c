// SPDX-License-Identifier: Apache-2.0
// The matcher: walks the graph of a pattern, and comes back when a way does not lead to the end.
#include "std_re.h"
#include "python/builtins/builtin_text.h"
#include "python/values/raise.h"
#include <string.h>

#define MAX_STEPS 20000000u

// One repeat being run through. Passes of the body see the innermost one.
typedef struct Loop {
  const ReNode *node;
  uint64_t count;
  size_t last; // where the current pass began
  struct Loop *outer;
} Loop;

typedef struct Matcher {
  Eval *ev;
  const uint32_t *codes;
  size_t count; // the end of what may be looked at
  size_t start;
  bool whole, must_advance;
  size_t *marks;
  size_t mark_count;
  size_t last_group; // the group that closed last, 0: none
  Loop *loop;
  size_t sub_end; // where a look-around or atomic group ended
  uint64_t steps;
} Matcher;

static bool match(Matcher *m, const ReNode *node, size_t at);

// ---- one code point ----------------------------------------------------------------------------
// What code points that differ in case only have in common; by way of the capital, so that the two
// small sigmas are one.
static uint32_t lowered(uint32_t code) {
  if (code < 128) return code >= 'A' && code <= 'Z' ? code + 32 : code;
  return text_simple_case(text_simple_case(code, CASE_UPPER), CASE_LOWER);
}

static bool in_category(uint32_t code, ReCategory category, bool ascii) {
  if (code < 128 || ascii) {
    if (code >= 128) return false;
    bool is_digit = code >= '0' && code <= '9';
    if (category == RE_DIGIT) return is_digit;
    if (category == RE_SPACE)
      return code == ' ' || (code >= '\t' && code <= '\r') ||
             (!ascii && code >= 0x1c && code <= 0x1f);
    return is_digit || code == '_' || (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  }
  unsigned flags = text_flags(code);
  if (category == RE_DIGIT) return flags & TEXT_DECIMAL;
  if (category == RE_SPACE) return flags & TEXT_SPACE;
  return flags & (TEXT_ALPHA | TEXT_DECIMAL | TEXT_DIGIT | TEXT_NUMERIC);
}

static bool has_item(const ReNode *set, uint32_t code) {
  for (size_t i = 0; i < set->items.count; i++) {
    const ReItem *item = &set->items.items[i];
    bool is_in = item->is_category ? in_category(code, item->category, set->ascii) != item->negate
                                   : code >= item->low && code <= item->high;
    if (is_in) return true;
  }
  return false;
}

static bool in_set(const ReNode *set, uint32_t code) {
  bool is_in = has_item(set, code);
  if (!is_in && set->ignore_case) {
    is_in = has_item(set, lowered(code)) || has_item(set, text_simple_case(code, CASE_UPPER));
  }
  return is_in != set->negate;
}

static bool match_one(const ReNode *node, uint32_t code) {
  switch (node->kind) {
  case RE_CHAR:
    return code == node->code || (node->ignore_case && lowered(code) == lowered(node->code));
  case RE_ANY: return node->flag || code != '\n';
  default: return in_set(node, code);
  }
}

// ---- of no width -------------------------------------------------------------------------------
static bool is_word(const Matcher *m, const ReNode *node, size_t at) {
  return in_category(m->codes[at], RE_WORD, node->ascii);
}

static bool at_edge(const Matcher *m, const ReNode *node, size_t at) {
  switch (node->kind) {
  case RE_TEXT_START: return at == 0;
  case RE_TEXT_END: return at == m->count;
  case RE_LINE_START: return at == 0 || (node->flag && m->codes[at - 1] == '\n');
  case RE_LINE_END:
    if (at == m->count) return true;
    return m->codes[at] == '\n' && (node->flag || at + 1 == m->count);
  default: { // a word edge
    if (m->count == 0) return false;
    bool before = at > 0 && is_word(m, node, at - 1), after = at < m->count && is_word(m, node, at);
    return (before != after) != node->negate;
  }
  }
}

// ---- repeats -----------------------------------------------------------------------------------
static bool match_single_repeat(Matcher *m, const ReNode *node, size_t at) {
  const ReNode *one = node->first;
  uint64_t room = m->count - at, most = node->max < room ? node->max : room, count = 0;
  if (node->lazy) {
    for (;; count++) {
      if (count >= node->min && match(m, node->next, at + count)) return true;
      if (count >= most || !match_one(one, m->codes[at + count])) return false;
    }
  }
  while (count < most && match_one(one, m->codes[at + count])) count++;
  for (;; count--) {
    if (count < node->min) return false;
    // Most ways fail at the very next code point.
    bool hopeless = node->next->kind == RE_CHAR && !node->next->ignore_case &&
                    (at + count >= m->count || m->codes[at + count] != node->next->code);
    if (!hopeless && match(m, node->next, at + count)) return true;
    if (count == 0) return false;
  }
}

static bool leave_loop(Matcher *m, Loop *loop, size_t at) {
  m->loop = loop->outer;
  if (match(m, loop->node->next, at)) return true;
  m->loop = loop;
  return false;
}

static bool pass_loop(Matcher *m, Loop *loop, size_t at) {
  Loop saved = *loop;
  loop->count++;
  loop->last = at;
  if (match(m, loop->node->first, at)) return true;
  *loop = saved;
  m->loop = loop;
  return false;
}

// At the start of a repeat, and behind each pass of its body.
static bool run_loop(Matcher *m, Loop *loop, size_t at) {
  const ReNode *node = loop->node;
  if (loop->count < node->min) return pass_loop(m, loop, at);
  bool may_pass = loop->count < node->max && at != loop->last; // an empty pass gets nowhere
  if (node->lazy) return leave_loop(m, loop, at) || (may_pass && pass_loop(m, loop, at));
  return (may_pass && pass_loop(m, loop, at)) || leave_loop(m, loop, at);
}

static bool match_repeat(Matcher *m, const ReNode *node, size_t at) {
  if (node->is_single) return match_single_repeat(m, node, at);
  Loop loop = {node, 0, RE_UNSET, m->loop};
  m->loop = &loop;
  bool ok = run_loop(m, &loop, at);
  if (!ok) m->loop = loop.outer;
  return ok;
}

// ---- groups ------------------------------------------------------------------------------------
static bool match_mark(Matcher *m, const ReNode *node, size_t at) {
  size_t *mark = &m->marks[2 * node->group + (node->kind == RE_GROUP_END)];
  size_t old = *mark, last = m->last_group;
  *mark = at;
  if (node->kind == RE_GROUP_END) m->last_group = node->group;
  if (match(m, node->next, at)) return true;
  *mark = old;
  m->last_group = last;
  return false;
}

static bool match_backref(Matcher *m, const ReNode *node, size_t at) {
  size_t begin = m->marks[2 * node->group], end = m->marks[2 * node->group + 1];
  if (begin == RE_UNSET || end == RE_UNSET || end < begin || m->count - at < end - begin)
    return false;
  for (size_t i = begin; i < end; i++) {
    uint32_t a = m->codes[i], b = m->codes[at + i - begin];
    if (a != b && !(node->ignore_case && lowered(a) == lowered(b))) return false;
  }
  return match(m, node->next, at + (end - begin));
}

// The body of a look-around or an atomic group, by itself.
static bool match_inside(Matcher *m, const ReNode *node, size_t at) {
  Loop *loop = m->loop;
  m->loop = NULL;
  bool ok = match(m, node->first, at);
  m->loop = loop;
  return ok;
}

static size_t *save_marks(Matcher *m) {
  return arena_dup(m->ev->arena, m->marks, m->mark_count * sizeof *m->marks);
}

static void restore_marks(Matcher *m, const size_t *saved) {
  memcpy(m->marks, saved, m->mark_count * sizeof *saved);
}

static bool match_look(Matcher *m, const ReNode *node, size_t at) {
  size_t *saved = save_marks(m);
  bool found = false;
  if (!node->behind) {
    found = match_inside(m, node, at);
  } else if (at >= node->width) {
    found = match_inside(m, node, at - node->width) && m->sub_end == at;
  }
  if (found == node->negate) {
    restore_marks(m, saved);
    return false;
  }
  if (node->negate) restore_marks(m, saved);
  if (match(m, node->next, at)) return true;
  restore_marks(m, saved);
  return false;
}

static bool match_atomic(Matcher *m, const ReNode *node, size_t at) {
  size_t *saved = save_marks(m);
  if (match_inside(m, node, at) && match(m, node->next, m->sub_end)) return true;
  restore_marks(m, saved);
  return false;
}

static bool match_condition(Matcher *m, const ReNode *node, size_t at) {
  bool is_set = m->marks[2 * node->group + 1] != RE_UNSET;
  if (is_set) return match(m, node->firsts[0], at);
  return match(m, node->branches.count > 1 ? node->firsts[1] : node->next, at);
}

static bool accept_here(Matcher *m, size_t at) {
  if (m->whole && at != m->count) return false;
  if (m->must_advance && at == m->start) return false;
  m->marks[1] = at;
  return true;
}

static bool match_many(Matcher *m, const ReNode *node, size_t at) {
  eval_check_stack(m->ev);
  switch (node->kind) {
  case RE_GROUP_START:
  case RE_GROUP_END: return match_mark(m, node, at);
  case RE_BACKREF: return match_backref(m, node, at);
  case RE_BRANCH:
    for (size_t i = 0; i < node->branches.count; i++) {
      if (match(m, node->firsts[i], at)) return true;
    }
    return false;
  case RE_REPEAT: return match_repeat(m, node, at);
  case RE_LOOP_END: return run_loop(m, m->loop, at);
  case RE_LOOK: return match_look(m, node, at);
  case RE_ATOMIC: return match_atomic(m, node, at);
  case RE_CONDITION: return match_condition(m, node, at);
  case RE_SUB_END: m->sub_end = at; return true;
  default: return accept_here(m, at);
  }
}

static bool match(Matcher *m, const ReNode *node, size_t at) {
  for (;; node = node->next) {
    if (++m->steps > MAX_STEPS) {
      eval_raise(m->ev, m->ev->types.RuntimeError,
                 "the regular expression takes more than %u steps", MAX_STEPS);
    }
    if (node->kind <= RE_SET) {
      if (at >= m->count || !match_one(node, m->codes[at])) return false;
      at++;
    } else if (node->kind <= RE_WORD_EDGE) {
      if (!at_edge(m, node, at)) return false;
    } else {
      return match_many(m, node, at);
    }
  }
}

bool re_match_at(Eval *ev, const ReProgram *program, const ReSubject *subject, size_t start,
                 size_t end, bool whole, bool must_advance, size_t *marks, size_t *last_group) {
  Matcher m = {.ev = ev,
               .codes = subject->codes,
               .count = end,
               .start = start,
               .whole = whole,
               .must_advance = must_advance,
               .marks = marks,
               .mark_count = 2 * (program->groups + 1)};
  for (size_t i = 0; i < m.mark_count; i++) marks[i] = RE_UNSET;
  marks[0] = start;
  if (!match(&m, program->first, start)) return false;
  *last_group = m.last_group;
  return true;
}
