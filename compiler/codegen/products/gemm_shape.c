// SPDX-License-Identifier: Apache-2.0
// How a product is cut. In: its sizes, how its factors lie, the CPU's registers and caches. Out:
// the micro-kernel, blocks of k, groups of rows, what is packed. The numbers follow from the sizes
// of the CPU (target.def, or what the machine itself says) as Goto and van de Geijn derive them
// (Anatomy of High-Performance Matrix Multiplication, 2008); results never depend on them.
#include "gemm_shape.h"
#include "gen_cell.h"
#include "gen_kernel.h"
#include "gen_pack.h"

enum {
  LINE_CELLS = 16,   // a line of the cache, or two: between rows of one pitch, so that they do not
                     // fall into one set
  PAGE_BYTES = 4096, // of memory; also one way of a first-level cache
  UNROLL = 2,
  // Of strips (strip_columns): cells of k that go by at once, and how far they are fetched ahead. A
  // strip of one row is so wide that CPUs follow its lines, and more of them (tests/bench, rows
  // "few rows"). What is smaller than the last level of most CPUs may be there from before, where
  // CPUs follow all lines.
  STRIP_CELLS = 4,
  STRIP_CELLS_OF_ROW = 8,
  STRIP_AHEAD = 16,
  LAST_LEVEL_BYTES = 16 << 20,
  TILES_OF_STRIP = 2, // which read b from the first level then
  // Two multiply-adds begin in a cycle and each takes 4: 8 sums keep a CPU busy. A kernel of one
  // vector has half as many more, and fetches lines of a ahead once for so many cells: it does
  // little else with each load. Not where twice as many lines of a, those at work and those that
  // are fetched, drive each other from the first level.
  LEAST_SUMS = 8,
  NARROW_SUMS = 12,
  NARROW_UNROLL = 8,
  MOST_SQUARE_ROWS = 8, // with squares of 8 columns, and what rows_of_squares keeps, 16 registers
  LEAST_K_BLOCK = 256,  // panel_cells says why
  // Rows of b that are read side by side without packing: half of the entries of a first-level TLB.
  MOST_STREAMS = 32,
  // Columns that are read side by side, all along k, from behind the second level: as many as CPUs
  // follow there (tests/bench/wide, jnp.dot(x, y[0])).
  MOST_COLUMNS = 16,
  // Packing is a pass over what is packed, which takes as long as a panel's pass or a tile's share
  // of one does: it may be this part of all passes. Where rows of a drive each other from the cache
  // it saves more (tests/bench, rows matmul).
  PASSES = 24,
  PASSES_OF_BAD_PITCH = 8,
  TILES_OF_PACKED_B = 3,
  // In tiles: packing is a pass, which is worth it if more of them follow.
  PANELS_OF_BAD_PITCH = 2,
  MOST_PACKED_ROWS = 64, // that each thread packs for its panels
  // For threads: each packs its panels again, for so many rows at least, or fewer, if b is easily
  // packed, where there would be too few pieces for two threads to have as many; as many pieces as
  // even out what some threads lose.
  LEAST_PART_ROWS = 128,
  FEW_PART_ROWS = 96,
  FEW_PIECES = 4,
  WANTED_PIECES = 16
};

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t b_bytes(const Gemm *gemm) {
  return gemm->k * gemm->n * (int64_t)dtype_size(gemm->b.dtype);
}

// Rows far apart by whole pages fall into the same sets of the first-level cache.
static bool has_bad_pitch(const Factor *f) {
  return f->step * (int64_t)dtype_size(f->dtype) % PAGE_BYTES == 0;
}

// How many lines, one of each row, the first level holds at once: its ways have a page each, and
// rows a multiple of a power of two apart share every such place of a page.
static int64_t lines_side_by_side(const Target *target, const Factor *f, int64_t elements) {
  int64_t step = elements * (int64_t)dtype_size(f->dtype), apart = step & -step;
  if (apart == 0 || apart < LINE_BYTES) apart = LINE_BYTES;
  return target->l1_bytes / (apart < PAGE_BYTES ? apart : PAGE_BYTES);
}

