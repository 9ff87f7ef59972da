// SPDX-License-Identifier: Apache-2.0
// Facts about TPUs, from jax/_src/pallas/mosaic/tpu_info.py of JAX 0.10.2: what one JAX device is
// (a megacore chip is one device of two cores; the other chips with two cores are two devices).
#include "base/checked.h"
#include "chip.h"

#include <string.h>
#include <strings.h>

// Of a core; the size of the table is not documented, this is generous.
enum { SEMAPHORE_LIMIT = 1024 };

#define MIB ((int64_t)1 << 20)
#define KIB ((int64_t)1 << 10)
#define GB  ((int64_t)1000000000)

// name, device kind, generation, cores, lanes, sublanes, VMEM, SMEM, HBM, MXU, SparseCores:
// cores, subcores, lanes, VMEM of a subcore, DMA granule; of a core: MXUs, accumulators, CMEM, MB/s
// of HBM, 10^9 operations a second on bf16, int8, fp8 and int4
static const Chip chips[] = {
    {"v2", "TPU v2", 2, 1, 128, 8, 16 * MIB, 16 * KIB, 8 * GB, 128, 0, 0,
     0,    0,        0, 1, 0,   0, 358000,   23000,    0,      0,   0},
    {"v3", "TPU v3", 3, 1, 128, 8, 16 * MIB, 16 * KIB, 17200000000, 128, 0, 0,
     0,    0,        0, 2, 0,   0, 412500,   70000,    0,           0,   0},
    {"v4i",      "TPU v4 lite", 4,      1,      128, 8, 16 * MIB, 1 * MIB,
     8590000000, 128,           0,      0,      0,   0, 0,        4,
     0,          134000000,     614000, 137000, 0,   0, 0},
    {"v4", "TPU v4", 4, 2, 128, 8,        16 * MIB, 1 * MIB, 34400000000, 128, 0, 0,
     0,    0,        0, 4, 0,   67000000, 615000,   137500,  0,           0,   0},
    {"v5e",       "TPU v5 lite",
     5,           1,
     128,         8,
     128 * MIB,   1 * MIB,
     17200000000, 128,
     0,           0,
     0,           0,
     0,           4,
     0,           0,
     820000,      197000,
     394000,      0,
     788000},
    {"v5p", "TPU v5",  5,  2, 128, 8, 64 * MIB, 1 * MIB, 103 * GB, 128, 4,     16,
     8,     512 * KIB, 32, 4, 0,   0, 1230000,  229500,  459000,   0,   920000},
    {"v6e", "TPU v6 lite", 6,  1, 128, 8, 128 * MIB, 1 * MIB, 34400000000, 256,    2,      16,
     8,     256 * KIB,     32, 2, 0,   0, 1640000,   920000,  1840000,     920000, 3680000},
    {"v7x", "TPU7x",   7,  1, 128, 8, 64 * MIB, 1 * MIB, 103 * GB, 256,     2, 16,
     16,    512 * KIB, 32, 2, 128, 0, 3700000,  1155000, 0,        2300000, 0},
    {"v8i",     "TPU8i", 8, 1,   128, 8,       192 * MIB, 1 * MIB, 154500000000, 256, 1, 4, 16,
     512 * KIB, 64,      2, 256, 0,   4300000, 550500,    0,       4404000,      0},
};

// Other spellings that people use.
static const struct {
  const char *alias, *name;
} aliases[] = {
    {"7x", "v7x"},      {"tpu7x", "v7x"},     {"7", "v7x"},       {"v7", "v7x"},
    {"8i", "v8i"},      {"tpu8i", "v8i"},     {"8", "v8i"},       {"v8", "v8i"},
    {"tpu v8i", "v8i"}, {"v5litepod", "v5e"}, {"v5", "v5p"},      {"v6", "v6e"},
    {"tpu v5e", "v5e"}, {"tpu v5p", "v5p"},   {"tpu v6e", "v6e"}, {"tpu7", "v7x"},
};

static bool equal_ignoring_case(Str a, const char *b) {
  Str other = str_from_c(b);
  return a.len == other.len && strncasecmp(a.data, other.data, a.len) == 0;
}

const Chip *chip_find(Str name) {
  for (size_t i = 0; i < COUNT_OF(chips); i++)
    if (equal_ignoring_case(name, chips[i].name) || equal_ignoring_case(name, chips[i].device_kind))
      return &chips[i];
  for (size_t i = 0; i < COUNT_OF(aliases); i++)
    if (equal_ignoring_case(name, aliases[i].alias)) return chip_find(str_from_c(aliases[i].name));
  return NULL;
}

int64_t chip_capacity(const Chip *chip, CoreKind kind, MemSpace space) {
  switch (space) {
  case SPACE_VMEM: return kind == CORE_VECTOR ? chip->subcore_vmem_bytes : chip->vmem_bytes;
  case SPACE_VMEM_SHARED:
    return kind == CORE_TENSOR ? 0 : chip->subcore_vmem_bytes * chip->subcores;
  case SPACE_SMEM: return chip->smem_bytes;
  case SPACE_CMEM: return kind == CORE_SCALAR || kind == CORE_VECTOR ? 0 : chip->cmem_bytes;
  case SPACE_SEM: return SEMAPHORE_LIMIT;
  default: return 0;
  }
}

int64_t chip_vmem_limit(const Chip *chip, CoreKind kind, int64_t asked) {
  int64_t all = chip_capacity(chip, kind, SPACE_VMEM);
  return asked && asked < all ? asked : all;
}

Str chip_other_names(Arena *arena, const Chip *chip) {
  Str all = str_from_c(chip->device_kind);
  for (size_t i = 0; i < COUNT_OF(aliases); i++)
    if (!strcmp(aliases[i].name, chip->name) && strcasecmp(aliases[i].alias, chip->device_kind))
      all = str_format(arena, "%.*s, %s", STR_FMT(all), aliases[i].alias);
  return all;
}

const Chip *chip_table(size_t *count) {
  *count = COUNT_OF(chips);
  return chips;
}

static int64_t round_up(int64_t x, int64_t to) {
  return x > INT64_MAX - to ? INT64_MAX : (x + to - 1) / to * to;
}

static int64_t tile_rows_of(const Chip *chip, const IrType *type, int64_t rows) {
  int64_t packing = 4 / (int64_t)dtype_size(type->dtype), most = chip->sublanes * packing,
          tile = packing > 1 ? packing : 1;
  while (tile < rows && tile < most) tile *= 2;
  return tile;
}

int64_t chip_padded_bytes(const Chip *chip, const IrType *type) {
  if (type->space == SPACE_SEM) return ir_type_count(type);
  int64_t size = (int64_t)dtype_size(type->dtype), elements = 1;
  bool is_tiled = type->space == SPACE_VMEM || type->space == SPACE_CMEM;
  if (!is_tiled || type->rank == 0) return ir_type_bytes(type);
  int64_t rows = type->rank >= 2 ? type->dims[type->rank - 2] : 1;
  int64_t tile_rows = type->rank >= 2 ? tile_rows_of(chip, type, rows) : 1;
  for (int i = 0; i + 2 < type->rank; i++)
    if (!mul_i64(elements, type->dims[i], &elements)) return INT64_MAX;
  if (!mul_i64(elements, round_up(rows, tile_rows), &elements)) return INT64_MAX;
  if (!mul_i64(elements, round_up(type->dims[type->rank - 1], chip->lanes), &elements))
    return INT64_MAX;
  return mul_i64(elements, size, &elements) ? elements : INT64_MAX;
}
