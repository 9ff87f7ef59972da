// SPDX-License-Identifier: Apache-2.0
// Types and attributes: look-up through the MRO, binding of descriptors, instance dicts.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "type_lookup.h"
#include "value_call.h"
#include "python/values/values.h"

// ---- types -------------------------------------------------------------------------------------
// ---- descriptors -------------------------------------------------------------------------------
static Value bind_method(Eval *ev, Value function, Value self) {
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){{ev->types.method}, function, self};
  return v_object(method);
}

static Value bind_class_method(Eval *ev, Value function, Type *owner) {
  Value bound = attribute_bind(ev, function, v_object(owner), owner->base.type);
  bool is_bound = function.kind != V_OBJECT || bound.kind != V_OBJECT || bound.o != function.o;
  return is_bound ? bound : bind_method(ev, function, v_object(owner));
}

static Value bind_by_get(Eval *ev, Value found, Value instance, Type *owner) {
  Value get = type_lookup(ev, found.o->type, ev->names->get);
  if (get.kind == V_UNBOUND) return found;
  Value items[] = {instance.kind == V_UNBOUND ? v_none() : instance, v_object(owner)};
  Args args = {.count = 2, .items = items};
  return call_with_self(ev, get, found, &args);
}

Value attribute_bind(Eval *ev, Value found, Value instance, Type *owner) {
  if (found.kind != V_OBJECT) return found;
  const EvalTypes *types = &ev->types;
  Type *type = found.o->type;
  bool on_class = instance.kind == V_UNBOUND;
  if (type == types->function || type == ev->core->slot_wrapper)
    return on_class ? found : bind_method(ev, found, instance);
  if (type == types->native) {
    switch (((const NativeFunction *)found.o)->binding) {
    case NATIVE_METHOD: return on_class ? found : bind_method(ev, found, instance);
    case NATIVE_CLASS: return bind_method(ev, found, v_object(owner));
    case NATIVE_STATIC: return found;
    }
  }
  if (type == types->class_method)
    return bind_class_method(ev, ((const Wrapper *)found.o)->function, owner);
  if (type == types->static_method) return ((const Wrapper *)found.o)->function;
  if (type->slots.descr_get) return type->slots.descr_get(ev, found, instance, owner);
  return type->is_heap ? bind_by_get(ev, found, instance, owner) : found;
}

// its instances are data descriptors
static bool type_has_setter(Eval *ev, Type *type) {
  if (type->slots.descr_set) return true;
  return type->is_heap && (type_lookup(ev, type, ev->names->set).kind != V_UNBOUND ||
                           type_lookup(ev, type, ev->names->delete).kind != V_UNBOUND);
}

static bool is_data_descriptor(Eval *ev, Value v) {
  return v.kind == V_OBJECT && (v.o->type->slots.descr_set || v.o->type->is_heap) &&
         type_has_setter(ev, v.o->type);
}

static bool has_getter(Eval *ev, Value descriptor) {
  Type *type = descriptor.o->type;
  return type->slots.descr_get || type_lookup(ev, type, ev->names->get).kind != V_UNBOUND;
}

// Sets or (V_UNBOUND) deletes through a descriptor; false if it has no setter.
static bool descriptor_set(Eval *ev, Value descriptor, Value instance, Value value) {
  Type *type = descriptor.o->type;
  if (type->slots.descr_set) return type->slots.descr_set(ev, descriptor, instance, value);
  bool deletes = value.kind == V_UNBOUND;
  Value set = type_lookup(ev, type, deletes ? ev->names->delete : ev->names->set);
  if (set.kind == V_UNBOUND)
    raise_attribute(ev, instance, deletes ? ev->names->delete : ev->names->set, "%s",
                    deletes ? "__delete__" : "__set__");
  Value items[] = {instance, value};
  Args args = {.count = deletes ? 1 : 2, .items = items};
  call_with_self(ev, set, descriptor, &args);
  return true;
}

// ---- getting -----------------------------------------------------------------------------------
// __class__ and __dict__, which every object has by nature.
static Value nature(Eval *ev, Value v, Name name) {
  if (name == ev->names->class_) return v_object(type_of(ev, v));
  if (name == ev->names->dict && v.kind == V_OBJECT && v.o->type->instances_have_dict &&
      !v.o->type->lacks_dict)
    return v_object(((Instance *)v.o)->dict);
  return v_unbound();
}

