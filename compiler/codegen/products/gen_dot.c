// SPDX-License-Identifier: Apache-2.0
// DOT: any dot_general as loops around products of two matrices. Dimensions that lie one behind the
// other in memory are merged first;
// what cannot be merged becomes an outer loop, over k with the sums kept in the result.
#include "base/buf.h"
#include "ir/core/attr.h"
#include "ir/core/build.h"
#include "ir/core/build_dot.h"
#include "ir/core/ir.h"
#include "gen_dot.h"
#include <string.h>
#include "codegen/emit/debug.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/refs/gen_ref_index.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_live.h"
#include "codegen/values/gen_parallel.h"
#include "gemm_report.h"
#include "gemm_shape.h"
#include "gen_cell.h"
#include "gen_gemm.h"
#include "gen_tiles.h"

// One dimension of a product, with its strides in the operands and in the result (0 where it does
// not occur).
typedef struct DotDim {
  int64_t size, a, b, c, init;
} DotDim;
typedef struct DotDims {
  DotDim items[2 * IR_MAX_RANK];
  size_t count;
} DotDims;

typedef struct Dot {
  const IrOp *op;
  Mem a, b, c;
  Mem init;                            // what the sums are added to: base is NULL for nothing
  bool is_added_to_zero;               // in place of init
  DotDims batch, rows, columns, inner; // inner: contracted
  DType sums;                          // what is accumulated
  bool to_bf16;
  FusedOps *fused;
} Dot;

// Appends a dimension, merged with the one before it if that steps over all of it in every array.
static void append(DotDims *dims, DotDim dim) {
  if (dim.size == 1) return;
  DotDim *last = dims->count ? &dims->items[dims->count - 1] : NULL;
  if (last && last->a == dim.a * dim.size && last->b == dim.b * dim.size &&
      last->c == dim.c * dim.size && last->init == dim.init * dim.size) {
    dim.size *= last->size;
    *last = dim;
    return;
  }
  dims->items[dims->count++] = dim;
}

static void find_dims(Dot *d) {
  const IrOp *op = d->op;
  const DotSides s = ir_dot_sides(op);
  IrInts lc = s.contract[0], rc = s.contract[1], lb = s.batch[0], rb = s.batch[1];
  int at = 0;
  for (size_t i = 0; i < lb.count; i++, at++)
    append(&d->batch, (DotDim){d->c.dims[at], d->a.strides[lb.items[i]], d->b.strides[rb.items[i]],
                               d->c.strides[at], d->init.strides[at]});
  for (int i = 0; i < d->a.rank; i++)
    if (!ir_ints_have(lc, i) && !ir_ints_have(lb, i)) {
      append(&d->rows,
             (DotDim){d->a.dims[i], d->a.strides[i], 0, d->c.strides[at], d->init.strides[at]});
      at++;
    }
  for (int i = 0; i < d->b.rank; i++)
    if (!ir_ints_have(rc, i) && !ir_ints_have(rb, i)) {
      append(&d->columns,
             (DotDim){d->b.dims[i], 0, d->b.strides[i], d->c.strides[at], d->init.strides[at]});
      at++;
    }
  for (size_t i = 0; i < lc.count; i++)
    append(&d->inner, (DotDim){d->a.dims[lc.items[i]], d->a.strides[lc.items[i]],
                               d->b.strides[rc.items[i]], 0, 0});
}

static DotDim take_last(DotDims *dims) {
  return dims->count ? dims->items[--dims->count] : (DotDim){1, 0, 0, 0, 0};
}

typedef struct Outer {
  Dot *dot;
  DotDims dims; // outer loops, then (from `sums` on) those over k
  size_t sums;
  DotDim rows, columns, inner;
  bool is_swapped; // the factors have changed places
  bool has_tiles;  // the thread's tile registers are configured around the loops
} Outer;

static Value moved(LlvmGen *g, Value base, DType dtype, Value index, int64_t step) {
  return gen_offset(g, base, dtype, gen_mul_const(g, index, step));
}

// The places of one product.
typedef struct Places {
  Value a, b, c, init;
} Places;

static void emit_outer(LlvmGen *g, const Outer *o, size_t at, Places p, Value is_first);

