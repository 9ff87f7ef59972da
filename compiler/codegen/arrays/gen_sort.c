// SPDX-License-Identifier: Apache-2.0
// Sorting along a dimension: each line's keys become numbers in whose order they are (with NaN
// behind everything and -0.0 equal to 0.0), with the element's place below them, and those are
// merged. The places make the order stable, and say where every operand's elements go.
// Several keys: one sort for each, from the last to the first.
// Where only a few of the first elements are looked at (top_k), a line is streamed past a buffer of
// candidates instead: those that come before the worst of the best so far are appended, and a full
// buffer is sorted and cut.
#include "gen_sort.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_report.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_value.h"

typedef struct Sort {
  const IrOp *op;
  int dim;
  int64_t size;
  int64_t wanted;   // so many of the first elements are looked at
  int64_t capacity; // of the buffer of candidates; 0: the line is sorted as a whole
  int64_t first;    // elements that fill it at first; the others are whole blocks
  unsigned block;   // elements that are streamed at a time
  Mem from[64], to[64];
  Value order, spare_order, pairs, spare_pairs; // i32s and i64s in the frame
} Sort;

// How many of the first elements of `value` along `dim` the ops of a region look at, when all of
// them are slices; `uses` counts those.
static int64_t wanted_in(const IrRegion *region, const IrValue *value, int dim, size_t *uses) {
  int64_t wanted = 0;
  for (const IrOp *op = region->first; op; op = op->next) {
    for (size_t i = 0; i < op->region_count; i++) {
      int64_t inner = wanted_in(op->regions[i], value, dim, uses);
      if (inner > wanted) wanted = inner;
    }
    if (op->code != OP_SLICE || op->operands[0] != value) continue;
    ++*uses;
    int64_t limit = ir_attr_ints(op, ATTR_LIMITS).items[dim];
    if (limit > wanted) wanted = limit;
  }
  return wanted;
}

static int64_t wanted_of(const IrOp *op, int dim) {
  int64_t wanted = 0;
  for (size_t i = 0; i < op->result_count; i++) {
    const IrValue *value = op->results[i];
    size_t uses = 0;
    int64_t here = wanted_in(op->parent, value, dim, &uses);
    if (uses != value->use_count) return value->type->dims[dim];
    if (here > wanted) wanted = here;
  }
  return wanted;
}

// An unsigned i32 in the order of the elements.
static Value sortable(LlvmGen *g, DType dtype, Value x, bool descending) {
  Value number;
  if (dtype_is_float(dtype)) {
    Value bits = emit_as_int(g, emit_fadd_c(g, x, 0.0)); // -0.0 becomes 0.0
    Value mask = emit_or_c(g, emit_ashr_c(g, bits, 31), (int64_t)INT32_MIN);
    number = emit_select(g, emit_is_nan(g, x), gen_int_like(g, bits, -1), emit_xor(g, bits, mask));
  } else {
    number = convert_dtype(g, x, dtype, dtype_is_signed(dtype) ? DT_I32 : DT_U32);
    if (dtype_is_signed(dtype)) number = emit_xor_c(g, number, (int64_t)INT32_MIN);
  }
  return descending ? emit_not(g, number) : number;
}

// ---- sort.u64(a, spare, n): a[0 .. n) in order, by merging runs of 1, 2, 4 … --------------------
typedef struct Merge {
  Value from, to, middle, end;
} Merge;

static Value element(LlvmGen *g, Value base, Value index) {
  return LLVMBuildLoad2(g->builder, g->i64, gen_offset(g, base, DT_I64, index), "");
}

// Merges from[begin, middle) and from[middle, end) into to[begin, end).
static void merge_runs(LlvmGen *g, const Merge *m, Value begin) {
  Value initial[] = {begin, m->middle};
  Loop loop;
  loop_begin(g, &loop, begin, m->end, 1, 2, initial, false);
  Value left = loop.carried[0], right = loop.carried[1];
  Value has_left = emit_icmp(g, LLVMIntSLT, left, m->middle),
        has_right = emit_icmp(g, LLVMIntSLT, right, m->end);
  Value zero = gen_i64(g, 0);
  Value x = element(g, m->from, emit_select(g, has_left, left, zero)),
        y = element(g, m->from, emit_select(g, has_right, right, zero));
  Value less = emit_icmp(g, LLVMIntULT, y, x);
  Value take_right = emit_and(g, has_right, emit_or(g, less, emit_not(g, has_left)));
  LLVMBuildStore(g->builder, emit_select(g, take_right, y, x),
                 gen_offset(g, m->to, DT_I64, loop.index));
  Value step = LLVMBuildZExt(g->builder, take_right, g->i64, "");
  Value next[] = {emit_add_c(g, emit_sub(g, left, step), 1), emit_add(g, right, step)};
  loop_end(g, &loop, next);
}

