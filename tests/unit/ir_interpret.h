// SPDX-License-Identifier: Apache-2.0
// A plain interpreter of the IR for tests: what a function does, op by op, on top of ir_evaluate. A
// launch runs its steps in order; a copied block is copied in before each step and out behind it.
// Out of bounds ends the test.
#pragma once
#include <check.h>
#include <string.h>

#include "ir/ir.h"

typedef struct Memory {
  DType dtype;
  int rank;
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK]; // in elements
  char *base;
} Memory;

typedef struct Interpreter {
  Arena *arena;
  Map *values; // IrValue -> IrData or Memory
  Buf printed; // what debug_print and failed checks gave
} Interpreter;

static inline Interpreter interpreter_new(Arena *arena) {
  Interpreter in = {.arena = arena, .values = map_new(arena)};
  buf_init(&in.printed, arena);
  return in;
}

static inline Memory *memory_new(Interpreter *in, const IrType *type) {
  Memory *m = ARENA_NEW(in->arena, Memory);
  m->dtype = type->dtype;
  m->rank = type->rank;
  int64_t stride = 1;
  for (int i = type->rank - 1; i >= 0; i--) {
    m->dims[i] = type->dims[i];
    m->strides[i] = stride;
    stride *= type->dims[i];
  }
  m->base = arena_alloc(in->arena, (size_t)ir_type_bytes(type));
  return m;
}

static inline char *memory_at(const Memory *m, const int64_t *at) {
  int64_t offset = 0;
  for (int i = 0; i < m->rank; i++) {
    ck_assert_msg(at[i] >= 0 && at[i] < m->dims[i], "index %lld of dimension %d is out of bounds",
                  (long long)at[i], i);
    offset += at[i] * m->strides[i];
  }
  return m->base + offset * (int64_t)dtype_size(m->dtype);
}

static inline const void *known(Interpreter *in, const IrValue *value) {
  const void *x = map_get(in->values, value);
  ck_assert_ptr_nonnull(x);
  return x;
}

static inline void bind(Interpreter *in, const IrValue *value, const void *x) {
  map_set(in->values, value, (void *)x);
}

static inline const char *element_of(const IrData *data, int64_t i) {
  return (const char *)data->bytes + (data->count == 1 ? 0 : (size_t)i * dtype_size(data->dtype));
}

static inline int64_t scalar_of(Interpreter *in, const IrValue *value) {
  const IrData *data = known(in, value);
  return dtype_load_i64(data->dtype, data->bytes);
}

static inline const IrData *scalar_data(Interpreter *in, int64_t number) {
  IrData *data = ARENA_NEW(in->arena, IrData);
  int32_t narrow = (int32_t)number;
  *data = (IrData){DT_I32, 1, arena_dup(in->arena, &narrow, sizeof narrow)};
  return data;
}

// Counts `at` up in row-major order; false behind the last position.
static inline bool next_position(int rank, const int64_t *dims, int64_t *at) {
  for (int i = rank - 1; i >= 0; i--) {
    if (++at[i] < dims[i]) return true;
    at[i] = 0;
  }
  return false;
}

// ---- indexing ----------------------------------------------------------------------------------
// The position in the ref of a position in what the index gives.
static inline void index_position(Interpreter *in, const IrOp *op, const int64_t *inside,
                                  int64_t *at) {
  const IrIndex *index = ir_attr_index(op);
  int runs = 0, array_rank = 0, array_at = 0, slice = 0;
  const int64_t *array_dims = NULL;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_SLICE) continue;
    if (i == 0 || index->dims[i - 1].kind == INDEX_SLICE) runs++;
    if (dim->kind != INDEX_ARRAY) continue;
    array_rank = op->operands[dim->start_operand]->type->rank;
    array_dims = op->operands[dim->start_operand]->type->dims;
  }
  for (int i = 0; runs == 1 && index->dims[i].kind == INDEX_SLICE; i++) array_at++;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_ARRAY) {
      const IrData *data = known(in, op->operands[dim->start_operand]);
      int64_t linear = 0;
      for (int d = 0; d < array_rank; d++) linear = linear * array_dims[d] + inside[array_at + d];
      at[i] = dtype_load_i64(data->dtype, element_of(data, linear));
      continue;
    }
    at[i] = dim->start_operand >= 0 ? scalar_of(in, op->operands[dim->start_operand]) : dim->start;
    if (dim->kind != INDEX_SLICE) continue;
    at[i] += inside[slice >= array_at ? slice + array_rank : slice] * dim->stride;
    slice++;
  }
}

