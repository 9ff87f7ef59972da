// SPDX-License-Identifier: Apache-2.0
// The methods that dataclass() gives a class: closures over its DataclassInfo.
#include "base/buf.h"
#include "std_dataclasses.h"
#include "python/builtins/builtin_generic.h"
#include "python/builtins/text/builtin_str.h"
#include "python/builtins/builtin_tuple.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/attribute_at.h"
#include "python/objects/bind.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

static DataclassInfo *info_of(const Closure *closure) { return closure->data; }

enum { FEW_FIELDS = 16 };

// ---- __init__ -----------------------------------------------------------------------------------
static void set_field(Eval *ev, const DataclassInfo *info, Value self, Field *field, Value value) {
  if (info->frozen) {
    object_setattr(ev, self, field->name, value);
  } else {
    value_setattr_at(ev, self, field->name, value, &field->place);
  }
}

// Fields that are no parameters but have a factory.
static void set_others(Eval *ev, const DataclassInfo *info, Value self) {
  for (size_t i = 0; i < info->count; i++) {
    Field *field = info->fields[i];
    if (field->init || field->kind != FIELD_PLAIN) continue;
    if (!v_is_unbound(field->default_factory)) {
      set_field(ev, info, self, field, value_call_n(ev, field->default_factory, 0, NULL));
    } else if (!v_is_unbound(field->default_value) && type_of(ev, self)->lacks_dict) {
      set_field(ev, info, self, field, field->default_value);
    }
  }
}

static void call_post_init(Eval *ev, const DataclassInfo *info, Value self, const Value *slots) {
  Value *items = ARENA_ARRAY(ev->arena, Value, info->init_count);
  size_t count = 0;
  for (size_t k = 0; k < info->count; k++) { // InitVars in the order of the class
    if (info->fields[k]->kind != FIELD_INIT_VAR) continue;
    for (size_t i = 0; i < info->init_count; i++) {
      if (info->init_fields[i] == info->fields[k]) items[count++] = slots[i + 1];
    }
  }
  Value hook = value_getattr(ev, self, dataclass_types(ev)->post_init_name);
  value_call_n(ev, hook, count, items);
}

static Value init_call(Eval *ev, Closure *closure, const Args *args) {
  const DataclassInfo *info = info_of(closure);
  size_t count = info->params.count;
  Value few[FEW_FIELDS], *slots = few;
  if (count > COUNT_OF(few)) slots = ARENA_ARRAY(ev->arena, Value, count);
  if (args->kw_count == 0 && args->count == count && info->params.positional == count) {
    memcpy(slots, args->items, count * sizeof *slots);
  } else {
    memset(slots, 0, count * sizeof *slots);
    params_bind(ev, name_str(closure->qualname), &info->params, info->defaults, args, slots, false);
  }
  Value self = slots[0], marker = dataclass_types(ev)->missing;
  // In the order of the class, keyword-only ones after the others of the signature but set in their
  // place.
  for (size_t k = 0; k < info->count; k++) {
    Field *field = info->fields[k];
    if (field->kind != FIELD_PLAIN || !field->init) continue;
    size_t i = 0;
    while (info->init_fields[i] != field) i++;
    Value value = slots[i + 1];
    if (value_is(value, marker) && !v_is_unbound(field->default_factory))
      value = value_call_n(ev, field->default_factory, 0, NULL);
    set_field(ev, info, self, field, value);
  }
  set_others(ev, info, self);
  if (info->has_post_init) call_post_init(ev, info, self, slots);
  return v_none();
}

