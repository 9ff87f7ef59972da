// SPDX-License-Identifier: Apache-2.0
// Code compiled with checks: calls of prt__check_… beside the accesses, and steps of the grid for their reports.
#include "check.h"
#include <string.h>
#include "passes/alias.h"
#include "prt_codegen.h"

static bool is_on(const LlvmGen *g) { return g->options->check; }

// A place on the stack, made where the function is entered.
static Value stack_slot(LlvmGen *g, Type type) {
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, g->frame->entry);
  Value slot = LLVMBuildAlloca(g->builder, type, "");
  gen_move_to(g, here);
  return slot;
}

// ---- names ---------------------------------------------------------------------------------------------
// What a ref is called in messages: the kernel's parameter, or the function's.
static Value root_name(LlvmGen *g, const IrValue *ref, bool is_view) {
  const IrValue *root = ir_ref_root(ref);
  Str name = STR("");
  if (root->def && root->def->code == OP_ALLOC) name = ir_attr_str(root->def, ATTR_NAME);
  if (!root->def && root->region == g->func->body) name = name_str(g->func->params[root->index].name);
  if (!name.len && root->name) name = name_str(root->name);
  if (!name.len) name = STR("ref");
  return gen_string(g, is_view ? str_format(g->arena, "%.*s.at[...]", STR_FMT(name)) : name);
}

// The name for coordinates of the ref itself, which may be a view.
static Value ref_name(LlvmGen *g, const IrValue *ref) { return root_name(g, ref, ir_ref_root(ref) != ref); }

static Value dims_of(LlvmGen *g, const Mem *mem) {
  return mem->rank ? gen_i64_array(g, mem->rank, mem->dims) : LLVMConstPointerNull(g->ptr);
}

// ---- memory that is watched ----------------------------------------------------------------------------
static void adopt(LlvmGen *g, const Mem *mem, Value what) {
  Value args[] = {frame_worker(g), mem->base, gen_i32(g, gen_dtype_number(mem->dtype)), gen_i32(g, mem->rank), dims_of(g, mem), what};
  gen_call_runtime(g, "prt__check_adopt", g->void_type, COUNT_OF(args), args);
}

void gen_check_adopt(LlvmGen *g, const IrFunc *func) {
  if (!is_on(g)) return;
  for (size_t i = 0; i < func->param_count; i++) {
    const IrValue *param = func->body->args[i];
    if (func->params[i].role == PARAM_OUT) adopt(g, &value_binding(g, param)->mem, ref_name(g, param));
  }
}

// Semaphores start at zero; they are no data.
void check_alloc(LlvmGen *g, const IrOp *alloc, const Mem *mem) {
  if (is_on(g) && alloc->results[0]->type->space != SPACE_SEM) adopt(g, mem, ref_name(g, alloc->results[0]));
}

// A prt_region on the stack. `sizes`: of its dimensions, or NULL if they are the memory's.
static Value region_record(LlvmGen *g, const Mem *mem, Value const *sizes) {
  Type fields[] = {g->ptr, g->i32, g->i32, g->ptr, g->ptr};
  Type record = LLVMStructTypeInContext(g->context, fields, COUNT_OF(fields), false);
  int64_t strides[IR_MAX_RANK];
  for (int i = 0; i < mem->rank; i++) strides[i] = mem->strides[i] * (int64_t)dtype_size(mem->dtype);
  Value dims = dims_of(g, mem);
  if (sizes) {
    dims = stack_slot(g, LLVMArrayType2(g->i64, mem->rank));
    for (int i = 0; i < mem->rank; i++) LLVMBuildStore(g->builder, sizes[i], gen_address(g, dims, i * 8));
  }
  Value parts[] = {mem->base, gen_i32(g, (int64_t)dtype_size(mem->dtype)), gen_i32(g, mem->rank), dims,
                   mem->rank ? gen_i64_array(g, mem->rank, strides) : LLVMConstPointerNull(g->ptr)};
  Value region = stack_slot(g, record);
  for (unsigned i = 0; i < COUNT_OF(parts); i++)
    LLVMBuildStore(g->builder, parts[i], LLVMBuildStructGEP2(g->builder, record, region, i, ""));
  return region;
}