static bool should_pack_a(const Target *target, const Gemm *gemm, const GemmShape *s) {
  const Factor *a = &gemm->a;
  if (gemm->kind == DOT_I16 || gemm->kind == DOT_I8 || gemm->kind == DOT_BF16) {
    if (!cell_is_in_memory(gemm, a)) return true;
  } else {
    if (gemm->n <= s->panel) return false;
    if (!cell_is_in_memory(gemm, a)) return true;
    if (a->k_step != 1) return gemm->m * gemm->k * cell_bytes(gemm) > target->l1_bytes / 2;
  }
  // Wide panels read a so seldom that it may lie anywhere; a small one stays in the cache as it
  // lies.
  if (target->vector_bytes >= 64 || gemm->m < s->rows) return false;
  if (has_bad_pitch(a))
    return gemm->n >= PASSES_OF_BAD_PITCH * s->panel &&
           gemm->m * gemm->k * cell_bytes(gemm) >= target->l1_bytes / 2;
  return gemm->n >= PASSES * s->panel &&
         gemm->m * gemm->k * cell_bytes(gemm) > target->l2_bytes / 2;
}

// Few tiles take every element of b from where it lies, as cells, whatever it is: to make them
// twice is as quick as to pack them, if vectors are wide.
static bool takes_b_as_it_lies(const Target *target, const Gemm *gemm, const GemmShape *s) {
  unsigned tiles = target->registers >= 32 ? TILES_OF_STRIP : 1;
  return gemm->m <= tiles * s->rows && gemm->b.step == 1 && gemm->k % cell_group(gemm) == 0 &&
         !cell_is_compensated(gemm) && (gemm->n % s->lanes == 0 || target->has_masks);
}

static bool should_pack_b(const Target *target, const Gemm *gemm, const GemmShape *s) {
  const Factor *b = &gemm->b;
  if (takes_b_as_it_lies(target, gemm, s)) return false;
  if (cell_group(gemm) > 1 || b->step != 1 || !cell_is_in_memory(gemm, b)) return true;
  if (gemm->n % s->lanes && !target->has_masks) return true;
  // Packing pays if the panels are read several times and do not fit the first-level cache as they
  // lie.
  return gemm->m >= TILES_OF_PACKED_B * s->rows &&
         gemm->k * gemm->n * cell_bytes(gemm) > target->l1_bytes &&
         gemm->k > least(MOST_STREAMS, lines_side_by_side(target, b, b->k_step));
}

// The panels are wide enough to be read across the rows of b while the sums are at work; narrow
// ones are one line of each, which is near enough where it comes from a cache. A panel goes by all
// rows then, so those of a stay in the second level.
static bool can_pack_on_the_way(const Target *target, const Gemm *gemm, const GemmShape *s) {
  if (cell_group(gemm) > 1 || gemm->b.step != 1) return false;
  return target->vector_bytes >= 64 || (gemm->m <= s->group && b_bytes(gemm) < LAST_LEVEL_BYTES);
}

// Enough pieces for several threads, of enough rows that packing each panel once for each part
// costs little.
static int64_t wanted_parts(const Gemm *gemm, const GemmShape *s, bool parallel) {
  int64_t panels = (gemm->n + s->panel - 1) / s->panel, most = gemm->m / LEAST_PART_ROWS;
  if (gemm->b.step == 1 && panels * (most > 1 ? most : 1) < FEW_PIECES)
    most = gemm->m / FEW_PART_ROWS;
  int64_t parts = parallel ? WANTED_PIECES / panels : 1,
          groups = s->packs_a ? gemm->m / s->group : 1;
  if (parts < groups) parts = groups;
  if (parts > most) parts = most;
  return parts > 1 ? parts : 1;
}

// All parts begin with a tile of first_rows, and all other tiles have the same number of rows.
static bool cut_parts(const Gemm *gemm, GemmShape *s, int64_t parts) {
  for (int rows = (int)s->rows; rows >= (int)s->rows - 1; rows--)
    for (int first = rows; first > 0; first--) {
      if ((gemm->m - parts * first) % rows) continue;
      s->parts = parts;
      s->rows = (unsigned)rows;
      s->first_rows = (unsigned)first;
      return true;
    }
  return false;
}

// Few rows: what matters is that memory is read along its pages, and what several tiles read is
// still in the first-level cache.
static bool waits_for_memory(const Target *target, const Gemm *gemm, const GemmShape *s) {
  return gemm->m <= s->rows ||
         (gemm->m < TILES_OF_PACKED_B * s->rows && b_bytes(gemm) > 2 * target->l2_bytes);
}

// A few rows of a take a factor that lies along k once, as it lies: each square of it is transposed
// on the way to the sums.
static bool can_take_squares(const Target *target, const Gemm *gemm, const GemmShape *s,
                             unsigned rows) {
  const Factor *b = &gemm->b;
  if (b->k_step != 1 || b->step == 1 || gemm->m > rows || cell_is_compensated(gemm)) return false;
  return gemm->k % cell_group(gemm) == 0 && s->cells >= pack_square_cells(gemm, s->lanes) &&
         (gemm->n % s->lanes == 0 || target->has_masks);
}

