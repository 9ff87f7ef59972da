// SPDX-License-Identifier: Apache-2.0
// The grammar: Python's, as LALR(1). What context decides is left to the builders: targets and parameter names of
// calls are parsed as expressions, the order of parameters is checked when a list is whole. `match`, `case` and `type`
// arrive here as keywords or as names; layout.c tells them apart. A mistake costs the rest of its logical line.
//
// Nothing needs a %destructor: whatever is discarded lives in the arena.
%define api.pure full
%define api.prefix {pk_}
%define api.token.prefix {TOK_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%define parse.lac.es-capacity-initial "200"
%locations
%expect 0
%parse-param {Parser *parser}
%lex-param {Parser *parser}

%code requires {
#include "build_args.h"
#include "build_block.h"
#include "build_display.h"
#include "build_import.h"
#include "build_pattern.h"
#include "build_string.h"
#include "parser.h"
}

%code {
#include "build_expr.h"
#include "build_node.h"
#include "build_stmt.h"
#include "layout.h"
#include "syntax_error.h"

#define YYLTYPE_IS_TRIVIAL 1
#define YYSTACK_USE_ALLOCA 0
#define YYMAXDEPTH PARSER_MAX_STACK
#define YYMALLOC(size) stack_alloc(parser, (size))
#define YYFREE(data) ((void)(data))
#define YYLLOC_DEFAULT(now, rhs, n)                                                                \
  ((now) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n))                                     \
               : (Span){parser->file->id, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})

// What YYMALLOC finds where bison passes no parser on: the look-ahead correction, whose own stack (es-capacity-initial)
// only grows by empty rules and is never too small. There NULL means "no memory".
static Parser *const parser = NULL;

static void *stack_alloc(Parser *of, size_t size) {
  return of ? arena_alloc(of->scratch, size) : NULL;
}

static int pk_lex(PK_STYPE *value, Span *span, Parser *of) {
  return layout_lex(of->layout, value, span);
}
static void pk_error(const Span *span, Parser *of, const char *message);
}

%union {
  Name name;
  Expr *expr;
  Stmt *stmt;
  Pattern *pattern;
  ExprList exprs;
  StmtList stmts;
  NameList names;
  ParamVec *params;
  Arg *arg;
  ArgVec *args;
  DictItems *dict;
  CompClauses *clauses;
  StringPieces *pieces;
  FPart *fpart;
  FParts *fparts;
  Branches *branches;
  HandlerVec *handlers;
  WithItemVec *with_items;
  ImportVec *imports;
  CaseVec *cases;
  PatternVec *patterns;
  MappingItems *mapping;
  ClassPatternArgs *class_args;
  unsigned number;
  BinaryOp binary_op;
  CompareOp compare_op;
}

%token START_FILE "the start of the file" START_EXPR "the start of the text"
%token NEWLINE "the end of the line" INDENT "an indented block" DEDENT "the end of the block"
%token YYEOF 0 "the end of the file"
%token <name> NAME "a name"
%token NUMBER "a number" STRING "a string" POISON "a malformed token"
%token FSTRING_START "an f-string"
%token <number> FSTRING_MIDDLE "the text of an f-string"
%token FSTRING_END "the end of the f-string"
%token FIELD_BEGIN "'{' in an f-string" FIELD_END "'}' in the f-string" SPEC_COLON "':' in the f-string"

%token AND "and" AS "as" ASSERT "assert" ASYNC "async" AWAIT "await" BREAK "break" CASE "case"
%token CLASS "class" CONTINUE "continue" DEF "def" DEL "del" ELIF "elif" ELSE "else"
%token EXCEPT "except" FALSE "False" FINALLY "finally" FOR "for" FROM "from" GLOBAL "global"
%token IF "if" IMPORT "import" IN "in" IS "is" LAMBDA "lambda" MATCH "match" NONE "None"
%token NONLOCAL "nonlocal" NOT "not" OR "or" PASS "pass" RAISE "raise" RETURN "return"
%token TRUE "True" TRY "try" TYPE "type" WHILE "while" WITH "with" YIELD "yield"

%token ARROW "->" WALRUS ":=" ELLIPSIS "..." POWER "**" FLOOR_DIV "//" SHL "<<" SHR ">>"
%token EQ "==" NE "!=" LE "<=" GE ">="
%token ADD_EQ "+=" SUB_EQ "-=" MUL_EQ "*=" DIV_EQ "/=" FLOOR_DIV_EQ "//=" MOD_EQ "%=" MATMUL_EQ "@="
%token AND_EQ "&=" OR_EQ "|=" XOR_EQ "^=" SHL_EQ "<<=" SHR_EQ ">>=" POWER_EQ "**="

// LOW is what a missing part is reduced with, if nothing better can be shifted.
%precedence LOW
%precedence INDENT "async" "def" "class"
%left "or"
%left "and"
%precedence "not"
%left '|'
%left '^'
%left '&'
%left "<<" ">>"
%left '+' '-'
%left '*' '/' "//" '%' '@'
%precedence UNARY
%right "**"

