// SPDX-License-Identifier: Apache-2.0
// What reports say of a product: read off its shape, which is what is emitted.
#include "ir/core/ir.h"
#include "gemm_report.h"

static const char *left_of(const GemmShape *shape) {
  return shape->packs_a ? "packed" : "as it lies";
}

static const char *right_of(const GemmShape *shape) {
  if (shape->in_squares) return "transposed in registers";
  if (shape->packs_on_the_way) return "packed on the way";
  return shape->packs_b ? "packed" : "as it lies";
}

static const char *threads_of(const GemmShape *shape) {
  if (!shape->by_panels) return "tiles of rows shared by threads";
  return shape->parts > 1 ? "panels of columns and parts of rows shared by threads"
                          : "panels of columns shared by threads";
}

void gemm_report(const LlvmGen *g, const Gemm *gemm, const GemmShape *shape, ReasonId one_thread) {
  static const char *const kinds[] = {
      [DOT_F64] = "f64",       [DOT_I64] = "i64",     [DOT_F32] = "f32",        [DOT_I32] = "i32",
      [DOT_I16] = "i16 pairs", [DOT_I8] = "i8 fours", [DOT_BF16] = "bf16 pairs"};
  if (!remark_is_on(g->session)) return;
  Session *session = g->session;
  RemarkItem *item = remark_item(session, REMARK_PRODUCT, gemm->op, STR(""));
  int64_t sizes[] = {gemm->m, gemm->n, gemm->k},
          tile[] = {shape->rows, (int64_t)shape->vectors * shape->lanes};
  int64_t a = gemm->m * gemm->k * (int64_t)dtype_size(gemm->a.dtype),
          b = gemm->k * gemm->n * (int64_t)dtype_size(gemm->b.dtype),
          c = gemm->m * gemm->n * (int64_t)dtype_size(gemm->c_dtype);
  remark_numbers(session, item, FACT_PRODUCT_SIZES, COUNT_OF(sizes), sizes);
  if (gemm->turns > 1) remark_number(session, item, FACT_TURNS, gemm->turns);
  const char *in_tiles = gemm->kind == DOT_BF16 ? "bf16 tiles" : "i8 tiles";
  remark_text(session, item, FACT_TYPE, str_from_c(gemm->in_tiles ? in_tiles : kinds[gemm->kind]));
  remark_numbers(session, item, FACT_TILE, COUNT_OF(tile), tile);
  remark_text(session, item, FACT_LEFT, str_from_c(left_of(shape)));
  remark_text(session, item, FACT_RIGHT, str_from_c(right_of(shape)));
  if (shape->k_block < shape->cells) remark_number(session, item, FACT_K_BLOCK, shape->k_block);
  if (gemm->init) remark_text(session, item, FACT_ADDED, STR(""));
  if (gemm->fused) remark_text(session, item, FACT_FUSED, STR(""));
  if (one_thread == REASON_NONE)
    remark_text(session, item, FACT_THREADS, str_from_c(threads_of(shape)));
  remark_number(session, item, FACT_READ, a + b + (gemm->init ? c : 0));
  remark_number(session, item, FACT_WRITTEN, c);
  remark_number(session, item, FACT_FLOPS, 2 * gemm->m * gemm->n * gemm->k);
  remark_text(session, item, FACT_BOUND,
              shape->waits_for_memory ? STR("memory") : STR("arithmetic"));
  remark_reason(session, item, &(Reason){.id = one_thread});
}

void gemm_report_reused(const LlvmGen *g, const IrOp *op) {
  remark_text(g->session, remark_item(g->session, REMARK_PRODUCT, op, STR("")), FACT_REUSED,
              STR(""));
}

void gemm_report_apart(const LlvmGen *g, const IrOp *op, ReasonId why, const IrOp *consumer) {
  remark_later(g->session, op, &(Reason){why, consumer ? consumer->span : op->span, STR("")});
}