// The sums of one row and square wait for each other; those of a second square fill the wait. A
// square that is loaded whole needs so many registers that a second one finds none.
static unsigned squares_of_row(const Target *target, const Gemm *gemm, unsigned lanes) {
  bool is_near = b_bytes(gemm) <= target->l2_bytes / 2;
  bool stay = 2 * lanes <= lines_side_by_side(target, &gemm->b, gemm->b.step);
  return gemm->m == 1 && gemm->n > lanes && pack_has_words(gemm) && stay &&
                 (is_near || 2 * lanes <= MOST_COLUMNS)
             ? 2
             : 1;
}

// Where one sum ends and the next one begins: integers have any order, so it may be anywhere.
static int64_t sum_cells(const Gemm *gemm, const GemmShape *s) {
  if (!dtype_is_float(gemm->sums) || gemm->sum_block >= gemm->k) return s->cells;
  return gemm->sum_block / cell_group(gemm);
}

// Few columns are read side by side, all along k.
static GemmShape shape_of_squares(const Target *target, const Gemm *gemm, const GemmShape *like,
                                  unsigned rows) {
  unsigned vectors = squares_of_row(target, gemm, like->lanes);
  GemmShape s = {.lanes = like->lanes,
                 .vectors = vectors,
                 .rows = rows,
                 .panel = (int64_t)like->lanes * vectors,
                 .cells = like->cells,
                 .k_block = like->cells,
                 .sum_cells = sum_cells(gemm, like),
                 .unroll = pack_square_cells(gemm, like->lanes),
                 .in_squares = true,
                 .is_crowded = like->is_crowded,
                 .waits_for_memory = true,
                 .by_panels = true,
                 .parts = 1,
                 .group = rows};
  s.packs_a = should_pack_a(target, gemm, &s);
  s.a_pitch = s.cells + LINE_CELLS;
  return s;
}

// An eighth of the registers is for one cell's row of b's panel, so that each element of a that is
// splat into one more is used as often; the rest is for the sums: 6 rows of 2 vectors of 16
// registers, of 4 of 32.
static GemmShape kernel_shape(const Target *target, const Gemm *gemm) {
  unsigned vectors = target->registers / 8;
  return (GemmShape){.lanes = target->vector_bytes / (unsigned)cell_bytes(gemm),
                     .vectors = vectors,
                     .rows = (target->registers - vectors - 1) / vectors};
}

// What is read from behind the second level is better read seldom: some rows more than one tile has
// go into fewer tiles of fewer vectors.
static void take_many_rows(const Target *target, const Gemm *gemm, GemmShape *s) {
  int64_t tiles = (gemm->m + s->rows - 1) / s->rows, fewest = tiles;
  if (tiles > TILES_OF_PACKED_B || b_bytes(gemm) <= target->l2_bytes) return;
  for (unsigned vectors = s->vectors; vectors > 1; vectors--) {
    unsigned rows = (target->registers - vectors - 1) / vectors;
    int64_t count = (gemm->m + rows - 1) / rows;
    if (count >= fewest) continue;
    fewest = count;
    s->vectors = vectors;
    s->rows = (unsigned)((gemm->m + count - 1) / count);
  }
}

// Sums of few rows wait for themselves, unless there are more vectors of each, in panels that are
// equally wide. Several rows of what comes from memory wait for that: their strips are fetched
// ahead.
static void take_few_rows(const Target *target, const Gemm *gemm, GemmShape *s) {
  if (cell_group(gemm) > 1 || gemm->m * s->vectors >= LEAST_SUMS) return;
  if (gemm->m > 1 && b_bytes(gemm) >= LAST_LEVEL_BYTES) return;
  int64_t all = (gemm->n + s->lanes - 1) / s->lanes, wanted = (LEAST_SUMS + gemm->m - 1) / gemm->m;
  int64_t most = (target->registers - 2) / (gemm->m + (gemm->m > 1)), // b's, if it is read twice
      panels = (all + wanted - 1) / wanted;
  s->vectors = (unsigned)least(least(most, MAX_VECTORS), (all + panels - 1) / panels);
}

// A square of b is as many registers as it has columns, the sums are one for each row.
static unsigned rows_of_squares(const Target *target, const GemmShape *s) {
  unsigned rows = target->registers - s->lanes - 2;
  return rows < MOST_SQUARE_ROWS ? rows : MOST_SQUARE_ROWS;
}