// ---- __repr__ -----------------------------------------------------------------------------------
static void repr_body(Eval *ev, Value self, Buf *out) {
  const DataclassInfo *info = NULL; // of the class that defines __repr__
  const Type *type = type_of(ev, self);
  for (size_t i = 0; i < type->mro_count && !info; i++) {
    Value own = dict_get_name(type->mro[i]->dict, ev->names->repr);
    if (is_a(own, ev->builtin->closure)) info = info_of((const Closure *)own.o);
  }
  if (!info) info = dataclass_info(ev, type);
  buf_printf(out, "%s(", type->qualname->text);
  bool is_first = true;
  for (size_t i = 0; i < info->count; i++) {
    const Field *field = info->fields[i];
    if (field->kind != FIELD_PLAIN || !field->repr) continue;
    buf_printf(out, "%s%s=", is_first ? "" : ", ", field->name->text);
    value_put_repr(ev, value_getattr(ev, self, field->name), out);
    is_first = false;
  }
  buf_char(out, ')');
}

static Value repr_call(Eval *ev, Closure *closure, const Args *args);

// The slot of a dataclass, for as long as its __repr__ is the one that was made.
static void dataclass_put_repr(Eval *ev, Value self, Buf *out) {
  Value own = type_lookup(ev, type_of(ev, self), ev->names->repr);
  if (is_a(own, ev->builtin->closure) && ((const Closure *)own.o)->fn == repr_call)
    guarded_repr(ev, self, out, repr_body, "...");
  else
    buf_str(out, value_repr(ev, self));
}

static Value repr_call(Eval *ev, Closure *closure UNUSED, const Args *args) {
  Buf buf;
  buf_init(&buf, ev->arena);
  guarded_repr(ev, args->items[0], &buf, repr_body, "...");
  return str_share(ev, buf_view(&buf));
}

// ---- comparison and hash ------------------------------------------------------------------------
static size_t compared(Eval *ev, const DataclassInfo *info, Value self, Value *items) {
  size_t count = 0;
  for (size_t i = 0; i < info->count; i++) {
    Field *field = info->fields[i];
    if (field->kind == FIELD_PLAIN && field->compare)
      items[count++] = value_getattr_at(ev, self, field->name, &field->place);
  }
  return count;
}

static void check_two(Eval *ev, const Closure *closure, const Args *args) {
  if (args->count == 2 && args->kw_count == 0) return;
  eval_raise(ev, ev->types.TypeError, "%s() takes 2 positional arguments but %zu were given",
             closure->qualname->text, args->count);
}

static Value compare_by(Eval *ev, Closure *closure, const Args *args, CompareOp op) {
  check_two(ev, closure, args);
  Value self = args->items[0], other = args->items[1];
  if (type_of(ev, self) != type_of(ev, other)) return v_not_implemented();
  const DataclassInfo *info = info_of(closure);
  Value few[2 * FEW_FIELDS], *a = few, *b = few + FEW_FIELDS;
  if (info->count > FEW_FIELDS) {
    a = ARENA_ARRAY(ev->arena, Value, info->count);
    b = ARENA_ARRAY(ev->arena, Value, info->count);
  }
  size_t a_count = compared(ev, info, self, a), b_count = compared(ev, info, other, b);
  return sequence_compare(ev, op, a, a_count, b, b_count);
}

static Value eq_call(Eval *ev, Closure *closure, const Args *args) {
  return compare_by(ev, closure, args, CMP_EQ);
}

static Value lt_call(Eval *ev, Closure *closure, const Args *args) {
  return compare_by(ev, closure, args, CMP_LT);
}

static Value le_call(Eval *ev, Closure *closure, const Args *args) {
  return compare_by(ev, closure, args, CMP_LE);
}

static Value gt_call(Eval *ev, Closure *closure, const Args *args) {
  return compare_by(ev, closure, args, CMP_GT);
}

static Value ge_call(Eval *ev, Closure *closure, const Args *args) {
  return compare_by(ev, closure, args, CMP_GE);
}

static Value hash_call(Eval *ev, Closure *closure, const Args *args) {
  const DataclassInfo *info = info_of(closure);
  Value *items = ARENA_ARRAY(ev->arena, Value, info->count);
  size_t count = 0;
  for (size_t i = 0; i < info->count; i++) {
    const Field *field = info->fields[i];
    if (field->kind != FIELD_PLAIN) continue;
    bool counts = v_is_none(field->hash) ? field->compare : value_truth(ev, field->hash);
    if (counts) items[count++] = value_getattr(ev, args->items[0], field->name);
  }
  return v_int((int64_t)hash_items(ev, items, count));
}

