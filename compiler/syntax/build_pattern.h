// SPDX-License-Identifier: Apache-2.0
// Builders of match statements and their patterns.
#pragma once
#include "build_string.h"
#include "parser.h"

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

Stmt *build_match(Parser *parser, Span span, Expr *subject, const CaseVec *cases);
Stmt *build_bare_match(Parser *parser, Span span);
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
