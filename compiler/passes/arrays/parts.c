// SPDX-License-Identifier: Apache-2.0
// parts: elementwise operations on a concatenation are done on its parts.
//   takes:  any IR without launches, not clustered yet
//   makes:  the same operations on parts; a concatenation of their results, which are made where
//           it lies
//   breaks: nothing
//   not:    parts with few elements side by side; concatenations that something else looks at;
//           results that do not end in memory as they are, as those do that are stored, yielded or
//           factors of a product
//
// `x * c + concat(-x2, x1) * s` would make the concatenation in memory, only to read it once.
#include "base/map.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/cpu.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "passes/pass.h"

enum {
  MOST_PARTS = 4,          // a choice: each is a copy of all operations
  LEAST_RUN = FULL_VECTOR, // elements that lie side by side in each part: a vector
};

typedef struct Splitter {
  PassContext *ctx;
  Map *others; // IrValue * that something needs which neither goes by elements nor puts it away
  Map *by_elements; // IrValue * that something needs which goes by elements
} Splitter;

// ---- where results go ---------------------------------------------------------------------------
// Of an op in a region inside: what it takes from outside of that.
static void note_outer(IrOp *op, void *data) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!ir_region_is_in(ir_value_region(op->operands[i]), op->parent))
      map_set(data, op->operands[i], op->operands[i]);
}

static bool goes_by_elements(const Splitter *s, const IrOp *op) {
  return op_is_elementwise(op->code) && op->result_count == 1 && op->results[0]->type->rank &&
         !map_has(s->others, op->results[0]);
}

// Whether what the op is given is made in the place that it has in the op's result, for that is
// memory.
static bool puts_together(const Splitter *s, const IrOp *op) {
  if (op->code != OP_CONCAT && op->code != OP_RESHAPE) return false;
  const IrValue *result = op->results[0];
  if (map_has(s->by_elements, result)) return false;
  return op->code == OP_CONCAT || !map_has(s->others, result);
}

static void find_uses(Splitter *s, const IrRegion *region) {
  for (IrOp *op = region->last; op; op = op->prev) {
    for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], note_outer, s->others);
    if (op->code == OP_YIELD || op->code == OP_DOT || puts_together(s, op)) continue;
    Map *uses = goes_by_elements(s, op) ? s->by_elements : s->others;
    for (uint32_t i = op->code == OP_STORE; i < op->operand_count; i++)
      map_set(uses, op->operands[i], op->operands[i]);
  }
}

// ---- concatenations -----------------------------------------------------------------------------
// Where along a dimension the parts of all concatenations begin, and where the last one ends.
typedef struct Cuts {
  int dim, parts;
  int64_t at[MOST_PARTS + 1];
} Cuts;

static const IrOp *concat_of(const Splitter *s, const IrValue *value, const IrRegion *region) {
  const IrOp *op = value->def;
  bool is_such = op && op->code == OP_CONCAT && op->parent == region && !map_has(s->others, value);
  return is_such ? op : NULL;
}

static bool cut(Cuts *cuts, int64_t at) {
  int i = cuts->parts;
  while (cuts->at[i] > at) i--;
  if (cuts->at[i] == at) return true;
  if (cuts->parts == MOST_PARTS) return false;
  for (int k = cuts->parts++; k > i; k--) cuts->at[k + 1] = cuts->at[k];
  cuts->at[i + 1] = at;
  return true;
}

static bool has_long_runs(const Cuts *cuts, const IrType *type) {
  int64_t behind = 1;
  for (int d = cuts->dim + 1; d < type->rank; d++) behind *= type->dims[d];
  for (int i = 0; i < cuts->parts; i++)
    if ((cuts->at[i + 1] - cuts->at[i]) * behind < LEAST_RUN) return false;
  return true;
}

static void note_cuts(Cuts *cuts, const IrOp *concat) {
  Cuts more = *cuts;
  int64_t at = 0;
  for (uint32_t i = 0; i < concat->operand_count; i++) {
    at += concat->operands[i]->type->dims[more.dim];
    if (!cut(&more, at)) return;
  }
  if (has_long_runs(&more, concat->results[0]->type)) *cuts = more;
}

