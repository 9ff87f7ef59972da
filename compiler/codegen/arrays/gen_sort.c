// SPDX-License-Identifier: Apache-2.0
// Sorting along a dimension: each line's keys become numbers in whose order they are (with NaN
// behind everything and -0.0 equal to 0.0), with the element's place below them, and those are
// merged. The places make the order stable, and say where every operand's elements go.
// Several keys: one sort for each, from the last to the first.
#include "gen_sort.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/values/gen_value.h"

typedef struct Sort {
  const IrOp *op;
  int dim;
  int64_t size;
  Mem from[64], to[64];
  Value order, spare_order, pairs, spare_pairs; // i32s and i64s in the frame
} Sort;

// An unsigned i32 in the order of the elements.
static Value sortable(LlvmGen *g, DType dtype, Value x, bool descending) {
  Value number;
  if (dtype_is_float(dtype)) {
    Value bits = emit_as_int(g, emit_fadd_c(g, x, 0.0)); // -0.0 becomes 0.0
    Value mask = emit_or_c(g, emit_ashr_c(g, bits, 31), (int64_t)INT32_MIN);
    number = emit_select(g, emit_is_nan(g, x), gen_int_like(g, bits, -1), emit_xor(g, bits, mask));
  } else {
    number = convert_dtype(g, x, dtype, dtype_is_signed(dtype) ? DT_I32 : DT_U32);
    if (dtype_is_signed(dtype)) number = emit_xor_c(g, number, (int64_t)INT32_MIN);
  }
  return descending ? emit_not(g, number) : number;
}

// ---- sort.u64(a, spare, n): a[0 .. n) in order, by merging runs of 1, 2, 4 … --------------------
typedef struct Merge {
  Value from, to, middle, end;
} Merge;

static Value element(LlvmGen *g, Value base, Value index) {
  return LLVMBuildLoad2(g->builder, g->i64, gen_offset(g, base, DT_I64, index), "");
}

// Merges from[begin, middle) and from[middle, end) into to[begin, end).
static void merge_runs(LlvmGen *g, const Merge *m, Value begin) {
  Value initial[] = {begin, m->middle};
  Loop loop;
  loop_begin(g, &loop, begin, m->end, 1, 2, initial, false);
  Value left = loop.carried[0], right = loop.carried[1];
  Value has_left = emit_icmp(g, LLVMIntSLT, left, m->middle),
        has_right = emit_icmp(g, LLVMIntSLT, right, m->end);
  Value zero = gen_i64(g, 0);
  Value x = element(g, m->from, emit_select(g, has_left, left, zero)),
        y = element(g, m->from, emit_select(g, has_right, right, zero));
  Value less = emit_icmp(g, LLVMIntULT, y, x);
  Value take_right = emit_and(g, has_right, emit_or(g, less, emit_not(g, has_left)));
  LLVMBuildStore(g->builder, emit_select(g, take_right, y, x),
                 gen_offset(g, m->to, DT_I64, loop.index));
  Value step = LLVMBuildZExt(g->builder, take_right, g->i64, "");
  Value next[] = {emit_add_c(g, emit_sub(g, left, step), 1), emit_add(g, right, step)};
  loop_end(g, &loop, next);
}

static Value sort_function(LlvmGen *g) {
  static const char name[] = "sort.u64";
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function) return function;
  Type types[] = {g->ptr, g->ptr, g->i64};
  function = gen_new_function(g, name, LLVMFunctionType(g->void_type, types, 3, false), true);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Frame frame = {.function = function, .outer = g->frame}, *outer = g->frame;
  g->frame = &frame;
  LLVMBuilderRef b = g->builder;
  LLVMBasicBlockRef entry = gen_block(g, "entry"), test = gen_block(g, "test"),
                    pass = gen_block(g, "pass"), done = gen_block(g, "done");
  LLVMBasicBlockRef copy = gen_block(g, "copy"), leave = gen_block(g, "leave");
  Value count = LLVMGetParam(function, 2);
  gen_move_to(g, entry);
  LLVMBuildBr(b, test);
  gen_move_to(g, test);
  Value width = LLVMBuildPhi(b, g->i64, "width"), from = LLVMBuildPhi(b, g->ptr, "from"),
        to = LLVMBuildPhi(b, g->ptr, "to");
  LLVMBuildCondBr(b, emit_icmp(g, LLVMIntSLT, width, count), pass, done);
  gen_move_to(g, pass);
  Value twice = emit_shl_c(g, width, 1);
  Value runs = LLVMBuildUDiv(b, emit_sub_c(g, emit_add(g, count, twice), 1), twice, "");
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), runs, 1, 0, NULL, false);
  Value begin = emit_mul(g, loop.index, twice);
  Merge merge = {.from = from,
                 .to = to,
                 .middle = gen_intrinsic2(g, "llvm.smin", emit_add(g, begin, width), count),
                 .end = gen_intrinsic2(g, "llvm.smin", emit_add(g, begin, twice), count)};
  merge_runs(g, &merge, begin);
  loop_end(g, &loop, NULL);
  LLVMBuildBr(b, test);
  LLVMBasicBlockRef blocks[] = {entry, gen_here(g)};
  Value widths[] = {gen_i64(g, 1), twice}, froms[] = {LLVMGetParam(function, 0), to},
        tos[] = {LLVMGetParam(function, 1), from};
  LLVMAddIncoming(width, widths, blocks, 2);
  LLVMAddIncoming(from, froms, blocks, 2);
  LLVMAddIncoming(to, tos, blocks, 2);
  gen_move_to(g, done);
  LLVMBuildCondBr(b, emit_icmp(g, LLVMIntEQ, from, froms[0]), leave, copy);
  gen_move_to(g, copy);
  LLVMBuildMemCpy(b, froms[0], 8, from, 8, emit_shl_c(g, count, 3));
  LLVMBuildBr(b, leave);
  gen_move_to(g, leave);
  LLVMBuildRetVoid(b);
  g->frame = outer;
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

