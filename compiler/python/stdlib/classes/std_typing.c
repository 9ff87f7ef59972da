// SPDX-License-Identifier: Apache-2.0
// The module typing: its special forms and what subscripting them makes. Annotations say nothing to
// the compiler, but programs build them, print them, derive from them and ask isinstance() about
// them. Classes to derive from are in std_typing_class.c, NamedTuple, TypedDict and what is rare in
// library/typing.pk.
#include "base/buf.h"
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "std_typing.h"
#include <string.h>
#include "python/builtins/builtin_generic.h"
#include "python/builtins/builtin_set.h"
#include "python/builtins/builtin_tuple.h"
#include "python/builtins/builtin_wrap.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"

// ---- the forms ----------------------------------------------------------------------------------
// Name, kind, and for an alias of a class its module and name.
static const FormDef forms[] = {
    {"NoReturn", FORM_PLAIN, NULL, NULL},
    {"Never", FORM_PLAIN, NULL, NULL},
    {"Self", FORM_PLAIN, NULL, NULL},
    {"LiteralString", FORM_PLAIN, NULL, NULL},
    {"TypeAlias", FORM_PLAIN, NULL, NULL},
    {"ClassVar", FORM_CLASS_VAR, NULL, NULL},
    {"Final", FORM_ONE, NULL, NULL},
    {"TypeGuard", FORM_ONE, NULL, NULL},
    {"TypeIs", FORM_ONE, NULL, NULL},
    {"Required", FORM_ONE, NULL, NULL},
    {"NotRequired", FORM_ONE, NULL, NULL},
    {"ReadOnly", FORM_ONE, NULL, NULL},
    {"Unpack", FORM_UNPACK, NULL, NULL},
    {"Concatenate", FORM_MANY, NULL, NULL},
    {"Optional", FORM_OPTIONAL, NULL, NULL},
    {"Union", FORM_UNION, NULL, NULL},
    {"Literal", FORM_LITERAL, NULL, NULL},
    {"Callable", FORM_CALLABLE, "collections.abc", "Callable"},
    {"Tuple", FORM_ALIAS, "builtins", "tuple"},
    {"List", FORM_ALIAS, "builtins", "list"},
    {"Dict", FORM_ALIAS, "builtins", "dict"},
    {"Set", FORM_ALIAS, "builtins", "set"},
    {"FrozenSet", FORM_ALIAS, "builtins", "frozenset"},
    {"Type", FORM_ALIAS, "builtins", "type"},
    {"Deque", FORM_ALIAS, "collections", "deque"},
    {"DefaultDict", FORM_ALIAS, "collections", "defaultdict"},
    {"OrderedDict", FORM_ALIAS, "collections", "OrderedDict"},
    {"Counter", FORM_ALIAS, "collections", "Counter"},
    {"ChainMap", FORM_ALIAS, "collections", "ChainMap"},
    {"AbstractSet", FORM_ALIAS, "collections.abc", "Set"},
    {"AsyncGenerator", FORM_ALIAS, "collections.abc", "AsyncGenerator"},
    {"AsyncIterable", FORM_ALIAS, "collections.abc", "AsyncIterable"},
    {"AsyncIterator", FORM_ALIAS, "collections.abc", "AsyncIterator"},
    {"Awaitable", FORM_ALIAS, "collections.abc", "Awaitable"},
    {"ByteString", FORM_ALIAS, "collections.abc", "ByteString"},
    {"Collection", FORM_ALIAS, "collections.abc", "Collection"},
    {"Container", FORM_ALIAS, "collections.abc", "Container"},
    {"Coroutine", FORM_ALIAS, "collections.abc", "Coroutine"},
    {"Generator", FORM_ALIAS, "collections.abc", "Generator"},
    {"Hashable", FORM_ALIAS, "collections.abc", "Hashable"},
    {"ItemsView", FORM_ALIAS, "collections.abc", "ItemsView"},
    {"Iterable", FORM_ALIAS, "collections.abc", "Iterable"},
    {"Iterator", FORM_ALIAS, "collections.abc", "Iterator"},
    {"KeysView", FORM_ALIAS, "collections.abc", "KeysView"},
    {"Mapping", FORM_ALIAS, "collections.abc", "Mapping"},
    {"MappingView", FORM_ALIAS, "collections.abc", "MappingView"},
    {"MutableMapping", FORM_ALIAS, "collections.abc", "MutableMapping"},
    {"MutableSequence", FORM_ALIAS, "collections.abc", "MutableSequence"},
    {"MutableSet", FORM_ALIAS, "collections.abc", "MutableSet"},
    {"Reversible", FORM_ALIAS, "collections.abc", "Reversible"},
    {"Sequence", FORM_ALIAS, "collections.abc", "Sequence"},
    {"Sized", FORM_ALIAS, "collections.abc", "Sized"},
    {"ValuesView", FORM_ALIAS, "collections.abc", "ValuesView"},
    {"ContextManager", FORM_ALIAS, "contextlib", "AbstractContextManager"},
    {"AsyncContextManager", FORM_ALIAS, "contextlib", "AbstractAsyncContextManager"},
    {"Pattern", FORM_ALIAS, "re", "Pattern"},
    {"Match", FORM_ALIAS, "re", "Match"},
};

