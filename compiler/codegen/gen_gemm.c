// SPDX-License-Identifier: Apache-2.0
// The product of two matrices by a micro-kernel in registers: `rows` rows by `vectors` vectors of accumulators, one step of k at a time, so
// that every sum runs over k in increasing order, whatever the cut. b is packed into panels as wide as the kernel if it is read often enough;
// a is read where it lies. k is cut at K_BLOCK, with the sums kept in c meanwhile; the rows are shared out evenly, so that there are two
// kernels, with q + 1 and q rows, and no edges.
#include "dot.h"
#include "control.h"

enum { K_BLOCK = 1024, TILES_PER_BLOCK = 85, PARALLEL_WORK = 2 << 20, MAX_ROWS = 8, MAX_VECTORS = 4 };

typedef struct Kernel {
  const Gemm *gemm;
  const GemmShape *shape;
  unsigned rows, vectors, active; // active: columns in the last vector
  Value a, b;                     // first elements of the tile's row and of the panel, at the block's first k
  int64_t a_step, a_k_step, b_k_step; // in elements of what they point to
  const Factor *a_factor, *b_factor;  // how those are read: NULL if packed
  Value k_count;
  Value is_first;                 // i1: the sums start at zero; NULL: they always do
  Value row, column;              // of the tile
} Kernel;

static Type accumulator_type(LlvmGen *g, const Gemm *gemm, unsigned lanes) { return gen_compute_type(g, gemm->is_float ? DT_F32 : DT_I32, lanes); }

static DType read_dtype(const Kernel *k, const Factor *factor) { return factor ? factor->dtype : k->gemm->is_float ? DT_F32 : DT_I32; }

static Value load_a(LlvmGen *g, const Kernel *k, unsigned row, Value at) {
  DType dtype = read_dtype(k, k->a_factor);
  Value address = gen_offset(g, gen_offset_const(g, k->a, dtype, row * k->a_step), dtype, gen_mul_const(g, at, k->a_k_step));
  Value raw = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, 1), address, "");
  gen_set_align(raw, (unsigned)dtype_size(dtype));
  Value element = convert_from_storage(g, dtype, raw);
  return k->a_factor ? dot_convert(g, k->gemm, k->a_factor, element) : element;
}

static Value load_b(LlvmGen *g, const Kernel *k, unsigned vector, Value at) {
  DType dtype = read_dtype(k, k->b_factor);
  unsigned lanes = k->shape->lanes;
  Value row = gen_offset(g, k->b, dtype, gen_mul_const(g, at, k->b_k_step));
  Value address = gen_offset_const(g, row, dtype, (int64_t)vector * lanes);
  if (!k->b_factor) return mem_load_vector(g, address, dtype, lanes * 4, lanes, lanes);
  unsigned active = vector == k->vectors - 1 ? k->active : lanes;
  return dot_convert(g, k->gemm, k->b_factor, mem_load_vector(g, address, dtype, (unsigned)dtype_size(dtype), lanes, active));
}

static Value multiply_add(LlvmGen *g, const Gemm *gemm, Value a, Value b, Value sum) {
  return gemm->is_float ? emit_fma(g, a, b, sum) : emit_add(g, sum, emit_mul(g, a, b));
}

// ---- c -----------------------------------------------------------------------------------------------
static Value c_address(LlvmGen *g, const Kernel *k, unsigned row, unsigned vector) {
  const Gemm *gemm = k->gemm;
  Value offset = gen_add(g, gen_mul_const(g, k->row, gemm->c_step), k->column);
  return gen_offset_const(g, gen_offset(g, gemm->c, gemm->c_dtype, offset), gemm->c_dtype, row * gemm->c_step + (int64_t)vector * k->shape->lanes);
}

static unsigned active_lanes(const Kernel *k, unsigned vector) { return vector == k->vectors - 1 ? k->active : k->shape->lanes; }

// Vectors that are not whole, where there are no masks.
static Value load_lanes_one_by_one(LlvmGen *g, Value address, DType dtype, unsigned lanes, unsigned active) {
  Value vector = LLVMConstNull(gen_storage_type(g, dtype, lanes));
  for (unsigned i = 0; i < active; i++) {
    Value element = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, 1), gen_offset_const(g, address, dtype, i), "");
    gen_set_align(element, (unsigned)dtype_size(dtype));
    vector = LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return convert_from_storage(g, dtype, vector);
}

