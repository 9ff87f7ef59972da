// SPDX-License-Identifier: Apache-2.0
// period: what is spread along all but a short last dimension is written down several times.
//   takes:  any IR without launches
//   makes:  memory that holds the few elements again and again; a broadcast of it, reshaped
//   breaks: nothing
//   not:    dimensions that fill vectors; values of the shape whose rows are distinguished
//           otherwise
//
// `x * scale`, where x is [1000, 3] and scale [3]: a vector that lies along such a dimension is
// mostly empty, and vectors that go on into the next rows would need the elements of `scale` by
// turns. With those in memory, a walk over both is one over [250, 12], whose vectors are full.
#include <string.h>
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/constant.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_PLACES = 3 * FULL_VECTOR,  // from there on a quarter of the lanes is empty at the most
  LEAST_PERIOD = 4 * FULL_VECTOR, // a step of a walk that waits for memory (plan_loops.c)
  MOST_PERIOD = 32 * FULL_VECTOR, // 2 KB: what is written down stays in the first level of caches
  LEAST_ROWS = LEAST_PERIOD,      // what is written down is small beside what is made of it
};

static bool has_dims(const IrType *type, const IrType *like) {
  if (type->rank != like->rank) return false;
  for (int d = 0; d < type->rank; d++)
    if (type->dims[d] != like->dims[d]) return false;
  return true;
}

// Whether the broadcast repeats rows of more than one element, and nothing else.
static bool repeats_rows(const IrOp *op) {
  if (op->code != OP_BROADCAST) return false;
  const IrType *from = op->operands[0]->type, *to = op->results[0]->type;
  IrInts dims = ir_attr_ints(op, ATTR_DIMS);
  return to->rank >= 2 && from->rank > 0 && ir_type_count(from) == to->dims[to->rank - 1] &&
         from->dims[from->rank - 1] == to->dims[to->rank - 1] &&
         dims.items[dims.count - 1] == to->rank - 1;
}

// Whether rows of such values are looked at one by one, or meet what is different for each: then
// vectors do not go on from one into the next.
static bool tells_rows_apart(const IrOp *op, const IrType *type) {
  bool has_shape = false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    has_shape |= has_dims(op->operands[i]->type, type);
  bool takes_all = op->code == OP_LOAD || op->code == OP_STORE || op->code == OP_YIELD;
  if (has_shape && !op_is_elementwise(op->code) && !takes_all) return true;
  bool gives_shape = op->result_count > 0 && has_dims(op->results[0]->type, type);
  return op->code == OP_BROADCAST && gives_shape && !repeats_rows(op) &&
         ir_type_count(op->operands[0]->type) > 1;
}

// How many rows are written down: they divide the dimension, and fill vectors; 0: none.
static int64_t rows_of(const IrType *type) {
  int64_t rows = type->dims[type->rank - 2], places = type->dims[type->rank - 1];
  for (int64_t n = 2; n <= rows && n * places <= MOST_PERIOD; n++)
    if (rows % n == 0 && n * places >= LEAST_PERIOD && n * places % FULL_VECTOR == 0) return n;
  return 0;
}

static bool is_wanted(const IrOp *op) {
  if (!repeats_rows(op)) return false;
  const IrType *type = op->results[0]->type;
  int64_t places = type->dims[type->rank - 1];
  if (places < 2 || places > MOST_PLACES || places % FULL_VECTOR == 0 || !rows_of(type) ||
      ir_type_count(type) < LEAST_ROWS * places)
    return false;
  for (const IrOp *other = op->parent->first; other; other = other->next)
    if (tells_rows_apart(other, type)) return false;
  return true;
}

// The elements of a constant again and again; NULL if the value is none.
static IrValue *repeated_const(PassContext *ctx, IrBuilder *b, const IrValue *value,
                               int64_t period) {
  const IrData *data = ir_const_data(value);
  if (!data || data->count != ir_type_count(value->type)) return NULL;
  size_t size = dtype_size(data->dtype) * (size_t)data->count;
  int64_t times = period / data->count;
  char *bytes = arena_alloc(ctx->arena, size * (size_t)times);
  for (int64_t i = 0; i < times; i++) memcpy(bytes + (size_t)i * size, data->bytes, size);
  return ir_const(b, ir_array_type(ctx->module, data->dtype, 1, &period), bytes, period);
}

// In memory, as soon as the value is there: what comes behind stays together.
static IrValue *repeated(PassContext *ctx, IrOp *op, IrValue *value, int64_t rows) {
  IrBuilder b = {.module = ctx->module,
                 .region = op->parent,
                 .before = value->def && value->def->parent == op->parent ? value->def->next
                                                                          : op->parent->first,
                 .span = op->span,
                 .frames = op->frames};
  int64_t places = ir_type_count(value->type), period = rows * places, last = 1;
  int64_t part[] = {rows, places};
  IrValue *constant = repeated_const(ctx, &b, value, period);
  if (constant) return constant;
  DType dtype = value->type->dtype;
  IrValue *lines = ir_broadcast(&b, ir_reshape(&b, value, 1, &places),
                                ir_array_type(ctx->module, dtype, 2, part), &last);
  IrValue *memory =
      ir_alloc(&b, ir_ref_type(ctx->module, SPACE_VMEM, dtype, 1, &period), STR("period"));
  ir_store_all(&b, ir_reshape(&b, lines, 1, &period), memory);
  return ir_load_all(&b, memory);
}

static void write_down(IrOp *op, void *data) {
  PassContext *ctx = data;
  if (!is_wanted(op)) return;
  const IrType *type = op->results[0]->type;
  int64_t rows = rows_of(type), last = type->rank - 1, dims[IR_MAX_RANK];
  IrValue *line = repeated(ctx, op, op->operands[0], rows);
  IrBuilder b = ir_builder_before(op);
  for (int d = 0; d < type->rank; d++) dims[d] = type->dims[d];
  dims[last - 1] /= rows;
  dims[last] *= rows;
  IrValue *spread =
      ir_broadcast(&b, line, ir_array_type(ctx->module, type->dtype, type->rank, dims), &last);
  ir_replace_uses(op->parent, op->results[0], ir_reshape(&b, spread, type->rank, type->dims));
  ir_op_remove(op);
}

bool pass_period(PassContext *ctx) {
  ir_walk_module(ctx->module, write_down, ctx);
  return true;
}
