// SPDX-License-Identifier: Apache-2.0
// What is being recorded: the module and the builder, the level, and the state that the rooms of
// this floor keep with it.
#pragma once
#include "base/map.h"
#include "ir/core/ir.h"
#include "level.h"

typedef struct TraceState {
  IrModule *module;
  IrBuilder builder;
  Level *level;
  uint64_t next_serial;
  struct ArrayState *arrays;          // array.h
  struct RunState *run;               // eager.c: the pending function of the module's statements
  const struct PendingHooks *pending; // who runs it
  struct ImportState *imported;       // jaxpr_eval.c: of the jaxprs that are read; or NULL
  struct PyTreeState *pytree;         // registered nodes (pytree.c)
  VEC(const IrFrames *) frames;       // the frames of the last op by depth: ops share them
  Map *jit_calls;                     // jit_call.c: function -> its calls that are kept
  size_t jit_collections;             // that there had been when those were looked through
  Map *varying;                       // varying.c: what was said of values (IrValue *)
  Map *placed;                        // placement.c: where values (IrValue *) were said to lie
  Map *frozen;                        // frozen.c: refs (IrValue *) that nothing writes any more
  Map *unwritten;                     // refs (IrValue *) of lax.empty: their contents do not matter
  int barriers;          // cores.c: that collectives of the pending function have taken
  bool debug_checks;     // pl.enable_debug_checks
  bool has_refs;         // the program has got some outside of kernels
  unsigned watch;        // WATCH_…: jax_debug_nans, jax_debug_infs
  bool x64;              // jax_enable_x64
  bool unjitted;         // jax_disable_jit
  bool strict_promotion; // jax_numpy_dtype_promotion is "strict"
  enum { RANKS_MEET, RANKS_WARN, RANKS_RAISE } rank_promotion; // jax_numpy_rank_promotion
  DotPrecision default_precision;                              // jax.default_matmul_precision
  // Of pl.estimate_cost: the region whose ops it counts, and what JAX's primitives count there
  // beyond the ops that they are recorded as.
  const IrRegion *estimated;
  int64_t extra_flops;
  int64_t estimates[3]; // sums of what launches were said to cost: flops, transcendentals, bytes
  int64_t estimated_launches;
} TraceState;

void trace_init(Eval *ev);     // the module, the run level
void trace_has_refs(Eval *ev); // from now on: functions name those that they are called with
// The calls that ev's frame is in, its own innermost; NULL: none.
const IrFrames *trace_frames(Eval *ev);
// It is none of the program's, but of the library, or nowhere.
bool trace_is_builtin_place(Eval *ev, Span span);
// The builder, with ev's span and frames set for the next op.
IrBuilder *trace_builder(Eval *ev);
IrModule *trace_module(Eval *ev);
bool trace_seeks_races(Eval *ev); // under check, or where the program asks for it
bool trace_in_library(Eval *ev);  // what runs is the code of a provided module
bool trace_in_kernel(Eval *ev);   // inside the body of a launch
