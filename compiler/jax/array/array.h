// SPDX-License-Identifier: Apache-2.0
// Run-time values at trace time: arrays, refs, dtypes, and where their operations are recorded.
//
// Three kinds of array value:
//   NdArray  numpy.ndarray (and NumPy scalars, rank 0): host memory, computed at once at trace time
//   (np*.c).
//   Array    jax.Array: an IrValue of the function or kernel being traced, or, at the level of the
//   module's own statements, a value
//            that is recorded and computed when it is needed (eager.c), or known data.
//   KeyArray a typed PRNG key array around the Array of its uint32 data (trailing dimension 2).
// Operations on Arrays are recorded through ev->trace->builder. Python scalars and NdArrays among
// the operands become constants.
#pragma once
#include "ir/core/ir.h"
#include "numpy/dtype_object.h"
#include "numpy/nd.h"
#include "numpy/numpy_state.h"
#include "numpy/nd_shape.h"
#include "python/core/eval.h"

// Shape, element type and weakness of an array (JAX's ShapedArray).
typedef struct Aval {
  DType dtype;
  bool weak; // made from Python scalars only: gives way in promotion
  uint8_t rank;
  int64_t dims[IR_MAX_RANK];
} Aval;
int64_t aval_count(const Aval *aval);
// "float32[8,128]"; "ShapedArray(…)" is made around it where JAX does.
Str aval_text(Arena *arena, const Aval *aval);

// Where an Array's IrValue lives. A level is a function, kernel body or control-flow body being
// traced; levels nest.
typedef enum LevelKind {
  // The module's own statements: recorded in a pending function, run when a value is needed.
  LEVEL_RUN,
  LEVEL_FUNC,   // an entry point
  LEVEL_KERNEL, // the body of a launch: arrays of outer levels other than scalars may not be used
  LEVEL_REGION, // the body of cond, loop, when, vmap …: values of outer levels may be used
  LEVEL_INLINE, // the body of a jitted function: recorded in place, its values count as traced
} LevelKind;
// Levels are never freed: a value knows by its level whether it has leaked.
typedef struct Level {
  struct Level *outer;
  LevelKind kind;
  IrRegion *region; // of LEVEL_INLINE and LEVEL_RUN: where the builder stands
  uint64_t serial;
  bool left; // no longer on the stack: its values may not be used
  // Names that lax.axis_index, axis_size, program_id see; innermost first.
  struct AxisName *axes;
  // Pallas.c: of the kernel being traced (grid indices, sizes); inherited by regions.
  struct LaunchState *launch;
} Level;
typedef struct AxisName {
  struct AxisName *next;
  Value name;       // any hashable
  int64_t size;     // -1: dynamic
  IrValue *size_ir; // if dynamic
  IrValue *index;
  bool is_batch; // of vmap
} AxisName;

typedef struct Array {
  Object base;
  Aval aval;
  IrValue *ir;     // NULL: known data only
  Level *level;    // where it was made
  NdArray *host;   // data, if known (constants; values that have been run)
  bool known;      // made from data, not by an operation
  uint64_t run_id; // LEVEL_RUN: which pending function ir belongs to
  Value sharding;  // as the program gave it, or unbound; it changes nothing: arrays are global
} Array;
typedef struct KeyArray {
  Object base;
  Array *data;
  Name impl; // of a KeyImpl
} KeyArray;
// A PRNG implementation: what jax_random.pk or the program has registered.
typedef struct KeyImpl {
  Name name; // "threefry2x32"
  Str tag;   // "fry", as dtypes print
  size_t rank;
  int64_t dims[IR_MAX_RANK]; // of the data of one key
} KeyImpl;

// A ref: state.Ref of a kernel, scratch, jax.new_ref, or a view made by .at[…], .reshape, .bitcast.
typedef struct Ref {
  Object base;
  // Of a ref type; use ref_ir: refs of the module's own statements have one only while something is
  // pending.
  IrValue *ir;
  Level *level;
  Name name;    // for messages
  Value extra;  // pallas.c: BlockSpec details, or none
  bool is_host; // jax.new_ref at LEVEL_RUN: lives across what is run
  bool ended;   // frozen
  Aval aval;    // of a host ref
  Value cell;   // of a host ref while ir is NULL: its contents, none if nothing has been written
} Ref;

