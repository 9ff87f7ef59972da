// SPDX-License-Identifier: Apache-2.0
// The module dataclasses: fields, and what dataclass() reads off a class. The methods it adds are
// in std_dataclass_methods.c.
//
// Annotations are only looked at as far as they may say ClassVar, InitVar or KW_ONLY; a field's
// type is evaluated when it is asked for.
#include "base/buf.h"
#include "std_dataclasses.h"
#include "python/modules/module.h"
#include "python/core/class.h"
#include "std_typing.h"
#include "python/builtins/builtin_descr.h"
#include "python/builtins/builtin_dict.h"
#include "python/builtins/builtin_generic.h"
#include "python/builtins/builtin_wrap.h"
#include "python/core/function.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "std_abc.h"
#include <string.h>

const DataclassTypes *dataclass_types(Eval *ev) {
  if (!ev->builtin->dataclasses) module_import(ev, STR("dataclasses"));
  return ev->builtin->dataclasses;
}

static Field *value_as_field(Eval *ev, Value v) {
  return is_a(v, dataclass_types(ev)->field) ? (Field *)v.o : NULL;
}

// ---- Field --------------------------------------------------------------------------------------
static Value or_missing(Eval *ev, Value v) {
  return v_is_unbound(v) ? dataclass_types(ev)->missing : v;
}

static Value field_type(Eval *ev, Field *field) {
  if (!v_is_unbound(field->type) || !field->owner)
    return v_is_unbound(field->type) ? v_none() : field->type;
  const Dict *annotations = value_annotations(ev, v_object(field->owner));
  field->type = annotations ? dict_get_name(annotations, field->name) : v_none();
  if (v_is_unbound(field->type)) field->type = v_none();
  return field->type;
}

static Value field_getattr(Eval *ev, Value self, Name name) {
  Field *field = (Field *)self.o;
  Str text = name_str(name);
  if (str_equal(text, STR("name"))) return field->name ? make_name(ev, field->name) : v_none();
  if (str_equal(text, STR("type"))) return field_type(ev, field);
  if (str_equal(text, STR("default"))) return or_missing(ev, field->default_value);
  if (str_equal(text, STR("default_factory"))) return or_missing(ev, field->default_factory);
  if (str_equal(text, STR("init"))) return v_bool(field->init);
  if (str_equal(text, STR("repr"))) return v_bool(field->repr);
  if (str_equal(text, STR("compare"))) return v_bool(field->compare);
  if (str_equal(text, STR("hash"))) return field->hash;
  if (str_equal(text, STR("metadata"))) return field->metadata;
  if (str_equal(text, STR("kw_only")))
    return field->kw_only < 0 ? dataclass_types(ev)->missing : v_bool(field->kw_only);
  if (!str_equal(text, STR("_field_type"))) return v_unbound();
  static const char *const kinds[] = {"_FIELD", "_FIELD_CLASSVAR", "_FIELD_INITVAR"};
  return field->name ? make_str_c(ev, kinds[field->kind]) : v_none();
}

static Str field_repr(Eval *ev, Value self) {
  static const char *const names[] = {"name",     "type",    "default",    "default_factory",
                                      "init",     "repr",    "hash",       "compare",
                                      "metadata", "kw_only", "_field_type"};
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_c(&buf, "Field(");
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    Value value = field_getattr(ev, self, name_of(ev, names[i]));
    bool is_kind = i + 1 == COUNT_OF(names);
    Str text = is_kind ? value_str(ev, value) : value_repr(ev, value);
    buf_printf(&buf, "%s%s=%.*s", i > 0 ? "," : "", names[i], STR_FMT(text));
  }
  buf_char(&buf, ')');
  return buf_view(&buf);
}

static const NativeType field_native = {.slots = {.getattr = field_getattr, .repr = field_repr}};

static Field *field_new(Eval *ev, const DataclassTypes *types) {
  Field *field = ARENA_NEW(ev->arena, Field);
  *field = (Field){
      .base.type = types->field, .init = true, .repr = true, .compare = true, .kw_only = -1};
  field->type = field->default_value = field->default_factory = v_unbound();
  field->hash = v_none();
  return field;
}

