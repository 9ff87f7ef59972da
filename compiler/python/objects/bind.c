// SPDX-License-Identifier: Apache-2.0
// Arguments bound to parameters, with Python's own errors.
#include <string.h>

#include "base/plural.h"
#include "base/buf.h"
#include "python/values/evaluator_state.h"
#include "bind.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"

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
  if (!count) return;
  Str message =
      str_format(ev->arena, "%.*s() missing %zu required %s argument%s: %.*s", STR_FMT(function),
                 count, kind, PLURAL(count), STR_FMT(join_names(ev, missing, count)));
  ExceptionObject *exception = exception_new(ev, ev->types.TypeError, message);
  if (ev->hooks.foreign_missing) exception->hint = ev->hooks.foreign_missing(function, missing[0]);
  eval_raise_value(ev, v_object(exception));
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
                          PLURAL(given), only, PLURAL(only));
  Str message = str_format(
      ev->arena, "%.*s() takes %.*s positional argument%s but %zu%.*s %s given", STR_FMT(function),
      STR_FMT(range), required < positional ? "s" : PLURAL(positional), given, STR_FMT(keywords),
      given == 1 && !only ? "was" : "were");
  ExceptionObject *exception = exception_new(ev, ev->types.TypeError, message);
  if (ev->hooks.foreign_position) exception->hint = ev->hooks.foreign_position(ev, params, slots);
  eval_raise_value(ev, v_object(exception));
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
  if (!exception->hint.len && ev->hooks.foreign_keyword)
    exception->hint = ev->hooks.foreign_keyword(ev, params, name);
  eval_raise_value(ev, v_object(exception));
}

static size_t find_parameter(const Params *params, Name name) {
  size_t first_only = params->positional + params->has_varargs;
  for (size_t i = params->positional_only; i < params->positional; i++)
    if (params->items[i].name == name) return i;
  for (size_t i = first_only; i < params->count - params->has_kwargs; i++)
    if (params->items[i].name == name) return i;
  return SIZE_MAX;
}

static NORETURN void raise_twice(Eval *ev, Str function, Name name, size_t index) {
  Str hint = str_format(ev->arena, "argument %zu, which is given without a name, is '%s', too",
                        index + 1, name->text);
  raise_hinted(ev, ev->types.TypeError, hint.data, "%.*s() got multiple values for argument '%s'",
               STR_FMT(function), name->text);
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
      raise_twice(ev, function, name, i);
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

bool function_takes(Eval *ev, Value f, size_t count, size_t named) {
  if (!is_a(f, ev->types.function)) return true;
  const Function *function = (const Function *)f.o;
  const Params *params = function->params;
  size_t required = params->positional;
  while (required && function->defaults && function->defaults[required - 1].kind != V_UNBOUND)
    required--;
  bool too_many = count > params->positional && !params->has_varargs;
  return !too_many && count + named >= required;
}

CallPlan *call_plan_make(Eval *ev, CallPlan *known, const Params *params, size_t given,
                         const Keyword *keywords, size_t count) {
  CallPlan *plan = known ? known : arena_alloc(ev->arena, sizeof *plan + count * sizeof(uint32_t));
  plan->params = params;
  plan->given = given;
  plan->fits = true;
  for (size_t i = 0; i < count; i++) {
    size_t at = find_parameter(params, keywords[i].name);
    plan->fits &= at != SIZE_MAX && at >= given;
    plan->slots[i] = (uint32_t)at;
  }
  return plan;
}

Args args_with_self(Eval *ev, Value self, const Args *args, Value few[MANY_ARGUMENTS + 1]) {
  Value *items = few;
  if (args->count > MANY_ARGUMENTS) items = ARENA_ARRAY(ev->arena, Value, args->count + 1);
  items[0] = self;
  if (args->count) memcpy(items + 1, args->items, args->count * sizeof *items);
  Args all = *args;
  all.items = items;
  all.count++;
  return all;
}
