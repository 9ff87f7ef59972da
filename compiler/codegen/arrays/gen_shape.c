// SPDX-License-Identifier: Apache-2.0
// Shape operations outside of clusters: as another view of the operand's memory where strides can
// say it, else by moving elements.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_shape.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_parallel_each.h"
#include "codegen/values/gen_value.h"
#include "gen_pad.h"
#include "gen_short_parts.h"
#include "gen_turns.h"
#include "plan/plan_module.h"

// ---- views --------------------------------------------------------------------------------------
// The last elements along some dimensions, where a view that runs backwards starts.
static Value last_along(LlvmGen *g, IrInts dims, const Mem *from) {
  int64_t offset = 0;
  if (mem_count(from) == 0) return from->base;
  for (size_t i = 0; i < dims.count; i++)
    offset += (from->dims[dims.items[i]] - 1) * from->strides[dims.items[i]];
  return gen_offset_const(g, from->base, from->dtype, offset);
}

static Value clamped(LlvmGen *g, const IrValue *start, int64_t last) {
  Value value = gen_intrinsic2(g, "llvm.smin", value_index(g, start), gen_i64(g, last));
  return gen_intrinsic2(g, "llvm.smax", value, gen_i64(g, 0));
}

// The part of `whole` that a slice of `part` dims at clamped starts is.
static Mem dynamic_part(LlvmGen *g, const Mem *whole, const int64_t *part, IrValue *const *starts) {
  Mem out = *whole;
  Value offset = NULL;
  for (int i = 0; i < whole->rank; i++) {
    out.dims[i] = part[i];
    if (whole->dims[i] != part[i])
      offset = gen_add(
          g, offset,
          gen_mul_const(g, clamped(g, starts[i], whole->dims[i] - part[i]), whole->strides[i]));
  }
  out.base = gen_offset(g, whole->base, whole->dtype, offset);
  return out;
}

// Element 0, 0, … of a view.
static Value view_start(LlvmGen *g, const IrOp *op, const Mem *from) {
  const int64_t *sizes = op->results[0]->type->dims;
  switch (op->code) {
  case OP_SLICE: return mem_slice(g, from, ir_attr_ints(op, ATTR_STARTS).items, sizes, NULL).base;
  case OP_DYNAMIC_SLICE: return dynamic_part(g, from, sizes, op->operands + 1).base;
  case OP_REV: return last_along(g, ir_attr_ints(op, ATTR_DIMS), from);
  default: return from->base;
  }
}

static bool view_of(LlvmGen *g, const IrOp *op, const Mem *from, Mem *out) {
  Layout layout = mem_layout(from), view;
  if (!layout_view(op, &layout, &view)) return false;
  *out = mem_at(view_start(g, op, from), &view);
  return true;
}

static void copy_slice(LlvmGen *g, const IrOp *op, const Mem *slice) {
  const IrType *type = op->results[0]->type;
  Mem copy;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &copy);
  mem_copy(g, &copy, slice);
  value_bind_mem(g, op->results[0], &copy, buffer);
}

void gen_shape_set_update(LlvmGen *g, const IrOp *maker) {
  const IrOp *update = g->options->check ? NULL : plan_update_of(maker);
  if (!update) return;
  Mem whole;
  Buffer *buffer = live_take_over_early(g, update->operands[0], update, maker, &whole);
  if (!buffer) return;
  Mem part = dynamic_part(g, &whole, maker->results[0]->type->dims, update->operands + 2);
  destination_set_update(g, maker->results[0], update, &part, buffer);
}

