// SPDX-License-Identifier: Apache-2.0
// Gather and scatter: for each index vector a window of the operand, copied or combined as a whole.
#include "gen_index.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_value.h"

typedef struct Windows {
  const IrOp *op;
  Mem operand, indices, values; // values: gather's result, scatter's updates
  int64_t sizes[IR_MAX_RANK];   // of a window, along the operand's dimensions
  bool is_offset[IR_MAX_RANK];  // of the values' dimensions
  int operand_dim[IR_MAX_RANK]; // of an offset dimension
  bool clip;
  Str combine;
} Windows;

static bool contains(IrInts ints, int64_t item) {
  for (size_t i = 0; i < ints.count; i++)
    if (ints.items[i] == item) return true;
  return false;
}

static void windows_init(LlvmGen *g, Windows *w, const IrOp *op) {
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS);
  IrInts batch = ir_attr_ints(op, ATTR_OPERAND_BATCH);
  w->op = op;
  w->indices = value_mem(g, op->operands[1]);
  w->clip = !str_equal(ir_attr_str(op, ATTR_MODE), STR("fill")); // a promise is kept by clipping
  for (int i = 0; i < w->operand.rank; i++) w->sizes[i] = 1;
  int dim = 0;
  for (size_t i = 0; i < offset.count; i++) {
    while (contains(collapsed, dim) || contains(batch, dim)) dim++;
    w->is_offset[offset.items[i]] = true;
    w->operand_dim[offset.items[i]] = dim;
    w->sizes[dim++] = w->values.dims[offset.items[i]];
  }
}

// Where the window of the index vector at `batch` starts; *inside: whether it lies in the operand
// (NULL if it always does).
static void window_starts(LlvmGen *g, const Windows *w, Value const *batch, size_t batch_rank,
                          Value *starts, Value *inside) {
  IrInts map = ir_attr_ints(w->op, ATTR_INDEX_MAP);
  IrInts operand_batch = ir_attr_ints(w->op, ATTR_OPERAND_BATCH),
         index_batch = ir_attr_ints(w->op, ATTR_INDEX_BATCH);
  Value at[IR_MAX_RANK];
  for (size_t i = 0; i < batch_rank; i++) at[i] = batch[i];
  for (int i = 0; i < w->operand.rank; i++) starts[i] = gen_i64(g, 0);
  for (size_t i = 0; i < map.count; i++) {
    at[batch_rank] = gen_i64(g, (int64_t)i);
    Value index = mem_load(g, &w->indices, at);
    starts[map.items[i]] = dtype_is_signed(w->indices.dtype) ? emit_sext(g, index, g->i64)
                                                             : emit_zext(g, index, g->i64);
  }
  for (size_t i = 0; i < operand_batch.count; i++)
    starts[operand_batch.items[i]] = batch[index_batch.items[i]];
  *inside = NULL;
  for (size_t i = 0; i < map.count; i++) {
    int64_t d = map.items[i], last = w->operand.dims[d] - w->sizes[d];
    if (w->clip) {
      starts[d] = gen_intrinsic2(g, "llvm.smax",
                                 gen_intrinsic2(g, "llvm.smin", starts[d], gen_i64(g, last)),
                                 gen_i64(g, 0));
      continue;
    }
    Value fits = emit_and(g, emit_icmp_c(g, LLVMIntSGE, starts[d], 0),
                          emit_icmp_c(g, LLVMIntSLE, starts[d], last));
    *inside = *inside ? emit_and(g, *inside, fits) : fits;
  }
}

// The window in the operand, and the same in the values, with equal dimensions.
static void window_mems(LlvmGen *g, const Windows *w, Value const *batch, Value const *starts,
                        Mem *in_operand, Mem *in_values) {
  *in_operand = w->operand;
  *in_values = w->values;
  Value at[IR_MAX_RANK];
  int rank = 0, next = 0;
  for (int i = 0; i < w->values.rank; i++) {
    at[i] = w->is_offset[i] ? gen_i64(g, 0) : batch[next++];
    if (!w->is_offset[i]) continue;
    in_values->dims[rank] = in_operand->dims[rank] = w->values.dims[i];
    in_values->strides[rank] = w->values.strides[i];
    in_operand->strides[rank] = w->operand.strides[w->operand_dim[i]];
    rank++;
  }
  in_operand->rank = in_values->rank = (uint8_t)rank;
  in_values->base = mem_address(g, &w->values, at);
  in_operand->base = mem_address(g, &w->operand, starts);
  in_operand->align = in_values->align = (unsigned)dtype_size(w->operand.dtype);
}

static size_t batch_dims(const Windows *w, int64_t *dims) {
  size_t rank = 0;
  for (int i = 0; i < w->values.rank; i++)
    if (!w->is_offset[i]) dims[rank++] = w->values.dims[i];
  return rank;
}

