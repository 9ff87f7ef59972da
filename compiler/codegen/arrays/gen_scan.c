// SPDX-License-Identifier: Apache-2.0
// Cumulative operations and argmax/argmin: one pass along a dimension, for all others element by
// element, sums and products of floats in blocks. Where the dimension is not the last one, the
// lanes of the last one go along side by side.
#include "ir/core/arithmetic.h"
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_scan.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/elements/gen_math.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/emit/gen_outlined.h"
#include "codegen/emit/gen_report.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_value.h"
#include "codegen/walks/gen_reduce.h"

#include <string.h>

// The lanes of one step of the pass: a vector of the last dimension, or one element.
typedef struct Line {
  const IrOp *op;
  DType dtype;
  int dim;
  Mem from, to;
  bool reverse;
  unsigned lanes;   // 1 if the dimension is the last one
  unsigned active;  // of them: the others are beyond the array
  unsigned group;   // along rows so many of them go side by side, as each of their steps waits for
                    // the one before; 0: one by one
  unsigned rows;    // of the lines of this step: the index is of the first; 0 for one
  unsigned present; // of these: the others are beyond the array
} Line;

enum { NARROWEST = 4 }; // lanes

// How many rows go side by side along the last dimension; 0: they go one by one.
static unsigned rows_at_once(const Line *line) {
  int last = line->from.rank - 1;
  return line->dim == last && last > 0 && line->from.dims[last - 1] >= NARROWEST ? line->group : 0;
}

// Whether what is left at the end is a vector of its own. Where compares set mask registers, one
// lane of that is quicker than a scalar.
static bool rest_is_vector(const LlvmGen *g, const Line *line, int64_t rest, bool is_group) {
  return dtype_size(line->dtype) >= 4 && (rest > 1 || (!is_group && g->target->has_masks));
}

// The next step of what is left, whose last vector need not be whole if `is_vector`.
static int64_t narrower(int64_t step, int64_t rest, bool is_vector, bool is_group) {
  if (!is_vector) return is_group || step <= NARROWEST ? 1 : step / 2;
  for (step = NARROWEST; step < rest;) step *= 2;
  return step;
}

// Calls body for each line: all coordinates but that of `dim`; the last one in steps of vectors,
// then what is left, in a vector of its own or in narrower ones and single elements.
typedef void (*LineBody)(LlvmGen *g, const Line *line, Value *index);

static void each_line(LlvmGen *g, Line *line, int at, Value *index, LineBody body);

// The places [begin, end) of a coordinate, `step` at once, all of which are there but of the last
// ones.
static void each_step(LlvmGen *g, Line *line, int at, Value *index, LineBody body, int64_t begin,
                      int64_t end, int64_t step, bool is_group) {
  if (begin >= end) return;
  unsigned there = (unsigned)(end - begin < step ? end - begin : step);
  line->lanes = is_group ? 1 : (unsigned)step;
  line->active = is_group ? 1 : there;
  line->rows = is_group && step > 1 ? (unsigned)step : 0;
  line->present = there;
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), step, 0, NULL, false);
  index[at] = loop.index;
  each_line(g, line, at + 1, index, body);
  loop_end(g, &loop, NULL);
  line->lanes = line->active = 1;
  line->rows = 0;
}

static void each_line(LlvmGen *g, Line *line, int at, Value *index, LineBody body) {
  if (at == line->from.rank) {
    body(g, line, index);
    return;
  }
  if (at == line->dim) {
    each_line(g, line, at + 1, index, body);
    return;
  }
  bool is_last = at == line->from.rank - 1;
  bool is_group = at == line->from.rank - 2 && rows_at_once(line);
  int64_t size = line->from.dims[at], step = is_group ? line->group : 1;
  if (is_last && line->from.strides[at] == 1 &&
      line->to.strides[at - (line->to.rank < line->from.rank)] == 1)
    step = g->target->vector_bytes / 4;
  bool is_vector = false;
  for (int64_t begin = 0, end; begin < size; begin = end) {
    end = is_vector ? size : begin + (size - begin) / step * step;
    each_step(g, line, at, index, body, begin, end, step, is_group);
    is_vector = step > 1 && rest_is_vector(g, line, size - end, is_group);
    step = narrower(step, size - end, is_vector, is_group);
  }
}

