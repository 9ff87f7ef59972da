// SPDX-License-Identifier: Apache-2.0
// Refs: memory with strides, views of it, loads and stores that are not part of a cluster, copies.
//
// Whole accesses with static shapes become walks or, for loads, no code at all (the value is the
// ref's own memory). What strides cannot say (index arrays, dynamic sizes, virtual refs) goes
// element by element.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/analysis/access.h"
#include "gen_ref.h"
#include "codegen/clusters/gen_cluster_emit.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_report.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_access.h"
#include "codegen/refs/gen_check.h"
#include "codegen/refs/gen_race.h"
#include "codegen/refs/gen_ref_copy.h"
#include "codegen/refs/gen_ref_index.h"
#include "codegen/refs/gen_virtual.h"
#include "codegen/values/gen_live.h"
#include "ir/analysis/bounds.h"
#include "gen_task.h"
#include "prt_codegen.h"

// ---- loads and stores ---------------------------------------------------------------------------

// Whether all that slices by steps name is inside, where that is all that is asked; else NULL.
static Value steps_inside(LlvmGen *g, const IrOp *op, const Binding *ref) {
  if (access_is_masked(op) || !ref_needs_steps_alone(g, op, ref)) return NULL;
  Value all = NULL;
  for (int i = 0; i < ir_attr_index(op)->rank; i++) {
    if (!bounds_dim_leaves_by_steps(op, i)) continue;
    const IndexDim *dim = &ir_attr_index(op)->dims[i];
    int64_t room = ref_type_of(op)->dims[i] - (dim->size - 1) * dim->stride;
    // As unsigned numbers, those below zero are large.
    Value inside =
        emit_icmp(g, LLVMIntULT, ref_dim_named(g, op, i), gen_i64(g, room > 0 ? room : 0));
    all = all ? emit_and(g, all, inside) : inside;
  }
  return all;
}

static void access_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *mem,
                            const IrValue *mask, const IrValue *other) {
  Value inside = steps_inside(g, op, ref);
  if (!inside) {
    ref_access_elements(g, op, ref, mem, mask, other);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  Value *sizes;
  Mem part = ref_index_mem(g, op, ref, &sizes);
  bool is_store = op->code == OP_STORE;
  mem_copy(g, is_store ? &part : mem, is_store ? mem : &part);
  branch_else(g, &branch);
  ref_access_elements(g, op, ref, mem, mask, other);
  branch_end(g, &branch);
}

static void load_elements(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *to) {
  const IrValue *mask = access_is_masked(op) ? op->operands[op->operand_count - 2] : NULL;
  access_elements(g, op, ref, to, mask, mask ? op->operands[op->operand_count - 1] : NULL);
}

static void load_into(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *to) {
  if (ref_needs_elements(g, op, ref)) {
    load_elements(g, op, ref, to);
    return;
  }
  Value *sizes;
  Mem from = ref_index_mem(g, op, ref, &sizes);
  race_access(g, op, &from, sizes, PRT_READ);
  mem_copy(g, to, &from);
}

// Under check, an access that may be out of bounds: it reads zeros then.
static void load_if_inside(LlvmGen *g, const IrOp *op, const Binding *ref, const Mem *to,
                           Value inside) {
  mem_fill(g, to, LLVMConstNull(gen_compute_type(g, to->dtype, 1)));
  Branch branch;
  branch_begin(g, &branch, inside, true);
  load_into(g, op, ref, to);
  branch_end_then(g, &branch);
}

// A load that copies.
static void report_loaded(const LlvmGen *g, const IrOp *load, const IrOp *obstacle) {
  bool is_written = obstacle != load && obstacle->code != OP_YIELD;
  gen_report_copy(g, load,
                  &(Reason){is_written ? REASON_KEPT_INPUT : REASON_KEPT_LATER, obstacle->span,
                            remark_name(load->operands[0])});
}

// A function begins with a load of each argument, for who may use it.
static bool is_unused_argument(const LlvmGen *g, const IrOp *load) {
  const IrValue *ref = load->operands[0];
  return !load->results[0]->use_count && !ref->def && ref->region == g->func->body;
}

static void gen_load(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  check_given(g, op);
  IrValue *result = op->results[0];
  Value inside = access_is_masked(op) ? NULL : check_index(g, op, ref);
  if (inside || ref_needs_elements(g, op, ref)) {
    Mem mem;
    Buffer *buffer =
        frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &mem);
    if (inside)
      load_if_inside(g, op, ref, &mem, inside);
    else
      load_elements(g, op, ref, &mem);
    value_bind_result(g, result, &mem, buffer);
    return;
  }
  if (access_is_masked(op)) {
    cluster_emit(g, &op, 1, 0);
    return;
  }
  Value *sizes;
  Mem mem = ref_index_mem(g, op, ref, &sizes);
  if (!is_unused_argument(g, op)) race_access(g, op, &mem, sizes, PRT_READ);
  if (result->type->rank == 0) {
    value_bind_scalar(g, result, mem_load(g, &mem, NULL));
    return;
  }
  const IrOp *obstacle = live_load_obstacle(g, op);
  if (!obstacle) {
    frame_keep(ref->buffer);
    value_bind_mem(g, result, &mem, ref->buffer);
  } else {
    Mem copy = value_bind_new(g, result);
    report_loaded(g, op, obstacle);
    mem_copy(g, &copy, &mem);
  }
}

