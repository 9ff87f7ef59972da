// SPDX-License-Identifier: Apache-2.0
// The module typing: what classes derive from (Any, Generic, Protocol), type variables, and the
// functions.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/core/class.h"
#include "python/values/evaluator_state.h"
#include "std_typing.h"
#include "python/builtins/builtin_generic.h"
#include "python/builtins/text/builtin_text.h"
#include "python/builtins/builtin_wrap.h"
#include "python/core/expr.h"
#include "python/objects/attribute.h"
#include "python/objects/convert.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/objects/operators.h"
#include "python/objects/protocol.h"
#include "python/objects/iteration.h"
#include "python/values/raise.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/values.h"
#include "std_abc.h"
#include <string.h>

// ---- Any ----------------------------------------------------------------------------------------
static Str any_repr(Eval *ev, Value self) {
  const Type *type = (const Type *)self.o;
  if (type->is_heap) return ev->types.type->slots.repr(ev, self);
  return STR("typing.Any");
}

static Value any_instancecheck(Eval *ev, Value *a) {
  if (!((Type *)a[0].o)->is_heap)
    eval_raise(ev, ev->types.TypeError, "typing.Any cannot be used with isinstance()");
  return v_bool(type_is_subtype(type_of(ev, a[1]), (Type *)a[0].o));
}

static Value any_new(Eval *ev, Value *a) {
  if (!((Type *)a[0].o)->is_heap) eval_raise(ev, ev->types.TypeError, "Any cannot be instantiated");
  return v_object(instance_new(ev, (Type *)a[0].o));
}

static Type *metatype_new(Eval *ev, const char *name, Type *base, const NativeDef *methods) {
  Type *meta = type_new_native(ev, "typing", name, base, NULL, methods);
  meta->base.type = ev->types.type;
  meta->slots = ev->types.type->slots;
  meta->slots.make = NULL;
  return meta;
}

static Type *any_type(Eval *ev) {
  static const NativeDef meta_methods[] = {
      {"__instancecheck__(self, instance, /)", any_instancecheck}, {0}};
  static const NativeDef methods[] = {{"__new__(cls, /, *args, **kwargs)", any_new}, {0}};
  Type *meta = metatype_new(ev, "_AnyMeta", ev->types.type, meta_methods);
  meta->slots.repr = any_repr;
  Type *any = type_new_native(ev, "typing", "Any", NULL, NULL, methods);
  any->base.type = meta;
  any->instances_have_dict = true;
  return any;
}

// ---- hooks of classes, as closures: (cls, …) ----------------------------------------------------
static void set_class_hook(Eval *ev, Type *type, const char *name,
                           Value (*fn)(Eval *, Closure *, const Args *)) {
  Wrapper *wrapper = ARENA_NEW(ev->arena, Wrapper);
  *wrapper = (Wrapper){{ev->types.class_method}, make_closure(ev, name, fn, NULL, true)};
  dict_set_name(ev, type->dict, name_of(ev, name), v_object(wrapper));
  type_changed(ev, type);
}

// Goes on with what comes behind `after` in the MRO of cls.
static void next_init_subclass(Eval *ev, Type *cls, Type *after, const Args *args) {
  Value next = type_lookup_after(ev, cls, after, ev->names->init_subclass);
  if (v_is_unbound(next)) return;
  Args rest = *args;
  rest.count = 0;
  if (is_a(next, ev->types.native) && rest.kw_count == 0) return; // object's
  value_call(ev, attribute_bind(ev, next, v_unbound(), cls), &rest);
}

