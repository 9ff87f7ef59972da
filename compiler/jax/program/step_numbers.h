// SPDX-License-Identifier: Apache-2.0
// Numbers that differ from one step of a loop to the next: constants, and where slices begin. In: a
// program that is about to run. Out: the same program, where those that have been others before are
// inputs, and a text that two programs share if they have the same code.
#pragma once
#include "ir/core/ir.h"

// What is known of the programs that were met.
typedef struct NumberTable NumberTable;
NumberTable *number_table_new(Arena *arena);

typedef struct Number {
  IrOp *op;
  IrData value; // of a slice: i64, the starts
} Number;
typedef struct NumberList {
  size_t count;
  Number *items;
} NumberList;
// Those that may be inputs.
NumberList numbers_find(Arena *arena, const IrFunc *func);

// Gives the value of a new input of the function that holds `bytes` when it runs.
typedef struct NumberInput {
  IrValue *(*add)(void *data, const IrType *type, const void *bytes);
  void *data;
} NumberInput;
Str numbers_settle(Arena *arena, NumberTable *table, IrFunc *func, NumberList numbers,
                   NumberInput input);