static void store_plainly(LlvmGen *g, IrOp *op, const Binding *ref) {
  const IrValue *value = op->operands[0];
  if (ref_needs_elements(g, op, ref)) {
    Mem mem = value_mem(g, value);
    access_elements(g, op, ref, &mem,
                    access_is_masked(op) ? op->operands[op->operand_count - 1] : NULL, NULL);
    return;
  }
  Value *sizes;
  Mem mem = ref_index_mem(g, op, ref, &sizes);
  race_access(g, op, &mem, sizes, PRT_WRITE);
  if (value->type->rank == 0 && !access_is_masked(op))
    mem_store(g, &mem, NULL, value_scalar(g, value));
  else
    cluster_emit(g, &op, 1, 0);
  check_written(g, &mem);
}

// ---- marks, under check -------------------------------------------------------------------------
static void gen_unwritten(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  const IrType *type = op->results[0]->type;
  if (type->rank == 0 && !ref_needs_elements(g, op, ref)) {
    Value *sizes;
    Mem mem = ref_index_mem(g, op, ref, &sizes);
    Value mark =
        check_element_unwritten(g, op, mem.base, gen_i64(g, (int64_t)dtype_size(mem.dtype)));
    value_bind_scalar(g, op->results[0], LLVMBuildTrunc(g->builder, mark, g->i8, ""));
    return;
  }
  Mem marks;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &marks);
  if (ref_needs_elements(g, op, ref)) {
    ref_access_elements(g, op, ref, &marks, NULL, NULL);
  } else {
    Value *sizes;
    Mem mem = ref_index_mem(g, op, ref, &sizes);
    check_unwritten(g, op, &mem, marks.base);
  }
  value_bind_result(g, op->results[0], &marks, buffer);
}

static void gen_unwrite(LlvmGen *g, const IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[1]);
  Mem marks = value_mem(g, op->operands[0]);
  if (ref_needs_elements(g, op, ref)) {
    ref_access_elements(g, op, ref, &marks, NULL, NULL);
    return;
  }
  Value *sizes;
  Mem mem = ref_index_mem(g, op, ref, &sizes);
  check_unwrite(g, &mem, &marks);
}

static void gen_store(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[1]);
  check_moved(g, op);
  Value inside = access_is_masked(op) ? NULL : check_index(g, op, ref);
  if (!inside) {
    store_plainly(g, op, ref);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, inside, true);
  store_plainly(g, op, ref);
  branch_else(g, &branch);
  // What it was to write is not "never written" as well, wherever that is.
  if (!ref->virtual_ref) check_written(g, &ref->mem);
  branch_end(g, &branch);
}

