// SPDX-License-Identifier: Apache-2.0
// waits: reports copies that are not waited for as they must be (-Wwaits), before anything runs.
//   takes:  programs as they were recorded, before anything folds or removes an op
//   makes:  warnings: a copy that is not waited for, on some path; memory that is read or written
//           while a copy may be in flight there; a wait for what nobody has started; barriers that
//           devices signal another number of times than they wait for
//   breaks: nothing
//   not:    what depends on data: one condition that does is followed all ways, one loop whose
//           length does for no turn and for one, with more of them nothing is said; what cores do
//           to each other, and copies between devices, but for their barriers; under check, where
//           the run is watched
//
// A program's semaphores and copies are followed through its loops and the steps of its grid, with
// the numbers that are known. Semaphores are counters, as for races: a wait is behind a copy if
// without its units there would not have been enough.
#include <string.h>
#include "base/buf.h"
#include "base/checked.h"
#include "base/map.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/constant.h"
#include "ir/core/family.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "passes/launch/scalars.h"
#include "passes/launch/launch.h"

// What is followed at the most: programs beyond it are not warned of, so that the pass takes no
// time that is noticed; choices.
enum { MOST_OPS = 1 << 16, MOST_STEPS = 1 << 12, MOST_DEVICES = 64, MOST_PARTS = 8 };

typedef struct Flight Flight;

// One semaphore.
typedef struct Counter {
  int64_t signalled, waited;
  Map *flights; // a set of Flight: those that signal it
  // Of these, at the end of its memory: the last one, and whether for some of them nobody waits.
  const Flight *last;
  bool has_left;
} Counter;

// What is known of the memory of a root. It has parts along its first dimension, each as long as
// the first copy there: an access meets copies of its own parts, and those of more than MOST_PARTS.
typedef struct Memory {
  Map *counters;     // of semaphores, by index: Counter
  Map *signals;      // a set of Flight: those that signal these
  Map *parts;        // by number, -1 for those of many: sets of Flight that touch it
  int64_t part_size; // 0: no copy has touched it yet
  int64_t touches;   // of copies that may not be over
} Memory;

// A copy that may not be over.
struct Flight {
  const IrOp *op;
  int64_t number; // in the order of starts
  Memory *semaphores;
  Counter *counter;
  int64_t units;
  Box source, target;
  bool has_source, has_target; // they are known
};

// What devices do to a barrier semaphore.
typedef struct Barrier {
  int64_t id, signalled[MOST_DEVICES], waited[MOST_DEVICES];
  const IrOp *wait;
} Barrier;

typedef struct Walk {
  PassContext *ctx;
  const IrRegion *unit;
  Scalars scalars;
  bool is_lost; // something is not known that decides
  bool only_barriers;
  bool is_apart; // what is followed is one index of a grid's parallel dimensions
  int64_t ops;   // that may still be walked over
  Map *memories; // by root: Memory
  Map *flights;  // a set of Flight, in the order of their starts, as all such sets
  int64_t started;
  VEC(Barrier) barriers;
  int64_t device, device_count;
  // The condition that is followed all ways: the op, and the region that is taken. Of a loop: how
  // many turns it makes.
  const IrOp *fork;
  uint32_t taken;
  bool was_forked;
  Map *reported; // places that something was reported of
} Walk;

// ---- memory -------------------------------------------------------------------------------------
static Memory *memory_of(Walk *w, const IrValue *root) {
  Memory *memory = map_get(w->memories, root);
  if (memory) return memory;
  memory = ARENA_NEW(w->ctx->arena, Memory);
  *memory = (Memory){.counters = map_new(w->ctx->arena),
                     .signals = map_new(w->ctx->arena),
                     .parts = map_new(w->ctx->arena)};
  map_set(w->memories, root, memory);
  return memory;
}

// Bytes of a ref; -1: not known.
static int64_t bytes_of(const IrValue *ref) {
  return access_has_dynamic_size(ref) ? -1 : ir_type_bytes(ref->type);
}