static void store_lanes_one_by_one(LlvmGen *g, Value value, Value address, DType dtype, unsigned active) {
  Value raw = convert_to_storage(g, dtype, value);
  for (unsigned i = 0; i < active; i++) {
    Value element = LLVMBuildExtractElement(g->builder, raw, gen_i32(g, i), "");
    gen_set_align(LLVMBuildStore(g->builder, element, gen_offset_const(g, address, dtype, i)), (unsigned)dtype_size(dtype));
  }
}

static Value load_c(LlvmGen *g, const Kernel *k, unsigned row, unsigned vector) {
  DType dtype = k->gemm->c_dtype;
  unsigned active = active_lanes(k, vector), lanes = k->shape->lanes;
  Value address = c_address(g, k, row, vector);
  if (active < lanes && !g->target->has_masks) return load_lanes_one_by_one(g, address, dtype, lanes, active);
  return mem_load_vector(g, address, dtype, (unsigned)dtype_size(dtype), lanes, active);
}

static void store_c(LlvmGen *g, const Kernel *k, unsigned row, unsigned vector, Value value) {
  const Gemm *gemm = k->gemm;
  unsigned active = active_lanes(k, vector), lanes = k->shape->lanes;
  DType dtype = gemm->c_dtype;
  if (gemm->is_float)
    value = dtype_is_float(dtype) ? convert_round(g, dtype, value) : convert_dtype(g, value, DT_F32, dtype);
  else
    value = convert_dtype(g, value, DT_I32, dtype);
  if (gemm->fused) {
    epilogue_apply(g, gemm->fused->epilogue, emit_add_c(g, k->row, row), emit_add_c(g, k->column, (int64_t)vector * lanes), value, active);
    return;
  }
  Value address = c_address(g, k, row, vector);
  if (active < lanes && !g->target->has_masks)
    store_lanes_one_by_one(g, value, address, dtype, active);
  else
    mem_store_vector(g, value, address, dtype, (unsigned)dtype_size(dtype), active);
}

// ---- the kernel ----------------------------------------------------------------------------------------
static void start_sums(LlvmGen *g, const Kernel *k, Value *sums) {
  unsigned count = k->rows * k->vectors;
  Value zero = LLVMConstNull(accumulator_type(g, k->gemm, k->shape->lanes));
  for (unsigned i = 0; i < count; i++) sums[i] = zero;
  if (!k->is_first) return;
  LLVMBasicBlockRef before = gen_here(g), again = gen_block(g, "again"), start = gen_block(g, "start");
  LLVMBuildCondBr(g->builder, k->is_first, start, again);
  gen_move_to(g, again);
  for (unsigned i = 0; i < count; i++) sums[i] = load_c(g, k, i / k->vectors, i % k->vectors);
  LLVMBuildBr(g->builder, start);
  again = gen_here(g);
  gen_move_to(g, start);
  for (unsigned i = 0; i < count; i++) {
    Value phi = LLVMBuildPhi(g->builder, LLVMTypeOf(zero), "");
    LLVMAddIncoming(phi, &zero, &before, 1);
    LLVMAddIncoming(phi, &sums[i], &again, 1);
    sums[i] = phi;
  }
}

static void emit_kernel(LlvmGen *g, const Kernel *k) {
  Value sums[MAX_ROWS * MAX_VECTORS], b[MAX_VECTORS];
  unsigned count = k->rows * k->vectors, lanes = k->shape->lanes;
  start_sums(g, k, sums);
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), k->k_count, 1, count, sums, false);
  for (unsigned v = 0; v < k->vectors; v++) b[v] = load_b(g, k, v, loop.index);
  for (unsigned r = 0; r < k->rows; r++) {
    Value a = gen_splat(g, load_a(g, k, r, loop.index), lanes);
    for (unsigned v = 0; v < k->vectors; v++) sums[r * k->vectors + v] = multiply_add(g, k->gemm, a, b[v], loop.carried[r * k->vectors + v]);
  }
  loop_end(g, &loop, sums);
  for (unsigned i = 0; i < count; i++) store_c(g, k, i / k->vectors, i % k->vectors, loop.carried[i]);
}

