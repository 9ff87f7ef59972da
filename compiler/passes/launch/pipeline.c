// SPDX-License-Identifier: Apache-2.0
// pipeline: launches become explicit loops over the grid, buffers and copies.
//   takes:  launches; blocks are COPIED, IN_PLACE or WHOLE as the forward pass left them
//   makes:  for loops (the leading parallel dimensions as one parallel loop), allocs for windows
//           and scratch, copies; programs of the chip's cores, where parallel steps wait for
//           copies or change prefetched operands
//   breaks: nothing else; the body's ops are moved, not changed
//   not:    starting copies ahead of time; schedule.c does that for --emit=schedule
//
// The rules of the window of a COPIED block are the chip's (docs/runtime.md): an input is fetched
// when its block index differs from the step before; an output is written back when its index is
// about to change, and at the end. Both follow from one piece of state a block: the index its
// window holds, carried through the loops; NO_BLOCK before the first step. A write-back comes
// before the fetches of the same step, so that an aliased array reads what was written.
#include <math.h>
#include <string.h>
#include "base/checked.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "ahead.h"
#include "ir/analysis/effects.h"
#include "ir/core/chip.h"
#include "ir/core/param.h"
#include "launch_check.h"
#include "window.h"

enum { NO_BLOCK = INT32_MIN };

// ---- under check --------------------------------------------------------------------------------

typedef struct Copied {
  const IrValue *root;
  bool is_found;
} Copied;

static void find_copy(const IrOp *op, void *data) {
  Copied *c = data;
  for (uint32_t i = 0; effects_is_later(op->code) && i < op->operand_count; i++)
    c->is_found |= ir_ref_root(op->operands[i]) == c->root;
}

static bool is_copied_by_body(const Lowering *l, const Window *w) {
  Copied c = {l->parts.body->args[l->parts.first_block + (size_t)(w - l->windows)], false};
  ir_walk_const(l->parts.body, find_copy, &c);
  return c.is_found;
}

// A copy that the body starts from a window may be under way while later steps have theirs: in
// other buffers. Of parallel steps it must not be.
static bool is_buffered(const Lowering *l, const Window *w) {
  bool is_moving = w->block->mode == BLOCK_COPIED && !w->is_static && w->block->buffers > 1;
  if (!l->ctx->options->check || !is_moving) return false;
  if (w->block->dir == BLOCK_OUT) return effects_region_communicates(l->parts.body);
  return w->block->dir == BLOCK_IN && !check_has_parallel(l) && is_copied_by_body(l, w);
}

static IrValue *allocate_window(Lowering *l, IrBuilder *b, Window *w, const IrType *type) {
  Str name = str_from_c(lower_block_name(l, w));
  if (!is_buffered(l, w)) return ir_alloc(b, type, name);
  IrModule *m = l->ctx->module;
  int64_t dims[IR_MAX_RANK + 1] = {w->block->buffers};
  memcpy(dims + 1, type->dims, type->rank * sizeof *dims);
  w->memory = ir_alloc(b, ir_type_with_dims(m, type, type->rank + 1u, dims), name);
  ir_set_int(m, w->memory->def, ATTR_BUFFERED, 1);
  w->entered = ir_alloc(b, ir_ref_type(m, SPACE_SMEM, DT_I32, 0, NULL), STR(""));
  ir_store_all(b, ir_i32(b, 0), w->entered);
  return w->memory;
}

// The buffer of the last block that was entered.
static void select_buffer(IrBuilder *b, Window *w) {
  if (w->memory) w->buffer = window_buffer(b, w, ir_load_all(b, w->entered));
}

static void next_buffer(IrBuilder *b, Window *w) {
  if (!w->memory) return;
  ir_store_all(b, lower_i32(b, OP_ADD, ir_load_all(b, w->entered), 1), w->entered);
  select_buffer(b, w);
}

