// SPDX-License-Identifier: Apache-2.0
// Copies with semaphores, signals, waits. What is on another core, or another device, is found
// through its task: at the place that it has here, moved from this task's memory to that one's.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "gen_comm.h"
#include <stddef.h>
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_site.h"
#include "codegen/refs/gen_check.h"
#include "codegen/refs/gen_race.h"
#include "codegen/refs/gen_ref_copy.h"
#include "codegen/refs/gen_strided.h"
#include "codegen/values/gen_value.h"
#include "ir/analysis/alias.h"
#include "gen_poll.h"
#include "gen_ref.h"
#include "gen_task.h"
#include "prt_codegen.h"

// ---- targets ------------------------------------------------------------------------------------
typedef struct CommTarget {
  Value device, core; // i32, or NULL: here
  Value task,
      program_task; // of peer_of: of the core, of the device's program; NULL: not yet needed
} CommTarget;

// Whether its sender has a semaphore, the operand in front of the target's.
static bool is_remote(const IrOp *op) { return ir_attr_int(op, ATTR_TARGET) & TARGET_REMOTE; }

// What stands from operand `at` on.
static CommTarget take_target(LlvmGen *g, const IrOp *op, size_t at) {
  CommTarget out = {0};
  int64_t target = ir_attr_int(op, ATTR_TARGET);
  at += is_remote(op);
  if (target & TARGET_DEVICE) out.device = value_scalar(g, op->operands[at++]);
  if (target & TARGET_CORE) out.core = value_scalar(g, op->operands[at]);
  return out;
}

static int target_flags(const CommTarget *t) {
  return (t->device ? PRT_ACT_ABROAD : 0) | (t->core ? PRT_ACT_CORE : 0);
}

static bool is_here(const CommTarget *t) { return !t->device && !t->core; }

static Value peer_of(LlvmGen *g, const IrOp *op, CommTarget *t, bool of_device) {
  Value *task = of_device ? &t->program_task : &t->task, none = gen_i32(g, PRT_OWN);
  if (*task) return *task;
  Value args[] = {g->frame->task, t->device ? t->device : none, t->core ? t->core : none,
                  LLVMConstInt(g->i1, of_device, false), gen_site(g, op)};
  return *task = gen_call_runtime(g, "prt__peer", g->ptr, 5, args);
}

static Value memory_of(LlvmGen *g, Value task) {
  return LLVMBuildLoad2(g->builder, g->ptr, gen_address(g, task, offsetof(prt_task, memory)), "");
}

static const IrOp *cores_around(const IrRegion *region) {
  const IrRegion *program = ir_program_around(region);
  return program ? program->parent : NULL;
}

// The op that runs the programs of the devices, or NULL: there is one device, whose program is the
// function.
static const IrOp *devices_around(const IrOp *op) {
  const IrOp *cores = cores_around(op->parent);
  while (cores && !ir_runs_devices(cores)) cores = cores_around(cores->parent);
  return cores;
}

// Memory from before the launch that has a part for each core, or for each group of neighbours: how
// far the target's is from our own.
static Value part_distance(LlvmGen *g, const IrOp *op, const IrValue *root, const CommTarget *t) {
  int64_t cores = ir_mesh_size(ir_program_mesh(ir_program_around(op->parent)));
  int64_t parts = root->type->dims[0];
  int64_t bytes = root->type->space == SPACE_SEM
                      ? ir_type_count(root->type) * (int64_t)sizeof(prt_sem)
                      : ir_type_bytes(root->type);
  Value group = gen_i32(g, parts && cores > parts ? cores / parts : 1);
  Value own = LLVMBuildLoad2(g->builder, g->i32,
                             gen_address(g, g->frame->task, offsetof(prt_task, core)), "");
  Value parts_away = emit_sub(g, LLVMBuildUDiv(g->builder, t->core, group, ""),
                              LLVMBuildUDiv(g->builder, own, group, ""));
  return emit_mul(g, emit_sext(g, parts_away, g->i64), gen_i64(g, parts ? bytes / parts : 0));
}