// ---- refs ---------------------------------------------------------------------------------------
static void gen_alloc(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  const IrType *type = result->type;
  Mem mem;
  if (type->space == SPACE_SEM) {
    mem = mem_dense(task_semaphores(g, op, ir_type_count(type)), DT_I32, type->rank, type->dims);
    for (int i = 0; i < type->rank; i++)
      mem.strides[i] *= (int64_t)(sizeof(prt_sem) / sizeof(int32_t));
    value_bind_ref(g, result, &mem, NULL, NULL);
    return;
  }
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, type->dims, &mem);
  task_note_buffer(g, op, false, buffer->offset, (size_t)ir_type_bytes(type));
  value_bind_ref(g, result, &mem, NULL, buffer);
  check_alloc(g, op, &mem);
}

// Whether all that uses a view is of one kind, views of it included.
typedef struct ViewUses {
  const IrValue *ref;
  bool (*fits)(const IrOp *op);
  bool all;
} ViewUses;

static bool has_uses_only(const IrOp *view, bool (*fits)(const IrOp *op));

static void look_at_use(IrOp *op, void *data) {
  ViewUses *uses = data;
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i] == uses->ref && !uses->fits(op) &&
        !(op->code == OP_VIEW && has_uses_only(op, uses->fits)))
      uses->all = false;
}

static bool has_uses_only(const IrOp *view, bool (*fits)(const IrOp *op)) {
  ViewUses uses = {view->results[0], fits, true};
  ir_walk(view->parent, look_at_use, &uses);
  return uses.all;
}

// A masked access, with its marks: what is out of bounds may be masked out.
static bool is_masked_access(const IrOp *op) {
  return ((op->code == OP_LOAD || op->code == OP_STORE) && access_is_masked(op)) ||
         op->code == OP_UNWRITTEN || op->code == OP_UNWRITE;
}

// A wait counts the bytes of its ref, and touches none of them: programs wait for several copies at
// once by a ref as large as all of them.
static bool is_wait(const IrOp *op) { return op->code == OP_COPY_WAIT; }

// The sizes of a view as they are named, though it does not have as many elements.
static void name_sizes(LlvmGen *g, const IrOp *view, Value *sizes) {
  const IrIndex *index = ir_attr_index(view);
  int rank = 0;
  for (int i = 0; i < index->rank; i++) {
    if (index->dims[i].kind == INDEX_SCALAR) continue;
    if (index->dims[i].size_operand >= 0)
      sizes[rank] = gen_intrinsic2(g, "llvm.smax",
                                   value_index(g, view->operands[index->dims[i].size_operand]),
                                   gen_i64(g, 0));
    rank++;
  }
}

// From the bounds of the dimension it indexes to those of the view's.
static void narrow(LlvmGen *g, const IndexDim *dim, Value start, Value *low, Value *high) {
  *low = emit_sub(g, *low, start);
  *high = emit_sub(g, *high, start);
  if (dim->stride <= 1) return;
  Value stride = gen_i64(g, dim->stride); // both rounded up
  *low = LLVMBuildSDiv(
      g->builder,
      emit_add_c(g, gen_intrinsic2(g, "llvm.smax", *low, gen_i64(g, 0)), dim->stride - 1), stride,
      "");
  *high = LLVMBuildSDiv(
      g->builder,
      emit_add_c(g, gen_intrinsic2(g, "llvm.smax", *high, gen_i64(g, 0)), dim->stride - 1), stride,
      "");
}

