// SPDX-License-Identifier: Apache-2.0
// Following steps of a launch. What is not known of numbers is left open: memory that is written
// under a condition that is not known has not been written, and one that decides about a semaphore
// ends it. Copies are made when they are started, which is one of the times at which a chip may
// make them: what meets one that is under way would show another one, and ends it.
#include "follow.h"

#include "base/buf.h"
#include "base/checked.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/family.h"
#include "ir/core/region.h"
#include "scalars.h"

// Choices: a launch beyond them is not followed to its end, so that it takes no time that is
// noticed.
enum { MOST_OPS = 1 << 14, MOST_STEPS = 1 << 10, MOST_COUNTERS = 1 << 10, MOST_ROWS = 1 << 10 };

// A copy under way: from its start until nothing is left of what its semaphore counts.
typedef struct Flight {
  Box from, to; // or more
  const int64_t *counter;
} Flight;

typedef struct Follow {
  Arena *arena;
  const IrRegion *body;
  Scalars scalars;
  Map *counters;        // by root of semaphores: int64_t, one for each
  const IrValue *asked; // whose memory is looked at, or NULL
  VEC(Box) written;     // of it
  VEC(Flight) flights;
  bool is_open; // what is followed now may not happen
  bool is_lost;
  int64_t ops; // that may still be followed
} Follow;

// ---- semaphores ---------------------------------------------------------------------------------
static int64_t *counters_of(Follow *f, const IrValue *root) {
  int64_t *counters = map_get(f->counters, root);
  int64_t count = ir_type_count(root->type);
  if (counters || count > MOST_COUNTERS) return counters;
  if (!ir_region_is_in(ir_value_region(root), f->body)) return NULL;
  counters = ARENA_ARRAY(f->arena, int64_t, (size_t)count + 1);
  map_set(f->counters, root, counters);
  return counters;
}

static void land(Follow *f, const int64_t *counter) {
  size_t kept = 0;
  for (size_t i = 0; i < f->flights.count; i++)
    if (f->flights.items[i].counter != counter) f->flights.items[kept++] = f->flights.items[i];
  f->flights.count = kept;
}

// The counter, of a semaphore that is known.
static const int64_t *count(Follow *f, const IrValue *sem, int64_t units) {
  Box box;
  int64_t at = 0, *counters = box_of(&f->scalars, sem, &box) ? counters_of(f, box.root) : NULL;
  for (int i = 0; counters && i < box.rank; i++) {
    if (box.high[i] - box.low[i] != 1) counters = NULL;
    at = at * box.root->type->dims[i] + box.low[i];
  }
  if (counters) counters[at] += units;
  f->is_lost |= f->is_open || !counters || counters[at] < 0;
  if (counters && !counters[at]) land(f, &counters[at]);
  return counters ? &counters[at] : NULL;
}

static bool are_zero(const IrValue *root, const int64_t *counters) {
  for (int64_t i = ir_type_count(root->type); i-- > 0;)
    if (counters[i]) return false;
  return true;
}

static void end_counters(Follow *f) {
  const void *root;
  void *counters;
  for (size_t it = 0; map_next(f->counters, &it, &root, &counters);)
    f->is_lost |= !are_zero(root, counters);
}

// ---- memory -------------------------------------------------------------------------------------
static bool has_rows(const Box *outer, const Box *inner, int64_t row) {
  if (outer->rank && (row < outer->low[0] || row >= outer->high[0])) return false;
  for (int i = 1; i < outer->rank; i++)
    if (outer->low[i] > inner->low[i] || outer->high[i] < inner->high[i]) return false;
  return true;
}

static bool is_written(const Follow *f, const Box *box) {
  int64_t low = box->rank ? box->low[0] : 0, high = box->rank ? box->high[0] : 1;
  if (high - low > MOST_ROWS) return false;
  for (int64_t row = low; row < high; row++) {
    bool found = false;
    for (size_t i = 0; !found && i < f->written.count; i++)
      found = has_rows(&f->written.items[i], box, row);
    if (!found) return false;
  }
  return true;
}

static void add_written(Follow *f, const Box *box) {
  for (size_t i = 0; i < f->written.count; i++) {
    Box *last = &f->written.items[i];
    bool is_beside = has_rows(last, box, last->low[0]) && has_rows(box, last, box->low[0]);
    if (!box->rank || !is_beside || box->low[0] > last->high[0] || box->high[0] < last->low[0])
      continue;
    if (box->low[0] < last->low[0]) last->low[0] = box->low[0];
    if (box->high[0] > last->high[0]) last->high[0] = box->high[0];
    return;
  }
  VEC_PUSH(f->arena, &f->written, *box);
}

// The part of the memory that is asked of, all of it if it is not known which. false: it is not
// met.
static bool place_of(const Follow *f, const IrOp *op, const IrValue *ref, Box *box, bool *known) {
  if (!f->asked || ir_ref_root(ref) != f->asked) return false;
  bool is_access = op->code == OP_LOAD || op->code == OP_STORE;
  *known = box_of(&f->scalars, ref, box) && (!is_access || box_narrow(&f->scalars, op, box));
  if (!*known) box_of(&f->scalars, f->asked, box);
  return true;
}

