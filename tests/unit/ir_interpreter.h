// SPDX-License-Identifier: Apache-2.0
// The interpreter of the IR for tests of batching, of the passes and of the code generator: op by
// op, arrays through ir_evaluate, refs as lists of the places of their bytes. A launch runs its
// steps in order; a copied block is copied in before each step and out behind it.
// Slow and plain. Everything it does not know, and every access out of bounds, ends the test.
#pragma once
#include <check.h>
#include <math.h>
#include <string.h>
#include "base/buf.h"
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/interpret/evaluate.h"

typedef struct InterpretedRef {
  char *base;
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK]; // as they are now, where the type has the greatest
  int64_t *places;           // of the bytes of the elements, these in row-major order, from base
} InterpretedRef;

typedef struct Interpreter {
  Arena *arena;
  Map *arrays; // IrValue * -> IrData *
  Map *refs;   // IrValue * -> InterpretedRef *
  Buf printed; // what debug_print and failed checks gave
} Interpreter;

enum { INTERPRET_MAX_TRIPS = 100000, INTERPRET_MAX_BLOCKS = 32 };
static const int64_t interpret_nowhere = -1; // the place of what is out of bounds

static UNUSED Interpreter interpreter_new(Arena *arena) {
  Interpreter in = {.arena = arena, .arrays = map_new(arena), .refs = map_new(arena)};
  buf_init(&in.printed, arena);
  return in;
}

static int64_t interpret_count(const InterpretedRef *ref) {
  int64_t count = 1;
  for (int i = 0; i < ref->rank; i++) count *= ref->dims[i];
  return count;
}

static const IrData *interpret_array(Interpreter *in, const IrValue *value) {
  const IrData *data = map_get(in->arrays, value);
  if (!data && value->def && value->def->code == OP_CONST)
    return ir_attr_data(value->def, ATTR_DATA);
  if (!data) ck_abort_msg("a value was not computed");
  return data;
}

static const char *interpret_element(const IrData *data, int64_t i) {
  return (const char *)data->bytes + (data->count == 1 ? 0 : i) * (int64_t)dtype_size(data->dtype);
}

static int64_t interpret_int(Interpreter *in, const IrValue *value) {
  const IrData *data = interpret_array(in, value);
  return dtype_load_i64(data->dtype, data->bytes);
}

static InterpretedRef *interpret_new_ref(Interpreter *in, const IrType *type, char *base) {
  InterpretedRef *ref = ARENA_NEW(in->arena, InterpretedRef);
  int64_t count = ir_type_count(type) * (int64_t)dtype_size(type->dtype);
  *ref = (InterpretedRef){.base = base, .dtype = type->dtype, .rank = type->rank};
  for (int i = 0; i < type->rank; i++) ref->dims[i] = type->dims[i];
  ref->places = ARENA_ARRAY(in->arena, int64_t, count + 1);
  for (int64_t i = 0; i < count; i++) ref->places[i] = i;
  return ref;
}

static bool interpret_is_split(const IrIndex *index) {
  int runs = 0;
  for (int i = 0; i < index->rank; i++)
    if (index->dims[i].kind != INDEX_SLICE && (i == 0 || index->dims[i - 1].kind == INDEX_SLICE))
      runs++;
  return runs > 1;
}

