// SPDX-License-Identifier: Apache-2.0
// Modules: functions, entry points and their descriptors, as runtime/prt_codegen.h has them.
#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>
#include "codegen/arrays/gen_random.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/functions/gen_task.h"
#include "codegen/refs/gen_check.h"
#include "codegen/refs/gen_race.h"
#include "codegen/values/gen_capture.h"
#include "plan/plan_module.h"
#include "code_size.h"
#include "gen_region.h"
#include "gen_sanitize.h"
#include "object_file.h"
#include "prt_codegen.h"

// ---- attributes ---------------------------------------------------------------------------------

static const char *symbol(LlvmGen *g, const char *prefix, const IrFunc *func) {
  return str_format(g->arena, "%s%s%s", prefix, func->name->text, g->suffix).data;
}

// ---- bodies -------------------------------------------------------------------------------------
// In the body's function: the program of the device, as a task that is run to its end.
static void run_as_task(LlvmGen *g, IrFunc *func) {
  TaskShape shape = {
      .name = func->name->text, .site = LLVMConstPointerNull(g->ptr), .kind = PRT_DEVICE_PROGRAM};
  size_t count = func->param_count;
  Value **places = ARENA_ARRAY(g->arena, Value *, count + 1);
  for (size_t i = 0; i < count; i++) {
    Binding *binding = map_get(g->bindings, func->body->args[i]);
    places[i] = &binding->mem.base;
  }
  Capture *captured = capture_new(g, NULL, NULL, 0, places, count);
  Value record = capture_record(g, captured);
  LLVMBasicBlockRef here = gen_here(g);
  Value function = gen_new_function(g, str_format(g->arena, "%s.device", func->name->text).data,
                                    task_function_type(g), true);
  Frame frame;
  task_open(g, &frame, function);
  debug_function(g, function, func->name->text, func->span);
  capture_load(g, captured, LLVMGetParam(function, 1));
  gen_prng_open(g, func);
  race_inputs(g, func);
  g->emit_region(g, func->body);
  debug_at(g, NULL);
  Value program = task_close(g, &shape);
  gen_move_to(g, here);
  capture_end(g, captured);
  Value args[] = {frame_worker(g), program, record};
  gen_call_runtime(g, "prt__run", g->void_type, 3, args);
}

// Parameters: the worker, then the memory of each parameter.
static Value emit_body(LlvmGen *g, IrFunc *func) {
  size_t count = func->param_count;
  Type *types = ARENA_ARRAY(g->arena, Type, count + 1);
  for (size_t i = 0; i <= count; i++) types[i] = g->ptr;
  const char *name = str_format(g->arena, "%s.body", func->name->text).data;
  Value function = gen_new_function(
      g, name, LLVMFunctionType(g->void_type, types, (unsigned)count + 1, false), true);
  gen_add_attribute(g, function, "noinline");
  g->func = func;
  g->shares = code_size_sharing(func);
  g->counter = 0;
  g->outlined = map_new(g->arena);
  g->bindings = map_new(g->arena);
  g->destinations = map_new(g->arena);
  Frame frame;
  frame_open(g, &frame, function, LLVMGetParam(function, 0));
  debug_function(g, function, func->name->text, func->span);
  for (size_t i = 0; i < count; i++) {
    const IrType *type = func->body->args[i]->type;
    Mem mem = mem_dense(LLVMGetParam(function, (unsigned)i + 1), (unsigned)dtype_size(type->dtype),
                        type->dtype, type->rank, type->dims);
    value_bind_ref(g, func->body->args[i], &mem, NULL, NULL);
  }
  gen_check_adopt(g, func);
  if (task_waits(func->body)) {
    run_as_task(g, func);
  } else {
    gen_prng_open(g, func);
    g->emit_region(g, func->body);
  }
  debug_at(g, NULL);
  frame_close(g);
  return function;
}

// ---- descriptors --------------------------------------------------------------------------------

static Value struct_of(LlvmGen *g, Value *fields, unsigned count) {
  return LLVMConstStructInContext(g->context, fields, count, false);
}