// A window whose contents are unspecified again is as if never written: a copy carries that along.
// So is an input's outside of its array.
static void forget(Lowering *l, IrBuilder *b, const Window *w) {
  if (l->ctx->options->check) ir_copy(b, w->pristine, w->buffer, MOVE_RENEW);
}

// An aliased output's array is an input as well: what was written comes back by that one's copies.
static bool is_aliased(const Lowering *l, const Window *w) {
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].block->dir != BLOCK_OUT && l->windows[i].array == w->array) return true;
  return false;
}

// One bool for each place that a block of an output can be at.
static void allocate_visited(Lowering *l, IrBuilder *b, Window *w) {
  if (!is_aliased(l, w)) w->visited = check_places(l, b, w, DT_BOOL, STR("visited"));
}

// Whether the block index of a step lies inside of its array; NULL: it always does.
static IrValue *starts_inside(const Lowering *l, IrBuilder *b, const Window *w,
                              IrValue *const *places) {
  IrValue *inside = NULL;
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    if (launch_start_is_inside(l->launch, w->map, i, dim, w->array->type->dims[i])) continue;
    IrValue *same = ir_binary(b, OP_EQ, w->starts[i], places[i]);
    inside = inside ? ir_binary(b, OP_AND, inside, same) : same;
  }
  return inside;
}

// The block that an output's window enters must be new: what was written there is not fetched
// again. Whether it is; NULL: nobody knows. A block outside of the array is reported as that.
static IrValue *visit(Lowering *l, IrBuilder *b, const Window *w) {
  if (!w->visited) return NULL;
  IrIndex index;
  IrValue *places[IR_MAX_RANK], *operands[IR_MAX_RANK + 1];
  check_place(b, w, w->visited, &index, places);
  for (int i = 0; i < w->block->rank; i++) operands[i + 1] = w->starts[i];
  IrValue *inside = starts_inside(l, b, w, places);
  IrValue *was = ir_load(b, w->visited, &index, w->block->rank, places, NULL, NULL);
  operands[0] = ir_unary(b, OP_NOT, inside ? ir_binary(b, OP_AND, was, inside) : was);
  check_block(
      l, b, w, w->block->rank + 1u, operands, FINDING_LOST,
      str_format(
          l->ctx->arena,
          "block %.*s of output '%s' is visited again after another block: what it held is lost",
          STR_FMT(check_index_format(l, w)), lower_block_name(l, w)));
  IrValue *is_now = inside ? ir_binary(b, OP_OR, was, inside)
                           : ir_const_i64(b, ir_array_type(l->ctx->module, DT_BOOL, 0, NULL), 1);
  ir_store(b, is_now, w->visited, &index, w->block->rank, places, NULL);
  return operands[0];
}

// What is lost has been reported: that it was never written is not reported where it is read.
static void enter_output(Lowering *l, IrBuilder *b, const Window *w) {
  IrValue *is_new = visit(l, b, w);
  if (!is_new) {
    forget(l, b, w);
    return;
  }
  IrBuilder inside = lower_open_if(b, is_new);
  forget(l, &inside, w);
  ir_yield(&inside, 0, NULL);
}

static void enter_named_step(Lowering *l, IrBuilder *b) {
  if (!l->ctx->options->check) return;
  IrOp *op = ir_build(b, OP_STEP_ENTER, l->parts.rank, l->indices, 0, NULL);
  ir_set_str(l->ctx->module, op, ATTR_NAME, ir_attr_str(l->launch, ATTR_NAME));
  IrStrs names = ir_attr_strs(l->launch, ATTR_GRID_NAMES);
  ir_set_strs(l->ctx->module, op, ATTR_GRID_NAMES, names.count, names.items);
}

static void leave_named_step(Lowering *l, IrBuilder *b) {
  if (l->ctx->options->check) ir_build(b, OP_STEP_LEAVE, 0, NULL, 0, NULL);
}

