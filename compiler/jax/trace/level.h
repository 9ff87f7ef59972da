// SPDX-License-Identifier: Apache-2.0
// Levels of tracing: functions, kernel bodies and control-flow bodies that are being traced; they
// nest.
#pragma once
#include "ir/core/ir.h"
#include "python/values/evaluator.h"

// Where an Array's IrValue lives. A level is a function, kernel body or control-flow body being
// traced; levels nest.
typedef enum LevelKind {
  // The module's own statements: recorded in a pending function, run when a value is needed.
  LEVEL_RUN,
  LEVEL_FUNC,   // an entry point
  LEVEL_KERNEL, // the body of a launch: arrays of outer levels may not be used, but in a
                // pipeline, and scalars by programs of cores
  LEVEL_REGION, // the body of cond, loop, when, vmap …: values of outer levels may be used
  LEVEL_INLINE, // the body of a jitted function: recorded in place, its values count as traced
} LevelKind;
// A value of an outer level that a pipeline uses, and the memory that it is handed in by.
typedef struct Borrowed {
  struct Borrowed *next;
  IrValue *value, *ref;
} Borrowed;
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
  Borrowed *borrowed; // LEVEL_KERNEL: each value once
  Str who; // "The kernel function in the pallas_call add at add.py:3"; inherited by regions
  bool is_index_map; // or a region of one
} Level;
typedef struct AxisName {
  struct AxisName *next;
  Value name;       // any hashable
  int64_t size;     // -1: dynamic
  IrValue *size_ir; // if dynamic
  IrValue *index;   // NULL: of cores that run another program
  bool is_batch;    // of vmap
} AxisName;

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

// The op that runs the programs of the devices, if that is what is being traced from this level on;
// else NULL.
IrOp *level_devices(const Level *level);