// ---- Generic ------------------------------------------------------------------------------------
// Of a class with parameters there are as many arguments.
static void check_arity(Eval *ev, Value cls, size_t count) {
  const Tuple *parameters =
      value_as_tuple(value_getattr_opt(ev, cls, name_of(ev, "__parameters__")));
  if (!parameters || cls.o == (Object *)ev->builtin->generic) return;
  for (size_t i = 0; i < parameters->count; i++)
    if (!is_a(parameters->items[i], ev->builtin->type_var)) return; // TypeVarTuple, ParamSpec
  if (parameters->count == 0)
    eval_raise(ev, ev->types.TypeError, "%.*s is not a generic class",
               STR_FMT(value_repr(ev, cls)));
  if (parameters->count != count)
    eval_raise(ev, ev->types.TypeError, "Too %s arguments for %.*s; actual %zu, expected %zu",
               count > parameters->count ? "many" : "few", STR_FMT(value_repr(ev, cls)), count,
               parameters->count);
}

static Value generic_getitem(Eval *ev, Closure *closure UNUSED, const Args *args) {
  Value cls = args->items[0], index = args->items[1];
  Tuple *items = value_as_tuple(index), *converted;
  if (!items) items = (Tuple *)make_tuple(ev, 1, &index).o;
  check_arity(ev, cls, items->count);
  converted = tuple_new(ev, items->count);
  for (size_t i = 0; i < items->count; i++)
    converted->items[i] = typing_argument(ev, items->items[i]);
  return make_typing_alias(ev, cls, cls, converted);
}

static Value generic_init_subclass(Eval *ev, Closure *closure UNUSED, const Args *args) {
  Type *cls = (Type *)args->items[0].o;
  const Tuple *bases = value_as_tuple(dict_get_name(cls->dict, ev->names->orig_bases));
  if (bases) {
    Tuple *parameters = type_parameters(ev, bases->items, bases->count);
    for (size_t i = 0; i < bases->count; i++) { // Generic[T, U] says the order
      TypingAlias *alias = typing_alias(ev, bases->items[i]);
      if (alias && alias->form.o == (Object *)ev->builtin->generic)
        parameters = type_parameters(ev, &bases->items[i], 1);
    }
    dict_set_name(ev, cls->dict, name_of(ev, "__parameters__"), v_object(parameters));
  }
  next_init_subclass(ev, cls, ev->builtin->generic, args);
  return v_none();
}

static Type *generic_type(Eval *ev) {
  Type *type = type_new_native(ev, "typing", "Generic", NULL, NULL, NULL);
  type->instances_have_dict = type->lacks_dict = true;
  dict_set_name(ev, type->dict, ev->names->slots, v_object(tuple_new(ev, 0)));
  set_class_hook(ev, type, "__class_getitem__", generic_getitem);
  set_class_hook(ev, type, "__init_subclass__", generic_init_subclass);
  return type;
}

// ---- Protocol -----------------------------------------------------------------------------------
static bool own_flag(Eval *ev, Type *cls, const char *name) {
  Value flag = type_own_attribute(ev, cls, name_of(ev, name));
  return !v_is_unbound(flag) && value_truth(ev, flag);
}

static bool is_housekeeping(Name name) {
  static const char *const names[] = {
      "__abstractmethods__",
      "__annotations__",
      "__dict__",
      "__doc__",
      "__init__",
      "__module__",
      "__new__",
      "__slots__",
      "__qualname__",
      "__subclasshook__",
      "__weakref__",
      "__class_getitem__",
      "_is_protocol",
      "_is_runtime_protocol",
      "__parameters__",
      "__orig_bases__",
      "__match_args__",
      "__init_subclass__",
  };
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    if (strcmp(names[i], name->text) == 0) return true;
  }
  return false;
}

// The names a protocol asks for: what it and the protocols it derives from define or annotate.
static List *protocol_members(Eval *ev, Type *cls) {
  List *members = list_new(ev, 4);
  for (size_t i = 0; i < cls->mro_count; i++) {
    Type *base = cls->mro[i];
    if (!base->is_heap || base == ev->builtin->protocol) continue;
    DictEntry *entry;
    for (size_t it = 0; dict_next(base->dict, &it, &entry);) {
      Str text;
      if (!value_as_str(entry->key, &text)) continue;
      if (!is_housekeeping(name_intern(ev->session->interner, text)))
        list_push(ev, members, entry->key);
    }
    const Dict *annotated = value_as_dict(dict_get_name(base->dict, ev->names->annotations));
    for (size_t it = 0; annotated && dict_next(annotated, &it, &entry);)
      list_push(ev, members, entry->key);
  }
  return members;
}