static Value load_at(LlvmGen *g, const Line *line, Value const *index) {
  Value address = mem_address(g, &line->from, index);
  return mem_load_vector(g, address, line->dtype, (unsigned)dtype_size(line->dtype), line->lanes,
                         line->active);
}

static void store_at(LlvmGen *g, const Line *line, Value const *index, Value value) {
  Value address = mem_address(g, &line->to, index);
  mem_store_vector(g, value, address, line->to.dtype, (unsigned)dtype_size(line->to.dtype),
                   line->active);
}

// ---- cumulative operations ----------------------------------------------------------------------
// log(exp(x) + exp(y)), each step rounded to the type.
static Value log_add_exp(LlvmGen *g, DType dtype, Value x, Value y) {
  DType computed = dtype_computed_in(dtype);
  Value high = elem_max(g, computed, x, y, false), low = elem_max(g, computed, x, y, true);
  Value gap = convert_round(g, dtype, emit_fsub(g, low, high));
  Value part = convert_round(g, dtype, math_unary(g, OP_EXP, gap));
  part = convert_round(g, dtype, math_unary(g, OP_LOG1P, part));
  Value sum = convert_round(g, dtype, emit_fadd(g, high, part));
  Value is_infinite = emit_fcmp_c(g, LLVMRealOEQ, emit_abs(g, high), __builtin_inf());
  return emit_select(g, is_infinite, high, sum);
}

// The same in a function: a block has many of them.
static Value call_log_add_exp(LlvmGen *g, DType dtype, Value x, Value y) {
  const char *name =
      str_format(g->arena, "log_add_exp.%s.%u", dtype_name(dtype), gen_lanes(x)).data;
  Value args[] = {x, y};
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, LLVMTypeOf(x), 2, args)) {
    Value sum = log_add_exp(g, dtype, LLVMGetParam(outlined.function, 0),
                            LLVMGetParam(outlined.function, 1));
    outlined_end(g, &outlined, sum);
  }
  return outlined_call(g, &outlined, 2, args);
}

static Value next_sum(LlvmGen *g, const Line *line, Value sum, Value element) {
  OpCode code = line->op->code;
  if (code == OP_CUMLOGSUMEXP) return call_log_add_exp(g, line->dtype, sum, element);
  return convert_round(g, line->dtype, reduction_combine(g, code, line->dtype, sum, element));
}

// The places from the `skipped` first ones on, in the order of the pass.
static void cumulate_places(LlvmGen *g, const Line *line, Value *index, Value sum,
                            int64_t skipped) {
  int64_t size = line->from.dims[line->dim];
  if (skipped == size) return;
  Loop loop;
  loop_begin_count(g, &loop, size - skipped, 1, 1, &sum);
  index[line->dim] = line->reverse ? emit_sub(g, gen_i64(g, size - skipped - 1), loop.index)
                                   : gen_add(g, loop.index, gen_i64(g, skipped));
  Value next = next_sum(g, line, loop.carried[0], load_at(g, line, index));
  store_at(g, line, index, next);
  loop_end(g, &loop, &next);
}