static Value unless_missing(const DataclassTypes *types, Value v) {
  return value_is(v, types->missing) ? v_unbound() : v;
}

static Value empty_metadata(Eval *ev) { return make_mapping_proxy(ev, v_object(dict_new(ev))); }

// field(default, default_factory, init, repr, hash, compare, metadata, kw_only)
static Value f_field(Eval *ev, Value *a) {
  const DataclassTypes *types = dataclass_types(ev);
  Field *field = field_new(ev, types);
  field->default_value = unless_missing(types, a[0]);
  field->default_factory = unless_missing(types, a[1]);
  if (!v_is_unbound(field->default_value) && !v_is_unbound(field->default_factory))
    eval_raise(ev, ev->types.ValueError, "cannot specify both default and default_factory");
  field->init = value_truth(ev, a[2]);
  field->repr = value_truth(ev, a[3]);
  field->hash = a[4];
  field->compare = value_truth(ev, a[5]);
  field->metadata = v_is_none(a[6]) ? empty_metadata(ev) : make_mapping_proxy(ev, a[6]);
  Value kw_only = unless_missing(types, a[7]);
  field->kw_only = v_is_unbound(kw_only) ? -1 : value_truth(ev, kw_only);
  return v_object(field);
}

// ---- InitVar ------------------------------------------------------------------------------------
typedef struct InitVar {
  Object base;
  Value type;
} InitVar;

static Value init_var_make(Eval *ev, Value *a) {
  InitVar *made = ARENA_NEW(ev->arena, InitVar);
  *made = (InitVar){{dataclass_types(ev)->init_var}, a[1]};
  return v_object(made);
}

static Str init_var_repr(Eval *ev, Value self) {
  Str type = annotation_repr(ev, ((const InitVar *)self.o)->type);
  return str_format(ev->arena, "dataclasses.InitVar[%.*s]", STR_FMT(type));
}

static Value init_var_type(Eval *ev UNUSED, Value self) { return ((const InitVar *)self.o)->type; }

static const NativeType init_var_native = {
    .slots = {.repr = init_var_repr},
    .methods = (const NativeDef[]){{"__new__(cls, type)", init_var_make},
                                   {"__class_getitem__(cls, type)", init_var_make},
                                   {0}},
    .getters = (const NativeGetter[]){{"type", init_var_type}, {0}},
};

// ---- what an annotation says --------------------------------------------------------------------
typedef enum AnnotationKind {
  ANNOTATION_PLAIN,
  ANNOTATION_CLASS_VAR,
  ANNOTATION_INIT_VAR,
  ANNOTATION_KW_ONLY
} AnnotationKind;

// "ClassVar[int]", "typing.ClassVar": an annotation that is text.
static AnnotationKind kind_of_text(Str text) {
  size_t end = 0;
  while (end < text.len && text.data[end] != '[' && text.data[end] != ' ') end++;
  size_t begin = end;
  while (begin > 0 && text.data[begin - 1] != '.') begin--;
  Str name = {text.data + begin, end - begin};
  if (str_equal(name, STR("ClassVar"))) return ANNOTATION_CLASS_VAR;
  if (str_equal(name, STR("InitVar"))) return ANNOTATION_INIT_VAR;
  if (str_equal(name, STR("KW_ONLY"))) return ANNOTATION_KW_ONLY;
  return ANNOTATION_PLAIN;
}

static AnnotationKind kind_of_value(Eval *ev, Value v) {
  const DataclassTypes *types = dataclass_types(ev);
  Str text;
  if (value_as_str(v, &text)) return kind_of_text(text);
  if (value_is(v, types->kw_only)) return ANNOTATION_KW_ONLY;
  if (is_a(v, types->init_var) || (v.kind == V_OBJECT && v.o == (Object *)types->init_var))
    return ANNOTATION_INIT_VAR;
  if (!ev->builtin->typing_form) return ANNOTATION_PLAIN; // typing has not been imported
  const TypingAlias *alias = typing_alias(ev, v);
  const FormDef *form = typing_form(ev, alias ? alias->form : v);
  return form && form->kind == FORM_CLASS_VAR ? ANNOTATION_CLASS_VAR : ANNOTATION_PLAIN;
}