// The same place in the target's part of memory that all devices see.
static Value part_of_device(LlvmGen *g, Value here, const IrValue *part, const CommTarget *t) {
  Value own = LLVMBuildLoad2(g->builder, g->i32,
                             gen_address(g, g->frame->task, offsetof(prt_task, device)), "");
  Value from = LLVMBuildPtrToInt(g->builder, ref_part(g, part->def, own), g->i64, "");
  Value offset = emit_sub(g, LLVMBuildPtrToInt(g->builder, here, g->i64, ""), from);
  return LLVMBuildGEP2(g->builder, g->i8, ref_part(g, part->def, t->device), &offset, 1, "");
}

// Where a place in the ref's memory is at the target.
static Value remote_place(LlvmGen *g, const IrOp *op, const IrValue *ref, Value here,
                          CommTarget *t) {
  if (is_here(t)) return here;
  const IrValue *root = ir_ref_root(ref);
  if (root->def && root->def->code == OP_SEM_BARRIER) {
    Value args[] = {g->frame->task, peer_of(g, op, t, false),
                    gen_i32(g, ir_attr_int(root->def, ATTR_COLLECTIVE_ID))};
    return gen_call_runtime(g, "prt__barrier_sem", g->ptr, 3, args);
  }
  const IrOp *owner = cores_around(ir_value_region(root));
  bool is_own = owner == cores_around(op->parent);
  bool of_device = !is_own && owner == devices_around(op);
  if (!is_own && t->core && root->def && root->def->code == OP_ALLOC &&
      ir_attr_int(root->def, ATTR_PER_CORE)) {
    Value distance = part_distance(g, op, root, t);
    here = LLVMBuildGEP2(g->builder, g->i8, here, &distance, 1, "");
  }
  if (root->def && root->def->code == OP_PART)
    return t->device ? part_of_device(g, here, root, t) : here;
  if (!root->def || !(is_own || of_device)) return here; // all devices see it, or there is but one
  CommTarget own = {0};
  Value from = of_device ? memory_of(g, peer_of(g, op, &own, true)) : memory_of(g, g->frame->task);
  Value to = memory_of(g, peer_of(g, op, t, of_device));
  Value offset = emit_sub(g, LLVMBuildPtrToInt(g->builder, here, g->i64, ""),
                          LLVMBuildPtrToInt(g->builder, from, g->i64, ""));
  return LLVMBuildGEP2(g->builder, g->i8, to, &offset, 1, "");
}

static Value remote_address(LlvmGen *g, const IrOp *op, const IrValue *ref, CommTarget *t) {
  return remote_place(g, op, ref, value_binding(g, ref)->mem.base, t);
}

// ---- semaphores ---------------------------------------------------------------------------------
static Value semaphore(LlvmGen *g, const IrValue *ref) { return value_binding(g, ref)->mem.base; }

// Suspends unless what is waited for has come.
static void wait_unless(LlvmGen *g, Value has_come) {
  Branch branch;
  branch_begin(g, &branch, emit_not(g, has_come), false);
  task_suspend(g);
  branch_end_then(g, &branch);
}

static void wait_for(LlvmGen *g, const IrOp *op, Value value, bool keep) {
  Value args[] = {g->frame->task, semaphore(g, op->operands[0]), value,
                  LLVMConstInt(g->i1, keep, false), gen_site(g, op)};
  bool is_copy = op->code == OP_COPY_WAIT;
  int act = task_note_act(g, op, is_copy ? PRT_ACT_COPY_WAIT : PRT_ACT_WAIT, op->operands[0], 0);
  wait_unless(g, gen_call_runtime(g, "prt__sem_wait", g->i1, 5, args));
  task_mark_done(g, act);
}

