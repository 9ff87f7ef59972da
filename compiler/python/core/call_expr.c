// SPDX-License-Identifier: Apache-2.0
// Calls as expressions. Arguments that go straight to parameters are evaluated into the places that
// the callee has them in: the environment of a function of the program, the slots of a native.
// Where keywords go is kept with the call (CallPlan). All others are gathered first (Args).
#include <string.h>

#include "base/map.h"
#include "python/values/evaluator_state.h"
#include "call.h"
#include "call_expr.h"
#include "display.h"
#include "expr.h"
#include "python/objects/attribute.h"
#include "python/objects/attribute_at.h"
#include "python/objects/bind.h"
#include "python/objects/fresh.h"
#include "python/objects/signature.h"
#include "python/objects/type.h"
#include "python/objects/type_find.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/frame.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

enum {
  FEW_ARGUMENTS = 16, // calls with more put them into the arena
};

// ---- what is done with arguments that nobody else has -------------------------------------------
// A native that made its result has kept none of its arguments. Functions of the program may have,
// whatever they return.
static bool is_native(const Eval *ev, Value f) {
  return is_a(f, ev->types.native) || (f.kind == V_OBJECT && f.o->type->slots.call_keeps_nothing);
}

// A result that is an argument (out=) is as fresh as that was.
static void given_back(Eval *ev, Value f, Value result, Object *const *fresh, size_t count) {
  if (f.kind != V_OBJECT || !f.o->type->slots.call_keeps_nothing || result.kind != V_OBJECT) return;
  for (size_t i = 0; i < count; i++)
    if (fresh[i] == result.o) ev->fresh = result.o;
}

// False: the result may refer to arguments.
static bool drop_arguments(Eval *ev, Value result, Object *const *fresh, size_t count) {
  if (result.kind != V_OBJECT || result.o != ev->fresh) return false;
  if (result.o->type->slots.is_own && !result.o->type->slots.is_own(result)) return false; // a view
  for (size_t i = 0; i < count; i++)
    if (fresh[i] != result.o) discard(ev, fresh[i]);
  return true;
}

static void take_back_self(Eval *ev, const Expr *callee, Value self, Value result) {
  if (callee->kind == EX_ATTRIBUTE && !value_is(self, result))
    take_back(ev, callee->attribute.value, self);
}

// What a call has borrowed of variables, and not kept.
static void take_back_all(Eval *ev, const Expr *e, Value self, const Value *items, Value result) {
  if (!(ev->frame->env && owns_values(ev->frame->env))) return;
  size_t count = e->call.args.count;
  take_back_self(ev, e->call.func, self, result);
  for (size_t i = 0; i < count; i++)
    if (!value_is(items[i], result)) take_back(ev, e->call.args.items[i], items[i]);
  for (size_t i = 0; i < e->call.keyword_count; i++)
    if (!value_is(items[count + i], result))
      take_back(ev, e->call.keywords[i].value, items[count + i]);
}

static void drop_all(Eval *ev, Object *const *fresh, size_t count) {
  for (size_t i = 0; i < count; i++) discard(ev, fresh[i]);
}

static bool is_number(Value v) { return v.kind == V_BOOL || v.kind == V_INT || v.kind == V_FLOAT; }

// float(x), int(x) and bool(x), and methods of x that give a number, do not keep it: they call
// nothing that could.
static void drop_measured(Eval *ev, Value f, Value result, Object *self, Object *only) {
  if (!is_number(result)) return;
  bool is_number_type =
      f.kind == V_OBJECT && (f.o == &ev->types.floating->base || f.o == &ev->types.integer->base ||
                             f.o == &ev->types.boolean->base);
  if (is_number_type) discard(ev, only);
  if (self && is_a(f, ev->types.native)) discard(ev, self);
}

// ---- arguments that are unpacked ----------------------------------------------------------------
typedef struct Keywords {
  VEC(Name) names;
  VEC(Value) values;
  Map *known; // the names, once there are many
} Keywords;

