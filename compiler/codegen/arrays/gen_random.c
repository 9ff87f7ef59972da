// SPDX-License-Identifier: Apache-2.0
// The core's generator of random bits (pltpu.prng_seed, prng_random_bits): Threefry-2x32 of a key
// and a counter. The key comes from the seeds; element i of the n-th array has the counter of all
// elements before it. What it gives is our own, not a chip's. Each program of a core or a device
// has its own: others may run at the same time.
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "gen_random.h"
#include "codegen/elements/gen_elem.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_loop.h"
#include "codegen/values/gen_value.h"

// In memory of the function: key 0, key 1, counter low, counter high.
enum { STATE_WORDS = 4 };

// Cores that the region launches have generators of their own.
static bool uses_prng(const IrRegion *region) {
  for (const IrOp *op = region->first; op; op = op->next) {
    if (op->code == OP_PRNG_SEED || op->code == OP_PRNG_BITS) return true;
    for (size_t i = 0; op->code != OP_CORES && i < op->region_count; i++)
      if (uses_prng(op->regions[i])) return true;
  }
  return false;
}

// At the start of a function: memory for the state if it is used. Unseeded, key and counter are 0.
void gen_prng_open(LlvmGen *g, const IrRegion *region) {
  if (!uses_prng(region)) return;
  int64_t words = STATE_WORDS;
  Mem mem;
  frame_take_array(g, DT_U32, 1, &words, &mem);
  mem_fill(g, &mem, gen_i32(g, 0));
  g->frame->prng_state = mem.base;
}

static Value word_address(LlvmGen *g, int word) {
  return gen_address(g, g->frame->prng_state, word * 4);
}
static Value load_word(LlvmGen *g, int word) {
  return LLVMBuildLoad2(g->builder, g->i32, word_address(g, word), "");
}
static void store_word(LlvmGen *g, int word, Value value) {
  LLVMBuildStore(g->builder, value, word_address(g, word));
}

static void seed(LlvmGen *g, const IrOp *op) {
  Value key[2] = {gen_i32(g, 0), gen_i32(g, 0)};
  for (size_t i = 0; i < op->operand_count; i++) {
    Value word =
        convert_dtype(g, value_scalar(g, op->operands[i]), op->operands[i]->type->dtype, DT_I32);
    Value in[] = {key[0], key[1], word, gen_i32(g, (int64_t)i)};
    elem_threefry(g, in, key);
  }
  store_word(g, 0, key[0]);
  store_word(g, 1, key[1]);
  store_word(g, 2, gen_i32(g, 0));
  store_word(g, 3, gen_i32(g, 0));
}

typedef struct Bits {
  Value key[2], counter; // counter: i64
  Value base;
} Bits;

static void emit_bits(LlvmGen *g, const Bits *b, Value index, unsigned lanes) {
  Value low[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) low[i] = gen_i64(g, i);
  Value steps = lanes == 1 ? low[0] : LLVMConstVector(low, lanes);
  Value counter = emit_add(g, gen_splat(g, emit_add(g, b->counter, index), lanes), steps);
  Value in[] = {gen_splat(g, b->key[0], lanes), gen_splat(g, b->key[1], lanes),
                emit_trunc(g, counter, g->i32), emit_trunc(g, emit_lshr_c(g, counter, 32), g->i32)};
  Value out[2];
  elem_threefry(g, in, out);
  mem_store_raw(g, out[0], gen_offset(g, b->base, DT_U32, index), DT_U32);
}

static void bits(LlvmGen *g, const IrOp *op) {
  IrValue *result = op->results[0];
  Mem mem;
  Buffer *buffer =
      frame_take_array(g, result->type->dtype, result->type->rank, result->type->dims, &mem);
  Value low = LLVMBuildZExt(g->builder, load_word(g, 2), g->i64, ""),
        high = LLVMBuildZExt(g->builder, load_word(g, 3), g->i64, "");
  Bits b = {.key = {load_word(g, 0), load_word(g, 1)},
            .counter = emit_or(g, low, emit_shl_c(g, high, 32)),
            .base = mem.base};
  int64_t count = mem_count(&mem), lanes = g->target->vector_bytes / 4,
          whole = count / lanes * lanes;
  for (int part = 0; part < 2; part++) {
    int64_t begin = part ? whole : 0, end = part ? count : whole;
    if (begin == end) continue;
    Loop loop;
    loop_begin(g, &loop, gen_i64(g, begin), gen_i64(g, end), part ? 1 : lanes, 0, NULL, false);
    emit_bits(g, &b, loop.index, part ? 1 : (unsigned)lanes);
    loop_end(g, &loop, NULL);
  }
  Value next = emit_add_c(g, b.counter, count);
  store_word(g, 2, emit_trunc(g, next, g->i32));
  store_word(g, 3, emit_trunc(g, emit_lshr_c(g, next, 32), g->i32));
  value_bind_result(g, result, &mem, buffer);
}

void gen_prng(LlvmGen *g, IrOp *op) {
  if (op->code == OP_PRNG_SEED)
    seed(g, op);
  else
    bits(g, op);
}
