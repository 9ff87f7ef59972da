// SPDX-License-Identifier: Apache-2.0
// Loops over coordinates that threads share, and copies.
#include "gen_parallel_each.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "gen_parallel.h"
#include "plan/plan.h"

// The dimension whose range is shared; -1: one thread goes through all.
static int shared_dim(const LlvmGen *g, const ParallelEach *each) {
  if (g->options->check || g->frame->parallel || g->shares.all || !plan_share(each->work))
    return -1;
  for (size_t i = 0; i < each->rank; i++)
    if (each->dims[i] != 1) return each->dims[i] > 1 ? (int)i : -1;
  return -1;
}

typedef struct SharedEach {
  const ParallelEach *each;
  int dim;
} SharedEach;

static void emit_share(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const SharedEach *s = data;
  const ParallelEach *each = s->each;
  Value *outside = ARENA_ARRAY(g->arena, Value, each->place_count + 1);
  for (size_t i = 0; i < each->place_count; i++) {
    outside[i] = *each->places[i];
    *each->places[i] = values[i];
  }
  if (each->open) each->open(g, each->data);
  mem_each_within(g, each->rank, each->dims, (size_t)s->dim, begin, end, each->body, each->data);
  if (each->close) each->close(g, each->data);
  for (size_t i = 0; i < each->place_count; i++) *each->places[i] = outside[i];
}

// The pieces that it is cut into.
static int64_t run_shares(LlvmGen *g, const ParallelEach *each, int dim, ParallelBody *body) {
  int64_t turns = each->dims[dim], pieces = plan_share(each->work);
  if (pieces > turns) pieces = turns;
  Value *values = ARENA_ARRAY(g->arena, Value, each->place_count + 1);
  for (size_t i = 0; i < each->place_count; i++) values[i] = *each->places[i];
  body->values = values;
  body->value_count = each->place_count;
  body->cost = plan_cost(each->work);
  parallel_run(g, body, gen_i64(g, turns), gen_i64(g, (turns + pieces - 1) / pieces));
  return pieces;
}

int64_t parallel_each(LlvmGen *g, const ParallelEach *each) {
  SharedEach shared = {each, shared_dim(g, each)};
  if (shared.dim < 0) {
    if (each->open) each->open(g, each->data);
    mem_each(g, each->rank, each->dims, each->body, each->data);
    if (each->close) each->close(g, each->data);
    return 0;
  }
  return run_shares(g, each, shared.dim, &(ParallelBody){.body = emit_share, .data = &shared});
}

// ---- copies -------------------------------------------------------------------------------------
typedef struct SharedCopy {
  Mem to, from;
  size_t outer; // dimensions that the loops go through; the others are one copy
} SharedCopy;

static void copy_inner(LlvmGen *g, Value const *index, void *data) {
  const SharedCopy *copy = data;
  Mem to = copy->to, from = copy->from;
  Value start[IR_MAX_RANK];
  for (size_t i = 0; i < to.rank; i++) start[i] = i < copy->outer ? index[i] : gen_i64(g, 0);
  to.base = mem_address(g, &copy->to, start);
  from.base = mem_address(g, &copy->from, start);
  for (size_t i = 0; i < copy->outer; i++) to.dims[i] = from.dims[i] = 1;
  mem_copy(g, &to, &from);
}

// Bytes of a step of the dimension, if all steps follow one another in both; 0: they do not.
static int64_t bytes_of_step(const Mem *to, const Mem *from, size_t dim) {
  int64_t count = 1;
  for (size_t i = to->rank; i-- > dim;) {
    if (to->dims[i] != 1 && (to->strides[i] != count || from->strides[i] != count)) return 0;
    if (i > dim) count *= to->dims[i];
  }
  return count * (int64_t)dtype_size(to->dtype);
}

// A share's steps as one copy of the C library: it goes faster through long runs than through
// their parts (512 KB, 7.8 us in rows of 2 KB, 4.5 at once, Zen 5).
static void copy_steps(LlvmGen *g, Value begin, Value end, const Value *values, void *data) {
  const SharedCopy *copy = data;
  int64_t bytes = bytes_of_step(&copy->to, &copy->from, copy->outer - 1);
  unsigned align = (unsigned)dtype_size(copy->to.dtype);
  Value at = gen_mul_const(g, begin, bytes),
        size = gen_mul_const(g, emit_sub(g, end, begin), bytes);
  LLVMBuildMemCpy(g->builder, gen_offset(g, values[0], DT_I8, at), align,
                  gen_offset(g, values[1], DT_I8, at), align, size);
}

void parallel_copy(LlvmGen *g, const Mem *to, const Mem *from) {
  int64_t bytes = mem_count(to) * (int64_t)dtype_size(to->dtype);
  SharedCopy copy = {.to = *to, .from = *from};
  Value *const places[] = {&copy.to.base, &copy.from.base};
  ParallelEach each = {.dims = to->dims,
                       .body = copy_inner,
                       .data = &copy,
                       .places = places,
                       .place_count = 2,
                       .work = bytes};
  while (each.rank < to->rank && to->dims[each.rank] == 1) each.rank++;
  if (each.rank < to->rank) each.rank++;
  copy.outer = each.rank;
  int dim = shared_dim(g, &each);
  if (dim >= 0 && bytes_of_step(to, from, (size_t)dim))
    run_shares(g, &each, dim, &(ParallelBody){.body = copy_steps, .data = &copy});
  else if (dim >= 0)
    parallel_each(g, &each);
  else
    mem_copy(g, to, from);
}

// ---- fills --------------------------------------------------------------------------------------
typedef struct SharedFill {
  Mem rows; // one after the other
  Value element;
} SharedFill;

static void fill_row(LlvmGen *g, Value const *index, void *data) {
  const SharedFill *fill = data;
  Value start[] = {index[0], gen_i64(g, 0)};
  Mem row = mem_dense(mem_address(g, &fill->rows, start), fill->rows.dtype, 1, &fill->rows.dims[1]);
  mem_fill(g, &row, fill->element);
}

int64_t parallel_fill(LlvmGen *g, const Mem *to, Value element) {
  enum { ROW_BYTES = 1 << 14 }; // a choice: some are a piece, and each is long for a fill
  int64_t size = (int64_t)dtype_size(to->dtype), count = mem_count(to), run = ROW_BYTES / size;
  int64_t dims[] = {count / run, run}, rest = count % run;
  SharedFill fill = {mem_dense(to->base, to->dtype, 2, dims), element};
  Value *const places[] = {&fill.rows.base, &fill.element};
  ParallelEach each = {.rank = 1,
                       .dims = dims,
                       .body = fill_row,
                       .data = &fill,
                       .places = places,
                       .place_count = 2,
                       .work = count * size};
  if (!mem_is_dense(to) || shared_dim(g, &each) < 0) {
    mem_fill(g, to, element);
    return 0;
  }
  Mem tail = mem_dense(gen_offset_const(g, to->base, to->dtype, count - rest), to->dtype, 1, &rest);
  mem_fill(g, &tail, element);
  return parallel_each(g, &each);
}
