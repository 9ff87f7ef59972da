// SPDX-License-Identifier: Apache-2.0
// Evaluates the nodes of a walk: those that do not change along the lane dimension once, as
// scalars, where their last index is entered;
// the others in vectors. A lane dimension that steps by one in memory is a vector load; by nothing,
// a broadcast; by anything else, element by element.
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "gen_stream.h"

// ---- addresses ----------------------------------------------------------------------------------
static void start_address(LlvmGen *g, Value *address, const Mem *mem, const Form *form) {
  Value offset = form->dynamic;
  if (form->constant) offset = gen_add(g, offset, gen_i64(g, form->constant));
  *address = gen_offset(g, mem->base, mem->dtype, offset);
}

void eval_begin(Cluster *c, Walk *walk) {
  LlvmGen *g = c->g;
  walk->entered = 0;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    node->is_done = false;
    node->result = NULL;
    if (node->kind == NODE_LOAD) start_address(g, &node->address, &node->mem, &node->form);
    if (node->kind == NODE_IOTA)
      node->address = gen_add(g, gen_i64(g, node->form.constant), node->form.dynamic);
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    Root *root = walk->roots.items[i];
    if (root->mem.base) start_address(g, &root->address, &root->mem, &root->offset);
  }
}

void eval_enter(Cluster *c, Walk *walk, size_t dim, Value index) {
  LlvmGen *g = c->g;
  walk->index[dim] = index;
  walk->entered |= UINT64_C(1) << dim;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    if (node->is_done || !(node->depends >> dim & 1)) continue;
    Value step = gen_mul_const(g, index, node->form.coef[dim]);
    if (node->kind == NODE_LOAD)
      node->address = gen_offset(g, node->address, node->mem.dtype, step);
    if (node->kind == NODE_IOTA) node->address = gen_add(g, node->address, step);
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    Root *root = walk->roots.items[i];
    if (root->mem.base)
      root->address = gen_offset(g, root->address, root->mem.dtype,
                                 gen_mul_const(g, index, root->offset.coef[dim]));
  }
}

Value *eval_save(Cluster *c, const Walk *walk) {
  Value *saved = ARENA_ARRAY(c->arena, Value, walk->nodes.count + walk->roots.count + 1);
  for (size_t i = 0; i < walk->nodes.count; i++) saved[i] = walk->nodes.items[i]->address;
  for (size_t i = 0; i < walk->roots.count; i++)
    saved[walk->nodes.count + i] = walk->roots.items[i]->address;
  return saved;
}

void eval_restore(Walk *walk, Value const *saved) {
  for (size_t i = 0; i < walk->nodes.count; i++) walk->nodes.items[i]->address = saved[i];
  for (size_t i = 0; i < walk->roots.count; i++)
    walk->roots.items[i]->address = saved[walk->nodes.count + i];
}

void eval_shift(Cluster *c, Walk *walk, size_t dim, int64_t steps) {
  LlvmGen *g = c->g;
  if (steps == 0) return;
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    int64_t by = node->form.coef[dim] * steps;
    if (node->is_done || by == 0) continue;
    if (node->kind == NODE_LOAD)
      node->address = gen_offset_const(g, node->address, node->mem.dtype, by);
    if (node->kind == NODE_IOTA) node->address = gen_add(g, node->address, gen_i64(g, by));
  }
  for (size_t i = 0; i < walk->roots.count; i++) {
    Root *root = walk->roots.items[i];
    if (root->mem.base)
      root->address =
          gen_offset_const(g, root->address, root->mem.dtype, root->offset.coef[dim] * steps);
  }
}

// ---- leaves -------------------------------------------------------------------------------------
static Value element_load(LlvmGen *g, Value address, DType dtype) {
  Value raw = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, 1), address, "");
  gen_set_align(raw, (unsigned)dtype_size(dtype));
  return raw;
}

// An address that may be read where the mask is off.
static Value safe_address(LlvmGen *g, Value address, Value mask) {
  static const char zeros[8];
  return emit_select(g, mask, address, gen_global_data(g, zeros, sizeof zeros, 8));
}

static Value load_scalar(LlvmGen *g, const Node *node, Value address, Value mask, Value other) {
  if (!mask)
    return convert_from_storage(g, node->mem.dtype, element_load(g, address, node->mem.dtype));
  Value loaded = convert_from_storage(
      g, node->mem.dtype, element_load(g, safe_address(g, address, mask), node->mem.dtype));
  return emit_select(g, mask, loaded, other);
}