static Value sort_function(LlvmGen *g) {
  static const char name[] = "sort.u64";
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function) return function;
  Type types[] = {g->ptr, g->ptr, g->i64};
  function = gen_new_function(g, name, LLVMFunctionType(g->void_type, types, 3, false), true);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Frame frame = {.function = function, .outer = g->frame}, *outer = g->frame;
  g->frame = &frame;
  LLVMBuilderRef b = g->builder;
  LLVMBasicBlockRef entry = gen_block(g, "entry"), test = gen_block(g, "test"),
                    pass = gen_block(g, "pass"), done = gen_block(g, "done");
  LLVMBasicBlockRef copy = gen_block(g, "copy"), leave = gen_block(g, "leave");
  Value count = LLVMGetParam(function, 2);
  gen_move_to(g, entry);
  LLVMBuildBr(b, test);
  gen_move_to(g, test);
  Value width = LLVMBuildPhi(b, g->i64, "width"), from = LLVMBuildPhi(b, g->ptr, "from"),
        to = LLVMBuildPhi(b, g->ptr, "to");
  LLVMBuildCondBr(b, emit_icmp(g, LLVMIntSLT, width, count), pass, done);
  gen_move_to(g, pass);
  Value twice = emit_shl_c(g, width, 1);
  Value runs = LLVMBuildUDiv(b, emit_sub_c(g, emit_add(g, count, twice), 1), twice, "");
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, 0), runs, 1, 0, NULL, false);
  Value begin = emit_mul(g, loop.index, twice);
  Merge merge = {.from = from,
                 .to = to,
                 .middle = gen_intrinsic2(g, "llvm.smin", emit_add(g, begin, width), count),
                 .end = gen_intrinsic2(g, "llvm.smin", emit_add(g, begin, twice), count)};
  merge_runs(g, &merge, begin);
  loop_end(g, &loop, NULL);
  LLVMBuildBr(b, test);
  LLVMBasicBlockRef blocks[] = {entry, gen_here(g)};
  Value widths[] = {gen_i64(g, 1), twice}, froms[] = {LLVMGetParam(function, 0), to},
        tos[] = {LLVMGetParam(function, 1), from};
  LLVMAddIncoming(width, widths, blocks, 2);
  LLVMAddIncoming(from, froms, blocks, 2);
  LLVMAddIncoming(to, tos, blocks, 2);
  gen_move_to(g, done);
  LLVMBuildCondBr(b, emit_icmp(g, LLVMIntEQ, from, froms[0]), leave, copy);
  gen_move_to(g, copy);
  LLVMBuildMemCpy(b, froms[0], 8, from, 8, emit_shl_c(g, count, 3));
  LLVMBuildBr(b, leave);
  gen_move_to(g, leave);
  LLVMBuildRetVoid(b);
  g->frame = outer;
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

// ---- lines --------------------------------------------------------------------------------------
static Value place_at(LlvmGen *g, Value order, Value i) {
  return LLVMBuildLoad2(g->builder, g->i32, gen_offset(g, order, DT_I32, i), "");
}

static void along(const Sort *s, Value const *line, Value at, Value *index) {
  for (int i = 0, next = 0; i < s->from[0].rank; i++) index[i] = i == s->dim ? at : line[next++];
}

static void sort_pairs(LlvmGen *g, const Sort *s, Value count) {
  Value args[] = {s->pairs, s->spare_pairs, count};
  Value function = sort_function(g);
  LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, 3, "");
}

static Value pair_of(LlvmGen *g, Value number, Value place) {
  return emit_or(g, emit_shl_c(g, LLVMBuildZExt(g->builder, number, g->i64, ""), 32), place);
}

// Sorts the places by one key; `is_first`: they are still 0, 1, 2 …
static void sort_by(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool is_first,
                    bool descending) {
  Value index[IR_MAX_RANK];
  Loop loop;
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value at = is_first ? loop.index
                      : LLVMBuildZExt(g->builder, place_at(g, s->order, loop.index), g->i64, "");
  along(s, line, at, index);
  Value number = sortable(g, s->from[key].dtype, mem_load(g, &s->from[key], index), descending);
  LLVMBuildStore(g->builder, pair_of(g, number, loop.index),
                 gen_offset(g, s->pairs, DT_I64, loop.index));
  loop_end(g, &loop, NULL);
  sort_pairs(g, s, gen_i64(g, s->size));
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value place = emit_trunc(g, element(g, s->pairs, loop.index), g->i32);
  if (!is_first) place = place_at(g, s->order, LLVMBuildZExt(g->builder, place, g->i64, ""));
  LLVMBuildStore(g->builder, place,
                 gen_offset(g, is_first ? s->order : s->spare_order, DT_I32, loop.index));
  loop_end(g, &loop, NULL);
  if (!is_first)
    LLVMBuildMemCpy(g->builder, s->order, 4, s->spare_order, 4, gen_i64(g, s->size * 4));
}

