// SPDX-License-Identifier: Apache-2.0
// The methods of `object` and `type`.
#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "convert.h"
#include "python/values/dict.h"
#include "dir.h"
#include "python/values/new_value.h"
#include "object_type.h"
#include "protocol.h"
#include "python/values/raise.h"
#include "type.h"
#include "type_lookup.h"
#include "value_call.h"
#include "python/values/values.h"
#include "generic.h"

// ---- object -------------------------------------------------------------------------------------
static Value object_init(Eval *ev, Value *a) {
  Type *type = type_of(ev, a[0]);
  bool excess = ((const Tuple *)a[1].o)->count || ((const Dict *)a[2].o)->count;
  Value own = type_lookup(ev, type, ev->names->init);
  bool overridden = !is_a(own, ev->types.native);
  if (excess && overridden)
    eval_raise(ev, ev->types.TypeError,
               "object.__init__() takes exactly one argument (the instance to initialize)");
  return v_none();
}

static Value object_make(Eval *ev, Value *a) {
  return object_new(ev, (Type *)a[0].o, ((const Tuple *)a[1].o)->count,
                    ((const Dict *)a[2].o)->count);
}

static Value object_init_subclass(Eval *ev, Value *a) {
  const char *name = ((const Type *)a[0].o)->name->text;
  if (((const Dict *)a[2].o)->count)
    eval_raise(ev, ev->types.TypeError, "%s.__init_subclass__() takes no keyword arguments", name);
  size_t given = ((const Tuple *)a[1].o)->count;
  if (given)
    eval_raise(ev, ev->types.TypeError, "%s.__init_subclass__() takes no arguments (%zu given)",
               name, given);
  return v_none();
}

static Value object_subclasshook(Eval *ev UNUSED, Value *a UNUSED) { return v_not_implemented(); }

static Name take_name(Eval *ev, Value v) {
  Str text;
  if (!value_as_str(v, &text))
    eval_raise(ev, ev->types.TypeError, "attribute name must be string, not '%s'",
               value_type_name(ev, v));
  return name_intern(ev->session->interner, text);
}

static Value object_getattribute(Eval *ev, Value *a) {
  Name name = take_name(ev, a[1]);
  Value found = object_getattr(ev, a[0], name);
  if (found.kind == V_UNBOUND)
    raise_attribute(ev, a[0], name, "'%s' object has no attribute '%s'", value_type_name(ev, a[0]),
                    name->text);
  return found;
}

static Value object_set_attribute(Eval *ev, Value *a) {
  object_setattr(ev, a[0], take_name(ev, a[1]), a[2]);
  return v_none();
}

static Value object_delete_attribute(Eval *ev, Value *a) {
  object_setattr(ev, a[0], take_name(ev, a[1]), v_unbound());
  return v_none();
}

static Value object_repr(Eval *ev, Value *a) {
  const Type *type = type_of(ev, a[0]);
  Str module = type->module ? name_str(type->module) : (Str){0};
  if (module.len == 0 || str_equal(module, STR("builtins")))
    return make_str_fmt(ev, "<%s object at %p>", type->qualname->text, (void *)a[0].o);
  return make_str_fmt(ev, "<%.*s.%s object at %p>", STR_FMT(module), type->qualname->text,
                      (void *)a[0].o);
}

static Value object_str(Eval *ev, Value *a) { return make_str(ev, value_repr(ev, a[0])); }

static Value object_format(Eval *ev, Value *a) {
  if (take_str(ev, a[1], "format spec").len)
    eval_raise(ev, ev->types.TypeError, "unsupported format string passed to %s.__format__",
               value_type_name(ev, a[0]));
  return make_str(ev, value_str(ev, a[0]));
}

static Value object_eq(Eval *ev UNUSED, Value *a) {
  return value_is(a[0], a[1]) ? v_bool(true) : v_not_implemented();
}

// != is the opposite of what == says, unless it says nothing.
static Value object_ne(Eval *ev, Value *a) {
  Value method;
  bool bound;
  if (!method_lookup(ev, a[0], ev->names->compare[CMP_EQ], &method, &bound))
    return v_not_implemented();
  Value result = call_special(ev, a[0], method, bound, 1, &a[1]);
  return result.kind == V_NOT_IMPLEMENTED ? result : v_bool(!value_truth(ev, result));
}

static Value object_order(Eval *ev UNUSED, Value *a UNUSED) { return v_not_implemented(); }

static Value object_hash(Eval *ev, Value *a) {
  return v_int(
      (int64_t)(a[0].kind == V_OBJECT ? object_identity_hash(a[0]) : value_hash(ev, a[0])));
}

