// SPDX-License-Identifier: Apache-2.0
// The product of two matrices: how it is cut into blocks of k, groups of rows, panels of columns
// and tiles, what is packed, and how threads share it. The rows are shared out among the tiles so
// that there are two micro-kernels (gen_kernel.c), and no edges: with q + 1 and q rows or, where
// the first tile of each part of the rows packs on the way, one for it and one for all others.
//
// Two orders. By rows: b's panels are packed once for each block of k; then, for each group of
// tiles, a's rows are packed, and every panel goes by. By panels: each panel is packed into a small
// buffer and used at once, so that it never leaves the cache; that is for few rows, and for panels
// that the first tile can pack on the way, which costs next to nothing. Sums never depend on the
// cut: what they come to is kept in c between blocks of k or, where c cannot keep it, in `partial`;
// blocks that are parts of a sum hand it on in `part`.
#include "gen_gemm.h"
#include "gemm_report.h"
#include "gemm_shape.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_frame.h"
#include "codegen/values/gen_parallel.h"
#include "gen_cell.h"
#include "gen_kernel.h"
#include "gen_pack.h"
#include "gen_tiles.h"

enum {
  LEAST_PIECES = 2, // that threads share
  LEAST_TILES = 8,  // likewise
  TILE_SPEED = 8    // of tile registers, as many times that of vectors
};

// What all tiles of one block of k have in common.
typedef struct Block {
  Gemm *gemm;
  const GemmShape *shape;
  Value packed_a, packed_b, partial, part; // or NULL
  Value sums;                              // in tiles: of this thread
  Value k0, k_count;                       // in cells
  Value is_first, begins, ends;            // as in Kernel
  Value outer_begins; // i1: the product's sums begin with it rather than going on from c; or NULL
  bool is_last;
  int64_t tiles, long_tiles; // the first long_tiles have more rows
  unsigned short_rows, long_rows;
  Value part_row, part_tiles; // the part's first row; how many tiles it has
  Value strip;                // as in Kernel
} Block;

// ---- tiles and panels ---------------------------------------------------------------------------
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// Where share number `part` of `count` things begins, as even as can be.
static Value share_begin(LlvmGen *g, int64_t count, int64_t parts, Value part) {
  if (LLVMIsAConstantInt(part)) {
    int64_t number = LLVMConstIntGetSExtValue(part);
    return gen_i64(g, number * (count / parts) + least(number, count % parts));
  }
  return emit_add(g, emit_mul(g, part, gen_i64(g, count / parts)),
                  gen_intrinsic2(g, "llvm.smin", part, gen_i64(g, count % parts)));
}

// Tiles are counted from the part's first one.
static void enter_part(LlvmGen *g, Block *block, Value part) {
  const GemmShape *shape = block->shape;
  block->part_row = gen_i64(g, 0);
  block->part_tiles = gen_i64(g, block->tiles);
  if (shape->parts == 1) return;
  int64_t others = block->tiles - shape->parts; // that do not pack
  Value before = share_begin(g, others, shape->parts, part),
        next = share_begin(g, others, shape->parts, emit_add_c(g, part, 1));
  block->part_row =
      gen_add(g, gen_mul_const(g, part, shape->first_rows), gen_mul_const(g, before, shape->rows));
  block->part_tiles = emit_add_c(g, emit_sub(g, next, before), 1);
}

// The first row of a tile.
static Value row_of_tile(LlvmGen *g, const Block *block, Value tile) {
  const GemmShape *shape = block->shape;
  if (shape->packs_on_the_way) {
    Value below = emit_sub_c(g, emit_mul(g, tile, gen_i64(g, shape->rows)),
                             (int64_t)shape->rows - shape->first_rows);
    return emit_add(g, block->part_row, gen_intrinsic2(g, "llvm.smax", below, gen_i64(g, 0)));
  }
  Value longer = gen_intrinsic2(g, "llvm.smin", tile, gen_i64(g, block->long_tiles));
  return emit_add(g, emit_mul(g, tile, gen_i64(g, block->short_rows)),
                  gen_mul_const(g, longer, (int64_t)block->long_rows - block->short_rows));
}

