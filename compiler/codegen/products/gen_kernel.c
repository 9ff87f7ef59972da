// SPDX-License-Identifier: Apache-2.0
// The micro-kernel: `rows` rows by `vectors` vectors of sums in registers, one cell of k at a time,
// so that every sum runs over k in increasing order, whatever the cut. Sums are of `sum_cells`
// cells from zero each; what they come to is added up in memory between blocks of k (and inside of
// one, unless its sums go elsewhere), in their own type.
#include "gen_kernel.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_mem.h"
#include "codegen/memory/gen_vector.h"
#include "gen_cell.h"
#include "gen_pack.h"

// From what block of k on its sums are fetched ahead, if c is larger than the second-level cache.
enum { PREFETCH_CELLS = 64 };
// How far ahead the rows of a panel are fetched that is packed on the way.
enum { AHEAD_ROWS = 8 };

static Type sum_type(LlvmGen *g, const Gemm *gemm, unsigned lanes) {
  return gen_compute_type(g, gemm->sums, lanes);
}

// The places that a turn of the loop starts from: a's first row, b's panel, and where that is
// packed (or NULL).
enum { CURSOR_A, CURSOR_B, CURSOR_PACK, CURSORS };

static int64_t cell_step_of_a(const Kernel *k) {
  return k->a_factor ? cell_group(k->gemm) * k->a_factor->k_step : 1;
}

static Value load_a(LlvmGen *g, const Kernel *k, Value from, unsigned row, int64_t cell) {
  const Gemm *gemm = k->gemm;
  const Factor *f = k->a_factor;
  DType dtype = f ? f->dtype : cell_dtype(gemm);
  int64_t pitch = f ? f->step : k->shape->a_pitch;
  Value address = gen_offset_const(g, from, dtype, row * pitch + cell * cell_step_of_a(k));
  if (f && cell_group(gemm) == 1) return cell_across(g, gemm, f, address, 1, 1, 1);
  // A cell as it lies in memory.
  Value load = LLVMBuildLoad2(g->builder, f ? g->i32 : gen_storage_type(g, dtype, 1), address, "");
  gen_set_align(load, f ? (unsigned)dtype_size(dtype) : 4);
  return load;
}

static unsigned active_lanes(const Kernel *k, unsigned vector) {
  return vector == k->vectors - 1 ? k->active : k->shape->lanes;
}

// The lines of a vector of a strip, some cells below: each once.
static void prefetch_below(LlvmGen *g, const Kernel *k, Value address, unsigned vector) {
  const Factor *f = k->b_factor;
  int64_t size = (int64_t)dtype_size(f->dtype), group = cell_group(k->gemm), row = f->k_step * size;
  if ((int64_t)vector * k->shape->lanes * size % LINE_BYTES) return;
  for (int64_t i = 0; i < group; i++)
    gen_prefetch_far(g, gen_address(g, address, (k->shape->ahead * group + i) * row));
}

static Value load_b(LlvmGen *g, const Kernel *k, Value const *cursors, unsigned vector,
                    int64_t cell) {
  const Factor *f = k->b_factor;
  unsigned lanes = k->shape->lanes;
  DType packed = cell_dtype(k->gemm);
  int64_t at = cell * k->shape->panel + (int64_t)vector * lanes; // in a packed panel
  if (!f)
    return mem_load_vector(g, gen_offset_const(g, cursors[CURSOR_B], packed, at), packed, lanes * 4,
                           lanes, lanes);
  Value address = gen_offset_const(g, cursors[CURSOR_B], f->dtype,
                                   cell * (int64_t)cell_group(k->gemm) * f->k_step +
                                       (int64_t)vector * lanes * f->step);
  if (k->shape->ahead) prefetch_below(g, k, address, vector);
  Value cells =
      cell_across(g, k->gemm, f, address, lanes, active_lanes(k, vector), cell_group(k->gemm));
  if (!k->pack_to) return cells;
  gen_prefetch(g, gen_address(g, address, AHEAD_ROWS * f->k_step * (int64_t)dtype_size(f->dtype)),
               false);
  gen_set_align(
      LLVMBuildStore(g->builder, cells, gen_offset_const(g, cursors[CURSOR_PACK], packed, at)),
      lanes * 4);
  return cells;
}

