// SPDX-License-Identifier: Apache-2.0
// The syntax tree: Python's own (the field and class names of Python's ast module), one struct a
// node.
// A node takes no more memory than its kind needs: never copy an Expr or a Stmt by value.
// Everything lives in the arena of the SourceFile's parse. Kinds and their fields are listed in
// ast.def, which drives the printer; the structs below are the same fields, typed.
#pragma once
#include "base/buf.h"
#include "base/session.h"

typedef struct Expr Expr;
typedef struct Stmt Stmt;
typedef struct Pattern Pattern;
typedef struct Scope Scope;

typedef struct ExprList {
  Expr **items;
  size_t count;
} ExprList;
typedef struct StmtList {
  Stmt **items;
  size_t count;
} StmtList;
typedef struct NameList {
  Name *items;
  size_t count;
} NameList;

typedef enum BinaryOp {
#define BINARY(id, text, method, function) BIN_##id,
#include "operators.def"
  BIN_COUNT
} BinaryOp;
typedef enum UnaryOp { UN_NEG, UN_POS, UN_INVERT, UN_NOT, UN_COUNT } UnaryOp;
typedef enum CompareOp {
#define COMPARE(id, text, method) CMP_##id,
#define COMPARE_WITHOUT(id, text) CMP_##id,
#include "operators.def"
  CMP_COUNT
} CompareOp;
const char *binary_op_text(BinaryOp op);   // "+"
const char *unary_op_text(UnaryOp op);     // "-", "not"
const char *compare_op_text(CompareOp op); // "not in"

// Where a name lives, filled in by scope_resolve (scope.c).
typedef enum NameWhere {
  NAME_UNRESOLVED,
  // Slot `index` of the environment `depth` function scopes out (0: the current function's own).
  NAME_LOCAL,
  NAME_GLOBAL, // module globals, then builtins
  NAME_CLASS,  // in a class body: the class's namespace first, then what `depth`/`index` says if
               // index != NO_SLOT, else as NAME_GLOBAL
} NameWhere;
#define NO_SLOT UINT32_MAX
typedef struct NameRef {
  Name name;
  NameWhere where;
  uint32_t depth, index;
  // The evaluator's, of globals: the entry of the dict that had the name last, and the version of
  // the module's dict that had not, so that it was the builtins'; 0: not known.
  uint32_t entry;
  uint64_t absent;
} NameRef;

// What the evaluator remembers of an attribute at a place of the program (attribute_at.h).
typedef struct AttributePlace {
  uint32_t entry;   // of the dict that had it last
  uint64_t known;   // the state of the type (Type.state) that it was last found by, and as what
  uintptr_t method; // of that type: all bits of its address turned, so that this keeps nothing
} AttributePlace;

// The variables of a function, lambda or comprehension (class bodies and modules have none: theirs
// is a dict).
// Comprehensions and lambdas are scopes of their own; parameters come first, in the order of
// Params.
struct Scope {
  Name *slots;
  uint32_t slot_count;
  Name *free; // variables of functions around it that it, or what is inside, refers to; sorted
  uint32_t free_count;
  // Of a function with *args and keyword-only names: the slot of args, and how many names of those
  // come behind it, which locals() has in front of it.
  uint32_t varargs_slot, keyword_only;
  // An inner scope refers to a slot of this one: its environment outlives the call.
  bool is_captured;
  bool is_generator; // a function that yields: a call makes a generator
  // Of those: each yield is a whole statement, what one assigns or what it returns; `try` or `with`
  // is around some; so many levels (resume.c) are, at the most.
  bool is_resumable, is_guarded;
  uint32_t yield_nesting;
  // A name that statements `name = value` of this function give values that nothing in it reads: a
  // parameter, or a variable that a function around it has, too. NULL: there is none.
  Name unread;
  Span unread_span; // in the first of those statements
};

// ---- expressions -----------------------------------------------------------------------------
typedef enum ExprKind {
#define EXPR(id, text, fields) EX_##id,
#define STMT(id, text, fields)
#define PATTERN(id, text, fields)
#include "ast.def"
#undef EXPR
#undef STMT
#undef PATTERN
  EX_COUNT
} ExprKind;

