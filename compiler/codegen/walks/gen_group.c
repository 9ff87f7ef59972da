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

// Lane i is of row i / size, and has its element i % size, counted from the vector's shift: so many
// vectors take turns.
static Value load_planes(LlvmGen *g, const Loops *loops, const Node *node, Value start,
                         const Lanes *lanes) {
  DType dtype = node->memory->type->dtype;
  int64_t size = loops->size;
  int64_t row = lanes->shift / size;
  Placed placed = {.span = (lanes->shift + lanes->active - 1) / size - row + 1};
  Value found = NULL, mix[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    placed.places[i] = i < lanes->active ? (lanes->shift + i) / size - row : 0;
  for (int64_t k = 0; k < size; k++) {
    Value first = gen_offset_const(g, start, dtype, row + k * node->at.coef[loops->lane_dim]);
    Value part = gen_load_placed(g, first, dtype, &placed, lanes->lanes);
    for (unsigned i = 0; i < lanes->lanes; i++)
      mix[i] = gen_i32(g, (lanes->shift + i) % size == k ? i + lanes->lanes : i);
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
  int64_t low = INT64_MAX, high = INT64_MIN;
  bool is_dense = true;
  if (plan_group_has_planes(&w->walk->loops, &node->at, w->walk->loops.lanes))
    return load_planes(g, &w->walk->loops, node, start, lanes);
  for (unsigned i = 0; i < lanes->lanes; i++) {
    unsigned lane = i < lanes->active ? i : 0;
    int64_t place = plan_group_offset(&w->walk->loops, &node->at, lanes->shift + lane);
    placed.places[i] = place;
    if (i < lanes->active && place != lanes->shift + i) is_dense = false;
    if (place < low) low = place;
    if (place > high) high = place;
  }
  if (is_dense && (g->target->has_masks || lanes->active == lanes->lanes))
    return mem_load_vector(g, gen_offset_const(g, start, dtype, lanes->shift), dtype,
                           (unsigned)dtype_size(dtype), lanes->lanes, lanes->active);
  for (unsigned i = 0; i < lanes->lanes; i++) placed.places[i] -= low;
  placed.span = high - low + 1;
  return convert_from_storage(
      g, dtype,
      gen_load_placed(g, gen_offset_const(g, start, dtype, low), dtype, &placed, lanes->lanes));
}