// How many cells of k a panel holds while the tiles go by: those that fill the first level, if that
// is enough for the fetching and keeping of sums in between not to count (2 accesses for each sum,
// in LEAST_K_BLOCK cells: below 1 %). A kernel with 32 registers does so much with each row of the
// panel (24 multiply-adds in 12 cycles, for 256 bytes) that the second level feeds it as well: an
// eighth of that, since rows of a and c go through it too.
static int64_t panel_cells(const Target *target, const Gemm *gemm, const GemmShape *kernel) {
  int64_t row = (int64_t)kernel->lanes * kernel->vectors * cell_bytes(gemm);
  int64_t cells = target->l1_bytes / row;
  return cells >= LEAST_K_BLOCK ? cells : target->l2_bytes / 8 / row;
}

// Rows of a that stay in the second level while the panels go by: packed, in three quarters of it,
// beside panels and sums; as they lie, all that it holds (a wide kernel seldom reads them).
static int64_t group_rows(const Target *target, const Gemm *gemm, const GemmShape *s,
                          int64_t k_block) {
  int64_t row = (k_block + (s->packs_a ? LINE_CELLS : 0)) * cell_bytes(gemm);
  bool lies = target->registers >= 32 && !s->packs_a;
  int64_t rows = (lies ? target->l2_bytes : target->l2_bytes / 4 * 3) / row / s->rows * s->rows;
  return rows > s->rows ? rows : s->rows;
}

// Columns of b that come from memory go through k in strips, so that their sums stay in a third of
// the first level: between few cells of k each, so that a block's rows of b do, too, whose lines
// drive each other out if they are a power of two apart.
static int64_t strip_columns(const Target *target, const Gemm *gemm, const GemmShape *s) {
  int64_t row = gemm->b.k_step * (int64_t)dtype_size(gemm->b.dtype);
  if (s->packs_b || gemm->m > TILES_OF_STRIP * s->rows || gemm->b.step != 1 || !s->by_panels)
    return 0;
  if (b_bytes(gemm) < LAST_LEVEL_BYTES) return 0;
  if (target->registers < 32 && gemm->m > s->rows && row % PAGE_BYTES) return 0;
  int64_t columns = target->l1_bytes / 3 / (gemm->m * cell_bytes(gemm)) / s->panel * s->panel;
  return least(columns > s->panel ? columns : s->panel, round_up(gemm->n, s->panel));
}

static int64_t strip_cells(const Gemm *gemm) {
  return gemm->m == 1 ? STRIP_CELLS_OF_ROW : STRIP_CELLS;
}

// Blocks of k of one size, each of about `wanted` cells, which do not cut a sum of a few hundred.
static void cut_k(const Gemm *gemm, GemmShape *s, int64_t wanted) {
  bool has_lines = s->waits_for_memory && gemm->b.step == 1;
  if (has_lines) wanted = s->strip ? strip_cells(gemm) : LINE_CELLS;
  if (gemm->m <= s->rows && gemm->b.step != 1) wanted = PAGE_BYTES / cell_bytes(gemm);
  s->sum_cells = sum_cells(gemm, s);
  bool is_cut = s->sum_cells < s->cells;
  int64_t blocks = (s->cells + wanted - 1) / wanted;
  if (s->cells < wanted + wanted / 4) blocks = 1;
  s->k_block = blocks == 1 ? s->cells : round_up((s->cells + blocks - 1) / blocks, LINE_CELLS);
  if (has_lines && (is_cut || s->strip))
    s->k_block = least(wanted, s->sum_cells);
  else if (is_cut && blocks > 1)
    s->k_block = wanted > s->sum_cells ? wanted / s->sum_cells * s->sum_cells : s->sum_cells;
  if (!dtype_is_float(gemm->sums) && !s->strip) s->sum_cells = s->k_block;
  s->unroll = s->strip ? strip_cells(gemm) : s->vectors == 1 ? NARROW_UNROLL : UNROLL;
  if (s->cells < s->unroll) s->unroll = s->cells < UNROLL ? 1 : UNROLL;
  s->a_pitch = least(s->cells, s->k_block) + LINE_CELLS;
}

// In tiles a comes from the second level, of which it fills half; rows far apart by half a page use
// no more than half of that one's sets for a block of k, and drive each other from there.
static bool is_pitch_bad_for_tiles(const Factor *a) {
  return a->step * (int64_t)dtype_size(a->dtype) % (PAGE_BYTES / 2) == 0;
}

