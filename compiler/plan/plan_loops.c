// SPDX-License-Identifier: Apache-2.0
// The loops of a walk. The last dimension that is kept (or, if the reductions run along rows,
// reduced) is the lane dimension: it is covered by vectors, several at a time.
#include "ir/analysis/element_cost.h"
#include "ir/core/arithmetic.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "plan_group.h"
#include "plan_stream.h"
#include "planner.h"

// Walks that wait for memory go four vectors at a time; those that cost up to SOME_COST two.
enum { CHEAP_COST = 8, SOME_COST = 30 };

enum { LEAST_CHAIN = 8 }; // shorter ones overlap with the next step's in what a CPU has in flight

// Bytes of the registers of CPUs that round to narrow floats by several instructions, and do not
// convert one register into half of another.
enum { WITHOUT_ROUNDING = 32 };

bool plan_waits_for_memory(const Walk *walk) { return walk->cost <= CHEAP_COST; }

// ---- how wide -----------------------------------------------------------------------------------
static unsigned register_bytes(DType dtype) {
  if (dtype == DT_BOOL) return 1;
  return (unsigned)dtype_size(dtype_computed_in(dtype));
}

static unsigned lanes_of(const Walk *walk, const PlanOptions *options) {
  unsigned widest = 1;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    bool is_counted = node->kind == NODE_IOTA && node->depends; // in i32
    unsigned bytes = is_counted ? 4 : register_bytes(node->value->type->dtype);
    if (bytes > widest) widest = bytes;
  }
  unsigned lanes = options->vector_bytes / widest;
  return lanes < MAX_LANES ? lanes : MAX_LANES;
}

static int cost_of_walk(const Walk *walk) {
  int cost = 0;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    bool is_op = node->kind == NODE_OP || node->kind == NODE_LOOKUP;
    cost += is_op ? cost_of_element(node->value->def) : 1;
  }
  return cost;
}

// An operation of many instructions that wait for one another.
static bool is_long(const Node *node) {
  enum { LONG = 16 }; // the shortest polynomial, in additions (arithmetic.def)
  return node->kind == NODE_OP && cost_of_element(node->value->def) >= LONG;
}

static bool is_chain(const Node *node) {
  return arithmetic_is(node->value->def->code, ARITHMETIC_POLYNOMIAL | ARITHMETIC_ROUNDS);
}

// Chains wait for one operation after the other: vectors of two registers keep the processor busy
// meanwhile.
static bool wants_two_registers(const Walk *walk) {
  bool found = false;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    if (!is_long(walk->nodes.items[i])) continue;
    if (!is_chain(walk->nodes.items[i])) return false;
    found = true;
  }
  return found;
}

// ---- side by side -------------------------------------------------------------------------------
// A chain of operations that wait for each other leaves the processor idle: what it holds of the
// next vector's is too far away. If each is an instruction (beside the rounding of narrow floats),
// and the registers are there, several vectors are computed side by side. (Truth values take a
// vector each, or have registers of their own.)
static bool is_instruction(const IrOp *op) {
  if (op->code == OP_DIV || op->code == OP_SQRT) return op->results[0]->type->dtype == DT_F32;
  return cost_of_element(op) - cost_of_rounding(op) <= 1;
}

bool plan_looks_up_lanes(const Node *node, int lane_dim) {
  if (node->kind != NODE_LOOKUP || lane_dim < 0) return false;
  for (unsigned i = 0; i < node->operand_count; i++)
    if (node->operands[i]->depends >> lane_dim & 1) return true;
  return false;
}

typedef struct Pressure {
  unsigned each;   // registers of one vector: the most values that are needed at one time
  unsigned least;  // and the fewest, but for the end of a chain
  unsigned masks;  // likewise those of truth values, if they have registers of their own
  unsigned shared; // of what does not change along the lanes, but for constants, which can be
                   // operands in memory; and of what instructions need beside
} Pressure;

// Which registers a node's vector takes: 1 of those for truth values, where there are any, else 0.
static int kind_of_register(const PlanOptions *options, const Node *node) {
  enum { FEW = 16 }; // CPUs with more have masks
  return options->registers > FEW && node->value->type->dtype == DT_BOOL;
}