// Elements `step` apart, one by one.
static Value load_strided(LlvmGen *g, const Node *node, const Lanes *lanes, int64_t step,
                          Value mask) {
  DType dtype = node->mem.dtype;
  if (lanes->lanes == 1) {
    Value address = gen_offset_const(g, node->address, dtype, lanes->shift * step);
    return convert_from_storage(
        g, dtype, element_load(g, mask ? safe_address(g, address, mask) : address, dtype));
  }
  Value vector = LLVMGetPoison(gen_storage_type(g, dtype, lanes->lanes));
  for (unsigned i = 0; i < lanes->active; i++) {
    Value address = gen_offset_const(g, node->address, dtype, (lanes->shift + i) * step);
    if (mask)
      address = safe_address(
          g, address,
          lanes->lanes == 1 ? mask : LLVMBuildExtractElement(g->builder, mask, gen_i32(g, i), ""));
    Value element = element_load(g, address, dtype);
    vector = lanes->lanes == 1
                 ? element
                 : LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return convert_from_storage(g, dtype, vector);
}

static Value load_reversed(LlvmGen *g, const Node *node, const Lanes *lanes) {
  unsigned count = lanes->lanes;
  Value address = gen_offset_const(g, node->address, node->mem.dtype, -(lanes->shift + count - 1));
  Value forward = mem_load_vector(g, address, node->mem.dtype,
                                  (unsigned)dtype_size(node->mem.dtype), count, count);
  Value order[MAX_LANES];
  for (unsigned i = 0; i < count; i++) order[i] = gen_i32(g, count - 1 - i);
  return LLVMBuildShuffleVector(g->builder, forward, LLVMGetPoison(LLVMTypeOf(forward)),
                                LLVMConstVector(order, count), "");
}

static Value with_prefix(LlvmGen *g, Value mask, const Lanes *lanes) {
  if (lanes->active == lanes->lanes) return mask;
  Value bits[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    bits[i] = LLVMConstInt(g->i1, i < lanes->active, false);
  return emit_and(g, mask, LLVMConstVector(bits, lanes->lanes));
}

static Value load_lanes(Cluster *c, Walk *walk, const Node *node, int lane_dim,
                        const Lanes *lanes) {
  LlvmGen *g = c->g;
  DType dtype = node->mem.dtype;
  int64_t step = node->form.coef[lane_dim];
  if (node->op) debug_at(g, node->op);
  Value mask = NULL, other = NULL;
  if (node->operand_count) {
    mask = with_prefix(g, eval_value(c, walk, node->operands[0], lanes), lanes);
    other = eval_value(c, walk, node->operands[1], lanes);
  }
  Value loaded;
  if (step == 1 && mask) {
    Value address = gen_offset_const(g, node->address, dtype, lanes->shift);
    Type type = gen_storage_type(g, dtype, lanes->lanes);
    loaded = convert_from_storage(
        g, dtype,
        gen_masked_load(g, address, type, (unsigned)dtype_size(dtype), mask, LLVMConstNull(type)));
  } else if (step == 1) {
    Value address = gen_offset_const(g, node->address, dtype, lanes->shift);
    loaded = mem_load_vector(g, address, dtype, (unsigned)dtype_size(dtype), lanes->lanes,
                             lanes->active);
  } else if (step == -1 && !mask && lanes->lanes > 1 && lanes->active == lanes->lanes) {
    loaded = load_reversed(g, node, lanes);
  } else {
    loaded = load_strided(g, node, lanes, step, mask);
  }
  return mask ? emit_select(g, mask, loaded, other) : loaded;
}

static Value iota_value(LlvmGen *g, DType dtype, Value number) {
  return convert_dtype(g, number, DT_I32, dtype);
}

static Value iota_lanes(LlvmGen *g, const Node *node, int lane_dim, const Lanes *lanes) {
  Value items[MAX_LANES];
  for (unsigned i = 0; i < lanes->lanes; i++)
    items[i] = gen_i32(g, (lanes->shift + i) * node->form.coef[lane_dim]);
  Value base = gen_splat(g, emit_trunc(g, node->address, g->i32), lanes->lanes);
  return iota_value(
      g, node->dtype,
      emit_add(g, base, lanes->lanes == 1 ? items[0] : LLVMConstVector(items, lanes->lanes)));
}

// ---- squares that are read across ---------------------------------------------------------------
bool eval_is_crossed(const Node *node, int lane_dim, int cross) {
  int64_t step = node->form.coef[lane_dim];
  return node->kind == NODE_LOAD && node->operand_count == 0 && !node->is_done &&
         node->form.coef[cross] == 1 && step != 0 && step != 1 && step != -1;
}

// Elements of a and b by turns, from the lower or upper half of each group of `group` lanes.
static Value interleave(LlvmGen *g, Value a, Value b, unsigned lanes, unsigned group, bool upper) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    unsigned start = i / group * group + (upper ? group / 2 : 0), place = i % group;
    order[i] = gen_i32(g, start + place / 2 + (place % 2 ? lanes : 0));
  }
  return LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(order, lanes), "");
}

