// SPDX-License-Identifier: Apache-2.0
// Under check: the copies of a launch's windows that the chip makes beside the steps. In: a launch
// while it is lowered. Out: ops `fetch.ahead` and `write.behind` where such a copy starts, waits
// where it is over.
//
// The order is that of JAX's emit_pipeline: a step starts the fetches for later ones, waits for its
// own block, runs, starts to write its block back if it is the last one that has it, and waits for
// what the step before has written back.
//
// So the index map of a later step is evaluated before this one runs: where the map reads memory
// that the body writes, and the block is another one when its step comes, that is a finding.
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ahead.h"
#include <string.h>
#include "ir/analysis/effects.h"
#include "launch_check.h"

typedef struct Sharing {
  const IrValue *root;
  const IrOp *launch;
  bool is_copied; // by ops outside of the launch
} Sharing;

static bool is_within(const IrOp *op, const IrOp *launch) {
  while (op && op != launch) op = op->parent->parent;
  return op != NULL;
}

static void find_copy(const IrOp *op, void *data) {
  Sharing *s = data;
  if (s->is_copied || !effects_is_later(op->code) || is_within(op, s->launch)) return;
  for (uint32_t i = 0; i < op->operand_count; i++)
    s->is_copied |= ir_ref_root(op->operands[i]) == s->root;
}

// Whether copies from outside of the launch may be in flight in the array, whose end a step waits
// for.
static bool meets_copies(const Lowering *l, const IrValue *root) {
  if (!effects_region_communicates(l->parts.body)) return false;
  const IrRegion *outermost = l->launch->parent;
  while (outermost->parent) outermost = outermost->parent->parent;
  Sharing s = {root, l->launch, false};
  ir_walk_const(outermost, find_copy, &s);
  return s.is_copied;
}

// Whether blocks may have elements in common that are not the same; of parallel steps that is
// reported by itself.
static bool may_overlap(const Lowering *l, const IrBlock *block) {
  if (check_has_parallel(l)) return false;
  for (int i = 0; i < block->rank; i++)
    if (block->dims[i].kind == BLOCK_ELEMENT || block->dims[i].kind == BLOCK_BOUNDED) return true;
  return false;
}

// Whether the chip copies the window's blocks while steps run, and something else touches the
// array, or the body copies a buffer.
static bool is_copied_beside(const Lowering *l, const Window *w) {
  bool is_both = window_is_input(w) && window_is_output(w);
  if (w->block->mode == BLOCK_WHOLE || w->is_static || is_both || w->block->buffers < 2)
    return false;
  if (w->memory && window_is_input(w)) return true;
  IrValue *root = ir_ref_root(w->array);
  bool is_written = window_is_output(w) || effects_region_writes(l->parts.body, root);
  bool is_shared = launch_captures(l->launch, root) || (is_written && may_overlap(l, w->block));
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *other = &l->windows[i];
    if (other == w || ir_ref_root(other->array) != root) continue;
    const IrValue *arg = l->parts.body->args[l->parts.first_block + i];
    is_shared |= arg->use_count > 0 || other->block->mode != BLOCK_WHOLE;
    is_written |= window_is_output(other);
  }
  // Each step is then recorded with its block, and no other one must touch that at any time.
  bool is_reported = w->is_direct && check_is_parallel(l);
  return (is_shared && is_written && !is_reported) || meets_copies(l, root);
}

// The step that is lowered among those of this core.
typedef struct CoreSteps {
  IrValue *number, *first, *end;
} CoreSteps;

static CoreSteps find_steps(Lowering *l, IrBuilder *b) {
  IrValue *number = ir_i32(b, 0), *inner = ir_i32(b, 1);
  for (size_t i = 0; i < l->parts.rank; i++) {
    number = ir_binary(b, OP_ADD, ir_binary(b, OP_MUL, number, l->sizes[i]), l->indices[i]);
    if (i >= l->shared) inner = ir_binary(b, OP_MUL, inner, l->sizes[i]);
  }
  if (l->shared)
    return (CoreSteps){number, ir_binary(b, OP_MUL, l->first, inner),
                       ir_binary(b, OP_MUL, l->last, inner)};
  return (CoreSteps){number, ir_i32(b, 0), inner};
}

static void starts_of(Lowering *l, IrBuilder *b, const Window *w, IrValue *step, IrValue **out) {
  IrValue *here[IR_MAX_RANK];
  memcpy(here, l->indices, sizeof here);
  lower_indices(l, b, l->parts.rank, step);
  window_evaluate_map(l, b, w, out);
  memcpy(l->indices, here, sizeof here);
}

