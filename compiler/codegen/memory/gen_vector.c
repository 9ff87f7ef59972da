// SPDX-License-Identifier: Apache-2.0
// Vectors of neighbours in memory, whole and masked, and squares of vectors transposed.
#include "gen_vector.h"
#include <llvm-c/Target.h>
#include <string.h>
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/emit/gen_type.h"

static Value prefix_mask(LlvmGen *g, unsigned lanes, unsigned active) {
  Value bits[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) bits[i] = LLVMConstInt(g->i1, i < active, false);
  return LLVMConstVector(bits, lanes);
}

// The masked accesses took their alignment as an argument until LLVM 21, and take it as an
// attribute since.
static Value masked_read(LlvmGen *g, const char *name, Type type, Value address, unsigned align,
                         Value mask, Value other) {
  Type types[] = {type, LLVMTypeOf(address)};
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  Value function = LLVMGetIntrinsicDeclaration(g->module, id, types, 2);
  Type signature = LLVMGlobalGetValueType(function);
  if (LLVMCountParamTypes(signature) == 4) {
    Value args[] = {address, gen_i32(g, align), mask, other};
    return LLVMBuildCall2(g->builder, signature, function, args, 4, "");
  }
  Value args[] = {address, mask, other};
  Value call = LLVMBuildCall2(g->builder, signature, function, args, 3, "");
  LLVMSetInstrParamAlignment(call, 1, align);
  return call;
}

Value gen_masked_load(LlvmGen *g, Value address, Type type, unsigned align, Value mask,
                      Value other) {
  return masked_read(g, "llvm.masked.load", type, address, align, mask, other);
}

Value gen_gather_load(LlvmGen *g, Value addresses, Type type, unsigned align, Value mask,
                      Value other) {
  return masked_read(g, "llvm.masked.gather", type, addresses, align, mask, other);
}

void gen_masked_store(LlvmGen *g, Value value, Value address, unsigned align, Value mask) {
  Type types[] = {LLVMTypeOf(value), g->ptr};
  unsigned id = LLVMLookupIntrinsicID("llvm.masked.store", 17);
  Value function = LLVMGetIntrinsicDeclaration(g->module, id, types, 2);
  Type signature = LLVMGlobalGetValueType(function);
  if (LLVMCountParamTypes(signature) == 4) {
    Value args[] = {value, address, gen_i32(g, align), mask};
    LLVMBuildCall2(g->builder, signature, function, args, 4, "");
    return;
  }
  Value args[] = {value, address, mask};
  Value call = LLVMBuildCall2(g->builder, signature, function, args, 3, "");
  LLVMSetInstrParamAlignment(call, 2, align);
}

Value mem_load_vector(LlvmGen *g, Value address, DType dtype, unsigned align, unsigned lanes,
                      unsigned active) {
  Type type = gen_storage_type(g, dtype, lanes);
  if (active < lanes)
    return convert_from_storage(g, dtype,
                                gen_masked_load(g, address, type, align,
                                                prefix_mask(g, lanes, active),
                                                LLVMConstNull(type)));
  Value raw = LLVMBuildLoad2(g->builder, type, address, "");
  gen_set_align(raw, align);
  return convert_from_storage(g, dtype, raw);
}

// ---- elements apart ----------------------------------------------------------------------------
// In instructions: vectors that are loaded and put together, one or three (where elements of two
// registers cannot be mixed freely) for each, against a load and an insertion for each element.
bool gen_can_deal(const LlvmGen *g, unsigned count, unsigned lanes, unsigned bytes, int64_t step) {
  int64_t apart = step < 0 ? -step : step, mix = g->target->has_masks && bytes >= 4 ? 1 : 3;
  return apart > 1 && (count - 1) * apart + 1 >= lanes &&
         apart + (apart - 1) * mix < 2 * (int64_t)count;
}

// The last vector ends with the last element, so that nothing behind that is read.
Value gen_load_dealt(LlvmGen *g, Value address, Type element, unsigned lanes, unsigned active,
                     int64_t step) {
  int64_t apart = step < 0 ? -step : step, span = (active - 1) * apart + 1, bytes;
  Type type = LLVMVectorType(element, lanes);
  Value found = NULL, order[MAX_LANES];
  bytes = (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->module), element);
  int64_t low = step < 0 ? (active - 1) * step : 0;
  for (int64_t from = 0; from < span; from += lanes) {
    int64_t start = from + lanes <= span ? from : span - lanes;
    Value part =
        LLVMBuildLoad2(g->builder, type, gen_address(g, address, (low + start) * bytes), "");
    gen_set_align(part, (unsigned)bytes);
    for (unsigned i = 0; i < lanes; i++) {
      int64_t place = (step < 0 ? active - 1 - (int64_t)i : (int64_t)i) * apart;
      bool is_here = i < active && place >= from && place < from + lanes;
      order[i] = is_here ? gen_i32(g, (int)(place - start + lanes)) : gen_i32(g, (int)i);
    }
    found = LLVMBuildShuffleVector(g->builder, found ? found : LLVMGetPoison(type), part,
                                   LLVMConstVector(order, lanes), "");
  }
  return found;
}

