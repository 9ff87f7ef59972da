// SPDX-License-Identifier: Apache-2.0
// Tables in registers. A permutation of a register is a read of a table by all lanes: eight entries
// are a register of AVX2, and twice the same in one of AVX-512. Without either, lanes read memory
// one by one.
#include "gen_table.h"
#include "codegen/emit/emit.h"

static Value entries(LlvmGen *g, const double *table, unsigned count) {
  Value items[16];
  for (unsigned i = 0; i < count; i++)
    items[i] = gen_const_float(g, DT_F32, 1, table[i % TABLE_SIZE]);
  return LLVMConstVector(items, count);
}

static Value pick_from_memory(LlvmGen *g, const double *table, Value which) {
  float data[TABLE_SIZE];
  for (unsigned i = 0; i < TABLE_SIZE; i++) data[i] = (float)table[i];
  Value base = gen_global_data(g, data, sizeof data, sizeof data);
  Value places = emit_zext(g, emit_and_c(g, which, TABLE_SIZE - 1), g->i64);
  unsigned lanes = gen_lanes(which);
  Value result = LLVMGetPoison(gen_type_like(g->f32, which));
  for (unsigned i = 0; i < lanes; i++) {
    Value place =
        lanes == 1 ? places : LLVMBuildExtractElement(g->builder, places, gen_i32(g, i), "");
    Value entry = LLVMBuildLoad2(g->builder, g->f32, gen_offset(g, base, DT_F32, place), "");
    if (lanes == 1) return entry;
    result = LLVMBuildInsertElement(g->builder, result, entry, gen_i32(g, i), "");
  }
  return result;
}

Value table_pick(LlvmGen *g, const double table[TABLE_SIZE], Value which) {
  unsigned lanes = gen_lanes(which), most = g->target->vector_bytes / 4;
  if (lanes == 1 || most < TABLE_SIZE) return pick_from_memory(g, table, which);
  if (lanes > most) {
    Value low = gen_lanes_of(g, which, 0, lanes / 2),
          high = gen_lanes_of(g, which, lanes / 2, lanes / 2);
    return gen_joined(g, table_pick(g, table, low), table_pick(g, table, high));
  }
  if (lanes < TABLE_SIZE)
    return gen_lanes_of(g, table_pick(g, table, gen_lanes_of(g, which, 0, TABLE_SIZE)), 0, lanes);
  Value args[] = {entries(g, table, lanes), which};
  return gen_intrinsic(
      g, lanes == TABLE_SIZE ? "llvm.x86.avx2.permps" : "llvm.x86.avx512.permvar.sf.512", NULL, 2,
      args);
}