%type <stmts> stmts line simple_line simple_list block else_opt finally_opt
%type <stmt> recovered simple expr_stmt del_stmt import_stmt compound if_stmt while_stmt for_stmt
%type <stmt> try_stmt with_stmt function_def class_def match_stmt decorated decorable
%type <exprs> assign_chain star_tail element_tail group_tail subscript_tail target_tail decorators
%type <expr> star_exprs star_expr rhs test namedexpr lambda disjunction comparison expr primary atom
%type <expr> group_item element group list_display braces subscripts subscript test_opt yield_expr targets
%type <expr> target returns_opt guard_opt subject field_value format_opt annotation_opt
%type <expr> star_annotation_opt default_opt
%type <dict> dict_items dict_tail dict_item
%type <args> args arg_tail
%type <arg> arg
%type <params> params param_tail lambda_params lambda_param_tail param lambda_param type_params
%type <params> type_param_list type_param
%type <clauses> clauses
%type <pieces> strings
%type <fparts> fstring fparts
%type <fpart> field
%type <number> conversion_opt debug_opt dots
%type <branches> elifs
%type <handlers> handlers handler
%type <with_items> with_items with_item with_head
%type <imports> import_names import_name from_names from_tail from_name
%type <names> dotted_name name_list
%type <binary_op> augmented
%type <compare_op> compare_op
%type <cases> cases case
%type <patterns> pattern_tail
%type <pattern> case_pattern pattern or_pattern closed_pattern maybe_star
%type <expr> pattern_name literal_pattern signed_number mapping_key
%type <mapping> mapping_items
%type <class_args> class_pattern_args class_pattern_list

%start start
%%

start
  : START_FILE                      { build_module(parser, (StmtList){0}); }
  | START_FILE stmts                { build_module(parser, $2); }
  | START_EXPR star_exprs NEWLINE   { build_expression(parser, $2); }
  | START_EXPR error NEWLINE        { build_expression(parser, NULL); }
  ;

// ---- statements --------------------------------------------------------------------------------
stmts
  : line        { $$ = $1; }
  | stmts line  { $$ = build_stmts_join(parser, $1, $2); }
  ;

line
  : simple_line                   { $$ = $1; }
  | compound                      { $$ = build_stmts_one(parser, $1); }
  | recovered %prec LOW           { $$ = build_stmts_one(parser, $1); }
  | recovered INDENT stmts DEDENT { $$ = build_stmts_one(parser, $1); }
  | INDENT stmts DEDENT           { $$ = build_unexpected_indent(parser, $2); }
  ;

recovered
  : error NEWLINE  { $$ = build_recovered(parser, @$); yyerrok; }
  ;

simple_line
  : simple_list NEWLINE      { $$ = $1; }
  | simple_list ';' NEWLINE  { $$ = $1; }
  ;

simple_list
  : simple                  { $$ = build_stmts_one(parser, $1); }
  | simple_list ';' simple  { $$ = build_stmts_push(parser, $1, $3); }
  ;

simple
  : expr_stmt
  | del_stmt
  | import_stmt
  | "pass"                          { $$ = build_stmt(parser, ST_PASS, @$); }
  | "break"                         { $$ = build_stmt(parser, ST_BREAK, @$); }
  | "continue"                      { $$ = build_stmt(parser, ST_CONTINUE, @$); }
  | "return"                        { $$ = build_return(parser, @$, NULL); }
  | "return" star_exprs             { $$ = build_return(parser, @$, $2); }
  | "raise"                         { $$ = build_raise(parser, @$, NULL, NULL); }
  | "raise" test                    { $$ = build_raise(parser, @$, $2, NULL); }
  | "raise" test "from" test        { $$ = build_raise(parser, @$, $2, $4); }
  | "global" name_list              { $$ = build_global(parser, ST_GLOBAL, @$, $2); }
  | "nonlocal" name_list            { $$ = build_global(parser, ST_NONLOCAL, @$, $2); }
  | "assert" test                   { $$ = build_assert(parser, @$, $2, NULL); }
  | "assert" test ',' test          { $$ = build_assert(parser, @$, $2, $4); }
  | "type" NAME type_params '=' test
      { $$ = build_type_alias(parser, @$, $2, $3, $5);
        parser->generic_depth -= $3 != NULL; }
  ;

expr_stmt
  : star_exprs                           { $$ = build_expr_stmt(parser, @$, $1); }
  | yield_expr                           { $$ = build_expr_stmt(parser, @$, $1); }
  | assign_chain                         { $$ = build_assign(parser, @$, $1); }
  | star_exprs augmented rhs             { $$ = build_aug_assign(parser, @$, $1, $2, @2, $3); }
  | star_exprs ':' test                  { $$ = build_ann_assign(parser, @$, $1, $3, NULL); }
  | star_exprs ':' test '=' rhs          { $$ = build_ann_assign(parser, @$, $1, $3, $5); }
  ;

assign_chain
  : star_exprs '=' rhs    { $$ = build_exprs_push(parser, build_exprs_one(parser, $1), $3); }
  | assign_chain '=' rhs  { $$ = build_exprs_push(parser, $1, $3); }
  ;

rhs
  : star_exprs
  | yield_expr
  ;