// A memory's name, with the one index that tells slots apart.
static void put_memory(Buf *buf, const Box *box) {
  const IrValue *root = box->root;
  Str name = root->name ? name_str(root->name) : STR("");
  if (!name.len && root->def && root->def->code == OP_ALLOC)
    name = ir_attr_str(root->def, ATTR_NAME);
  if (name.len)
    buf_printf(buf, "'%.*s'", STR_FMT(name));
  else
    buf_c(buf, root->type->space == SPACE_SEM ? "its semaphore" : "memory");
  bool is_slot = box->rank > 0 && box->high[0] - box->low[0] == 1 && root->type->dims[0] > 1;
  if (is_slot) buf_printf(buf, "[%lld]", (long long)box->low[0]);
}

// ---- messages -----------------------------------------------------------------------------------
static Diag *warn(Walk *w, const IrOp *op, const Buf *text) {
  const SourceFile *file = source_get(w->ctx->session, op->span.file);
  if (!file || file->is_builtin || map_has(w->reported, pass_place(op))) return NULL;
  map_set(w->reported, pass_place(op), w);
  Diag *diag = diag_warning(w->ctx->session, WARN_WAITS, op->span, "%.*s", STR_FMT(buf_view(text)));
  if (!diag) return NULL;
  ir_diag_frames(w->ctx->session, diag, op->frames);
  return diag;
}

// How many ways go on from the op.
static uint32_t ways_of(const IrOp *op) { return ir_is_loop(op) ? 2 : op->region_count; }

static void note_path(Walk *w, Diag *diag) {
  if (!w->was_forked || !diag) return;
  const char *which = ir_is_loop(w->fork)      ? w->taken ? "where this loop makes one turn"
                                                          : "where this loop makes no turn"
                      : w->fork->code != OP_IF ? "where another one of these branches is taken"
                      : w->taken               ? "where this condition is false"
                                               : "where this condition is true";
  diag_note(w->ctx->session, diag, w->fork->span, "%s", which);
}

static void report_access(Walk *w, const IrOp *op, const Box *box, const char *does,
                          const Flight *flight, const char *way) {
  Buf text;
  buf_init(&text, w->ctx->arena);
  buf_printf(&text, "this %s ", does);
  put_memory(&text, box);
  buf_printf(&text, " while a copy %s it may be in flight", way);
  Diag *diag = warn(w, op, &text);
  if (!diag) return;
  diag_note(w->ctx->session, diag, flight->op->span, "the copy is started here");
  note_path(w, diag);
}

// ---- copies in flight ---------------------------------------------------------------------------
// The parts that a box touches, -1 and 0: too many.
static void parts_of(const Memory *memory, const Box *box, int64_t *first, int64_t *end) {
  *first = box->rank ? box->low[0] / memory->part_size : 0;
  *end = box->rank ? (box->high[0] - 1) / memory->part_size + 1 : 1;
  if (*end - *first <= MOST_PARTS) return;
  *first = -1;
  *end = 0;
}

static const void *key_of_part(int64_t part) { return (const void *)((uintptr_t)part + 2); }

static void touch(Walk *w, const Flight *f, const Box *box) {
  Memory *memory = memory_of(w, box->root);
  int64_t part, end;
  int64_t rows = box->rank ? box->high[0] - box->low[0] : 1;
  if (!memory->part_size) memory->part_size = rows;
  memory->touches++;
  for (parts_of(memory, box, &part, &end); part < end; part++) {
    Map *flights = map_get(memory->parts, key_of_part(part));
    if (!flights) {
      flights = map_new(w->ctx->arena);
      map_set(memory->parts, key_of_part(part), flights);
    }
    map_set(flights, f, w);
  }
}

static void leave(Walk *w, const Flight *f, const Box *box) {
  Memory *memory = memory_of(w, box->root);
  int64_t part, end;
  memory->touches--;
  for (parts_of(memory, box, &part, &end); part < end; part++)
    map_remove(map_get(memory->parts, key_of_part(part)), f);
}

