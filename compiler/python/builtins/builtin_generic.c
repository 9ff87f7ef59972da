// SPDX-License-Identifier: Apache-2.0
// Types as annotations write them: list[int] (GenericAlias) and int | None (UnionType).
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/objects/generic.h"
#include "builtin_generic.h"
#include "builtin_set.h"
#include "builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include <string.h>

// "jax.numpy.float32" of what is no class and has the names of one; else empty.
static Str named_repr(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || value_is_type(ev, v)) return (Str){0};
  Str module = {0}, name = {0};
  value_as_str(value_getattr_opt(ev, v, ev->builtin->names.dunder_module), &module);
  value_as_str(value_getattr_opt(ev, v, name_of(ev, "__qualname__")), &name);
  if (!module.len || !name.len) return (Str){0};
  return str_format(ev->arena, "%.*s.%.*s", STR_FMT(module), STR_FMT(name));
}

Str annotation_repr(Eval *ev, Value v) {
  if (v.kind == V_ELLIPSIS) return STR("...");
  if (v.kind == V_OBJECT && v.o == (Object *)ev->types.none) return STR("None");
  if (value_is_type(ev, v) && !is_generic_alias(ev, v)) {
    const Type *type = (const Type *)v.o;
    Str module = {0};
    value_as_str(value_getattr_opt(ev, v, ev->builtin->names.dunder_module), &module);
    if (module.len == 0 || str_equal(module, STR("builtins"))) return name_str(type->qualname);
    return str_format(ev->arena, "%.*s.%s", STR_FMT(module), type->qualname->text);
  }
  Str named = is_generic_alias(ev, v) ? (Str){0} : named_repr(ev, v);
  if (named.len) return named;
  const List *list = value_as_list(v);
  if (!list) return value_repr(ev, v);
  Buf buf; // the parameters of Callable[[int, str], None]
  buf_init(&buf, ev->arena);
  buf_char(&buf, '[');
  for (size_t i = 0; i < list->count; i++) {
    if (i > 0) buf_c(&buf, ", ");
    buf_str(&buf, annotation_repr(ev, list->items[i]));
  }
  buf_char(&buf, ']');
  return buf_view(&buf);
}

// ---- GenericAlias -------------------------------------------------------------------------------
static GenericAlias *self_alias(Value self) { return (GenericAlias *)value_unwrap(self).o; }

// A type variable says so by having __typing_subst__, as CPython's do.
static bool is_type_variable(Eval *ev, Value v) {
  if (v.kind != V_OBJECT || value_is_type(ev, v)) return false;
  return !v_is_unbound(type_lookup(ev, v.o->type, name_of(ev, "__typing_subst__")));
}

static void add_once(Eval *ev, List *list, Value item) {
  for (size_t i = 0; i < list->count; i++) {
    if (value_is(list->items[i], item)) return;
  }
  list_push(ev, list, item);
}

static void gather_parameters(Eval *ev, List *out, const Value *args, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const List *list = value_as_list(args[i]);
    if (is_type_variable(ev, args[i])) {
      add_once(ev, out, args[i]);
    } else if (list) {
      gather_parameters(ev, out, list->items, list->count);
    } else if (args[i].kind == V_OBJECT && !value_is_type(ev, args[i])) {
      const Tuple *inner =
          value_as_tuple(value_getattr_opt(ev, args[i], name_of(ev, "__parameters__")));
      for (size_t k = 0; inner && k < inner->count; k++) add_once(ev, out, inner->items[k]);
    }
  }
}

Tuple *type_parameters(Eval *ev, const Value *args, size_t count) {
  List *list = list_new(ev, 0);
  gather_parameters(ev, list, args, count);
  return (Tuple *)make_tuple(ev, list->count, list->items).o;
}

static Tuple *alias_parameters(Eval *ev, GenericAlias *alias) {
  if (!alias->parameters)
    alias->parameters = type_parameters(ev, alias->args->items, alias->args->count);
  return alias->parameters;
}

// An argument with the type variables replaced.
static Value substituted(Eval *ev, Value arg, const Tuple *parameters, const Tuple *items) {
  for (size_t i = 0; i < parameters->count; i++) {
    if (value_is(arg, parameters->items[i])) return items->items[i];
  }
  const List *list = value_as_list(arg);
  if (list) {
    List *out = list_new(ev, list->count);
    for (size_t i = 0; i < list->count; i++)
      list_push(ev, out, substituted(ev, list->items[i], parameters, items));
    return v_object(out);
  }
  if (arg.kind != V_OBJECT || value_is_type(ev, arg)) return arg;
  const Tuple *inner = value_as_tuple(value_getattr_opt(ev, arg, name_of(ev, "__parameters__")));
  if (!inner || inner->count == 0) return arg;
  Tuple *chosen = tuple_new(ev, inner->count);
  for (size_t i = 0; i < inner->count; i++)
    chosen->items[i] = substituted(ev, inner->items[i], parameters, items);
  return value_getitem(ev, arg, v_object(chosen));
}

// The arguments of a generic alias with its parameters replaced by what `index` gives.
Tuple *type_substitute(Eval *ev, Value alias, const Tuple *old, const Tuple *parameters,
                       Value index) {
  if (parameters->count == 0) {
    Str shown = value_repr(ev, alias);
    eval_raise(ev, ev->types.TypeError, "%.*s is not a generic class", STR_FMT(shown));
  }
  const Tuple *items = value_as_tuple(index);
  if (!items) items = (const Tuple *)make_tuple(ev, 1, &index).o;
  if (items->count != parameters->count) {
    Str shown = value_repr(ev, alias);
    eval_raise(ev, ev->types.TypeError, "Too %s arguments for %.*s; actual %zu, expected %zu",
               items->count > parameters->count ? "many" : "few", STR_FMT(shown), items->count,
               parameters->count);
  }
  Tuple *args = tuple_new(ev, old->count);
  for (size_t i = 0; i < args->count; i++)
    args->items[i] = substituted(ev, old->items[i], parameters, items);
  return args;
}