// One turn of the loop over dimension `at`.
static void emit_turn(LlvmGen *g, const Outer *o, size_t at, Places p, Value index, Value first) {
  const Dot *d = o->dot;
  DotDim dim = o->dims.items[at];
  if (at >= o->sums) {
    Value own = emit_icmp_c(g, LLVMIntEQ, index, 0);
    first = first ? emit_and(g, first, own) : own;
  }
  p.a = moved(g, p.a, d->a.dtype, index, dim.a);
  p.b = moved(g, p.b, d->b.dtype, index, dim.b);
  p.c = moved(g, p.c, d->c.dtype, index, dim.c);
  if (p.init) p.init = moved(g, p.init, d->init.dtype, index, dim.init);
  emit_outer(g, o, at + 1, p, first);
}

static Gemm product_of(const Outer *o, Places p) {
  const Dot *d = o->dot;
  Gemm gemm = {.op = d->op,
               .turns = 1,
               .m = o->rows.size,
               .n = o->columns.size,
               .k = o->inner.size,
               .a = {p.a, d->a.dtype, o->rows.a, o->inner.a, d->to_bf16, false},
               .b = {p.b, d->b.dtype, o->columns.b, o->inner.b, d->to_bf16, false},
               .c = p.c,
               .c_step = o->rows.c,
               .c_dtype = d->c.dtype,
               .init = p.init,
               .init_step = o->rows.init,
               .is_added_to_zero = d->is_added_to_zero,
               .sum_block = ir_dot_sum_block(d->op),
               .sums = d->sums,
               .fused = d->fused,
               .has_tiles = o->has_tiles};
  for (size_t i = 0; i < o->dims.count; i++) gemm.turns *= o->dims.items[i].size;
  if (o->is_swapped) {
    gemm.a = (Factor){p.b, d->b.dtype, o->rows.a, o->inner.a, d->to_bf16, false};
    gemm.b = (Factor){p.a, d->a.dtype, o->columns.b, o->inner.b, d->to_bf16, false};
  }
  return gemm;
}

static void emit_outer(LlvmGen *g, const Outer *o, size_t at, Places p, Value is_first) {
  if (at < o->dims.count) {
    Loop loop;
    loop_begin_count(g, &loop, o->dims.items[at].size, 1, 0, NULL);
    emit_turn(g, o, at, p, loop.index, is_first);
    loop_end(g, &loop, NULL);
    return;
  }
  Gemm gemm = product_of(o, p);
  gemm_emit(g, &gemm, is_first);
}

// Multiply-adds of one turn of the outermost loop.
static int64_t turn_work(const Outer *o) {
  int64_t work = o->rows.size * o->columns.size * o->inner.size;
  for (size_t i = 1; i < o->dims.count; i++) work *= o->dims.items[i].size;
  return work;
}

// Products side by side are shared by threads where each is too small for several of them, or there
// are as many as can be wished.
static bool shares_outer(const LlvmGen *g, const Outer *o) {
  // Choices: eight threads, and two pieces of work for each.
  enum { MANY_TURNS = 8, MANY_PIECES = 16 };
  if (g->options->check || g->frame->parallel || o->dot->fused || !o->sums) return false;
  int64_t work = turn_work(o), turns = o->dims.items[0].size;
  if (work * turns < GEMM_PARALLEL_WORK || turns < 2) return false;
  return work < GEMM_PARALLEL_WORK ||
         (turns >= MANY_TURNS && work < (int64_t)MANY_PIECES * GEMM_PARALLEL_WORK);
}

// Products that one thread makes one after another need their tiles configured once.
static bool shares_tiles(const LlvmGen *g, const Outer *o) {
  Gemm gemm = product_of(o, (Places){0});
  return o->dims.count && o->sums == o->dims.count && cell_fits_tiles(g->target, &gemm) &&
         gemm.m * gemm.n * gemm.k < GEMM_PARALLEL_WORK;
}

static void emit_turns(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const Outer *o = data;
  if (o->has_tiles) tiles_begin(g);
  Loop loop;
  loop_begin(g, &loop, begin, end, 1, 0, NULL, true);
  emit_turn(g, o, 0,
            (Places){values[0], values[1], values[2], o->dot->init.base ? values[3] : NULL},
            loop.index, NULL);
  loop_end(g, &loop, NULL);
  if (o->has_tiles) tiles_end(g);
}