static Value describe_params(LlvmGen *g, const IrFunc *func) {
  Value *params = ARENA_ARRAY(g->arena, Value, func->param_count + 1);
  if (func->param_count == 0) return LLVMConstPointerNull(g->ptr);
  for (size_t i = 0; i < func->param_count; i++) {
    const IrParam *param = &func->params[i];
    const IrType *type = func->body->args[i]->type;
    Value dims =
        type->rank ? gen_i64_array(g, type->rank, type->dims) : LLVMConstPointerNull(g->ptr);
    Str label = param->label.len ? param->label : name_str(param->name);
    Value fields[] = {
        gen_string(g, name_str(param->name)),      gen_string(g, label),   gen_i32(g, param->role),
        gen_i32(g, gen_dtype_number(type->dtype)), gen_i32(g, type->rank), dims};
    params[i] = struct_of(g, fields, COUNT_OF(fields));
  }
  Value array = LLVMConstArray2(LLVMTypeOf(params[0]), params, func->param_count);
  return gen_private_constant(g, array, "params");
}

static Value describe(LlvmGen *g, const IrFunc *func, Value entry, Value function, Value call) {
  const SourceFile *file = source_get(g->session, func->span.file);
  const IrModule *module = func->module;
  Value bits[] = {LLVMConstInt(g->i64, g->target->feature_bits[0], false),
                  LLVMConstInt(g->i64, g->target->feature_bits[1], false)};
  Value fields[] = {
      gen_i32(g, PRT_ABI_VERSION),
      gen_i32(g, g->options->check ? PRT_ENTRY_CHECKED : 0),
      gen_string(g, name_str(func->name)),
      gen_string(g, func->signature.len ? func->signature : name_str(func->name)),
      gen_string(g, file ? file->path : STR("")),
      gen_i32(g, func->param_count),
      gen_i32(g, module->devices > 0 ? module->devices : 1),
      describe_params(g, func),
      gen_string(g, module->tpu ? name_str(module->tpu) : STR("")),
      LLVMConstArray2(g->i64, bits, 2),
      gen_string(g, str_from_c(g->target->name)),
      call,
      function,
  };
  Value initializer = struct_of(g, fields, COUNT_OF(fields));
  Value descriptor =
      LLVMAddGlobal(g->module, LLVMTypeOf(initializer), symbol(g, "prt_entry_", func));
  LLVMSetInitializer(descriptor, initializer);
  LLVMSetGlobalConstant(descriptor, true);
  LLVMReplaceAllUsesWith(entry, descriptor);
  LLVMDeleteGlobal(entry);
  return descriptor;
}

// ---- entry points -------------------------------------------------------------------------------
// The pointers as an array: prt_entry.call has them so.
static Value pointer_array(LlvmGen *g, const IrFunc *func, Value function, Value *arguments) {
  if (func->param_count == 0) return LLVMConstPointerNull(g->ptr);
  if (!arguments[0]) return LLVMGetParam(function, 1);
  Value array = LLVMBuildAlloca(g->builder, LLVMArrayType2(g->ptr, func->param_count), "arguments");
  for (size_t i = 0; i < func->param_count; i++)
    LLVMBuildStore(g->builder, arguments[i], gen_address(g, array, (int64_t)(i * sizeof(void *))));
  return array;
}

