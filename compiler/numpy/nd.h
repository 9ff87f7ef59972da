// SPDX-License-Identifier: Apache-2.0
// numpy.ndarray at trace time: what the files behind the numpy module share (nd.c, nd_format.c,
// nd_ops.c, np_*.c).
#pragma once
#include "text/prt_float_text.h"
#include "jax/array/array_local.h"

// ---- nd.c: storage ------------------------------------------------------------------------------
// Zeros, contiguous, writable.
NdArray *nd_new(Eval *ev, DType dtype, size_t rank, const int64_t *dims);
NdArray *nd_scalar(Eval *ev, DType dtype, const void *element); // a NumPy scalar
NdArray *nd_view(Eval *ev, const NdArray *base);                // same memory, a header of its own
int64_t nd_count(const NdArray *nd);
// Itself if it is contiguous already.
NdArray *nd_contiguous(Eval *ev, const NdArray *nd);
NdArray *nd_cast(Eval *ev, const NdArray *nd, DType dtype); // a copy
// An array of any array-like: lists and tuples nested, scalars, arrays (a jax.Array is computed if
// it must be). NumPy's default dtypes (int64, float64, bool) unless `dtype` is not DT_COUNT. Raises
// for ragged nests and for objects.
NdArray *nd_from_value(Eval *ev, Value v, DType dtype, const char *what);
Value nd_value(Eval *ev, NdArray *nd);           // as a Value; rank 0 results become NumPy scalars
Value nd_to_python(Eval *ev, const NdArray *nd); // tolist()
double nd_get_f64(const NdArray *nd, int64_t i); // element i in row-major order
int64_t nd_get_i64(const NdArray *nd, int64_t i);
NdArray *nd_transposed(Eval *ev, const NdArray *nd, const int64_t *perm); // a view
void nd_init(Eval *ev); // makes the types; called by trace_init

// ---- nd_methods.c -------------------------------------------------------------------------------
extern const NativeDef nd_methods[];
Value nd_matmul(Eval *ev, Value x, Value y);
uint32_t nd_axes(Eval *ev, Value axis, int rank); // axis=None|int|tuple as a bit mask

// ---- nd_index.c ---------------------------------------------------------------------------------
// NumPy's indexing; views where NumPy gives views.
Value nd_getitem(Eval *ev, Value self, Value index);
void nd_setitem(Eval *ev, Value self, Value index, Value value);
NdArray *nd_broadcast(Eval *ev, const NdArray *nd, size_t rank,
                      const int64_t *dims); // a read-only view; raises if it does not fit
// The common shape of several shapes by NumPy's rule; false if there is none.
bool nd_common_shape(size_t count, NdArray *const *arrays, uint8_t *rank, int64_t *dims);

// ---- nd_format.c: text --------------------------------------------------------------------------
typedef struct PrintOptions { // as np.set_printoptions has them
  int precision;              // -1: none
  int64_t threshold, edgeitems;
  int linewidth;
  bool suppress;
  char sign; // '-', '+' or ' '
  Str nanstr, infstr, floatmode;
  Value formatter; // a dict, or None
} PrintOptions;
const PrintOptions *nd_print_options(Eval *ev); // those in force (np_print.c)
// np.array2string
Str nd_text(Eval *ev, const NdArray *nd, const PrintOptions *options, Str separator, Str prefix,
            Str suffix);
Str nd_str(Eval *ev, const NdArray *nd);
Str nd_repr(Eval *ev, const NdArray *nd, const PrintOptions *options);
Value np_print_options(Eval *ev, Value *a); // natives of the module _np
Value np_set_print_options(Eval *ev, Value *a);
Value np_array_repr(Eval *ev, Value *a);
Value np_array_text(Eval *ev, Value *a);
Value np_float_text(Eval *ev, Value *a);
// The digits of a finite float of this type.
Str nd_float_text(Eval *ev, DType dtype, double x, prt_float_style style, bool is_positional);
// The text of one element as str() of a NumPy scalar gives it.
Str nd_element_text(Eval *ev, const NdArray *nd, int64_t i);

// ---- nd_ops.c: arithmetic on the host ------------------------------
// NumPy 2's rules; Python scalars are weak.
DType nd_promote(DType a, bool a_python, DType b, bool b_python);
Value nd_unary(Eval *ev, OpCode code, Value x);
Value nd_binary(Eval *ev, OpCode code, Value x, Value y); // with broadcasting
Value nd_slot_binary(Eval *ev, BinaryOp op, Value left, Value right);
Value nd_slot_unary(Eval *ev, UnaryOp op, Value self);
Value nd_slot_compare(Eval *ev, CompareOp op, Value left, Value right);
// sum, prod, max, min, any, all, argmax, argmin (by OP_REDUCE_… and OP_ARG…) over the axes of a bit
// mask.
NdArray *nd_reduce(Eval *ev, OpCode code, const NdArray *x, uint32_t axes, bool keepdims,
                   DType dtype);