static void emit_products(LlvmGen *g, Outer *o) {
  const Dot *d = o->dot;
  o->has_tiles = shares_tiles(g, o);
  if (!shares_outer(g, o)) {
    if (o->has_tiles) tiles_begin(g);
    emit_outer(g, o, 0, (Places){d->a.base, d->b.base, d->c.base, d->init.base}, NULL);
    if (o->has_tiles) tiles_end(g);
    return;
  }
  int64_t work = turn_work(o), grain = (GEMM_PARALLEL_WORK / 2 + work - 1) / work;
  Value values[] = {d->a.base, d->b.base, d->c.base, d->init.base};
  int64_t turns = o->dims.items[0].size;
  ParallelBody body = {.values = values,
                       .value_count = d->init.base ? 4 : 3,
                       .body = emit_turns,
                       .data = o,
                       .cost = work * turns / GEMM_SPEED};
  parallel_run(g, &body, gen_i64(g, turns), gen_i64(g, grain));
}

static bool is_row(const DotDim *columns, int64_t step) { return columns->size == 1 || step == 1; }

// False if the columns of the result, or of what the sums start from, do not lie side by side.
static bool plan_product(Dot *d, Outer *o) {
  *o = (Outer){.dot = d};
  find_dims(d);
  o->rows = take_last(&d->rows);
  o->columns = take_last(&d->columns);
  o->inner = take_last(&d->inner);
  for (size_t i = 0; i < d->batch.count; i++) o->dims.items[o->dims.count++] = d->batch.items[i];
  for (size_t i = 0; i < d->rows.count; i++) o->dims.items[o->dims.count++] = d->rows.items[i];
  for (size_t i = 0; i < d->columns.count; i++)
    o->dims.items[o->dims.count++] = d->columns.items[i];
  o->sums = o->dims.count;
  for (size_t i = 0; i < d->inner.count; i++) o->dims.items[o->dims.count++] = d->inner.items[i];
  // Columns of which each lies side by side are computed as rows, so that vectors run along them.
  bool is_column = o->rows.c == 1 && (!d->init.base || o->rows.init == 1);
  bool is_row_too = o->columns.size > 1 && o->columns.c == 1;
  if (o->rows.size > 1 && is_column && !is_row_too && !d->fused) {
    o->is_swapped = true;
    DotDim rows = o->rows;
    o->rows = (DotDim){o->columns.size, o->columns.b, o->columns.a, o->columns.c, o->columns.init};
    o->columns = (DotDim){rows.size, rows.b, rows.a, rows.c, rows.init};
    o->inner = (DotDim){o->inner.size, o->inner.b, o->inner.a, 0, 0};
  }
  if (o->columns.size == 1) o->columns.b = 1; // any step does; this one is read in place
  return is_row(&o->columns, o->columns.c) &&
         (!d->init.base || is_row(&o->columns, o->columns.init));
}

static int64_t inner_count(const Dot *d) {
  int64_t k = 1;
  IrInts lc = ir_attr_ints(d->op, ATTR_LHS_CONTRACT);
  for (size_t i = 0; i < lc.count; i++) k *= d->a.dims[lc.items[i]];
  return k;
}

// ---- factors in another order -------------------------------------------------------------------
// The dimensions of a factor in the order in which they merge.
typedef struct Order {
  int items[IR_MAX_RANK], count;
} Order;

static void add_dims(Order *order, IrInts dims) {
  for (size_t i = 0; i < dims.count; i++) order->items[order->count++] = (int)dims.items[i];
}

static void add_free(Order *order, int rank, IrInts batch, IrInts contracted) {
  for (int i = 0; i < rank; i++)
    if (!ir_ints_have(batch, i) && !ir_ints_have(contracted, i)) order->items[order->count++] = i;
}

static int64_t least_step(const Mem *mem, IrInts dims, bool is_among) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < mem->rank; i++)
    if (ir_ints_have(dims, i) == is_among && mem->dims[i] > 1 && mem->strides[i] < least)
      least = mem->strides[i];
  return least;
}

