// SPDX-License-Identifier: Apache-2.0
// What the parser's actions call: one builder an action. Builders check what the grammar leaves
// open, report it, and return a node in any case (EX_ERROR or ST_ERROR in place of what makes no
// sense). Spans follow Python's ast: brackets around an expression do not belong to it, those of a
// tuple do.
#pragma once
#include "ast.h"
#include "mistake.h"

// Enough for AST_MAX_DEPTH levels of the most roundabout rules; beyond it the source is refused.
#define PARSER_MAX_STACK 20000
#define AST_MAX_ELIFS    1000 // an elif nests in the orelse of the if before it

// What the language leaves out, where it stands.
typedef struct Refusal {
  Span place;
  const char *why; // NULL: nothing
} Refusal;

typedef struct Parser {
  Session *session;
  SourceFile *file;
  uint32_t begin; // of the part of the file that is parsed
  Arena *arena;   // the tree's
  Arena *scratch; // released when the parse ends
  struct Layout *layout;
  Module *module;
  Expr *expression;    // the result if an expression was asked for
  uint32_t error_line; // logical line (from 1) of the last syntax error: one line gives one
  Span as_item; // the first item with an "as" that no with statement has taken; file 0 if there is
                // none
  unsigned as_count;
  uint32_t recovered_column; // column of the last statement given up, from 1; 0 if there is none
  bool defers_refusals; // what is refused by name is an error of the function around it, when that
                        // is called
  Refusal refused;      // the first that no function has taken yet
} Parser;

// ---- lists under construction ------------------------------------------------------------------
typedef enum ParamKind {
  PARAM_PLAIN,
  PARAM_STAR,      // *args
  PARAM_STAR_STAR, // **kwargs
  PARAM_BARE_STAR, // *
  PARAM_SLASH,     // /
} ParamKind;
typedef struct ParamItem {
  ParamKind kind;
  Span span; // of all of it
  Param param;
} ParamItem;
typedef VEC(ParamItem) ParamVec;

typedef enum ArgKind {
  ARG_POSITIONAL,
  ARG_STAR,
  ARG_KEYWORD,
  ARG_STAR_STAR,
  ARG_GENERATOR
} ArgKind;
typedef struct Arg {
  ArgKind kind;
  Span span;
  Keyword keyword; // its value is the argument, of whatever kind
} Arg;
typedef VEC(Arg) ArgVec;

typedef struct DictItems {
  ExprList keys, values;
} DictItems;
typedef VEC(Comprehension) CompClauses;

// The pieces of an f-string: text with its span, or a field.
typedef struct FPart {
  Span span;
  bool is_raw;
  FStringPart field;
} FPart;
typedef VEC(FPart) FParts;
// Literals side by side; `fstring` is NULL for a plain one.
typedef struct StringPiece {
  Span span;
  FParts *fstring;
} StringPiece;
typedef VEC(StringPiece) StringPieces;

typedef struct Branch {
  Span span; // of "elif"
  Expr *test;
  StmtList body;
} Branch;
typedef VEC(Branch) Branches;
typedef VEC(ExceptHandler) HandlerVec;
typedef VEC(WithItem) WithItemVec;
typedef VEC(ImportName) ImportVec; // an empty one is "*"
typedef VEC(MatchCase) CaseVec;
typedef VEC(Pattern *) PatternVec;
typedef struct MappingItems {
  ExprList keys;
  PatternVec patterns;
  bool has_rest;
  Name rest;
} MappingItems;
typedef struct ClassPatternArgs {
  PatternVec positional, keyword;
  NameList names;
} ClassPatternArgs;