static const LooseRef *loose_view(LlvmGen *g, const IrOp *op, const Binding *ref,
                                  const Mem *strict) {
  const IrIndex *index = ir_attr_index(op);
  const LooseRef *base = ref->loose;
  LooseRef *loose = ARENA_NEW(g->arena, LooseRef);
  *loose = (LooseRef){.mem = *strict, .exists = base ? base->exists : NULL};
  Value offset = NULL;
  int rank = 0;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    Value start = ref_dim_named(g, op, i);
    Value low = base ? base->low[i] : gen_i64(g, 0);
    Value high = base         ? base->high[i]
                 : ref->sizes ? ref->sizes[i]
                              : gen_i64(g, ref_type_of(op)->dims[i]);
    offset = gen_add(g, offset, gen_mul_const(g, start, ref->mem.strides[i]));
    if (dim->kind == INDEX_SLICE) {
      narrow(g, dim, start, &low, &high);
      loose->low[rank] = low;
      loose->high[rank++] = high;
      continue;
    }
    Value exists =
        emit_and(g, emit_icmp(g, LLVMIntSGE, start, low), emit_icmp(g, LLVMIntSLT, start, high));
    loose->exists = loose->exists ? emit_and(g, loose->exists, exists) : exists;
  }
  loose->mem.base = gen_offset(g, base ? base->mem.base : ref->mem.base, ref->mem.dtype, offset);
  return loose;
}

// An index of semaphores out of range fails, with checks or without: else the signal would go to
// another one.
static void check_semaphores(LlvmGen *g, const IrOp *op) {
  const IrIndex *index = ir_attr_index(op);
  const IrType *type = op->operands[0]->type;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->start_operand < 0 || d->kind == INDEX_ARRAY) continue;
    int64_t places = type->dims[i] - (d->kind == INDEX_SLICE ? (d->size - 1) * d->stride : 0);
    Value at = value_index(g, op->operands[d->start_operand]), limit = gen_i64(g, places);
    Branch branch;
    branch_begin(g, &branch, emit_not(g, emit_icmp(g, LLVMIntULT, at, limit)), false);
    Value args[] = {g->frame->task, at, limit, gen_site(g, op)};
    gen_call_runtime(g, "prt__no_semaphore", g->void_type, COUNT_OF(args), args);
    branch_end_then(g, &branch);
  }
}

static void gen_view(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  bool is_counted = ref_has_dynamic_sizes(ir_attr_index(op)) && has_uses_only(op, is_wait);
  if (ref->virtual_ref) {
    if (!is_counted) check_index(g, op, ref);
    ref_bind_virtual(g, op);
    Value *sizes = value_binding(g, op->results[0])->sizes;
    if (is_counted && sizes) name_sizes(g, op, sizes);
    return;
  }
  bool is_inside = bounds_inside(op),
       may_be_out = !is_inside && has_uses_only(op, is_masked_access);
  if (!may_be_out && !is_counted) check_index(g, op, ref);
  if (!is_inside && op->results[0]->type->space == SPACE_SEM) check_semaphores(g, op);
  Value *sizes;
  Mem mem = ref_index_mem(g, op, ref, &sizes);
  if (is_counted && sizes) name_sizes(g, op, sizes);
  frame_keep(ref->buffer);
  Binding *binding = value_bind_ref(g, op->results[0], &mem, sizes, ref->buffer);
  if (may_be_out && !is_counted) binding->loose = loose_view(g, op, ref, &mem);
}

Value ref_part(LlvmGen *g, const IrOp *part, Value which) {
  size_t refs = part->operand_count - 1;
  Value base = value_binding(g, part->operands[0])->mem.base;
  if (refs == 1) {
    Value distance =
        emit_mul(g, emit_sext(g, which, g->i64), gen_i64(g, ir_type_bytes(part->results[0]->type)));
    return LLVMBuildGEP2(g->builder, g->i8, base, &distance, 1, "");
  }
  for (size_t i = 1; i < refs; i++) {
    Value is_it = LLVMBuildICmp(g->builder, LLVMIntEQ, which, gen_i32(g, (int)i), "");
    base =
        LLVMBuildSelect(g->builder, is_it, value_binding(g, part->operands[i])->mem.base, base, "");
  }
  return base;
}

static void gen_part(LlvmGen *g, const IrOp *op) {
  const IrType *type = op->results[0]->type;
  Value base = ref_part(g, op, value_scalar(g, op->operands[op->operand_count - 1]));
  Mem mem = mem_dense(base, type->dtype, type->rank, type->dims);
  value_bind_ref(g, op->results[0], &mem, NULL, NULL);
}

