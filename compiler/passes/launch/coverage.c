// SPDX-License-Identifier: Apache-2.0
// Which blocks of an array the steps of a launch's static grid have (coverage.h).
#include "base/checked.h"
#include "base/map.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "ir/interpret/evaluate.h"
#include "coverage.h"
#include <string.h>
#include "ir/core/family.h"

// Beyond, nothing is known: what a launch costs to look at, in steps, cells and index maps
// evaluated.
enum { MAX_STEPS = 1 << 20, MAX_CELLS = 1 << 20, MAX_EVALUATED = 1 << 14 };

BlockOf coverage_block(Arena *arena, const IrOp *launch, const LaunchParts *parts, size_t number) {
  return (BlockOf){.arena = arena,
                   .launch = launch,
                   .parts = parts,
                   .number = number,
                   .block = &parts->blocks[number],
                   .map = ir_launch_index_map(launch, number),
                   .type = parts->arrays[number]->type};
}

int64_t coverage_cell_size(const BlockOf *of, int dim) {
  const BlockDim *d = &of->block->dims[dim];
  return d->kind == BLOCK_BLOCKED && d->size > 0 ? d->size : 1; // 0: of an array without elements
}

static int64_t cell_count(const BlockOf *of, int dim) {
  int64_t size = coverage_cell_size(of, dim);
  return (of->type->dims[dim] + size - 1) / size;
}

typedef struct Dependence {
  const IrRegion *map;
  size_t rank;
  bool is_known; // made of grid indices and constants alone
  uint32_t grid;
  Map *seen; // values that have been looked at
} Dependence;

static void depend(Dependence *d, const IrValue *value, int depth) {
  if (!value->def) {
    if (value->region == d->map && value->index < d->rank)
      d->grid |= 1u << value->index;
    else
      d->is_known = false;
    return;
  }
  if (map_has(d->seen, value)) return;
  map_set(d->seen, value, d);
  const IrOp *op = value->def;
  bool is_const = op_info(op->code)->op_class == CLASS_CONST;
  if (depth > 100 || value->type->rank != 0 || (!is_const && !op_is_elementwise(op->code))) {
    d->is_known = false;
    return;
  }
  for (uint32_t i = 0; i < op->operand_count && d->is_known; i++)
    depend(d, op->operands[i], depth + 1);
}

size_t coverage_groups(const BlockOf *of, Group *groups) {
  size_t count = 0;
  uint32_t unknown_dims = 0;
  for (int dim = 0; dim < of->block->rank; dim++) {
    Dependence d = {of->map, of->parts->rank, true, 0, map_new(of->arena)};
    depend(&d, of->map->last->operands[dim], 0);
    if (of->block->dims[dim].kind == BLOCK_BOUNDED) d.is_known = false;
    if (!d.is_known) unknown_dims |= 1u << dim;
    Group group = {1u << dim, d.grid};
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
      if (groups[i].grid & group.grid) {
        group.dims |= groups[i].dims;
        group.grid |= groups[i].grid;
      } else {
        groups[kept++] = groups[i];
      }
    }
    groups[kept++] = group;
    count = kept;
  }
  size_t known = 0;
  for (size_t i = 0; i < count; i++)
    if (!(groups[i].dims & unknown_dims)) groups[known++] = groups[i];
  return known;
}

static const IrData *evaluate(Arena *arena, Map *known, const IrValue *value, const int64_t *step);

static const IrData *evaluate_op(Arena *arena, Map *known, const IrValue *value,
                                 const int64_t *step) {
  const IrOp *op = value->def;
  if (!op_is_elementwise(op->code)) return NULL;
  const IrData **operands = ARENA_ARRAY(arena, const IrData *, op->operand_count + 1);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    operands[i] = evaluate(arena, known, op->operands[i], step);
    if (!operands[i]) return NULL;
  }
  const IrData *results = ir_evaluate(arena, op, operands);
  return results ? &results[value->index] : NULL;
}

// The constant that a scalar of the map is at a step; NULL: it cannot be had. `known`: those of
// values that it is made of, each of which may be used many times.
static const IrData *evaluate(Arena *arena, Map *known, const IrValue *value, const int64_t *step) {
  int64_t constant = 0;
  if (!value->def || ir_const_int(value, &constant)) {
    if (!value->def) constant = step[value->index];
    char *bytes = arena_alloc(arena, sizeof(int64_t));
    dtype_store_i64(value->type->dtype, bytes, constant);
    IrData *data = ARENA_NEW(arena, IrData);
    *data = (IrData){value->type->dtype, 1, bytes};
    return data;
  }
  IrData *kept = map_get(known, value);
  if (kept) return kept;
  const IrData *data = evaluate_op(arena, known, value, step);
  if (!data) return NULL;
  kept = ARENA_NEW(arena, IrData);
  *kept = *data;
  map_set(known, value, kept);
  return kept;
}

