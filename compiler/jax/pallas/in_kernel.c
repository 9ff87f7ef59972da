// SPDX-License-Identifier: Apache-2.0
// What the primitives behind jax.experimental.pallas do inside of kernels. In: their arguments, in
// the body that is being traced. Out: ops of the body, and values.
#include "in_kernel.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "jax/array/array_shape.h"
#include "jax/array/promote.h"
#include "jax/array/ref.h"
#include "jax/trace/pending.h"
#include "pallas.h"
#include "python/objects/convert.h"
#include "python/objects/iteration.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/modules/report.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"

// ---- the grid -----------------------------------------------------------------------------------
static const LaunchState *launch_current(Eval *ev) {
  for (Level *level = ev->trace->level; level; level = level->outer)
    if (level->launch) return level->launch;
  return NULL;
}

static const LaunchState *need_launch(Eval *ev, const char *what) {
  const LaunchState *state = launch_current(ev);
  if (!state) eval_raise(ev, ev->types.ValueError, "%s can only be used inside a kernel", what);
  return state;
}

static size_t take_grid_axis(Eval *ev, const LaunchState *state, Value v) {
  int64_t axis = take_int(ev, v, "axis"), rank = (int64_t)state->rank;
  if (axis < -rank || axis >= rank)
    eval_raise(ev, ev->types.ValueError, "Axis %lld is out of bounds for grid %.*s%s",
               (long long)axis, STR_FMT(shape_text(ev->arena, state->rank, state->sizes)),
               state->rank ? "" : "; the call of this kernel has no grid=");
  return (size_t)(axis < 0 ? axis + rank : axis);
}

Value pallas_program_id(Eval *ev, Value *a) {
  const LaunchState *state = need_launch(ev, "pl.program_id");
  if (ev->trace->level->is_index_map)
    eval_warn(ev, WARN_TPU,
              "a TPU's compiler has no pl.program_id in an index map: the map gets the grid's "
              "indices as its arguments");
  return array_new(ev, state->indices[take_grid_axis(ev, state, a[0])], false);
}

Value pallas_num_programs(Eval *ev, Value *a) {
  const LaunchState *state = need_launch(ev, "pl.num_programs");
  size_t axis = take_grid_axis(ev, state, a[0]);
  if (state->sizes[axis] >= 0) return v_int(state->sizes[axis]);
  return array_new(ev, state->dynamic[axis], false);
}

// Tells the search for races where memory of a scope begins or ends. Cores that share memory do not
// leave it at once.
static void mark_scope(Eval *ev, OpCode code, const Ref *ref, bool is_shared) {
  MemSpace space = ref->ir->type->space;
  bool is_own = space != SPACE_SEM && space != SPACE_VMEM_SHARED && !is_shared;
  if (trace_seeks_races(ev) && is_own)
    ir_build(trace_builder(ev), code, 1, (IrValue *[]){ref->ir}, 0, NULL);
}

Value pallas_begin_scope(Eval *ev, Value *a) {
  const Tuple *refs = value_to_tuple(ev, a[0]);
  LaunchState *launch = ev->trace->level->launch;
  if (ev->trace->level->kind == LEVEL_RUN)
    raise_hinted(ev, ev->types.NotImplementedError,
                 "it stands in a kernel, or in a function under jax.jit",
                 "Evaluation rule for 'run_scoped' not implemented");
  if (launch) dead_loops_enter(ev, &launch->dead_loops, a[0].o, refs->count);
  for (size_t i = 0; i < refs->count; i++)
    if (value_is_ref(ev, refs->items[i]))
      mark_scope(ev, OP_ENTER, (const Ref *)refs->items[i].o, value_truth(ev, a[1]));
  return v_none();
}

// The Refs may not be used any more.
Value pallas_end_scope(Eval *ev, Value *a) {
  const Tuple *refs = value_to_tuple(ev, a[0]);
  Level *over = ARENA_NEW(ev->arena, Level);
  *over = *ev->trace->level;
  over->left = true;
  for (size_t i = 0; i < refs->count; i++) {
    if (!value_is_ref(ev, refs->items[i])) continue;
    Ref *ref = (Ref *)refs->items[i].o;
    ref->level = over;
    mark_scope(ev, OP_RELEASE, ref, value_truth(ev, a[1]));
  }
  LaunchState *launch = ev->trace->level->launch;
  if (launch) dead_loops_leave(ev, &launch->dead_loops, a[0].o);
  return v_none();
}

// What is printed of a Ref is what it holds.
static IrValue *printed_ir(Eval *ev, Value v) {
  if (value_is_ref(ev, v)) v = ref_get(ev, v, v_ellipsis(), v_none(), v_none());
  return array_ir(ev, v, DT_COUNT);
}

// The format has a field without a name for each of the values (library/jax/debug.pk).
Value pallas_debug_print(Eval *ev, Value *a) {
  Str format = take_str(ev, a[0], "format of debug_print");
  Tuple *args = value_to_tuple(ev, a[1]);
  IrValue **values = ARENA_ARRAY(ev->arena, IrValue *, args->count);
  for (size_t i = 0; i < args->count; i++) values[i] = printed_ir(ev, args->items[i]);
  IrOp *op = ir_build(trace_builder(ev), OP_DEBUG_PRINT, args->count, values, 0, NULL);
  ir_set_str(trace_module(ev), op, ATTR_FORMAT, format);
  pending_settle(ev); // outside a kernel it prints now
  return v_none();
}