static inline bool mask_at(Interpreter *in, const IrOp *op, uint32_t from_end, int64_t linear) {
  if (!ir_attr_int(op, ATTR_MASKED)) return true;
  const IrData *mask = known(in, op->operands[op->operand_count - from_end]);
  return dtype_load_i64(DT_BOOL, element_of(mask, linear));
}

static inline void run_load(Interpreter *in, const IrOp *op) {
  const IrType *type = op->results[0]->type;
  const Memory *m = known(in, op->operands[0]);
  size_t size = dtype_size(type->dtype);
  int64_t count = ir_type_count(type), inside[IR_MAX_RANK] = {0}, at[IR_MAX_RANK];
  char *bytes = arena_alloc(in->arena, (size_t)count * size);
  for (int64_t i = 0; i < count; i++, next_position(type->rank, type->dims, inside)) {
    if (mask_at(in, op, 2, i)) {
      index_position(in, op, inside, at);
      memcpy(bytes + (size_t)i * size, memory_at(m, at), size);
    } else {
      const IrData *other = known(in, op->operands[op->operand_count - 1]);
      memcpy(bytes + (size_t)i * size, element_of(other, i), size);
    }
  }
  IrData *data = ARENA_NEW(in->arena, IrData);
  *data = (IrData){type->dtype, count, bytes};
  bind(in, op->results[0], data);
}

static inline void run_store(Interpreter *in, const IrOp *op) {
  const IrType *type = op->operands[0]->type;
  const IrData *data = known(in, op->operands[0]);
  const Memory *m = known(in, op->operands[1]);
  int64_t count = ir_type_count(type), inside[IR_MAX_RANK] = {0}, at[IR_MAX_RANK];
  for (int64_t i = 0; i < count; i++, next_position(type->rank, type->dims, inside)) {
    if (!mask_at(in, op, 1, i)) continue;
    index_position(in, op, inside, at);
    memcpy(memory_at(m, at), element_of(data, i), dtype_size(type->dtype));
  }
}

static inline void run_view(Interpreter *in, const IrOp *op) {
  const Memory *m = known(in, op->operands[0]);
  const IrIndex *index = ir_attr_index(op);
  Memory *view = ARENA_NEW(in->arena, Memory);
  int64_t zero[IR_MAX_RANK] = {0}, at[IR_MAX_RANK];
  *view = *m;
  view->rank = 0;
  index_position(in, op, zero, at);
  for (int i = 0; i < index->rank; i++) {
    view->base += at[i] * m->strides[i] * (int64_t)dtype_size(m->dtype);
    if (index->dims[i].kind != INDEX_SLICE) continue;
    view->dims[view->rank] = index->dims[i].size;
    view->strides[view->rank++] = m->strides[i] * index->dims[i].stride;
  }
  bind(in, op->results[0], view);
}

// Elements [start, start + size) of `whole` to or from `block`, as far as they are inside.
static inline void copy_window(const Memory *whole, const int64_t *starts, const Memory *block,
                               bool to_block) {
  int64_t inside[IR_MAX_RANK] = {0}, at[IR_MAX_RANK];
  do {
    bool is_inside = true;
    for (int i = 0; i < whole->rank; i++) {
      at[i] = starts[i] + inside[i];
      is_inside &= at[i] >= 0 && at[i] < whole->dims[i];
    }
    if (!is_inside) continue;
    char *here = memory_at(block, inside), *there = memory_at(whole, at);
    memcpy(to_block ? here : there, to_block ? there : here, dtype_size(whole->dtype));
  } while (next_position(whole->rank, block->dims, inside));
}