// The first `active` lanes as vectors of powers of two: without mask registers a masked store takes
// some CPUs twenty cycles and more.
static void store_pieces(LlvmGen *g, Value raw, Value address, DType dtype, unsigned align,
                         unsigned active) {
  unsigned from = 0, width = 1;
  while (width <= active / 2) width *= 2;
  for (; width; width /= 2) {
    if (!(active & width)) continue;
    Value order[MAX_LANES];
    for (unsigned i = 0; i < width; i++) order[i] = gen_i32(g, from + i);
    Value piece = LLVMBuildShuffleVector(g->builder, raw, LLVMGetPoison(LLVMTypeOf(raw)),
                                         LLVMConstVector(order, width), "");
    gen_set_align(LLVMBuildStore(g->builder, piece, gen_offset_const(g, address, dtype, from)),
                  align);
    from += width;
  }
}

// What a masked store wrote is not handed on to a load that follows soon, on any CPU: one or two
// whole vectors are.
static bool is_few_pieces(unsigned active) {
  return !(active & (active - 1) & ((active & (active - 1)) - 1));
}

static void store_raw(LlvmGen *g, Value raw, Value address, DType dtype, unsigned align,
                      unsigned active) {
  unsigned lanes = gen_lanes(raw);
  if (active == lanes)
    gen_set_align(LLVMBuildStore(g->builder, raw, address), align);
  else if (g->target->has_masks && !is_few_pieces(active))
    gen_masked_store(g, raw, address, align, prefix_mask(g, lanes, active));
  else
    store_pieces(g, raw, address, dtype, align, active);
}

void mem_store_vector(LlvmGen *g, Value value, Value address, DType dtype, unsigned align,
                      unsigned active) {
  store_raw(g, convert_to_storage(g, dtype, value), address, dtype, align, active);
}

void gen_store_first(LlvmGen *g, Value raw, Value address, DType dtype, unsigned active) {
  store_raw(g, raw, address, dtype, (unsigned)dtype_size(dtype), active);
}

// ---- elements by turns --------------------------------------------------------------------------
// Vector `number` of those that hold the elements of two or three vectors by turns.
static Value turns_of(LlvmGen *g, Value const *from, unsigned count, unsigned number) {
  unsigned lanes = gen_lanes(from[0]);
  Value first[MAX_LANES], second[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    unsigned place = number * lanes + i, part = place % count, element = place / count;
    first[i] = gen_i32(g, part < 2 ? part * lanes + element : 0);
    second[i] = gen_i32(g, part < 2 ? i : lanes + element);
  }
  Value two =
      LLVMBuildShuffleVector(g->builder, from[0], from[1], LLVMConstVector(first, lanes), "");
  if (count == 2) return two;
  return LLVMBuildShuffleVector(g->builder, two, from[2], LLVMConstVector(second, lanes), "");
}

void gen_take_turns(LlvmGen *g, Value const *from, unsigned count, Value *to) {
  if (count < MOST_TURNS) {
    for (unsigned i = 0; i < count; i++) to[i] = turns_of(g, from, count, i);
    return;
  }
  Value even[] = {from[0], from[2]}, odd[] = {from[1], from[3]};
  for (unsigned half = 0; half < 2; half++) {
    Value pair[] = {turns_of(g, even, 2, half), turns_of(g, odd, 2, half)};
    for (unsigned i = 0; i < 2; i++) to[2 * half + i] = turns_of(g, pair, 2, i);
  }
}

// The elements of two vectors at even places, or at odd ones.
static Value every_other(LlvmGen *g, Value low, Value high, unsigned first) {
  unsigned lanes = gen_lanes(low);
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) order[i] = gen_i32(g, 2 * i + first);
  return LLVMBuildShuffleVector(g->builder, low, high, LLVMConstVector(order, lanes), "");
}

// Each round divides each group by one bit of the places, the lowest one first.
void gen_take_apart(LlvmGen *g, Value *vectors, unsigned count) {
  Value next[MAX_LANES];
  for (unsigned groups = 1; groups < count; groups *= 2) {
    unsigned run = count / groups; // vectors of each group, with every groups-th element
    for (unsigned i = 0; i < groups; i++)
      for (unsigned k = 0; k < run / 2; k++)
        for (unsigned odd = 0; odd < 2; odd++)
          next[(i + odd * groups) * (run / 2) + k] =
              every_other(g, vectors[i * run + 2 * k], vectors[i * run + 2 * k + 1], odd);
    for (unsigned i = 0; i < count; i++) vectors[i] = next[i];
  }
}

