// SPDX-License-Identifier: Apache-2.0
// Carried arrays that alternate between two places: a turn reads one and writes the other, so that
// nothing is copied between turns.
#pragma once
#include "codegen/memory/gen_frame.h"
#include "ir/core/ir.h"

// The last turn writes the array's own place, whatever the number of turns.
typedef struct Spare {
  Mem own, other;
  Buffer *buffer;      // of the other place
  Value turns;         // not negative
  Value start;         // where the first turn finds the array: the own place until they alternate
  Value first;         // where it finds it if they do
  Value current, next; // of the turn at hand
} Spare;

// Takes the other place if what `loop` carries as its result number `i` is made anew in each turn
// from more than the elements it replaces; NULL otherwise.
Spare *spare_open(LlvmGen *g, const IrOp *loop, size_t i, const Mem *own, Value turns);
void spare_begin_turn(LlvmGen *g, Spare *spare, const IrOp *loop, size_t i, Value turn);
// The turn's code is there. Whether it has made the value in its next place; if not, the array
// stays in its own.
bool spare_end_turn(LlvmGen *g, const Spare *spare, const IrValue *yielded);