static Order merging_order(const Dot *d, bool is_right) {
  const DotSides s = ir_dot_sides(d->op);
  IrInts contracted = s.contract[is_right], batch = s.batch[is_right];
  const Mem *mem = is_right ? &d->b : &d->a;
  Order order = {0};
  add_dims(&order, batch);
  // Columns that lie side by side are read where they lie.
  bool is_inner_first =
      is_right && least_step(mem, contracted, false) < least_step(mem, contracted, true);
  if (is_inner_first) add_dims(&order, contracted);
  add_free(&order, mem->rank, batch, contracted);
  if (!is_inner_first) add_dims(&order, contracted);
  return order;
}

// The factor as it would lie in that order, its base left out.
static Mem in_order(const Mem *mem, Order order) {
  Mem out = *mem;
  int64_t step = 1;
  for (int i = order.count; i-- > 0;) {
    out.strides[order.items[i]] = step;
    step *= mem->dims[order.items[i]];
  }
  return out;
}

static Buffer *put_in_order(LlvmGen *g, Mem *mem, Order order) {
  Mem from = *mem, to;
  for (int i = 0; i < order.count; i++) {
    from.dims[i] = mem->dims[order.items[i]];
    from.strides[i] = mem->strides[order.items[i]];
  }
  Buffer *buffer = frame_take_array(g, mem->dtype, (size_t)mem->rank, from.dims, &to);
  mem_copy(g, &to, &from);
  *mem = in_order(mem, order);
  mem->base = to.base;
  return buffer;
}

static int64_t outer_turns(const Outer *o, size_t batch) {
  int64_t turns = 1;
  for (size_t i = batch; i < o->dims.count; i++) turns *= o->dims.items[i].size;
  return turns;
}

// `d` with some of its factors in order.
static Dot with_moved(const Dot *d, unsigned moved) {
  Dot probe = {.op = d->op,
               .a = d->a,
               .b = d->b,
               .c = d->c,
               .init = d->init,
               .sums = d->sums,
               .to_bf16 = d->to_bf16,
               .fused = d->fused};
  if (moved & 1) probe.a = in_order(&d->a, merging_order(d, false));
  if (moved & 2) probe.b = in_order(&d->b, merging_order(d, true));
  return probe;
}

// Sums that take several k at a time take them across the dimensions of k, wherever these lie: all
// are one then.
static unsigned factors_to_merge_k(const LlvmGen *g, const Dot *d) {
  Factor left = {.dtype = d->a.dtype, .to_bf16 = d->to_bf16},
         right = {.dtype = d->b.dtype, .to_bf16 = d->to_bf16};
  if (!cell_takes_pairs(g->target, d->sums, &left, &right)) return 0;
  for (unsigned moved = 0; moved < 3; moved++) {
    Dot probe = with_moved(d, moved);
    find_dims(&probe);
    if (probe.inner.count <= 1) return moved;
  }
  return 3;
}

// Loops around products of a few rows, or of a short k, cost more than the product of them all. In
// order: bit 0 for the left factor, bit 1 for the right one, so that the fewest loops are left, if
// an element that is moved is worth it: it is multiplied as often as a machine does in one cycle,
// or as many sums as a machine fetches and keeps in one go through memory between the loops.
static unsigned factors_to_move(const Dot *d, const Outer *o) {
  // Two units of AVX-512 multiply 32 f32s a cycle; a k of as many is a cycle of each result.
  // FEW_ROWS is a choice.
  enum { FEW_ROWS = 16, SHORT_K = 32, PRODUCTS_A_CYCLE = 32, SUMS_A_CYCLE = 8 };
  bool has_sums = o->sums < o->dims.count;
  bool is_short =
      (has_sums && o->inner.size < SHORT_K) || (d->rows.count && o->rows.size < FEW_ROWS);
  int64_t least = outer_turns(o, d->batch.count), sums = mem_count(&d->c);
  int64_t most = is_short ? sums * inner_count(d) / PRODUCTS_A_CYCLE : 0;
  if (has_sums && most < least * sums / SUMS_A_CYCLE) most = least * sums / SUMS_A_CYCLE;
  unsigned best = 0;
  for (unsigned moved = 1; moved < 4; moved++) {
    Dot probe = with_moved(d, moved);
    int64_t elements = 0;
    if (moved & 1) elements += mem_count(&d->a);
    if (moved & 2) elements += mem_count(&d->b);
    Outer merged;
    if (most < elements || !plan_product(&probe, &merged)) continue;
    int64_t turns = outer_turns(&merged, probe.batch.count);
    if (turns < least) {
      least = turns;
      best = moved;
    }
  }
  return best;
}

