// SPDX-License-Identifier: Apache-2.0
// Taking integers from whatever has __index__.
#include "python/values/builtin_state.h"
#include "builtin_index.h"
#include "builtin_wrap.h"
#include "python/numbers/bigint.h"
#include "python/numbers/integer.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"
#include "python/objects/protocol.h"

Value take_index_opt(Eval *ev, Value v) {
  if (int_operand(&v)) return v.kind == V_BOOL ? v_int(v.i) : v;
  Type *type = value_type(ev, v);
  if (type->slots.index) return v_int(type->slots.index(ev, v));
  Value result = special_call(ev, v, ev->builtin->names.dunder_index, 0, NULL);
  if (v_is_unbound(result)) return result;
  if (!int_operand(&result))
    eval_raise(ev, ev->types.TypeError, "__index__ returned non-int (type %s)",
               value_type_name(ev, result));
  return result;
}

Value take_index(Eval *ev, Value v) {
  Value result = take_index_opt(ev, v);
  if (v_is_unbound(result)) {
    eval_raise(ev, ev->types.TypeError, "'%s' object cannot be interpreted as an integer",
               value_type_name(ev, v));
  }
  return result;
}

int64_t take_other_index64(Eval *ev, Value v) {
  Value index = take_index(ev, v);
  if (index.kind == V_OBJECT)
    eval_raise(ev, ev->types.OverflowError, "Python int too large to convert to C ssize_t");
  return index.i;
}

int64_t take_other_index_clamped(Eval *ev, Value v) {
  Value index = take_index(ev, v);
  if (index.kind == V_OBJECT) return big_sign(index) < 0 ? INT64_MIN : INT64_MAX;
  return index.i;
}
