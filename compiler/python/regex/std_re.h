// SPDX-License-Identifier: Apache-2.0
// Regular expressions: Python's patterns are read into a tree (std_re_parse.c), with Python's
// errors, and written down as patterns of PCRE2 (std_re_pattern.c), which matches them
// (std_re_match.c). What it finds are objects (std_re_object.c). std_re.c is the module.
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
  uint32_t code;         // RE_CHAR
  bool ignore_case;      // RE_CHAR, RE_SET, RE_BACKREF
  bool ascii;            // categories and word edges know ASCII only
  bool flag;             // RE_ANY: newlines too; lines: multiline
  bool negate;           // RE_SET, RE_WORD_EDGE, RE_LOOK
  bool behind;           // RE_LOOK
  bool lazy, possessive; // RE_REPEAT
  ReItems items;         // RE_SET
  unsigned group;        // counted from 1
  uint64_t min, max;     // RE_REPEAT; RE_NO_LIMIT
  ReSeq body;
  VEC(ReSeq) branches;
};
#define RE_NO_LIMIT     UINT64_MAX
#define RE_MOST_REPEATS 65535 // that PCRE2 counts; Python counts to 2^32 - 1

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

typedef VEC(uint32_t) ReText; // code points
typedef struct ReProgram {
  ReSeq body;
  unsigned groups; // capturing groups
  unsigned flags;
  bool is_bytes;       // patterns of bytes match bytes
  VEC(Name) names;     // of groups: names.items[i] is that of group i, or NULL
  struct ReCode *code; // what PCRE2 has made of it
} ReProgram;

// What is matched: the code points of a str, or the bytes of bytes.
typedef struct ReSubject {
  const uint32_t *codes;
  size_t count;
} ReSubject;

// The code points of a str, or the bytes of what has some; in new memory.
uint32_t *re_codes(Eval *ev, Value text, bool is_bytes, size_t *count);
// A tree without code. Raises re.error.
ReProgram *re_parse(Eval *ev, Value pattern, unsigned flags);
// The tree as a pattern of PCRE2, with a callout behind it if it has groups.
ReText re_pattern(Eval *ev, const ReProgram *program);
// Gives the program its code; memory is the evaluator's. Raises re.error.
void re_compile(Eval *ev, ReProgram *program);

typedef enum ReMode { RE_MATCH, RE_FULLMATCH, RE_SEARCH } ReMode;
#define RE_UNSET SIZE_MAX
// Whether something in codes[0 … end) matches: at `start`, from there to the end, or from there on.
// `must_advance`: not the empty text at `start`. Fills marks (begin and end of each group, or
// RE_UNSET; 2 * (groups + 1)) and the group that closed last, 0: none.
bool re_find(Eval *ev, const ReProgram *program, const ReSubject *subject, size_t start, size_t end,
             ReMode mode, bool must_advance, size_t *marks, size_t *last_group);
