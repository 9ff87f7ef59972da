// SPDX-License-Identifier: Apache-2.0
// Tuples, lists, sets and dicts that are written out.
#include "python/values/evaluator_state.h"
#include "call.h"
#include "display.h"
#include "expr.h"
#include "python/objects/attribute.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

void push_unpacked(Eval *ev, List *out, Value source, const Value *callee) {
  if (!value_is_iterable(ev, source)) {
    Str context = STR("Value");
    if (callee) context = str_format(ev->arena, "%.*s argument", STR_FMT(callee_name(ev, *callee)));
    eval_raise(ev, ev->types.TypeError, "%.*s after * must be an iterable, not %s",
               STR_FMT(context), value_type_name(ev, source));
  }
  Walk walk;
  walk_start(ev, &walk, source);
  for (Value each; walk_next(ev, &walk, &each); count_step(ev)) list_push(ev, out, each);
}

void push_items(Eval *ev, List *out, const ExprList *list, const Value *callee) {
  for (size_t i = 0; i < list->count; i++) {
    Expr *item = list->items[i];
    if (item->kind != EX_STARRED) {
      list_push(ev, out, eval_expr(ev, item));
      continue;
    }
    Value source = eval_expr(ev, item->starred);
    ev->span = item->span;
    push_unpacked(ev, out, source, callee);
  }
}

Value tuple_display(Eval *ev, Expr *e) {
  const ExprList *list = &e->elements;
  if (e->literal) return v_object(e->literal);
  if (!e->is_plain) {
    List *items = list_new(ev, list->count);
    push_items(ev, items, list, NULL);
    return make_tuple(ev, items->count, items->items);
  }
  Tuple *tuple = tuple_new(ev, list->count);
  for (size_t i = 0; i < list->count; i++) tuple->items[i] = eval_expr(ev, list->items[i]);
  if (e->is_literal) e->literal = tuple;
  return v_object(tuple);
}

Value list_display(Eval *ev, Expr *e) {
  List *list = list_new(ev, e->elements.count);
  push_items(ev, list, &e->elements, NULL);
  return v_object(list);
}

Value set_display(Eval *ev, Expr *e) {
  List *items = list_new(ev, e->elements.count);
  push_items(ev, items, &e->elements, NULL);
  ev->span = e->span;
  Dict *set = set_new(ev, false);
  for (size_t i = 0; i < items->count; i++) dict_set(ev, set, items->items[i], v_none());
  return v_object(set);
}

// Copies a mapping's items; false if it is none.
bool mapping_update(Eval *ev, Dict *into, Value mapping) {
  const Dict *dict = value_as_dict(mapping);
  if (dict && dict_is_walked_plainly(ev, type_of(ev, mapping))) {
    DictEntry *entry;
    for (size_t it = 0; dict_next(dict, &it, &entry);)
      dict_set_hashed(ev, into, entry->key, entry->hash, entry->value);
    return true;
  }
  Value keys = value_getattr_opt(ev, mapping, ev->names->keys);
  if (keys.kind == V_UNBOUND) return false;
  Walk walk;
  walk_start(ev, &walk, value_call_n(ev, keys, 0, NULL));
  for (Value key; walk_next(ev, &walk, &key); count_step(ev))
    dict_set(ev, into, key, value_getitem(ev, mapping, key));
  return true;
}

enum { PAIRS_AT_ONCE = 15 }; // as many as CPython has on its stack before it hashes the first key

// The pairs from item i on that are all evaluated before a key is hashed.
static size_t pairs_from(const Expr *e, size_t i) {
  size_t n = 0;
  while (n < PAIRS_AT_ONCE && i + n < e->dict.values.count && e->dict.keys.items[i + n]) n++;
  return n;
}

static void push_pairs(Eval *ev, Dict *dict, const Expr *e, size_t first, size_t n) {
  Value pairs[PAIRS_AT_ONCE][2];
  for (size_t i = 0; i < n; i++) {
    pairs[i][0] = eval_expr(ev, e->dict.keys.items[first + i]);
    pairs[i][1] = eval_expr(ev, e->dict.values.items[first + i]);
  }
  for (size_t i = 0; i < n; i++) {
    ev->span = e->dict.keys.items[first + i]->span;
    dict_set(ev, dict, pairs[i][0], pairs[i][1]);
  }
}

static void push_mapping(Eval *ev, Dict *dict, Expr *e) {
  Value mapping = eval_expr(ev, e);
  ev->span = e->span;
  if (!mapping_update(ev, dict, mapping))
    eval_raise(ev, ev->types.TypeError, "'%s' object is not a mapping",
               value_type_name(ev, mapping));
}

Value dict_display(Eval *ev, Expr *e) {
  Dict *dict = dict_new(ev);
  for (size_t i = 0, n; i < e->dict.values.count; i += n ? n : 1) {
    n = pairs_from(e, i);
    if (n)
      push_pairs(ev, dict, e, i, n);
    else
      push_mapping(ev, dict, e->dict.values.items[i]);
  }
  return v_object(dict);
}