// The memory of an output is called what the kernel calls it.
static void name_output(const Lowering *l, const Window *w) {
  IrOp *alloc = w->array->def;
  if (!alloc || alloc->code != OP_ALLOC || ir_attr_str(alloc, ATTR_NAME).len) return;
  ir_set_str(l->ctx->module, alloc, ATTR_NAME, str_from_c(lower_block_name(l, w)));
}

// All of the outputs should have been written.
static void check_outputs(Lowering *l, IrBuilder *b) {
  if (!l->ctx->options->check) return;
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].block->dir == BLOCK_OUT) name_output(l, &l->windows[i]);
  // On one of several cores or devices others may write the rest.
  if (l->shared) return;
  if (ir_program_around(l->launch->parent)) return;
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    if (w->block->dir != BLOCK_OUT || w->block->partly) continue;
    IrOp *op = ir_build(b, OP_CHECK_WRITTEN, 1, &w->array, 0, NULL);
    ir_set_str(l->ctx->module, op, ATTR_NAME, str_from_c(lower_block_name(l, w)));
  }
}

// ---- copies -------------------------------------------------------------------------------------

static bool is_inside(const Lowering *l, const Window *w) {
  for (int i = 0; i < w->block->rank; i++)
    if (!launch_start_is_inside(l->launch, w->map, i, &w->block->dims[i], w->array->type->dims[i]))
      return false;
  return true;
}

// What a window has outside of its array is known where JAX's interpreters say what it is.
static void preset_outside(Lowering *l, IrBuilder *b, const Window *w) {
  IrValue *value = launch_preset(b, l->launch, w->buffer->type);
  if (value) ir_store_all(b, value, w->buffer);
}

static void copy_block(const Lowering *l, IrBuilder *b, const Window *w, IrValue **operands,
                       WindowMove move) {
  IrOp *copy = ir_copy(b, operands[0], operands[1], l->ctx->options->check ? move : MOVE_NONE);
  // The search for races knows it as `fetch.ahead` or `write.behind`, or as its step's block.
  if (w->in_flight || w->is_direct) copy->span = (Span){0};
}

static void fetch(Lowering *l, IrBuilder *b, const Window *w, IrValue *const *starts) {
  if (!is_inside(l, w)) forget(l, b, w), preset_outside(l, b, w);
  ClippedViews v = window_clip(l, b, w, w->buffer, starts);
  IrValue *operands[] = {v.array, v.buffer};
  copy_block(l, b, w, operands, MOVE_FETCH);
  check_fetched(l, b, w);
}

static void write_back(Lowering *l, IrBuilder *b, const Window *w, IrValue *const *starts,
                       WindowMove move) {
  ClippedViews v = window_clip(l, b, w, w->buffer, starts);
  IrValue *operands[] = {v.buffer, v.array};
  copy_block(l, b, w, operands, move);
}

// The block indices for which some of the block lies inside the array, first and last. Of these no
// product with the block's size leaves an int32; others' may come back into the array.
static void inside_indices(const BlockDim *dim, int64_t extent, int64_t *first, int64_t *last) {
  switch (dim->kind) {
  case BLOCK_BLOCKED:
    *first = 0;
    *last = dim->size ? (extent + dim->size - 1) / dim->size - 1 : -1;
    return;
  case BLOCK_SQUEEZED:
    *first = 0;
    *last = extent - 1;
    return;
  case BLOCK_ELEMENT:
    *first = dim->pad_lo - dim->size + 1;
    *last = dim->pad_lo + extent - 1;
    return;
  case BLOCK_BOUNDED: break;
  }
  BUG("a block dimension without bounds");
}

// A block inside the bounds of its array is a promise of the author; under check, and where the
// author asks for it, it is a check.
static bool looks_at_bounds(const Lowering *l) {
  return l->ctx->options->check || ir_attr_int(l->launch, ATTR_RAISES);
}