const FormDef *typing_form(Eval *ev, Value v) {
  return is_a(v, ev->builtin->typing_form) ? ((const Form *)v.o)->def : NULL;
}

TypingAlias *typing_alias(Eval *ev, Value v) {
  return is_a(v, ev->builtin->typing_alias) ? (TypingAlias *)v.o : NULL;
}

static Value find_form(Eval *ev, const char *name) { return module_lookup(ev, "typing", name); }

// The class that List stands for; V_UNBOUND if the form stands for none.
static Value form_origin(Eval *ev, const FormDef *def) {
  return def->module ? module_lookup(ev, def->module, def->origin) : v_unbound();
}

// ---- arguments ----------------------------------------------------------------------------------
static Value make_forward_ref(Eval *ev, Value text) {
  ForwardRef *ref = ARENA_NEW(ev->arena, ForwardRef);
  *ref = (ForwardRef){{ev->builtin->forward_ref}, text};
  return v_object(ref);
}

// None is its type, a text a forward reference.
Value typing_argument(Eval *ev, Value v) {
  if (v_is_none(v)) return v_object(ev->types.none);
  if (value_as_str(v, &(Str){0})) return make_forward_ref(ev, v);
  return v;
}

static Str argument_repr(Eval *ev, Value v) {
  if (v.kind == V_OBJECT && v.o == (Object *)ev->types.none) return STR("NoneType");
  return annotation_repr(ev, v);
}

static Tuple *as_items(Eval *ev, Value index) {
  Tuple *items = value_as_tuple(index);
  return items ? items : (Tuple *)make_tuple(ev, 1, &index).o;
}

static Tuple *converted(Eval *ev, const Tuple *items) {
  Tuple *out = tuple_new(ev, items->count);
  for (size_t i = 0; i < items->count; i++) out->items[i] = typing_argument(ev, items->items[i]);
  return out;
}

Value make_typing_alias(Eval *ev, Value form, Value origin, Tuple *args) {
  TypingAlias *alias = ARENA_NEW(ev->arena, TypingAlias);
  *alias = (TypingAlias){
      .base.type = ev->builtin->typing_alias, .form = form, .origin = origin, .args = args};
  return v_object(alias);
}

// ---- unions -------------------------------------------------------------------------------------
static bool is_union_alias(Eval *ev, Value v) {
  const TypingAlias *alias = typing_alias(ev, v);
  const FormDef *def = alias ? typing_form(ev, alias->form) : NULL;
  return def && def->kind == FORM_UNION;
}

