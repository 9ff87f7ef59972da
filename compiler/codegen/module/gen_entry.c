// SPDX-License-Identifier: Apache-2.0
// Entry points and their descriptors, as runtime/prt_codegen.h has them. In: a function of the
// module and its body; of a family, the descriptors of its functions. Out: C functions. They are
// compiled for the baseline, and stand nowhere in the source.
#include "ir/core/ir.h"
#include "gen_entry.h"
#include <stddef.h>
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/functions/gen_task.h"
#include "ir/core/family.h"
#include "many_params.h"
#include "prt_codegen.h"

_Static_assert(IR_MAX_SIZES == PRT_MAX_SIZES, "as many sizes as the runtime takes");

// ---- descriptors --------------------------------------------------------------------------------
static const char *symbol(LlvmGen *g, const char *prefix, Name name) {
  return str_format(g->arena, "%s%s%s", prefix, name->text, g->suffix).data;
}

static Value null_pointer(const LlvmGen *g) { return LLVMConstPointerNull(g->ptr); }

static Value describe_param(LlvmGen *g, const IrParam *param, DType dtype, size_t rank,
                            const int64_t *dims) {
  Str label = param->label.len ? param->label : name_str(param->name);
  Value fields[] = {gen_string(g, name_str(param->name)),
                    gen_string(g, label),
                    gen_i32(g, param->role),
                    gen_i32(g, gen_dtype_number(dtype)),
                    gen_i32(g, (int64_t)rank),
                    rank ? gen_i64_array(g, rank, dims) : null_pointer(g)};
  return gen_const_struct(g, fields, COUNT_OF(fields));
}

static Value describe_size(LlvmGen *g, Name size) {
  Value name = gen_string(g, name_str(size));
  Value fields[] = {name,          name,           gen_i32(g, PRT_SIZE), gen_i32(g, PRT_I64),
                    gen_i32(g, 0), null_pointer(g)};
  return gen_const_struct(g, fields, COUNT_OF(fields));
}

// Of a family the sizes come first, and dimensions that depend on them are PRT_ANY_SIZE.
static Value describe_params(LlvmGen *g, const IrFunc *func, bool is_family) {
  size_t sizes = is_family ? func->family->count : 0, count = 0;
  Value *params = ARENA_ARRAY(g->arena, Value, sizes + func->param_count + 1);
  for (size_t i = 0; i < sizes; i++) params[count++] = describe_size(g, func->family->sizes[i]);
  for (uint32_t i = 0; i < func->param_count; i++) {
    const IrType *type = func->body->args[i]->type;
    int64_t dims[IR_MAX_RANK];
    for (int d = 0; d < type->rank; d++) {
      bool is_fixed = true;
      dims[d] = is_family ? ir_family_max_dim(func, i, d, &is_fixed) : type->dims[d];
      if (!is_fixed) dims[d] = PRT_ANY_SIZE;
    }
    params[count++] = describe_param(g, &func->params[i], type->dtype, type->rank, dims);
  }
  if (count == 0) return null_pointer(g);
  return gen_private_constant(g, LLVMConstArray2(LLVMTypeOf(params[0]), params, count), "params");
}

// What a descriptor of a function has that one of a family has not, and the other way round.
typedef struct Descriptor {
  Value params, function, call, variants, sizes;
  size_t size_count, variant_count;
  Str signature;
} Descriptor;

static int64_t flags_of(const LlvmGen *g, const IrFunc *func) {
  if (!g->options->check) return 0;
  return PRT_ENTRY_CHECKED | (task_waits(func->body) ? PRT_ENTRY_WAITS : 0);
}