static void gen_ref_reshape(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  const IrType *type = op->results[0]->type;
  Mem mem;
  if (ref->virtual_ref || ref->sizes || !mem_reshape(&ref->mem, type->rank, type->dims, &mem)) {
    ref_bind_virtual(g, op);
    return;
  }
  frame_keep(ref->buffer);
  value_bind_ref(g, op->results[0], &mem, NULL, ref->buffer);
}

static void gen_ref_bitcast(LlvmGen *g, IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  DType dtype = op->results[0]->type->dtype;
  if (ref->virtual_ref || dtype_size(dtype) != dtype_size(ref->mem.dtype) ||
      dtype_bits(dtype) != dtype_bits(ref->mem.dtype)) {
    ref_bind_virtual(g, op);
    return;
  }
  Mem mem = ref->mem;
  mem.dtype = dtype;
  frame_keep(ref->buffer);
  value_bind_ref(g, op->results[0], &mem, ref->sizes, ref->buffer);
}

// What lies outside of a loose view is nobody's, so that all it is a view of is published.
static void gen_publish(LlvmGen *g, const IrOp *op) {
  const IrValue *ref = op->operands[0];
  while (value_binding(g, ref)->loose || value_binding(g, ref)->virtual_ref)
    ref = ref->def->operands[0];
  const Binding *binding = value_binding(g, ref);
  Value args[] = {frame_worker(g), check_region(g, &binding->mem, binding->sizes)};
  gen_call_runtime(g, "prt__publish", g->void_type, COUNT_OF(args), args);
}

// Whether the store gives what is in the memory, all of it, to a parameter.
static bool is_result_of(const LlvmGen *g, const IrOp *store, const IrValue *ref) {
  if (store->code != OP_STORE || !access_is_whole(store)) return false;
  const IrOp *load = store->operands[0]->def;
  const IrValue *to = store->operands[1];
  return load && load->code == OP_LOAD && load->operands[0] == ref && access_is_whole(load) &&
         !to->def && to->region == g->func->body;
}

// Memory that becomes no result is said to be read.
static void gen_result_read(LlvmGen *g, const IrOp *op) {
  const IrValue *ref = op->operands[0];
  Value read = NULL;
  for (const IrOp *store = g->func->body->first; store; store = store->next) {
    if (!is_result_of(g, store, ref)) continue;
    Value args[] = {frame_worker(g), gen_i32(g, store->operands[1]->index)};
    Value own = gen_call_runtime(g, "prt__result_is_read", g->i1, COUNT_OF(args), args);
    read = read ? emit_or(g, read, own) : own;
  }
  value_bind_scalar(g, op->results[0], read ? read : LLVMConstInt(g->i1, 1, false));
}

bool gen_ref_op(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_ALLOC: gen_alloc(g, op); return true;
  case OP_LOAD: gen_load(g, op); return true;
  case OP_STORE: gen_store(g, op); return true;
  case OP_UNWRITTEN: gen_unwritten(g, op); return true;
  case OP_UNWRITE: gen_unwrite(g, op); return true;
  case OP_VIEW: gen_view(g, op); return true;
  case OP_PART: gen_part(g, op); return true;
  case OP_REF_RESHAPE: gen_ref_reshape(g, op); return true;
  case OP_REF_BITCAST: gen_ref_bitcast(g, op); return true;
  case OP_COPY:
    check_moved(g, op);
    ref_copy(g, op);
    return true;
  case OP_PUBLISH: gen_publish(g, op); return true;
  case OP_RESULT_READ: gen_result_read(g, op); return true;
  case OP_BEGIN: race_ref(g, op, PRT_BEGIN); return true;
  case OP_ENTER: race_ref(g, op, PRT_ENTER); return true;
  case OP_RELEASE: race_ref(g, op, PRT_RELEASE); return true;
  case OP_DIES: race_ref(g, op, PRT_DIES); return true;
  case OP_OVER: race_ref(g, op, PRT_OVER); return true;
  case OP_COPY_INDEX: race_index(g, op); return true;
  default: return false;
  }
}