// Which factors are put in order before a product that is otherwise as `d` says.
static unsigned moved_factors(const LlvmGen *g, const Dot *d) {
  unsigned moved = factors_to_merge_k(g, d);
  Dot probe = *d;
  Outer o;
  return !moved && plan_product(&probe, &o) ? factors_to_move(&probe, &o) : moved;
}

// The factors of `moved`, in order, in memory of their own.
static void put_factors_in_order(LlvmGen *g, Dot *d, unsigned moved, Buffer **left,
                                 Buffer **right) {
  if (moved & 1) *left = put_in_order(g, &d->a, merging_order(d, false));
  if (moved & 2) *right = put_in_order(g, &d->b, merging_order(d, true));
}

static void emit_product(LlvmGen *g, Dot *d) {
  Outer o;
  Dot whole = *d;
  Buffer *left = NULL, *right = NULL;
  put_factors_in_order(g, &whole, moved_factors(g, d), &left, &right);
  *d = whole;
  if (!plan_product(d, &o)) {
    if (!d->init.base) BUG("columns of a product that do not lie side by side");
    mem_copy(g, &whole.c, &whole.init); // starts from there
    whole.init = whole.c;
    *d = whole;
    if (!plan_product(d, &o)) BUG("columns of a product that do not lie side by side");
  }
  emit_products(g, &o);
  frame_give(g, left);
  frame_give(g, right);
}

// ---- many products ------------------------------------------------------------------------------
// Everything that the code of a product depends on, as the name of a function.
static const char *product_name(LlvmGen *g, const Dot *d) {
  Buf name;
  buf_init(&name, g->arena);
  buf_printf(&name, "dot.%s.%d.%d.%d.%lld", dtype_short_name(d->sums), d->to_bf16,
             g->frame->parallel, d->is_added_to_zero, (long long)ir_dot_sum_block(d->op));
  const Mem *mems[] = {&d->a, &d->b, &d->c, d->init.base ? &d->init : NULL};
  for (size_t i = 0; i < COUNT_OF(mems) && mems[i]; i++) {
    buf_printf(&name, ".%d", mems[i]->dtype);
    for (int k = 0; k < mems[i]->rank; k++)
      buf_printf(&name, "x%lldx%lld", (long long)mems[i]->dims[k], (long long)mems[i]->strides[k]);
  }
  static const AttrName keys[] = {ATTR_LHS_CONTRACT, ATTR_RHS_CONTRACT, ATTR_LHS_BATCH,
                                  ATTR_RHS_BATCH};
  for (size_t i = 0; i < COUNT_OF(keys); i++) {
    IrInts dims = ir_attr_ints(d->op, keys[i]);
    buf_c(&name, ".");
    for (size_t k = 0; k < dims.count; k++) buf_printf(&name, "_%lld", (long long)dims.items[k]);
  }
  return str_copy(g->arena, buf_view(&name)).data;
}

static Value new_product_function(LlvmGen *g, const Dot *d, const char *name, Type type) {
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  Value function = gen_new_function(g, name, type, true);
  bool parallel = g->frame->parallel;
  Sharing shares = g->shares;
  g->shares = (Sharing){0};
  Frame frame;
  frame_open(g, &frame, function, LLVMGetParam(function, 0));
  frame.parallel = parallel;
  debug_function(g, function, "dot", g->func->span);
  Dot inner = *d;
  Mem *mems[] = {&inner.a, &inner.b, &inner.c, &inner.init};
  for (unsigned i = 0; i < COUNT_OF(mems); i++)
    if (mems[i]->base) mems[i]->base = LLVMGetParam(function, i + 1);
  emit_product(g, &inner);
  frame_close(g);
  g->shares = shares;
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

// As emit_product, by a call: unrolled code has the same product many times.
static void call_product(LlvmGen *g, const Dot *d) {
  Type types[] = {g->ptr, g->ptr, g->ptr, g->ptr, g->ptr};
  Type type = LLVMFunctionType(g->void_type, types, COUNT_OF(types), false);
  const char *name = product_name(g, d);
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function)
    gemm_report_reused(g, d->op);
  else
    function = new_product_function(g, d, name, type);
  Value args[] = {frame_worker(g), d->a.base, d->b.base, d->c.base,
                  d->init.base ? d->init.base : LLVMConstPointerNull(g->ptr)};
  LLVMBuildCall2(g->builder, type, function, args, COUNT_OF(args), "");
}