augmented
  : "+=" { $$ = BIN_ADD; } | "-=" { $$ = BIN_SUB; } | "*=" { $$ = BIN_MUL; } | "/=" { $$ = BIN_DIV; }
  | "//=" { $$ = BIN_FLOOR_DIV; } | "%=" { $$ = BIN_MOD; } | "@=" { $$ = BIN_MATMUL; }
  | "&=" { $$ = BIN_AND; } | "|=" { $$ = BIN_OR; } | "^=" { $$ = BIN_XOR; } | "<<=" { $$ = BIN_SHL; }
  | ">>=" { $$ = BIN_SHR; } | "**=" { $$ = BIN_POW; }
  ;

del_stmt
  : "del" target              { $$ = build_delete(parser, @$, build_exprs_one(parser, $2)); }
  | "del" target_tail         { $$ = build_delete(parser, @$, $2); }
  | "del" target_tail target  { $$ = build_delete(parser, @$, build_exprs_push(parser, $2, $3)); }
  ;

name_list
  : NAME                { $$ = build_names_push(parser, (NameList){0}, $1); }
  | name_list ',' NAME  { $$ = build_names_push(parser, $1, $3); }
  ;

import_stmt
  : "import" import_names                             { $$ = build_import(parser, @$, $2); }
  | "from" dotted_name "import" from_names            { $$ = build_import_from(parser, @$, 0, $2, $4); }
  | "from" dots "import" from_names                   { $$ = build_import_from(parser, @$, $2, (NameList){0}, $4); }
  | "from" dots dotted_name "import" from_names       { $$ = build_import_from(parser, @$, $2, $3, $5); }
  ;

dotted_name
  : NAME                  { $$ = build_names_push(parser, (NameList){0}, $1); }
  | dotted_name '.' NAME  { $$ = build_names_push(parser, $1, $3); }
  ;

dots
  : '.'         { $$ = 1; }
  | "..."       { $$ = 3; }
  | dots '.'    { $$ = build_dots(parser, @$, $1, 1); }
  | dots "..."  { $$ = build_dots(parser, @$, $1, 3); }
  ;

import_names
  : import_name                   { $$ = $1; }
  | import_names ',' import_name  { $$ = build_imports_join(parser, $1, $3); }
  ;

import_name
  : dotted_name            { $$ = build_import_name(parser, @$, $1, NULL); }
  | dotted_name "as" NAME  { $$ = build_import_name(parser, @$, $1, $3); }
  ;

from_names
  : '*'                         { $$ = build_import_star(parser); }
  | from_tail                   { $$ = $1; }
  | '(' from_tail ')'           { $$ = $2; }
  | '(' from_tail ',' ')'       { $$ = $2; }
  ;

from_tail
  : from_name                { $$ = $1; }
  | from_tail ',' from_name  { $$ = build_imports_join(parser, $1, $3); }
  ;

from_name
  : NAME            { $$ = build_from_name(parser, @$, $1, NULL); }
  | NAME "as" NAME  { $$ = build_from_name(parser, @$, $1, $3); }
  ;

// ---- compound statements -----------------------------------------------------------------------
block
  : ':' simple_line                  { $$ = $2; }
  | ':' NEWLINE INDENT stmts DEDENT  { $$ = $4; }
  | ':' NEWLINE %prec LOW            { $$ = build_missing_block(parser, @$); }
  ;

compound
  : if_stmt
  | while_stmt
  | for_stmt
  | try_stmt
  | with_stmt
  | match_stmt
  | decorable
  | decorated
  | async_mark for_stmt  { $$ = $2; }
  | async_mark with_stmt  { $$ = $2; }
  | async_mark function_def  { $$ = build_async_function(parser, @1, $2); }
  ;

// Read and refused; what it belongs to is read on.
async_mark
  : "async"  { build_async(parser, @1); }
  ;

if_stmt
  : "if" namedexpr block elifs else_opt  { $$ = build_if(parser, @1, $2, $3, $4, $5); }
  ;

elifs
  : %empty                        { $$ = NULL; }
  | elifs "elif" namedexpr block  { $$ = build_elif(parser, $1, @2, $3, $4); }
  ;

else_opt
  : %empty        { $$ = (StmtList){0}; }
  | "else" block  { $$ = $2; }
  ;

finally_opt
  : %empty           { $$ = (StmtList){0}; }
  | "finally" block  { $$ = $2; }
  ;

while_stmt
  : "while" namedexpr block else_opt  { $$ = build_while(parser, @1, $2, $3, $4); }
  ;

for_stmt
  : "for" targets "in" star_exprs block else_opt  { $$ = build_for(parser, @1, $2, $4, $5, $6); }
  ;

try_stmt
  : "try" block handlers else_opt finally_opt  { $$ = build_try(parser, @1, $2, $3, $4, $5); }
  | "try" block "finally" block                { $$ = build_try(parser, @1, $2, NULL, (StmtList){0}, $4); }
  | "try" block %prec LOW                      { $$ = build_bare_try(parser, @1, $2); }
  ;

handlers
  : handler           { $$ = $1; }
  | handlers handler  { $$ = build_handlers_join(parser, $1, $2); }
  ;

