// SPDX-License-Identifier: Apache-2.0
// Rows shorter than a register: a pixel's colours, a box's corners. Where they lie one behind the
// other in everything that a walk stores, several of them are one vector, and what is loaded in
// another order, or from a part of longer rows, is put into its lanes by shuffles: the elements
// between the first and the last that are needed are read as whole vectors.
#include "plan_group.h"
#include "ir/analysis/element_cost.h"

enum {
  LEAST_VECTOR = 32, // bytes: below, CPUs have no shuffle of any order
  MOST_VECTORS = 8,  // vectors whose code is written out
};

int64_t plan_group_offset(const Loops *loops, const Affine *at, int64_t lane) {
  return lane / loops->size * at->coef[loops->group] +
         lane % loops->size * at->coef[loops->lane_dim];
}

bool plan_group_has_planes(const Loops *loops, const Affine *at, unsigned lanes) {
  int64_t apart = at->coef[loops->lane_dim];
  return at->coef[loops->group] == 1 && (apart > (int64_t)lanes || apart < -(int64_t)lanes);
}

// ---- which dimension ----------------------------------------------------------------------------
static bool is_dense(const Walk *walk, int lane, size_t d) {
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    if (root->kind == ROOT_REDUCE || root->mask || root->at.coef[lane] != 1 ||
        root->at.coef[d] != walk->space.sizes[lane])
      return false;
  }
  return true;
}

static int find_dim(const Walk *walk, int lane) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node->kind == NODE_GIVEN || (node_reads(node) && node->operand_count)) return -1;
  }
  for (size_t d = walk->space.rank; d-- > 0;)
    if ((int)d != lane && walk->kinds[d] == DIM_KEPT && walk->space.sizes[d] > 1 &&
        is_dense(walk, lane, d))
      return (int)d;
  return -1;
}

// ---- what it costs ------------------------------------------------------------------------------
static int bits_of(int64_t number) {
  int count = 0;
  for (; number; number &= number - 1) count++;
  return count;
}

// Without masks a part of a vector is stored in pieces of powers of two.
static int64_t cost_of_store(const PlanOptions *options, int64_t active) {
  return options->registers > 16 ? 1 : bits_of(active);
}

static int64_t cost_of_row_load(const PlanOptions *options, const Node *node, int lane,
                                int64_t size) {
  return plan_load_way(node, lane) == LOAD_SIDE_BY_SIDE ? cost_of_store(options, size) : 2 * size;
}

// Vectors that are loaded, and shuffles that put their elements into the lanes, which are those
// from `shift` on.
static int64_t cost_of_group_load(const PlanOptions *options, const Loops *loops, const Node *node,
                                  unsigned lanes, int64_t shift, int64_t active) {
  int64_t low = INT64_MAX, high = INT64_MIN, mix = 1;
  bool is_dense = true;
  if (plan_group_has_planes(loops, &node->at, lanes))
    return loops->size * (options->registers > 16 ? 2 : 5);
  for (int64_t i = shift; i < shift + active; i++) {
    int64_t offset = plan_group_offset(loops, &node->at, i);
    if (offset != i) is_dense = false;
    if (offset < low) low = offset;
    if (offset > high) high = offset;
  }
  int64_t parts = (high - low) / lanes + 1;
  if (is_dense) return cost_of_store(options, active);
  if (options->registers <= 16) mix = dtype_size(node->memory->type->dtype) >= 4 ? 3 : 5;
  return parts + 1 + (parts - 1) * mix;
}

// Of loops->steps rows along dimension `dim` as one vector, or of one row (no group), for which
// what does not change along it is a scalar.
static int64_t cost_of_rows(const PlanOptions *options, const Walk *walk, const Loops *loops,
                            int dim, unsigned lanes) {
  int lane = loops->lane_dim;
  int64_t size = loops->size * (loops->group < 0 ? 1 : loops->steps);
  int64_t cost = (int64_t)walk->roots.count * cost_of_store(options, size);
  int64_t pieces = loops->group < 0 ? cost_of_store(options, size) : 1;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (!(node->depends >> lane & 1) && !(node->depends >> dim & 1)) continue;
    if (node->kind == NODE_OP)
      cost += (node->depends >> lane & 1 ? pieces : 1) * cost_of_element(node->value->def);
    else if (node->kind != NODE_LOAD || (loops->group < 0 && !(node->depends >> lane & 1)))
      cost++;
    else if (loops->group < 0)
      cost += cost_of_row_load(options, node, lane, size);
    else
      cost += cost_of_group_load(options, loops, node, lanes, 0, size);
  }
  return cost;
}

// Of what does not change along the lanes: a step of the group is a lane.
static int64_t cost_of_steps(const PlanOptions *options, const Loops *loops, const Node *node,
                             unsigned lanes) {
  int64_t step = node->at.coef[loops->group], apart = step < 0 ? -step : step;
  int64_t mix = options->registers > 16 ? 1 : 3, dealt = apart + (apart - 1) * mix;
  if (node->kind == NODE_OP) return cost_of_element(node->value->def);
  return node->kind != NODE_LOAD || dealt > 2 * lanes ? 2 * lanes : dealt;
}

// Of as many steps as there are lanes (Loops.turns).
static int64_t cost_of_turns(const PlanOptions *options, const Walk *walk, const Loops *loops,
                             unsigned lanes) {
  int64_t cost = (int64_t)walk->roots.count * loops->size;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    bool along_lanes = node->depends >> loops->lane_dim & 1;
    if (!along_lanes && !(node->depends >> loops->group & 1)) continue;
    if (!along_lanes) // and a shuffle for each vector of elements
      cost +=
          cost_of_steps(options, loops, node, lanes) + (node->kind == NODE_OP ? loops->size : 0);
    else if (node->kind == NODE_OP)
      cost += loops->size * cost_of_element(node->value->def);
    else if (node->kind != NODE_LOAD)
      cost += loops->size;
    else
      for (int64_t k = 0; k < loops->size; k++)
        cost += cost_of_group_load(options, loops, node, lanes, k * lanes, lanes);
  }
  return cost;
}

void plan_find_group(const PlanOptions *options, Walk *walk, unsigned lanes) {
  Loops *loops = &walk->loops;
  if (loops->lane_dim < 0 || loops->cross >= 0 || options->check ||
      walk->kinds[loops->lane_dim] != DIM_KEPT || options->vector_bytes < LEAST_VECTOR)
    return;
  Loops tried = *loops;
  tried.size = walk->space.sizes[loops->lane_dim];
  tried.group = find_dim(walk, loops->lane_dim);
  if (tried.group < 0) return;
  Loops single = tried;
  single.group = -1;
  int64_t best = cost_of_rows(options, walk, &single, tried.group, lanes), best_steps = 1;
  int64_t most = lanes / tried.size, count = walk->space.sizes[tried.group];
  for (tried.steps = 2; tried.steps <= most && tried.steps <= count; tried.steps++) {
    int64_t cost = cost_of_rows(options, walk, &tried, tried.group, lanes);
    if (cost * best_steps >= best * tried.steps) continue;
    best = cost;
    best_steps = tried.steps;
  }
  tried.steps = (unsigned)best_steps;
  tried.turns = count >= lanes && tried.size <= MOST_VECTORS && tried.size <= lanes &&
                cost_of_turns(options, walk, &tried, lanes) * best_steps < best * lanes;
  if (best_steps == 1 && !tried.turns) return;
  loops->group = tried.group;
  loops->steps = tried.steps;
  loops->turns = tried.turns;
}