// The part of a ref that an index names, of any kind; *whole_rank: dimensions of the index arrays.
static InterpretedRef *interpret_view(Interpreter *in, const IrOp *op, const InterpretedRef *ref) {
  const IrIndex *index = ir_attr_index(op);
  InterpretedRef *out = ARENA_NEW(in->arena, InterpretedRef);
  *out = (InterpretedRef){.base = ref->base, .dtype = ref->dtype};
  int64_t starts[IR_MAX_RANK], sizes[IR_MAX_RANK];
  const IrType *arrays = NULL;
  const IrData *array_data[IR_MAX_RANK] = {0};
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *dim = &index->dims[i];
    if (dim->kind == INDEX_ARRAY) {
      array_data[i] = interpret_array(in, op->operands[dim->start_operand]);
      arrays = op->operands[dim->start_operand]->type;
      continue;
    }
    starts[i] =
        dim->start_operand >= 0 ? interpret_int(in, op->operands[dim->start_operand]) : dim->start;
    sizes[i] =
        dim->size_operand >= 0 ? interpret_int(in, op->operands[dim->size_operand]) : dim->size;
    int64_t room = dim->stride ? (ref->dims[i] - starts[i] + dim->stride - 1) / dim->stride : 0;
    if (dim->kind == INDEX_SLICE && sizes[i] > room) sizes[i] = room > 0 ? room : 0;
  }
  bool placed = !arrays;
  int array_at = 0;
  if (arrays && interpret_is_split(index)) {
    for (int k = 0; k < arrays->rank; k++) out->dims[out->rank++] = arrays->dims[k];
    placed = true;
  }
  for (int i = 0; i < index->rank; i++) {
    if (index->dims[i].kind == INDEX_SLICE) {
      out->dims[out->rank++] = sizes[i];
    } else if (!placed) {
      array_at = out->rank;
      for (int k = 0; k < arrays->rank; k++) out->dims[out->rank++] = arrays->dims[k];
      placed = true;
    }
  }
  int64_t count = interpret_count(out), at[IR_MAX_RANK], size = (int64_t)dtype_size(ref->dtype);
  out->places = ARENA_ARRAY(in->arena, int64_t, count * size + 1);
  for (int64_t linear = 0; linear < count; linear++) {
    int64_t rest = linear;
    for (int i = out->rank; i-- > 0;) {
      at[i] = rest % out->dims[i];
      rest /= out->dims[i];
    }
    int64_t array_linear = 0, place = 0;
    for (int k = 0; arrays && k < arrays->rank; k++)
      array_linear = array_linear * arrays->dims[k] + at[array_at + k];
    int next = arrays && interpret_is_split(index) ? arrays->rank : 0;
    bool passed = arrays && interpret_is_split(index);
    for (int i = 0; i < index->rank; i++) {
      const IndexDim *dim = &index->dims[i];
      int64_t coordinate;
      if (dim->kind == INDEX_SLICE) {
        coordinate = starts[i] + at[next++] * dim->stride;
      } else {
        if (arrays && !passed) {
          next += arrays->rank;
          passed = true;
        }
        coordinate = dim->kind == INDEX_SCALAR
                         ? starts[i]
                         : dtype_load_i64(array_data[i]->dtype,
                                          interpret_element(array_data[i], array_linear));
      }
      if (coordinate < 0 || coordinate >= ref->dims[i]) place = interpret_nowhere;
      if (place != interpret_nowhere) place = place * ref->dims[i] + coordinate;
    }
    for (int64_t b = 0; b < size; b++)
      out->places[linear * size + b] =
          place == interpret_nowhere ? place : ref->places[place * size + b];
  }
  return out;
}

static IrData *interpret_new_data(Interpreter *in, DType dtype, int64_t count) {
  IrData *data = ARENA_NEW(in->arena, IrData);
  *data = (IrData){.dtype = dtype,
                   .count = count,
                   .bytes = arena_alloc(in->arena, (size_t)count * dtype_size(dtype))};
  return data;
}

static bool interpret_is_masked(const IrOp *op) {
  return ir_attr_find(op, ATTR_MASKED) && ir_attr_int(op, ATTR_MASKED);
}

static char *interpret_byte(const InterpretedRef *ref, int64_t at) {
  if (ref->places[at] == interpret_nowhere) ck_abort_msg("an access is out of bounds");
  return ref->base + ref->places[at];
}

static void interpret_read(const InterpretedRef *ref, int64_t element, char *out) {
  int64_t size = (int64_t)dtype_size(ref->dtype);
  for (int64_t b = 0; b < size; b++) out[b] = *interpret_byte(ref, element * size + b);
}

static void interpret_write(const InterpretedRef *ref, int64_t element, const char *from) {
  int64_t size = (int64_t)dtype_size(ref->dtype);
  for (int64_t b = 0; b < size; b++) *interpret_byte(ref, element * size + b) = from[b];
}

static void interpret_load(Interpreter *in, const IrOp *op) {
  InterpretedRef *ref = map_get(in->refs, op->operands[0]), *view = interpret_view(in, op, ref);
  const IrType *type = op->results[0]->type;
  IrData *data = interpret_new_data(in, type->dtype, ir_type_count(type));
  size_t size = dtype_size(type->dtype);
  const IrData *mask =
      interpret_is_masked(op) ? interpret_array(in, op->operands[op->operand_count - 2]) : NULL;
  const IrData *other = mask ? interpret_array(in, op->operands[op->operand_count - 1]) : NULL;
  int64_t count = interpret_count(view);
  for (int64_t i = 0; i < count && i < data->count; i++) {
    char *out = (char *)(uintptr_t)data->bytes + (size_t)i * size;
    if (!mask || *interpret_element(mask, i))
      interpret_read(view, i, out);
    else
      memcpy(out, interpret_element(other, i), size);
  }
  for (int64_t i = count; other && i < data->count; i++) // rows that the ref does not have
    memcpy((char *)(uintptr_t)data->bytes + (size_t)i * size, interpret_element(other, i), size);
  map_set(in->arrays, op->results[0], data);
}