static void place_kernel(LlvmGen *g, const Block *block, Kernel *k, Value group_row,
                         bool is_packing) {
  const Gemm *gemm = block->gemm;
  const GemmShape *shape = block->shape;
  int64_t cell = cell_group(gemm);
  if (block->packed_a) {
    k->a = gen_offset(g, block->packed_a, cell_dtype(gemm),
                      gen_mul_const(g, emit_sub(g, k->row, group_row), shape->a_pitch));
  } else {
    k->a_factor = &gemm->a;
    Value offset = gen_add(g, gen_mul_const(g, k->row, gemm->a.step),
                           gen_mul_const(g, block->k0, gemm->a.k_step * cell));
    k->a = gen_offset(g, gemm->a.base, gemm->a.dtype, offset);
  }
  if (!block->packed_b || is_packing) {
    k->b_factor = &gemm->b;
    k->pack_to = is_packing ? block->packed_b : NULL;
    Value offset = gen_add(g, gen_mul_const(g, k->column, gemm->b.step),
                           gen_mul_const(g, block->k0, gemm->b.k_step * cell));
    k->b = gen_offset(g, gemm->b.base, gemm->b.dtype, offset);
  } else if (shape->by_panels) {
    k->b = block->packed_b;
  } else { // panel p starts at p * rows * panel, which is column * rows
    k->b = gen_offset(g, block->packed_b, cell_dtype(gemm),
                      emit_mul(g, k->column, pack_panel_rows(g, gemm, block->k_count)));
  }
  if (gemm->in_tiles)
    tiles_emit(g, k);
  else
    kernel_emit(g, k);
}

// The tiles [begin, end), which have `rows` rows each, of one panel.
static void emit_tiles(LlvmGen *g, const Block *block, Kernel k, Value begin, Value end,
                       Value group_row, unsigned rows) {
  if (rows == 0) return;
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, 0, NULL, true);
  k.rows = rows;
  k.row = row_of_tile(g, block, loop.index);
  place_kernel(g, block, &k, group_row, false);
  loop_end(g, &loop, NULL);
}

typedef struct Tiles {
  Value begin, end, first_row;
} Tiles;

static void emit_panel(LlvmGen *g, const Block *block, Value column, unsigned vectors,
                       unsigned active, const Tiles *tiles) {
  Kernel k = {.gemm = block->gemm,
              .shape = block->shape,
              .vectors = vectors,
              .active = active,
              .k_count = block->k_count,
              .is_first = block->is_first,
              .begins = block->begins,
              .ends = block->ends,
              .column = column,
              .partial = block->partial,
              .part = block->part,
              .strip = block->strip,
              .sums = block->sums,
              .is_last = block->is_last};
  if (block->shape->packs_on_the_way) {
    Kernel first = k;
    first.rows = block->shape->first_rows;
    first.row = tiles->first_row;
    place_kernel(g, block, &first, tiles->first_row, true);
    emit_tiles(g, block, k, gen_i64(g, 1), tiles->end, tiles->first_row, block->shape->rows);
    return;
  }
  Value border = gen_i64(g, block->long_tiles);
  if (block->long_tiles)
    emit_tiles(g, block, k, tiles->begin, gen_intrinsic2(g, "llvm.smin", tiles->end, border),
               tiles->first_row, block->long_rows);
  if (block->long_tiles < block->tiles)
    emit_tiles(g, block, k, gen_intrinsic2(g, "llvm.smax", tiles->begin, border), tiles->end,
               tiles->first_row, block->short_rows);
}

static bool packs_panels(const Block *block) {
  return block->packed_b && block->shape->by_panels && !block->shape->packs_on_the_way;
}

static void emit_whole_panel(LlvmGen *g, const Block *block, Value panel, const Tiles *tiles) {
  const GemmShape *shape = block->shape;
  Value column = gen_mul_const(g, panel, shape->panel);
  if (packs_panels(block))
    pack_panel(g, block->gemm, shape, block->packed_b, block->k0, block->k_count, column,
               shape->panel);
  emit_panel(g, block, column, shape->vectors, shape->lanes, tiles);
}

// The last panel, if it is not whole.
static void emit_rest_panel(LlvmGen *g, const Block *block, const Tiles *tiles) {
  const GemmShape *shape = block->shape;
  int64_t rest = block->gemm->n % shape->panel;
  unsigned vectors = (unsigned)((rest + shape->lanes - 1) / shape->lanes);
  Value column = gen_i64(g, block->gemm->n - rest);
  if (packs_panels(block))
    pack_panel(g, block->gemm, shape, block->packed_b, block->k0, block->k_count, column, rest);
  emit_panel(g, block, column, vectors, (unsigned)(rest - (int64_t)(vectors - 1) * shape->lanes),
             tiles);
}