static void take_off(Walk *w, Flight *f) {
  f->number = w->started++;
  map_set(w->flights, f, w);
  map_set(f->counter->flights, f, w);
  map_set(f->semaphores->signals, f, w);
  if (f->has_source) touch(w, f, &f->source);
  if (f->has_target) touch(w, f, &f->target);
}

static void land(Walk *w, const Flight *f) {
  map_remove(w->flights, f);
  map_remove(f->counter->flights, f);
  map_remove(f->semaphores->signals, f);
  if (f->has_source) leave(w, f, &f->source);
  if (f->has_target) leave(w, f, &f->target);
}

static void land_all(Walk *w, const Map *flights) {
  const void *f;
  for (size_t it = 0; map_next(flights, &it, &f, NULL);) land(w, f);
}

static bool copies_into(const Flight *f, const Box *box) {
  return f->has_target && box_meet(&f->target, box);
}

// The earliest one that an access meets: `best`, or one of a set.
static const Flight *earliest(const Flight *best, const Map *flights, const Box *box, bool writes) {
  const void *key;
  for (size_t it = 0; flights && map_next(flights, &it, &key, NULL);) {
    const Flight *f = key;
    if (best && best->number < f->number) return best;
    if (copies_into(f, box) || (writes && f->has_source && box_meet(&f->source, box))) return f;
  }
  return best;
}

static void look_at_access(Walk *w, const IrOp *op, const Box *box, bool writes, const char *does) {
  const Memory *memory = map_get(w->memories, box->root);
  if (!memory) return;
  int64_t part, end;
  parts_of(memory, box, &part, &end);
  const Flight *f =
      earliest(NULL, part < 0 ? w->flights : map_get(memory->parts, key_of_part(-1)), box, writes);
  for (; part >= 0 && part < end; part++)
    f = earliest(f, map_get(memory->parts, key_of_part(part)), box, writes);
  if (f) report_access(w, op, box, does, f, copies_into(f, box) ? "into" : "out of");
}

// ---- semaphores ---------------------------------------------------------------------------------
// The semaphore that the ref is, and its memory. NULL: it is not known which, or who else uses it.
static Counter *counter_of(Walk *w, const IrValue *ref, Memory **memory) {
  Box box;
  int64_t index = 0;
  if (!box_of(&w->scalars, ref, &box)) return NULL;
  for (int i = 0; i < box.rank; i++) {
    if (box.high[i] - box.low[i] != 1) return NULL;
    index = index * box.root->type->dims[i] + box.low[i];
  }
  if (!ir_region_is_in(ir_value_region(box.root), w->unit)) return NULL;
  *memory = memory_of(w, box.root);
  const void *key = (const void *)((uintptr_t)index + 1);
  Counter *counter = map_get((*memory)->counters, key);
  if (counter) return counter;
  counter = ARENA_NEW(w->ctx->arena, Counter);
  *counter = (Counter){.flights = map_new(w->ctx->arena)};
  map_set((*memory)->counters, key, counter);
  return counter;
}

static const char *where(const Walk *w) {
  return w->is_apart ? " at the same index of the grid's parallel dimensions" : "";
}

static void wait_for(Walk *w, const IrOp *op, int64_t units) {
  Memory *memory;
  Counter *c = units < 0 ? NULL : counter_of(w, op->operands[0], &memory);
  if (!c) {
    w->is_lost = true;
    return;
  }
  if (op->code != OP_SEM_WAIT || !ir_attr_int(op, ATTR_KEEP)) c->waited += units;
  // Copies signal their bytes as they come: all are over when all of these have been taken.
  if (c->waited == c->signalled) land_all(w, c->flights);
  if (c->waited <= c->signalled) return;
  Buf text;
  Box box;
  buf_init(&text, w->ctx->arena);
  buf_printf(&text, "this waits for more than has been started%s: ", where(w));
  if (box_of(&w->scalars, op->operands[0], &box)) put_memory(&text, &box);
  buf_printf(&text, " has been signalled by %lld, and waits so far need %lld",
             (long long)c->signalled, (long long)c->waited);
  note_path(w, warn(w, op, &text));
  w->is_lost = true;
}