// Each element of the result comes from the same one of the operand.
static bool keeps_elements(const IrOp *op) { return op_is_elementwise(op->code) && op->operand_count == 1; }

// Whether a loaded value goes nowhere but into selects of its region, which leave out some of it: `where(mask, x, ref[...])` reads the
// ref only where the mask is off.
static bool is_only_selected(const IrValue *value) {
  size_t uses = 0;
  for (const IrOp *op = value->def->next; op; op = op->next)
    for (size_t i = 0; i < op->operand_count; i++) {
      if (op->operands[i] != value) continue;
      uses++;
      bool selects = op->code == OP_SELECT && i > 0;
      if (!selects && !(keeps_elements(op) && is_only_selected(op->results[0]))) return false;
    }
  return uses == value->use_count;
}

typedef struct NegatedMask {
  Mem from, to;
  bool negates;
} NegatedMask;

static void copy_mask_element(LlvmGen *g, Value const *index, void *data) {
  const NegatedMask *m = data;
  Value bit = mem_load(g, &m->from, index);
  mem_store(g, &m->to, index, m->negates ? emit_not(g, bit) : bit);
}

static void emit_read(LlvmGen *g, const IrOp *op, const Mem *mem, Value mask) {
  Value args[] = {frame_worker(g), gen_site(g, op), region_record(g, mem, NULL), mask};
  gen_call_runtime(g, "prt__check_read", g->void_type, COUNT_OF(args), args);
}

void check_read(LlvmGen *g, const IrOp *op, const Mem *mem) {
  if (!is_on(g)) return;
  if (!is_only_selected(op->results[0])) {
    emit_read(g, op, mem, LLVMConstPointerNull(g->ptr));
    return;
  }
  if (!g->deferred) g->deferred = map_new(g->arena);
  map_set(g->deferred, op, arena_dup(g->arena, mem, sizeof *mem));
}

// A copy of the predicate of a select, or of its opposite, as bytes in a row; it lives as long as the function.
static Value mask_bytes(LlvmGen *g, const IrValue *predicate, bool taken) {
  NegatedMask m = {.from = value_mem(g, predicate)};
  frame_take_array(g, DT_BOOL, m.from.rank, m.from.dims, &m.to);
  m.negates = !taken;
  mem_each(g, m.from.rank, m.from.dims, copy_mask_element, &m);
  return m.to.base;
}

static const IrOp *load_behind(const LlvmGen *g, const IrValue *value) {
  while (value->def && keeps_elements(value->def)) value = value->def->operands[0];
  return value->def && g->deferred && map_has(g->deferred, value->def) ? value->def : NULL;
}

// Whether a value goes nowhere but back to where the load took it from.
static bool is_only_stored_back(const IrValue *value, const IrOp *load) {
  size_t uses = 0;
  for (const IrOp *op = value->def->next; op; op = op->next)
    for (size_t i = 0; i < op->operand_count; i++) {
      if (op->operands[i] != value) continue;
      uses++;
      if (op->code == OP_STORE && i == 0 && alias_of(op, load) == ALIAS_SAME) continue;
      if (!keeps_elements(op) || !is_only_stored_back(op->results[0], load)) return false;
    }
  return uses == value->use_count;
}

void check_selected(LlvmGen *g, const IrOp *select) {
  if (!is_on(g)) return;
  for (size_t i = 1; i <= 2; i++) {
    const IrOp *load = load_behind(g, select->operands[i]);
    if (!load) continue;
    if (is_only_stored_back(select->results[0], load)) {
      map_set(g->deferred, select, mask_bytes(g, select->operands[0], i == 2));
      continue;
    }
    emit_read(g, load, map_get(g->deferred, load), mask_bytes(g, select->operands[0], i == 1));
  }
}

// `ref[...] = where(mask, x, ref[...])` writes where the mask is on, and leaves the rest as it was, written or not: the bytes of the
// mask. NULL for any other store.
static Value stored_mask(LlvmGen *g, const IrOp *store) {
  const IrValue *value = store->operands[0];
  while (value->def && keeps_elements(value->def)) value = value->def->operands[0];
  bool is_select = value->def && value->def->code == OP_SELECT && value->def->parent == store->parent;
  return is_select && g->deferred ? map_get(g->deferred, value->def) : NULL;
}

