// SPDX-License-Identifier: Apache-2.0
// Programs that wait, as LLVM coroutines: frames, suspension, launches of cores. prt_codegen.h has
// the rules of the other side.
//
// A task's memory: its semaphores first, then the buffers of its frame. Both sizes are known when
// the frame is closed.
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_task.h"
#include <stddef.h>
#include "codegen/arrays/gen_random.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_site.h"
#include "codegen/values/gen_capture.h"
#include "codegen/values/gen_value.h"
#include "ir/analysis/alias.h"
#include "prt_codegen.h"

enum { SEMAPHORE_BYTES = sizeof(prt_sem), BUFFER_ALIGN = LINE_BYTES };

typedef struct TaskBuffer {
  const IrOp *alloc;
  bool in_semaphores;
  int64_t offset, bytes;
} TaskBuffer;
typedef struct TaskBuffers {
  VEC(TaskBuffer) items;
  VEC(Value) acts; // constants
} TaskBuffers;

// ---- who waits ----------------------------------------------------------------------------------
static bool is_wait_or_semaphore(const IrOp *op) {
  return effects_communicates(op->code) ||
         (op->code == OP_ALLOC && op->results[0]->type->space == SPACE_SEM);
}

bool task_waits(const IrRegion *region) { return effects_region_has(region, is_wait_or_semaphore); }

// ---- coroutines ---------------------------------------------------------------------------------
static Value token_none(LlvmGen *g) { return LLVMConstNull(LLVMTokenTypeInContext(g->context)); }

Type task_function_type(LlvmGen *g) {
  Type params[] = {g->ptr, g->ptr};
  return LLVMFunctionType(g->ptr, params, 2, false);
}

static Value load_field(LlvmGen *g, Value task, size_t offset, Type type) {
  return LLVMBuildLoad2(g->builder, type, gen_address(g, task, (int64_t)offset), "");
}

// A value that is replaced when the frame is closed; it is in the entry block, so that it is there
// everywhere.
static Value placeholder(LlvmGen *g, const char *name) {
  Value value = LLVMBuildArrayAlloca(g->builder, g->i8, gen_i64(g, 1), name);
  LLVMSetAlignment(value, BUFFER_ALIGN);
  return value;
}

static void begin(LlvmGen *g, Frame *frame, Value *id) {
  Value null = LLVMConstPointerNull(g->ptr);
  Value id_args[] = {gen_i32(g, 16), null, null, null};
  *id = gen_intrinsic(g, "llvm.coro.id", NULL, 4, id_args);
  Value size = gen_intrinsic(g, "llvm.coro.size", g->i64, 0, NULL);
  Value alloc_args[] = {frame->task, size};
  Value memory = gen_call_runtime(g, "prt__frame_alloc", g->ptr, 2, alloc_args);
  LLVMBasicBlockRef none = gen_block(g, "no_memory"), some = gen_block(g, "begin");
  LLVMBuildCondBr(g->builder, LLVMBuildIsNull(g->builder, memory, ""), none, some);
  gen_move_to(g, none);
  LLVMBuildRet(g->builder, null);
  gen_move_to(g, some);
  Value begin_args[] = {*id, memory};
  frame->handle = gen_intrinsic(g, "llvm.coro.begin", NULL, 2, begin_args);
}

static void end(LlvmGen *g, Frame *frame, Value id) {
  gen_move_to(g, frame->leave);
  gen_call_runtime(g, "prt__task_end", g->void_type, 1, &frame->task);
  LLVMBuildBr(g->builder, frame->cleanup);
  gen_move_to(g, frame->cleanup);
  Value free_args[] = {id, frame->handle};
  // The runtime takes the memory back with the launch.
  gen_intrinsic(g, "llvm.coro.free", NULL, 2, free_args);
  LLVMBuildBr(g->builder, frame->suspend);
  gen_move_to(g, frame->suspend);
  Value end_args[] = {frame->handle, LLVMConstInt(g->i1, 0, false), token_none(g)};
  gen_intrinsic(g, "llvm.coro.end", NULL, 3, end_args);
  LLVMBuildRet(g->builder, frame->handle);
}

void task_open(LlvmGen *g, Frame *frame, Value function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("presplitcoroutine", 17);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(g->context, kind, 0));
  g->has_tasks = true;
  *frame = (Frame){.function = function, .task = LLVMGetParam(function, 0), .outer = g->frame};
  if (g->frame) frame->scope = g->frame->scope;
  frame->task_buffers = ARENA_NEW(g->arena, TaskBuffers);
  g->frame = frame;
  frame->entry = gen_block(g, "entry");
  frame->code = gen_block(g, "code");
  frame->leave = gen_block(g, "leave");
  frame->cleanup = gen_block(g, "cleanup");
  frame->suspend = gen_block(g, "suspend");
  Value id;
  gen_move_to(g, frame->entry);
  begin(g, frame, &id);
  frame->entry = gen_here(g); // further allocas go behind coro.begin
  frame->base = placeholder(g, "memory");
  frame->semaphores = placeholder(g, "semaphores");
  end(g, frame, id);
  gen_move_to(g, frame->code);
}