static bool has_keyword(Eval *ev, Keywords *all, Name name) {
  enum { FEW = 16 };
  size_t count = all->names.count;
  if (count < FEW) {
    for (size_t i = 0; i < count; i++)
      if (all->names.items[i] == name) return true;
    return false;
  }
  if (!all->known) {
    all->known = map_new(ev->arena);
    for (size_t i = 0; i < count; i++) map_set(all->known, all->names.items[i], all);
  }
  if (map_has(all->known, name)) return true;
  map_set(all->known, name, all);
  return false;
}

static void add_keyword(Eval *ev, Keywords *all, Value f, Name name, Value value) {
  if (has_keyword(ev, all, name))
    eval_raise(ev, ev->types.TypeError, "%.*s got multiple values for keyword argument '%s'",
               STR_FMT(callee_name(ev, f)), name->text);
  VEC_PUSH(ev->arena, &all->names, name);
  VEC_PUSH(ev->arena, &all->values, value);
}

static void add_mapping(Eval *ev, Keywords *all, Value f, Value mapping) {
  const Dict *items = value_as_dict(mapping);
  if (!items || mapping.o->type->is_heap) {
    Dict *copy = dict_new(ev);
    if (!mapping_update(ev, copy, mapping))
      eval_raise(ev, ev->types.TypeError, "%.*s argument after ** must be a mapping, not %s",
                 STR_FMT(callee_name(ev, f)), value_type_name(ev, mapping));
    items = copy;
  }
  DictEntry *entry;
  for (size_t it = 0; dict_next(items, &it, &entry);) {
    Str text;
    if (!value_as_str(entry->key, &text))
      eval_raise(ev, ev->types.TypeError, "keywords must be strings");
    Name known =
        is_a(entry->key, ev->types.string) ? ((const StrObject *)entry->key.o)->name : NULL;
    add_keyword(ev, all, f, known ? known : name_intern(ev->session->interner, text), entry->value);
  }
}

static Value plainly(Eval *ev, Expr *e, void *context UNUSED) { return eval_expr(ev, e); }

static void gather_keywords(Eval *ev, Expr *e, Value f, EvalBy *by, void *context, Args *args) {
  Keywords all = {0};
  for (size_t i = 0; i < e->call.keyword_count; i++) {
    const Keyword *keyword = &e->call.keywords[i];
    Value value = by(ev, keyword->value, context);
    ev->span = keyword->value->span;
    if (keyword->name)
      add_keyword(ev, &all, f, keyword->name, value);
    else
      add_mapping(ev, &all, f, value);
  }
  args->kw_count = all.names.count;
  args->kw_names = all.names.items;
  args->kw_values = all.values.items;
}

static Value finish_call(Eval *ev, Expr *e, Value f, Value self, const Args *args) {
  ev->span = e->span;
  ev->fresh = NULL; // not every callee says so
  return self.kind == V_UNBOUND ? value_call(ev, f, args) : call_with_self(ev, f, self, args);
}

static Value call_unpacking(Eval *ev, Expr *e, Value f, Value self) {
  const ExprList *list = &e->call.args;
  Args args = {0};
  Value only = v_unbound();
  if (list->count == 1 && list->items[0]->kind == EX_STARRED) {
    only = eval_expr(ev, list->items[0]->starred);
    ev->span = list->items[0]->span;
  }
  if (is_a(only, ev->types.tuple)) {
    args.count = ((const Tuple *)only.o)->count;
    args.items = ((const Tuple *)only.o)->items;
  } else {
    List *items = list_new(ev, list->count);
    if (only.kind != V_UNBOUND)
      push_unpacked(ev, items, only, &f);
    else
      push_items(ev, items, list, &f);
    args.count = items->count;
    args.items = items->items;
  }
  if (e->call.keyword_count) gather_keywords(ev, e, f, plainly, NULL, &args);
  return finish_call(ev, e, f, self, &args);
}

