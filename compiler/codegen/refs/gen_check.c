// SPDX-License-Identifier: Apache-2.0
// Code compiled with checks: calls of prt__check_… beside the accesses, and steps of the grid for
// their reports.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_check.h"
#include "ir/analysis/access.h"
#include <string.h>
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_site.h"
#include "ir/analysis/bounds.h"
#include "ir/analysis/effects.h"
#include "gen_ref_index.h"
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

// ---- names --------------------------------------------------------------------------------------
// What a ref is called in messages: the kernel's parameter, or the function's.
static Value root_name(LlvmGen *g, const IrValue *ref, bool is_view) {
  const IrValue *root = ir_ref_root(ref);
  Str name = STR("");
  if (root->def && root->def->code == OP_ALLOC) name = ir_attr_str(root->def, ATTR_NAME);
  if (!root->def && root->region == g->func->body)
    name = name_str(g->func->params[root->index].name);
  if (!name.len && root->name) name = name_str(root->name);
  if (!name.len) name = STR("ref");
  return gen_string(g, is_view ? str_format(g->arena, "%.*s.at[...]", STR_FMT(name)) : name);
}

// The name for coordinates of the ref itself, which may be a view.
static Value ref_name(LlvmGen *g, const IrValue *ref) {
  return root_name(g, ref, ir_ref_root(ref) != ref);
}

Value check_dims(LlvmGen *g, const Mem *mem) {
  return mem->rank ? gen_i64_array(g, mem->rank, mem->dims) : LLVMConstPointerNull(g->ptr);
}

// ---- memory that is watched ---------------------------------------------------------------------
static void adopt(LlvmGen *g, const Mem *mem, Value what, int role) {
  Value args[] = {
      frame_worker(g),       mem->base,          gen_i32(g, gen_dtype_number(mem->dtype)),
      gen_i32(g, mem->rank), check_dims(g, mem), what,
      gen_i32(g, role)};
  gen_call_runtime(g, "prt__check_adopt", g->void_type, COUNT_OF(args), args);
}

void gen_check_adopt(LlvmGen *g, const IrFunc *func) {
  if (!is_on(g)) return;
  for (size_t i = 0; i < func->param_count; i++) {
    const IrValue *param = func->body->args[i];
    ParamRole role = func->params[i].role;
    if (role != PARAM_IN)
      adopt(g, &value_binding(g, param)->mem, ref_name(g, param),
            role == PARAM_OUT ? PRT_ADOPT_OUT : PRT_ADOPT_IN_OUT);
  }
}

// Semaphores start at zero; they are no data.
void check_alloc(LlvmGen *g, const IrOp *alloc, const Mem *mem) {
  if (!is_on(g) || alloc->results[0]->type->space == SPACE_SEM) return;
  adopt(g, mem, ref_name(g, alloc->results[0]),
        ir_alloc_has_parts(alloc)          ? PRT_ADOPT_PARTS
        : ir_attr_int(alloc, ATTR_FETCHED) ? PRT_ADOPT_WINDOW
                                           : PRT_ADOPT_FRESH);
}

Value check_region(LlvmGen *g, const Mem *mem, Value const *sizes) {
  Type fields[] = {g->ptr, g->i32, g->i32, g->ptr, g->ptr};
  Type record = LLVMStructTypeInContext(g->context, fields, COUNT_OF(fields), false);
  int64_t strides[IR_MAX_RANK];
  for (int i = 0; i < mem->rank; i++)
    strides[i] = mem->strides[i] * (int64_t)dtype_size(mem->dtype);
  Value dims = check_dims(g, mem);
  if (sizes) {
    dims = stack_slot(g, LLVMArrayType2(g->i64, mem->rank));
    for (int i = 0; i < mem->rank; i++)
      LLVMBuildStore(g->builder, sizes[i], gen_address(g, dims, i * 8));
  }
  Value parts[] = {mem->base, gen_i32(g, (int64_t)dtype_size(mem->dtype)), gen_i32(g, mem->rank),
                   dims,
                   mem->rank ? gen_i64_array(g, mem->rank, strides) : LLVMConstPointerNull(g->ptr)};
  Value region = stack_slot(g, record);
  for (unsigned i = 0; i < COUNT_OF(parts); i++)
    LLVMBuildStore(g->builder, parts[i], LLVMBuildStructGEP2(g->builder, record, region, i, ""));
  return region;
}