// ---- selection ----------------------------------------------------------------------------------
typedef struct Selection {
  const Sort *s;
  Value const *line;
  bool descending;
  Value filled, worst; // candidates in the buffer (i64), the number of the last one wanted (u32)
} Selection;

static Value number_at(LlvmGen *g, const Selection *e, Value at) {
  Value index[IR_MAX_RANK];
  along(e->s, e->line, at, index);
  const Mem *key = &e->s->from[0];
  return sortable(g, key->dtype, mem_load(g, key, index), e->descending);
}

// Whether one of a block's elements comes before the worst, as far as a look at vectors tells.
static Value may_have_better(LlvmGen *g, const Selection *e, Value begin) {
  const Mem *key = &e->s->from[0];
  if (key->strides[e->s->dim] != 1) return NULL;
  unsigned lanes = g->target->vector_bytes / 4;
  Value index[IR_MAX_RANK], any = NULL, worst = gen_splat(g, e->worst, lanes);
  for (unsigned i = 0; i < e->s->block; i += lanes) {
    along(e->s, e->line, emit_add_c(g, begin, i), index);
    Value x = mem_load_vector(g, mem_address(g, key, index), key->dtype,
                              (unsigned)dtype_size(key->dtype), lanes, lanes);
    Value is_better = emit_icmp(g, LLVMIntULT, sortable(g, key->dtype, x, e->descending), worst);
    any = any ? emit_or(g, any, is_better) : is_better;
  }
  return gen_intrinsic1(g, "llvm.vector.reduce.or", any);
}

// Appends what of a block comes before the worst; every element is stored, and passed if wanted.
static void append_block(LlvmGen *g, Selection *e, Value begin) {
  Loop loop;
  loop_begin_count(g, &loop, e->s->block, 1, 1, &e->filled);
  Value at = emit_add(g, begin, loop.index), number = number_at(g, e, at);
  LLVMBuildStore(g->builder, pair_of(g, number, at),
                 gen_offset(g, e->s->pairs, DT_I64, loop.carried[0]));
  Value is_better = emit_icmp(g, LLVMIntULT, number, e->worst);
  Value next = emit_add(g, loop.carried[0], LLVMBuildZExt(g->builder, is_better, g->i64, ""));
  loop_end(g, &loop, &next);
  e->filled = loop.carried[0];
}

static Value worst_wanted(LlvmGen *g, const Sort *s) {
  Value pair = element(g, s->pairs, gen_i64(g, s->wanted - 1));
  return emit_trunc(g, LLVMBuildLShr(g->builder, pair, gen_i64(g, 32), ""), g->i32);
}

// Sorts and cuts a buffer that has no room for another block.
static void cut_when_full(LlvmGen *g, Selection *e) {
  const Sort *s = e->s;
  Value is_full = emit_icmp(g, LLVMIntSGT, e->filled, gen_i64(g, s->capacity - s->block));
  LLVMBasicBlockRef from = gen_here(g), cut = gen_block(g, "cut"), after = gen_block(g, "cut.end");
  LLVMBuildCondBr(g->builder, is_full, cut, after);
  gen_move_to(g, cut);
  sort_pairs(g, s, e->filled);
  Value worst = worst_wanted(g, s);
  LLVMBasicBlockRef blocks[] = {from, gen_here(g)};
  LLVMBuildBr(g->builder, after);
  gen_move_to(g, after);
  Value fills[] = {e->filled, gen_i64(g, s->wanted)}, worsts[] = {e->worst, worst};
  e->filled = LLVMBuildPhi(g->builder, g->i64, "filled");
  e->worst = LLVMBuildPhi(g->builder, g->i32, "worst");
  LLVMAddIncoming(e->filled, fills, blocks, 2);
  LLVMAddIncoming(e->worst, worsts, blocks, 2);
}

// One block: most have nothing that is wanted.
static void stream_block(LlvmGen *g, Selection *e, Value begin) {
  Value before[] = {e->filled, e->worst}, any = may_have_better(g, e, begin);
  if (!any) {
    append_block(g, e, begin);
    cut_when_full(g, e);
    return;
  }
  LLVMBasicBlockRef from = gen_here(g), some = gen_block(g, "some"), next = gen_block(g, "next");
  LLVMBuildCondBr(g->builder, any, some, next);
  gen_move_to(g, some);
  append_block(g, e, begin);
  cut_when_full(g, e);
  LLVMBasicBlockRef blocks[] = {from, gen_here(g)};
  LLVMBuildBr(g->builder, next);
  gen_move_to(g, next);
  Value fills[] = {before[0], e->filled}, worsts[] = {before[1], e->worst};
  e->filled = LLVMBuildPhi(g->builder, g->i64, "filled");
  e->worst = LLVMBuildPhi(g->builder, g->i32, "worst");
  LLVMAddIncoming(e->filled, fills, blocks, 2);
  LLVMAddIncoming(e->worst, worsts, blocks, 2);
}