// ---- lines --------------------------------------------------------------------------------------
static Value place_at(LlvmGen *g, Value order, Value i) {
  return LLVMBuildLoad2(g->builder, g->i32, gen_offset(g, order, DT_I32, i), "");
}

static void along(const Sort *s, Value const *line, Value at, Value *index) {
  for (int i = 0, next = 0; i < s->from[0].rank; i++) index[i] = i == s->dim ? at : line[next++];
}

// Sorts the places by one key; `is_first`: they are still 0, 1, 2 …
static void sort_by(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool is_first,
                    bool descending) {
  Value index[IR_MAX_RANK];
  Loop loop;
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value at = is_first ? loop.index
                      : LLVMBuildZExt(g->builder, place_at(g, s->order, loop.index), g->i64, "");
  along(s, line, at, index);
  Value number = sortable(g, s->from[key].dtype, mem_load(g, &s->from[key], index), descending);
  Value pair =
      emit_or(g, emit_shl_c(g, LLVMBuildZExt(g->builder, number, g->i64, ""), 32), loop.index);
  LLVMBuildStore(g->builder, pair, gen_offset(g, s->pairs, DT_I64, loop.index));
  loop_end(g, &loop, NULL);
  Value args[] = {s->pairs, s->spare_pairs, gen_i64(g, s->size)};
  Value function = sort_function(g);
  LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, 3, "");
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value place = emit_trunc(g, element(g, s->pairs, loop.index), g->i32);
  if (!is_first) place = place_at(g, s->order, LLVMBuildZExt(g->builder, place, g->i64, ""));
  LLVMBuildStore(g->builder, place,
                 gen_offset(g, is_first ? s->order : s->spare_order, DT_I32, loop.index));
  loop_end(g, &loop, NULL);
  if (!is_first)
    LLVMBuildMemCpy(g->builder, s->order, 4, s->spare_order, 4, gen_i64(g, s->size * 4));
}

static void sort_line(LlvmGen *g, Value const *line, void *data) {
  const Sort *s = data;
  int64_t keys = ir_attr_int(s->op, ATTR_KEYS);
  bool descending = ir_attr_int(s->op, ATTR_DESCENDING);
  for (int64_t key = keys; key-- > 0;)
    sort_by(g, s, line, (size_t)key, key == keys - 1, descending);
  Value to[IR_MAX_RANK], from[IR_MAX_RANK];
  Loop loop;
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  along(s, line, loop.index, to);
  along(s, line, LLVMBuildZExt(g->builder, place_at(g, s->order, loop.index), g->i64, ""), from);
  for (size_t i = 0; i < s->op->operand_count; i++)
    mem_store(g, &s->to[i], to, mem_load(g, &s->from[i], from));
  loop_end(g, &loop, NULL);
}

void gen_sort(LlvmGen *g, IrOp *op) {
  Sort *s = ARENA_NEW(g->arena, Sort);
  s->op = op;
  s->dim = (int)ir_attr_int(op, ATTR_DIM);
  if (op->operand_count > COUNT_OF(s->from)) BUG("sort of %u operands", op->operand_count);
  for (size_t i = 0; i < op->operand_count; i++) {
    s->from[i] = value_mem(g, op->operands[i]);
    s->to[i] = value_bind_new(g, op->results[i]);
  }
  s->size = s->from[0].dims[s->dim];
  if (mem_count(&s->from[0]) == 0) return;
  Mem mem;
  Buffer *buffers[4];
  Value *places[] = {&s->order, &s->spare_order, &s->pairs, &s->spare_pairs};
  for (int i = 0; i < 4; i++) {
    int64_t elements = i < 2 ? s->size : 2 * s->size;
    buffers[i] = frame_take_array(g, DT_I32, 1, &elements, &mem);
    *places[i] = mem.base;
  }
  int64_t others[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < s->from[0].rank; i++)
    if (i != s->dim) others[rank++] = s->from[0].dims[i];
  mem_each(g, rank, others, sort_line, s);
  for (int i = 0; i < 4; i++) frame_give(g, buffers[i]);
}
