// SPDX-License-Identifier: Apache-2.0
// Regular expressions: a pattern is a graph of nodes that a backtracking matcher walks.
// std_re_parse.c makes it, std_re_match.c walks it, std_re.c is the module.
#pragma once
#include "python/values/builtin_state.h"

typedef enum ReKind {
  RE_CHAR,
  RE_ANY,
  RE_SET, // one code point each
  RE_LINE_START,
  RE_LINE_END,
  RE_TEXT_START,
  RE_TEXT_END,
  RE_WORD_EDGE, // of no width
  RE_GROUP_START,
  RE_GROUP_END,
  RE_BACKREF,
  RE_BRANCH,
  RE_REPEAT,
  RE_LOOK,
  RE_ATOMIC,
  RE_CONDITION,
  RE_LOOP_END, // behind the body of a repeat
  RE_SUB_END,  // behind the body of a look-around or an atomic group
  RE_ACCEPT,
} ReKind;

typedef enum ReCategory { RE_DIGIT, RE_SPACE, RE_WORD } ReCategory;
typedef struct ReItem { // of a set: a range, or a category
  bool is_category, negate;
  ReCategory category;
  uint32_t low, high;
} ReItem;

typedef struct ReNode ReNode;
typedef VEC(ReNode *) ReSeq;
typedef VEC(ReItem) ReItems;
struct ReNode {
  ReKind kind;
  ReNode *next;
  uint32_t code;         // RE_CHAR
  bool ignore_case;      // RE_CHAR, RE_SET, RE_BACKREF
  bool ascii;            // categories and word edges know ASCII only
  bool flag;             // RE_ANY: newlines too; lines: multiline
  bool negate;           // RE_SET, RE_WORD_EDGE, RE_LOOK
  bool behind;           // RE_LOOK
  bool lazy, possessive; // RE_REPEAT
  bool is_single;        // RE_REPEAT: the body is one node of one code point
  ReItems items;         // RE_SET
  unsigned group;        // counted from 1
  uint64_t min, max;     // RE_REPEAT
  size_t width;          // RE_LOOK behind: of its body
  ReSeq body;            // as parsed …
  VEC(ReSeq) branches;
  ReNode *first;   // … and linked: of the body
  ReNode **firsts; // of the branches
};

enum { // flags, with Python's values
  RE_FLAG_IGNORECASE = 2,
  RE_FLAG_LOCALE = 4,
  RE_FLAG_MULTILINE = 8,
  RE_FLAG_DOTALL = 16,
  RE_FLAG_UNICODE = 32,
  RE_FLAG_VERBOSE = 64,
  RE_FLAG_DEBUG = 128,
  RE_FLAG_ASCII = 256,
};

typedef struct ReProgram {
  ReNode *first;
  unsigned groups; // capturing groups
  unsigned flags;
  VEC(Name) names; // of groups: names.items[i] is that of group i, or NULL
} ReProgram;

// Raises re.error.
ReProgram *re_parse(Eval *ev, Value pattern, unsigned flags);

typedef struct ReSubject {
  Object base;
  const uint32_t *codes;
  size_t count;
} ReSubject;
#define RE_UNSET SIZE_MAX
// Matches at `start` exactly, up to `end`. `whole`: to the end. `must_advance`: not the empty text.
// Fills marks (2 * (groups + 1)) and the group
// that closed last.
bool re_match_at(Eval *ev, const ReProgram *program, const ReSubject *subject, size_t start,
                 size_t end, bool whole, bool must_advance, size_t *marks, size_t *last_group);