void check_written(LlvmGen *g, const Mem *mem) {
  if (!is_on(g)) return;
  Value args[] = {frame_worker(g), check_region(g, mem, NULL)};
  gen_call_runtime(g, "prt__check_written", g->void_type, COUNT_OF(args), args);
}

// ---- semaphores of other calls ------------------------------------------------------------------
static bool is_memory(const LlvmGen *g, const IrValue *ref) {
  return ir_is_param(g->func, ref) || (ref->def && ref->def->code == OP_ALLOC);
}

static bool is_passed(const IrOp *op) { return op->code == OP_SEM_PASS || op->code == OP_SEM_TAKE; }

// The memory that an op gives whole to other memory, to a parameter's or from one, or to a window's
// or from it; or NULL.
static const IrValue *moved_by(const LlvmGen *g, const IrOp *op) {
  const IrOp *load = op->code == OP_STORE ? op->operands[0]->def : NULL;
  bool is_store = load && load->code == OP_LOAD && access_is_whole(load) && access_is_whole(op);
  if (!is_store && op->code != OP_COPY) return NULL;
  const IrValue *from = load ? load->operands[0] : op->operands[0];
  return is_memory(g, from) && is_memory(g, op->operands[1]) ? from : NULL;
}

// A store of all that a load has read to all of a parameter's array.
typedef struct Gift {
  const IrOp *store;
  struct Gift *next; // of the same load, further down
} Gift;

Map *check_gifts(LlvmGen *g) {
  const IrRegion *body = g->func->body;
  if (!is_on(g) || !effects_region_has(body, is_passed)) return NULL;
  Map *gifts = map_new(g->arena);
  for (const IrOp *op = body->last; op; op = op->prev) {
    if (op->code != OP_STORE || !moved_by(g, op) || !ir_is_param(g->func, op->operands[1]))
      continue;
    Gift *gift = ARENA_NEW(g->arena, Gift);
    *gift = (Gift){op, map_get(gifts, op->operands[0])};
    map_set(gifts, op->operands[0], gift);
  }
  return gifts;
}

// The number of the parameter whose array is in the memory when the call begins or is over; -1.
static int64_t param_of(const LlvmGen *g, const IrValue *ref) {
  if (ir_is_param(g->func, ref)) return ref->index;
  for (const IrOp *op = g->func->body->first; op; op = op->next) {
    const IrValue *from = moved_by(g, op), *to = from ? op->operands[1] : NULL;
    if (from == ref && ir_is_param(g->func, to)) return to->index;
    if (to == ref && ir_is_param(g->func, from)) return from->index;
  }
  return -1;
}

void check_passed(LlvmGen *g, const IrOp *op, Value sem) {
  int64_t param = param_of(g, op->operands[1]);
  if (!is_on(g) || param < 0) return;
  Value args[] = {frame_worker(g), sem, gen_i32(g, param), value_scalar(g, op->operands[2])};
  gen_call_runtime(g, op->code == OP_SEM_PASS ? "prt__sem_pass" : "prt__sem_take", g->void_type,
                   COUNT_OF(args), args);
}

// Its address is known where its binding is not any more.
static Value number_of(LlvmGen *g, const IrValue *ref) {
  return gen_i32(g, ir_is_param(g->func, ref) ? (int64_t)ref->index : -1);
}

static Value base_of(LlvmGen *g, const IrValue *ref) {
  return ir_is_param(g->func, ref) ? LLVMConstPointerNull(g->ptr) : value_binding(g, ref)->mem.base;
}

