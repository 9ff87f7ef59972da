// SPDX-License-Identifier: Apache-2.0
// Evaluates the nodes of a walk: those that do not change along the lane dimension once, as
// scalars, where their last index is entered;
// the others in vectors. A point holds what is known where some dimensions are entered; to go on is
// to make another one. A lane dimension that steps by one in memory is a vector load; by nothing,
// a broadcast; by anything else, element by element.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_eval.h"
#include <string.h>
#include "codegen/elements/gen_elem.h"
#include "codegen/elements/gen_quotient.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_picked.h"
#include "codegen/memory/gen_vector.h"
#include "gen_apart.h"
#include "gen_group.h"
#include "gen_stream.h"
#include "plan/plan_group.h"

// ---- points -------------------------------------------------------------------------------------
static DType node_dtype(const Node *node) { return node->memory->type->dtype; }

DType eval_root_dtype(const Root *root) {
  return root->kind == ROOT_STORE ? root->op->operands[1]->type->dtype
                                  : root->result->value->type->dtype;
}

static Value start_address(LlvmGen *g, const Origin *origin, DType dtype, const Affine *at) {
  Value offset = origin->dynamic;
  if (at->constant) offset = gen_add(g, offset, gen_i64(g, at->constant));
  return gen_offset(g, origin->base, dtype, offset);
}

static Point point_new(const WalkCode *w) {
  size_t nodes = w->walk->nodes.count, roots = w->walk->roots.count;
  return (Point){.addresses = ARENA_ARRAY(w->arena, Value, nodes + roots + 1),
                 .values = ARENA_ARRAY(w->arena, Value, nodes + 1)};
}

Point point_start(const WalkCode *w) {
  LlvmGen *g = w->g;
  const Walk *walk = w->walk;
  Point point = point_new(w);
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    if (node_reads(node))
      point.addresses[i] = start_address(g, &w->nodes[i], node_dtype(node), &node->at);
    if (node->kind == NODE_IOTA)
      point.addresses[i] = gen_add(g, gen_i64(g, node->at.constant), w->nodes[i].dynamic);
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    if (w->roots[i].base)
      point.addresses[walk->nodes.count + i] =
          start_address(g, &w->roots[i], eval_root_dtype(root), &root->at);
  }
  return point;
}

// A copy whose addresses are moved: `steps` of the dimension, by an index or by a number.
static Point moved(const WalkCode *w, const Point *from, size_t dim, Value index, int64_t steps) {
  LlvmGen *g = w->g;
  const Walk *walk = w->walk;
  Point point = point_new(w);
  point.entered = from->entered;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    const Node *node = walk->nodes.items[i];
    Value address = from->addresses[i];
    int64_t by = node->at.coef[dim];
    point.values[i] = from->values[i];
    point.addresses[i] = address;
    if (from->values[i] || by == 0 || !node_has_map(node)) continue;
    if (node_reads(node))
      point.addresses[i] =
          index ? gen_offset(g, address, node_dtype(node), gen_mul_const(g, index, by))
                : gen_offset_const(g, address, node_dtype(node), by * steps);
    else
      point.addresses[i] =
          gen_add(g, address, index ? gen_mul_const(g, index, by) : gen_i64(g, by * steps));
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    const Root *root = walk->roots.items[i];
    Value address = from->addresses[walk->nodes.count + i];
    int64_t by = root->at.coef[dim];
    if (address && index)
      address = gen_offset(g, address, eval_root_dtype(root), gen_mul_const(g, index, by));
    else if (address)
      address = gen_offset_const(g, address, eval_root_dtype(root), by * steps);
    point.addresses[walk->nodes.count + i] = address;
  }
  return point;
}

Point point_enter(const WalkCode *w, const Point *outer, size_t dim, Value index) {
  Point point = moved(w, outer, dim, index, 0);
  point.entered |= UINT64_C(1) << dim;
  return point;
}

Point point_shift(const WalkCode *w, const Point *from, size_t dim, int64_t steps) {
  return moved(w, from, dim, NULL, steps);
}

static uint64_t dims_left(const WalkCode *w, const Point *point) {
  size_t rank = w->walk->space.rank;
  uint64_t all = rank == 64 ? ~UINT64_C(0) : (UINT64_C(1) << rank) - 1;
  return all & ~point->entered;
}

