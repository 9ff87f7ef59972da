// SPDX-License-Identifier: Apache-2.0
// Facts about TPUs (chip.c), for the tracer (pltpu.get_tpu_info) and the budget pass.
#pragma once
#include "ir/core/ir.h"

#define DEFAULT_CHIP "v5p" // where none is named

enum { MAX_DEVICES = 65536 }; // of a program

typedef struct Chip {
  const char *name;        // "v5p", as --tpu takes it
  const char *device_kind; // jax.devices()[0].device_kind
  int generation, cores, lanes, sublanes;
  int64_t vmem_bytes, smem_bytes, hbm_bytes; // a core's VMEM and SMEM, a device's HBM
  int mxu_size;
  int sparse_cores, subcores, sparse_lanes; // 0 if there are none
  int64_t subcore_vmem_bytes;
  int sparse_granule;     // bytes that a SparseCore's copies move at least
  int mxus, accumulators; // of a core
  int64_t cmem_bytes, hbm_mb_per_s, bf16_gops, int8_gops, fp8_gops,
      int4_gops; // a core's; 0: not published
} Chip;
const Chip *chip_find(Str name); // NULL if unknown
const Chip *chip_table(size_t *count);
Str chip_other_names(Arena *arena, const Chip *chip); // that chip_find knows: "TPU v5, v5, tpu v5p"
// What a core of the kind has of a space, in bytes; semaphores count. 0: nothing. How much SMEM a
// subcore has, and how much memory a SparseCore shares, is documented nowhere: as much as a
// TensorCore, and as its subcores have together, are bounds that no chip exceeds.
int64_t chip_capacity(const Chip *chip, CoreKind kind, MemSpace space);
// The VMEM that a launch on a core may take: what it asked for by vmem_limit_bytes (0: nothing), if
// the core has more.
int64_t chip_vmem_limit(const Chip *chip, CoreKind kind, int64_t asked);

// What a buffer takes in its memory: semaphores count, all else is bytes. In VMEM and CMEM the last
// two dimensions are rounded up to a tile of `sublanes * 32 / bits` by `lanes` elements ((8, 128)
// for 32-bit types, (16, 128) for 16-bit, (32, 128) for 8-bit). Where there are fewer rows, the
// tile has the next power of two of them, but at least those that share a word: bf16[n, 2, 128] is
// not padded. A vector counts as one row. Other memory is not tiled. INT64_MAX: more than that.
int64_t chip_padded_bytes(const Chip *chip, const IrType *type);