handler
  : "except" block                     { $$ = build_handler(parser, @1, NULL, NULL, $2); }
  | "except" test block                { $$ = build_handler(parser, @1, $2, NULL, $3); }
  | "except" test "as" NAME block      { $$ = build_handler(parser, @1, $2, $4, $5); }
  | "except" '*' test block            { $$ = build_star_handler(parser, @1, $3, NULL, $4); }
  | "except" '*' test "as" NAME block  { $$ = build_star_handler(parser, @1, $3, $5, $6); }
  ;

with_stmt
  : with_head block  { $$ = build_with(parser, @1, $1, $2); }
  ;

// A nonterminal of its own, so that its parenthesised items are known before the block is read.
with_head
  : "with" with_items  { $$ = build_with_head(parser, $2); }
  ;

with_items
  : with_item                 { $$ = $1; }
  | with_items ',' with_item  { $$ = build_with_join(parser, $1, $3); }
  ;

with_item
  : test            { $$ = build_with_item(parser, $1, NULL); }
  | test "as" expr  { $$ = build_with_item(parser, $1, $3); }
  ;

decorable
  : function_def
  | class_def
  ;

decorated
  : decorators decorable             { $$ = build_decorated($1, $2); }
  | decorators async_mark function_def  { $$ = build_decorated($1, build_async_function(parser, @2, $3)); }
  | decorators %prec LOW             { $$ = build_bare_decorators(parser, @$); }
  ;

decorators
  : '@' namedexpr NEWLINE             { $$ = build_exprs_one(parser, $2); }
  | decorators '@' namedexpr NEWLINE  { $$ = build_exprs_push(parser, $1, $3); }
  ;

function_def
  : "def" NAME type_params '(' params ')' returns_opt block
      { $$ = build_function(parser, @1, $2, @2, $5, $7, $8);
        $$->function.is_generic = parser->generic_depth > 0;
        parser->generic_depth -= $3 != NULL; }
  ;

returns_opt
  : %empty     { $$ = NULL; }
  | "->" test  { $$ = $2; }
  ;

class_def
  : "class" NAME type_params block
      { $$ = build_class(parser, @1, $2, @2, $3, NULL, $4);
        parser->generic_depth -= $3 != NULL; }
  | "class" NAME type_params '(' args ')' block
      { $$ = build_class(parser, @1, $2, @2, $3, $5, $7);
        parser->generic_depth -= $3 != NULL; }
  ;

// Bounds and defaults of type parameters are read and dropped. What the parameters belong to is
// inside of them until it is built.
type_params
  : %empty                       { $$ = NULL; }
  | '[' type_param_list ']'      { $$ = $2; parser->generic_depth++; }
  | '[' type_param_list ',' ']'  { $$ = $2; parser->generic_depth++; }
  ;

type_param_list
  : type_param                      { $$ = $1; }
  | type_param_list ',' type_param  { $$ = build_params_join(parser, $1, $3); }
  ;

type_param
  : NAME default_opt           { $$ = build_param(parser, PARAM_PLAIN, @$, $1, @1, NULL, NULL); }
  | NAME ':' test default_opt  { $$ = build_param(parser, PARAM_PLAIN, @$, $1, @1, NULL, NULL); }
  | '*' NAME                   { $$ = build_param(parser, PARAM_STAR, @$, $2, @2, NULL, NULL); }
  | '*' NAME '=' star_expr     { $$ = build_param(parser, PARAM_STAR, @$, $2, @2, NULL, NULL); }
  | "**" NAME default_opt      { $$ = build_param(parser, PARAM_STAR_STAR, @$, $2, @2, NULL, NULL); }
  ;

// ---- parameters --------------------------------------------------------------------------------
params
  : %empty            { $$ = NULL; }
  | param             { $$ = $1; }
  | param_tail        { $$ = $1; }
  | param_tail param  { $$ = build_params_join(parser, $1, $2); }
  ;

param_tail
  : param ','             { $$ = $1; }
  | param_tail param ','  { $$ = build_params_join(parser, $1, $2); }
  ;

param
  : NAME annotation_opt default_opt   { $$ = build_param(parser, PARAM_PLAIN, @$, $1, @1, $2, $3); }
  | '*' NAME star_annotation_opt      { $$ = build_param(parser, PARAM_STAR, @$, $2, @2, $3, NULL); }
  | "**" NAME annotation_opt          { $$ = build_param(parser, PARAM_STAR_STAR, @$, $2, @2, $3, NULL); }
  | '*'                               { $$ = build_param(parser, PARAM_BARE_STAR, @$, NULL, @1, NULL, NULL); }
  | '/'                               { $$ = build_param(parser, PARAM_SLASH, @$, NULL, @1, NULL, NULL); }
  ;

annotation_opt
  : %empty    { $$ = NULL; }
  | ':' test  { $$ = $2; }
  ;

star_annotation_opt
  : %empty         { $$ = NULL; }
  | ':' star_expr  { $$ = $2; }
  ;

default_opt
  : %empty    { $$ = NULL; }
  | '=' test  { $$ = $2; }
  ;