static Pressure pressure_of(const PlanOptions *options, Arena *arena, const Walk *walk, int lane) {
  enum { OVERWRITTEN = 1, ROUNDING = 2 }; // by a fused multiply-add; to narrow floats
  size_t count = walk->nodes.count;
  size_t *ends = ARENA_ARRAY(arena, size_t, count + 1);
  unsigned alive[2] = {0}, most[2] = {0}, least = MAX_LANES, fixed = 0, overwritten = 0,
           rounding = 0;
  for (size_t i = 0; i < count; i++) {
    const Node *node = walk->nodes.items[i];
    for (unsigned k = 0; k < node->operand_count; k++) ends[node->operands[k]->number] = i;
  }
  for (size_t i = 0; i < walk->roots.count; i++) ends[walk->roots.items[i]->node->number] = count;
  for (size_t i = 0; i < count; i++) {
    const Node *node = walk->nodes.items[i];
    if (!(node->depends >> lane & 1)) {
      if (node->kind != NODE_CONST) fixed++;
      continue;
    }
    if (node->kind == NODE_OP && cost_of_rounding(node->value->def)) rounding = ROUNDING;
    if (node->kind == NODE_OP && dtype_is_float(node->value->type->dtype))
      overwritten = OVERWRITTEN;
    for (unsigned k = 0; k < node->operand_count; k++) {
      const Node *operand = node->operands[k];
      bool is_again = k > 0 && node->operands[k - 1] == operand;
      if (ends[operand->number] == i && !is_again && (operand->depends >> lane & 1))
        alive[kind_of_register(options, operand)]--;
    }
    int kind = kind_of_register(options, node);
    if (++alive[kind] > most[kind]) most[kind] = alive[kind];
    if (node->kind == NODE_OP && i + LEAST_CHAIN < count && alive[0] < least) least = alive[0];
  }
  if (least > most[0]) least = most[0];
  return (Pressure){most[0], least, most[1], fixed + rounding + overwritten};
}

// Whether a node is evaluated for each vector of the lanes.
static bool is_repeated(const Node *node, int lane) {
  return node->kind == NODE_OP && (node->depends >> lane & 1);
}

// An operation, and what rounds its result.
static int steps_of(const PlanOptions *options, const Node *node, int lane) {
  if (!is_repeated(node, lane)) return 0;
  return 1 + (options->vector_bytes > WITHOUT_ROUNDING ? 0 : cost_of_rounding(node->value->def));
}

// The most operations that wait for one another.
static int longest_chain(const PlanOptions *options, Arena *arena, const Walk *walk, int lane) {
  int *depths = ARENA_ARRAY(arena, int, walk->nodes.count + 1), most = 0;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    for (unsigned k = 0; k < node->operand_count; k++) {
      int depth = depths[node->operands[k]->number];
      if (depth > depths[i]) depths[i] = depth;
    }
    depths[i] += steps_of(options, node, lane);
    if (depths[i] > most) most = depths[i];
  }
  return most;
}

static int operations_of(const PlanOptions *options, const Walk *walk, int lane) {
  int count = 0;
  for (size_t i = 0; i < walk->nodes.count; i++)
    count += steps_of(options, walk->nodes.items[i], lane);
  return count;
}

static bool looks_up_lanes(const Walk *walk, int lane) {
  for (size_t i = 0; i < walk->nodes.count; i++)
    if (plan_looks_up_lanes(walk->nodes.items[i], lane)) return true;
  return false;
}

// How many vectors, of so many registers each, go side by side in a step; 1 if that does not pay.
static unsigned side_by_side(const PlanOptions *options, Arena *arena, const Walk *walk, int lane,
                             unsigned registers) {
  enum {
    MOST = 16,                // under way in a CPU: four cycles of latency, up to four in each
    MOST_INSTRUCTIONS = 1024, // of some five bytes: a part of a first-level cache of instructions
    // Loads that wait for their addresses, one for each lane, fill what a CPU has for them (some 60
    // on a Zen 5) with those of four vectors: then the indices of no others are computed meanwhile.
    // A table of 257 places, two of them for each of 65,536 elements: 18 ns a vector of 16 when one
    // goes alone, 10 with four.
    MOST_LOOKUPS = 4,
    MASKS = 7, // registers of truth values that an instruction can be masked by
    BUSY = 3,  // operations that do not wait for each other, which keep a CPU's pipes busy
  };
  bool looks_up = looks_up_lanes(walk, lane);
  if (walk->has_reduction || options->many_ops) return 1;
  int chain = longest_chain(options, arena, walk, lane);
  bool waits = chain >= LEAST_CHAIN && operations_of(options, walk, lane) < BUSY * chain;
  if (!looks_up && !waits) return 1;
  for (size_t i = 0; i < walk->nodes.count && !looks_up; i++)
    if (is_repeated(walk->nodes.items[i], lane) &&
        !is_instruction(walk->nodes.items[i]->value->def))
      return 1;
  Pressure need = pressure_of(options, arena, walk, lane);
  // One vector needs the most where another needs least.
  need.each = (need.each + need.least + 1) / 2 * registers;
  unsigned count = looks_up ? MOST_LOOKUPS : MOST;
  unsigned most = options->registers;
  if (looks_up) most *= 2; // a value that goes through memory is cheap beside a lookup
  while (count > 1 && (need.each * count + need.shared > most || need.masks * count > MASKS ||
                       walk->cost * (int)count > MOST_INSTRUCTIONS))
    count /= 2;
  return count;
}