static void meet(LlvmGen *g, const IrOp *op) {
  Value args[] = {g->frame->task, gen_site(g, op)};
  wait_unless(g, gen_call_runtime(g, "prt__meet", g->i1, 2, args));
}

// Whether the semaphore lies in the memory of the very program that the op is in.
static bool is_of_program(const IrOp *op, const IrValue *semaphore) {
  const IrOp *root = ir_ref_root(semaphore)->def;
  return root && root->code == OP_ALLOC && !ir_attr_int(root, ATTR_PER_CORE) &&
         cores_around(root->parent) == cores_around(op->parent);
}

static void signal(LlvmGen *g, const IrOp *op) {
  CommTarget target = take_target(g, op, 2);
  Value increment = value_index(g, op->operands[1]), site = gen_site(g, op);
  if (!is_here(&target) && is_of_program(op, op->operands[0])) {
    Value none = gen_i32(g, PRT_OWN);
    Value args[] = {g->frame->task,
                    semaphore(g, op->operands[0]),
                    target.device ? target.device : none,
                    target.core ? target.core : none,
                    increment,
                    site};
    gen_call_runtime(g, "prt__peer_signal", g->void_type, 6, args);
  } else {
    Value args[] = {g->frame->task, remote_address(g, op, op->operands[0], &target), increment,
                    site};
    gen_call_runtime(g, "prt__sem_signal", g->void_type, 4, args);
  }
  task_mark_done(g, task_note_act(g, op, PRT_ACT_SIGNAL, op->operands[0], target_flags(&target)));
}

// ---- loops that read counts ---------------------------------------------------------------------
static bool is_inside(const IrOp *loop, const IrRegion *region) {
  return ir_region_is_in(region, loop->regions[0]) || ir_region_is_in(region, loop->regions[1]);
}

// What the loop hands on where the value is one of those that it carries; NULL: it is none, or the
// loop does not change it.
static IrValue *next_carried(const IrOp *loop, const IrValue *value, bool *is_carried) {
  *is_carried = !value->def && ir_value_region(value)->parent == loop;
  if (!*is_carried) return NULL;
  IrValue *next = loop->regions[1]->last->operands[value->index];
  return next == loop->regions[1]->args[value->index] ? NULL : next;
}

// Whether the value, in each turn of the while loop, is what counts make it: one that is made of
// what it was in the turn before is not. `states` of values: themselves while they are asked for,
// then the loop if it is.
static bool hangs_on_counts(IrOp *loop, IrValue *value, Map *states) {
  const void *state = map_get(states, value);
  if (state || !is_inside(loop, ir_value_region(value))) return state != value;
  bool is_carried, good = true;
  map_set(states, value, value);
  IrValue *next = next_carried(loop, value, &is_carried);
  const IrOp *op = value->def;
  if (is_carried)
    good = !next || hangs_on_counts(loop, next, states);
  else if (!op || (op->code != OP_SEM_READ && op->code != OP_CONST && !op_is_elementwise(op->code)))
    good = false;
  for (size_t i = 0; good && op && op->code != OP_SEM_READ && i < op->operand_count; i++)
    good = hangs_on_counts(loop, op->operands[i], states);
  if (good) map_set(states, value, loop);
  return good;
}

// Whether nothing but counts ends the loop.
static bool waits_for_counts(const LlvmGen *g, IrOp *loop) {
  return hangs_on_counts(loop, loop->regions[0]->last->operands[0], map_new(g->arena));
}

// The loop in which what stands there is read again and again, in the same program: the outermost
// one that nothing but counts ends, or the outermost one; NULL: none.
static const IrOp *loop_around(const LlvmGen *g, const IrOp *op, bool *waits) {
  const IrOp *loop = NULL;
  *waits = false;
  for (IrOp *at = op->parent->parent; at && at->code != OP_CORES; at = at->parent->parent) {
    if (at->code != OP_WHILE) continue;
    bool waits_too = waits_for_counts(g, at);
    if (waits_too || !*waits) loop = at;
    *waits |= waits_too;
  }
  return loop;
}