static void interpret_store(Interpreter *in, const IrOp *op) {
  InterpretedRef *view = interpret_view(in, op, map_get(in->refs, op->operands[1]));
  const IrData *data = interpret_array(in, op->operands[0]);
  const IrData *mask =
      interpret_is_masked(op) ? interpret_array(in, op->operands[op->operand_count - 1]) : NULL;
  int64_t count = interpret_count(view);
  for (int64_t i = 0; i < count; i++)
    if (!mask || *interpret_element(mask, i)) interpret_write(view, i, interpret_element(data, i));
}

static void interpret_copy(Interpreter *in, const IrOp *op) {
  InterpretedRef *from = map_get(in->refs, op->operands[0]),
                 *to = map_get(in->refs, op->operands[1]);
  char element[16];
  ck_assert_int_eq(interpret_count(from), interpret_count(to));
  for (int64_t i = 0; i < interpret_count(from); i++) {
    interpret_read(from, i, element);
    interpret_write(to, i, element);
  }
}

static const IrOp *interpret_region(Interpreter *in, const IrRegion *region);

static void interpret_bind(Interpreter *in, IrValue *const *to, IrValue *const *from,
                           size_t count) {
  const IrData **data = ARENA_ARRAY(in->arena, const IrData *, count + 1);
  for (size_t i = 0; i < count; i++) data[i] = interpret_array(in, from[i]);
  for (size_t i = 0; i < count; i++) map_set(in->arrays, to[i], (void *)(uintptr_t)data[i]);
}

static void interpret_set_int(Interpreter *in, const IrValue *value, int64_t number) {
  IrData *data = interpret_new_data(in, value->type->dtype, 1);
  dtype_store_i64(value->type->dtype, (void *)(uintptr_t)data->bytes, number);
  map_set(in->arrays, value, data);
}

static void interpret_for(Interpreter *in, const IrOp *op) {
  const IrRegion *body = op->regions[0];
  int64_t lower = interpret_int(in, op->operands[0]), upper = interpret_int(in, op->operands[1]),
          step = interpret_int(in, op->operands[2]);
  interpret_bind(in, op->results, op->operands + 3, op->result_count);
  for (int64_t i = lower; i < upper; i += step) {
    interpret_set_int(in, body->args[0], i);
    interpret_bind(in, body->args + 1, op->results, op->result_count);
    interpret_region(in, body);
    interpret_bind(in, op->results, body->last->operands, op->result_count);
  }
}

static void interpret_while(Interpreter *in, const IrOp *op) {
  interpret_bind(in, op->results, op->operands, op->result_count);
  for (int trips = 0;; trips++) {
    if (trips >= INTERPRET_MAX_TRIPS) ck_abort_msg("a loop does not end");
    interpret_bind(in, op->regions[0]->args, op->results, op->result_count);
    interpret_region(in, op->regions[0]);
    if (!interpret_int(in, op->regions[0]->last->operands[0])) return;
    interpret_bind(in, op->regions[1]->args, op->results, op->result_count);
    interpret_region(in, op->regions[1]);
    interpret_bind(in, op->results, op->regions[1]->last->operands, op->result_count);
  }
}

static void interpret_choice(Interpreter *in, const IrOp *op) {
  int64_t which = interpret_int(in, op->operands[0]), last = (int64_t)op->region_count - 1;
  if (op->code == OP_IF)
    which = which ? 0 : 1;
  else
    which = which < 0 ? 0 : which > last ? last : which;
  const IrRegion *region = op->regions[which];
  interpret_region(in, region);
  interpret_bind(in, op->results, region->last->operands, op->result_count);
}

// ---- launches -----------------------------------------------------------------------------------
// Counts `at` up in row-major order; false behind the last position.
static bool interpret_next(size_t rank, const int64_t *dims, int64_t *at) {
  for (size_t i = rank; i-- > 0;) {
    if (++at[i] < dims[i]) return true;
    at[i] = 0;
  }
  return false;
}

