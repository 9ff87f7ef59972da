// SPDX-License-Identifier: Apache-2.0
// Rows: digests and counts of IR, plans and LLVM modules.
#include "count.h"
#include <stdlib.h>
#include <string.h>
#include "ir/core/region.h"

// FNV-1a; http://www.isthe.com/chongo/tech/comp/fnv.
void row_digest(Row *row, int which, Str text) {
  uint64_t hash = row->digests[which] ? row->digests[which] : 0xcbf29ce484222325u;
  for (size_t i = 0; i < text.len; i++)
    hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
  row->digests[which] = hash;
}

void row_count(Row *row, Str name, size_t number) {
  for (size_t i = 0; i < row->counts.count; i++)
    if (str_equal(row->counts.items[i].name, name)) {
      row->counts.items[i].number += number;
      return;
    }
  VEC_PUSH(row->arena, &row->counts, ((Count){str_copy(row->arena, name), number}));
}

static void count_op(IrOp *op, void *row) {
  row_count(row, str_from_c(op_info(op->code)->name), 1);
}

static void count_all(IrOp *op, void *row) {
  (void)op;
  row_count(row, STR("ops"), 1);
}

void row_count_ops(Row *row, IrModule *module, bool is_total) {
  ir_walk_module(module, is_total ? count_all : count_op, row);
}

void row_count_text(Row *row, const char *name, Str text, const char *mark) {
  size_t number = 0;
  for (const char *at = text.data; text.len && (at = strstr(at, mark)); at++) number++;
  if (number) row_count(row, str_from_c(name), number);
}

// ---- LLVM ---------------------------------------------------------------------------------------
// Counted are what a difference is likely to show in; instructions are all.
static const struct {
  LLVMOpcode code;
  const char *name;
} counted[] = {{LLVMLoad, "load"},
               {LLVMStore, "store"},
               {LLVMShuffleVector, "shuffle"},
               {LLVMAlloca, "alloca"}};

// "prt__copy_start" is of the runtime, "llvm.fma.v16f32" an operation of LLVM's, "llvm.fma"; others
// are calls inside of the module.
static void count_call(Row *row, LLVMValueRef call) {
  size_t length;
  const char *text = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  Str name = {text, length};
  if (str_starts_with(name, STR("prt_"))) {
    row_count(row, STR("runtime"), 1);
  } else if (str_starts_with(name, STR("llvm."))) {
    const char *dot = memchr(text + 5, '.', length - 5);
    if (dot) name.len = (size_t)(dot - text);
    if (!str_starts_with(name, STR("llvm.dbg"))) row_count(row, name, 1);
  } else {
    row_count(row, STR("call"), 1);
  }
}

static void count_width(Row *row, LLVMValueRef instruction, LLVMTargetDataRef layout) {
  LLVMValueRef value = LLVMGetInstructionOpcode(instruction) == LLVMStore
                           ? LLVMGetOperand(instruction, 0)
                           : instruction;
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) return;
  row_count(row, str_format(row->arena, "v%llu", LLVMSizeOfTypeInBits(layout, type)), 1);
}

static void count_instruction(Row *row, LLVMValueRef instruction, LLVMTargetDataRef layout) {
  LLVMOpcode code = LLVMGetInstructionOpcode(instruction);
  row_count(row, STR("instructions"), 1);
  for (size_t i = 0; i < COUNT_OF(counted); i++)
    if (counted[i].code == code) row_count(row, str_from_c(counted[i].name), 1);
  if (code == LLVMCall) count_call(row, instruction);
  count_width(row, instruction, layout);
}

void row_count_llvm(Row *row, LLVMModuleRef module) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!LLVMIsDeclaration(f)) row_count(row, STR("functions"), 1);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      row_count(row, STR("blocks"), 1);
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
        count_instruction(row, i, layout);
    }
  }
}

// ---- text ---------------------------------------------------------------------------------------
static size_t number_of(const Row *row, Str name) {
  for (size_t i = 0; row && i < row->counts.count; i++)
    if (str_equal(row->counts.items[i].name, name)) return row->counts.items[i].number;
  return 0;
}

void row_print(const Row *row, const Row *base, const char *name, FILE *out) {
  fprintf(out, "  %s", name);
  for (int i = 0; i < ROW_DIGESTS; i++)
    if (row->digests[i]) fprintf(out, " %08x", (unsigned)(row->digests[i] ^ row->digests[i] >> 32));
  for (size_t i = 0; i < row->counts.count; i++) {
    const Count *count = &row->counts.items[i];
    if (!base || number_of(base, count->name) != count->number)
      fprintf(out, " %.*s %zu", STR_FMT(count->name), count->number);
  }
  for (size_t i = 0; base && i < base->counts.count; i++) {
    Str counted_there = base->counts.items[i].name;
    if (!number_of(row, counted_there)) fprintf(out, " %.*s 0", STR_FMT(counted_there));
  }
  fputc('\n', out);
}
