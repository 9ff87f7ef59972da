// SPDX-License-Identifier: Apache-2.0
// The module functools: what is called often. partial itself is in partial.c, the rest in
// library/functools.pk.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/builtins/builtin_index.h"
#include "python/builtins/builtin_wrap.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

static Value f_reduce(Eval *ev, Value *a) {
  if (!value_is_iterable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "reduce() arg 2 must support iteration");
  Value iterator = value_iter(ev, a[1]), total = a[2], item;
  if (v_is_unbound(total) && !value_next(ev, iterator, &total))
    eval_raise(ev, ev->types.TypeError, "reduce() of empty iterable with no initial value");
  for (; value_next(ev, iterator, &item); eval_step(ev))
    total = value_call_n(ev, a[0], 2, (Value[]){total, item});
  return total;
}

// ---- lru_cache ----------------------------------------------------------------------------------
typedef struct Cache {
  Object base;
  Value function;
  Dict *results;   // by key, least recently used first
  int64_t maxsize; // -1: no limit
  bool typed;
  int64_t hits, misses;
  Dict *dict; // attributes set on it
} Cache;

static Cache *self_cache(Value self) { return (Cache *)value_unwrap(self).o; }

// All arguments as one hashable value: the positional ones, and after a mark the keywords; with
// their types if asked for.
static Value cache_key(Eval *ev, const Cache *cache, const Args *args) {
  if (!cache->typed && args->kw_count == 0 && args->count == 1) {
    Value only = args->items[0]; // ints and texts are their own keys: a tuple never equals one
    if (only.kind == V_INT || (only.kind == V_OBJECT && only.o->type == ev->types.string))
      return only;
  }
  size_t plain = args->count + (args->kw_count ? 1 + 2 * args->kw_count : 0);
  Tuple *key = tuple_new(ev, cache->typed ? plain + args->count + args->kw_count : plain);
  size_t n = 0;
  for (size_t i = 0; i < args->count; i++) key->items[n++] = args->items[i];
  if (args->kw_count) key->items[n++] = v_ellipsis(); // the mark
  for (size_t i = 0; i < args->kw_count; i++) {
    key->items[n++] = make_name(ev, args->kw_names[i]);
    key->items[n++] = args->kw_values[i];
  }
  for (size_t i = 0; cache->typed && i < args->count; i++)
    key->items[n++] = v_object(value_type(ev, args->items[i]));
  for (size_t i = 0; cache->typed && i < args->kw_count; i++)
    key->items[n++] = v_object(value_type(ev, args->kw_values[i]));
  return v_object(key);
}

static void drop_oldest(Eval *ev, Dict *results) {
  DictEntry *entry;
  size_t it = 0;
  if (dict_next(results, &it, &entry)) dict_remove(ev, results, entry->key);
}

static Value cache_call(Eval *ev, Value self, const Args *args) {
  Cache *cache = self_cache(self);
  if (cache->maxsize == 0) {
    cache->misses++;
    return value_call(ev, cache->function, args);
  }
  Value key = cache_key(ev, cache, args), result = dict_get(ev, cache->results, key);
  if (!v_is_unbound(result)) {
    cache->hits++;
    if (cache->maxsize > 0) { // now the most recently used
      dict_remove(ev, cache->results, key);
      dict_set(ev, cache->results, key, result);
    }
    return result;
  }
  cache->misses++;
  result = value_call(ev, cache->function, args);
  dict_set(ev, cache->results, key, result);
  if (cache->maxsize > 0 && (int64_t)cache->results->count > cache->maxsize)
    drop_oldest(ev, cache->results);
  return result;
}

static Value cache_descr_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  if (v_is_unbound(instance)) return self;
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){{ev->types.method}, self, instance};
  return v_object(method);
}

static Value cache_getattr(Eval *ev, Value self, Name name) {
  Cache *cache = self_cache(self);
  if (name == ev->builtin->names.dunder_dict) return v_object(cache->dict);
  return dict_get_name(cache->dict, name);
}

static bool cache_setattr(Eval *ev, Value self, Name name, Value value) {
  Dict *dict = self_cache(self)->dict;
  if (v_is_unbound(value)) return dict_remove(ev, dict, make_name(ev, name));
  dict_set_name(ev, dict, name, value);
  return true;
}

static Str cache_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<functools._lru_cache_wrapper object at %p>", (void *)self.o);
}

