// SPDX-License-Identifier: Apache-2.0
// Sorting along a dimension: each line's keys become numbers in whose order they are (with NaN
// behind everything and -0.0 equal to 0.0), with the element's place below them, and those are
// sorted: few by counting who comes before whom, many by the runtime (prt_sort.c). The places make
// the order stable, and say where every operand's elements go.
// Several keys: one sort for each, from the last to the first. A key of 64 bits is two of 32.
// Where only a few of the first elements are looked at (top_k), a line is streamed past a buffer of
// candidates instead: those that come before the worst of the best so far are appended, and a full
// buffer is sorted and cut. Where only a few in the middle are (medians), the runtime sorts no more
// than those and what is near them.
#include "ir/core/attr.h"
#include "ir/core/ir.h"
#include "gen_sort.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_report.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_function.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/memory/gen_vector.h"
#include "codegen/values/gen_destination.h"
#include "codegen/values/gen_parallel_each.h"
#include "codegen/values/gen_value.h"

// 32 bits of a key.
typedef struct SortKey {
  size_t operand;
  unsigned shift;
} SortKey;

typedef struct Sort {
  const IrOp *op;
  SortKey *keys;
  size_t key_count;
  int dim;
  int64_t size;
  int64_t low, high; // the window: the elements [low, high) in order are looked at
  bool in_middle;    // no more than those are sorted, though they are not the first
  int64_t capacity;  // of the buffer of candidates; 0: the line is sorted as a whole
  int64_t first;     // elements that fill it at first; the others are whole blocks
  unsigned block;    // elements that are streamed at a time
  Mem *from, *to;    // of each operand
  Value order, spare_order, pairs, spare_pairs; // i32s and i64s in the frame
  int64_t order_step; // of one key: places are the lower halves of the pairs
  Buffer *buffers[4]; // that these are in, of the function that is being emitted
} Sort;

// Widens the window by the slices of `value` in a region; how many these are.
static size_t widen_window(Sort *s, const IrRegion *region, const IrValue *value) {
  size_t slices = 0;
  for (const IrOp *op = region->first; op; op = op->next) {
    for (size_t i = 0; i < op->region_count; i++) slices += widen_window(s, op->regions[i], value);
    if (op->code != OP_SLICE || op->operands[0] != value) continue;
    slices++;
    int64_t start = ir_attr_ints(op, ATTR_STARTS).items[s->dim];
    int64_t limit = ir_attr_ints(op, ATTR_LIMITS).items[s->dim];
    if (start < s->low) s->low = start;
    if (limit > s->high) s->high = limit;
  }
  return slices;
}

// All of the line, if a result is used by anything else.
static void find_window(Sort *s) {
  s->low = s->size;
  for (size_t i = 0; i < s->op->result_count; i++) {
    const IrValue *result = s->op->results[i];
    if (widen_window(s, s->op->parent, result) == result->use_count) continue;
    s->low = 0;
    s->high = s->size;
  }
}

// An unsigned integer in the order of the elements: of 32 bits, or 64.
static Value ordered(LlvmGen *g, DType dtype, Value x) {
  bool is_wide = dtype_bits(dtype) == 64, is_signed = dtype_is_signed(dtype);
  int64_t sign = is_wide ? INT64_MIN : INT32_MIN;
  if (dtype_is_float(dtype)) {
    Value bits = emit_as_int(g, emit_fadd_c(g, x, 0.0)); // -0.0 becomes 0.0
    Value mask = emit_or_c(g, emit_ashr_c(g, bits, is_wide ? 63 : 31), sign);
    return emit_select(g, emit_is_nan(g, x), gen_int_like(bits, -1), emit_xor(g, bits, mask));
  }
  Value number = is_wide ? x : convert_dtype(g, x, dtype, is_signed ? DT_I32 : DT_U32);
  return is_signed ? emit_xor_c(g, number, sign) : number;
}

// An unsigned i32 in the order of the elements, as far as the key's bits say it.
static Value sortable(LlvmGen *g, const SortKey *key, DType dtype, Value x, bool descending) {
  Value number = ordered(g, dtype, x);
  if (dtype_bits(dtype) == 64) number = emit_trunc(g, emit_lshr_c(g, number, key->shift), g->i32);
  return descending ? emit_not(g, number) : number;
}

