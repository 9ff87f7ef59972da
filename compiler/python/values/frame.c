// SPDX-License-Identifier: Apache-2.0
// Environments of running functions, which are used again, and the frames of calls.
#include <string.h>

#include "evaluator_state.h"
#include "frame.h"
#include "raise.h"

Env *env_new(Eval *ev, const Scope *scope, Env *outer) {
  uint32_t count = scope->slot_count;
  Env *env = count < ENV_POOLS ? ev->core->pools[count] : NULL;
  if (env) {
    ev->core->pools[count] = env->outer;
  } else {
    env = arena_alloc(ev->arena, sizeof *env + count * sizeof(Value));
  }
  env->outer = outer;
  env->scope = scope;
  return env;
}

void env_keep(Env *env) {
  for (; env; env = env->outer) env->is_kept = true;
}

// An environment that an exception passed by is not recycled; it only stays where it is. What waits
// to be used again keeps nothing.
void env_release(Eval *ev, Env *env) {
  uint32_t count = env->scope->slot_count;
  if (env->is_kept || count >= ENV_POOLS) return;
  memset(env->slots, 0, count * sizeof(Value));
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