static size_t root_number(const Walk *walk, const Root *root) {
  for (size_t i = 0; i < walk->roots.count; i++)
    if (walk->roots.items[i] == root) return i;
  BUG("a root of another walk");
}

Value eval_root_address(const WalkCode *w, const Point *point, const Root *root) {
  return point->addresses[w->walk->nodes.count + root_number(w->walk, root)];
}

// Whether lanes of a vector have different values of the node.
static bool is_varying(const WalkCode *w, const Node *node, int lane_dim) {
  int group = w->walk->loops.group;
  return (lane_dim >= 0 && (node->depends >> lane_dim & 1)) ||
         (group >= 0 && (node->depends >> group & 1));
}

// Whether the lanes have no value of their own of the node: it changes along the other dimension of
// a group (Loops.turns).
static bool is_of_others(const WalkCode *w, const Node *node, const Lanes *lanes) {
  if (!lanes->of_group && !lanes->group) return false;
  bool along_lanes = node->depends >> w->walk->loops.lane_dim & 1,
       along_group = node->depends >> w->walk->loops.group & 1;
  return lanes->of_group ? along_lanes : along_group && !along_lanes;
}

// ---- leaves -------------------------------------------------------------------------------------
// An address that may be read where the mask is off.
static Value safe_address(LlvmGen *g, Value address, Value mask) {
  static const char zeros[8];
  return emit_select(g, mask, address, gen_global_data(g, zeros, sizeof zeros, 8));
}

static Value load_scalar(LlvmGen *g, DType dtype, Value address, Value mask, Value other) {
  if (!mask) return convert_from_storage(g, dtype, mem_load_raw(g, address, dtype));
  Value loaded =
      convert_from_storage(g, dtype, mem_load_raw(g, safe_address(g, address, mask), dtype));
  return emit_select(g, mask, loaded, other);
}

