// SPDX-License-Identifier: Apache-2.0
// Functions of a module's own, each for pieces of code that are alike: where the source was
// unrolled, a call is all that is left of a piece.
#include "codegen/gen.h"

bool common_begin(LlvmGen *g, Common *c, const char *name, Type result, unsigned count,
                  Value const *args) {
  Type types[COMMON_PARAMS];
  for (unsigned i = 0; i < count; i++) types[i] = LLVMTypeOf(args[i]);
  *c = (Common){.signature = LLVMFunctionType(result, types, count, false),
                .function = LLVMGetNamedFunction(g->module, name)};
  if (c->function) return false;
  c->function = gen_new_function(g, name, c->signature, true);
  c->here = gen_here(g);
  c->location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  c->frame = (Frame){.function = c->function, .outer = g->frame};
  g->frame = &c->frame;
  gen_move_to(g, gen_block(g, "entry"));
  return true;
}

void common_end(LlvmGen *g, Common *c, Value result) {
  if (result)
    LLVMBuildRet(g->builder, result);
  else
    LLVMBuildRetVoid(g->builder);
  g->frame = c->frame.outer;
  gen_move_to(g, c->here);
  LLVMSetCurrentDebugLocation2(g->builder, c->location);
}

Value common_call(LlvmGen *g, const Common *c, unsigned count, Value *args) {
  return LLVMBuildCall2(g->builder, c->signature, c->function, args, count, "");
}
