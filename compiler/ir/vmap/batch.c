// SPDX-License-Identifier: Apache-2.0
// vmap of a traced region. First a fixpoint says which values get the batch dimension: what depends
// on a batched value, and memory into which such a value goes. Then the ops are made anew in order,
// those that do not depend as they are. The dimension is always the first.
#include "base/map.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/ir.h"
#include "ir/core/place.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "batch_ops.h"

#include <string.h>

// ---- values ------------------------------------------------------------------------------------
bool batch_is(const Batcher *v, const IrValue *value) { return map_has(v->batched, value); }

IrValue *batch_get(Batcher *v, IrValue *value) {
  IrValue *with = map_get(v->values, value);
  return with ? with : value;
}

IrValue *batch_broadcast(Batcher *v, IrValue *x) {
  int64_t dims[IR_MAX_RANK + 1] = {v->size};
  memcpy(dims + 1, x->type->dims, x->type->rank * sizeof *dims);
  return ir_broadcast_to(&v->b, x, x->type->rank + 1u, dims);
}

IrValue *batch_full(Batcher *v, IrValue *value) {
  IrValue *x = batch_get(v, value);
  return batch_is(v, value) ? x : batch_broadcast(v, x);
}

void batch_set(Batcher *v, IrValue *old, IrValue *with) {
  if (!with->name) with->name = old->name;
  map_set(v->values, old, with);
}

bool batch_any(const Batcher *v, const IrOp *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (batch_is(v, op->operands[i])) return true;
  return false;
}

const IrType *batch_type(Batcher *v, const IrOp *op, const IrType *type) {
  int64_t dims[IR_MAX_RANK + 1] = {v->size};
  memcpy(dims + 1, type->dims, type->rank * sizeof *dims);
  const IrType *with = ir_type_with_dims(v->module, type, type->rank + 1u, dims);
  if (!with) batch_fail(v, op, "with a batch of %lld an array is too large", (long long)v->size);
  return with;
}

bool batch_fail(Batcher *v, const IrOp *op, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  Str message = str_vformat(v->session->arena, fmt, args);
  va_end(args);
  Diag *diag = diag_error(v->session, op->span, "vmap: %.*s", STR_FMT(message));
  ir_diag_frames(v->session, diag, op->frames);
  return false;
}

IrOp *batch_build(Batcher *v, const IrOp *like, size_t count, IrValue *const *operands,
                  size_t result_count, const IrType *const *types) {
  IrOp *op = ir_build(&v->b, like->code, count, operands, result_count, types);
  ir_copy_attrs(v->module, op, like);
  return op;
}

IrValue *batch_to_front(Batcher *v, IrValue *x, int from) {
  int64_t perm[IR_MAX_RANK] = {from};
  if (from == 0) return x;
  for (int i = 0, at = 1; i < x->type->rank; i++)
    if (i != from) perm[at++] = i;
  return ir_transpose(&v->b, x, perm);
}

IrValue *batch_from_front(Batcher *v, IrValue *x, int to) {
  int64_t perm[IR_MAX_RANK];
  if (to == 0) return x;
  for (int i = 0; i < x->type->rank; i++) perm[i] = i < to ? i + 1 : i == to ? 0 : i;
  return ir_transpose(&v->b, x, perm);
}

// ---- which values are batched ------------------------------------------------------------------
static void mark(Batcher *v, IrValue *value) {
  if (batch_is(v, value)) return;
  map_set(v->batched, value, NULL);
  v->changed = true;
}

static void mark_if(Batcher *v, bool condition, IrValue *value) {
  if (condition) mark(v, value);
}

static bool is_exchange(const IrOp *alloc) { return ir_attr_int(alloc, ATTR_EXCHANGED); }