// ---- frozen -------------------------------------------------------------------------------------
static bool is_field_name(const DataclassInfo *info, Str name) {
  for (size_t i = 0; i < info->count; i++) {
    if (info->fields[i]->kind == FIELD_PLAIN && str_equal(name_str(info->fields[i]->name), name))
      return true;
  }
  return false;
}

// Passes on to the next class, unless the attribute may not change.
static Value refuse_or_pass(Eval *ev, Closure *closure, const Args *args, const char *verb,
                            Name method) {
  const DataclassInfo *info = info_of(closure);
  Value self = args->items[0];
  Str name = take_str(ev, args->items[1], "attribute name");
  if (type_of(ev, self) == info->cls || is_field_name(info, name))
    eval_raise(ev, dataclass_types(ev)->frozen_error, "cannot %s field '%.*s'", verb,
               STR_FMT(name));
  Value next = type_lookup_after(ev, type_of(ev, self), info->cls, method);
  Args rest = *args;
  rest.items++;
  rest.count--;
  return call_with_self(ev, next, self, &rest);
}

static Value setattr_call(Eval *ev, Closure *closure, const Args *args) {
  return refuse_or_pass(ev, closure, args, "assign to", ev->names->setattr);
}

static Value delattr_call(Eval *ev, Closure *closure, const Args *args) {
  return refuse_or_pass(ev, closure, args, "delete", ev->names->delattr);
}

// ---- __doc__: "C(x: int, y: int = 0)", made when it is asked for --------------------------------
typedef struct Doc {
  Object base;
  DataclassInfo *info;
} Doc;

static Str annotation_text(Eval *ev, Value type) {
  Str text;
  if (value_as_str(type, &text)) return value_repr(ev, type);
  text = is_type(ev, type) || is_a(type, ev->types.generic_alias) ? annotation_repr(ev, type)
                                                                  : value_repr(ev, type);
  Str prefix = STR("typing.");
  if (!is_type(ev, type) && str_starts_with(text, prefix))
    text = (Str){text.data + prefix.len, text.len - prefix.len};
  return text;
}

static Value doc_get(Eval *ev, Value self, Value instance UNUSED, Type *owner) {
  const DataclassInfo *info = ((const Doc *)self.o)->info;
  if (owner != info->cls && owner) return v_none();
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_printf(&buf, "%s(", info->cls->name->text);
  for (size_t i = 0; i < info->init_count && info->init; i++) {
    Field *field = info->init_fields[i];
    if (i > 0) buf_c(&buf, ", ");
    if (i == info->init_positional) buf_c(&buf, "*, ");
    Str type = annotation_text(ev, value_getattr_c(ev, v_object(field), "type"));
    buf_printf(&buf, "%s: %.*s", field->name->text, STR_FMT(type));
    if (!v_is_unbound(field->default_factory)) {
      buf_c(&buf, " = <factory>");
    } else if (!v_is_unbound(field->default_value)) {
      Str value = value_repr(ev, field->default_value);
      buf_printf(&buf, " = %.*s", STR_FMT(value));
    }
  }
  buf_char(&buf, ')');
  return make_str(ev, buf_view(&buf));
}

void dataclass_doc_init(Eval *ev, DataclassTypes *types) {
  static const NativeType doc_type = {.slots = {.descr_get = doc_get}};
  types->doc = native_type_new(ev, "dataclasses", "_doc", NULL, &doc_type);
}

// ---- adding them --------------------------------------------------------------------------------
static bool is_own(const DataclassInfo *info, Name name) {
  return !v_is_unbound(dict_get_name(info->cls->dict, name));
}

