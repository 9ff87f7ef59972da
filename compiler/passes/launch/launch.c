// SPDX-License-Identifier: Apache-2.0
// Facts about launches that several passes need.
#include "base/checked.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/constant.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch.h"
#include <math.h>
#include "ir/core/family.h"
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"

void launch_parts(Arena *arena, const IrOp *launch, LaunchParts *out) {
  *out = (LaunchParts){0};
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  size_t operand = 0;
  out->rank = grid.count;
  for (size_t i = 0; i < grid.count; i++) {
    out->grid[i] = grid.items[i];
    if (grid.items[i] < 0) out->dynamic[i] = launch->operands[operand++];
  }
  out->prefetch_count = (size_t)ir_attr_int(launch, ATTR_PREFETCH);
  out->prefetch =
      arena_dup(arena, launch->operands + operand, out->prefetch_count * sizeof(IrValue *));
  operand += out->prefetch_count;
  const IrAttr *blocks = ir_attr_find(launch, ATTR_BLOCKS);
  out->block_count = blocks->blocks.count;
  out->blocks = blocks->blocks.items;
  out->arrays = launch->operands + operand;
  out->scratch_count = ir_attr_find(launch, ATTR_SCRATCH)->types.count;
  out->body = ir_launch_body(launch);
  out->first_block = out->rank + out->prefetch_count;
  out->first_scratch = out->first_block + out->block_count;
}

Str launch_block_name(const LaunchParts *parts, size_t block) {
  const IrValue *arg = parts->body->args[parts->first_block + block];
  return name_str(arg->name ? arg->name : parts->blocks[block].name);
}

// ---- index maps ---------------------------------------------------------------------------------

enum { MOST_VALUES = 1000 }; // of an index

static const IrOp *map_yield(const IrRegion *map) { return map->last; }

// value as scale * index + offset, for values made of one grid index and constants by add, sub and
// mul. `left`: of the values that are looked at, since one may be used again and again.
static bool affine(const IrOp *launch, const IrRegion *map, const IrValue *value, int *left,
                   AffineIndex *out) {
  int64_t constant;
  if (--*left < 0) return false;
  if (ir_const_int(value, &constant)) {
    *out = (AffineIndex){-1, 0, constant};
    return true;
  }
  if (!value->def) {
    if (value->region != map || value->index >= ir_attr_ints(launch, ATTR_GRID).count) return false;
    *out = (AffineIndex){(int)value->index, 1, 0};
    return true;
  }
  const IrOp *op = value->def;
  if (op->code != OP_ADD && op->code != OP_SUB && op->code != OP_MUL) return false;
  AffineIndex x, y;
  if (!affine(launch, map, op->operands[0], left, &x) ||
      !affine(launch, map, op->operands[1], left, &y))
    return false;
  if (op->code == OP_MUL) {
    if (x.dim >= 0 && y.dim >= 0) return false;
    const AffineIndex *variable = x.dim >= 0 ? &x : &y;
    int64_t factor = x.dim >= 0 ? y.offset : x.offset;
    out->dim = variable->dim;
    return mul_i64(variable->scale, factor, &out->scale) &&
           mul_i64(variable->offset, factor, &out->offset);
  }
  int64_t sign = op->code == OP_SUB ? -1 : 1;
  if (x.dim >= 0 && y.dim >= 0 && x.dim != y.dim) return false;
  out->dim = x.dim >= 0 ? x.dim : y.dim;
  return add_i64(x.scale, sign * y.scale, &out->scale) &&
         add_i64(x.offset, sign * y.offset, &out->offset);
}

bool launch_affine_index(const IrOp *launch, const IrRegion *map, size_t result, AffineIndex *out) {
  const IrOp *yield = map_yield(map);
  if (result >= yield->operand_count) return false;
  int left = MOST_VALUES;
  if (!affine(launch, map, yield->operands[result], &left, out)) return false;
  if (out->scale == 0) out->dim = -1;
  return true;
}

