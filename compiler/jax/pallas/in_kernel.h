// SPDX-License-Identifier: Apache-2.0
// Primitives of the module _pallas that are used inside of kernels (in_kernel.c), with their
// arguments.
#pragma once
#include "python/values/values.h"

Value pallas_program_id(Eval *ev, Value *a);   // axis
Value pallas_num_programs(Eval *ev, Value *a); // axis
// indices, grid, f: f(), where these are the indices and the sizes of the grid
Value pallas_grid_step(Eval *ev, Value *a);
Value pallas_begin_scope(Eval *ev, Value *a); // refs, shared
Value pallas_end_scope(Eval *ev, Value *a);   // refs, shared
Value pallas_ref_load(Eval *ev, Value *a);    // ref, index, mask, other
Value pallas_ref_store(Eval *ev, Value *a);   // ref, index, value, mask
Value pallas_debug_print(Eval *ev, Value *a); // fmt, args
Value pallas_check(Eval *ev, Value *a);       // condition, message
Value pallas_reciprocal(Eval *ev, Value *a);  // x, approx
Value pallas_multiple_of(Eval *ev, Value *a); // x, values
Value pallas_prng_seed(Eval *ev, Value *a);   // seeds
Value pallas_prng_bits(Eval *ev, Value *a);   // shape
