// SPDX-License-Identifier: Apache-2.0
// Parameters of JAX's functions that take arrays and numbers and nothing else, and static ones:
// checked where a program calls, not where preludes do.
#include <stdlib.h>
#include <string.h>

#include "argument_rules.h"

#include "array.h"
#include "ref.h"
#include "python/modules/module.h"
#include "python/objects/mapping.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/dict.h"
#include "python/values/new_value.h"
#include "python/values/evaluator_state.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

enum { FIRST = 1, SECOND = 2, THIRD = 4, FOURTH = 8, MOST = 4 };

typedef struct ArgumentRule {
  const char *module, *function;
  unsigned plain;      // bits of the parameters that are arrays or numbers
  unsigned items;      // of those whose items are none
  unsigned refs;       // of those that may be no Ref: operands of primitives
  const char *statics; // the names of those that must be hashable, with spaces between them
  bool is_typed;       // its parameter `dtype` is the type of what it makes
} ArgumentRule;

static const ArgumentRule rules[] = {
#define OPERANDS(module, function, plain, items, refs, statics)                                    \
  {module, function, plain, items, refs, statics, true},
#include "operands.def"
#undef OPERANDS
};

static int compare(const void *a, const void *b) {
  const ArgumentRule *x = a, *y = b;
  int order = strcmp(x->module, y->module);
  return order ? order : strcmp(x->function, y->function);
}

static bool is_any_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

// Of these modules every public function may meet complex numbers.
static const char *const modules[] = {"jax.numpy",      "jax.lax",          "jax.numpy.linalg",
                                      "jax.lax.linalg", "jax.scipy.linalg", NULL};

// A dtype is what these are asked about.
static const char *const about_dtypes[] = {"isdtype", "finfo", "iinfo", NULL};

const ArgumentRule *argument_rule(Eval *ev, const ModuleObject *module, Name function) {
  // The parts of jax.numpy, such as jax.numpy._nan, have its rules.
  const char *name = module->name->text, *part = strstr(name, "._");
  ArgumentRule key = {name, function->text, .statics = "",
                      .is_typed = !is_any_of(function->text, about_dtypes)};
  if (part) key.module = str_format(ev->arena, "%.*s", (int)(part - name), name).data;
  const ArgumentRule *found = bsearch(&key, rules, COUNT_OF(rules), sizeof *rules, compare);
  if (found || function->text[0] == '_' || !is_any_of(key.module, modules)) return found;
  return arena_dup(ev->arena, &key, sizeof key);
}

// None may be what a later parameter is without an argument. Other objects may stand for arrays.
static bool is_refused(Eval *ev, Value v, size_t position) {
  Str text;
  if (v_is_none(v)) return position == 0;
  return value_as_list(v) || value_as_tuple(v) || value_as_dict(v) || value_as_str(v, &text) ||
         is_a(v, ev->types.function) || (v.kind == V_OBJECT && v.o->type == ev->types.object);
}

// Of jax.numpy.linalg those that do not speak of themselves with their module.
static const char *const without_module[] = {"cond", "cross", "tensorinv", "tensorsolve", NULL};

static void refuse_other(Eval *ev, const ArgumentRule *rule, Value v, size_t position) {
  if (!is_refused(ev, v, position)) return;
  // Primitives have words of their own for what is no container.
  if (strcmp(rule->module, "jax.lax") == 0 && !v_is_none(v) && !value_as_list(v) &&
      !value_as_tuple(v))
    return;
  bool has_module =
      strcmp(rule->module, "jax.numpy.linalg") == 0 && !is_any_of(rule->function, without_module);
  eval_raise(ev, ev->types.TypeError,
             "%s%s requires ndarray or scalar arguments, got <class '%s'> at position %zu.",
             has_module ? "jnp.linalg." : "", rule->function, ref_class_name(ev, v), position);
}

static void refuse_items(Eval *ev, const ArgumentRule *rule, Value v) {
  const List *list = value_as_list(v);
  const Tuple *tuple = value_as_tuple(v);
  size_t count = list ? list->count : tuple ? tuple->count : 0;
  for (size_t i = 0; i < count; i++)
    refuse_other(ev, rule, list ? list->items[i] : tuple->items[i], i);
}

// ---- Refs ---------------------------------------------------------------------------------------
// A Ref is memory and no operand.
static void refuse_ref(Eval *ev, const ArgumentRule *rule, Value v) {
  if (value_is_ref(ev, v))
    eval_raise(ev, ev->types.ValueError,
               "Attempting to pass a Ref %.*s to a primitive: %s -- did you forget to unpack "
               "([...]) the ref?",
               STR_FMT(value_repr(ev, v)), rule->function);
}

static void refuse_refs(Eval *ev, const ArgumentRule *rule, const Params *params,
                        const Value *slots) {
  for (size_t i = 0; i < MOST && i < params->positional; i++) {
    if (!(rule->refs >> i & 1)) continue;
    refuse_ref(ev, rule, slots[i]);
    const List *list = value_as_list(slots[i]);
    for (size_t k = 0; list && k < list->count; k++) refuse_ref(ev, rule, list->items[k]);
  }
}