static bool reads_counts(const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_SEM_READ) return true;
    for (size_t i = 0; i < op->region_count; i++)
      if (reads_counts(op->regions[i])) return true;
  }
  return false;
}

static void end_reads(LlvmGen *g) {
  gen_call_runtime(g, "prt__sem_afresh", g->void_type, 1, &g->frame->task);
}

// Only a while loop may read counts for ever, until it ends.
void comm_end_while(LlvmGen *g, IrOp *op) {
  bool is_in_one;
  if (!reads_counts(op->regions[0]) && !reads_counts(op->regions[1])) return;
  if (!loop_around(g, op, &is_in_one) || (!is_in_one && waits_for_counts(g, op))) end_reads(g);
}

static void read_count(LlvmGen *g, const IrOp *op) {
  bool waits;
  const IrOp *loop = loop_around(g, op, &waits);
  int kind = waits ? PRT_LOOP_WAITS : loop ? PRT_LOOP_WHILE : PRT_LOOP_NONE;
  Value pause_args[] = {g->frame->task, semaphore(g, op->operands[0]), gen_i32(g, kind),
                        gen_site(g, op)};
  wait_unless(g, gen_call_runtime(g, "prt__sem_pause", g->i1, COUNT_OF(pause_args), pause_args));
  Value args[] = {g->frame->task, semaphore(g, op->operands[0])};
  Value count = gen_call_runtime(g, "prt__sem_read", g->i32, 2, args);
  gen_poll_read(g, op, semaphore(g, op->operands[0]), count);
  value_bind_scalar(g, op->results[0], count);
}

static void bind_barrier(LlvmGen *g, const IrOp *op) {
  Value args[] = {g->frame->task, g->frame->task, gen_i32(g, ir_attr_int(op, ATTR_COLLECTIVE_ID))};
  Mem mem = mem_dense(gen_call_runtime(g, "prt__barrier_sem", g->ptr, 3, args), DT_I32, 0, NULL);
  value_bind_ref(g, op->results[0], &mem, NULL, NULL);
}

// ---- copies -------------------------------------------------------------------------------------
static Value dim_size(LlvmGen *g, const Binding *ref, int dim) {
  return ref->sizes ? ref->sizes[dim] : gen_i64(g, ref->mem.dims[dim]);
}

static void check_sizes(LlvmGen *g, const IrOp *op, int dim, Value from, Value to) {
  Branch branch;
  branch_begin(g, &branch, emit_icmp(g, LLVMIntNE, from, to), false);
  Value args[] = {g->frame->task, gen_i32(g, dim), from, to, gen_site(g, op)};
  gen_call_runtime(g, "prt__unequal_copy", g->void_type, COUNT_OF(args), args);
  branch_end_then(g, &branch);
}

// The sizes on the stack, if some are dynamic. If those of both ends differ, the call fails, and
// what both have is copied.
static Value dynamic_dims(LlvmGen *g, const IrOp *op, const Binding *to, const Binding *from) {
  if (!to->sizes && !from->sizes) return LLVMConstPointerNull(g->ptr);
  LLVMBasicBlockRef here = gen_here(g);
  gen_move_to(g, g->frame->entry);
  Value dims = LLVMBuildAlloca(g->builder, LLVMArrayType2(g->i64, IR_MAX_RANK), "dims");
  gen_move_to(g, here);
  for (int i = 0; i < to->mem.rank; i++) {
    Value into = dim_size(g, to, i), out_of = dim_size(g, from, i);
    if (into != out_of) check_sizes(g, op, i, out_of, into);
    LLVMBuildStore(g->builder, gen_intrinsic2(g, "llvm.smin", into, out_of),
                   gen_address(g, dims, i * (int64_t)sizeof(int64_t)));
  }
  return dims;
}

