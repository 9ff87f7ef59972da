// SPDX-License-Identifier: Apache-2.0
// Classes as objects: making them (C3 order, slots, hooks), calling them, their attributes.
#include "base/plural.h"
#include "base/buf.h"
#include "base/collected.h"
#include "type.h"
#include "convert.h"
#include <string.h>

#include "python/values/evaluator_state.h"
#include "attribute.h"
#include "python/values/dict.h"
#include "dir.h"
#include "python/values/new_value.h"
#include "mapping.h"
#include "protocol.h"
#include "iteration.h"
#include "python/values/raise.h"
#include "type_lookup.h"
#include "value_call.h"
#include "python/values/values.h"

// ---- bare types ---------------------------------------------------------------------------------
// Makes room for one more: that of those that are garbage, if they are half of it.
static void forget_subclasses(Eval *ev, Type *base) {
  size_t count = 0;
  for (size_t i = 0; i < base->subclass_count; i++)
    if (base->subclasses[i]->object) base->subclasses[count++] = base->subclasses[i];
  base->subclass_count = count;
  if (2 * count >= base->subclass_capacity)
    base->subclasses = vec__grow(ev->arena, base->subclasses, base->subclass_count,
                                 &base->subclass_capacity, sizeof *base->subclasses);
}

static void add_subclass(Eval *ev, Type *base, Type *type) {
  if (base->subclass_count == base->subclass_capacity) forget_subclasses(ev, base);
  base->subclasses[base->subclass_count++] = arena_weak(ev->arena, type);
}

Type *type_make_bare(Eval *ev, Name name, Name module, Type *base) {
  Type *type = ARENA_NEW(ev->arena, Type);
  type->base.type = ev->types.type;
  type->name = type->qualname = name;
  type->module = module;
  type->dict = dict_new(ev);
  size_t above = base ? base->mro_count : 0;
  type->mro_count = above + 1;
  type->mro = ARENA_ARRAY(ev->arena, Type *, type->mro_count);
  type->mro[0] = type;
  if (!base) return type;
  memcpy(type->mro + 1, base->mro, above * sizeof(Type *));
  type->bases = arena_dup(ev->arena, &base, sizeof base);
  type->base_count = 1;
  type->is_exception = base->is_exception;
  type->instances_have_dict = base->instances_have_dict;
  type->layout = base->layout;
  add_subclass(ev, base, type);
  return type;
}

// Of modules that are written in C in CPython, too, messages name types with the module.
static const char *full_name(Eval *ev, const char *module, const char *name) {
  static const char *const modules[] = {"collections", "functools", "itertools", "re", "types"};
  bool is_whole = false;
  for (size_t i = 0; i < COUNT_OF(modules); i++) is_whole |= strcmp(modules[i], module) == 0;
  for (size_t i = 0; i < ev->core->extensions.count; i++)
    is_whole |= strcmp(ev->core->extensions.items[i], module) == 0;
  return is_whole ? str_format(ev->arena, "%s.%s", module, name).data : NULL;
}

void types_of_extension(Eval *ev, const char *module) {
  VEC_PUSH(ev->arena, &ev->core->extensions, module);
}

// The same for classes of our library that are written in C in CPython.
static const char *full_name_of_class(Eval *ev, const Type *type) {
  static const char *const classes[] = {
      "array.array",       "collections.OrderedDict", "datetime.IsoCalendarDate",
      "datetime.date",     "datetime.datetime",       "datetime.time",
      "datetime.timezone", "datetime.timedelta",      "datetime.tzinfo",
      "decimal.Context",   "decimal.Decimal",         "re.Pattern",
  };
  Str own = str_format(ev->arena, "%s.%s", type->module->text, type->name->text);
  for (size_t i = 0; i < COUNT_OF(classes); i++)
    if (str_equal(own, str_from_c(classes[i]))) return classes[i];
  return NULL;
}

Type *type_new_native(Eval *ev, const char *module, const char *name, Type *base,
                      const TypeSlots *slots, const NativeDef *methods) {
  Type *type =
      type_make_bare(ev, intern(ev, name), intern(ev, module), base ? base : ev->types.object);
  type->full_name = full_name(ev, module, name);
  if (base) type->base.type = base->base.type;
  if (slots) type->slots = *slots;
  type->methods = methods;
  return type;
}

