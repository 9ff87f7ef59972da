// SPDX-License-Identifier: Apache-2.0
// Modules: the bodies of functions, which entry points (gen_entry.c) call.
#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <string.h>
#include "base/map.h"
#include "ir/core/ir.h"
#include "codegen/arrays/gen_random.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_function.h"
#include "codegen/functions/gen_task.h"
#include "codegen/refs/gen_check.h"
#include "codegen/refs/gen_race.h"
#include "codegen/values/gen_capture.h"
#include "ir/core/family.h"
#include "plan/plan_module.h"
#include "code_size.h"
#include "codegen/clusters/gen_cluster_outlined.h"
#include "gen_entry.h"
#include "gen_region.h"
#include "gen_sanitize.h"
#include "many_params.h"
#include "object_file.h"
#include "prt_codegen.h"

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
  debug_function(g, function, ir_family_name(func)->text, func->span);
  capture_load(g, captured, LLVMGetParam(function, 1));
  gen_prng_open(g, func->body);
  race_inputs(g, func);
  g->emit_region(g, func->body);
  debug_at(g, NULL);
  Value program = task_close(g, &shape);
  gen_move_to(g, here);
  capture_end(g, captured);
  Value args[] = {frame_worker(g), program, record};
  gen_call_runtime(g, "prt__run", g->void_type, 3, args);
}

// Parameters: the worker, then the memory of each parameter; of many, an array.
static Value emit_body(LlvmGen *g, IrFunc *func) {
  size_t count = func->param_count;
  bool in_array = params_in_array(func);
  unsigned passed = in_array ? 2 : (unsigned)count + 1;
  Type *types = ARENA_ARRAY(g->arena, Type, passed);
  for (unsigned i = 0; i < passed; i++) types[i] = g->ptr;
  const char *name = str_format(g->arena, "%s.body", func->name->text).data;
  g->shares = code_size_sharing(func);
  Value function =
      gen_new_function(g, name, LLVMFunctionType(g->void_type, types, passed, false), true);
  gen_add_attribute(g, function, "noinline");
  g->func = func;
  g->counter = 0;
  g->outlined = map_new(g->arena);
  cluster_count_twins(g, func);
  g->bindings = map_new(g->arena);
  g->destinations = map_new(g->arena);
  g->outputs = map_new(g->arena);
  g->origins = map_new(g->arena);
  g->polls = NULL;
  g->gifts = check_gifts(g);
  Frame frame;
  frame_open(g, &frame, function, LLVMGetParam(function, 0));
  debug_function(g, function, ir_family_name(func)->text, func->span);
  Value array = LLVMGetParam(function, 1), *memory = ARENA_ARRAY(g->arena, Value, count + 1);
  for (size_t i = 0; i < count; i++) {
    const IrType *type = func->body->args[i]->type;
    memory[i] = in_array ? params_load(g, array, i) : LLVMGetParam(function, (unsigned)i + 1);
    Mem mem = mem_dense(memory[i], type->dtype, type->rank, type->dims);
    value_bind_ref(g, func->body->args[i], &mem, NULL, NULL);
  }
  gen_check_adopt(g, func);
  if (task_waits(func->body)) {
    run_as_task(g, func);
  } else {
    gen_prng_open(g, func->body);
    g->emit_region(g, func->body);
  }
  debug_at(g, NULL);
  frame_close(g);
  if (in_array) params_load_at_uses(g, array, count, memory);
  return function;
}

// ---- modules ------------------------------------------------------------------------------------
static void init_types(LlvmGen *g) {
  g->void_type = LLVMVoidTypeInContext(g->context);
  g->i1 = LLVMInt1TypeInContext(g->context);
  g->i2 = LLVMIntTypeInContext(g->context, 2);
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

// Nobody destroys a coroutine: the runtime takes its memory back. What LLVM has made for that is as
// long as the coroutine.
static void drop_destroyers(const LlvmGen *g) {
  static const char suffix[] = ".destroy";
  for (Value f = LLVMGetFirstFunction(g->module), next; f; f = next) {
    next = LLVMGetNextFunction(f);
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (length < sizeof suffix || strcmp(name + length - (sizeof suffix - 1), suffix)) continue;
    LLVMReplaceAllUsesWith(f, LLVMConstPointerNull(g->ptr));
    LLVMDeleteFunction(f);
  }
}

// LLVM makes state machines of the coroutines.
static void split_tasks(const LlvmGen *g, LLVMTargetMachineRef machine) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(
      g->module, "coro-early,cgscc(coro-split),coro-cleanup,globaldce", machine, options);
  if (error) BUG("LLVM could not split the coroutines: %s", LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
  drop_destroyers(g);
}

static void emit_functions(LlvmGen *g, IrModule *module) {
  unsigned total = 0, count = 0, done = 0;
  for (IrFunc *func = module->first; func; func = func->next) total++;
  Value *entries = ARENA_ARRAY(g->arena, Value, total + 1),
        *family = ARENA_ARRAY(g->arena, Value, total + 1);
  for (IrFunc *first = module->first, *func = first; first; first = func) {
    size_t members = 0;
    for (IrFunc *next = first; next; next = ir_family_next(func)) {
      func = next;
      session_progress(g->session, "code of", done++, total, name_str(func->name));
      family[members++] = entry_emit(g, func, emit_body(g, func));
    }
    entries[count++] = first->family ? entry_emit_family(g, first, family) : family[0];
    func = func->next;
  }
  if (count && !g->suffix[0]) entry_emit_table(g, entries, count);
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
                        .registers = target->registers,
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