static void add_member(Eval *ev, List *members, Value v) {
  const Tuple *inner = NULL;
  if (is_union_alias(ev, v)) inner = typing_alias(ev, v)->args;
  if (is_a(v, ev->types.union_type))
    inner = value_as_tuple(value_getattr(ev, v, ev->builtin->names.dunder_args));
  if (inner) {
    for (size_t i = 0; i < inner->count; i++) add_member(ev, members, inner->items[i]);
    return;
  }
  v = typing_argument(ev, v);
  for (size_t i = 0; i < members->count; i++) {
    if (same_or_equal(ev, members->items[i], v)) return;
  }
  list_push(ev, members, v);
}

static Value make_typing_union(Eval *ev, const Value *items, size_t count) {
  if (count == 0) eval_raise(ev, ev->types.TypeError, "Cannot take a Union of no types.");
  List *members = list_new(ev, count);
  for (size_t i = 0; i < count; i++) {
    if (value_as_tuple(items[i]))
      eval_raise(ev, ev->types.TypeError, "Union[arg, ...]: each arg must be a type. Got %.*s.",
                 STR_FMT(value_repr(ev, items[i])));
    add_member(ev, members, items[i]);
  }
  if (members->count == 1) return members->items[0];
  Value form = find_form(ev, "Union");
  return make_typing_alias(ev, form, form,
                           (Tuple *)make_tuple(ev, members->count, members->items).o);
}

Value typing_or(Eval *ev, BinaryOp op, Value left, Value right) {
  if (op != BIN_OR) return v_not_implemented();
  return make_typing_union(ev, (Value[]){left, right}, 2);
}

// ---- subscripting -------------------------------------------------------------------------------
static Value subscript_callable(Eval *ev, Value form, Value index) {
  const Tuple *pair = value_as_tuple(index);
  if (!pair || pair->count != 2)
    eval_raise(ev, ev->types.TypeError, "Callable must be used as Callable[[arg, ...], result].");
  const List *list = value_as_list(pair->items[0]);
  size_t count = list ? list->count : 1;
  Tuple *args = tuple_new(ev, count + 1); // flat: parameters, then the result
  for (size_t i = 0; i < count; i++)
    args->items[i] = typing_argument(ev, list ? list->items[i] : pair->items[0]);
  args->items[count] = typing_argument(ev, pair->items[1]);
  Value made = make_typing_alias(ev, form, v_unbound(), args);
  ((TypingAlias *)made.o)->is_open = !list; // Callable[..., T] or Callable[P, T]
  return made;
}

static Value subscript_literal(Eval *ev, Value form, Value index) {
  const Tuple *items = as_items(ev, index);
  List *flat = list_new(ev, items->count);
  for (size_t i = 0; i < items->count; i++) {
    const TypingAlias *inner = typing_alias(ev, items->items[i]);
    if (inner && value_is(inner->form, form)) {
      for (size_t k = 0; k < inner->args->count; k++) list_push(ev, flat, inner->args->items[k]);
    } else {
      list_push(ev, flat, items->items[i]);
    }
  }
  return make_typing_alias(ev, form, form, (Tuple *)make_tuple(ev, flat->count, flat->items).o);
}

