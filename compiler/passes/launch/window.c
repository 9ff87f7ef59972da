// SPDX-License-Identifier: Apache-2.0
// Blocks of a launch while it is being lowered: where they start, what part of them lies inside the
// array, their refs in the body.
#include "base/map.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "window.h"

IrValue *lower_i32(IrBuilder *b, OpCode code, IrValue *x, int64_t y) {
  return ir_binary(b, code, x, ir_i32(b, (int32_t)y));
}

// Where a dimension of the block starts in the array, from what the index map gave.
static IrValue *window_element_start(IrBuilder *b, const BlockDim *dim, IrValue *index) {
  switch (dim->kind) {
  case BLOCK_BLOCKED: return lower_i32(b, OP_MUL, index, dim->size);
  case BLOCK_SQUEEZED: return index;
  case BLOCK_ELEMENT: return dim->pad_lo ? lower_i32(b, OP_SUB, index, dim->pad_lo) : index;
  case BLOCK_BOUNDED: return index;
  }
  BUG("unknown kind of block dimension");
}

ClippedViews window_clip(Lowering *l, IrBuilder *b, const Window *w, IrValue *buffer,
                         IrValue *const *starts) {
  IrIndex in_array = {.rank = w->block->rank}, in_buffer = {.rank = buffer->type->rank};
  IrValue *array_operands[2 * IR_MAX_RANK], *buffer_operands[2 * IR_MAX_RANK];
  size_t array_count = 0, buffer_count = 0;
  int position = 0;               // in the buffer
  int next_size = w->block->rank; // among the starts: of the next bounded dimension
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    int64_t extent = w->array->type->dims[i];
    IrValue *start = window_element_start(b, dim, starts[i]);
    IndexDim *a = &in_array.dims[i];
    IrValue *wanted = dim->kind == BLOCK_BOUNDED ? starts[next_size++] : NULL;
    bool inside = !wanted && launch_start_is_inside(l->launch, w->map, i, dim, extent);
    *a = (IndexDim){
        dim->kind == BLOCK_SQUEEZED ? INDEX_SCALAR : INDEX_SLICE, 0, -1, dim->size, -1, 1};
    if (inside) {
      a->start_operand = (int)array_count;
      array_operands[array_count++] = start;
      if (dim->kind != BLOCK_SQUEEZED)
        in_buffer.dims[position++] = (IndexDim){INDEX_SLICE, 0, -1, dim->size, -1, 1};
      continue;
    }
    IrValue *zero = ir_i32(b, 0);
    IrValue *limit = ir_i32(b, (int32_t)extent);
    // Nothing sensible outside: the nearest inside, as dynamic slices do.
    if (dim->kind == BLOCK_SQUEEZED) {
      a->start_operand = (int)array_count;
      array_operands[array_count++] =
          ir_binary(b, OP_MIN, ir_binary(b, OP_MAX, start, zero), ir_i32(b, (int32_t)extent - 1));
      continue;
    }
    IrValue *low = ir_binary(b, OP_MIN, ir_binary(b, OP_MAX, start, zero), limit);
    IrValue *size = wanted ? ir_binary(b, OP_MIN, wanted, ir_i32(b, (int32_t)dim->size))
                           : ir_i32(b, (int32_t)dim->size);
    IrValue *high =
        ir_binary(b, OP_MAX, ir_binary(b, OP_MIN, ir_binary(b, OP_ADD, start, size), limit), low);
    IrValue *count = ir_binary(b, OP_SUB, high, low);
    int64_t most = dim->size < extent ? dim->size : extent;
    a->size = most;
    a->start_operand = (int)array_count;
    array_operands[array_count++] = low;
    a->size_operand = (int)array_count;
    array_operands[array_count++] = count;
    IndexDim *w_dim = &in_buffer.dims[position++];
    *w_dim = (IndexDim){INDEX_SLICE, 0, (int)buffer_count, most, (int)buffer_count + 1, 1};
    // A window that lies outside altogether copies nothing, from its start.
    buffer_operands[buffer_count++] =
        ir_binary(b, OP_MIN, ir_binary(b, OP_SUB, low, ir_binary(b, OP_MIN, start, low)),
                  ir_i32(b, (int32_t)dim->size));
    buffer_operands[buffer_count++] = count;
  }
  return (ClippedViews){ir_view(b, w->array, &in_array, array_count, array_operands),
                        ir_view(b, buffer, &in_buffer, buffer_count, buffer_operands)};
}