// Whether the waits could have been for the other copies alone.
static bool can_be_left(const Flight *f) {
  return f->counter->waited <= f->counter->signalled - f->units;
}

// Whether the copy is reported as one that is left: if each was needed in part, the last one is.
static bool is_left(const Flight *f) {
  return can_be_left(f) || (!f->counter->has_left && f == f->counter->last);
}

static void report_left(Walk *w, const Flight *f) {
  const Counter *c = f->counter;
  Buf text;
  buf_init(&text, w->ctx->arena);
  buf_printf(&text, "the copy that is started here is not waited for%s", where(w));
  Diag *diag = warn(w, f->op, &text);
  note_path(w, diag);
  if (diag && c->waited)
    diag_note(w->ctx->session, diag, f->op->span,
              "copies signal the semaphore by %lld, and waits take %lld", (long long)c->signalled,
              (long long)c->waited);
}

static void report_all_left(Walk *w, const Map *flights) {
  const void *key;
  for (size_t it = 0; map_next(flights, &it, &key, NULL);) {
    const Flight *f = key;
    f->counter->last = f;
    f->counter->has_left |= can_be_left(f);
  }
  for (size_t it = 0; map_next(flights, &it, &key, NULL);)
    if (is_left(key)) report_left(w, key);
}

static void reset_counters(const Memory *memory) {
  const void *key;
  void *counter;
  for (size_t it = 0; map_next(memory->counters, &it, &key, &counter);)
    *(Counter *)counter = (Counter){.flights = ((Counter *)counter)->flights};
}

// Copies that nobody has waited for when their semaphore's memory ends.
static void end_of_memory(Walk *w, const IrValue *root) {
  const Memory *memory = map_get(w->memories, root);
  if (!memory) return;
  report_all_left(w, memory->signals);
  land_all(w, memory->signals);
  reset_counters(memory);
}

static void end_of_all(Walk *w) {
  const void *key;
  void *memory;
  report_all_left(w, w->flights);
  land_all(w, w->flights);
  for (size_t it = 0; map_next(w->memories, &it, &key, &memory);) reset_counters(memory);
}

static void start(Walk *w, const IrOp *op) {
  Flight *f = ARENA_NEW(w->ctx->arena, Flight);
  *f = (Flight){.op = op, .units = bytes_of(op->operands[1])};
  if (!ir_attr_int(op, ATTR_TARGET) && f->units >= 0)
    f->counter = counter_of(w, op->operands[2], &f->semaphores);
  if (!f->counter) {
    w->is_lost = true;
    return;
  }
  f->has_source = box_of(&w->scalars, op->operands[0], &f->source);
  f->has_target = box_of(&w->scalars, op->operands[1], &f->target);
  if (f->has_source) look_at_access(w, op, &f->source, false, "copies");
  if (f->has_target) look_at_access(w, op, &f->target, true, "copies into");
  if (!f->units) return; // a copy of no bytes: there is nothing to wait for
  f->counter->signalled += f->units;
  take_off(w, f);
}

static void signal(Walk *w, const IrOp *op) {
  Memory *memory;
  Counter *counter = NULL;
  int64_t units;
  if (!ir_attr_int(op, ATTR_TARGET) && scalars_int(&w->scalars, op->operands[1], &units))
    counter = counter_of(w, op->operands[0], &memory);
  if (counter)
    counter->signalled += units;
  else
    w->is_lost = true;
}

// ---- barriers of devices ------------------------------------------------------------------------
static Barrier *barrier_of(Walk *w, const IrValue *ref) {
  int64_t id = ir_attr_int(ir_ref_root(ref)->def, ATTR_COLLECTIVE_ID);
  for (size_t i = 0; i < w->barriers.count; i++)
    if (w->barriers.items[i].id == id) return &w->barriers.items[i];
  VEC_PUSH(w->ctx->arena, &w->barriers, ((Barrier){.id = id}));
  return &w->barriers.items[w->barriers.count - 1];
}