static Value form_getitem(Eval *ev, Value self, Value index) {
  const FormDef *def = typing_form(ev, self);
  switch (def->kind) {
  case FORM_PLAIN: eval_raise(ev, ev->types.TypeError, "typing.%s is not subscriptable", def->name);
  case FORM_OPTIONAL: {
    if (value_as_tuple(index)) {
      Str shown = value_repr(ev, index);
      eval_raise(ev, ev->types.TypeError, "typing.Optional requires a single type. Got %.*s.",
                 STR_FMT(shown));
    }
    return make_typing_union(ev, (Value[]){index, v_none()}, 2);
  }
  case FORM_UNION: {
    const Tuple *items = as_items(ev, index);
    return make_typing_union(ev, items->items, items->count);
  }
  case FORM_LITERAL: return subscript_literal(ev, self, index);
  case FORM_CALLABLE: return subscript_callable(ev, self, index);
  case FORM_ONE:
  case FORM_UNPACK:
  case FORM_CLASS_VAR:
    if (value_as_tuple(index)) {
      Str shown = value_repr(ev, index);
      eval_raise(ev, ev->types.TypeError, "typing.%s accepts only single type. Got %.*s.",
                 def->name, STR_FMT(shown));
    }
    return make_typing_alias(ev, self, self, converted(ev, as_items(ev, index)));
  case FORM_MANY: return make_typing_alias(ev, self, self, converted(ev, as_items(ev, index)));
  case FORM_ALIAS: break;
  }
  return make_typing_alias(ev, self, v_unbound(), converted(ev, as_items(ev, index)));
}

// ---- forms as objects ---------------------------------------------------------------------------
static Str form_repr(Eval *ev, Value self) {
  return str_format(ev->arena, "typing.%s", typing_form(ev, self)->name);
}

static Value form_call(Eval *ev, Value self, const Args *args) {
  const FormDef *def = typing_form(ev, self);
  if (def->module && strcmp(def->module, "builtins") != 0)
    return value_call(ev, form_origin(ev, def), args);
  if (def->module) {
    eval_raise(ev, ev->types.TypeError, "Type %s cannot be instantiated; use %s() instead",
               def->name, def->origin);
  }
  eval_raise(ev, ev->types.TypeError, "Cannot instantiate typing.%s", def->name);
}

static Value form_getattr(Eval *ev, Value self, Name name) {
  const FormDef *def = typing_form(ev, self);
  Str text = name_str(name);
  if (str_equal(text, STR("_name")) || name == ev->names->name || name == ev->names->qualname)
    return make_str_c(ev, def->name);
  if (name == ev->names->module) return make_str_c(ev, "typing");
  if (name == ev->builtin->names.dunder_origin) return form_origin(ev, def);
  if (str_equal(text, STR("__parameters__")) && !def->module) return make_tuple(ev, 0, NULL);
  if (def->module && text.len > 0 && text.data[0] != '_')
    return value_getattr_opt(ev, form_origin(ev, def), name);
  return v_unbound();
}

static bool asks_origin(Eval *ev, const FormDef *def) {
  if (def->module) return true;
  eval_raise(ev, ev->types.TypeError, "typing.%s cannot be used with isinstance()", def->name);
}

static Value form_instancecheck(Eval *ev, Value *a) {
  const FormDef *def = typing_form(ev, a[0]);
  return v_bool(asks_origin(ev, def) && value_isinstance(ev, a[1], form_origin(ev, def)));
}

static Value form_subclasscheck(Eval *ev, Value *a) {
  const FormDef *def = typing_form(ev, a[0]);
  return v_bool(asks_origin(ev, def) && value_issubclass(ev, a[1], form_origin(ev, def)));
}

// class C(List) derives from list; Generic comes with it, as in CPython.
static Value mro_entries(Eval *ev, Value self, Value origin, const Tuple *bases) {
  bool has_generic = false, is_behind = false;
  for (size_t i = 0; i < bases->count; i++) {
    if (value_is(bases->items[i], self)) {
      is_behind = true;
    } else if (is_behind) {
      const TypingAlias *other = typing_alias(ev, bases->items[i]);
      has_generic |= other || typing_form(ev, bases->items[i]) ||
                     (is_type(ev, bases->items[i]) &&
                      type_is_subtype((Type *)bases->items[i].o, ev->builtin->generic));
    }
  }
  Value items[] = {origin, v_object(ev->builtin->generic)};
  return make_tuple(ev, has_generic ? 1 : 2, items);
}

