// SPDX-License-Identifier: Apache-2.0
// Under check: what a launch's loops look for beside their work. In: a launch while it is lowered.
// Out: ops `check`, memory for them, copies of memory that was never written.
#include "base/buf.h"
#include "base/checked.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch_check.h"
#include <string.h>
#include "ir/analysis/effects.h"

enum { MAX_PLACES = 1 << 26 }; // a choice: a byte each is 64 MB

IrOp *check_block(Lowering *l, IrBuilder *b, const Window *w, size_t count,
                  IrValue *const *operands, CheckFinding finding, Str format) {
  IrBuilder at = *b;
  if (w->block->span.end > w->block->span.begin) at.span = w->block->span;
  IrOp *check = ir_build(&at, OP_CHECK, count, operands, 0, NULL);
  ir_set_str(l->ctx->module, check, ATTR_FORMAT, format);
  ir_set_int(l->ctx->module, check, ATTR_FINDING, finding);
  return check;
}

Str check_index_format(Lowering *l, const Window *w) {
  Buf text;
  buf_init(&text, l->ctx->arena);
  for (int i = 0; i < w->block->rank; i++) buf_printf(&text, "%s{}", i ? ", " : "(");
  buf_printf(&text, w->block->rank == 1 ? ",)" : ")");
  return buf_view(&text);
}

IrValue *check_places(Lowering *l, IrBuilder *b, const Window *w, DType dtype, Str name) {
  int64_t dims[IR_MAX_RANK], count = 1;
  if (window_values(w) > w->block->rank) return NULL;
  for (int i = 0; i < w->block->rank; i++) {
    const BlockDim *dim = &w->block->dims[i];
    int64_t extent = w->array->type->dims[i] + dim->pad_lo + dim->pad_hi;
    dims[i] =
        dim->kind == BLOCK_BLOCKED && dim->size ? (extent + dim->size - 1) / dim->size : extent;
    if (!dims[i] || !mul_i64(count, dims[i], &count) || count > MAX_PLACES) return NULL;
  }
  IrModule *m = l->ctx->module;
  IrValue *places = ir_alloc(b, ir_ref_type(m, SPACE_VMEM, dtype, w->block->rank, dims), name);
  ir_store_all(b, ir_const_i64(b, ir_array_type(m, dtype, w->block->rank, dims), 0), places);
  return places;
}

void check_place(IrBuilder *b, const Window *w, const IrValue *memory, IrIndex *index,
                 IrValue **places) {
  *index = (IrIndex){.rank = w->block->rank};
  for (int i = 0; i < w->block->rank; i++) {
    int64_t last = memory->type->dims[i] - 1;
    places[i] = ir_binary(b, OP_MAX, ir_binary(b, OP_MIN, w->starts[i], ir_i32(b, (int32_t)last)),
                          ir_i32(b, 0));
    index->dims[i] = (IndexDim){INDEX_SCALAR, 0, i, 1, -1, 1};
  }
}

// ---- memory -------------------------------------------------------------------------------------
static void end_memory(const Lowering *l, IrBuilder *b, IrValue *memory) {
  IrBuilder at = *b;
  at.span = l->launch->span;
  if (memory && memory->type->space != SPACE_SEM) ir_build(&at, OP_OVER, 1, &memory, 0, NULL);
}

void check_memory_end(Lowering *l, IrBuilder *b) {
  if (!l->is_watched) return;
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    end_memory(l, b, w->memory ? w->memory : w->buffer);
  }
  for (size_t i = 0; i < l->parts.prefetch_count; i++) end_memory(l, b, l->parts.prefetch[i]);
  for (size_t i = 0; i < l->parts.scratch_count; i++) end_memory(l, b, l->scratch[i]);
}

// ---- parallel dimensions ------------------------------------------------------------------------
static bool is_parallel(const Lowering *l, size_t dim) {
  return launch_is_parallel(l->launch, dim) && l->parts.grid[dim] != 1;
}

bool check_has_parallel(const Lowering *l) {
  for (size_t i = 0; i < l->parts.rank; i++)
    if (is_parallel(l, i)) return l->ctx->options->check;
  return false;
}

bool check_is_parallel(const Lowering *l) {
  for (size_t i = 0; i < l->parts.rank; i++)
    if (!is_parallel(l, i) && l->parts.grid[i] != 1) return false;
  return check_has_parallel(l);
}

static const IrValue *body_ref(const Lowering *l, size_t block) {
  return l->parts.body->args[l->parts.first_block + block];
}