// The panels [begin, end) of some tiles; NULL, NULL: all.
static void emit_panels(LlvmGen *g, const Block *block, Value begin, Value end,
                        const Tiles *tiles) {
  const GemmShape *shape = block->shape;
  int64_t n = block->gemm->n, whole = n / shape->panel;
  bool is_all = !begin;
  if (whole) {
    Value last = gen_i64(g, whole);
    Loop panels;
    loop_begin(g, &panels, is_all ? gen_i64(g, 0) : begin,
               is_all ? last : gen_intrinsic2(g, "llvm.smin", end, last), 1, 0, NULL, !is_all);
    emit_whole_panel(g, block, panels.index, tiles);
    loop_end(g, &panels, NULL);
  }
  if (n % shape->panel == 0) return;
  Branch branch;
  if (!is_all) branch_begin(g, &branch, emit_icmp_c(g, LLVMIntSGT, end, whole), true);
  emit_rest_panel(g, block, tiles);
  if (is_all) return;
  branch_end_then(g, &branch);
}

static Value scratch(LlvmGen *g, const Gemm *gemm, int64_t cells, Buffer **buffer) {
  Mem mem;
  *buffer = frame_take_array(g, cell_dtype(gemm), 1, &cells, &mem);
  return mem.base;
}

// What a thread needs for its part of a product, beside what is packed: in tiles.
static Buffer *begin_sums(LlvmGen *g, Block *block) {
  if (!block->gemm->in_tiles) return NULL;
  Buffer *buffer = NULL;
  block->sums = scratch(g, block->gemm, block->shape->rows * block->shape->panel, &buffer);
  if (!block->gemm->has_tiles) tiles_begin(g);
  return buffer;
}

static void end_sums(LlvmGen *g, Block *block, Buffer *buffer) {
  if (!block->gemm->in_tiles) return;
  if (!block->gemm->has_tiles) tiles_end(g);
  frame_give(g, buffer);
  block->sums = NULL;
}

// All columns of the tiles [begin, end), a group of tiles at a time.
static void emit_groups(LlvmGen *g, Block *block, Value begin, Value end) {
  const GemmShape *shape = block->shape;
  int64_t group = least(shape->group / shape->rows, block->tiles);
  Buffer *buffer = NULL;
  if (shape->packs_a)
    block->packed_a = scratch(g, block->gemm, group * block->long_rows * shape->a_pitch, &buffer);
  Buffer *sums = begin_sums(g, block);
  Loop loop;
  loop_begin(g, &loop, begin, end, group, 0, NULL, true);
  Tiles tiles = {.begin = loop.index,
                 .end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, group), end)};
  tiles.first_row = row_of_tile(g, block, tiles.begin);
  if (shape->packs_a)
    pack_rows(g, block->gemm, shape, block->packed_a, block->k0, block->k_count, tiles.first_row,
              row_of_tile(g, block, tiles.end));
  emit_panels(g, block, NULL, NULL, &tiles);
  loop_end(g, &loop, NULL);
  end_sums(g, block, sums);
  frame_give(g, buffer);
  block->packed_a = NULL;
}

// ---- blocks of k --------------------------------------------------------------------------------
typedef void (*EmitBlock)(LlvmGen *g, Block *block, void *data);

// The parts of the sum from `begin` to `end`.
static void emit_parts_of_sum(LlvmGen *g, Block *block, Value begin, Value end, EmitBlock emit,
                              void *data) {
  int64_t cells = block->shape->k_block;
  Loop loop;
  loop_begin(g, &loop, begin, end, cells, 0, NULL, false);
  Value next = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, cells), end);
  block->k0 = loop.index;
  block->k_count = emit_sub(g, next, loop.index);
  block->begins = emit_icmp(g, LLVMIntEQ, loop.index, begin);
  block->ends = emit_icmp(g, LLVMIntEQ, next, end);
  emit(g, block, data);
  loop_end(g, &loop, NULL);
  block->begins = block->ends = NULL;
}

// What goes between two visits of the memory where sums are added up: a block, or a sum in parts.
static int64_t step_of_sums(const GemmShape *shape) {
  return shape->k_block > shape->sum_cells ? shape->k_block : shape->sum_cells;
}