// Memory of the region that a batched value goes to. Other memory is a mistake that the second
// phase reports.
static void mark_written(IrValue *ref, void *data) {
  const IrValue *root = ir_ref_root(ref);
  IrOp *alloc = root->def;
  if (!alloc || alloc->code != OP_ALLOC || root->type->space == SPACE_SEM) return;
  Batcher *v = data;
  bool is_new = !batch_is(v, root);
  if (ir_region_is_in(alloc->parent, v->region))
    mark(v, alloc->results[0]);
  else if (is_new && is_exchange(alloc)) {
    VEC_PUSH(v->arena, &v->exchanges, alloc);
    mark(v, alloc->results[0]);
  }
}

static void find_batched(Batcher *v, IrRegion *region);

static void find_in_loop(Batcher *v, IrOp *op, uint32_t first, bool all) {
  for (int j = 0; j < op->region_count; j++) {
    IrRegion *region = op->regions[j];
    uint32_t skipped = region->arg_count - op->result_count; // the index of `for`
    for (uint32_t i = 0; i < op->result_count; i++) {
      bool is = all || batch_is(v, op->operands[first + i]) || batch_is(v, op->results[i]);
      mark_if(v, is, region->args[skipped + i]);
    }
    find_batched(v, region);
  }
  const IrOp *yield = op->regions[op->region_count - 1]->last;
  const IrRegion *body = op->regions[op->region_count - 1];
  for (uint32_t i = 0; i < op->result_count; i++) {
    const IrValue *arg = body->args[body->arg_count - op->result_count + i];
    mark_if(v, all || batch_is(v, arg) || batch_is(v, yield->operands[i]), op->results[i]);
  }
}

static void find_in_branches(Batcher *v, IrOp *op) {
  bool all = batch_is(v, op->operands[0]);
  for (int j = 0; j < op->region_count; j++) {
    find_batched(v, op->regions[j]);
    for (uint32_t i = 0; i < op->result_count; i++)
      mark_if(v, all || batch_is(v, op->regions[j]->last->operands[i]), op->results[i]);
  }
}

static bool has_batched_bounds(const Batcher *v, const IrOp *loop) {
  return batch_is(v, loop->operands[0]) || batch_is(v, loop->operands[1]) ||
         batch_is(v, loop->operands[2]);
}

static void find_in_op(Batcher *v, IrOp *op) {
  switch (op->code) {
  case OP_FOR: {
    bool all = has_batched_bounds(v, op);
    mark_if(v, all, op->regions[0]->args[0]);
    find_in_loop(v, op, 3, all);
    return;
  }
  case OP_WHILE: find_in_loop(v, op, 0, batch_is(v, op->regions[0]->last->operands[0])); return;
  case OP_IF:
  case OP_SWITCH: find_in_branches(v, op); return;
  case OP_CORES:
    if (ir_runs_devices(op)) find_batched(v, op->regions[0]);
    return;
  case OP_LAUNCH:
    if (batch_launch_is(v, op)) effects_visit_written(op, mark_written, v);
    return;
  case OP_GATHER_BATCH:
    if (!batch_is(v, op->operands[1])) mark_if(v, batch_is(v, op->operands[0]), op->results[0]);
    return;
  default:
    // A copy is batched if its source is.
    if (effects_reads(op, 0) && effects_writes(op, 1) ? !batch_is(v, op->operands[0])
                                                      : !batch_any(v, op))
      return;
    if (!op->result_count) effects_visit_written(op, mark_written, v);
    for (uint32_t i = 0; i < op->result_count; i++) mark(v, op->results[i]);
  }
}

static void find_batched(Batcher *v, IrRegion *region) {
  for (IrOp *op = region->first; op; op = op->next) find_in_op(v, op);
}

// ---- control flow ------------------------------------------------------------------------------
static bool batch_ops(Batcher *v, IrRegion *region);

// The region's ops at the end of `into`, up to the yield.
static bool batch_into(Batcher *v, IrRegion *into, IrRegion *region) {
  IrBuilder outer = v->b;
  v->b.region = into;
  v->b.before = NULL;
  bool ok = batch_ops(v, region);
  v->b.region = outer.region;
  v->b.before = outer.before;
  return ok;
}

