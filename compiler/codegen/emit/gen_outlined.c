// SPDX-License-Identifier: Apache-2.0
// Outlined functions: found by a name that says all that their code depends on, or made.
#include "gen_outlined.h"
#include "gen_function.h"

bool outlined_begin(LlvmGen *g, Outlined *o, const char *name, Type result, unsigned count,
                    Value const *args) {
  Type types[OUTLINED_PARAMS];
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  *o = (Outlined){.signature = LLVMFunctionType(result, types, count, false),
                  .function = LLVMGetNamedFunction(g->module, name)};
  if (o->function) return false;
  o->shares = g->shares;
  g->shares = (Sharing){0};
  o->function = gen_new_function(g, name, o->signature, true);
  o->here = gen_here(g);
  o->location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  o->frame = (Frame){.function = o->function, .outer = g->frame};
  g->frame = &o->frame;
  gen_move_to(g, gen_block(g, "entry"));
  return true;
}

void outlined_end(LlvmGen *g, Outlined *o, Value result) {
  if (result)
    LLVMBuildRet(g->builder, result);
  else
    LLVMBuildRetVoid(g->builder);
  g->frame = o->frame.outer;
  g->shares = o->shares;
  gen_move_to(g, o->here);
  LLVMSetCurrentDebugLocation2(g->builder, o->location);
}

Value outlined_call(LlvmGen *g, const Outlined *o, unsigned count, Value *args) {
  return LLVMBuildCall2(g->builder, o->signature, o->function, args, count, "");
}
