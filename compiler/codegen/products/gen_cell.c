// SPDX-License-Identifier: Apache-2.0
// Cells: four bytes of a factor, or eight, and the instruction that multiplies them. Bytes and
// 16-bit integers are multiplied exactly, four or two at a time, and summed modulo 2^32 as i32 sums
// are. Pairs of bf16 are multiplied exactly too; each pair is added to its sum by vdpbf16ps, the
// odd element first, with subnormal numbers taken for zero. That is still one order over k,
// whatever the cut.
#include "gen_cell.h"
#include <string.h>
#include "ir/core/build_dot.h"
#include "codegen/emit/emit.h"
#include "codegen/emit/gen_convert.h"
#include "codegen/memory/gen_vector.h"

// Multiply-adds of bytes that take vectors as long as tiles take to be configured, some 200 cycles,
// and to be used.
enum { LEAST_TILE_WORK = 1 << 17 };

static bool is_bf16(const Factor *f) { return f->dtype == DT_BF16 || f->to_bf16; }

static bool is_byte(DType dtype) { return dtype_is_integer(dtype) && dtype_bits(dtype) <= 8; }

static bool is_unsigned(DType dtype) { return is_byte(dtype) && !dtype_is_signed(dtype); }

bool cell_takes_pairs(const Target *target, DType sums, const Factor *a, const Factor *b) {
  return (target->multiplies_pairs || target->has_tiles) && sums == DT_F32 && is_bf16(a) &&
         is_bf16(b);
}

bool cell_is_unsigned(const Factor *f) { return is_unsigned(f->dtype); }

bool cell_fits_tiles(const Target *target, const Gemm *gemm) {
  const Factor *a = &gemm->a, *b = &gemm->b;
  if (!target->has_tiles) return false;
  if (gemm->sums == DT_F32) return is_bf16(a) && is_bf16(b);
  return gemm->sums == DT_I32 && is_byte(a->dtype) && is_byte(b->dtype) &&
         gemm->m >= TILE_ROWS / 2 && gemm->m * gemm->n * gemm->k >= LEAST_TILE_WORK;
}

DotKind cell_kind(LlvmGen *g, const Gemm *gemm) {
  const Factor *a = &gemm->a, *b = &gemm->b;
  if (gemm->sums == DT_F64) return DOT_F64;
  if (gemm->sums == DT_I64) return DOT_I64;
  if (gemm->in_tiles) return gemm->sums == DT_F32 ? DOT_BF16 : DOT_I8;
  if (gemm->sums == DT_F32)
    return g->target->multiplies_pairs && is_bf16(a) && is_bf16(b) ? DOT_BF16 : DOT_F32;
  // vpdpbusd multiplies unsigned by signed bytes.
  bool both_unsigned = is_unsigned(a->dtype) && is_unsigned(b->dtype);
  if (g->target->has_vnni && is_byte(a->dtype) && is_byte(b->dtype) && !both_unsigned)
    return DOT_I8;
  bool a_fits = is_byte(a->dtype) || a->dtype == DT_I16,
       b_fits = is_byte(b->dtype) || b->dtype == DT_I16;
  return a_fits && b_fits ? DOT_I16 : DOT_I32;
}

unsigned cell_group(const Gemm *gemm) {
  static const unsigned groups[] = {[DOT_F64] = 1, [DOT_I64] = 1, [DOT_F32] = 1, [DOT_I32] = 1,
                                    [DOT_I16] = 2, [DOT_I8] = 4,  [DOT_BF16] = 2};
  return groups[gemm->kind];
}

DType cell_dtype(const Gemm *gemm) { return gemm->kind == DOT_BF16 ? DT_I32 : gemm->sums; }

int64_t cell_bytes(const Gemm *gemm) { return (int64_t)dtype_size(cell_dtype(gemm)); }

bool cell_is_in_memory(const Gemm *gemm, const Factor *f) {
  switch (gemm->kind) {
  case DOT_F64: return f->dtype == DT_F64 && !f->to_bf16;
  case DOT_I64: return f->dtype == DT_I64 || f->dtype == DT_U64;
  case DOT_F32: return f->dtype == DT_F32 && !f->to_bf16;
  case DOT_I32: return f->dtype == DT_I32 || f->dtype == DT_U32;
  case DOT_I16: return f->dtype == DT_I16 && f->k_step == 1 && gemm->k % 2 == 0;
  case DOT_I8:
    return (f->dtype == DT_I8 || f->dtype == DT_U8) && !f->is_flipped && f->k_step == 1 &&
           gemm->k % 4 == 0;
  case DOT_BF16: return f->dtype == DT_BF16 && f->k_step == 1 && gemm->k % 2 == 0;
  }
  BUG("unknown kind of product");
}

bool cell_is_compensated(const Gemm *gemm) { return gemm->a.is_flipped; }

