// SPDX-License-Identifier: Apache-2.0
// What cProfile counts: calls of functions that are written in Python, and how long they take, with
// those that called them. A call that an exception has ended is noticed when the next one begins or
// ends.
#include "base/map.h"
#include "python/builtins/builtin_traceback.h"
#include "python/modules/module.h"
#include "python/values/builtin_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include <time.h>

typedef struct Counts {
  int64_t calls, primitive; // of which primitive ones were not in a call of the same function
  uint64_t own, total;      // nanoseconds; of primitive calls
  int64_t running;
} Counts;

typedef struct Profiled {
  Function *function;
  size_t number;
  Counts counts;
  Map *callers; // of Profiled: Counts
} Profiled;

typedef struct Call {
  Profiled *of;
  Counts *from; // of the caller
  uint64_t begin, inner;
  int depth;
} Call;

typedef struct Profiler {
  Map *known; // by the statement or expression of the function
  VEC(Profiled *) all;
  VEC(Call) calls; // that run
} Profiler;

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static Profiled *profiled(Eval *ev, Profiler *p, Function *f) {
  const void *key = f->params;
  Profiled *known = map_get(p->known, key);
  if (known) return known;
  known = ARENA_NEW(ev->arena, Profiled);
  *known = (Profiled){.function = f, .number = p->all.count, .callers = map_new(ev->arena)};
  map_set(p->known, key, known);
  VEC_PUSH(ev->arena, &p->all, known);
  return known;
}

static void begin(Counts *counts) {
  counts->calls++;
  counts->primitive += counts->running++ == 0;
}

static void end(Counts *counts, uint64_t own, uint64_t total) {
  counts->own += own;
  if (--counts->running == 0) counts->total += total;
}

// The calls of a depth and deeper have ended.
static void end_calls(Profiler *p, int depth, uint64_t time) {
  while (p->calls.count && p->calls.items[p->calls.count - 1].depth >= depth) {
    Call *call = &p->calls.items[--p->calls.count];
    uint64_t total = time - call->begin, own = total > call->inner ? total - call->inner : 0;
    end(&call->of->counts, own, total);
    if (call->from) end(call->from, own, total);
    if (p->calls.count) p->calls.items[p->calls.count - 1].inner += total;
  }
}

static void entered(Eval *ev, Function *f) {
  Profiler *p = ev->builtin->profiler;
  end_calls(p, ev->frame->depth, now());
  Profiled *of = profiled(ev, p, f);
  Counts *from = NULL;
  if (p->calls.count) {
    Profiled *caller = p->calls.items[p->calls.count - 1].of;
    from = map_get(of->callers, caller);
    if (!from) map_set(of->callers, caller, from = ARENA_NEW(ev->arena, Counts));
    begin(from);
  }
  begin(&of->counts);
  Call call = {of, from, now(), 0, ev->frame->depth};
  VEC_PUSH(ev->arena, &p->calls, call);
}

static void left(Eval *ev) {
  end_calls(ev->builtin->profiler, ev->frame ? ev->frame->depth + 1 : 0, now());
}

// ---- natives ------------------------------------------------------------------------------------
static Value native_start(Eval *ev, Value *a UNUSED) {
  if (!ev->builtin->profiler) {
    ev->builtin->profiler = ARENA_NEW(ev->arena, Profiler);
    ev->builtin->profiler->known = map_new(ev->arena);
  }
  if (ev->hooks.entered)
    eval_raise(ev, ev->types.ValueError, "Another profiling tool is already active");
  ev->hooks.entered = entered;
  ev->hooks.left = left;
  return v_none();
}

static Value counts_tuple(Eval *ev, Value who, const Counts *c) {
  Value values[] = {who, v_int(c->calls), v_int(c->primitive), v_float((double)c->own * 1e-9),
                    v_float((double)c->total * 1e-9)};
  return make_tuple(ev, 5, values);
}

// Of each function itself, its counts and those by caller, whose number in the list is given.
static Value native_stop(Eval *ev, Value *a UNUSED) {
  ev->hooks.entered = NULL;
  ev->hooks.left = NULL;
  Profiler *p = ev->builtin->profiler;
  ev->builtin->profiler = NULL;
  List *list = list_new(ev, 8);
  if (!p) return v_object(list);
  end_calls(p, 0, now());
  for (size_t i = 0; i < p->all.count; i++) {
    const Profiled *of = p->all.items[i];
    List *callers = list_new(ev, 2);
    const void *key;
    void *from;
    for (size_t it = 0; map_next(of->callers, &it, &key, &from);)
      list_push(ev, callers,
                counts_tuple(ev, v_int((int64_t)((const Profiled *)key)->number), from));
    Value pair[] = {counts_tuple(ev, v_object(of->function), &of->counts), v_object(callers)};
    list_push(ev, list, make_tuple(ev, 2, pair));
  }
  return v_object(list);
}

static Value native_is_on(Eval *ev, Value *a UNUSED) { return v_bool(ev->hooks.entered != NULL); }

static const NativeDef natives[] = {
    {"_start()", native_start},
    {"_stop()", native_stop},
    {"_is_on()", native_is_on},
    {0},
};

const ModuleDef module_profile = {.name = "_profile", .functions = natives};