// `place` has stood for the descriptor so far.
static Value describe(LlvmGen *g, const IrFunc *func, Value place, const Descriptor *d) {
  const SourceFile *file = source_get(g->session, func->span.file);
  const IrModule *module = func->module;
  const Target *target = g->target;
  Value bits[2]; // the bodies are there: what they need of tiles is known
  for (int i = 0; i < 2; i++)
    bits[i] = LLVMConstInt(
        g->i64, target->feature_bits[i] | (g->has_tiles ? target->tile_bits[i] : 0), false);
  Value fields[] = {
      gen_i32(g, PRT_ABI_VERSION),
      gen_i32(g, flags_of(g, func)),
      gen_string(g, name_str(ir_family_name(func))),
      gen_string(g, d->signature.len ? d->signature : name_str(ir_family_name(func))),
      gen_string(g, file ? file->path : STR("")),
      gen_i32(g, (int64_t)(d->variant_count ? d->size_count : 0) + func->param_count),
      gen_i32(g, module->devices > 0 ? module->devices : 1),
      d->params,
      gen_string(g, module->tpu ? name_str(module->tpu) : STR("")),
      LLVMConstArray2(g->i64, bits, 2),
      gen_string(g, str_from_c(g->target->name)),
      d->call,
      d->function,
      gen_i32(g, (int64_t)d->size_count),
      gen_i32(g, (int64_t)d->variant_count),
      d->variants,
      d->sizes,
  };
  Value initializer = gen_const_struct(g, fields, COUNT_OF(fields));
  bool is_own = d->variant_count > 0 || !func->family;
  Value descriptor =
      LLVMAddGlobal(g->module, LLVMTypeOf(initializer),
                    symbol(g, "prt_entry_", d->variant_count ? ir_family_name(func) : func->name));
  LLVMSetInitializer(descriptor, initializer);
  LLVMSetGlobalConstant(descriptor, true);
  if (!is_own) LLVMSetLinkage(descriptor, LLVMInternalLinkage);
  LLVMReplaceAllUsesWith(place, descriptor);
  LLVMDeleteGlobal(place);
  return descriptor;
}

// ---- functions ----------------------------------------------------------------------------------
// The pointers as an array: prt_entry.call has them so.
static Value pointer_array(LlvmGen *g, const IrFunc *func, Value function, Value *arguments) {
  if (func->param_count == 0) return null_pointer(g);
  if (!arguments[0]) return LLVMGetParam(function, 1);
  Value array = LLVMBuildAlloca(g->builder, LLVMArrayType2(g->ptr, func->param_count), "arguments");
  for (size_t i = 0; i < func->param_count; i++)
    LLVMBuildStore(g->builder, arguments[i], gen_address(g, array, (int64_t)(i * sizeof(void *))));
  return array;
}

// Whether there is a parameter without elements, whose pointer may be any.
static bool has_empty(const IrFunc *func) {
  for (size_t i = 0; i < func->param_count; i++)
    if (ir_type_count(func->body->args[i]->type) == 0) return true;
  return false;
}

// The call fails where the pointer of parameter `index` is null.
static void refuse_null(LlvmGen *g, Value worker, Value pointer, Value index,
                        LLVMBasicBlockRef leave) {
  Value function = LLVMGetBasicBlockParent(gen_here(g));
  LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(g->context, function, "null"),
                    good = LLVMAppendBasicBlockInContext(g->context, function, "");
  LLVMBuildCondBr(g->builder, LLVMBuildIsNull(g->builder, pointer, ""), bad, good);
  gen_move_to(g, bad);
  Value args[] = {worker, index};
  gen_call_runtime(g, "prt__fail_null", g->i32, 2, args);
  LLVMBuildBr(g->builder, leave);
  gen_move_to(g, good);
}

// The same for each of an array, in a loop.
static void refuse_nulls(LlvmGen *g, Value worker, Value array, size_t count,
                         LLVMBasicBlockRef leave) {
  LLVMBuilderRef b = g->builder;
  LLVMBasicBlockRef before = gen_here(g);
  Value function = LLVMGetBasicBlockParent(before);
  LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(g->context, function, "pointer"),
                    done = LLVMAppendBasicBlockInContext(g->context, function, "");
  LLVMBuildBr(b, loop);
  gen_move_to(g, loop);
  Value i = LLVMBuildPhi(b, g->i32, "");
  Value place = LLVMBuildGEP2(b, g->ptr, array, &i, 1, "");
  refuse_null(g, worker, LLVMBuildLoad2(b, g->ptr, place, ""), i, leave);
  Value next = LLVMBuildAdd(b, i, gen_i32(g, 1), ""), from[] = {gen_i32(g, 0), next};
  LLVMBasicBlockRef blocks[] = {before, gen_here(g)};
  LLVMAddIncoming(i, from, blocks, 2);
  LLVMBuildCondBr(b, emit_icmp_c(g, LLVMIntNE, next, (int64_t)count), loop, done);
  gen_move_to(g, done);
}