// ---- index maps ---------------------------------------------------------------------------------
typedef struct MapReads {
  const Lowering *l;
  const Window *w;
  const IrValue *changed; // memory that the map reads and the body writes, as the body has it
  const IrOp *by;         // the last op of the body that does
} MapReads;

static void find_read(const IrOp *op, void *data) {
  MapReads *reads = data;
  const LaunchParts *parts = &reads->l->parts;
  for (uint32_t i = 0; i < op->operand_count && !reads->changed; i++) {
    if (!effects_reads(op, i)) continue;
    const IrValue *root = ir_ref_root(op->operands[i]);
    for (size_t k = 0; k < parts->prefetch_count; k++)
      if (root == reads->w->map->args[parts->rank + k]) root = parts->body->args[parts->rank + k];
    if (effects_region_writes(parts->body, root)) reads->changed = root;
  }
}

static void find_write(const IrOp *op, void *data) {
  MapReads *reads = data;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (effects_writes(op, i) && ir_ref_root(op->operands[i]) == reads->changed) reads->by = op;
}

// What a parallel step has changed there is as never written for another one.
static void find_map_reads(const Lowering *l, Window *w) {
  bool is_fetched = window_is_input(w) && !window_is_output(w) && w->block->buffers > 1;
  if (!is_fetched || w->block->mode == BLOCK_WHOLE || w->is_static || check_has_parallel(l)) return;
  MapReads reads = {l, w, NULL, NULL};
  ir_walk_const(w->map, find_read, &reads);
  if (reads.changed) ir_walk_const(l->parts.body, find_write, &reads);
  w->changed_by = reads.by;
}

static void allocate_foreseen(Lowering *l, IrBuilder *b, Window *w) {
  find_map_reads(l, w);
  if (!w->changed_by) return;
  int64_t dims[] = {w->block->buffers - 1, window_values(w)};
  w->foreseen = ir_alloc(b, ir_ref_type(l->ctx->module, SPACE_SMEM, DT_I32, 2, dims), STR(""));
}

static IrValue *foreseen_at(IrBuilder *b, const Window *w, IrValue *step, int value) {
  IrValue *places[] = {lower_i32(b, OP_REM, step, w->block->buffers - 1), ir_i32(b, value)};
  IrIndex index = {.rank = 2,
                   .dims = {{INDEX_SCALAR, 0, 0, 1, -1, 1}, {INDEX_SCALAR, 0, 1, 1, -1, 1}}};
  return ir_view(b, w->foreseen, &index, 2, places);
}

static void compare_foreseen(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrValue *operands[4 * IR_MAX_RANK + 1], *foreseen[2 * IR_MAX_RANK];
  int rank = w->block->rank;
  for (int i = 0; i < window_values(w); i++)
    foreseen[i] = ir_load_all(b, foreseen_at(b, w, steps->number, i));
  operands[0] = ir_unary(b, OP_NOT, window_differs(b, w, foreseen, w->starts));
  memcpy(operands + 1, foreseen, (size_t)rank * sizeof *operands);
  memcpy(operands + 1 + rank, w->starts, (size_t)rank * sizeof *operands);
  IrOp *check = check_block(
      l, b, w, 2u * (size_t)rank + 1, operands, FINDING_LOST,
      str_format(l->ctx->arena,
                 "this comes too late for the index map of '%s': the block of the step has been "
                 "fetched ahead, block %.*s and not %.*s",
                 lower_block_name(l, w), STR_FMT(check_index_format(l, w)),
                 STR_FMT(check_index_format(l, w))));
  check->span = w->changed_by->span;
  check->frames = w->changed_by->frames;
}

static void foresee(Lowering *l, IrBuilder *b, const Window *w, IrValue *step) {
  IrValue *starts[2 * IR_MAX_RANK];
  starts_of(l, b, w, step, starts);
  for (int i = 0; i < window_values(w); i++) ir_store_all(b, starts[i], foreseen_at(b, w, step, i));
}

// The steps up to so many behind the first one are foreseen there, others as many steps before.
static void look_ahead(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrBuilder later = lower_open_if(b, ir_binary(b, OP_NE, steps->number, steps->first));
  compare_foreseen(l, &later, w, steps);
  ir_yield(&later, 0, NULL);
  IrValue *last = lower_i32(b, OP_SUB, steps->end, 1);
  IrBuilder first = lower_open_if(b, ir_binary(b, OP_EQ, steps->number, steps->first));
  for (int i = 1; i < w->block->buffers - 1; i++)
    foresee(l, &first, w,
            ir_binary(&first, OP_MIN, lower_i32(&first, OP_ADD, steps->number, i), last));
  ir_yield(&first, 0, NULL);
  IrValue *next = lower_i32(b, OP_ADD, steps->number, w->block->buffers - 1);
  IrBuilder inside = lower_open_if(b, ir_binary(b, OP_LT, next, steps->end));
  foresee(l, &inside, w, next);
  ir_yield(&inside, 0, NULL);
}

