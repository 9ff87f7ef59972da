// SPDX-License-Identifier: Apache-2.0
// forward: elides the copies of blocks, and turns launches that only walk over their arrays into
// whole-array code.
//   takes:  launches
//   makes:  blocks IN_PLACE; launches without their tiles (untile.c)
//   breaks: nothing
//   not:    anything under check or at -O0 (but a record of it), where every window is a buffer as
//   on the chip; bodies
//           that communicate with other programs; whole-array code of those that start copies
//
// A COPIED input may be used in place if the body does not write it, nobody writes its array during
// the launch, and every window lies whole inside the array. A COPIED output may be written in place
// if its array is no other block's, the body does not get at it otherwise, and every window lies
// whole inside: what a window holds before it is written is unspecified, and revisiting a block
// after another is undefined. So may one that is fetched as well: what it would fetch is there.
//
// What is reshaped around a launch is not copied for it: the launch gets a view of the array that
// was reshaped, and writes its result through a view of the output.
#include "ir/analysis/access.h"
#include "ir/analysis/effects.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch.h"
#include "separate.h"

// Whether every window lies whole inside the array, so that none is clipped.
static bool windows_fit(const IrOp *launch, size_t block_index, const IrBlock *block,
                        const IrType *array) {
  for (int i = 0; i < block->rank; i++) {
    const BlockDim *dim = &block->dims[i];
    if (dim->size > array->dims[i]) return false;
    if (launch_start_is_inside(launch, ir_launch_index_map(launch, block_index), i, dim,
                               array->dims[i]))
      continue;
    // May start anywhere.
    if (dim->kind == BLOCK_ELEMENT || dim->kind == BLOCK_BOUNDED) return false;
    if (array->dims[i] % dim->size != 0) return false;
  }
  return true;
}

// ---- why a block is copied ----------------------------------------------------------------------
static Reason because_of_block(ReasonId id, const LaunchParts *parts, size_t other) {
  return (Reason){id, parts->blocks[other].span, launch_block_name(parts, other)};
}

static Reason because(ReasonId id) { return (Reason){.id = id}; }

static Reason why_shared(const LaunchParts *parts, size_t block) {
  for (size_t j = 0; j < parts->block_count; j++)
    if (j != block && ir_ref_root(parts->arrays[j]) == ir_ref_root(parts->arrays[block]))
      return because_of_block(REASON_COPIED_SHARED, parts, j);
  return because(REASON_NONE);
}

// Whether the array may be written while the launch runs, as a block or directly.
static Reason why_written(const LaunchParts *parts, size_t block) {
  if (effects_region_writes(parts->body, ir_ref_root(parts->arrays[block])))
    return because(REASON_COPIED_ARRAY_WRITTEN);
  for (size_t j = 0; j < parts->block_count; j++) {
    if (ir_ref_root(parts->arrays[j]) != ir_ref_root(parts->arrays[block])) continue;
    if (parts->blocks[j].dir != BLOCK_IN ||
        (parts->blocks[j].mode == BLOCK_WHOLE &&
         effects_region_writes(parts->body, parts->body->args[parts->first_block + j])))
      return j == block ? because(REASON_COPIED_CHANGED)
                        : because_of_block(REASON_COPIED_ALIAS, parts, j);
  }
  return because(REASON_NONE);
}

// REASON_NONE: it may be used in place.
static Reason why_copied(const IrOp *launch, const LaunchParts *parts, size_t i) {
  const IrBlock *block = &parts->blocks[i];
  if (!windows_fit(launch, i, block, parts->arrays[i]->type)) return because(REASON_COPIED_EDGE);
  if (block->dir != BLOCK_IN) {
    Reason shared = why_shared(parts, i);
    bool is_captured = shared.id == REASON_NONE && launch_captures(launch, parts->arrays[i]);
    return is_captured ? because(REASON_COPIED_CAPTURED) : shared;
  }
  Reason written = why_written(parts, i);
  bool is_changed = written.id == REASON_NONE &&
                    effects_region_writes(parts->body, parts->body->args[parts->first_block + i]);
  return is_changed ? because(REASON_COPIED_CHANGED) : written;
}