// ---- control flow ------------------------------------------------------------------------------
static inline const IrOp *run_region(Interpreter *in, const IrRegion *region);

static inline void bind_yields(Interpreter *in, const IrOp *yield, IrValue *const *to) {
  const void *values[64];
  ck_assert_uint_le(yield->operand_count, 64);
  for (uint32_t i = 0; i < yield->operand_count; i++) values[i] = known(in, yield->operands[i]);
  for (uint32_t i = 0; i < yield->operand_count; i++) bind(in, to[i], values[i]);
}

static inline void run_for(Interpreter *in, const IrOp *op) {
  const IrRegion *body = op->regions[0];
  int64_t lower = scalar_of(in, op->operands[0]), upper = scalar_of(in, op->operands[1]);
  int64_t step = scalar_of(in, op->operands[2]);
  for (uint32_t i = 0; i < op->result_count; i++)
    bind(in, op->results[i], known(in, op->operands[3 + i]));
  for (int64_t at = lower; at < upper; at += step) {
    bind(in, body->args[0], scalar_data(in, at));
    for (uint32_t i = 0; i < op->result_count; i++)
      bind(in, body->args[1 + i], known(in, op->results[i]));
    bind_yields(in, run_region(in, body), op->results);
  }
}

static inline void run_while(Interpreter *in, const IrOp *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    bind(in, op->results[i], known(in, op->operands[i]));
  for (int trips = 0;; trips++) {
    ck_assert_int_lt(trips, 10000);
    for (int j = 0; j < 2; j++)
      for (uint32_t i = 0; i < op->result_count; i++)
        bind(in, op->regions[j]->args[i], known(in, op->results[i]));
    if (!scalar_of(in, run_region(in, op->regions[0])->operands[0])) return;
    bind_yields(in, run_region(in, op->regions[1]), op->results);
  }
}

static inline void run_branch(Interpreter *in, const IrOp *op) {
  int64_t choice = scalar_of(in, op->operands[0]);
  if (op->code == OP_IF) choice = !choice;
  if (choice >= op->region_count) choice = op->region_count - 1;
  if (choice < 0) choice = 0;
  bind_yields(in, run_region(in, op->regions[choice]), op->results);
}

// Windows with the squeezed dimensions in place.
static inline Memory *block_window(Interpreter *in, const IrBlock *block, const Memory *array,
                                   const Memory *arg) {
  Memory *m = ARENA_NEW(in->arena, Memory);
  *m = *array;
  m->base = arg->base;
  for (int i = 0, at = 0; i < block->rank; i++) {
    m->dims[i] = block->dims[i].size;
    m->strides[i] = block->dims[i].kind == BLOCK_SQUEEZED ? 0 : arg->strides[at++];
  }
  return m;
}

static inline void block_starts(Interpreter *in, const IrOp *op, size_t block, size_t shared,
                                int64_t *starts) {
  const IrBlock *spec = &ir_attr_find(op, ATTR_BLOCKS)->blocks.items[block];
  const IrRegion *map = op->regions[1 + block], *body = op->regions[0];
  for (size_t i = 0; i < shared; i++) bind(in, map->args[i], known(in, body->args[i]));
  const IrOp *yield = run_region(in, map);
  for (int i = 0; i < spec->rank && yield->operand_count; i++) {
    starts[i] = scalar_of(in, yield->operands[i]);
    if (spec->dims[i].kind == BLOCK_BLOCKED) starts[i] *= spec->dims[i].size;
    if (spec->dims[i].kind == BLOCK_ELEMENT) starts[i] -= spec->dims[i].pad_lo;
  }
}