// ---- tiles and panels ------------------------------------------------------------------------------------
// What all tiles of one block of k have in common.
typedef struct Block {
  Gemm *gemm;
  const GemmShape *shape;
  Value packed_a, packed_b; // or NULL
  Value k0, k_count, is_first;
  int64_t tiles, long_tiles; // the first long_tiles have one row more
  unsigned short_rows;
} Block;

static void place_kernel(LlvmGen *g, const Block *block, Kernel *k) {
  const Gemm *gemm = block->gemm;
  if (block->packed_a) {
    k->a_step = gemm->k;
    k->a_k_step = 1;
    k->a = gen_offset(g, block->packed_a, DT_F32, gen_add(g, gen_mul_const(g, k->row, gemm->k), block->k0));
  } else {
    k->a_factor = &gemm->a;
    k->a_step = gemm->a.step;
    k->a_k_step = gemm->a.k_step;
    Value offset = gen_add(g, gen_mul_const(g, k->row, gemm->a.step), gen_mul_const(g, block->k0, gemm->a.k_step));
    k->a = gen_offset(g, gemm->a.base, gemm->a.dtype, offset);
  }
  if (block->packed_b) {
    k->b_k_step = block->shape->panel;
    // Panel p starts at p * k_count * panel, which is column * k_count.
    k->b = gen_offset(g, block->packed_b, DT_F32, emit_mul(g, k->column, block->k_count));
  } else {
    k->b_factor = &gemm->b;
    k->b_k_step = gemm->b.k_step;
    Value offset = gen_add(g, k->column, gen_mul_const(g, block->k0, gemm->b.k_step));
    k->b = gen_offset(g, gemm->b.base, gemm->b.dtype, offset);
  }
  emit_kernel(g, k);
}

// The tiles [begin, end) that have `rows` rows, in one panel; the first of that size is tile `origin`, at row `origin_row`.
static void emit_tiles(LlvmGen *g, const Block *block, Kernel k, Value begin, Value end, int64_t origin, int64_t origin_row, unsigned rows) {
  if (rows == 0) return;
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, 0, NULL, true);
  Value tile = origin ? emit_sub_c(g, loop.index, origin) : loop.index;
  k.rows = rows;
  k.row = emit_add_c(g, emit_mul(g, tile, gen_i64(g, rows)), origin_row);
  place_kernel(g, block, &k);
  loop_end(g, &loop, NULL);
}

static void emit_panel(LlvmGen *g, const Block *block, Value column, unsigned vectors, unsigned active, Value begin, Value end) {
  Kernel k = {.gemm = block->gemm, .shape = block->shape, .vectors = vectors, .active = active, .k_count = block->k_count,
              .is_first = block->is_first, .column = column};
  Value border = gen_i64(g, block->long_tiles);
  unsigned long_rows = block->short_rows + 1;
  if (block->long_tiles) emit_tiles(g, block, k, begin, gen_intrinsic2(g, "llvm.smin", end, border), 0, 0, long_rows);
  if (block->long_tiles < block->tiles)
    emit_tiles(g, block, k, gen_intrinsic2(g, "llvm.smax", begin, border), end, block->long_tiles, block->long_tiles * long_rows, block->short_rows);
}