// The result `at` of the group at a step of the grid.
static bool index_at(Coverage *c, int at, const int64_t *step, int64_t *out) {
  if (c->is_affine) {
    const AffineIndex *a = &c->affine[at];
    int64_t product = 0;
    if (a->dim >= 0 && !mul_i64(a->scale, step[a->dim], &product)) return false;
    return add_i64(product, a->offset, out);
  }
  if (++c->work > MAX_EVALUATED) return false;
  Arena *arena = c->of->arena;
  const IrValue *index = c->of->map->last->operands[c->dims[at]];
  const IrData *data = evaluate(arena, map_new(arena), index, step);
  if (data) *out = dtype_load_i64(data->dtype, data->bytes);
  return data != NULL;
}

static void note_outside(Coverage *c, int at, const int64_t *step, int64_t index) {
  if (c->outside.is_there) return;
  c->outside.is_there = true;
  c->outside.dim = c->dims[at];
  c->outside.index = index;
  memcpy(c->outside.step, step, c->of->parts->rank * sizeof *step);
}

// Marks the cells of the block at a step. False: it is not known, or too much work.
static bool mark_block(Coverage *c, const int64_t *step) {
  int64_t low[IR_MAX_RANK], high[IR_MAX_RANK], at[IR_MAX_RANK];
  bool is_outside = false;
  for (int i = 0; i < c->rank; i++) {
    const BlockDim *dim = &c->of->block->dims[c->dims[i]];
    int64_t index;
    if (!index_at(c, i, step, &index)) return false;
    low[i] = index;
    if (index < 0 && dim->kind != BLOCK_ELEMENT) note_outside(c, i, step, index);
    if (low[i] < 0 && dim->kind != BLOCK_ELEMENT) low[i] += c->cells[i]; // counts from the end
    if (dim->kind == BLOCK_ELEMENT) low[i] -= dim->pad_lo;
    if (!add_i64(low[i], dim->kind == BLOCK_ELEMENT ? dim->size : 1, &high[i])) return false;
    if (low[i] < 0) low[i] = 0;
    if (high[i] > c->cells[i]) high[i] = c->cells[i];
    if (low[i] >= high[i]) note_outside(c, i, step, index), is_outside = true;
    at[i] = low[i];
  }
  if (is_outside) return true;
  for (;;) {
    if (++c->work > MAX_STEPS) return false;
    int64_t cell = 0;
    for (int i = 0; i < c->rank; i++) cell = cell * c->cells[i] + at[i];
    c->has[cell] = true;
    int i = c->rank - 1;
    while (i >= 0 && ++at[i] == high[i]) at[i] = low[i], i--;
    if (i < 0) return true;
  }
}

static bool mark_all(Coverage *c) {
  const LaunchParts *parts = c->of->parts;
  int64_t step[IR_MAX_RANK] = {0}, steps = 1;
  for (size_t i = 0; i < parts->rank; i++) {
    if (parts->grid[i] == 0) return true;
    if (!(c->group.grid >> i & 1)) continue;
    if (parts->grid[i] < 0 || !mul_i64(steps, parts->grid[i], &steps) || steps > MAX_STEPS)
      return false;
  }
  for (;;) {
    if (!mark_block(c, step)) return false;
    size_t i = parts->rank;
    while (i > 0) {
      i--;
      if (c->group.grid >> i & 1 && ++step[i] < parts->grid[i]) break;
      step[i] = 0;
      if (i == 0) return true;
    }
    if (parts->rank == 0) return true;
  }
}

bool coverage_of(const BlockOf *of, Group group, Coverage *c) {
  *c = (Coverage){.of = of, .group = group, .total = 1, .is_affine = true};
  for (int dim = 0; dim < of->block->rank; dim++) {
    if (!(group.dims >> dim & 1)) continue;
    int at = c->rank++;
    c->dims[at] = dim;
    c->cells[at] = cell_count(of, dim);
    if (!mul_i64(c->total, c->cells[at], &c->total) || c->total > MAX_CELLS) return false;
    c->is_affine &= launch_affine_index(of->launch, of->map, (size_t)dim, &c->affine[at]);
  }
  c->has = ARENA_ARRAY(of->arena, bool, (size_t)c->total + 1);
  return mark_all(c);
}

bool coverage_is_whole(const BlockOf *of, uint32_t *grid) {
  Group groups[IR_MAX_RANK];
  size_t count = coverage_groups(of, groups);
  uint32_t dims = 0;
  *grid = 0;
  for (size_t i = 0; i < of->parts->rank; i++)
    if (of->parts->grid[i] < 1) return false;
  for (size_t i = 0; i < count; i++) {
    Coverage c;
    if (!coverage_of(of, groups[i], &c)) return false;
    for (int64_t cell = 0; cell < c.total; cell++)
      if (!c.has[cell]) return false;
    dims |= groups[i].dims;
    *grid |= groups[i].grid;
  }
  return dims == (1u << of->block->rank) - 1;
}