// Squares of several rows, turned so that each lane is a row; then what is left of each row.
static void cumulate_rows(LlvmGen *g, const Line *line, Value *index, Value initial) {
  unsigned n = line->rows;
  int64_t size = line->from.dims[line->dim], whole = size / n * n;
  Line square = *line;
  square.lanes = square.active = n;
  Value first_row = index[line->dim - 1], sum = gen_splat(g, initial, n), columns[MAX_LANES];
  if (whole) {
    Loop loop;
    loop_begin_count(g, &loop, whole, n, 1, &sum);
    sum = loop.carried[0];
    index[line->dim] = line->reverse ? emit_sub(g, gen_i64(g, size - n), loop.index) : loop.index;
    for (unsigned r = 0; r < n; r++) {
      index[line->dim - 1] = emit_add_c(g, first_row, r);
      columns[r] = r < line->present ? load_at(g, &square, index) : gen_splat(g, initial, n);
    }
    gen_transpose(g, columns, n);
    for (unsigned k = 0; k < n; k++) {
      Value *column = &columns[line->reverse ? n - 1 - k : k];
      *column = sum = next_sum(g, line, sum, *column);
    }
    gen_transpose(g, columns, n);
    for (unsigned r = 0; r < line->present; r++) {
      index[line->dim - 1] = emit_add_c(g, first_row, r);
      store_at(g, &square, index, columns[r]);
    }
    loop_end(g, &loop, &sum);
    sum = loop.carried[0];
  }
  if (whole == size) return;
  for (unsigned r = 0; r < line->present; r++) {
    index[line->dim - 1] = emit_add_c(g, first_row, r);
    cumulate_places(g, line, index, LLVMBuildExtractElement(g->builder, sum, gen_i32(g, r), ""),
                    whole);
  }
}

// ---- sums of floats: blocks of SCAN_BLOCK places ------------------------------------------------
// Each block is summed for itself, and to each of its sums the sum of all blocks before it is
// added. The sums of whole blocks are elements of the next level, which are summed in the same way.
// From the end, each sum begins with its own element.
enum { SCAN_LEVELS = 16 }; // SCAN_BLOCK to that power is beyond any size

typedef struct Blocks {
  const Line *line;
  Value *index;
  Value identity;            // of so many lanes as the line has
  Value before[SCAN_LEVELS]; // what is added to the next part of each level
  int top;                   // the level that is the whole line
} Blocks;

// A block's places, each of all lanes; rows go side by side in squares.
static void block_access(LlvmGen *g, const Blocks *b, Value start, unsigned count, Value *places,
                         bool is_store) {
  const Line *line = b->line;
  Line piece = *line;
  Value *index = b->index, first_row = line->rows ? index[line->dim - 1] : NULL;
  unsigned rows = line->rows ? line->rows : 1;
  for (unsigned at = 0; at < count;) {
    unsigned columns = line->rows && count - at >= rows ? rows : 1;
    if (line->rows) piece.lanes = piece.active = columns;
    if (is_store && columns > 1) gen_transpose(g, places + at, columns);
    Value merged = is_store ? places[at] : LLVMGetPoison(LLVMTypeOf(b->identity));
    index[line->dim] = emit_add_c(g, start, at);
    for (unsigned r = 0; r < rows; r++) {
      if (line->rows) index[line->dim - 1] = emit_add_c(g, first_row, r);
      Value *row = columns > 1 ? &places[at + r] : &places[at];
      bool is_one = line->rows && columns == 1; // of a column: its lanes are far from each other
      if (line->rows && r >= line->present)
        *row = is_one ? merged : b->identity;
      else if (is_store)
        store_at(g, &piece, index,
                 is_one ? LLVMBuildExtractElement(g->builder, merged, gen_i32(g, r), "") : *row);
      else if (is_one)
        merged = *row = LLVMBuildInsertElement(g->builder, merged, load_at(g, &piece, index),
                                               gen_i32(g, r), "");
      else
        *row = load_at(g, &piece, index);
    }
    if (!is_store && columns > 1) gen_transpose(g, places + at, columns);
    at += columns;
  }
  if (line->rows) index[line->dim - 1] = first_row;
}

// Returns the block's own sum.
static Value scan_block(LlvmGen *g, Blocks *b, Value start, unsigned count) {
  const Line *line = b->line;
  Value places[SCAN_BLOCK], sums[SCAN_BLOCK];
  block_access(g, b, start, count, places, false);
  for (unsigned i = 0; i < count; i++) {
    if (!line->reverse) {
      sums[i] = next_sum(g, line, i ? sums[i - 1] : b->identity, places[i]);
      continue;
    }
    sums[i] = b->identity;
    for (unsigned k = i; k < count; k++) sums[i] = next_sum(g, line, sums[i], places[k]);
  }
  for (unsigned i = 0; i < count; i++)
    places[i] = b->top ? next_sum(g, line, sums[i], b->before[0]) : sums[i];
  block_access(g, b, start, count, places, true);
  return sums[line->reverse ? 0 : count - 1];
}

