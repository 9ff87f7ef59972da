// SPDX-License-Identifier: Apache-2.0
// The grammar of a jaxpr's text, LALR(1): docs/jaxpr.md. An action makes one builder call (jaxpr_build.h).
//
// Nothing needs a %destructor: whatever is discarded lives in the arena.
%define api.pure full
%define api.prefix {jx_}
%define api.token.prefix {JX_}
%define api.location.type {Span}
%define parse.error detailed
%locations
%expect 0
%parse-param {JaxprParser *parser}
%lex-param {JaxprParser *parser}

%code requires {
#include "jaxpr_build.h"
#include "jaxpr_parser.h"
}

%code {
#include <string.h>

#define YYLTYPE_IS_TRIVIAL 1
#define YYSTACK_USE_ALLOCA 0
#define YYMAXDEPTH 10000
#define YYMALLOC(size) arena_alloc(parser->scratch, (size))
#define YYFREE(data) ((void)(data))
#define YYLLOC_DEFAULT(now, rhs, n)                                                                \
  ((now) = (n) ? span_join(YYRHSLOC(rhs, 1), YYRHSLOC(rhs, n))                                     \
               : (Span){parser->file->id, YYRHSLOC(rhs, 0).end, YYRHSLOC(rhs, 0).end})

int jx_lex(JX_STYPE *value, Span *span, void *scanner);
#define jx_lex(value, span, of) jx_lex((value), (span), (of)->scanner)
static void jx_error(const Span *span, JaxprParser *of, const char *message) {
  // What bison says when its stack is full.
  bool is_deep = strcmp(message, "memory exhausted") == 0;
  jaxpr_error(of, *span, "%s", is_deep ? "the jaxpr is nested too deeply" : message);
}
}

%union {
  int64_t integer;
  double number;
  Name name;
  Str text;
  JaxprInts ints;
  JaxprType type;
  JaxprValue *value;
  JaxprValues values;
  JaxprField field;
  JaxprFields fields;
  JaxprAtom atom;
  JaxprAtoms atoms;
  JaxprVar var;
  JaxprVars vars;
  JaxprTree *tree;
  JaxprLoc *loc;
}

%token YYEOF 0 "the end of the file"
%token JAXPR "jaxpr" FILE "file" LINE "line" LOC "loc" ENTRY "entry" CONST "const" RETURN "return" REF "ref" TYPE "type"
%token DTYPE "dtype" DATA "data" MAP "map" OPAQUE "opaque" NONE "none" TRUE "true" FALSE "false" ELLIPSIS "..."
%token BAD "a malformed token"
%token <integer> INT "an integer" VAR "a variable" LEAF "a leaf" AT "a location"
%token <number> FLOAT "a float"
%token <text> STRING "a string"
%token <name> NAME "a name" FIELD "a field"

%type <ints> ints ints_tail
%type <type> type array_type
%type <value> value scalar
%type <values> values values_tail strings strings_tail
%type <field> field entry_of_map
%type <fields> fields fields_tail params_opt entries entries_tail
%type <atom> atom
%type <atoms> atoms atoms_tail
%type <var> var out param
%type <vars> vars vars_tail outs
%type <tree> jaxpr head
%type <name> word
%type <integer> at_opt caller_opt

%%
program
  : "jaxpr" INT { jaxpr_build_version(parser, @2, $2); } items
  ;

items
  : %empty
  | items item
  ;

item
  : "file" INT STRING { jaxpr_build_file(parser, @2, $2, $3); }
  | "line" INT INT STRING { jaxpr_build_line(parser, @$, $2, $3, $4); }
  | "loc" INT INT ':' INT ':' INT ':' INT ':' INT STRING caller_opt
      { jaxpr_build_loc(parser, @$, (int64_t[]){$2, $3, $5, $7, $9, $11, $13}, $12); }
  | "entry" STRING '[' strings ']' params_opt jaxpr { jaxpr_build_entry(parser, @2, $2, $4, $6, $7); }
  ;

caller_opt
  : %empty { $$ = -1; }
  | AT     { $$ = $1; }
  ;

jaxpr
  : head equations "return" '(' atoms ')' '}' { $$ = jaxpr_build_end(parser, @$, $1, $5); }
  ;

head
  : open consts '(' vars ')' { $$ = jaxpr_build_params(parser, $4); }
  ;

open
  : '{'        { jaxpr_build_begin(parser, @1, NULL); }
  | '{' STRING { jaxpr_build_begin(parser, @1, &$2); }
  ;

consts
  : %empty
  | consts "const" var '=' STRING { jaxpr_build_const(parser, @$, $3, $5); }
  ;

equations
  : %empty
  | equations equation
  ;

equation
  : word '(' atoms ')' params_opt at_opt { jaxpr_build_equation(parser, @1, $1, (JaxprVars){0}, $3, $5, $6); }
  | outs '=' word '(' atoms ')' params_opt at_opt { jaxpr_build_equation(parser, @3, $3, $1, $5, $7, $8); }
  ;

outs
  : out          { $$ = jaxpr_vars_push(parser, (JaxprVars){0}, $1); }
  | outs ',' out { $$ = jaxpr_vars_push(parser, $1, $3); }
  ;

out
  : var
  | '_' ':' type { $$ = (JaxprVar){.number = -1, .type = $3, .dropped = true, .span = @$}; }
  ;

word
  : NAME
  | STRING { $$ = name_intern(parser->session->interner, $1); }
  ;

params_opt
  : %empty         { $$ = (JaxprFields){0}; }
  | '[' fields ']' { $$ = $2; }
  ;

at_opt
  : %empty { $$ = -1; }
  | AT     { $$ = $1; }
  ;

