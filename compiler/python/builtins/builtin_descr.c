// SPDX-License-Identifier: Apache-2.0
// property, classmethod, staticmethod and mappingproxy.
#include "python/values/builtin_state.h"
#include "builtin_descr.h"
#include "builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "python/values/new_value.h"
#include "python/objects/generic.h"

// ---- property -----------------------------------------------------------------------------------
static Property *self_property(Value self) { return (Property *)value_unwrap(self).o; }

static Value make_property(Eval *ev, Value get, Value set, Value del, Value doc) {
  Property *property = ARENA_NEW(ev->arena, Property);
  *property =
      (Property){.base.type = ev->types.property, .get = get, .set = set, .del = del, .doc = doc};
  return v_object(property);
}

static NORETURN void raise_missing(Eval *ev, const Property *property, Value instance,
                                   const char *what) {
  const char *owner = type_of(ev, instance)->qualname->text;
  if (property->name) {
    eval_raise(ev, ev->types.AttributeError, "property '%s' of '%s' object has no %s",
               property->name->text, owner, what);
  }
  eval_raise(ev, ev->types.AttributeError, "property of '%s' object has no %s", owner, what);
}

static Value property_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  if (v_is_unbound(instance)) return self;
  const Property *property = self_property(self);
  if (v_is_none(property->get)) raise_missing(ev, property, instance, "getter");
  return value_call_n(ev, property->get, 1, &instance);
}

static bool property_set(Eval *ev, Value self, Value instance, Value value) {
  const Property *property = self_property(self);
  if (v_is_unbound(value)) {
    if (v_is_none(property->del)) raise_missing(ev, property, instance, "deleter");
    value_call_n(ev, property->del, 1, &instance);
  } else {
    if (v_is_none(property->set)) raise_missing(ev, property, instance, "setter");
    value_call_n(ev, property->set, 2, (Value[]){instance, value});
  }
  return true;
}

static Value property_make(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o;
  return payload_wrap(ev, cls, ev->types.property, make_property(ev, a[1], a[2], a[3], a[4]));
}

static Value property_init(Eval *ev UNUSED, Value *a) {
  Property *property = self_property(a[0]);
  property->get = a[1];
  property->set = a[2];
  property->del = a[3];
  property->doc = a[4];
  return v_none();
}

// A copy with one part replaced, of the class that self has.
static Value property_with(Eval *ev, Value self, Value get, Value set, Value del) {
  const Property *old = self_property(self);
  Value parts[] = {v_is_unbound(get) ? old->get : get, v_is_unbound(set) ? old->set : set,
                   v_is_unbound(del) ? old->del : del, old->doc};
  Value made = self.o->type == ev->types.property
                   ? make_property(ev, parts[0], parts[1], parts[2], parts[3])
                   : value_call_n(ev, v_object(self.o->type), 4, parts);
  if (value_unwrap(made).o->type == ev->types.property) self_property(made)->name = old->name;
  return made;
}

static Value property_getter(Eval *ev, Value *a) {
  return property_with(ev, a[0], a[1], v_unbound(), v_unbound());
}

static Value property_setter(Eval *ev, Value *a) {
  return property_with(ev, a[0], v_unbound(), a[1], v_unbound());
}

static Value property_deleter(Eval *ev, Value *a) {
  return property_with(ev, a[0], v_unbound(), v_unbound(), a[1]);
}

static Value property_set_name(Eval *ev, Value *a) {
  self_property(a[0])->name = name_intern(ev->session->interner, take_str(ev, a[2], "name"));
  return v_none();
}

static Value property_fget(Eval *ev UNUSED, Value self) { return self_property(self)->get; }

static Value property_fset(Eval *ev UNUSED, Value self) { return self_property(self)->set; }

static Value property_fdel(Eval *ev UNUSED, Value self) { return self_property(self)->del; }

static bool is_abstract(Eval *ev, Value function) {
  Value mark = value_getattr_opt(ev, function, ev->builtin->names.dunder_isabstractmethod);
  return !v_is_unbound(mark) && value_truth(ev, mark);
}

