// SPDX-License-Identifier: Apache-2.0
// Attributes at a place of the program. Here is what attributes mostly are: a value in an
// instance's dict or a module's, a value or a method in that of a class. Everything else, and
// whatever fails, is left to value_getattr and value_setattr, which say what holds.
#include "attribute_at.h"
#include "attribute.h"
#include "python/values/dict.h"
#include "python/values/dict_entry.h"
#include "python/values/new_value.h"
#include "python/values/values.h"
#include "type_find.h"

// Looking it up on an instance gives it as it is, and its instance's dict comes before it.
static bool is_plain(const Eval *ev, Value found) {
  if (found.kind != V_OBJECT) return true;
  const Type *type = found.o->type;
  return !type->is_heap && !type->slots.descr_set && !type->slots.descr_get &&
         type != ev->types.class_method && type != ev->types.static_method &&
         type != ev->core->slot_wrapper;
}

// A function or native of a class: an instance's dict comes before it.
static bool is_method(const Eval *ev, Value found) {
  return is_a(found, ev->types.function) ||
         (is_a(found, ev->types.native) &&
          ((const NativeFunction *)found.o)->binding == NATIVE_METHOD);
}

// A member of __slots__ whose value the instance's dict has under this name: neither one that
// another class has given nor one that goes by another name here.
static bool is_own_member(Eval *ev, Type *type, Value found, Name name) {
  if (!type->lacks_dict || !is_a(found, ev->core->member)) return false;
  const Member *member = (const Member *)found.o;
  return member->name == name && (member->owner == type || type_is_subtype(type, member->owner));
}

// Nothing but its type's MRO and its dict says what attributes v has.
static bool is_ordinary(const Type *type) {
  return type->instances_have_dict && !type->has_getattribute;
}

static void learn(AttributePlace *place, const Type *type, enum PlaceKind kind) {
  uint64_t known = place->known & ~(uint64_t)(PLACE_KINDS - 1);
  place->known = (known == type->state ? place->known : type->state) | kind;
}

// What the instance's dict holds; where a type lacks one it holds what its members store.
static Value own_value(Value v, Name name, AttributePlace *place) {
  const Dict *dict = ((const Instance *)v.o)->dict;
  if (!dict_may_have(dict, name)) return v_unbound();
  const DictEntry *entry = dict_entry_at(dict, name, &place->entry);
  return entry ? entry->value : v_unbound();
}

// What a class has under the name, if its metatype has no say in it.
static Value of_class(Eval *ev, Type *type, Name name) {
  if (is_dunder(name) || type->base.type != ev->types.type ||
      type_find(ev, ev->types.type, name).kind != V_UNBOUND)
    return v_unbound();
  return type_find(ev, type, name);
}

static Value of_module(const ModuleObject *module, Name name, AttributePlace *place) {
  if (module->patches || is_dunder(name))
    return v_unbound(); // modules have no others by their type
  const DictEntry *entry = dict_entry_at(module->dict, name, &place->entry);
  return entry ? entry->value : v_unbound();
}

static Value getattr_quickly(Eval *ev, Value v, Name name, AttributePlace *place) {
  if (v.kind != V_OBJECT) return v_unbound();
  Type *type = v.o->type;
  if (is_ordinary(type) && name != ev->names->class_) {
    Value found = type_find(ev, type, name);
    if (is_a(found, ev->types.property) &&
        type_find(ev, type, ev->names->getattr).kind == V_UNBOUND)
      return found.o->type->slots.descr_get(ev, found, v, type);
    bool is_member = is_own_member(ev, type, found, name);
    if (!is_member && !is_plain(ev, found) && !is_method(ev, found)) return v_unbound();
    Value own = type->lacks_dict && !is_member ? v_unbound() : own_value(v, name, place);
    if (own.kind != V_UNBOUND) learn(place, type, PLACE_READ);
    if (is_member) return own;
    return own.kind != V_UNBOUND || !is_plain(ev, found) ? own : found;
  }
  if (type == ev->types.module) return of_module((const ModuleObject *)v.o, name, place);
  if (type != ev->types.type) return v_unbound();
  Value found = of_class(ev, (Type *)v.o, name);
  return is_plain(ev, found) || is_a(found, ev->types.function) ? found : v_unbound();
}