// Whether the body has the array of a block, and uses it.
static bool is_whole(const Lowering *l, size_t block) {
  const IrValue *ref = body_ref(l, block);
  return l->windows[block].block->mode == BLOCK_WHOLE && ref->type->space == SPACE_HBM &&
         ref->use_count > 0;
}

static bool has_output_window(const Lowering *l, const IrValue *root) {
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    if (w->block->mode != BLOCK_WHOLE && window_is_output(w) && ir_ref_root(w->array) == root)
      return true;
  }
  return false;
}

bool check_touches_arrays(const Lowering *l) {
  for (size_t i = 0; l->ctx->options->check && i < l->parts.block_count; i++)
    if (is_whole(l, i) && (effects_region_writes(l->parts.body, body_ref(l, i)) ||
                           has_output_window(l, ir_ref_root(l->windows[i].array))))
      return true;
  return false;
}

// Whether there is more to be looked at than blocks, which have ops of their own: then the launch
// is part of a program that may race.
static bool has_own_accesses(const Lowering *l) {
  return ir_program_around(l->launch->parent) || effects_region_communicates(l->parts.body) ||
         check_touches_arrays(l);
}

static bool is_touched(const Lowering *l, const Window *w) {
  IrValue *root = ir_ref_root(w->array);
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (is_whole(l, i) && ir_ref_root(l->windows[i].array) == root) return true;
  return launch_captures(l->launch, root);
}

// Which of the steps that may run beside each other this one belongs to.
static IrValue *parallel_number(Lowering *l, IrBuilder *b) {
  IrValue *number = NULL;
  for (size_t i = 0; i < l->parts.rank; i++) {
    if (!is_parallel(l, i)) continue;
    number = number ? ir_binary(b, OP_ADD, ir_binary(b, OP_MUL, number, l->sizes[i]), l->indices[i])
                    : l->indices[i];
  }
  return number;
}

static IrValue *allocate_number(Lowering *l, IrBuilder *b) {
  IrValue *number =
      ir_alloc(b, ir_ref_type(l->ctx->module, SPACE_SMEM, DT_I32, 0, NULL), STR("parallel step"));
  ir_store_all(b, ir_i32(b, -1), number);
  return number;
}

// ---- inputs that the body writes ----------------------------------------------------------------
// What a step finds in a prefetched operand, or in a block that is not fetched anew for it, that an
// earlier one has changed depends on which of them ran on its core: it is as never written. What
// nobody has changed is as it was given.
typedef struct CheckedInput {
  IrValue *memory, *given, *changed, *pristine; // NULL: the body does not write it
} CheckedInput;

static void copy_nowhere(IrBuilder *b, IrValue *from, IrValue *to) {
  IrBuilder nowhere = *b;
  nowhere.span = (Span){0};
  ir_copy(&nowhere, from, to, MOVE_NONE);
}

// It has been given anew.
static void begin_input(const Lowering *l, IrBuilder *b, const CheckedInput *c) {
  const IrType *type = c->changed->type;
  copy_nowhere(b, c->memory, c->given);
  const IrType *array = ir_array_type(l->ctx->module, DT_BOOL, type->rank, type->dims);
  ir_store_all(b, ir_const_i64(b, array, 0), c->changed);
}

static void allocate_input(Lowering *l, IrBuilder *b, CheckedInput *c, IrValue *memory) {
  IrModule *m = l->ctx->module;
  const IrType *type = memory->type;
  c->memory = memory;
  c->given = ir_alloc(b, type, STR("given"));
  c->pristine = ir_alloc(b, type, STR("unwritten"));
  c->changed =
      ir_alloc(b, ir_ref_type(m, SPACE_SMEM, DT_BOOL, type->rank, type->dims), STR("changed"));
}

static void allocate_prefetch(Lowering *l, IrBuilder *b, size_t i) {
  const IrRegion *body = l->parts.body;
  if (!effects_region_writes(body, body->args[l->parts.rank + i])) return;
  allocate_input(l, b, &l->checked[i], l->parts.prefetch[i]);
  begin_input(l, b, &l->checked[i]);
}

// Of blocks that lie in the array: of others it is not known what is given.
static void allocate_block(Lowering *l, IrBuilder *b, size_t i) {
  Window *w = &l->windows[i];
  bool is_own = w->block->mode == BLOCK_COPIED && window_is_input(w) && !window_is_output(w);
  if (!is_own || w->pristine || !effects_region_writes(l->parts.body, body_ref(l, i))) return;
  w->checked = ARENA_NEW(l->ctx->arena, CheckedInput);
  allocate_input(l, b, w->checked, w->buffer);
  ir_set_int(l->ctx->module, w->buffer->def, ATTR_FETCHED, 0); // it may be as never written
}

