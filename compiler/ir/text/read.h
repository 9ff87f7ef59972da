// SPDX-License-Identifier: Apache-2.0
// The IR's text becomes a module.
#pragma once
#include "ir/core/ir.h"

// NULL after diagnostics. Spans in comments are not read back.
IrModule *ir_read(Session *session, SourceFile *file);