Value eval_call_by(Eval *ev, Expr *e, Value f, EvalBy *by, void *context) {
  List *items = list_new(ev, e->call.args.count);
  for (size_t i = 0; i < e->call.args.count; i++) {
    Expr *argument = e->call.args.items[i];
    bool is_starred = argument->kind == EX_STARRED;
    Value value = by(ev, is_starred ? argument->starred : argument, context);
    ev->span = argument->span;
    if (is_starred)
      push_unpacked(ev, items, value, &f);
    else
      list_push(ev, items, value);
  }
  Args args = {.count = items->count, .items = items->items};
  gather_keywords(ev, e, f, by, context, &args);
  return finish_call(ev, e, f, v_unbound(), &args);
}

// ---- arguments that are gathered ----------------------------------------------------------------
static Value call_generally(Eval *ev, Expr *e, Value f, Value self, Object *fresh_self) {
  size_t count = e->call.args.count, kw_count = e->call.keyword_count;
  Value few[FEW_ARGUMENTS], *items = few;
  Name few_names[FEW_ARGUMENTS], *names = few_names;
  if (count + kw_count > FEW_ARGUMENTS) {
    items = ARENA_ARRAY(ev->arena, Value, count + kw_count);
    names = ARENA_ARRAY(ev->arena, Name, kw_count);
  }
  bool are_few = count + kw_count <= FEW_ARGUMENTS;
  // Of the callee's self and, if they are few, of the arguments.
  Object *fresh[FEW_ARGUMENTS + 1];
  fresh[0] = fresh_self;
  for (size_t i = 0; i < count; i++) {
    items[i] = eval_expr(ev, e->call.args.items[i]);
    if (are_few) fresh[i + 1] = fresh_object(ev, e->call.args.items[i], items[i]);
  }
  for (size_t i = 0; i < kw_count; i++) {
    names[i] = e->call.keywords[i].name;
    Expr *value = e->call.keywords[i].value;
    items[count + i] = eval_expr(ev, value);
    if (are_few) fresh[count + i + 1] = fresh_object(ev, value, items[count + i]);
  }
  Args args = {count, items, kw_count, names, items + count};
  Value result = finish_call(ev, e, f, self, &args);
  if (is_native(ev, f) && are_few) {
    given_back(ev, f, result, fresh, count + kw_count + 1);
    if (drop_arguments(ev, result, fresh, count + kw_count + 1))
      take_back_all(ev, e, self, items, result);
  }
  drop_measured(ev, f, result, fresh_self, count == 1 && !kw_count ? fresh[1] : NULL);
  values_leave(items, count + kw_count);
  return result;
}

// ---- functions of the program -------------------------------------------------------------------
static void fill_defaults(Eval *ev, Expr *e, const Function *f, Value *slots, size_t given) {
  const Params *params = f->params;
  bool is_missing = false;
  for (size_t i = given; i < params->count; i++) {
    if (slots[i].kind == V_UNBOUND && f->defaults) slots[i] = f->defaults[i];
    is_missing |= slots[i].kind == V_UNBOUND;
  }
  if (!is_missing) return;
  ev->span = e->span;
  params_check(ev, name_str(f->qualname), params, slots);
}

// The environment of a call whose arguments all go to one parameter each; NULL: they do not, and
// none has been evaluated.
static Env *bind_directly(Eval *ev, Expr *e, const Function *f, Value self) {
  const Params *params = f->params;
  size_t hidden = self.kind != V_UNBOUND, count = e->call.args.count, given = count + hidden;
  const CallPlan *plan = NULL;
  if (given > params->positional || params->has_varargs || params->has_kwargs) return NULL;
  if (e->call.keyword_count) {
    plan = call_plan(ev, &e->call.plan, params, given, e->call.keywords, e->call.keyword_count);
    if (!plan->fits) return NULL;
  }
  Env *env = env_new(ev, f->scope, f->closure);
  if (hidden) env->slots[0] = self;
  for (size_t i = 0; i < count; i++) {
    Value value = eval_expr(ev, e->call.args.items[i]);
    env->slots[hidden + i] = value;
    if (fresh_object(ev, e->call.args.items[i], value))
      env->owned |= slot_bit((uint32_t)(hidden + i));
  }
  for (size_t i = 0; i < e->call.keyword_count; i++) {
    // The value first: what is called in it may be called here again, by another function.
    Value value = eval_expr(ev, e->call.keywords[i].value);
    env->slots[call_plan(ev, &e->call.plan, params, given, e->call.keywords, e->call.keyword_count)
                   ->slots[i]] = value;
  }
  if (given < params->count) fill_defaults(ev, e, f, env->slots, given);
  return env;
}

