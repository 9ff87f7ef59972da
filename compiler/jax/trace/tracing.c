// SPDX-License-Identifier: Apache-2.0
// Levels of tracing, and the builder that operations on arrays are recorded with.
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "tracing.h"
#include "python/values/raise.h"

static void run_at_level(Eval *ev, void *data);

// Whether calls of the program's functions can be of use to anything that is recorded.
static void hear_calls(Eval *ev) {
  const TraceState *t = ev->trace;
  ev->hooks.hears_calls = t->level->kind != LEVEL_RUN || t->has_refs || t->module->keeps_places;
}

void trace_has_refs(Eval *ev) {
  ev->trace->has_refs = true;
  hear_calls(ev);
}

void trace_init(Eval *ev) {
  TraceState *t = ARENA_NEW(ev->arena, TraceState);
  ev->trace = t;
  t->module = ir_module_new(ev->session);
  if (ev->options.tpu.len) t->module->tpu = name_intern(ev->session->interner, ev->options.tpu);
  if (ev->options.devices) t->module->devices = ev->options.devices;
  t->module->keeps_places = ev->options.debug_info;
  t->builder.module = t->module;
  t->next_serial = 1;
  Level *level = ARENA_NEW(ev->arena, Level);
  level->kind = LEVEL_RUN;
  level->serial = t->next_serial++;
  t->level = level;
  hear_calls(ev);
}

IrModule *trace_module(Eval *ev) { return ev->trace->module; }

bool trace_seeks_races(Eval *ev) {
  return ev->options.check || trace_module(ev)->watch & WATCH_RACES;
}

void level_enter(Eval *ev, LevelScope *scope, LevelKind kind, IrRegion *region) {
  TraceState *t = ev->trace;
  Level *level = ARENA_NEW(ev->arena, Level);
  level->outer = t->level;
  level->kind = kind;
  level->region = region;
  level->serial = t->next_serial++;
  level->axes = t->level->axes;
  if (kind != LEVEL_KERNEL && kind != LEVEL_FUNC) {
    level->launch = t->level->launch;
    level->who = t->level->who;
    level->is_index_map = t->level->is_index_map;
  }
  scope->saved = t->builder;
  scope->level = level;
  t->level = level;
  hear_calls(ev);
  if (kind == LEVEL_INLINE) return;
  t->builder.region = region;
  t->builder.before = NULL;
}

void level_leave(Eval *ev, LevelScope *scope) {
  TraceState *t = ev->trace;
  scope->level->left = true;
  t->level = scope->level->outer;
  hear_calls(ev);
  if (scope->level->kind != LEVEL_INLINE) t->builder = scope->saved;
}

// The op that runs the programs of the devices, if that is what is being traced from this level on.
// Regions of control flow belong to no op yet, so the levels decide.
IrOp *level_devices(const Level *level) {
  for (; level; level = level->outer)
    if (level->region && level->region->parent && ir_runs_devices(level->region->parent))
      return level->region->parent;
  return NULL;
}

typedef struct LevelBody {
  void (*body)(Eval *, void *);
  void *data;
} LevelBody;

static void run_at_level(Eval *ev, void *data) {
  LevelBody *b = data;
  b->body(ev, b->data);
}

void level_run(Eval *ev, LevelKind kind, IrRegion *region, void (*body)(Eval *, void *),
               void *data) {
  LevelScope scope;
  LevelBody b = {body, data};
  Value exception;
  level_enter(ev, &scope, kind, region);
  bool ok = eval_try(ev, run_at_level, &b, &exception);
  level_leave(ev, &scope);
  if (!ok) eval_raise_value(ev, exception);
}

// ---- where the next op comes from --------------------------------------------------------------
bool trace_is_builtin_place(Eval *ev, Span span) {
  if (span.file == 0) return true;
  const SourceFile *file = source_get(ev->session, span.file);
  return !file || file->is_builtin;
}

bool trace_in_library(Eval *ev) { return trace_is_builtin_place(ev, ev->span); }

static bool function_is_builtin(const Function *f) {
  return f->module && f->module->file && f->module->file->is_builtin;
}

// The chain of calls as IrFrames. Ops of one place share them: a link is made anew only when it
// differs from the one that was made last at its depth.
// `inner`: the user's function that the frame, the library's, has called in the end; or NULL.
static const IrFrames *frames_of(Eval *ev, const Frame *frame, size_t *depth, Name inner) {
  if (!frame || !frame->caller) {
    *depth = 0;
    return NULL;
  }
  TraceState *t = ev->trace;
  bool is_builtin = frame->code && function_is_builtin(frame->code);
  Name function = is_builtin && inner ? inner : frame->function;
  bool is_shown = !trace_is_builtin_place(ev, frame->call);
  const IrFrames *caller = frames_of(ev, frame->caller, depth, is_shown ? NULL : function);
  if (!is_shown) return caller; // the library's own calls say nothing to the user
  size_t i = (*depth)++;
  while (t->frames.count <= i) VEC_PUSH(ev->arena, &t->frames, NULL);
  const IrFrames *last = t->frames.items[i];
  if (last && last->caller == caller && last->function == function &&
      span_equal(last->call, frame->call))
    return last;
  IrFrames *made = ARENA_NEW(ev->arena, IrFrames);
  *made = (IrFrames){function, frame->call, caller};
  t->frames.items[i] = made;
  return made;
}

const IrFrames *trace_frames(Eval *ev) {
  size_t depth;
  return frames_of(ev, ev->frame, &depth, NULL);
}

IrBuilder *trace_builder(Eval *ev) {
  IrBuilder *b = &ev->trace->builder;
  Span span = ev->span;
  const Frame *frame = ev->frame;
  // An op of a prelude function belongs to the line of the program that called it.
  while (frame && frame->caller && trace_is_builtin_place(ev, span)) {
    span = frame->call;
    frame = frame->caller;
  }
  size_t depth;
  b->span = span;
  b->frames = frames_of(ev, frame, &depth, NULL);
  return b;
}

// ---- what may be used where --------------------------------------------------------------------
bool trace_in_kernel(Eval *ev) {
  for (const Level *l = ev->trace->level; l; l = l->outer)
    if (l->kind == LEVEL_KERNEL) return true;
  return false;
}