void type_add_base(Eval *ev, Type *type, Type *base) {
  Type **bases = ARENA_ARRAY(ev->arena, Type *, type->base_count + 1);
  memcpy(bases, type->bases, type->base_count * sizeof *bases);
  bases[type->base_count++] = base;
  type->bases = bases;
  Type **mro = ARENA_ARRAY(ev->arena, Type *, type->mro_count + 1);
  memcpy(mro, type->mro, type->mro_count * sizeof *mro);
  mro[type->mro_count] = mro[type->mro_count - 1]; // object stays the last
  mro[type->mro_count++ - 1] = base;
  type->mro = mro;
}

Type *type_new_exception(Eval *ev, const char *module, const char *name, Type *base) {
  Type *type = type_make_bare(ev, intern(ev, name), intern(ev, module), base);
  type->is_exception = type->instances_have_dict = true;
  return type;
}

// ---- method resolution order --------------------------------------------------------------------
// The lists that C3 merges: what is left of each begins at `at`.
typedef struct MergeList {
  Type **items;
  size_t count, at;
} MergeList;

static bool is_in_a_tail(const MergeList *lists, size_t count, const Type *type) {
  for (size_t i = 0; i < count; i++)
    for (size_t k = lists[i].at + 1; k < lists[i].count; k++)
      if (lists[i].items[k] == type) return true;
  return false;
}

static Type *next_head(const MergeList *lists, size_t count, bool *is_done) {
  *is_done = true;
  for (size_t i = 0; i < count; i++) {
    if (lists[i].at == lists[i].count) continue;
    *is_done = false;
    Type *head = lists[i].items[lists[i].at];
    if (!is_in_a_tail(lists, count, head)) return head;
  }
  return NULL;
}

NORETURN static void raise_inconsistent(Eval *ev, const MergeList *lists, size_t count) {
  Buf buf;
  buf_init(&buf, ev->arena);
  VEC(Type *) named = {0};
  for (size_t i = 0; i < count; i++) {
    if (lists[i].at == lists[i].count) continue;
    Type *head = lists[i].items[lists[i].at];
    bool seen = false;
    for (size_t k = 0; k < named.count; k++) seen |= named.items[k] == head;
    if (seen) continue;
    if (named.count) buf_c(&buf, ", ");
    buf_c(&buf, head->name->text);
    VEC_PUSH(ev->arena, &named, head);
  }
  eval_raise(ev, ev->types.TypeError,
             "Cannot create a consistent method resolution\norder (MRO) for bases %.*s",
             STR_FMT(buf_view(&buf)));
}

static void make_mro(Eval *ev, Type *type) {
  size_t count = type->base_count + 1, most = 1;
  MergeList *lists = ARENA_ARRAY(ev->arena, MergeList, count);
  for (size_t i = 0; i < type->base_count; i++) {
    lists[i] = (MergeList){type->bases[i]->mro, type->bases[i]->mro_count, 0};
    most += type->bases[i]->mro_count;
  }
  lists[type->base_count] = (MergeList){type->bases, type->base_count, 0};
  type->mro = ARENA_ARRAY(ev->arena, Type *, most);
  type->mro[0] = type;
  type->mro_count = 1;
  for (;;) {
    bool is_done;
    Type *head = next_head(lists, count, &is_done);
    if (is_done) return;
    if (!head) raise_inconsistent(ev, lists, count);
    type->mro[type->mro_count++] = head;
    for (size_t i = 0; i < count; i++)
      if (lists[i].at < lists[i].count && lists[i].items[lists[i].at] == head) lists[i].at++;
  }
}

// ---- bases --------------------------------------------------------------------------------------
// The native type whose values instances of a class derived from `base` carry; NULL: none.
static Type *payload_of(const Eval *ev, Type *base) {
  if (base->is_heap) return base->payload;
  if (base == ev->types.object || base->instances_have_dict) return NULL;
  return type_is_subtype(base, ev->types.type) ? NULL : base;
}