static IrBuilder builder_at_end(const Batcher *v, IrRegion *region) {
  IrBuilder b = v->b;
  b.region = region;
  b.before = NULL;
  return b;
}

// Yields what the old region yields, with the dimension where `like` (the op's results) has it.
static void batch_yield(Batcher *v, IrRegion *into, const IrOp *yield, IrValue *const *like) {
  IrBuilder outer = v->b;
  v->b = builder_at_end(v, into);
  IrValue **values = ARENA_ARRAY(v->arena, IrValue *, yield->operand_count);
  for (uint32_t i = 0; i < yield->operand_count; i++)
    values[i] =
        batch_is(v, like[i]) ? batch_full(v, yield->operands[i]) : batch_get(v, yield->operands[i]);
  ir_yield(&v->b, yield->operand_count, values);
  v->b = outer;
}

static bool result_types(Batcher *v, const IrOp *op, const IrType **types) {
  for (uint32_t i = 0; i < op->result_count; i++) {
    types[i] = op->results[i]->type;
    if (batch_is(v, op->results[i])) types[i] = batch_type(v, op, types[i]);
    if (!types[i]) return false;
  }
  return true;
}

static IrValue **initial_carries(Batcher *v, IrOp *op, uint32_t first) {
  IrValue **carries = ARENA_ARRAY(v->arena, IrValue *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; i++)
    carries[i] = batch_is(v, op->results[i]) ? batch_full(v, op->operands[first + i])
                                             : batch_get(v, op->operands[first + i]);
  return carries;
}

static void set_results(Batcher *v, IrOp *op, IrOp *with) {
  for (uint32_t i = 0; i < op->result_count; i++) batch_set(v, op->results[i], with->results[i]);
}

static bool batch_for(Batcher *v, IrOp *op) {
  IrRegion *old = op->regions[0];
  IrOp *with = ir_for(&v->b, batch_get(v, op->operands[0]), batch_get(v, op->operands[1]),
                      batch_get(v, op->operands[2]), op->result_count, initial_carries(v, op, 3));
  ir_copy_attrs(v->module, with, op);
  IrRegion *body = with->regions[0];
  for (uint32_t i = 0; i < old->arg_count; i++) batch_set(v, old->args[i], body->args[i]);
  if (!batch_into(v, body, old)) return false;
  batch_yield(v, body, old->last, op->results);
  set_results(v, op, with);
  return true;
}

static IrOp *new_while(Batcher *v, size_t count, IrValue *const *carries) {
  const IrType **types = ARENA_ARRAY(v->arena, const IrType *, count);
  for (size_t i = 0; i < count; i++) types[i] = carries[i]->type;
  IrOp *op = ir_build(&v->b, OP_WHILE, count, carries, count, types);
  for (int j = 0; j < 2; j++) {
    IrRegion *region = ir_add_region(v->module, op);
    for (size_t i = 0; i < count; i++) ir_region_add_arg(region, types[i], carries[i]->name);
  }
  return op;
}

// Makes the old region's ops anew in `into`, its arguments being `args`.
static bool batch_with_args(Batcher *v, IrRegion *into, IrRegion *old, IrValue *const *args) {
  for (uint32_t i = 0; i < old->arg_count; i++) batch_set(v, old->args[i], args[i]);
  return batch_into(v, into, old);
}

static bool batch_while(Batcher *v, IrOp *op) {
  IrOp *with = new_while(v, op->result_count, initial_carries(v, op, 0));
  for (int j = 0; j < 2; j++)
    if (!batch_with_args(v, with->regions[j], op->regions[j], with->regions[j]->args)) return false;
  IrBuilder b = builder_at_end(v, with->regions[0]);
  IrValue *test = batch_get(v, op->regions[0]->last->operands[0]);
  ir_yield(&b, 1, &test);
  batch_yield(v, with->regions[1], op->regions[1]->last, op->results);
  set_results(v, op, with);
  return true;
}

// ---- branches and loops that differ within the batch -------------------------------------------
// Whether running the region when it ought not to run is not noticed: it writes only memory of its
// own.
typedef struct Confined {
  Map *allocs;
  bool ok;
} Confined;

