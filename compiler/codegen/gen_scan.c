// SPDX-License-Identifier: Apache-2.0
// Cumulative operations and argmax/argmin: one pass along a dimension, for all others element by element. Where the dimension is not the
// last one, the lanes of the last one go along side by side.
#include "plan.h"
#include "emit.h"

// The lanes of one step of the pass: a vector of the last dimension, or one element.
typedef struct Line {
  const IrOp *op;
  DType dtype;
  int dim;
  Mem from, to;
  bool reverse;
  unsigned lanes; // 1 if the dimension is the last one
} Line;

// Calls body for each line: all coordinates but that of `dim`; the last one in steps of vectors, then of single elements.
typedef void (*LineBody)(LlvmGen *g, const Line *line, Value *index);

static void each_line(LlvmGen *g, Line *line, int at, Value *index, LineBody body) {
  if (at == line->from.rank) {
    body(g, line, index);
    return;
  }
  if (at == line->dim) {
    each_line(g, line, at + 1, index, body);
    return;
  }
  bool is_last = at == line->from.rank - 1;
  unsigned lanes = 1;
  if (is_last && line->from.strides[at] == 1 && line->to.strides[at - (line->to.rank < line->from.rank)] == 1)
    lanes = g->target->vector_bytes / 4;
  int64_t size = line->from.dims[at], whole = size / lanes * lanes;
  for (int part = 0; part < 2; part++) {
    int64_t begin = part ? whole : 0, end = part ? size : whole;
    if (begin == end) continue;
    line->lanes = part ? 1 : lanes;
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), line->lanes, 0, NULL, false);
    index[at] = loop.index;
    each_line(g, line, at + 1, index, body);
    loop_end(g, &loop, NULL);
    if (lanes == 1) break;
  }
  line->lanes = 1;
}

static Value load_at(LlvmGen *g, const Line *line, Value const *index) {
  Value address = mem_address(g, &line->from, index);
  return mem_load_vector(g, address, line->dtype, (unsigned)dtype_size(line->dtype), line->lanes, line->lanes);
}

static void store_at(LlvmGen *g, const Line *line, Value const *index, Value value) {
  Value address = mem_address(g, &line->to, index);
  mem_store_vector(g, value, address, line->to.dtype, (unsigned)dtype_size(line->to.dtype), line->lanes);
}

// ---- cumulative operations -----------------------------------------------------------------------------
static OpCode reduction_of(OpCode code) {
  switch (code) {
  case OP_CUMSUM: return OP_REDUCE_SUM;
  case OP_CUMPROD: return OP_REDUCE_PROD;
  case OP_CUMMAX: return OP_REDUCE_MAX;
  case OP_CUMMIN: return OP_REDUCE_MIN;
  default: BUG("%s is not cumulative", op_info(code)->name);
  }
}

// log(exp(x) + exp(y)).
static Value log_add_exp(LlvmGen *g, Value x, Value y) {
  Value high = elem_max(g, DT_F32, x, y, false), low = elem_max(g, DT_F32, x, y, true);
  Value gap = emit_fsub(g, low, high);
  Value sum = emit_fadd(g, high, math_unary(g, OP_LOG1P, math_unary(g, OP_EXP, gap)));
  Value is_infinite = emit_fcmp_c(g, LLVMRealOEQ, emit_abs(g, high), __builtin_inf());
  return emit_select(g, is_infinite, high, sum);
}

static void cumulate(LlvmGen *g, const Line *line, Value *index) {
  OpCode code = line->op->code;
  bool is_log = code == OP_CUMLOGSUMEXP;
  Value initial = is_log ? gen_const_f32(g, 1, -__builtin_inf()) : reduction_identity(g, reduction_of(code), line->dtype);
  initial = gen_splat(g, initial, line->lanes);
  int64_t size = line->from.dims[line->dim];
  Loop loop;
  loop_begin_count(g, &loop, size, 1, 1, &initial);
  index[line->dim] = line->reverse ? emit_sub(g, gen_i64(g, size - 1), loop.index) : loop.index;
  Value element = load_at(g, line, index);
  Value next = is_log ? log_add_exp(g, loop.carried[0], element) : reduction_combine(g, reduction_of(code), line->dtype, loop.carried[0], element);
  store_at(g, line, index, convert_round(g, line->dtype, next));
  loop_end(g, &loop, &next);
}

void gen_cumulative(LlvmGen *g, IrOp *op) {
  Mem from = value_mem(g, op->operands[0]);
  Line line = {.op = op, .dtype = from.dtype, .dim = (int)ir_attr_int(op, ATTR_DIM), .from = from, .reverse = ir_attr_int(op, ATTR_REVERSE), .lanes = 1};
  line.to = value_bind_new(g, op->results[0]);
  if (mem_count(&from) == 0) return;
  Value index[IR_MAX_RANK];
  each_line(g, &line, 0, index, cumulate);
}

// ---- argmax and argmin -------------------------------------------------------------------------------------
// The first of the greatest; a NaN is greater than all, and the first one wins.
static Value is_better(LlvmGen *g, const Line *line, Value x, Value best) {
  bool least = line->op->code == OP_ARGMIN;
  if (!dtype_is_float(line->dtype)) return elem_compare(g, least ? OP_LT : OP_GT, line->dtype, x, best);
  // Not (x <= best) is true for NaN as well: of x, which wins, and of best, which has won.
  Value not_worse = emit_fcmp(g, least ? LLVMRealULT : LLVMRealUGT, x, best);
  return emit_and(g, not_worse, emit_fcmp(g, LLVMRealORD, best, best));
}

static void find_extreme(LlvmGen *g, const Line *line, Value *index) {
  int64_t size = line->from.dims[line->dim];
  index[line->dim] = gen_i64(g, 0);
  Value first = load_at(g, line, index);
  Value initial[] = {first, gen_const_int(gen_type_like(g->i32, first), 0)};
  Value found = initial[1];
  if (size > 1) {
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, 1), gen_i64(g, size), 1, 2, initial, false);
    index[line->dim] = loop.index;
    Value x = load_at(g, line, index), better = is_better(g, line, x, loop.carried[0]);
    Value at = gen_splat(g, emit_trunc(g, loop.index, g->i32), line->lanes);
    Value next[] = {emit_select(g, better, x, loop.carried[0]), emit_select(g, better, at, loop.carried[1])};
    loop_end(g, &loop, next);
    found = loop.carried[1];
  }
  Value kept[IR_MAX_RANK];
  for (int i = 0, at = 0; i < line->from.rank; i++)
    if (i != line->dim) kept[at++] = index[i];
  store_at(g, line, kept, convert_dtype(g, found, DT_I32, line->to.dtype));
}

void gen_arg_extreme(LlvmGen *g, IrOp *op) {
  Mem from = value_mem(g, op->operands[0]);
  IrValue *result = op->results[0];
  Line line = {.op = op, .dtype = from.dtype, .dim = (int)ir_attr_ints(op, ATTR_AXES).items[0], .from = from, .lanes = 1};
  Buffer *buffer = frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &line.to);
  Value index[IR_MAX_RANK];
  if (mem_count(&line.to) != 0 && from.dims[line.dim] != 0) each_line(g, &line, 0, index, find_extreme);
  if (result->type->rank) {
    value_bind_mem(g, result, &line.to, buffer);
    return;
  }
  value_bind_scalar(g, result, mem_load(g, &line.to, NULL));
  frame_give(g, buffer);
}