static Value object_dir(Eval *ev, Value *a) { return v_object(value_default_dir(ev, a[0])); }

static const NativeDef object_methods[] = {
    {"__new__(cls, /, *args, **kwargs)", object_make},
    {"__init__(self, /, *args, **kwargs)", object_init},
    {"__init_subclass__(cls, *args, **kwargs)", object_init_subclass},
    {"__subclasshook__(cls, subclass, /)", object_subclasshook},
    {"__getattribute__(self, name, /)", object_getattribute},
    {"__setattr__(self, name, value, /)", object_set_attribute},
    {"__delattr__(self, name, /)", object_delete_attribute},
    {"__repr__(self, /)", object_repr},
    {"__str__(self, /)", object_str},
    {"__format__(self, format_spec, /)", object_format},
    {"__eq__(self, value, /)", object_eq},
    {"__ne__(self, value, /)", object_ne},
    {"__lt__(self, value, /)", object_order},
    {"__le__(self, value, /)", object_order},
    {"__gt__(self, value, /)", object_order},
    {"__ge__(self, value, /)", object_order},
    {"__hash__(self, /)", object_hash},
    {"__dir__(self, /)", object_dir},
    {NULL, NULL},
};

// ---- type ---------------------------------------------------------------------------------------
static Value type_make(Eval *ev, Value *a) {
  Tuple *bases = value_as_tuple(a[2]);
  Dict *dict = value_as_dict(a[3]);
  if (!bases || !dict)
    eval_raise(ev, ev->types.TypeError, "type.__new__() argument %d must be %s, not %s",
               bases ? 3 : 2, bases ? "dict" : "tuple", value_type_name(ev, bases ? a[3] : a[2]));
  const Dict *keywords = (const Dict *)a[4].o;
  Args args = {0};
  Name *names = ARENA_ARRAY(ev->arena, Name, keywords->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, keywords->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(keywords, &it, &entry); args.kw_count++) {
    names[args.kw_count] = take_name(ev, entry->key);
    values[args.kw_count] = entry->value;
  }
  args.kw_names = names;
  args.kw_values = values;
  Name name = name_intern(ev->session->interner, take_str(ev, a[1], "type.__new__() argument 1"));
  // Made by type(): the metaclass of the bases makes it.
  Type *winner = winning_metatype(ev, (Type *)a[0].o, bases);
  if (v_object(winner).o != a[0].o) {
    args.items = (Value[]){v_object(winner), a[1], a[2], a[3]};
    args.count = 4;
    return value_call(ev, value_getattr(ev, v_object(winner), ev->names->new_), &args);
  }
  return v_object(type_new_of(ev, (Type *)a[0].o, name, bases, dict, &args));
}

static Value type_init_method(Eval *ev UNUSED, Value *a UNUSED) { return v_none(); }

static Value type_tuple(Eval *ev, Type *const *types, size_t count) {
  Tuple *tuple = tuple_new(ev, count);
  for (size_t i = 0; i < count; i++) tuple->items[i] = v_object(types[i]);
  return v_object(tuple);
}

static Value type_mro_method(Eval *ev, Value *a) {
  const Type *type = (const Type *)a[0].o;
  List *list = list_new(ev, type->mro_count);
  for (size_t i = 0; i < type->mro_count; i++) list_push(ev, list, v_object(type->mro[i]));
  return v_object(list);
}

static Value type_subclasses(Eval *ev, Value *a) {
  const Type *type = (const Type *)a[0].o;
  List *list = list_new(ev, type->subclass_count);
  for (size_t i = 0; i < type->subclass_count; i++) {
    Type *subclass = type_subclass(type, i);
    if (subclass) list_push(ev, list, v_object(subclass));
  }
  return v_object(list);
}

static Value type_instancecheck(Eval *ev, Value *a) {
  return v_bool(value_is_instance(ev, a[1], (Type *)a[0].o));
}

static Value type_subclasscheck(Eval *ev, Value *a) {
  if (!is_type(ev, a[1])) eval_raise(ev, ev->types.TypeError, "issubclass() arg 1 must be a class");
  return v_bool(type_is_subtype((Type *)a[1].o, (Type *)a[0].o));
}

static Value type_prepare(Eval *ev, Value *a UNUSED) { return v_object(dict_new(ev)); }

static Value class_dict(Eval *ev, Type *type) {
  type_lookup(ev, type, ev->names->doc); // brings the natives in
  Value dict = v_object(type->dict);
  return value_call_n(ev, v_object(ev->types.mapping_proxy), 1, &dict);
}

