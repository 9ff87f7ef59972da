// SPDX-License-Identifier: Apache-2.0
// Types of values, and what a type and its bases have under a name. Look-ups are cached in the
// type.
#include <string.h>

#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "attribute_at.h"
#include "python/values/dict.h"
#include "python/values/raise.h"
#include "signature.h"
#include "type_lookup.h"

Type *value_type(Eval *ev, Value v) { return type_of(ev, v); }

const char *value_type_name(Eval *ev, Value v) { return type_shown(type_of(ev, v)); }

bool value_is_instance(Eval *ev, Value v, const Type *type) {
  return type_is_subtype(type_of(ev, v), type);
}

void type_check_self(Eval *ev, Value v, const Type *owner, const char *name) {
  if (!value_is_instance(ev, v, owner))
    eval_raise(ev, ev->types.TypeError,
               "descriptor '%s' for '%s' objects doesn't apply to a '%s' object", name,
               type_shown(owner), value_type_name(ev, v));
}

// Puts the natives of a method table into the type's dict.
static void type_add_methods(Eval *ev, Type *type) {
  const NativeDef *def = type->methods;
  type->methods = NULL;
  for (; def->signature; def++) {
    NativeFunction *f = native_new(ev, def, type);
    if (dict_get_name(type->dict, f->name).kind == V_UNBOUND)
      dict_set_name(ev, type->dict, f->name, v_object(f));
  }
}

Value type_own_attribute(Eval *ev, Type *type, Name name) {
  if (type->methods) type_add_methods(ev, type);
  Value found = dict_get_name(type->dict, name);
  if (found.kind != V_UNBOUND || type->is_heap || !is_dunder(name)) return found;
  found = ev->core->slot_method(ev, type, name);
  if (found.kind != V_UNBOUND) dict_set_name(ev, type->dict, name, found);
  return found;
}

void type_add_slots(Eval *ev, Type *type) {
  if (type->methods) type_add_methods(ev, type);
  const void *name;
  void *method;
  for (size_t it = 0; map_next(ev->core->slot_methods, &it, &name, &method);)
    type_own_attribute(ev, type, (Name)name);
}

static Value lookup_slowly(Eval *ev, Type *type, Name name) {
  for (size_t i = 0; i < type->mro_count; i++) {
    Value found = type_own_attribute(ev, type->mro[i], name);
    if (found.kind != V_UNBOUND) return found;
  }
  return v_unbound();
}

static void forget(Eval *ev, Type *type) {
  memset(type->cache->names, 0, sizeof type->cache->names);
  type->cache->sets_plainly = false;
  type->state = ++ev->core->type_states * PLACE_KINDS;
}

Value type_lookup(Eval *ev, Type *type, Name name) {
  TypeCache *cache = type->cache;
  size_t at = type_cache_place(name);
  if (cache && type->version == type->dict->version) {
    if (cache->names[at] == name) return cache->values[at];
    if (cache->names[at ^ 1] == name) return cache->values[at ^ 1];
  } else {
    if (!cache) type->cache = cache = ARENA_NEW(ev->arena, TypeCache);
    forget(ev, type);
  }
  Value found = lookup_slowly(ev, type, name);
  type->version = type->dict->version;
  cache->names[at ^ 1] = cache->names[at];
  cache->values[at ^ 1] = cache->values[at];
  cache->names[at] = name;
  cache->values[at] = found;
  return found;
}

void type_changed(Eval *ev, Type *type) {
  if (type->cache) forget(ev, type);
  type->has_getattribute = type->has_setattr = false;
  for (size_t i = 0; i < type->mro_count; i++) {
    Dict *dict = type->mro[i]->dict;
    if (!type->mro[i]->is_heap) continue;
    if (dict_get_name(dict, ev->names->getattribute).kind != V_UNBOUND)
      type->has_getattribute = true;
    if (dict_get_name(dict, ev->names->setattr).kind != V_UNBOUND ||
        dict_get_name(dict, ev->names->delattr).kind != V_UNBOUND)
      type->has_setattr = true;
  }
  for (size_t i = 0; i < type->subclass_count; i++) {
    Type *subclass = type_subclass(type, i);
    if (subclass) type_changed(ev, subclass);
  }
}

Dict *instance_dict(Value v) {
  if (v.kind != V_OBJECT || !v.o->type->instances_have_dict) return NULL;
  return ((Instance *)v.o)->dict;
}

Value type_lookup_after(Eval *ev, Type *type, const Type *after, Name name) {
  size_t i = 0;
  while (i < type->mro_count && type->mro[i] != after) i++;
  for (i++; i < type->mro_count; i++) {
    Value found = type_own_attribute(ev, type->mro[i], name);
    if (found.kind != V_UNBOUND) return found;
  }
  return v_unbound();
}

bool value_is_type(Eval *ev, Value v) { return is_type(ev, v); }