// ---- c ------------------------------------------------------------------------------------------
// Vectors that are not whole, where there are no masks.
static Value load_one_by_one(LlvmGen *g, Value address, DType dtype, unsigned lanes,
                             unsigned active) {
  Value vector = LLVMConstNull(gen_storage_type(g, dtype, lanes));
  for (unsigned i = 0; i < active; i++) {
    Value element = LLVMBuildLoad2(g->builder, gen_storage_type(g, dtype, 1),
                                   gen_offset_const(g, address, dtype, i), "");
    gen_set_align(element, (unsigned)dtype_size(dtype));
    vector = LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return convert_from_storage(g, dtype, vector);
}

static void store_one_by_one(LlvmGen *g, Value value, Value address, DType dtype, unsigned active) {
  Value raw = convert_to_storage(g, dtype, value);
  for (unsigned i = 0; i < active; i++) {
    Value element = LLVMBuildExtractElement(g->builder, raw, gen_i32(g, i), "");
    mem_store_raw(g, element, gen_offset_const(g, address, dtype, i), dtype);
  }
}

// AVX has masks for elements of four and eight bytes.
static bool has_masks(const LlvmGen *g, DType dtype) {
  return g->target->has_masks || (g->target->vector_bytes >= 32 && dtype_size(dtype) >= 4);
}

// A tile of elements of one type: where the first one is, and how far its rows are apart (an i64).
typedef struct Place {
  DType dtype;
  Value begin, step;
} Place;

// Of a matrix. The tile's place is one value that LLVM takes as it is: loops over tiles have no
// addresses of their own for each row and vector, which takes longer than all else to find.
static Place place_at(LlvmGen *g, const Kernel *k, DType dtype, Value base, int64_t step,
                      Value column) {
  Value offset = gen_add(g, gen_mul_const(g, k->row, step), column);
  Value begin = LLVMBuildFreeze(g->builder, gen_offset(g, base, dtype, offset), "");
  return (Place){dtype, begin, gen_i64(g, step)};
}

static Place place_in(LlvmGen *g, const Kernel *k, DType dtype, Value base, int64_t step) {
  return place_at(g, k, dtype, base, step, k->column);
}

static Value place_address(LlvmGen *g, const Kernel *k, const Place *p, unsigned row,
                           unsigned vector) {
  Value offset = emit_mul(g, gen_i64(g, row), p->step);
  return gen_offset(g, p->begin, p->dtype,
                    emit_add_c(g, offset, (int64_t)vector * k->shape->lanes));
}

static Value load_sum(LlvmGen *g, const Kernel *k, const Place *p, unsigned row, unsigned vector) {
  unsigned active = active_lanes(k, vector), lanes = k->shape->lanes;
  Value address = place_address(g, k, p, row, vector);
  if (active < lanes && !has_masks(g, p->dtype))
    return load_one_by_one(g, address, p->dtype, lanes, active);
  return mem_load_vector(g, address, p->dtype, (unsigned)dtype_size(p->dtype), lanes, active);
}

static void store_vector(LlvmGen *g, Value value, Value address, DType dtype, unsigned active) {
  if (active < gen_lanes(value) && !has_masks(g, dtype))
    store_one_by_one(g, value, address, dtype, active);
  else
    mem_store_vector(g, value, address, dtype, (unsigned)dtype_size(dtype), active);
}

static Place place_of(LlvmGen *g, const Kernel *k, Value kept) {
  const Gemm *gemm = k->gemm;
  return kept ? place_in(g, k, gemm->sums, kept, gemm->n)
              : place_in(g, k, gemm->sums, gemm->c, gemm->c_step);
}

// Where the sums are between blocks of k.
static Place kept_sums(LlvmGen *g, const Kernel *k) { return place_of(g, k, k->partial); }

// Where those are whose part this block is: of a strip, they have its columns alone.
static Place kept_parts(LlvmGen *g, const Kernel *k) {
  if (!k->part || !k->strip) return place_of(g, k, k->part);
  return place_at(g, k, k->gemm->sums, k->part, k->shape->strip, emit_sub(g, k->column, k->strip));
}

// Where sums go that are complete; nowhere if the epilogue takes them.
static Place place_of_results(LlvmGen *g, const Kernel *k) {
  const Gemm *gemm = k->gemm;
  if (!k->is_last) return kept_sums(g, k);
  return gemm->fused ? (Place){gemm->c_dtype, NULL, NULL}
                     : place_in(g, k, gemm->c_dtype, gemm->c, gemm->c_step);
}

static void store_result(LlvmGen *g, const Kernel *k, const Place *p, unsigned row, unsigned vector,
                         Value value) {
  const Gemm *gemm = k->gemm;
  unsigned active = active_lanes(k, vector);
  if (k->is_last) value = convert_dtype(g, value, gemm->sums, p->dtype);
  if (p->begin)
    store_vector(g, value, place_address(g, k, p, row, vector), p->dtype, active);
  else
    epilogue_apply(g, gemm->fused->epilogue, emit_add_c(g, k->row, row),
                   emit_add_c(g, k->column, (int64_t)vector * k->shape->lanes), value, active);
}

// The sums of the tile below, which is most often the next one: they come from far, if c is large.
static void prefetch_next(LlvmGen *g, const Kernel *k) {
  Place kept = k->begins ? kept_parts(g, k) : kept_sums(g, k);
  unsigned bytes = k->vectors * k->shape->lanes * (unsigned)cell_bytes(k->gemm);
  for (unsigned r = 0; r < k->rows; r++)
    for (unsigned at = 0; at < bytes; at += LINE_BYTES)
      gen_prefetch(g, gen_address(g, place_address(g, k, &kept, k->rows + r, 0), at), true);
}

static bool should_prefetch(const LlvmGen *g, const Kernel *k) {
  const Gemm *gemm = k->gemm;
  bool keeps_sums = k->partial || (!gemm->fused && gemm->c_dtype == gemm->sums);
  return keeps_sums && k->shape->k_block >= PREFETCH_CELLS &&
         gemm->m * gemm->n * cell_bytes(gemm) >= g->target->l2_bytes;
}

// ---- the sums -----------------------------------------------------------------------------------
static void load_sums(LlvmGen *g, const Kernel *k, const Place *p, Value *sums) {
  for (unsigned i = 0; i < k->rows * k->vectors; i++)
    sums[i] = load_sum(g, k, p, i / k->vectors, i % k->vectors);
}

// `start` if `is_start`, else what was kept.
static void load_sums_unless(LlvmGen *g, const Kernel *k, Value is_start, Value start,
                             const Place *kept, Value *sums) {
  unsigned count = k->rows * k->vectors;
  LLVMBasicBlockRef before = gen_here(g), again = gen_block(g, "again"), go = gen_block(g, "start");
  LLVMBuildCondBr(g->builder, is_start, go, again);
  gen_move_to(g, again);
  load_sums(g, k, kept, sums);
  LLVMBuildBr(g->builder, go);
  again = gen_here(g);
  gen_move_to(g, go);
  for (unsigned i = 0; i < count; i++) {
    Value phi = LLVMBuildPhi(g->builder, LLVMTypeOf(start), "");
    LLVMAddIncoming(phi, &start, &before, 1);
    LLVMAddIncoming(phi, &sums[i], &again, 1);
    sums[i] = phi;
  }
}

static void start_sums(LlvmGen *g, const Kernel *k, Value *sums) {
  Value zero = LLVMConstNull(sum_type(g, k->gemm, k->shape->lanes));
  for (unsigned i = 0; i < k->rows * k->vectors; i++) sums[i] = zero;
  if (!k->begins) return;
  Place kept = kept_parts(g, k);
  load_sums_unless(g, k, k->begins, zero, &kept, sums);
}

// What leaves every sum that is added to it as it is: of floats -0.0.
static Value no_sum(const Kernel *k, Type type) {
  return dtype_is_float(k->gemm->sums) ? LLVMConstReal(type, -0.0) : LLVMConstNull(type);
}

// Where the first block's sums start from: gemm->init, or one row of nothing for all rows.
static Place start_of_sums(LlvmGen *g, const Kernel *k) {
  const Gemm *gemm = k->gemm;
  if (gemm->init) return place_in(g, k, gemm->sums, gemm->init, gemm->init_step);
  Type row = sum_type(g, gemm, k->vectors * k->shape->lanes);
  Value none = gemm->is_added_to_zero ? LLVMConstNull(row) : no_sum(k, row);
  return (Place){gemm->sums, gen_private_constant(g, none, "none"), gen_i64(g, 0)};
}

// What the block's sums are added to. In the first block it is read from elsewhere: a branch would
// keep it and the sums in registers, twice as many as there are.
static void load_totals(LlvmGen *g, const Kernel *k, Value *totals) {
  if (!k->is_first && !k->gemm->init) {
    Type type = sum_type(g, k->gemm, k->shape->lanes);
    Value none = k->gemm->is_added_to_zero ? LLVMConstNull(type) : no_sum(k, type);
    for (unsigned i = 0; i < k->rows * k->vectors; i++) totals[i] = none;
    return;
  }
  Place from = start_of_sums(g, k);
  if (k->is_first) {
    Place kept = kept_sums(g, k);
    from.begin = emit_select(g, k->is_first, from.begin, kept.begin);
    from.step = emit_select(g, k->is_first, from.step, kept.step);
  }
  load_sums(g, k, &from, totals);
}

static Value added(LlvmGen *g, const Kernel *k, Value total, Value sum) {
  return dtype_is_float(k->gemm->sums) ? emit_fadd(g, total, sum) : emit_add(g, total, sum);
}

// Each block's share of what the panel says must be added.
static Value compensated(LlvmGen *g, const Kernel *k, unsigned vector, Value sum) {
  Value address = gen_offset_const(g, k->b, DT_I32, (int64_t)vector * k->shape->lanes);
  return emit_add(
      g, sum,
      mem_load_vector(g, address, DT_I32, k->shape->lanes * 4, k->shape->lanes, k->shape->lanes));
}

static void emit_cell(LlvmGen *g, const Kernel *k, Value const *cursors, int64_t cell,
                      Value *sums) {
  Value b[MAX_VECTORS];
  for (unsigned v = 0; v < k->vectors; v++) b[v] = load_b(g, k, cursors, v, cell);
  for (unsigned r = 0; r < k->rows; r++) {
    Value a = gen_splat(g, load_a(g, k, cursors[CURSOR_A], r, cell), k->shape->lanes);
    for (unsigned v = 0; v < k->vectors; v++) {
      Value *sum = &sums[r * k->vectors + v];
      *sum = cell_multiply_add(g, k->gemm, a, b[v], *sum);
    }
  }
}

// The rows' cells from `at` on times those of vector v, which are in registers.
static void multiply_cells(LlvmGen *g, const Kernel *k, Value const *cursors, unsigned v,
                           Value const *b, int64_t at, int64_t count, Value *sums) {
  for (int64_t cell = 0; cell < count; cell++)
    for (unsigned r = 0; r < k->rows; r++) {
      Value a = gen_splat(g, load_a(g, k, cursors[CURSOR_A], r, at + cell), k->shape->lanes);
      Value *sum = &sums[r * k->vectors + v];
      *sum = cell_multiply_add(g, k->gemm, a, b[cell], *sum);
    }
}

// Squares of b one after another: each has its own sums, whose waits overlap.
static void emit_squares(LlvmGen *g, const Kernel *k, Value const *cursors, Value *sums) {
  const Factor *f = k->b_factor;
  unsigned lanes = k->shape->lanes;
  for (unsigned v = 0; v < k->vectors; v++) {
    Value b[2 * MAX_LANES];
    Value from = gen_offset_const(g, cursors[CURSOR_B], f->dtype, (int64_t)v * lanes * f->step);
    pack_load_wide_square(g, k->gemm, k->shape, from, active_lanes(k, v), b);
    multiply_cells(g, k, cursors, v, b, 0, k->shape->unroll, sums);
  }
}

// The cells behind the last square, known when this is compiled; 0 if there are none, or they go
// one by one.
static int64_t cells_behind_squares(const Kernel *k) {
  const GemmShape *s = k->shape;
  bool ends_elsewhere = s->sum_cells < s->cells && s->sum_cells % s->unroll;
  return s->in_squares && !ends_elsewhere && pack_has_words(k->gemm) ? s->cells % s->unroll : 0;
}

// Those in parts of squares. The last part ends with them: of what it has before the first of them
// (there are as many in front as a square has), nothing is used.
static void emit_behind_squares(LlvmGen *g, const Kernel *k, Value const *cursors, int64_t count,
                                Value *sums) {
  const Factor *f = k->b_factor;
  int64_t part = pack_square_cells(k->gemm, PART);
  for (int64_t at = 0; at < count; at += part) {
    int64_t start = at < count - part ? at : count - part;
    for (unsigned v = 0; v < k->vectors; v++) {
      Value b[2 * PART];
      Value from = gen_offset_const(g, cursors[CURSOR_B], f->dtype,
                                    start + (int64_t)v * k->shape->lanes * f->step);
      pack_load_part(g, k->gemm, k->shape, from, active_lanes(k, v), b);
      multiply_cells(g, k, cursors, v, b + (at - start), at, start + part - at, sums);
    }
  }
}

// The rows of a of the tile below, which is most often the next one: to the second level, since in
// the first they would drive those at work from it, if they are a power of two apart.
static void prefetch_rows(LlvmGen *g, const Kernel *k, Value from) {
  const Factor *f = k->a_factor;
  if (!f || f->k_step != 1 || k->gemm->m * k->gemm->k * cell_bytes(k->gemm) < g->target->l2_bytes)
    return;
  for (unsigned r = 0; r < k->rows; r++)
    gen_prefetch_far(g, gen_offset_const(g, from, f->dtype, (k->rows + r) * f->step));
}

static void emit_cells(LlvmGen *g, const Kernel *k, Value const *cursors, int64_t count,
                       Value *sums) {
  if (k->shape->in_squares && count == k->shape->unroll) {
    emit_squares(g, k, cursors, sums);
    return;
  }
  if (count > 1 && count == cells_behind_squares(k)) {
    emit_behind_squares(g, k, cursors, count, sums);
    return;
  }
  prefetch_rows(g, k, cursors[CURSOR_A]);
  for (int64_t cell = 0; cell < count; cell++) emit_cell(g, k, cursors, cell, sums);
}

static Value next_cursor(LlvmGen *g, const Kernel *k, int which, Value cursor, int64_t cells) {
  DType packed = cell_dtype(k->gemm);
  if (which == CURSOR_A)
    return gen_offset_const(g, cursor, k->a_factor ? k->a_factor->dtype : packed,
                            cells * cell_step_of_a(k));
  if (which == CURSOR_B && k->b_factor)
    return gen_offset_const(g, cursor, k->b_factor->dtype,
                            cells * cell_group(k->gemm) * k->b_factor->k_step);
  return gen_offset_const(g, cursor, packed, cells * k->shape->panel);
}

// Whether the cells of a block or of a sum may be no multiple of those of a turn.
static bool has_rest(const GemmShape *s) {
  return s->cells % s->unroll || (s->sum_cells < s->cells && s->sum_cells % s->unroll);
}

// The cells from `begin` to `end`, `step` of them a turn; none if there is not one whole turn.
// `state` holds the sums and behind them the cursors, which hide behind `freeze` from LLVM's
// strength reduction: it takes longer than all else to find that they are best as they are.
static void emit_turns(LlvmGen *g, const Kernel *k, Value begin, Value end, int64_t step,
                       Value *state) {
  unsigned sums = k->rows * k->vectors, count = sums + (k->pack_to ? CURSORS : CURSOR_PACK);
  Value next[MAX_ROWS * MAX_VECTORS + CURSORS];
  Loop loop;
  loop_begin(g, &loop, begin, end, step, count, state, has_rest(k->shape));
  for (unsigned i = 0; i < count; i++)
    next[i] = i < sums ? loop.carried[i] : LLVMBuildFreeze(g->builder, loop.carried[i], "");
  emit_cells(g, k, next + sums, step, next);
  for (unsigned i = sums; i < count; i++)
    next[i] = next_cursor(g, k, (int)(i - sums), next[i], step);
  loop_end(g, &loop, next);
  for (unsigned i = 0; i < count; i++) state[i] = loop.carried[i];
}

// `count` cells, from the cursors on.
static void emit_sum(LlvmGen *g, const Kernel *k, Value count, Value *state) {
  int64_t step = k->shape->unroll;
  Value whole = has_rest(k->shape) ? emit_and_c(g, count, -step) : count;
  emit_turns(g, k, gen_i64(g, 0), whole, step, state);
  int64_t behind = cells_behind_squares(k);
  if (has_rest(k->shape)) emit_turns(g, k, whole, count, behind ? behind : 1, state);
}

static void store_results(LlvmGen *g, const Kernel *k, Value const *sums) {
  Place to = place_of_results(g, k);
  for (unsigned i = 0; i < k->rows * k->vectors; i++)
    store_result(g, k, &to, i / k->vectors, i % k->vectors, sums[i]);
}

void kernel_finish(LlvmGen *g, const Kernel *k, Value const *sums) {
  Value totals[MAX_ROWS * MAX_VECTORS];
  load_totals(g, k, totals);
  for (unsigned i = 0; i < k->rows * k->vectors; i++) totals[i] = added(g, k, totals[i], sums[i]);
  store_results(g, k, totals);
}

// Whether sums go to the same memory, whichever block they are of.
static bool stay_in_memory(const Kernel *k) { return !k->is_last || (k->is_first && !k->partial); }

// A block of several sums. Each is added to what is in memory if it stays there: with their totals
// the sums do not fit the registers anyway. Else to totals, in `state` at the end.
static void emit_sums(LlvmGen *g, const Kernel *k, Value *state) {
  bool in_memory = stay_in_memory(k);
  unsigned sums = k->rows * k->vectors, totals = in_memory ? 0 : sums,
           cursors = k->pack_to ? CURSORS : CURSOR_PACK;
  int64_t cells = k->shape->sum_cells;
  Value carried[MAX_ROWS * MAX_VECTORS + CURSORS], next[MAX_ROWS * MAX_VECTORS + CURSORS];
  if (!in_memory) load_totals(g, k, carried);
  for (unsigned i = 0; i < cursors; i++) carried[totals + i] = state[sums + i];
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), k->k_count, cells, totals + cursors, carried, false);
  Value count =
      gen_intrinsic2(g, "llvm.smin", emit_sub(g, k->k_count, loop.index), gen_i64(g, cells));
  start_sums(g, k, next);
  for (unsigned i = 0; i < cursors; i++) next[sums + i] = loop.carried[totals + i];
  emit_sum(g, k, count, next);
  if (in_memory) {
    Kernel sum = *k;
    sum.is_first = emit_and(g, k->is_first, emit_icmp_c(g, LLVMIntEQ, loop.index, 0));
    kernel_finish(g, &sum, next);
  }
  for (unsigned i = 0; i < totals; i++) next[i] = added(g, k, loop.carried[i], next[i]);
  loop_end(g, &loop, in_memory ? next + sums : next);
  for (unsigned i = 0; i < totals; i++) state[i] = loop.carried[i];
}

