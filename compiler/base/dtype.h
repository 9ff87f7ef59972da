// SPDX-License-Identifier: Apache-2.0
// Element types of arrays: facts only. Complex types occur in host (NumPy) arrays, never in the IR.
#pragma once
#include "base.h"

typedef enum DType {
#define DTYPE(id, ...) DT_##id,
#include "dtype.def"
#undef DTYPE
  DT_COUNT
} DType;

const char *dtype_name(DType dtype);       // "float32"
const char *dtype_short_name(DType dtype); // "f32"
char dtype_kind(DType dtype);              // 'b', 'i', 'u', 'f', 'c'
unsigned dtype_bits(DType dtype);          // of the value: 4 for int4
// Bytes an element takes in memory; int4 and uint4 take a whole byte in our buffers and in .npy
// files.
size_t dtype_size(DType dtype);
bool dtype_is_float(DType dtype);
bool dtype_is_complex(DType dtype);
DType dtype_of_parts(DType dtype);    // F32 of C64, F64 of C128, the type itself of others
DType dtype_computed_in(DType dtype); // F64 of F64, F32 of other floats, integers themselves
// By products: the same of floats; I64 of 64-bit integers, I32 of others.
DType dtype_summed_in(DType dtype);
bool dtype_is_integer(DType dtype); // signed or unsigned, not bool
bool dtype_is_signed(DType dtype);  // signed integers
// By JAX's or by the short name ("bool_", "float_", "int_" included: f32, i32). False if there is
// none.
bool dtype_from_name(Str name, DType *out);
// In memory int4 and uint4 are the low four bits of their byte, the high ones zero (as ml_dtypes
// has them); loads ignore the high bits.
// One element from/to memory through a double or an int64; floats are rounded to nearest even,
// integers wrap. Of complex elements they load the real part, and store it beside an imaginary part
// of 0.
double dtype_load_f64(DType dtype, const void *p);
// Floats truncate, saturating; U64 reinterpreted.
int64_t dtype_load_i64(DType dtype, const void *p);
// To integers: truncates, saturating as XLA does; NaN is 0.
void dtype_store_f64(DType dtype, void *p, double v);
void dtype_store_i64(DType dtype, void *p, int64_t v);
// How the bits of a float format are laid out; `special` as in dtype.def.
typedef struct FloatFormat {
  int exponent_bits, mantissa_bits, bias;
  char special;
} FloatFormat;
FloatFormat dtype_float_format(DType dtype);
bool dtype_is_extension(DType dtype); // one that NumPy itself does not have
// Least and greatest finite value, smallest normal, machine epsilon (floats); least and greatest
// (integers).
double dtype_float_max(DType dtype);
double dtype_float_min(DType dtype); // the least: -max but for unsigned formats
double dtype_float_tiny(DType dtype);
double dtype_float_eps(DType dtype);
int64_t dtype_int_min(DType dtype);
uint64_t dtype_int_max(DType dtype);
