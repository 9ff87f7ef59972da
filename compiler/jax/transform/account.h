// SPDX-License-Identifier: Apache-2.0
// What a region records, as Python's own objects (account.c).
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "jax/array/array.h"

// Numbers of the values met so far.
typedef struct Account {
  Eval *ev;
  Map *numbers; // const IrValue * -> number + 1
} Account;

void account_init(Eval *ev, Account *account);
// (number, shape, dtype, memory space or None)
Value account_value(Account *account, const IrValue *value);
// (values of the arguments, operations); an operation is (name, numbers of its operands, values of
// its results, {attribute: value}, regions, class).
Value account_region(Account *account, const IrRegion *region);