static void define_call(LlvmGen *g, const IrFunc *func, Value entry, Value body, Value function,
                        Value machine, Value *arguments) {
  LLVMBuilderRef b = g->builder;
  bool in_array = params_in_array(func);
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(g->context, function, "entry");
  LLVMBasicBlockRef enter = LLVMAppendBasicBlockInContext(g->context, function, "entered");
  LLVMBasicBlockRef refuse = LLVMAppendBasicBlockInContext(g->context, function, "refused");
  LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(g->context, function, "run");
  LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(g->context, function, "leave");
  gen_move_to(g, start);
  Value slot = LLVMBuildAlloca(b, g->ptr, "worker");
  Value array = pointer_array(g, func, function, arguments);
  Value args[] = {machine, entry, slot, array};
  Value status = gen_call_runtime(g, "prt__enter_call", g->i32, 4, args);
  LLVMBuildCondBr(b, emit_icmp_c(g, LLVMIntNE, status, 0), refuse, enter);
  gen_move_to(g, refuse);
  LLVMBuildRet(b, status);
  gen_move_to(g, enter);
  Value worker = LLVMBuildLoad2(b, g->ptr, slot, "");
  if (in_array && !has_empty(func)) {
    refuse_nulls(g, worker, array, func->param_count, leave);
  } else {
    for (size_t i = 0; i < func->param_count; i++) {
      if (!arguments[i] || in_array) arguments[i] = params_load(g, array, i);
      if (ir_type_count(func->body->args[i]->type))
        refuse_null(g, worker, arguments[i], gen_i32(g, (int64_t)i), leave);
    }
  }
  LLVMBuildBr(b, run);
  gen_move_to(g, run);
  Value *all = ARENA_ARRAY(g->arena, Value, func->param_count + 2);
  all[0] = worker;
  all[1] = array;
  for (size_t i = 0; i < func->param_count && !in_array; i++) all[i + 1] = arguments[i];
  LLVMBuildCall2(b, LLVMGlobalGetValueType(body), body, all, in_array ? 2 : func->param_count + 1,
                 "");
  LLVMBuildBr(b, leave);
  gen_move_to(g, leave);
  LLVMBuildRet(b, gen_call_runtime(g, "prt__leave", g->i32, 1, &worker));
}

// A function of a family is called through the family's.
static Value new_function(LlvmGen *g, const char *prefix, const IrFunc *func, Type type) {
  Value function = gen_new_function(g, symbol(g, prefix, func->name), type, false);
  if (func->family) LLVMSetLinkage(function, LLVMInternalLinkage);
  return function;
}

static Type call_type(const LlvmGen *g) {
  Type types[] = {g->ptr, g->ptr};
  return LLVMFunctionType(g->i32, types, 2, false);
}

Value entry_emit(LlvmGen *g, const IrFunc *func, Value body) {
  size_t count = func->param_count;
  Type *types = ARENA_ARRAY(g->arena, Type, count + 2);
  Value *arguments = ARENA_ARRAY(g->arena, Value, count + 1);
  for (size_t i = 0; i <= count; i++) types[i] = g->ptr;
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Value place = LLVMAddGlobal(g->module, g->i8, "");
  Value function =
      new_function(g, "", func, LLVMFunctionType(g->i32, types, (unsigned)count + 1, false));
  for (size_t i = 0; i < count; i++) arguments[i] = LLVMGetParam(function, (unsigned)i + 1);
  define_call(g, func, place, body, function, LLVMGetParam(function, 0), arguments);
  Value call = new_function(g, CALL_PREFIX, func, call_type(g));
  for (size_t i = 0; i < count; i++) arguments[i] = NULL;
  define_call(g, func, place, body, call, LLVMGetParam(call, 0), arguments);
  size_t sizes = func->family ? func->family->count : 0;
  Descriptor d = {.params = describe_params(g, func, false),
                  .function = function,
                  .call = call,
                  .size_count = sizes,
                  .sizes = sizes ? gen_i64_array(g, sizes, func->sizes) : null_pointer(g),
                  .variants = null_pointer(g),
                  .signature = func->signature};
  return describe(g, func, place, &d);
}