void check_fetched(const Lowering *l, IrBuilder *b, const Window *w) {
  if (w->checked) begin_input(l, b, w->checked);
}

static IrValue *element_of(IrBuilder *b, IrValue *ref, IrValue *const *places) {
  IrIndex index = {.rank = ref->type->rank};
  for (int d = 0; d < index.rank; d++) index.dims[d] = (IndexDim){INDEX_SCALAR, 0, d, 1, -1, 1};
  return ir_view(b, ref, &index, (size_t)index.rank, places);
}

// The element's bits: a NaN is the same as before, too.
static IrValue *bits_of(IrBuilder *b, IrValue *ref) {
  IrValue *element = ir_load_all(b, ref);
  DType dtype = element->type->dtype;
  if (!dtype_is_float(dtype)) return element;
  size_t size = dtype_size(dtype);
  return ir_bitcast(b, element,
                    size == 8   ? DT_I64
                    : size == 4 ? DT_I32
                    : size == 2 ? DT_I16
                                : DT_I8);
}

// An element that was found changed is not looked at again: it may be as never written.
static void forget_element(IrBuilder *b, const CheckedInput *c, IrValue *const *places) {
  IrValue *now = element_of(b, c->memory, places), *changed = element_of(b, c->changed, places);
  IrBuilder inside = lower_open_if(b, ir_unary(b, OP_NOT, ir_load_all(b, changed)));
  IrValue *given = bits_of(&inside, element_of(&inside, c->given, places));
  ir_store_all(&inside, ir_binary(&inside, OP_NE, bits_of(&inside, now), given), changed);
  ir_yield(&inside, 0, NULL);
  inside = lower_open_if(b, ir_load_all(b, changed));
  copy_nowhere(&inside, element_of(&inside, c->pristine, places), now);
  ir_yield(&inside, 0, NULL);
}

static void forget_input(IrBuilder *b, const CheckedInput *c) {
  const IrType *type = c->changed->type;
  IrValue *places[IR_MAX_RANK];
  IrBuilder at[IR_MAX_RANK + 1] = {*b};
  at[0].span = (Span){0};
  for (int d = 0; d < type->rank; d++) {
    IrOp *loop = ir_for(&at[d], ir_i32(&at[d], 0), ir_i32(&at[d], (int32_t)type->dims[d]),
                        ir_i32(&at[d], 1), 0, NULL);
    at[d + 1] = at[d];
    at[d + 1].region = loop->regions[0];
    at[d + 1].before = NULL;
    places[d] = loop->regions[0]->args[0];
  }
  forget_element(&at[type->rank], c, places);
  for (int d = type->rank; d > 0; d--) ir_yield(&at[d], 0, NULL);
}

// ---- steps --------------------------------------------------------------------------------------
void check_parallel_allocate(Lowering *l, IrBuilder *b) {
  if (!check_has_parallel(l)) return;
  l->checked = ARENA_ARRAY(l->ctx->arena, CheckedInput, l->parts.prefetch_count + 1);
  for (size_t i = 0; i < l->parts.prefetch_count; i++) allocate_prefetch(l, b, i);
  l->last_parallel = allocate_number(l, b);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    Window *w = &l->windows[i];
    w->is_direct = w->block->mode != BLOCK_WHOLE && has_own_accesses(l) && is_touched(l, w);
    allocate_block(l, b, i);
  }
  l->pristine_scratch = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.scratch_count + 1);
  for (size_t i = 0; i < l->parts.scratch_count; i++)
    if (l->scratch[i]->type->space != SPACE_SEM)
      l->pristine_scratch[i] = ir_alloc(b, l->scratch[i]->type, STR("unwritten"));
}

// An op that ends what a step may have under way; `number`: of the one that begins, or NULL.
static void rest(Lowering *l, IrBuilder *b, OpCode code, IrValue *number) {
  IrValue **operands = ARENA_ARRAY(l->ctx->arena, IrValue *, l->parts.scratch_count + 1);
  size_t count = 0;
  if (number) operands[count++] = number;
  for (size_t i = 0; i < l->parts.scratch_count; i++)
    if (l->scratch[i]->type->space == SPACE_SEM) operands[count++] = l->scratch[i];
  ir_build(b, code, count, operands, 0, NULL);
}