static void say_moved(LlvmGen *g, const IrValue *from, const IrValue *to) {
  Value args[] = {frame_worker(g),    base_of(g, from), base_of(g, to),
                  number_of(g, from), number_of(g, to), gen_i64(g, ir_type_bytes(from->type))};
  gen_call_runtime(g, "prt__sem_moved", g->void_type, COUNT_OF(args), args);
}

void check_moved(LlvmGen *g, const IrOp *op) {
  const IrValue *from = g->gifts ? moved_by(g, op) : NULL;
  if (from && (op->code == OP_COPY || ir_is_param(g->func, from)))
    say_moved(g, from, op->operands[1]);
}

void check_given(LlvmGen *g, const IrOp *load) {
  const Gift *gift = g->gifts ? map_get(g->gifts, load->results[0]) : NULL;
  for (; gift; gift = gift->next) say_moved(g, load->operands[0], gift->store->operands[1]);
}

void check_unwritten(LlvmGen *g, const IrOp *op, const Mem *mem, Value marks) {
  Value args[] = {frame_worker(g), gen_site(g, op), check_region(g, mem, NULL),
                  gen_i32(g, ir_attr_int(op, ATTR_ORIGIN)), marks};
  gen_call_runtime(g, "prt__check_unwritten", g->void_type, COUNT_OF(args), args);
}

void check_unwrite(LlvmGen *g, const Mem *mem, const Mem *marks) {
  Value args[] = {frame_worker(g), check_region(g, mem, NULL), check_region(g, marks, NULL)};
  gen_call_runtime(g, "prt__check_unwrite", g->void_type, COUNT_OF(args), args);
}

void check_copied(LlvmGen *g, const Mem *to, const Mem *from, Value const *sizes) {
  if (!is_on(g)) return;
  Value args[] = {frame_worker(g), check_region(g, to, sizes), check_region(g, from, sizes)};
  gen_call_runtime(g, "prt__check_copied", g->void_type, COUNT_OF(args), args);
}

static Value mark_number(LlvmGen *g, Value mark) {
  return LLVMBuildIntCast2(g->builder, mark, g->i32, false, "");
}

Value check_element_unwritten(LlvmGen *g, const IrOp *op, Value address, Value bytes) {
  Value args[] = {frame_worker(g), gen_site(g, op), address, bytes,
                  gen_i32(g, ir_attr_int(op, ATTR_ORIGIN))};
  return gen_call_runtime(g, "prt__check_element_unwritten", g->i32, COUNT_OF(args), args);
}

void check_element_unwrite(LlvmGen *g, Value address, Value bytes, Value mark) {
  Value args[] = {frame_worker(g), address, bytes, mark_number(g, mark)};
  gen_call_runtime(g, "prt__check_element_unwrite", g->void_type, COUNT_OF(args), args);
}

void check_element_written(LlvmGen *g, Value address, Value bytes) {
  if (!is_on(g)) return;
  Value args[] = {frame_worker(g), address, bytes};
  gen_call_runtime(g, "prt__check_element_written", g->void_type, COUNT_OF(args), args);
}

// ---- indices ------------------------------------------------------------------------------------
static const IrValue *ref_of(const IrOp *op) { return access_ref(op); }

static Value limit_of(LlvmGen *g, const IrOp *op, const Binding *ref, int i) {
  return ref->sizes ? ref->sizes[i] : gen_i64(g, ref_of(op)->type->dims[i]);
}

static Value this_function(LlvmGen *g) { return LLVMGetBasicBlockParent(gen_here(g)); }

void check_turn_begin(LlvmGen *g, Turn *turn, const IrOp *loop, Value index) {
  *turn = (Turn){loop, index, this_function(g), g->turn};
  g->turn = turn;
}

// The next finding is of these turns. The loop of a grid is named by its step.
static void say_turns(LlvmGen *g) {
  for (const Turn *turn = g->turn; turn && turn->function == this_function(g); turn = turn->outer) {
    if (turn->loop->regions[0]->first->code == OP_STEP_ENTER) return;
    if (!turn->loop->span.file) continue; // of the compiler's own
    Value args[] = {frame_worker(g), gen_site(g, turn->loop), turn->index};
    gen_call_runtime(g, "prt__check_turn", g->void_type, COUNT_OF(args), args);
  }
}