void task_suspend(LlvmGen *g) {
  Value args[] = {token_none(g), LLVMConstInt(g->i1, 0, false)};
  Value state = gen_intrinsic(g, "llvm.coro.suspend", NULL, 2, args);
  LLVMBasicBlockRef resumed = gen_block(g, "resumed");
  Value choice = LLVMBuildSwitch(g->builder, state, g->frame->suspend, 2);
  LLVMAddCase(choice, LLVMConstInt(g->i8, 0, false), resumed);
  LLVMAddCase(choice, LLVMConstInt(g->i8, 1, false), g->frame->cleanup);
  gen_move_to(g, resumed);
}

// ---- what lies in a task's memory ---------------------------------------------------------------
void task_note_buffer(LlvmGen *g, const IrOp *alloc, bool in_semaphores, size_t offset,
                      size_t bytes) {
  TaskBuffer buffer = {alloc, in_semaphores, (int64_t)offset, (int64_t)bytes};
  if (g->frame->task) VEC_PUSH(g->arena, &g->frame->task_buffers->items, buffer);
}

// Whether a program that runs the same code elsewhere may signal the semaphores of this alloc: it
// names a target.
typedef struct Visitors {
  const IrValue *semaphores;
  bool any;
} Visitors;

static void look_for_visitor(IrOp *op, void *data) {
  Visitors *visitors = data;
  const IrValue *signalled = effects_signalled(op);
  if (!signalled || !ir_attr_int(op, ATTR_TARGET)) return;
  if (ir_ref_root(signalled) == visitors->semaphores) visitors->any = true;
}

static bool is_visited(const IrOp *alloc) {
  Visitors visitors = {alloc->results[0], false};
  ir_walk(alloc->parent, look_for_visitor, &visitors);
  return visitors.any;
}

Value task_semaphores(LlvmGen *g, const IrOp *alloc, int64_t count) {
  int64_t bytes = count * SEMAPHORE_BYTES, offset = g->frame->semaphore_bytes;
  g->frame->semaphore_bytes += bytes;
  task_note_buffer(g, alloc, true, (size_t)offset, (size_t)bytes);
  Value place = gen_address(g, g->frame->semaphores, offset);
  // All are zero before the program starts. Those of an inner scope are made so again each time it
  // is entered, unless another core may be ahead, and signal one before its owner gets here.
  bool is_inner =
      alloc->parent->parent && alloc->parent->parent->code != OP_CORES && !is_visited(alloc);
  if (is_inner && g->options->check) {
    Value args[] = {g->frame->task, place, gen_i64(g, count)};
    gen_call_runtime(g, "prt__check_scope", g->void_type, COUNT_OF(args), args);
  } else if (is_inner)
    LLVMBuildMemSet(g->builder, place, LLVMConstInt(g->i8, 0, false), gen_i64(g, bytes), 16);
  return place;
}

// How many programs further out a semaphore's memory is, and where; -2: not known.
static int find_semaphores(LlvmGen *g, const IrOp *alloc, int64_t *offset) {
  int level = 0;
  for (const Frame *frame = g->frame; frame; frame = frame->outer) {
    if (!frame->task) continue;
    for (size_t i = 0; i < frame->task_buffers->items.count; i++) {
      const TaskBuffer *b = &frame->task_buffers->items.items[i];
      if (b->alloc != alloc) continue;
      *offset = b->offset;
      return level;
    }
    level++;
  }
  return -2;
}

int task_note_act(LlvmGen *g, const IrOp *op, int kind, const IrValue *semaphore, int target) {
  const IrOp *root = ir_ref_root(semaphore)->def;
  int64_t where = 0;
  int level = -2, number = (int)g->frame->task_buffers->acts.count;
  if (root && root->code == OP_SEM_BARRIER) {
    level = -1;
    where = ir_attr_int(root, ATTR_COLLECTIVE_ID);
  } else if (root) {
    level = find_semaphores(g, root, &where);
  }
  Value fields[] = {gen_site(g, op),   gen_i32(g, kind),   gen_i32(g, level),
                    gen_i64(g, where), gen_i32(g, target), gen_i32(g, number % 64)};
  VEC_PUSH(g->arena, &g->frame->task_buffers->acts,
           LLVMConstStructInContext(g->context, fields, COUNT_OF(fields), false));
  return number;
}