static void check_runtime(Eval *ev, Type *cls) {
  if (own_flag(ev, cls, "_is_runtime_protocol")) return;
  eval_raise(ev, ev->types.TypeError,
             "Instance and class checks can only be used with @runtime_checkable protocols");
}

// Attributes of instances cannot be looked for in a class.
static void check_methods_only(Eval *ev, Type *cls) {
  const List *members = protocol_members(ev, cls);
  for (size_t i = 0; i < members->count; i++) {
    Name name = name_intern(ev->session->interner, take_str(ev, members->items[i], "member"));
    Value wanted = type_lookup(ev, cls, name);
    if (v_is_unbound(wanted) || !value_is_callable(ev, wanted))
      eval_raise(ev, ev->types.TypeError,
                 "Protocols with non-method members don't support issubclass()");
  }
}

static bool has_members(Eval *ev, Type *cls, Value v, bool is_class) {
  const List *members = protocol_members(ev, cls);
  for (size_t i = 0; i < members->count; i++) {
    Name name = name_intern(ev->session->interner, take_str(ev, members->items[i], "member"));
    Value found = is_class ? type_lookup(ev, (Type *)v.o, name) : value_getattr_opt(ev, v, name);
    if (v_is_unbound(found)) return false;
    Value wanted = type_lookup(ev, cls, name);
    if (v_is_none(found) && !v_is_unbound(wanted) && value_is_callable(ev, wanted)) return false;
  }
  return true;
}

static Value protocol_instancecheck(Eval *ev, Value *a) {
  Type *cls = (Type *)a[0].o, *type = type_of(ev, a[1]);
  if (!own_flag(ev, cls, "_is_protocol"))
    return v_bool(type_is_subtype(type, cls) || abc_subclass_check(ev, cls, type));
  if (type_is_subtype(type, cls) && own_flag(ev, cls, "_is_runtime_protocol")) return v_bool(true);
  check_runtime(ev, cls);
  return v_bool(abc_subclass_check(ev, cls, type) || has_members(ev, cls, a[1], false));
}

static Value protocol_subclasscheck(Eval *ev, Value *a) {
  if (!is_type(ev, a[1])) eval_raise(ev, ev->types.TypeError, "issubclass() arg 1 must be a class");
  Type *cls = (Type *)a[0].o, *sub = (Type *)a[1].o;
  if (type_is_subtype(sub, cls)) return v_bool(true);
  if (!own_flag(ev, cls, "_is_protocol")) return v_bool(abc_subclass_check(ev, cls, sub));
  check_runtime(ev, cls);
  check_methods_only(ev, cls);
  return v_bool(abc_subclass_check(ev, cls, sub) || has_members(ev, cls, a[1], true));
}

static Value protocol_object_init(Eval *ev, Closure *closure UNUSED, const Args *args) {
  Value self = args->items[0];
  Type *type = type_of(ev, self);
  if (own_flag(ev, type, "_is_protocol"))
    eval_raise(ev, ev->types.TypeError, "Protocols cannot be instantiated");
  Value next = type_lookup_after(ev, type, ev->builtin->protocol, ev->names->init);
  Args rest = *args;
  rest.items++;
  rest.count--;
  call_with_self(ev, next, self, &rest);
  return v_none();
}

static Value protocol_init_subclass(Eval *ev, Closure *closure UNUSED, const Args *args) {
  Type *cls = (Type *)args->items[0].o;
  bool is_protocol = false;
  for (size_t i = 0; i < cls->base_count; i++)
    is_protocol |= cls->bases[i] == ev->builtin->protocol;
  Name flag = name_of(ev, "_is_protocol");
  if (v_is_unbound(dict_get_name(cls->dict, flag)))
    dict_set_name(ev, cls->dict, flag, v_bool(is_protocol));
  next_init_subclass(ev, cls, ev->builtin->protocol, args);
  return v_none();
}

