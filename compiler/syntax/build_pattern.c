// SPDX-License-Identifier: Apache-2.0
// Builders of match statements. Which names a pattern binds, and whether it always matches, is
// judged in scope.c.
#include <string.h>

#include "build_expr.h"
#include "build_import.h"
#include "build_node.h"
#include "build_pattern.h"
#include "build_stmt.h"
#include "layout.h"

static Pattern *new_pattern(Parser *parser, PatternKind kind, Span span) {
  Pattern *pattern = ARENA_NEW(parser->arena, Pattern);
  pattern->kind = kind;
  pattern->span = span;
  return pattern;
}

static bool is_wildcard(Name name) { return name->len == 1 && name->text[0] == '_'; }

static NameRef bind(Name name) { return (NameRef){.name = name, .index = NO_SLOT}; }

static Pattern **keep(Parser *parser, const PatternVec *patterns) {
  if (!patterns->count) return NULL;
  return arena_dup(parser->arena, patterns->items, patterns->count * sizeof *patterns->items);
}

PatternVec *build_patterns(Parser *parser, PatternVec *patterns, Pattern *pattern) {
  if (!patterns) patterns = ARENA_NEW(parser->scratch, PatternVec);
  VEC_PUSH(parser->scratch, patterns, pattern);
  return patterns;
}

Pattern *build_sequence(Parser *parser, Span span, PatternVec *patterns, Pattern *last) {
  Pattern *pattern = new_pattern(parser, PT_SEQUENCE, span);
  if (last) patterns = build_patterns(parser, patterns, last);
  if (!patterns) return pattern;
  pattern->sub.items = keep(parser, patterns);
  pattern->sub.count = patterns->count;
  size_t stars = 0;
  for (size_t i = 0; i < patterns->count; i++)
    if (patterns->items[i]->kind == PT_STAR && ++stars == 2)
      build__syntax_error(parser, patterns->items[i]->span,
                          "a sequence pattern can have one starred name, not two");
  return pattern;
}

Pattern *build_star_pattern(Parser *parser, Span span, Name name) {
  Pattern *pattern = new_pattern(parser, PT_STAR, span);
  pattern->star.bind = bind(name);
  pattern->star.is_wildcard = is_wildcard(name);
  return pattern;
}

Pattern *build_as_pattern(Parser *parser, Span span, Pattern *inner, Name name, Span name_span) {
  if (is_wildcard(name))
    build__syntax_error(parser, name_span, "'_' cannot be the name after 'as'");
  Pattern *pattern = new_pattern(parser, PT_AS, span);
  pattern->as.pattern = inner;
  pattern->as.bind = bind(name);
  return pattern;
}

Pattern *build_or_pattern(Parser *parser, Span span, Pattern *left, Span left_place,
                          Pattern *right) {
  Pattern *pattern = left;
  if (left->kind != PT_OR || left_place.begin != left->span.begin) {
    pattern = new_pattern(parser, PT_OR, span);
    pattern->sub.items = ARENA_ARRAY(parser->arena, Pattern *, 2);
    pattern->sub.items[pattern->sub.count++] = left;
  }
  size_t count = pattern->sub.count;
  if (count >= 2 && (count & (count - 1)) == 0) {
    Pattern **items = ARENA_ARRAY(parser->arena, Pattern *, count * 2);
    memcpy(items, pattern->sub.items, count * sizeof *items);
    pattern->sub.items = items;
  }
  pattern->sub.items[pattern->sub.count++] = right;
  pattern->span = span;
  return pattern;
}

// A name alone captures, a dotted one is compared with.
Pattern *build_name_pattern(Parser *parser, Expr *name) {
  if (name->kind != EX_NAME) return build_value_pattern(parser, name);
  Pattern *pattern = new_pattern(parser, PT_AS, name->span);
  pattern->as.bind = bind(name->name.name);
  pattern->as.is_wildcard = is_wildcard(name->name.name);
  return pattern;
}

static bool is_number(const Expr *expr, bool imaginary) {
  if (expr->kind == EX_UNARY) expr = expr->unary.operand;
  return imaginary ? expr->kind == EX_IMAGINARY : expr->kind == EX_INT || expr->kind == EX_FLOAT;
}

Pattern *build_value_pattern(Parser *parser, Expr *value) {
  if (value->kind == EX_BINARY &&
      (!is_number(value->binary.left, false) || !is_number(value->binary.right, true)))
    build__syntax_error(parser, value->span,
                        "a sum in a pattern must be a real and an imaginary number");
  Pattern *pattern = new_pattern(parser, PT_VALUE, value->span);
  pattern->value = value;
  return pattern;
}