// One parameter. `span` covers the name.
typedef struct Param {
  Name name;
  Span span;
  Expr *annotation;    // or NULL
  Expr *default_value; // or NULL
} Param;
typedef struct Params {
  // Positional-only, then ordinary, then *args, then keyword-only, then **kwargs: the order of the
  // scope's slots.
  Param *items;
  size_t count;
  size_t positional_only; // how many come before "/"
  size_t positional;      // positional-only and ordinary
  bool has_varargs, has_kwargs;
} Params;
// One of `[T, *Ts, **P]` behind a name.
typedef struct TypeParam {
  Name name;
  const char *maker; // of typing: TypeVar, TypeVarTuple or ParamSpec
  bool has_variance; // which is inferred
} TypeParam;
typedef struct TypeParams {
  TypeParam *items;
  size_t count;
} TypeParams;
typedef struct Keyword {
  Name name; // NULL for **value
  Span span; // of the name
  Expr *value;
} Keyword;
typedef struct Comprehension { // one "for target in iter if cond …"
  Expr *target, *iter;
  ExprList conditions;
} Comprehension;
// A piece of an f-string: literal text (value == NULL) or a replacement field.
typedef struct FStringPart {
  Str text; // literal text; for {x=} the text before the value, "x=" included
  Expr *value;
  char conversion; // 0, 'r', 's' or 'a'
  Expr *format;    // a JoinedStr, or NULL
} FStringPart;

// What an expression is, as far as is known before it is evaluated: its ExprKind, or more than
// that.
typedef enum ExprForm {
  FORM_LOCAL = EX_COUNT,                  // EX_NAME: a variable of the function itself (depth 0)
  FORM_INT,                               // EX_INT that fits an int64
  FORM_BINARY,                            // + BinaryOp
  FORM_COMPARE = FORM_BINARY + BIN_COUNT, // + CompareOp: a comparison of two
  FORM_COUNT = FORM_COMPARE + CMP_COUNT,
} ExprForm;

struct Expr {
  ExprKind kind;
  uint32_t depth; // of this tree; the parser refuses more than AST_MAX_DEPTH
  Span span;
  uint32_t form; // ExprKind or ExprForm
  union {
    // EX_INT: digits without prefix and underscores.
    struct {
      Str digits;
      union {
        int64_t value; // of a FORM_INT
        void *object;  // of others, as below
      };
      int base;
    } int_literal;
    double float_literal; // EX_FLOAT, EX_IMAGINARY
    struct {
      Str string;   // EX_STR, EX_BYTES: escapes done, adjacent literals joined
      void *object; // the evaluator's: that as an object, once it has been asked for; or NULL
    };
    struct {
      FStringPart *parts;
      size_t count;
    } joined_str;
    bool boolean; // EX_BOOL
    NameRef name;
    struct {
      Expr *value;
      Name attr;
      Span attr_span;
      AttributePlace place;
    } attribute;
    // Index may be EX_TUPLE, EX_SLICE, EX_STARRED inside a tuple.
    struct {
      Expr *value, *index;
    } subscript;
    struct {
      Expr *lower, *upper, *step;
    } slice; // each or NULL
    struct {
      Expr *func;
      ExprList args;
      Keyword *keywords;
      size_t keyword_count;
      bool has_unpacking;    // * or **
      struct CallPlan *plan; // the evaluator's: where keywords go (bind.h); or NULL
    } call;                  // args may be EX_STARRED
    struct {
      BinaryOp op;
      Expr *left, *right;
      Span op_span;
    } binary;
    struct {
      UnaryOp op;
      Expr *operand;
    } unary;
    struct {
      bool is_and;
      ExprList values;
    } bool_op;
    struct {
      Expr *left;
      CompareOp *ops;
      Expr **comparators;
      size_t count;
    } compare;
    struct {
      Expr *test, *body, *orelse;
    } if_exp;
    struct {
      Params params;
      Expr *body;
      Scope *scope;
    } lambda;
    struct { // EX_TUPLE, EX_LIST, EX_SET
      ExprList elements;
      bool is_plain;   // no element is EX_STARRED
      bool is_literal; // of a tuple: all are literals, or tuples of those
      void *literal;   // the evaluator's: that tuple, once it has been asked for; or NULL
    };
    struct {
      ExprList keys, values;
    } dict; // keys.items[i] == NULL for **values.items[i]
    struct {
      Expr *element, *value;
      Comprehension *clauses;
      size_t clause_count;
      Scope *scope;
    } comp;
    // EX_LIST_COMP, EX_SET_COMP, EX_GENERATOR:
    // element; EX_DICT_COMP: element: value.
    // The first clause's iter is evaluated
    // outside `scope`.
    Expr *starred;
    Expr *yielded; // of EX_YIELD (or NULL) and EX_YIELD_FROM
    // EX_REFUSED: why; raised when it is evaluated.
    const char *refused;
    struct {
      Expr *target, *value;
    } named; // walrus; target is EX_NAME
  };
};

