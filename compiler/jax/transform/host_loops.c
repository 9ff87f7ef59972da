// SPDX-License-Identifier: Apache-2.0
// Loops and branches of the program's own statements. JAX compiles them, and so do we; one whose
// functions turn out to call the host (jax/_callbacks.pk) runs as it is, step by step.
#include "control.h"

#include "jax/ops/natives.h"
#include "jax/trace/tracing.h"
#include "python/modules/module.h"
#include "python/objects/attribute.h"
#include "python/objects/type_lookup.h"
#include "python/objects/value_call.h"
#include "python/values/raise.h"
#include "python/values/values.h"

typedef struct HostLoop {
  Value (*native)(Eval *, Value *);
  Value *arguments;
  Value result;
} HostLoop;

static void run_loop(Eval *ev, void *data) {
  HostLoop *loop = data;
  loop->result = loop->native(ev, loop->arguments);
}

static Value run(Eval *ev, Value (*native)(Eval *, Value *), Value *a) {
  if (ev->trace->level->kind != LEVEL_RUN) return native(ev, a);
  HostLoop loop = {native, a, v_none()};
  Value exception;
  if (eval_try(ev, run_loop, &loop, &exception)) return loop.result;
  if (!value_is_instance(ev, exception, ev->types.NotImplementedError))
    eval_raise_value(ev, exception);
  Value scope = value_call_n(ev, module_lookup(ev, "jax._callbacks", "on_host"), 1, &exception);
  if (v_is_none(scope)) eval_raise_value(ev, exception);
  bool is_done = eval_try(ev, run_loop, &loop, &exception);
  loop.result = value_call_method(ev, scope, "leave", 1, &loop.result);
  if (!is_done) eval_raise_value(ev, exception);
  return loop.result;
}

Value host_fori_loop(Eval *ev, Value *a) { return run(ev, lax_fori_loop, a); }
Value host_while_loop(Eval *ev, Value *a) { return run(ev, lax_while_loop, a); }
Value host_scan(Eval *ev, Value *a) { return run(ev, lax_scan, a); }
Value host_cond(Eval *ev, Value *a) { return run(ev, lax_cond, a); }
Value host_switch(Eval *ev, Value *a) { return run(ev, lax_switch, a); }