// From `begin` to `end`, both multiples of such a step, or the end of k.
static void emit_block_range(LlvmGen *g, Block *block, int64_t begin, int64_t end, EmitBlock emit,
                             void *data) {
  int64_t step = step_of_sums(block->shape);
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), step, 0, NULL, false);
  Value next = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, step), gen_i64(g, end));
  if (block->shape->cells > step) block->is_first = emit_icmp_c(g, LLVMIntEQ, loop.index, 0);
  if (block->shape->k_block < block->shape->sum_cells) {
    emit_parts_of_sum(g, block, loop.index, next, emit, data);
  } else {
    block->k0 = loop.index;
    block->k_count = emit_sub(g, next, loop.index);
    emit(g, block, data);
  }
  loop_end(g, &loop, NULL);
  block->is_first = NULL;
}

// Parts of sums that loops around the product go on with, in c.
static void emit_continued(LlvmGen *g, Block *block, EmitBlock emit, void *data) {
  Value outer = block->outer_begins;
  Loop loop;
  int64_t cells = block->shape->cells, step = block->shape->k_block;
  loop_begin(g, &loop, gen_i64(g, 0), gen_i64(g, cells), step, 0, NULL, false);
  block->k0 = loop.index;
  block->k_count =
      gen_intrinsic2(g, "llvm.smin", gen_i64(g, step), emit_sub(g, gen_i64(g, cells), loop.index));
  block->begins = emit_and(g, outer, emit_icmp_c(g, LLVMIntEQ, loop.index, 0));
  emit(g, block, data);
  loop_end(g, &loop, NULL);
  block->begins = NULL;
}

// One behind the other; the last one by itself if c cannot keep the sums of the others.
static void emit_k_blocks(LlvmGen *g, Block *block, EmitBlock emit, void *data) {
  int64_t cells = block->shape->cells, step = step_of_sums(block->shape),
          last = (cells - 1) / step * step;
  block->is_last = true;
  if (block->outer_begins) {
    emit_continued(g, block, emit, data);
    return;
  }
  bool is_whole = block->shape->k_block >= block->shape->sum_cells;
  if ((last > 0 && !block->partial) || (last == 0 && !is_whole)) {
    emit_block_range(g, block, 0, cells, emit, data);
    return;
  }
  if (last > 0) {
    block->is_last = false;
    emit_block_range(g, block, 0, last, emit, data);
    block->is_last = true;
  }
  if (!is_whole) {
    emit_block_range(g, block, last, cells, emit, data);
    return;
  }
  block->is_first = last > 0 ? LLVMConstInt(g->i1, 0, false) : NULL;
  block->k0 = gen_i64(g, last);
  block->k_count = gen_i64(g, cells - last);
  emit(g, block, data);
  block->is_first = NULL;
}

// ---- threads ------------------------------------------------------------------------------------
enum {
  OUT_A,
  OUT_B,
  OUT_C,
  OUT_INIT,
  OUT_PACKED_B,
  OUT_PARTIAL,
  OUT_PART,
  OUT_K0,
  OUT_K_COUNT,
  OUT_IS_FIRST,
  OUT_BEGINS,
  OUT_ENDS,
  OUT_COUNT
};

static void save_block(const Block *block, Value *values) {
  const Gemm *gemm = block->gemm;
  Value all[] = {gemm->a.base,    gemm->b.base,    gemm->c,       gemm->init,
                 block->packed_b, block->partial,  block->part,   block->k0,
                 block->k_count,  block->is_first, block->begins, block->ends};
  for (int i = 0; i < OUT_COUNT; i++) values[i] = all[i];
}

static void load_block(Block *block, Value const *values) {
  block->gemm->a.base = values[OUT_A];
  block->gemm->b.base = values[OUT_B];
  block->gemm->c = values[OUT_C];
  block->gemm->init = values[OUT_INIT];
  block->packed_b = values[OUT_PACKED_B];
  block->partial = values[OUT_PARTIAL];
  block->part = values[OUT_PART];
  block->k0 = values[OUT_K0];
  block->k_count = values[OUT_K_COUNT];
  block->is_first = values[OUT_IS_FIRST];
  block->begins = values[OUT_BEGINS];
  block->ends = values[OUT_ENDS];
}