// What a launch's body writes through its arguments is asked of the launch.
static void check_written(IrValue *ref, void *data) {
  Confined *c = data;
  const IrValue *root = ir_ref_root(ref);
  bool is_argument =
      root->region && root->region->parent && root->region->parent->code == OP_LAUNCH;
  c->ok &= is_argument || map_has(c->allocs, root);
}

static void check_confined(IrOp *op, void *data) {
  Confined *c = data;
  if (op->code == OP_ALLOC) map_set(c->allocs, op->results[0], NULL);
  effects_visit_written(op, check_written, c);
  c->ok &= !effects_is_ordered(op->code);
}

static bool need_confined(Batcher *v, const IrOp *op, const char *what) {
  Confined c = {.allocs = map_new(v->arena), .ok = true};
  for (int i = 0; i < op->region_count; i++) ir_walk(op->regions[i], check_confined, &c);
  return c.ok || batch_fail(v, op,
                            "%s differs within the batch, and its body writes to refs or has "
                            "other effects",
                            what);
}

// pred (one bool for each element of the batch) ? x : y
static IrValue *select_batch(Batcher *v, IrValue *pred, IrValue *x, IrValue *y) {
  const IrType *type = ir_type_with_dtype(v->module, x->type, DT_BOOL);
  return ir_select(&v->b, ir_broadcast(&v->b, pred, type, (int64_t[]){0}), x, y);
}

static IrValue *batch_reduce(Batcher *v, OpCode code, IrValue *x) {
  return ir_reduce(&v->b, code, x, 1, (int64_t[]){0});
}

// Runs while any element's test holds; those whose test does not hold keep their carries.
static bool batch_while_any(Batcher *v, IrOp *op) {
  if (!need_confined(v, op, "the condition of a while loop")) return false;
  IrRegion *test = op->regions[0], *old = op->regions[1];
  IrOp *with = new_while(v, op->result_count, initial_carries(v, op, 0));
  IrRegion *body = with->regions[1];
  if (!batch_with_args(v, with->regions[0], test, with->regions[0]->args)) return false;
  IrBuilder outer = v->b;
  v->b = builder_at_end(v, with->regions[0]);
  IrValue *any = batch_reduce(v, OP_REDUCE_OR, batch_full(v, test->last->operands[0]));
  ir_yield(&v->b, 1, &any);
  v->b = outer;
  if (!batch_with_args(v, body, test, body->args)) return false;
  IrValue *pred = batch_get(v, test->last->operands[0]);
  if (!batch_with_args(v, body, old, body->args)) return false;
  v->b = builder_at_end(v, body);
  IrValue **next = ARENA_ARRAY(v->arena, IrValue *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; i++)
    next[i] = select_batch(v, pred, batch_full(v, old->last->operands[i]), body->args[i]);
  ir_yield(&v->b, op->result_count, next);
  v->b = outer;
  set_results(v, op, with);
  return true;
}