void check_written(LlvmGen *g, const IrOp *store, const Mem *mem) {
  if (!is_on(g)) return;
  Value mask = stored_mask(g, store);
  Value args[] = {frame_worker(g), region_record(g, mem, NULL), mask ? mask : LLVMConstPointerNull(g->ptr)};
  gen_call_runtime(g, "prt__check_written", g->void_type, COUNT_OF(args), args);
}

void check_copied(LlvmGen *g, const Mem *to, const Mem *from, Value const *sizes) {
  if (!is_on(g)) return;
  Value args[] = {frame_worker(g), region_record(g, to, sizes), region_record(g, from, sizes)};
  gen_call_runtime(g, "prt__check_copied", g->void_type, COUNT_OF(args), args);
}

void check_element_read(LlvmGen *g, Value address, Value bytes) {
  if (!g->checked) return;
  Value args[] = {frame_worker(g), gen_site(g, g->checked), address, bytes};
  gen_call_runtime(g, "prt__check_element_read", g->void_type, COUNT_OF(args), args);
}

void check_element_written(LlvmGen *g, Value address, Value bytes) {
  if (!is_on(g)) return;
  Value args[] = {frame_worker(g), address, bytes};
  gen_call_runtime(g, "prt__check_element_written", g->void_type, COUNT_OF(args), args);
}

// ---- indices -------------------------------------------------------------------------------------------
static const IrValue *ref_of(const IrOp *op) { return op->operands[op->code == OP_STORE ? 1 : 0]; }

static Value limit_of(LlvmGen *g, const IrOp *op, const Binding *ref, int i) {
  return ref->sizes ? ref->sizes[i] : gen_i64(g, ref_of(op)->type->dims[i]);
}

void check_coordinate(LlvmGen *g, const IrOp *op, int dim, Value coordinate, Value inside, Value limit) {
  if (!is_on(g)) return;
  Branch branch;
  branch_begin(g, &branch, emit_not(g, inside), false);
  Value name = value_binding(g, ref_of(op))->loose ? root_name(g, ref_of(op), false) : ref_name(g, ref_of(op));
  Value args[] = {frame_worker(g), gen_site(g, op), name, gen_i32(g, dim), coordinate, limit};
  gen_call_runtime(g, "prt__check_index", g->void_type, COUNT_OF(args), args);
  branch_else(g, &branch);
  branch_end(g, &branch);
}

static Value is_inside(LlvmGen *g, Value first, Value last, Value limit) {
  return emit_and(g, emit_icmp_c(g, LLVMIntSGE, first, 0), emit_icmp(g, LLVMIntSLT, last, limit));
}

static Value check_slice(LlvmGen *g, const IrOp *op, const Binding *ref, int i) {
  const IndexDim *dim = &ir_attr_index(op)->dims[i];
  Value start = ref_dim_named(g, op, i), limit = limit_of(g, op, ref, i);
  Value size = dim->size_operand >= 0 ? value_index(g, op->operands[dim->size_operand]) : gen_i64(g, dim->size);
  Value last = gen_add(g, start, gen_mul_const(g, emit_sub_c(g, size, 1), dim->stride));
  Value inside = emit_or(g, is_inside(g, start, last, limit), emit_icmp_c(g, LLVMIntEQ, size, 0));
  if (dim->size_operand >= 0) inside = emit_and(g, inside, emit_icmp_c(g, LLVMIntSGE, size, 0));
  Branch branch;
  branch_begin(g, &branch, emit_not(g, inside), false);
  Value args[] = {frame_worker(g), gen_site(g, op), ref_name(g, ref_of(op)), gen_i32(g, i), start, size, gen_i64(g, dim->stride), limit};
  gen_call_runtime(g, "prt__check_slice", g->void_type, COUNT_OF(args), args);
  branch_else(g, &branch);
  branch_end(g, &branch);
  return inside;
}

static Value check_scalar(LlvmGen *g, const IrOp *op, const Binding *ref, int i) {
  Value start = ref_dim_named(g, op, i), limit = limit_of(g, op, ref, i), inside = is_inside(g, start, start, limit);
  check_coordinate(g, op, i, start, inside, limit);
  return inside;
}

