// SPDX-License-Identifier: Apache-2.0
// Runs of calls in long code: what was unrolled and is now hundreds of calls of outlined functions,
// one behind the other. In: a function. Out: each run is a function of its own that LLVM's code
// generator leaves as it is ("optnone"), which takes it half the time; nothing is lost, for the
// time of a run is that of the functions that it calls.
#include "call_runs.h"
#include <llvm-c/DebugInfo.h>
#include <string.h>
#include "base/base.h"
#include "long_values.h"

// Of 2,000 calls one takes LLVM 150,000 instructions less in such a function (callgrind, 1,000
// lines of argmax); the function itself, some ten times that.
enum { LEAST_CALLS = 64, MOST_OUTSIDE = 16 };

typedef struct Run {
  LLVMValueRef first, end; // up to `end`, which is not of it
  unsigned calls;
  // What it uses of the function around it, and that in the new one.
  LLVMValueRef outside[MOST_OUTSIDE], inside[MOST_OUTSIDE];
  unsigned count;
} Run;

// A call that gives nothing, of a function of this module.
static bool is_plain_call(LLVMValueRef value) {
  if (!LLVMIsACallInst(value) || LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind)
    return false;
  LLVMValueRef callee = LLVMGetCalledValue(value);
  return LLVMIsAFunction(callee) && LLVMGetLinkage(callee) == LLVMInternalLinkage;
}

static bool is_passed_in_a_register(LLVMValueRef value) {
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
  return kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

// Addresses at a constant distance are computed again where they are used.
static bool add_outside(Run *run, LLVMValueRef value) {
  if (LLVMIsConstant(value)) return true;
  if (long_values_is_offset(value)) return add_outside(run, LLVMGetOperand(value, 0));
  for (unsigned i = 0; i < run->count; i++)
    if (run->outside[i] == value) return true;
  if (run->count == MOST_OUTSIDE || !is_passed_in_a_register(value)) return false;
  run->outside[run->count++] = value;
  return true;
}

static bool add_call(Run *run, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (!add_outside(run, LLVMGetOperand(call, i))) return false;
  run->calls++;
  return true;
}

// The run that begins there; it has no calls if there is none.
static Run run_at(LLVMValueRef first) {
  Run run = {.first = first};
  LLVMValueRef i = first;
  for (; i; i = LLVMGetNextInstruction(i))
    if (!long_values_is_offset(i) && !(is_plain_call(i) && add_call(&run, i))) break;
  run.end = i;
  return run;
}

static LLVMValueRef inside_of(const Run *run, LLVMBuilderRef builder, LLVMValueRef value) {
  if (LLVMIsConstant(value)) return value;
  for (unsigned i = 0; i < run->count; i++)
    if (run->outside[i] == value) return run->inside[i];
  LLVMValueRef copy = LLVMInstructionClone(value);
  LLVMSetOperand(copy, 0, inside_of(run, builder, LLVMGetOperand(value, 0)));
  LLVMInsertIntoBuilder(builder, copy);
  return copy;
}

static void move_call(const Run *run, LLVMBuilderRef builder, LLVMValueRef call) {
  unsigned count = LLVMGetNumArgOperands(call);
  for (unsigned i = 0; i < count; i++)
    LLVMSetOperand(call, i, inside_of(run, builder, LLVMGetOperand(call, i)));
  LLVMInstructionRemoveFromParent(call);
  LLVMInsertIntoBuilder(builder, call);
}

static void add_attribute(LLVMValueRef function, const char *name) {
  LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

void call_runs_leave(LLVMValueRef function) {
  add_attribute(function, "noinline");
  add_attribute(function, "optnone");
}

bool call_runs_is_left(LLVMValueRef function) {
  unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
  return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static LLVMValueRef new_function(LLVMModuleRef module, LLVMValueRef like, LLVMTypeRef type) {
  LLVMValueRef function = LLVMAddFunction(module, "calls", type);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMAttributeRef attributes[32];
  unsigned count = LLVMGetAttributeCountAtIndex(like, LLVMAttributeFunctionIndex);
  if (count > COUNT_OF(attributes)) count = 0;
  if (count) LLVMGetAttributesAtIndex(like, LLVMAttributeFunctionIndex, attributes);
  for (unsigned i = 0; i < count; i++)
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attributes[i]);
  call_runs_leave(function);
  return function;
}

static void cut(LLVMModuleRef module, LLVMValueRef function, LLVMBuilderRef builder, Run *run) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef types[MOST_OUTSIDE];
  for (unsigned i = 0; i < run->count; i++) types[i] = LLVMTypeOf(run->outside[i]);
  LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, run->count, false);
  LLVMValueRef made = new_function(module, function, type);
  LLVMPositionBuilderBefore(builder, run->first);
  run->first = LLVMBuildCall2(builder, type, made, run->outside, run->count, "");
  LLVMGetParams(made, run->inside);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, made, "entry"));
  for (LLVMValueRef i = LLVMGetNextInstruction(run->first), next; i != run->end; i = next) {
    next = LLVMGetNextInstruction(i);
    if (LLVMIsACallInst(i)) move_call(run, builder, i);
  }
  LLVMBuildRetVoid(builder);
  for (LLVMValueRef i = LLVMGetPreviousInstruction(run->end), before; i != run->first; i = before) {
    before = LLVMGetPreviousInstruction(i);
    if (!LLVMGetFirstUse(i)) LLVMInstructionEraseFromParent(i);
  }
}

void call_runs_cut(LLVMModuleRef module, LLVMValueRef function) {
  // For debuggers each call has its line.
  if (LLVMGetSubprogram(function) || call_runs_is_left(function)) return;
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    while (i && LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    while (i) {
      Run run = run_at(i);
      if (run.calls >= LEAST_CALLS) cut(module, function, builder, &run);
      i = run.end && run.end == i ? LLVMGetNextInstruction(i) : run.end;
    }
  }
  LLVMDisposeBuilder(builder);
}
