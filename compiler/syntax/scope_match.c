// SPDX-License-Identifier: Apache-2.0
// Names in patterns: what they bind, and what makes a case unreachable.
#include "base/map.h"
#include "mistake.h"
#include "scope_resolver.h"

// The names a pattern binds, with each alternative of an or-pattern checked against the first.
typedef struct Collector {
  Resolver *r;
  Map *names;    // Name to anything; insertion order is the order of the pattern
  bool is_quiet; // a mistake has been reported: the rest would only repeat it
} Collector;

static void collect(Collector *c, const Pattern *pattern);

static void add(Collector *c, Name name, Span span) {
  name = scope_mangle(c->r, name);
  if (map_has(c->names, name) && !c->is_quiet) {
    mistake_report(c->r->session, MISTAKE_SYNTAX, span, "'%s' is bound twice in one pattern",
                   name->text);
    c->is_quiet = true;
  }
  map_set(c->names, name, NULL);
}

static bool same_names(const Map *a, const Map *b, Name *odd) {
  const void *key;
  for (size_t it = 0; map_next(a, &it, &key, NULL);)
    if (!map_has(b, key)) {
      *odd = key;
      return false;
    }
  return true;
}

static bool always_matches(const Pattern *pattern) {
  while (pattern->kind == PT_AS && pattern->as.pattern) pattern = pattern->as.pattern;
  if (pattern->kind == PT_OR) return always_matches(pattern->sub.items[pattern->sub.count - 1]);
  return pattern->kind == PT_AS;
}

static void report_unreachable(Collector *c, const Pattern *pattern) {
  if (c->is_quiet) return;
  c->is_quiet = true;
  while (pattern->kind == PT_OR) pattern = pattern->sub.items[pattern->sub.count - 1];
  if (pattern->kind == PT_AS && !pattern->as.is_wildcard)
    mistake_report(c->r->session, MISTAKE_SYNTAX, pattern->span,
                   "'%s' always matches, so the patterns after it are never tried",
                   pattern->as.bind.name->text);
  else
    mistake_report(c->r->session, MISTAKE_SYNTAX, pattern->span,
                   "'_' always matches, so the patterns after it are never tried");
}

static void collect_or(Collector *c, const Pattern *pattern) {
  Map *outer = c->names, *first = NULL;
  for (size_t i = 0; i < pattern->sub.count; i++) {
    const Pattern *alternative = pattern->sub.items[i];
    c->names = map_new(c->r->scratch);
    collect(c, alternative);
    if (i + 1 < pattern->sub.count && always_matches(alternative))
      report_unreachable(c, alternative);
    if (!first) first = c->names;
    Name odd = NULL;
    if (!c->is_quiet &&
        (!same_names(first, c->names, &odd) || !same_names(c->names, first, &odd))) {
      mistake_report(c->r->session, MISTAKE_SYNTAX, alternative->span,
                     "alternatives of a pattern bind different names: '%s' is not in all of them",
                     odd->text);
      c->is_quiet = true;
    }
  }
  c->names = outer;
  const void *key;
  for (size_t it = 0; first && map_next(first, &it, &key, NULL);) add(c, key, pattern->span);
}

static void collect(Collector *c, const Pattern *pattern) {
  switch (pattern->kind) {
  case PT_SEQUENCE:
    for (size_t i = 0; i < pattern->sub.count; i++) collect(c, pattern->sub.items[i]);
    break;
  case PT_OR: collect_or(c, pattern); break;
  case PT_STAR:
    if (!pattern->star.is_wildcard) add(c, pattern->star.bind.name, pattern->span);
    break;
  case PT_AS:
    if (pattern->as.pattern) collect(c, pattern->as.pattern);
    if (!pattern->as.is_wildcard) add(c, pattern->as.bind.name, pattern->span);
    break;
  case PT_MAPPING:
    for (size_t i = 0; i < pattern->mapping.count; i++) collect(c, pattern->mapping.patterns[i]);
    if (pattern->mapping.has_rest) add(c, pattern->mapping.rest.name, pattern->span);
    break;
  case PT_CLASS:
    for (size_t i = 0; i < pattern->cls.count; i++) collect(c, pattern->cls.patterns[i]);
    for (size_t i = 0; i < pattern->cls.kwd_count; i++) collect(c, pattern->cls.kwd_patterns[i]);
    break;
  default: break;
  }
}

void scope_check_match(Resolver *r, const Stmt *match) {
  for (size_t i = 0; i < match->match.count; i++) {
    const MatchCase *one = &match->match.cases[i];
    Collector c = {.r = r, .names = map_new(r->scratch)};
    collect(&c, one->pattern);
    if (i + 1 < match->match.count && !one->guard && always_matches(one->pattern))
      report_unreachable(&c, one->pattern);
  }
}

// All names, those of every alternative.
void scope_bind_pattern(Resolver *r, const Pattern *pattern) {
  switch (pattern->kind) {
  case PT_VALUE: scope_bind_expr(r, pattern->value); break;
  case PT_SEQUENCE:
  case PT_OR:
    for (size_t i = 0; i < pattern->sub.count; i++) scope_bind_pattern(r, pattern->sub.items[i]);
    break;
  case PT_STAR:
    if (!pattern->star.is_wildcard) scope_bind_name(r, pattern->star.bind.name);
    break;
  case PT_AS:
    if (pattern->as.pattern) scope_bind_pattern(r, pattern->as.pattern);
    if (!pattern->as.is_wildcard) scope_bind_name(r, pattern->as.bind.name);
    break;
  case PT_MAPPING:
    for (size_t i = 0; i < pattern->mapping.count; i++) {
      scope_bind_expr(r, pattern->mapping.keys[i]);
      scope_bind_pattern(r, pattern->mapping.patterns[i]);
    }
    if (pattern->mapping.has_rest) scope_bind_name(r, pattern->mapping.rest.name);
    break;
  case PT_CLASS:
    scope_bind_expr(r, pattern->cls.cls);
    for (size_t i = 0; i < pattern->cls.count; i++) scope_bind_pattern(r, pattern->cls.patterns[i]);
    for (size_t i = 0; i < pattern->cls.kwd_count; i++)
      scope_bind_pattern(r, pattern->cls.kwd_patterns[i]);
    break;
  default: break;
  }
}