// ---- copies -------------------------------------------------------------------------------------
static IrValue *allocate_count(IrBuilder *b) {
  return ir_alloc(b, ir_ref_type(b->module, SPACE_SMEM, DT_I32, 0, NULL), STR(""));
}

void ahead_allocate(Lowering *l, IrBuilder *b) {
  if (!l->ctx->options->check) return;
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    allocate_foreseen(l, b, w);
    if (!is_copied_beside(l, w)) continue;
    int64_t slots = w->block->buffers;
    w->in_flight = ir_alloc(b, ir_sem_type(l->ctx->module, SEM_REGULAR, 1, &slots), STR(""));
    w->reached = allocate_count(b);
    w->fetched = allocate_count(b);
    w->taken = allocate_count(b);
  }
}

// Whether the block of the step is another one than that so many steps further, which there may not
// be.
static IrValue *differs_from(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps,
                             int further) {
  IrValue *there[2 * IR_MAX_RANK];
  IrValue *step = lower_i32(b, OP_ADD, steps->number, further);
  step = further < 0 ? ir_binary(b, OP_MAX, step, steps->first)
                     : ir_binary(b, OP_MIN, step, lower_i32(b, OP_SUB, steps->end, 1));
  starts_of(l, b, w, step, there);
  return window_differs(b, w, w->starts, there);
}

static IrValue *slot_of(IrBuilder *b, const Window *w, IrValue *count) {
  IrValue *slot = lower_i32(b, OP_REM, count, w->block->buffers);
  IrIndex index = {.rank = 1, .dims = {{INDEX_SCALAR, 0, 0, 1, -1, 1}}};
  return ir_view(b, w->in_flight, &index, 1, &slot);
}

static void wait_for_slot(IrBuilder *b, const Window *w, IrValue *count) {
  IrValue *operands[] = {slot_of(b, w, count), ir_i32(b, 1)};
  IrOp *wait = ir_build(b, OP_SEM_WAIT, 2, operands, 0, NULL);
  ir_set_int(b->module, wait, ATTR_KEEP, 0);
}

static IrOp *copy_beside(Lowering *l, IrBuilder *b, const Window *w, OpCode code, IrValue *count,
                         IrValue *const *starts) {
  Window there = *w;
  memcpy(there.starts, starts, (size_t)window_values(w) * sizeof *starts);
  IrValue *array = w->block->mode == BLOCK_COPIED ? window_clip(l, b, w, w->buffer, starts).array
                                                  : window_in_place(l, b, &there);
  IrValue *operands[] = {array, slot_of(b, w, count)};
  IrOp *op = ir_build(b, code, 2, operands, 0, NULL);
  if (w->block->span.end > w->block->span.begin) op->span = w->block->span;
  ir_set_str(l->ctx->module, op, ATTR_NAME, str_from_c(lower_block_name(l, w)));
  ir_set_int(l->ctx->module, op, ATTR_BUFFERS, w->block->buffers);
  return op;
}

// Gives what it was before.
static IrValue *count_one(IrBuilder *b, IrValue *count) {
  IrValue *before = ir_load_all(b, count);
  ir_store_all(b, lower_i32(b, OP_ADD, before, 1), count);
  return before;
}

// Whether the step behind the last one that was looked at may be fetched now: one that is as many
// steps ahead as there are other buffers, or, with lookahead, any while there is a free one.
static IrValue *may_fetch(IrBuilder *b, const Window *w, const CoreSteps *steps) {
  int64_t buffers = w->block->buffers;
  IrValue *next = lower_i32(b, OP_ADD, ir_load_all(b, w->reached), 1);
  IrValue *is_near =
      w->block->lookahead
          ? ir_binary(b, OP_LT, ir_load_all(b, w->fetched),
                      lower_i32(b, OP_ADD, ir_load_all(b, w->taken), buffers))
          : ir_binary(b, OP_LE, next, lower_i32(b, OP_ADD, steps->number, buffers - 1));
  return ir_binary(b, OP_AND, ir_binary(b, OP_LT, next, steps->end), is_near);
}

static void start_fetch(Lowering *l, IrBuilder *b, const Window *w, int ahead,
                        IrValue *const *starts) {
  IrValue *count = count_one(b, w->fetched);
  IrOp *op = copy_beside(l, b, w, OP_FETCH_AHEAD, count, starts);
  ir_set_int(l->ctx->module, op, ATTR_AHEAD, ahead);
  // What the block's buffer holds is over from here.
  if (w->memory && ahead)
    ir_copy(b, w->pristine, window_buffer(b, w, lower_i32(b, OP_ADD, count, 1)), MOVE_FETCH);
}