// As many trips as the element that has most; trip t of an element has index lower + t * step.
static bool batch_for_any(Batcher *v, IrOp *op) {
  if (!need_confined(v, op, "the number of trips of a loop")) return false;
  IrBuilder *b = &v->b;
  IrRegion *old = op->regions[0];
  IrValue *lower = batch_full(v, op->operands[0]), *step = batch_full(v, op->operands[2]);
  IrValue *span = ir_binary(b, OP_SUB, batch_full(v, op->operands[1]), lower);
  IrValue *one = ir_const_i64(b, step->type, 1), *zero = ir_const_i64(b, step->type, 0);
  IrValue *up =
      ir_binary(b, OP_ADD, ir_binary(b, OP_MAX, span, zero), ir_binary(b, OP_SUB, step, one));
  IrValue *trips = ir_binary(b, OP_DIV, up, step);
  IrValue *most = batch_reduce(v, OP_REDUCE_MAX, trips);
  IrOp *with =
      ir_for(b, ir_i32(b, 0), most, ir_i32(b, 1), op->result_count, initial_carries(v, op, 3));
  ir_set_int(v->module, with, ATTR_UNROLL, ir_attr_int(op, ATTR_UNROLL));
  IrRegion *body = with->regions[0];
  IrBuilder outer = v->b;
  v->b = builder_at_end(v, body);
  IrValue *trip = batch_broadcast(v, body->args[0]);
  IrValue *active = ir_binary(b, OP_LT, trip, trips);
  batch_set(v, old->args[0], ir_binary(b, OP_ADD, lower, ir_binary(b, OP_MUL, trip, step)));
  for (uint32_t i = 1; i < old->arg_count; i++) batch_set(v, old->args[i], body->args[i]);
  if (!batch_into(v, body, old)) return false;
  IrValue **next = ARENA_ARRAY(v->arena, IrValue *, op->result_count);
  for (uint32_t i = 0; i < op->result_count; i++)
    next[i] = select_batch(v, active, batch_full(v, old->last->operands[i]), body->args[1 + i]);
  ir_yield(b, op->result_count, next);
  v->b = outer;
  set_results(v, op, with);
  return true;
}

static bool batch_branches(Batcher *v, IrOp *op) {
  const IrType **types = ARENA_ARRAY(v->arena, const IrType *, op->result_count);
  if (!result_types(v, op, types)) return false;
  IrValue *choice = batch_get(v, op->operands[0]);
  IrOp *with = ir_build(&v->b, op->code, 1, &choice, op->result_count, types);
  for (int i = 0; i < op->region_count; i++) {
    IrRegion *region = ir_add_region(v->module, with);
    if (!batch_into(v, region, op->regions[i])) return false;
    batch_yield(v, region, op->regions[i]->last, op->results);
  }
  set_results(v, op, with);
  return true;
}