static Value element(LlvmGen *g, Value base, Value index) {
  return LLVMBuildLoad2(g->builder, g->i64, gen_offset(g, base, DT_I64, index), "");
}

// ---- sort.words(words, spare, n): in order; both have room for some vectors more ----------------
enum { RANKED_VECTORS = 4, MOST_RANKED = 16 }; // at a time; most words, in vectors

// Each word's place is the number of words before it.
static void rank_words(LlvmGen *g, Value words, Value spare, Value count) {
  unsigned lanes = g->target->vector_bytes / 8;
  Type type = LLVMVectorType(g->i64, lanes);
  for (unsigned k = 0; k < RANKED_VECTORS; k++)
    gen_set_align(LLVMBuildStore(g->builder, LLVMConstAllOnes(type),
                                 gen_offset(g, words, DT_I64, emit_add_c(g, count, k * lanes))),
                  8);
  Loop some, each;
  loop_begin(g, &some, gen_i64(g, 0), count, (int64_t)RANKED_VECTORS * lanes, 0, NULL, false);
  Value vectors[RANKED_VECTORS], ranks[RANKED_VECTORS];
  for (unsigned k = 0; k < RANKED_VECTORS; k++) {
    Value at = emit_add_c(g, some.index, k * lanes);
    vectors[k] = LLVMBuildLoad2(g->builder, type, gen_offset(g, words, DT_I64, at), "");
    gen_set_align(vectors[k], 8);
    ranks[k] = LLVMConstNull(type);
  }
  loop_begin(g, &each, gen_i64(g, 0), count, 1, RANKED_VECTORS, ranks, false);
  Value word = gen_splat(g, element(g, words, each.index), lanes);
  for (unsigned k = 0; k < RANKED_VECTORS; k++) {
    Value is_before = emit_icmp(g, LLVMIntULT, word, vectors[k]);
    ranks[k] = emit_sub(g, each.carried[k], LLVMBuildSExt(g->builder, is_before, type, ""));
  }
  loop_end(g, &each, ranks);
  for (unsigned i = 0; i < RANKED_VECTORS * lanes; i++) {
    Value lane = gen_i32(g, i % lanes);
    Value rank = LLVMBuildExtractElement(g->builder, each.carried[i / lanes], lane, "");
    LLVMBuildStore(g->builder, LLVMBuildExtractElement(g->builder, vectors[i / lanes], lane, ""),
                   gen_offset(g, spare, DT_I64, rank));
  }
  loop_end(g, &some, NULL);
  LLVMBuildMemCpy(g->builder, words, 8, spare, 8, emit_shl_c(g, count, 3));
}

// Comparing every word with every other pays where vectors are long.
static int64_t most_ranked(const LlvmGen *g) {
  int64_t lanes = g->target->vector_bytes / 8;
  return lanes > 2 ? MOST_RANKED * lanes : 0;
}

static void emit_sort_body(LlvmGen *g, Value function) {
  Value args[] = {LLVMGetParam(function, 0), LLVMGetParam(function, 1), LLVMGetParam(function, 2)};
  gen_move_to(g, gen_block(g, "entry"));
  Branch branch;
  branch_begin(g, &branch, emit_icmp_c(g, LLVMIntSLE, args[2], most_ranked(g)), true);
  rank_words(g, args[0], args[1], args[2]);
  branch_else(g, &branch);
  gen_call_runtime(g, "prt__sort_words", g->void_type, 3, args);
  branch_end(g, &branch);
  LLVMBuildRetVoid(g->builder);
}