static Value form_mro_entries(Eval *ev, Value *a) {
  const FormDef *def = typing_form(ev, a[0]);
  if (!def->module) eval_raise(ev, ev->types.TypeError, "Cannot subclass typing.%s", def->name);
  return mro_entries(ev, a[0], form_origin(ev, def), value_as_tuple(a[1]));
}

static const NativeType form_type = {
    .slots = {.repr = form_repr,
              .getitem = form_getitem,
              .call = form_call,
              .getattr = form_getattr,
              .binary = typing_or},
    .methods = (const NativeDef[]){{"__instancecheck__(self, instance, /)", form_instancecheck},
                                   {"__subclasscheck__(self, cls, /)", form_subclasscheck},
                                   {"__mro_entries__(self, bases, /)", form_mro_entries},
                                   {0}},
};

// ---- aliases ------------------------------------------------------------------------------------
static TypingAlias *self_alias(Value self) { return (TypingAlias *)self.o; }

static Value alias_origin(Eval *ev, Value self) {
  TypingAlias *alias = self_alias(self);
  if (v_is_unbound(alias->origin)) alias->origin = form_origin(ev, typing_form(ev, alias->form));
  return alias->origin;
}

static void put_arguments(Eval *ev, Buf *buf, const Value *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (i > 0) buf_c(buf, ", ");
    buf_str(buf, argument_repr(ev, items[i]));
  }
}

static bool is_optional(Eval *ev, const TypingAlias *alias) {
  if (alias->args->count != 2) return false;
  Value none = v_object(ev->types.none);
  return value_is(alias->args->items[0], none) || value_is(alias->args->items[1], none);
}

static Str alias_repr(Eval *ev, Value self) {
  const TypingAlias *alias = self_alias(self);
  const Tuple *args = alias->args;
  const FormDef *def = typing_form(ev, alias->form);
  Buf buf;
  buf_init(&buf, ev->arena);
  if (def && def->kind == FORM_UNION && is_optional(ev, alias)) {
    bool first = value_is(args->items[0], v_object(ev->types.none));
    Str shown = argument_repr(ev, args->items[first ? 1 : 0]);
    return str_format(ev->arena, "typing.Optional[%.*s]", STR_FMT(shown));
  }
  if (def && def->kind == FORM_UNPACK)
    return str_format(ev->arena, "*%.*s", STR_FMT(argument_repr(ev, args->items[0])));
  buf_str(&buf, def ? form_repr(ev, alias->form) : annotation_repr(ev, alias->form));
  buf_char(&buf, '[');
  if (def && def->kind == FORM_LITERAL) {
    put_reprs(ev, &buf, args->items, args->count);
  } else if (def && def->kind == FORM_CALLABLE) {
    if (!alias->is_open) buf_char(&buf, '[');
    put_arguments(ev, &buf, args->items, args->count - 1);
    buf_c(&buf, alias->is_open ? ", " : "], ");
    buf_str(&buf, argument_repr(ev, args->items[args->count - 1]));
  } else {
    put_arguments(ev, &buf, args->items, args->count);
    if (args->count == 0) buf_c(&buf, "()");
  }
  if (alias->metadata) {
    buf_c(&buf, ", ");
    put_reprs(ev, &buf, alias->metadata->items, alias->metadata->count);
  }
  buf_char(&buf, ']');
  return buf_view(&buf);
}

static Tuple *alias_parameters(Eval *ev, TypingAlias *alias) {
  if (!alias->parameters)
    alias->parameters = type_parameters(ev, alias->args->items, alias->args->count);
  return alias->parameters;
}

