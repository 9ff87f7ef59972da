// SPDX-License-Identifier: Apache-2.0
// The module abc: ABCMeta as a native metatype, ABC, abstractmethod.
#include "base/map.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/builtins/builtin_set.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "std_abc.h"

// What an abstract base class knows beside its dict.
typedef struct AbcData {
  List *registry; // classes registered as virtual subclasses
  Map *yes, *no;  // answers of __subclasscheck__ by Type
  uint64_t no_version;
} AbcData;

static AbcData *data_of(Eval *ev, Type *type) {
  if (!type->native) {
    AbcData *data = ARENA_NEW(ev->arena, AbcData);
    data->registry = list_new(ev, 0);
    data->yes = map_new(ev->arena);
    data->no = map_new(ev->arena);
    type->native = data;
  }
  return type->native;
}

// ---- abstract methods ---------------------------------------------------------------------------
static bool is_abstract(Eval *ev, Value v) {
  if (v.kind != V_OBJECT) return false;
  if (v.o->type == ev->types.function && !((Function *)v.o)->dict)
    return false; // by far the commonest
  Value mark = value_getattr_opt(ev, v, ev->names->abstract);
  return mark.kind != V_UNBOUND && value_truth(ev, mark);
}

static void gather_own(Eval *ev, Dict *names, const Type *type) {
  size_t count = type->dict->used;
  for (size_t i = 0; i < count && i < type->dict->used; i++) {
    DictEntry entry = type->dict->entries[i];
    if (entry.key.kind == V_UNBOUND || entry.key.kind != V_OBJECT) continue;
    if (is_abstract(ev, entry.value)) set_add(ev, names, entry.key);
  }
}

static void gather_inherited(Eval *ev, Dict *names, Type *type, Type *base) {
  Value inherited = type_own_attribute(ev, base, ev->names->abstract_methods);
  if (inherited.kind == V_UNBOUND) return;
  const Tuple *items = value_to_tuple(ev, inherited);
  for (size_t i = 0; i < items->count; i++) {
    Str text;
    if (!value_as_str(items->items[i], &text)) continue;
    Value now = type_lookup(ev, type, name_intern(ev->session->interner, text));
    if (is_abstract(ev, now)) set_add(ev, names, items->items[i]);
  }
}

void abc_update(Eval *ev, Type *type) {
  Dict *names = set_new(ev, true);
  gather_own(ev, names, type);
  for (size_t i = 0; i < type->base_count; i++) gather_inherited(ev, names, type, type->bases[i]);
  dict_set_name(ev, type->dict, ev->names->abstract_methods, v_object(names));
  type->is_abstract = names->count > 0;
  type_changed(ev, type);
}

// ---- subclass checks ----------------------------------------------------------------------------

static bool check_slowly(Eval *ev, Type *cls, Type *sub) {
  Value item = v_object(sub);
  Value hooked =
      value_call_n(ev, value_getattr(ev, v_object(cls), ev->names->subclasshook), 1, &item);
  if (hooked.kind != V_NOT_IMPLEMENTED) return value_truth(ev, hooked);
  if (type_is_subtype(sub, cls)) return true;
  const List *registry = data_of(ev, cls)->registry;
  for (size_t i = 0; i < registry->count; i++) {
    if (value_issubclass(ev, item, registry->items[i])) return true;
  }
  for (size_t i = 0; i < cls->subclass_count; i++) {
    Type *subclass = type_subclass(cls, i);
    if (subclass && value_issubclass(ev, item, v_object(subclass))) return true;
  }
  return false;
}

bool abc_subclass_check(Eval *ev, Type *cls, Type *sub) {
  AbcData *data = data_of(ev, cls);
  if (map_has(data->yes, sub)) return true;
  if (data->no_version != ev->builtin->abc_version) {
    data->no = map_new(ev->arena);
    data->no_version = ev->builtin->abc_version;
  } else if (map_has(data->no, sub)) {
    return false;
  }
  eval_check_stack(ev);
  bool is_sub = check_slowly(ev, cls, sub);
  map_set(is_sub ? data->yes : data->no, sub, sub);
  return is_sub;
}

static Value abc_subclasscheck(Eval *ev, Value *a) {
  if (!is_type(ev, a[1])) eval_raise(ev, ev->types.TypeError, "issubclass() arg 1 must be a class");
  return v_bool(abc_subclass_check(ev, (Type *)a[0].o, (Type *)a[1].o));
}

static Value abc_instancecheck(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o, *type = type_of(ev, a[1]);
  return v_bool(type_is_subtype(type, cls) || abc_subclass_check(ev, cls, type));
}

