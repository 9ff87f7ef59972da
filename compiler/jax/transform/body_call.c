// SPDX-License-Identifier: Apache-2.0
// Calls of the functions that loops and branches are given. One that takes another number of
// arguments is the program's mistake: the message says what such a function gets.
#include "python/objects/bind.h"
#include "python/objects/value_call.h"
#include "python/values/raise.h"
#include "python/values/evaluator_state.h"
#include "body_call.h"

typedef struct BodyCall {
  Value f, result;
  size_t count;
  const Value *args;
} BodyCall;

static void run_call(Eval *ev, void *data) {
  BodyCall *call = data;
  call->result = value_call_n(ev, call->f, call->count, call->args);
}

Value body_call(Eval *ev, Value f, size_t count, const Value *args, const char *gets) {
  if (function_takes(ev, f, count, 0)) return value_call_n(ev, f, count, args);
  BodyCall call = {.f = f, .count = count, .args = args};
  Value exception;
  if (eval_try(ev, run_call, &call, &exception)) return call.result;
  if (is_a(exception, ev->types.TypeError))
    ((ExceptionObject *)exception.o)->hint = str_from_c(gets);
  eval_raise_value(ev, exception);
}