// ---- statements ------------------------------------------------------------------------------
typedef enum StmtKind {
#define EXPR(id, text, fields)
#define STMT(id, text, fields) ST_##id,
#define PATTERN(id, text, fields)
#include "ast.def"
#undef EXPR
#undef STMT
#undef PATTERN
  ST_COUNT
} StmtKind;

typedef struct ImportName {
  Name *path; // dotted name, split
  size_t path_count;
  Name as;      // or NULL
  NameRef bind; // where the bound name (as, or the first of path) lives
  Span span;
} ImportName;
typedef struct ExceptHandler {
  Expr *type; // or NULL
  Name name;  // or NULL
  NameRef bind;
  StmtList body;
  bool is_star; // except*
  Span span;
} ExceptHandler;
typedef struct WithItem {
  Expr *context;
  Expr *target; // or NULL
} WithItem;
typedef struct MatchCase {
  Pattern *pattern;
  Expr *guard; // or NULL
  StmtList body;
  Span span;
} MatchCase;

struct Stmt {
  StmtKind kind;
  bool yields; // a yield of the same function is in it
  Span span;
  union {
    struct {
      Name name;
      Span name_span;
      NameRef bind;
      ExprList decorators;
      Params params;
      Expr *returns;
      StmtList body;
      Scope *scope;
      Str doc;
      bool has_doc;
      bool is_generic; // it, or what it stands in, has type parameters, which are no names
    } function;
    struct {
      Name name;
      Span name_span;
      NameRef bind;
      ExprList decorators;
      ExprList bases; // with type parameters, lambdas of them
      TypeParams type_params;
      Keyword *keywords;
      size_t keyword_count;
      StmtList body;
      Str doc;
      bool has_doc;
    } class_def;
    Expr *value;      // ST_RETURN (or NULL), ST_EXPR
    ExprList targets; // ST_DELETE
    struct {
      ExprList targets;
      Expr *value;
    } assign; // several for a = b = c
    struct {
      Expr *target;
      BinaryOp op;
      Expr *value;
      Span op_span;
    } aug_assign;
    struct {
      Name name;
      NameRef bind;
      Expr *value; // with type parameters, a lambda of them
      TypeParams type_params;
    } type_alias;
    struct {
      Expr *target, *annotation, *value;
      bool is_generic;
    } ann_assign; // value or NULL
    struct {
      Expr *target, *iter;
      StmtList body, orelse;
    } for_loop;
    struct {
      Expr *test;
      StmtList body, orelse;
    } while_loop;
    struct {
      Expr *test;
      StmtList body, orelse;
    } if_stmt; // elif is an if in orelse
    struct {
      WithItem *items;
      size_t count;
      StmtList body;
    } with;
    struct {
      Expr *subject;
      MatchCase *cases;
      size_t count;
    } match;
    struct {
      Expr *exc, *cause;
    } raise; // each or NULL
    struct {
      StmtList body;
      ExceptHandler *handlers;
      size_t handler_count;
      StmtList orelse, final;
    } try_stmt;
    struct {
      Expr *test, *message;
    } assert_stmt;
    struct {
      ImportName *names;
      size_t count;
    } import;
    // Module_count may be 0.
    struct {
      unsigned level;
      Name *module;
      size_t module_count;
      ImportName *names;
      size_t count;
      bool is_star;
    } import_from;
    NameList names; // ST_GLOBAL, ST_NONLOCAL
  };
};

// Of a def or class statement, from its first decorator on.
static inline Span stmt_decorated_span(const Stmt *stmt) {
  const ExprList *decorators =
      stmt->kind == ST_CLASS_DEF ? &stmt->class_def.decorators : &stmt->function.decorators;
  return decorators->count ? span_join(decorators->items[0]->span, stmt->span) : stmt->span;
}

