// SPDX-License-Identifier: Apache-2.0
// Destinations: where a value will be copied to once it is made, known before it is made: the
// result of a branch that yields it, an output, its part of a concatenation or of an array that it
// updates. What makes a value takes memory for it here, and who would copy it finds it there
// already.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_destination.h"
#include "gen_value.h"

struct Destination {
  Mem mem;
  Buffer *buffer;              // NULL: of an output; of a part: not taken yet
  const IrOp *concat;          // of which `part` is an operand; NULL: it has all of a buffer
  const IrValue *part;         // the value, or that which reshapes make of it
  int64_t starts[IR_MAX_RANK]; // of the part in the concatenation's result
  bool is_reshaped;
};

enum {
  LEAST_RUN = FULL_VECTOR, // elements of a reshaped part that lie side by side: a vector
};

// The value itself, or that which becomes it inside of a fuse op.
static const IrValue *made_value(const IrValue *value) {
  const IrOp *def = value->def;
  if (!def || def->code != OP_FUSE) return value;
  for (size_t i = 0; i < def->result_count; i++)
    if (def->results[i] == value) return def->regions[0]->last->operands[i];
  BUG("a result that is none of its op's");
}

// Under check memory is more than its bytes.
static bool can_have_destination(const LlvmGen *g, const IrValue *value, const IrRegion *region) {
  return !g->options->check && value->type->rank > 0 && value->def && value->def->parent == region;
}

void destination_set(LlvmGen *g, const IrValue *value, const IrRegion *region, const Mem *mem,
                     Buffer *buffer) {
  if (!can_have_destination(g, value, region)) return;
  Destination *destination = ARENA_NEW(g->arena, Destination);
  *destination = (Destination){.mem = *mem, .buffer = buffer};
  map_set(g->destinations, made_value(value), destination);
}

static Buffer *output_buffer(LlvmGen *g, const IrValue *value) {
  Buffer *buffer = ARENA_NEW(g->arena, Buffer);
  *buffer = (Buffer){.size = (size_t)ir_type_bytes(value->type), .is_output = true};
  return buffer;
}

void destination_set_stored(LlvmGen *g, const IrValue *value, const IrOp *store, const Mem *mem) {
  Buffer *buffer = output_buffer(g, value);
  frame_keep(buffer); // for good: nobody takes it over
  destination_set(g, value, value->def->parent, mem, buffer);
  map_set(g->destinations, store, buffer);
}

void destination_check_stored(LlvmGen *g, const IrValue *value, const IrOp *store, const Mem *mem) {
  destination_clear(g, value);
  const Binding *binding = value_binding(g, value);
  if (binding->kind != BIND_MEM || binding->mem.base != mem->base)
    map_remove(g->destinations, store);
}

bool destination_is_stored(const LlvmGen *g, const IrOp *op) {
  return op->code == OP_STORE && map_has(g->destinations, op);
}

void destination_clear(LlvmGen *g, const IrValue *value) {
  map_remove(g->destinations, made_value(value));
}

void destination_set_update(LlvmGen *g, const IrValue *value, const IrOp *update, const Mem *part,
                            Buffer *buffer) {
  destination_set(g, value, value->def->parent, part, buffer);
  map_set(g->destinations, update, map_get(g->destinations, made_value(value)));
}

Buffer *destination_updated(LlvmGen *g, const IrOp *update, Mem *mem) {
  const Destination *part = map_get(g->destinations, update);
  if (!part) return NULL;
  map_remove(g->destinations, update);
  destination_clear(g, update->operands[1]);
  if (value_mem(g, update->operands[1]).base != part->mem.base) return NULL;
  frame_keep(part->buffer);
  *mem = value_mem(g, update->operands[0]);
  return part->buffer;
}

// What reshapes, which nothing else looks at, make an operand of.
static const IrValue *before_reshapes(const IrOp *concat, const IrValue *operand) {
  int64_t run = 1;
  for (int i = (int)ir_attr_int(concat, ATTR_DIM); i < operand->type->rank; i++)
    run *= operand->type->dims[i];
  const IrValue *value = operand;
  while (run >= LEAST_RUN && value->def && value->def->code == OP_RESHAPE &&
         value->def->parent == concat->parent && value->def->operands[0]->use_count == 1)
    value = value->def->operands[0];
  return value;
}

void destination_set_parts(LlvmGen *g, const IrOp *concat) {
  int64_t dim = ir_attr_int(concat, ATTR_DIM), start = 0;
  for (size_t i = 0; i < concat->operand_count; i++) {
    const IrValue *part = concat->operands[i], *value = before_reshapes(concat, part);
    if (part->use_count == 1 && can_have_destination(g, value, concat->parent)) {
      Destination *destination = ARENA_NEW(g->arena, Destination);
      *destination = (Destination){.concat = concat, .part = part, .is_reshaped = value != part};
      destination->starts[dim] = start;
      map_set(g->destinations, made_value(value), destination);
    }
    start += part->type->dims[dim];
  }
}

