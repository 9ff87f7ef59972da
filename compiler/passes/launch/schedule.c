// SPDX-License-Identifier: Apache-2.0
// The chip's own schedule of a launch, for --emit=schedule: one loop over the steps; every window
// has slots; an input's copy for the step buffers - 1 ahead is started before this step's is waited
// for; an output's copy is started when its block is left and waited for before its slot is used
// again. The result is ordinary IR: it verifies, reads back and runs.
#include <string.h>
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "window.h"

// Carried values of a window that moves: copies started; copies waited for (inputs) or blocks
// entered (outputs); and for an output, slot by slot, the index of the block whose copy last left
// it, since a wait is for the bytes of that copy.
enum { STATE_STARTED, STATE_CURRENT, STATE_HELD };

static bool has_slots(const Window *w) { return w->block->mode == BLOCK_COPIED; }

static int slots(const Window *w) { return w->is_static ? 1 : w->block->buffers; }

static size_t state_size(const Window *w) {
  return STATE_HELD + (window_is_output(w) ? (size_t)(slots(w) * window_values(w)) : 0);
}

static IrValue *slot_view(IrBuilder *b, IrValue *ref, IrValue *slot) {
  IrIndex index;
  ir_index_full(ref->type, &index);
  index.dims[0] = (IndexDim){INDEX_SCALAR, 0, 0, 1, -1, 1};
  return ir_view(b, ref, &index, 1, &slot);
}

static void allocate(Lowering *l, IrBuilder *b) {
  IrModule *m = l->ctx->module;
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_slots(w)) continue;
    const IrType *t = l->parts.body->args[l->parts.first_block + i]->type;
    int64_t dims[IR_MAX_RANK] = {slots(w)};
    memcpy(dims + 1, t->dims, t->rank * sizeof dims[0]);
    w->buffer = ir_alloc(b, ir_ref_type(m, t->space, t->dtype, t->rank + 1u, dims),
                         name_str(w->block->name));
    w->semaphores = ir_alloc(b, ir_sem_type(m, SEM_DMA, 1, dims), STR(""));
  }
  for (size_t i = 0; i < l->parts.scratch_count; i++) {
    IrValue *arg = l->parts.body->args[l->parts.first_scratch + i];
    ir_replace_uses(l->parts.body, arg, ir_alloc(b, arg->type, STR("scratch")));
  }
}

static void start_copy(Lowering *l, IrBuilder *b, const Window *w, IrValue *slot,
                       IrValue *const *starts, bool in) {
  ClippedViews v = window_clip(l, b, w, slot_view(b, w->buffer, slot), starts);
  IrValue *operands[] = {in ? v.array : v.buffer, in ? v.buffer : v.array,
                         slot_view(b, w->semaphores, slot)};
  IrOp *copy = ir_build(b, OP_COPY_START, 3, operands, 0, NULL);
  ir_set_int(l->ctx->module, copy, ATTR_TARGET, 0);
  ir_set_int(l->ctx->module, copy, ATTR_ADD, 0);
}

static void wait_copy(Lowering *l, IrBuilder *b, const Window *w, IrValue *slot,
                      IrValue *const *starts) {
  ClippedViews v = window_clip(l, b, w, slot_view(b, w->buffer, slot), starts);
  IrValue *operands[] = {slot_view(b, w->semaphores, slot), v.buffer};
  ir_build(b, OP_COPY_WAIT, 2, operands, 0, NULL);
}

// ---- steps --------------------------------------------------------------------------------------

static void starts_at(Lowering *l, IrBuilder *b, const Window *w, IrValue *step, IrValue **out) {
  lower_indices(l, b, l->parts.rank, step);
  window_evaluate_map(l, b, w, out);
}

// Whether step's block is another one than the step's before (or it is the first).
static IrValue *is_new(Lowering *l, IrBuilder *b, const Window *w, IrValue *step,
                       IrValue *const *starts) {
  IrValue *before[2 * IR_MAX_RANK];
  starts_at(l, b, w, ir_binary(b, OP_MAX, lower_i32(b, OP_SUB, step, 1), ir_i32(b, 0)), before);
  return ir_binary(b, OP_OR, ir_binary(b, OP_EQ, step, ir_i32(b, 0)),
                   window_differs(b, w, starts, before));
}

// What an output's slot holds: the value of the slot that `slot` names.
static IrValue *held_in_slot(IrBuilder *b, const Window *w, IrValue *slot, IrValue *const *state,
                             int dim) {
  IrValue *value = state[STATE_HELD + dim];
  for (int s = 1; s < slots(w); s++)
    value = ir_select(b, ir_binary(b, OP_EQ, slot, ir_i32(b, s)),
                      state[STATE_HELD + s * window_values(w) + dim], value);
  return value;
}