// " (check at f)": the function of the user's own files that is being run, in the words of a chip.
static Str place_of_check(const Eval *ev) {
  const Frame *frame = ev->frame;
  while (frame && !(frame->code && source_is_users(ev->session, frame->code->span)))
    frame = frame->caller;
  if (!frame) return STR("");
  return str_format(ev->arena, " (check at %s)", name_str(frame->code->qualname).data);
}

Value pallas_check(Eval *ev, Value *a) {
  IrValue *condition = array_ir_cast(ev, a[0], DT_BOOL);
  IrOp *op = ir_build(trace_builder(ev), OP_CHECK, 1, &condition, 0, NULL);
  bool is_asked = ev->trace->debug_checks && !ev->options.check;
  Str message = take_str(ev, a[1], "message of debug_check");
  if (is_asked)
    message = str_format(ev->arena, "%.*s%.*s", STR_FMT(message), STR_FMT(place_of_check(ev)));
  ir_set_str(trace_module(ev), op, ATTR_FORMAT, message);
  ir_set_int(trace_module(ev), op, ATTR_FINDING, is_asked ? FINDING_ASKED : FINDING_CHECK);
  return v_none();
}

Value pallas_reciprocal(Eval *ev, Value *a) {
  IrOp *op = ir_unary(trace_builder(ev), OP_RECIPROCAL, array_ir(ev, a[0], DT_COUNT))->def;
  ir_set_int(trace_module(ev), op, ATTR_APPROX, value_truth(ev, a[1]));
  return array_new(ev, op->results[0], false);
}

Value pallas_multiple_of(Eval *ev, Value *a) {
  int64_t x, n;
  if (value_as_int(ev, a[0], &x) && value_as_int(ev, a[1], &n) && n != 0 && x % n != 0)
    eval_raise(ev, ev->types.ValueError, "pl.multiple_of: %lld is not a multiple of %lld",
               (long long)x, (long long)n);
  return a[0];
}

Value pallas_ref_load(Eval *ev, Value *a) { return ref_get(ev, a[0], a[1], a[2], a[3]); }

Value pallas_ref_store(Eval *ev, Value *a) {
  ref_set(ev, a[0], a[1], a[2], a[3]);
  return v_none();
}

Value pallas_prng_seed(Eval *ev, Value *a) {
  Tuple *seeds = value_to_tuple(ev, a[0]);
  IrValue **values = ARENA_ARRAY(ev->arena, IrValue *, seeds->count + 1);
  for (size_t i = 0; i < seeds->count; i++) {
    Aval aval;
    take_aval(ev, "prng_seed", seeds->items[i], (int)i, &aval);
    if (aval.rank || !dtype_is_integer(aval.dtype))
      eval_raise(ev, ev->types.ValueError, "All seed data must be scalar integers. Got %.*s",
                 STR_FMT(aval_text(ev->arena, &aval)));
    values[i] = array_ir_cast(ev, seeds->items[i], DT_I32);
  }
  ir_build(trace_builder(ev), OP_PRNG_SEED, seeds->count, values, 0, NULL);
  return v_none();
}

Value pallas_prng_bits(Eval *ev, Value *a) {
  int64_t dims[IR_MAX_RANK];
  size_t rank = take_array_shape(ev, a[0], dims, "shape");
  const IrType *type = ir_array_type(trace_module(ev), DT_I32, rank, dims);
  if (!type) eval_raise(ev, ev->types.ValueError, "this shape is too large");
  return array_new(ev, ir_build(trace_builder(ev), OP_PRNG_BITS, 0, NULL, 1, &type)->results[0],
                   false);
}

// ---- steps of a loop that the program has written itself ----------------------------------------

typedef struct StepCall {
  Value f, result;
} StepCall;

static void call_in_step(Eval *ev, void *data) {
  StepCall *call = data;
  call->result = value_call_n(ev, call->f, 0, NULL);
}

// f(), where these are the indices and the sizes of the grid.
Value pallas_grid_step(Eval *ev, Value *a) { // indices, grid, f
  const Tuple *indices = value_to_tuple(ev, a[0]), *grid = value_to_tuple(ev, a[1]);
  LaunchState state = {.rank = grid->count};
  for (size_t i = 0; i < state.rank; i++) {
    Value size = grid->items[i];
    bool known = value_as_int(ev, size, &state.sizes[i]);
    if (!known) state.sizes[i] = -1;
    state.dynamic[i] = known ? NULL : index_as_i32(ev, array_ir(ev, size, DT_I32));
    state.indices[i] = index_as_i32(ev, array_ir(ev, indices->items[i], DT_I32));
  }
  Level *level = ev->trace->level;
  LaunchState *outer = level->launch;
  StepCall call = {.f = a[2]};
  Value exception;
  level->launch = &state;
  bool done = eval_try(ev, call_in_step, &call, &exception);
  level->launch = outer;
  if (!done) eval_raise_value(ev, exception);
  return call.result;
}