// ---- elements to cells --------------------------------------------------------------------------
// Elements in their compute type, as the cell's: f64, i64, f32, i32, i16 or i8.
static Value to_cell_element(LlvmGen *g, const Gemm *gemm, const Factor *f, Value element) {
  switch (gemm->kind) {
  case DOT_F64:
    if (f->to_bf16) element = convert_dtype(g, element, f->dtype, DT_BF16);
    return convert_dtype(g, element, f->to_bf16 ? DT_BF16 : f->dtype, DT_F64);
  case DOT_I64: return convert_dtype(g, element, f->dtype, DT_I64);
  case DOT_F32:
    if (!dtype_is_float(f->dtype)) element = convert_dtype(g, element, f->dtype, DT_F32);
    return f->to_bf16 && !ir_dot_includes(DT_BF16, f->dtype) ? convert_round(g, DT_BF16, element)
                                                             : element;
  case DOT_I32: return convert_dtype(g, element, f->dtype, DT_I32);
  case DOT_I16: return convert_dtype(g, element, f->dtype, DT_I16);
  case DOT_I8:
    element = convert_dtype(g, element, f->dtype, is_unsigned(f->dtype) ? DT_U8 : DT_I8);
    return f->is_flipped ? emit_xor_c(g, element, -128) : element;
  case DOT_BF16:
    if (!dtype_is_float(f->dtype)) element = convert_dtype(g, element, f->dtype, DT_F32);
    if (!ir_dot_includes(DT_BF16, f->dtype)) element = convert_round(g, DT_BF16, element);
    return emit_trunc(g, emit_lshr_c(g, emit_as_int(g, element), 16), g->i16);
  }
  BUG("unknown kind of product");
}

static Value load_one(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address) {
  Value raw = LLVMBuildLoad2(g->builder, gen_storage_type(g, f->dtype, 1), address, "");
  gen_set_align(raw, (unsigned)dtype_size(f->dtype));
  return to_cell_element(g, gemm, f, convert_from_storage(g, f->dtype, raw));
}

static Value load_lanes(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address,
                        unsigned lanes, unsigned active) {
  if (lanes == 1) return load_one(g, gemm, f, address);
  unsigned align = (unsigned)dtype_size(f->dtype);
  if (f->step == 1 && (active == lanes || g->target->has_masks)) {
    // Masked lanes are read as zero, and zero stays zero, or meets one in the other factor.
    return to_cell_element(g, gemm, f, mem_load_vector(g, address, f->dtype, align, lanes, active));
  }
  Value vector = NULL;
  for (unsigned i = 0; i < active; i++) {
    Value element = load_one(g, gemm, f, gen_offset_const(g, address, f->dtype, i * f->step));
    if (!vector) vector = LLVMConstNull(LLVMVectorType(LLVMTypeOf(element), lanes));
    vector = LLVMBuildInsertElement(g->builder, vector, element, gen_i32(g, i), "");
  }
  return vector;
}

Value cell_across(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address, unsigned lanes,
                  unsigned active, unsigned valid) {
  unsigned group = cell_group(gemm), bits = 32 / group;
  if (active == 0 || valid == 0) return LLVMConstNull(gen_storage_type(g, cell_dtype(gemm), lanes));
  if (group == 1) return load_lanes(g, gemm, f, address, lanes, active);
  Value cell = NULL;
  for (unsigned j = 0; j < valid; j++) {
    Value part = load_lanes(g, gemm, f, gen_offset_const(g, address, f->dtype, j * f->k_step),
                            lanes, active);
    part = emit_zext(g, part, g->i32);
    if (j) part = emit_shl_c(g, part, j * bits);
    cell = cell ? emit_or(g, cell, part) : part;
  }
  return cell;
}

Value cell_along(LlvmGen *g, const Gemm *gemm, const Factor *f, Value address, unsigned cells) {
  unsigned group = cell_group(gemm);
  Value elements = mem_load_vector(g, address, f->dtype, (unsigned)dtype_size(f->dtype),
                                   cells * group, cells * group);
  elements = to_cell_element(g, gemm, f, elements);
  return group == 1 ? elements : gen_bitcast(g, elements, gen_storage_type(g, DT_I32, cells));
}

// ---- instructions -------------------------------------------------------------------------------
static Value multiply_pairs(LlvmGen *g, Value a, Value b, Value sum) {
  Type type = LLVMTypeOf(sum);
  if (g->target->has_vnni) {
    Value args[] = {sum, a, b};
    return gen_cpu_intrinsic(g, "llvm.x86.avx512.vpdpwssd.512", 3, args, type);
  }
  static const char *const names[] = {[1] = "llvm.x86.sse2.pmadd.wd",
                                      [2] = "llvm.x86.avx2.pmadd.wd",
                                      [4] = "llvm.x86.avx512.pmaddw.d.512"};
  Value args[] = {a, b};
  return emit_add(g, sum, gen_cpu_intrinsic(g, names[g->target->vector_bytes / 16], 2, args, type));
}

static Value multiply_bytes(LlvmGen *g, Value unsigned_bytes, Value signed_bytes, Value sum) {
  Value args[] = {sum, unsigned_bytes, signed_bytes};
  return gen_cpu_intrinsic(g, "llvm.x86.avx512.vpdpbusd.512", 3, args, LLVMTypeOf(sum));
}

Value cell_multiply_add(LlvmGen *g, const Gemm *gemm, Value a, Value b, Value sum) {
  switch (gemm->kind) {
  case DOT_F64:
  case DOT_F32: return emit_fma(g, a, b, sum);
  case DOT_I64:
  case DOT_I32: return emit_add(g, sum, emit_mul(g, a, b));
  case DOT_I16: return multiply_pairs(g, a, b, sum);
  case DOT_I8:
    if (is_unsigned(gemm->b.dtype)) return multiply_bytes(g, b, a, sum);
    return multiply_bytes(g, a, b, sum);
  case DOT_BF16: {
    Value args[] = {sum, a, b};
    return gen_cpu_intrinsic(g, "llvm.x86.avx512bf16.dpbf16ps.512", 3, args, LLVMTypeOf(sum));
  }
  }
  BUG("unknown kind of product");
}

Value cell_sum_bytes(LlvmGen *g, Value cell, Value sum) {
  return multiply_bytes(g, gen_int_like(cell, 0x01010101), cell, sum);
}
