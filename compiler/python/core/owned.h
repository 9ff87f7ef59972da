// SPDX-License-Identifier: Apache-2.0
// Values that nobody has but one local variable: they go when it gets another one, or when its
// function has returned. A variable owns what was fresh (fresh.h) when it was stored there. Who
// reads it may keep it: the value is borrowed, until what has read it is done and has certainly not
// kept it, and then it is taken back. A second read in between, of whatever scope, ends that.
#pragma once
#include "python/values/evaluator.h"
#include "python/objects/fresh.h"

// Bits of Env.owned, of the first slots: the lower ones say which values are owned, the upper ones
// which are borrowed.
enum { OWNING_SLOTS = 16 };
static inline uint32_t slot_bit(uint32_t slot) { return slot < OWNING_SLOTS ? 1u << slot : 0; }
static inline uint32_t borrowed_bit(uint32_t slot) { return slot_bit(slot) << OWNING_SLOTS; }

// Some variable of the function owns a value, or one of theirs is borrowed.
static inline bool owns_values(const Env *env) { return __builtin_expect(env->owned != 0, false); }

void slot_lend(Env *env, uint32_t slot);
void slot_own(Eval *ev, Env *env, uint32_t slot, Value value, Object *fresh);

static inline void slot_read(Env *env, uint32_t slot) {
  if (owns_values(env)) slot_lend(env, slot);
}

// `fresh`: the value if nobody else has it, or NULL.
static inline void slot_write(Eval *ev, Env *env, uint32_t slot, Value value, Object *fresh) {
  if (fresh || owns_values(env)) slot_own(ev, env, slot, value, fresh);
  env->slots[slot] = value;
}

void slot_take_back(Env *env, uint32_t slot, const Object *object);

// v was the value of e, which has been used, and is not kept anywhere.
static inline void take_back(const Eval *ev, const Expr *e, Value v) {
  if (e->form == FORM_LOCAL && v.kind == V_OBJECT && owns_values(ev->frame->env))
    slot_take_back(ev->frame->env, e->name.index, v.o);
}

// The value of a local variable, borrowed by the `return` that reads it.
static inline bool is_last_read(const Eval *ev, const Expr *e, Value v) {
  if (e->form != FORM_LOCAL || v.kind != V_OBJECT) return false;
  const Env *env = ev->frame->env;
  return !env->is_kept && env->owned & borrowed_bit(e->name.index);
}

// The call has returned.
void slots_leave(Eval *ev, Env *env, Value result);