// All branches run; each element picks from its own.
static bool batch_branches_all(Batcher *v, IrOp *op) {
  bool is_if = op->code == OP_IF;
  if (!need_confined(v, op, is_if ? "the condition of a branch" : "the index of a switch"))
    return false;
  IrBuilder *b = &v->b;
  IrValue *choice = batch_full(v, op->operands[0]);
  IrValue **picked = ARENA_ARRAY(v->arena, IrValue *, op->result_count);
  // The last branch first, so that `if` picks its first where the condition holds.
  for (int j = op->region_count - 1; j >= 0; j--) {
    const IrOp *yield = op->regions[j]->last;
    if (!batch_ops(v, op->regions[j])) return false;
    bool is_last = j == op->region_count - 1;
    IrValue *here = choice;
    if (!is_if && !is_last) {
      IrValue *number = ir_const_i64(b, choice->type, j);
      here = ir_binary(b, j == 0 ? OP_LE : OP_EQ, choice, number);
    }
    for (uint32_t i = 0; i < op->result_count; i++) {
      IrValue *x = batch_full(v, yield->operands[i]);
      picked[i] = is_last ? x : select_batch(v, here, x, picked[i]);
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) batch_set(v, op->results[i], picked[i]);
  return true;
}

// ---- collectives -------------------------------------------------------------------------------
// Over the axis of this batch the result is the operand with its batch. Over that of a vmap further
// out it is left to that one.
static bool batch_gather_batch(Batcher *v, IrOp *op) {
  IrValue *x = batch_full(v, op->operands[0]), *index = batch_get(v, op->operands[1]);
  if (batch_is(v, op->operands[1])) {
    batch_set(v, op->results[0], x);
    return true;
  }
  int64_t dims[IR_MAX_RANK + 1] = {op->results[0]->type->dims[0]};
  if (!batch_type(v, op, op->results[0]->type)) return false;
  memcpy(dims + 1, x->type->dims, x->type->rank * sizeof *dims);
  const IrType *type = ir_type_with_dims(v->module, x->type, x->type->rank + 1u, dims);
  IrOp *with = ir_build(&v->b, OP_GATHER_BATCH, 2, (IrValue *[]){x, index}, 1, &type);
  batch_set(v, op->results[0], batch_to_front(v, with->results[0], 1));
  return true;
}

// The programs of devices do for the whole batch what they do: they meet once.
static bool batch_cores(Batcher *v, IrOp *op) {
  if (!ir_runs_devices(op))
    return batch_fail(v, op,
                      "mpmd_map only supports batching with a batch dimension of 1, got %lld",
                      (long long)v->size);
  IrOp *with = batch_build(v, op, 0, NULL, 0, NULL);
  IrRegion *old = op->regions[0], *program = ir_add_region(v->module, with);
  for (uint32_t i = 0; i < old->arg_count; i++)
    batch_set(v, old->args[i], ir_region_add_arg(program, old->args[i]->type, old->args[i]->name));
  if (!batch_into(v, program, old)) return false;
  IrBuilder b = builder_at_end(v, program);
  ir_yield(&b, 0, NULL);
  return true;
}

// The memory that devices exchange in stands in front of their programs.
static void make_exchanges(Batcher *v) {
  IrBuilder outer = v->b;
  for (size_t i = 0; i < v->exchanges.count; i++) {
    IrOp *alloc = v->exchanges.items[i];
    const IrType *type = batch_type(v, alloc, alloc->results[0]->type);
    if (!type) continue;
    v->b.region = alloc->parent;
    v->b.before = alloc;
    batch_set(v, alloc->results[0], ir_alloc(&v->b, type, ir_attr_str(alloc, ATTR_NAME)));
  }
  v->b = outer;
}

// ---- effects, one after the other --------------------------------------------------------------
IrValue *batch_element(IrBuilder *b, IrValue *x, IrValue *index) {
  IrValue *starts[IR_MAX_RANK] = {index}, *zero = ir_i32(b, 0);
  int64_t sizes[IR_MAX_RANK] = {1};
  for (int d = 1; d < x->type->rank; d++) {
    starts[d] = zero;
    sizes[d] = x->type->dims[d];
  }
  return ir_reshape(b, ir_dynamic_slice(b, x, starts, sizes), x->type->rank - 1u,
                    x->type->dims + 1);
}

// debug_print and check: a loop over the elements of the batch.
static bool batch_one_by_one(Batcher *v, IrOp *op) {
  IrBuilder *b = &v->b;
  IrOp *loop = ir_for(b, ir_i32(b, 0), ir_i32(b, (int32_t)v->size), ir_i32(b, 1), 0, NULL);
  IrValue *element = loop->regions[0]->args[0];
  IrBuilder outer = v->b;
  v->b = builder_at_end(v, loop->regions[0]);
  IrValue **operands = ARENA_ARRAY(v->arena, IrValue *, op->operand_count);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    IrValue *x = batch_get(v, op->operands[i]);
    operands[i] = batch_is(v, op->operands[i]) ? batch_element(b, x, element) : x;
  }
  batch_build(v, op, op->operand_count, operands, 0, NULL);
  ir_yield(b, 0, NULL);
  v->b = outer;
  return true;
}

// ---- all ops -----------------------------------------------------------------------------------
// An op that has nothing to do with the batch.
static void keep(Batcher *v, IrOp *op) {
  Map *values = v->values;
  ir_op_clone(&v->b, op, values);
}

static bool has_batched_inside(Batcher *v, const IrOp *op);

static bool touches_batched(Batcher *v, IrOp *op) {
  if (batch_any(v, op)) return true;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (batch_is(v, op->results[i])) return true;
  return op->code == OP_LAUNCH ? batch_launch_is(v, op) : has_batched_inside(v, op);
}

static bool has_batched_inside(Batcher *v, const IrOp *op) {
  for (int i = 0; i < op->region_count; i++)
    for (IrOp *inner = op->regions[i]->first; inner; inner = inner->next)
      if (touches_batched(v, inner)) return true;
  return false;
}