// ---- shared by the builders --------------------------------------------------------------------
Expr *build__expr(Parser *parser, ExprKind kind, Span span);
// The node, or EX_ERROR if it is too deep. `depth` is that of its deepest child.
Expr *build__deepen(Parser *parser, Expr *expr, uint32_t depth);
uint32_t build__depth(const Expr *expr); // 0 for NULL
uint32_t build__list_depth(ExprList list);
// Reports a starred expression that is not an element of something.
void build__no_star(Parser *parser, const Expr *expr);
// Whether the expression that a grammar symbol at `place` gave stands in parentheses of its own.
bool build__is_parenthesised(const Expr *expr, Span place);
bool build__take_refusal(Parser *parser, Refusal *refusal);
Expr *build__refused(Parser *parser, Refusal refusal);
// Reports, once a logical line, as the parser itself does.
void build__mistake(Parser *parser, MistakeKind kind, Span span, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
#define build__syntax_error(parser, ...) build__mistake((parser), MISTAKE_SYNTAX, __VA_ARGS__)

typedef enum TargetUse { TARGET_ASSIGN, TARGET_DELETE, TARGET_AUGMENT, TARGET_ANNOTATE } TargetUse;
// Whether the expression can stand there; reports if not (build_target.c).
bool build__target(Parser *parser, Expr *expr, TargetUse use);
// "a call", "a number", …
const char *build__describe(const Expr *expr);
Params build__params(Parser *parser, const ParamVec *items);
// Fills args and keywords from what was read between the parentheses (build_args.c).
void build__take_args(Parser *parser, const ArgVec *from, ExprList *args, Keyword **keywords,
                      size_t *keyword_count);

// ---- expressions (build_expr.c, build_args.c) --------------------------------------------------
ExprList build_exprs_one(Parser *parser, Expr *expr);
ExprList build_exprs_push(Parser *parser, ExprList list, Expr *expr);
Expr *build_name(Parser *parser, Span span, Name name);
Expr *build_number(Parser *parser, Span span); // numbers.c
Expr *build_constant(Parser *parser, ExprKind kind, Span span, bool value);
Expr *build_tuple(Parser *parser, Span span, ExprList list, Expr *last); // last may be NULL
Expr *build_elements(Parser *parser, ExprKind kind, Span span, ExprList list, Expr *last);
Expr *build_group(Parser *parser, Span span, Expr *item);
Expr *build_as_item(Parser *parser, Span span, Span as, Expr *context, Expr *target);
Expr *build_starred(Parser *parser, Span span, Expr *value);
Expr *build_yield(Parser *parser, ExprKind kind, Span span, Expr *value); // or NULL
Expr *build_await(Parser *parser, Span span, Span keyword);
Expr *build_named(Parser *parser, Span span, Expr *target, Span target_place, Expr *value);
Expr *build_if_exp(Parser *parser, Span span, Expr *test, Expr *body, Expr *orelse);
Expr *build_lambda(Parser *parser, Span span, const ParamVec *params, Expr *body);
Expr *build_bool_op(Parser *parser, Span span, bool is_and, Expr *left, Span left_place,
                    Expr *right);
Expr *build_unary(Parser *parser, Span span, UnaryOp op, Expr *operand);
Expr *build_binary(Parser *parser, Span span, BinaryOp op, Span op_span, Expr *left, Expr *right);
Expr *build_compare(Parser *parser, Span span, Expr *left, Span left_place, CompareOp op,
                    Expr *right);
Expr *build_attribute(Parser *parser, Span span, Expr *value, Name attr, Span attr_span);
Expr *build_call(Parser *parser, Span span, Expr *func, Span open, const ArgVec *args);
Expr *build_subscript(Parser *parser, Span span, Expr *value, Expr *index);
Expr *build_single_subscript(Parser *parser, Expr *index);
// Sets *place, which bison has begun at the '[' where there is no lower bound.
Expr *build_slice(Parser *parser, Span *place, Span begin, Span end, Expr *lower, Expr *upper,
                  Expr *step);
Expr *build_dict(Parser *parser, Span span, const DictItems *items);
DictItems *build_dict_item(Parser *parser, Expr *key, Expr *value);
DictItems *build_dict_join(Parser *parser, DictItems *items, const DictItems *one);
Expr *build_comp(Parser *parser, ExprKind kind, Span span, Expr *element, Expr *value,
                 const CompClauses *clauses);
CompClauses *build_clause(Parser *parser, CompClauses *clauses, Expr *target, Expr *iter);
CompClauses *build_condition(Parser *parser, CompClauses *clauses, Expr *condition);
ParamVec *build_param(Parser *parser, ParamKind kind, Span span, Name name, Span name_span,
                      Expr *annotation, Expr *default_value);
ParamVec *build_params_join(Parser *parser, ParamVec *params, const ParamVec *one);
Arg *build_arg(Parser *parser, Span span, Expr *value);
Arg *build_arg_keyword(Parser *parser, Span span, Expr *name, Span name_place, Span equals,
                       Expr *value);
Arg *build_arg_keywords(Parser *parser, Span span, Expr *value);
Arg *build_arg_generator(Parser *parser, Span span, Expr *element, const CompClauses *clauses);
ArgVec *build_args(Parser *parser, ArgVec *args, const Arg *arg);

// ---- string literals (strings.c) ---------------------------------------------------------------
StringPieces *build_pieces(Parser *parser, StringPieces *pieces, Span span, FParts *fstring);
Expr *build_string(Parser *parser, Span span, const StringPieces *pieces);
FParts *build_fparts(Parser *parser);
FParts *build_ftext(Parser *parser, FParts *parts, Span span, unsigned is_raw);
FParts *build_ffield(Parser *parser, FParts *parts, const FPart *field);
// `equals` is the place of the "=" of {x=}, or NULL.
FPart *build_field(Parser *parser, Span open, Expr *value, const Span *equals, unsigned conversion,
                   Expr *format);
unsigned build_conversion(Parser *parser, Span span, Name name);
Expr *build_format(Parser *parser, Span span, const FParts *parts);

// ---- statements (build_stmt.c, build_import.c) -------------------------------------------------
void build_module(Parser *parser, StmtList body);
void build_expression(Parser *parser, Expr *expr);
StmtList build_stmts_one(Parser *parser, Stmt *stmt);
StmtList build_stmts_push(Parser *parser, StmtList list, Stmt *stmt);
StmtList build_stmts_join(Parser *parser, StmtList list, StmtList more);
StmtList build_unexpected_indent(Parser *parser, StmtList body);
StmtList build_missing_block(Parser *parser, Span span);
Stmt *build_recovered(Parser *parser, Span span);
Stmt *build_stmt(Parser *parser, StmtKind kind, Span span);
Stmt *build_expr_stmt(Parser *parser, Span span, Expr *value);
Stmt *build_return(Parser *parser, Span span, Expr *value);
Stmt *build_raise(Parser *parser, Span span, Expr *exc, Expr *cause);
Stmt *build_global(Parser *parser, StmtKind kind, Span span, NameList names);
Stmt *build_assert(Parser *parser, Span span, Expr *test, Expr *message);
Stmt *build_type_alias(Parser *parser, Span span, Name name, Expr *value);
Stmt *build_assign(Parser *parser, Span span, ExprList chain);
Stmt *build_aug_assign(Parser *parser, Span span, Expr *target, BinaryOp op, Span op_span,
                       Expr *value);
Stmt *build_ann_assign(Parser *parser, Span span, Expr *target, Expr *annotation, Expr *value);
Stmt *build_delete(Parser *parser, Span span, ExprList targets);
NameList build_names_push(Parser *parser, NameList list, Name name);
Stmt *build_import(Parser *parser, Span span, const ImportVec *names);
Stmt *build_import_from(Parser *parser, Span span, unsigned level, NameList module,
                        const ImportVec *names);
ImportVec *build_import_name(Parser *parser, Span span, NameList path, Name as);
ImportVec *build_from_name(Parser *parser, Span span, Name name, Name as);
ImportVec *build_import_star(Parser *parser, Span span);
ImportVec *build_imports_join(Parser *parser, ImportVec *names, const ImportVec *one);
unsigned build_dots(Parser *parser, Span span, unsigned dots, unsigned more);
Stmt *build_if(Parser *parser, Span span, Expr *test, StmtList body, const Branches *elifs,
               StmtList orelse);
Branches *build_elif(Parser *parser, Branches *elifs, Span span, Expr *test, StmtList body);
Stmt *build_while(Parser *parser, Span span, Expr *test, StmtList body, StmtList orelse);
Stmt *build_for(Parser *parser, Span span, Expr *target, Expr *iter, StmtList body,
                StmtList orelse);
Stmt *build_try(Parser *parser, Span span, StmtList body, const HandlerVec *handlers,
                StmtList orelse, StmtList final);
Stmt *build_bare_try(Parser *parser, Span span, StmtList body);
HandlerVec *build_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body);
HandlerVec *build_star_handler(Parser *parser, Span span, Expr *type, Name name, StmtList body);
HandlerVec *build_handlers_join(Parser *parser, HandlerVec *handlers, const HandlerVec *one);
Stmt *build_with(Parser *parser, Span span, const WithItemVec *items, StmtList body);
WithItemVec *build_with_head(Parser *parser, Span span, WithItemVec *items);
WithItemVec *build_with_item(Parser *parser, Span place, Expr *context, Expr *target);
WithItemVec *build_with_join(Parser *parser, WithItemVec *items, const WithItemVec *one);
void build_async(Parser *parser, Span async);
Stmt *build_async_function(Parser *parser, Span async, Stmt *function);
Stmt *build_decorated(Parser *parser, ExprList decorators, Stmt *stmt);
Stmt *build_bare_decorators(Parser *parser, Span span);
Stmt *build_function(Parser *parser, Span span, Name name, Span name_span, const ParamVec *params,
                     Expr *returns, StmtList body);
