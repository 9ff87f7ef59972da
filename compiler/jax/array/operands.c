// SPDX-License-Identifier: Apache-2.0
// Keywords of JAX's functions that are known and not supported.
#include <string.h>

#include "operands.h"

#include "python/values/raise.h"
#include "python/values/values.h"

void refuse_keyword(Eval *ev, const char *function, const char *keyword, Value v) {
  if (v_is_none(v) || (v.kind == V_BOOL && !v.i)) return;
  if (strcmp(keyword, "out") == 0)
    eval_raise(ev, ev->types.NotImplementedError, "The 'out' argument to %s is not supported.",
               function);
  eval_raise(ev, ev->types.NotImplementedError, "%s: '%s' is not yet supported", function, keyword);
}
