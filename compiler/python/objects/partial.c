// SPDX-License-Identifier: Apache-2.0
// functools.partial.
#include <string.h>

#include "base/buf.h"
#include "python/values/evaluator_state.h"
#include "convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "mapping.h"
#include "partial.h"
#include "protocol.h"
#include "python/values/raise.h"
#include "value_call.h"
#include "python/values/values.h"

static Partial *partial_of(Value v) { return (Partial *)value_unwrap(v).o; }

// with keywords
static Value make_partial_args(Eval *ev, Value f, const Args *args) {
  Partial *partial = ARENA_NEW(ev->arena, Partial);
  partial->base.type = ev->types.partial;
  partial->function = f;
  partial->keywords = dict_new(ev);
  const Partial *inner = is_a(f, ev->types.partial) ? partial_of(f) : NULL;
  if (inner && !inner->dict) { // a partial of a partial is one
    partial->function = inner->function;
    partial->args = tuple_new(ev, inner->args->count + args->count);
    memcpy(partial->args->items, inner->args->items, inner->args->count * sizeof(Value));
    if (args->count)
      memcpy(partial->args->items + inner->args->count, args->items, args->count * sizeof(Value));
    DictEntry *entry;
    for (size_t it = 0; dict_next(inner->keywords, &it, &entry);)
      dict_set(ev, partial->keywords, entry->key, entry->value);
  } else {
    partial->args = (Tuple *)make_tuple(ev, args->count, args->items).o;
  }
  for (size_t i = 0; i < args->kw_count; i++)
    dict_set_name(ev, partial->keywords, args->kw_names[i], args->kw_values[i]);
  return v_object(partial);
}

#define FEW 16

// The partial's keywords, with those of the call in their places.
static size_t merge_keywords(Eval *ev, const Partial *partial, const Args *args, Name *names,
                             Value *values) {
  size_t count = 0;
  DictEntry *entry;
  for (size_t it = 0; dict_next(partial->keywords, &it, &entry); count++) {
    Str text = take_str(ev, entry->key, "keyword");
    names[count] = name_intern(ev->session->interner, text);
    values[count] = entry->value;
  }
  for (size_t i = 0; i < args->kw_count; i++) {
    size_t k = 0;
    while (k < count && names[k] != args->kw_names[i]) k++;
    names[k] = args->kw_names[i];
    values[k] = args->kw_values[i];
    if (k == count) count++;
  }
  return count;
}

static Value partial_call(Eval *ev, Value self, const Args *args) {
  const Partial *partial = partial_of(self);
  if (args->count == 0 && args->kw_count == 0 && partial->keywords->count == 0)
    return value_call_n(ev, partial->function, partial->args->count, partial->args->items);
  size_t count = partial->args->count + args->count;
  size_t kw_most = partial->keywords->count + args->kw_count;
  Value few[FEW], few_values[FEW], *items = few, *values = few_values;
  Name few_names[FEW], *names = few_names;
  if (count > FEW) items = ARENA_ARRAY(ev->arena, Value, count);
  if (kw_most > FEW) {
    values = ARENA_ARRAY(ev->arena, Value, kw_most);
    names = ARENA_ARRAY(ev->arena, Name, kw_most);
  }
  if (partial->args->count)
    memcpy(items, partial->args->items, partial->args->count * sizeof *items);
  if (args->count) memcpy(items + partial->args->count, args->items, args->count * sizeof *items);
  Args all = {.count = count, .items = items, .kw_names = names, .kw_values = values};
  all.kw_count = merge_keywords(ev, partial, args, names, values);
  return value_call(ev, partial->function, &all);
}

static Value partial_new(Eval *ev, Value *a) {
  const Tuple *args = (const Tuple *)a[1].o;
  const Dict *keywords = (const Dict *)a[2].o;
  if (!args->count)
    eval_raise(ev, ev->types.TypeError, "type 'partial' takes at least one argument");
  if (!value_is_callable(ev, args->items[0]))
    eval_raise(ev, ev->types.TypeError, "the first argument must be callable");
  Args all = {.count = args->count - 1, .items = args->items + 1};
  Value made = make_partial_args(ev, args->items[0], &all);
  DictEntry *entry;
  for (size_t it = 0; dict_next(keywords, &it, &entry);)
    dict_set(ev, ((Partial *)made.o)->keywords, entry->key, entry->value);
  Type *cls = (Type *)a[0].o;
  if (cls == ev->types.partial) return made;
  Instance *instance = instance_new(ev, cls);
  instance->payload = made;
  return v_object(instance);
}

static Value partial_getattr(Eval *ev, Value self, Name name) {
  Partial *partial = partial_of(self);
  if (partial->dict) {
    Value own = dict_get_name(partial->dict, name);
    if (own.kind != V_UNBOUND) return own;
  }
  if (name == ev->names->func_plain) return partial->function;
  if (name == ev->names->args) return v_object(partial->args);
  if (name == ev->names->keyword) return v_object(partial->keywords);
  if (name == ev->names->dict) {
    if (!partial->dict) partial->dict = dict_new(ev);
    return v_object(partial->dict);
  }
  return v_unbound();
}

static bool partial_setattr(Eval *ev, Value self, Name name, Value value) {
  Partial *partial = partial_of(self);
  if (!partial->dict) partial->dict = dict_new(ev);
  if (value.kind == V_UNBOUND) return dict_remove(ev, partial->dict, make_name(ev, name));
  dict_set_name(ev, partial->dict, name, value);
  return true;
}

static Str partial_repr(Eval *ev, Value self) {
  const Partial *partial = partial_of(self);
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_c(&buf, "functools.partial(");
  buf_str(&buf, value_repr(ev, partial->function));
  for (size_t i = 0; i < partial->args->count; i++)
    buf_printf(&buf, ", %.*s", STR_FMT(value_repr(ev, partial->args->items[i])));
  DictEntry *entry;
  for (size_t it = 0; dict_next(partial->keywords, &it, &entry);)
    buf_printf(&buf, ", %.*s=%.*s", STR_FMT(value_str(ev, entry->key)),
               STR_FMT(value_repr(ev, entry->value)));
  buf_char(&buf, ')');
  return buf_view(&buf);
}

static uint64_t partial_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

void partial_init(Eval *ev) {
  static const NativeDef methods[] = {
      {"__new__(cls, /, *args, **keywords)", partial_new},
      {NULL, NULL},
  };
  ev->types.partial->methods = methods;
  ev->types.partial->full_name = "functools.partial";
  ev->types.partial->slots = (TypeSlots){.call = partial_call,
                                         .getattr = partial_getattr,
                                         .setattr = partial_setattr,
                                         .repr = partial_repr,
                                         .hash = partial_hash};
}
