// SPDX-License-Identifier: Apache-2.0
// The state of name resolution, and its parts: what is bound, what is looked up, what patterns
// bind.
//
// A frame is a scope while it is resolved. First all that its own text binds is entered
// (scope_bind.c), without the bodies of functions, lambdas, classes and comprehensions inside; then
// its names are looked up, outwards, and the inner scopes are done in turn, so that a name may be
// bound after the function that uses it.
#pragma once
#include "base/map.h"
#include "ast.h"

#define SCOPE_MAX_NESTING 200

typedef enum FrameKind {
  FRAME_MODULE,
  FRAME_CLASS,
  FRAME_FUNCTION,  // and lambdas
  FRAME_COMP,      // evaluated where it stands
  FRAME_GENERATOR, // may be evaluated later
} FrameKind;

// What a frame knows of a name.
typedef struct Binding {
  bool is_bound, is_param, is_global, is_nonlocal, is_used, is_imported;
  bool is_found; // where, depth and index are valid
  bool is_read;  // or deleted, or updated in place; here or by a function inside
  Span assigned; // the target of the first `name = value`; empty: there is none
  uint32_t slot;
  NameWhere where;
  uint32_t depth, index;
} Binding;

typedef struct Frame {
  FrameKind kind;
  struct Frame *parent;
  const Expr *comp; // of FRAME_COMP and FRAME_GENERATOR
  Map *names;       // Name to Binding
  VEC(Name) slots;
  VEC(Name) free; // as in Scope, each once
  uint32_t varargs_slot, keyword_only; // as in Scope
  bool is_captured, is_generator;
  unsigned nesting;
  unsigned yields;        // so far
  bool has_inner_yield;   // one where Scope.is_resumable does not have it
  unsigned blocks;        // around what is resolved, in levels of a generator
  unsigned yield_nesting; // the most of them around a yield
  unsigned guards;        // `try` and `with` around what is resolved
  bool is_guarded;        // some are around a yield
} Frame;

typedef struct PlacedRead {
  GlobalRead read;
  const Frame *frame;
} PlacedRead;
typedef VEC(PlacedRead) PlacedReads;

typedef struct Resolver {
  Session *session;
  PlacedReads *reads; // of names that no function binds, if somebody asks for them; or NULL
  Arena *arena, *scratch;
  Frame *frame;
  Name class_name; // of the class whose body this is in, for private names; or NULL
  unsigned loops;  // around the statement, in its own function
  unsigned star;   // 0, or 1 + the loops around the 'except*' block that it is in, there too
  bool in_comp;    // binding: inside a comprehension of the frame
  bool in_clause;  // resolving: inside the iterable of a comprehension
  bool has_star;   // binding: there was `from m import *`
} Resolver;

static inline bool frame_has_slots(const Frame *frame) { return frame->kind >= FRAME_FUNCTION; }

// ---- scope_bind.c ------------------------------------------------------------------------------
// A private name (__x in a class) as it is really called.
Name scope_mangle(const Resolver *r, Name name);
// Never NULL: enters the name if it is new.
Binding *scope_binding(Resolver *r, Frame *frame, Name name);
void scope_bind_name(Resolver *r, Name name);
void scope_bind_params(Resolver *r, const Params *params);
void scope_bind_body(Resolver *r, StmtList body);
void scope_bind_target(Resolver *r, const Expr *target);
// Walruses, and uses of names.
void scope_bind_expr(Resolver *r, const Expr *expr);
// Calls visit for each expression directly below; not for those of lambdas and comprehensions.
void scope_each_child(Resolver *r, const Expr *expr, void (*visit)(Resolver *, Expr *));

// ---- scope_match.c -----------------------------------------------------------------------------
// Reports patterns that bind a name twice, differ in what they bind, or come after one that always
// matches.
void scope_check_match(Resolver *r, const Stmt *match);
void scope_bind_pattern(Resolver *r, const Pattern *pattern);