typedef struct ArrayTypes { // made by the initialisers of array/; reached through ev->trace
                            // (trace_types)
  Type *array_base;         // jax.Array: what array and key_array derive from
  Type *array, *key_array, *ref, *shape_dtype_struct, *at_helper, *at_ref, *ref_at_helper;
  Type *key_dtype;       // of the dtypes of PRNG keys
  Type *scalar_meta;     // of jnp.float32 and the like
  Type *slice;           // pl.Slice, what pl.ds gives
  Type *promotion_error; // jax.dtypes.TypePromotionError
  Type *mask_error;      // jax.errors.NonConcreteBooleanIndexError
} ArrayTypes;

typedef struct TraceState {
  IrModule *module;
  IrBuilder builder;
  Level *level;
  uint64_t next_serial;
  struct RunState *run;               // eager.c: the pending function of the module's statements
  const struct PendingHooks *pending; // who runs it
  ArrayTypes types;
  const struct ArrayOps *ops;   // array_ops.h: what ops/ gives to arrays
  struct ArrayNames *names;     // interned attribute names (array.c)
  struct PyTreeState *pytree;   // registered nodes (pytree.c)
  VEC(const IrFrames *) frames; // the frames of the last op by depth: ops share them
  Map *jit_calls;               // jit_call.c: function (Object *) -> its calls that are kept
  int held;                     // while positive nothing pending is run: values of it are in use
  VEC(KeyImpl) key_impls;
  VEC(Ref *) run_refs;   // refs of LEVEL_RUN whose ir is in the pending function
  Map *varying;          // varying.c: what was said of values (IrValue *)
  Map *frozen;           // pallas.c: refs (IrValue *) that nothing writes any more
  Map *unwritten;        // refs (IrValue *) of lax.empty: their contents do not matter
  bool debug_checks;     // pl.enable_debug_checks
  Str default_precision; // jax.default_matmul_precision; empty: not set
  // Of pl.estimate_cost: the region whose ops it counts, and what JAX's primitives count there
  // beyond the ops that they are recorded as.
  const IrRegion *estimated;
  int64_t extra_flops;
} TraceState;
const ArrayTypes *trace_types(Eval *ev);

// ---- tracing (tracing.c) ------------------------------------------------------------------------
void trace_init(Eval *ev); // the module, the run level
// Enters a level recording at the end of `region`; the builder's place is saved in it. LEVEL_INLINE
// (region NULL) goes on where it stands.
typedef struct LevelScope {
  IrBuilder saved;
  Level *level;
} LevelScope;
void level_enter(Eval *ev, LevelScope *scope, LevelKind kind, IrRegion *region);
void level_leave(Eval *ev, LevelScope *scope);
// Runs body(ev, data) inside a level; leaves it in any case and raises again what body raised.
void level_run(Eval *ev, LevelKind kind, IrRegion *region, void (*body)(Eval *, void *),
               void *data);
// The builder, with ev's span and frames set for the next op.
IrBuilder *trace_builder(Eval *ev);
IrModule *trace_module(Eval *ev);
bool trace_in_kernel(Eval *ev); // inside the body of a launch

// ---- arrays (array.c) ---------------------------------------------------------------------------
bool value_is_array(Eval *ev, Value v);     // Array
bool value_is_arraylike(Eval *ev, Value v); // Array, NdArray, Python bool/int/float
bool value_is_traced(Eval *ev, Value v);    // an Array whose data is not known
// The abstract value of an array-like (Python scalars are weak); of a ref, a ShapeDtypeStruct or
// anything with shape and dtype if `loose`.
bool value_aval(Eval *ev, Value v, bool loose, Aval *out);
Value array_new(Eval *ev, IrValue *ir, bool weak); // an Array at the current level
Value array_from_nd(Eval *ev, const NdArray *nd,
                    bool weak); // known data; x64 types are narrowed as JAX does