// The same of a call that has an argument for each parameter, and nothing else.
static Env *bind_in_order(Eval *ev, const Expr *e, const Function *f, Value self) {
  Env *env = env_new(ev, f->scope, f->closure);
  Value *slot = env->slots;
  if (self.kind != V_UNBOUND) *slot++ = self;
  for (size_t i = 0; i < e->call.args.count; i++, slot++) {
    *slot = eval_expr(ev, e->call.args.items[i]);
    if (fresh_object(ev, e->call.args.items[i], *slot))
      env->owned |= slot_bit((uint32_t)(slot - env->slots));
  }
  return env;
}

// The same where what the first parameters leave becomes a tuple, and no keywords a dict.
static Env *bind_rest(Eval *ev, const Expr *e, const Function *f, Value self) {
  const Params *params = f->params;
  size_t count = e->call.args.count, hidden = self.kind != V_UNBOUND, first = params->positional;
  Env *env = env_new(ev, f->scope, f->closure);
  Tuple *rest = params->has_varargs ? tuple_new(ev, count + hidden - first) : NULL;
  if (rest) env->slots[first] = v_object(rest);
  for (size_t at = 0; at < count + hidden; at++) {
    Value value = at < hidden ? self : eval_expr(ev, e->call.args.items[at - hidden]);
    if (at < first)
      env->slots[at] = value;
    else if (rest)
      rest->items[at - first] = value;
  }
  if (params->has_kwargs) env->slots[params->count - 1] = v_object(dict_new(ev));
  return env;
}

static bool binds_rest(const Expr *e, const Function *f, Value self) {
  const Params *params = f->params;
  size_t given = e->call.args.count + (self.kind != V_UNBOUND);
  return (params->has_varargs ? given >= params->positional
                              : params->has_kwargs && given == params->positional) &&
         params->count == params->positional + params->has_varargs + params->has_kwargs &&
         !e->call.keyword_count;
}

static bool binds_in_order(const Expr *e, const Function *f, Value self) {
  size_t given = e->call.args.count + (self.kind != V_UNBOUND);
  return given == f->params->count && given == f->params->positional && !e->call.keyword_count;
}

static Value call_in(Eval *ev, Expr *e, Function *f, Env *env) {
  ev->span = e->span;
  Value result;
  if (f->rule && ev->hooks.answer(ev, f->rule, f->params, f->defaults, env->slots, &result))
    return result;
  return function_run(ev, f, env);
}

// ---- classes of the program ---------------------------------------------------------------------
// The __init__ of a class whose instances object.__new__ makes; else NULL.
static Function *initializer(Eval *ev, Type *type) {
  if (!type->is_heap || type->base.type != ev->types.type || type->is_abstract || type->payload ||
      !type->instances_have_dict)
    return NULL;
  Value maker = type_find(ev, type, ev->names->new_), init = type_find(ev, type, ev->names->init);
  bool is_objects =
      is_a(maker, ev->types.native) && ((const NativeFunction *)maker.o)->owner == ev->types.object;
  return is_objects && is_a(init, ev->types.function) ? (Function *)init.o : NULL;
}

static bool make_instance(Eval *ev, Expr *e, Type *type, Value *out) {
  Function *init = initializer(ev, type);
  if (!init || init->scope->is_generator) return false;
  Value made = v_object(instance_new(ev, type));
  Env *env = bind_directly(ev, e, init, made);
  if (!env) return false;
  type_check_init(ev, call_in(ev, e, init, env));
  ev->fresh = NULL;
  *out = made;
  return true;
}