// The sums of the parts of a level that are done: from the end all of them, the last one first.
typedef struct Parts {
  Value sums[SCAN_BLOCK];
  unsigned count;
} Parts;

static Value sum_of_parts(LlvmGen *g, const Blocks *b, const Parts *parts) {
  Value sum = b->line->reverse ? b->identity : parts->sums[0];
  for (unsigned i = 0; b->line->reverse && i < parts->count; i++)
    sum = next_sum(g, b->line, sum, parts->sums[i]);
  return sum;
}

static Value scan_level(LlvmGen *g, Blocks *b, int level, Value start, int64_t size);

// One part of the level: its sum joins the others', and what is before the next part is known.
static void scan_part(LlvmGen *g, Blocks *b, int level, Value start, int64_t size, Parts *parts) {
  Value sum = scan_level(g, b, level - 1, start, size);
  if (b->line->reverse) {
    memmove(&parts->sums[1], parts->sums, sizeof(Value) * (SCAN_BLOCK - 1));
    parts->sums[0] = sum;
  } else {
    parts->sums[0] = next_sum(g, b->line, parts->sums[0], sum);
  }
  Value all = sum_of_parts(g, b, parts);
  b->before[level - 1] = level < b->top ? next_sum(g, b->line, all, b->before[level]) : all;
}

// `size` places from start on, which are one part of this level, in the order of the pass; returns
// their own sum.
static Value scan_level(LlvmGen *g, Blocks *b, int level, Value start, int64_t size) {
  if (level == 0) return scan_block(g, b, start, (unsigned)size);
  int64_t part = 1;
  for (int i = 0; i < level; i++) part *= SCAN_BLOCK;
  int64_t whole = size / part, rest = size % part;
  Parts parts = {.count = b->line->reverse ? SCAN_BLOCK : 1};
  for (unsigned i = 0; i < parts.count; i++) parts.sums[i] = b->identity;
  Value rest_start = emit_add_c(g, start, whole * part);
  if (rest && b->line->reverse) scan_part(g, b, level, rest_start, rest, &parts);
  if (whole) {
    Value carried[SCAN_BLOCK + SCAN_LEVELS];
    memcpy(carried, parts.sums, sizeof(Value) * parts.count);
    memcpy(carried + parts.count, b->before, sizeof(Value) * (size_t)level);
    unsigned count = parts.count + (unsigned)level;
    Loop loop;
    loop_begin_count(g, &loop, whole, 1, count, carried);
    memcpy(parts.sums, loop.carried, sizeof(Value) * parts.count);
    memcpy(b->before, loop.carried + parts.count, sizeof(Value) * (size_t)level);
    Value place = b->line->reverse ? emit_sub(g, gen_i64(g, whole - 1), loop.index) : loop.index;
    scan_part(g, b, level, gen_add(g, start, emit_mul(g, place, gen_i64(g, part))), part, &parts);
    memcpy(carried, parts.sums, sizeof(Value) * parts.count);
    memcpy(carried + parts.count, b->before, sizeof(Value) * (size_t)level);
    loop_end(g, &loop, carried);
    memcpy(parts.sums, loop.carried, sizeof(Value) * parts.count);
    memcpy(b->before, loop.carried + parts.count, sizeof(Value) * (size_t)level);
  }
  if (rest && !b->line->reverse) scan_part(g, b, level, rest_start, rest, &parts);
  return sum_of_parts(g, b, &parts);
}