static void signal_barrier(Walk *w, const IrOp *op) {
  int64_t target = ir_attr_int(op, ATTR_TARGET);
  int64_t units = 0, device = w->device;
  bool is_known = scalars_int(&w->scalars, op->operands[1], &units);
  if (target)
    is_known &= target == TARGET_DEVICE && scalars_int(&w->scalars, op->operands[2], &device);
  if (!is_known || device < 0 || device >= w->device_count)
    w->is_lost = true;
  else
    barrier_of(w, op->operands[0])->signalled[device] += units;
}

static void wait_for_barrier(Walk *w, const IrOp *op) {
  int64_t units;
  Barrier *b = barrier_of(w, op->operands[0]);
  if (!scalars_int(&w->scalars, op->operands[1], &units) || ir_attr_int(op, ATTR_KEEP)) {
    w->is_lost = true;
    return;
  }
  b->waited[w->device] += units;
  b->wait = op;
}

static bool is_barrier(const IrValue *sem) {
  const IrValue *root = ir_ref_root(sem);
  return root->def && root->def->code == OP_SEM_BARRIER;
}

// ---- the program --------------------------------------------------------------------------------
static bool is_followed(const Walk *w, const IrOp *op) {
  bool is_sem = op->code == OP_SEM_SIGNAL || op->code == OP_SEM_WAIT || op->code == OP_SEM_READ;
  if (w->only_barriers) return is_sem && is_barrier(op->operands[0]);
  return is_sem || op->code == OP_COPY_START || op->code == OP_COPY_WAIT ||
         op->code == OP_FETCH_ADD || op->code == OP_CORES;
}

static bool has_followed(const Walk *w, const IrOp *op) {
  if (is_followed(w, op)) return true;
  for (uint32_t i = 0; i < op->region_count; i++)
    for (const IrOp *in = op->regions[i]->first; in; in = in->next)
      if (has_followed(w, in)) return true;
  return false;
}

static void walk_region(Walk *w, const IrRegion *region);

static void forget_results(Walk *w, const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++) scalars_set(&w->scalars, op->results[i], NULL);
}

static void hand_on(Walk *w, const IrValue *from, const IrValue *to) {
  scalars_set(&w->scalars, to, scalars_data(&w->scalars, from));
}

// What decides about the op is not known: one such op is followed all ways, once. The way that is
// taken now; if there was one before, none.
static uint32_t take_way(Walk *w, const IrOp *op) {
  if (w->was_forked) w->is_lost = true;
  w->fork = op;
  w->was_forked = true;
  return w->taken;
}

// One turn of a loop, whose body has these arguments for what is carried.
static void walk_turn(Walk *w, const IrOp *op, const IrRegion *body, IrValue *const *args) {
  for (uint32_t i = 0; i < op->result_count; i++) hand_on(w, op->results[i], args[i]);
  walk_region(w, body);
  for (uint32_t i = 0; i < op->result_count && !w->is_lost; i++)
    hand_on(w, body->last->operands[i], op->results[i]);
}

// A loop of unknown length makes no turn, or the first one.
static void walk_some_turns(Walk *w, const IrOp *op) {
  const IrRegion *body = op->regions[0];
  for (uint32_t i = 0; i < op->result_count; i++) hand_on(w, op->operands[3 + i], op->results[i]);
  if (!take_way(w, op) || w->is_lost) return;
  hand_on(w, op->operands[0], body->args[0]);
  walk_turn(w, op, body, body->args + 1);
}

// Whether there is another turn. If that is not known, it is one of the ways, if there was none
// before: `turned`, it was taken.
static bool goes_on(Walk *w, const IrOp *op, bool *turned) {
  const IrRegion *condition = op->regions[0];
  int64_t holds;
  for (uint32_t i = 0; i < op->result_count; i++) hand_on(w, op->results[i], condition->args[i]);
  walk_region(w, condition);
  if (w->is_lost) return false;
  if (scalars_int(&w->scalars, condition->last->operands[0], &holds)) return holds;
  if (*turned) return false;
  *turned = take_way(w, op);
  return *turned && !w->is_lost;
}