lambda_params
  : %empty                          { $$ = NULL; }
  | lambda_param                    { $$ = $1; }
  | lambda_param_tail               { $$ = $1; }
  | lambda_param_tail lambda_param  { $$ = build_params_join(parser, $1, $2); }
  ;

lambda_param_tail
  : lambda_param ','                    { $$ = $1; }
  | lambda_param_tail lambda_param ','  { $$ = build_params_join(parser, $1, $2); }
  ;

lambda_param
  : NAME default_opt  { $$ = build_param(parser, PARAM_PLAIN, @$, $1, @1, NULL, $2); }
  | '*' NAME          { $$ = build_param(parser, PARAM_STAR, @$, $2, @2, NULL, NULL); }
  | "**" NAME         { $$ = build_param(parser, PARAM_STAR_STAR, @$, $2, @2, NULL, NULL); }
  | '*'               { $$ = build_param(parser, PARAM_BARE_STAR, @$, NULL, @1, NULL, NULL); }
  | '/'               { $$ = build_param(parser, PARAM_SLASH, @$, NULL, @1, NULL, NULL); }
  ;

// ---- expressions -------------------------------------------------------------------------------
// Lists that make a tuple if there is a comma: x_tail is x's that are each followed by one.
star_exprs
  : star_expr            { $$ = $1; }
  | star_tail            { $$ = build_tuple(parser, @$, $1, NULL); }
  | star_tail star_expr  { $$ = build_tuple(parser, @$, $1, $2); }
  ;

star_tail
  : star_expr ','            { $$ = build_exprs_one(parser, $1); }
  | star_tail star_expr ','  { $$ = build_exprs_push(parser, $1, $2); }
  ;

star_expr
  : test
  | '*' expr  { $$ = build_starred(parser, @$, $2); }
  ;

yield_expr
  : "yield"              { $$ = build_yield(parser, EX_YIELD, @$, NULL); }
  | "yield" star_exprs   { $$ = build_yield(parser, EX_YIELD, @$, $2); }
  | "yield" "from" test  { $$ = build_yield(parser, EX_YIELD_FROM, @$, $3); }
  ;

namedexpr
  : test
  | test ":=" test  { $$ = build_named(parser, @$, $1, @1, $3); }
  ;

element
  : namedexpr
  | '*' expr  { $$ = build_starred(parser, @$, $2); }
  ;

element_tail
  : element ','               { $$ = build_exprs_one(parser, $1); }
  | element_tail element ','  { $$ = build_exprs_push(parser, $1, $2); }
  ;

test
  : disjunction
  | disjunction "if" disjunction "else" test  { $$ = build_if_exp(parser, @$, $3, $1, $5); }
  | lambda
  ;

lambda
  : "lambda" lambda_params ':' test  { $$ = build_lambda(parser, @$, $2, $4); }
  ;

disjunction
  : comparison
  | disjunction "or" disjunction   { $$ = build_bool_op(parser, @$, false, $1, @1, $3); }
  | disjunction "and" disjunction  { $$ = build_bool_op(parser, @$, true, $1, @1, $3); }
  | "not" disjunction              { $$ = build_unary(parser, @$, UN_NOT, $2); }
  ;

comparison
  : expr
  | comparison compare_op expr  { $$ = build_compare(parser, @$, $1, @1, $2, $3); }
  ;

compare_op
  : "==" { $$ = CMP_EQ; } | "!=" { $$ = CMP_NE; } | '<' { $$ = CMP_LT; } | "<=" { $$ = CMP_LE; }
  | '>' { $$ = CMP_GT; } | ">=" { $$ = CMP_GE; } | "is" { $$ = CMP_IS; }
  | "is" "not" { $$ = CMP_IS_NOT; } | "in" { $$ = CMP_IN; } | "not" "in" { $$ = CMP_NOT_IN; }
  ;

expr
  : primary
  | "await" primary      { $$ = build_await(parser, @$, @1); }
  | expr '|' expr        { $$ = build_binary(parser, @$, BIN_OR, @2, $1, $3); }
  | expr '^' expr        { $$ = build_binary(parser, @$, BIN_XOR, @2, $1, $3); }
  | expr '&' expr        { $$ = build_binary(parser, @$, BIN_AND, @2, $1, $3); }
  | expr "<<" expr       { $$ = build_binary(parser, @$, BIN_SHL, @2, $1, $3); }
  | expr ">>" expr       { $$ = build_binary(parser, @$, BIN_SHR, @2, $1, $3); }
  | expr '+' expr        { $$ = build_binary(parser, @$, BIN_ADD, @2, $1, $3); }
  | expr '-' expr        { $$ = build_binary(parser, @$, BIN_SUB, @2, $1, $3); }
  | expr '*' expr        { $$ = build_binary(parser, @$, BIN_MUL, @2, $1, $3); }
  | expr '/' expr        { $$ = build_binary(parser, @$, BIN_DIV, @2, $1, $3); }
  | expr "//" expr       { $$ = build_binary(parser, @$, BIN_FLOOR_DIV, @2, $1, $3); }
  | expr '%' expr        { $$ = build_binary(parser, @$, BIN_MOD, @2, $1, $3); }
  | expr '@' expr        { $$ = build_binary(parser, @$, BIN_MATMUL, @2, $1, $3); }
  | expr "**" expr       { $$ = build_binary(parser, @$, BIN_POW, @2, $1, $3); }
  | '-' expr %prec UNARY { $$ = build_unary(parser, @$, UN_NEG, $2); }
  | '+' expr %prec UNARY { $$ = build_unary(parser, @$, UN_POS, $2); }
  | '~' expr %prec UNARY { $$ = build_unary(parser, @$, UN_INVERT, $2); }
  ;