static Value declare_body_call(LlvmGen *g, const IrFunc *func, Value entry, Value body,
                               Value function, Value machine, Value *arguments) {
  LLVMBuilderRef b = g->builder;
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(g->context, function, "entry");
  LLVMBasicBlockRef enter = LLVMAppendBasicBlockInContext(g->context, function, "entered");
  LLVMBasicBlockRef refuse = LLVMAppendBasicBlockInContext(g->context, function, "refused");
  LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(g->context, function, "run");
  LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(g->context, function, "leave");
  gen_move_to(g, start);
  Value slot = LLVMBuildAlloca(b, g->ptr, "worker");
  Value args[] = {machine, entry, slot, pointer_array(g, func, function, arguments)};
  Value status = gen_call_runtime(g, "prt__enter_call", g->i32, 4, args);
  LLVMBuildCondBr(b, emit_icmp_c(g, LLVMIntNE, status, 0), refuse, enter);
  gen_move_to(g, refuse);
  LLVMBuildRet(b, status);
  gen_move_to(g, enter);
  Value worker = LLVMBuildLoad2(b, g->ptr, slot, "");
  for (size_t i = 0; i < func->param_count; i++) {
    if (!arguments[i]) { // prt_entry.call: the pointers lie in an array
      Value place = gen_address(g, LLVMGetParam(function, 1), (int64_t)(i * sizeof(void *)));
      arguments[i] = LLVMBuildLoad2(b, g->ptr, place, "");
    }
    if (ir_type_count(func->body->args[i]->type) == 0) continue;
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(g->context, function, "null"),
                      good = LLVMAppendBasicBlockInContext(g->context, function, "");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, arguments[i], ""), bad, good);
    gen_move_to(g, bad);
    Value null_args[] = {worker, gen_i32(g, (int64_t)i)};
    gen_call_runtime(g, "prt__fail_null", g->i32, 2, null_args);
    LLVMBuildBr(b, leave);
    gen_move_to(g, good);
  }
  LLVMBuildBr(b, run);
  gen_move_to(g, run);
  Value *all = ARENA_ARRAY(g->arena, Value, func->param_count + 1);
  all[0] = worker;
  for (size_t i = 0; i < func->param_count; i++) all[i + 1] = arguments[i];
  LLVMBuildCall2(b, LLVMGlobalGetValueType(body), body, all, func->param_count + 1, "");
  LLVMBuildBr(b, leave);
  gen_move_to(g, leave);
  LLVMBuildRet(b, gen_call_runtime(g, "prt__leave", g->i32, 1, &worker));
  return function;
}

// NAME, prt_call_NAME and prt_entry_NAME. They belong to the baseline, and stand nowhere in the
// source.
static Value emit_entry(LlvmGen *g, const IrFunc *func, Value body) {
  size_t count = func->param_count;
  Type *types = ARENA_ARRAY(g->arena, Type, count + 2);
  Value *arguments = ARENA_ARRAY(g->arena, Value, count + 1);
  for (size_t i = 0; i <= count; i++) types[i] = g->ptr;
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Value entry = LLVMAddGlobal(g->module, g->i8, "");
  Value function = gen_new_function(
      g, symbol(g, "", func), LLVMFunctionType(g->i32, types, (unsigned)count + 1, false), false);
  for (size_t i = 0; i < count; i++) arguments[i] = LLVMGetParam(function, (unsigned)i + 1);
  declare_body_call(g, func, entry, body, function, LLVMGetParam(function, 0), arguments);
  Type call_types[] = {g->ptr, g->ptr};
  Value call = gen_new_function(g, symbol(g, "prt_call_", func),
                                LLVMFunctionType(g->i32, call_types, 2, false), false);
  for (size_t i = 0; i < count; i++) arguments[i] = NULL;
  declare_body_call(g, func, entry, body, call, LLVMGetParam(call, 0), arguments);
  return describe(g, func, entry, function, call);
}

// The list that prt_list_entries reads: addresses in a section that the linker concatenates.
static void emit_entry_table(LlvmGen *g, Value *entries, unsigned count) {
  Value list = LLVMConstArray2(g->ptr, entries, count);
  Value places = LLVMAddGlobal(g->module, LLVMTypeOf(list), "prt_entry_places");
  LLVMSetInitializer(places, list);
  LLVMSetLinkage(places, LLVMInternalLinkage);
  LLVMSetGlobalConstant(places, true);
  LLVMSetSection(places, "prt_entries");
  Type used_type = LLVMArrayType2(g->ptr, 1);
  Value used = LLVMAddGlobal(g->module, used_type, "llvm.used");
  LLVMSetInitializer(used, LLVMConstArray2(g->ptr, &places, 1));
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
  const char *const bounds[] = {"__start_prt_entries", "__stop_prt_entries"};
  Value fields[3] = {gen_i32(g, PRT_ABI_VERSION)};
  for (int i = 0; i < 2; i++) {
    fields[i + 1] = LLVMAddGlobal(g->module, g->ptr, bounds[i]);
    LLVMSetVisibility(fields[i + 1], LLVMHiddenVisibility);
  }
  Value initializer = struct_of(g, fields, 3);
  Value table = LLVMAddGlobal(g->module, LLVMTypeOf(initializer), "prt_entry_table");
  LLVMSetInitializer(table, initializer);
  LLVMSetGlobalConstant(table, true);
  LLVMSetLinkage(table, LLVMWeakAnyLinkage);
}