typedef struct Annotation {
  Name name;
  AnnotationKind kind;
} Annotation;

// The class's own annotations, in order.
static Annotation *own_annotations(Eval *ev, Type *type, size_t *count) {
  const Dict *known = value_as_dict(dict_get_name(type->dict, ev->names->annotations));
  *count = known ? known->count : 0;
  Annotation *out = ARENA_ARRAY(ev->arena, Annotation, *count);
  DictEntry *entry;
  size_t i = 0;
  for (size_t it = 0; known && dict_next(known, &it, &entry); i++) {
    Name name = name_intern(ev->session->interner, take_str(ev, entry->key, "annotation"));
    out[i] = (Annotation){name, kind_of_value(ev, entry->value)};
  }
  return out;
}

// ---- gathering fields ---------------------------------------------------------------------------
// Lists, dicts and sets (anything unhashable) as defaults would be shared by all instances.
static void check_default(Eval *ev, const Field *field) {
  Value v = field->default_value;
  if (v.kind != V_OBJECT) return;
  if (!v_is_none(type_lookup(ev, v.o->type, ev->names->hash))) return;
  Str type = value_repr(ev, v_object(v.o->type));
  eval_raise(ev, ev->types.ValueError,
             "mutable default %.*s for field %s is not allowed: use default_factory", STR_FMT(type),
             field->name->text);
}

static Field *make_field(Eval *ev, Type *type, const Annotation *annotation, bool kw_only) {
  const DataclassTypes *types = dataclass_types(ev);
  Name name = annotation->name;
  Value given = type_lookup(ev, type, name);
  Field *field = value_as_field(ev, given);
  if (!field) {
    field = field_new(ev, types);
    field->metadata = empty_metadata(ev);
    bool is_member = is_a(given, ev->core->member); // of __slots__: no default
    if (!is_member && !v_is_unbound(given))
      field->default_value = attribute_bind(ev, given, v_unbound(), type);
  }
  field->name = name;
  field->owner = type;
  field->kind = annotation->kind == ANNOTATION_CLASS_VAR  ? FIELD_CLASS_VAR
                : annotation->kind == ANNOTATION_INIT_VAR ? FIELD_INIT_VAR
                                                          : FIELD_PLAIN;
  if (field->kind != FIELD_PLAIN && !v_is_unbound(field->default_factory))
    eval_raise(ev, ev->types.TypeError, "field %s cannot have a default factory", name->text);
  if (field->kind == FIELD_CLASS_VAR) {
    if (field->kw_only >= 0)
      eval_raise(ev, ev->types.TypeError, "field %s is a ClassVar but specifies kw_only",
                 name->text);
  } else if (field->kw_only < 0) {
    field->kw_only = kw_only;
  }
  if (field->kind == FIELD_PLAIN) check_default(ev, field);
  return field;
}

// The class keeps plain defaults; a Field without one goes.
static void settle_default(Eval *ev, Type *type, const Field *field) {
  Value own = dict_get_name(type->dict, field->name);
  if (!is_a(own, dataclass_types(ev)->field)) return;
  if (v_is_unbound(field->default_value)) {
    dict_remove(ev, type->dict, make_name(ev, field->name));
  } else {
    dict_set_name(ev, type->dict, field->name, field->default_value);
  }
}

static void add_field(Eval *ev, Dict *fields, Field *field) {
  dict_set_name(ev, fields, field->name, v_object(field));
}

static void inherit_fields(Eval *ev, Type *type, Dict *fields, bool frozen) {
  const DataclassTypes *types = dataclass_types(ev);
  bool has_base = false, has_frozen_base = false;
  for (size_t i = type->mro_count; i-- > 1;) {
    const Dict *base = value_as_dict(type_own_attribute(ev, type->mro[i], types->fields_name));
    if (!base) continue;
    has_base = true;
    DictEntry *entry;
    for (size_t it = 0; dict_next(base, &it, &entry);)
      dict_set(ev, fields, entry->key, entry->value);
    const DataclassInfo *info =
        (const DataclassInfo *)type_own_attribute(ev, type->mro[i], types->params_name).o;
    has_frozen_base |= info->frozen;
  }
  if (!has_base) return;
  if (has_frozen_base && !frozen)
    eval_raise(ev, ev->types.TypeError, "cannot inherit non-frozen dataclass from a frozen one");
  if (!has_frozen_base && frozen)
    eval_raise(ev, ev->types.TypeError, "cannot inherit frozen dataclass from a non-frozen one");
}

