// SPDX-License-Identifier: Apache-2.0
// Parallel bodies: functions of their own, which find what they use of the outer function in a
// record on its stack. Each thread that runs one has a frame of its own.
#include "gen_parallel.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/memory/gen_frame.h"
#include "gen_capture.h"
#include "gen_stop.h"

static Value new_body_function(LlvmGen *g) {
  Type params[] = {g->ptr, g->i64, g->i64, g->ptr};
  const char *name = str_format(g->arena, "%s.part%u", g->func->name->text, ++g->counter).data;
  return gen_new_function(g, name, LLVMFunctionType(g->void_type, params, 4, false), true);
}

void parallel_run(LlvmGen *g, const ParallelBody *body, Value count, Value grain) {
  Value *values = ARENA_ARRAY(g->arena, Value, body->value_count + 1);
  Value **places = ARENA_ARRAY(g->arena, Value *, body->value_count + 1);
  for (size_t i = 0; i < body->value_count; i++) {
    values[i] = body->values[i];
    places[i] = &values[i];
  }
  Capture *captured = capture_new(g, body->ops ? NULL : body->region, body->ops,
                                  body->ops ? body->op_count : 0, places, body->value_count);
  Value record = capture_record(g, captured), function = new_body_function(g);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);

  Frame frame;
  frame_open(g, &frame, function, LLVMGetParam(function, 3));
  frame.parallel = true;
  debug_function(g, function, LLVMGetValueName2(function, &(size_t){0}), g->func->span);
  capture_load(g, captured, LLVMGetParam(function, 0));
  body->body(g, LLVMGetParam(function, 1), LLVMGetParam(function, 2), values, body->data);
  frame_close(g);

  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  capture_end(g, captured);
  Value args[] = {frame_worker(g), count, grain, gen_i64(g, body->cost), function, record};
  gen_call_runtime(g, "prt__parallel_for", g->void_type, 6, args);
  stop_if_failed(g, body->cost);
}