var
  : VAR ':' type { $$ = (JaxprVar){.number = $1, .type = $3, .span = @1}; }
  ;

vars
  : %empty { $$ = (JaxprVars){0}; }
  | vars_tail
  ;

vars_tail
  : param               { $$ = jaxpr_vars_push(parser, (JaxprVars){0}, $1); }
  | vars_tail ',' param { $$ = jaxpr_vars_push(parser, $1, $3); }
  ;

param
  : var
  | var STRING { $$ = $1; $$.name = name_intern(parser->session->interner, $2); }
  ;

atom
  : VAR             { $$ = jaxpr_build_use(parser, @1, $1); }
  | scalar ':' type { $$ = jaxpr_build_literal(parser, @$, $1, $3); }
  ;

atoms
  : %empty { $$ = (JaxprAtoms){0}; }
  | atoms_tail
  ;

atoms_tail
  : atom                { $$ = jaxpr_atoms_push(parser, (JaxprAtoms){0}, $1); }
  | atoms_tail ',' atom { $$ = jaxpr_atoms_push(parser, $1, $3); }
  ;

type
  : array_type
  | '~' array_type  { $$ = $2; $$.weak = true; }
  | "ref" word type { $$ = jaxpr_build_ref_type(parser, @2, $2, $3); }
  ;

array_type
  : NAME '[' ints ']' { $$ = jaxpr_build_type(parser, @$, $1, $3); }
  ;

ints
  : %empty { $$ = (JaxprInts){0}; }
  | ints_tail
  ;

ints_tail
  : INT               { $$ = jaxpr_ints_push(parser, (JaxprInts){0}, $1); }
  | ints_tail ',' INT { $$ = jaxpr_ints_push(parser, $1, $3); }
  ;

scalar
  : INT     { $$ = jaxpr_build_value(parser, @$, JAXPR_INT); $$->i = $1; }
  | FLOAT   { $$ = jaxpr_build_value(parser, @$, JAXPR_FLOAT); $$->f = $1; }
  | "true"  { $$ = jaxpr_build_value(parser, @$, JAXPR_BOOL); $$->i = 1; }
  | "false" { $$ = jaxpr_build_value(parser, @$, JAXPR_BOOL); }
  ;

value
  : scalar
  | "none"               { $$ = jaxpr_build_value(parser, @$, JAXPR_NONE); }
  | "..."                { $$ = jaxpr_build_value(parser, @$, JAXPR_ELLIPSIS); }
  | STRING               { $$ = jaxpr_build_value(parser, @$, JAXPR_STRING); $$->text = $1; }
  | '(' values ')'       { $$ = jaxpr_build_value(parser, @$, JAXPR_TUPLE); $$->items = $2; }
  | '[' values ']'       { $$ = jaxpr_build_value(parser, @$, JAXPR_LIST); $$->items = $2; }
  | "map" '{' entries '}' { $$ = jaxpr_build_value(parser, @$, JAXPR_MAP); $$->fields = $3; }
  | "dtype" NAME         { $$ = jaxpr_build_dtype(parser, @$, $2); }
  | "type" type          { $$ = jaxpr_build_value(parser, @$, JAXPR_TYPE); $$->type = $2; }
  | LEAF                 { $$ = jaxpr_build_value(parser, @$, JAXPR_LEAF); $$->i = $1; }
  | NAME '.' NAME        { $$ = jaxpr_build_value(parser, @$, JAXPR_ENUM); $$->name = $1; $$->member = $3; }
  | NAME '(' fields ')'  { $$ = jaxpr_build_record(parser, @$, $1, $3); }
  | "data" type STRING   { $$ = jaxpr_build_data(parser, @$, $2, $3); }
  | "opaque" STRING      { $$ = jaxpr_build_value(parser, @$, JAXPR_OPAQUE); $$->text = $2; }
  | jaxpr                { $$ = jaxpr_build_value(parser, @$, JAXPR_TREE); $$->tree = $1; }
  ;

values
  : %empty { $$ = (JaxprValues){0}; }
  | values_tail
  ;

values_tail
  : value                 { $$ = jaxpr_values_push(parser, (JaxprValues){0}, $1); }
  | values_tail ',' value { $$ = jaxpr_values_push(parser, $1, $3); }
  ;

strings
  : %empty { $$ = (JaxprValues){0}; }
  | strings_tail
  ;

strings_tail
  : STRING                  { $$ = jaxpr_values_push(parser, (JaxprValues){0}, jaxpr_build_string(parser, @1, $1)); }
  | strings_tail ',' STRING { $$ = jaxpr_values_push(parser, $1, jaxpr_build_string(parser, @3, $3)); }
  ;

field
  : FIELD value { $$ = (JaxprField){.name = $1, .value = $2, .span = @1}; }
  ;

fields
  : %empty { $$ = (JaxprFields){0}; }
  | fields_tail
  ;

fields_tail
  : field                 { $$ = jaxpr_fields_push(parser, (JaxprFields){0}, $1); }
  | fields_tail ',' field { $$ = jaxpr_fields_push(parser, $1, $3); }
  ;

entry_of_map
  : value ':' value { $$ = (JaxprField){.key = $1, .value = $3, .span = @1}; }
  ;

entries
  : %empty { $$ = (JaxprFields){0}; }
  | entries_tail
  ;

entries_tail
  : entry_of_map                  { $$ = jaxpr_fields_push(parser, (JaxprFields){0}, $1); }
  | entries_tail ',' entry_of_map { $$ = jaxpr_fields_push(parser, $1, $3); }
  ;

%%
bool jaxpr_parse(JaxprParser *parser) {
  return jx_parse(parser) == 0 && !parser->is_bad;
}