primary
  : atom
  | primary '.' NAME            { $$ = build_attribute(parser, @$, $1, $3, @3); }
  | primary '(' args ')'        { $$ = build_call(parser, @$, $1, @2, $3); }
  | primary '[' subscripts ']'  { $$ = build_subscript(parser, @$, $1, $3); }
  ;

atom
  : NAME      { $$ = build_name(parser, @$, $1); }
  | NUMBER    { $$ = build_number(parser, @$); }
  | strings   { $$ = build_string(parser, @$, $1); }
  | "None"    { $$ = build_constant(parser, EX_NONE, @$, false); }
  | "True"    { $$ = build_constant(parser, EX_BOOL, @$, true); }
  | "False"   { $$ = build_constant(parser, EX_BOOL, @$, false); }
  | "..."     { $$ = build_constant(parser, EX_ELLIPSIS, @$, false); }
  | POISON    { $$ = build_constant(parser, EX_ERROR, @$, false); }
  | group
  | list_display
  | braces
  ;

group
  : '(' ')'                        { $$ = build_tuple(parser, @$, (ExprList){0}, NULL); }
  | '(' group_item ')'             { $$ = build_group(parser, $2); }
  | '(' group_tail ')'             { $$ = build_tuple(parser, @$, $2, NULL); }
  | '(' group_tail group_item ')'  { $$ = build_tuple(parser, @$, $2, $3); }
  | '(' group_item clauses ')'     { $$ = build_comp(parser, EX_GENERATOR, @$, $2, NULL, $3); }
  | '(' yield_expr ')'             { $$ = $2; }
  ;

// `with (a as b, c as d):` is read as a group whose items have an "as"; build_with_head takes it apart.
group_item
  : element
  | test "as" expr  { $$ = build_as_item(parser, @$, @2, $1, $3); }
  ;

group_tail
  : group_item ','             { $$ = build_exprs_one(parser, $1); }
  | group_tail group_item ','  { $$ = build_exprs_push(parser, $1, $2); }
  ;

list_display
  : '[' ']'                       { $$ = build_elements(parser, EX_LIST, @$, (ExprList){0}, NULL); }
  | '[' element ']'               { $$ = build_elements(parser, EX_LIST, @$, (ExprList){0}, $2); }
  | '[' element_tail ']'          { $$ = build_elements(parser, EX_LIST, @$, $2, NULL); }
  | '[' element_tail element ']'  { $$ = build_elements(parser, EX_LIST, @$, $2, $3); }
  | '[' element clauses ']'       { $$ = build_comp(parser, EX_LIST_COMP, @$, $2, NULL, $3); }
  ;

braces
  : '{' '}'                         { $$ = build_dict(parser, @$, NULL); }
  | '{' dict_items '}'              { $$ = build_dict(parser, @$, $2); }
  | '{' element '}'                 { $$ = build_elements(parser, EX_SET, @$, (ExprList){0}, $2); }
  | '{' element_tail '}'            { $$ = build_elements(parser, EX_SET, @$, $2, NULL); }
  | '{' element_tail element '}'    { $$ = build_elements(parser, EX_SET, @$, $2, $3); }
  | '{' element clauses '}'         { $$ = build_comp(parser, EX_SET_COMP, @$, $2, NULL, $3); }
  | '{' test ':' test clauses '}'   { $$ = build_comp(parser, EX_DICT_COMP, @$, $2, $4, $5); }
  ;

dict_items
  : dict_item            { $$ = $1; }
  | dict_tail            { $$ = $1; }
  | dict_tail dict_item  { $$ = build_dict_join(parser, $1, $2); }
  ;

dict_tail
  : dict_item ','            { $$ = $1; }
  | dict_tail dict_item ','  { $$ = build_dict_join(parser, $1, $2); }
  ;

dict_item
  : test ':' test  { $$ = build_dict_item(parser, $1, $3); }
  | "**" expr      { $$ = build_dict_item(parser, NULL, $2); }
  ;

clauses
  : "for" targets "in" disjunction           { $$ = build_clause(parser, NULL, $2, $4); }
  | clauses "for" targets "in" disjunction   { $$ = build_clause(parser, $1, $3, $5); }
  | async_mark "for" targets "in" disjunction          { $$ = build_clause(parser, NULL, $3, $5); }
  | clauses async_mark "for" targets "in" disjunction  { $$ = build_clause(parser, $1, $4, $6); }
  | clauses "if" disjunction                 { $$ = build_condition(parser, $1, $3); }
  ;

targets
  : target              { $$ = $1; }
  | target_tail         { $$ = build_tuple(parser, @$, $1, NULL); }
  | target_tail target  { $$ = build_tuple(parser, @$, $1, $2); }
  ;