// ---- families -----------------------------------------------------------------------------------
// softmax(machine, n, x, out): the function for these sizes, called with what is left.
static Value define_choice(LlvmGen *g, const IrFunc *first, Value place) {
  LLVMBuilderRef b = g->builder;
  size_t sizes = first->family->count, arrays = first->param_count, count = 0;
  Type *types = ARENA_ARRAY(g->arena, Type, sizes + arrays + 2);
  Type *rest = ARENA_ARRAY(g->arena, Type, arrays + 2);
  Value *arguments = ARENA_ARRAY(g->arena, Value, arrays + 2);
  types[count++] = g->ptr;
  for (size_t i = 0; i < sizes; i++) types[count++] = g->i64;
  for (size_t i = 0; i < arrays; i++) types[count++] = g->ptr;
  for (size_t i = 0; i <= arrays; i++) rest[i] = g->ptr;
  Value function = gen_new_function(g, symbol(g, "", first->family->name),
                                    LLVMFunctionType(g->i32, types, (unsigned)count, false), false);
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(g->context, function, "entry");
  LLVMBasicBlockRef refuse = LLVMAppendBasicBlockInContext(g->context, function, "refused");
  LLVMBasicBlockRef run = LLVMAppendBasicBlockInContext(g->context, function, "run");
  gen_move_to(g, start);
  Value numbers = LLVMBuildAlloca(b, LLVMArrayType2(g->i64, sizes), "sizes"),
        slot = LLVMBuildAlloca(b, g->ptr, "chosen");
  for (size_t i = 0; i < sizes; i++)
    LLVMBuildStore(b, LLVMGetParam(function, (unsigned)i + 1),
                   gen_address(g, numbers, (int64_t)(i * sizeof(int64_t))));
  Value asked[] = {place, numbers, slot};
  Value status = gen_call_runtime(g, "prt_entry_for_sizes", g->i32, 3, asked);
  LLVMBuildCondBr(b, emit_icmp_c(g, LLVMIntNE, status, 0), refuse, run);
  gen_move_to(g, refuse);
  LLVMBuildRet(b, status);
  gen_move_to(g, run);
  Value chosen = LLVMBuildLoad2(b, g->ptr, slot, "");
  Value callee =
      LLVMBuildLoad2(b, g->ptr, gen_address(g, chosen, offsetof(prt_entry, function)), "");
  arguments[0] = LLVMGetParam(function, 0);
  for (size_t i = 0; i < arrays; i++)
    arguments[i + 1] = LLVMGetParam(function, (unsigned)(sizes + i) + 1);
  Type type = LLVMFunctionType(g->i32, rest, (unsigned)arrays + 1, false);
  LLVMBuildRet(b, LLVMBuildCall2(b, type, callee, arguments, (unsigned)arrays + 1, ""));
  return function;
}

// prt_call_softmax(machine, arguments): the runtime reads the sizes.
static Value define_choice_call(LlvmGen *g, const IrFunc *first, Value place) {
  Value call =
      gen_new_function(g, symbol(g, CALL_PREFIX, first->family->name), call_type(g), false);
  gen_move_to(g, LLVMAppendBasicBlockInContext(g->context, call, "entry"));
  Value args[] = {LLVMGetParam(call, 0), place, LLVMGetParam(call, 1)};
  LLVMBuildRet(g->builder, gen_call_runtime(g, "prt__call_for_sizes", g->i32, 3, args));
  return call;
}

Value entry_emit_family(LlvmGen *g, const IrFunc *first, Value *entries) {
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Value place = LLVMAddGlobal(g->module, g->i8, "");
  size_t count = ir_family_count(first);
  Descriptor d = {.params = describe_params(g, first, true),
                  .function = define_choice(g, first, place),
                  .call = define_choice_call(g, first, place),
                  .size_count = first->family->count,
                  .sizes = null_pointer(g),
                  .variants =
                      gen_private_constant(g, LLVMConstArray2(g->ptr, entries, count), "variants"),
                  .variant_count = count,
                  .signature = ir_family_signature(g->arena, first)};
  return describe(g, first, place, &d);
}

// ---- the table ----------------------------------------------------------------------------------
// The list that prt_list_entries reads: addresses in a section that the linker concatenates.
void entry_emit_table(LlvmGen *g, Value *entries, unsigned count) {
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
  Value initializer = gen_const_struct(g, fields, 3);
  Value table = LLVMAddGlobal(g->module, LLVMTypeOf(initializer), "prt_entry_table");
  LLVMSetInitializer(table, initializer);
  LLVMSetGlobalConstant(table, true);
  LLVMSetLinkage(table, LLVMWeakAnyLinkage);
}
