// SPDX-License-Identifier: Apache-2.0
// match: names are bound only when a whole pattern has matched.
#include "base/plural.h"
#include "python/values/evaluator_state.h"
#include "python/modules/module.h"
#include "expr.h"
#include "match.h"
#include "stmt.h"
#include "python/objects/attribute.h"
#include "python/values/bytes_like.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

typedef struct Binding {
  NameRef *name;
  Value value;
} Binding;
enum { FEW_NAMES = 8 };
typedef struct Matcher {
  Eval *ev;
  Binding few[FEW_NAMES];
  VEC(Binding) more;
  size_t count; // of all
} Matcher;

static bool matches(Matcher *m, Pattern *p, Value subject);

static void bind(Matcher *m, NameRef *name, Value value) {
  Binding binding = {name, value};
  if (m->count < FEW_NAMES)
    m->few[m->count] = binding;
  else
    VEC_PUSH(m->ev->arena, &m->more, binding);
  m->count++;
}

static void forget_bindings(Matcher *m, size_t count) {
  m->count = count;
  m->more.count = count < FEW_NAMES ? 0 : count - FEW_NAMES;
}

static void store_bindings(Matcher *m) {
  for (size_t i = 0; i < m->count; i++) {
    Binding *binding = i < FEW_NAMES ? &m->few[i] : &m->more.items[i - FEW_NAMES];
    store_name(m->ev, binding->name, binding->value);
    values_leave(&binding->value, 1);
  }
}

static bool match_value(Matcher *m, Pattern *p, Value subject) {
  Eval *ev = m->ev;
  Value value = eval_expr(ev, p->value);
  ev->span = p->span;
  switch (p->value->kind) {
  case EX_NONE:
  case EX_BOOL: return value_is(subject, value);
  default: return value_truth(ev, value_compare(ev, CMP_EQ, subject, value));
  }
}

// ---- sequences and mappings ---------------------------------------------------------------------
// Whether its class counts as `name` of collections.abc.
static bool is_abstract_kind(Eval *ev, Value subject, const char *name) {
  if (subject.kind != V_OBJECT || is_type(ev, subject)) return false;
  return value_isinstance(ev, subject, module_lookup(ev, "collections.abc", name));
}

static bool is_sequence(Eval *ev, Value subject) {
  if (value_as_tuple(subject) || value_as_list(subject) || is_a(subject, ev->types.range))
    return true;
  if (value_as_str(subject, &(Str){0}) || value_as_dict(subject)) return false;
  if (value_as_bytes(ev, subject, &(Str){0}) && subject.o->type != ev->types.memoryview)
    return false;
  return is_abstract_kind(ev, subject, "Sequence");
}

static Value item_at(Eval *ev, Value subject, size_t i) {
  const Tuple *tuple = value_as_tuple(subject);
  if (tuple) return tuple->items[i];
  const List *list = value_as_list(subject);
  if (list && i < list->count) return list->items[i];
  return value_getitem(ev, subject, v_int((int64_t)i));
}

static bool match_sequence(Matcher *m, Pattern *p, Value subject) {
  Eval *ev = m->ev;
  if (!is_sequence(ev, subject)) return false;
  size_t count = p->sub.count, star = SIZE_MAX, len = (size_t)value_len(ev, subject);
  for (size_t i = 0; i < count; i++)
    if (p->sub.items[i]->kind == PT_STAR) star = i;
  if (star == SIZE_MAX ? len != count : len < count - 1) return false;
  for (size_t i = 0; i < count && i < star; i++)
    if (!matches(m, p->sub.items[i], item_at(ev, subject, i))) return false;
  if (star == SIZE_MAX) return true;
  size_t after = count - star - 1;
  if (!p->sub.items[star]->star.is_wildcard) {
    List *rest = list_new(ev, len - (count - 1));
    for (size_t i = star; i < len - after; i++) list_push(ev, rest, item_at(ev, subject, i));
    bind(m, &p->sub.items[star]->star.bind, v_object(rest));
  }
  for (size_t i = 0; i < after; i++)
    if (!matches(m, p->sub.items[star + 1 + i], item_at(ev, subject, len - after + i)))
      return false;
  return true;
}

// A key's value without inserting a default, as mapping.get(key, sentinel) does.
static Value mapping_get(Eval *ev, Value subject, Value key) {
  const Dict *dict = value_as_dict(subject);
  if (dict) return dict_get(ev, dict, key);
  if (!value_contains(ev, subject, key)) return v_unbound();
  return value_getitem(ev, subject, key);
}

static bool match_mapping(Matcher *m, Pattern *p, Value subject) {
  Eval *ev = m->ev;
  if (!value_as_dict(subject) && !is_abstract_kind(ev, subject, "Mapping")) return false;
  size_t count = p->mapping.count;
  if (value_len(ev, subject) < (int64_t)count) return false;
  Value few[2 * FEW_NAMES];
  Value *keys = count <= FEW_NAMES ? few : ARENA_ARRAY(ev->arena, Value, 2 * count);
  Value *values = keys + count;
  for (size_t i = 0; i < count; i++) {
    keys[i] = eval_expr(ev, p->mapping.keys[i]);
    ev->span = p->span;
    for (size_t k = 0; k < i; k++)
      if (value_equal(ev, keys[k], keys[i]))
        eval_raise(ev, ev->types.ValueError, "mapping pattern checks duplicate key (%.*s)",
                   STR_FMT(value_repr(ev, keys[i])));
    values[i] = mapping_get(ev, subject, keys[i]);
    if (values[i].kind == V_UNBOUND) return false;
  }
  for (size_t i = 0; i < count; i++)
    if (!matches(m, p->mapping.patterns[i], values[i])) return false;
  if (!p->mapping.has_rest) return true;
  Dict *rest = dict_new(ev);
  mapping_update(ev, rest, subject);
  for (size_t i = 0; i < count; i++) dict_remove(ev, rest, keys[i]);
  bind(m, &p->mapping.rest, v_object(rest));
  return true;
}

