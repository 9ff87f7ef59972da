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
#include "aval.h"
#include "jax/trace/tracing.h"
#include "numpy/dtypes/dtype_object.h"
#include "numpy/arrays/nd.h"
#include "numpy/numpy_state.h"
#include "numpy/arrays/nd_shape.h"

typedef struct Array {
  Object base;
  Aval aval;
  IrValue *ir;     // NULL: known data only
  Level *level;    // where it was made
  NdArray *host;   // data, if known (constants; values that have been run)
  bool known;      // made from data, not by an operation
  bool deleted;    // by x.delete() or as a donated argument: what it held may not be asked for
  uint64_t run_id; // LEVEL_RUN: which pending function ir belongs to
  struct Placement *placement; // on devices, or NULL; it changes nothing: arrays are global
  Value space; // of pltpu.with_memory_space_constraint, or unbound; it changes nothing
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
  IrType type; // of ir, which is gone with its level, or when what is pending has run
  Level *level;
  Name name;        // for messages
  Value space;      // as the program gave it (memory_space=), or none
  bool is_host;     // jax.new_ref at LEVEL_RUN: lives across what is run
  bool is_per_core; // made outside of kernels in a space that each core has its own of
  bool ended;       // frozen
  Aval aval;        // of a host ref, and of a view beyond the memory
  Value cell; // of a host ref while ir is NULL: its contents, none if nothing has been written
  const struct RefPart *beyond; // of a view that is larger than the memory (ref.c)
  const struct RefPart *part;   // of a view by steps that may leave it
} Ref;

typedef struct ArrayTypes { // made by the initialisers of array/; reached through ev->trace
                            // (trace_types)
  Type *array_base;         // jax.Array: what array and key_array derive from
  Type *array, *key_array, *ref, *complex_array, *shape_dtype_struct, *at_helper, *at_ref,
      *ref_at_helper;
  Type *key_dtype;   // of the dtypes of PRNG keys
  Type *scalar_meta; // of jnp.float32 and the like
  Type *slice;       // pl.Slice, what pl.ds gives
#define EXCEPTION(name, base, module) Type *name;
#include "errors.def"
#undef EXCEPTION
} ArrayTypes;

// What the array modules keep with the trace.
typedef struct ArrayState {
  ArrayTypes types;
  const struct ArrayOps *ops; // array_ops.h: what ops/ gives to arrays
  struct ArrayNames *names;   // interned attribute names (array.c)
  VEC(KeyImpl) key_impls;
  VEC(Ref *) run_refs; // refs of LEVEL_RUN whose ir is in the pending function
} ArrayState;
const ArrayTypes *trace_types(const Eval *ev);
void array_state_init(Eval *ev); // before all that make types

// ---- arrays (array.c) ---------------------------------------------------------------------------
bool value_is_array(Eval *ev, Value v);     // Array
bool value_is_arraylike(Eval *ev, Value v); // Array, NdArray, Python bool/int/float
bool value_is_traced(Eval *ev, Value v);    // an Array whose data is not known
// A complex array, a Python complex number, or an array of NumPy's of a complex type.
bool value_is_complex(Eval *ev, Value v);
// A key array or a complex array (compound.h), and the Array that it is around.
bool value_is_compound(Eval *ev, Value v);
Array *compound_data(Eval *ev, Value v);
// The abstract value of an array-like (Python scalars are weak); of a ref, a ShapeDtypeStruct or
// anything with shape and dtype if `loose`.
bool value_aval(Eval *ev, Value v, bool loose, Aval *out);
Value array_new(Eval *ev, IrValue *ir, bool weak); // an Array at the current level
// Another Array of the same value: deleting one leaves the other.
Value array_again(Eval *ev, const Array *a);
// What a function made of `given`: another Array where it is `given` itself.
Value array_apart(Eval *ev, Value made, Value given);
// One axis, None or a name as it is; what else is iterable, a range or an array too, as a tuple.
Value array_axes_given(Eval *ev, Value axes);
Value array_from_nd(Eval *ev, NdArray *nd,
                    bool weak); // known data; narrowed as canonical_dtype has it
// The elements as they are now, of a type that arrays have, contiguous: what the program does to an
// array of NumPy's afterwards is not seen.
NdArray *array_snapshot(Eval *ev, NdArray *nd);
// The IrValue of an array-like, usable where the builder stands; Python scalars become constants of
// `dtype` (or their default if DT_COUNT).
// Raises for arrays that may not be used here (captured array constants in kernels, leaked
// tracers).
IrValue *array_ir(Eval *ev, Value v, DType dtype);
static inline IrValue *array_ir_plain(Eval *ev, Value v) { return array_ir(ev, v, DT_COUNT); }
IrValue *array_ir_cast(Eval *ev, Value v, DType dtype); // converted if it differs
// An index as the IR takes it: what an i32 does not hold is brought to its end, which is outside of
// every array.
IrValue *index_as_i32(Eval *ev, IrValue *x);
// Known data: at LEVEL_RUN runs what is pending. In a traced level raises ConcretizationTypeError
// naming what to use instead (`context` describes the use: "bool() of it", "an index of range()").
NdArray *array_concrete(Eval *ev, Value v, const char *context);

Value array_getitem(Eval *ev, Value a, Value index); // NumPy's, dynamic starts included
static inline Value array_result(Eval *ev, IrValue *ir) { return array_new(ev, ir, false); }