static bool has_slot_to_ask(const Type *type) {
  for (size_t i = 0; i < type->mro_count; i++)
    if (type->mro[i]->slots.getattr) return true;
  return false;
}

static Value ask_slot(Eval *ev, Type *type, Value v, Name name) {
  for (size_t i = 0; i < type->mro_count; i++) {
    if (!type->mro[i]->slots.getattr) continue;
    Value found = type->mro[i]->slots.getattr(ev, v, name);
    if (found.kind != V_UNBOUND) return found;
  }
  return v_unbound();
}

// An attribute of a class: data descriptors of the metatype, the class's MRO, the metatype.
static Value class_getattr(Eval *ev, Type *type, Name name) {
  Type *meta = type->base.type;
  Value of_meta = type_lookup(ev, meta, name);
  if (is_data_descriptor(ev, of_meta)) return attribute_bind(ev, of_meta, v_object(type), meta);
  bool is_special = is_dunder(name);
  if (is_special) { // __name__, __mro__, … of the class itself come before what its bases define
    Value found = ask_slot(ev, meta, v_object(type), name);
    if (found.kind != V_UNBOUND) return found;
  }
  Value found = type_lookup(ev, type, name);
  if (found.kind != V_UNBOUND) return attribute_bind(ev, found, v_unbound(), type);
  if (of_meta.kind != V_UNBOUND) return attribute_bind(ev, of_meta, v_object(type), meta);
  return is_special ? nature(ev, v_object(type), name) : ask_slot(ev, meta, v_object(type), name);
}

Value object_getattr(Eval *ev, Value v, Name name) {
  Type *type = type_of(ev, v);
  if (v.kind == V_OBJECT && is_type(ev, v)) return class_getattr(ev, (Type *)v.o, name);
  if (type == ev->types.super) {
    Value above = type->slots.own(ev, v, name);
    if (above.kind != V_UNBOUND) return above;
  }
  Value found = type_lookup(ev, type, name);
  bool is_data = is_data_descriptor(ev, found);
  if (is_data && has_getter(ev, found)) return attribute_bind(ev, found, v, type);
  if (type->instances_have_dict && !type->lacks_dict) {
    Value own = dict_get_name(((const Instance *)v.o)->dict, name);
    if (own.kind != V_UNBOUND) return own;
  }
  if (type == ev->types.module) { // its own names come before the methods of its type
    Value own = type->slots.own(ev, v, name);
    if (own.kind != V_UNBOUND) return own;
  }
  if (found.kind != V_UNBOUND && name != ev->names->class_)
    return attribute_bind(ev, found, v, type);
  Value special = nature(ev, v, name);
  if (special.kind == V_UNBOUND) special = ask_slot(ev, type, v, name);
  // Types written in C are not documented here.
  return special.kind == V_UNBOUND && name == ev->names->doc ? v_none() : special;
}

typedef struct Lookup {
  Value object;
  Name name;
  Value result;
} Lookup;

// What comes before __getattr__: may raise AttributeError.
static void get_plainly(Eval *ev, void *data) {
  Lookup *l = data;
  Type *type = type_of(ev, l->object);
  if (!type->has_getattribute) {
    l->result = object_getattr(ev, l->object, l->name);
    return;
  }
  Value name = make_name(ev, l->name);
  Args args = {.count = 1, .items = &name};
  l->result = call_with_self(ev, type_lookup(ev, type, ev->names->getattribute), l->object, &args);
}

Value attribute_find(Eval *ev, Value v, Name name, bool hook) {
  Type *type = type_of(ev, v);
  Value getattr = v_unbound();
  if (type->is_heap && hook) getattr = type_lookup(ev, type, ev->names->getattr);
  Lookup lookup = {v, name, v_unbound()};
  if (getattr.kind == V_UNBOUND) {
    if (!type->has_getattribute) return object_getattr(ev, v, name);
    get_plainly(ev, &lookup);
    return lookup.result;
  }
  Value exception;
  if (eval_try(ev, get_plainly, &lookup, &exception)) {
    if (lookup.result.kind != V_UNBOUND) return lookup.result;
  } else if (!value_is_instance(ev, exception, ev->types.AttributeError)) {
    eval_raise_value(ev, exception);
  }
  Value item = make_name(ev, name);
  Args args = {.count = 1, .items = &item};
  return call_with_self(ev, getattr, v, &args);
}

