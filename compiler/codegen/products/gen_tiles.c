// SPDX-License-Identifier: Apache-2.0
// The micro-kernel in tile registers (Intel's Software Developer's Manual, AMX). Each is 16 rows of
// 64 bytes. In one step a tile of a, 16 rows of 16 cells, and one of b, 16 cells of 16 columns,
// both as they are packed, add their product to a tile of sums: of bytes exactly, modulo 2^32; of
// bf16 in an order of its own. In that, the products of the step's even k are summed one after
// another from zero, those of the odd ones likewise, each rounded once, and then the sum of both is
// added to what there was; subnormal numbers are zero. A step begins at every 32nd k whatever the
// cut, and what is missing in the last one is zeros, so that it is one order for every size. Each
// sum begins at zero, and is added up as the other kernel's are: where there are several each is a
// block of k; a single one goes on from block to block.
//
// All tiles are configured whole, once for a thread's part of a product (it takes some 200 cycles):
// rows of a that are not there are some other ones in the packed buffer, and make sums that nobody
// reads.
//
// A step loads four tiles in 32 cycles beside four products, which take 64: what is left to wait
// for is the sums, four tiles that come and go once in a block of k of 16 steps or so (128 of 1,024
// cycles, of which the CPU overlaps some), and packing.
#include "gemm_shape.h"
#include "gen_tiles.h"
#include <string.h>
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "gen_cell.h"
#include "gen_pack.h"

// Intel's manual, Advanced Matrix Extensions.
enum { TILE_BYTES = 64, TILE_COUNT = 8, LINE_OF_SUMS = TILE_BYTES / 4 };
// Which register is what. Of the sums those of the upper 16 rows come first.
enum { TILE_SUMS = 0, TILE_A = 4, TILE_B = 6, MOST_TILE_VECTORS = 2 };

typedef struct TileConfig { // as ldtilecfg reads it
  uint8_t palette, start_row, zero[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} TileConfig;

static void instruction(LlvmGen *g, const char *name, unsigned count, Value *args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (!id) BUG("no intrinsic %s", name);
  Value function = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
  LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, count, "");
}

void tiles_begin(LlvmGen *g) {
  TileConfig config = {.palette = 1};
  for (int tile = 0; tile < TILE_COUNT; tile++) {
    config.row_bytes[tile] = TILE_BYTES;
    config.rows[tile] = TILE_ROWS;
  }
  Value address = gen_global_data(g, &config, sizeof config, TILE_BYTES);
  instruction(g, "llvm.x86.ldtilecfg", 1, &address);
  g->has_tiles = true;
}

void tiles_end(LlvmGen *g) { instruction(g, "llvm.x86.tilerelease", 0, NULL); }

static Value number(LlvmGen *g, unsigned tile) { return gen_const_int(g->i8, tile); }

// Between a register and memory, rows `pitch` (i64) bytes apart.
static void move_tile(LlvmGen *g, const char *name, unsigned tile, Value address, Value pitch) {
  Value args[] = {number(g, tile), address, pitch};
  instruction(g, name, COUNT_OF(args), args);
}

static unsigned halves(const Kernel *k) { return (k->rows + TILE_ROWS - 1) / TILE_ROWS; }

static unsigned sums_tile(unsigned half, unsigned vector) {
  return TILE_SUMS + half * MOST_TILE_VECTORS + vector;
}

// ---- sums ---------------------------------------------------------------------------------------
// All sums of the kernel in memory: the first row's, and cells from one to the next.
typedef struct Sums {
  Value base;
  int64_t pitch;
} Sums;

static void move_sums(LlvmGen *g, const Kernel *k, const char *name, const Sums *sums) {
  int64_t row_bytes = sums->pitch * 4;
  for (unsigned half = 0; half < halves(k); half++)
    for (unsigned v = 0; v < k->vectors; v++)
      move_tile(g, name, sums_tile(half, v),
                gen_address(g, sums->base, half * TILE_ROWS * row_bytes + v * TILE_BYTES),
                gen_i64(g, row_bytes));
}

static void load_sums(LlvmGen *g, const Kernel *k, const Sums *sums) {
  move_sums(g, k, "llvm.x86.tileloadd64", sums);
}

static void store_sums(LlvmGen *g, const Kernel *k, const Sums *sums) {
  move_sums(g, k, "llvm.x86.tilestored64", sums);
}

// A line more than the columns: rows a power of two apart would drive each other from the cache.
static int64_t kept_pitch(const Gemm *gemm) {
  return round_up(gemm->n, LINE_OF_SUMS) + LINE_OF_SUMS;
}

int64_t tiles_kept_cells(const Gemm *gemm) {
  return round_up(gemm->m, TILE_ROWS) * kept_pitch(gemm);
}

