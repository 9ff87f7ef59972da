// SPDX-License-Identifier: Apache-2.0
// Gathers along a short last dimension whose indices are constants, as `x[:, [2, 0, 1]]`: several
// rows of the result are one vector, into which shuffles put the elements of the operand's rows.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_columns.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_placed.h"
#include "codegen/memory/gen_vector.h"

enum { LEAST_VECTOR = 32 }; // bytes: below, CPUs have no shuffle of any order

typedef struct Columns {
  Mem from, to;
  int64_t places[MAX_LANES]; // of each, in a row of the operand
  int64_t count, least;      // of them; the first of the operand that one is
  unsigned lanes;
  int64_t steps; // rows in a vector
} Columns;

// One index for each element of a row, all else as it is.
static bool is_of_columns(const IrOp *op) {
  const IrType *from = op->operands[0]->type, *indices = op->operands[1]->type,
               *to = op->results[0]->type;
  IrInts offset = ir_attr_ints(op, ATTR_OFFSET_DIMS),
         collapsed = ir_attr_ints(op, ATTR_COLLAPSED_DIMS), map = ir_attr_ints(op, ATTR_INDEX_MAP);
  int last = from->rank - 1;
  if (last < 0 || to->rank != from->rank || indices->rank != 2 || indices->dims[1] != 1 ||
      collapsed.count != 1 || collapsed.items[0] != last || map.count != 1 ||
      map.items[0] != last || offset.count != (size_t)last)
    return false;
  for (int i = 0; i < last; i++)
    if (offset.items[i] != i || to->dims[i] != from->dims[i]) return false;
  return true;
}

// Indices that lie outside of the rows mean different things: they are not of this kind.
static bool read_columns(const IrOp *op, Columns *c) {
  const IrOp *maker = op->operands[1]->def;
  if (!maker || maker->code != OP_CONST || op->operands[1]->type->dtype != DT_I32) return false;
  const IrData *data = ir_attr_data(maker, ATTR_DATA);
  const int32_t *indices = data->bytes;
  int64_t row = c->from.dims[c->from.rank - 1];
  c->least = row;
  for (int64_t i = 0; i < c->count; i++) {
    int64_t place = indices[data->count == 1 ? 0 : i];
    if (place < 0 || place >= row) return false;
    c->places[i] = place;
    if (place < c->least) c->least = place;
  }
  return true;
}

static Placed places_of(const Columns *c, int64_t steps) {
  int64_t row = c->from.dims[c->from.rank - 1];
  Placed placed = {.span = 1};
  for (unsigned i = 0; i < c->lanes; i++) {
    int64_t step = i / c->count;
    int64_t place = step < steps ? step * row + c->places[i % c->count] - c->least : 0;
    placed.places[i] = place;
    if (place >= placed.span) placed.span = place + 1;
  }
  return placed;
}

static bool find_columns(const LlvmGen *g, const IrOp *op, const Mem *from, const Mem *to,
                         Columns *c) {
  if (g->options->check || !is_of_columns(op)) return false;
  unsigned lanes = g->target->vector_bytes / (unsigned)dtype_size(to->dtype);
  *c = (Columns){.from = *from, .to = *to, .count = to->dims[to->rank - 1], .lanes = lanes};
  if (g->target->vector_bytes < LEAST_VECTOR || lanes > MAX_LANES || c->count < 1 ||
      c->count > lanes || mem_count(to) < lanes || !mem_is_dense(to) || !mem_is_dense(from) ||
      !read_columns(op, c))
    return false;
  c->steps = lanes / c->count;
  // A vector that is read takes a shuffle; an element by itself is read and written.
  Placed placed = places_of(c, c->steps);
  return (placed.span + lanes - 1) / lanes * 2 <= c->steps * c->count;
}

static void move_rows(LlvmGen *g, const Columns *c, Value row, int64_t steps) {
  DType dtype = c->to.dtype;
  Placed placed = places_of(c, steps);
  Value first =
      gen_offset(g, c->from.base, dtype, gen_mul_const(g, row, c->from.dims[c->from.rank - 1]));
  Value vector =
      gen_load_placed(g, gen_offset_const(g, first, dtype, c->least), dtype, &placed, c->lanes);
  gen_store_first(g, vector, gen_offset(g, c->to.base, dtype, gen_mul_const(g, row, c->count)),
                  dtype, (unsigned)(steps * c->count));
}

bool gather_known_columns(LlvmGen *g, const IrOp *op, const Mem *from, const Mem *to,
                          unsigned *lanes) {
  Columns c;
  if (!find_columns(g, op, from, to, &c)) return false;
  int64_t rows = mem_count(to) / c.count, whole = rows / c.steps * c.steps;
  Loop loop;
  loop_begin_count(g, &loop, whole, c.steps, 0, NULL);
  move_rows(g, &c, loop.index, c.steps);
  loop_end(g, &loop, NULL);
  if (whole < rows) move_rows(g, &c, gen_i64(g, whole), rows - whole);
  *lanes = c.lanes;
  return true;
}
