// SPDX-License-Identifier: Apache-2.0
// Loads of all the places of short rows, as of x[:, 0], x[:, 1] … that are added up: the rows are
// read as whole vectors once, and taken apart together, in n log2(n) shuffles for n places. Each
// place on its own would take n - 1 of them.
#include <string.h>

#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_type.h"
#include "codegen/memory/gen_vector.h"
#include "gen_apart.h"

enum {
  LEAST_PLACES = 4, // of two or three, one shuffle each is no more than taking them apart together
  MOST_PLACES = 16  // the lanes of f32 in the widest vector, and its registers hold twice as many
};

// Loads that differ in the place in their rows alone.
static bool are_siblings(const WalkCode *w, const Node *a, const Node *b) {
  return a->kind == NODE_LOAD && b->kind == NODE_LOAD && a->memory == b->memory &&
         a->of_copy == b->of_copy && !a->operand_count && !b->operand_count && !a->at.term_count &&
         !b->at.term_count && w->nodes[a->number].base == w->nodes[b->number].base &&
         memcmp(a->at.coef, b->at.coef, sizeof a->at.coef) == 0;
}

// The load so many places behind `node` in its rows that has no value yet; NULL if there is none.
static const Node *find_place(const WalkCode *w, const Point *point, const Node *node,
                              const Lanes *lanes, int64_t behind) {
  if (!behind) return node;
  for (size_t i = 0; i < w->walk->nodes.count; i++) {
    const Node *other = w->walk->nodes.items[i];
    if (other->at.constant == node->at.constant + behind && are_siblings(w, node, other) &&
        !point->values[i] && !lanes->values[i])
      return other;
  }
  return NULL;
}

// The loads of `count` neighbours, `node` among them, by place; false if not all of them are there.
static bool find_row(const WalkCode *w, const Point *point, const Node *node, const Lanes *lanes,
                     int64_t count, const Node **row) {
  int64_t first = 0;
  while (first > 1 - count && find_place(w, point, node, lanes, first - 1)) first--;
  for (int64_t i = 0; i < count; i++)
    if (!(row[i] = find_place(w, point, node, lanes, first + i))) return false;
  return true;
}

bool apart_load(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                Lanes *lanes) {
  LlvmGen *g = w->g;
  DType dtype = node->memory->type->dtype;
  int64_t count = node->at.coef[lane_dim], size = (int64_t)dtype_size(dtype);
  const Node *row[MOST_PLACES];
  if (w->walk->loops.group >= 0 || lanes->active < lanes->lanes || count < LEAST_PLACES ||
      count > MOST_PLACES || count > (int64_t)lanes->lanes || (count & (count - 1)) || size < 4 ||
      !find_row(w, point, node, lanes, count, row))
    return false;
  Value vectors[MOST_PLACES];
  Type type = gen_storage_type(g, dtype, lanes->lanes);
  for (int64_t i = 0; i < count; i++) {
    Value address = gen_offset_const(g, point->addresses[row[0]->number], dtype,
                                     lanes->shift * count + i * (int64_t)lanes->lanes);
    vectors[i] = LLVMBuildLoad2(g->builder, type, address, "");
    gen_set_align(vectors[i], (unsigned)size);
  }
  gen_take_apart(g, vectors, (unsigned)count);
  for (int64_t i = 0; i < count; i++)
    lanes->values[row[i]->number] = convert_from_storage(g, dtype, vectors[i]);
  return true;
}