static void make_product(LlvmGen *g, Dot *d) {
  if (g->shares.products && !d->fused && !g->options->check)
    call_product(g, d);
  else
    emit_product(g, d);
}

// ---- results ------------------------------------------------------------------------------------
// Sums that are kept in the result between outer turns over k need the accumulators' own type.
static bool needs_wide_result(const Dot *d) {
  return d->c.dtype != d->sums && ir_attr_ints(d->op, ATTR_LHS_CONTRACT).count > 1;
}

typedef struct Narrow {
  const Mem *from, *to;
} Narrow;

static void narrow_element(LlvmGen *g, Value const *index, void *data) {
  const Narrow *n = data;
  mem_store(g, n->to, index,
            convert_dtype(g, mem_load(g, n->from, index), n->from->dtype, n->to->dtype));
}

// The dimensions of the result, its columns before its rows.
static Order column_order(const Dot *d) {
  int batch = (int)ir_attr_ints(d->op, ATTR_LHS_BATCH).count,
      columns = d->b.rank - batch - (int)ir_attr_ints(d->op, ATTR_RHS_CONTRACT).count;
  Order order = {0};
  for (int i = 0; i < batch; i++) order.items[order.count++] = i;
  for (int i = d->c.rank - columns; i < d->c.rank; i++) order.items[order.count++] = i;
  for (int i = batch; i < d->c.rank - columns; i++) order.items[order.count++] = i;
  return order;
}

// Few columns leave most of each vector of sums empty. Of a left factor that lies along k, vectors
// of rows are taken in squares, so that they are full; transposing the result costs little then.
static bool is_better_by_columns(LlvmGen *g, const Dot *d) {
  enum { LONG_K = 128 }; // for a column of the result to be a small part of the work
  if (d->init.base) return false;
  Dot by_columns = *d;
  by_columns.c = in_order(&d->c, column_order(d));
  by_columns.fused = NULL;
  Dot probe = with_moved(&by_columns, moved_factors(g, &by_columns));
  Outer o;
  if (!plan_product(&probe, &o) || !o.is_swapped || o.sums < o.dims.count) return false;
  Gemm gemm = product_of(&o, (Places){0});
  gemm.in_tiles = cell_fits_tiles(g->target, &gemm);
  gemm.kind = cell_kind(g, &gemm);
  GemmShape shape = gemm_shape(g->target, &gemm, false);
  return shape.in_squares && gemm.m > 1 && gemm.m <= shape.lanes / 2 && gemm.n >= shape.lanes &&
         gemm.k >= LONG_K;
}

static void emit_by_columns(LlvmGen *g, Dot *d, const Mem *to) {
  Order order = column_order(d);
  int64_t dims[IR_MAX_RANK];
  for (int i = 0; i < order.count; i++) dims[i] = to->dims[order.items[i]];
  Mem dense;
  Buffer *buffer = frame_take_array(g, to->dtype, (size_t)to->rank, dims, &dense);
  Mem columns = in_order(to, order);
  columns.base = dense.base;
  d->c = columns;
  make_product(g, d);
  mem_copy(g, to, &columns);
  frame_give(g, buffer);
}

static void emit_into(LlvmGen *g, Dot *d, const Mem *to) {
  if (mem_count(to) == 0) return;
  if (inner_count(d) == 0 && d->init.base) {
    if (d->init.base != to->base) mem_copy(g, to, &d->init);
    return;
  }
  if (inner_count(d) == 0) {
    mem_fill(g, to, LLVMConstNull(gen_compute_type(g, to->dtype, 1)));
    return;
  }
  d->c = *to;
  if (!needs_wide_result(d) && is_better_by_columns(g, d)) {
    emit_by_columns(g, d, to);
    return;
  }
  if (!needs_wide_result(d)) {
    make_product(g, d);
    return;
  }
  Buffer *buffer = frame_take_array(g, d->sums, to->rank, to->dims, &d->c);
  Mem wide = d->c;
  make_product(g, d);
  Narrow narrow = {.from = &wide, .to = to};
  mem_each(g, to->rank, to->dims, narrow_element, &narrow);
  frame_give(g, buffer);
}