// Elements `step` apart, one by one, or from the vectors that they lie in.
static Value load_strided(LlvmGen *g, Value start, DType dtype, const Lanes *lanes, int64_t step,
                          Value mask) {
  if (!mask && lanes->lanes > 1 &&
      gen_can_deal(g, lanes->active, lanes->lanes, (unsigned)dtype_size(dtype), step))
    return convert_from_storage(
        g, dtype,
        gen_load_dealt(g, gen_offset_const(g, start, dtype, lanes->shift * step),
                       gen_storage_type(g, dtype, 1), lanes->lanes, lanes->active, step));
  if (lanes->lanes == 1) {
    Value address = gen_offset_const(g, start, dtype, lanes->shift * step);
    return convert_from_storage(
        g, dtype, mem_load_raw(g, mask ? safe_address(g, address, mask) : address, dtype));
  }
  Value vector = LLVMGetPoison(gen_storage_type(g, dtype, lanes->lanes));
  for (unsigned i = 0; i < lanes->active; i++) {
    Value address = gen_offset_const(g, start, dtype, (lanes->shift + i) * step);
    if (mask)
      address = safe_address(
          g, address,
          lanes->lanes == 1 ? mask : LLVMBuildExtractElement(g->builder, mask, gen_i32(g, i), ""));
    Value element = mem_load_raw(g, address, dtype);
    vector = lanes->lanes == 1
                 ? element
                 : LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return convert_from_storage(g, dtype, vector);
}

static Value reversed(LlvmGen *g, Value vector) {
  unsigned count = gen_lanes(vector);
  Value order[MAX_LANES];
  for (unsigned i = 0; i < count; i++) order[i] = gen_i32(g, count - 1 - i);
  return LLVMBuildShuffleVector(g->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                LLVMConstVector(order, count), "");
}

static Value load_reversed(LlvmGen *g, Value start, DType dtype, const Lanes *lanes) {
  unsigned count = lanes->lanes;
  Value address = gen_offset_const(g, start, dtype, -(lanes->shift + count - 1));
  return reversed(g, mem_load_vector(g, address, dtype, (unsigned)dtype_size(dtype), count, count));
}

static Value with_prefix(LlvmGen *g, Value mask, const Lanes *lanes) {
  if (lanes->active == lanes->lanes) return mask;
  Value bits[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    bits[i] = LLVMConstInt(g->i1, i < lanes->active, false);
  return emit_and(g, mask, LLVMConstVector(bits, lanes->lanes));
}

static Value load_lanes(const WalkCode *w, const Point *point, const Node *node, Value start,
                        int lane_dim, const Lanes *lanes) {
  LlvmGen *g = w->g;
  DType dtype = node_dtype(node);
  int64_t step = node->at.coef[lane_dim];
  unsigned align = (unsigned)dtype_size(dtype);
  if (node->value->def && node->value->def->code == OP_LOAD &&
      node->memory == node->value->def->operands[0])
    debug_at(g, node->value->def);
  if (w->walk->loops.group >= 0 && !lanes->of_group) return group_load(w, node, start, lanes);
  Value mask = NULL, other = NULL;
  if (node->kind == NODE_LOAD && node->operand_count) {
    mask = with_prefix(g, eval_value(w, point, node->operands[0], lanes), lanes);
    other = eval_value(w, point, node->operands[1], lanes);
  }
  Value loaded;
  LoadWay way = plan_load_way(node, lane_dim);
  if (way == LOAD_SIDE_BY_SIDE && mask) {
    Value address = gen_offset_const(g, start, dtype, lanes->shift);
    Type type = gen_storage_type(g, dtype, lanes->lanes);
    loaded = convert_from_storage(
        g, dtype, gen_masked_load(g, address, type, align, mask, LLVMConstNull(type)));
  } else if (way == LOAD_SIDE_BY_SIDE) {
    Value address = gen_offset_const(g, start, dtype, lanes->shift);
    loaded = mem_load_vector(g, address, dtype, align, lanes->lanes, lanes->active);
  } else if (way == LOAD_BACKWARDS && lanes->lanes > 1 && lanes->active == lanes->lanes) {
    loaded = load_reversed(g, start, dtype, lanes);
  } else {
    loaded = load_strided(g, start, dtype, lanes, step, mask);
  }
  return mask ? emit_select(g, mask, loaded, other) : loaded;
}

// ---- lookups ------------------------------------------------------------------------------------
// Where a lookup's element lies, or those of lanes whose indices are all the same.
static Value lookup_address(const WalkCode *w, const Point *point, const Node *node,
                            Value *values) {
  LlvmGen *g = w->g;
  Lanes one = {.lanes = 1, .active = 1, .values = values};
  Value offset = NULL;
  for (unsigned i = 0; i < node->operand_count; i++) {
    Value index = emit_sext(g, eval_value(w, point, node->operands[i], &one), g->i64);
    offset = gen_add(g, offset, gen_mul_const(g, index, node->steps[i]));
  }
  return gen_offset(g, point->addresses[node->number], node_dtype(node), offset);
}

// How far from the lookup's own address the element of each lane lies.
static Value lane_offsets(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                          const Lanes *lanes) {
  LlvmGen *g = w->g;
  int64_t step = node->at.coef[lane_dim];
  Value offsets = NULL, own[MAX_LANES];
  for (unsigned i = 0; i < node->operand_count; i++) {
    Value index = eval_value(w, point, node->operands[i], lanes);
    if (node->steps[i] != 1) index = emit_mul(g, index, gen_int_like(index, node->steps[i]));
    offsets = offsets ? emit_add(g, offsets, index) : index;
  }
  if (!step) return offsets;
  for (unsigned i = 0; i < lanes->lanes; i++) own[i] = gen_i32(g, (lanes->shift + i) * step);
  return emit_add(g, offsets, LLVMConstVector(own, lanes->lanes));
}

// The load that an index is, or is widened from; NULL: it is computed.
static const Node *loaded_index(const Node *node) {
  if (node->kind == NODE_OP && node->value->def->code == OP_CONVERT) node = node->operands[0];
  bool is_index = node->kind == NODE_LOAD && !node->operand_count &&
                  dtype_is_integer(node_dtype(node)) && dtype_size(node_dtype(node)) <= 4;
  return is_index ? node : NULL;
}

// Indices that go from memory into addresses, without a vector of them.
typedef struct LoadedIndices {
  const WalkCode *w;
  const Point *point;
  const Node *lookup;
  int lane_dim;
  const Lanes *lanes;
} LoadedIndices;

static Value loaded_offset(LlvmGen *g, const void *data, unsigned lane) {
  const LoadedIndices *l = data;
  int64_t at = l->lanes->shift + lane;
  Value offset = gen_i64(g, at * l->lookup->at.coef[l->lane_dim]);
  for (unsigned i = 0; i < l->lookup->operand_count; i++) {
    const Node *index = loaded_index(l->lookup->operands[i]);
    DType dtype = node_dtype(index);
    Value address = gen_offset_const(g, l->point->addresses[index->number], dtype,
                                     at * index->at.coef[l->lane_dim]),
          item = convert_dtype(g, load_scalar(g, dtype, address, NULL, NULL), dtype, DT_I64);
    offset = gen_add(g, offset, gen_mul_const(g, item, l->lookup->steps[i]));
  }
  return offset;
}

static bool has_loaded_indices(const Node *lookup) {
  for (unsigned i = 0; i < lookup->operand_count; i++)
    if (!loaded_index(lookup->operands[i])) return false;
  return true;
}

// Each lane its own element.
static Value look_up(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                     const Lanes *lanes) {
  LlvmGen *g = w->g;
  DType dtype = node_dtype(node);
  Type type = gen_storage_type(g, dtype, lanes->lanes);
  Value base = point->addresses[node->number], offsets;
  if (!g->target->gathers_quickly && has_loaded_indices(node)) {
    LoadedIndices indices = {w, point, node, lane_dim, lanes};
    return convert_from_storage(
        g, dtype, gen_pick_apart(g, type, base, loaded_offset, &indices, lanes->active));
  }
  offsets = lane_offsets(w, point, node, lane_dim, lanes);
  return convert_from_storage(g, dtype, gen_pick(g, type, base, offsets, NULL, lanes->active));
}

static Value lookup_lanes(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                          const Lanes *lanes) {
  debug_at(w->g, node->value->def);
  if (lanes->lanes > 1 && plan_looks_up_lanes(node, lane_dim))
    return look_up(w, point, node, lane_dim, lanes);
  return load_lanes(w, point, node, lookup_address(w, point, node, lanes->values), lane_dim, lanes);
}

static Value iota_value(LlvmGen *g, DType dtype, Value number) {
  return convert_dtype(g, number, DT_I32, dtype);
}

static Value iota_lanes(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                        const Lanes *lanes) {
  LlvmGen *g = w->g;
  const Loops *loops = &w->walk->loops;
  Value items[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    items[i] = gen_i32(g, loops->group >= 0 && !lanes->of_group
                              ? plan_group_offset(loops, &node->at, lanes->shift + i)
                              : (lanes->shift + i) * node->at.coef[lane_dim]);
  Value base = gen_splat(g, emit_trunc(g, point->addresses[node->number], g->i32), lanes->lanes);
  return iota_value(
      g, node->value->type->dtype,
      emit_add(g, base, lanes->lanes == 1 ? items[0] : LLVMConstVector(items, lanes->lanes)));
}

// ---- squares that are read across ---------------------------------------------------------------
void eval_crossed(const WalkCode *w, const Point *point, const Node *node, int lane_dim,
                  Lanes *lanes, unsigned rows) {
  LlvmGen *g = w->g;
  DType dtype = node_dtype(node);
  unsigned size = (unsigned)dtype_size(dtype);
  bool backwards = node->at.coef[w->walk->loops.cross] < 0;
  int64_t first = backwards ? 1 - (int64_t)rows : 0;
  Value square[MAX_LANES];
  for (unsigned i = 0; i < rows; i++) {
    Value address = gen_offset_const(g, point->addresses[node->number], dtype,
                                     first + i * node->at.coef[lane_dim]);
    square[i] = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, rows), address, "");
    gen_set_align(square[i], size);
    if (backwards) square[i] = reversed(g, square[i]);
  }
  gen_transpose(g, square, rows);
  for (unsigned i = 0; i < rows; i++)
    lanes[i].values[node->number] = convert_from_storage(g, dtype, square[i]);
}

// ---- quotients ----------------------------------------------------------------------------------
// The constant that a node is, or has an element of; NULL: neither. In a function of several
// clusters constants in memory are parameters.
static const IrData *constant_of(const WalkCode *w, const Node *node) {
  if (node->kind == NODE_CONST) return ir_attr_data(node->value->def, ATTR_DATA);
  if (node->kind != NODE_LOAD || node->operand_count || node->of_copy || !node->memory->def ||
      node->memory->def->code != OP_CONST)
    return NULL;
  const IrData *data = ir_attr_data(node->memory->def, ATTR_DATA);
  return w->nodes[node->number].base == map_get(w->g->globals, data) ? data : NULL;
}

// Whether products with the inverses neither overflow nor vanish, and the inverses stay in the
// first cache beside the elements.
static bool have_inverses(const LlvmGen *g, const IrData *data) {
  const float *elements = data->bytes;
  if (data->dtype != DT_F32 || data->count > g->target->l1_bytes / 4 / (int64_t)sizeof *elements)
    return false;
  for (int64_t i = 0; i < data->count; i++) {
    float size = elements[i] < 0 ? -elements[i] : elements[i];
    if (!(size > 0x1p-80f && size < 0x1p80f)) return false;
  }
  return true;
}

static Value inverses_in_memory(const WalkCode *w, const IrData *data) {
  const void *key = data->bytes; // the data itself is that of its elements
  Value global = map_get(w->g->globals, key);
  if (global) return global;
  const float *elements = data->bytes;
  float *inverses = ARENA_ARRAY(w->arena, float, (size_t)data->count + 1);
  for (int64_t i = 0; i < data->count; i++) inverses[i] = 1 / elements[i];
  global = gen_global_data(w->g, inverses, (size_t)data->count * sizeof *inverses, LINE_BYTES);
  map_set(w->g->globals, key, global);
  return global;
}

// What lies at the node's place in the array of inverses.
static Value load_inverses(const WalkCode *w, const Point *point, const Node *node,
                           const IrData *data, const Lanes *lanes) {
  LlvmGen *g = w->g;
  size_t count = w->walk->nodes.count + w->walk->roots.count;
  Point there = *point;
  there.addresses = ARENA_ARRAY(w->arena, Value, count + 1);
  memcpy(there.addresses, point->addresses, count * sizeof *there.addresses);
  Value *address = &there.addresses[node->number],
        at = LLVMBuildPtrDiff2(g->builder, g->i8, *address, w->nodes[node->number].base, "");
  *address = LLVMBuildGEP2(g->builder, g->i8, inverses_in_memory(w, data), &at, 1, "");
  return load_lanes(w, &there, node, *address, w->walk->loops.lane_dim, lanes);
}

// How many vectors of the walk have one value of a node.
static int64_t vectors_with(const WalkCode *w, const Node *node, const Lanes *lanes) {
  return node->depends ? w->walk->loops.size / lanes->lanes : INT64_MAX;
}

static bool was_integer(const Node *node) {
  enum { MOST_BYTES = 4 }; // an f64 holds such integers
  const IrOp *def = node->value->def;
  if (node->kind != NODE_OP || def->code != OP_CONVERT) return false;
  DType from = def->operands[0]->type->dtype;
  return dtype_is_integer(from) && dtype_size(from) <= MOST_BYTES;
}

// A quotient by what many vectors are divided by, or NULL.
static Value quick_quotient(const WalkCode *w, const Point *point, const Node *node,
                            const Lanes *lanes, Value const *operands) {
  LlvmGen *g = w->g;
  if (node->value->def->code != OP_DIV) return NULL;
  const Node *by = node->operands[1];
  Value x = operands[0], y = operands[1];
  bool of_integers = was_integer(node->operands[0]) && quotient_of_integers_is_quick(g, x);
  if (!of_integers && !quotient_is_quick(g, x, INT64_MAX)) return NULL;
  const IrData *data = constant_of(w, by);
  bool varies = is_varying(w, by, w->walk->loops.lane_dim);
  if (data && have_inverses(g, data)) {
    Value inverse = varies ? load_inverses(w, point, by, data, lanes)
                           : emit_fdiv(g, gen_float_like(g, y, 1.0), y);
    return of_integers ? quotient_of_integers(g, x, y, inverse)
                       : quotient_by_inverse(g, x, y, inverse);
  }
  if (varies || !quotient_is_quick(g, x, vectors_with(w, by, lanes))) return NULL;
  return quotient_by(g, x, y);
}

// ---- operations ---------------------------------------------------------------------------------
// The other result of an op with two goes to `values` as well.
static Value operate(const WalkCode *w, const Point *point, const Node *node, const Lanes *lanes,
                     Value *values) {
  LlvmGen *g = w->g;
  const IrOp *op = node->value->def;
  debug_at(g, op);
  Value operands[MAX_NODE_OPERANDS];
  for (unsigned i = 0; i < node->operand_count; i++)
    operands[i] = eval_value(w, point, node->operands[i], lanes);
  Value quotient = quick_quotient(w, point, node, lanes, operands);
  if (quotient) return convert_round(g, op->results[0]->type->dtype, quotient);
  if (op->code != OP_THREEFRY) return elem_op(g, op, operands);
  Value results[2];
  elem_threefry(g, operands, results);
  uint32_t own = node->value->index;
  if (node->twin) values[node->twin->number] = results[1 - own];
  return results[own];
}

// One element; `values`: of the nodes that are not the point's.
static Value evaluate_scalar(const WalkCode *w, const Point *point, const Node *node,
                             Value *values) {
  LlvmGen *g = w->g;
  Lanes one = {.lanes = 1, .active = 1, .values = values};
  DType dtype = node->value->type->dtype;
  Value address = point->addresses[node->number];
  switch (node->kind) {
  case NODE_CONST:
    return gen_const_element(g, dtype, ir_attr_data(node->value->def, ATTR_DATA)->bytes);
  case NODE_SCALAR:
    return node->kept ? w->places[node->kept->number].scalar : w->scalars[node->number];
  case NODE_IOTA: return iota_value(g, dtype, emit_trunc(g, address, g->i32));
  case NODE_LOAD: {
    Value mask = node->operand_count ? eval_value(w, point, node->operands[0], &one) : NULL;
    Value other = mask ? eval_value(w, point, node->operands[1], &one) : NULL;
    return load_scalar(g, node_dtype(node), address, mask, other);
  }
  case NODE_LOOKUP:
    return load_scalar(g, node_dtype(node), lookup_address(w, point, node, values), NULL, NULL);
  case NODE_OP: return operate(w, point, node, &one, values);
  case NODE_GIVEN: BUG("a given value was not given");
  }
  return NULL;
}

void eval_invariant(const WalkCode *w, Point *point) {
  uint64_t left = dims_left(w, point);
  for (size_t i = 0; i < w->walk->nodes.count; i++) {
    const Node *node = w->walk->nodes.items[i];
    if (point->values[i] || node->depends & left) continue;
    point->values[i] = evaluate_scalar(w, point, node, point->values);
    if (w->shown && map_has(w->shown, node->value) && node->kind == NODE_OP)
      debug_scalar(w->g, node->value, point->values[i]);
  }
}

// The nodes from `first` up to `end`.
static void eval_range(const WalkCode *w, const Point *point, int lane_dim, Lanes *lots,
                       size_t count, size_t first, size_t end) {
  uint64_t left = dims_left(w, point);
  for (size_t i = first; i < end; i++) {
    const Node *node = w->walk->nodes.items[i];
    bool varies = is_varying(w, node, lane_dim);
    for (Lanes *lanes = lots; lanes < lots + count; lanes++) {
      if (point->values[i] || lanes->values[i] || node->depends & left ||
          is_of_others(w, node, lanes))
        continue;
      if (!varies)
        lanes->values[i] = evaluate_scalar(w, point, node, lanes->values);
      else if (node->kind == NODE_LOAD && !apart_load(w, point, node, lane_dim, lanes))
        lanes->values[i] = load_lanes(w, point, node, point->addresses[i], lane_dim, lanes);
      else if (node->kind == NODE_LOAD)
        continue; // with its row
      else if (node->kind == NODE_LOOKUP)
        lanes->values[i] = lookup_lanes(w, point, node, lane_dim, lanes);
      else if (node->kind == NODE_IOTA)
        lanes->values[i] = iota_lanes(w, point, node, lane_dim, lanes);
      else
        lanes->values[i] = operate(w, point, node, lanes, lanes->values);
    }
  }
}

void eval_side_by_side(const WalkCode *w, const Point *point, int lane_dim, Lanes *lots,
                       size_t count) {
  eval_range(w, point, lane_dim, lots, count, 0, w->walk->nodes.count);
}

void eval_lanes(const WalkCode *w, const Point *point, int lane_dim, Lanes *lanes) {
  eval_range(w, point, lane_dim, lanes, 1, 0, w->walk->nodes.count);
}

void eval_some_lanes(const WalkCode *w, const Point *point, int lane_dim, Lanes *lanes,
                     size_t first, size_t end) {
  eval_range(w, point, lane_dim, lanes, 1, first, end);
}

// The value that the step of the group has which each lane belongs to.
static Value value_of_steps(const WalkCode *w, Value steps, const Lanes *lanes) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    order[i] = gen_i32(w->g, (lanes->shift + i) / w->walk->loops.size);
  return LLVMBuildShuffleVector(w->g->builder, steps, LLVMGetPoison(LLVMTypeOf(steps)),
                                LLVMConstVector(order, lanes->lanes), "");
}