static Type *protocol_type(Eval *ev) {
  static const NativeDef meta_methods[] = {
      {"__instancecheck__(self, instance, /)", protocol_instancecheck},
      {"__subclasscheck__(self, subclass, /)", protocol_subclasscheck},
      {0}};
  Type *meta = metatype_new(ev, "_ProtocolMeta", abc_meta(ev), meta_methods);
  Value generic = v_object(ev->builtin->generic);
  Tuple *bases = (Tuple *)make_tuple(ev, 1, &generic).o;
  Type *type = abc_class_new(ev, meta, "typing", "Protocol", bases, dict_new(ev));
  dict_set_name(ev, type->dict, name_of(ev, "_is_protocol"), v_bool(true));
  dict_set_name(ev, type->dict, ev->names->init,
                make_closure(ev, "__init__", protocol_object_init, NULL, true));
  set_class_hook(ev, type, "__init_subclass__", protocol_init_subclass);
  return type;
}

static Value f_runtime_checkable(Eval *ev, Value *a) {
  if (!is_type(ev, a[0]) || !own_flag(ev, (Type *)a[0].o, "_is_protocol")) {
    Str shown = value_repr(ev, a[0]);
    eval_raise(ev, ev->types.TypeError,
               "@runtime_checkable can be only applied to protocol classes, got %.*s",
               STR_FMT(shown));
  }
  value_setattr(ev, a[0], name_of(ev, "_is_runtime_protocol"), v_bool(true));
  return a[0];
}

// ---- type variables -----------------------------------------------------------------------------
static TypeVariable *self_variable(Value self) { return (TypeVariable *)self.o; }

static Value variable_new(Eval *ev, Value cls, Value name, Value bound, Tuple *constraints,
                          Value covariant, Value contravariant, Value infers_variance) {
  TypeVariable *variable = ARENA_NEW(ev->arena, TypeVariable);
  variable->base.type = (Type *)cls.o;
  variable->name = name_intern(ev->session->interner, take_str(ev, name, "name"));
  variable->bound = v_is_none(bound) ? bound : typing_argument(ev, bound);
  variable->constraints = constraints;
  variable->covariant = value_truth(ev, covariant);
  variable->contravariant = value_truth(ev, contravariant);
  variable->infers_variance = value_truth(ev, infers_variance);
  if (variable->covariant && variable->contravariant)
    eval_raise(ev, ev->types.ValueError, "Bivariant types are not supported.");
  return v_object(variable);
}

static Value type_var_make(Eval *ev, Value *a) {
  Tuple *constraints = value_as_tuple(a[2]);
  if (constraints->count == 1)
    eval_raise(ev, ev->types.TypeError, "A single constraint is not allowed");
  if (constraints->count && !v_is_none(a[3]))
    eval_raise(ev, ev->types.TypeError, "Constraints cannot be combined with bound=...");
  return variable_new(ev, a[0], a[1], a[3], constraints, a[4], a[5], a[7]);
}

static Value param_spec_make(Eval *ev, Value *a) {
  return variable_new(ev, a[0], a[1], a[2], tuple_new(ev, 0), a[3], a[4], a[6]);
}

static Value type_var_tuple_make(Eval *ev, Value *a) {
  return variable_new(ev, a[0], a[1], v_none(), tuple_new(ev, 0), v_none(), v_none(), v_none());
}

static Str type_var_repr(Eval *ev, Value self) {
  const TypeVariable *v = self_variable(self);
  if (v->infers_variance) return name_str(v->name);
  return str_format(ev->arena, "%c%s",
                    v->covariant       ? '+'
                    : v->contravariant ? '-'
                                       : '~',
                    v->name->text);
}

static Str type_var_tuple_repr(Eval *ev UNUSED, Value self) {
  return name_str(self_variable(self)->name);
}

static Value variable_name(Eval *ev, Value self) {
  return make_name(ev, self_variable(self)->name);
}

static Value variable_bound(Eval *ev UNUSED, Value self) { return self_variable(self)->bound; }