target_tail
  : target ','              { $$ = build_exprs_one(parser, $1); }
  | target_tail target ','  { $$ = build_exprs_push(parser, $1, $2); }
  ;

target
  : expr
  | '*' expr  { $$ = build_starred(parser, @$, $2); }
  ;

args
  : %empty        { $$ = NULL; }
  | arg           { $$ = build_args(parser, NULL, $1); }
  | arg_tail      { $$ = $1; }
  | arg_tail arg  { $$ = build_args(parser, $1, $2); }
  ;

arg_tail
  : arg ','           { $$ = build_args(parser, NULL, $1); }
  | arg_tail arg ','  { $$ = build_args(parser, $1, $2); }
  ;

arg
  : namedexpr          { $$ = build_arg(parser, @$, $1); }
  | '*' test           { $$ = build_arg(parser, @$, build_starred(parser, @$, $2)); }
  | "**" test          { $$ = build_arg_keywords(parser, @$, $2); }
  | test '=' test      { $$ = build_arg_keyword(parser, @$, $1, @1, @2, $3); }
  | namedexpr clauses  { $$ = build_arg_generator(parser, @$, $1, $2); }
  ;

subscripts
  : subscript                 { $$ = build_single_subscript(parser, $1); }
  | subscript_tail            { $$ = build_tuple(parser, @$, $1, NULL); }
  | subscript_tail subscript  { $$ = build_tuple(parser, @$, $1, $2); }
  ;

subscript_tail
  : subscript ','                 { $$ = build_exprs_one(parser, $1); }
  | subscript_tail subscript ','  { $$ = build_exprs_push(parser, $1, $2); }
  ;

subscript
  : element
  | test_opt ':' test_opt               
      { $$ = build_slice(parser, &@$, $1 ? @1 : @2, $3 ? @3 : @2, $1, $3, NULL); }
  | test_opt ':' test_opt ':' test_opt  
      { $$ = build_slice(parser, &@$, $1 ? @1 : @2, $5 ? @5 : @4, $1, $3, $5); }
  ;

test_opt
  : %empty  { $$ = NULL; }
  | test
  ;

// ---- strings -----------------------------------------------------------------------------------
strings
  : STRING           { $$ = build_pieces(parser, NULL, @1, NULL); }
  | fstring          { $$ = build_pieces(parser, NULL, @1, $1); }
  | strings STRING   { $$ = build_pieces(parser, $1, @2, NULL); }
  | strings fstring  { $$ = build_pieces(parser, $1, @2, $2); }
  ;

fstring
  : FSTRING_START fparts FSTRING_END  { $$ = $2; }
  ;

fparts
  : %empty                 { $$ = build_fparts(parser); }
  | fparts FSTRING_MIDDLE  { $$ = build_ftext(parser, $1, @2, $2); }
  | fparts field           { $$ = build_ffield(parser, $1, $2); }
  ;

field
  : FIELD_BEGIN field_value debug_opt conversion_opt format_opt FIELD_END
      { $$ = build_field(parser, @1, $2, $3 ? &@3 : NULL, $4, $5); }
  ;

field_value
  : star_exprs
  | yield_expr
  ;

debug_opt
  : %empty  { $$ = 0; }
  | '='     { $$ = 1; }
  ;

conversion_opt
  : %empty    { $$ = 0; }
  | '!' NAME  { $$ = build_conversion(parser, @2, $2); }
  ;

format_opt
  : %empty             { $$ = NULL; }
  | SPEC_COLON fparts  { $$ = build_format(parser, @$, $2); }
  ;

// ---- match -------------------------------------------------------------------------------------
match_stmt
  : "match" subject ':' NEWLINE INDENT cases DEDENT  { $$ = build_match(parser, @1, $2, $6); }
  | "match" subject ':' NEWLINE %prec LOW            { $$ = build_bare_match(parser, @$); }
  ;

subject
  : namedexpr             { $$ = $1; }
  | element_tail          { $$ = build_tuple(parser, @$, $1, NULL); }
  | element_tail element  { $$ = build_tuple(parser, @$, $1, $2); }
  ;

cases
  : case        { $$ = $1; }
  | cases case  { $$ = build_cases_join(parser, $1, $2); }
  ;

case
  : "case" case_pattern guard_opt block  { $$ = build_case(parser, @1, $2, $3, $4); }
  | recovered %prec LOW                  { $$ = NULL; }
  | recovered INDENT stmts DEDENT        { $$ = NULL; }
  ;

guard_opt
  : %empty          { $$ = NULL; }
  | "if" namedexpr  { $$ = $2; }
  ;

case_pattern
  : pattern                  { $$ = $1; }
  | pattern_tail             { $$ = build_sequence(parser, @$, $1, NULL); }
  | pattern_tail maybe_star  { $$ = build_sequence(parser, @$, $1, $2); }
  ;

pattern_tail
  : maybe_star ','               { $$ = build_patterns(parser, NULL, $1); }
  | pattern_tail maybe_star ','  { $$ = build_patterns(parser, $1, $2); }
  ;

