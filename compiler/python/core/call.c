// SPDX-License-Identifier: Apache-2.0
// Calls: binding of arguments with Python's own errors, environments, frames.
#include <string.h>

#include "core.h"

#define MANY_ARGUMENTS 64 // more than these are put together in the arena, not on the C stack

// ---- environments and frames --------------------------------------------------------------------
Env *env_new(Eval *ev, const Scope *scope, Env *outer) {
  uint32_t count = scope->slot_count;
  Env *env = count < ENV_POOLS ? ev->core->pools[count] : NULL;
  if (env) {
    ev->core->pools[count] = env->outer;
    memset(env->slots, 0, count * sizeof(Value));
  } else {
    env = arena_alloc(ev->arena, sizeof *env + count * sizeof(Value));
  }
  env->outer = outer;
  env->scope = scope;
  return env;
}

// An environment that an exception passed by is not recycled; it only stays where it is.
void env_release(Eval *ev, Env *env) {
  uint32_t count = env->scope->slot_count;
  if (env->is_kept || count >= ENV_POOLS) return;
  env->outer = ev->core->pools[count];
  ev->core->pools[count] = env;
}

void frame_push(Eval *ev, Frame *frame) {
  count_step(ev);
  check_stack(ev);
  frame->caller = ev->frame;
  frame->call = ev->span;
  frame->depth = ev->frame ? ev->frame->depth + 1 : 0;
  if (frame->depth >= ev->options.max_depth)
    eval_raise(ev, ev->types.RecursionError, "maximum recursion depth exceeded");
  ev->frame = frame;
  begin_step(ev);
}

// ---- errors of binding --------------------------------------------------------------------------
static const char *plural(size_t count) { return count == 1 ? "" : "s"; }

// "'a'", "'a' and 'b'", "'a', 'b', and 'c'".
static Str join_names(Eval *ev, const Name *names, size_t count) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < count; i++) {
    if (i) buf_c(&buf, i + 1 < count ? ", " : count == 2 ? " and " : ", and ");
    buf_printf(&buf, "'%s'", names[i]->text);
  }
  return buf_view(&buf);
}

static void check_missing(Eval *ev, Str function, const char *kind, const Params *params,
                          const Value *slots, size_t begin, size_t end) {
  Name *missing = NULL;
  size_t count = 0;
  for (size_t i = begin; i < end; i++) {
    if (slots[i].kind != V_UNBOUND) continue;
    if (!missing) missing = ARENA_ARRAY(ev->arena, Name, end - begin);
    missing[count++] = params->items[i].name;
  }
  if (count)
    eval_raise(ev, ev->types.TypeError, "%.*s() missing %zu required %s argument%s: %.*s",
               STR_FMT(function), count, kind, plural(count),
               STR_FMT(join_names(ev, missing, count)));
}

NORETURN static void raise_too_many(Eval *ev, Str function, const Params *params,
                                    const Value *defaults, const Value *slots, size_t given) {
  size_t positional = params->positional, required = positional, only = 0;
  while (required && defaults && defaults[required - 1].kind != V_UNBOUND) required--;
  for (size_t i = positional + params->has_varargs; i < params->count - params->has_kwargs; i++)
    only += slots[i].kind != V_UNBOUND;
  Str range = required < positional ? str_format(ev->arena, "from %zu to %zu", required, positional)
                                    : str_format(ev->arena, "%zu", positional);
  Str keywords = {0};
  if (only)
    keywords = str_format(ev->arena, " positional argument%s (and %zu keyword-only argument%s)",
                          plural(given), only, plural(only));
  eval_raise(ev, ev->types.TypeError,
             "%.*s() takes %.*s positional argument%s but %zu%.*s %s given", STR_FMT(function),
             STR_FMT(range), required < positional ? "s" : plural(positional), given,
             STR_FMT(keywords), given == 1 && !only ? "was" : "were");
}