typedef void (*EmitPiece)(LlvmGen *g, Block *block, Value begin, Value end);
typedef struct Piece {
  Block *block;
  EmitPiece emit;
  bool has_epilogue;
} Piece;

// The epilogue belongs to the function it is evaluated in.
static void emit_piece(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  Piece *piece = data;
  load_block(piece->block, values);
  FusedOps *fused = piece->has_epilogue ? piece->block->gemm->fused : NULL;
  bool is_outlined = fused && g->frame->parallel && !fused->epilogue;
  if (is_outlined) fused->epilogue = epilogue_new_part(g, fused->whole, values + OUT_COUNT);
  piece->emit(g, piece->block, begin, end);
  if (!is_outlined) return;
  epilogue_close(fused->epilogue);
  fused->epilogue = NULL;
}

static int64_t gemm_cost(const Gemm *gemm) {
  return gemm->m * gemm->n * gemm->k / (GEMM_SPEED * (gemm->in_tiles ? TILE_SPEED : 1));
}

// Runs the piece's emit(begin, end) over [0, count), on several threads if `parallel`.
static void share_out(LlvmGen *g, Piece *piece, bool parallel, int64_t count, int64_t grain) {
  const FusedOps *fused = piece->has_epilogue ? piece->block->gemm->fused : NULL;
  size_t results = fused && fused->whole ? epilogue_result_count(fused->whole) : 0;
  Value *values = ARENA_ARRAY(g->arena, Value, OUT_COUNT + results), saved[OUT_COUNT];
  save_block(piece->block, values);
  if (results) epilogue_result_bases(fused->whole, values + OUT_COUNT);
  save_block(piece->block, saved);
  if (!parallel || count <= grain) {
    emit_piece(g, gen_i64(g, 0), gen_i64(g, count), values, piece);
    return;
  }
  ParallelBody body = {.region = fused ? fused->region : NULL,
                       .ops = fused ? fused->ops : NULL,
                       .op_count = fused ? fused->count : 0,
                       .values = values,
                       .value_count = OUT_COUNT + results,
                       .body = emit_piece,
                       .data = piece,
                       .cost = gemm_cost(piece->block->gemm)};
  parallel_run(g, &body, gen_i64(g, count), gen_i64(g, grain));
  load_block(piece->block, saved);
}

// ---- by rows ------------------------------------------------------------------------------------
static int64_t panel_count(const Block *block) {
  return (block->gemm->n + block->shape->panel - 1) / block->shape->panel;
}

static void pack_b_piece(LlvmGen *g, Block *block, Value begin, Value end) {
  pack_panels(g, block->gemm, block->shape, block->packed_b, block->k0, block->k_count, begin, end);
}

static int64_t buffered_rows(const Block *block) {
  int64_t rows = least(block->shape->cells, block->shape->k_block);
  if (block->gemm->in_tiles) return (rows + STEP_CELLS - 1) / STEP_CELLS * STEP_CELLS;
  return rows + cell_is_compensated(block->gemm);
}

static int64_t tiles_of_piece(const Block *block) {
  if (block->gemm->in_tiles) return 1;
  return block->tiles >= 64 ? 8 : 4;
}

static void emit_rows_block(LlvmGen *g, Block *block, void *data) {
  const bool *parallel = data;
  Piece pack = {.block = block, .emit = pack_b_piece},
        tiles = {.block = block, .emit = emit_groups, .has_epilogue = block->is_last};
  if (block->packed_b) share_out(g, &pack, *parallel, panel_count(block), 2);
  share_out(g, &tiles, *parallel, block->tiles, tiles_of_piece(block));
}

static void emit_by_rows(LlvmGen *g, Block *block, bool parallel) {
  const GemmShape *shape = block->shape;
  Buffer *buffer = NULL;
  if (shape->packs_b)
    block->packed_b =
        scratch(g, block->gemm, panel_count(block) * shape->panel * buffered_rows(block), &buffer);
  emit_k_blocks(g, block, emit_rows_block, &parallel);
  frame_give(g, buffer);
}

// ---- by panels ----------------------------------------------------------------------------------
// Of the panels of one part; NULL, NULL: all.
typedef struct PanelRange {
  Value begin, end;
} PanelRange;

static void emit_panels_block(LlvmGen *g, Block *block, void *data) {
  const PanelRange *range = data;
  Tiles tiles = {gen_i64(g, 0), block->part_tiles, block->part_row};
  if (block->packed_a)
    pack_rows(g, block->gemm, block->shape, block->packed_a, block->k0, block->k_count,
              tiles.first_row, row_of_tile(g, block, tiles.end));
  emit_panels(g, block, range->begin, range->end, &tiles);
}