// Between blocks of k.
static Sums kept_sums(LlvmGen *g, const Kernel *k) {
  int64_t pitch = kept_pitch(k->gemm);
  Value offset = gen_add(g, gen_mul_const(g, k->row, pitch), k->column);
  return (Sums){gen_offset(g, k->partial, DT_I32, offset), pitch};
}

static Sums sums_in_rows(const Kernel *k) { return (Sums){k->sums, k->shape->panel}; }

// One vector of a row of sums_in_rows.
static Value vector_address(LlvmGen *g, const Kernel *k, Value row, unsigned vector) {
  int64_t lanes = k->shape->lanes;
  return gen_offset_const(g, gen_offset(g, k->sums, DT_I32, gen_mul_const(g, row, k->shape->panel)),
                          DT_I32, vector * lanes);
}

static void start_anew(LlvmGen *g, const Kernel *k) {
  for (unsigned half = 0; half < halves(k); half++)
    for (unsigned v = 0; v < k->vectors; v++) {
      Value tile = number(g, sums_tile(half, v));
      instruction(g, "llvm.x86.tilezero", 1, &tile);
    }
}

static void start_sums(LlvmGen *g, const Kernel *k) {
  if (!k->is_first || !k->shape->goes_on) {
    start_anew(g, k);
    return;
  }
  Sums kept = kept_sums(g, k);
  Branch branch;
  branch_begin(g, &branch, k->is_first, false);
  start_anew(g, k);
  branch_else(g, &branch);
  load_sums(g, k, &kept);
  branch_end(g, &branch);
}

static void finish_sums(LlvmGen *g, const Kernel *kernel) {
  if (!kernel->is_last && kernel->shape->goes_on) {
    Sums kept = kept_sums(g, kernel);
    store_sums(g, kernel, &kept);
    return;
  }
  Sums in_rows = sums_in_rows(kernel);
  store_sums(g, kernel, &in_rows);
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), gen_i64(g, kernel->rows), 1, 0, NULL, false);
  Kernel k = *kernel; // one row, of sums that are whole
  k.rows = 1;
  k.row = gen_add(g, kernel->row, loop.index);
  if (k.shape->goes_on) k.is_first = NULL;
  Value sums[MOST_TILE_VECTORS];
  for (unsigned v = 0; v < k.vectors; v++) {
    sums[v] = LLVMBuildLoad2(g->builder, gen_compute_type(g, k.gemm->sums, k.shape->lanes),
                             vector_address(g, &k, loop.index, v), "");
    gen_set_align(sums[v], TILE_BYTES);
  }
  kernel_finish(g, &k, sums);
  loop_end(g, &loop, NULL);
}

// ---- products -----------------------------------------------------------------------------------
static const char *product_name(const Gemm *gemm) {
  static const char *const of_bytes[2][2] = {{"llvm.x86.tdpbssd", "llvm.x86.tdpbsud"},
                                             {"llvm.x86.tdpbusd", "llvm.x86.tdpbuud"}};
  if (gemm->kind == DOT_BF16) return "llvm.x86.tdpbf16ps";
  return of_bytes[cell_is_unsigned(&gemm->a)][cell_is_unsigned(&gemm->b)];
}

static int64_t bytes_of_a_row(const Kernel *k) {
  const Factor *a = k->a_factor;
  return a ? a->step * (int64_t)dtype_size(a->dtype) : k->shape->a_pitch * 4;
}

static void emit_step(LlvmGen *g, const Kernel *k, Value a, Value b) {
  int64_t a_row = bytes_of_a_row(k), b_row = k->shape->panel * 4;
  for (unsigned v = 0; v < k->vectors; v++)
    move_tile(g, "llvm.x86.tileloadd64", TILE_B + v, gen_address(g, b, v * TILE_BYTES),
              gen_i64(g, b_row));
  for (unsigned half = 0; half < halves(k); half++) {
    move_tile(g, "llvm.x86.tileloadd64", TILE_A + half, gen_address(g, a, half * TILE_ROWS * a_row),
              gen_i64(g, a_row));
    for (unsigned v = 0; v < k->vectors; v++) {
      Value args[] = {number(g, sums_tile(half, v)), number(g, TILE_A + half),
                      number(g, TILE_B + v)};
      instruction(g, product_name(k->gemm), COUNT_OF(args), args);
    }
  }
}

void tiles_emit(LlvmGen *g, const Kernel *k) {
  start_sums(g, k);
  Value cursors[] = {k->a, k->b}, next[2];
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), pack_panel_rows(g, k->gemm, k->k_count), STEP_CELLS, 2,
             cursors, false);
  emit_step(g, k, loop.carried[0], loop.carried[1]);
  next[0] = gen_address(g, loop.carried[0], STEP_CELLS * 4);
  next[1] = gen_address(g, loop.carried[1], STEP_CELLS * k->shape->panel * 4);
  loop_end(g, &loop, next);
  finish_sums(g, k);
}
