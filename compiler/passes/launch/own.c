// SPDX-License-Identifier: Apache-2.0
// own: VMEM, SMEM and semaphores from outside of kernels on several cores have a part for each
// core.
//   takes:  launches as they were recorded, which share such memory
//   makes:  memory with parts (ATTR_PER_CORE), of which each core sees its own, through views
//   breaks: nothing
//   not:    memory that is bound to the core of another mesh (ATTR_OWNER); HBM, which is shared
//
// What is no kernel, or runs on one core, reads the first core's part; what the program itself
// writes there is written to all of them.
#include "ir/analysis/effects.h"
#include "ir/core/place.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_memory.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch.h"

typedef struct Own {
  PassContext *ctx;
  IrOp *alloc;
  int64_t cores;      // of the launches that share it; 0: none of several
  const IrOp *launch; // the first of them
  bool is_mixed;      // they run on different numbers of cores, or several programs at once
  IrValue *whole;     // the memory of all cores
  // While one program, or one write, is looked at: its region, what goes in front of `builder`, and
  // what it sees instead of the memory and of views of it.
  const IrRegion *program;
  IrBuilder builder;
  Map *seen;
  VEC(IrOp *) launches; // those on several cores
  VEC(IrOp *) writes;   // of the program itself
  bool is_refused;
} Own;

static bool has_own_parts(const IrOp *op) {
  if (op->code != OP_ALLOC || ir_attr_int(op, ATTR_PER_CORE) || ir_attr_int(op, ATTR_OWNER))
    return false;
  MemSpace space = op->results[0]->type->space;
  return space == SPACE_VMEM || space == SPACE_SMEM || space == SPACE_CMEM || space == SPACE_SEM;
}

static bool is_in_kernel(const IrOp *op) {
  for (const IrRegion *region = op->parent; region; region = ir_region_outer(region))
    if (region->parent && (region->parent->code == OP_LAUNCH || ir_runs_cores(region->parent)))
      return true;
  return false;
}

static bool is_root(const Own *o, const IrValue *ref) {
  return ref->type->is_ref && ir_ref_root(ref)->def == o->alloc;
}

// ---- who shares it ------------------------------------------------------------------------------
typedef struct UseSearch {
  const Own *own;
  bool found;
} UseSearch;

static void find_use(const IrOp *op, void *data) {
  UseSearch *search = data;
  for (uint32_t i = 0; i < op->operand_count; i++)
    search->found |= is_root(search->own, op->operands[i]);
}

static bool uses(const Own *o, const IrRegion *region) {
  UseSearch search = {.own = o};
  ir_walk_const(region, find_use, &search);
  return search.found;
}

static bool is_write(const Own *o, const IrOp *op) {
  const IrValue *ref = op->region_count ? NULL : effects_written(op);
  return ref && is_root(o, ref);
}

static void note_launch(Own *o, IrOp *launch) {
  IrMeshes meshes = ir_attr_meshes(launch);
  for (size_t i = 0; i < meshes.count; i++) {
    int64_t cores = ir_mesh_size(&meshes.items[i]);
    if (cores == 1 || !uses(o, launch->regions[i])) continue;
    o->is_mixed |= (o->cores && o->cores != cores) || meshes.count > 1;
    o->cores = cores;
    if (!o->launch) o->launch = launch;
    VEC_PUSH(o->ctx->arena, &o->launches, launch);
  }
}

static void look(IrOp *op, void *data) {
  Own *o = data;
  if (is_in_kernel(op)) return;
  if (ir_runs_cores(op))
    note_launch(o, op);
  else if (is_write(o, op))
    VEC_PUSH(o->ctx->arena, &o->writes, op);
}

static void refuse(Own *o, const IrOp *op, const char *why) {
  Diag *diag =
      diag_error(o->ctx->session, op->span,
                 "%s made outside of a kernel, of which each of %lld cores has its own, "
                 "is not yet supported %s",
                 o->alloc->results[0]->type->space == SPACE_SEM ? "a semaphore" : "VMEM or SMEM",
                 (long long)o->cores, why);
  ir_diag_frames(o->ctx->session, diag, op->frames);
  o->is_refused = true;
}

// ---- parts --------------------------------------------------------------------------------------
// A part of all cores' memory; `number` is an i32, or NULL for a known one.
static IrValue *part_of(Own *o, IrBuilder *b, IrValue *number, int64_t known) {
  IrIndex index;
  ir_index_full(o->whole->type, &index);
  index.dims[0] = (IndexDim){INDEX_SCALAR, known, number ? 0 : -1, 1, -1, 1};
  IrValue *part = ir_view(b, o->whole, &index, number ? 1 : 0, &number);
  part->name = o->whole->name;
  return part;
}