// Groups of `group` lanes: those whose number has `bit` clear from both (or set), a's first.
static Value exchange(LlvmGen *g, Value a, Value b, unsigned lanes, unsigned group, unsigned bit,
                      bool set) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    unsigned number = i / group, from = set ? number | bit : number & ~bit;
    order[i] = gen_i32(g, from * group + i % group + (number & bit ? lanes : 0));
  }
  return LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(order, lanes), "");
}

// Turns a square of n vectors of n lanes: within 128 bits by interleaving, then whole 128-bit
// parts.
static void turn_square(LlvmGen *g, Value *rows, unsigned n, unsigned element_bytes) {
  unsigned group = 16 / element_bytes < n ? 16 / element_bytes : n;
  Value next[MAX_LANES];
  for (unsigned width = group; width > 1; width /= 2) {
    for (unsigned block = 0; block < n; block += group)
      for (unsigned i = 0; i < group / 2; i++)
        for (unsigned half = 0; half < 2; half++)
          next[block + 2 * i + half] =
              interleave(g, rows[block + i], rows[block + i + group / 2], n, group, half);
    for (unsigned i = 0; i < n; i++) rows[i] = next[i];
  }
  for (unsigned bit = 1; bit * group < n; bit *= 2)
    for (unsigned i = 0; i < n; i++) {
      if (i / group & bit) continue;
      Value a = rows[i], b = rows[i + bit * group];
      rows[i] = exchange(g, a, b, n, group, bit, false);
      rows[i + bit * group] = exchange(g, a, b, n, group, bit, true);
    }
}

void eval_crossed(Cluster *c, const Node *node, int lane_dim, Lanes *lanes, unsigned rows) {
  LlvmGen *g = c->g;
  DType dtype = node->mem.dtype;
  unsigned size = (unsigned)dtype_size(dtype);
  Value square[MAX_LANES];
  for (unsigned i = 0; i < rows; i++) {
    Value address = gen_offset_const(g, node->address, dtype, i * node->form.coef[lane_dim]);
    square[i] = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, rows), address, "");
    gen_set_align(square[i], size);
  }
  turn_square(g, square, rows, size);
  for (unsigned i = 0; i < rows; i++)
    lanes[i].values[node->position] = convert_from_storage(g, dtype, square[i]);
}

// ---- operations ---------------------------------------------------------------------------------
static Value operate(Cluster *c, Walk *walk, Node *node, const Lanes *lanes, bool as_scalar) {
  debug_at(c->g, node->op);
  Value operands[MAX_NODE_OPERANDS];
  Lanes scalar_lanes = {.lanes = 1, .active = 1, .values = lanes ? lanes->values : NULL};
  for (unsigned i = 0; i < node->operand_count; i++)
    operands[i] = eval_value(c, walk, node->operands[i], as_scalar ? &scalar_lanes : lanes);
  if (node->op->code != OP_THREEFRY) return elem_op(c->g, node->op, operands);
  Value results[2];
  elem_threefry(c->g, operands, results);
  uint32_t own = node->value->index;
  if (node->twin && lanes) lanes->values[node->twin->position] = results[1 - own];
  if (node->twin && !lanes) {
    node->twin->result = results[1 - own];
    node->twin->is_done = true;
  }
  return results[own];
}

static Value evaluate_scalar(Cluster *c, Walk *walk, Node *node, const Lanes *lanes) {
  LlvmGen *g = c->g;
  switch (node->kind) {
  case NODE_CONST: return node->scalar;
  case NODE_SCALAR: return node->val ? node->val->scalar : node->scalar;
  case NODE_IOTA: return iota_value(g, node->dtype, emit_trunc(g, node->address, g->i32));
  case NODE_LOAD: {
    Lanes scalar_lanes = {.lanes = 1, .active = 1, .values = lanes ? lanes->values : NULL};
    Value mask = node->operand_count ? eval_value(c, walk, node->operands[0], &scalar_lanes) : NULL;
    Value other = mask ? eval_value(c, walk, node->operands[1], &scalar_lanes) : NULL;
    return load_scalar(g, node, node->address, mask, other);
  }
  case NODE_OP: return operate(c, walk, node, lanes, true);
  case NODE_GIVEN: BUG("a given value was not given");
  }
  return NULL;
}