// The IrValue of an array-like, usable where the builder stands; Python scalars become constants of
// `dtype` (or their default if DT_COUNT).
// Raises for arrays that may not be used here (captured array constants in kernels, leaked
// tracers).
IrValue *array_ir(Eval *ev, Value v, DType dtype);
IrValue *array_ir_cast(Eval *ev, Value v, DType dtype); // converted if it differs
const IrType *aval_type(Eval *ev, const Aval *aval);
Aval aval_of(const IrValue *ir, bool weak);
// Known data: at LEVEL_RUN runs what is pending. In a traced level raises ConcretizationTypeError
// naming what to use instead (`context` describes the use: "bool() of it", "an index of range()").
NdArray *array_concrete(Eval *ev, Value v, const char *context);

// ---- promotion (promote.c): JAX's lattice, x64 off ----------------------------------------------
DType promote_dtypes(DType a, bool a_weak, DType b, bool b_weak, bool *weak);
DType canonical_dtype(DType dtype); // f64 -> f32, i64 -> i32, u64 -> u32
// Promotes and broadcasts two array-likes; *weak is the result's weakness.
void promote_pair(Eval *ev, const char *what, Value a, Value b, IrValue **x, IrValue **y,
                  bool *weak);
// ---- operators of arrays (arith.c), also behind jnp.add, … --------------------------------------
Value array_binary(Eval *ev, BinaryOp op, Value a, Value b);
Value array_unary(Eval *ev, UnaryOp op, Value a);
Value array_compare(Eval *ev, CompareOp op, Value a, Value b);
Value array_astype(Eval *ev, Value a, DType dtype);

// ---- indexing (index.c) -------------------------------------------------------------------------
Value array_getitem(Eval *ev, Value a,
                    Value index); // NumPy's indexing on an Array, dynamic starts included

// ---- pytrees (pytree.c): JAX's flattening; None is an empty tree; registered classes,
// dataclasses, NamedTuples ----
typedef struct PyTree PyTree; // the structure
PyTree *pytree_flatten(Eval *ev, Value tree, Value is_leaf,
                       List *leaves); // is_leaf: a predicate or V_NONE
Value pytree_unflatten(Eval *ev, const PyTree *tree, size_t count, const Value *leaves);
bool pytree_equal(Eval *ev, const PyTree *a, const PyTree *b);
Str pytree_text(Eval *ev, const PyTree *tree); // "PyTreeDef((*, {'a': *}))"
// Flattens `tree` only down to the leaves of `prefix` (as specs given for whole subtrees are).
void pytree_flatten_up_to(Eval *ev, const PyTree *prefix, Value tree, List *subtrees,
                          const char *what);
// The path of leaf i: "['w'][0]" as jax.tree_util.keystr.
Str pytree_leaf_path(Eval *ev, const PyTree *tree, size_t leaf);

// ---- eager.c: the module's own statements
// --------------------------------------------------------- What runs a function: given by the
// driver (a JIT). `buffers[i]` is the memory of parameter i. Gives 0, or the exit status after a
// diagnostic.
typedef struct RunBackend {
  int (*run)(void *data, IrModule *module, IrFunc *func, void *const *buffers);
  // Optional: the code of the last run, and a call of it; -1 if it is gone.
  const void *(*last)(void *data);
  int (*again)(void *data, const void *code, void *const *buffers);
  // Optional, under check: the program at `place` looks at elements; whether some were never
  // written. Without a place: only asks.
  bool (*looked_at)(void *data, const NdArray *elements, Span place);
  // It copied elements of one shape.
  void (*moved)(void *data, const NdArray *to, const NdArray *from);
  void *data;
} RunBackend;
void run_set_backend(Eval *ev, RunBackend backend);
// Runs what is pending and binds the values that can still be reached. Raises RuntimeError if the
// run failed.
void run_flush(Eval *ev);

// ---- entry points (entry.c) ---------------------------------------------------------------------
// After eval_main: functions with annotated array parameters, or those that --entry names, are
// traced into the module.
typedef struct EntryRequest {
  // "mm_big = matmul(bf16[1024,1024], bf16[1024,1024], bm=256)"; or "" for all annotated functions.
  Str text;
  Span span;
} EntryRequest;
// False after diagnostics. With no request all annotated functions are entries; an error if there
// are none.
bool entry_trace(Eval *ev, const EntryRequest *requests, size_t count);
