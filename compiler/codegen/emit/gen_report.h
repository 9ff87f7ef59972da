// SPDX-License-Identifier: Apache-2.0
// What reports say of operations that are neither loops of a plan nor products (gen_report.c).
#pragma once
#include "ir/core/ir.h"
#include "gen.h"
#include "ir/remarks/remark.h"

// The item of an op that is being emitted; NULL if nobody wants to know.
RemarkItem *gen_report(const LlvmGen *g, const IrOp *op);
// Into how many pieces threads share it; 0: one thread does it.
void gen_report_pieces(const LlvmGen *g, RemarkItem *item, int64_t pieces);
// With a reason; `what` may be empty.
void gen_report_reason(const LlvmGen *g, const IrOp *op, ReasonId why);
// That all of the op's result is copied; no matter for a warning if a first-level cache holds it.
void gen_report_copy(const LlvmGen *g, const IrOp *op, const Reason *why);
