// SPDX-License-Identifier: Apache-2.0
// An index of NumPy's kind, taken apart: what each item means for the dimension it stands at
// (subscript_plan.c).
#pragma once
#include "ir/core/ir.h"
#include "array.h"

typedef enum IndexItemKind {
  ITEM_NEW,    // None: a new dimension of size 1
  ITEM_INT,    // a static integer, negative ones already counted from the end
  ITEM_SCALAR, // an integer known at run time
  ITEM_SLICE,  // static start, count, step (which may be negative)
  ITEM_WINDOW, // pl.ds with a start known at run time, or that may reach beyond the end
  ITEM_ARRAY,  // an integer array
} IndexItemKind;
typedef struct IndexItem {
  IndexItemKind kind;
  int axis; // of the array; -1 for ITEM_NEW
  int64_t start, count, step;
  IrValue *value; // ITEM_SCALAR, ITEM_WINDOW: i32 scalar; ITEM_ARRAY: i32; negative ones already
                  // counted from the end
} IndexItem;
#define INDEX_MAX_ITEMS (2 * IR_MAX_RANK + 2)
typedef struct IndexPlan {
  size_t count;
  IndexItem items[INDEX_MAX_ITEMS];
  bool has_arrays; // advanced indexing
  IrValue
      *array; // the array, with a dimension of size 1 inserted for each True or False in the index
} IndexPlan;

// `wrap`: negative integers count from the end.
void index_plan(Eval *ev, IrValue *array, Value index, bool wrap, IndexPlan *plan);
// The integer a slice bound or a static index is; false if it is none or is traced.
bool static_integer(Eval *ev, Value v, int64_t *out);
