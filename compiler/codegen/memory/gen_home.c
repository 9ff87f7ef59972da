// SPDX-License-Identifier: Apache-2.0
// Homes: where a value will be copied to once it is made, known before it is made: the result of a
// branch that yields it, or its part of a concatenation. What makes a value takes memory for it
// here, and who would copy it finds it at home already.
#include "codegen/gen.h"

struct Home {
  Mem mem;
  Buffer *buffer;              // NULL: not taken yet
  const IrOp *concat;          // of which the value is an operand; NULL: it has all of a buffer
  int64_t starts[IR_MAX_RANK]; // in the concatenation's result
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
static bool can_have_home(const LlvmGen *g, const IrValue *value, const IrRegion *region) {
  return !g->options->check && value->type->rank > 0 && value->def && value->def->parent == region;
}

void home_set(LlvmGen *g, const IrValue *value, const IrRegion *region, const Mem *mem,
              Buffer *buffer) {
  if (!can_have_home(g, value, region)) return;
  Home *home = ARENA_NEW(g->arena, Home);
  *home = (Home){.mem = *mem, .buffer = buffer};
  map_set(g->homes, made_value(value), home);
}

void home_clear(LlvmGen *g, const IrValue *value) { map_remove(g->homes, made_value(value)); }

void home_set_parts(LlvmGen *g, const IrOp *concat) {
  int64_t dim = ir_attr_int(concat, ATTR_DIM), start = 0;
  for (size_t i = 0; i < concat->operand_count; i++) {
    const IrValue *value = concat->operands[i];
    if (value->use_count == 1 && can_have_home(g, value, concat->parent)) {
      Home *home = ARENA_NEW(g->arena, Home);
      *home = (Home){.concat = concat};
      home->starts[dim] = start;
      map_set(g->homes, made_value(value), home);
    }
    start += value->type->dims[dim];
  }
}

// The concatenation's own memory, taken for the first of its parts.
static Home *whole_of(LlvmGen *g, const IrOp *concat) {
  Home *whole = map_get(g->homes, concat);
  if (whole) return whole;
  whole = ARENA_NEW(g->arena, Home);
  whole->buffer = home_take(g, concat->results[0], &whole->mem);
  map_set(g->homes, concat, whole);
  return whole;
}

Buffer *home_take(LlvmGen *g, const IrValue *value, Mem *mem) {
  const IrType *type = value->type;
  Home *home = map_get(g->homes, value);
  if (!home) return frame_take_array(g, type->dtype, type->rank, type->dims, mem);
  if (!home->buffer) {
    const Home *whole = whole_of(g, home->concat);
    home->mem = mem_slice(g, &whole->mem, home->starts, type->dims, NULL);
    home->buffer = whole->buffer;
  }
  frame_keep(home->buffer);
  *mem = home->mem;
  return home->buffer;
}

Buffer *home_take_whole(LlvmGen *g, const IrOp *concat, Mem *mem) {
  Home *whole = map_get(g->homes, concat);
  if (!whole) return NULL;
  map_remove(g->homes, concat);
  *mem = whole->mem;
  return whole->buffer;
}

bool home_holds(LlvmGen *g, const IrValue *value, const Buffer *buffer) {
  const Home *home = map_get(g->homes, made_value(value));
  return home && home->concat && home->buffer && home->buffer == buffer &&
         value_mem(g, value).base == home->mem.base;
}