// ---- natives ------------------------------------------------------------------------------------
typedef struct NativeArguments {
  Value self;
  const Value *slots;
  Object *fresh[NATIVE_SLOTS];
  size_t fresh_count;
  bool has_fresh_self; // the first of them
} NativeArguments;

NOINLINE static void drop_native_arguments(Eval *ev, Expr *e, const NativeArguments *a,
                                           Value result) {
  bool has_self = a->self.kind != V_UNBOUND;
  const Value *items = a->slots + has_self;
  if (result.kind == V_OBJECT) {
    if (drop_arguments(ev, result, a->fresh, a->fresh_count))
      take_back_all(ev, e, a->self, items, result);
  } else if (ev->measured == a->slots) {
    take_back_all(ev, e, a->self, items, result);
    drop_all(ev, a->fresh, a->fresh_count);
  } else if (has_self && is_number(result)) {
    take_back_self(ev, e->call.func, a->self, result);
    if (a->has_fresh_self) discard(ev, a->fresh[0]);
  }
}

// Inlined where it is known of how many.
static inline __attribute__((always_inline)) Value
call_native_of(Eval *ev, Expr *e, NativeFunction *f, Value self, Object *fresh_self, size_t count) {
  const NativeSignature *s = f->signature;
  size_t at = 0;
  Value slots[NATIVE_SLOTS];
  NativeArguments a; // not set to nothing: that takes as long as many a call
  a.fresh_count = 0;
  if (fresh_self) a.fresh[a.fresh_count++] = fresh_self;
  if (self.kind != V_UNBOUND) slots[at++] = self;
#pragma GCC unroll 1
  for (size_t i = 0; i < count; i++) {
    Expr *argument = e->call.args.items[i];
    Value value = slots[at++] = eval_expr(ev, argument);
    Object *fresh = fresh_object(ev, argument, value);
    if (fresh) a.fresh[a.fresh_count++] = fresh;
  }
#pragma GCC unroll 1
  for (size_t n = s->params.count; at < n; at++) slots[at] = s->defaults[at];
  ev->span = e->span;
  // Not &self, which would be kept in memory.
  if (self.kind != V_UNBOUND && type_of(ev, self) != f->owner) native_check_self(ev, f, slots);
  Value result = native_run(ev, f, slots);
  if (a.fresh_count || (ev->frame->env && owns_values(ev->frame->env))) {
    a.self = self;
    a.slots = slots;
    a.has_fresh_self = fresh_self;
    drop_native_arguments(ev, e, &a, result);
  }
  values_clear(slots, at); // the collector would find them
  return result;
}

static Value call_native(Eval *ev, Expr *e, NativeFunction *f, Value self, Object *fresh_self) {
  size_t count = e->call.args.count;
  return count == 1   ? call_native_of(ev, e, f, self, fresh_self, 1)
         : count == 0 ? call_native_of(ev, e, f, self, fresh_self, 0)
                      : call_native_of(ev, e, f, self, fresh_self, count);
}

// Of a native whose *rest takes what the first parameters leave.
NOINLINE static Value call_native_with_rest(Eval *ev, Expr *e, NativeFunction *f) {
  const Params *params = &f->signature->params;
  size_t count = e->call.args.count, first = params->positional;
  Tuple *rest = tuple_new(ev, count - first);
  Value slots[NATIVE_SLOTS];
  Object *fresh[FEW_ARGUMENTS];
  for (size_t i = 0; i < count; i++) {
    Expr *argument = e->call.args.items[i];
    Value value = eval_expr(ev, argument);
    fresh[i] = fresh_object(ev, argument, value);
    if (i < first)
      slots[i] = value;
    else
      rest->items[i - first] = value;
  }
  slots[first] = v_object(rest);
  for (size_t i = first + 1; i < params->count; i++) slots[i] = f->signature->defaults[i];
  ev->span = e->span;
  Value result = native_run(ev, f, slots);
  drop_arguments(ev, result, fresh, count);
  values_clear(slots, params->count);
  return result;
}