static Value bytes_of(LlvmGen *g, const Binding *ref) {
  Value bytes = gen_i64(g, (int64_t)dtype_size(ref->mem.dtype));
  for (int i = 0; i < ref->mem.rank; i++) bytes = emit_mul(g, bytes, dim_size(g, ref, i));
  return bytes;
}

// A regular semaphore is signalled once a copy, one of copies by their bytes.
static bool counts_copies(const IrValue *semaphore) { return semaphore->type->sem != SEM_DMA; }

static Value units_of(LlvmGen *g, const IrOp *copy, const IrValue *sem) {
  return counts_copies(sem) ? gen_i64(g, 1) : bytes_of(g, value_binding(g, copy->operands[1]));
}

static void signal_bytes(LlvmGen *g, const IrOp *op, const IrValue *sem) {
  Value args[] = {g->frame->task, semaphore(g, sem), units_of(g, op, sem), gen_site(g, op)};
  gen_call_runtime(g, "prt__sem_signal", g->void_type, COUNT_OF(args), args);
  task_mark_done(g, task_note_act(g, op, PRT_ACT_COPY, sem, 0));
}

// A copy of elements that strides do not find is done when it is started: that is one of the times
// at which a chip may do it. For races it is a copy like others.
static void copy_at_once(LlvmGen *g, const IrOp *op, const CommTarget *target) {
  if (!is_here(target) || ir_attr_int(op, ATTR_ADD)) {
    diag_error(g->session, op->span,
               "not supported: a copy %s a ref that is seen as a type of another width, or "
               "reshaped, on one side only, and whose elements no strides find",
               is_here(target) ? "with add=True to or from"
                               : "to another device or core, to or from");
    return;
  }
  bool has_sent = is_remote(op);
  race_copy_begin(g, op, semaphore(g, op->operands[2]),
                  has_sent ? semaphore(g, op->operands[3]) : NULL, units_of(g, op, op->operands[2]),
                  has_sent ? units_of(g, op, op->operands[3]) : gen_i64(g, 0));
  ref_copy(g, op);
  signal_bytes(g, op, op->operands[2]);
  if (has_sent) signal_bytes(g, op, op->operands[3]);
  race_copy_end(g);
}

// The copy is made elsewhere.
static void copy_beside(LlvmGen *g, const IrOp *op, int how) {
  Value sem = semaphore(g, op->operands[1]);
  race_window(g, op, sem, how);
  Value args[] = {g->frame->task, sem, gen_i64(g, 1), gen_site(g, op)};
  gen_call_runtime(g, "prt__sem_signal", g->void_type, COUNT_OF(args), args);
  race_copy_end(g);
}

// Between refs that strides describe.
static StridedCopy plain_copy(const Binding *to, const Binding *from) {
  int64_t unit = (int64_t)dtype_size(from->mem.dtype);
  StridedCopy copy = {
      .to = to->mem.base, .from = from->mem.base, .unit = unit, .rank = from->mem.rank};
  for (int i = 0; i < copy.rank; i++) {
    copy.dims[i] = from->mem.dims[i];
    copy.to_strides[i] = to->mem.strides[i] * unit;
    copy.from_strides[i] = from->mem.strides[i] * unit;
  }
  return copy;
}

static Value numbers(LlvmGen *g, const StridedCopy *copy, const int64_t *items) {
  return copy->rank ? gen_i64_array(g, copy->rank, items) : LLVMConstPointerNull(g->ptr);
}

static bool find_strides(LlvmGen *g, const IrOp *op, const Binding *to, const Binding *from,
                         StridedCopy *copy) {
  if (!to->virtual_ref && !from->virtual_ref) {
    *copy = plain_copy(to, from);
    return true;
  }
  // What is added are whole elements.
  return ref_strided_copy(g, to, from, copy) &&
         (!ir_attr_int(op, ATTR_ADD) || copy->unit == (int64_t)dtype_size(from->mem.dtype));
}