static void wait_slot(Lowering *l, IrBuilder *b, const Window *w, IrValue *slot,
                      IrValue *const *state) {
  IrValue *starts[2 * IR_MAX_RANK];
  for (int d = 0; d < window_values(w); d++) starts[d] = held_in_slot(b, w, slot, state, d);
  wait_copy(l, b, w, slot, starts);
}

static IrValue *count_if(IrBuilder *b, IrValue *count, IrValue *pred) {
  return ir_binary(b, OP_ADD, count, ir_convert(b, pred, DT_I32));
}

// Starts the copy for `step` if there is such a step and its block is new; gives the new count of
// copies started.
static IrValue *start_ahead(Lowering *l, IrBuilder *b, const Window *w, IrValue *step,
                            IrValue *steps, IrValue *started) {
  IrValue *starts[2 * IR_MAX_RANK];
  starts_at(l, b, w, step, starts);
  IrValue *pred =
      ir_binary(b, OP_AND, ir_binary(b, OP_LT, step, steps), is_new(l, b, w, step, starts));
  IrBuilder inside = lower_open_if(b, pred);
  start_copy(l, &inside, w, lower_i32(&inside, OP_REM, started, slots(w)), starts, true);
  ir_yield(&inside, 0, NULL);
  return count_if(b, started, pred);
}

static void input_step(Lowering *l, IrBuilder *b, Window *w, IrValue *step, IrValue *steps,
                       IrValue **state) {
  state[STATE_STARTED] =
      start_ahead(l, b, w, lower_i32(b, OP_ADD, step, slots(w) - 1), steps, state[STATE_STARTED]);
  starts_at(l, b, w, step, w->starts);
  IrValue *fresh = is_new(l, b, w, step, w->starts);
  IrBuilder inside = lower_open_if(b, fresh);
  wait_copy(l, &inside, w, lower_i32(&inside, OP_REM, state[STATE_CURRENT], slots(w)), w->starts);
  ir_yield(&inside, 0, NULL);
  state[STATE_CURRENT] = count_if(b, state[STATE_CURRENT], fresh);
}

// Before the body: the copy that left this slot `slots` blocks ago must be done.
static void output_enter(Lowering *l, IrBuilder *b, Window *w, IrValue *step, IrValue **state) {
  starts_at(l, b, w, step, w->starts);
  IrValue *fresh = is_new(l, b, w, step, w->starts);
  IrValue *reused = ir_binary(b, OP_GE, state[STATE_CURRENT], ir_i32(b, slots(w)));
  IrBuilder inside = lower_open_if(b, ir_binary(b, OP_AND, fresh, reused));
  wait_slot(l, &inside, w, lower_i32(&inside, OP_REM, state[STATE_CURRENT], slots(w)), state);
  ir_yield(&inside, 0, NULL);
  state[STATE_CURRENT] = count_if(b, state[STATE_CURRENT], fresh);
}

static void output_leave(Lowering *l, IrBuilder *b, Window *w, IrValue *step, IrValue *steps,
                         IrValue **state) {
  IrValue *next[2 * IR_MAX_RANK], *last = lower_i32(b, OP_SUB, steps, 1);
  starts_at(l, b, w, ir_binary(b, OP_MIN, lower_i32(b, OP_ADD, step, 1), last), next);
  IrValue *leave =
      ir_binary(b, OP_OR, ir_binary(b, OP_EQ, step, last), window_differs(b, w, w->starts, next));
  IrValue *slot = lower_i32(b, OP_REM, state[STATE_STARTED], slots(w));
  IrBuilder inside = lower_open_if(b, leave);
  start_copy(l, &inside, w, slot, w->starts, false);
  ir_yield(&inside, 0, NULL);
  for (int s = 0; s < slots(w); s++) {
    IrValue *taken = ir_binary(b, OP_AND, leave, ir_binary(b, OP_EQ, slot, ir_i32(b, s)));
    for (int d = 0; d < window_values(w); d++) {
      IrValue **held = &state[STATE_HELD + s * window_values(w) + d];
      *held = ir_select(b, taken, w->starts[d], *held);
    }
  }
  state[STATE_STARTED] = count_if(b, state[STATE_STARTED], leave);
}