Stmt *build_class(Parser *parser, Span span, Name name, Span name_span, const ArgVec *args,
                  StmtList body);

// ---- match (build_pattern.c) -------------------------------------------------------------------
Stmt *build_match(Parser *parser, Span span, Expr *subject, const CaseVec *cases);
Stmt *build_bare_match(Parser *parser, Span span, Expr *subject);
CaseVec *build_case(Parser *parser, Span span, Pattern *pattern, Expr *guard, StmtList body);
CaseVec *build_cases_join(Parser *parser, CaseVec *cases, const CaseVec *one); // either may be NULL
PatternVec *build_patterns(Parser *parser, PatternVec *patterns, Pattern *pattern);
Pattern *build_sequence(Parser *parser, Span span, PatternVec *patterns, Pattern *last);
Pattern *build_star_pattern(Parser *parser, Span span, Name name);
Pattern *build_as_pattern(Parser *parser, Span span, Pattern *pattern, Name name, Span name_span);
Pattern *build_or_pattern(Parser *parser, Span span, Pattern *left, Span left_place,
                          Pattern *right);
Pattern *build_name_pattern(Parser *parser, Expr *name);
Pattern *build_value_pattern(Parser *parser, Expr *value);
Expr *build_string_pattern(Parser *parser, Span span, const StringPieces *pieces);
Pattern *build_class_pattern(Parser *parser, Span span, Expr *cls, const ClassPatternArgs *args);
ClassPatternArgs *build_class_arg(Parser *parser, ClassPatternArgs *args, Span span, Name name,
                                  Pattern *pattern);
Pattern *build_mapping(Parser *parser, Span span, const MappingItems *items);
MappingItems *build_mapping_item(Parser *parser, MappingItems *items, Expr *key, Pattern *pattern);
MappingItems *build_mapping_rest(Parser *parser, MappingItems *items, Span span, Name name);
Expr *build_mapping_key(Parser *parser, Expr *name);