static void fetch_next(Lowering *l, IrBuilder *b, const Window *w) {
  IrValue *here[2 * IR_MAX_RANK], *next[2 * IR_MAX_RANK];
  starts_of(l, b, w, ir_load_all(b, w->reached), here);
  count_one(b, w->reached);
  starts_of(l, b, w, ir_load_all(b, w->reached), next);
  IrBuilder inside = lower_open_if(b, window_differs(b, w, here, next));
  start_fetch(l, &inside, w, w->block->buffers > 2 || w->block->lookahead ? 2 : 1, next);
  ir_yield(&inside, 0, NULL);
}

static void fetch_ahead(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrBuilder first = lower_open_if(b, ir_binary(b, OP_EQ, steps->number, steps->first));
  ir_store_all(&first, steps->number, w->reached);
  ir_store_all(&first, ir_i32(&first, 0), w->fetched);
  ir_store_all(&first, ir_i32(&first, 0), w->taken);
  start_fetch(l, &first, w, 0, w->starts);
  ir_yield(&first, 0, NULL);
  IrOp *loop = ir_build(b, OP_WHILE, 0, NULL, 0, NULL);
  loop->span = (Span){0};
  IrBuilder test = *b, body = *b;
  test.region = ir_add_region(b->module, loop);
  body.region = ir_add_region(b->module, loop);
  test.before = body.before = NULL;
  IrValue *goes_on = may_fetch(&test, w, steps);
  ir_yield(&test, 1, &goes_on);
  fetch_next(l, &body, w);
  ir_yield(&body, 0, NULL);
}

static void wait_in(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrValue *is_first = ir_binary(b, OP_EQ, steps->number, steps->first);
  IrBuilder inside =
      lower_open_if(b, ir_binary(b, OP_OR, is_first, differs_from(l, b, w, steps, -1)));
  wait_for_slot(&inside, w, ir_load_all(&inside, w->taken));
  ir_yield(&inside, 0, NULL);
}

// The block is not needed any more, so that its buffer is free.
static void leave_block(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrBuilder inside = lower_open_if(b, differs_from(l, b, w, steps, 1));
  count_one(&inside, w->taken);
  ir_yield(&inside, 0, NULL);
}

static IrValue *is_last(IrBuilder *b, const CoreSteps *steps) {
  return ir_binary(b, OP_EQ, lower_i32(b, OP_ADD, steps->number, 1), steps->end);
}

static void write_behind(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrValue *leaves = ir_binary(b, OP_OR, differs_from(l, b, w, steps, 1), is_last(b, steps));
  IrBuilder inside = lower_open_if(b, leaves);
  copy_beside(l, &inside, w, OP_WRITE_BEHIND, steps->number, w->starts);
  ir_yield(&inside, 0, NULL);
}

static void wait_out(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps) {
  IrBuilder inside = lower_open_if(b, differs_from(l, b, w, steps, -1));
  wait_for_slot(&inside, w, lower_i32(&inside, OP_SUB, steps->number, 1));
  ir_yield(&inside, 0, NULL);
  IrBuilder last = lower_open_if(b, is_last(b, steps));
  wait_for_slot(&last, w, steps->number);
  ir_yield(&last, 0, NULL);
}

typedef void CopyStep(Lowering *l, IrBuilder *b, const Window *w, const CoreSteps *steps);

static void at_windows(Lowering *l, IrBuilder *b, const CoreSteps *steps, bool are_outputs,
                       CopyStep *step) {
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    if (w->in_flight && window_is_output(w) == are_outputs) step(l, b, w, steps);
  }
}

static bool has_any(const Lowering *l) {
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].in_flight) return true;
  return false;
}

static bool has_foreseen(const Lowering *l) {
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].foreseen) return true;
  return false;
}

void ahead_enter(Lowering *l, IrBuilder *b) {
  if (!has_any(l) && !has_foreseen(l)) return;
  CoreSteps steps = find_steps(l, b);
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].foreseen) look_ahead(l, b, &l->windows[i], &steps);
  at_windows(l, b, &steps, false, fetch_ahead);
  at_windows(l, b, &steps, false, wait_in);
}

void ahead_leave(Lowering *l, IrBuilder *b) {
  if (!has_any(l)) return;
  CoreSteps steps = find_steps(l, b);
  at_windows(l, b, &steps, true, write_behind);
  at_windows(l, b, &steps, true, wait_out);
  at_windows(l, b, &steps, false, leave_block);
}