// All that an op touches of a ref, or more.
static Box around(const Follow *f, const IrOp *op, const IrValue *ref) {
  Box box = {0};
  bool is_access = op->code == OP_LOAD || op->code == OP_STORE;
  if (box_of(&f->scalars, ref, &box) && is_access) box_narrow(&f->scalars, op, &box);
  if (!box.root) box_of(&f->scalars, ir_ref_root(ref), &box);
  return box;
}

static void meet_flights(Follow *f, const IrOp *op, const IrValue *ref, bool writes) {
  if (!f->flights.count) return;
  Box box = around(f, op, ref);
  for (size_t i = 0; i < f->flights.count; i++) {
    const Flight *flight = &f->flights.items[i];
    f->is_lost |= box_meet(&flight->to, &box) || (writes && box_meet(&flight->from, &box));
  }
}

// Blocks go on to other places when a step ends.
static void end_step(Follow *f, const LaunchParts *parts) {
  for (size_t i = 0; i < f->flights.count; i++) {
    const IrValue *roots[] = {f->flights.items[i].from.root, f->flights.items[i].to.root};
    for (size_t k = 0; k < COUNT_OF(roots); k++)
      f->is_lost |= roots[k]->type->space != SPACE_HBM && roots[k]->region == parts->body &&
                    roots[k]->index < parts->first_scratch;
  }
}

static void read(Follow *f, const IrOp *op, const IrValue *ref) {
  Box box;
  bool known;
  meet_flights(f, op, ref, false);
  if (place_of(f, op, ref, &box, &known)) f->is_lost |= !is_written(f, &box);
}

static void write(Follow *f, const IrOp *op, const IrValue *ref) {
  Box box;
  bool known;
  meet_flights(f, op, ref, true);
  if (place_of(f, op, ref, &box, &known) && known && !f->is_open) add_written(f, &box);
}

// ---- ops ----------------------------------------------------------------------------------------
static bool has_dims(const IrType *type, const IrType *like) {
  if (type->rank != like->rank || type->dtype != like->dtype) return false;
  for (int i = 0; i < type->rank; i++)
    if (type->dims[i] != like->dims[i]) return false;
  return true;
}

bool follow_is_plain_copy(const IrOp *op) {
  if (op->code != OP_COPY && op->code != OP_COPY_START) return false;
  const IrAttr *add = ir_attr_find(op, ATTR_ADD);
  bool is_here = op->code == OP_COPY || (!ir_attr_int(op, ATTR_TARGET) && op->operand_count == 3);
  const IrValue *from = op->operands[0], *to = op->operands[1];
  return is_here && !(add && ir_attr_int(op, ATTR_ADD)) && !access_has_dynamic_size(from) &&
         !access_has_dynamic_size(to) && has_dims(from->type, to->type);
}

// Whether turns of a loop with it are followed one by one.
static bool counts(const IrOp *op) { return effects_communicates(op->code) || op->code == OP_COPY; }

static bool holds_counting(const IrOp *op) {
  for (uint32_t i = 0; i < op->region_count; i++)
    if (effects_region_has(op->regions[i], counts)) return true;
  return false;
}

static void follow_region(Follow *f, const IrRegion *region);

static void forget(Follow *f, const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++) scalars_set(&f->scalars, op->results[i], NULL);
}

// Regions that may run, or may not: any number of times, with any arguments.
static void follow_open(Follow *f, const IrOp *op, bool is_open) {
  bool was_open = f->is_open;
  f->is_open |= is_open;
  for (uint32_t r = 0; r < op->region_count; r++) {
    const IrRegion *region = op->regions[r];
    for (uint32_t i = 0; i < region->arg_count; i++)
      scalars_set(&f->scalars, region->args[i], NULL);
    forget(f, op);
    follow_region(f, region);
  }
  f->is_open = was_open;
  forget(f, op);
}

static void hand_on(Follow *f, IrValue *const *from, IrValue *const *to, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    scalars_set(&f->scalars, to[i], scalars_data(&f->scalars, from[i]));
}

static void follow_for(Follow *f, const IrOp *op) {
  int64_t low, high, step;
  const IrRegion *body = op->regions[0];
  bool is_known = scalars_int(&f->scalars, op->operands[0], &low) &&
                  scalars_int(&f->scalars, op->operands[1], &high) &&
                  scalars_int(&f->scalars, op->operands[2], &step) && step > 0;
  if (!is_known || !holds_counting(op)) {
    follow_open(f, op, !is_known || low >= high);
    return;
  }
  hand_on(f, op->operands + 3, op->results, op->result_count);
  for (int64_t at = low; at < high && !f->is_lost; at += step) {
    scalars_set_int(&f->scalars, body->args[0], at);
    hand_on(f, op->results, body->args + 1, op->result_count);
    follow_region(f, body);
    if (!f->is_lost) hand_on(f, body->last->operands, op->results, op->result_count);
  }
}