void task_mark_done(LlvmGen *g, int act) {
  Value place = gen_address(g, g->frame->task, offsetof(prt_task, done));
  Value done = LLVMBuildLoad2(g->builder, g->i64, place, "");
  LLVMBuildStore(
      g->builder,
      LLVMBuildOr(g->builder, done, gen_i64(g, (int64_t)(UINT64_C(1) << (act % 64))), ""), place);
}

static int64_t buffers_offset(const Frame *frame) {
  return frame->size ? (frame->semaphore_bytes + BUFFER_ALIGN - 1) / BUFFER_ALIGN * BUFFER_ALIGN
                     : frame->semaphore_bytes;
}

static Value describe_buffer(LlvmGen *g, const Frame *frame, const TaskBuffer *b) {
  const IrType *type = b->alloc->results[0]->type;
  Str name = ir_attr_find(b->alloc, ATTR_NAME) ? ir_attr_str(b->alloc, ATTR_NAME) : STR("");
  int first = ir_alloc_has_parts(b->alloc);
  int rank = type->rank - first;
  Value fields[] = {gen_i64(g, b->offset + (b->in_semaphores ? 0 : buffers_offset(frame))),
                    gen_i64(g, b->bytes),
                    gen_string(g, name),
                    gen_site(g, b->alloc),
                    gen_i32(g, type->space),
                    gen_i32(g, rank),
                    rank ? gen_i64_array(g, (size_t)rank, type->dims + first)
                         : LLVMConstPointerNull(g->ptr)};
  return gen_const_struct(g, fields, COUNT_OF(fields));
}

static Value describe_buffers(LlvmGen *g, const Frame *frame) {
  const TaskBuffers *buffers = frame->task_buffers;
  size_t count = buffers->items.count;
  if (!count) return LLVMConstPointerNull(g->ptr);
  Value *records = ARENA_ARRAY(g->arena, Value, count);
  for (size_t i = 0; i < count; i++)
    records[i] = describe_buffer(g, frame, &buffers->items.items[i]);
  return gen_private_constant(g, LLVMConstArray2(LLVMTypeOf(records[0]), records, count),
                              "buffers");
}

static Value describe_acts(LlvmGen *g, const Frame *frame) {
  const TaskBuffers *buffers = frame->task_buffers;
  if (!buffers->acts.count) return LLVMConstPointerNull(g->ptr);
  return gen_private_constant(
      g,
      LLVMConstArray2(LLVMTypeOf(buffers->acts.items[0]), buffers->acts.items, buffers->acts.count),
      "acts");
}

// Makes the coroutine and lets it run. Its code stands behind a suspension, so that LLVM, which
// makes a function of what comes before the first one and another one of the rest, has it once.
static Value starter(LlvmGen *g, const Frame *frame) {
  size_t length;
  const char *name = LLVMGetValueName2(frame->function, &length);
  Value function =
      gen_new_function(g, str_format(g->arena, "%s.start", name).data, task_function_type(g), true);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMBasicBlockRef blocks[3];
  for (size_t i = 0; i < COUNT_OF(blocks); i++)
    blocks[i] = LLVMAppendBasicBlockInContext(g->context, function, "");
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  gen_move_to(g, blocks[0]);
  Value args[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1)};
  Value handle =
      LLVMBuildCall2(g->builder, task_function_type(g), frame->function, args, COUNT_OF(args), "");
  Value none = LLVMBuildIsNull(g->builder, handle, ""); // no memory
  LLVMBuildCondBr(g->builder, none, blocks[2], blocks[1]);
  gen_move_to(g, blocks[1]);
  Type resume = LLVMFunctionType(g->void_type, &g->ptr, 1, false);
  Value call = LLVMBuildCall2(g->builder, resume, LLVMBuildLoad2(g->builder, g->ptr, handle, ""),
                              &handle, 1, "");
  LLVMSetInstructionCallConv(call, LLVMFastCallConv); // as LLVM makes it
  LLVMBuildBr(g->builder, blocks[2]);
  gen_move_to(g, blocks[2]);
  LLVMBuildRet(g->builder, handle);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

_Static_assert(IR_MESH_AXES == PRT_MESH_AXES, "as many axes as the runtime takes");

static Value describe_program(LlvmGen *g, const Frame *frame, const TaskShape *shape) {
  Value names = LLVMConstPointerNull(g->ptr), sizes = names;
  if (shape->rank) {
    Value items[IR_MESH_AXES];
    for (int i = 0; i < shape->rank; i++) items[i] = gen_string(g, shape->axis_names[i]);
    names = gen_private_constant(g, LLVMConstArray2(g->ptr, items, (uint64_t)shape->rank), "axes");
    sizes = gen_i64_array(g, (size_t)shape->rank, shape->sizes);
  }
  Value fields[] = {starter(g, frame),
                    gen_string(g, str_from_c(shape->name)),
                    shape->site,
                    gen_i64(g, buffers_offset(frame) + (int64_t)frame->size),
                    gen_i64(g, frame->semaphore_bytes),
                    gen_i32(g, shape->kind),
                    gen_i32(g, shape->rank),
                    sizes,
                    names,
                    gen_i32(g, (int64_t)frame->task_buffers->items.count),
                    describe_buffers(g, frame),
                    gen_i32(g, (int64_t)frame->task_buffers->acts.count),
                    describe_acts(g, frame),
                    gen_i32(g, (int64_t)++g->counter)};
  return gen_private_constant(g, gen_const_struct(g, fields, COUNT_OF(fields)), "program");
}

