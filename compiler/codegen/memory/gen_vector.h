// SPDX-License-Identifier: Apache-2.0
// Vectors of neighbours in memory, whole and masked, and squares of vectors transposed.
#pragma once
#include "codegen/emit/gen.h"

// Vectors of `lanes` consecutive elements from an address; the first `active` of them if that is
// fewer.
Value mem_load_vector(LlvmGen *g, Value address, DType dtype, unsigned align, unsigned lanes,
                      unsigned active);
Value gen_masked_load(LlvmGen *g, Value address, Type type, unsigned align, Value mask,
                      Value other);
// Of a vector of addresses.
Value gen_gather_load(LlvmGen *g, Value addresses, Type type, unsigned align, Value mask,
                      Value other);
void gen_masked_store(LlvmGen *g, Value value, Value address, unsigned align, Value mask);
// Whether `count` elements that are `step` apart are quicker from the vectors that they lie in than
// one by one.
bool gen_can_deal(const LlvmGen *g, unsigned count, unsigned lanes, unsigned bytes, int64_t step);
// Elements `step` apart from an address, the first `active` lanes of a vector; all that lies
// between the first and the last is read.
Value gen_load_dealt(LlvmGen *g, Value address, Type element, unsigned lanes, unsigned active,
                     int64_t step);
// The first `active` lanes of a vector as memory has it.
void gen_store_first(LlvmGen *g, Value raw, Value address, DType dtype, unsigned active);
void mem_store_vector(LlvmGen *g, Value value, Value address, DType dtype, unsigned align,
                      unsigned active);
// From vectors of as many lanes each: the same number of them, with the first elements of all, then
// the second ones, and so on.
enum { MOST_TURNS = 4 };
void gen_take_turns(LlvmGen *g, Value const *from, unsigned count, Value *to);
// The other way, of a power of two of vectors that lie one behind the other.
void gen_take_apart(LlvmGen *g, Value *vectors, unsigned count);
// Transposes n vectors of n lanes, n a power of two, in registers.
void gen_transpose(LlvmGen *g, Value *rows, unsigned n);
// The columns of a square of n elements of four bytes, n a multiple of four. Rows that are NULL are
// zero. in_parts: parts of rows are put together as they are loaded, which saves half of the
// shuffles and touches each line of a row up to four times.
void gen_load_transposed(LlvmGen *g, Type element, unsigned align, Value const *rows, unsigned n,
                         bool in_parts, Value *columns);
// PART of those columns alone, from `offset` bytes behind the start of each row.
enum { PART = 4 };
void gen_load_part(LlvmGen *g, Type element, unsigned align, Value const *rows, unsigned n,
                   int64_t offset, Value *columns);
