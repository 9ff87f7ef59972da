// SPDX-License-Identifier: Apache-2.0
// The state of one module's generation, LlvmGen, which is passed first everywhere, and of the LLVM
// function that is being made.
//
// How an array lives. A scalar (rank 0) is an LLVM value. Any other array is memory (Mem): a
// pointer and a stride for each dimension, in elements; often somebody else's memory, so that
// loads, slices, transposes and broadcasts cost nothing. Elementwise chains never become memory: a
// cluster evaluates them inside the loops of what consumes them.
//
// In registers an element has its compute type: bool is i1, int4 is i4 (int2 i2), integers are
// themselves, f64 is double, f32 and all narrower floats are float (after each operation rounded to
// what the narrower type can represent).
#pragma once
#include <llvm-c/Core.h>
#include "base/map.h"
#include "codegen/codegen.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "target.h"

typedef LLVMValueRef Value;
typedef LLVMTypeRef Type;

typedef struct FreeRange {
  size_t offset, size;
  struct FreeRange *next;
} FreeRange;

// A place in a frame whose address is computed once for a long function, which takes and gives back
// the same few places again and again: the code generator would look for equal computations.
enum { COMMON_ADDRESSES = 16 }; // as many registers as there are, so that none is far from its use
typedef struct FrameAddress {
  size_t offset;
  Value address;
} FrameAddress;

typedef struct Frame {
  Value function;
  Value worker;            // its prt_worker
  LLVMBasicBlockRef entry; // ends with a branch to the code, made when the frame is closed
  LLVMBasicBlockRef code, leave;
  Value base;      // placeholder of the frame's memory until it is closed
  size_t size;     // bytes, so far
  FreeRange *free; // by offset
  FrameAddress addresses[COMMON_ADDRESSES];
  size_t address_count;
  LLVMMetadataRef scope; // debug info
  bool parallel;         // the body of a parallel loop
  // Of a coroutine (gen_task.c); `worker` is then NULL, since it changes.
  Value task, handle;
  Value semaphores; // placeholder of the memory of its semaphores, which are in front of all other
  int64_t semaphore_bytes;
  LLVMBasicBlockRef cleanup, suspend;
  struct TaskBuffers *task_buffers;
  Value prng_state; // address of its program's generator; NULL: none is used
  struct Frame *outer;
} Frame;

// A grid step that has been entered (gen_check.c).
typedef struct Step {
  Value record; // prt_step
  struct Step *outer;
} Step;

// A loop whose turn is emitted now; under check.
typedef struct Turn {
  const IrOp *loop;
  Value index, function; // i64, from 0; the one that it is a value of
  struct Turn *outer;
} Turn;

// What a function has so much of, as estimated by its ops alone (code_size.c), that each is a call
// of an outlined function, which identical ones share. An outlined function itself shares nothing,
// so that it does not depend on who needs it first.
typedef struct Sharing {
  bool products, polynomials, reductions;
  bool all; // the source was unrolled: copies and clusters are shared, and loops are not unrolled
} Sharing;

typedef struct LlvmGen {
  Session *session;
  Arena *arena; // of this generation
  const CodegenOptions *options;
  const Target *target;
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  Type void_type, i1, i2, i4, i8, i16, i32, i64, f32, f64, ptr;
  IrFunc *func;        // being generated
  Map *bindings;       // IrValue * -> Binding *
  Map *destinations;   // values, concatenations -> Destination * (gen_destination.c)
  Map *outputs;        // values -> the store that fills an output with each
  Map *origins;        // Value -> Origin *: floats of a byte that were made of one (gen_convert.c)
  Map *twins;          // Name of what a cluster does -> how many do it (gen_cluster_outlined.c)
  Map *outlined;       // Name -> what gen_cluster_outlined.c knows of identical clusters
  Map *globals;        // IrData *, Name *: constants already emitted
  struct Polls *polls; // counts that are read (gen_poll.c); NULL: none, or no check
  Frame *frame;
  struct DebugInfo *debug;
  struct Region *region; // whose ops are being emitted (gen_live.c)
  // Emits the ops of a region without its terminator's meaning; bindings of its arguments are made
  // by the caller. Set by the module: ops that have regions lie below the table of all families.
  void (*emit_region)(struct LlvmGen *g, IrRegion *region);
  Step *step;                  // under check
  Turn *turn;                  // the innermost
  const char *suffix;          // of all symbols, "" in an object
  unsigned counter;            // for names of constants and functions
  Sharing shares;              // of the function that is being emitted
  LLVMBasicBlockRef last_root; // that has one square root which is not the divider's, or NULL
  Map *gifts; // of a function that passes semaphores to other calls, or takes theirs, under check:
              // results of loads, and stores of them to parameters (gen_check.c); else NULL
  bool has_tasks; // there are coroutines, which LLVM has to split
  bool has_tiles; // there is code for tile registers
  bool failed;
} LlvmGen;