static void add_method(Eval *ev, DataclassInfo *info, Name name,
                       Value (*fn)(Eval *, Closure *, const Args *)) {
  Value method = make_closure(ev, name->text, fn, info, true);
  Closure *closure = (Closure *)method.o;
  closure->qualname =
      name_of(ev, str_format(ev->arena, "%s.%s", info->cls->qualname->text, name->text).data);
  dict_set_name(ev, info->cls->dict, name, method);
}

static NORETURN void raise_overwrite(Eval *ev, const DataclassInfo *info, Name name,
                                     const char *advice) {
  eval_raise(ev, ev->types.TypeError, "Cannot overwrite attribute %s in class %s%s", name->text,
             info->cls->name->text, advice);
}

static void add_order(Eval *ev, DataclassInfo *info) {
  Value (*const functions[])(Eval *, Closure *, const Args *) = {lt_call, le_call, gt_call,
                                                                 ge_call};
  for (int i = 0; i < 4; i++) {
    Name name = ev->names->compare[CMP_LT + i];
    if (is_own(info, name))
      raise_overwrite(ev, info, name, ". Consider using functools.total_ordering");
    add_method(ev, info, name, functions[i]);
  }
}

static void add_frozen(Eval *ev, DataclassInfo *info) {
  if (is_own(info, ev->names->setattr)) raise_overwrite(ev, info, ev->names->setattr, "");
  if (is_own(info, ev->names->delattr)) raise_overwrite(ev, info, ev->names->delattr, "");
  add_method(ev, info, ev->names->setattr, setattr_call);
  add_method(ev, info, ev->names->delattr, delattr_call);
}

// `had_eq`: __eq__ is the program's own; a None beside it is not a hash of its own.
static void add_hash(Eval *ev, DataclassInfo *info, bool had_eq) {
  Value own = dict_get_name(info->cls->dict, ev->names->hash);
  bool is_explicit = !v_is_unbound(own) && !(v_is_none(own) && had_eq);
  if (info->unsafe_hash) {
    if (is_explicit) raise_overwrite(ev, info, ev->names->hash, "");
    add_method(ev, info, ev->names->hash, hash_call);
  } else if (info->eq && !is_explicit) {
    if (info->frozen) {
      add_method(ev, info, ev->names->hash, hash_call);
    } else {
      dict_set_name(ev, info->cls->dict, ev->names->hash, v_none());
    }
  }
}

static void add_doc_and_match(Eval *ev, DataclassInfo *info, bool match_args) {
  Value doc = dict_get_name(info->cls->dict, ev->names->doc);
  if (v_is_unbound(doc) || v_is_none(doc)) {
    Doc *made = ARENA_NEW(ev->arena, Doc);
    *made = (Doc){{dataclass_types(ev)->doc}, info};
    dict_set_name(ev, info->cls->dict, ev->names->doc, v_object(made));
  }
  if (!match_args || is_own(info, ev->names->match_args)) return;
  Tuple *names = tuple_new(ev, info->init_positional);
  for (size_t i = 0; i < names->count; i++)
    names->items[i] = make_name(ev, info->init_fields[i]->name);
  dict_set_name(ev, info->cls->dict, ev->names->match_args, v_object(names));
}

void dataclass_add_methods(Eval *ev, DataclassInfo *info, const DataclassOptions *options) {
  const EvalNames *names = ev->names;
  bool had_eq = is_own(info, names->compare[CMP_EQ]);
  if (info->init && !is_own(info, names->init)) add_method(ev, info, names->init, init_call);
  if (info->repr && !is_own(info, names->repr)) {
    add_method(ev, info, names->repr, repr_call);
    info->cls->slots.put_repr = dataclass_put_repr;
  }
  if (info->eq && !had_eq) add_method(ev, info, names->compare[CMP_EQ], eq_call);
  if (info->order) add_order(ev, info);
  if (info->frozen) add_frozen(ev, info);
  add_hash(ev, info, had_eq);
  add_doc_and_match(ev, info, options->match_args);
}
