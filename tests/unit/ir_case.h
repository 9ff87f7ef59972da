// SPDX-License-Identifier: Apache-2.0
// A module of one function, as text, for tests of what comes behind the reader.
#pragma once
#include <check.h>
#include "base/session.h"
#include "ir/core/ir.h"
#include "ir/text/read.h"

// @f with the parameters and the ops, each of which ends its line.
static IrModule *ir_case_read(Session *session, const char *params, const char *ops) {
  Str text =
      str_format(session->arena, "module tpu v5p devices 1\nfunc @f(%s) {\n%s}\n", params, ops);
  IrModule *module = ir_read(session, source_add(session, STR("case.ir"), text, false));
  diag_flush(session);
  ck_assert_ptr_nonnull(module);
  return module;
}