// A block that is one sum, or a part of one.
static void emit_one_sum(LlvmGen *g, const Kernel *k, Value *state) {
  unsigned count = k->rows * k->vectors;
  start_sums(g, k, state);
  if (cell_is_compensated(k->gemm)) {
    for (unsigned i = 0; i < count; i++) state[i] = compensated(g, k, i % k->vectors, state[i]);
    state[count + CURSOR_B] = gen_offset_const(g, k->b, DT_I32, k->shape->panel);
  }
  emit_sum(g, k, k->k_count, state);
}

void kernel_emit(LlvmGen *g, const Kernel *k) {
  Value state[MAX_ROWS * MAX_VECTORS + CURSORS];
  unsigned count = k->rows * k->vectors;
  state[count + CURSOR_A] = k->a;
  state[count + CURSOR_B] = k->b;
  state[count + CURSOR_PACK] = k->pack_to;
  if (should_prefetch(g, k)) prefetch_next(g, k);
  if (k->shape->k_block > k->shape->sum_cells) {
    emit_sums(g, k, state);
    if (!stay_in_memory(k)) store_results(g, k, state);
    return;
  }
  emit_one_sum(g, k, state);
  Branch branch;
  if (k->ends) branch_begin(g, &branch, k->ends, false);
  kernel_finish(g, k, state);
  if (!k->ends) return;
  branch_else(g, &branch);
  Place kept = kept_parts(g, k);
  for (unsigned i = 0; i < count; i++)
    store_vector(g, state[i], place_address(g, k, &kept, i / k->vectors, i % k->vectors),
                 kept.dtype, active_lanes(k, i % k->vectors));
  branch_end(g, &branch);
}