// Copies between a block and the part of its array at `starts` that exists.
static void interpret_window(const IrBlock *block, const InterpretedRef *array,
                             const InterpretedRef *window, const int64_t *starts, bool is_in) {
  int64_t dims[IR_MAX_RANK], inside[IR_MAX_RANK] = {0}, element = 0,
                             count = interpret_count(window);
  for (int i = 0; i < block->rank; i++)
    dims[i] = block->dims[i].kind == BLOCK_SQUEEZED ? 1 : block->dims[i].size;
  for (; element < count; element++, interpret_next(block->rank, dims, inside)) {
    int64_t place = 0;
    for (int i = 0; i < block->rank && place != interpret_nowhere; i++) {
      int64_t at = starts[i] + inside[i];
      place = at < 0 || at >= array->dims[i] ? interpret_nowhere : place * array->dims[i] + at;
    }
    if (place == interpret_nowhere) continue;
    char bytes[16];
    interpret_read(is_in ? array : window, is_in ? place : element, bytes);
    interpret_write(is_in ? window : array, is_in ? element : place, bytes);
  }
}

static void interpret_starts(Interpreter *in, const IrOp *op, size_t which, size_t shared,
                             int64_t *starts) {
  const IrBlock *block = &ir_attr_find(op, ATTR_BLOCKS)->blocks.items[which];
  const IrRegion *map = op->regions[1 + which], *body = op->regions[0];
  for (size_t i = 0; i < shared; i++) {
    Map *values = body->args[i]->type->is_ref ? in->refs : in->arrays;
    map_set(values, map->args[i], map_get(values, body->args[i]));
  }
  const IrOp *yield = interpret_region(in, map);
  for (uint32_t i = 0; i < block->rank && yield->operand_count; i++) {
    starts[i] = interpret_int(in, yield->operands[i]);
    if (block->dims[i].kind == BLOCK_BLOCKED) starts[i] *= block->dims[i].size;
    if (block->dims[i].kind == BLOCK_ELEMENT) starts[i] -= block->dims[i].pad_lo;
  }
}

typedef struct InterpretedLaunch {
  const IrOp *op;
  IrInts grid;
  size_t shared, block_count; // arguments that index maps have as well; blocks
  const IrBlock *blocks;
  IrValue **arrays; // of the blocks
  int64_t sizes[IR_MAX_RANK], starts[INTERPRET_MAX_BLOCKS][IR_MAX_RANK];
} InterpretedLaunch;

static void interpret_windows(Interpreter *in, InterpretedLaunch *l, bool is_in) {
  for (size_t i = 0; i < l->block_count; i++) {
    const IrBlock *block = &l->blocks[i];
    if (block->mode == BLOCK_WHOLE) continue;
    if (is_in) interpret_starts(in, l->op, i, l->shared, l->starts[i]);
    if (block->dir == (is_in ? BLOCK_OUT : BLOCK_IN)) continue;
    interpret_window(block, map_get(in->refs, l->arrays[i]),
                     map_get(in->refs, l->op->regions[0]->args[l->shared + i]), l->starts[i],
                     is_in);
  }
}

static void interpret_launch(Interpreter *in, const IrOp *op) {
  const IrAttr *blocks = ir_attr_find(op, ATTR_BLOCKS);
  InterpretedLaunch l = {.op = op,
                         .grid = ir_attr_ints(op, ATTR_GRID),
                         .block_count = blocks->blocks.count,
                         .blocks = blocks->blocks.items};
  size_t prefetch = (size_t)ir_attr_int(op, ATTR_PREFETCH), dynamic = 0;
  const IrRegion *body = op->regions[0];
  int64_t at[IR_MAX_RANK] = {0};
  ck_assert_uint_le(l.block_count, INTERPRET_MAX_BLOCKS);
  for (size_t i = 0; i < l.grid.count; i++) {
    l.sizes[i] =
        l.grid.items[i] == -1 ? interpret_int(in, op->operands[dynamic++]) : l.grid.items[i];
    if (l.sizes[i] == 0) return;
  }
  l.shared = l.grid.count + prefetch;
  l.arrays = op->operands + dynamic + prefetch;
  for (size_t i = 0; i < prefetch; i++)
    map_set(in->refs, body->args[l.grid.count + i], map_get(in->refs, op->operands[dynamic + i]));
  for (size_t i = l.shared; i < body->arg_count; i++) {
    bool is_whole = i - l.shared < l.block_count && l.blocks[i - l.shared].mode == BLOCK_WHOLE;
    const IrType *type = body->args[i]->type;
    map_set(in->refs, body->args[i],
            is_whole ? map_get(in->refs, l.arrays[i - l.shared])
                     : interpret_new_ref(in, type,
                                         arena_alloc(in->arena, (size_t)ir_type_bytes(type) + 1)));
  }
  do {
    for (size_t i = 0; i < l.grid.count; i++) interpret_set_int(in, body->args[i], at[i]);
    interpret_windows(in, &l, true);
    interpret_region(in, body);
    interpret_windows(in, &l, false);
  } while (interpret_next(l.grid.count, l.sizes, at));
}