// Results half as wide as what they are computed in: of two registers one is packed, where CPUs do
// not convert one into half of another.
static bool fills_half_registers(const PlanOptions *options, const Walk *walk, int lane) {
  enum { HALF = 2 };
  if (options->vector_bytes > WITHOUT_ROUNDING || walk->has_reduction) return false;
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Node *node = walk->roots.items[i]->node;
    DType dtype = node->value->type->dtype;
    bool is_half = dtype_is_float(dtype) && dtype_size(dtype) == HALF;
    if (!is_half || walk->roots.items[i]->mask || !(node->depends >> lane & 1)) return false;
  }
  return walk->roots.count > 0;
}

static void choose_lanes(const PlanOptions *options, Arena *arena, Walk *walk, int dim) {
  Loops *loops = &walk->loops;
  loops->lane_dim = dim;
  loops->size = dim < 0 ? 1 : walk->space.sizes[dim];
  loops->lanes = loops->unroll = 1;
  if (dim < 0) return;
  loops->lanes = lanes_of(walk, options);
  loops->unroll = options->many_ops             ? 1
                  : plan_waits_for_memory(walk) ? 4
                  : walk->cost <= SOME_COST     ? 2
                                                : 1;
  if (loops->size >= loops->lanes * 2 && wants_two_registers(walk)) {
    loops->lanes *= 2;
  } else if (loops->unroll > 1 && loops->size >= loops->lanes * 2 &&
             fills_half_registers(options, walk, dim)) {
    loops->lanes *= 2;
    loops->unroll /= 2;
  }
  unsigned registers = loops->lanes / lanes_of(walk, options);
  unsigned together = side_by_side(options, arena, walk, dim, registers);
  if (together > loops->unroll) loops->unroll = together;
  loops->side_by_side = together > 1 && together == loops->unroll;
  if (walk->has_reduction && loops->along_rows && walk->is_ordered) {
    if (loops->lanes > SUM_LANES) loops->lanes = SUM_LANES;
    loops->unroll = SUM_LANES / loops->lanes;
  }
  int64_t step = loops_step(loops);
  while (!walk->is_ordered && loops->unroll > 1 && loops->size < step) {
    loops->unroll /= 2;
    step /= 2;
  }
  loops->whole = loops->size / step * step;
}

// ---- which loop is where ------------------------------------------------------------------------
static int last_dim_of(const Walk *walk, DimKind kind) {
  int d = (int)walk->space.rank - 1;
  while (d >= 0 && walk->kinds[d] != kind) d--;
  return d;
}

bool plan_is_crossed(const Node *node, int lane_dim, int cross) {
  int64_t step = node->at.coef[lane_dim], across = node->at.coef[cross];
  return node->kind == NODE_LOAD && node->operand_count == 0 && (across == 1 || across == -1) &&
         step != 0 && step != 1 && step != -1;
}

LoadWay plan_load_way(const Node *node, int lane_dim) {
  int64_t step = node->at.coef[lane_dim];
  if (step == 1) return LOAD_SIDE_BY_SIDE;
  return step == -1 && node->operand_count == 0 ? LOAD_BACKWARDS : LOAD_ONE_BY_ONE;
}

// ---- passes -------------------------------------------------------------------------------------
// Whether a walk's values may go through memory between passes along its lanes.
static bool can_be_cut(const Walk *walk) {
  const Loops *loops = &walk->loops;
  if (loops->lane_dim < 0 || loops->cross >= 0 || loops->group >= 0 || loops->band ||
      (walk->has_reduction && !loops->along_rows))
    return false;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    bool varies = node->depends >> loops->lane_dim & 1;
    if (node->kind == NODE_GIVEN || (varies && node->kind == NODE_LOAD &&
                                     plan_load_way(node, loops->lane_dim) != LOAD_SIDE_BY_SIDE))
      return false;
  }
  return true;
}

