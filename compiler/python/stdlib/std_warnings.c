// SPDX-License-Identifier: Apache-2.0
// What the module warnings needs of the evaluator: a warning at the place of the call.
#include "python/values/builtin_state.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/modules/report.h"
#include "python/objects/convert.h"

// At the call of warnings.warn. Deprecations have a group of their own, which is off by default as
// Python's are.
static Value f_emit(Eval *ev, Value *a) {
  Str text = take_str(ev, a[0], "message"), category = take_str(ev, a[1], "category");
  bool is_deprecation = str_equal(category, STR("DeprecationWarning")) ||
                        str_equal(category, STR("PendingDeprecationWarning"));
  eval_warn(ev, is_deprecation ? WARN_DEPRECATED : WARN_PROGRAM, "%.*s: %.*s", STR_FMT(category),
            STR_FMT(text));
  return v_none();
}

static const NativeDef warnings_functions[] = {{"_emit(message, category, /)", f_emit}, {0}};

const ModuleDef module_warnings = {.name = "warnings", .functions = warnings_functions};
