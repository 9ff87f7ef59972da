// SPDX-License-Identifier: Apache-2.0
// What reports say of a product (gemm_report.c).
#pragma once
#include "ir/core/ir.h"
#include "gemm.h"
#include "ir/remarks/remark.h"

// As it is emitted; `one_thread`: why one thread does it, or REASON_NONE.
void gemm_report(const LlvmGen *g, const Gemm *gemm, const GemmShape *shape, ReasonId one_thread);
// As a call of the code of an identical one.
void gemm_report_reused(const LlvmGen *g, const IrOp *op);
// Why what follows a product is not done with it: reported with the product.
void gemm_report_apart(const LlvmGen *g, const IrOp *op, ReasonId why, const IrOp *consumer);