// The least and the greatest that an index map gives; false: not known.
static bool index_range(const IrOp *launch, const IrRegion *map, int result, int64_t *low,
                        int64_t *high) {
  AffineIndex index;
  if (!launch_affine_index(launch, map, (size_t)result, &index)) return false;
  int64_t first = index.offset, last = index.offset;
  if (index.dim >= 0) {
    int64_t trips = ir_attr_ints(launch, ATTR_GRID).items[index.dim], reach;
    if (trips < 0 || !mul_i64(index.scale, trips > 0 ? trips - 1 : 0, &reach)) return false;
    last += reach;
  }
  *low = first < last ? first : last;
  *high = first < last ? last : first;
  return true;
}

bool launch_index_may_be_negative(const IrOp *launch, const IrRegion *map, int result) {
  AffineIndex index;
  if (launch_affine_index(launch, map, (size_t)result, &index) && index.scale >= 0 &&
      index.offset >= 0)
    return false;
  int64_t low, high;
  return !index_range(launch, map, result, &low, &high) || low < 0;
}

bool launch_start_is_inside(const IrOp *launch, const IrRegion *map, int result,
                            const BlockDim *dim, int64_t extent) {
  int64_t low, high;
  if (!index_range(launch, map, result, &low, &high)) return false;
  int64_t unit = dim->kind == BLOCK_BLOCKED ? dim->size : 1;
  if (!mul_i64(low, unit, &low) || !mul_i64(high, unit, &high)) return false;
  if (dim->kind == BLOCK_ELEMENT) low -= dim->pad_lo, high -= dim->pad_lo;
  int64_t size = dim->kind == BLOCK_SQUEEZED ? 1 : dim->size;
  return low >= 0 && high <= extent - size;
}

Str launch_outside_text(Arena *arena, const char *index, int dim, const char *name, int64_t extent,
                        const BlockDim *block) {
  Str text = str_format(arena,
                        "block index %s of dimension %d of %s is out of bounds: the array has %lld "
                        "elements there, blocks have %lld",
                        index, dim, name, (long long)extent, (long long)block->size);
  if (block->kind != BLOCK_BLOCKED || block->size < 2) return text;
  return str_format(arena, "%.*s and are numbered 0 to %lld", STR_FMT(text),
                    (long long)((extent - 1) / block->size));
}

typedef struct ConstantMap {
  const IrOp *launch;
  const IrRegion *map;
  size_t fixed;
  bool constant;
} ConstantMap;

static void check_constant(const IrOp *op, void *data) {
  ConstantMap *c = data;
  if (!effects_is_pure(op->code) && op->code != OP_YIELD) c->constant = false;
  size_t rank = ir_attr_ints(c->launch, ATTR_GRID).count;
  for (size_t i = 0; i < op->operand_count; i++) {
    const IrValue *v = op->operands[i];
    if (!v->def && v->region == c->map && v->index < rank && v->index >= c->fixed &&
        ir_attr_ints(c->launch, ATTR_GRID).items[v->index] != 1)
      c->constant = false;
  }
}

bool launch_map_is_constant(const IrOp *launch, const IrRegion *map, size_t fixed) {
  ConstantMap c = {launch, map, fixed, true};
  ir_walk_const(map, check_constant, &c);
  return c.constant;
}

bool launch_is_parallel(const IrOp *launch, size_t dim) {
  return ir_attr_ints(launch, ATTR_SEMANTICS).items[dim] != SEMANTICS_ARBITRARY;
}

size_t launch_parallel_prefix(const IrOp *launch) {
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  int64_t steps = 1;
  size_t count = 0;
  for (; count < grid.count && launch_is_parallel(launch, count); count++) {
    int64_t size = grid.items[count];
    if (size >= 0 && (!mul_i64(steps, size, &steps) || steps > INT32_MAX)) break;
  }
  return count;
}

// So much is read or written in some 100 us, ten times what waking a thread takes.
enum { LEAST_SHARED_BYTES = 1 << 20 };

void launch_one_thread(PassContext *ctx, const IrOp *launch, const Reason *why) {
  if (!remark_is_on(ctx->session)) return;
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  size_t parallel = launch_parallel_prefix(launch);
  for (size_t i = 0; i < parallel; i++)
    if (parts.grid[i] != 1) return;
  int64_t bytes = 0, steps = 1;
  for (size_t i = 0; i < parts.rank; i++)
    if (parts.grid[i] != 1) steps = 2;
  for (size_t i = 0; i < parts.block_count; i++)
    if (bytes < LEAST_SHARED_BYTES) bytes += ir_type_bytes(parts.arrays[i]->type);
  const Reason one = {.id = REASON_STEPS_ONE};
  RemarkItem *kernel = remark_kernel(ctx->session, launch);
  if (steps == 1) why = &one;
  if (bytes < LEAST_SHARED_BYTES)
    remark_reason_of_little(ctx->session, kernel, why);
  else
    remark_reason(ctx->session, kernel, why);
}

