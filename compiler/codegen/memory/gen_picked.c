// SPDX-License-Identifier: Apache-2.0
// Vectors each lane of which takes an element of memory at an offset of its own, known at run time.
#include "gen_picked.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_build.h"
#include "codegen/emit/gen_const.h"
#include "gen_frame.h"
#include "gen_vector.h"

static unsigned bits_of(Type element) {
  LLVMTypeKind kind = LLVMGetTypeKind(element);
  if (kind == LLVMIntegerTypeKind) return LLVMGetIntTypeWidth(element);
  return kind == LLVMFloatTypeKind ? 32 : kind == LLVMDoubleTypeKind ? 64 : 16;
}

Value gen_pick_apart(LlvmGen *g, Type type, Value base, LaneOffset offset_at, const void *data,
                     unsigned active) {
  Type element = LLVMGetElementType(type);
  Value got = LLVMGetPoison(type);
  for (unsigned i = 0; i < active; i++) {
    Value offset = offset_at(g, data, i);
    Value load = LLVMBuildLoad2(g->builder, element,
                                LLVMBuildGEP2(g->builder, element, base, &offset, 1, ""), "");
    gen_set_align(load, bits_of(element) / 8);
    got = LLVMBuildInsertElement(g->builder, got, load, gen_i32(g, i), "");
  }
  return got;
}

// Offsets that were computed in a vector go through memory: taking them out of a register is two
// instructions for each.
static Value stored_offset(LlvmGen *g, const void *data, unsigned lane) {
  Value slot = *(const Value *)data;
  return emit_sext(g, mem_load_vector(g, gen_offset_const(g, slot, DT_I32, lane), DT_I32, 4, 1, 1),
                   g->i64);
}

static Value pick_stored(LlvmGen *g, Type type, Value base, Value offsets, unsigned active) {
  unsigned bytes = gen_lanes(offsets) * 4;
  Buffer *buffer = frame_take(g, bytes);
  Value slot = frame_address(g, buffer);
  mem_store_vector(g, offsets, slot, DT_I32, bytes < LINE_BYTES ? bytes : LINE_BYTES,
                   gen_lanes(offsets));
  Value got = gen_pick_apart(g, type, base, stored_offset, &slot, active);
  frame_give(g, buffer);
  return got;
}

// The first lanes of a mask, or of one that is on everywhere.
static Value first_lanes(LlvmGen *g, Value mask, unsigned lanes, unsigned active) {
  Value bits[MAX_LANES];
  for (unsigned i = 0; i < lanes; i++) bits[i] = LLVMConstInt(g->i1, i < active, false);
  Value first = LLVMConstVector(bits, lanes);
  return mask ? emit_and(g, mask, first) : first;
}

Value gen_pick(LlvmGen *g, Type type, Value base, Value offsets, Value mask, unsigned active) {
  Type element = LLVMGetElementType(type);
  unsigned bits = bits_of(element);
  if (!g->target->gathers_quickly || bits < 32) return pick_stored(g, type, base, offsets, active);
  Value addresses = LLVMBuildGEP2(g->builder, element, base, &offsets, 1, "");
  return gen_gather_load(g, addresses, type, bits / 8,
                         first_lanes(g, mask, gen_lanes(offsets), active), LLVMConstNull(type));
}