void destination_set_parts_stored(LlvmGen *g, const IrOp *concat, const Mem *mem) {
  if (g->options->check) return;
  Destination *whole = ARENA_NEW(g->arena, Destination);
  *whole = (Destination){.mem = *mem, .buffer = output_buffer(g, concat->results[0])};
  map_set(g->destinations, concat, whole);
  destination_set_parts(g, concat);
}

// The concatenation's own memory, taken for the first of its parts.
static Destination *whole_of(LlvmGen *g, const IrOp *concat) {
  Destination *whole = map_get(g->destinations, concat);
  if (whole) return whole;
  whole = ARENA_NEW(g->arena, Destination);
  whole->buffer = destination_take(g, concat->results[0], &whole->mem);
  map_set(g->destinations, concat, whole);
  return whole;
}

// Whether a concatenation makes index vectors, and nothing else reads them.
static bool is_index_vectors(const IrValue *value) {
  const IrOp *def = value->def;
  int last = value->type->rank - 1;
  if (!def || def->code != OP_CONCAT || ir_attr_int(def, ATTR_DIM) != last) return false;
  if (value->type->dims[last] > IR_MAX_RANK) return false; // a vector has no more than dimensions
  uint32_t left = value->use_count;
  for (const IrOp *op = def->next; op && left > 0; op = op->next) {
    for (size_t i = 0; i < op->operand_count; i++) {
      if (op->operands[i] != value) continue;
      if (i != 1 || (op->code != OP_GATHER && op->code != OP_SCATTER)) return false;
      left--;
    }
  }
  return left == 0 && value->use_count > 0;
}

// Memory in which the elements of the last dimension are apart, each in one piece with those of the
// other vectors.
static Buffer *take_components(LlvmGen *g, const IrType *type, Mem *mem) {
  int64_t dims[IR_MAX_RANK];
  int last = type->rank - 1;
  dims[0] = type->dims[last];
  for (int i = 0; i < last; i++) dims[i + 1] = type->dims[i];
  Mem turned;
  Buffer *buffer = frame_take_array(g, type->dtype, type->rank, dims, &turned);
  *mem = turned;
  for (int i = 0; i < type->rank; i++) {
    mem->dims[i] = type->dims[i];
    mem->strides[i] = turned.strides[i == last ? 0 : i + 1];
  }
  return buffer;
}

// The place of a part in the memory of the whole, in the shape of what is made; false if that has
// no strides.
static bool take_part(LlvmGen *g, Destination *destination, const IrType *made) {
  const Destination *whole = whole_of(g, destination->concat);
  Mem part = mem_slice(g, &whole->mem, destination->starts, destination->part->type->dims, NULL);
  if (destination->is_reshaped) {
    Layout layout = mem_layout(&part), view;
    if (!layout_reshape(&layout, made->rank, made->dims, &view)) return false;
    part = mem_at(part.base, &view);
  }
  destination->mem = part;
  destination->buffer = whole->buffer;
  return true;
}

Buffer *destination_take(LlvmGen *g, const IrValue *value, Mem *mem) {
  const IrType *type = value->type;
  Destination *destination = map_get(g->destinations, value);
  if (!destination && is_index_vectors(value)) return take_components(g, type, mem);
  bool has_place = destination &&
                   (!destination->concat || destination->buffer || take_part(g, destination, type));
  if (!has_place) return frame_take_array(g, type->dtype, type->rank, type->dims, mem);
  frame_keep(destination->buffer);
  *mem = destination->mem;
  return destination->buffer;
}

Buffer *destination_take_whole(LlvmGen *g, const IrOp *concat, Mem *mem) {
  Destination *whole = map_get(g->destinations, concat);
  if (!whole) return NULL;
  map_remove(g->destinations, concat);
  *mem = whole->mem;
  return whole->buffer;
}

bool destination_holds(LlvmGen *g, const IrOp *concat, const IrValue *part, const Buffer *buffer) {
  const Destination *destination =
      map_get(g->destinations, made_value(before_reshapes(concat, part)));
  return destination && destination->concat == concat && destination->buffer &&
         destination->buffer == buffer && value_mem(g, part).base == destination->mem.base;
}

const IrOp *destination_place(LlvmGen *g, const IrValue *value, int64_t *at) {
  const Destination *destination = map_get(g->destinations, value);
  if (!destination || !destination->concat || !destination->buffer || destination->is_reshaped)
    return NULL;
  int64_t dim = ir_attr_int(destination->concat, ATTR_DIM);
  *at = destination->starts[dim];
  bool is_one_place =
      value->type->dims[dim] == 1 && destination->mem.strides[dim] == 1 &&
      destination->concat->results[0]->type->dims[dim] == destination->concat->operand_count;
  return is_one_place ? destination->concat : NULL;
}