static void walk_while(Walk *w, const IrOp *op) {
  bool turned = false;
  if (!has_followed(w, op)) return;
  for (uint32_t i = 0; i < op->result_count; i++) hand_on(w, op->operands[i], op->results[i]);
  while (goes_on(w, op, &turned)) walk_turn(w, op, op->regions[1], op->regions[1]->args);
}

static void walk_for(Walk *w, const IrOp *op) {
  int64_t low, high, step;
  bool is_known = scalars_int(&w->scalars, op->operands[0], &low) &&
                  scalars_int(&w->scalars, op->operands[1], &high) &&
                  scalars_int(&w->scalars, op->operands[2], &step) && step > 0;
  if (!is_known) {
    if (has_followed(w, op)) walk_some_turns(w, op);
    return;
  }
  const IrRegion *body = op->regions[0];
  for (uint32_t i = 0; i < op->result_count; i++) hand_on(w, op->operands[3 + i], op->results[i]);
  // What is not followed is looked at once: its accesses are those of the first turn.
  bool once = !has_followed(w, op);
  for (int64_t at = low; at < high && !w->is_lost; at += step) {
    scalars_set_int(&w->scalars, body->args[0], at);
    walk_turn(w, op, body, body->args + 1);
    if (!once) continue;
    forget_results(w, op);
    return;
  }
}

static void walk_branch(Walk *w, const IrOp *op) {
  int64_t choice;
  bool is_known = scalars_int(&w->scalars, op->operands[0], &choice);
  if (!is_known && !has_followed(w, op)) {
    forget_results(w, op); // it may do anything, or nothing
    return;
  }
  if (!is_known) {
    choice = take_way(w, op);
    if (w->is_lost) return;
  } else if (op->code == OP_IF) {
    choice = !choice;
  }
  if (choice < 0) choice = 0;
  if (choice >= op->region_count) choice = op->region_count - 1;
  const IrRegion *region = op->regions[choice];
  walk_region(w, region);
  for (uint32_t i = 0; i < op->result_count && !w->is_lost; i++)
    hand_on(w, region->last->operands[i], op->results[i]);
}

static void walk_access(Walk *w, const IrOp *op) {
  uint32_t at = op_ref_position(op->code);
  Box box;
  if (w->only_barriers || access_is_masked(op)) return;
  if (!box_of(&w->scalars, op->operands[at], &box) || !box_narrow(&w->scalars, op, &box)) return;
  look_at_access(w, op, &box, op->code == OP_STORE, op->code == OP_STORE ? "writes" : "reads");
}

static void walk_comm(Walk *w, const IrOp *op) {
  int64_t units = -1;
  if (w->only_barriers) {
    if (op->code == OP_SEM_SIGNAL)
      signal_barrier(w, op);
    else if (op->code == OP_SEM_WAIT)
      wait_for_barrier(w, op);
    else
      w->is_lost = true;
    return;
  }
  switch (op->code) {
  case OP_COPY_START: start(w, op); return;
  case OP_COPY_WAIT: wait_for(w, op, bytes_of(op->operands[1])); return;
  case OP_SEM_SIGNAL: signal(w, op); return;
  case OP_SEM_WAIT:
    wait_for(w, op, scalars_int(&w->scalars, op->operands[1], &units) ? units : -1);
    return;
  default: w->is_lost = true; return;
  }
}

static void walk_launch(Walk *w, const IrOp *launch);