bool gen_shape_view(LlvmGen *g, IrOp *op) {
  if (op->code == OP_PAD || op->code == OP_CONCAT || op->code == OP_DYNAMIC_UPDATE_SLICE)
    return false;
  const Binding *binding = value_binding(g, op->operands[0]);
  IrValue *result = op->results[0];
  Mem from, out;
  Buffer *buffer = binding->buffer;
  if (binding->kind == BIND_SCALAR) {
    if (result->type->rank == 0 && op->code != OP_BITCAST_WIDTH) {
      value_bind_scalar(g, result, binding->scalar);
      return true;
    }
    buffer = frame_take_array(g, op->operands[0]->type->dtype, 0, NULL, &from);
    mem_store(g, &from, NULL, binding->scalar);
  } else {
    from = binding->mem;
    if (!view_of(g, op, &from, &out)) return false;
    bool is_slice = op->code == OP_SLICE || op->code == OP_DYNAMIC_SLICE;
    if (is_slice && buffer && !g->options->check && live_slice_hinders(g, op)) {
      copy_slice(g, op, &out);
      return true;
    }
    frame_keep(buffer);
  }
  if (binding->kind == BIND_SCALAR && !view_of(g, op, &from, &out)) BUG("a scalar has no view");
  value_bind_result(g, result, &out, buffer);
  return true;
}

// ---- moves --------------------------------------------------------------------------------------
// `whole`: the buffer of `to`, in which some operands are already; or NULL. Whether all are.
static bool concatenate(LlvmGen *g, const IrOp *op, const Mem *to, const Buffer *whole) {
  int64_t dim = ir_attr_int(op, ATTR_DIM), starts[IR_MAX_RANK] = {0};
  size_t held = 0;
  for (size_t i = 0; whole && i < op->operand_count; i++)
    held += destination_holds(g, op, op->operands[i], whole);
  if (held == 0 && !g->options->check &&
      (concat_by_turns(g, op, to) || concat_short_parts(g, op, to)))
    return false;
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrType *type = op->operands[i]->type;
    if (!whole || !destination_holds(g, op, op->operands[i], whole)) {
      Mem part = mem_slice(g, to, starts, type->dims, NULL), from = value_mem(g, op->operands[i]);
      parallel_copy(g, &part, &from);
    }
    starts[dim] += type->dims[dim];
  }
  return held == op->operand_count;
}

static void update_in(LlvmGen *g, const IrOp *op, const Mem *to) {
  Mem update = value_mem(g, op->operands[1]),
      part = dynamic_part(g, to, update.dims, op->operands + 2);
  mem_copy(g, &part, &update);
}

static void update_slice(LlvmGen *g, const IrOp *op, const Mem *to) {
  Mem from = value_mem(g, op->operands[0]);
  parallel_copy(g, to, &from);
  update_in(g, op, to);
}

// The operand's own memory, changed in place, if it is needed nowhere else; or NULL.
static Buffer *update_in_place(LlvmGen *g, const IrOp *op, Mem *to) {
  Buffer *buffer = live_take_over(g, op->operands[0], op, to);
  if (!buffer) return NULL;
  frame_keep(buffer);
  if (op->operands[1] != op->operands[0]) update_in(g, op, to);
  return buffer;
}

// int4 takes a byte each in memory: element by element.
static void recast_int4(LlvmGen *g, const IrOp *op, const Mem *to) {
  Mem from = value_mem(g, op->operands[0]);
  bool narrows = dtype_bits(from.dtype) > dtype_bits(to->dtype);
  DType wide = narrows ? from.dtype : to->dtype, narrow = narrows ? to->dtype : from.dtype;
  Mem wide_mem = narrows ? from : *to, narrow_mem = narrows ? *to : from;
  unsigned ratio = dtype_bits(wide) / dtype_bits(narrow);
  Type wide_bits = LLVMIntTypeInContext(g->context, dtype_bits(wide)),
       narrow_bits = LLVMIntTypeInContext(g->context, dtype_bits(narrow));
  Value index[IR_MAX_RANK];
  Loop loops[IR_MAX_RANK];
  if (mem_count(to) == 0) return;
  for (int i = 0; i < wide_mem.rank; i++) {
    loop_begin_count(g, &loops[i], wide_mem.dims[i], 1, 0, NULL);
    index[i] = loops[i].index;
  }
  Value bits =
      narrows ? convert_to_bits(g, wide, mem_load(g, &wide_mem, index)) : LLVMConstNull(wide_bits);
  for (unsigned part = 0; part < ratio; part++) {
    index[wide_mem.rank] = gen_i64(g, part);
    unsigned shift = part * dtype_bits(narrow);
    if (narrows) {
      Value piece = LLVMBuildTrunc(g->builder, emit_lshr_c(g, bits, shift), narrow_bits, "");
      mem_store(g, &narrow_mem, index, convert_from_bits(g, narrow, piece));
    } else {
      Value piece = LLVMBuildZExt(
          g->builder, convert_to_bits(g, narrow, mem_load(g, &narrow_mem, index)), wide_bits, "");
      bits = emit_or(g, bits, emit_shl_c(g, piece, shift));
    }
  }
  if (!narrows) mem_store(g, &wide_mem, index, convert_from_bits(g, wide, bits));
  for (int i = wide_mem.rank; i-- > 0;) loop_end(g, &loops[i], NULL);
}