NORETURN static void raise_no_attribute(Eval *ev, Value v, Name name) {
  if (is_type(ev, v))
    raise_attribute(ev, v, name, "type object '%s' has no attribute '%s'",
                    ((Type *)v.o)->name->text, name->text);
  if (is_a(v, ev->types.module)) {
    const ModuleObject *module = (const ModuleObject *)v.o;
    bool is_partial = module->state == 1 && !module->def;
    raise_attribute(ev, v, name,
                    is_partial ? "partially initialized module '%s' has no attribute '%s' (most "
                                 "likely due to a circular import)"
                               : "module '%s' has no attribute '%s'",
                    module->name->text, name->text);
  }
  raise_attribute(ev, v, name, "'%s' object has no attribute '%s'", value_type_name(ev, v),
                  name->text);
}

Value value_getattr(Eval *ev, Value v, Name name) {
  Value found = attribute_find(ev, v, name, true);
  if (found.kind == V_UNBOUND) raise_no_attribute(ev, v, name);
  return found;
}

static void get_all(Eval *ev, void *data) {
  Lookup *l = data;
  l->result = attribute_find(ev, l->object, l->name, true);
}

// What an instance has that nothing but its dict has a say in; unbound: something has, or it has
// nothing.
static Value instance_value(Eval *ev, Value v, Name name) {
  if (v.kind != V_OBJECT) return v_unbound();
  Type *type = v.o->type;
  if (!type->instances_have_dict || type->lacks_dict || type->has_getattribute ||
      type_lookup(ev, type, name).kind != V_UNBOUND)
    return v_unbound();
  return dict_get_name(((const Instance *)v.o)->dict, name);
}

// Of what its dict does not have: neither its class nor a native base has it either, or makes it.
static bool is_nowhere(Eval *ev, Value v, Name name) {
  const Type *type = v.kind == V_OBJECT ? v.o->type : NULL;
  return type && type->is_heap && type->base.type == ev->types.type && type->instances_have_dict &&
         !type->lacks_dict && !type->has_getattribute && !type->slots.own && !is_dunder(name) &&
         !is_type(ev, v) && !has_slot_to_ask(type) &&
         type_lookup(ev, v.o->type, name).kind == V_UNBOUND &&
         type_lookup(ev, v.o->type, ev->names->getattr).kind == V_UNBOUND;
}

Value value_getattr_opt(Eval *ev, Value v, Name name) {
  Value own = instance_value(ev, v, name);
  if (own.kind != V_UNBOUND || is_nowhere(ev, v, name)) return own;
  Lookup lookup = {v, name, v_unbound()};
  Value exception;
  if (eval_try(ev, get_all, &lookup, &exception)) return lookup.result;
  if (!value_is_instance(ev, exception, ev->types.AttributeError)) eval_raise_value(ev, exception);
  return v_unbound();
}

Value value_getattr_c(Eval *ev, Value v, const char *name) {
  return value_getattr(ev, v, intern(ev, name));
}

// ---- setting -----------------------------------------------------------------------------------
static void class_setattr(Eval *ev, Type *type, Name name, Value value) {
  Value descriptor = type_lookup(ev, type->base.type, name);
  if (is_data_descriptor(ev, descriptor) && descriptor_set(ev, descriptor, v_object(type), value))
    return;
  if (!type->is_heap)
    eval_raise(ev, ev->types.TypeError, "cannot set '%s' attribute of immutable type '%s'",
               name->text, type_shown(type));
  const TypeSlots *slots = &ev->types.type->slots;
  if (is_dunder(name) && slots->setattr && slots->setattr(ev, v_object(type), name, value)) return;
  if (value.kind == V_UNBOUND) {
    if (!dict_remove_name(type->dict, name))
      raise_attribute(ev, v_object(type), name, "type object '%s' has no attribute '%s'",
                      type_shown(type), name->text);
  } else {
    dict_set_name(ev, type->dict, name, value);
  }
  type_changed(ev, type);
}

static bool set_by_slot(Eval *ev, Type *type, Value v, Name name, Value value) {
  for (size_t i = 0; i < type->mro_count; i++)
    if (type->mro[i]->slots.setattr && type->mro[i]->slots.setattr(ev, v, name, value)) return true;
  return false;
}