static void walk_op(Walk *w, const IrOp *op) {
  if (--w->ops < 0) w->is_lost = true;
  switch (op->code) {
  case OP_ALLOC:
    if (op->results[0]->type->space == SPACE_SEM) end_of_memory(w, op->results[0]);
    return;
  case OP_LOAD:
  case OP_STORE: walk_access(w, op); return;
  case OP_FOR: walk_for(w, op); return;
  case OP_IF:
  case OP_SWITCH: walk_branch(w, op); return;
  case OP_WHILE: walk_while(w, op); return;
  case OP_LAUNCH:
    if (has_followed(w, op)) walk_launch(w, op);
    return;
  case OP_YIELD: return;
  default: break;
  }
  if (is_followed(w, op))
    walk_comm(w, op);
  else
    scalars_evaluate(&w->scalars, op);
}

static void walk_region(Walk *w, const IrRegion *region) {
  for (const IrOp *op = region->first; op && !w->is_lost; op = op->next) walk_op(w, op);
}

// Whether a copy from or to what the body sees through a window is in flight: in another step that
// is other memory.
static bool has_moving_flights(const Walk *w, const LaunchParts *parts) {
  for (size_t i = 0; i < parts->block_count; i++) {
    const IrValue *arg = parts->body->args[parts->first_block + i];
    const Memory *memory = map_get(w->memories, arg);
    if (arg->type->space != SPACE_HBM && memory && memory->touches) return true;
  }
  return false;
}

// Dimensions of a grid whose steps have an order, or those whose steps have none and may run at
// once on several cores.
static bool is_parallel(const IrOp *launch, const LaunchParts *parts, size_t dim) {
  return parts->grid[dim] != 1 && launch_is_parallel(launch, dim);
}

// How many steps those dimensions have together; -1: not known, or too many.
static int64_t count_steps(const IrOp *launch, const LaunchParts *parts, bool parallel) {
  int64_t steps = 1;
  for (size_t i = 0; i < parts->rank; i++)
    if (is_parallel(launch, parts, i) == parallel &&
        (parts->grid[i] < 0 || !mul_i64(steps, parts->grid[i], &steps) || steps > MOST_STEPS))
      return -1;
  return steps;
}

static void set_steps(Walk *w, const IrOp *launch, const LaunchParts *parts, bool parallel,
                      int64_t step) {
  for (size_t i = parts->rank; i-- > 0;) {
    if (is_parallel(launch, parts, i) != parallel) continue;
    scalars_set_int(&w->scalars, parts->body->args[i], step % parts->grid[i]);
    step /= parts->grid[i];
  }
}

// All steps of the grid: for each index of its parallel dimensions the others in order.
static void walk_launch(Walk *w, const IrOp *launch) {
  LaunchParts parts;
  launch_parts(w->ctx->arena, launch, &parts);
  int64_t ordered = count_steps(launch, &parts, false), apart = count_steps(launch, &parts, true);
  w->is_lost |= ordered < 0 || apart < 0 || ordered * apart > MOST_STEPS;
  w->is_apart = apart > 1;
  for (int64_t outer = 0; outer < apart && !w->is_lost; outer++) {
    set_steps(w, launch, &parts, true, outer);
    for (int64_t step = 0; step < ordered && !w->is_lost; step++) {
      set_steps(w, launch, &parts, false, step);
      walk_region(w, parts.body);
      w->is_lost |= has_moving_flights(w, &parts);
    }
    // What was started for one index of the parallel dimensions is waited for there: the next one
    // may be another core's.
    if (apart > 1 && !w->is_lost) end_of_all(w);
  }
}

static Walk walk_new(PassContext *ctx, const IrRegion *unit, Map *reported) {
  Arena *arena = ctx->arena;
  return (Walk){.ctx = ctx,
                .unit = unit,
                .scalars = scalars_new(arena),
                .memories = map_new(arena),
                .flights = map_new(arena),
                .ops = MOST_OPS,
                .reported = reported};
}

// ---- units --------------------------------------------------------------------------------------
// The program runs at this place of its mesh.
static void set_core(Walk *w, const IrRegion *program, int64_t core) {
  const IrMesh *mesh = ir_program_mesh(program);
  for (int i = mesh->rank; i-- > 0; core /= mesh->sizes[i])
    scalars_set_int(&w->scalars, program->args[i], core % mesh->sizes[i]);
}

