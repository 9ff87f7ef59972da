// SPDX-License-Identifier: Apache-2.0
// The plan of a cluster: which of its values are computed where they are used and which become
// memory, and the walks that do it. A plan is finished before its code is emitted, and not changed
// then.
//
// A cluster is a run of pure ops, loads and stores. Its roots are what leaves it: stores,
// reductions, values used outside, values kept in a buffer. Everything else is evaluated inside the
// loops of its roots, at the coordinates they need. A root belongs to a stage: what a reduction
// gives can be used from the next stage on. Roots of one stage and one shape share a walk, so that
// softmax, say, is
//   for each row { walk 0: the maximum; walk 1: exp(x - max) into a buffer of one row, and its sum;
//   walk 2: the quotient }
#pragma once
#include "ir/core/arithmetic.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/remarks/remark.h"
#include "plan_affine.h"
#include "plan_layout.h"

// MAX_SIDE: of squares that are transposed in registers.
enum { MAX_SIDE = 16, MAX_NODE_OPERANDS = 4 };
// What a plan depends on beside the ops.
typedef struct PlanOptions {
  unsigned vector_bytes; // of a register
  unsigned registers;    // for vectors
  bool many_ops;         // the source was unrolled: loops are not
  bool check;            // accesses are checked
  bool eager;            // what pays only for large arrays is done for all
} PlanOptions;

// Where what the cluster does not place itself lies: values from outside, refs, results that are
// used outside. `find` gives false for what is no memory: a scalar, or a constant that comes in as
// one.
typedef struct PlanMemory {
  bool (*find)(void *data, const IrValue *value, Layout *out);
  void *data;
} PlanMemory;

// A value of the cluster that is more than an intermediate of a walk.
typedef struct Kept {
  const IrValue *value;
  bool is_result; // used outside of the cluster
  bool is_scalar; // one element a row: a register rather than memory
  // In memory: all of it if it is a result, else the part of one row (the strides of the rows'
  // dimensions are zero).
  bool in_memory;
  Layout layout;
  size_t number; // among the cluster's
  ReasonId why;  // kept though it is no result; REASON_NONE of reductions
} Kept;

typedef enum NodeKind {
  NODE_CONST,  // a splat
  NODE_IOTA,   // the number `at`
  NODE_LOAD,   // the element `at` of memory; operands: mask and other, or none
  NODE_LOOKUP, // the element of memory that is so many `steps` of each operand, a number that the
               // walk computes, from `at`
  NODE_SCALAR, // from outside, or a kept scalar
  NODE_OP,
  NODE_GIVEN, // comes in lane by lane (of a product)
} NodeKind;

// A value at one access in one walk.
typedef struct Node Node;
struct Node {
  NodeKind kind;
  const IrValue *value;
  // NODE_LOAD, NODE_LOOKUP: whose memory it is: a ref, a value from outside (or its dense copy), a
  // kept value.
  const IrValue *memory;
  bool of_copy;
  const Kept *kept; // NODE_SCALAR of the cluster's own
  Affine at;        // from the first element of the memory; of an iota: the number
  Node *operands[MAX_NODE_OPERANDS];
  unsigned operand_count;
  int64_t steps[MAX_NODE_OPERANDS]; // NODE_LOOKUP: what one of an operand is worth, in elements
  Node *twin;                       // the other result of an op with two
  uint64_t depends;                 // on which dimensions of the walk
  size_t number;                    // among the walk's
};

static inline bool node_reads(const Node *node) {
  return node->kind == NODE_LOAD || node->kind == NODE_LOOKUP;
}
static inline bool node_has_map(const Node *node) {
  return node_reads(node) || node->kind == NODE_IOTA;
}

typedef enum RootKind {
  ROOT_STORE,  // into a ref
  ROOT_KEEP,   // into memory (or a scalar) of the cluster's own, or for use outside
  ROOT_REDUCE, // the result of a reduction
} RootKind;

typedef struct Root {
  RootKind kind;
  const IrOp *op;     // the store or the reduction; NULL: ROOT_KEEP
  Node *node, *mask;  // what is evaluated; of a masked store, else NULL
  const Kept *result; // of ROOT_KEEP and ROOT_REDUCE
  Affine at;          // in the ref's or the kept value's memory
} Root;

enum { MOST_CUTS = 8 };       // of a walk; a choice
enum { PASS_ELEMENTS = 512 }; // some long computations of some registers each; 2 KB for each value

typedef enum DimKind { DIM_ROW, DIM_KEPT, DIM_REDUCED } DimKind;

// How a walk's stores may go past the caches.
typedef enum Streaming {
  STREAM_NOT,
  STREAM_WHOLE,  // every row starts at a line
  STREAM_PEELED, // elements up to the first line go one by one, in every row
} Streaming;