static Value sort_function(LlvmGen *g) {
  static const char name[] = "sort.words";
  Value function = LLVMGetNamedFunction(g->module, name);
  if (function) return function;
  Type types[] = {g->ptr, g->ptr, g->i64};
  function = gen_new_function(g, name, LLVMFunctionType(g->void_type, types, 3, false), true);
  LLVMBasicBlockRef here = gen_here(g);
  LLVMMetadataRef location = LLVMGetCurrentDebugLocation2(g->builder);
  LLVMSetCurrentDebugLocation2(g->builder, NULL);
  Frame frame = {.function = function, .outer = g->frame}, *outer = g->frame;
  g->frame = &frame;
  emit_sort_body(g, function);
  g->frame = outer;
  gen_move_to(g, here);
  LLVMSetCurrentDebugLocation2(g->builder, location);
  return function;
}

// ---- lines --------------------------------------------------------------------------------------
static Value place_at(LlvmGen *g, const Sort *s, Value i) {
  Value at = gen_mul_const(g, i, s->order_step);
  return LLVMBuildLoad2(g->builder, g->i32, gen_offset(g, s->order, DT_I32, at), "");
}

static void along(const Sort *s, Value const *line, Value at, Value *index) {
  for (int i = 0, next = 0; i < s->from[0].rank; i++) index[i] = i == s->dim ? at : line[next++];
}

static void sort_pairs(LlvmGen *g, const Sort *s, Value count) {
  Value args[] = {s->pairs, s->spare_pairs, count};
  Value function = sort_function(g);
  LLVMBuildCall2(g->builder, LLVMGlobalGetValueType(function), function, args, 3, "");
}

static void sort_middle(LlvmGen *g, const Sort *s) {
  Value args[] = {s->pairs, s->spare_pairs, gen_i64(g, s->size), gen_i64(g, s->low),
                  gen_i64(g, s->high)};
  gen_call_runtime(g, "prt__sort_some_words", g->void_type, 5, args);
}

static Value pair_of(LlvmGen *g, Value number, Value place) {
  return emit_or(g, emit_shl_c(g, emit_zext(g, number, g->i64), 32), place);
}

static Value number_at(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool descending,
                       Value at) {
  Value index[IR_MAX_RANK];
  along(s, line, at, index);
  const SortKey *k = &s->keys[key];
  const Mem *mem = &s->from[k->operand];
  return sortable(g, k, mem->dtype, mem_load(g, mem, index), descending);
}

// `lanes` neighbours' numbers.
static Value numbers_at(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool descending,
                        Value at, unsigned lanes) {
  const Mem *mem = &s->from[s->keys[key].operand];
  Value index[IR_MAX_RANK];
  along(s, line, at, index);
  Value x = mem_load_vector(g, mem_address(g, mem, index), mem->dtype,
                            (unsigned)dtype_size(mem->dtype), lanes, lanes);
  return sortable(g, &s->keys[key], mem->dtype, x, descending);
}

static Value pairs_of(LlvmGen *g, Value numbers, Value begin, unsigned lanes) {
  Value items[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) items[i] = gen_i64(g, i);
  Value places = emit_add(g, gen_splat(g, begin, lanes), LLVMConstVector(items, lanes));
  return pair_of(g, numbers, places);
}

// The pairs of a line's first elements, by one key.
static void make_pairs(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool descending,
                       int64_t count) {
  unsigned lanes = g->target->vector_bytes / 4;
  int64_t whole = s->from[s->keys[key].operand].strides[s->dim] == 1 ? count / lanes * lanes : 0;
  Loop loop;
  if (whole) {
    loop_begin_count(g, &loop, whole, lanes, 0, NULL);
    Value numbers = numbers_at(g, s, line, key, descending, loop.index, lanes);
    gen_set_align(LLVMBuildStore(g->builder, pairs_of(g, numbers, loop.index, lanes),
                                 gen_offset(g, s->pairs, DT_I64, loop.index)),
                  8);
    loop_end(g, &loop, NULL);
  }
  if (whole == count) return;
  loop_begin(g, &loop, gen_i64(g, whole), gen_i64(g, count), 1, 0, NULL, false);
  Value number = number_at(g, s, line, key, descending, loop.index);
  LLVMBuildStore(g->builder, pair_of(g, number, loop.index),
                 gen_offset(g, s->pairs, DT_I64, loop.index));
  loop_end(g, &loop, NULL);
}