// What an index map gives for a dimension of blocks that lie side by side: below zero it counts
// from behind the last one. Under check it stays as it is, to be reported.
static IrValue *count_from_end(Lowering *l, IrBuilder *b, const Window *w, int i, IrValue *index) {
  const BlockDim *dim = &w->block->dims[i];
  int64_t extent = w->array->type->dims[i], size = dim->kind == BLOCK_SQUEEZED ? 1 : dim->size;
  bool is_numbered = dim->kind == BLOCK_BLOCKED || dim->kind == BLOCK_SQUEEZED;
  if (!is_numbered || size <= 0 || l->ctx->options->check ||
      !launch_index_may_be_negative(l->launch, w->map, i))
    return index;
  IrValue *from_end = lower_i32(b, OP_ADD, index, (extent + size - 1) / size);
  return ir_select(b, ir_binary(b, OP_LT, index, ir_i32(b, 0)), from_end, index);
}

// Clones an index map with the current grid indices; the block's starts go to `out`.
void window_evaluate_map(Lowering *l, IrBuilder *b, const Window *w, IrValue **out) {
  Map *values = map_new(l->ctx->arena);
  for (size_t i = 0; i < l->parts.rank; i++) map_set(values, w->map->args[i], l->indices[i]);
  for (size_t i = 0; i < l->parts.prefetch_count; i++)
    map_set(values, w->map->args[l->parts.rank + i], l->parts.prefetch[i]);
  for (const IrOp *op = w->map->first; op; op = op->next) {
    if (op->code != OP_YIELD) {
      ir_op_clone(b, op, values);
      continue;
    }
    for (size_t i = 0; i < op->operand_count; i++) {
      IrValue *mapped = map_get(values, op->operands[i]);
      IrValue *index = mapped ? mapped : op->operands[i];
      out[i] = (int)i < w->block->rank ? count_from_end(l, b, w, (int)i, index) : index;
    }
  }
}

// Opens `if (pred) { … } else { }` and gives the builder inside.
IrBuilder lower_open_if(IrBuilder *b, IrValue *pred) {
  IrOp *op = ir_if(b, pred, 0, NULL);
  IrBuilder none = *b;
  none.region = op->regions[1];
  none.before = NULL;
  ir_yield(&none, 0, NULL);
  IrBuilder inside = *b;
  inside.region = op->regions[0];
  inside.before = NULL;
  return inside;
}

IrValue *window_buffer(IrBuilder *b, const Window *w, IrValue *count) {
  IrValue *slot = lower_i32(b, OP_REM, count, w->block->buffers);
  const IrType *type = w->memory->type;
  IrIndex index = {.rank = type->rank, .dims = {{INDEX_SCALAR, 0, 0, 1, -1, 1}}};
  for (int i = 1; i < type->rank; i++)
    index.dims[i] = (IndexDim){INDEX_SLICE, 0, -1, type->dims[i], -1, 1};
  return ir_view(b, w->memory, &index, 1, &slot);
}

// The block as a view of the array itself. Indices that may lie outside are brought to the nearest
// block.
IrValue *window_in_place(Lowering *l, IrBuilder *b, const Window *w) {
  IrIndex index = {.rank = w->block->rank};
  IrValue *operands[IR_MAX_RANK];
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    int64_t extent = w->array->type->dims[i];
    IrValue *start = window_element_start(b, dim, w->starts[i]);
    if (!launch_start_is_inside(l->launch, w->map, i, dim, extent)) {
      start = ir_binary(b, OP_MIN, start, ir_i32(b, (int32_t)(extent - dim->size)));
      start = ir_binary(b, OP_MAX, start, ir_i32(b, 0));
    }
    index.dims[i] = (IndexDim){
        dim->kind == BLOCK_SQUEEZED ? INDEX_SCALAR : INDEX_SLICE, 0, i, dim->size, -1, 1};
    operands[i] = start;
  }
  return ir_view(b, w->array, &index, w->block->rank, operands);
}