// ---- ops ----------------------------------------------------------------------------------------
static void interpret_pure(Interpreter *in, const IrOp *op) {
  if (op->code == OP_CONST) return;
  if (op->result_count == 0) ck_abort_msg("op %s", op_info(op->code)->name);
  const IrData **operands = ARENA_ARRAY(in->arena, const IrData *, op->operand_count + 1);
  for (size_t i = 0; i < op->operand_count; i++) operands[i] = interpret_array(in, op->operands[i]);
  const IrData *results = ir_evaluate(in->arena, op, operands);
  if (!results) ck_abort_msg("op %s cannot be evaluated", op_info(op->code)->name);
  for (size_t i = 0; i < op->result_count; i++)
    map_set(in->arrays, op->results[i], (void *)(uintptr_t)&results[i]);
}

// Of another width: rows (of the second-last dimension) are packed, the first into the low bytes.
static void interpret_bitcast(Interpreter *in, const IrOp *op) {
  const InterpretedRef *from = map_get(in->refs, op->operands[0]);
  InterpretedRef *to = interpret_new_ref(in, op->results[0]->type, from->base);
  int64_t wide = (int64_t)dtype_size(to->dtype), narrow = (int64_t)dtype_size(from->dtype);
  int dim = to->rank >= 2 ? to->rank - 2 : to->rank - 1;
  int64_t inner = dim + 1 < to->rank ? to->dims[dim + 1] : 1;
  for (int64_t i = 0; i < interpret_count(to); i++)
    for (int64_t b = 0; b < wide; b++) {
      int64_t byte = i / inner * wide + b; // from the first row on, in this column
      to->places[i * wide + b] =
          from->places[(byte / narrow * inner + i % inner) * narrow + byte % narrow];
    }
  map_set(in->refs, op->results[0], to);
}

static void interpret_op(Interpreter *in, const IrOp *op) {
  InterpretedRef *ref;
  switch (op->code) {
  case OP_ALLOC:
    ref =
        interpret_new_ref(in, op->results[0]->type,
                          arena_alloc(in->arena, (size_t)ir_type_bytes(op->results[0]->type) + 1));
    map_set(in->refs, op->results[0], ref);
    return;
  case OP_LOAD: interpret_load(in, op); return;
  case OP_STORE: interpret_store(in, op); return;
  case OP_VIEW:
    map_set(in->refs, op->results[0], interpret_view(in, op, map_get(in->refs, op->operands[0])));
    return;
  case OP_REF_BITCAST: interpret_bitcast(in, op); return;
  case OP_REF_RESHAPE:
    ref = ARENA_NEW(in->arena, InterpretedRef);
    *ref = *(InterpretedRef *)map_get(in->refs, op->operands[0]);
    ref->rank = op->results[0]->type->rank;
    for (int i = 0; i < ref->rank; i++) ref->dims[i] = op->results[0]->type->dims[i];
    map_set(in->refs, op->results[0], ref);
    return;
  case OP_COPY:
  case OP_COPY_START: interpret_copy(in, op); return; // done when it starts
  case OP_COPY_WAIT:
  case OP_STEP_ENTER:
  case OP_STEP_LEAVE:
  case OP_TURN:
  case OP_CHECK_WRITTEN:
  case OP_PARALLEL_WRITE:
  case OP_PARALLEL_READ:
  case OP_PARALLEL_STEP:
  case OP_PARALLEL_END:
  case OP_ENTER:
  case OP_RELEASE:
  case OP_DIES:
  case OP_OVER:
  case OP_COPY_INDEX: return;
  case OP_FOR: interpret_for(in, op); return;
  case OP_WHILE: interpret_while(in, op); return;
  case OP_IF:
  case OP_SWITCH: interpret_choice(in, op); return;
  case OP_LAUNCH: interpret_launch(in, op); return;
  case OP_DEBUG_PRINT:
    for (uint32_t i = 0; i < op->operand_count; i++)
      buf_printf(&in->printed, "%lld\n", (long long)interpret_int(in, op->operands[i]));
    return;
  case OP_CHECK:
    if (!interpret_int(in, op->operands[0]))
      buf_printf(&in->printed, "%.*s\n", STR_FMT(ir_attr_str(op, ATTR_FORMAT)));
    return;
  case OP_FUSE:
    interpret_region(in, op->regions[0]);
    interpret_bind(in, op->results, op->regions[0]->last->operands, op->result_count);
    return;
  default: interpret_pure(in, op); return;
  }
}