Value value_getattr_of(Eval *ev, Value v, Name name, AttributePlace *place) {
  Value found = getattr_quickly(ev, v, name, place);
  return found.kind != V_UNBOUND ? found : value_getattr(ev, v, name);
}

static bool has_setter(const Type *type) {
  for (size_t i = 0; i < type->mro_count; i++)
    if (type->mro[i]->slots.setattr) return true;
  return false;
}

// A new attribute of an instance.
static void append_own(Eval *ev, Type *type, Dict *dict, Name name, Value value,
                       AttributePlace *place) {
  place->entry = (uint32_t)dict->used;
  Value key = name->object ? v_object(name->object) : make_name(ev, name);
  dict_append_quickly(ev, dict, key, name_hash(name), value);
  if (dict->used > type->room && dict->used <= DICT_SMALL) type->room = (uint8_t)dict->used;
}

void value_setattr_of(Eval *ev, Value v, Name name, Value value, AttributePlace *place) {
  Type *type = type_of(ev, v);
  if (v.kind == V_OBJECT && place_knows(place, type, PLACE_WRITTEN)) {
    Dict *dict = ((Instance *)v.o)->dict;
    if (!dict_may_have(dict, name)) {
      append_own(ev, type, dict, name, value, place);
      return;
    }
  }
  if (type->instances_have_dict && !type->has_setattr && !is_dunder(name)) {
    Value found = type_find(ev, type, name);
    TypeCache *cache = type->cache;
    if (!cache->sets_plainly) cache->sets_plainly = type->lacks_dict || !has_setter(type);
    if (type->lacks_dict ? is_own_member(ev, type, found, name)
                         : (is_plain(ev, found) || is_method(ev, found)) && cache->sets_plainly) {
      Dict *dict = ((Instance *)v.o)->dict;
      DictEntry *entry =
          dict_may_have(dict, name) ? dict_entry_at(dict, name, &place->entry) : NULL;
      learn(place, type, PLACE_WRITTEN);
      if (entry)
        entry->value = value;
      else
        append_own(ev, type, dict, name, value, place);
      return;
    }
  }
  value_setattr(ev, v, name, value);
}

// Its instances are classes.
static bool is_metatype(const Type *type) { return type->is_heap && !type->instances_have_dict; }

// What is found on a type, called with its instance, if there is one, or, of a class method, with
// the type itself. False: as it is bound.
static bool take_method(const Eval *ev, Value found, bool of_instance, Value *f, CalleeSelf *self) {
  *f = found;
  if (of_instance && is_method(ev, found)) {
    *self = SELF_OBJECT;
    return true;
  }
  if (is_a(found, ev->types.static_method)) {
    *f = ((const Wrapper *)found.o)->function;
    return true;
  }
  if (!is_a(found, ev->types.class_method)) return false;
  *f = ((const Wrapper *)found.o)->function;
  if (!is_a(*f, ev->types.function)) return false;
  *self = of_instance ? SELF_TYPE : SELF_OBJECT;
  return true;
}

Value value_callee_of(Eval *ev, Value v, Name name, AttributePlace *place, CalleeSelf *self) {
  Type *type = type_of(ev, v);
  bool is_object = v.kind == V_OBJECT;
  Value f;
  *self = SELF_NONE;
  if (type == ev->types.type) {
    if (take_method(ev, of_class(ev, (Type *)v.o, name), false, &f, self)) return f;
  } else if (!is_object || (type != ev->types.module && type != ev->types.super &&
                            !type->has_getattribute && !is_metatype(type))) {
    bool has_own = is_object && type->instances_have_dict && own_value(v, name, place).kind;
    if (!has_own) {
      Value found = type_find(ev, type, name);
      if (take_method(ev, found, true, &f, self)) {
        if (*self == SELF_OBJECT) {
          place->method = ~(uintptr_t)f.o;
          learn(place, type, PLACE_METHOD);
        }
        return f;
      }
    }
  }
  return value_getattr_at(ev, v, name, place);
}
