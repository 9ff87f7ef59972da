// SPDX-License-Identifier: Apache-2.0
// tuple; and what tuples and lists share: comparison, hash, repr, iteration (builtin_tuple.c).
#pragma once
#include "base/buf.h"
#include "python/values/evaluator.h"

// Appends the repr of a container.
typedef void ReprBody(Eval *ev, Value self, Buf *out);

Value make_pair(Eval *ev, Value first, Value second); // a tuple
// left op right for items in order, as tuples and lists compare.
Value tuple_compare(Eval *ev, CompareOp op, const Tuple *a, const Tuple *b);
Value sequence_compare(Eval *ev, CompareOp op, const Value *a, size_t a_count, const Value *b,
                       size_t b_count);
void put_reprs(Eval *ev, Buf *buf, const Value *items, size_t count); // "1, 'a'"
// By `body`, or `cyclic` if that is being made already.
void guarded_repr(Eval *ev, Value self, Buf *out, ReprBody *body, const char *cyclic);
Str repr_text(Eval *ev, Value self, ReprBody *put);              // what `put` appends, alone
uint64_t hash_items(Eval *ev, const Value *items, size_t count); // of a tuple
void builtin_tuple_init(Eval *ev);