// A chain that waits for another one leaves the processor idle: the next vectors' are further
// off than what it holds. Each is a pass of its own then, in which all vectors are independent.
// log1p(exp(-|x|)) of 32768 f32 in the first level: 34 us, in two passes 24 (Zen 5, AVX2).
static void choose_cuts(const PlanOptions *options, Arena *arena, Walk *walk) {
  enum { LEAST_STEPS = 2 }; // a pass is worth its beginning and end
  Loops *loops = &walk->loops;
  int64_t step = loops_step(loops);
  if (options->many_ops || !can_be_cut(walk) || loops->whole < LEAST_STEPS * step ||
      step > PASS_ELEMENTS)
    return;
  bool *waits = ARENA_ARRAY(arena, bool, walk->nodes.count + 1); // for one of the pass at hand
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    for (unsigned k = 0; k < node->operand_count; k++) waits[i] |= waits[node->operands[k]->number];
    if (!is_long(node) || !is_chain(node) || !(node->depends >> loops->lane_dim & 1)) continue;
    if (waits[i] && loops->cuts.count < MOST_CUTS) {
      VEC_PUSH(arena, &loops->cuts, i);
      for (size_t k = 0; k < i; k++) waits[k] = false;
    }
    waits[i] = true;
  }
}

// ---- squares ------------------------------------------------------------------------------------
// What a point costs in instructions, times the lanes of a register, if its load is read element by
// element, or from the vectors that the elements lie in.
static int64_t cost_one_by_one(const PlanOptions *options, const Node *node, int lane, int lanes,
                               int work) {
  int64_t step = node->at.coef[lane], apart = step < 0 ? -step : step;
  int64_t mix = options->registers > 16 ? 1 : 3; // elements of two registers
  int64_t loads = apart + (apart - 1) * mix;
  return 1 + work + (loads < 2 * lanes ? loads : 2 * lanes);
}

// Of squares: a vector is loaded, goes through as many exchanges as the side has bits, and is
// stored.
static int64_t cost_in_squares(int side, int lanes, int work) {
  int exchanges = 0;
  while (1 << exchanges < side) exchanges++;
  return (2 + exchanges + work) * (lanes / side);
}

// The side of squares of two dimensions in which a walk costs least; 0 if that is none.
static int best_side(const PlanOptions *options, const Walk *walk, const Node *node, int lane,
                     int cross) {
  enum { LEAST_SIDE = 4 }; // the smallest square that CPUs have shuffles of whole lanes for
  int lanes = (int)lanes_of(walk, options), best = 0, work = walk->cost - 1;
  int64_t size = walk->space.sizes[lane], across = walk->space.sizes[cross];
  int64_t single = cost_one_by_one(options, node, lane, lanes, work),
          least = single * size * across;
  for (int side = lanes < MAX_SIDE ? lanes : MAX_SIDE; side >= LEAST_SIDE; side /= 2) {
    int64_t points = size / side * side * (across / side * side);
    int64_t cost = points * cost_in_squares(side, lanes, work) + (size * across - points) * single;
    if (cost >= least) continue;
    least = cost;
    best = side;
  }
  return best;
}

// The dimension that the first load which is not dense along the lanes is dense along, if squares
// of both pay, and their side.
static int find_cross(const PlanOptions *options, const Walk *walk, int lane, int *side) {
  if (lane < 0 || walk->has_reduction || walk->kinds[lane] != DIM_KEPT) return -1;
  for (size_t i = 0; i < walk->nodes.count; i++)
    for (size_t d = 0; d < walk->space.rank; d++) {
      const Node *node = walk->nodes.items[i];
      if ((int)d == lane || walk->kinds[d] != DIM_KEPT || !plan_is_crossed(node, lane, (int)d))
        continue;
      *side = best_side(options, walk, node, lane, (int)d);
      if (*side) return (int)d;
    }
  return -1;
}