static void report_moved(const LlvmGen *g, const IrOp *op) {
  gen_report_copy(g, op,
                  &(Reason){REASON_KEPT_MOVED, op->span, str_from_c(op_info(op->code)->name)});
}

// A dense copy of the operand can be viewed in any way.
static void copy_and_view(LlvmGen *g, IrOp *op) {
  report_moved(g, op);
  const IrType *type = op->operands[0]->type;
  Mem copy, from = value_mem(g, op->operands[0]), out;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &copy);
  parallel_copy(g, &copy, &from);
  if (!view_of(g, op, &copy, &out)) BUG("%s of dense memory has no view", op_info(op->code)->name);
  value_bind_mem(g, op->results[0], &out, buffer);
}

bool gen_shape_move_to(LlvmGen *g, const IrOp *op, const Mem *to) {
  switch (op->code) {
  case OP_CONCAT: {
    Mem whole;
    return concatenate(g, op, to, destination_take_whole(g, op, &whole));
  }
  case OP_PAD: gen_pad(g, op, to); return false;
  case OP_DYNAMIC_UPDATE_SLICE: update_slice(g, op, to); return false;
  case OP_BITCAST_WIDTH: recast_int4(g, op, to); return false;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}

// Index vectors in the memory that destinations take for them.
static bool has_components_apart(const IrOp *op, const Mem *mem) {
  int last = mem->rank - 1;
  return op->code == OP_CONCAT && mem->dims[last] > 1 && mem->strides[last] != 1;
}

void gen_shape_move(LlvmGen *g, IrOp *op) {
  bool is_int4 = op->code == OP_BITCAST_WIDTH && (dtype_bits(op->operands[0]->type->dtype) < 8 ||
                                                  dtype_bits(op->results[0]->type->dtype) < 8);
  if (op->code == OP_RESHAPE || (op->code == OP_BITCAST_WIDTH && !is_int4)) {
    copy_and_view(g, op);
    return;
  }
  Mem to;
  IrValue *result = op->results[0];
  Buffer *buffer = NULL;
  const char *place = NULL;
  if (op->code == OP_CONCAT) {
    buffer = destination_take_whole(g, op, &to);
    if (buffer) {
      place = concatenate(g, op, &to, buffer) ? "in place, its parts made there" : "in place";
    }
  } else if (op->code == OP_DYNAMIC_UPDATE_SLICE) {
    buffer = destination_updated(g, op, &to);
    if (buffer)
      place = "in place, its part made there";
    else if ((buffer = update_in_place(g, op, &to)))
      place = "in place";
  }
  if (!buffer) {
    buffer = destination_take(g, result, &to);
    gen_shape_move_to(g, op, &to);
  }
  if (has_components_apart(op, &to))
    remark_text(g->session, gen_report(g, op), FACT_PLACE, STR("components apart"));
  else if (place)
    remark_text(g->session, gen_report(g, op), FACT_PLACE, str_from_c(place));
  else
    report_moved(g, op);
  value_bind_result(g, result, &to, buffer);
}