Value eval_value(const WalkCode *w, const Point *point, const Node *node, const Lanes *lanes) {
  Value value = point->values[node->number];
  if (!value) value = lanes->values[node->number];
  if (!value && lanes->group && lanes->group->values[node->number])
    value = lanes->values[node->number] =
        value_of_steps(w, lanes->group->values[node->number], lanes);
  if (!value) BUG("a node is needed before it is evaluated");
  return gen_lanes(value) == lanes->lanes ? value : gen_splat(w->g, value, lanes->lanes);
}

// ---- stores -------------------------------------------------------------------------------------
static void store_one(LlvmGen *g, Value raw, Value address, DType dtype, Value mask) {
  if (!mask) {
    mem_store_raw(g, raw, address, dtype);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, mask, false);
  mem_store_raw(g, raw, address, dtype);
  branch_end_then(g, &branch);
}

static void store_strided(LlvmGen *g, Value raw, Value start, DType dtype, const Lanes *lanes,
                          int64_t step, Value mask) {
  for (unsigned i = 0; i < lanes->active; i++) {
    Value address = gen_offset_const(g, start, dtype, (lanes->shift + i) * step);
    Value element =
        lanes->lanes == 1 ? raw : LLVMBuildExtractElement(g->builder, raw, gen_i32(g, i), "");
    Value bit = !mask               ? NULL
                : lanes->lanes == 1 ? mask
                                    : LLVMBuildExtractElement(g->builder, mask, gen_i32(g, i), "");
    store_one(g, element, address, dtype, bit);
  }
}