// The panels [begin, end) in strips.
static void emit_strips(LlvmGen *g, Block *block, Value begin, Value end) {
  const GemmShape *shape = block->shape;
  int64_t step = shape->strip / shape->panel;
  Loop loop;
  loop_begin(g, &loop, begin, end, step, 0, NULL, true);
  PanelRange range = {loop.index,
                      gen_intrinsic2(g, "llvm.smin", emit_add_c(g, loop.index, step), end)};
  block->strip = gen_mul_const(g, loop.index, shape->panel);
  emit_k_blocks(g, block, emit_panels_block, &range);
  block->strip = NULL;
  loop_end(g, &loop, NULL);
}

// The pieces [begin, end): the panels of the first part of the rows, then those of the next.
static void emit_parts(LlvmGen *g, Block *block, Value begin, Value end) {
  int64_t parts = block->shape->parts, panels = panel_count(block);
  bool is_all = LLVMIsAConstantInt(begin) && LLVMIsAConstantInt(end);
  PanelRange range = {is_all ? NULL : begin, is_all ? NULL : end};
  if (parts == 1) {
    enter_part(g, block, gen_i64(g, 0));
    if (block->shape->strip)
      emit_strips(g, block, begin, end);
    else
      emit_k_blocks(g, block, emit_panels_block, &range);
    return;
  }
  Value size = gen_i64(g, panels);
  Value first = is_all ? gen_i64(g, 0) : LLVMBuildUDiv(g->builder, begin, size, "");
  Value last = is_all ? gen_i64(g, parts)
                      : LLVMBuildUDiv(g->builder, emit_add_c(g, end, panels - 1), size, "");
  Loop loop;
  loop_begin(g, &loop, first, last, 1, 0, NULL, !is_all);
  enter_part(g, block, loop.index);
  if (!is_all) {
    Value start = emit_mul(g, loop.index, size);
    range.begin = gen_intrinsic2(g, "llvm.smax", emit_sub(g, begin, start), gen_i64(g, 0));
    range.end = gen_intrinsic2(g, "llvm.smin", emit_sub(g, end, start), size);
  }
  emit_k_blocks(g, block, emit_panels_block, &range);
  loop_end(g, &loop, NULL);
}

// Sums have their own type in c, and nothing else is to come.
static bool c_keeps_sums(const Gemm *gemm) { return !gemm->fused && gemm->c_dtype == gemm->sums; }

static bool adds_in_memory(const GemmShape *shape) { return shape->cells > step_of_sums(shape); }

// c keeps the parts of sums if it keeps nothing else, and nothing that is still needed; not those
// of a strip, whose rows would drive each other from the first level there.
static bool needs_part(const Gemm *gemm, const GemmShape *shape) {
  return shape->k_block < shape->sum_cells &&
         (shape->strip || adds_in_memory(shape) || gemm->init || !c_keeps_sums(gemm));
}

// The buffers are of the thread that runs the pieces.
static void emit_panel_pieces(LlvmGen *g, Block *block, Value begin, Value end) {
  const GemmShape *shape = block->shape;
  Buffer *buffers[3] = {NULL, NULL, NULL};
  int64_t rows =
      shape->parts == 1 ? block->gemm->m : (block->tiles / shape->parts + 2) * shape->rows;
  if (block->gemm->in_tiles) rows = block->tiles * shape->rows;
  if (shape->packs_a) block->packed_a = scratch(g, block->gemm, rows * shape->a_pitch, &buffers[0]);
  if (shape->packs_b)
    block->packed_b = scratch(g, block->gemm, shape->panel * buffered_rows(block), &buffers[1]);
  bool has_parts = shape->strip && needs_part(block->gemm, shape) && !block->outer_begins;
  if (has_parts) block->part = scratch(g, block->gemm, block->gemm->m * shape->strip, &buffers[2]);
  Buffer *sums = begin_sums(g, block);
  emit_parts(g, block, begin, end);
  end_sums(g, block, sums);
  if (has_parts) block->part = NULL;
  for (size_t i = COUNT_OF(buffers); i-- > 0;) frame_give(g, buffers[i]);
  block->packed_a = block->packed_b = NULL;
}