static bool is_zero(const IrValue *value) {
  if (!value->def || value->def->code != OP_CONST) return false;
  const IrData *data = ir_attr_data(value->def, ATTR_DATA);
  uint64_t bits = 0;
  if (data->count != 1 || dtype_size(data->dtype) > sizeof bits) return false;
  memcpy(&bits, data->bytes, dtype_size(data->dtype));
  return bits == 0;
}

static Dot dot_of(LlvmGen *g, const IrOp *op) {
  Dot d = {.op = op, .a = value_mem(g, op->operands[0]), .b = value_mem(g, op->operands[1])};
  d.sums = ir_dot_summed_in(op);
  d.is_added_to_zero = op->operand_count == 3 && is_zero(op->operands[2]);
  if (op->operand_count == 3 && !d.is_added_to_zero) d.init = value_mem(g, op->operands[2]);
  d.to_bf16 = ir_attr_int(op, ATTR_PRECISION) == PRECISION_BF16;
  return d;
}

static bool stays_apart(const LlvmGen *g, const IrOp *op, ReasonId why, const IrOp *consumer) {
  gemm_report_apart(g, op, why, consumer);
  return false;
}

// One product of two matrices: what follows it can be evaluated with it.
bool gen_dot_fused(LlvmGen *g, IrOp *op, IrOp *const *ops, size_t count, const IrRegion *region) {
  const IrType *type = op->results[0]->type;
  if (g->options->check) return false;
  if (g->shares.products) return stays_apart(g, op, REASON_APART_LEVEL, ops[0]);
  Dot d = dot_of(g, op);
  int64_t k = inner_count(&d);
  if (type->rank != 2 || type->dims[0] * type->dims[1] == 0 || k == 0)
    return stays_apart(g, op, REASON_APART_SHAPE, ops[0]);
  d.c = mem_dense(LLVMConstPointerNull(g->ptr), type->dtype, type->rank, type->dims);
  if (is_better_by_columns(g, &d)) return stays_apart(g, op, REASON_APART_SHAPE, ops[0]);
  Dot probe = d;
  Outer outer;
  probe.fused = &(FusedOps){.dot = op};
  if (!plan_product(&probe, &outer)) return stays_apart(g, op, REASON_APART_START, ops[0]);
  if (outer.dims.count || outer.columns.size == 1)
    return stays_apart(g, op, REASON_APART_SHAPE, ops[0]);
  if (epilogue_writes_operand(op, ops, count))
    return stays_apart(g, op, REASON_APART_OPERAND, ops[0]);
  Epilogue *epilogue = epilogue_new(g, op, ops, count);
  if (!epilogue) return stays_apart(g, op, REASON_APART_LOOPS, ops[0]);
  FusedOps fused = {.dot = op, .ops = ops, .count = count, .region = region};
  epilogue_abandon(epilogue);
  d.fused = &fused;
  emit_product(g, &d);
  return true;
}

// Under check a store is more than the memory it fills.
bool gen_dot_stored(LlvmGen *g, IrOp *op, IrOp *store) {
  Mem to;
  if (g->options->check || op->results[0]->type->rank == 0 ||
      epilogue_writes_operand(op, &store, 1))
    return false;
  if (!ref_store_mem(g, store, &to)) return false;
  Dot d = dot_of(g, op), probe = d;
  Outer outer;
  probe.c = to;
  if (needs_wide_result(&probe) || !plan_product(&probe, &outer)) return false;
  emit_into(g, &d, &to);
  return true;
}

void gen_dot(LlvmGen *g, IrOp *op) {
  IrValue *result = op->results[0];
  Dot d = dot_of(g, op);
  Mem to;
  // The sums go on where they are, if they are needed nowhere else.
  Buffer *buffer = d.init.base ? live_take_over(g, op->operands[2], op, &to) : NULL;
  if (buffer)
    frame_keep(buffer);
  else
    buffer = destination_take(g, result, &to);
  emit_into(g, &d, &to);
  value_bind_result(g, result, &to, buffer);
}