Expr *build_string_pattern(Parser *parser, Span span, const StringPieces *pieces) {
  Expr *expr = build_string(parser, span, pieces);
  if (expr->kind == EX_JOINED_STR)
    build__syntax_error(parser, span, "an f-string cannot be a pattern");
  return expr;
}

ClassPatternArgs *build_class_arg(Parser *parser, ClassPatternArgs *args, Span span, Name name,
                                  Pattern *pattern) {
  if (!args) args = ARENA_NEW(parser->scratch, ClassPatternArgs);
  if (!name && args->names.count)
    build__syntax_error(parser, span, "a positional pattern follows a keyword pattern");
  for (size_t i = 0; name && i < args->names.count; i++)
    if (args->names.items[i] == name)
      build__syntax_error(parser, span, "attribute '%s' is given twice in a class pattern",
                          name->text);
  if (name) {
    args->names = build_names_push(parser, args->names, name);
    VEC_PUSH(parser->scratch, &args->keyword, pattern);
  } else {
    VEC_PUSH(parser->scratch, &args->positional, pattern);
  }
  return args;
}

Pattern *build_class_pattern(Parser *parser, Span span, Expr *cls, const ClassPatternArgs *args) {
  Pattern *pattern = new_pattern(parser, PT_CLASS, span);
  pattern->cls.cls = cls;
  if (!args) return pattern;
  pattern->cls.patterns = keep(parser, &args->positional);
  pattern->cls.count = args->positional.count;
  pattern->cls.kwd_names = args->names.items;
  pattern->cls.kwd_patterns = keep(parser, &args->keyword);
  pattern->cls.kwd_count = args->names.count;
  return pattern;
}

MappingItems *build_mapping_item(Parser *parser, MappingItems *items, Expr *key, Pattern *pattern) {
  if (!items) items = ARENA_NEW(parser->scratch, MappingItems);
  if (items->has_rest)
    build__syntax_error(parser, key->span, "'**%s' must be the last item of a mapping pattern",
                        items->rest->text);
  items->keys = build_exprs_push(parser, items->keys, key);
  VEC_PUSH(parser->scratch, &items->patterns, pattern);
  return items;
}

MappingItems *build_mapping_rest(Parser *parser, MappingItems *items, Span span, Name name) {
  if (!items) items = ARENA_NEW(parser->scratch, MappingItems);
  if (is_wildcard(name)) build__syntax_error(parser, span, "'**_' is not a pattern; leave it out");
  if (items->has_rest)
    build__syntax_error(parser, span, "a mapping pattern can have one '**' name");
  items->has_rest = true;
  items->rest = name;
  return items;
}

Expr *build_mapping_key(Parser *parser, Expr *name) {
  if (name->kind == EX_NAME)
    build__syntax_error(parser, name->span,
                        "a key of a mapping pattern is a literal or a dotted name");
  return name;
}

Pattern *build_mapping(Parser *parser, Span span, const MappingItems *items) {
  Pattern *pattern = new_pattern(parser, PT_MAPPING, span);
  if (!items) return pattern;
  pattern->mapping.keys = items->keys.items;
  pattern->mapping.patterns = keep(parser, &items->patterns);
  pattern->mapping.count = items->patterns.count;
  pattern->mapping.has_rest = items->has_rest;
  pattern->mapping.rest = bind(items->rest);
  return pattern;
}

CaseVec *build_case(Parser *parser, Span span, Pattern *pattern, Expr *guard, StmtList body) {
  CaseVec *cases = ARENA_NEW(parser->scratch, CaseVec);
  MatchCase one = {pattern, guard, body, span_join(span, body.items[body.count - 1]->span)};
  VEC_PUSH(parser->scratch, cases, one);
  return cases;
}

CaseVec *build_cases_join(Parser *parser, CaseVec *cases, const CaseVec *one) {
  if (!cases) cases = ARENA_NEW(parser->scratch, CaseVec);
  if (one) VEC_PUSH(parser->scratch, cases, one->items[0]);
  return cases;
}

Stmt *build_match(Parser *parser, Span span, Expr *subject, const CaseVec *cases) {
  build__no_star(parser, subject);
  Stmt *stmt = build_stmt(parser, ST_MATCH, span);
  stmt->match.subject = subject;
  if (!cases || !cases->count) return stmt;
  stmt->span = span_join(span, cases->items[cases->count - 1].span);
  stmt->match.cases = arena_dup(parser->arena, cases->items, cases->count * sizeof *cases->items);
  stmt->match.count = cases->count;
  return stmt;
}

Stmt *build_bare_match(Parser *parser, Span span) {
  build__syntax_error(parser, layout_ended_line(parser->layout)->span,
                      "'match' needs an indented block of 'case's");
  return build_stmt(parser, ST_ERROR, span);
}