static void check_bounds(Lowering *l, IrBuilder *b, const Window *w) {
  if (!looks_at_bounds(l)) return;
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    int64_t extent = w->array->type->dims[i], first, last;
    // Clipped to what there is, and to the size that it asks for.
    if (dim->kind == BLOCK_BOUNDED) continue;
    if (launch_start_is_inside(l->launch, w->map, i, dim, extent)) continue;
    inside_indices(dim, extent, &first, &last);
    IrValue *index = w->starts[i];
    IrValue *operands[] = {
        ir_binary(b, OP_AND, lower_i32(b, OP_GE, index, first), lower_i32(b, OP_LE, index, last)),
        index};
    check_block(l, b, w, 2, operands, FINDING_OUT_OF_BOUNDS,
                launch_outside_text(l->ctx->arena, "{}", i, lower_block_name(l, w), extent, dim));
  }
}

// ---- one step of the grid -----------------------------------------------------------------------

static bool has_state(const Window *w) { return w->block->mode == BLOCK_COPIED && !w->is_static; }

static void write_back_if_held(Lowering *l, IrBuilder *b, const Window *w, IrValue *const *held,
                               WindowMove move) {
  IrBuilder inside = lower_open_if(b, lower_i32(b, OP_NE, held[0], NO_BLOCK));
  write_back(l, &inside, w, held, move);
  ir_yield(&inside, 0, NULL);
}

// Copies before the body; the new state goes to `state`.
static void enter_step(Lowering *l, IrBuilder *b, IrValue **state) {
  IrValue **changed = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.block_count);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (w->block->mode == BLOCK_WHOLE || w->is_static) continue;
    window_evaluate_map(l, b, w, w->starts);
    check_bounds(l, b, w);
    if (!has_state(w)) continue;
    changed[i] = window_differs(b, w, w->starts, &state[w->state]);
  }
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_state(w) || !window_is_output(w)) continue;
    IrBuilder inside = lower_open_if(b, changed[i]);
    select_buffer(&inside, w);
    write_back_if_held(l, &inside, w, &state[w->state], MOVE_WRITE_BACK);
    next_buffer(&inside, w);
    if (!window_is_input(w) && w->block->revisit_any)
      fetch(l, &inside, w, w->starts); // what an earlier step has left
    else if (!window_is_input(w))
      enter_output(l, &inside, w);
    ir_yield(&inside, 0, NULL);
    select_buffer(b, w);
  }
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!has_state(w)) continue;
    if (window_is_input(w)) {
      IrBuilder inside = lower_open_if(b, changed[i]);
      if (!window_is_output(w)) next_buffer(&inside, w);
      fetch(l, &inside, w, w->starts);
      ir_yield(&inside, 0, NULL);
      if (!window_is_output(w)) select_buffer(b, w);
    }
    for (int d = 0; d < window_values(w); d++) state[w->state + (size_t)d] = w->starts[d];
  }
}

// Memory without a name that the program gave is called in reports what the kernel calls it.
static void take_name(const Lowering *l, const IrValue *array, const IrValue *ref) {
  const IrValue *root = ir_ref_root(array);
  if (!l->ctx->options->check || !ref->name) return;
  if (root->def && root->def->code == OP_ALLOC) {
    if (!ir_attr_str(root->def, ATTR_NAME).len)
      ir_set_str(l->ctx->module, root->def, ATTR_NAME, name_str(ref->name));
    return;
  }
  IrParam *param = ir_param_of(root);
  if (param && ir_param_is_made_up(param)) param->name = ref->name;
}

// Of the refs that one array has, those that the body uses come first.
static void take_names(const Lowering *l) {
  for (int is_unused = 0; is_unused < 2; is_unused++)
    for (size_t i = 0; i < l->parts.block_count; i++) {
      const Window *w = &l->windows[i];
      const IrValue *ref = l->parts.body->args[l->parts.first_block + i];
      bool is_now = w->block->mode == BLOCK_WHOLE && (ref->use_count == 0) == is_unused;
      if (is_now) take_name(l, w->array, ref);
    }
}