// ---- static parameters --------------------------------------------------------------------------
static void hash_static(Eval *ev, void *data) { value_hash(ev, *(Value *)data); }

void argument_check_static(Eval *ev, Value v) {
  Value exception;
  if (v.kind != V_OBJECT || eval_try(ev, hash_static, &v, &exception)) return;
  eval_raise(ev, ev->types.ValueError,
             "Non-hashable static arguments are not supported. An error occurred while trying to "
             "hash an object of type <class '%s'>, %.*s. The error was:\n"
             "TypeError: unhashable type: '%s'. Static arguments must be hashable: a tuple instead "
             "of a list, a frozen dataclass, a number of Python instead of an array",
             value_type_name(ev, v), STR_FMT(value_str(ev, v)), value_type_name(ev, v));
}

static void check_statics(Eval *ev, const ArgumentRule *rule, const Params *params,
                          const Value *slots) {
  for (size_t i = 0; *rule->statics && i < params->count; i++) {
    const char *name = params->items[i].name->text, *at = strstr(rule->statics, name);
    size_t len = strlen(name);
    while (at && ((at > rule->statics && at[-1] != ' ') || (at[len] && at[len] != ' ')))
      at = strstr(at + 1, name);
    if (at) argument_check_static(ev, slots[i]);
  }
}

static void check(Eval *ev, const ArgumentRule *rule, const Params *params, const Value *slots) {
  check_statics(ev, rule, params, slots);
  refuse_refs(ev, rule, params, slots);
  for (size_t i = 0; i < MOST && i < params->count; i++) {
    bool is_rest = params->has_varargs && i == params->positional;
    if (rule->plain >> i & 1) {
      if (is_rest)
        refuse_items(ev, rule, slots[i]);
      else
        refuse_other(ev, rule, slots[i], i);
    }
    if (rule->items >> i & 1) refuse_items(ev, rule, slots[i]);
    if (is_rest) return;
  }
}

// ---- complex numbers ----------------------------------------------------------------------------
static bool has_complex(Eval *ev, Value v) {
  const List *list = value_as_list(v);
  const Tuple *tuple = value_as_tuple(v);
  size_t count = list ? list->count : tuple ? tuple->count : 0;
  for (size_t i = 0; i < count; i++)
    if (has_complex(ev, list ? list->items[i] : tuple->items[i])) return true;
  return value_is_complex(ev, v);
}

static bool is_complex_dtype(Eval *ev, Value v) {
  DType dtype;
  return v.kind == V_OBJECT && value_as_dtype(ev, v, &dtype) && dtype_is_complex(dtype);
}

static bool meets_complex(Eval *ev, const ArgumentRule *rule, const Params *params,
                          const Value *slots) {
  for (size_t i = 0; i < params->count; i++) {
    if (has_complex(ev, slots[i])) return true;
    const char *name = params->items[i].name->text;
    if (rule->is_typed && is_any_of(name, (const char *const[]){"dtype", "new_dtype", NULL}) &&
        is_complex_dtype(ev, slots[i]))
      return true;
  }
  return false;
}

// None because nothing was given, or as if.
static bool is_left_out(const Value *defaults, const Value *slots, size_t i) {
  return v_is_none(slots[i]) && v_is_none(defaults[i]);
}

// jax._complex's function of that name with the arguments: NotImplemented if the function itself is
// to run.
static bool answer_complex(Eval *ev, const ArgumentRule *rule, const Params *params,
                           const Value *defaults, const Value *slots, Value *result) {
  size_t given = params->positional; // those behind are left out
  while (given && !params->has_varargs && is_left_out(defaults, slots, given - 1)) given--;
  List *positional = list_new(ev, params->count);
  Dict *keywords = dict_new(ev);
  for (size_t i = 0; i < params->count; i++) {
    if (v_is_unbound(slots[i])) continue;
    bool is_rest = params->has_varargs && i == params->positional;
    const Tuple *rest = is_rest ? value_as_tuple(slots[i]) : NULL;
    const Dict *more =
        params->has_kwargs && i + 1 == params->count ? value_as_dict(slots[i]) : NULL;
    DictEntry *entry;
    if (rest)
      for (size_t k = 0; k < rest->count; k++) list_push(ev, positional, rest->items[k]);
    else if (more)
      for (size_t it = 0; dict_next(more, &it, &entry);)
        dict_set(ev, keywords, entry->key, entry->value);
    else if (i < params->positional) {
      if (i < given) list_push(ev, positional, slots[i]);
    } else if (!is_left_out(defaults, slots, i))
      dict_set_name(ev, keywords, params->items[i].name, slots[i]);
  }
  Value args[] = {make_str_c(ev, rule->module), make_str_c(ev, rule->function),
                  v_object(positional), v_object(keywords)};
  *result = value_call_n(ev, module_lookup(ev, "jax._complex", "answer"), COUNT_OF(args), args);
  return result->kind != V_NOT_IMPLEMENTED;
}

bool argument_answer(Eval *ev, const ArgumentRule *rule, const Params *params,
                     const Value *defaults, const Value *slots, Value *result) {
  if (!ev->frame->module->def) check(ev, rule, params, slots);
  return meets_complex(ev, rule, params, slots) &&
         answer_complex(ev, rule, params, defaults, slots, result);
}
