// SPDX-License-Identifier: Apache-2.0
// Meshes of cores, and which programs run on them.
#pragma once
#include "ir.h"

const char *core_kind_name(CoreKind kind); // "tensor"
int64_t ir_mesh_size(const IrMesh *mesh);  // how many cores it has; 1 without axes
bool ir_runs_devices(const IrOp *op);      // OP_CORES of a mesh of devices
bool ir_runs_cores(const IrOp *op);        // OP_CORES of a mesh of cores
// The program of cores or devices, a region of OP_CORES, that a region is in, itself maybe; NULL:
// it is in none.
const IrRegion *ir_program_around(const IrRegion *region);
const IrMesh *ir_program_mesh(const IrRegion *program); // whose cores run it