// The first places of a line, by its only key, into `order`.
static void select_places(LlvmGen *g, const Sort *s, Value const *line, bool descending) {
  Selection e = {.s = s, .line = line, .descending = descending};
  Loop loop;
  loop_begin_count(g, &loop, s->first, 1, 0, NULL);
  LLVMBuildStore(g->builder, pair_of(g, number_at(g, &e, loop.index), loop.index),
                 gen_offset(g, s->pairs, DT_I64, loop.index));
  loop_end(g, &loop, NULL);
  sort_pairs(g, s, gen_i64(g, s->first));
  Value state[] = {gen_i64(g, s->wanted), worst_wanted(g, s)};
  loop_begin(g, &loop, gen_i64(g, s->first), gen_i64(g, s->size), s->block, 2, state, false);
  e.filled = loop.carried[0];
  e.worst = loop.carried[1];
  stream_block(g, &e, loop.index);
  state[0] = e.filled;
  state[1] = e.worst;
  loop_end(g, &loop, state);
  sort_pairs(g, s, loop.carried[0]);
  loop_begin_count(g, &loop, s->wanted, 1, 0, NULL);
  LLVMBuildStore(g->builder, emit_trunc(g, element(g, s->pairs, loop.index), g->i32),
                 gen_offset(g, s->order, DT_I32, loop.index));
  loop_end(g, &loop, NULL);
}

// Whether to select, and how large the buffer is: room for as many again as are wanted, so that
// sorting it costs each candidate the logarithm of their number, and a block. With k wanted of n in
// no order some k ln(n / k) are appended: at an eighth of n that is less work than sorting all.
static void plan_selection(const LlvmGen *g, Sort *s) {
  s->block = 4 * (g->target->vector_bytes / 4);
  s->first = s->wanted + (s->size - s->wanted) % s->block;
  if (ir_attr_int(s->op, ATTR_KEYS) != 1 || 8 * s->wanted > s->size || s->first == s->size) return;
  s->capacity = 2 * s->wanted + 2 * s->block;
}

static void sort_line(LlvmGen *g, Value const *line, void *data) {
  const Sort *s = data;
  int64_t keys = ir_attr_int(s->op, ATTR_KEYS);
  bool descending = ir_attr_int(s->op, ATTR_DESCENDING);
  if (s->capacity) select_places(g, s, line, descending);
  for (int64_t key = s->capacity ? 0 : keys; key-- > 0;)
    sort_by(g, s, line, (size_t)key, key == keys - 1, descending);
  Value to[IR_MAX_RANK], from[IR_MAX_RANK];
  Loop loop;
  loop_begin_count(g, &loop, s->wanted, 1, 0, NULL);
  along(s, line, loop.index, to);
  along(s, line, LLVMBuildZExt(g->builder, place_at(g, s->order, loop.index), g->i64, ""), from);
  for (size_t i = 0; i < s->op->operand_count; i++)
    mem_store(g, &s->to[i], to, mem_load(g, &s->from[i], from));
  loop_end(g, &loop, NULL);
}

void gen_sort(LlvmGen *g, IrOp *op) {
  Sort *s = ARENA_NEW(g->arena, Sort);
  s->op = op;
  s->dim = (int)ir_attr_int(op, ATTR_DIM);
  if (op->operand_count > COUNT_OF(s->from)) BUG("sort of %u operands", op->operand_count);
  for (size_t i = 0; i < op->operand_count; i++) {
    s->from[i] = value_mem(g, op->operands[i]);
    s->to[i] = value_bind_new(g, op->results[i]);
  }
  s->size = s->from[0].dims[s->dim];
  s->wanted = wanted_of(op, s->dim);
  if (mem_count(&s->from[0]) == 0 || s->wanted == 0) return;
  plan_selection(g, s);
  gen_report(g, op);
  Mem mem;
  Buffer *buffers[4];
  Value *places[] = {&s->order, &s->spare_order, &s->pairs, &s->spare_pairs};
  for (int i = 0; i < 4; i++) {
    int64_t held = s->capacity ? s->capacity : s->size, elements = i < 2 ? held : 2 * held;
    buffers[i] = frame_take_array(g, DT_I32, 1, &elements, &mem);
    *places[i] = mem.base;
  }
  int64_t others[IR_MAX_RANK];
  size_t rank = 0;
  for (int i = 0; i < s->from[0].rank; i++)
    if (i != s->dim) others[rank++] = s->from[0].dims[i];
  mem_each(g, rank, others, sort_line, s);
  for (int i = 0; i < 4; i++) frame_give(g, buffers[i]);
}