static Value property_getattr(Eval *ev, Value self, Name name) {
  const Property *property = self_property(self);
  const struct BuiltinNames *names = &ev->builtin->names;
  if (name == names->dunder_doc) {
    if (!v_is_none(property->doc) || v_is_none(property->get)) return property->doc;
    Value doc = value_getattr_opt(ev, property->get, name);
    return v_is_unbound(doc) ? v_none() : doc;
  }
  if (name == names->dunder_isabstractmethod) {
    return v_bool(is_abstract(ev, property->get) || is_abstract(ev, property->set) ||
                  is_abstract(ev, property->del));
  }
  return v_unbound();
}

static const NativeType property_type = {
    .slots = {.descr_get = property_get, .descr_set = property_set, .getattr = property_getattr},
    .methods =
        (const NativeDef[]){
            {"__new__(cls, fget=None, fset=None, fdel=None, doc=None)", property_make},
            {"__init__(self, fget=None, fset=None, fdel=None, doc=None)", property_init},
            {"getter(self, fget, /)", property_getter},
            {"setter(self, fset, /)", property_setter},
            {"deleter(self, fdel, /)", property_deleter},
            {"__set_name__(self, owner, name, /)", property_set_name},
            {0}},
    .getters =
        (const NativeGetter[]){
            {"fget", property_fget}, {"fset", property_fset}, {"fdel", property_fdel}, {0}},
};

// ---- classmethod and staticmethod ---------------------------------------------------------------
static Wrapper *self_wrapper(Value self) { return (Wrapper *)value_unwrap(self).o; }

static Value make_wrapper(Eval *ev, Value cls, Type *native, Value function) {
  Wrapper *wrapper = ARENA_NEW(ev->arena, Wrapper);
  *wrapper = (Wrapper){{native}, function};
  return payload_wrap(ev, (Type *)cls.o, native, v_object(wrapper));
}

static Value class_method_make(Eval *ev, Value *a) {
  return make_wrapper(ev, a[0], ev->types.class_method, a[1]);
}

static Value static_method_make(Eval *ev, Value *a) {
  return make_wrapper(ev, a[0], ev->types.static_method, a[1]);
}

static Value class_method_get(Eval *ev, Value self, Value instance UNUSED, Type *owner) {
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){{ev->types.method}, self_wrapper(self)->function, v_object(owner)};
  return v_object(method);
}

static Value static_method_get(Eval *ev UNUSED, Value self, Value instance UNUSED,
                               Type *owner UNUSED) {
  return self_wrapper(self)->function;
}

static Value static_method_call(Eval *ev, Value self, const Args *args) {
  return value_call(ev, self_wrapper(self)->function, args);
}

static Value wrapper_function(Eval *ev UNUSED, Value self) { return self_wrapper(self)->function; }

static Value wrapper_getattr(Eval *ev, Value self, Name name) {
  const struct BuiltinNames *names = &ev->builtin->names;
  bool shown = name == names->dunder_name || name == names->dunder_qualname ||
               name == names->dunder_doc || name == names->dunder_module ||
               name == names->dunder_annotations || name == names->dunder_isabstractmethod;
  if (!shown) return v_unbound();
  Value found = value_getattr_opt(ev, self_wrapper(self)->function, name);
  return v_is_unbound(found) && name == names->dunder_isabstractmethod ? v_bool(false) : found;
}

static Str wrapper_repr(Eval *ev, Value self) {
  Str function = value_repr(ev, self_wrapper(self)->function);
  return str_format(ev->arena, "<%s(%.*s)>", value_type_name(ev, self), STR_FMT(function));
}

static const NativeGetter wrapper_getters[] = {
    {"__func__", wrapper_function}, {"__wrapped__", wrapper_function}, {0}};

static const NativeType class_method_type = {
    .slots = {.descr_get = class_method_get, .getattr = wrapper_getattr, .repr = wrapper_repr},
    .methods = (const NativeDef[]){{"__new__(cls, function, /)", class_method_make}, {0}},
    .getters = wrapper_getters,
};

static const NativeType static_method_type = {
    .slots = {.descr_get = static_method_get,
              .call = static_method_call,
              .getattr = wrapper_getattr,
              .repr = wrapper_repr},
    .methods = (const NativeDef[]){{"__new__(cls, function, /)", static_method_make}, {0}},
    .getters = wrapper_getters,
};

