// SPDX-License-Identifier: Apache-2.0
// What the passes over launches share: a launch taken apart, and facts about its index maps
// (launch.c).
#pragma once
#include "ir/analysis/steps.h"
#include "ir/core/ir.h"
#include "ir/remarks/remark.h"
#include "passes/pass.h"

typedef struct LaunchParts {
  size_t rank;               // of the grid
  int64_t grid[IR_MAX_RANK]; // -1: dynamic
  IrValue *dynamic[IR_MAX_RANK];
  size_t prefetch_count;
  IrValue **prefetch; // refs outside; a copy that may be changed
  size_t block_count;
  IrBlock *blocks;  // the launch's own
  IrValue **arrays; // refs outside, one a block
  size_t scratch_count;
  IrRegion *body;
  size_t first_block, first_scratch; // positions among the body's arguments
} LaunchParts;
void launch_parts(Arena *arena, const IrOp *launch, LaunchParts *out);
// What reports call a block: the kernel's own name for it if it has one.
Str launch_block_name(const LaunchParts *parts, size_t block);

typedef struct LaunchList {
  Arena *arena;
  VEC(IrOp *) ops;
} LaunchList;
void launches_of(IrFunc *func, LaunchList *list); // in program order
typedef struct LaunchVisit {
  void (*launch)(PassContext *ctx, const IrOp *launch, void *data);
  void (*op)(IrOp *op, void *data); // NULL: other ops are not looked at
  void *data;
} LaunchVisit;
// Calls it for each launch of a function of the module, and then for all ops of that; what it says
// is of its entry's case. False: it reported errors.
bool launches_visit(PassContext *ctx, const LaunchVisit *visit);

// A result of an index map as scale * (grid index `dim`) + offset, if it has that form; dim is -1
// for a constant.
typedef struct AffineIndex {
  int dim;
  int64_t scale, offset;
} AffineIndex;
bool launch_affine_index(const IrOp *launch, const IrRegion *map, size_t result, AffineIndex *out);
// Whether an index map may give less than 0 in a step.
bool launch_index_may_be_negative(const IrOp *launch, const IrRegion *map, int result);
// Whether the block's dimension lies inside [0, extent) at every step, provably.
bool launch_start_is_inside(const IrOp *launch, const IrRegion *map, int result,
                            const BlockDim *dim, int64_t extent);
// What is said of a block none of which is inside of its array; `index` is text.
Str launch_outside_text(Arena *arena, const char *index, int dim, const char *name, int64_t extent,
                        const BlockDim *block);
// Whether the map gives the same at every step once the first `fixed` grid indices are fixed. A map
// that reads a ref is not constant.
bool launch_map_is_constant(const IrOp *launch, const IrRegion *map, size_t fixed);
// Whether the steps of that dimension of the grid may run in any order, and at once.
bool launch_is_parallel(const IrOp *launch, size_t dim);
// How many leading dimensions are parallel, as far as one int32 counts the steps
// of all of them.
size_t launch_parallel_prefix(const IrOp *launch);
// A constant of what the launch's memory holds that nobody has written; NULL: anything, or it is no
// memory of numbers.
IrValue *launch_preset(IrBuilder *b, const IrOp *launch, const IrType *ref);
// Records why the steps of a launch are one thread's, if they are, and there is a reason. It is
// worth a warning if the arrays are large enough for several.
void launch_one_thread(PassContext *ctx, const IrOp *launch, const Reason *why);
// Replaces a ref by one that may live in another space: views made from it are typed anew.
void launch_replace_ref(IrModule *module, IrRegion *within, IrValue *old, IrValue *with);
// Whether the body or an index map uses the memory of a ref outside of the launch directly, not
// through a block or prefetch ref.
bool launch_captures(const IrOp *launch, IrValue *ref);
// Whether an op runs programs of devices; then their mesh.
bool launch_devices(const IrOp *op, IrMesh *mesh);
// The number of the device whose program the region is: whether a value is that, by the form that
// launch_device makes.
bool launch_is_device(const IrValue *value, const IrRegion *device, const IrMesh *mesh);
IrValue *launch_device(IrBuilder *b, const IrRegion *device, const IrMesh *mesh);
// Whether the view of a whole array takes what this device has: of equal parts that of its number.
bool launch_is_own_part(const IrOp *view, const IrRegion *device, const IrMesh *mesh);
// The first store to memory that an op makes, in its region; NULL: there is none.
IrOp *launch_first_store(const IrValue *memory);
// Whether at these steps all of a ref that the body has, an argument of it or memory allocated in
// it, is stored before anything else is done with it. An argument that is not used is.
bool launch_makes_whole(const Steps *steps, const IrValue *ref);

// schedule.c: the chip's own schedule (slots, copies started ahead and waited for as late as is
// right).
void schedule_launch(PassContext *ctx, IrOp *launch);

// untile.c: turns a launch that only cuts its arrays into tiles into ops on the whole arrays. False
// if it is not of that kind, with what says so.
bool untile_launch(PassContext *ctx, IrOp *launch, Reason *why);
