// SPDX-License-Identifier: Apache-2.0
// What the array modules share: host data, helper objects, and operations other files build on.
#pragma once
#include "operands.h"
#include "promote.h"
#include "python/modules/module.h"

// Interned names that attribute look-ups of arrays compare with.
// clang-format off
#define ARRAY_NAMES(X)                                                                             \
  X(shape) X(dtype) X(ndim) X(size) X(T) X(mT) X(at) X(itemsize) X(nbytes) X(weak_type) X(aval)    \
  X(real) X(imag) X(sharding) X(device) X(name) X(kind) X(type) X(str) X(memory_space) X(start)    \
  X(stop) X(step) X(stride) X(data) X(committed) X(is_fully_addressable) X(is_fully_replicated)    \
  X(addressable_shards) X(global_shards) X(float0) X(flat) X(is_dynamic_start) X(is_dynamic_size)  \
  X(inner_aval) X(ref) X(alignment) X(byteorder) X(num) X(value) X(_fields) X(__name__)            \
  X(__qualname__) X(__module__)
// clang-format on
typedef struct ArrayNames {
  Name char_; // "char"
#define X(name) Name name;
  ARRAY_NAMES(X)
#undef X
} ArrayNames;
static inline const ArrayNames *array_names(Eval *ev) { return ev->trace->arrays->names; }

bool value_is_key(Eval *ev, Value v);
bool value_is_ref(Eval *ev, Value v);
// Of a Ref, KeyArray, ShapeDtypeStruct, or any object with shape and dtype.
bool value_loose_aval(Eval *ev, Value v, Aval *out);
// The integer that v is, if it is one and known here: no exception is made for traced arrays. May
// run what is pending.
bool known_int(Eval *ev, Value v, int64_t *out);
// An IrValue is lost when what is pending runs. Whatever may ask for data (numbers, masks, bounds)
// is therefore asked before array_ir; for an index this does it.
void settle_index(Eval *ev, Value index);
// The data of an array if it can be had here; NULL if it is traced.
NdArray *array_known_data(Eval *ev, Array *a);
// What to do with a traced array where its value would be needed.
#define ARRAY_USE_INSTEAD                                                                          \
  "use pl.when or lax.cond to branch on it, jnp.where to select by it, lax.fori_loop or "          \
  "lax.while_loop to loop on it"

// ---- host data (array.c) ------------------------------------------------------------------------
NdArray *host_array_new(Eval *ev, DType dtype, size_t rank,
                        const int64_t *dims); // zeros, contiguous
IrValue *host_constant(Eval *ev, const NdArray *nd);

// ---- varying.c ----------------------------------------------------------------------------------
// In a program of a device: what is made like an array varies as it does.
Value array_varying_as(Eval *ev, Value made, Value like);
void varying_room(Eval *ev, const IrValue *value); // what a scan puts its results into

// ---- methods (array_methods.c) ------------------------------------------------------------------
Value array_method_int(Eval *ev, Value *a);
Value array_method_float(Eval *ev, Value *a);
Value array_transposed(Eval *ev, Value self, bool matrix); // .T, .mT

// ---- arith.c ------------------------------------------------------------------------------------
// One op on two operands after jnp's promotion. `what` names the function in errors.
Value elementwise_binary(Eval *ev, const char *what, OpCode code, Value a, Value b);
Value array_power(Eval *ev, Value a, Value b);
Value array_integer_power(Eval *ev, Value a, int64_t exponent);
// The array; pl.estimate_cost counts so many operations more for each element than were recorded.
Value array_estimated(Eval *ev, Value array, int64_t extra);
Value array_true_divide(Eval *ev, Value a, Value b);
Value array_floor_divide(Eval *ev, Value a, Value b);
Value array_remainder(Eval *ev, Value a, Value b);
Value array_matmul(Eval *ev, Value a, Value b, Value precision, Value preferred); // jnp.matmul
// Raises JAX's "… does not accept dtype …" unless kind is in `kinds` ("iuf").
void require_kind(Eval *ev, const char *what, DType dtype, const char *kinds, int position);

// ---- create.c -----------------------------------------------------------------------------------
// jnp.array(object, dtype, ndmin); DT_COUNT: the dtype that follows from the object.
Value array_make(Eval *ev, Value object, DType dtype, int64_t ndmin);
// An array of v for functions that take array-likes: jnp.asarray.
Value array_from(Eval *ev, Value v);

// ---- helper objects -----------------------------------------------------------------------------
void array_state_init(Eval *ev);            // array.c: before all that follow
void array_init(Eval *ev);                  // array_type.c: the type, methods, names
void ref_init(Eval *ev);                    // ref.c
void key_array_init(Eval *ev);              // key_array.c
void at_helper_init(Eval *ev);              // subscript_at.c
void shape_struct_init(Eval *ev);           // shape_struct.c
Value at_helper_new(Eval *ev, Value array); // x.at
Value shape_dtype_struct_new(Eval *ev, const Aval *aval);
Value key_array_new(Eval *ev, Array *data, Name impl);
Name key_dtype_impl(Value dtype); // of a dtype for which value_is_key_dtype
const KeyImpl *key_impl_find(Eval *ev, Name name);
void key_impl_add(Eval *ev, Value name, Value tag, Value key_shape);

// ---- results ------------------------------------------------------------------------------------
static inline Value array_result(Eval *ev, IrValue *ir) { return array_new(ev, ir, false); }

// ---- shape.c ------------------------------------------------------------------------------------
Value array_reshaped(Eval *ev, Value a, Value shape, Value order);
Value array_permuted(Eval *ev, Value a, Value axes);
Value shaped_array_new(Eval *ev, const Aval *aval); // as .aval prints it
Value ref_aval_new(Eval *ev, Value ref);            // the same of a Ref: it knows its memory space