// ---- refs ---------------------------------------------------------------------------------------

typedef struct Retype {
  IrModule *module;
  MemSpace space;
} Retype;

// Views made from a ref of another space live there too; ops are visited in order, so chains come
// out right.
static void retype_view(IrOp *op, void *data) {
  const Retype *r = data;
  if (!(op_info(op->code)->effects & EFFECT_VIEWS)) return;
  const IrType *t = op->results[0]->type;
  if (op->operands[0]->type->space == t->space) return;
  op->results[0]->type =
      ir_ref_type(r->module, op->operands[0]->type->space, t->dtype, t->rank, t->dims);
}

void launch_replace_ref(IrModule *module, IrRegion *within, IrValue *old, IrValue *with) {
  Retype r = {module, with->type->space};
  ir_replace_uses(within, old, with);
  if (old->type->space != with->type->space) ir_walk(within, retype_view, &r);
}

typedef struct Captures {
  const IrValue *base;
  bool found;
} Captures;

static void check_capture(IrOp *op, void *data) {
  Captures *c = data;
  for (size_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->is_ref && ir_ref_root(op->operands[i]) == c->base) c->found = true;
}

bool launch_captures(const IrOp *launch, IrValue *ref) {
  Captures c = {ir_ref_root(ref), false};
  for (size_t i = 0; i < launch->region_count; i++) ir_walk(launch->regions[i], check_capture, &c);
  return c.found;
}

static void collect(IrOp *op, void *data) {
  LaunchList *list = data;
  if (op->code == OP_LAUNCH) VEC_PUSH(list->arena, &list->ops, op);
}

void launches_of(IrFunc *func, LaunchList *list) { ir_walk(func->body, collect, list); }

bool launches_visit(PassContext *ctx, const LaunchVisit *visit) {
  Session *session = ctx->session;
  size_t errors = session->error_count;
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    LaunchList list = {.arena = ctx->arena};
    launches_of(func, &list);
    session->diag_case = ir_func_case(func);
    for (size_t i = 0; i < list.ops.count; i++) visit->launch(ctx, list.ops.items[i], visit->data);
    if (visit->op) ir_walk(func->body, visit->op, visit->data);
  }
  session->diag_case = (DiagCase){0};
  return session->error_count == errors;
}

// ---- what the body makes ------------------------------------------------------------------------
IrOp *launch_first_store(const IrValue *memory) {
  uint32_t unseen = memory->use_count;
  for (IrOp *op = memory->def->next; op && unseen; op = op->next) {
    if (op->code == OP_STORE && op->operands[1] == memory) return op;
    unseen -= ir_count_operands(op, memory);
  }
  return NULL;
}

static bool stores_whole(const IrOp *op, const IrValue *ref) {
  return op->code == OP_STORE && op->operands[1] == ref && !access_is_masked(op) &&
         access_is_whole(op);
}

// Whether the first op of the region that touches the ref makes all of it.
static bool makes_in(const Steps *steps, const IrRegion *region, const IrValue *ref) {
  for (IrOp *op = region->first; op; op = op->next) {
    if (!ir_op_uses(op, ref)) continue;
    if (stores_whole(op, ref)) return true;
    return op->code == OP_IF && steps_truth(steps, op->operands[0]) == STEPS_ALL &&
           makes_in(steps, op->regions[0], ref);
  }
  return region == steps->body; // not used
}

bool launch_makes_whole(const Steps *steps, const IrValue *ref) {
  return makes_in(steps, ref->def ? ref->def->parent : steps->body, ref);
}