typedef struct Units {
  PassContext *ctx;
  Map *reported;
} Units;

// One of the ways: of the condition `fork`, or if that is NULL the first one there is, the region
// that is taken. `core`: of a mesh, whose index is known.
static Walk walk_way(Units *u, const IrOp *op, int64_t core, const IrOp *fork, uint32_t taken) {
  Walk w = walk_new(u->ctx, op->regions[0], u->reported);
  w.fork = fork;
  w.taken = taken;
  if (op->code == OP_LAUNCH) {
    walk_launch(&w, op);
  } else {
    set_core(&w, op->regions[0], core);
    walk_region(&w, op->regions[0]);
  }
  if (!w.is_lost) end_of_all(&w);
  return w;
}

static void walk_unit(Units *u, const IrOp *op, int64_t core) {
  Walk w = walk_way(u, op, core, NULL, 0);
  for (uint32_t i = 1; w.was_forked && !w.is_lost && i < ways_of(w.fork); i++)
    w = walk_way(u, op, core, w.fork, i);
}

static void report_barriers(Walk *w) {
  for (size_t i = 0; i < w->barriers.count; i++) {
    const Barrier *b = &w->barriers.items[i];
    for (int64_t d = 0; d < w->device_count && b->wait; d++) {
      if (b->signalled[d] == b->waited[d]) continue;
      Buf text;
      buf_init(&text, w->ctx->arena);
      buf_printf(&text,
                 "device %lld waits for %lld of this barrier semaphore, and is signalled %lld",
                 (long long)d, (long long)b->waited[d], (long long)b->signalled[d]);
      warn(w, b->wait, &text);
      break;
    }
  }
}

// All devices, one after the other: who signals whom does not depend on when.
static void walk_devices(Units *u, const IrOp *devices) {
  const IrRegion *program = devices->regions[0];
  Walk w = walk_new(u->ctx, program, u->reported);
  w.only_barriers = true;
  w.device_count = ir_mesh_size(ir_program_mesh(program));
  if (w.device_count > MOST_DEVICES || devices->region_count != 1 || !has_followed(&w, devices))
    return;
  for (w.device = 0; w.device < w.device_count && !w.is_lost; w.device++) {
    set_core(&w, program, w.device);
    w.ops = MOST_OPS;
    walk_region(&w, program);
    if (w.was_forked) w.is_lost = true;
  }
  if (!w.is_lost) report_barriers(&w);
}

static void find_target(IrOp *op, void *data) {
  bool is_sent = op->code == OP_SEM_SIGNAL || op->code == OP_COPY_START;
  if (is_sent && ir_attr_int(op, ATTR_TARGET)) *(bool *)data = true;
}

// On how many cores it runs with no other program beside it; 0: it is not looked at, as where cores
// signal each other.
static int64_t cores_of(const IrOp *op) {
  if (ir_program_around(op->parent)) return 0;
  if (op->code == OP_LAUNCH) return effects_region_communicates(op->regions[0]);
  if (op->code != OP_CORES || op->region_count != 1 || ir_runs_devices(op)) return 0;
  int64_t cores = ir_mesh_size(ir_program_mesh(op->regions[0]));
  bool talks = false;
  if (cores > 1) ir_walk(op->regions[0], find_target, &talks);
  return cores <= MOST_DEVICES && !talks ? cores : 0;
}

static void find_unit(IrOp *op, void *data) {
  Units *u = data;
  if (op->code == OP_CORES && ir_runs_devices(op)) walk_devices(u, op);
  for (int64_t core = 0, cores = cores_of(op); core < cores; core++) walk_unit(u, op, core);
}

bool pass_waits(PassContext *ctx) {
  Session *session = ctx->session;
  if (!session->warning_on[WARN_WAITS]) return true;
  size_t errors = session->error_count;
  Units u = {ctx, map_new(ctx->arena)};
  ir_walk_module(ctx->module, find_unit, &u);
  return session->error_count == errors;
}