static bool set_class_of(Eval *ev, Value v, Value value) {
  Type *type = type_of(ev, v);
  if (value.kind == V_UNBOUND)
    eval_raise(ev, ev->types.TypeError, "can't delete __class__ attribute");
  if (!is_type(ev, value))
    eval_raise(ev, ev->types.TypeError, "__class__ must be set to a class, not '%s' object",
               value_type_name(ev, value));
  Type *other = (Type *)value.o;
  if (!type->is_heap || !other->is_heap)
    eval_raise(ev, ev->types.TypeError,
               "__class__ assignment only supported for mutable types or ModuleType subclasses");
  if (type->payload != other->payload || type->is_exception != other->is_exception ||
      type->lacks_dict != other->lacks_dict)
    eval_raise(ev, ev->types.TypeError,
               "__class__ assignment: '%s' object layout differs from '%s'", type_shown(other),
               type_shown(type));
  v.o->type = other;
  return true;
}

static bool set_nature(Eval *ev, Value v, Name name, Value value) {
  if (name == ev->names->class_) return set_class_of(ev, v, value);
  Dict *dict = instance_dict(v);
  if (name != ev->names->dict || !dict || v.o->type->lacks_dict) return false;
  Dict *other = value_as_dict(value);
  if (!other)
    eval_raise(ev, ev->types.TypeError, "__dict__ must be set to a dictionary, not a '%s'",
               value_type_name(ev, value));
  ((Instance *)v.o)->dict = other;
  return true;
}

void object_setattr(Eval *ev, Value v, Name name, Value value) {
  if (is_type(ev, v)) {
    class_setattr(ev, (Type *)v.o, name, value);
    return;
  }
  Type *type = type_of(ev, v);
  Value found = type_lookup(ev, type, name);
  if (is_data_descriptor(ev, found) && descriptor_set(ev, found, v, value)) return;
  if (is_dunder(name) && set_nature(ev, v, name, value)) return;
  if (set_by_slot(ev, type, v, name, value)) return;
  if (type->instances_have_dict && !type->lacks_dict) {
    Dict *dict = ((Instance *)v.o)->dict;
    if (value.kind != V_UNBOUND) {
      dict_set_name(ev, dict, name, value);
      return;
    }
    if (dict_remove_name(dict, name)) return;
    raise_attribute(ev, v, name, "'%s' object has no attribute '%s'", type_shown(type), name->text);
  }
  if (found.kind != V_UNBOUND)
    raise_attribute(ev, v, name, "'%s' object attribute '%s' is read-only", type_shown(type),
                    name->text);
  raise_no_attribute(ev, v, name);
}

void value_setattr(Eval *ev, Value v, Name name, Value value) {
  Type *type = type_of(ev, v);
  if (!type->has_setattr) {
    object_setattr(ev, v, name, value);
    return;
  }
  bool deletes = value.kind == V_UNBOUND;
  Value items[] = {make_name(ev, name), value};
  Args args = {.count = deletes ? 1 : 2, .items = items};
  Value method = type_lookup(ev, type, deletes ? ev->names->delattr : ev->names->setattr);
  call_with_self(ev, method, v, &args);
}

void value_delattr(Eval *ev, Value v, Name name) { value_setattr(ev, v, name, v_unbound()); }

// ---- special methods ----------------------------------------------------------------------------
bool method_lookup(Eval *ev, Value v, Name name, Value *function, bool *bound) {
  Type *type = type_of(ev, v);
  Value found = type_lookup(ev, type, name);
  if (found.kind == V_UNBOUND) return false;
  *bound = false;
  *function = found;
  if (is_a(found, ev->types.function) || is_a(found, ev->core->slot_wrapper)) return true;
  if (is_a(found, ev->types.native) && ((const NativeFunction *)found.o)->binding == NATIVE_METHOD)
    return true;
  *function = attribute_bind(ev, found, v, type);
  *bound = true;
  return true;
}

Value call_special(Eval *ev, Value self, Value method, bool bound, size_t count,
                   const Value *items) {
  Args args = {.count = count, .items = items};
  return bound ? value_call(ev, method, &args) : call_with_self(ev, method, self, &args);
}