static void place_body(Lowering *l, IrBuilder *b) {
  IrValue **refs = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.block_count);
  take_names(l);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    const IrValue *ref = l->parts.body->args[l->parts.first_block + i];
    if (ref->use_count == 0) continue;
    refs[i] = w->block->mode == BLOCK_COPIED  ? w->buffer
              : w->block->mode == BLOCK_WHOLE ? w->array
                                              : window_in_place(l, b, w);
  }
  lower_place_body(l, b, refs);
}

// ---- the loops ----------------------------------------------------------------------------------

static void lower_dim(Lowering *l, IrBuilder *b, size_t dim, IrValue **state) {
  if (dim == l->parts.rank) {
    enter_named_step(l, b);
    enter_step(l, b, state);
    check_parallel_step(l, b);
    ahead_enter(l, b);
    place_body(l, b);
    ahead_leave(l, b);
    leave_named_step(l, b);
    return;
  }
  bool shared = dim < l->shared;
  if (!shared && l->parts.grid[dim] == 1) {
    l->indices[dim] = ir_i32(b, 0);
    lower_dim(l, b, dim + 1, state);
    return;
  }
  IrOp *loop = ir_for(b, shared ? l->first : ir_i32(b, 0), shared ? l->last : l->sizes[dim],
                      ir_i32(b, 1), l->state_count, state);
  IrBuilder inside = *b;
  inside.region = loop->regions[0];
  inside.before = NULL;
  if (shared)
    lower_indices(l, &inside, l->shared, inside.region->args[0]);
  else
    l->indices[dim] = inside.region->args[0];
  IrValue **inner = ARENA_ARRAY(l->ctx->arena, IrValue *, l->state_count + 1);
  for (size_t i = 0; i < l->state_count; i++) inner[i] = inside.region->args[i + 1];
  lower_dim(l, &inside, shared ? l->shared : dim + 1, inner);
  ir_yield(&inside, l->state_count, inner);
  for (size_t i = 0; i < l->state_count; i++) state[i] = loop->results[i];
}

// More than zero if there are steps; NULL if there always are.
static IrValue *doubtful_steps(Lowering *l, IrBuilder *b) {
  size_t begin = l->parallel > l->shared ? l->parallel : l->shared;
  bool doubtful = l->shared > 0;
  for (size_t i = begin; i < l->parts.rank; i++) doubtful |= l->parts.grid[i] <= 0;
  IrValue *steps = l->shared ? ir_binary(b, OP_SUB, l->last, l->first) : NULL;
  for (size_t i = begin; doubtful && i < l->parts.rank; i++)
    steps = steps ? ir_binary(b, OP_MIN, steps, l->sizes[i]) : l->sizes[i];
  return steps;
}

// On a device, others may copy into memory of the launch from when it is there.
static void begin(const Lowering *l, IrBuilder *b, IrValue *memory) {
  const IrRegion *program = ir_program_around(l->launch->parent);
  bool is_on_device = program && ir_program_mesh(program)->kind == CORE_DEVICE;
  if (l->ctx->options->check && is_on_device && memory->type->space != SPACE_SEM)
    ir_build(b, OP_BEGIN, 1, &memory, 0, NULL);
}

static void allocate(Lowering *l, IrBuilder *b) {
  l->is_watched = l->ctx->options->check && (ir_program_around(l->launch->parent) ||
                                             effects_region_communicates(l->parts.body));
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (w->block->mode != BLOCK_COPIED) continue;
    const IrType *type = l->parts.body->args[l->parts.first_block + i]->type;
    w->buffer = allocate_window(l, b, w, type);
    begin(l, b, w->buffer);
    if (l->ctx->options->check && window_is_input(w))
      ir_set_int(l->ctx->module, w->buffer->def, ATTR_FETCHED, 1);
    bool is_whole = window_is_input(w) ? is_inside(l, w) && !w->memory : w->is_static;
    if (!l->ctx->options->check || is_whole) continue;
    w->pristine = ir_alloc(b, type, STR("unwritten"));
    if (!window_is_input(w) && !w->block->revisit_any) allocate_visited(l, b, w);
  }
  l->scratch = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.scratch_count + 1);
  for (size_t i = 0; i < l->parts.scratch_count; i++) {
    IrValue *arg = l->parts.body->args[l->parts.first_scratch + i];
    l->scratch[i] = ir_alloc(b, arg->type, arg->name ? name_str(arg->name) : STR("scratch"));
    begin(l, b, l->scratch[i]);
    ir_replace_uses(l->parts.body, arg, l->scratch[i]);
  }
  check_parallel_allocate(l, b);
  ahead_allocate(l, b);
}