// All columns of the tiles [begin, end): a group of tiles at a time, so that a's part stays in the cache from panel to panel.
static void emit_tile_range(LlvmGen *g, const Block *block, Value begin, Value end) {
  const GemmShape *shape = block->shape;
  int64_t n = block->gemm->n, whole = n / shape->panel, rest = n % shape->panel;
  bool has_groups = block->tiles > TILES_PER_BLOCK;
  Loop groups, panels;
  if (has_groups) {
    loop_begin(g, &groups, begin, end, TILES_PER_BLOCK, 0, NULL, true);
    begin = groups.index;
    end = gen_intrinsic2(g, "llvm.smin", emit_add_c(g, begin, TILES_PER_BLOCK), end);
  }
  if (whole) {
    loop_begin_count(g, &panels, whole, 1, 0, NULL);
    emit_panel(g, block, gen_mul_const(g, panels.index, shape->panel), shape->vectors, shape->lanes, begin, end);
    loop_end(g, &panels, NULL);
  }
  if (rest) {
    unsigned vectors = (unsigned)((rest + shape->lanes - 1) / shape->lanes);
    emit_panel(g, block, gen_i64(g, whole * shape->panel), vectors, (unsigned)(rest - (int64_t)(vectors - 1) * shape->lanes), begin, end);
  }
  if (has_groups) loop_end(g, &groups, NULL);
}

// ---- threads -----------------------------------------------------------------------------------------------
enum { OUT_A, OUT_B, OUT_C, OUT_PACKED_A, OUT_PACKED_B, OUT_K0, OUT_K_COUNT, OUT_IS_FIRST, OUT_COUNT };

static void save_block(const Block *block, Value *values) {
  Value all[] = {block->gemm->a.base, block->gemm->b.base, block->gemm->c, block->packed_a, block->packed_b, block->k0, block->k_count, block->is_first};
  for (int i = 0; i < OUT_COUNT; i++) values[i] = all[i];
}

static void load_block(Block *block, Value const *values) {
  block->gemm->a.base = values[OUT_A];
  block->gemm->b.base = values[OUT_B];
  block->gemm->c = values[OUT_C];
  block->packed_a = values[OUT_PACKED_A];
  block->packed_b = values[OUT_PACKED_B];
  block->k0 = values[OUT_K0];
  block->k_count = values[OUT_K_COUNT];
  block->is_first = values[OUT_IS_FIRST];
}

static void pack_b_piece(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  Block *block = data;
  load_block(block, values);
  pack_panels(g, block->gemm, block->shape, block->packed_b, block->k0, block->k_count, begin, end);
}

// The epilogue belongs to the function it is evaluated in.
static void tiles_piece(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  Block *block = data;
  load_block(block, values);
  FusedOps *fused = block->gemm->fused;
  Epilogue *outer = fused ? fused->epilogue : NULL;
  bool is_outlined = fused && g->frame->parallel && !outer;
  if (is_outlined) fused->epilogue = epilogue_new(g, fused->dot, fused->ops, fused->count);
  emit_tile_range(g, block, begin, end);
  if (!is_outlined) return;
  epilogue_close(fused->epilogue);
  fused->epilogue = NULL;
}

// Runs emit(begin, end) over [0, count), on several threads if `parallel`.
static void share_out(LlvmGen *g, Block *block, bool parallel, int64_t count, int64_t grain, void (*emit)(LlvmGen *, Value, Value, const Value *, void *)) {
  Value values[OUT_COUNT], saved[OUT_COUNT];
  save_block(block, values);
  save_block(block, saved);
  if (!parallel) {
    emit(g, gen_i64(g, 0), gen_i64(g, count), values, block);
    return;
  }
  const FusedOps *fused = block->gemm->fused;
  Outline outline = {.region = fused ? fused->region : NULL, .ops = fused ? fused->ops : NULL, .op_count = fused ? fused->count : 0, .values = values, .value_count = OUT_COUNT, .body = emit, .data = block};
  outline_parallel(g, &outline, gen_i64(g, count), gen_i64(g, grain));
  load_block(block, saved);
}

// ---- the whole ---------------------------------------------------------------------------------------------
GemmShape gemm_shape(LlvmGen *g, const Gemm *gemm) {
  GemmShape s = {.lanes = g->target->vector_bytes / 4};
  s.vectors = g->target->registers >= 32 ? 4 : 2;
  s.rows = 6;
  while (s.vectors > 1 && gemm->n <= (int64_t)s.lanes * (s.vectors - 1)) s.vectors--;
  s.panel = (int64_t)s.lanes * s.vectors;
  s.k_block = K_BLOCK;
  bool reads_plain = gemm->b.step == 1 && gemm->b.dtype == (gemm->is_float ? DT_F32 : DT_I32) && !gemm->b.to_bf16;
  if (gemm->n % s.lanes && !g->target->has_masks) reads_plain = false;
  // Packing pays if the panels are read several times and do not fit the first-level cache as they lie.
  bool is_large = gemm->k * gemm->n > 8192 && gemm->k > 32;
  s.packs_b = !reads_plain || (gemm->m >= 32 && is_large);
  bool a_is_plain = gemm->a.dtype == (gemm->is_float ? DT_F32 : DT_I32) && !gemm->a.to_bf16;
  bool reads_a_often = gemm->n > s.panel;
  s.packs_a = reads_a_often && (!a_is_plain || (gemm->a.k_step != 1 && gemm->m * gemm->k > 4096));
  return s;
}

