// SPDX-License-Identifier: Apache-2.0
// What reports say of operations that are neither loops of a plan nor products.
#include "ir/core/ir.h"
#include "gen_report.h"

static int64_t bytes_of(IrValue *const *values, size_t count) {
  int64_t bytes = 0;
  for (size_t i = 0; i < count; i++)
    if (!values[i]->type->is_ref) bytes += ir_type_bytes(values[i]->type);
  return bytes;
}

RemarkItem *gen_report(const LlvmGen *g, const IrOp *op) {
  if (!remark_is_on(g->session)) return NULL;
  RemarkItem *item =
      remark_item(g->session, REMARK_OPERATION, op, str_from_c(op_info(op->code)->name));
  const IrType *type = op->result_count ? op->results[0]->type : op->operands[0]->type;
  remark_numbers(g->session, item, FACT_SIZES, type->rank, type->dims);
  remark_number(g->session, item, FACT_READ, bytes_of(op->operands, op->operand_count));
  remark_number(g->session, item, FACT_WRITTEN, bytes_of(op->results, op->result_count));
  return item;
}

void gen_report_pieces(const LlvmGen *g, RemarkItem *item, int64_t pieces) {
  if (pieces) remark_number(g->session, item, FACT_PIECES, pieces);
}

void gen_report_copy(const LlvmGen *g, const IrOp *op, const Reason *why) {
  RemarkItem *item = gen_report(g, op);
  int64_t bytes = bytes_of(op->results, op->result_count);
  if (bytes < g->target->l1_bytes)
    remark_reason_of_little(g->session, item, why);
  else
    remark_reason(g->session, item, why);
}

void gen_report_reason(const LlvmGen *g, const IrOp *op, ReasonId why) {
  remark_reason(g->session, gen_report(g, op), &(Reason){why, op->span, STR("")});
}