// ---- modules ------------------------------------------------------------------------------------
static void init_types(LlvmGen *g) {
  g->void_type = LLVMVoidTypeInContext(g->context);
  g->i1 = LLVMInt1TypeInContext(g->context);
  g->i4 = LLVMIntTypeInContext(g->context, 4);
  g->i8 = LLVMInt8TypeInContext(g->context);
  g->i16 = LLVMInt16TypeInContext(g->context);
  g->i32 = LLVMInt32TypeInContext(g->context);
  g->i64 = LLVMInt64TypeInContext(g->context);
  g->f32 = LLVMFloatTypeInContext(g->context);
  g->f64 = LLVMDoubleTypeInContext(g->context);
  g->ptr = LLVMPointerTypeInContext(g->context, 0);
}

static void verify(const LlvmGen *g) {
  bool wanted = g->options->verify;
#ifndef NDEBUG
  wanted = true;
#endif
  char *message = NULL;
  if (wanted && LLVMVerifyModule(g->module, LLVMReturnStatusAction, &message)) {
    char *text = LLVMPrintModuleToString(g->module);
    fputs(text, stderr);
    BUG("the LLVM module is not well-formed: %s", message);
  }
  LLVMDisposeMessage(message);
}

// LLVM makes state machines of the coroutines.
static void split_tasks(const LlvmGen *g, LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(
      g->module, "coro-early,cgscc(coro-split),coro-cleanup,globaldce", machine, options);
  if (error) BUG("LLVM could not split the coroutines: %s", LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
}

static void emit_functions(LlvmGen *g, IrModule *module) {
  unsigned total = 0, count = 0;
  for (IrFunc *func = module->first; func; func = func->next) total++;
  Value *entries = ARENA_ARRAY(g->arena, Value, total + 1);
  for (IrFunc *func = module->first; func; func = func->next) {
    session_progress(g->session, "code of", count, total, name_str(func->name));
    entries[count++] = emit_entry(g, func, emit_body(g, func));
  }
  if (count && !g->suffix[0]) emit_entry_table(g, entries, count);
}

LlvmModule *codegen_build(Session *session, IrModule *module, const CodegenOptions *options,
                          const char *suffix) {
  Arena *arena = arena_new_child(session->arena);
  const Target *target = target_find(session, arena, options->target_cpu);
  if (!target) return NULL;
  LlvmModule *out = ARENA_NEW(arena, LlvmModule);
  if (!object_machine(session, arena, target, options, out)) return NULL;
  LlvmGen g = {.session = session,
               .arena = arena,
               .options = options,
               .target = target,
               .context = out->context,
               .module = out->module,
               .suffix = suffix,
               .globals = map_new(arena),
               .emit_region = region_emit};
  g.builder = LLVMCreateBuilderInContext(g.context);
  init_types(&g);
  debug_open(&g);
  size_t errors = session->error_count;
  emit_functions(&g, module);
  debug_close(&g);
  if (session->error_count > errors) {
    LLVMDisposeBuilder(g.builder);
    codegen_free(out);
    return NULL;
  }
  verify(&g);
  if (g.has_tasks) split_tasks(&g, out->machine);
  if (options->tsan) sanitize_threads(&g);
  LLVMDisposeBuilder(g.builder);
  return out;
}

bool codegen_plan(Session *session, const IrModule *module, const CodegenOptions *options,
                  Arena *arena, ModulePlan *out) {
  const Target *target = target_find(session, arena, options->target_cpu);
  if (!target) return false;
  *out = (ModulePlan){0};
  for (const IrFunc *func = module->first; func; func = func->next) {
    PlanOptions plan = {.vector_bytes = target->vector_bytes,
                        .many_ops = code_size_sharing(func).all,
                        .check = options->check,
                        .eager = options->eager};
    FuncPlan made = plan_func(arena, func, &plan);
    VEC_PUSH(arena, &out->funcs, made);
  }
  return true;
}

LlvmModule *codegen_module(Session *session, IrModule *module, const CodegenOptions *options) {
  return codegen_build(session, module, options, "");
}
