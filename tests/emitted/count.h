// SPDX-License-Identifier: Apache-2.0
// What was made of a kernel at one stage, as a row: digests of its texts, and how often what occurs
// in it.
#pragma once
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include "base/buf.h"
#include "ir/core/ir.h"

enum { ROW_DIGESTS = 2 };
typedef struct Count {
  Str name;
  size_t number;
} Count;
typedef struct Row {
  Arena *arena;
  uint64_t digests[ROW_DIGESTS]; // of all texts so far; 0: of none
  VEC(Count) counts;             // in the order of their first
} Row;

void row_digest(Row *row, int which, Str text);
void row_count(Row *row, Str name, size_t number);
// Of each kind, or all together.
void row_count_ops(Row *row, IrModule *module, bool is_total);
// How often the mark is in the text, which ends in a NUL byte.
void row_count_text(Row *row, const char *name, Str text, const char *mark);
void row_count_llvm(Row *row, LLVMModuleRef module);
// "  ir 12ab34cd load 4 store 1". With a base, counts are those that differ from its own.
void row_print(const Row *row, const Row *base, const char *name, FILE *out);