static Value alias_getattr(Eval *ev, Value self, Name name) {
  TypingAlias *alias = self_alias(self);
  Str text = name_str(name);
  if (name == ev->builtin->names.dunder_origin)
    return alias->metadata ? alias->args->items[0] : alias_origin(ev, self);
  if (name == ev->builtin->names.dunder_args) return v_object(alias->args);
  if (str_equal(text, STR("__parameters__"))) return v_object(alias_parameters(ev, alias));
  if (str_equal(text, STR("__metadata__")) && alias->metadata) return v_object(alias->metadata);
  if (name == ev->names->module) return make_str_c(ev, "typing");
  if (str_equal(text, STR("_name")) || str_equal(text, STR("__name__"))) {
    const FormDef *def = typing_form(ev, alias->form);
    if (def && def->kind == FORM_UNION && is_optional(ev, alias)) return make_str_c(ev, "Optional");
    return def ? make_str_c(ev, def->name) : value_getattr_opt(ev, alias->form, ev->names->name);
  }
  bool is_dunder_name = text.len > 2 && text.data[0] == '_' && text.data[1] == '_';
  if (is_dunder_name) return v_unbound();
  return value_getattr_opt(ev, alias->metadata ? alias->args->items[0] : alias_origin(ev, self),
                           name);
}

static Value alias_getitem(Eval *ev, Value self, Value index) {
  TypingAlias *alias = self_alias(self);
  Tuple *args = type_substitute(ev, self, alias->args, alias_parameters(ev, alias), index);
  const FormDef *def = typing_form(ev, alias->form);
  if (def && def->kind == FORM_UNION) return make_typing_union(ev, args->items, args->count);
  Value made = make_typing_alias(ev, alias->form, alias->origin, converted(ev, args));
  ((TypingAlias *)made.o)->metadata = alias->metadata;
  ((TypingAlias *)made.o)->is_open = alias->is_open;
  return made;
}

static Value alias_call(Eval *ev, Value self, const Args *args) {
  const TypingAlias *alias = self_alias(self);
  Value origin = alias->metadata ? alias->args->items[0] : alias_origin(ev, self);
  if (typing_form(ev, alias->form))
    return form_call(ev, alias->form, args); // List[int] is no more callable than List
  return value_call(ev, origin, args);
}

static Value alias_compare(Eval *ev, CompareOp op, Value left, Value right) {
  const TypingAlias *a = typing_alias(ev, left), *b = typing_alias(ev, right);
  if (!a || !b || (op != CMP_EQ && op != CMP_NE)) return v_not_implemented();
  Value x = v_object(a->args), y = v_object(b->args);
  if (is_union_alias(ev, left) && is_union_alias(ev, right)) {
    x = v_object(set_from(ev, x));
    y = v_object(set_from(ev, y));
  }
  bool equal = value_is(a->form, b->form) && a->is_open == b->is_open && value_equal(ev, x, y) &&
               !a->metadata == !b->metadata &&
               (!a->metadata || value_equal(ev, v_object(a->metadata), v_object(b->metadata)));
  return v_bool(equal == (op == CMP_EQ));
}

static uint64_t alias_hash(Eval *ev, Value self) {
  const TypingAlias *alias = self_alias(self);
  Value args = v_object(alias->args);
  if (is_union_alias(ev, self)) args = value_call_n(ev, v_object(ev->types.frozenset), 1, &args);
  return value_hash(ev, alias->form) * 31 + value_hash(ev, args);
}

static Value alias_instancecheck(Eval *ev, Value *a) {
  if (!is_union_alias(ev, a[0]))
    eval_raise(ev, ev->types.TypeError,
               "Subscripted generics cannot be used with class and instance checks");
  return v_bool(value_isinstance(ev, a[1], v_object(self_alias(a[0])->args)));
}

static Value alias_subclasscheck(Eval *ev, Value *a) {
  if (!is_union_alias(ev, a[0]))
    eval_raise(ev, ev->types.TypeError,
               "Subscripted generics cannot be used with class and instance checks");
  return v_bool(value_issubclass(ev, a[1], v_object(self_alias(a[0])->args)));
}