// ---- what is reported of it --------------------------------------------------------------------
static int64_t window_bytes(const IrBlock *block, const IrType *array) {
  int64_t bytes = (int64_t)dtype_size(array->dtype);
  for (int i = 0; i < block->rank; i++) bytes *= block->dims[i].size;
  return bytes;
}

static void report_block(PassContext *ctx, RemarkItem *kernel, const LaunchParts *parts, size_t i,
                         const Reason *why) {
  static const char *const modes[] =
      {[BLOCK_COPIED] = "copied", [BLOCK_IN_PLACE] = "in place", [BLOCK_WHOLE] = "the whole array"},
                           *const directions[] = {[BLOCK_IN] = "input",
                                                  [BLOCK_OUT] = "output",
                                                  [BLOCK_IN_OUT] = "input and output"};
  const IrBlock *block = &parts->blocks[i];
  Session *session = ctx->session;
  RemarkItem *item =
      remark_part(session, kernel, REMARK_BLOCK, block->span, launch_block_name(parts, i));
  remark_text(session, item, FACT_DIRECTION, str_from_c(directions[block->dir]));
  if (block->mode != BLOCK_WHOLE)
    remark_number(session, item, FACT_WINDOW_BYTES, window_bytes(block, parts->arrays[i]->type));
  remark_text(session, item, FACT_PLACE, str_from_c(modes[block->mode]));
  remark_reason(session, item, why);
}

// A launch that stays one, with its blocks as they are or may be used in place.
static void keep_launch(PassContext *ctx, const IrOp *launch, const Reason *why, ReasonId all) {
  RemarkItem *kernel = remark_kernel(ctx->session, launch);
  remark_text(ctx->session, kernel, FACT_FORM, STR("loops over the grid"));
  remark_reason(ctx->session, kernel, why);
  LaunchParts parts;
  launch_parts(ctx->arena, launch, &parts);
  for (size_t i = 0; i < parts.block_count; i++) {
    Reason copied = because(REASON_NONE);
    if (parts.blocks[i].mode == BLOCK_COPIED) {
      copied = all == REASON_NONE ? why_copied(launch, &parts, i) : because(all);
      if (copied.id == REASON_NONE) parts.blocks[i].mode = BLOCK_IN_PLACE;
    }
    report_block(ctx, kernel, &parts, i, &copied);
  }
}

static void report_grid(PassContext *ctx, const IrOp *launch) {
  RemarkItem *kernel = remark_kernel(ctx->session, launch);
  IrInts grid = ir_attr_ints(launch, ATTR_GRID);
  if (grid.count) remark_numbers(ctx->session, kernel, FACT_GRID, grid.count, grid.items);
}

// ---- results written where they are wanted ------------------------------------------------------

static bool is_full_access(const IrOp *op) { return !access_is_masked(op) && access_is_whole(op); }

// The load that a value is the elements of, in the same order; NULL if there is none in this
// region.
static IrOp *reshaped_load(const IrValue *value, const IrRegion *region) {
  while (value->def && value->def->code == OP_RESHAPE) value = value->def->operands[0];
  IrOp *load = value->def;
  return load && load->code == OP_LOAD && load->parent == region && is_full_access(load) ? load
                                                                                         : NULL;
}

static void remove_unused(IrValue *value) {
  while (value->def && value->use_count == 0 &&
         (value->def->code == OP_RESHAPE || value->def->code == OP_LOAD)) {
    IrOp *op = value->def;
    value = op->operands[0];
    ir_op_remove(op);
  }
}

// A ref of the same elements in the shape of `like`, made where `before` stands.
static IrValue *reshaped_ref(IrOp *before, IrValue *ref, const IrType *like) {
  if (ref->type == like) return ref;
  IrBuilder b = ir_builder_before(before);
  return ir_build(&b, OP_REF_RESHAPE, 1, &ref, 1, &like)->results[0];
}

static bool is_own_array(const IrFunc *func, const IrValue *ref) {
  return ref->def && ref->def->code == OP_ALLOC && ref->def->parent == func->body &&
         ref->type->space == SPACE_HBM;
}

