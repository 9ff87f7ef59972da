// SPDX-License-Identifier: Apache-2.0
// Loads of vectors that are several short rows: what lies between the first and the last element
// that is needed is read as vectors, never more, and shuffles put the elements into their lanes.
// Lanes that no row fills have some element of the load's: operations on them have no effect.
#include "gen_group.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_type.h"
#include "codegen/memory/gen_vector.h"
#include "plan/plan_group.h"

// From the first of `span` elements in memory, which one each lane takes.
typedef struct Order {
  int64_t low, span;
  int64_t places[MAX_LANES];
  bool is_dense;
} Order;

static Order order_of(const WalkCode *w, const Node *node, const Lanes *lanes) {
  Order order = {.is_dense = true};
  int64_t high = 0;
  for (unsigned i = 0; i < lanes->lanes; i++) {
    int64_t place =
        i < lanes->active ? plan_group_offset(&w->walk->loops, &node->at, i) : 0;
    order.places[i] = place;
    if (i < lanes->active && place != i) order.is_dense = false;
    if (place < order.low) order.low = place;
    if (place > high) high = place;
  }
  for (unsigned i = 0; i < lanes->lanes; i++) order.places[i] -= order.low;
  order.span = high - order.low + 1;
  return order;
}

static Value wider(LlvmGen *g, Value vector, unsigned lanes) {
  Value order[MAX_LANES];
  if (gen_lanes(vector) == 1) return gen_splat(g, vector, lanes);
  for (unsigned i = 0; i < lanes; i++) order[i] = gen_i32(g, i % gen_lanes(vector));
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, lanes), "");
}

// The last part ends with the last element, so that nothing behind that is read.
static Value load_parts(LlvmGen *g, Value first, DType dtype, const Order *order, unsigned lanes) {
  unsigned bytes = (unsigned)dtype_size(dtype), width = 1;
  while (width * 2 <= lanes && width * 2 <= order->span) width *= 2;
  Value found = NULL, mix[MAX_LANES];
  for (int64_t from = 0; from < order->span; from += width) {
    int64_t start = from + width <= order->span ? from : order->span - width;
    Value part = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, width),
                                gen_offset_const(g, first, dtype, start), "");
    gen_set_align(part, bytes);
    if (width < lanes) part = wider(g, part, lanes);
    for (unsigned i = 0; i < lanes; i++) {
      bool is_here = order->places[i] >= from && order->places[i] < from + width;
      int64_t place = order->places[i] - start;
      mix[i] = gen_i32(g, is_here ? (found ? place + lanes : place) : found ? (int64_t)i : 0);
    }
    found = LLVMBuildShuffleVector(g->builder, found ? found : part,
                                   found ? part : LLVMGetPoison(LLVMTypeOf(part)),
                                   LLVMConstVector(mix, lanes), "");
  }
  return found;
}

static Value load_masked(LlvmGen *g, Value first, DType dtype, const Order *order, unsigned lanes) {
  Type type = gen_storage_type(g, dtype, lanes);
  Value bits[MAX_LANES], places[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    bits[i] = LLVMConstInt(g->i1, i < order->span, false);
    places[i] = gen_i32(g, order->places[i]);
  }
  Value vector = gen_masked_load(g, first, type, (unsigned)dtype_size(dtype),
                                 LLVMConstVector(bits, lanes), LLVMConstNull(type));
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(type),
                                LLVMConstVector(places, lanes), "");
}

Value group_load(const WalkCode *w, const Node *node, Value start, const Lanes *lanes) {
  LlvmGen *g = w->g;
  DType dtype = node->memory->type->dtype;
  Order order = order_of(w, node, lanes);
  if (order.is_dense && (g->target->has_masks || lanes->active == lanes->lanes))
    return mem_load_vector(g, start, dtype, (unsigned)dtype_size(dtype), lanes->lanes,
                           lanes->active);
  Value first = gen_offset_const(g, start, dtype, order.low);
  bool fits = g->target->has_masks && order.span <= lanes->lanes;
  return convert_from_storage(g, dtype,
                              fits ? load_masked(g, first, dtype, &order, lanes->lanes)
                                   : load_parts(g, first, dtype, &order, lanes->lanes));
}
