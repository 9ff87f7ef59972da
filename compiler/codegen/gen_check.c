// SPDX-License-Identifier: Apache-2.0
// What a compiled body says of its outputs when checks are on.
#include "emit.h"
void gen_check_adopt(LlvmGen *g, const IrFunc *func) { (void)g; (void)func; }