static void own_fields(Eval *ev, Type *type, Dict *fields, bool kw_only) {
  size_t count;
  Annotation *annotations = own_annotations(ev, type, &count);
  bool seen_mark = false;
  for (size_t i = 0; i < count; i++) {
    if (annotations[i].kind == ANNOTATION_KW_ONLY) {
      if (seen_mark)
        eval_raise(ev, ev->types.TypeError,
                   "'%s' is KW_ONLY, but KW_ONLY has already been specified",
                   annotations[i].name->text);
      seen_mark = kw_only = true;
      continue;
    }
    Field *field = make_field(ev, type, &annotations[i], kw_only);
    add_field(ev, fields, field);
    settle_default(ev, type, field);
  }
  DictEntry *entry;
  for (size_t it = 0; dict_next(type->dict, &it, &entry);) {
    if (!is_a(entry->value, dataclass_types(ev)->field)) continue;
    Str name = value_repr(ev, entry->key);
    eval_raise(ev, ev->types.TypeError, "%.*s is a field but has no type annotation",
               STR_FMT(name));
  }
}

// ---- the parameters of __init__ -----------------------------------------------------------------
static void add_parameter(Eval *ev, DataclassInfo *info, Field *field) {
  size_t i = info->init_count + 1;
  info->init_fields[info->init_count++] = field;
  info->params.items[i].name = field->name;
  info->params.count++;
  info->defaults[i] =
      v_is_unbound(field->default_factory) ? field->default_value : dataclass_types(ev)->missing;
}

static void make_parameters(Eval *ev, DataclassInfo *info) {
  info->init_fields = ARENA_ARRAY(ev->arena, Field *, info->count);
  info->params.items = ARENA_ARRAY(ev->arena, Param, info->count + 1);
  info->defaults = ARENA_ARRAY(ev->arena, Value, info->count + 1);
  info->params.items[0].name = name_of(ev, "self");
  info->params.count = 1;
  const Field *with_default = NULL;
  for (size_t i = 0; i < info->count; i++) {
    Field *field = info->fields[i];
    if (field->kind == FIELD_CLASS_VAR || !field->init || field->kw_only > 0) continue;
    bool has_default = !v_is_unbound(field->default_value) || !v_is_unbound(field->default_factory);
    if (!has_default && with_default && info->init)
      eval_raise(ev, ev->types.TypeError, "non-default argument '%s' follows default argument",
                 field->name->text);
    if (has_default) with_default = field;
    add_parameter(ev, info, field);
  }
  info->init_positional = info->init_count;
  info->params.positional = info->init_count + 1;
  for (size_t i = 0; i < info->count; i++) {
    Field *field = info->fields[i];
    if (field->kind != FIELD_CLASS_VAR && field->init && field->kw_only > 0)
      add_parameter(ev, info, field);
  }
}

// ---- slots=True ---------------------------------------------------------------------------------
static bool has_slot(Eval *ev, const Type *type, Name name) {
  for (size_t i = 1; i < type->mro_count; i++) {
    if (is_a(dict_get_name(type->mro[i]->dict, name), ev->core->member)) return true;
  }
  return false;
}