static bool takes_rest(const Eval *ev, const Expr *e, Value f) {
  if (!is_a(f, ev->types.native) || e->call.keyword_count) return false;
  const NativeFunction *native = (const NativeFunction *)f.o;
  const NativeSignature *s = native->signature;
  size_t count = e->call.args.count;
  return s && !native->owner && s->params.has_varargs && !s->params.has_kwargs &&
         s->params.count <= NATIVE_SLOTS && count >= s->params.positional && count >= s->required &&
         count <= FEW_ARGUMENTS;
}

// Whether `given` arguments, self among them, go to the first parameters, and defaults to the rest.
static bool takes_plainly(const NativeFunction *f, size_t given, bool has_self) {
  const NativeSignature *s = f->signature;
  return s && given >= s->least && given <= s->most && (has_self || !f->owner);
}

// ---- what is no method -----------------------------------------------------------------------
typedef struct DataCall {
  Expr *e;
  Value f;
} DataCall;

static void call_data(Eval *ev, void *data) {
  DataCall *call = data;
  call_generally(ev, call->e, call->f, v_unbound(), NULL);
}

static bool is_data(Eval *ev, Value f) {
  if (f.kind != V_OBJECT) return true;
  const Type *type = f.o->type;
  Value method;
  bool bound;
  return type != ev->types.function && type != ev->types.native && type != ev->types.method &&
         !type->slots.call && !method_lookup(ev, f, ev->names->call, &method, &bound);
}

// What is meant by a call of an attribute that is no method: `x.size(0)` may be what others say.
static Str data_hint(Eval *ev, Expr *e, Value object, Value f) {
  const char *attribute = e->call.func->attribute.attr->text;
  Name name = name_intern(ev->session->interner, str_format(ev->arena, "%s()", attribute));
  Str foreign = ev->hooks.foreign_name ? ev->hooks.foreign_name(ev, object, name) : (Str){0};
  if (foreign.len) return foreign;
  if (!e->call.args.count && !e->call.keyword_count)
    return str_format(ev->arena, "'%s' is no method: leave '()' out", attribute);
  if (e->call.args.count == 1 && (is_a(f, ev->types.tuple) || is_a(f, ev->types.list)))
    return str_format(ev->arena, "'%s' is no method: did you mean '%s[...]'?", attribute,
                      attribute);
  return (Str){0};
}

// No call of it succeeds.
NORETURN NOINLINE static void raise_data(Eval *ev, Expr *e, Value object, Value f) {
  DataCall call = {e, f};
  Value raised;
  if (eval_try(ev, call_data, &call, &raised)) BUG("data was called");
  ExceptionObject *exception = (ExceptionObject *)raised.o;
  if (is_a(raised, ev->types.TypeError) && !exception->hint.len)
    exception->hint = data_hint(ev, e, object, f);
  eval_raise_value(ev, raised);
}

// ---- all ----------------------------------------------------------------------------------------
static Value call_function(Eval *ev, Expr *e, Function *f, Value self) {
  Env *env = binds_in_order(e, f, self) ? bind_in_order(ev, e, f, self)
             : binds_rest(e, f, self)   ? bind_rest(ev, e, f, self)
                                        : bind_directly(ev, e, f, self);
  return env ? call_in(ev, e, f, env) : call_generally(ev, e, v_object(f), self, NULL);
}