static void replace(Value placeholder, Value value) {
  LLVMReplaceAllUsesWith(placeholder, value);
  LLVMInstructionEraseFromParent(placeholder);
}

Value task_close(LlvmGen *g, const TaskShape *shape) {
  Frame *frame = g->frame;
  LLVMBuildBr(g->builder, frame->leave);
  gen_move_to(g, frame->entry);
  task_suspend(g);
  Value memory = load_field(g, frame->task, offsetof(prt_task, memory), g->ptr);
  replace(frame->semaphores, memory);
  replace(frame->base, gen_address(g, memory, buffers_offset(frame)));
  LLVMBuildBr(g->builder, frame->code);
  g->frame = frame->outer;
  return describe_program(g, frame, shape);
}

// ---- launches of cores --------------------------------------------------------------------------
// In the program of a core: its index along each axis of the mesh.
static void bind_indices(LlvmGen *g, const IrRegion *region, const IrMesh *mesh) {
  size_t number = mesh->kind == CORE_DEVICE ? offsetof(prt_task, device) : offsetof(prt_task, core);
  Value rest = load_field(g, g->frame->task, number, g->i32);
  for (int i = mesh->rank - 1; i >= 0; i--) {
    Value size = gen_i32(g, mesh->sizes[i]);
    value_bind_scalar(g, region->args[i], i ? LLVMBuildURem(g->builder, rest, size, "") : rest);
    if (i) rest = LLVMBuildUDiv(g->builder, rest, size, "");
  }
}

typedef struct CoreProgram {
  Value program, record;
} CoreProgram;

static CoreProgram core_program(LlvmGen *g, IrOp *op, size_t which, const IrMesh *mesh) {
  static const int kinds[] = {[CORE_TENSOR] = PRT_TENSOR_CORE,
                              [CORE_SCALAR] = PRT_SCALAR_SUBCORE,
                              [CORE_VECTOR] = PRT_VECTOR_SUBCORE,
                              [CORE_DEVICE] = PRT_DEVICE_PROGRAM};
  IrRegion *region = op->regions[which];
  const char *kernel = str_copy(g->arena, ir_attr_str(op, ATTR_NAME)).data;
  TaskShape shape = {.name = kernel,
                     .site = gen_site(g, op),
                     .kind = kinds[mesh->kind],
                     .rank = mesh->rank,
                     .sizes = mesh->sizes,
                     .axis_names = mesh->names};
  CoreProgram out;
  Capture *captured = capture_new(g, region, NULL, 0, NULL, 0);
  out.record = capture_record(g, captured);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  const char *name = str_format(g->arena, "%s.core%u", g->func->name->text, ++g->counter).data;
  Value function = gen_new_function(g, name, task_function_type(g), true);
  Frame frame;
  task_open(g, &frame, function);
  debug_function(g, function, kernel, op->span);
  Value records = LLVMGetParam(function, 1);
  capture_load(g, captured,
               LLVMBuildLoad2(g->builder, g->ptr,
                              gen_address(g, records, (int64_t)(which * sizeof(void *))), ""));
  bind_indices(g, region, mesh);
  gen_prng_open(g, region);
  g->emit_region(g, region);
  debug_at(g, NULL);
  out.program = task_close(g, &shape);
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  capture_end(g, captured);
  return out;
}

void gen_cores(LlvmGen *g, IrOp *op) {
  size_t count = op->region_count;
  IrMeshes meshes = ir_attr_meshes(op);
  Value *programs = ARENA_ARRAY(g->arena, Value, count);
  Value records = frame_address(g, frame_take(g, count * sizeof(void *)));
  for (size_t i = 0; i < count; i++) {
    CoreProgram core = core_program(g, op, i, &meshes.items[i]);
    programs[i] = core.program;
    LLVMBuildStore(g->builder, core.record, gen_address(g, records, (int64_t)(i * sizeof(void *))));
  }
  Value list = gen_private_constant(g, LLVMConstArray2(g->ptr, programs, count), "programs");
  Value args[] = {g->frame->task, gen_i32(g, (int64_t)count), list, records, gen_site(g, op)};
  gen_call_runtime(g, "prt__launch", g->void_type, 5, args);
  task_suspend(g);
}
