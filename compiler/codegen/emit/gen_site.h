// SPDX-License-Identifier: Apache-2.0
// Places in the source as constants that the runtime prints.
#pragma once
#include "ir/core/ir.h"
#include "gen.h"

Value gen_site(LlvmGen *g, const IrOp *op); // address of its prt_site