void eval_invariant(Cluster *c, Walk *walk, uint64_t not_yet) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    if (node->is_done || node->depends & not_yet) continue;
    node->result = evaluate_scalar(c, walk, node, NULL);
    node->is_done = true;
  }
}

void eval_lanes(Cluster *c, Walk *walk, int lane_dim, Lanes *lanes, uint64_t not_yet) {
  for (size_t i = 0; i < walk->nodes.count; i++) {
    Node *node = walk->nodes.items[i];
    if (node->is_done || lanes->values[i] || node->depends & not_yet) continue;
    bool varies = lane_dim >= 0 && (node->depends >> lane_dim & 1);
    if (!varies)
      lanes->values[i] = evaluate_scalar(c, walk, node, lanes);
    else if (node->kind == NODE_LOAD)
      lanes->values[i] = load_lanes(c, walk, node, lane_dim, lanes);
    else if (node->kind == NODE_IOTA)
      lanes->values[i] = iota_lanes(c->g, node, lane_dim, lanes);
    else
      lanes->values[i] = operate(c, walk, node, lanes, false);
  }
}

Value eval_value(Cluster *c, Walk *walk, const Node *node, const Lanes *lanes) {
  (void)walk;
  Value value = node->is_done ? node->result : lanes->values[node->position];
  if (!value) BUG("a node is needed before it is evaluated");
  return gen_lanes(value) == lanes->lanes ? value : gen_splat(c->g, value, lanes->lanes);
}

// ---- stores -------------------------------------------------------------------------------------
static void store_raw(LlvmGen *g, Value raw, Value address, DType dtype) {
  gen_set_align(LLVMBuildStore(g->builder, raw, address), (unsigned)dtype_size(dtype));
}

static void store_one(LlvmGen *g, Value raw, Value address, DType dtype, Value mask) {
  if (!mask) {
    store_raw(g, raw, address, dtype);
    return;
  }
  Branch branch;
  branch_begin(g, &branch, mask, false);
  store_raw(g, raw, address, dtype);
  branch_else(g, &branch);
  branch_end(g, &branch);
}

static void store_strided(LlvmGen *g, const Root *root, Value raw, const Lanes *lanes, int64_t step,
                          Value mask) {
  for (unsigned i = 0; i < lanes->active; i++) {
    Value address = gen_offset_const(g, root->address, root->mem.dtype, (lanes->shift + i) * step);
    Value element =
        lanes->lanes == 1 ? raw : LLVMBuildExtractElement(g->builder, raw, gen_i32(g, i), "");
    Value bit = !mask               ? NULL
                : lanes->lanes == 1 ? mask
                                    : LLVMBuildExtractElement(g->builder, mask, gen_i32(g, i), "");
    store_one(g, element, address, root->mem.dtype, bit);
  }
}

void eval_store(Cluster *c, Walk *walk, Root *root, int lane_dim, const Lanes *lanes) {
  LlvmGen *g = c->g;
  Value value = eval_value(c, walk, root->node, lanes);
  if (root->kind == ROOT_KEEP && root->result->is_scalar) root->result->scalar = value;
  if (!root->mem.base) return;
  if (root->op) debug_at(g, root->op);
  DType dtype = root->mem.dtype;
  int64_t step = lane_dim < 0 ? 0 : root->offset.coef[lane_dim];
  Value mask = root->mask_node ? eval_value(c, walk, root->mask_node, lanes) : NULL;
  if (step != 1 || lanes->lanes == 1) {
    store_strided(g, root, convert_to_storage(g, dtype, value), lanes, step, mask);
    return;
  }
  Value address = gen_offset_const(g, root->address, dtype, lanes->shift);
  if (mask)
    gen_masked_store(g, convert_to_storage(g, dtype, value), address, (unsigned)dtype_size(dtype),
                     with_prefix(g, mask, lanes));
  else if (root->streams && lanes->active == lanes->lanes)
    stream_store(g, convert_to_storage(g, dtype, value), address);
  else
    mem_store_vector(g, value, address, dtype, (unsigned)dtype_size(dtype), lanes->active);
}