// A type of ours that makes its values at once (TypeSlots.make).
static Value make_native_value(Eval *ev, Expr *e, Type *type) {
  size_t count = e->call.args.count;
  Value items[NATIVE_SLOTS];
  Object *only = NULL;
  for (size_t i = 0; i < count; i++) {
    items[i] = eval_expr(ev, e->call.args.items[i]);
    only = fresh_object(ev, e->call.args.items[i], items[i]);
  }
  ev->span = e->span;
  ev->fresh = NULL;
  check_stack(ev);
  Args args = {.count = count, .items = items};
  Value made = type->slots.make(ev, &args);
  if (v_is_unbound(made)) made = value_call(ev, v_object(type), &args);
  if (only && count == 1) drop_measured(ev, v_object(type), made, NULL, only);
  values_clear(items, count);
  return made;
}

NOINLINE static Value call_class(Eval *ev, Expr *e, Type *type, Object *fresh_self) {
  Value made;
  if (type->slots.make && !type->is_heap && !e->call.keyword_count &&
      e->call.args.count <= NATIVE_SLOTS)
    return make_native_value(ev, e, type);
  if (make_instance(ev, e, type, &made)) return made;
  return call_generally(ev, e, v_object(type), v_unbound(), fresh_self);
}

static bool is_plain_native(const Eval *ev, const Expr *e, Value f, bool has_self) {
  return is_a(f, ev->types.native) && !e->call.keyword_count &&
         takes_plainly((NativeFunction *)f.o, e->call.args.count + has_self, has_self);
}

// A method that was taken from its object before.
static Value call_method(Eval *ev, Expr *e, BoundMethod *method) {
  Value f = method->function;
  if (is_plain_native(ev, e, f, true))
    return call_native(ev, e, (NativeFunction *)f.o, method->self, NULL);
  if (is_a(f, ev->types.function)) return call_function(ev, e, (Function *)f.o, method->self);
  return call_generally(ev, e, v_object(method), v_unbound(), NULL);
}

NOINLINE static Value call_attribute(Eval *ev, Expr *e) {
  Expr *callee = e->call.func;
  Value self = v_unbound(), object = eval_expr(ev, callee->attribute.value);
  Object *fresh = fresh_object(ev, callee->attribute.value, object);
  ev->span = callee->span;
  CalleeSelf kind;
  Value f = value_callee_at(ev, object, callee->attribute.attr, &callee->attribute.place, &kind);
  if (kind != SELF_NONE) self = kind == SELF_OBJECT ? object : v_object(type_of(ev, object));
  if (e->call.has_unpacking) return call_unpacking(ev, e, f, self);
  if (is_plain_native(ev, e, f, kind != SELF_NONE))
    return call_native(ev, e, (NativeFunction *)f.o, self, fresh);
  if (is_a(f, ev->types.function)) return call_function(ev, e, (Function *)f.o, self);
  if (kind == SELF_NONE && takes_rest(ev, e, f))
    return call_native_with_rest(ev, e, (NativeFunction *)f.o);
  if (is_a(f, ev->types.method) && kind == SELF_NONE) return call_method(ev, e, (BoundMethod *)f.o);
  if (is_a(f, ev->types.type) && kind == SELF_NONE) return call_class(ev, e, (Type *)f.o, fresh);
  if (!is_a(f, ev->types.native) && is_data(ev, f)) raise_data(ev, e, object, f);
  return call_generally(ev, e, f, self, fresh);
}

Value eval_call(Eval *ev, Expr *e) {
  if (e->call.func->kind == EX_ATTRIBUTE) return call_attribute(ev, e);
  Value f = eval_expr(ev, e->call.func);
  if (e->call.has_unpacking) return call_unpacking(ev, e, f, v_unbound());
  if (is_a(f, ev->types.function)) return call_function(ev, e, (Function *)f.o, v_unbound());
  if (is_plain_native(ev, e, f, false))
    return call_native(ev, e, (NativeFunction *)f.o, v_unbound(), NULL);
  if (takes_rest(ev, e, f)) return call_native_with_rest(ev, e, (NativeFunction *)f.o);
  if (is_a(f, ev->types.method)) return call_method(ev, e, (BoundMethod *)f.o);
  if (is_a(f, ev->types.type)) return call_class(ev, e, (Type *)f.o, NULL);
  return call_generally(ev, e, f, v_unbound(), NULL);
}
