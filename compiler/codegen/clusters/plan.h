// SPDX-License-Identifier: Apache-2.0
// The plan of a cluster: which of its values are computed where they are used and which become
// memory, and the walks that do it.
//
// A cluster is a run of pure ops, loads and stores. Its roots are what leaves it: stores,
// reductions, values used outside, values kept in a buffer. Everything else is evaluated inside the
// loops of its roots, at the coordinates they need. A root belongs to a stage: what a reduction
// gives can be used from the next stage on. Roots of one stage and one shape share a walk, so that
// softmax, say, is
//   for each row { walk 0: the maximum; walk 1: exp(x - max) into a buffer of one row, and its sum;
//   walk 2: the quotient }
#pragma once
#include "codegen/memory/gen_frame.h"
#include "access.h"

// SUM_LANES: partial sums of a float sum along the last dimension (gen_reduce.c).
enum { SUM_LANES = 64 };

typedef enum RootKind {
  ROOT_STORE,  // into a ref
  ROOT_KEEP,   // into memory (or a scalar) of the cluster's own, or for use outside
  ROOT_REDUCE, // the result of a reduction
} RootKind;

typedef struct Val Val;
typedef struct Node Node;
typedef struct Walk Walk;

typedef struct Root {
  RootKind kind;
  IrOp *op;             // the store or the reduction
  const IrValue *value; // what is evaluated
  const IrValue *mask;  // of a masked store, or NULL
  Val *result;          // of ROOT_KEEP and ROOT_REDUCE
  int stage;
  Walk *walk;
  // While the walk is emitted:
  Node *node, *mask_node;
  Form offset; // of a store or a kept value in its memory
  Mem mem;
  Value address; // as far as the indices are known
  bool streams;  // its stores go past the caches (gen_stream.c)
  struct Reduction *reduction;
} Root;

typedef enum ValState {
  VAL_INLINE, // evaluated where it is used
  VAL_KEPT,   // also in memory from the stage after `stage` on
  VAL_BOUND,  // only in memory, from `stage` on: reductions and what has to be materialised
} ValState;

struct Val {
  IrValue *value;
  IrOp *op;
  ValState state;
  // INLINE, KEPT: the first in which it can be evaluated; BOUND: in which it can be read.
  int stage;
  int last_stage;  // in which it is evaluated, at the latest
  int cost;        // of an element, with all that it needs
  bool is_forced;  // must be in memory: something needs it at coordinates that are not affine, or a
                   // later store would change it
  bool is_outside; // used outside the cluster
  bool is_scalar;  // one element a row: an LLVM value rather than memory
  Walk *first_walk; // of those that evaluate it
  bool in_several;
  Buffer *buffer;
  Mem mem; // BOUND, KEPT: the whole array if it is used outside, else the part of one row
  bool mem_has_rows;
  Value scalar; // of the row at hand
};

typedef enum DimKind { DIM_ROW, DIM_KEPT, DIM_REDUCED } DimKind;

struct Walk {
  int stage;
  size_t shape_rank;
  const int64_t *shape; // of the roots
  uint32_t reduced; // bit i: dimension i of the shape is reduced (by every reduction of the walk)
  bool has_reduction, is_empty, is_split;
  bool is_ordered; // a float sum or product: which element goes to which partial sum is fixed
  VEC(Root *) roots;
  Space space;
  DimKind kinds[MAX_WALK_DIMS];
  VEC(Node *) nodes;          // operands before users
  Map *node_lists;            // IrValue * -> its first Node
  Value index[MAX_WALK_DIMS]; // of the dimensions entered so far
  uint64_t entered;
};

typedef enum NodeKind {
  NODE_CONST,
  NODE_IOTA,
  NODE_LOAD,
  NODE_SCALAR,
  NODE_OP,
  NODE_GIVEN
} NodeKind;

enum { MAX_NODE_OPERANDS = 4 };

// A value at one access in one walk.
struct Node {
  NodeKind kind;
  const IrValue *value;
  const IrOp *op;
  DType dtype;
  Access access;
  Node *same_value;                  // next one with another access
  Node *operands[MAX_NODE_OPERANDS]; // of an op; of a masked load: mask, other
  unsigned operand_count;
  Form form;        // of a load: the offset; of an iota: the number
  Mem mem;          // of a load
  Value scalar;     // of a scalar from outside; of a constant
  const Val *val;   // of a scalar of the cluster
  uint64_t depends; // on which dimensions of the walk
  Node *twin;       // the other result of an op with two
  size_t position;
  // While the walk is emitted:
  Value address; // as far as the indices are known
  bool is_done;
  Value result; // if it does not depend on the lane dimension
};

// A part of a cluster's work, for one thread: [begin, end) of `count` equal pieces. No begin: all
// of it.
typedef struct Share {
  Value begin, end;
  int64_t count;
} Share;