static void take_bases(Eval *ev, Type *type, const Tuple *bases) {
  type->base_count = bases->count ? bases->count : 1;
  type->bases = ARENA_ARRAY(ev->arena, Type *, type->base_count);
  if (!bases->count) type->bases[0] = ev->types.object;
  for (size_t i = 0; i < bases->count; i++) {
    if (!is_type(ev, bases->items[i]))
      eval_raise(ev, ev->types.TypeError, "bases must be classes, not '%s' objects",
                 value_type_name(ev, bases->items[i]));
    Type *base = type->bases[i] = (Type *)bases->items[i].o;
    if (base->is_final)
      eval_raise(ev, ev->types.TypeError, "type '%s' is not an acceptable base type",
                 base->name->text);
    for (size_t k = 0; k < i; k++)
      if (type->bases[k] == base)
        eval_raise(ev, ev->types.TypeError, "duplicate base class %s", base->name->text);
    Type *payload = payload_of(ev, base);
    if (payload && type->payload && !type_is_subtype(type->payload, payload)) {
      if (!type_is_subtype(payload, type->payload))
        eval_raise(ev, ev->types.TypeError, "multiple bases have instance lay-out conflict");
      type->payload = payload;
    } else if (payload && !type->payload) {
      type->payload = payload;
    }
    type->is_exception |= base->is_exception;
  }
  if (type->is_exception && type->payload)
    eval_raise(ev, ev->types.TypeError, "multiple bases have instance lay-out conflict");
}

Type *winning_metatype(Eval *ev, Type *meta, const Tuple *bases) {
  for (size_t i = 0; i < bases->count; i++) {
    if (!is_type(ev, bases->items[i])) continue;
    Type *other = bases->items[i].o->type;
    if (type_is_subtype(meta, other)) continue;
    if (!type_is_subtype(other, meta))
      eval_raise(ev, ev->types.TypeError,
                 "metaclass conflict: the metaclass of a derived class must be a (non-strict) "
                 "subclass of the metaclasses of all its bases");
    meta = other;
  }
  return meta;
}

// ---- __slots__ ----------------------------------------------------------------------------------
static Dict *member_storage(Eval *ev, Value instance, bool needed) {
  Dict *dict = instance_dict(instance);
  if (!dict || instance.o->type->lacks_dict) return dict;
  Instance *object = (Instance *)instance.o;
  if (!object->members && needed) object->members = dict_new(ev);
  return object->members;
}

static Value member_get(Eval *ev, Value self, Value instance, Type *owner UNUSED) {
  const Member *member = (const Member *)self.o;
  if (instance.kind == V_UNBOUND) return self;
  type_check_self(ev, instance, member->owner, member->name->text);
  const Dict *dict = member_storage(ev, instance, false);
  Value value = dict ? dict_get_name(dict, member->name) : v_unbound();
  if (value.kind == V_UNBOUND)
    raise_attribute(ev, instance, member->name, "'%s' object has no attribute '%s'",
                    value_type_name(ev, instance), member->name->text);
  return value;
}

static bool member_set(Eval *ev, Value self, Value instance, Value value) {
  const Member *member = (const Member *)self.o;
  type_check_self(ev, instance, member->owner, member->name->text);
  Dict *dict = member_storage(ev, instance, true);
  if (!dict) return false;
  if (value.kind != V_UNBOUND)
    dict_set_name(ev, dict, member->name, value);
  else if (!dict_remove(ev, dict, make_name(ev, member->name)))
    raise_attribute(ev, instance, member->name, "%s", member->name->text);
  return true;
}

static Str member_repr(Eval *ev, Value self) {
  const Member *member = (const Member *)self.o;
  return str_format(ev->arena, "<member '%s' of '%s' objects>", member->name->text,
                    member->owner->name->text);
}

static Value member_getattr(Eval *ev, Value self, Name name) {
  const Member *member = (const Member *)self.o;
  if (name == ev->names->name) return make_name(ev, member->name);
  if (name == ev->names->objclass) return v_object(member->owner);
  if (name == ev->names->doc) return v_none();
  return v_unbound();
}

