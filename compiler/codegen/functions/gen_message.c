// SPDX-License-Identifier: Apache-2.0
// debug_print and check: values in memory, handed to the runtime; places in the source as
// constants.
#include "codegen/emit/emit.h"
#include "prt_codegen.h"

// ---- sites --------------------------------------------------------------------------------------
static Value site_at(LlvmGen *g, Span span, Str function, Value caller) {
  const SourceFile *file = source_get(g->session, span.file);
  LineCol at = {0, 0};
  int64_t end_column = 0;
  Value source = LLVMConstPointerNull(g->ptr);
  if (file) {
    at = source_line_col(file, span.begin);
    LineCol end = source_line_col(file, span.end);
    end_column = end.line == at.line ? end.column : at.column + 1;
    source = gen_string(g, source_line(file, at.line));
  }
  Value fields[] = {gen_string(g, file ? file->path : STR("")),
                    gen_i32(g, at.line),
                    gen_i32(g, at.column),
                    gen_i32(g, end_column),
                    source,
                    gen_string(g, function),
                    caller};
  return gen_private_constant(
      g, LLVMConstStructInContext(g->context, fields, COUNT_OF(fields), false), "site");
}

// An op's place with the calls it was traced through; the outermost call stands in the function
// itself.
Value gen_site(LlvmGen *g, const IrOp *op) {
  Value known = map_get(g->globals, op);
  if (known) return known;
  const IrFrames *frames[64];
  size_t count = 0;
  for (const IrFrames *f = op->frames; f && count < COUNT_OF(frames); f = f->caller)
    frames[count++] = f;
  Value caller = LLVMConstPointerNull(g->ptr);
  Str function = name_str(g->func->name);
  for (size_t i = count; i-- > 0;) {
    caller = site_at(g, frames[i]->call, function, caller);
    function = frames[i]->function ? name_str(frames[i]->function) : STR("");
  }
  Value site = site_at(g, op->span, function, caller);
  map_set(g->globals, op, site);
  return site;
}

// ---- values -------------------------------------------------------------------------------------
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

// Only where checks are on, as pl.debug_check has it.
static void check(LlvmGen *g, const IrOp *op) {
  if (!g->options->check) return;
  Branch branch;
  branch_begin(g, &branch, emit_not(g, value_scalar(g, op->operands[0])), false);
  size_t count;
  Value records = value_records(g, op, 1, &count);
  Value args[] = {frame_worker(g), gen_site(g, op), gen_string(g, ir_attr_str(op, ATTR_FORMAT)),
                  gen_i32(g, (int64_t)count), records};
  gen_call_runtime(g, "prt__check_failed", g->void_type, 5, args);
  branch_else(g, &branch);
  branch_end(g, &branch);
}

void gen_message_op(LlvmGen *g, IrOp *op) {
  if (op->code == OP_DEBUG_PRINT)
    debug_print(g, op);
  else
    check(g, op);
}