void check_coordinate(LlvmGen *g, const IrOp *op, int dim, Value coordinate, Value inside,
                      Value limit) {
  if (!is_on(g)) return;
  Branch branch;
  branch_begin(g, &branch, emit_not(g, inside), false);
  say_turns(g);
  Value name = value_binding(g, ref_of(op))->loose ? root_name(g, ref_of(op), false)
                                                   : ref_name(g, ref_of(op));
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
  Value size = dim->size_operand >= 0 ? value_index(g, op->operands[dim->size_operand])
                                      : gen_i64(g, dim->size);
  Value last = gen_add(g, start, gen_mul_const(g, emit_sub_c(g, size, 1), dim->stride));
  Value inside = emit_or(g, is_inside(g, start, last, limit), emit_icmp_c(g, LLVMIntEQ, size, 0));
  if (dim->size_operand >= 0) inside = emit_and(g, inside, emit_icmp_c(g, LLVMIntSGE, size, 0));
  Branch branch;
  branch_begin(g, &branch, emit_not(g, inside), false);
  say_turns(g);
  Value args[] = {frame_worker(g),
                  gen_site(g, op),
                  ref_name(g, ref_of(op)),
                  gen_i32(g, i),
                  start,
                  size,
                  gen_i64(g, dim->stride),
                  limit};
  gen_call_runtime(g, "prt__check_slice", g->void_type, COUNT_OF(args), args);
  branch_else(g, &branch);
  branch_end(g, &branch);
  return inside;
}

static Value check_scalar(LlvmGen *g, const IrOp *op, const Binding *ref, int i) {
  Value start = ref_dim_named(g, op, i), limit = limit_of(g, op, ref, i),
        inside = is_inside(g, start, start, limit);
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
    bool is_dynamic_ref =
        ref->sizes && !LLVMIsAConstantInt(ref->sizes[i]) && dim->kind == INDEX_SCALAR;
    if (dim->kind == INDEX_ARRAY ||
        (bounds_dim_inside(op, i) && !is_dynamic_ref && !size_is_free(op, dim)))
      continue;
    Value good =
        dim->kind == INDEX_SCALAR ? check_scalar(g, op, ref, i) : check_slice(g, op, ref, i);
    inside = inside ? emit_and(g, inside, good) : good;
  }
  return inside;
}

// ---- steps of a grid ----------------------------------------------------------------------------
// NULL for a dimension without a name; NULL instead of an array if none has one.
static Value grid_names(LlvmGen *g, IrStrs names) {
  if (!names.count) return LLVMConstPointerNull(g->ptr);
  Value *items = ARENA_ARRAY(g->arena, Value, names.count);
  for (size_t i = 0; i < names.count; i++)
    items[i] = names.items[i].len ? gen_string(g, names.items[i]) : LLVMConstPointerNull(g->ptr);
  return gen_private_constant(g, LLVMConstArray2(g->ptr, items, names.count), "names");
}

// A prt_step on the stack. Steps nest as the ops do.
static void enter_step(LlvmGen *g, const IrOp *op) {
  size_t rank = op->operand_count;
  Type fields[] = {g->ptr, g->ptr, g->i32, g->ptr, g->ptr};
  Type record = LLVMStructTypeInContext(g->context, fields, COUNT_OF(fields), false);
  Value indices = stack_slot(g, LLVMArrayType2(g->i64, rank));
  for (size_t i = 0; i < rank; i++)
    LLVMBuildStore(g->builder, value_index(g, op->operands[i]),
                   gen_address(g, indices, (int64_t)i * 8));
  Value parts[] = {LLVMConstPointerNull(g->ptr), gen_string(g, ir_attr_str(op, ATTR_NAME)),
                   gen_i32(g, (int64_t)rank), grid_names(g, ir_attr_strs(op, ATTR_GRID_NAMES)),
                   indices};
  Step *step = ARENA_NEW(g->arena, Step);
  *step = (Step){stack_slot(g, record), g->step};
  g->step = step;
  for (unsigned i = 0; i < COUNT_OF(parts); i++)
    LLVMBuildStore(g->builder, parts[i],
                   LLVMBuildStructGEP2(g->builder, record, step->record, i, ""));
  Value args[] = {frame_worker(g), step->record};
  gen_call_runtime(g, "prt__step_enter", g->void_type, 2, args);
}