// ---- squares ------------------------------------------------------------------------------------
// Elements of a and b by turns, from the lower or upper half of each group of `group` lanes.
static Value interleave(LlvmGen *g, Value a, Value b, unsigned lanes, unsigned group, bool upper) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    unsigned start = i / group * group + (upper ? group / 2 : 0), place = i % group;
    order[i] = gen_i32(g, start + place / 2 + (place % 2 ? lanes : 0));
  }
  return LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(order, lanes), "");
}

// Groups of `group` lanes: those whose number has `bit` clear from both (or set), a's first.
static Value exchange(LlvmGen *g, Value a, Value b, unsigned lanes, unsigned group, unsigned bit,
                      bool set) {
  Value order[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) {
    unsigned number = i / group, from = set ? number | bit : number & ~bit;
    order[i] = gen_i32(g, from * group + i % group + (number & bit ? lanes : 0));
  }
  return LLVMBuildShuffleVector(g->builder, a, b, LLVMConstVector(order, lanes), "");
}

// Transposes squares of `group` lanes within `group` vectors.
static void transpose_group(LlvmGen *g, Value *rows, unsigned lanes, unsigned group) {
  Value next[MAX_LANES];
  for (unsigned width = group; width > 1; width /= 2) {
    for (unsigned i = 0; i < group / 2; i++)
      for (unsigned half = 0; half < 2; half++)
        next[2 * i + half] = interleave(g, rows[i], rows[i + group / 2], lanes, group, half);
    for (unsigned i = 0; i < group; i++) rows[i] = next[i];
  }
}

// Within 128 bits by interleaving, then whole 128-bit parts: one instruction each on x86.
void gen_transpose(LlvmGen *g, Value *rows, unsigned n) {
  Type element = LLVMGetElementType(LLVMTypeOf(rows[0]));
  unsigned bytes = (unsigned)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(g->module), element),
           group = 16 / bytes < n ? 16 / bytes : n;
  for (unsigned i = 0; i < n; i += group) transpose_group(g, rows + i, n, group);
  for (unsigned bit = 1; bit * group < n; bit *= 2)
    for (unsigned i = 0; i < n; i++) {
      if (i / group & bit) continue;
      Value a = rows[i], b = rows[i + bit * group];
      rows[i] = exchange(g, a, b, n, group, bit, false);
      rows[i + bit * group] = exchange(g, a, b, n, group, bit, true);
    }
}

// Four elements of every fourth row, one behind the other.
static Value load_parts(LlvmGen *g, Type element, unsigned align, Value const *rows, unsigned n,
                        int64_t offset) {
  Type type = LLVMVectorType(element, PART), whole = LLVMVectorType(element, n);
  Value order[MAX_LANES], bits[MAX_LANES], sum = LLVMConstNull(whole);
  for (unsigned i = 0; i < n; i++) order[i] = gen_i32(g, i % PART);
  for (unsigned q = 0; q < n; q += PART) {
    if (!rows[q]) continue;
    Value part = LLVMBuildLoad2(g->builder, type, gen_address(g, rows[q], offset), "");
    gen_set_align(part, align);
    Value spread = LLVMBuildShuffleVector(g->builder, part, LLVMGetPoison(type),
                                          LLVMConstVector(order, n), "");
    for (unsigned i = 0; i < n; i++) bits[i] = LLVMConstInt(g->i1, i / PART == q / PART, false);
    sum = q ? LLVMBuildSelect(g->builder, LLVMConstVector(bits, n), spread, sum, "") : spread;
  }
  return sum;
}

static Value load_row(LlvmGen *g, Type type, unsigned align, Value row) {
  if (!row) return LLVMConstNull(type);
  Value loaded = LLVMBuildLoad2(g->builder, type, row, "");
  gen_set_align(loaded, align);
  return loaded;
}

void gen_load_part(LlvmGen *g, Type element, unsigned align, Value const *rows, unsigned n,
                   int64_t offset, Value *columns) {
  for (unsigned i = 0; i < PART; i++)
    columns[i] = load_parts(g, element, align, rows + i, n, offset);
  transpose_group(g, columns, n, PART);
}

void gen_load_transposed(LlvmGen *g, Type element, unsigned align, Value const *rows, unsigned n,
                         bool in_parts, Value *columns) {
  if (!in_parts) {
    for (unsigned i = 0; i < n; i++)
      columns[i] = load_row(g, LLVMVectorType(element, n), align, rows[i]);
    gen_transpose(g, columns, n);
    return;
  }
  for (unsigned i = 0; i < n; i += PART)
    gen_load_part(g, element, align, rows, n, (int64_t)i * 4, columns + i);
}