static Value variable_constraints(Eval *ev UNUSED, Value self) {
  return v_object(self_variable(self)->constraints);
}

static Value variable_covariant(Eval *ev UNUSED, Value self) {
  return v_bool(self_variable(self)->covariant);
}

static Value variable_contravariant(Eval *ev UNUSED, Value self) {
  return v_bool(self_variable(self)->contravariant);
}

static Value variable_subst(Eval *ev UNUSED, Value *a) { return a[1]; }

static Value spec_args(Eval *ev, Value self) {
  return value_call_n(ev, module_lookup(ev, "_typing", "ParamSpecArgs"), 1, &self);
}

static Value spec_kwargs(Eval *ev, Value self) {
  return value_call_n(ev, module_lookup(ev, "_typing", "ParamSpecKwargs"), 1, &self);
}

static Value type_var_tuple_iter(Eval *ev, Value self) {
  Value unpacked = value_getitem(ev, module_lookup(ev, "typing", "Unpack"), self);
  return value_iter(ev, make_tuple(ev, 1, &unpacked));
}

#define VARIABLE_GETTERS                                                                           \
  {"__name__", variable_name}, {"__bound__", variable_bound},                                      \
      {"__covariant__", variable_covariant}, {                                                     \
    "__contravariant__", variable_contravariant                                                    \
  }

static const NativeType type_var_type = {
    .slots = {.repr = type_var_repr, .binary = typing_or},
    .methods =
        (const NativeDef[]){
            {"__new__(cls, name, *constraints, bound=None, covariant=False, contravariant=False, "
             "default=None, infer_variance=False)",
             type_var_make},
            {"__typing_subst__(self, arg)", variable_subst},
            {0}},
    .getters =
        (const NativeGetter[]){VARIABLE_GETTERS, {"__constraints__", variable_constraints}, {0}},
};
static const NativeType param_spec_type = {
    .slots = {.repr = type_var_repr, .binary = typing_or},
    .methods = (const NativeDef[]){{"__new__(cls, name, *, bound=None, covariant=False, "
                                    "contravariant=False, default=None, "
                                    "infer_variance=False)",
                                    param_spec_make},
                                   {"__typing_subst__(self, arg)", variable_subst},
                                   {0}},
    .getters =
        (const NativeGetter[]){VARIABLE_GETTERS, {"args", spec_args}, {"kwargs", spec_kwargs}, {0}},
};
static const NativeType type_var_tuple_type = {
    .slots = {.repr = type_var_tuple_repr, .iter = type_var_tuple_iter},
    .methods = (const NativeDef[]){{"__new__(cls, name, *, default=None)", type_var_tuple_make},
                                   {"__typing_subst__(self, arg)", variable_subst},
                                   {0}},
    .getters = (const NativeGetter[]){{"__name__", variable_name}, {0}},
};

// ---- Annotated ----------------------------------------------------------------------------------
static Value annotated_getitem(Eval *ev, Value *a) {
  const Tuple *items = value_as_tuple(a[1]);
  if (!items || items->count < 2) {
    eval_raise(
        ev, ev->types.TypeError,
        "Annotated[...] should be used with at least two arguments (a type and an annotation).");
  }
  Value inner = typing_argument(ev, items->items[0]);
  Tuple *metadata = (Tuple *)make_tuple(ev, items->count - 1, items->items + 1).o;
  const TypingAlias *nested = typing_alias(ev, inner);
  if (nested && nested->metadata) {
    inner = nested->args->items[0];
    metadata =
        value_as_tuple(value_binary(ev, BIN_ADD, v_object(nested->metadata), v_object(metadata)));
  }
  Value made = make_typing_alias(ev, a[0], v_unbound(), (Tuple *)make_tuple(ev, 1, &inner).o);
  ((TypingAlias *)made.o)->metadata = metadata;
  return made;
}

static Value annotated_new(Eval *ev, Value *a UNUSED) {
  eval_raise(ev, ev->types.TypeError, "Type Annotated cannot be instantiated.");
}