static bool batch_op(Batcher *v, IrOp *op) {
  v->b.span = op->span;
  v->b.frames = op->frames;
  if (!touches_batched(v, op)) {
    keep(v, op);
    return true;
  }
  switch (op->code) {
  case OP_FOR: return has_batched_bounds(v, op) ? batch_for_any(v, op) : batch_for(v, op);
  case OP_WHILE:
    return batch_is(v, op->regions[0]->last->operands[0]) ? batch_while_any(v, op)
                                                          : batch_while(v, op);
  case OP_IF:
  case OP_SWITCH:
    return batch_is(v, op->operands[0]) ? batch_branches_all(v, op) : batch_branches(v, op);
  case OP_LAUNCH: return batch_launch(v, op);
  case OP_CORES: return batch_cores(v, op);
  case OP_GATHER_BATCH: return batch_gather_batch(v, op);
  case OP_SEM_SIGNAL:
  case OP_SEM_WAIT:
    return batch_fail(v, op, "a count or a device of '%s' differs within the batch",
                      op_info(op->code)->name);
  case OP_DEBUG_PRINT:
  case OP_CHECK: return batch_one_by_one(v, op);
  case OP_PRNG_SEED: return batch_fail(v, op, "a seed of the core's generator cannot be batched");
  case OP_FUSE: return batch_fail(v, op, "'%s' has no batching rule", op_info(op->code)->name);
  default: break;
  }
  return op_info(op->code)->op_class == CLASS_REF ? batch_memory_op(v, op) : batch_array_op(v, op);
}

// All but the yield.
static bool batch_ops(Batcher *v, IrRegion *region) {
  for (IrOp *op = region->first; op && op->code != OP_YIELD; op = op->next)
    if (!batch_op(v, op)) return false;
  return true;
}

typedef struct Gathers {
  Batcher *v;
  VEC(IrOp *) items;
} Gathers;

static void find_gather(IrOp *op, void *data) {
  Gathers *g = data;
  if (op->code == OP_GATHER_BATCH && op->operands[1]->region == g->v->region)
    VEC_PUSH(g->v->arena, &g->items, op);
}

// A batch of one: everything is done once, without the dimension.
static void batch_single(Batcher *v, IrRegion *region, const bool *batched) {
  for (uint32_t i = 0; i < region->arg_count; i++) {
    IrValue *x = map_get(v->values, region->args[i]);
    if (batched[i])
      map_set(v->values, region->args[i],
              ir_reshape(&v->b, x, x->type->rank - 1u, x->type->dims + 1));
  }
  Gathers g = {.v = v};
  ir_walk(region, find_gather, &g);
  for (size_t i = 0; i < g.items.count; i++) {
    IrOp *op = g.items.items[i];
    const IrType *type = op->results[0]->type;
    IrBuilder b = ir_builder_before(op);
    ir_replace_uses(region, op->results[0],
                    ir_reshape(&b, op->operands[0], type->rank, type->dims));
    ir_op_remove(op);
  }
}

bool batch_region(IrBuilder *b, IrRegion *region, int64_t size, IrValue *const *args,
                  const bool *batched, IrValue **results) {
  Session *session = b->module->session;
  Batcher v = {.module = b->module, .session = session, .region = region, .size = size, .b = *b};
  v.arena = arena_new_child(session->arena);
  v.batched = map_new(v.arena);
  v.values = map_new(v.arena);
  v.lazy = map_new(v.arena);
  for (uint32_t i = 0; i < region->arg_count; i++) {
    map_set(v.values, region->args[i], args[i]);
    if (batched[i] && size != 1) map_set(v.batched, region->args[i], NULL);
  }
  if (size == 1) batch_single(&v, region, batched);
  do {
    v.changed = false;
    find_batched(&v, region);
  } while (v.changed);
  make_exchanges(&v);
  bool ok = batch_ops(&v, region);
  const IrOp *yield = region->last;
  for (uint32_t i = 0; ok && i < yield->operand_count; i++)
    results[i] = batch_full(&v, yield->operands[i]);
  arena_free(v.arena);
  return ok;
}