static void start_copy(LlvmGen *g, IrOp *op) {
  const Binding *from = value_binding(g, op->operands[0]), *to = value_binding(g, op->operands[1]);
  bool has_sent = is_remote(op);
  CommTarget target = take_target(g, op, 3);
  StridedCopy copy;
  if (!find_strides(g, op, to, from, &copy)) {
    copy_at_once(g, op, &target);
    return;
  }
  Value null = LLVMConstPointerNull(g->ptr);
  Value shape_fields[] = {
      gen_i32(g, copy.unit),
      gen_i32(g, copy.rank),
      numbers(g, &copy, copy.dims),
      numbers(g, &copy, copy.to_strides),
      numbers(g, &copy, copy.from_strides),
      gen_site(g, op),
      gen_i32(g, ir_attr_int(op, ATTR_ADD) ? gen_dtype_number(from->mem.dtype) : 0),
      gen_i32(g, (counts_copies(op->operands[2]) ? PRT_COUNTS_RECEIVED : 0) |
                     (has_sent && counts_copies(op->operands[3]) ? PRT_COUNTS_SENT : 0))};
  Value shape = gen_private_constant(
      g, LLVMConstStructInContext(g->context, shape_fields, COUNT_OF(shape_fields), false), "copy");
  Value args[] = {g->frame->task,
                  is_here(&target) ? g->frame->task : peer_of(g, op, &target, false),
                  shape,
                  dynamic_dims(g, op, to, from),
                  remote_place(g, op, op->operands[1], copy.to, &target),
                  copy.from,
                  remote_address(g, op, op->operands[2], &target),
                  has_sent ? semaphore(g, op->operands[3]) : null};
  gen_call_runtime(g, "prt__copy_start", g->void_type, 8, args);
  task_mark_done(g, task_note_act(g, op, PRT_ACT_COPY, op->operands[2], target_flags(&target)));
  if (has_sent) task_mark_done(g, task_note_act(g, op, PRT_ACT_SENT, op->operands[3], 0));
}

static void fetch_add(LlvmGen *g, const IrOp *op) {
  wait_unless(g, gen_call_runtime(g, "prt__turn", g->i1, 1, &g->frame->task));
  CommTarget target = {.core = value_scalar(g, op->operands[2])};
  Value place = remote_address(g, op, op->operands[0], &target);
  race_atomic(g, op, place);
  Value old =
      LLVMBuildAtomicRMW(g->builder, LLVMAtomicRMWBinOpAdd, place, value_scalar(g, op->operands[1]),
                         LLVMAtomicOrderingAcquireRelease, false);
  value_bind_scalar(g, op->results[0], old);
}

void gen_comm_op(LlvmGen *g, IrOp *op) {
  switch (op->code) {
  case OP_COPY_START: start_copy(g, op); return;
  case OP_COPY_WAIT: wait_for(g, op, bytes_of(g, value_binding(g, op->operands[1])), false); return;
  case OP_SEM_SIGNAL: signal(g, op); return;
  case OP_SEM_WAIT:
    wait_for(g, op, value_index(g, op->operands[1]), ir_attr_int(op, ATTR_KEEP));
    return;
  case OP_SEM_READ: read_count(g, op); return;
  case OP_SEM_PASS:
  case OP_SEM_TAKE: check_passed(g, op, semaphore(g, op->operands[0])); return;
  case OP_SEM_BARRIER: bind_barrier(g, op); return;
  case OP_FETCH_AHEAD: copy_beside(g, op, PRT_READ); return;
  case OP_WRITE_BEHIND: copy_beside(g, op, PRT_WRITE); return;
  case OP_MEET: meet(g, op); return;
  case OP_FETCH_ADD: fetch_add(g, op); return;
  default: BUG("no code for %s", op_info(op->code)->name);
  }
}
