// SPDX-License-Identifier: Apache-2.0
// How natives become attributes of types: method tables, computed attributes, closures; and what
// their constructors share.
#include "python/values/builtin_state.h"
#include "builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include <string.h>

Name name_of(Eval *ev, const char *text) { return name_intern_c(ev->session->interner, text); }

// ---- computed attributes ------------------------------------------------------------------------
typedef struct Getset {
  Object base;
  const NativeGetter *def;
  Type *owner;
} Getset;

static Value getset_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  if (v_is_unbound(instance)) return self;
  const Getset *getset = (Getset *)self.o;
  type_check_self(ev, instance, getset->owner, getset->def->name);
  return getset->def->get(ev, instance);
}

static bool getset_set(Eval *ev, Value self, Value instance UNUSED, Value value UNUSED) {
  const Getset *getset = (Getset *)self.o;
  eval_raise(ev, ev->types.AttributeError, "attribute '%s' of '%s' objects is not writable",
             getset->def->name, type_shown(getset->owner));
}

static Str getset_repr(Eval *ev, Value self) {
  const Getset *getset = (Getset *)self.o;
  return str_format(ev->arena, "<attribute '%s' of '%s' objects>", getset->def->name,
                    getset->owner->name->text);
}

static Value getset_name(Eval *ev, Value self) {
  return make_str_c(ev, ((Getset *)self.o)->def->name);
}

static const NativeType getset_type = {
    .slots = {.descr_get = getset_get, .descr_set = getset_set, .repr = getset_repr},
    .getters = (const NativeGetter[]){{"__name__", getset_name}, {0}},
};

void native_type_define(Eval *ev, Type *type, const NativeType *def) {
  type->slots = def->slots;
  if (def->methods) type->methods = def->methods;
  if (!type->dict) type->dict = dict_new(ev);
  for (const NativeGetter *getter = def->getters; getter && getter->name; getter++) {
    Getset *getset = ARENA_NEW(ev->arena, Getset);
    *getset = (Getset){.base.type = ev->builtin->getset, .def = getter, .owner = type};
    dict_set_name(ev, type->dict, name_of(ev, getter->name), v_object(getset));
  }
}

Type *native_type_new(Eval *ev, const char *module, const char *name, Type *base,
                      const NativeType *def) {
  Type *type = type_new_native(ev, module, name, base, &def->slots, def->methods);
  native_type_define(ev, type, def);
  return type;
}

// ---- closures -----------------------------------------------------------------------------------
static Value closure_call(Eval *ev, Value self, const Args *args) {
  Closure *closure = (Closure *)self.o;
  return closure->fn(ev, closure, args);
}

static Value closure_descr_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  const Closure *closure = (Closure *)self.o;
  if (!closure->binds || v_is_unbound(instance)) return self;
  BoundMethod *method = ARENA_NEW(ev->arena, BoundMethod);
  *method = (BoundMethod){.base.type = ev->types.method, .function = self, .self = instance};
  return v_object(method);
}

static Value closure_getattr(Eval *ev, Value self, Name name) {
  const Closure *closure = (Closure *)self.o;
  const struct BuiltinNames *names = &ev->builtin->names;
  if (closure->dict) {
    Value own = dict_get_name(closure->dict, name);
    if (!v_is_unbound(own)) return own;
  }
  if (name == names->dunder_name) return make_name(ev, closure->name);
  if (name == names->dunder_qualname) return make_name(ev, closure->qualname);
  if (name == names->dunder_wrapped || name == names->dunder_doc || name == names->dunder_module ||
      name == names->dunder_annotations) {
    if (!v_is_unbound(closure->wrapped)) {
      return name == names->dunder_wrapped ? closure->wrapped
                                           : value_getattr_opt(ev, closure->wrapped, name);
    }
    if (name == names->dunder_doc) return v_none();
  }
  return v_unbound();
}

static bool closure_setattr(Eval *ev, Value self, Name name, Value value) {
  Closure *closure = (Closure *)self.o;
  if (!closure->dict) closure->dict = dict_new(ev);
  if (v_is_unbound(value)) {
    return dict_remove(ev, closure->dict, make_name(ev, name));
  }
  dict_set_name(ev, closure->dict, name, value);
  return true;
}

static Str closure_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<function %s at %p>", ((Closure *)self.o)->qualname->text,
                    (void *)self.o);
}

static uint64_t closure_hash(Eval *ev UNUSED, Value self) { return (uintptr_t)self.o >> 4; }

static const NativeType closure_type = {
    .slots = {.call = closure_call,
              .descr_get = closure_descr_get,
              .getattr = closure_getattr,
              .setattr = closure_setattr,
              .repr = closure_repr,
              .hash = closure_hash},
};

Value make_closure(Eval *ev, const char *name, Value (*fn)(Eval *, Closure *, const Args *),
                   void *data, bool binds) {
  Closure *closure = ARENA_NEW(ev->arena, Closure);
  *closure = (Closure){.base.type = ev->builtin->closure,
                       .fn = fn,
                       .data = data,
                       .wrapped = v_unbound(),
                       .binds = binds};
  closure->name = closure->qualname = name_of(ev, name);
  return v_object(closure);
}

// ---- constructors and special methods -----------------------------------------------------------
Value special_call(Eval *ev, Value self, Name name, size_t count, const Value *args) {
  Value f;
  bool bound;
  if (!method_lookup(ev, self, name, &f, &bound)) return v_unbound();
  return call_special(ev, self, f, bound, count, args);
}

Value payload_wrap(Eval *ev, Type *cls, Type *native, Value value) {
  if (cls == native) return value;
  Instance *instance = instance_new(ev, cls);
  instance->payload = value;
  return v_object(instance);
}

void builtin_wrap_init(Eval *ev) {
  BuiltinState *state = ev->builtin;
#define X(field, text) state->names.field = name_of(ev, text);
  BUILTIN_NAMES(X)
#undef X
  state->getset =
      type_new_native(ev, "builtins", "getset_descriptor", NULL, &getset_type.slots, NULL);
  native_type_define(ev, state->getset, &getset_type);
  state->closure = native_type_new(ev, "builtins", "function", NULL, &closure_type);
}
