// SPDX-License-Identifier: Apache-2.0
// Parameters of JAX's functions that take arrays and numbers and no lists: checked where a program
// calls, not where preludes do.
#include <stdlib.h>
#include <string.h>

#include "operands.h"

#include "python/values/evaluator_state.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

enum { FIRST = 1, SECOND = 2, THIRD = 4, FOURTH = 8, MOST = 4 };

typedef struct ArgumentRule {
  const char *module, *function;
  unsigned plain; // bits of the parameters that are no list
  unsigned items; // of those whose items are none
} ArgumentRule;

static const ArgumentRule rules[] = {
#define OPERANDS(module, function, plain, items) {module, function, plain, items},
#include "operands.def"
#undef OPERANDS
};

static int compare(const void *a, const void *b) {
  const ArgumentRule *x = a, *y = b;
  int order = strcmp(x->module, y->module);
  return order ? order : strcmp(x->function, y->function);
}

const ArgumentRule *argument_rule(Eval *ev, const ModuleObject *module, Name function) {
  // The parts of jax.numpy, such as jax.numpy._nan, have its rules.
  const char *name = module->name->text, *part = strstr(name, "._");
  ArgumentRule key = {name, function->text, 0, 0};
  if (part) key.module = str_format(ev->arena, "%.*s", (int)(part - name), name).data;
  return bsearch(&key, rules, COUNT_OF(rules), sizeof *rules, compare);
}

// None may be what a later parameter is without an argument.
static bool is_refused(Value v, size_t position) {
  return value_as_list(v) || value_as_tuple(v) || (position == 0 && v_is_none(v));
}

static void refuse_sequence(Eval *ev, const ArgumentRule *rule, Value v, size_t position) {
  if (is_refused(v, position))
    eval_raise(ev, ev->types.TypeError,
               "%s requires ndarray or scalar arguments, got <class '%s'> at position %zu.",
               rule->function, value_type_name(ev, v), position);
}

static void refuse_items(Eval *ev, const ArgumentRule *rule, Value v) {
  const List *list = value_as_list(v);
  const Tuple *tuple = value_as_tuple(v);
  size_t count = list ? list->count : tuple ? tuple->count : 0;
  for (size_t i = 0; i < count; i++)
    refuse_sequence(ev, rule, list ? list->items[i] : tuple->items[i], i);
}

void argument_check(Eval *ev, const ArgumentRule *rule, const Params *params, const Value *slots) {
  if (ev->frame->module->def) return;
  for (size_t i = 0; i < MOST && i < params->count; i++) {
    bool is_rest = params->has_varargs && i == params->positional;
    if (rule->plain >> i & 1) {
      if (is_rest)
        refuse_items(ev, rule, slots[i]);
      else
        refuse_sequence(ev, rule, slots[i], i);
    }
    if (rule->items >> i & 1) refuse_items(ev, rule, slots[i]);
    if (is_rest) return;
  }
}

void refuse_keyword(Eval *ev, const char *function, const char *keyword, Value v) {
  if (v_is_none(v) || (v.kind == V_BOOL && !v.i)) return;
  if (strcmp(keyword, "out") == 0)
    eval_raise(ev, ev->types.NotImplementedError, "The 'out' argument to %s is not supported.",
               function);
  eval_raise(ev, ev->types.NotImplementedError, "%s: '%s' is not yet supported", function, keyword);
}
