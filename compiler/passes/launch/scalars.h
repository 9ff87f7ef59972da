// SPDX-License-Identifier: Apache-2.0
// Scalars, and places of refs, that are known while a program is followed from op to op.
#pragma once
#include "base/map.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"

typedef struct Scalars {
  Arena *arena;
  Map *values; // scalars: IrData
} Scalars;

Scalars scalars_new(Arena *arena);
// What a value is; NULL: it is not known.
const IrData *scalars_data(const Scalars *k, const IrValue *value);
bool scalars_int(const Scalars *k, const IrValue *value, int64_t *out);
// `data`: NULL if it is not known.
void scalars_set(Scalars *k, const IrValue *value, const IrData *data);
void scalars_set_int(Scalars *k, const IrValue *value, int64_t number);
// The op's results, if it computes scalars of scalars that are known.
void scalars_evaluate(Scalars *k, const IrOp *op);

// Part of the memory of a root: low <= index < high in each of its dimensions.
typedef struct Box {
  const IrValue *root;
  int rank;
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK];
  int dims[IR_MAX_RANK]; // of the root, for each dimension of the ref
} Box;

// The part of the root's memory that a ref is. false: it is not known; the box is around it, if it
// has been given a root.
bool box_of(const Scalars *k, const IrValue *ref, Box *box);
// The part of the box that the op's index names. false: it is not known, and within the box.
bool box_narrow(const Scalars *k, const IrOp *op, Box *box);
bool box_meet(const Box *a, const Box *b);
