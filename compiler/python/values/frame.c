// SPDX-License-Identifier: Apache-2.0
// Environments of running functions, which are used again, and the frames of calls.
#include "frame.h"
#include "raise.h"

Env *env_make(Eval *ev, const Scope *scope) {
  return arena_alloc(ev->arena, sizeof(Env) + scope->slot_count * sizeof(Value));
}

void env_keep(Env *env) {
  for (; env; env = env->outer) env->is_kept = true;
}

void frame_too_deep(Eval *ev) {
  eval_raise(ev, ev->types.RecursionError, "maximum recursion depth exceeded");
}