typedef struct Cluster {
  LlvmGen *g;
  Arena *arena;
  IrOp *const *ops;
  size_t count;
  size_t rows; // leading dimensions walked by the cluster itself
  int64_t row_dims[IR_MAX_RANK];
  Value row_index[IR_MAX_RANK];
  Map *vals;   // IrValue * -> Val *
  Map *copies; // IrValue * -> Mem *: values from outside, made dense
  VEC(Buffer *) copy_buffers;
  const IrValue *given; // a value that comes in lane by lane (gen_epilogue.c), or NULL
  bool failed;          // `given` is needed elsewhere than where it is
  VEC(Val *) order;
  VEC(Root *) roots;
  VEC(Walk *) walks; // by stage
  Share share;
  bool needs_fence; // something was streamed
} Cluster;

// Plans without emitting; false if `given` is needed at other places than its own. Then
// cluster_finish binds the results, or cluster_abandon gives all back.
void cluster_open(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  Cluster *c);
// Of an opened one, whose `given` and places of results may have been set.
bool cluster_close_plan(Cluster *c);
bool cluster_plan(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows,
                  const IrValue *given, Cluster *c);
void cluster_finish(Cluster *c);
void cluster_abandon(Cluster *c);
void cluster_emit_walks(Cluster *c);
void cluster_give_back(Cluster *c); // its temporaries
// gen_share.c: on several threads, if that pays. False if nothing was emitted.
bool cluster_emit_shared(LlvmGen *g, Arena *arena, IrOp *const *ops, size_t count, size_t rows);
// gen_cluster_outlined.c: as a call, if the source was unrolled and there has been an identical
// one. False if it is still to be planned.
bool cluster_call_outlined(Cluster *c);
Val *cluster_val(const Cluster *c, const IrValue *value); // NULL if it is from outside

// The last dimension with more than one element (-1: none), and whether it is among the reduced
// ones.
int last_wide_dim(size_t rank, const int64_t *dims);
bool walk_reduces_rows(size_t rank, const int64_t *dims, uint32_t reduced);
// gen_nodes.c: the graph of a walk. False if some value has to be forced first (done; plan again).
bool walk_build(Cluster *c, Walk *walk);
// gen_walk.c
void walk_emit(Cluster *c, Walk *walk);
int walk_cost(const Walk *walk); // of one point, in additions
// Where [0, size) in steps starts and ends for a share of it, in elements; both are multiples of
// the step.
typedef struct Bounds {
  Value lower, upper;
  bool may_be_empty;
} Bounds;
Bounds share_bounds(LlvmGen *g, const Share *share, int64_t size, int64_t step);

// ---- while a walk is emitted --------------------------------------------------------------------
// One vector of the lane dimension.
typedef struct Lanes {
  unsigned lanes, active; // active <= lanes elements exist
  int64_t shift;          // of the lane index against walk->index, in elements
  Value *values;          // of the nodes that depend on the lane dimension
} Lanes;

// gen_eval.c
void eval_begin(Cluster *c, Walk *walk); // addresses start at the roots' first element
void eval_enter(Cluster *c, Walk *walk, size_t dim, Value index); // moves all addresses along
Value *eval_save(Cluster *c,
                 const Walk *walk); // the addresses, so that a dimension can be entered again
void eval_restore(Walk *walk, Value const *saved);
void eval_shift(
    Cluster *c, Walk *walk, size_t dim,
    int64_t steps); // moves all addresses along by so many steps of an entered dimension
// Loads of one square of elements that are dense along `cross`, not along the lane dimension:
// lanes[i] gets row i, which is cross + i.
bool eval_is_crossed(const Node *node, int lane_dim, int cross);
void eval_crossed(Cluster *c, const Node *node, int lane_dim, Lanes *lanes, unsigned rows);
void eval_invariant(Cluster *c, Walk *walk,
                    uint64_t not_yet); // nodes that depend on none of the dimensions `not_yet`
// lane_dim: -1 if there is none (lanes are 1).
void eval_lanes(Cluster *c, Walk *walk, int lane_dim, Lanes *lanes, uint64_t not_yet);
// In lanes->lanes lanes.
Value eval_value(Cluster *c, Walk *walk, const Node *node, const Lanes *lanes);
void eval_store(Cluster *c, Walk *walk, Root *root, int lane_dim, const Lanes *lanes);

// gen_reduce.c: reductions as they are emitted
typedef struct Reduction {
  Root *root;
  OpCode code;
  DType dtype;
  unsigned lanes, count; // accumulators: count vectors of so many lanes
  bool is_ordered;
  Value identity;      // scalar
  Value *accumulators; // the current values
} Reduction;
void reduction_open(LlvmGen *g, Arena *arena, Reduction *r, Root *root, unsigned lanes,
                    unsigned count);
// Adds a vector to accumulator `at`; narrower ones (of a tail) go to its lanes from `lane` on.
void reduction_add(LlvmGen *g, Reduction *r, unsigned at, unsigned lane, Value value,
                   unsigned active);
// One element: all lanes of all accumulators combined.
Value reduction_finish_lanes(LlvmGen *g, Reduction *r);
Value reduction_identity(LlvmGen *g, OpCode code, DType dtype); // scalar
Value reduction_combine(LlvmGen *g, OpCode code, DType dtype, Value x, Value y);
// Rounded to the type at the end.
Value reduction_result(LlvmGen *g, OpCode code, DType dtype, Value value);