static void arrange(const PlanOptions *options, Arena *arena, Walk *walk) {
  Loops *loops = &walk->loops;
  int last = (int)walk->space.rank - 1;
  int lane = last >= 0 && walk->kinds[last] != DIM_ROW ? last : -1;
  if (walk->has_reduction) {
    loops->along_rows = plan_reduces_rows(walk->shape_rank, walk->shape, walk->reduced);
    lane = last_dim_of(walk, loops->along_rows ? DIM_REDUCED : DIM_KEPT);
  }
  int side = 0;
  loops->cross = find_cross(options, walk, lane, &side);
  loops->lane_dim = lane;
  plan_find_group(options, walk, lanes_of(walk, options));
  for (size_t d = 0; d < walk->space.rank; d++) {
    if (walk->kinds[d] == DIM_ROW || (int)d == lane || (int)d == loops->cross ||
        (int)d == loops->group)
      continue;
    if (walk->kinds[d] == DIM_KEPT)
      VEC_PUSH(arena, &loops->outer, d);
    else
      VEC_PUSH(arena, &loops->reduced, d);
  }
  choose_lanes(options, arena, walk, lane);
  if (loops->group >= 0) loops->side_by_side = false; // a row is shorter than a vector
  if (loops->cross < 0) return;
  loops->lanes = (unsigned)side;
  loops->unroll = 1;
  loops->side_by_side = false;
  loops->whole = loops->size / loops->lanes * loops->lanes;
}

// ---- bands --------------------------------------------------------------------------------------
static int64_t bytes_read(const Walk *walk) {
  int64_t bytes = 0;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (!node_reads(node)) continue;
    int64_t own = (int64_t)dtype_size(node->memory->type->dtype);
    for (size_t d = 0; d < walk->space.rank; d++)
      if (node->depends >> d & 1) own *= walk->space.sizes[d];
    bytes += own;
  }
  return bytes;
}

// A strip of columns that goes through all rows of a large array touches a piece of each page, and
// no prefetcher follows it: 5.4 ms for the maxima of 64 MiB on a Zen 4, 2.7 with bands of 8 rows.
static void choose_band(Walk *walk) {
  enum {
    BAND = 8, // a choice: each row is a stream of its own, and a partial result is loaded for eight
    BLOCK_BYTES = FIRST_LEVEL_BYTES / 2 // beside the lines of the rows
  };
  Loops *loops = &walk->loops;
  if (!walk->has_reduction || loops->along_rows || loops->lane_dim < 0 || !loops->reduced.count)
    return;
  int64_t step = loops_step(loops),
          rows = walk->space.sizes[loops->reduced.items[loops->reduced.count - 1]], bytes = 0;
  for (size_t i = 0; i < walk->roots.count; i++)
    bytes += register_bytes(walk->roots.items[i]->node->value->type->dtype);
  if (rows < 2 * BAND || loops->whole < 2 * step || !plan_waits_for_memory(walk) ||
      bytes_read(walk) < 2 * SECOND_LEVEL_BYTES)
    return;
  loops->band = BAND;
  loops->block = BLOCK_BYTES / bytes / step * step;
}

// ---- where stores go ----------------------------------------------------------------------------
// How the walk's stores may go past the caches, if it has nothing else.
static void choose_streams(const PlanOptions *options, Walk *walk) {
  // For elements one by one at both ends of each row.
  enum { LEAST_ROW = 2048, MOST_COST = 40, LEAST_CHEAP_ROW = 512, LEAST_VECTOR = 16 };
  Loops *loops = &walk->loops;
  int lane = loops->lane_dim;
  if (walk->has_reduction || loops->cross >= 0 || loops->whole == 0) return;
  bool is_whole = loops->whole == loops->size;
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    if (!stream_wanted(options, root)) return;
    int64_t size = (int64_t)dtype_size(root->op->operands[1]->type->dtype);
    int64_t step = loops_step(loops);
    if (root->at.coef[lane] != 1 || loops->lanes * size < LEAST_VECTOR || step * size % LINE_BYTES)
      return;
    for (size_t d = 0; d < walk->space.rank; d++)
      if ((int)d != lane && root->at.coef[d] * size % LINE_BYTES) is_whole = false;
  }
  int64_t least = plan_waits_for_memory(walk) ? LEAST_CHEAP_ROW : LEAST_ROW;
  bool can_peel = walk->roots.count == 1 &&
                  ((loops->size >= least && walk->cost <= MOST_COST) || options->eager);
  loops->otherwise = can_peel ? STREAM_PEELED : STREAM_NOT;
  loops->if_aligned = is_whole ? STREAM_WHOLE : loops->otherwise;
}

void planner_choose_loops(const PlanOptions *options, Arena *arena, Walk *walk) {
  walk->loops = (Loops){.lane_dim = -1, .cross = -1, .group = -1, .shared_dim = -1};
  if (walk->is_empty) return;
  walk->cost = cost_of_walk(walk);
  arrange(options, arena, walk);
  choose_band(walk);
  choose_cuts(options, arena, walk);
  choose_streams(options, walk);
}