// ---- mappingproxy -------------------------------------------------------------------------------
typedef struct MappingProxy {
  Object base;
  Value mapping;
} MappingProxy;

Value make_mapping_proxy(Eval *ev, Value mapping) {
  MappingProxy *proxy = ARENA_NEW(ev->arena, MappingProxy);
  *proxy = (MappingProxy){{ev->types.mapping_proxy}, mapping};
  return v_object(proxy);
}

static Value behind(Value self) { return ((const MappingProxy *)value_unwrap(self).o)->mapping; }

// what a mappingproxy shows; v itself if it is none
static Value mapping_behind(Eval *ev, Value v) {
  return v.kind == V_OBJECT && v.o->type == ev->types.mapping_proxy ? behind(v) : v;
}

static Value proxy_make(Eval *ev, Value *a) {
  if (v_is_unbound(type_lookup(ev, value_type(ev, a[1]), ev->builtin->names.dunder_getitem)) ||
      value_as_list(a[1]) || value_as_tuple(a[1])) {
    eval_raise(ev, ev->types.TypeError, "mappingproxy() argument must be a mapping, not %s",
               value_type_name(ev, a[1]));
  }
  return make_mapping_proxy(ev, a[1]);
}

static int64_t proxy_len(Eval *ev, Value self) { return value_len(ev, behind(self)); }

static Value proxy_getitem(Eval *ev, Value self, Value key) {
  return value_getitem(ev, behind(self), key);
}

static bool proxy_contains(Eval *ev, Value self, Value key) {
  return value_contains(ev, behind(self), key);
}

static Value proxy_iter(Eval *ev, Value self) { return value_iter(ev, behind(self)); }

static Value proxy_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_OR) return v_not_implemented();
  return value_binary(ev, op, mapping_behind(ev, left), mapping_behind(ev, right));
}

static Value proxy_compare(Eval *ev, CompareOp op, Value left, Value right) {
  return value_compare(ev, op, behind(left), mapping_behind(ev, right));
}

static Str proxy_repr(Eval *ev, Value self) {
  Str text = value_repr(ev, behind(self));
  return str_format(ev->arena, "mappingproxy(%.*s)", STR_FMT(text));
}

static Str proxy_str(Eval *ev, Value self) { return value_str(ev, behind(self)); }

static Value proxy_get(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "get", 2, a + 1);
}

static Value proxy_keys(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "keys", 0, NULL);
}

static Value proxy_values(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "values", 0, NULL);
}

static Value proxy_items(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "items", 0, NULL);
}

static Value proxy_copy(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "copy", 0, NULL);
}

static Value proxy_reversed(Eval *ev, Value *a) {
  return value_call_method(ev, behind(a[0]), "__reversed__", 0, NULL);
}

static Value proxy_class_getitem(Eval *ev, Value *a) { return make_generic_alias(ev, a[0], a[1]); }

static const NativeType proxy_type = {
    .slots = {.len = proxy_len,
              .getitem = proxy_getitem,
              .contains = proxy_contains,
              .iter = proxy_iter,
              .binary = proxy_binary,
              .compare = proxy_compare,
              .repr = proxy_repr,
              .str = proxy_str},
    .methods = (const NativeDef[]){{"__new__(cls, mapping)", proxy_make},
                                   {"get(self, key, default=None, /)", proxy_get},
                                   {"keys(self, /)", proxy_keys},
                                   {"values(self, /)", proxy_values},
                                   {"items(self, /)", proxy_items},
                                   {"copy(self, /)", proxy_copy},
                                   {"__reversed__(self, /)", proxy_reversed},
                                   {"__class_getitem__(cls, item, /)", proxy_class_getitem},
                                   {0}},
};

void builtin_descr_init(Eval *ev) {
  native_type_define(ev, ev->types.property, &property_type);
  native_type_define(ev, ev->types.class_method, &class_method_type);
  native_type_define(ev, ev->types.static_method, &static_method_type);
  native_type_define(ev, ev->types.mapping_proxy, &proxy_type);
}