static Value cache_make(Eval *ev, Value *a) {
  if (!value_is_callable(ev, a[1]))
    eval_raise(ev, ev->types.TypeError, "the first argument must be callable");
  Cache *cache = ARENA_NEW(ev->arena, Cache);
  *cache = (Cache){
      .base.type = (Type *)a[0].o, .function = a[1], .results = dict_new(ev), .dict = dict_new(ev)};
  cache->maxsize = v_is_none(a[2]) ? -1 : take_index64(ev, a[2]);
  if (cache->maxsize < 0 && !v_is_none(a[2])) cache->maxsize = 0;
  cache->typed = value_truth(ev, a[3]);
  return v_object(cache);
}

static Value cache_info(Eval *ev, Value *a) {
  const Cache *cache = self_cache(a[0]);
  Value values[] = {v_int(cache->hits), v_int(cache->misses),
                    cache->maxsize < 0 ? v_none() : v_int(cache->maxsize),
                    v_int((int64_t)cache->results->count)};
  return value_call_n(ev, module_lookup(ev, "functools", "_CacheInfo"), COUNT_OF(values), values);
}

static Value cache_clear(Eval *ev UNUSED, Value *a) {
  Cache *cache = self_cache(a[0]);
  dict_clear(cache->results);
  cache->hits = cache->misses = 0;
  return v_none();
}

static Value cache_copy(Eval *ev UNUSED, Value *a) { return a[0]; }

static const NativeType cache_type = {
    .slots = {.call = cache_call,
              .descr_get = cache_descr_get,
              .getattr = cache_getattr,
              .setattr = cache_setattr,
              .repr = cache_repr},
    .methods = (const NativeDef[]){{"__new__(cls, function, maxsize, typed)", cache_make},
                                   {"cache_info(self)", cache_info},
                                   {"cache_clear(self)", cache_clear},
                                   {"__copy__(self)", cache_copy},
                                   {"__deepcopy__(self, memo)", cache_copy},
                                   {0}},
};

// ---- cmp_to_key ---------------------------------------------------------------------------------
typedef struct SortKey {
  Object base;
  Value compare, item; // unbound: what makes keys
} SortKey;

static Value key_new(Eval *ev, Type *type, Value compare, Value item) {
  SortKey *key = ARENA_NEW(ev->arena, SortKey);
  *key = (SortKey){{type}, compare, item};
  return v_object(key);
}

static Value key_call(Eval *ev, Value self, const Args *args) {
  bool is_named = args->kw_count == 1 && strcmp(args->kw_names[0]->text, "obj") == 0;
  if (args->count + args->kw_count != 1 || (args->kw_count && !is_named))
    eval_raise(ev, ev->types.TypeError, "K() takes exactly one argument, 'obj'");
  Value item = args->count ? args->items[0] : args->kw_values[0];
  return key_new(ev, self.o->type, ((const SortKey *)self.o)->compare, item);
}

static Value key_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (left.kind != V_OBJECT || right.kind != V_OBJECT || left.o->type != right.o->type)
    eval_raise(ev, ev->types.TypeError, "other argument must be K instance");
  const SortKey *a = (const SortKey *)left.o, *b = (const SortKey *)right.o;
  Value order = value_call_n(ev, a->compare, 2, (Value[]){a->item, b->item});
  return value_compare(ev, op, order, v_int(0));
}

static Value key_item(Eval *ev, Value self) {
  Value item = ((const SortKey *)self.o)->item;
  if (v_is_unbound(item)) eval_raise(ev, ev->types.AttributeError, "obj");
  return item;
}

static Value key_maker(Eval *ev, Value *a) {
  return key_new(ev, (Type *)a[0].o, a[1], v_unbound());
}

static const NativeType key_type = {
    .slots = {.call = key_call, .compare = key_compare},
    .getters = (const NativeGetter[]){{"obj", key_item}, {0}},
    .methods = (const NativeDef[]){{"__new__(cls, mycmp)", key_maker}, {0}},
};

// ---- the module ---------------------------------------------------------------------------------
static const NativeDef functions[] = {{"reduce(function, iterable, initial=, /)", f_reduce}, {0}};

static void init(Eval *ev, ModuleObject *module) {
  module_set(ev, module, "partial", v_object(ev->types.partial));
  module_set(ev, module, "_GenericAlias", v_object(ev->types.generic_alias));
  module_set(ev, module, "_MappingProxy", v_object(ev->types.mapping_proxy));
  module_set(ev, module, "_KeyWrapper",
             v_object(native_type_new(ev, "functools", "KeyWrapper", NULL, &key_type)));
  module_set(ev, module, "_lru_cache_wrapper",
             v_object(native_type_new(ev, "functools", "_lru_cache_wrapper", NULL, &cache_type)));
}

const ModuleDef module_functools = {.name = "functools", .functions = functions, .init = init};
