// SPDX-License-Identifier: Apache-2.0
// Loads of vectors that are several short rows. Lanes that no row fills have some element of the
// load's: operations on them have no effect.
#include "gen_group.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/memory/gen_placed.h"
#include "codegen/memory/gen_vector.h"
#include "plan/plan_group.h"

// Lane i is of row i / size, and has its element i % size: so many vectors take turns.
static Value load_planes(LlvmGen *g, const Loops *loops, const Node *node, Value start,
                         const Lanes *lanes) {
  DType dtype = node->memory->type->dtype;
  int64_t size = loops->size;
  Placed placed = {.span = lanes->active / size};
  Value found = NULL, mix[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++) placed.places[i] = i < lanes->active ? i / size : 0;
  for (int64_t k = 0; k < size; k++) {
    Value first = gen_offset_const(g, start, dtype, k * node->at.coef[loops->lane_dim]);
    Value part = gen_load_placed(g, first, dtype, &placed, lanes->lanes);
    for (unsigned i = 0; i < lanes->lanes; i++)
      mix[i] = gen_i32(g, i % size == k ? i + lanes->lanes : i);
    found =
        k ? LLVMBuildShuffleVector(g->builder, found, part, LLVMConstVector(mix, lanes->lanes), "")
          : part;
  }
  return convert_from_storage(g, dtype, found);
}

Value group_load(const WalkCode *w, const Node *node, Value start, const Lanes *lanes) {
  LlvmGen *g = w->g;
  DType dtype = node->memory->type->dtype;
  Placed placed;
  int64_t low = 0, high = 0;
  bool is_dense = true;
  if (plan_group_has_planes(&w->walk->loops, &node->at, w->walk->loops.lanes))
    return load_planes(g, &w->walk->loops, node, start, lanes);
  for (unsigned i = 0; i < lanes->lanes; i++) {
    int64_t place = i < lanes->active ? plan_group_offset(&w->walk->loops, &node->at, i) : 0;
    placed.places[i] = place;
    if (i < lanes->active && place != i) is_dense = false;
    if (place < low) low = place;
    if (place > high) high = place;
  }
  if (is_dense && (g->target->has_masks || lanes->active == lanes->lanes))
    return mem_load_vector(g, start, dtype, (unsigned)dtype_size(dtype), lanes->lanes,
                           lanes->active);
  for (unsigned i = 0; i < lanes->lanes; i++) placed.places[i] -= low;
  placed.span = high - low + 1;
  return convert_from_storage(
      g, dtype,
      gen_load_placed(g, gen_offset_const(g, start, dtype, low), dtype, &placed, lanes->lanes));
}