// Does `what` with a static window; only if there is a step at all.
static void with_static(Lowering *l, IrBuilder *b, const Window *w, IrValue *steps,
                        void (*what)(Lowering *, IrBuilder *, const Window *)) {
  if (!steps) {
    what(l, b, w);
    return;
  }
  IrBuilder inside = lower_open_if(b, lower_i32(b, OP_GT, steps, 0));
  what(l, &inside, w);
  ir_yield(&inside, 0, NULL);
}

static void enter_static(Lowering *l, IrBuilder *b, const Window *w) {
  check_bounds(l, b, w);
  if (w->block->mode == BLOCK_COPIED && window_is_input(w)) fetch(l, b, w, w->starts);
}

static void leave_static(Lowering *l, IrBuilder *b, const Window *w) {
  write_back(l, b, w, w->starts, MOVE_LAST);
}

// Everything inside the parallel loop: buffers, the sequential loops, the last write-backs.
static void lower_sequential(Lowering *l, IrBuilder *b) {
  allocate(l, b);
  IrValue **state = ARENA_ARRAY(l->ctx->arena, IrValue *, l->state_count + 1);
  for (size_t i = 0; i < l->state_count; i++) state[i] = ir_i32(b, NO_BLOCK);
  IrValue *steps = doubtful_steps(l, b);
  // Static windows: those of one step.
  for (size_t i = l->parallel; i < l->parts.rank; i++) l->indices[i] = ir_i32(b, 0);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!w->is_static || w->block->mode == BLOCK_WHOLE) continue;
    window_evaluate_map(l, b, w, w->starts);
    bool is_fetched = w->block->mode == BLOCK_COPIED && window_is_input(w);
    if (is_fetched || looks_at_bounds(l)) with_static(l, b, w, steps, enter_static);
  }
  lower_dim(l, b, l->parallel, state);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    if (!window_is_output(w) || w->block->mode != BLOCK_COPIED) continue;
    select_buffer(b, w);
    if (w->is_static)
      with_static(l, b, w, steps, leave_static);
    else
      write_back_if_held(l, b, w, &state[w->state], MOVE_LAST);
  }
  check_parallel_end(l, b);
  check_memory_end(l, b);
  check_outputs(l, b);
}

static IrValue *product_of_sizes(Lowering *l, IrBuilder *b, size_t dims) {
  IrValue *count = NULL;
  for (size_t i = 0; i < dims; i++)
    count = count ? ir_binary(b, OP_MUL, count, l->sizes[i]) : l->sizes[i];
  return count;
}

// Dimensions that run as one loop have no more steps together than an int32 counts: of known sizes
// launch_parallel_prefix sees to it, of others the author, under check a check.
static void check_product(Lowering *l, IrBuilder *b, size_t dims) {
  bool is_known = l->parts.grid[0] >= 0;
  IrValue *count = l->sizes[0];
  for (size_t i = 1; i < dims; i++) {
    is_known &= l->parts.grid[i] >= 0;
    if (!is_known && l->parts.grid[i] != 1) {
      IrValue *most =
          ir_binary(b, OP_DIV, ir_i32(b, INT32_MAX), lower_i32(b, OP_MAX, l->sizes[i], 1));
      IrValue *fits = ir_binary(b, OP_LE, count, most);
      IrOp *check = ir_build(b, OP_CHECK, 1, &fits, 0, NULL);
      ir_set_str(l->ctx->module, check, ATTR_FORMAT,
                 STR("the parallel dimensions of the grid have more than 2147483647 steps"));
      ir_set_int(l->ctx->module, check, ATTR_FINDING, FINDING_OUT_OF_BOUNDS);
    }
    count = ir_binary(b, OP_MUL, count, l->sizes[i]);
  }
}

