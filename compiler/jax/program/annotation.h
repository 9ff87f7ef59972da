// SPDX-License-Identifier: Apache-2.0
// What the annotations of a function say of its arrays, and whether arguments and results are so
// (annotation.c).
#pragma once
#include "base/map.h"
#include "jax/array/aval.h"

// What is called when a callable is: the function of the source that lies behind decorators,
// functools.partial and bound methods.
typedef struct Callee {
  Function *function; // NULL: not known
  size_t bound;       // its first parameters that are given already
  bool is_bound;      // through a partial or a method, whatever it gives
  bool maps;          // through vmap or shard_map: it takes other arrays than the function does
  bool is_kernel;     // through pl.kernel: the function's further parameters are its memory
} Callee;
Callee callee_of(Eval *ev, Value callable);
// The Function behind decorators such as jax.jit; NULL if there is none.
Function *callee_function(Eval *ev, Value callable);
// The array type that a parameter is annotated with, f32 alone included. False if it has none.
bool annotation_aval(Eval *ev, Function *f, size_t param, Aval *out);

// What the annotation of a parameter calls a dimension of an array of this rank: n in
// Float32[Array, "n 512"] and in f32[n, 512]. NULL: nothing.
Name annotation_dim_name(Eval *ev, Function *f, size_t param, size_t dim, size_t rank);

// The arguments of a call that is written out, and where each of them stands.
typedef struct WrittenArgs {
  Args args;
  const Span *spans, *kw_spans;
} WrittenArgs;
// The parameter that an argument goes to: by position, or by `keyword` if that is not NULL.
// SIZE_MAX: there is none.
size_t callee_param(const Callee *callee, size_t position, Name keyword);
// Whether a type of elements (jnp.float32) that is given for a parameter is the argument itself,
// and not a scalar of it: the parameter is static to jax.jit, or has a type for its default.
bool annotation_takes_type(Eval *ev, Value callable, size_t position, Name keyword);
// False after diagnostics: the annotation of a parameter would not hold. Arrays are
// ShapeDtypeStructs. `sizes` is a map for the sizes that names of dimensions turn out to have; the
// result's are checked with the same one.
bool annotation_check_args(Eval *ev, Value callable, const WrittenArgs *written, Map *sizes);
// The same of what the function returns; `span` is the entry point's.
bool annotation_check_result(Eval *ev, Value callable, Span span, Value result, Map *sizes);