// The class again, with __slots__: attributes of instances are its fields only.
static Type *with_slots(Eval *ev, DataclassInfo *info) {
  Type *old = info->cls;
  if (!v_is_unbound(dict_get_name(old->dict, ev->names->slots)))
    eval_raise(ev, ev->types.TypeError, "%s already specifies __slots__", old->name->text);
  Dict *dict = dict_copy(ev, old->dict);
  List *slots = list_new(ev, info->count);
  for (size_t i = 0; i < info->count; i++) {
    const Field *field = info->fields[i];
    if (field->kind != FIELD_PLAIN) continue;
    dict_remove(ev, dict, make_name(ev, field->name));
    if (!has_slot(ev, old, field->name)) list_push(ev, slots, make_name(ev, field->name));
  }
  dict_set_name(ev, dict, ev->names->slots, make_tuple(ev, slots->count, slots->items));
  dict_set_name(ev, dict, ev->names->qualname, make_name(ev, old->qualname));
  Tuple *bases = tuple_new(ev, old->base_count);
  for (size_t i = 0; i < old->base_count; i++) bases->items[i] = v_object(old->bases[i]);
  Value items[] = {make_name(ev, old->name), v_object(bases), v_object(dict)};
  Type *made = (Type *)value_call_n(ev, v_object(old->base.type), 3, items).o;
  made->body = old->body;
  made->module = old->module;
  if (made->body) class_set_owner(made->body, made);
  for (size_t i = 0; i < info->count; i++) {
    if (info->fields[i]->owner == old) info->fields[i]->owner = made;
  }
  return made;
}

// ---- dataclass() --------------------------------------------------------------------------------
static Value process(Eval *ev, Value cls, const DataclassOptions *options) {
  const DataclassTypes *types = dataclass_types(ev);
  if (!is_type(ev, cls))
    eval_raise(ev, ev->types.TypeError, "dataclass() should be called on a class, not %s",
               value_type_name(ev, cls));
  Type *type = (Type *)cls.o;
  Dict *fields = dict_new(ev);
  inherit_fields(ev, type, fields, options->frozen);
  own_fields(ev, type, fields, options->kw_only);
  DataclassInfo *info = ARENA_NEW(ev->arena, DataclassInfo);
  *info = (DataclassInfo){.base.type = types->info,
                          .cls = type,
                          .init = options->init,
                          .repr = options->repr,
                          .eq = options->eq,
                          .order = options->order,
                          .unsafe_hash = options->unsafe_hash,
                          .frozen = options->frozen};
  info->fields = ARENA_ARRAY(ev->arena, Field *, fields->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(fields, &it, &entry);)
    info->fields[info->count++] = (Field *)entry->value.o;
  info->has_post_init = !v_is_unbound(type_lookup(ev, type, types->post_init_name));
  if (options->order && !options->eq)
    eval_raise(ev, ev->types.ValueError, "eq must be true if order is true");
  make_parameters(ev, info);
  dict_set_name(ev, type->dict, types->fields_name, v_object(fields));
  dict_set_name(ev, type->dict, types->params_name, v_object(info));
  dataclass_add_methods(ev, info, options);
  type_changed(ev, type);
  if (options->weakref_slot && !options->slots)
    eval_raise(ev, ev->types.TypeError, "weakref_slot is True but slots is False");
  if (options->slots) info->cls = type = with_slots(ev, info);
  if (!v_is_unbound(type_own_attribute(ev, type, ev->names->abstract_methods)))
    abc_update(ev, type);
  return v_object(type);
}

static Value decorate_class(Eval *ev, Closure *closure, const Args *args) {
  if (args->count != 1) eval_raise(ev, ev->types.TypeError, "dataclass() expected a class");
  return process(ev, args->items[0], closure->data);
}

// dataclass(cls, init, repr, eq, order, unsafe_hash, frozen, match_args, kw_only, slots,
// weakref_slot)
static Value f_dataclass(Eval *ev, Value *a) {
  DataclassOptions *options = ARENA_NEW(ev->arena, DataclassOptions);
  bool *const flags[] = {&options->init,        &options->repr,        &options->eq,
                         &options->order,       &options->unsafe_hash, &options->frozen,
                         &options->match_args,  &options->kw_only,     &options->slots,
                         &options->weakref_slot};
  for (size_t i = 0; i < COUNT_OF(flags); i++) *flags[i] = value_truth(ev, a[i + 1]);
  if (v_is_none(a[0])) return make_closure(ev, "wrap", decorate_class, options, false);
  return process(ev, a[0], options);
}