// Four tiles of sums, and two of either factor. A step of them is four products of 16 cycles, and
// brings as many tiles of 8: a's from the second level, 32 bytes a cycle; b's from the first, of
// which they have two thirds, since a's go through it.
static GemmShape shape_of_tiles(const Target *target, const Gemm *gemm) {
  unsigned lanes = target->vector_bytes / (unsigned)cell_bytes(gemm);
  GemmShape s = {.lanes = lanes,
                 .vectors = gemm->n > lanes ? 2 : 1,
                 .rows = gemm->m > TILE_ROWS ? 2 * TILE_ROWS : TILE_ROWS,
                 .unroll = STEP_CELLS,
                 .parts = 1,
                 .packs_b = true,
                 .waits_for_memory = gemm->m <= TILE_ROWS};
  s.panel = (int64_t)s.lanes * s.vectors;
  s.cells = (gemm->k + cell_group(gemm) - 1) / cell_group(gemm);
  s.sum_cells = sum_cells(gemm, &s);
  s.goes_on = s.sum_cells == s.cells;
  bool is_whole =
      gemm->m % TILE_ROWS == 0 && s.cells % STEP_CELLS == 0 && s.sum_cells % STEP_CELLS == 0;
  s.packs_a = !is_whole || !cell_is_in_memory(gemm, &gemm->a) ||
              (is_pitch_bad_for_tiles(&gemm->a) && gemm->n > PANELS_OF_BAD_PITCH * s.panel);
  int64_t wanted = target->l1_bytes / 3 * 2 / (s.panel * cell_bytes(gemm)),
          blocks = s.cells < wanted + wanted / 4 ? 1 : (s.cells + wanted - 1) / wanted;
  s.k_block = blocks == 1 ? s.cells : round_up((s.cells + blocks - 1) / blocks, STEP_CELLS);
  if (!s.goes_on) s.k_block = s.sum_cells;
  s.sum_cells = s.k_block;
  s.a_pitch = round_up(s.k_block, STEP_CELLS) + LINE_CELLS;
  int64_t row = (s.packs_a ? s.a_pitch : s.k_block) * cell_bytes(gemm);
  s.group = target->l2_bytes / 2 / row / s.rows * s.rows;
  if (s.group < s.rows) s.group = s.rows;
  s.by_panels = gemm->m <= (s.packs_a ? MOST_PACKED_ROWS : s.group);
  return s;
}

static unsigned narrow_rows(const Target *target, const Gemm *gemm) {
  return lines_side_by_side(target, &gemm->a, gemm->a.step) < 2 * NARROW_SUMS ? LEAST_SUMS
                                                                              : NARROW_SUMS;
}

// A result of few columns: two units multiply registers of half the size at once, or of the whole
// size at the same rate.
static void take_few_columns(const Target *target, const Gemm *gemm, GemmShape *s) {
  if (target->vector_bytes >= WIDEST_VECTOR && cell_group(gemm) == 1 && gemm->n <= s->lanes / 2)
    s->lanes /= 2;
}

GemmShape gemm_shape(const Target *target, const Gemm *gemm, bool parallel) {
  if (gemm->in_tiles) return shape_of_tiles(target, gemm);
  GemmShape s = kernel_shape(target, gemm);
  int64_t k_block = panel_cells(target, gemm, &s);
  while (s.vectors > 1 && gemm->n <= (int64_t)s.lanes * (s.vectors - 1)) s.vectors--;
  take_many_rows(target, gemm, &s);
  take_few_rows(target, gemm, &s);
  take_few_columns(target, gemm, &s);
  if (s.vectors == 1) s.rows = narrow_rows(target, gemm);
  s.panel = (int64_t)s.lanes * s.vectors;
  s.cells = (gemm->k + cell_group(gemm) - 1) / cell_group(gemm);
  s.is_crowded = gemm->b.step != 1 && s.lanes > lines_side_by_side(target, &gemm->b, gemm->b.step);
  unsigned square_rows = rows_of_squares(target, &s);
  if (can_take_squares(target, gemm, &s, square_rows))
    return shape_of_squares(target, gemm, &s, square_rows);
  s.packs_b = should_pack_b(target, gemm, &s);
  s.packs_a = should_pack_a(target, gemm, &s);
  s.waits_for_memory = waits_for_memory(target, gemm, &s);
  s.group = group_rows(target, gemm, &s, k_block);
  s.packs_on_the_way = s.packs_b && can_pack_on_the_way(target, gemm, &s);
  s.by_panels = s.packs_on_the_way || gemm->m <= s.group;
  s.parts = 1;
  if (s.packs_on_the_way)
    for (int64_t parts = wanted_parts(gemm, &s, parallel); !cut_parts(gemm, &s, parts);) parts--;
  s.strip = strip_columns(target, gemm, &s);
  s.ahead = s.strip && gemm->m > 1 ? STRIP_AHEAD : 0;
  cut_k(gemm, &s, k_block);
  return s;
}