// `store (load %buffer), %out` at the end of a function, where %buffer is memory of the function's
// own: the buffer is %out itself, in another shape if the elements are reshaped on the way.
static void forward_result(IrFunc *func, IrOp *store) {
  IrValue *out = store->operands[1], *value = store->operands[0];
  if (out->def || out->region != func->body || func->params[out->index].role != PARAM_OUT ||
      out->use_count != 1)
    return;
  const IrOp *load = reshaped_load(value, func->body);
  if (!load || !is_own_array(func, load->operands[0]) || !is_full_access(store)) return;
  IrValue *buffer = load->operands[0];
  for (const IrOp *op = load->next; op; op = op->next)
    if (effects_op_writes(op, buffer)) return;
  IrOp *alloc = buffer->def;
  ir_op_remove(store);
  ir_replace_uses(func->body, buffer, reshaped_ref(alloc, out, buffer->type));
  ir_op_remove(alloc);
  remove_unused(value);
}

// `%v = load %x; store %v, %buffer; …; store (load %buffer), %x`, where %x is input and output and
// nobody else gets at it, and %buffer is memory of the function's own: the buffer is %x.
static bool forward_in_place(const IrFunc *func, IrOp *store) {
  IrValue *x = store->operands[1], *value = store->operands[0];
  if (x->def || x->region != func->body || func->params[x->index].role != PARAM_IN_OUT ||
      x->use_count != 2 || value->use_count != 1 || !is_full_access(store))
    return false;
  const IrOp *last = value->def;
  if (!last || last->code != OP_LOAD || last->parent != func->body || !is_full_access(last) ||
      !is_own_array(func, last->operands[0]))
    return false;
  IrValue *buffer = last->operands[0];
  IrOp *first = launch_first_store(buffer); // that fills the buffer with what is in %x
  if (!first || !is_full_access(first) || first->operands[0]->use_count != 1) return false;
  IrOp *load = first->operands[0]->def;
  if (!load || load->code != OP_LOAD || load->operands[0] != x || !is_full_access(load) ||
      buffer->type != x->type)
    return false;
  for (IrOp *op = buffer->def->next; op != first; op = op->next)
    if (!op || ir_op_uses(op, buffer)) return false;
  for (const IrOp *op = last->next; op; op = op->next)
    if (op != store && effects_op_writes(op, buffer)) return false;
  IrOp *alloc = buffer->def;
  ir_op_remove(store);
  ir_op_remove(first);
  remove_unused(load->results[0]);
  remove_unused(value);
  ir_replace_uses(func->body, buffer, x);
  ir_op_remove(alloc);
  return true;
}

// ---- arguments read where they are --------------------------------------------------------------

// Whether only an op of the ref's region, and those behind it, use it.
static bool is_used_only_from(const IrOp *first, const IrValue *ref) {
  uint32_t uses = ir_count_operands(first, ref);
  for (const IrOp *op = first->next; op; op = op->next) uses += ir_count_uses(op, ref);
  return uses == ref->use_count;
}

// `store (reshape (load %array)), %buffer`, where %buffer is memory of the function's own that is
// only read from there on, and nobody writes %array any more: the buffer is a view of the array.
static bool forward_argument(const IrFunc *func, IrOp *store) {
  IrValue *buffer = store->operands[1], *value = store->operands[0];
  const IrOp *load = reshaped_load(value, func->body);
  if (!load || !is_own_array(func, buffer) || !is_full_access(store)) return false;
  IrValue *array = load->operands[0];
  bool is_input =
      !array->def && array->region == func->body && func->params[array->index].role == PARAM_IN;
  if ((!is_input && !is_own_array(func, array)) || array == buffer ||
      !is_used_only_from(store, buffer))
    return false;
  for (const IrOp *op = load->next; op; op = op->next)
    if (op != store && (effects_op_writes(op, array) || effects_op_writes(op, buffer)))
      return false;
  IrOp *alloc = buffer->def;
  IrValue *view = reshaped_ref(store, array, buffer->type);
  ir_op_remove(store);
  ir_replace_uses(func->body, buffer, view);
  ir_op_remove(alloc);
  remove_unused(value);
  return true;
}