// ---- patterns of match -----------------------------------------------------------------------
typedef enum PatternKind {
#define EXPR(id, text, fields)
#define STMT(id, text, fields)
#define PATTERN(id, text, fields) PT_##id,
#include "ast.def"
#undef EXPR
#undef STMT
#undef PATTERN
  PT_COUNT
} PatternKind;

struct Pattern {
  PatternKind kind;
  Span span;
  union {
    // PT_VALUE: compared with ==; None/True/False with is.
    Expr *value;
    struct {
      Pattern **items;
      size_t count;
    } sub; // PT_SEQUENCE, PT_OR
    struct {
      NameRef bind;
      bool is_wildcard;
    } star; // PT_STAR inside a sequence: *name or *_
    struct {
      Pattern *pattern;
      NameRef bind;
      bool is_wildcard;
    } as; // PT_AS: `pattern as name`, `name` (pattern NULL), `_` (is_wildcard)
    struct {
      Expr **keys;
      Pattern **patterns;
      size_t count;
      NameRef rest;
      bool has_rest;
    } mapping;
    struct {
      Expr *cls;
      Pattern **patterns;
      size_t count;
      Name *kwd_names;
      Pattern **kwd_patterns;
      size_t kwd_count;
    } cls;
  };
};

typedef struct Module {
  Arena *arena; // that it lies in
  SourceFile *file;
  StmtList body;
  Str doc;
  bool has_doc;
} Module;

// Nesting beyond these is refused with a diagnostic (CPython's parser has limits of the same kind).
#define AST_MAX_DEPTH    2000 // of an expression tree, chains of operators included
#define AST_MAX_BRACKETS 200  // as CPython
#define AST_MAX_INDENTS  100  // as CPython

// Parses a file and resolves its names (syntax.c). Never NULL: after errors the module holds the
// statements that could be read, and the session's error_count has grown.
Module *syntax_parse(Session *session, SourceFile *file);
// The same for a file that is imported: a function that uses what is refused by name (async, await)
// is refused when it is called, since a module may hold such functions beside those that a program
// came for.
Module *syntax_parse_imported(Session *session, SourceFile *file);
// Likewise of a text that a program has made; the tree lies in the given arena.
Module *syntax_parse_made(Session *session, SourceFile *file, Arena *arena);
// As syntax_parse for whole lines of a file, which stand at its top level.
Module *syntax_parse_part(Session *session, SourceFile *file, uint32_t begin, uint32_t end);
// Parses one expression out of a text such as `add(f32[512,512], bm=256)` from the command line;
// NULL after a diagnostic.
Expr *syntax_parse_expression(Session *session, SourceFile *file);
// The same of the text from `begin` on.
Expr *syntax_parse_expression_from(Session *session, SourceFile *file, uint32_t begin);
// Tokens of a file as text, one a line: `3:5-3:9 NAME "grid"`, INDENT, DEDENT and NEWLINE included
// (--emit=tokens).
void syntax_print_tokens(Session *session, SourceFile *file, Buf *out);
// The tree as text (--emit=ast): one node a line, indented, with its span as line:column.
void ast_print(const Module *module, Buf *out);
// Fills in every NameRef and Scope of the module; reports misplaced nonlocal/global/return/break/…
// (scope.c).
void scope_resolve(Session *session, Module *module);
// Calls found for each name that the module's own text binds at its top level; for `from m import
// *` with NULL.
void syntax_each_global(Session *session, const Module *module,
                        void (*found)(void *data, Name name, bool is_imported), void *data);
// A place where a text reads a name that none of its functions, and not its top level, binds.
typedef struct GlobalRead {
  Name name, attr; // attr: of `name.attr`, or NULL
  bool is_unbound; // the top level does not bind the name, as it may where there is an attr
  Span span;
  const Name *own; // what the function around it binds
  size_t own_count;
} GlobalRead;
// Calls found for each of them, but for those in a `try` or a `with`, in a file that has been
// parsed without an error; for none if the text has `from m import *`.
void syntax_each_global_read(Session *session, SourceFile *file, Arena *arena,
                             void (*found)(void *data, const GlobalRead *read), void *data);
// Python's text of an expression, for messages (assert, {x=}, argument lists): as ast.unparse.
Str expr_text(Arena *arena, const Expr *expr);