static void follow_branch(Follow *f, const IrOp *op) {
  int64_t choice;
  if (!scalars_int(&f->scalars, op->operands[0], &choice)) {
    follow_open(f, op, true);
    return;
  }
  if (op->code == OP_IF) choice = !choice;
  if (choice < 0) choice = 0;
  if (choice >= op->region_count) choice = op->region_count - 1;
  const IrRegion *region = op->regions[choice];
  follow_region(f, region);
  if (!f->is_lost) hand_on(f, region->last->operands, op->results, op->result_count);
}

static void follow_copy(Follow *f, const IrOp *op) {
  f->is_lost |= !follow_is_plain_copy(op);
  read(f, op, op->operands[0]);
  write(f, op, op->operands[1]);
  if (op->code != OP_COPY_START || f->is_lost) return;
  const int64_t *counter = count(f, op->operands[2], ir_type_bytes(op->operands[1]->type));
  Flight flight = {around(f, op, op->operands[0]), around(f, op, op->operands[1]), counter};
  if (counter && *counter) VEC_PUSH(f->arena, &f->flights, flight);
}

static void follow_signal(Follow *f, const IrOp *op, int sign) {
  int64_t units = 0;
  const IrAttr *target = ir_attr_find(op, ATTR_TARGET), *keep = ir_attr_find(op, ATTR_KEEP);
  bool is_known = scalars_int(&f->scalars, op->operands[1], &units) && units >= 0;
  f->is_lost |= !is_known || (target && target->i) || (keep && keep->i);
  if (!f->is_lost) count(f, op->operands[0], sign * units);
}

static void follow_alloc(Follow *f, const IrValue *ref) {
  const int64_t *counters = map_get(f->counters, ref);
  if (counters) f->is_lost |= !are_zero(ref, counters);
}

// Any other op: it may read all refs that it has.
static void follow_other(Follow *f, const IrOp *op) {
  f->is_lost |= effects_communicates(op->code);
  if (op_info(op->code)->effects & EFFECT_VIEWS) return;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!op->operands[i]->type->is_ref) continue;
    meet_flights(f, op, op->operands[i], true);
    read(f, op, op->operands[i]);
  }
  if (op->region_count)
    follow_open(f, op, true);
  else
    scalars_evaluate(&f->scalars, op);
}

static void follow_op(Follow *f, const IrOp *op) {
  if (--f->ops < 0) f->is_lost = true;
  switch (op->code) {
  case OP_ALLOC: follow_alloc(f, op->results[0]); return;
  case OP_LOAD:
    read(f, op, op->operands[0]);
    forget(f, op);
    return;
  case OP_STORE:
    if (access_is_masked(op))
      meet_flights(f, op, op->operands[1], true);
    else
      write(f, op, op->operands[1]);
    return;
  case OP_COPY:
  case OP_COPY_START: follow_copy(f, op); return;
  case OP_COPY_WAIT:
    f->is_lost |= access_has_dynamic_size(op->operands[1]);
    if (!f->is_lost) count(f, op->operands[0], -ir_type_bytes(op->operands[1]->type));
    return;
  case OP_SEM_SIGNAL: follow_signal(f, op, 1); return;
  case OP_SEM_WAIT: follow_signal(f, op, -1); return;
  case OP_FOR: follow_for(f, op); return;
  case OP_IF:
  case OP_SWITCH: follow_branch(f, op); return;
  case OP_YIELD: return;
  default: follow_other(f, op);
  }
}

static void follow_region(Follow *f, const IrRegion *region) {
  for (const IrOp *op = region->first; op && !f->is_lost; op = op->next) follow_op(f, op);
}

// ---- steps --------------------------------------------------------------------------------------
static bool follow_steps(Follow *f, const IrOp *launch, size_t fixed) {
  LaunchParts parts;
  launch_parts(f->arena, launch, &parts);
  int64_t steps = 1;
  for (size_t d = fixed; d < parts.rank; d++)
    if (parts.grid[d] < 1 || !mul_i64(steps, parts.grid[d], &steps) || steps > MOST_STEPS)
      return false;
  for (int64_t step = 0; step < steps && !f->is_lost; step++) {
    int64_t rest = step;
    for (size_t d = parts.rank; d-- > fixed; rest /= parts.grid[d])
      scalars_set_int(&f->scalars, parts.body->args[d], rest % parts.grid[d]);
    follow_region(f, parts.body);
    end_step(f, &parts);
  }
  end_counters(f);
  return !f->is_lost;
}

static Follow follow_new(Arena *arena, const IrOp *launch, const IrValue *asked) {
  return (Follow){.arena = arena,
                  .body = launch->regions[0],
                  .scalars = scalars_new(arena),
                  .counters = map_new(arena),
                  .asked = asked,
                  .ops = MOST_OPS};
}

bool follow_is_balanced(Arena *arena, const IrOp *launch, size_t fixed) {
  Follow f = follow_new(arena, launch, NULL);
  return follow_steps(&f, launch, fixed);
}

bool follow_makes_own(Arena *arena, const IrOp *launch, size_t fixed, const IrValue *ref) {
  Follow f = follow_new(arena, launch, ref);
  return follow_steps(&f, launch, fixed);
}
