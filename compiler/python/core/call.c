// SPDX-License-Identifier: Apache-2.0
// Calls: binding of arguments with Python's own errors, environments, frames.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "call.h"
#include "expr.h"
#include "generator.h"
#include "resume.h"
#include "stmt.h"
#include "python/objects/attribute.h"
#include "python/objects/bind.h"
#include "python/values/frame.h"
#include "python/objects/signature.h"
#include "python/values/values.h"

// Binds args to a function's parameters, V_UNBOUND for missing ones with no default is an error as
// Python's.
static void call_bind(Eval *ev, const Function *f, const Args *args, Env *env) {
  params_bind(ev, name_str(f->qualname), f->params, f->defaults, args, env->slots, false);
}

// ---- calls --------------------------------------------------------------------------------------
static Value run_statements(Eval *ev, const StmtList *body) {
  Value result = v_none();
  // A return may have been undone by `finally`.
  return eval_block(ev, body, &result) == FLOW_RETURN ? result : v_none();
}

static inline __attribute__((always_inline)) Value run_in(Eval *ev, Function *f, Env *env) {
  Frame frame = {.function = f->name, .module = f->module, .env = env, .code = f};
  frame_push(ev, &frame);
  if (ev->hooks.hears_calls) ev->hooks.bound(ev, f, env->slots);
  if (ev->hooks.entered) ev->hooks.entered(ev, f);
  Value result;
  if (!f->body)
    result = eval_returned(ev, f->lambda);
  else if (f->body->count == 1 && f->body->items[0]->kind == ST_RETURN)
    result = eval_return(ev, f->body->items[0]);
  else
    result = run_statements(ev, f->body);
  frame_pop(ev, &frame);
  if (ev->hooks.left) ev->hooks.left(ev);
  return result;
}

static Value run_body(Eval *ev, Function *f, Env *env) { return run_in(ev, f, env); }

Value function_run(Eval *ev, Function *f, Env *env) {
  ev->fresh = NULL;
  if (f->scope->is_generator)
    return f->scope->is_resumable ? resumable_new(ev, f, env) : generator_new(ev, f, env, run_body);
  Value result = run_in(ev, f, env);
  if (env->owned) slots_leave(ev, env, result);
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
  Value result;
  if (f->rule && ev->hooks.answer(ev, f->rule, params, f->defaults, env->slots, &result))
    return result;
  return function_run(ev, f, env);
}

// The same with self before the arguments.
static Value function_call_self(Eval *ev, Function *f, Value self, const Args *args) {
  const Params *params = f->params;
  if (args->kw_count == 0 && args->count + 1 == params->count &&
      params->count == params->positional) {
    Env *env = env_new(ev, f->scope, f->closure);
    env->slots[0] = self;
    if (args->count) memcpy(env->slots + 1, args->items, args->count * sizeof(Value));
    return function_run(ev, f, env);
  }
  Value few[MANY_ARGUMENTS + 1];
  Args all = args_with_self(ev, self, args, few);
  return function_call(ev, f, &all);
}

// What error messages call it: "C.method()", "len()".
static Str function_repr_name(Eval *ev, Value f) {
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

// What CPython's errors of unpacking call a function: "__main__.f()", "len()".
Str callee_name(Eval *ev, Value f) {
  Str name = function_repr_name(ev, f), module;
  bool is_named = is_a(f, ev->types.function) || is_a(f, ev->types.method) || is_type(ev, f);
  if (!is_named || !value_as_str(value_getattr_opt(ev, f, ev->names->module), &module) ||
      str_equal(module, STR("builtins")))
    return name;
  return str_format(ev->arena, "%.*s.%.*s", STR_FMT(module), STR_FMT(name));
}

static Value call_function(Eval *ev, Function *f, const Value *self, const Args *args) {
  return self ? function_call_self(ev, f, *self, args) : function_call(ev, f, args);
}

void call_init(Eval *ev) { ev->core->above.call_function = call_function; }