// The leading parallel dimensions are one loop over their product; the indices come back by
// division.
static void lower_parallel(Lowering *l, IrBuilder *b) {
  IrValue *count = product_of_sizes(l, b, l->parallel);
  IrOp *loop = ir_for(b, ir_i32(b, 0), count, ir_i32(b, 1), 0, NULL);
  ir_set_int(l->ctx->module, loop, ATTR_PARALLEL, 1);
  IrBuilder inside = *b;
  inside.region = loop->regions[0];
  inside.before = NULL;
  lower_indices(l, &inside, l->parallel, inside.region->args[0]);
  lower_sequential(l, &inside);
  ir_yield(&inside, 0, NULL);
}

// ---- the cores of the chip ----------------------------------------------------------------------

// Whether steps marked parallel need a core to run on: they wait, or change prefetched operands.
// What one core keeps from step to step, another has as well, of its own. Under check also if they
// write what others may have.
static bool needs_cores(const Lowering *l) {
  const LaunchParts *parts = &l->parts;
  if (effects_region_communicates(parts->body)) return true;
  if (check_touches_arrays(l)) return true;
  for (size_t i = 0; i < parts->prefetch_count; i++)
    if (effects_region_writes(parts->body, parts->body->args[parts->rank + i])) return true;
  return false;
}

static bool is_on_a_core(const IrOp *launch) {
  const IrRegion *program = ir_program_around(launch->parent);
  while (program && ir_program_mesh(program)->kind == CORE_DEVICE)
    program = ir_program_around(ir_region_outer(program));
  return program != NULL;
}

// How many cores share the leading `dims` dimensions.
static int64_t core_count(const Lowering *l, size_t dims) {
  const Chip *chip = chip_find(name_str(l->ctx->module->tpu));
  if (!chip || is_on_a_core(l->launch)) return 1;
  int64_t steps = 1;
  for (size_t i = 0; i < dims; i++)
    if (l->parts.grid[i] < 0 || !mul_i64(steps, l->parts.grid[i], &steps)) return chip->cores;
  return steps < chip->cores ? steps : chip->cores;
}

// The meeting of the devices' programs, which stands in the first step.
static IrOp *meeting_in(const IrRegion *region) {
  for (IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_MEET) return op;
    for (size_t i = 0; i < op->region_count; i++) {
      IrOp *found = meeting_in(op->regions[i]);
      if (found) return found;
    }
  }
  return NULL;
}

// It is the device's program that meets the others, before it starts those of its cores.
static void lower_meeting(const Lowering *l, IrBuilder *b) {
  IrOp *meeting = meeting_in(l->parts.body);
  if (!meeting) return;
  ir_op_remove(meeting);
  ir_build(b, OP_MEET, 0, NULL, 0, NULL);
}