static inline void run_launch(Interpreter *in, const IrOp *op) {
  IrInts grid = ir_attr_ints(op, ATTR_GRID);
  size_t prefetch = (size_t)ir_attr_int(op, ATTR_PREFETCH), dynamic = 0;
  const IrAttr *blocks = ir_attr_find(op, ATTR_BLOCKS);
  const IrRegion *body = op->regions[0];
  int64_t sizes[IR_MAX_RANK], at[IR_MAX_RANK] = {0}, starts[32][IR_MAX_RANK];
  for (size_t i = 0; i < grid.count; i++) {
    sizes[i] = grid.items[i] == -1 ? scalar_of(in, op->operands[dynamic++]) : grid.items[i];
    if (sizes[i] == 0) return;
  }
  size_t shared = grid.count + prefetch, count = blocks->blocks.count;
  ck_assert_uint_le(count, 32);
  for (size_t i = 0; i < prefetch; i++)
    bind(in, body->args[grid.count + i], known(in, op->operands[dynamic + i]));
  for (size_t i = shared; i < body->arg_count; i++) {
    bool is_whole = i - shared < count && blocks->blocks.items[i - shared].mode == BLOCK_WHOLE;
    bind(in, body->args[i],
         is_whole ? known(in, op->operands[dynamic + prefetch + i - shared])
                  : memory_new(in, body->args[i]->type));
  }
  do {
    for (size_t i = 0; i < grid.count; i++) bind(in, body->args[i], scalar_data(in, at[i]));
    for (int out = 0; out < 2; out++) {
      for (size_t i = 0; i < count; i++) {
        const IrBlock *block = &blocks->blocks.items[i];
        if (block->mode == BLOCK_WHOLE) continue;
        if (!out) block_starts(in, op, i, shared, starts[i]);
        const Memory *array = known(in, op->operands[dynamic + prefetch + i]);
        const Memory *window = block_window(in, block, array, known(in, body->args[shared + i]));
        if (block->dir != (out ? BLOCK_IN : BLOCK_OUT)) copy_window(array, starts[i], window, !out);
      }
      if (!out) run_region(in, body);
    }
  } while (next_position((int)grid.count, sizes, at));
}

// ---- ops ---------------------------------------------------------------------------------------
static inline void run_op(Interpreter *in, const IrOp *op) {
  const void *operands[64];
  switch (op->code) {
  case OP_ALLOC: bind(in, op->results[0], memory_new(in, op->results[0]->type)); return;
  case OP_LOAD: run_load(in, op); return;
  case OP_STORE: run_store(in, op); return;
  case OP_VIEW: run_view(in, op); return;
  case OP_COPY: {
    const Memory *from = known(in, op->operands[0]), *to = known(in, op->operands[1]);
    int64_t zero[IR_MAX_RANK] = {0};
    copy_window(from, zero, to, true);
    return;
  }
  case OP_FOR: run_for(in, op); return;
  case OP_WHILE: run_while(in, op); return;
  case OP_IF:
  case OP_SWITCH: run_branch(in, op); return;
  case OP_LAUNCH: run_launch(in, op); return;
  case OP_DEBUG_PRINT:
    for (uint32_t i = 0; i < op->operand_count; i++)
      buf_printf(&in->printed, "%lld\n", (long long)scalar_of(in, op->operands[i]));
    return;
  case OP_CHECK:
    if (!scalar_of(in, op->operands[0]))
      buf_printf(&in->printed, "%.*s\n", STR_FMT(ir_attr_str(op, ATTR_FORMAT)));
    return;
  default: break;
  }
  ck_assert_uint_le(op->operand_count, 64);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = known(in, op->operands[i]);
  const IrData *data = ir_evaluate(in->arena, op, (const IrData *const *)operands);
  ck_assert_msg(data != NULL, "'%s' is not interpreted", op_info(op->code)->name);
  for (uint32_t i = 0; i < op->result_count; i++) bind(in, op->results[i], &data[i]);
}

// The yield at the region's end.
static inline const IrOp *run_region(Interpreter *in, const IrRegion *region) {
  const IrOp *op = region->first;
  for (; op->code != OP_YIELD; op = op->next) run_op(in, op);
  return op;
}
