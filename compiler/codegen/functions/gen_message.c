// SPDX-License-Identifier: Apache-2.0
// debug_print and check: values in memory, handed to the runtime.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_message.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_site.h"
#include "codegen/values/gen_value.h"
#include "prt_codegen.h"

// prt_value records of the operands from `first` on, on the stack.
static Value value_records(LlvmGen *g, const IrOp *op, size_t first, size_t *count) {
  *count = op->operand_count - first;
  if (*count == 0) return LLVMConstPointerNull(g->ptr);
  Type fields[] = {g->ptr, g->i32, g->i32, g->ptr};
  Type record = LLVMStructTypeInContext(g->context, fields, COUNT_OF(fields), false);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, g->frame->entry);
  Value records = LLVMBuildAlloca(g->builder, LLVMArrayType2(record, *count), "values");
  gen_move_to(g, here);
  for (size_t i = 0; i < *count; i++) {
    const IrValue *value = op->operands[first + i];
    Mem mem = value_mem(g, value);
    if (!mem_is_dense(&mem)) {
      Mem copy;
      frame_take_array(g, mem.dtype, mem.rank, mem.dims, &copy);
      mem_copy(g, &copy, &mem);
      mem = copy;
    }
    Value dims = mem.rank ? gen_i64_array(g, mem.rank, mem.dims) : LLVMConstPointerNull(g->ptr);
    Value parts[] = {mem.base, gen_i32(g, gen_dtype_number(mem.dtype)), gen_i32(g, mem.rank), dims};
    Value place = gen_address(g, records, (int64_t)(i * sizeof(prt_value)));
    for (unsigned k = 0; k < COUNT_OF(parts); k++)
      LLVMBuildStore(g->builder, parts[k], LLVMBuildStructGEP2(g->builder, record, place, k, ""));
  }
  return records;
}

static void debug_print(LlvmGen *g, const IrOp *op) {
  size_t count;
  Value records = value_records(g, op, 0, &count);
  Value args[] = {frame_worker(g), gen_string(g, ir_attr_str(op, ATTR_FORMAT)),
                  gen_i32(g, (int64_t)count), records};
  gen_call_runtime(g, "prt__debug_print", g->void_type, 4, args);
}

typedef struct Finding {
  int64_t kind; // a prt_finding_kind
  bool everywhere;
} Finding;

static Finding finding_of(const IrOp *op) {
  static const Finding findings[] = {
#define FINDING_WORD(id, word, kind, everywhere) [FINDING_##id] = {PRT_FINDING_##kind, everywhere},
#include "ir/core/attr_words.def"
  };
  return findings[ir_attr_int(op, ATTR_FINDING)];
}

static void check(LlvmGen *g, const IrOp *op) {
  Finding finding = finding_of(op);
  if (!g->options->check && !finding.everywhere) return;
  Branch branch;
  branch_begin(g, &branch, emit_not(g, value_scalar(g, op->operands[0])), false);
  size_t count;
  Value records = value_records(g, op, 1, &count);
  Value args[] = {frame_worker(g),
                  gen_i32(g, finding.kind),
                  gen_site(g, op),
                  gen_string(g, ir_attr_str(op, ATTR_FORMAT)),
                  gen_i32(g, (int64_t)count),
                  records};
  gen_call_runtime(g, "prt__check_failed", g->void_type, COUNT_OF(args), args);
  branch_end_then(g, &branch);
}

void gen_message_op(LlvmGen *g, IrOp *op) {
  if (op->code == OP_DEBUG_PRINT)
    debug_print(g, op);
  else
    check(g, op);
}
