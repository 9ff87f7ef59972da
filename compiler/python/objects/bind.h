// SPDX-License-Identifier: Apache-2.0
// Arguments bound to parameters, with Python's own errors (bind.c).
#pragma once
#include "python/values/evaluator.h"

// Binds arguments to parameters: `slots`, one for each, are V_UNBOUND before; so are those of
// missing arguments afterwards if `absent_allowed`, else that is an error.
void params_bind(Eval *ev, Str function, const Params *params, const Value *defaults,
                 const Args *args, Value *slots, bool absent_allowed);
// False if a call of f with so many positional arguments and so many by keyword certainly fails.
bool function_takes(Eval *ev, Value f, size_t count, size_t named);
void params_check(Eval *ev, Str function, const Params *params, const Value *slots);

// Where the keywords of a call go among the parameters of what it called last. It stands in the
// tree, where the call does.
typedef struct CallPlan {
  const Params *params;
  size_t given;     // positional arguments in front of them
  bool fits;        // each goes to a parameter that has no argument yet
  uint32_t slots[]; // of each keyword
} CallPlan;

CallPlan *call_plan_make(Eval *ev, CallPlan *known, const Params *params, size_t given,
                         const Keyword *keywords, size_t count);

static inline const CallPlan *call_plan(Eval *ev, CallPlan **known, const Params *params,
                                        size_t given, const Keyword *keywords, size_t count) {
  const CallPlan *plan = *known;
  if (plan && plan->params == params && plan->given == given) return plan;
  return *known = call_plan_make(ev, *known, params, given, keywords, count);
}

enum { MANY_ARGUMENTS = 64 }; // more than these are put together in the arena, not on the C stack
// The arguments with self before them, which lie in `few` if there are not many.
Args args_with_self(Eval *ev, Value self, const Args *args, Value few[MANY_ARGUMENTS + 1]);