static void forward_whole(IrFunc *func) {
  for (IrOp *op = func->body->first, *next; op; op = next) {
    next = op->next;
    if (op->code == OP_STORE && !forward_argument(func, op) && !forward_in_place(func, op))
      forward_result(func, op);
  }
}

// ---- devices' results in their place ------------------------------------------------------------
// `store (load %buffer), %view` at the end of a device's program, where %buffer is its own memory
// and %view its part of an array that nobody gets at otherwise: the buffer is that part.
static void forward_part(IrRegion *device, const IrMesh *mesh, IrOp *store) {
  IrOp *load = store->operands[0]->def, *view = store->operands[1]->def;
  if (!load || load->code != OP_LOAD || load->parent != device || !view || view->code != OP_VIEW ||
      view->parent != device)
    return;
  IrValue *buffer = load->operands[0], *array = view->operands[0];
  if (!buffer->def || buffer->def->code != OP_ALLOC || buffer->def->parent != device ||
      buffer->type != view->results[0]->type)
    return;
  bool is_shared =
      array->def && array->def->code == OP_ALLOC && array->def->parent == device->parent->parent;
  bool has_other_use = ir_count_uses(device->parent, array) > ir_count_operands(view, array);
  if (!is_shared || has_other_use || view->results[0]->use_count != 1) return;
  if (!is_full_access(store) || !is_full_access(load) || !launch_is_own_part(view, device, mesh))
    return;
  for (const IrOp *op = load->next; op; op = op->next)
    if (effects_op_writes(op, buffer)) return;
  IrBuilder b = ir_builder_for(view, buffer->def);
  IrValue *operands[] = {array, launch_device(&b, device, mesh)};
  const IrType *type = buffer->type;
  IrOp *part = ir_build(&b, OP_PART, 2, operands, 1, &type);
  IrOp *alloc = buffer->def;
  IrValue *value = load->results[0];
  ir_op_remove(store);
  ir_op_remove(view);
  ir_replace_uses(device, buffer, part->results[0]);
  ir_op_remove(alloc);
  if (value->use_count == 0) ir_op_remove(load);
}

// The first op of the region that uses the ref.
static IrOp *first_use(const IrRegion *region, const IrValue *ref) {
  IrOp *op = region->first;
  while (op && !ir_op_uses(op, ref)) op = op->next;
  return op;
}

// Behind the programs of the devices, `store (load %buffer), %x`, where %x is input and output, and
// each device first fills its part of the buffer, which is the function's own, with its part of %x,
// and nobody gets at %x otherwise: the buffer is %x.
static void forward_in_place_parts(const IrFunc *func, const IrOp *cores, const IrMesh *mesh,
                                   IrOp *store) {
  const IrRegion *device = cores->regions[0];
  IrValue *x = store->operands[1];
  const IrOp *last = store->operands[0]->def;
  if (x->def || x->region != func->body || func->params[x->index].role != PARAM_IN_OUT ||
      x->use_count != 2 || !is_full_access(store) || !last || last->code != OP_LOAD ||
      last->results[0]->use_count != 1 || !is_own_array(func, last->operands[0]) ||
      !is_full_access(last))
    return;
  IrValue *buffer = last->operands[0];
  IrOp *part = first_use(device, buffer), *view = first_use(device, x);
  if (!part || part->code != OP_PART || buffer->use_count != 2 || buffer->type != x->type ||
      !view || view->code != OP_VIEW || view->results[0]->use_count != 1 ||
      !launch_is_own_part(view, device, mesh))
    return;
  IrOp *first = first_use(device, part->results[0]), *load = first_use(device, view->results[0]);
  if (!first || first->code != OP_STORE || first->operands[1] != part->results[0] ||
      !is_full_access(first) || !load || load->code != OP_LOAD || !is_full_access(load) ||
      first->operands[0] != load->results[0] || load->results[0]->use_count != 1)
    return;
  IrOp *alloc = buffer->def;
  IrValue *whole = last->results[0];
  ir_op_remove(store);
  remove_unused(whole);
  ir_op_remove(first);
  ir_op_remove(load);
  ir_op_remove(view);
  ir_replace_uses(func->body, buffer, x);
  ir_op_remove(alloc);
}

