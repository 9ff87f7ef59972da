// SPDX-License-Identifier: Apache-2.0
// A block of a launch while the launch is being lowered (window.c), for pipeline.c and schedule.c.
#pragma once
#include "ir/core/ir.h"
#include "launch.h"

typedef struct Window {
  const IrBlock *block;
  IrValue *array;  // in HBM
  IrValue *buffer; // of a COPIED block; with the slots as first dimension in a schedule
  // Under check, of a block that is copied while steps run: all of its buffers, of which `buffer`
  // is the one that a step has, and how many blocks there were, in SMEM. Or NULL.
  IrValue *memory, *entered;
  IrValue *pristine;   // under check, of a block that moves: memory like a buffer that is never
                       // written, or NULL
  IrValue *visited;    // likewise: bools, which blocks have been entered; or NULL
  IrValue *semaphores; // of a schedule, one a slot
  // Under check, of one whose copies beside the steps are looked at: a semaphore for each buffer,
  // or NULL; counts in SMEM: the last step whose block was looked at, how many blocks were fetched
  // ahead, how many of those were waited for.
  IrValue *in_flight, *reached, *fetched, *taken;
  // Likewise, of an input whose index map reads what the body writes: the op that does, the last of
  // them, and in SMEM what the map has given for the next steps; or NULL.
  const IrOp *changed_by;
  IrValue *foreseen;
  // Likewise, with parallel steps: of an input whose blocks the body writes; or NULL.
  struct CheckedInput *checked;
  const IrRegion *map;
  bool is_direct; // under check, with parallel steps: the body touches the array without it, too
  bool is_static; // its index never changes: fetched before the loops, written back after them
  size_t state;   // position of its carried values, if not static
  IrValue *starts[2 * IR_MAX_RANK]; // of this step: window_values of them
} Window;

// A launch being lowered.
typedef struct Lowering {
  PassContext *ctx;
  IrOp *launch;
  LaunchParts parts;
  Window *windows;
  size_t state_count;
  size_t parallel; // leading dimensions that form the parallel loop
  size_t shared; // or that the chip's cores share: this one has the steps first <= … < last of them
  IrValue *first, *last;
  IrValue **scratch; // the memory of the launch's scratch
  bool is_watched;   // under check: others may see its memory, or copies may be under way there
  // Under check, if there are parallel dimensions: the parallel step before this one, and memory
  // like the scratch that is never written.
  IrValue *last_parallel, **pristine_scratch;
  struct CheckedInput *checked;  // one a prefetched operand
  IrValue *sizes[IR_MAX_RANK];   // of the grid
  IrValue *indices[IR_MAX_RANK]; // of the step being lowered
} Lowering;

static inline bool window_is_input(const Window *w) { return w->block->dir != BLOCK_OUT; }
static inline bool window_is_output(const Window *w) { return w->block->dir != BLOCK_IN; }

// What the index map gives: a start for each dimension, then the sizes of bounded ones.
static inline int window_values(const Window *w) {
  int values = w->block->rank;
  for (int i = 0; i < w->block->rank; i++) values += w->block->dims[i].kind == BLOCK_BOUNDED;
  return values;
}

// Takes the launch apart; sizes of the grid are made at `b`.
void lowering_init(Lowering *l, PassContext *ctx, IrOp *launch, IrBuilder *b);
// Copies of the prefetch operands in SMEM; the launch's index maps and body mean those from now on.
void lowering_prefetch(Lowering *l, IrBuilder *b);
IrValue *lower_i32(IrBuilder *b, OpCode code, IrValue *x, int64_t y); // x op constant
// Opens `if (pred) { … } else { }` and gives the builder inside; end it with an empty yield.
IrBuilder lower_open_if(IrBuilder *b, IrValue *pred);

// The part of a window that lies inside the array, as views of the array and of `buffer`. What is
// provably inside is not clipped.
typedef struct ClippedViews {
  IrValue *array, *buffer;
} ClippedViews;
ClippedViews window_clip(Lowering *l, IrBuilder *b, const Window *w, IrValue *buffer,
                         IrValue *const *starts);
// The indices of `count` leading dimensions from the number of the step among them.
void lower_indices(Lowering *l, IrBuilder *b, size_t count, IrValue *number);
// Whether two blocks of the window are different ones, by what the index map gives.
IrValue *window_differs(IrBuilder *b, const Window *w, IrValue *const *x, IrValue *const *y);
// Clones the window's index map with l->indices; the block's starts go to `out`.
void window_evaluate_map(Lowering *l, IrBuilder *b, const Window *w, IrValue **out);
// The block as a view of the array itself, at w->starts.
IrValue *window_in_place(Lowering *l, IrBuilder *b, const Window *w);
// The buffer in `memory` of the last of so many blocks.
IrValue *window_buffer(IrBuilder *b, const Window *w, IrValue *count);
// What reports call a block: the kernel's own name for it if it has one.
const char *lower_block_name(const Lowering *l, const Window *w);
// Moves the body's ops to the builder's place: indices and prefetch refs bound, block i to refs[i]
// (NULL: not used).
void lower_place_body(Lowering *l, IrBuilder *b, IrValue *const *refs);
