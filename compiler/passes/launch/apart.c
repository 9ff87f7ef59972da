// SPDX-License-Identifier: Apache-2.0
// apart: the parts that devices have of a function's arrays become parameters of their own.
//   takes:  functions whose arrays are used by one program of devices, each its own part
//   makes:  for each parameter as many as there are devices, in their order; parts of those
//   breaks: nothing
//   not:    without --apart; functions that get at an array otherwise, which stay as they are
#include "ir/core/ir.h"
#include "ir/core/mesh.h"
#include "ir/core/region.h"
#include "launch.h"

typedef struct Finder {
  const IrFunc *func;
  const IrRegion *device;
  const IrMesh *mesh;
  bool found; // a use that is none of a device's own part
} Finder;

static bool is_part_of(const Finder *f, const IrOp *op) {
  if (op->parent != f->device) return false;
  if (op->code == OP_PART) return launch_is_device(op->operands[1], f->device, f->mesh);
  return op->code == OP_VIEW && launch_is_own_part(op, f->device, f->mesh);
}

static void check_op(IrOp *op, void *data) {
  Finder *f = data;
  for (size_t i = 0; i < op->operand_count; i++)
    if (ir_is_param(f->func, op->operands[i]) && (i || !is_part_of(f, op))) f->found = true;
}

// The only op that runs programs of devices; NULL: there is none.
static const IrOp *devices_of(const IrFunc *func, IrMesh *mesh) {
  const IrOp *only = NULL;
  for (const IrOp *op = func->body->first; op; op = op->next) {
    if (op->code != OP_CORES) continue;
    if (only || !launch_devices(op, mesh)) return NULL;
    only = op;
  }
  return only;
}

static const IrType *part_type(IrModule *module, const IrType *whole, int64_t devices) {
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < whole->rank; i++) dims[i] = i ? whole->dims[i] : whole->dims[0] / devices;
  return ir_type_with_dims(module, whole, (size_t)whole->rank, dims);
}

// "x_3"; NULL if the whole has none.
static Name part_name(IrModule *module, Name whole, size_t device) {
  if (!whole) return NULL;
  Str name = str_format(module->arena, "%s_%zu", whole->text, device);
  return name_intern(module->session->interner, name);
}

// `op` is the part that the device has of the parameter that was number `param`.
static void take_part(IrFunc *func, IrRegion *device, const IrMesh *mesh, size_t param, IrOp *op) {
  size_t devices = (size_t)ir_mesh_size(mesh);
  IrBuilder b = ir_builder_before(op);
  IrValue **operands = ARENA_ARRAY(func->module->arena, IrValue *, devices + 1);
  for (size_t d = 0; d < devices; d++) operands[d] = func->body->args[param * devices + d];
  operands[devices] = launch_device(&b, device, mesh);
  IrOp *part = ir_build(&b, OP_PART, devices + 1, operands, 1, &op->results[0]->type);
  ir_replace_uses(device, op->results[0], part->results[0]);
  ir_op_remove(op);
}

static void take_apart(IrFunc *func, IrRegion *device, const IrMesh *mesh) {
  size_t devices = (size_t)ir_mesh_size(mesh);
  IrRegion *body = func->body;
  size_t count = func->param_count;
  IrParam *params = func->params;
  IrValue **args = body->args;
  func->params = NULL;
  func->param_count = 0;
  body->args = NULL;
  body->arg_count = 0;
  for (size_t i = 0; i < count; i++)
    for (size_t d = 0; d < devices; d++) {
      ir_func_add_param(func, part_type(func->module, args[i]->type, (int64_t)devices),
                        params[i].role, part_name(func->module, params[i].name, d));
      func->params[func->param_count - 1].label = params[i].label;
    }
  for (IrOp *op = device->first, *next; op; op = next) {
    next = op->next;
    for (size_t i = 0; i < count; i++)
      if (op->operand_count && op->operands[0] == args[i]) {
        take_part(func, device, mesh, i, op);
        break;
      }
  }
}

bool pass_apart(PassContext *ctx) {
  if (!ctx->options->apart) return true;
  for (IrFunc *func = ctx->module->first; func; func = func->next) {
    IrMesh mesh;
    const IrOp *cores = devices_of(func, &mesh);
    if (!cores) continue;
    Finder finder = {.func = func, .device = cores->regions[0], .mesh = &mesh};
    ir_walk(func->body, check_op, &finder);
    for (size_t i = 0; i < func->param_count; i++) {
      const IrType *type = func->body->args[i]->type;
      finder.found |= !type->rank || type->dims[0] % ir_mesh_size(&mesh);
    }
    if (!finder.found) take_apart(func, cores->regions[0], &mesh);
  }
  return true;
}