// The keyword is no parameter's name, or one that is only positional.
NORETURN static void raise_unexpected(Eval *ev, Str function, const Params *params,
                                      const Args *args, Name name) {
  Buf buf;
  buf_init(&buf, ev->arena);
  for (size_t i = 0; i < params->positional_only; i++)
    for (size_t k = 0; k < args->kw_count; k++)
      if (params->items[i].name == args->kw_names[k])
        buf_printf(&buf, "%s%s", buf.len ? ", " : "", args->kw_names[k]->text);
  if (buf.len)
    eval_raise(ev, ev->types.TypeError,
               "%.*s() got some positional-only arguments passed as keyword arguments: '%.*s'",
               STR_FMT(function), STR_FMT(buf_view(&buf)));
  Suggestion s;
  suggestion_init(&s, name_str(name));
  for (size_t i = params->positional_only; i < params->count - params->has_kwargs; i++)
    suggestion_try(&s, name_str(params->items[i].name));
  Str message = str_format(ev->arena, "%.*s() got an unexpected keyword argument '%s'",
                           STR_FMT(function), name->text);
  ExceptionObject *exception = exception_new(ev, ev->types.TypeError, message);
  exception->hint = suggestion_hint(ev, &s);
  eval_raise_value(ev, v_object(exception));
}

// ---- binding ------------------------------------------------------------------------------------
static size_t find_parameter(const Params *params, Name name) {
  size_t first_only = params->positional + params->has_varargs;
  for (size_t i = params->positional_only; i < params->positional; i++)
    if (params->items[i].name == name) return i;
  for (size_t i = first_only; i < params->count - params->has_kwargs; i++)
    if (params->items[i].name == name) return i;
  return SIZE_MAX;
}

static void bind_keywords(Eval *ev, Str function, const Params *params, const Args *args,
                          Value *slots) {
  Dict *rest = NULL;
  if (params->has_kwargs) {
    rest = dict_new(ev);
    slots[params->count - 1] = v_object(rest);
  }
  for (size_t k = 0; k < args->kw_count; k++) {
    Name name = args->kw_names[k];
    size_t i = find_parameter(params, name);
    if (i == SIZE_MAX) {
      if (!rest) raise_unexpected(ev, function, params, args, name);
      dict_set_name(ev, rest, name, args->kw_values[k]);
    } else if (slots[i].kind != V_UNBOUND) {
      eval_raise(ev, ev->types.TypeError, "%.*s() got multiple values for argument '%s'",
                 STR_FMT(function), name->text);
    } else {
      slots[i] = args->kw_values[k];
    }
  }
}

void params_bind(Eval *ev, Str function, const Params *params, const Value *defaults,
                 const Args *args, Value *slots, bool absent_allowed) {
  size_t positional = params->positional, given = args->count;
  size_t copied = given < positional ? given : positional;
  if (copied) memcpy(slots, args->items, copied * sizeof *slots);
  size_t first_only = positional, last = params->count - params->has_kwargs;
  if (params->has_varargs) {
    size_t rest = given - copied;
    slots[first_only++] = make_tuple(ev, rest, rest ? args->items + copied : NULL);
  }
  if (args->kw_count || params->has_kwargs) bind_keywords(ev, function, params, args, slots);
  if (given > positional && !params->has_varargs)
    raise_too_many(ev, function, params, defaults, slots, given);
  if (defaults) {
    for (size_t i = copied; i < last; i++)
      if (slots[i].kind == V_UNBOUND) slots[i] = defaults[i];
  }
  if (!absent_allowed) params_check(ev, function, params, slots);
}

void params_check(Eval *ev, Str function, const Params *params, const Value *slots) {
  size_t positional = params->positional;
  check_missing(ev, function, "positional", params, slots, 0, positional);
  check_missing(ev, function, "keyword-only", params, slots, positional + params->has_varargs,
                params->count - params->has_kwargs);
}

void call_bind(Eval *ev, const Function *f, const Args *args, Env *env) {
  params_bind(ev, name_str(f->qualname), f->params, f->defaults, args, env->slots, false);
}

// ---- calls --------------------------------------------------------------------------------------
static Value run_function(Eval *ev, Function *f, Env *env) {
  if (ev->hooks.bound) ev->hooks.bound(ev, f, env->slots);
  Frame frame = {.function = f->name, .module = f->module, .env = env, .code = f};
  frame_push(ev, &frame);
  Value result = v_none();
  if (!f->body)
    result = eval_expr(ev, f->lambda);
  else if (eval_block(ev, f->body, &result) != FLOW_RETURN)
    result = v_none(); // a return may have been undone by `finally`
  frame_pop(ev, &frame);
  env_release(ev, env);
  return result;
}