static Value abc_register(Eval *ev, Value *a) {
  if (!is_type(ev, a[1])) eval_raise(ev, ev->types.TypeError, "Can only register classes");
  Type *cls = (Type *)a[0].o, *sub = (Type *)a[1].o;
  if (type_is_subtype(sub, cls)) return a[1];
  if (type_is_subtype(cls, sub))
    eval_raise(ev, ev->types.RuntimeError, "Refusing to create an inheritance cycle");
  list_push(ev, data_of(ev, cls)->registry, a[1]);
  ev->builtin->abc_version++;
  return a[1];
}

// ---- making classes -----------------------------------------------------------------------------
// a metatype's __new__(cls, name, bases, namespace, /, **kwargs)
static Value abc_make_class(Eval *ev, Value *a) {
  const Dict *keywords = value_as_dict(a[4]);
  Name *names = ARENA_ARRAY(ev->arena, Name, keywords->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, keywords->count);
  Args args = {.count = 4, .items = a, .kw_names = names, .kw_values = values};
  DictEntry *entry;
  for (size_t it = 0; dict_next(keywords, &it, &entry); args.kw_count++) {
    names[args.kw_count] = name_intern(ev->session->interner, take_str(ev, entry->key, "keyword"));
    values[args.kw_count] = entry->value;
  }
  Value made = value_call(ev, type_lookup(ev, ev->types.type, ev->names->new_), &args);
  abc_update(ev, (Type *)made.o);
  ev->builtin->abc_version++;
  return made;
}

static const NativeDef meta_methods[] = {
    {"__new__(cls, name, bases, namespace, /, **kwargs)", abc_make_class},
    {"__instancecheck__(self, instance, /)", abc_instancecheck},
    {"__subclasscheck__(self, subclass, /)", abc_subclasscheck},
    {"register(self, subclass)", abc_register},
    {0},
};

Type *abc_meta(Eval *ev) {
  BuiltinState *state = ev->builtin;
  if (!state->abc_meta) {
    state->abc_meta = type_new_native(ev, "abc", "ABCMeta", ev->types.type, NULL, meta_methods);
    state->abc_meta->base.type = ev->types.type;
    state->abc_meta->slots = ev->types.type->slots;
    state->abc_meta->slots.make = NULL;
  }
  return state->abc_meta;
}

// An empty class with a metatype of ours, as a class statement in `module` makes it.
Type *abc_class_new(Eval *ev, Type *meta, const char *module, const char *name, Tuple *bases,
                    Dict *dict) {
  dict_set_name(ev, dict, ev->names->module, make_str_c(ev, module));
  dict_set_name(ev, dict, ev->names->slots, v_object(tuple_new(ev, 0)));
  Value items[] = {make_str_c(ev, name), v_object(bases), v_object(dict)};
  Type *made = (Type *)value_call_n(ev, v_object(meta), 3, items).o;
  made->module = name_of(ev, module);
  return made;
}

// ---- the module ---------------------------------------------------------------------------------
static Value f_abstractmethod(Eval *ev, Value *a) {
  value_setattr(ev, a[0], ev->names->abstract, v_bool(true));
  return a[0];
}

static Value marked_wrapper(Eval *ev, Value function, Type *wrapper) {
  value_setattr(ev, function, ev->names->abstract, v_bool(true));
  return value_call_n(ev, v_object(wrapper), 1, &function);
}

static Value f_abstractproperty(Eval *ev, Value *a) {
  return marked_wrapper(ev, a[0], ev->types.property);
}

static Value f_abstractclassmethod(Eval *ev, Value *a) {
  return marked_wrapper(ev, a[0], ev->types.class_method);
}

static Value f_abstractstaticmethod(Eval *ev, Value *a) {
  return marked_wrapper(ev, a[0], ev->types.static_method);
}

static Value f_update(Eval *ev, Value *a) {
  if (is_type(ev, a[0]) &&
      type_own_attribute(ev, (Type *)a[0].o, ev->names->abstract_methods).kind != V_UNBOUND)
    abc_update(ev, (Type *)a[0].o);
  return a[0];
}

static Value f_cache_token(Eval *ev, Value *a UNUSED) {
  return v_int((int64_t)ev->builtin->abc_version);
}

static const NativeDef functions[] = {
    {"abstractmethod(funcobj, /)", f_abstractmethod},
    {"abstractproperty(fget, /)", f_abstractproperty},
    {"abstractclassmethod(callable, /)", f_abstractclassmethod},
    {"abstractstaticmethod(callable, /)", f_abstractstaticmethod},
    {"update_abstractmethods(cls, /)", f_update},
    {"get_cache_token()", f_cache_token},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  Type *meta = abc_meta(ev);
  module_set(ev, module, "ABCMeta", v_object(meta));
  Type *abc = abc_class_new(ev, meta, "abc", "ABC", tuple_new(ev, 0), dict_new(ev));
  module_set(ev, module, "ABC", v_object(abc));
}

const ModuleDef module_abc = {.name = "abc", .functions = functions, .init = init};