static void add_member(Eval *ev, Type *type, Value item) {
  Str text;
  if (!value_as_str(item, &text))
    eval_raise(ev, ev->types.TypeError, "__slots__ items must be strings, not '%s'",
               value_type_name(ev, item));
  Name name = name_intern(ev->session->interner, text);
  if (name == ev->names->dict) {
    type->lacks_dict = false;
    return;
  }
  if (name == ev->names->weakref) return;
  if (dict_get_name(type->dict, name).kind != V_UNBOUND)
    eval_raise(ev, ev->types.ValueError, "'%s' in __slots__ conflicts with class variable",
               name->text);
  Member *member = ARENA_NEW(ev->arena, Member);
  *member = (Member){{ev->core->member}, name, type};
  dict_set_name(ev, type->dict, name, v_object(member));
}

static void take_slots(Eval *ev, Type *type) {
  Value slots = dict_get_name(type->dict, ev->names->slots);
  if (slots.kind == V_UNBOUND) return;
  type->lacks_dict = true;
  for (size_t i = 0; i < type->base_count; i++) {
    const Type *base = type->bases[i];
    if (base->instances_have_dict && !base->lacks_dict) type->lacks_dict = false;
  }
  Str single;
  if (value_as_str(slots, &single)) {
    add_member(ev, type, slots);
    return;
  }
  const Tuple *items = value_to_tuple(ev, slots);
  for (size_t i = 0; i < items->count; i++) add_member(ev, type, items->items[i]);
}

// ---- making a class -----------------------------------------------------------------------------
static void wrap_function(Eval *ev, Type *type, Name name, Type *wrapper) {
  Value value = dict_get_name(type->dict, name);
  if (!is_a(value, ev->types.function)) return;
  Wrapper *wrapped = ARENA_NEW(ev->arena, Wrapper);
  *wrapped = (Wrapper){{wrapper}, value};
  dict_set_name(ev, type->dict, name, v_object(wrapped));
}

static void take_name(Eval *ev, Type *type, Name key, Name *field) {
  Str text;
  if (value_as_str(dict_get_name(type->dict, key), &text))
    *field = name_intern(ev->session->interner, text);
}

static void complete_dict(Eval *ev, Type *type) {
  const EvalNames *names = ev->names;
  take_name(ev, type, names->qualname, &type->qualname);
  dict_remove(ev, type->dict, make_name(ev, names->qualname));
  take_name(ev, type, names->module, &type->module);
  if (dict_get_name(type->dict, names->module).kind == V_UNBOUND)
    dict_set_name(ev, type->dict, names->module, make_name(ev, type->module));
  if (dict_get_name(type->dict, names->doc).kind == V_UNBOUND)
    dict_set_name(ev, type->dict, names->doc, v_none());
  if (dict_get_name(type->dict, names->compare[CMP_EQ]).kind != V_UNBOUND &&
      dict_get_name(type->dict, names->hash).kind == V_UNBOUND)
    dict_set_name(ev, type->dict, names->hash, v_none());
  wrap_function(ev, type, names->new_, ev->types.static_method);
  wrap_function(ev, type, names->init_subclass, ev->types.class_method);
  wrap_function(ev, type, names->class_getitem, ev->types.class_method);
  Value abstract = dict_get_name(type->dict, names->abstract_methods);
  type->is_abstract = abstract.kind != V_UNBOUND && value_truth(ev, abstract);
}

typedef struct SetName {
  Value value, method, items[2];
  bool bound;
} SetName;

static void call_set_name(Eval *ev, void *data) {
  SetName *call = data;
  call_special(ev, call->value, call->method, call->bound, 2, call->items);
}

static void report_names(Eval *ev, Type *type) {
  // A copy: a hook may change the class.
  size_t count = type->dict->used;
  DictEntry *entries = arena_dup(ev->arena, type->dict->entries, count * sizeof *entries);
  for (size_t i = 0; i < count; i++) {
    if (entries[i].key.kind == V_UNBOUND || entries[i].value.kind != V_OBJECT) continue;
    SetName call = {.value = entries[i].value, .items = {v_object(type), entries[i].key}};
    Type *kind = call.value.o->type;
    if (kind == ev->types.function || kind == ev->types.native) continue;
    if (!method_lookup(ev, call.value, ev->names->set_name, &call.method, &call.bound)) continue;
    Value exception;
    if (eval_try(ev, call_set_name, &call, &exception)) continue;
    ExceptionObject *error = exception_new(
        ev, ev->types.RuntimeError,
        str_format(ev->arena, "Error calling __set_name__ on '%s' instance %.*s in '%s'",
                   kind->name->text, STR_FMT(value_repr(ev, entries[i].key)), type->name->text));
    error->cause = exception;
    error->suppress_context = true;
    eval_raise_value(ev, v_object(error));
  }
}

