// SPDX-License-Identifier: Apache-2.0
// Environments of running functions, which are used again, and the frames of calls (frame.c).
#pragma once
#include <string.h>

#include "evaluator_state.h"

NORETURN void frame_too_deep(Eval *ev);
Env *env_make(Eval *ev, const Scope *scope); // a new one

static inline Env *env_new(Eval *ev, const Scope *scope, Env *outer) {
  uint32_t count = scope->slot_count;
  Env *env = count < ENV_POOLS ? ev->core->pools[count] : NULL;
  if (env)
    ev->core->pools[count] = env->outer;
  else
    env = env_make(ev, scope);
  env->outer = outer;
  env->scope = scope;
  env->owned = 0;
  return env;
}

// A few values set to nothing, one by one: a string instruction takes longer to begin.
static inline void values_clear(Value *values, size_t count) {
  for (Value *v = values; v < values + count; v++) {
    *v = (Value){0};
    __asm__ volatile("" : : "r"(v) : "memory");
  }
}

// An environment that an exception passed by is not recycled; it only stays where it is. What waits
// to be used again keeps nothing.
static inline void env_release(Eval *ev, Env *env) {
  uint32_t count = env->scope->slot_count;
  if (env->is_kept || count >= ENV_POOLS) return;
  values_clear(env->slots, count);
  env->outer = ev->core->pools[count];
  ev->core->pools[count] = env;
}

static inline void frame_link(Eval *ev, Frame *frame) {
  frame->caller = ev->frame;
  frame->call = ev->span;
  frame->depth = ev->frame ? ev->frame->depth + 1 : 0;
  ev->frame = frame;
}

// Whether it may run.
static inline void frame_check(Eval *ev, const Frame *frame) {
  count_step(ev);
  check_stack(ev);
  if (frame->depth >= ev->options.max_depth) frame_too_deep(ev);
  begin_step(ev);
}

static inline void frame_push(Eval *ev, Frame *frame) {
  count_step(ev);
  check_stack(ev);
  frame->caller = ev->frame;
  frame->call = ev->span;
  frame->depth = ev->frame ? ev->frame->depth + 1 : 0;
  if (frame->depth >= ev->options.max_depth) frame_too_deep(ev);
  ev->frame = frame;
  begin_step(ev);
}

// A closure has it: it and those around it, comprehensions too, outlive the calls.
void env_keep(Env *env);