// ---- classes ------------------------------------------------------------------------------------
// Builtin classes whose one positional pattern takes the whole subject.
static bool matches_itself(const Eval *ev, const Type *type) {
  const EvalTypes *t = &ev->types;
  const Type *const list[] = {t->boolean, t->bytes, t->dict, t->floating, t->frozenset,
                              t->integer, t->list,  t->set,  t->string,   t->tuple};
  for (size_t i = 0; i < COUNT_OF(list); i++)
    if (type_is_subtype(type, list[i])) return true;
  return false;
}

static bool match_attribute(Matcher *m, Value subject, Name name, Pattern *p) {
  Value value = value_getattr_opt(m->ev, subject, name);
  return value.kind != V_UNBOUND && matches(m, p, value);
}

// The attribute that the i-th positional pattern is about.
static Name match_arg(Eval *ev, const Tuple *args, size_t i) {
  Str text;
  if (!value_as_str(args->items[i], &text))
    eval_raise(ev, ev->types.TypeError, "__match_args__ elements must be strings (got %s)",
               value_type_name(ev, args->items[i]));
  return name_intern(ev->session->interner, text);
}

static void check_repeated(Eval *ev, const Type *type, const Name *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++)
      if (names[i] == names[k])
        eval_raise(ev, ev->types.TypeError, "%s() got multiple sub-patterns for attribute '%s'",
                   type->name->text, names[i]->text);
}

static bool match_class(Matcher *m, Pattern *p, Value subject) {
  Eval *ev = m->ev;
  Value cls = eval_expr(ev, p->cls.cls);
  ev->span = p->span;
  if (!is_type(ev, cls)) eval_raise(ev, ev->types.TypeError, "called match pattern must be a type");
  Type *type = (Type *)cls.o;
  if (!value_isinstance(ev, subject, cls)) return false;
  size_t count = p->cls.count;
  size_t total = count + p->cls.kwd_count, known = 0;
  Name few[FEW_NAMES], *names = total <= FEW_NAMES ? few : ARENA_ARRAY(ev->arena, Name, total);
  if (count) {
    Value given = value_getattr_opt(ev, cls, ev->names->match_args);
    bool itself = given.kind == V_UNBOUND && matches_itself(ev, type);
    const Tuple *args = value_as_tuple(given);
    if (given.kind != V_UNBOUND && !args)
      eval_raise(ev, ev->types.TypeError, "%s.__match_args__ must be a tuple (got %s)",
                 type->name->text, value_type_name(ev, given));
    size_t allowed = itself ? 1 : args ? args->count : 0;
    if (count > allowed)
      eval_raise(ev, ev->types.TypeError, "%s() accepts %zu positional sub-pattern%s (%zu given)",
                 type->name->text, allowed, PLURAL(allowed), count);
    if (itself && !matches(m, p->cls.patterns[0], subject)) return false;
    for (; !itself && known < count; known++) names[known] = match_arg(ev, args, known);
  }
  total = known;
  for (size_t i = 0; i < p->cls.kwd_count; i++) names[total++] = p->cls.kwd_names[i];
  check_repeated(ev, type, names, total);
  for (size_t i = 0; i < known; i++)
    if (!match_attribute(m, subject, names[i], p->cls.patterns[i])) return false;
  for (size_t i = 0; i < p->cls.kwd_count; i++)
    if (!match_attribute(m, subject, p->cls.kwd_names[i], p->cls.kwd_patterns[i])) return false;
  return true;
}

// ---- all ----------------------------------------------------------------------------------------
static bool match_or(Matcher *m, Pattern *p, Value subject) {
  size_t bound = m->count;
  for (size_t i = 0; i < p->sub.count; i++) {
    if (matches(m, p->sub.items[i], subject)) return true;
    forget_bindings(m, bound);
  }
  return false;
}

static bool matches(Matcher *m, Pattern *p, Value subject) {
  switch (p->kind) {
  case PT_VALUE: return match_value(m, p, subject);
  case PT_SEQUENCE: return match_sequence(m, p, subject);
  case PT_MAPPING: return match_mapping(m, p, subject);
  case PT_CLASS: return match_class(m, p, subject);
  case PT_OR: return match_or(m, p, subject);
  case PT_AS:
    if (p->as.pattern && !matches(m, p->as.pattern, subject)) return false;
    if (!p->as.is_wildcard) bind(m, &p->as.bind, subject);
    return true;
  case PT_STAR:
  case PT_COUNT: break;
  }
  BUG("pattern of kind %d", (int)p->kind);
}

const StmtList *match_block(Eval *ev, Stmt *stmt) {
  Value subject = eval_expr(ev, stmt->match.subject);
  for (size_t i = 0; i < stmt->match.count; i++) {
    MatchCase *choice = &stmt->match.cases[i];
    Matcher m; // not set to nothing as a whole
    m.ev = ev;
    m.more.items = NULL;
    m.more.capacity = 0;
    forget_bindings(&m, 0);
    ev->span = choice->span;
    if (!matches(&m, choice->pattern, subject)) continue;
    store_bindings(&m);
    if (!choice->guard || eval_test(ev, choice->guard, TRUTH_TEST)) return &choice->body;
  }
  return NULL;
}

Flow eval_match(Eval *ev, Stmt *stmt, Value *result) {
  const StmtList *block = match_block(ev, stmt);
  return block ? eval_block(ev, block, result) : FLOW_NEXT;
}