static Value class_module(Eval *ev, const Type *type) {
  Value own = type->is_heap ? dict_get_name(type->dict, ev->names->module) : v_unbound();
  if (own.kind != V_UNBOUND) return own;
  return type->module ? make_name(ev, type->module) : make_str_c(ev, "builtins");
}

Dict *type_annotations(Eval *ev, Type *type) {
  Dict *known = value_as_dict(dict_get_name(type->dict, ev->names->annotations));
  if (known) return known;
  known = dict_new(ev);
  dict_set_name(ev, type->dict, ev->names->annotations, v_object(known));
  type_changed(ev, type);
  return known;
}

static Value type_getattr(Eval *ev, Value self, Name name) {
  Type *type = (Type *)self.o;
  const EvalNames *names = ev->names;
  if (name == names->name) return make_name(ev, type->name);
  if (name == names->qualname) return make_name(ev, type->qualname);
  if (name == names->module) return class_module(ev, type);
  if (name == names->mro) return type_tuple(ev, type->mro, type->mro_count);
  if (name == names->bases) return type_tuple(ev, type->bases, type->base_count);
  if (name == names->base) return type->base_count ? v_object(type->bases[0]) : v_none();
  if (name == names->dict) return class_dict(ev, type);
  if (name == names->doc) {
    Value doc = type_own_attribute(ev, type, name);
    return doc.kind == V_UNBOUND ? v_none() : attribute_bind(ev, doc, v_unbound(), type);
  }
  if (name == names->annotations && type->is_heap) return v_object(type_annotations(ev, type));
  if (name == names->abstract_methods) return type_own_attribute(ev, type, name);
  return v_unbound();
}

static Name take_text_name(Eval *ev, const Type *type, Name attribute, Value value) {
  Str text;
  if (!value_as_str(value, &text))
    eval_raise(ev, ev->types.TypeError, "can only assign string to %s.%s, not '%s'",
               type->name->text, attribute->text, value_type_name(ev, value));
  return name_intern(ev->session->interner, text);
}

static bool type_setattr(Eval *ev, Value self, Name name, Value value) {
  Type *type = (Type *)self.o;
  const EvalNames *names = ev->names;
  if (value.kind == V_UNBOUND) return false;
  if (name == names->name) {
    type->name = take_text_name(ev, type, name, value);
    return true;
  }
  if (name == names->qualname) {
    type->qualname = take_text_name(ev, type, name, value);
    return true;
  }
  if (name == names->module) {
    Str text;
    if (value_as_str(value, &text)) type->module = name_intern(ev->session->interner, text);
    return false; // into the dict as well
  }
  if (name == names->bases || name == names->mro || name == names->dict)
    raise_attribute(ev, self, name, "attribute '%s' of 'type' objects is not writable", name->text);
  if (name == names->abstract_methods) type->is_abstract = value_truth(ev, value);
  return false;
}

static Str type_repr(Eval *ev, Value self) {
  const Type *type = (const Type *)self.o;
  Str module = {0};
  if (!value_as_str(class_module(ev, type), &module) || str_equal(module, STR("builtins")))
    return str_format(ev->arena, "<class '%s'>", type->qualname->text);
  return str_format(ev->arena, "<class '%.*s.%s'>", STR_FMT(module), type->qualname->text);
}

static Value type_binary(Eval *ev, BinaryOp op, Value left, Value right) {
  return op == BIN_OR ? make_union(ev, left, right) : v_not_implemented();
}

static uint64_t type_hash(Eval *ev UNUSED, Value self) { return object_identity_hash(self); }

static const NativeDef type_methods[] = {
    {"__new__(cls, name, bases, dict, /, **kwargs)", type_make},
    {"__init__(self, /, *args, **kwargs)", type_init_method},
    {"mro(self, /)", type_mro_method},
    {"__subclasses__(self, /)", type_subclasses},
    {"__instancecheck__(self, instance, /)", type_instancecheck},
    {"__subclasscheck__(self, subclass, /)", type_subclasscheck},
    {"__prepare__(cls, *args, **kwargs)", type_prepare},
    {NULL, NULL},
};

static Value type_of_one(Eval *ev, const Args *args) {
  return args->count == 1 && !args->kw_count ? v_object(type_of(ev, args->items[0])) : v_unbound();
}

void object_type_init(Eval *ev) {
  ev->types.object->methods = object_methods;
  ev->types.type->methods = type_methods;
  ev->types.type->slots = (TypeSlots){.getattr = type_getattr,
                                      .setattr = type_setattr,
                                      .call = type_call,
                                      .make = type_of_one,
                                      .repr = type_repr,
                                      .hash = type_hash,
                                      .binary = type_binary};
  type_members_init(ev);
}