static void report_bases(Eval *ev, Type *type, const Args *keywords) {
  Value hook = type_lookup_after(ev, type, type, ev->names->init_subclass);
  bool is_objects = is_a(hook, ev->types.native);
  if (is_objects && (!keywords || keywords->kw_count == 0)) return;
  if (is_objects)
    eval_raise(ev, ev->types.TypeError, "%s.__init_subclass__() takes no keyword arguments",
               type->name->text);
  Args args = {0};
  if (keywords) {
    args.kw_count = keywords->kw_count;
    args.kw_names = keywords->kw_names;
    args.kw_values = keywords->kw_values;
  }
  value_call(ev, attribute_bind(ev, hook, v_unbound(), type), &args);
}

static Dict *copy_dict(Eval *ev, const Dict *from) {
  Dict *dict = dict_new(ev);
  DictEntry *entry;
  for (size_t it = 0; dict_next(from, &it, &entry);) dict_set(ev, dict, entry->key, entry->value);
  return dict;
}

void class_set_owner(ClassBody *body, Type *type) {
  for (size_t i = 0; i < body->functions.count; i++) body->functions.items[i]->owner = type;
}

Type *type_new_of(Eval *ev, Type *meta, Name name, Tuple *bases, Dict *dict, const Args *keywords) {
  meta = winning_metatype(ev, meta, bases);
  Type *type = ARENA_NEW(ev->arena, Type);
  type->base.type = meta;
  type->name = type->qualname = name;
  type->module = ev->frame && ev->frame->module ? ev->frame->module->name : ev->builtins->name;
  type->is_heap = true;
  take_bases(ev, type, bases);
  make_mro(ev, type);
  type->instances_have_dict = !type_is_subtype(type, ev->types.type);
  type->dict = copy_dict(ev, dict);
  if (ev->core->pending_body && ev->core->pending_body->name == name) {
    type->body = ev->core->pending_body;
    ev->core->pending_body = NULL;
  }
  complete_dict(ev, type);
  const ModuleObject *defined_in = ev->frame ? ev->frame->module : NULL;
  if (defined_in && defined_in->file && defined_in->file->is_builtin)
    type->full_name = full_name_of_class(ev, type);
  take_slots(ev, type);
  type_changed(ev, type);
  for (size_t i = 0; i < type->base_count; i++) add_subclass(ev, type->bases[i], type);
  if (type->body) class_set_owner(type->body, type);
  report_names(ev, type);
  report_bases(ev, type, keywords);
  return type;
}

// ---- calling a class ----------------------------------------------------------------------------
static bool is_objects_own(const Eval *ev, Value method) {
  return is_a(method, ev->types.native) &&
         ((const NativeFunction *)method.o)->owner == ev->types.object;
}

NORETURN static void raise_abstract(Eval *ev, Type *type) {
  Value names = dict_get_name(type->dict, ev->names->abstract_methods);
  Value sorted = v_object(value_to_tuple(ev, names));
  List *list = list_new(ev, 0);
  const Tuple *tuple = value_as_tuple(sorted);
  for (size_t i = 0; i < tuple->count; i++) list_push(ev, list, tuple->items[i]);
  names_sort(ev, list);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < list->count; i++) {
    if (i) buf_c(&buf, ", ");
    buf_str(&buf, value_str(ev, list->items[i]));
  }
  eval_raise(ev, ev->types.TypeError,
             "Can't instantiate abstract class %s with abstract method%s %.*s", type->name->text,
             PLURAL(list->count), STR_FMT(buf_view(&buf)));
}