// ---- asking -------------------------------------------------------------------------------------
DataclassInfo *dataclass_info(Eval *ev, const Type *type) {
  if (!ev->builtin->dataclasses) return NULL; // never imported: there are none
  for (size_t i = 0; i < type->mro_count; i++) {
    Value info = type->mro[i]->is_heap
                     ? dict_get_name(type->mro[i]->dict, ev->builtin->dataclasses->params_name)
                     : v_unbound();
    if (is_a(info, ev->builtin->dataclasses->info)) return (DataclassInfo *)info.o;
  }
  return NULL;
}

// The plain fields of a dataclass or an instance of one; NULL if it is neither.
static Tuple *dataclass_fields(Eval *ev, Value v) {
  const Type *type = is_type(ev, v) ? (const Type *)v.o : type_of(ev, v);
  const DataclassInfo *info = dataclass_info(ev, type);
  if (!info) return NULL;
  List *list = list_new(ev, info->count);
  for (size_t i = 0; i < info->count; i++) {
    if (info->fields[i]->kind == FIELD_PLAIN) list_push(ev, list, v_object(info->fields[i]));
  }
  return (Tuple *)make_tuple(ev, list->count, list->items).o;
}

static Value f_fields(Eval *ev, Value *a) {
  Tuple *fields = dataclass_fields(ev, a[0]);
  if (!fields)
    eval_raise(ev, ev->types.TypeError, "must be called with a dataclass type or instance");
  return v_object(fields);
}

static Value f_is_dataclass(Eval *ev, Value *a) {
  return v_bool(dataclass_info(ev, is_type(ev, a[0]) ? (const Type *)a[0].o : type_of(ev, a[0])) !=
                NULL);
}

static Value f_replace(Eval *ev, Value *a) {
  const DataclassInfo *info = is_type(ev, a[0]) ? NULL : dataclass_info(ev, type_of(ev, a[0]));
  if (!info)
    eval_raise(ev, ev->types.TypeError, "replace() should be called on dataclass instances");
  const Dict *changes = value_as_dict(a[1]);
  Dict *all = dict_copy(ev, changes);
  for (size_t i = 0; i < info->count; i++) {
    const Field *field = info->fields[i];
    bool is_given = !v_is_unbound(dict_get_name(changes, field->name));
    if (field->kind == FIELD_CLASS_VAR) continue;
    if (!field->init) {
      if (is_given) {
        eval_raise(ev, ev->types.ValueError,
                   "field %s is declared with init=False, it cannot be specified with replace()",
                   field->name->text);
      }
      continue;
    }
    if (is_given) continue;
    if (field->kind == FIELD_INIT_VAR && v_is_unbound(field->default_value))
      eval_raise(ev, ev->types.ValueError, "InitVar '%s' must be specified with replace()",
                 field->name->text);
    dict_set_name(ev, all, field->name, value_getattr(ev, a[0], field->name));
  }
  Args args = {0};
  Name *names = ARENA_ARRAY(ev->arena, Name, all->count);
  Value *values = ARENA_ARRAY(ev->arena, Value, all->count);
  DictEntry *entry;
  for (size_t it = 0; dict_next(all, &it, &entry); args.kw_count++) {
    names[args.kw_count] = name_intern(ev->session->interner, take_str(ev, entry->key, "field"));
    values[args.kw_count] = entry->value;
  }
  args.kw_names = names;
  args.kw_values = values;
  return value_call(ev, v_object(type_of(ev, a[0])), &args);
}

static Value f_parts(Eval *ev, Value *a) { // (name, value) of each field: for asdict and astuple
  const Tuple *fields = dataclass_fields(ev, a[0]);
  if (!fields || is_type(ev, a[0])) return v_none();
  Tuple *parts = tuple_new(ev, fields->count);
  for (size_t i = 0; i < fields->count; i++) {
    const Field *field = (const Field *)fields->items[i].o;
    parts->items[i] = make_tuple(
        ev, 2, (Value[]){make_name(ev, field->name), value_getattr(ev, a[0], field->name)});
  }
  return v_object(parts);
}

