// SPDX-License-Identifier: Apache-2.0
// Stores of values whose elements take turns in memory: vectors of all of them are put together in
// registers, and stored one behind the other.
#include "gen_interleave.h"
#include <string.h>
#include "codegen/emit/debug.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/memory/gen_vector.h"

// ---- which ones ---------------------------------------------------------------------------------
static const KeptPlace *place_of(const WalkCode *w, const Root *root) {
  if (root->kind != ROOT_KEEP || root->mask || root->result->is_scalar) return NULL;
  const KeptPlace *place = &w->places[root->result->number];
  return place->whole ? place : NULL;
}

// Whether both step equally through their memory.
static bool has_same_steps(const Walk *walk, const Affine *a, const Affine *b) {
  return a->constant == b->constant && !a->term_count && !b->term_count &&
         memcmp(a->coef, b->coef, walk->space.rank * sizeof *a->coef) == 0;
}

// The parts of the root's concatenation in their order; 0 if this walk does not make all of them.
static unsigned find_parts(const WalkCode *w, const Root *root, int lane_dim, const Root **parts) {
  const KeptPlace *own = place_of(w, root);
  if (!own || own->whole->operand_count > MOST_TURNS) return 0;
  unsigned count = own->whole->operand_count, found = 0;
  if (root->at.coef[lane_dim] != count) return 0;
  for (size_t i = 0; i < w->walk->roots.count; i++) {
    const Root *other = w->walk->roots.items[i];
    const KeptPlace *place = place_of(w, other);
    if (!place || place->whole != own->whole || !has_same_steps(w->walk, &root->at, &other->at))
      continue;
    parts[place->at] = other;
    found++;
  }
  return found == count ? count : 0;
}

// With the last of them all are computed: roots are stored in their order, each as soon as it may
// be.
static bool is_last(const WalkCode *w, const Root *root, const Root *const *parts, unsigned count) {
  for (size_t i = w->walk->roots.count; i-- > 0;)
    for (unsigned k = 0; k < count; k++)
      if (w->walk->roots.items[i] == parts[k]) return parts[k] == root;
  return false;
}

// ---- storing -----------------------------------------------------------------------------------
bool interleave_store(const WalkCode *w, const Point *point, const Root *root, int lane_dim,
                      const Lanes *lanes) {
  LlvmGen *g = w->g;
  const Root *parts[MOST_TURNS];
  if (lane_dim < 0 || lanes->lanes == 1 || lanes->active < lanes->lanes) return false;
  unsigned count = find_parts(w, root, lane_dim, parts);
  if (!count || !eval_root_address(w, point, parts[0])) return false;
  if (!is_last(w, root, parts, count)) return true;
  DType dtype = eval_root_dtype(root);
  Value from[MOST_TURNS], to[MOST_TURNS];
  for (unsigned i = 0; i < count; i++)
    from[i] = convert_to_storage(g, dtype, eval_value(w, point, parts[i]->node, lanes));
  debug_at(g, w->places[root->result->number].whole);
  gen_take_turns(g, from, count, to);
  Value start = eval_root_address(w, point, parts[0]);
  for (unsigned i = 0; i < count; i++) {
    int64_t offset = lanes->shift * count + (int64_t)i * lanes->lanes;
    mem_store_raw(g, to[i], gen_offset_const(g, start, dtype, offset), dtype);
  }
  return true;
}