// ---- functions ----------------------------------------------------------------------------------
static Value f_cast(Eval *ev UNUSED, Value *a) { return a[1]; }

static Value f_same(Eval *ev UNUSED, Value *a) { return a[0]; }

typedef struct Mark {
  Value marked;
  const char *name;
} Mark;

static void set_mark(Eval *ev, void *data) {
  const Mark *mark = data;
  value_setattr(ev, mark->marked, name_of(ev, mark->name), v_bool(true));
}

// What takes no attributes stays as it is.
static Value marked(Eval *ev, Value v, const char *name) {
  Value ignored;
  eval_try(ev, set_mark, &(Mark){v, name}, &ignored);
  return v;
}

static Value f_final(Eval *ev, Value *a) { return marked(ev, a[0], "__final__"); }

static Value f_override(Eval *ev, Value *a) { return marked(ev, a[0], "__override__"); }

static Value overloaded(Eval *ev, Closure *closure UNUSED, const Args *args UNUSED) {
  eval_raise(ev, ev->types.NotImplementedError,
             "You should not call an overloaded function. A series of @overload-decorated "
             "functions outside a stub module "
             "should always be followed by an implementation that is not @overload-ed.");
}

static Value f_overload(Eval *ev, Value *a) {
  value_call_n(ev, module_lookup(ev, "_typing", "_note_overload"), 1, a);
  return make_closure(ev, "_overload_dummy", overloaded, NULL, true);
}

static Value same_decorator(Eval *ev UNUSED, Closure *closure UNUSED, const Args *args) {
  return args->count ? args->items[0] : v_none();
}

static Value f_decorator(Eval *ev, Value *a UNUSED) {
  return make_closure(ev, "decorator", same_decorator, NULL, false);
}

static Value f_assert_never(Eval *ev, Value *a) {
  Str shown = value_repr(ev, a[0]);
  if (text_length(shown) > 100) {
    shown = str_format(ev->arena, "%.*s...", (int)text_offset(shown, 100), shown.data);
  }
  eval_raise(ev, ev->types.AssertionError, "Expected code to be unreachable, but got: %.*s",
             STR_FMT(shown));
}

static Value f_reveal_type(Eval *ev, Value *a) {
  fprintf(ev->session->diag_out, "Runtime type is '%s'\n", value_type_name(ev, a[0]));
  return a[0];
}

static Value f_get_origin(Eval *ev, Value *a) {
  const TypingAlias *alias = typing_alias(ev, a[0]);
  if (alias && alias->metadata) return alias->form;
  if (alias || is_a(a[0], ev->types.generic_alias))
    return value_getattr(ev, a[0], ev->builtin->names.dunder_origin);
  if (is_a(a[0], ev->types.union_type)) return v_object(ev->types.union_type);
  if (a[0].kind == V_OBJECT && a[0].o == (Object *)ev->builtin->generic) return a[0];
  const FormDef *def = typing_form(ev, a[0]);
  return def && def->module ? value_getattr(ev, a[0], ev->builtin->names.dunder_origin) : v_none();
}

static Value f_get_args(Eval *ev, Value *a) {
  const TypingAlias *alias = typing_alias(ev, a[0]);
  if (alias && alias->metadata)
    return value_binary(ev, BIN_ADD, v_object(alias->args), v_object(alias->metadata));
  const FormDef *def = alias ? typing_form(ev, alias->form) : NULL;
  if (def && def->kind == FORM_CALLABLE && !alias->is_open) { // ([parameters], result)
    List *list = list_new(ev, 0);
    for (size_t i = 0; i + 1 < alias->args->count; i++) list_push(ev, list, alias->args->items[i]);
    return make_tuple(ev, 2, (Value[]){v_object(list), alias->args->items[alias->args->count - 1]});
  }
  if (alias) return v_object(alias->args);
  if (is_a(a[0], ev->types.generic_alias) || is_a(a[0], ev->types.union_type))
    return value_getattr(ev, a[0], ev->builtin->names.dunder_args);
  return make_tuple(ev, 0, NULL);
}