// ---- the module ---------------------------------------------------------------------------------
static Value info_flag(Eval *ev UNUSED, Value self, size_t i) {
  const DataclassInfo *info = (const DataclassInfo *)self.o;
  const bool flags[] = {info->init,  info->repr,        info->eq,
                        info->order, info->unsafe_hash, info->frozen};
  return v_bool(flags[i]);
}

static const char *const flag_names[] = {"init", "repr", "eq", "order", "unsafe_hash", "frozen"};

static Value info_getattr(Eval *ev, Value self, Name name) {
  for (size_t i = 0; i < COUNT_OF(flag_names); i++) {
    if (strcmp(flag_names[i], name->text) == 0) return info_flag(ev, self, i);
  }
  return v_unbound();
}

static Str info_repr(Eval *ev, Value self) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_c(&buf, "_DataclassParams(");
  for (size_t i = 0; i < COUNT_OF(flag_names); i++)
    buf_printf(&buf, "%s%s=%s", i > 0 ? "," : "", flag_names[i],
               info_flag(ev, self, i).i ? "True" : "False");
  buf_char(&buf, ')');
  return buf_view(&buf);
}

static const NativeType info_native = {.slots = {.getattr = info_getattr, .repr = info_repr}};

static Str missing_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "<dataclasses.%s object at %p>", self.o->type->name->text,
                    (void *)self.o);
}

static Value sentinel(Eval *ev, const char *name) {
  static const TypeSlots slots = {.repr = missing_repr};
  Object *object = ARENA_NEW(ev->arena, Object);
  object->type = type_new_native(ev, "dataclasses", name, NULL, &slots, NULL);
  return v_object(object);
}

static void init(Eval *ev, ModuleObject *module) {
  DataclassTypes *types = ARENA_NEW(ev->arena, DataclassTypes);
  ev->builtin->dataclasses = types;
  types->fields_name = name_of(ev, "__dataclass_fields__");
  types->params_name = name_of(ev, "__dataclass_params__");
  types->post_init_name = name_of(ev, "__post_init__");
  types->field = native_type_new(ev, "dataclasses", "Field", NULL, &field_native);
  types->info = native_type_new(ev, "dataclasses", "_DataclassParams", NULL, &info_native);
  types->init_var = native_type_new(ev, "dataclasses", "InitVar", NULL, &init_var_native);
  types->frozen_error = type_new_native(ev, "dataclasses", "FrozenInstanceError",
                                        ev->types.AttributeError, NULL, NULL);
  types->missing = sentinel(ev, "_MISSING_TYPE");
  types->kw_only = sentinel(ev, "_KW_ONLY_TYPE");
  dataclass_doc_init(ev, types);
  module_set(ev, module, "Field", v_object(types->field));
  module_set(ev, module, "InitVar", v_object(types->init_var));
  module_set(ev, module, "FrozenInstanceError", v_object(types->frozen_error));
  module_set(ev, module, "MISSING", types->missing);
  module_set(ev, module, "KW_ONLY", types->kw_only);
}

// The default of a parameter that is MISSING in CPython is `None` here only where that means the
// same.
static Value f_field_entry(Eval *ev, Value *a) {
  Value missing = dataclass_types(ev)->missing;
  if (v_is_unbound(a[0])) a[0] = missing;
  if (v_is_unbound(a[1])) a[1] = missing;
  if (v_is_unbound(a[7])) a[7] = missing;
  return f_field(ev, a);
}

static const NativeDef functions[] = {
    {"dataclass(cls=None, /, *, init=True, repr=True, eq=True, order=False, unsafe_hash=False, "
     "frozen=False, match_args=True, "
     "kw_only=False, slots=False, weakref_slot=False)",
     f_dataclass},
    {"field(*, default=, default_factory=, init=True, repr=True, hash=None, compare=True, "
     "metadata=None, kw_only=)",
     f_field_entry},
    {"fields(class_or_instance)", f_fields},
    {"is_dataclass(obj)", f_is_dataclass},
    {"replace(obj, /, **changes)", f_replace},
    {"_parts(obj, /)", f_parts},
    {0},
};

const ModuleDef module_dataclasses = {.name = "dataclasses", .functions = functions, .init = init};