// object.__new__(type, …) with what came after the type.
Value object_new(Eval *ev, Type *type, size_t count, size_t kw_count) {
  if (count || kw_count) {
    if (!is_objects_own(ev, type_lookup(ev, type, ev->names->new_)))
      eval_raise(ev, ev->types.TypeError,
                 "object.__new__() takes exactly one argument (the type to instantiate)");
    if (is_objects_own(ev, type_lookup(ev, type, ev->names->init)))
      eval_raise(ev, ev->types.TypeError, "%s() takes no arguments", type->name->text);
  }
  if (type->is_abstract) raise_abstract(ev, type);
  if (type->payload || !type->instances_have_dict) {
    const Type *native = type->payload ? type->payload : type;
    if (native != ev->types.object)
      eval_raise(ev, ev->types.TypeError, "object.__new__(%s) is not safe, use %s.__new__()",
                 type->name->text, native->name->text);
    Instance *bare = ARENA_NEW(ev->arena, Instance); // object() itself
    bare->base.type = type;
    return v_object(bare);
  }
  return v_object(instance_new(ev, type));
}

// float(x), int(x) and bool(x) of an object that holds a number; unbound: of something else, or a
// number that does not become one of the type as it is.
static Value converted(Eval *ev, const Type *type, const Args *args) {
  Value x;
  bool is_number =
      type == ev->types.floating || type == ev->types.integer || type == ev->types.boolean;
  if (!is_number || args->count != 1 || args->kw_count ||
      !number_of_object(ev, args->items[0], &x) || x.kind == V_OBJECT)
    return v_unbound();
  bool is_float = x.kind == V_FLOAT;
  if (type == ev->types.floating) return is_float ? x : v_float((double)x.i);
  if (type == ev->types.boolean) return v_bool(is_float ? x.f != 0 : x.i != 0);
  if (!is_float) return v_int(x.i);
  return x.f > -0x1p62 && x.f < 0x1p62 ? v_int((int64_t)x.f) : v_unbound();
}

void type_check_init(Eval *ev, Value result) {
  if (!v_is_none(result))
    eval_raise(ev, ev->types.TypeError, "__init__() should return None, not '%s'",
               value_type_name(ev, result));
}

static bool is_exceptions_own(const Eval *ev, Value method) {
  return is_a(method, ev->types.native) &&
         ((const NativeFunction *)method.o)->owner == ev->types.BaseException;
}

// What BaseException's __new__ and __init__ make of arguments by position, but for OSError's.
static bool make_exception(Eval *ev, Type *type, const Args *args, Value *out) {
  if (args->kw_count || type->is_abstract || type_is_subtype(type, ev->types.OSError) ||
      !is_exceptions_own(ev, type_lookup(ev, type, ev->names->new_)) ||
      !is_exceptions_own(ev, type_lookup(ev, type, ev->names->init)))
    return false;
  ExceptionObject *made = (ExceptionObject *)instance_new(ev, type);
  made->args = (Tuple *)make_tuple(ev, args->count, args->items).o;
  *out = v_object(made);
  return true;
}

Value type_call(Eval *ev, Value cls, const Args *args) {
  Type *type = (Type *)cls.o;
  Value exception;
  if (type->slots.make && !type->is_heap) {
    Value made = type->slots.make(ev, args);
    if (!v_is_unbound(made)) return made;
  }
  if (type->is_exception && make_exception(ev, type, args, &exception)) return exception;
  Value number = converted(ev, type, args);
  if (!v_is_unbound(number)) return number;
  Value maker = type_lookup(ev, type, ev->names->new_), made;
  if (maker.kind == V_UNBOUND)
    eval_raise(ev, ev->types.TypeError, "cannot create '%s' instances", type->name->text);
  if (is_objects_own(ev, maker)) {
    made = object_new(ev, type, args->count, args->kw_count);
  } else {
    if (type->is_abstract) raise_abstract(ev, type);
    made = call_with_self(ev, attribute_bind(ev, maker, v_unbound(), type), cls, args);
    if (!value_is_instance(ev, made, type)) return made;
  }
  Value init = type_lookup(ev, type_of(ev, made), ev->names->init);
  if (init.kind == V_UNBOUND || is_objects_own(ev, init)) return made;
  bool direct = is_a(init, ev->types.function) || is_a(init, ev->types.native);
  Value result = direct ? call_with_self(ev, init, made, args)
                        : value_call(ev, attribute_bind(ev, init, made, type), args);
  type_check_init(ev, result);
  return made;
}

void type_members_init(Eval *ev) {
  ev->core->member->slots = (TypeSlots){.descr_get = member_get,
                                        .descr_set = member_set,
                                        .repr = member_repr,
                                        .getattr = member_getattr};
}