static void scan_line(LlvmGen *g, const Line *line, Value *index, Value initial) {
  int64_t size = line->from.dims[line->dim], part = SCAN_BLOCK;
  Blocks b = {.line = line,
              .index = index,
              .identity = gen_splat(g, initial, line->rows ? line->rows : line->lanes)};
  for (; part < size; part *= SCAN_BLOCK) b.top++;
  for (int i = 0; i <= b.top; i++) b.before[i] = b.identity;
  if (size) scan_level(g, &b, b.top, gen_i64(g, 0), size);
}

static void cumulate(LlvmGen *g, const Line *line, Value *index) {
  Value initial = reduction_identity(g, line->op->code, line->dtype);
  if (arithmetic_in_blocks(line->op->code, line->dtype))
    scan_line(g, line, index, initial);
  else if (line->rows)
    cumulate_rows(g, line, index, initial);
  else
    cumulate_places(g, line, index, gen_splat(g, initial, line->lanes), 0);
}

void gen_cumulative(LlvmGen *g, IrOp *op) {
  Mem from = value_mem(g, op->operands[0]);
  Line line = {.op = op,
               .dtype = from.dtype,
               .dim = (int)ir_attr_int(op, ATTR_DIM),
               .from = from,
               .reverse = ir_attr_int(op, ATTR_REVERSE),
               .lanes = 1,
               .active = 1};
  Buffer *buffer = destination_take(g, op->results[0], &line.to);
  value_bind_mem(g, op->results[0], &line.to, buffer);
  unsigned bits = gen_compute_bits(from.dtype);
  bool is_wide = bits >= 32 && from.strides[line.dim] == 1;
  if (op->code != OP_CUMLOGSUMEXP && is_wide && !g->shares.all)
    line.group = g->target->vector_bytes / (bits / 8);
  if (mem_count(&from) == 0) return;
  if (line.dim == from.rank - 1 && !rows_at_once(&line))
    gen_report_reason(g, op, REASON_SCALAR_SCAN);
  else
    gen_report(g, op);
  Value index[IR_MAX_RANK];
  each_line(g, &line, 0, index, cumulate);
}

// ---- argmax and argmin --------------------------------------------------------------------------
// Vectors of a row up to which rows go side by side: folding the lanes of each costs more.
enum { SHORT_ROW = 8 };

// The first of the greatest; a NaN is greater than all, and the first one wins.
static Value is_better(LlvmGen *g, const Line *line, Value x, Value best) {
  bool least = line->op->code == OP_ARGMIN;
  if (!dtype_is_float(line->dtype))
    return elem_compare(g, least ? OP_LT : OP_GT, line->dtype, x, best);
  // Not (x <= best) is true for NaN as well: of x, which wins, and of best, which has won.
  Value not_worse = emit_fcmp(g, least ? LLVMRealULT : LLVMRealUGT, x, best);
  return emit_and(g, not_worse, emit_fcmp(g, LLVMRealORD, best, best));
}

typedef struct Extreme {
  Value value, at; // at: an i32 a lane
} Extreme;

static Extreme choose(LlvmGen *g, Value take, Extreme a, Extreme b) {
  return (Extreme){emit_select(g, take, a.value, b.value), emit_select(g, take, a.at, b.at)};
}

// The places of the lanes: side by side in the row, or all at one place of columns of their own.
static Value places_of(LlvmGen *g, Value index, unsigned lanes, bool along_row) {
  Value items[MAX_LANES], at = gen_splat(g, emit_trunc(g, index, g->i32), lanes);
  if (lanes == 1 || !along_row) return at;
  for (unsigned i = 0; i < lanes; i++) items[i] = gen_i32(g, i);
  return emit_add(g, at, LLVMConstVector(items, lanes));
}

static Extreme extreme_at(LlvmGen *g, const Line *line, Value *index, Value place, bool along_row) {
  index[line->dim] = place;
  Value value = load_at(g, line, index);
  return (Extreme){value, places_of(g, place, line->lanes, along_row)};
}