static void forward_parts(IrFunc *func) {
  for (IrOp *cores = func->body->first; cores; cores = cores->next) {
    IrMesh mesh;
    if (!launch_devices(cores, &mesh)) continue;
    for (IrOp *op = cores->regions[0]->first, *next; op; op = next) {
      next = op->next;
      if (op->code == OP_STORE) forward_part(cores->regions[0], &mesh, op);
    }
    for (IrOp *op = cores->next, *next; op; op = next) {
      next = op->next;
      if (op->code == OP_STORE) forward_in_place_parts(func, cores, &mesh, op);
    }
  }
}

// A program on each core of a mesh, which is no launch.
static void report_program(IrOp *op, void *data) {
  PassContext *ctx = data;
  if (op->code != OP_CORES) return;
  IrMeshes meshes = ir_attr_meshes(op);
  int64_t cores = 0;
  bool is_devices = ir_runs_devices(op);
  for (size_t i = 0; i < meshes.count; i++) cores += ir_mesh_size(&meshes.items[i]);
  RemarkItem *kernel = remark_kernel(ctx->session, op);
  remark_text(ctx->session, kernel, FACT_FORM,
              is_devices ? STR("a program for each device") : STR("a program for each core"));
  remark_number(ctx->session, kernel, is_devices ? FACT_DEVICES : FACT_CORES, cores);
}

// Under check, and at -O0, every window is a buffer.
static bool keeps_all(PassContext *ctx) {
  bool check = ctx->options->check;
  if (!check && ctx->options->opt_level) return false;
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) launches_of(func, &list);
  const Reason why = because(check ? REASON_WALKED_CHECK : REASON_WALKED_LEVEL);
  for (size_t i = 0; i < list.ops.count; i++) {
    report_grid(ctx, list.ops.items[i]);
    keep_launch(ctx, list.ops.items[i], &why, check ? REASON_COPIED_CHECK : REASON_COPIED_LEVEL);
  }
  return true;
}

// An op by which other programs may have to do with the windows: they copy from and to them, or
// learn when they may.
static bool meets_others(const IrOp *op) {
  if (!effects_communicates(op->code) || op->code == OP_COPY_WAIT || op->code == OP_SEM_WAIT)
    return false;
  bool is_own = op->code == OP_COPY_START || op->code == OP_SEM_SIGNAL;
  return !is_own || ir_attr_int(op, ATTR_TARGET);
}

static void forward_launch(PassContext *ctx, IrOp *launch) {
  report_grid(ctx, launch);
  Reason why = because(REASON_WALKED_COMMUNICATES);
  if (effects_region_communicates(launch->regions[0])) {
    bool is_alone = !effects_region_has(launch->regions[0], meets_others);
    keep_launch(ctx, launch, &why, is_alone ? REASON_NONE : REASON_COPIED_COMMUNICATES);
    return;
  }
  RemarkItem *kernel = remark_kernel(ctx->session, launch);
  if (untile_launch(ctx, launch, &why))
    remark_text(ctx->session, kernel, FACT_FORM, STR("operations on whole arrays"));
  else
    keep_launch(ctx, launch, &why, REASON_NONE);
}

bool pass_forward(PassContext *ctx) {
  for (IrFunc *func = ctx->module->first; func && remark_is_on(ctx->session); func = func->next)
    ir_walk(func->body, report_program, ctx);
  if (keeps_all(ctx)) return true;
  LaunchList list = {.arena = ctx->arena};
  for (IrFunc *func = ctx->module->first; func; func = func->next) launches_of(func, &list);
  for (size_t i = 0; i < list.ops.count; i++) separate_aliases(ctx, list.ops.items[i]);
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    forward_parts(func);
    forward_whole(func);
  }
  for (size_t i = 0; i < list.ops.count; i++) forward_launch(ctx, list.ops.items[i]);
  return true;
}
