// SPDX-License-Identifier: Apache-2.0
// C headers, and the names in them (c_names.c).
#pragma once
#include "base/session.h"
#include "ir/core/ir.h"

Str header_text(Session *session, const IrModule *module, Str source, Str header_path);
// Makes the names of parameters names of C: `register` becomes `register_`. False after a
// diagnostic: an entry point cannot have its name.
bool c_names_fix(Session *session, IrModule *module);