// Windows whose elements lie side by side for less than a register are as slow as their elements.
static void report_windows(const LlvmGen *g, const Windows *w, ReasonId id) {
  if (!remark_is_on(g->session)) return;
  int64_t count = 1, run = 1;
  for (int i = 0; i < w->operand.rank; i++) {
    count *= w->sizes[i];
    if (w->operand.strides[i] == 1) run = w->sizes[i];
  }
  Reason why = {id, w->op->span, str_format(g->arena, "%lld", (long long)count)};
  RemarkItem *item = gen_report(g, w->op);
  if (run * (int64_t)dtype_size(w->operand.dtype) < g->target->vector_bytes)
    remark_reason(g->session, item, &why);
  else
    remark_reason_of_little(g->session, item, &why);
}

// ---- gather -------------------------------------------------------------------------------------
static void gather_window(LlvmGen *g, Value const *batch, void *data) {
  const Windows *w = data;
  int64_t dims[IR_MAX_RANK];
  Value starts[IR_MAX_RANK], inside;
  window_starts(g, w, batch, batch_dims(w, dims), starts, &inside);
  Mem from, to;
  if (!inside) {
    window_mems(g, w, batch, starts, &from, &to);
    mem_copy(g, &to, &from);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  window_mems(g, w, batch, starts, &from, &to);
  mem_copy(g, &to, &from);
  branch_else(g, &branch);
  window_mems(g, w, batch, starts, &from, &to);
  mem_fill(g, &to, gen_const_element(g, to.dtype, ir_attr_data(w->op, ATTR_FILL)->bytes, 1));
  branch_end(g, &branch);
}

static void bind_result(LlvmGen *g, IrValue *result, const Mem *mem, Buffer *buffer) {
  if (result->type->rank) {
    value_bind_mem(g, result, mem, buffer);
    return;
  }
  value_bind_scalar(g, result, mem_load(g, mem, NULL));
  frame_give(g, buffer);
}

void gen_gather(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Windows w = {.operand = value_mem(g, op->operands[0])};
  Buffer *buffer =
      frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &w.values);
  windows_init(g, &w, op);
  int64_t dims[IR_MAX_RANK];
  size_t rank = batch_dims(&w, dims);
  report_windows(g, &w, REASON_SCALAR_GATHER);
  if (mem_count(&w.values) != 0) mem_each(g, rank, dims, gather_window, &w);
  bind_result(g, result, &w.values, buffer);
}

// ---- scatter ------------------------------------------------------------------------------------
static OpCode combine_op(Str way) {
  if (str_equal(way, STR("add"))) return OP_ADD;
  if (str_equal(way, STR("mul"))) return OP_MUL;
  return str_equal(way, STR("min")) ? OP_MIN : OP_MAX;
}

typedef struct Combine {
  Mem to, from;
  OpCode code;
} Combine;

static void combine_element(LlvmGen *g, Value const *index, void *data) {
  const Combine *c = data;
  Value sum = elem_binary(g, c->code, c->to.dtype, mem_load(g, &c->to, index),
                          mem_load(g, &c->from, index));
  mem_store(g, &c->to, index, sum);
}

static void put_window(LlvmGen *g, const Windows *w, Value const *batch, Value const *starts) {
  Combine c = {.code = combine_op(w->combine)};
  window_mems(g, w, batch, starts, &c.to, &c.from);
  if (str_equal(w->combine, STR("set")))
    mem_copy(g, &c.to, &c.from);
  else
    mem_each(g, c.to.rank, c.to.dims, combine_element, &c);
}

static void scatter_window(LlvmGen *g, Value const *batch, void *data) {
  const Windows *w = data;
  int64_t dims[IR_MAX_RANK];
  Value starts[IR_MAX_RANK], inside;
  window_starts(g, w, batch, batch_dims(w, dims), starts, &inside);
  if (!inside) {
    put_window(g, w, batch, starts);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  put_window(g, w, batch, starts);
  branch_else(g, &branch);
  branch_end(g, &branch);
}

void gen_scatter(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Mem from = value_mem(g, op->operands[0]);
  Windows w = {.values = value_mem(g, op->operands[2]), .combine = ir_attr_str(op, ATTR_COMBINE)};
  Buffer *buffer = live_take_over(g, op->operands[0], op, &w.operand); // where it is
  if (buffer) {
    frame_keep(buffer);
  } else {
    buffer = frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims,
                              &w.operand);
    mem_copy(g, &w.operand, &from);
  }
  windows_init(g, &w, op);
  int64_t dims[IR_MAX_RANK];
  size_t rank = batch_dims(&w, dims);
  report_windows(g, &w, REASON_SCALAR_SCATTER);
  if (mem_count(&w.values) != 0) mem_each(g, rank, dims, scatter_window, &w);
  bind_result(g, result, &w.operand, buffer);
}
