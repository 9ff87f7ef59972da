// SPDX-License-Identifier: Apache-2.0
// Meshes of cores, and which programs run on them.
#include "attr.h"
#include "mesh.h"
#include "region.h"

static const char *const kind_names[] = {[CORE_TENSOR] = "tensor",
                                         [CORE_SCALAR] = "scalar",
                                         [CORE_VECTOR] = "vector",
                                         [CORE_DEVICE] = "device"};

const char *core_kind_name(CoreKind kind) { return kind_names[kind]; }

bool ir_runs_devices(const IrOp *op) {
  if (op->code != OP_CORES) return false;
  IrMeshes meshes = ir_attr_meshes(op);
  return meshes.count && meshes.items[0].kind == CORE_DEVICE;
}

bool ir_runs_cores(const IrOp *op) { return op->code == OP_CORES && !ir_runs_devices(op); }

int64_t ir_mesh_size(const IrMesh *mesh) {
  int64_t size = 1;
  for (int i = 0; i < mesh->rank; i++) size *= mesh->sizes[i];
  return size;
}

const IrRegion *ir_program_around(const IrRegion *region) {
  while (region && !(region->parent && region->parent->code == OP_CORES))
    region = ir_region_outer(region);
  return region;
}

const IrMesh *ir_program_mesh(const IrRegion *program) {
  const IrOp *cores = program->parent;
  IrMeshes meshes = ir_attr_meshes(cores);
  for (size_t i = 0; i < meshes.count; i++)
    if (cores->regions[i] == program) return &meshes.items[i];
  BUG("a program of cores has no mesh");
}
