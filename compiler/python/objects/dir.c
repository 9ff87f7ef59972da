// SPDX-License-Identifier: Apache-2.0
// dir(v): the names of a value, sorted.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "module_def.h"
#include "attribute.h"
#include "python/values/dict.h"
#include "dir.h"
#include "python/values/new_value.h"
#include "mapping.h"
#include "value_call.h"
#include "protocol.h"
#include "iteration.h"
#include "signature.h"
#include "type_lookup.h"
#include "python/values/values.h"

static int compare_names(const Value *a, const Value *b) {
  Str x, y;
  if (!value_as_str(*a, &x) || !value_as_str(*b, &y)) return 0;
  return str_compare(x, y);
}

static void add_keys(Eval *ev, Dict *set, const Dict *dict) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(dict, &it, &entry);) dict_set(ev, set, entry->key, v_none());
}

// What a type's C code gives.
static void add_words(Eval *ev, Dict *set, const char *words) {
  for (const char *at = words; at && *at;) {
    size_t len = strcspn(at, " ");
    dict_set_name(ev, set, name_intern(ev->session->interner, (Str){at, len}), v_none());
    at += len + strspn(at + len, " ");
  }
}

static void add_class_keys(Eval *ev, Dict *set, Type *type) {
  bool has_dict = type->is_heap && !type->lacks_dict;
  add_words(ev, set, has_dict ? "__class__ __doc__ __dict__" : "__class__ __doc__");
  for (size_t i = type->mro_count; i-- > 0;) {
    type_add_slots(ev, type->mro[i]);
    add_keys(ev, set, type->mro[i]->dict);
    add_words(ev, set, type->mro[i]->slots.attributes);
  }
}

// Merge sort by code: stable and without recursion.
void names_sort(Eval *ev, List *names) {
  Value *from = names->items, *to = ARENA_ARRAY(ev->arena, Value, names->count);
  for (size_t width = 1; width < names->count; width *= 2) {
    for (size_t low = 0; low < names->count; low += 2 * width) {
      size_t middle = low + width < names->count ? low + width : names->count;
      size_t high = low + 2 * width < names->count ? low + 2 * width : names->count;
      size_t a = low, b = middle;
      for (size_t k = low; k < high; k++)
        to[k] = a < middle && (b >= high || compare_names(&from[a], &from[b]) <= 0) ? from[a++]
                                                                                    : from[b++];
    }
    Value *swap = from;
    from = to;
    to = swap;
  }
  names->items = from;
}

// __dir__ that a module defines, or unbound.
static Value own_dir(Eval *ev, Value module) {
  const Dict *own = (const Dict *)object_getattr(ev, module, ev->names->dict).o;
  return dict_get_name(own, ev->names->dir);
}

List *value_default_dir(Eval *ev, Value v) {
  List *names = list_new(ev, 16);
  Dict *set = dict_new(ev);
  if (is_a(v, ev->types.module)) {
    const Dict *own = (const Dict *)object_getattr(ev, v, ev->names->dict).o; // all of them
    add_keys(ev, set, own);
    const ModuleDef *def = ((const ModuleObject *)v.o)->def;
    for (const NativeDef *f = def ? def->functions : NULL; f && f->signature; f++)
      dict_set_name(ev, set, native_new(ev, f, NULL)->name, v_none());
  } else if (is_type(ev, v)) {
    add_class_keys(ev, set, (Type *)v.o);
  } else {
    if (instance_dict(v)) add_keys(ev, set, instance_dict(v));
    add_class_keys(ev, set, type_of(ev, v));
  }
  DictEntry *entry;
  for (size_t it = 0; dict_next(set, &it, &entry);) list_push(ev, names, entry->key);
  names_sort(ev, names);
  return names;
}

List *value_dir(Eval *ev, Value v) {
  Value method;
  bool bound;
  Value of_module = is_a(v, ev->types.module) ? own_dir(ev, v) : v_unbound();
  bool has_own = type_of(ev, v)->is_heap && method_lookup(ev, v, ev->names->dir, &method, &bound) &&
                 !(is_a(method, ev->types.native) &&
                   ((const NativeFunction *)method.o)->owner == ev->types.object);
  if (!has_own && v_is_unbound(of_module)) return value_default_dir(ev, v);
  Value said =
      has_own ? call_special(ev, v, method, bound, 0, NULL) : value_call_n(ev, of_module, 0, NULL);
  List *names = list_new(ev, 16);
  const Tuple *given = value_to_tuple(ev, said);
  for (size_t i = 0; i < given->count; i++) list_push(ev, names, given->items[i]);
  names_sort(ev, names);
  return names;
}