static IrValue *body_ref(IrBuilder *b, const Window *w, IrValue *const *state) {
  if (!has_slots(w)) return w->array;
  if (w->is_static) return slot_view(b, w->buffer, ir_i32(b, 0));
  IrValue *current = lower_i32(b, OP_SUB, state[w->state + STATE_CURRENT], 1);
  return slot_view(b, w->buffer, lower_i32(b, OP_REM, current, slots(w)));
}

static void lower_step(Lowering *l, IrBuilder *b, IrValue *step, IrValue *steps, IrValue **state) {
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_slots(w) || w->is_static) continue;
    if (window_is_input(w))
      input_step(l, b, w, step, steps, state + w->state);
    else
      output_enter(l, b, w, step, state + w->state);
  }
  lower_indices(l, b, l->parts.rank, step);
  IrValue **refs = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.block_count);
  for (size_t i = 0; i < l->parts.block_count; i++) refs[i] = body_ref(b, &l->windows[i], state);
  lower_place_body(l, b, refs);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (has_slots(w) && !w->is_static && window_is_output(w))
      output_leave(l, b, w, step, steps, state + w->state);
  }
}

// ---- before and after the loop ------------------------------------------------------------------

static IrValue *count_steps(Lowering *l, IrBuilder *b) {
  IrValue *steps = NULL;
  for (size_t i = 0; i < l->parts.rank; i++)
    steps = steps ? ir_binary(b, OP_MUL, steps, l->sizes[i]) : l->sizes[i];
  return steps ? steps : ir_i32(b, 1);
}

static void prologue(Lowering *l, IrBuilder *b, IrValue *steps, IrValue **state) {
  IrValue *zero = ir_i32(b, 0);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_slots(w)) continue;
    if (w->is_static) {
      starts_at(l, b, w, zero, w->starts);
      if (!window_is_input(w)) continue;
      start_copy(l, b, w, zero, w->starts, true);
      wait_copy(l, b, w, zero, w->starts);
      continue;
    }
    for (size_t n = 0; n < state_size(w); n++) state[w->state + n] = zero;
    for (int t = 0; window_is_input(w) && t + 1 < slots(w); t++)
      state[w->state + STATE_STARTED] =
          start_ahead(l, b, w, ir_i32(b, t), steps, state[w->state + STATE_STARTED]);
  }
}

// The last copies out, at most one a slot, are waited for.
static void epilogue(Lowering *l, IrBuilder *b, IrValue *steps, IrValue *const *state) {
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_slots(w) || !window_is_output(w)) continue;
    if (w->is_static) {
      IrBuilder inside = lower_open_if(b, ir_binary(b, OP_GT, steps, ir_i32(b, 0)));
      start_copy(l, &inside, w, ir_i32(&inside, 0), w->starts, false);
      wait_copy(l, &inside, w, ir_i32(&inside, 0), w->starts);
      ir_yield(&inside, 0, NULL);
      continue;
    }
    for (int s = 0; s < slots(w); s++) {
      IrBuilder inside =
          lower_open_if(b, ir_binary(b, OP_GT, state[w->state + STATE_STARTED], ir_i32(b, s)));
      wait_slot(l, &inside, w, ir_i32(&inside, s), state + w->state);
      ir_yield(&inside, 0, NULL);
    }
  }
}

void schedule_launch(PassContext *ctx, IrOp *launch) {
  Lowering l;
  IrBuilder b = ir_builder_before(launch);
  lowering_init(&l, ctx, launch, &b);
  lowering_prefetch(&l, &b);
  for (size_t i = 0; i < l.parts.block_count; i++) {
    Window *w = &l.windows[i];
    w->is_static = w->block->rank == 0 || launch_map_is_constant(launch, w->map, 0);
    if (!has_slots(w) || w->is_static) continue;
    w->state = l.state_count;
    l.state_count += state_size(w);
  }
  allocate(&l, &b);
  IrValue **state = ARENA_ARRAY(ctx->arena, IrValue *, l.state_count + 1);
  IrValue *steps = count_steps(&l, &b);
  prologue(&l, &b, steps, state);
  IrOp *loop = ir_for(&b, ir_i32(&b, 0), steps, ir_i32(&b, 1), l.state_count, state);
  IrBuilder inside = b;
  inside.region = loop->regions[0];
  inside.before = NULL;
  IrValue **inner = ARENA_ARRAY(ctx->arena, IrValue *, l.state_count + 1);
  for (size_t i = 0; i < l.state_count; i++) inner[i] = inside.region->args[i + 1];
  lower_step(&l, &inside, inside.region->args[0], steps, inner);
  ir_yield(&inside, l.state_count, inner);
  epilogue(&l, &b, steps, loop->results);
  ir_op_remove(launch);
}