Value function_call(Eval *ev, Function *f, const Args *args) {
  Env *env = env_new(ev, f->scope, f->closure);
  const Params *params = f->params;
  if (args->kw_count == 0 && args->count == params->count && params->count == params->positional) {
    if (args->count) memcpy(env->slots, args->items, args->count * sizeof(Value));
  } else {
    call_bind(ev, f, args, env);
  }
  if (f->rule) ev->hooks.check(ev, f->rule, params, env->slots);
  return run_function(ev, f, env);
}

// The same with self before the arguments.
static Value function_call_self(Eval *ev, Function *f, Value self, const Args *args) {
  const Params *params = f->params;
  if (args->kw_count == 0 && args->count + 1 == params->count &&
      params->count == params->positional) {
    Env *env = env_new(ev, f->scope, f->closure);
    env->slots[0] = self;
    if (args->count) memcpy(env->slots + 1, args->items, args->count * sizeof(Value));
    return run_function(ev, f, env);
  }
  Value few[MANY_ARGUMENTS + 1], *items = few;
  if (args->count > MANY_ARGUMENTS) items = ARENA_ARRAY(ev->arena, Value, args->count + 1);
  items[0] = self;
  if (args->count) memcpy(items + 1, args->items, args->count * sizeof *items);
  Args all = *args;
  all.items = items;
  all.count++;
  return function_call(ev, f, &all);
}

Value call_with_self(Eval *ev, Value f, Value self, const Args *args) {
  if (is_a(f, ev->types.function)) return function_call_self(ev, (Function *)f.o, self, args);
  if (is_a(f, ev->types.native)) return native_call(ev, (NativeFunction *)f.o, &self, args);
  Value few[MANY_ARGUMENTS + 1], *items = few;
  if (args->count > MANY_ARGUMENTS) items = ARENA_ARRAY(ev->arena, Value, args->count + 1);
  items[0] = self;
  if (args->count) memcpy(items + 1, args->items, args->count * sizeof *items);
  Args all = *args;
  all.items = items;
  all.count++;
  return value_call(ev, f, &all);
}

Value value_call(Eval *ev, Value f, const Args *args) {
  Type *type = type_of(ev, f);
  if (type == ev->types.function) return function_call(ev, (Function *)f.o, args);
  if (type == ev->types.native) return native_call(ev, (NativeFunction *)f.o, NULL, args);
  if (type == ev->types.method) {
    const BoundMethod *method = (const BoundMethod *)f.o;
    return call_with_self(ev, method->function, method->self, args);
  }
  check_stack(ev);
  if (type->slots.call) return type->slots.call(ev, f, args);
  Value method;
  bool bound;
  if (f.kind != V_OBJECT || !method_lookup(ev, f, ev->names->call, &method, &bound))
    eval_raise(ev, ev->types.TypeError, "'%s' object is not callable", type->name->text);
  return bound ? value_call(ev, method, args) : call_with_self(ev, method, f, args);
}

Value value_call_n(Eval *ev, Value f, size_t count, const Value *items) {
  Args args = {.count = count, .items = items};
  return value_call(ev, f, &args);
}

Value value_call_method(Eval *ev, Value self, const char *name, size_t count, const Value *items) {
  Args args = {.count = count, .items = items};
  return value_call(ev, value_getattr_c(ev, self, name), &args);
}

Str function_repr_name(Eval *ev, Value f) {
  if (is_a(f, ev->types.method)) f = ((const BoundMethod *)f.o)->function;
  Str name = name_str(type_of(ev, f)->name);
  if (is_a(f, ev->types.function))
    name = name_str(((const Function *)f.o)->qualname);
  else if (is_a(f, ev->types.native))
    name = native_display_name((const NativeFunction *)f.o, ev->arena);
  else if (is_type(ev, f))
    name = name_str(((const Type *)f.o)->qualname);
  else
    return str_format(ev->arena, "%.*s object", STR_FMT(name));
  return str_format(ev->arena, "%.*s()", STR_FMT(name));
}