static void emit_by_panels(LlvmGen *g, Block *block, bool parallel) {
  const Gemm *gemm = block->gemm;
  int64_t work = gemm->m / block->shape->parts * gemm->k * block->shape->panel,
          grain = (GEMM_PARALLEL_WORK / 2 + work - 1) / work;
  Piece piece = {.block = block, .emit = emit_panel_pieces, .has_epilogue = true};
  share_out(g, &piece, parallel, block->shape->parts * panel_count(block), grain);
}

// ---- the whole ----------------------------------------------------------------------------------
static void cut_rows(Block *block) {
  const GemmShape *shape = block->shape;
  int64_t m = block->gemm->m;
  if (block->gemm->in_tiles) { // whole ones, and what is left
    block->tiles = (m + shape->rows - 1) / shape->rows;
    block->long_tiles = m / shape->rows;
    block->long_rows = shape->rows;
    block->short_rows = (unsigned)(m % shape->rows);
    return;
  }
  block->tiles = shape->packs_on_the_way
                     ? (m - shape->parts * shape->first_rows) / shape->rows + shape->parts
                     : (m + shape->rows - 1) / shape->rows;
  block->short_rows = (unsigned)(m / block->tiles);
  block->long_tiles = m % block->tiles;
  block->long_rows = block->short_rows + 1;
}

static bool needs_partial(const Gemm *gemm, const GemmShape *shape) {
  return adds_in_memory(shape) && (shape->goes_on || !c_keeps_sums(gemm));
}

static int64_t partial_cells(const Gemm *gemm, const GemmShape *shape) {
  return shape->goes_on ? tiles_kept_cells(gemm) : gemm->m * gemm->n;
}

static ReasonId why_one_thread(const LlvmGen *g, const Gemm *gemm) {
  if (g->options->check) return REASON_LOOPS_CHECK;
  if (g->frame->parallel) return REASON_INSIDE_PARALLEL;
  int64_t least_work = GEMM_PARALLEL_WORK * (gemm->in_tiles ? TILE_SPEED : 1);
  if (gemm->has_tiles || gemm->m * gemm->n * gemm->k < least_work) return REASON_LITTLE_WORK;
  return REASON_NONE;
}

void gemm_emit(LlvmGen *g, Gemm *gemm, Value begins) {
  gemm->in_tiles = !begins && cell_fits_tiles(g->target, gemm);
  gemm->kind = cell_kind(g, gemm);
  gemm->a.is_flipped = gemm->kind == DOT_I8 && !gemm->in_tiles && dtype_is_signed(gemm->a.dtype) &&
                       dtype_is_signed(gemm->b.dtype);
  FusedOps *fused = gemm->fused;
  ReasonId one_thread = why_one_thread(g, gemm);
  bool parallel = one_thread == REASON_NONE;
  GemmShape shape = gemm_shape(g->target, gemm, parallel);
  Block block = {.gemm = gemm, .shape = &shape, .outer_begins = begins};
  cut_rows(&block);
  if (shape.by_panels ? shape.parts * panel_count(&block) < LEAST_PIECES
                      : block.tiles < (gemm->in_tiles ? LEAST_PIECES : LEAST_TILES)) {
    parallel = false;
    if (one_thread == REASON_NONE) one_thread = REASON_LITTLE_WORK;
  }
  gemm_report(g, gemm, &shape, one_thread);
  enter_part(g, &block, gen_i64(g, 0));
  if (fused && parallel)
    fused->whole = epilogue_new_whole(g, fused->dot, fused->ops, fused->count);
  else if (fused)
    fused->epilogue = epilogue_new(g, fused->dot, fused->ops, fused->count);
  Buffer *buffers[2] = {NULL, NULL};
  int64_t count = gemm->m * gemm->n;
  if (needs_partial(gemm, &shape))
    block.partial = scratch(g, gemm, partial_cells(gemm, &shape), &buffers[0]);
  if (needs_part(gemm, &shape) && !begins && !shape.strip)
    block.part = scratch(g, gemm, count, &buffers[1]);
  if (shape.by_panels)
    emit_by_panels(g, &block, parallel);
  else
    emit_by_rows(g, &block, parallel);
  frame_give(g, buffers[1]);
  frame_give(g, buffers[0]);
  if (fused) epilogue_close(parallel ? fused->whole : fused->epilogue);
}