maybe_star
  : pattern
  | '*' NAME  { $$ = build_star_pattern(parser, @$, $2); }
  ;

pattern
  : or_pattern
  | or_pattern "as" NAME  { $$ = build_as_pattern(parser, @$, $1, $3, @3); }
  ;

or_pattern
  : closed_pattern
  | or_pattern '|' closed_pattern  { $$ = build_or_pattern(parser, @$, $1, @1, $3); }
  ;

closed_pattern
  : pattern_name                              { $$ = build_name_pattern(parser, $1); }
  | literal_pattern                           { $$ = build_value_pattern(parser, $1); }
  | pattern_name '(' class_pattern_args ')'   { $$ = build_class_pattern(parser, @$, $1, $3); }
  | '(' pattern ')'                           { $$ = $2; }
  | '(' ')'                                   { $$ = build_sequence(parser, @$, NULL, NULL); }
  | '(' pattern_tail ')'                      { $$ = build_sequence(parser, @$, $2, NULL); }
  | '(' pattern_tail maybe_star ')'           { $$ = build_sequence(parser, @$, $2, $3); }
  | '[' ']'                                   { $$ = build_sequence(parser, @$, NULL, NULL); }
  | '[' maybe_star ']'                        { $$ = build_sequence(parser, @$, NULL, $2); }
  | '[' pattern_tail ']'                      { $$ = build_sequence(parser, @$, $2, NULL); }
  | '[' pattern_tail maybe_star ']'           { $$ = build_sequence(parser, @$, $2, $3); }
  | '{' '}'                                   { $$ = build_mapping(parser, @$, NULL); }
  | '{' mapping_items '}'                     { $$ = build_mapping(parser, @$, $2); }
  | '{' mapping_items ',' '}'                 { $$ = build_mapping(parser, @$, $2); }
  ;

pattern_name
  : NAME                   { $$ = build_name(parser, @$, $1); }
  | pattern_name '.' NAME  { $$ = build_attribute(parser, @$, $1, $3, @3); }
  ;

literal_pattern
  : signed_number
  | signed_number '+' NUMBER
      { $$ = build_binary(parser, @$, BIN_ADD, @2, $1, build_number(parser, @3)); }
  | signed_number '-' NUMBER
      { $$ = build_binary(parser, @$, BIN_SUB, @2, $1, build_number(parser, @3)); }
  | strings  { $$ = build_string_pattern(parser, @$, $1); }
  | "None"   { $$ = build_constant(parser, EX_NONE, @$, false); }
  | "True"   { $$ = build_constant(parser, EX_BOOL, @$, true); }
  | "False"  { $$ = build_constant(parser, EX_BOOL, @$, false); }
  ;

signed_number
  : NUMBER      { $$ = build_number(parser, @$); }
  | '-' NUMBER  { $$ = build_unary(parser, @$, UN_NEG, build_number(parser, @2)); }
  ;

mapping_items
  : mapping_key ':' pattern                    { $$ = build_mapping_item(parser, NULL, $1, $3); }
  | "**" NAME                                  { $$ = build_mapping_rest(parser, NULL, @2, $2); }
  | mapping_items ',' mapping_key ':' pattern  { $$ = build_mapping_item(parser, $1, $3, $5); }
  | mapping_items ',' "**" NAME                { $$ = build_mapping_rest(parser, $1, @4, $4); }
  ;

mapping_key
  : literal_pattern
  | pattern_name  { $$ = build_mapping_key(parser, $1); }
  ;

class_pattern_args
  : %empty                  { $$ = NULL; }
  | class_pattern_list      { $$ = $1; }
  | class_pattern_list ','  { $$ = $1; }
  ;

class_pattern_list
  : pattern                                  { $$ = build_class_arg(parser, NULL, @1, NULL, $1); }
  | NAME '=' pattern                         { $$ = build_class_arg(parser, NULL, @1, $1, $3); }
  | class_pattern_list ',' pattern           { $$ = build_class_arg(parser, $1, @3, NULL, $3); }
  | class_pattern_list ',' NAME '=' pattern  { $$ = build_class_arg(parser, $1, @3, $3, $5); }
  ;
%%

#define MAX_SEEN 64 // of the parser's stack, from the top

static int yyreport_syntax_error(const yypcontext_t *context, Parser *parser) {
  if (!syntax_error_is_reported(parser)) return 0;
  yysymbol_kind_t expected[YYNTOKENS];
  const char *names[YYNTOKENS], *stack[MAX_SEEN];
  SyntaxError error = {.span = *context->yylloc, .expected = names, .stack = stack};
  int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);
  for (int i = 0; i < count; i++) names[error.expected_count++] = yysymbol_name(expected[i]);
  for (const yy_state_t *state = context->yyssp; *state && error.stack_count < MAX_SEEN; state--)
    stack[error.stack_count++] = yysymbol_name(YY_CAST(yysymbol_kind_t, yystos[*state]));
  syntax_error_report(parser, &error);
  return 0;
}

// Only called for a stack that has grown too large.
static void pk_error(const Span *span, Parser *of, const char *message) {
  (void)message;
  build__syntax_error(of, *span, "the source is nested too deeply here");
}
