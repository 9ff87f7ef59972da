// SPDX-License-Identifier: Apache-2.0
// The chain of what was being handled when exceptions were raised.
#include "exception_context.h"
#include "evaluator_state.h"

static ExceptionObject *context_of(const ExceptionObject *exception) {
  return exception->context.kind == V_OBJECT ? (ExceptionObject *)exception->context.o : NULL;
}

void exception_set_context(ExceptionObject *raised, Value handled) {
  if (handled.kind != V_OBJECT || handled.o == (Object *)raised) return;
  ExceptionObject *at = (ExceptionObject *)handled.o, *behind = at;
  for (bool is_odd = false; context_of(at); is_odd = !is_odd) {
    if (context_of(at) == raised) {
      at->context = v_unbound();
      break;
    }
    at = context_of(at);
    if (is_odd) behind = context_of(behind);
    if (at == behind) break; // a circle that the program made itself
  }
  raised->context = handled;
}