// ---- memory that nobody has written -------------------------------------------------------------
static IrValue *number_preset(IrBuilder *b, const IrType *type, Preset preset) {
  if (preset == PRESET_ZERO) return ir_const_i64(b, type, 0);
  if (type->dtype == DT_BOOL) return ir_const_i64(b, type, preset == PRESET_MOST);
  if (dtype_is_float(type->dtype)) return ir_const_f64(b, type, (double)NAN);
  bool is_least = preset == PRESET_LEAST;
  // interpret=True has semaphores in int16, and clears all that is of that type.
  if (is_least && type->dtype == DT_I16) return ir_const_i64(b, type, 0);
  return ir_const_i64(b, type,
                      is_least ? dtype_int_min(type->dtype) : (int64_t)dtype_int_max(type->dtype));
}

IrValue *launch_preset(IrBuilder *b, const IrOp *launch, const IrType *ref) {
  Preset preset = (Preset)ir_attr_int(launch, ATTR_PRESET);
  if (preset == PRESET_NONE || ref->space == SPACE_SEM || ir_type_count(ref) == 0) return NULL;
  return number_preset(b, ir_array_type(b->module, ref->dtype, ref->rank, ref->dims), preset);
}

// ---- what devices have of an array -------------------------------------------------------------
// The factor that is not the value itself, of a product with it; -1: it is no such product.
static int64_t factor_of(const IrOp *mul, const IrValue *value) {
  int64_t factor;
  if (!mul || mul->code != OP_MUL) return -1;
  for (int i = 0; i < 2; i++)
    if (mul->operands[i] == value && ir_const_int(mul->operands[1 - i], &factor)) return factor;
  return -1;
}

// Whether a value is the place on the first `axes` axes of the mesh, counted along the last first.
static bool is_place(const IrValue *value, const IrRegion *device, const IrMesh *mesh, int axes) {
  if (axes == 1) return value == device->args[0];
  const IrOp *add = value->def;
  if (!add || add->code != OP_ADD) return false;
  for (int i = 0; i < 2; i++) {
    const IrOp *mul = add->operands[i]->def;
    if (add->operands[1 - i] != device->args[axes - 1] || !mul || mul->code != OP_MUL) continue;
    for (int k = 0; k < 2; k++)
      if (is_place(mul->operands[k], device, mesh, axes - 1) &&
          factor_of(mul, mul->operands[k]) == mesh->sizes[axes - 1])
        return true;
  }
  return false;
}

bool launch_is_device(const IrValue *value, const IrRegion *device, const IrMesh *mesh) {
  return is_place(value, device, mesh, mesh->rank);
}

IrValue *launch_device(IrBuilder *b, const IrRegion *device, const IrMesh *mesh) {
  IrValue *number = device->args[0];
  for (int i = 1; i < mesh->rank; i++) {
    IrValue *first = ir_binary(b, OP_MUL, number, ir_i32(b, (int32_t)mesh->sizes[i]));
    number = ir_binary(b, OP_ADD, first, device->args[i]);
  }
  return number;
}

// Whether `start` is the device's number times `size`.
static bool is_start_of_own(const IrValue *start, const IrRegion *device, const IrMesh *mesh,
                            int64_t size) {
  if (size == 1 && launch_is_device(start, device, mesh)) return true;
  const IrOp *mul = start->def;
  if (!mul || mul->code != OP_MUL) return false;
  for (int i = 0; i < 2; i++)
    if (launch_is_device(mul->operands[i], device, mesh) &&
        factor_of(mul, mul->operands[i]) == size)
      return true;
  return false;
}

bool launch_is_own_part(const IrOp *view, const IrRegion *device, const IrMesh *mesh) {
  const IrType *array = view->operands[0]->type;
  const IrIndex *index = ir_attr_index(view);
  int64_t devices = ir_mesh_size(mesh);
  if (index->rank == 0 || array->dims[0] % devices) return false;
  for (int i = 0; i < index->rank; i++) {
    const IndexDim *d = &index->dims[i];
    if (d->kind != INDEX_SLICE || d->size_operand >= 0 || d->stride != 1 ||
        d->size != (i ? array->dims[i] : array->dims[0] / devices))
      return false;
    if (i ? d->start_operand >= 0 || d->start
          : d->start_operand < 0 ||
                !is_start_of_own(view->operands[d->start_operand], device, mesh, d->size))
      return false;
  }
  return true;
}

bool launch_devices(const IrOp *op, IrMesh *mesh) {
  if (!ir_runs_devices(op)) return false;
  *mesh = ir_attr_meshes(op).items[0];
  return true;
}
