// SPDX-License-Identifier: Apache-2.0
// Types of the IR's values: arrays of static shape, refs to memory, semaphores.
#pragma once
#include "base/dtype.h"

typedef struct IrModule IrModule;

typedef enum MemSpace {
  SPACE_HBM,
  SPACE_VMEM,
  SPACE_SMEM,
  SPACE_VMEM_SHARED,
  SPACE_SEM,
  SPACE_HOST,
  SPACE_CMEM,
  SPACE_COUNT
} MemSpace;
typedef enum SemKind { SEM_DMA, SEM_REGULAR, SEM_BARRIER } SemKind;
#define IR_MAX_RANK  16
#define IR_MAX_SIZES 16 // of a family

// Interned in the module: equal types are equal pointers.
typedef struct IrType {
  bool is_ref;
  MemSpace space; // of a ref
  SemKind sem;    // of a ref in SPACE_SEM, whose dtype is then unused (DT_I32)
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK];
} IrType;

const char *mem_space_name(MemSpace space); // "hbm"
bool ir_same_dims(const IrType *a, const IrType *b);
// The same for dimensions that are not 1, in their order.
bool ir_same_wide_dims(const IrType *a, const IrType *b);
int64_t ir_type_count(const IrType *type); // number of elements; checked when the type is made
int64_t ir_type_bytes(const IrType *type); // elements * dtype_size

// NULL if the number of bytes does not fit an int64 or the rank is too large.
const IrType *ir_array_type(IrModule *module, DType dtype, size_t rank, const int64_t *dims);
const IrType *ir_ref_type(IrModule *module, MemSpace space, DType dtype, size_t rank,
                          const int64_t *dims);
const IrType *ir_sem_type(IrModule *module, SemKind kind, size_t rank, const int64_t *dims);
const IrType *ir_type_with_dtype(IrModule *module, const IrType *type, DType dtype);
const IrType *ir_type_with_dims(IrModule *module, const IrType *type, size_t rank,
                                const int64_t *dims);