// What is seen instead of a view of the memory.
static IrValue *seen_as(Own *o, IrOp *user, IrValue *ref) {
  IrValue *known = map_get(o->seen, ref);
  if (known) return known;
  for (uint32_t i = 1; i < ref->def->operand_count; i++)
    if (o->program && ref->def->operands[i]->type->rank)
      refuse(o, user, "where an array from outside indexes it");
  IrValue *below = seen_as(o, user, ref->def->operands[0]);
  map_set(o->seen, ref->def->operands[0], below);
  return ir_op_clone(&o->builder, ref->def, o->seen)->results[0];
}

static void see_own(IrOp *op, void *data) {
  Own *o = data;
  for (uint32_t i = 0; i < op->operand_count && !o->is_refused; i++) {
    IrValue *ref = op->operands[i];
    if (is_root(o, ref) && !ir_region_is_in(ir_value_region(ref), o->program))
      ir_set_operand(op, i, seen_as(o, op, ref));
  }
}

static void give_parts(Own *o, IrOp *launch) {
  IrRegion *program = launch->regions[0];
  o->program = program;
  o->builder = (IrBuilder){o->ctx->module, program, program->first, launch->span, launch->frames};
  o->seen = map_new(o->ctx->arena);
  IrValue *number = launch_device(&o->builder, program, ir_program_mesh(program));
  map_set(o->seen, o->alloc->results[0], part_of(o, &o->builder, number, 0));
  ir_walk(program, see_own, o);
}

// What the program writes to the first core's part is written to the others as well.
static void write_others(Own *o, IrOp *write) {
  o->program = NULL;
  for (int64_t core = 1; core < o->cores; core++) {
    o->builder = ir_builder_before(write);
    o->seen = map_new(o->ctx->arena);
    map_set(o->seen, o->alloc->results[0], part_of(o, &o->builder, NULL, core));
    for (uint32_t i = 0; i < write->operand_count; i++)
      if (is_root(o, write->operands[i]))
        map_set(o->seen, write->operands[i], seen_as(o, write, write->operands[i]));
    ir_op_clone(&o->builder, write, o->seen);
  }
}

static void begin_whole(IrOp *op, void *data) {
  const Own *o = data;
  if (op->code == OP_BEGIN && op->operands[0] == o->alloc->results[0])
    ir_set_operand(op, 0, o->whole);
}

static void widen(Own *o) {
  IrOp *alloc = o->alloc;
  const IrType *type = alloc->results[0]->type;
  IrModule *m = o->ctx->module;
  int64_t dims[IR_MAX_RANK] = {o->cores};
  for (int i = 0; i < type->rank; i++) dims[i + 1] = type->dims[i];
  IrBuilder b = ir_builder_before(alloc);
  size_t rank = (size_t)type->rank + 1;
  o->whole = ir_alloc(&b, ir_type_with_dims(m, type, rank, dims), ir_attr_str(alloc, ATTR_NAME));
  o->whole->name = alloc->results[0]->name;
  ir_set_int(m, o->whole->def, ATTR_PER_CORE, 1);
  ir_set_int(m, o->whole->def, ATTR_OWNER, 1);
  for (size_t i = 0; i < o->launches.count; i++) give_parts(o, o->launches.items[i]);
  for (size_t i = 0; i < o->writes.count; i++) write_others(o, o->writes.items[i]);
  ir_walk(alloc->parent, begin_whole, o);
  ir_replace_uses(alloc->parent, alloc->results[0], part_of(o, &b, NULL, 0));
  ir_op_remove(alloc);
}

static bool share(PassContext *ctx, IrOp *alloc) {
  Own o = {.ctx = ctx, .alloc = alloc};
  ir_walk(alloc->parent, look, &o);
  if (!o.cores) return true;
  if (o.is_mixed)
    refuse(&o, o.launch, "where kernels on other numbers of cores, or of several meshes, use it");
  else if (alloc->results[0]->type->rank == IR_MAX_RANK)
    refuse(&o, o.launch, "with so many dimensions");
  else
    widen(&o);
  return !o.is_refused;
}

typedef struct Allocs {
  Arena *arena;
  VEC(IrOp *) items;
} Allocs;

static void note_alloc(IrOp *op, void *data) {
  Allocs *allocs = data;
  if (has_own_parts(op) && !is_in_kernel(op)) VEC_PUSH(allocs->arena, &allocs->items, op);
}

bool pass_own(PassContext *ctx) {
  Allocs allocs = {.arena = ctx->arena};
  ir_walk_module(ctx->module, note_alloc, &allocs);
  bool good = true;
  for (size_t i = 0; i < allocs.items.count; i++) good &= share(ctx, allocs.items.items[i]);
  return good;
}