static void leave_step(LlvmGen *g) {
  Value args[] = {frame_worker(g), g->step->record};
  gen_call_runtime(g, "prt__step_leave", g->void_type, 2, args);
  g->step = g->step->outer;
}

static Value region_of(LlvmGen *g, const IrValue *ref) {
  const Binding *binding = value_binding(g, ref);
  return check_region(g, &binding->mem, binding->sizes);
}

static void check_output(LlvmGen *g, const IrOp *op) {
  if (value_binding(g, op->operands[0])->virtual_ref) return;
  Value args[] = {frame_worker(g), gen_site(g, op), region_of(g, op->operands[0]),
                  gen_string(g, ir_attr_str(op, ATTR_NAME))};
  gen_call_runtime(g, "prt__check_output", g->void_type, COUNT_OF(args), args);
}

static void parallel_block(LlvmGen *g, const IrOp *op) {
  bool writes = op->code == OP_PARALLEL_WRITE;
  Value args[] = {frame_worker(g),
                  gen_site(g, op),
                  region_of(g, op->operands[0]),
                  writes ? region_of(g, op->operands[1]) : LLVMConstPointerNull(g->ptr),
                  value_scalar(g, op->operands[op->operand_count - 1]),
                  gen_string(g, ir_attr_str(op, ATTR_NAME))};
  gen_call_runtime(g, "prt__parallel_block", g->void_type, COUNT_OF(args), args);
}

// The op's semaphores, from operand `first` on, are at rest between steps.
static void parallel_rest(LlvmGen *g, const IrOp *op, uint32_t first) {
  for (uint32_t i = first; i < op->operand_count; i++) {
    Value args[] = {frame_worker(g), value_binding(g, op->operands[i])->mem.base,
                    gen_i64(g, ir_type_count(op->operands[i]->type))};
    gen_call_runtime(g, "prt__parallel_rest", g->void_type, COUNT_OF(args), args);
  }
}

static void parallel_step(LlvmGen *g, const IrOp *op) {
  parallel_rest(g, op, 1);
  Value args[] = {frame_worker(g), value_scalar(g, op->operands[0])};
  gen_call_runtime(g, "prt__parallel_step", g->void_type, COUNT_OF(args), args);
}

static void parallel_end(LlvmGen *g, const IrOp *op) {
  parallel_rest(g, op, 0);
  Value args[] = {frame_worker(g)};
  gen_call_runtime(g, "prt__parallel_end", g->void_type, COUNT_OF(args), args);
}

static void check_used(LlvmGen *g, const IrOp *op) {
  // The runtime distinguishes marks: a branch at each use would be most of the code.
  Value mark = mark_number(g, value_scalar(g, op->operands[0]));
  Value args[] = {frame_worker(g), gen_site(g, op), mark,
                  gen_string(g, ir_attr_str(op, ATTR_FORMAT))};
  gen_call_runtime(g, "prt__check_used", g->void_type, COUNT_OF(args), args);
}

void gen_check_op(LlvmGen *g, IrOp *op) {
  if (!is_on(g)) return;
  switch (op->code) {
  case OP_STEP_ENTER: enter_step(g, op); return;
  case OP_STEP_LEAVE: leave_step(g); return;
  case OP_CHECK_USED: check_used(g, op); return;
  case OP_CHECK_WRITTEN: check_output(g, op); return;
  case OP_PARALLEL_WRITE:
  case OP_PARALLEL_READ: parallel_block(g, op); return;
  case OP_PARALLEL_STEP: parallel_step(g, op); return;
  case OP_PARALLEL_END: parallel_end(g, op); return;
  default: BUG("no check for %s", op_info(op->code)->name);
  }
}