// Gives the yield at the end, if there is one.
static const IrOp *interpret_region(Interpreter *in, const IrRegion *region) {
  const IrOp *op = region->first;
  for (; op && op->code != OP_YIELD; op = op->next) interpret_op(in, op);
  return op;
}

// Runs a function on the memory of its parameters.
static UNUSED void interpret_func(Arena *arena, IrFunc *func, void *const *arguments) {
  Interpreter in = interpreter_new(arena);
  for (uint32_t i = 0; i < func->param_count; i++)
    map_set(in.refs, func->body->args[i],
            interpret_new_ref(&in, func->body->args[i]->type, arguments[i]));
  interpret_region(&in, func->body);
}

// ---- comparing ----------------------------------------------------------------------------------
// How far two elements may be apart: units in the last place of the type, and a share of `scale`.
typedef struct Tolerance {
  double ulps, relative;
} Tolerance;

static double interpret_ulp(DType dtype, double x) {
  if (!dtype_is_float(dtype)) return 0;
  int exponent;
  double tiny = dtype_float_tiny(dtype), magnitude = fabs(x) < tiny ? tiny : fabs(x);
  frexp(magnitude, &exponent);
  return ldexp(dtype_float_eps(dtype), exponent - 1);
}

static UNUSED bool interpret_close(DType dtype, const void *a, const void *b, Tolerance tolerance,
                                   double scale) {
  size_t size = dtype_size(dtype);
  if (memcmp(a, b, size) == 0) return true;
  if (!dtype_is_float(dtype)) return false;
  double x = dtype_load_f64(dtype, a), y = dtype_load_f64(dtype, b);
  if (x != x || y != y) return x != x && y != y;
  if (isinf(x) || isinf(y)) {
    double finite = isinf(x) ? y : x;
    return tolerance.ulps > 0 && fabs(finite) >= dtype_float_max(dtype) * 0.999;
  }
  if (x == y && tolerance.ulps == 0) return !signbit(x) == !signbit(y);
  // Below are subnormal numbers, which may come out as zeros where a result may be off.
  const double least = 0x1p-126;
  if (tolerance.ulps > 0 && fabs(x) < least && fabs(y) < least) return true;
  return fabs(x - y) <= tolerance.ulps * interpret_ulp(dtype, x) + tolerance.relative * scale;
}

// ---- inputs -------------------------------------------------------------------------------------
static uint32_t interpret_random(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 33);
}

// Random elements; every tenth one is special (infinities, NaN, zeros, ends of the range) if
// `wild`.
static UNUSED void interpret_fill(DType dtype, void *memory, int64_t count, uint64_t *state,
                                  bool wild) {
  static const double specials[] = {0.0,   -0.0, INFINITY, -INFINITY, NAN,  1.0, -1.0,   1e-40,
                                    -3e38, 3e38, 0.5,      2.5,       1e-6, 300, -70000, 1e10};
  size_t size = dtype_size(dtype);
  for (int64_t i = 0; i < count; i++) {
    char *at = (char *)memory + (size_t)i * size;
    uint32_t r = interpret_random(state);
    if (dtype == DT_BOOL) {
      *at = (char)(r & 1);
    } else if (dtype_is_float(dtype)) {
      bool special = wild && r % 10 == 0;
      double x = special ? specials[interpret_random(state) % COUNT_OF(specials)]
                         : ((double)(int32_t)(interpret_random(state) << 1)) / 4e8;
      dtype_store_f64(dtype, at, x);
    } else if (wild) {
      uint32_t word = interpret_random(state) << 1 ^ interpret_random(state);
      if (r % 10 == 0)
        word = r / 10 % 4 == 0   ? 0
               : r / 10 % 4 == 1 ? 1
               : r / 10 % 4 == 2 ? UINT32_MAX
                                 : (uint32_t)dtype_int_min(dtype);
      dtype_store_i64(dtype, at, (int64_t)word);
    } else {
      dtype_store_i64(dtype, at, (int64_t)(r % 7));
    }
  }
}