static Value alias_mro_entries(Eval *ev, Value *a) {
  const TypingAlias *alias = self_alias(a[0]);
  const Tuple *bases = value_as_tuple(a[1]);
  const FormDef *def = typing_form(ev, alias->form);
  if (def && !def->module) {
    Str shown = value_repr(ev, a[0]);
    eval_raise(ev, ev->types.TypeError, "Cannot subclass %.*s", STR_FMT(shown));
  }
  Value origin = alias->metadata ? alias->args->items[0] : alias_origin(ev, a[0]);
  if (def) return mro_entries(ev, a[0], origin, bases);
  if (origin.o == (Object *)ev->builtin->generic) { // another generic base brings Generic already
    bool is_behind = false;
    for (size_t i = 0; i < bases->count; i++) {
      if (is_a(bases->items[i], ev->types.type) || is_type(ev, bases->items[i])) {
        if (bases->items[i].o == (Object *)ev->builtin->protocol) return make_tuple(ev, 0, NULL);
      }
      if (is_behind && typing_alias(ev, bases->items[i])) return make_tuple(ev, 0, NULL);
      is_behind |= value_is(bases->items[i], a[0]);
    }
  }
  return make_tuple(ev, 1, &origin);
}

static const NativeType alias_type = {
    .slots = {.repr = alias_repr,
              .getattr = alias_getattr,
              .getitem = alias_getitem,
              .call = alias_call,
              .compare = alias_compare,
              .hash = alias_hash,
              .binary = typing_or},
    .methods = (const NativeDef[]){{"__instancecheck__(self, instance, /)", alias_instancecheck},
                                   {"__subclasscheck__(self, cls, /)", alias_subclasscheck},
                                   {"__mro_entries__(self, bases, /)", alias_mro_entries},
                                   {0}},
};

// ---- forward references -------------------------------------------------------------------------
static Str forward_repr(Eval *ev, Value self) {
  Str text = value_repr(ev, ((const ForwardRef *)self.o)->text);
  return str_format(ev->arena, "ForwardRef(%.*s)", STR_FMT(text));
}

static Value forward_compare(Eval *ev, CompareOp op, Value left, Value right) {
  if (!is_a(right, ev->builtin->forward_ref)) return v_not_implemented();
  return value_compare(ev, op, ((const ForwardRef *)left.o)->text,
                       ((const ForwardRef *)right.o)->text);
}

static uint64_t forward_hash(Eval *ev, Value self) {
  return value_hash(ev, ((const ForwardRef *)self.o)->text);
}

static Value forward_text(Eval *ev UNUSED, Value self) {
  return ((const ForwardRef *)self.o)->text;
}

static Value forward_make(Eval *ev, Value *a) {
  take_str(ev, a[1], "Forward reference");
  return make_forward_ref(ev, a[1]);
}

static const NativeType forward_type = {
    .slots = {.repr = forward_repr,
              .compare = forward_compare,
              .hash = forward_hash,
              .binary = typing_or},
    .methods = (const NativeDef[]){{"__new__(cls, arg, is_argument=True)", forward_make}, {0}},
    .getters = (const NativeGetter[]){{"__forward_arg__", forward_text}, {0}},
};

// ---- the module ---------------------------------------------------------------------------------
void typing_forms_init(Eval *ev, ModuleObject *module) {
  BuiltinState *state = ev->builtin;
  state->typing_form = native_type_new(ev, "typing", "_SpecialForm", NULL, &form_type);
  state->typing_alias = native_type_new(ev, "typing", "_GenericAlias", NULL, &alias_type);
  state->forward_ref = native_type_new(ev, "typing", "ForwardRef", NULL, &forward_type);
  module_set(ev, module, "ForwardRef", v_object(state->forward_ref));
  for (size_t i = 0; i < COUNT_OF(forms); i++) {
    Form *form = ARENA_NEW(ev->arena, Form);
    *form = (Form){{state->typing_form}, &forms[i]};
    module_set(ev, module, forms[i].name, v_object(form));
  }
}
