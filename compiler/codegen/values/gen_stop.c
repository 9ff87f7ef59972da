// SPDX-License-Identifier: Apache-2.0
// A loop that runs long looks now and then whether its call is to end. What takes little time has
// no such code. A function returns at once then: what it has computed so far may not be used, not
// even as an index.
#include "gen_stop.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_site.h"
#include "codegen/memory/gen_frame.h"
#include "ir/analysis/cost.h"
#include "ir/analysis/trips.h"

// Choices: between two looks at the most; what is not worth one.
enum { NS_BETWEEN = 1000 * 1000, SHORT_NS = 50 * NS_BETWEEN, MOST_TURNS = 1 << 16 };

int64_t stop_turns_between(const IrOp *loop) {
  int64_t cost = cost_of_turn(loop), between = 1;
  IrTrips trips;
  if (trips_of(loop, &trips) && trips.count < SHORT_NS / cost) return 0;
  while (between < MOST_TURNS && 2 * between < NS_BETWEEN / cost) between *= 2;
  return between;
}

// To `yes` is the way that is hardly ever taken.
static void branch(LlvmGen *g, Value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no,
                   LLVMBasicBlockRef next) {
  branch_weigh(g, LLVMBuildCondBr(g->builder, condition, yes, no), false);
  gen_move_to(g, next);
}

// The machine's byte; prt_codegen.h says where it is. Registers are not saved for a call: behind it
// the function ends.
void stop_look(LlvmGen *g, const IrOp *loop, Value turns, Value is_time) {
  LLVMBasicBlockRef look = gen_block(g, "look"), stop = gen_block(g, "stop"),
                    again = gen_block(g, "again");
  branch(g, is_time, look, again, look);
  Value worker = frame_worker(g), place = LLVMBuildLoad2(g->builder, g->ptr, worker, "");
  Value byte = LLVMBuildLoad2(g->builder, g->i8, place, "");
  LLVMSetOrdering(byte, LLVMAtomicOrderingMonotonic);
  branch(g, emit_icmp_c(g, LLVMIntNE, byte, 0), stop, again, stop);
  Value args[] = {worker, gen_site(g, loop), turns};
  gen_call_runtime(g, "prt__loop_stopped", g->void_type, COUNT_OF(args), args);
  LLVMBuildBr(g->builder, g->frame->leave);
  gen_move_to(g, again);
}

void stop_look_or_end(LlvmGen *g, const IrOp *loop, Value turns, Value is_time) {
  LLVMBasicBlockRef look = gen_block(g, "look"), again = gen_block(g, "again");
  branch(g, is_time, look, again, look);
  Value args[] = {frame_worker(g), gen_site(g, loop), turns};
  Value ends = gen_call_runtime(g, "prt__loop_ends", g->i1, COUNT_OF(args), args);
  branch(g, ends, g->frame->leave, again, again);
}

void stop_if_failed(LlvmGen *g, int64_t cost) {
  if (cost < SHORT_NS) return;
  Value worker = frame_worker(g);
  Value has_failed = gen_call_runtime(g, "prt__has_failed", g->i1, 1, &worker);
  LLVMBasicBlockRef again = gen_block(g, "again");
  branch(g, has_failed, g->frame->leave, again, again);
}