void eval_store(const WalkCode *w, const Point *point, const Root *root, int lane_dim,
                const Lanes *lanes, bool streams) {
  LlvmGen *g = w->g;
  Value value = eval_value(w, point, root->node, lanes);
  if (root->kind == ROOT_KEEP && root->result->is_scalar)
    w->places[root->result->number].scalar = value;
  Value start = eval_root_address(w, point, root);
  if (!start) return;
  if (root->op) debug_at(g, root->op);
  DType dtype = eval_root_dtype(root);
  unsigned align = (unsigned)dtype_size(dtype);
  int64_t step = lane_dim < 0 ? 0 : root->at.coef[lane_dim];
  Value mask = root->mask ? eval_value(w, point, root->mask, lanes) : NULL;
  if (step != 1 || lanes->lanes == 1) {
    store_strided(g, convert_to_storage(g, dtype, value), start, dtype, lanes, step, mask);
    return;
  }
  Value address = gen_offset_const(g, start, dtype, lanes->shift);
  if (mask)
    gen_masked_store(g, convert_to_storage(g, dtype, value), address, align,
                     with_prefix(g, mask, lanes));
  else if (streams && lanes->active == lanes->lanes)
    stream_store(g, convert_to_storage(g, dtype, value), address);
  else
    mem_store_vector(g, value, address, dtype, align, lanes->active);
}