// Goes on with the places [begin, end).
static Extreme extend_extreme(LlvmGen *g, const Line *line, Value *index, Extreme best,
                              int64_t begin, int64_t end, bool along_row) {
  if (begin >= end) return best;
  Value carried[] = {best.value, best.at};
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), along_row ? line->lanes : 1, 2, carried,
             false);
  Extreme old = {loop.carried[0], loop.carried[1]},
          own = extreme_at(g, line, index, loop.index, along_row);
  Extreme next = choose(g, is_better(g, line, own.value, old.value), own, old);
  carried[0] = next.value;
  carried[1] = next.at;
  loop_end(g, &loop, carried);
  return (Extreme){loop.carried[0], loop.carried[1]};
}

// Of all lanes: of equal ones the first. The lower half is not always in front.
static Extreme fold_extreme(LlvmGen *g, const Line *line, Extreme e) {
  for (unsigned n = gen_lanes(e.value); n > 1; n /= 2) {
    Extreme halves[2];
    for (unsigned h = 0; h < 2; h++) {
      Value order[MAX_LANES];
      for (unsigned i = 0; i < n / 2; i++) order[i] = gen_i32(g, h * (n / 2) + i);
      Value mask = LLVMConstVector(order, n / 2);
      halves[h].value =
          LLVMBuildShuffleVector(g->builder, e.value, LLVMGetPoison(LLVMTypeOf(e.value)), mask, "");
      halves[h].at =
          LLVMBuildShuffleVector(g->builder, e.at, LLVMGetPoison(LLVMTypeOf(e.at)), mask, "");
    }
    Value is_same = elem_compare(g, OP_EQ, line->dtype, halves[1].value, halves[0].value);
    if (dtype_is_float(line->dtype))
      is_same = LLVMBuildOr(
          g->builder, is_same,
          emit_and(g, emit_is_nan(g, halves[1].value), emit_is_nan(g, halves[0].value)), "");
    Value is_first = emit_and(g, is_same, emit_icmp(g, LLVMIntSLT, halves[1].at, halves[0].at));
    Value take =
        LLVMBuildOr(g->builder, is_better(g, line, halves[1].value, halves[0].value), is_first, "");
    e = choose(g, take, halves[1], halves[0]);
  }
  Value zero = gen_i32(g, 0);
  return (Extreme){LLVMBuildExtractElement(g->builder, e.value, zero, ""),
                   LLVMBuildExtractElement(g->builder, e.at, zero, "")};
}

// A square of several rows from a column on, turned so that each lane is a row, with so many
// columns of it in the array.
static Extreme extend_by_square(LlvmGen *g, const Line *line, Value *index, Extreme best,
                                Value first_row, unsigned columns) {
  unsigned n = line->rows;
  Value square[MAX_LANES], start = index[line->dim];
  for (unsigned r = 0; r < n; r++) {
    index[line->dim - 1] = emit_add_c(g, first_row, r);
    Value address = mem_address(g, &line->from, index);
    unsigned align = (unsigned)dtype_size(line->dtype);
    square[r] =
        r < line->present ? mem_load_vector(g, address, line->dtype, align, n, columns) : square[0];
  }
  gen_transpose(g, square, n);
  for (unsigned k = 0; k < columns; k++) {
    Extreme own = {square[k], places_of(g, emit_add_c(g, start, k), n, false)};
    best = choose(g, is_better(g, line, own.value, best.value), own, best);
  }
  return best;
}

// Short rows, several side by side. Columns that the last square shares with the one before it
// change nothing: they are not better than themselves.
static Extreme extreme_of_rows(LlvmGen *g, const Line *line, Value *index) {
  unsigned n = line->rows;
  int64_t size = line->from.dims[line->dim], whole = size / n * n;
  Value first_row = index[line->dim - 1];
  Extreme best = {gen_splat(g, reduction_identity(g, line->op->code, line->dtype), n),
                  gen_splat(g, gen_i32(g, 0), n)};
  if (whole) {
    Value carried[] = {best.value, best.at};
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, 0), gen_i64(g, whole), n, 2, carried, false);
    index[line->dim] = loop.index;
    best =
        extend_by_square(g, line, index, (Extreme){loop.carried[0], loop.carried[1]}, first_row, n);
    loop_end(g, &loop, (Value[]){best.value, best.at});
    best = (Extreme){loop.carried[0], loop.carried[1]};
  }
  if (whole == size) return best;
  index[line->dim] = gen_i64(g, whole ? size - n : 0);
  return extend_by_square(g, line, index, best, first_row, whole ? n : (unsigned)size);
}