static Value alias_getitem(Eval *ev, Value self, Value index) {
  GenericAlias *alias = self_alias(self);
  Tuple *args = type_substitute(ev, self, alias->args, alias_parameters(ev, alias), index);
  return make_generic_alias(ev, alias->origin, v_object(args));
}

static Value alias_call(Eval *ev, Value self, const Args *args) {
  return value_call(ev, self_alias(self)->origin, args);
}

static Value alias_getattr(Eval *ev, Value self, Name name) {
  GenericAlias *alias = self_alias(self);
  const struct BuiltinNames *names = &ev->builtin->names;
  if (name == names->dunder_origin) return alias->origin;
  if (name == names->dunder_args) return v_object(alias->args);
  if (str_equal(name_str(name), STR("__parameters__")))
    return v_object(alias_parameters(ev, alias));
  if (str_equal(name_str(name), STR("__unpacked__"))) return v_bool(false);
  return value_getattr_opt(ev, alias->origin, name);
}

static Value alias_mro_entries(Eval *ev, Value *a) {
  return make_tuple(ev, 1, &self_alias(a[0])->origin);
}

static Value alias_instancecheck(Eval *ev, Value *a UNUSED) {
  eval_raise(ev, ev->types.TypeError, "isinstance() argument 2 cannot be a parameterized generic");
}

static Value alias_subclasscheck(Eval *ev, Value *a UNUSED) {
  eval_raise(ev, ev->types.TypeError, "issubclass() argument 2 cannot be a parameterized generic");
}

static Value alias_make(Eval *ev, Value *a) { return make_generic_alias(ev, a[1], a[2]); }

static Str alias_repr(Eval *ev, Value self) {
  const GenericAlias *alias = self_alias(self);
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_str(&buf, annotation_repr(ev, alias->origin));
  buf_char(&buf, '[');
  for (size_t i = 0; i < alias->args->count; i++) {
    if (i > 0) buf_c(&buf, ", ");
    buf_str(&buf, annotation_repr(ev, alias->args->items[i]));
  }
  buf_c(&buf, alias->args->count == 0 ? "()]" : "]");
  return buf_view(&buf);
}

static Value alias_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (!is_generic_alias(ev, right) || (op != CMP_EQ && op != CMP_NE)) return v_not_implemented();
  const GenericAlias *a = self_alias(left), *b = self_alias(right);
  bool equal = same_or_equal(ev, a->origin, b->origin) &&
               same_or_equal(ev, v_object(a->args), v_object(b->args));
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t alias_hash(Eval *ev, Value self) {
  const GenericAlias *alias = self_alias(self);
  return value_hash(ev, alias->origin) ^ value_hash(ev, v_object(alias->args));
}

static Value union_of_types(Eval *ev, BinaryOp op, Value left, Value right) {
  return op == BIN_OR ? make_union(ev, left, right) : v_not_implemented();
}

static const NativeType alias_type = {
    .slots = {.call = alias_call,
              .getitem = alias_getitem,
              .getattr = alias_getattr,
              .repr = alias_repr,
              .compare = alias_compare,
              .hash = alias_hash,
              .binary = union_of_types},
    .methods = (const NativeDef[]){{"__new__(cls, origin, args, /)", alias_make},
                                   {"__mro_entries__(self, bases, /)", alias_mro_entries},
                                   {"__instancecheck__(self, instance, /)", alias_instancecheck},
                                   {"__subclasscheck__(self, cls, /)", alias_subclasscheck},
                                   {0}},
};

// ---- UnionType ----------------------------------------------------------------------------------
static Str union_repr(Eval *ev, Value self) {
  const Tuple *args = union_args(self);
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < args->count; i++) {
    if (i > 0) buf_c(&buf, " | ");
    buf_str(&buf, annotation_repr(ev, args->items[i]));
  }
  return buf_view(&buf);
}

static Value union_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (!is_union_type(ev, right) || (op != CMP_EQ && op != CMP_NE)) return v_not_implemented();
  Value a = v_object(set_from(ev, v_object(union_args(left)))),
        b = v_object(set_from(ev, v_object(union_args(right))));
  return value_compare(ev, op, a, b);
}

static uint64_t union_hash(Eval *ev, Value self) {
  Value args = v_object(union_args(self));
  return value_hash(ev, value_call_n(ev, v_object(ev->types.frozenset), 1, &args));
}

static Value union_getattr(Eval *ev, Value self, Name name) {
  if (name == ev->builtin->names.dunder_args) return v_object(union_args(self));
  if (!str_equal(name_str(name), STR("__parameters__"))) return v_unbound();
  return v_object(type_parameters(ev, union_args(self)->items, union_args(self)->count));
}

static const NativeType union_type = {
    .slots = {.repr = union_repr,
              .compare = union_compare,
              .hash = union_hash,
              .binary = union_of_types,
              .getattr = union_getattr},
};

void builtin_generic_init(Eval *ev) {
  native_type_define(ev, ev->types.generic_alias, &alias_type);
  native_type_define(ev, ev->types.union_type, &union_type);
  ev->types.union_type->is_final = true;
}
