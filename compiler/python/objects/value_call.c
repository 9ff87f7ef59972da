// SPDX-License-Identifier: Apache-2.0
// Calling any value. A function written in Python is run by the evaluator, through the slot that it
// registers.
#include <string.h>

#include "python/values/evaluator_state.h"
#include "python/values/suggest.h"
#include "attribute.h"
#include "bind.h"
#include "python/values/raise.h"
#include "signature.h"
#include "value_call.h"

Value call_with_self(Eval *ev, Value f, Value self, const Args *args) {
  if (is_a(f, ev->types.function))
    return ev->core->above.call_function(ev, (Function *)f.o, &self, args);
  if (is_a(f, ev->types.native)) return native_call(ev, (NativeFunction *)f.o, &self, args);
  Value few[MANY_ARGUMENTS + 1];
  Args all = args_with_self(ev, self, args, few);
  return value_call(ev, f, &all);
}

Value value_call(Eval *ev, Value f, const Args *args) {
  Type *type = type_of(ev, f);
  if (type == ev->types.function)
    return ev->core->above.call_function(ev, (Function *)f.o, NULL, args);
  if (type == ev->types.native) return native_call(ev, (NativeFunction *)f.o, NULL, args);
  if (type == ev->types.method) {
    const BoundMethod *method = (const BoundMethod *)f.o;
    return call_with_self(ev, method->function, method->self, args);
  }
  check_stack(ev);
  if (type->slots.call) {
    ev->made = NULL;
    Value result = type->slots.call(ev, f, args);
    ev->fresh = ev->made; // or NULL: it may have kept what it returns
    ev->made = NULL;
    return result;
  }
  Value method;
  bool bound;
  if (f.kind != V_OBJECT || !method_lookup(ev, f, ev->names->call, &method, &bound))
    raise_lacking(ev, f, ev->names->call, "'%s' object is not callable", type_shown(type));
  return bound ? value_call(ev, method, args) : call_with_self(ev, method, f, args);
}

Value value_call_n(Eval *ev, Value f, size_t count, const Value *items) {
  Args args = {.count = count, .items = items};
  return value_call(ev, f, &args);
}

Value value_call_method(Eval *ev, Value self, const char *name, size_t count, const Value *items) {
  Args args = {.count = count, .items = items};
  return value_call(ev, value_getattr_c(ev, self, name), &args);
}

void raise_with(Eval *ev, Type *type, Value argument) {
  eval_raise_value(ev, value_call_n(ev, v_object(type), 1, &argument));
}