const char *lower_block_name(const Lowering *l, const Window *w) {
  return launch_block_name(&l->parts, (size_t)(w - l->windows)).data;
}

// What is asked about a result is asked about the array, whatever its window is.
static void ask_about_array(IrOp *op, void *data) {
  const Lowering *l = data;
  bool is_of_counts = op->code == OP_SEM_PASS || op->code == OP_SEM_TAKE;
  if (op->code != OP_RESULT_READ && !is_of_counts) return;
  uint32_t operand = is_of_counts ? 1 : 0;
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (op->operands[operand] == l->parts.body->args[l->parts.first_block + i])
      ir_set_operand(op, operand, l->windows[i].array);
}

// Moves the body's ops to the builder's place, with its arguments bound.
void lower_place_body(Lowering *l, IrBuilder *b, IrValue *const *refs) {
  IrRegion *body = l->parts.body;
  ir_walk(body, ask_about_array, l);
  for (size_t i = 0; i < l->parts.rank; i++) ir_replace_uses(body, body->args[i], l->indices[i]);
  for (size_t i = 0; i < l->parts.prefetch_count; i++)
    launch_replace_ref(l->ctx->module, body, body->args[l->parts.rank + i], l->parts.prefetch[i]);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    IrValue *arg = body->args[l->parts.first_block + i];
    if (arg->use_count) launch_replace_ref(l->ctx->module, body, arg, refs[i]);
  }
  for (IrOp *op = body->first, *next; op; op = next) {
    next = op->next;
    if (op->code == OP_YIELD)
      ir_op_remove(op);
    else
      ir_op_move(op, b->region, b->before);
  }
}

void lowering_prefetch(Lowering *l, IrBuilder *b) {
  for (size_t i = 0; i < l->parts.prefetch_count; i++) {
    const IrValue *arg = l->parts.body->args[l->parts.rank + i];
    IrValue *smem = ir_alloc(b, arg->type, arg->name ? name_str(arg->name) : STR("prefetch"));
    ir_copy(b, l->parts.prefetch[i], smem, MOVE_NONE);
    l->parts.prefetch[i] = smem;
  }
}

void lowering_init(Lowering *l, PassContext *ctx, IrOp *launch, IrBuilder *b) {
  *l = (Lowering){.ctx = ctx, .launch = launch};
  launch_parts(ctx->arena, launch, &l->parts);
  for (size_t i = 0; i < l->parts.rank; i++)
    l->sizes[i] =
        l->parts.grid[i] >= 0 ? ir_i32(b, (int32_t)l->parts.grid[i]) : l->parts.dynamic[i];
  l->windows = ARENA_ARRAY(ctx->arena, Window, l->parts.block_count);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    w->block = &l->parts.blocks[i];
    w->array = l->parts.arrays[i];
    w->map = ir_launch_index_map(launch, i);
  }
}

void lower_indices(Lowering *l, IrBuilder *b, size_t count, IrValue *number) {
  for (size_t i = count; i-- > 0;) {
    l->indices[i] = i == 0 ? number : ir_binary(b, OP_REM, number, l->sizes[i]);
    if (i > 0) number = ir_binary(b, OP_DIV, number, l->sizes[i]);
  }
}

IrValue *window_differs(IrBuilder *b, const Window *w, IrValue *const *x, IrValue *const *y) {
  IrValue *result = NULL;
  for (int i = 0; i < window_values(w); i++) {
    IrValue *differs = ir_binary(b, OP_NE, x[i], y[i]);
    result = result ? ir_binary(b, OP_OR, result, differs) : differs;
  }
  return result;
}