// A program on each of `cores` cores: a run of consecutive steps of the leading dimensions, and of
// those behind them in order.
static void lower_cores(Lowering *l, IrBuilder *b, int64_t cores) {
  IrModule *m = l->ctx->module;
  IrValue *steps = product_of_sizes(l, b, l->shared);
  lower_meeting(l, b);
  IrOp *op = ir_build(b, OP_CORES, 0, NULL, 0, NULL);
  ir_set_int(m, op, ATTR_RAISES, ir_attr_int(l->launch, ATTR_RAISES));
  IrMesh mesh = {.kind = CORE_TENSOR, .rank = 1, .names = {STR("core")}, .sizes = {cores}};
  ir_set_str(m, op, ATTR_NAME, ir_attr_str(l->launch, ATTR_NAME));
  ir_set_meshes(m, op, 1, &mesh);
  IrBuilder inside = *b;
  inside.region = ir_add_region(m, op);
  inside.before = NULL;
  IrValue *core = ir_region_add_arg(inside.region, ir_array_type(m, DT_I32, 0, NULL), NULL);
  IrValue *share = lower_i32(&inside, OP_DIV, lower_i32(&inside, OP_ADD, steps, cores - 1), cores);
  l->first = ir_binary(&inside, OP_MIN, ir_binary(&inside, OP_MUL, core, share), steps);
  l->last = ir_binary(&inside, OP_MIN, ir_binary(&inside, OP_ADD, l->first, share), steps);
  lowering_prefetch(l, &inside);
  lower_sequential(l, &inside);
  ir_yield(&inside, 0, NULL);
}

// Whether there is nothing but the parallel loop: then each window is filled once, wherever its
// index comes from.
static bool is_one_step(const Lowering *l) {
  for (size_t i = l->parallel; i < l->parts.rank; i++)
    if (l->parts.grid[i] != 1) return false;
  return true;
}

static void plan_state(Lowering *l) {
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    // The index of a static window may depend on parallel dimensions, which are fixed outside the
    // sequential loops.
    w->is_static = w->block->rank == 0 || is_one_step(l) ||
                   launch_map_is_constant(l->launch, w->map, l->parallel);
    if (!has_state(w)) continue;
    w->state = l->state_count;
    l->state_count += (size_t)window_values(w);
  }
}

// Who does the steps.
static void report_steps(const Lowering *l, bool cores, int64_t core_count) {
  Session *session = l->ctx->session;
  RemarkItem *kernel = remark_kernel(session, l->launch);
  const Reason of_cores = {.id = REASON_STEPS_CORES}, of_check = {.id = REASON_STEPS_CHECK};
  int64_t steps = 1;
  for (size_t i = 0; i < l->parallel && steps > 0; i++)
    steps = l->parts.grid[i] < 0 ? -1 : steps * l->parts.grid[i];
  if (core_count > 1) remark_number(session, kernel, FACT_CORES, core_count);
  if (cores && core_count == 1) remark_reason(session, kernel, &of_cores);
  if (l->ctx->options->check) remark_reason(session, kernel, &of_check);
  if (steps > 1) remark_number(session, kernel, FACT_STEPS_SHARED, steps);
  if (steps != 1 && l->parts.rank > 1)
    remark_number(session, kernel, FACT_DIMENSIONS_SHARED, (int64_t)l->parallel);
  if (steps < 0) remark_text(session, kernel, FACT_THREADS, STR("steps shared by threads"));
}

static void lower_launch(PassContext *ctx, IrOp *launch) {
  Lowering l;
  IrBuilder b = ir_builder_before(launch);
  lowering_init(&l, ctx, launch, &b);
  size_t marked = launch_parallel_prefix(launch);
  bool cores = marked && needs_cores(&l);
  int64_t count = cores ? core_count(&l, marked) : 1;
  l.parallel = cores || ctx->options->check ? 0 : marked;
  l.shared = count > 1 ? marked : 0;
  report_steps(&l, cores, count);
  if (ctx->options->check && marked) check_product(&l, &b, marked);
  plan_state(&l);
  if (!l.shared) lowering_prefetch(&l, &b);
  if (l.shared)
    lower_cores(&l, &b, count);
  else if (l.parallel)
    lower_parallel(&l, &b);
  else
    lower_sequential(&l, &b);
  ir_op_remove(launch);
}

bool pass_pipeline(PassContext *ctx) {
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) launches_of(func, &list);
  for (size_t i = 0; i < list.ops.count; i++) {
    if (ctx->options->schedule)
      schedule_launch(ctx, list.ops.items[i]);
    else
      lower_launch(ctx, list.ops.items[i]);
  }
  return true;
}
