// SPDX-License-Identifier: Apache-2.0
// Keywords of JAX's functions that are known and not supported.
#include <string.h>

#include "operands.h"

#include "python/modules/module.h"
#include "python/objects/value_call.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/values.h"

void refuse_keyword(Eval *ev, const char *function, const char *keyword, Value v) {
  if (v_is_none(v) || (v.kind == V_BOOL && !v.i)) return;
  if (strcmp(keyword, "out") == 0)
    eval_raise(ev, ev->types.NotImplementedError, "The 'out' argument to %s%s is not supported.",
               strchr(function, '.') ? "" : "jnp.", function);
  eval_raise(ev, ev->types.NotImplementedError, "%s: '%s' is not yet supported", function, keyword);
}

void refuse_ufunc_keyword(Eval *ev, const char *function, const char *keyword, Value v) {
  if (!v_is_none(v))
    eval_raise(ev, ev->types.NotImplementedError, "%s argument of <jnp.ufunc '%s'>", keyword,
               function);
}

Value array_made_at(Eval *ev, const char *function, Value made, Value device, Value out_sharding) {
  if (v_is_none(device) && v_is_none(out_sharding)) return made;
  Value args[] = {made, device, out_sharding, make_str(ev, str_from_c(function))};
  return value_call_n(ev, module_lookup(ev, "jax._mesh", "made_at"), COUNT_OF(args), args);
}