static Value scratch(LlvmGen *g, int64_t elements, Buffer **buffer) {
  Mem mem;
  *buffer = frame_take_array(g, DT_F32, 1, &elements, &mem);
  return mem.base;
}

static void emit_block(LlvmGen *g, Block *block, bool parallel) {
  int64_t panels = (block->gemm->n + block->shape->panel - 1) / block->shape->panel;
  if (block->packed_b) share_out(g, block, parallel && panels > 1, panels, 1, pack_b_piece);
  share_out(g, block, parallel, block->tiles, 8, tiles_piece);
}

static void emit_k_blocks(LlvmGen *g, Block *block, bool parallel) {
  Gemm *gemm = block->gemm;
  int64_t blocks = (gemm->k + K_BLOCK - 1) / K_BLOCK;
  if (blocks <= 1) {
    block->k0 = gen_i64(g, 0);
    block->k_count = gen_i64(g, gemm->k);
    emit_block(g, block, parallel);
    return;
  }
  Loop loop;
  loop_begin_count(g, &loop, gemm->k, K_BLOCK, 0, NULL);
  block->k0 = loop.index;
  block->k_count = gen_intrinsic2(g, "llvm.smin", gen_i64(g, K_BLOCK), emit_sub(g, gen_i64(g, gemm->k), loop.index));
  Value own = emit_icmp_c(g, LLVMIntEQ, loop.index, 0);
  block->is_first = block->is_first ? emit_and(g, block->is_first, own) : own;
  emit_block(g, block, parallel);
  loop_end(g, &loop, NULL);
}

// `is_first`: NULL, or whether the sums start at zero rather than at c.
void gemm_emit(LlvmGen *g, Gemm *gemm, Value is_first) {
  GemmShape shape = gemm_shape(g, gemm);
  Block block = {.gemm = gemm, .shape = &shape, .is_first = is_first};
  block.tiles = (gemm->m + shape.rows - 1) / shape.rows;
  block.short_rows = (unsigned)(gemm->m / block.tiles);
  block.long_tiles = gemm->m % block.tiles;
  // No tile has no rows: where all have the same number, they are the long ones.
  if (block.long_tiles == 0) {
    block.long_tiles = block.tiles;
    block.short_rows--;
  }
  bool parallel = gemm->m * gemm->n * gemm->k >= PARALLEL_WORK && block.tiles >= 16 && !g->frame->parallel && !g->options->check && (!gemm->fused || gemm->fused->only_stores);
  if (gemm->fused && !parallel) gemm->fused->epilogue = epilogue_new(g, gemm->fused->dot, gemm->fused->ops, gemm->fused->count);
  Buffer *buffers[2] = {NULL, NULL};
  if (shape.packs_a) {
    block.packed_a = scratch(g, gemm->m * gemm->k, &buffers[0]);
    pack_rows(g, gemm, block.packed_a, gen_i64(g, 0), gen_i64(g, gemm->m));
  }
  if (shape.packs_b) {
    int64_t panels = (gemm->n + shape.panel - 1) / shape.panel, k = gemm->k < K_BLOCK ? gemm->k : K_BLOCK;
    block.packed_b = scratch(g, panels * shape.panel * k, &buffers[1]);
  }
  emit_k_blocks(g, &block, parallel);
  frame_give(g, buffers[0]);
  frame_give(g, buffers[1]);
  if (gemm->fused && gemm->fused->epilogue) epilogue_close(gemm->fused->epilogue);
}