// An annotation given as text, evaluated in a module's namespace.
static Value f_eval_text(Eval *ev, Value *a) {
  Str text = take_str(ev, a[0], "annotation");
  text = str_copy(ev->session->arena, text);
  SourceFile *file = source_add(ev->session, STR("<annotation>"), text, true);
  const Diag *last = ev->session->last_diag;
  Expr *expr = syntax_parse_expression(ev->session, file);
  if (diag_set_aside(ev->session, last) || !expr)
    eval_raise(ev, ev->types.SyntaxError, "Forward reference must be an expression -- got '%.*s'",
               STR_FMT(text));
  ModuleObject *module = is_a(a[1], ev->types.module) ? (ModuleObject *)a[1].o : ev->frame->module;
  Frame frame = {.function = ev->names->module_frame, .module = module};
  frame_push(ev, &frame);
  Value value = eval_expr(ev, expr);
  frame_pop(ev, &frame);
  return value;
}

static Value f_is_text(Eval *ev, Value *a) {
  if (is_a(a[0], ev->builtin->forward_ref)) return ((const ForwardRef *)a[0].o)->text;
  return value_as_str(a[0], &(Str){0}) ? a[0] : v_none();
}

static const NativeDef functions[] = {
    {"cast(typ, val)", f_cast},
    {"assert_type(val, typ, /)", f_same},
    {"overload(func)", f_overload},
    {"final(f)", f_final},
    {"override(method, /)", f_override},
    {"no_type_check(arg)", f_same},
    {"no_type_check_decorator(decorator)", f_same},
    {"runtime_checkable(cls)", f_runtime_checkable},
    {"runtime(cls)", f_runtime_checkable},
    {"dataclass_transform(**kwargs)", f_decorator},
    {"deprecated(message, /, **kwargs)", f_decorator},
    {"assert_never(arg, /)", f_assert_never},
    {"reveal_type(obj, /)", f_reveal_type},
    {"get_origin(tp)", f_get_origin},
    {"get_args(tp)", f_get_args},
    {"_eval_text(text, module)", f_eval_text},
    {"_text_of(annotation)", f_is_text},
    {0},
};

static void init(Eval *ev, ModuleObject *module) {
  static const NativeDef annotated_methods[] = {
      {"__new__(cls, /, *args, **kwargs)", annotated_new},
      {"__class_getitem__(cls, params, /)", annotated_getitem},
      {0}};
  BuiltinState *state = ev->builtin;
  typing_forms_init(ev, module);
  state->type_var = native_type_new(ev, "typing", "TypeVar", NULL, &type_var_type);
  state->generic = generic_type(ev);
  state->protocol = protocol_type(ev);
  state->annotated = type_new_native(ev, "typing", "Annotated", NULL, NULL, annotated_methods);
  Value any_str[] = {v_object(state->type_var), make_str_c(ev, "AnyStr"),
                     v_object(ev->types.string), v_object(ev->types.bytes)};
  module_set(ev, module, "Any", v_object(any_type(ev)));
  module_set(ev, module, "Generic", v_object(state->generic));
  module_set(ev, module, "Protocol", v_object(state->protocol));
  module_set(ev, module, "Annotated", v_object(state->annotated));
  module_set(ev, module, "TypeVar", v_object(state->type_var));
  module_set(ev, module, "ParamSpec",
             v_object(native_type_new(ev, "typing", "ParamSpec", NULL, &param_spec_type)));
  module_set(ev, module, "TypeVarTuple",
             v_object(native_type_new(ev, "typing", "TypeVarTuple", NULL, &type_var_tuple_type)));
  module_set(ev, module, "AnyStr", value_call_n(ev, any_str[0], 3, any_str + 1));
  module_set(ev, module, "Text", v_object(ev->types.string));
  module_set(ev, module, "TYPE_CHECKING", v_bool(false));
}

const ModuleDef module_typing = {.name = "typing", .functions = functions, .init = init};
const ModuleDef module_typing_extensions = {.name = "typing_extensions", .alias_of = "typing"};
