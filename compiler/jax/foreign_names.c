// SPDX-License-Identifier: Apache-2.0
// Hints about names that are not there: what JAX had once, what arrays of others have, what an
// array has and a Ref has not. In: who was asked for which name (foreign_names.def).
#include "foreign_names.h"

#include <string.h>

#include "jax/array/array.h"
#include "python/modules/module.h"
#include "python/objects/type_lookup.h"
#include "python/values/evaluator_state.h"
#include "syntax/ast.h"

static const struct {
  const char *of, *name, *meant;
} names[] = {
#define FOREIGN(of, name, meant) {of, name, meant},
#include "foreign_names.def"
};

static const struct {
  const char *name, *meant;
} keywords[] = {
#define KEYWORD(name, meant) {name, meant},
#include "foreign_names.def"
};

static const struct {
  const char *name, *why;
} needless[] = {
#define NEEDLESS(name, why) {name, why},
#include "foreign_names.def"
};

static const struct {
  const char *name, *hint;
} packages[] = {
#define PACKAGE(name, hint) {name, hint},
#include "foreign_names.def"
};

static const struct {
  const char *function, *parameter, *hint;
} missing[] = {
#define MISSING(function, parameter, hint) {function, parameter, hint},
#include "foreign_names.def"
};

static const struct {
  const char *parameter, *hint;
  ValueKind kind;
} several[] = {
#define SEVERAL(parameter, kind, hint) {parameter, hint, kind},
#include "foreign_names.def"
};

static Str did_you_mean(Eval *ev, const char *meant) {
  return str_format(ev->arena, "did you mean '%s'?", meant);
}

Str foreign_name_hint(Eval *ev, Value of, Name name) {
  const ArrayTypes *types = trace_types(ev);
  bool is_module = is_a(of, ev->types.module);
  const char *owner = value_type_name(ev, of);
  if (is_module) owner = ((const ModuleObject *)of.o)->name->text;
  if (is_type(ev, of)) owner = ((const Type *)of.o)->name->text;
  if (is_a(of, ev->types.function)) owner = ((const Function *)of.o)->qualname->text;
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (strcmp(names[i].name, name->text) == 0 && strcmp(names[i].of, owner) == 0)
      return did_you_mean(ev, names[i].meant);
  if (is_a(of, types->ref) && type_lookup(ev, types->array, name).kind != V_UNBOUND)
    return str_format(ev->arena, "a Ref is read first: did you mean 'ref[...].%s'?", name->text);
  bool is_of_arrays = type_lookup(ev, types->array, name).kind != V_UNBOUND;
  if (is_of_arrays && v_is_none(of)) return STR("a function without 'return' gives None");
  if (is_of_arrays && is_a(of, ev->types.function))
    return STR("this is a function, and arrays are what its call gives: '(...)' is missing");
  Value first = v_none();
  if (is_a(of, ev->types.tuple) && ((const Tuple *)of.o)->count)
    first = ((const Tuple *)of.o)->items[0];
  if (is_of_arrays && value_is_array(ev, first))
    return str_format(ev->arena, "it holds arrays: did you mean '[0].%s'?", name->text);
  if (is_a(of, types->array)) return module_elsewhere_hint(ev, module_import(ev, STR("jax")), name);
  return (Str){0};
}

Str foreign_variable_hint(Eval *ev, Name name) {
  for (size_t i = 0; i < COUNT_OF(names); i++)
    if (!*names[i].of && strcmp(names[i].name, name->text) == 0)
      return did_you_mean(ev, names[i].meant);
  return (Str){0};
}

Str foreign_package_hint(Name name) {
  for (size_t i = 0; i < COUNT_OF(packages); i++)
    if (strcmp(packages[i].name, name->text) == 0) return str_from_c(packages[i].hint);
  return (Str){0};
}

// Which parameters are given by name alone, the first three of them.
static Str keywords_hint(Eval *ev, const Params *params) {
  size_t first = params->positional + params->has_varargs;
  size_t end = params->count - params->has_kwargs, most = first + 3;
  if (first >= end || params->has_varargs || !params->positional) return (Str){0};
  Buf text;
  buf_init(&text, ev->arena);
  for (size_t i = first; i < end && i < most; i++)
    buf_printf(&text, "%s'%s='", i > first ? ", " : "", params->items[i].name->text);
  return str_format(ev->arena, "what comes behind '%s' is given by name: %.*s%s",
                    params->items[params->positional - 1].name->text, STR_FMT(buf_view(&text)),
                    end > most ? ", ..." : "");
}

// Whether a parameter that takes a tuple or a list was given the first of its parts.
static bool is_part(Eval *ev, ValueKind kind, Value given) {
  return kind == V_INT ? given.kind == V_INT : value_is_array(ev, given) || value_is_nd(ev, given);
}

Str foreign_position_hint(Eval *ev, const Params *params, const Value *slots) {
  for (size_t i = 0; i < params->positional; i++) {
    const char *parameter = params->items[i].name->text;
    for (size_t k = 0; k < COUNT_OF(several); k++)
      if (strcmp(parameter, several[k].parameter) == 0 && is_part(ev, several[k].kind, slots[i]))
        return str_from_c(several[k].hint);
  }
  return keywords_hint(ev, params);
}

Str foreign_missing_hint(Str function, Name parameter) {
  for (size_t i = 0; i < COUNT_OF(missing); i++)
    if (str_is(function, missing[i].function) && strcmp(missing[i].parameter, parameter->text) == 0)
      return str_from_c(missing[i].hint);
  // As kernels call their parameters.
  if (str_ends_with(name_str(parameter), STR("_ref")))
    return STR("the refs of a kernel are given by pl.pallas_call, those of outputs and scratch "
               "behind the inputs");
  return (Str){0};
}

Str assigned_outer_hint(Eval *ev, Name name) {
  const Level *level = ev->trace->level;
  if (level->kind != LEVEL_REGION) return (Str){0};
  return str_format(ev->arena,
                    "this function is traced once: what a loop changes is its carry, an argument "
                    "that it returns anew, or a Ref, as pl.when and pl.loop need it: "
                    "'%s_ref[...] += x', with '%s_ref' of scratch_shapes",
                    name->text, name->text);
}

Str assigned_inner_hint(Eval *ev, Name name) {
  if (ev->trace->level->kind == LEVEL_RUN) return (Str){0};
  return str_format(ev->arena,
                    "; what the body of a pl.when or a loop hands on goes through a ref: "
                    "'%s_ref[...] = x', with '%s_ref' of scratch_shapes",
                    name->text, name->text);
}

Str foreign_keyword_hint(Eval *ev, const Params *params, Name name) {
  for (size_t i = 0; i < COUNT_OF(needless); i++)
    if (strcmp(needless[i].name, name->text) == 0)
      return str_format(ev->arena, "leave it out: %s", needless[i].why);
  for (size_t i = 0; i < COUNT_OF(keywords); i++) {
    if (strcmp(keywords[i].name, name->text) != 0) continue;
    for (size_t k = params->positional_only; k < params->count - params->has_kwargs; k++)
      if (strcmp(params->items[k].name->text, keywords[i].meant) == 0)
        return did_you_mean(ev, keywords[i].meant);
  }
  return (Str){0};
}
