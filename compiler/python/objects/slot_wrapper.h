// SPDX-License-Identifier: Apache-2.0
// The slots of native types as methods: what `int.__add__` and `super().__len__` find
// (slot_wrapper.c).
#pragma once
#include "python/values/evaluator.h"

typedef enum SlotKind {
  SLOT_BINARY,
  SLOT_REFLECTED,
  SLOT_INPLACE,
  SLOT_UNARY,
  SLOT_COMPARE,
  SLOT_CALL,
  SLOT_GETITEM,
  SLOT_SETITEM,
  SLOT_DELITEM,
  SLOT_CONTAINS,
  SLOT_LEN,
  SLOT_TRUTH,
  SLOT_HASH,
  SLOT_REPR,
  SLOT_STR,
  SLOT_FORMAT,
  SLOT_ITER,
  SLOT_NEXT,
  SLOT_INDEX,
  SLOT_GET,
  SLOT_SET,
  SLOT_DELETE,
} SlotKind;

// The method that answers by a slot: the same for all types that have it.
typedef struct SlotMethod {
  Name name;
  SlotKind kind;
  int op;
} SlotMethod;

// type's own slot as a method object, V_UNBOUND if the name is not a slot's or the slot is NULL.
void slots_init(Eval *ev);