// The same of a whole line, whose elements are taken in the order that other keys have given.
static void make_pairs_in_order(LlvmGen *g, const Sort *s, Value const *line, size_t key,
                                bool descending) {
  Loop loop;
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value at = LLVMBuildZExt(g->builder, place_at(g, s, loop.index), g->i64, "");
  Value number = number_at(g, s, line, key, descending, at);
  LLVMBuildStore(g->builder, pair_of(g, number, loop.index),
                 gen_offset(g, s->pairs, DT_I64, loop.index));
  loop_end(g, &loop, NULL);
}

// Sorts the places by one of several keys; `is_first`: they are still 0, 1, 2 …
static void sort_by(LlvmGen *g, const Sort *s, Value const *line, size_t key, bool is_first,
                    bool descending) {
  if (is_first)
    make_pairs(g, s, line, key, descending, s->size);
  else
    make_pairs_in_order(g, s, line, key, descending);
  sort_pairs(g, s, gen_i64(g, s->size));
  Loop loop;
  loop_begin_count(g, &loop, s->size, 1, 0, NULL);
  Value place = emit_trunc(g, element(g, s->pairs, loop.index), g->i32);
  if (!is_first) place = place_at(g, s, LLVMBuildZExt(g->builder, place, g->i64, ""));
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

// Which of a block's elements come before the worst: a bit for each, the first one's lowest.
static Value find_better(LlvmGen *g, const Selection *e, Value begin) {
  unsigned lanes = g->target->vector_bytes / 4;
  Value all = gen_i64(g, 0), worst = gen_splat(g, e->worst, lanes);
  for (unsigned i = 0; i < e->s->block; i += lanes) {
    Value numbers = numbers_at(g, e->s, e->line, 0, e->descending, emit_add_c(g, begin, i), lanes);
    Value bits = gen_bitcast(g, emit_icmp(g, LLVMIntULT, numbers, worst),
                             LLVMIntTypeInContext(g->context, lanes));
    all = emit_or(g, all, emit_shl_c(g, LLVMBuildZExt(g->builder, bits, g->i64, ""), i));
  }
  return all;
}

static void append(LlvmGen *g, const Selection *e, Value at, Value number, Value filled) {
  LLVMBuildStore(g->builder, pair_of(g, number, at), gen_offset(g, e->s->pairs, DT_I64, filled));
}

// Appends the elements of a block whose bits are set, of which there is one at least.
static void append_bits(LlvmGen *g, Selection *e, Value begin, Value bits) {
  LLVMBasicBlockRef from = gen_here(g), each = gen_block(g, "each"), done = gen_block(g, "done");
  LLVMBuildBr(g->builder, each);
  gen_move_to(g, each);
  Value left = LLVMBuildPhi(g->builder, g->i64, "left");
  Value filled = LLVMBuildPhi(g->builder, g->i64, "filled");
  Value args[] = {left, LLVMConstInt(g->i1, 1, false)};
  Value at = emit_add(g, begin, gen_intrinsic(g, "llvm.cttz", g->i64, 2, args));
  append(g, e, at, number_at(g, e->s, e->line, 0, e->descending, at), filled);
  Value rest = emit_and(g, left, emit_sub_c(g, left, 1)), more = emit_add_c(g, filled, 1);
  LLVMBasicBlockRef blocks[] = {from, gen_here(g)};
  Value lefts[] = {bits, rest}, fills[] = {e->filled, more};
  LLVMAddIncoming(left, lefts, blocks, 2);
  LLVMAddIncoming(filled, fills, blocks, 2);
  LLVMBuildCondBr(g->builder, emit_icmp_c(g, LLVMIntNE, rest, 0), each, done);
  gen_move_to(g, done);
  e->filled = more;
}

// Appends what of a block comes before the worst; every element is stored, and passed if wanted.
static void append_block(LlvmGen *g, Selection *e, Value begin) {
  Loop loop;
  loop_begin_count(g, &loop, e->s->block, 1, 1, &e->filled);
  Value at = emit_add(g, begin, loop.index);
  Value number = number_at(g, e->s, e->line, 0, e->descending, at);
  append(g, e, at, number, loop.carried[0]);
  Value is_better = emit_icmp(g, LLVMIntULT, number, e->worst);
  Value next = emit_add(g, loop.carried[0], LLVMBuildZExt(g->builder, is_better, g->i64, ""));
  loop_end(g, &loop, &next);
  e->filled = loop.carried[0];
}

static Value worst_wanted(LlvmGen *g, const Sort *s) {
  Value pair = element(g, s->pairs, gen_i64(g, s->high - 1));
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
  Value fills[] = {e->filled, gen_i64(g, s->high)}, worsts[] = {e->worst, worst};
  e->filled = LLVMBuildPhi(g->builder, g->i64, "filled");
  e->worst = LLVMBuildPhi(g->builder, g->i32, "worst");
  LLVMAddIncoming(e->filled, fills, blocks, 2);
  LLVMAddIncoming(e->worst, worsts, blocks, 2);
}

// One block: most have nothing that is wanted.
static void stream_block(LlvmGen *g, Selection *e, Value begin) {
  if (e->s->from[0].strides[e->s->dim] != 1) {
    append_block(g, e, begin);
    cut_when_full(g, e);
    return;
  }
  Value before[] = {e->filled, e->worst}, bits = find_better(g, e, begin);
  LLVMBasicBlockRef from = gen_here(g), some = gen_block(g, "some"), next = gen_block(g, "next");
  LLVMBuildCondBr(g->builder, emit_icmp_c(g, LLVMIntNE, bits, 0), some, next);
  gen_move_to(g, some);
  append_bits(g, e, begin, bits);
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

// The pairs of the first places of a line, by its only key.
static void select_places(LlvmGen *g, const Sort *s, Value const *line, bool descending) {
  Selection e = {.s = s, .line = line, .descending = descending};
  Loop loop;
  make_pairs(g, s, line, 0, descending, s->first);
  sort_pairs(g, s, gen_i64(g, s->first));
  Value state[] = {gen_i64(g, s->high), worst_wanted(g, s)};
  loop_begin(g, &loop, gen_i64(g, s->first), gen_i64(g, s->size), s->block, 2, state, false);
  e.filled = loop.carried[0];
  e.worst = loop.carried[1];
  stream_block(g, &e, loop.index);
  state[0] = e.filled;
  state[1] = e.worst;
  loop_end(g, &loop, state);
  sort_pairs(g, s, loop.carried[0]);
}

enum { LONG_LINE = 16 }; // in vectors

// Whether to select, and how large the buffer is: room for as many again as are wanted, so that
// sorting it costs each candidate the logarithm of their number, and a block. With k wanted of n in
// no order some k ln(n / k) are appended: at an eighth of n that is less work than sorting all.
static void plan_selection(const LlvmGen *g, Sort *s) {
  unsigned lanes = g->target->vector_bytes / 4;
  s->block = s->size < LONG_LINE * (int64_t)lanes ? lanes : 4 * lanes;
  s->first = s->high + (s->size - s->high) % s->block;
  if (s->key_count != 1) return;
  if (8 * s->high <= s->size && s->first < s->size)
    s->capacity = 2 * s->high + 2 * s->block;
  else
    s->in_middle = 8 * (s->high - s->low) <= s->size && s->size > most_ranked(g);
}

static void sort_line(LlvmGen *g, Value const *line, void *data) {
  const Sort *s = data;
  bool descending = ir_attr_int(s->op, ATTR_DESCENDING);
  if (s->capacity) {
    select_places(g, s, line, descending);
  } else if (s->key_count == 1) {
    make_pairs(g, s, line, 0, descending, s->size);
    if (s->in_middle)
      sort_middle(g, s);
    else
      sort_pairs(g, s, gen_i64(g, s->size));
  } else {
    for (size_t key = s->key_count; key-- > 0;)
      sort_by(g, s, line, key, key == s->key_count - 1, descending);
  }
  Value to[IR_MAX_RANK], from[IR_MAX_RANK];
  Loop loop;
  loop_begin(g, &loop, gen_i64(g, s->low), gen_i64(g, s->high), 1, 0, NULL, false);
  along(s, line, loop.index, to);
  along(s, line, LLVMBuildZExt(g->builder, place_at(g, s, loop.index), g->i64, ""), from);
  for (size_t i = 0; i < s->op->operand_count; i++)
    mem_store(g, &s->to[i], to, mem_load(g, &s->from[i], from));
  loop_end(g, &loop, NULL);
}

static int buffer_count(const Sort *s) { return s->key_count > 1 ? 4 : 2; }

// Room for the pairs, twice, with some vectors behind them; and for the order by several keys,
// twice.
static void take_buffers(LlvmGen *g, void *data) {
  Sort *s = data;
  Mem mem;
  Value *places[] = {&s->pairs, &s->spare_pairs, &s->order, &s->spare_order};
  bool has_order = s->key_count > 1;
  for (int i = 0; i < buffer_count(s); i++) {
    int64_t behind = RANKED_VECTORS * WIDEST_VECTOR / 4;
    int64_t elements = i < 2 ? 2 * (s->capacity ? s->capacity : s->size) + behind : s->size;
    s->buffers[i] = frame_take_array(g, DT_I32, 1, &elements, &mem);
    *places[i] = mem.base;
  }
  s->order_step = has_order ? 1 : 2;
  if (!has_order) s->order = s->pairs;
}

static void give_buffers(LlvmGen *g, void *data) {
  const Sort *s = data;
  for (int i = 0; i < buffer_count(s); i++) frame_give(g, s->buffers[i]);
}

static int64_t sort_work(const Sort *s) {
  enum { ELEMENT_WORK = 32 }; // the least, of short lines; measured: 350 in lines of 512
  return ELEMENT_WORK * mem_count(&s->from[0]);
}

static void sort_lines(LlvmGen *g, Sort *s) {
  int64_t others[IR_MAX_RANK];
  size_t rank = 0, count = s->op->operand_count;
  for (int i = 0; i < s->from[0].rank; i++)
    if (i != s->dim) others[rank++] = s->from[0].dims[i];
  Value **places = ARENA_ARRAY(g->arena, Value *, 2 * count);
  for (size_t i = 0; i < count; i++) {
    places[2 * i] = &s->from[i].base;
    places[2 * i + 1] = &s->to[i].base;
  }
  ParallelEach each = {.rank = rank,
                       .dims = others,
                       .body = sort_line,
                       .open = take_buffers,
                       .close = give_buffers,
                       .data = s,
                       .places = places,
                       .place_count = 2 * count,
                       .work = sort_work(s)};
  gen_report_pieces(g, gen_report(g, s->op), parallel_each(g, &each));
}

// The upper half of a key of 64 bits comes before its lower one.
static void find_keys(Arena *arena, Sort *s) {
  size_t count = (size_t)ir_attr_int(s->op, ATTR_KEYS);
  s->keys = ARENA_ARRAY(arena, SortKey, 2 * count);
  for (size_t i = 0; i < count; i++) {
    if (dtype_bits(s->from[i].dtype) == 64) s->keys[s->key_count++] = (SortKey){i, 32};
    s->keys[s->key_count++] = (SortKey){i, 0};
  }
}

void gen_sort(LlvmGen *g, IrOp *op) {
  Sort *s = ARENA_NEW(g->arena, Sort);
  s->op = op;
  s->dim = (int)ir_attr_int(op, ATTR_DIM);
  s->from = ARENA_ARRAY(g->arena, Mem, op->operand_count);
  s->to = ARENA_ARRAY(g->arena, Mem, op->operand_count);
  for (size_t i = 0; i < op->operand_count; i++) {
    s->from[i] = value_mem(g, op->operands[i]);
    Buffer *buffer = destination_take(g, op->results[i], &s->to[i]);
    value_bind_mem(g, op->results[i], &s->to[i], buffer);
  }
  s->size = s->from[0].dims[s->dim];
  find_window(s);
  find_keys(g->arena, s);
  if (mem_count(&s->from[0]) == 0 || s->high == 0) return;
  plan_selection(g, s);
  sort_lines(g, s);
}