// The loops of a walk. The lane dimension is covered by `unroll` vectors of `lanes` at a time as
// long as they fit (`whole` elements), then by what is left.
typedef struct Loops {
  int lane_dim; // -1: none
  int64_t size, whole;
  unsigned lanes, unroll;
  bool side_by_side; // the vectors of a step are computed together, op by op
  bool along_rows;   // reductions end in one element: they run along the lane dimension
  // Before which nodes a pass along the lanes ends: what later ones need of it goes through memory,
  // a piece of PASS_ELEMENTS of the row at a time.
  VEC(size_t) cuts;
  VEC(size_t) outer;   // dimensions outside of the lane dimension, outermost first
  VEC(size_t) reduced; // reduced ones apart from the lane dimension
  int cross; // the dimension that some load is dense along, while it is not along the lanes; or -1
  int group; // the dimension of which `steps`, with all of the lane dimension, are one vector; or
             // -1
  unsigned steps;
  bool turns;    // as long as there are `lanes` steps of it, these are as many vectors as rows have
                 // elements; what depends on the group alone is computed once for all of them
  unsigned band; // of the last reduced dimension, so many rows go together through blocks of
                 // columns whose partial results lie in memory; 0: each strip goes through all rows
  int64_t block; // columns, a multiple of a step
  int shared_dim;                  // whose range is shared among threads, or -1
  Streaming if_aligned, otherwise; // once all outputs are known to start at a line, and if not
} Loops;
// Elements of the lane dimension that a step takes.
static inline int64_t loops_step(const Loops *loops) {
  return (int64_t)loops->lanes * loops->unroll;
}

typedef struct Walk {
  int stage;
  size_t shape_rank;
  const int64_t *shape; // of the roots
  uint32_t reduced; // bit i: dimension i of the shape is reduced (by every reduction of the walk)
  bool has_reduction, is_empty, is_split;
  bool is_ordered; // a float sum or product: which element goes to which partial sum is fixed
  Space space;
  DimKind kinds[MAX_WALK_DIMS];
  VEC(Node *) nodes; // operands before users
  VEC(Root *) roots;
  int cost; // of one point, in additions
  Loops loops;
} Walk;

// Who of several threads does what.
typedef enum PlanSharing {
  SHARE_NOT,   // one does all
  SHARE_ROWS,  // the range of the first row dimension that is longer than 1
  SHARE_WALKS, // the shared_dim of the walk, or of all walks, of which each thread has the same
               // part
} PlanSharing;
enum { SHARE_KINDS = SHARE_WALKS + 1 };
extern const char *const plan_sharing_names[SHARE_KINDS]; // in the text of a plan

typedef struct Plan {
  IrOp *const *ops;
  size_t count;
  size_t rows; // leading dimensions walked by the cluster itself
  int64_t row_dims[IR_MAX_RANK];
  int64_t row_block;    // so many of the last row dimension go through a walk before the next walk
  const IrValue *given; // a value that comes in lane by lane, or NULL
  int64_t pieces;       // that threads share, or 0
  Reason one_thread;    // why it is 0
  PlanSharing sharing;
  VEC(Kept *) kept;
  VEC(const IrValue *) copies; // values from outside that are made dense first
  VEC(Walk *) walks;           // in order
} Plan;

// NULL: the cluster does not keep it.
static inline const Kept *plan_kept_of(const Plan *plan, const IrValue *value) {
  for (size_t i = 0; i < plan->kept.count; i++)
    if (plan->kept.items[i]->value == value) return plan->kept.items[i];
  return NULL;
}

typedef struct PlanRequest {
  IrOp *const *ops;
  size_t count;
  size_t rows;
  const IrValue *given;
  int64_t pieces, cost; // cost: about how many nanoseconds one thread takes for all of them
  Reason one_thread;
  PlanMemory memory;
  PlanOptions options;
} PlanRequest;

// The cluster's values that are used outside, in order.
typedef VEC(const IrValue *) PlanResults;
PlanResults plan_results(Arena *arena, IrOp *const *ops, size_t count);
// NULL only if the given value is needed at other places than its own. The plan lies in the arena;
// it has no rows if something of one row would be needed in another.
const Plan *plan_make(Arena *arena, const PlanRequest *request);
// Sets into how many pieces the cluster is cut for threads to share, and their cost; 0 if that does
// not pay, or cannot be, and why.
void plan_pieces(Arena *arena, PlanRequest *request);

// Of a loop with so much work, in additions of one element, of which four bytes that are read or
// written take as long as two: the pieces that threads share; 0 if one thread should do it. And its
// cost in nanoseconds.
int64_t plan_share(int64_t work);
int64_t plan_cost(int64_t work);

// The row dimension whose rows go in blocks; -1: there is none of more than one row.
int plan_block_dim(const Plan *plan);

// The last dimension with more than one element (-1: none), and whether it is among the reduced
// ones.
int plan_last_wide_dim(size_t rank, const int64_t *dims);
bool plan_reduces_rows(size_t rank, const int64_t *dims, uint32_t reduced);
// Whether a walk waits for memory rather than for arithmetic, by what it costs at a point.
bool plan_waits_for_memory(const Walk *walk);
// Whether each lane looks up an element of its own, wherever that is.
bool plan_looks_up_lanes(const Node *node, int lane_dim);
// How lanes are loaded that step along a dimension.
typedef enum LoadWay { LOAD_SIDE_BY_SIDE, LOAD_BACKWARDS, LOAD_ONE_BY_ONE } LoadWay;
LoadWay plan_load_way(const Node *node, int lane_dim);
// Whether a load without a mask is dense along `cross`, not along the lane dimension: it is read in
// squares.
bool plan_is_crossed(const Node *node, int lane_dim, int cross);

// plan_order.c: how many of the walk's nodes are evaluated before the root is stored at a point:
// its own, and all that may load what it writes.
size_t plan_nodes_before(const Walk *walk, const Root *root);

// plan_report.c: records the cluster that `at` is, as the plan has it.
RemarkItem *plan_report(Session *session, const Plan *plan, const IrOp *at);
// Of a cluster: what its operations are called, and its place.
RemarkItem *plan_report_cluster(Session *session, const IrOp *at, IrOp *const *ops, size_t count);