// The cuts of all concatenations among the operands along the dimension of the first that can be
// cut; no more than one part if there is none.
static Cuts cuts_of(const Splitter *s, const IrOp *op) {
  Cuts cuts = {.parts = 1};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const IrOp *concat = concat_of(s, op->operands[i], op->parent);
    int dim = concat ? (int)ir_attr_int(concat, ATTR_DIM) : -1;
    if (!concat || (cuts.parts > 1 && dim != cuts.dim)) continue;
    if (cuts.parts == 1)
      cuts = (Cuts){.dim = dim, .parts = 1, .at = {0, op->results[0]->type->dims[dim]}};
    note_cuts(&cuts, concat);
  }
  return cuts;
}

// ---- splitting ----------------------------------------------------------------------------------
static IrValue *slice_along(IrBuilder *b, IrValue *value, int dim, int64_t start, int64_t limit) {
  const IrType *type = value->type;
  if (start == 0 && limit == type->dims[dim]) return value;
  int64_t starts[IR_MAX_RANK] = {0}, limits[IR_MAX_RANK], strides[IR_MAX_RANK];
  for (int d = 0; d < type->rank; d++) {
    limits[d] = type->dims[d];
    strides[d] = 1;
  }
  starts[dim] = start;
  limits[dim] = limit;
  return ir_slice(b, value, starts, limits, strides);
}

static const IrType *part_type(IrModule *m, const IrType *type, const Cuts *cuts, int part) {
  int64_t dims[IR_MAX_RANK];
  for (int d = 0; d < type->rank; d++) dims[d] = type->dims[d];
  dims[cuts->dim] = cuts->at[part + 1] - cuts->at[part];
  return ir_type_with_dims(m, type, type->rank, dims);
}

static IrValue *part_of(const Splitter *s, IrBuilder *b, IrValue *value, const Cuts *cuts,
                        int part) {
  const IrOp *concat = concat_of(s, value, b->region);
  int64_t start = cuts->at[part], limit = cuts->at[part + 1], at = 0;
  if (concat && ir_attr_int(concat, ATTR_DIM) == cuts->dim)
    for (uint32_t i = 0; i < concat->operand_count; i++) {
      int64_t size = concat->operands[i]->type->dims[cuts->dim];
      if (start >= at && limit <= at + size)
        return slice_along(b, concat->operands[i], cuts->dim, start - at, limit - at);
      at += size;
    }
  const IrData *data = ir_const_splat(value);
  if (data) return ir_const(b, part_type(b->module, value->type, cuts, part), data->bytes, 1);
  return slice_along(b, value, cuts->dim, start, limit);
}

static IrValue *split(const Splitter *s, IrOp *op, const Cuts *cuts) {
  IrModule *m = s->ctx->module;
  IrBuilder b = ir_builder_before(op);
  IrValue *parts[MOST_PARTS];
  for (int part = 0; part < cuts->parts; part++) {
    Map *sliced = map_new(s->ctx->arena);
    for (uint32_t i = 0; i < op->operand_count; i++)
      map_set(sliced, op->operands[i], part_of(s, &b, op->operands[i], cuts, part));
    IrOp *made = ir_op_clone(&b, op, sliced);
    made->results[0]->type = part_type(m, op->results[0]->type, cuts, part);
    parts[part] = made->results[0];
  }
  return ir_concat(&b, (size_t)cuts->parts, parts, cuts->dim);
}

static void split_region(Splitter *s, IrRegion *region) {
  find_uses(s, region);
  for (IrOp *op = region->first, *next; op; op = next) {
    next = op->next;
    for (int i = 0; i < op->region_count; i++) split_region(s, op->regions[i]);
    Cuts cuts = goes_by_elements(s, op) ? cuts_of(s, op) : (Cuts){.parts = 1};
    if (cuts.parts == 1) continue;
    ir_replace_uses(region, op->results[0], split(s, op, &cuts));
    ir_op_remove(op);
  }
  for (IrOp *op = region->last, *before; op; op = before) {
    before = op->prev;
    if (op->code == OP_CONCAT && !op->results[0]->use_count) ir_op_remove(op);
  }
}

bool pass_parts(PassContext *ctx) {
  Splitter s = {.ctx = ctx, .others = map_new(ctx->arena), .by_elements = map_new(ctx->arena)};
  for (IrFunc *func = ctx->module->first; func; func = func->next) split_region(&s, func->body);
  return true;
}