// A size that is known at run time only may be larger than the index has it.
static bool size_is_free(const IrOp *op, const IndexDim *dim) {
  if (dim->kind != INDEX_SLICE || dim->size_operand < 0) return false;
  Range size = bounds_of(op->operands[dim->size_operand]);
  return size.low < 0 || size.high > dim->size;
}

Value check_index(LlvmGen *g, const IrOp *op, const Binding *ref) {
  if (!is_on(g)) return NULL;
  const IrIndex *index = ir_attr_index(op);
  Value inside = NULL;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    bool is_dynamic_ref = ref->sizes && !LLVMIsAConstantInt(ref->sizes[i]) && dim->kind == INDEX_SCALAR;
    if (dim->kind == INDEX_ARRAY || (bounds_dim_inside(op, i) && !is_dynamic_ref && !size_is_free(op, dim))) continue;
    Value good = dim->kind == INDEX_SCALAR ? check_scalar(g, op, ref, i) : check_slice(g, op, ref, i);
    inside = inside ? emit_and(g, inside, good) : good;
  }
  return inside;
}

// ---- steps of a grid -----------------------------------------------------------------------------------
// ["i", NULL] of "i,".
static Value grid_names(LlvmGen *g, Str names, size_t rank) {
  if (!names.len) return LLVMConstPointerNull(g->ptr);
  Value *items = ARENA_ARRAY(g->arena, Value, rank + 1);
  size_t begin = 0;
  for (size_t i = 0; i < rank; i++) {
    size_t end = begin;
    while (end < names.len && names.data[end] != ',') end++;
    items[i] = end > begin ? gen_string(g, (Str){names.data + begin, end - begin}) : LLVMConstPointerNull(g->ptr);
    begin = end < names.len ? end + 1 : end;
  }
  return gen_private_constant(g, LLVMConstArray2(g->ptr, items, rank), "names");
}

// A prt_step on the stack. Steps nest as the ops do.
static void enter_step(LlvmGen *g, const IrOp *op) {
  size_t rank = op->operand_count;
  Type fields[] = {g->ptr, g->ptr, g->i32, g->ptr, g->ptr};
  Type record = LLVMStructTypeInContext(g->context, fields, COUNT_OF(fields), false);
  Value indices = stack_slot(g, LLVMArrayType2(g->i64, rank));
  for (size_t i = 0; i < rank; i++) LLVMBuildStore(g->builder, value_index(g, op->operands[i]), gen_address(g, indices, (int64_t)i * 8));
  Value parts[] = {LLVMConstPointerNull(g->ptr), gen_string(g, ir_attr_str(op, ATTR_NAME)), gen_i32(g, (int64_t)rank),
                   grid_names(g, ir_attr_str(op, ATTR_GRID_NAMES), rank), indices};
  Step *step = ARENA_NEW(g->arena, Step);
  *step = (Step){stack_slot(g, record), g->step};
  g->step = step;
  for (unsigned i = 0; i < COUNT_OF(parts); i++)
    LLVMBuildStore(g->builder, parts[i], LLVMBuildStructGEP2(g->builder, record, step->record, i, ""));
  Value args[] = {frame_worker(g), step->record};
  gen_call_runtime(g, "prt__step_enter", g->void_type, 2, args);
}

static void leave_step(LlvmGen *g) {
  Value args[] = {frame_worker(g), g->step->record};
  gen_call_runtime(g, "prt__step_leave", g->void_type, 2, args);
  g->step = g->step->outer;
}

static void check_output(LlvmGen *g, const IrOp *op) {
  const Binding *ref = value_binding(g, op->operands[0]);
  if (ref->virtual_ref || ref->sizes) return;
  Value args[] = {frame_worker(g), gen_site(g, op), region_record(g, &ref->mem, NULL), gen_string(g, ir_attr_str(op, ATTR_NAME))};
  gen_call_runtime(g, "prt__check_output", g->void_type, COUNT_OF(args), args);
}

void gen_check_op(LlvmGen *g, IrOp *op) {
  if (!is_on(g)) return;
  switch (op->code) {
  case OP_STEP_ENTER: enter_step(g, op); return;
  case OP_STEP_LEAVE: leave_step(g); return;
  case OP_CHECK_WRITTEN: check_output(g, op); return;
  default: BUG("no check for %s", op_info(op->code)->name);
  }
}