// The program has no such copy: it is no access of its own.
static void forget_one(Lowering *l, IrBuilder *b, size_t i) {
  copy_nowhere(b, l->pristine_scratch[i], l->scratch[i]);
  if (l->scratch[i]->type->space == SPACE_HBM) ir_build(b, OP_ENTER, 1, &l->scratch[i], 0, NULL);
}

static void forget_scratch(Lowering *l, IrBuilder *b, IrValue *number) {
  IrValue *last = ir_load_all(b, l->last_parallel);
  IrBuilder inside = lower_open_if(b, ir_binary(b, OP_NE, number, last));
  for (size_t i = 0; i < l->parts.scratch_count; i++)
    if (l->pristine_scratch[i]) forget_one(l, &inside, i);
  for (size_t i = 0; i < l->parts.prefetch_count; i++)
    if (l->checked[i].memory) forget_input(&inside, &l->checked[i]);
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (l->windows[i].checked) forget_input(&inside, l->windows[i].checked);
  if (has_own_accesses(l)) rest(l, &inside, OP_PARALLEL_STEP, number);
  ir_store_all(&inside, number, l->last_parallel);
  ir_yield(&inside, 0, NULL);
}

typedef struct Touch {
  const IrValue *ref;
  bool writes;
  const IrOp *op; // the first that reads, the last that writes
} Touch;

static void find_touch(const IrOp *op, void *data) {
  Touch *touch = data;
  for (uint32_t i = 0; i < op->operand_count && (touch->writes || !touch->op); i++)
    if ((touch->writes ? effects_writes(op, i) : effects_reads(op, i)) &&
        ir_ref_root(op->operands[i]) == touch->ref)
      touch->op = op;
}

// The op stands where the body reads or writes the block, or where its spec does.
static void name_block(Lowering *l, IrOp *op, const Window *w) {
  size_t block = (size_t)(w - l->windows);
  Touch touch = {body_ref(l, block), op->code == OP_PARALLEL_WRITE, NULL};
  ir_walk_const(l->parts.body, find_touch, &touch);
  if (touch.op) {
    op->span = touch.op->span;
    op->frames = touch.op->frames;
  } else if (w->block->span.end > w->block->span.begin) {
    op->span = w->block->span;
  }
  ir_set_str(l->ctx->module, op, ATTR_NAME, str_from_c(lower_block_name(l, w)));
  ir_set_int(l->ctx->module, op, ATTR_DIRECT, w->is_direct);
}

static void write_beside_others(Lowering *l, IrBuilder *b, const Window *w, IrValue *number) {
  IrValue *array = NULL, *window = w->buffer;
  if (w->block->mode == BLOCK_COPIED)
    array = window_clip(l, b, w, w->buffer, w->starts).array;
  else
    array = window = window_in_place(l, b, w);
  IrValue *operands[] = {array, window, number};
  name_block(l, ir_build(b, OP_PARALLEL_WRITE, 3, operands, 0, NULL), w);
}

static void read_beside_others(Lowering *l, IrBuilder *b, const Window *w, IrValue *number) {
  IrValue *operands[] = {window_clip(l, b, w, w->buffer, w->starts).array, number};
  name_block(l, ir_build(b, OP_PARALLEL_READ, 2, operands, 0, NULL), w);
}

static bool is_output_too(const Lowering *l, const Window *w) {
  for (size_t i = 0; i < l->parts.block_count; i++)
    if (window_is_output(&l->windows[i]) && l->windows[i].array == w->array) return true;
  return false;
}

void check_parallel_step(Lowering *l, IrBuilder *b) {
  if (!check_has_parallel(l)) return;
  IrValue *number = parallel_number(l, b);
  forget_scratch(l, b, number);
  for (size_t i = 0; i < l->parts.block_count; i++) {
    const Window *w = &l->windows[i];
    if (w->block->mode == BLOCK_WHOLE) continue;
    if (window_is_output(w)) write_beside_others(l, b, w, number);
    bool is_read =
        window_is_input(w) && w->block->mode == BLOCK_COPIED && body_ref(l, i)->use_count > 0;
    if (is_read && is_output_too(l, w)) read_beside_others(l, b, w, number);
  }
}

void check_parallel_end(Lowering *l, IrBuilder *b) {
  if (check_has_parallel(l)) rest(l, b, OP_PARALLEL_END, NULL);
}