static void find_extremes_of_rows(LlvmGen *g, const Line *line, Value *index) {
  Value first_row = index[line->dim - 1];
  Value at = convert_dtype(g, extreme_of_rows(g, line, index).at, DT_I32, line->to.dtype);
  for (unsigned r = 0; r < line->present; r++) {
    index[line->dim - 1] = emit_add_c(g, first_row, r);
    store_at(g, line, index, LLVMBuildExtractElement(g->builder, at, gen_i32(g, r), ""));
  }
}

// Along rows each lane looks at its own columns first.
static void find_extreme(LlvmGen *g, const Line *line, Value *index) {
  if (line->rows) {
    find_extremes_of_rows(g, line, index);
    return;
  }
  Line wide = *line;
  wide.lanes = wide.active = g->target->vector_bytes / 4;
  int64_t size = line->from.dims[line->dim], whole = size / wide.lanes * wide.lanes;
  bool along_row =
      line->dim == line->from.rank - 1 && line->from.strides[line->dim] == 1 && whole > wide.lanes;
  const Line *first = along_row ? &wide : line;
  Extreme best = extreme_at(g, first, index, gen_i64(g, 0), along_row);
  if (along_row)
    best = fold_extreme(g, line, extend_extreme(g, first, index, best, wide.lanes, whole, true));
  best = extend_extreme(g, line, index, best, along_row ? whole : 1, size, false);
  Value kept[IR_MAX_RANK];
  for (int i = 0, at = 0; i < line->from.rank; i++)
    if (i != line->dim) kept[at++] = index[i];
  store_at(g, line, kept, convert_dtype(g, best.at, DT_I32, line->to.dtype));
}

// All lines in a function that such ops share.
static void call_extreme(LlvmGen *g, Line *line) {
  const char *name = str_format(g->arena, "%s.%d.%s.%s", op_info(line->op->code)->name, line->dim,
                                mem_key(g, &line->from), mem_key(g, &line->to))
                         .data;
  Value args[] = {line->to.base, line->from.base}, index[IR_MAX_RANK];
  Outlined outlined;
  if (outlined_begin(g, &outlined, name, g->void_type, 2, args)) {
    line->to.base = LLVMGetParam(outlined.function, 0);
    line->from.base = LLVMGetParam(outlined.function, 1);
    each_line(g, line, 0, index, find_extreme);
    outlined_end(g, &outlined, NULL);
    line->to.base = args[0];
  }
  outlined_call(g, &outlined, 2, args);
}

void gen_arg_extreme(LlvmGen *g, IrOp *op) {
  Mem from = value_mem(g, op->operands[0]);
  IrValue *result = op->results[0];
  Line line = {.op = op,
               .dtype = from.dtype,
               .dim = (int)ir_attr_ints(op, ATTR_AXES).items[0],
               .from = from,
               .lanes = 1,
               .active = 1};
  int64_t lanes = g->target->vector_bytes / 4;
  if (dtype_size(from.dtype) == 4 && from.strides[line.dim] == 1 && !g->shares.all &&
      from.dims[line.dim] <= SHORT_ROW * lanes)
    line.group = (unsigned)lanes;
  Buffer *buffer = destination_take(g, result, &line.to);
  Value index[IR_MAX_RANK];
  gen_report(g, op);
  bool is_empty = mem_count(&line.to) == 0 || from.dims[line.dim] == 0;
  if (!is_empty && g->shares.all)
    call_extreme(g, &line);
  else if (!is_empty)
    each_line(g, &line, 0, index, find_extreme);
  value_bind_result(g, result, &line.to, buffer);
}
