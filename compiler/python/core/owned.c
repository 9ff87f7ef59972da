// SPDX-License-Identifier: Apache-2.0
// Values that nobody has but one local variable.
#include "owned.h"

void slot_lend(Env *env, uint32_t slot) {
  uint32_t borrowed = env->owned & slot_bit(slot) ? borrowed_bit(slot) : 0;
  env->owned = (env->owned & ~(slot_bit(slot) | borrowed_bit(slot))) | borrowed;
}

void slot_own(Eval *ev, Env *env, uint32_t slot, Value value, Object *fresh) {
  Object *old = env->owned & slot_bit(slot) && !env->is_kept ? env->slots[slot].o : NULL;
  env->owned &= ~(slot_bit(slot) | borrowed_bit(slot));
  if (old && !(value.kind == V_OBJECT && value.o == old)) discard(ev, old);
  if (fresh && !env->is_kept) env->owned |= slot_bit(slot);
}

void slot_take_back(Env *env, uint32_t slot, const Object *object) {
  const Value *value = &env->slots[slot];
  if (!(env->owned & borrowed_bit(slot)) || value->kind != V_OBJECT || value->o != object) return;
  env->owned = (env->owned & ~borrowed_bit(slot)) | slot_bit(slot);
}

void slots_leave(Eval *ev, Env *env, Value result) {
  uint32_t owned = env->is_kept ? 0 : env->owned & ((1u << OWNING_SLOTS) - 1);
  for (; owned; owned &= owned - 1) {
    const Value *slot = &env->slots[__builtin_ctz(owned)];
    if (slot->kind == V_OBJECT && !(result.kind == V_OBJECT && result.o == slot->o))
      discard(ev, slot->o);
  }
  env->owned = 0;
}
