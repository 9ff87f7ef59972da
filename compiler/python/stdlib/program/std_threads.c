// SPDX-License-Identifier: Apache-2.0
// The module _threads: how a thread of threading.pk, which is a generator, lets others run wherever
// it is.
#include "python/core/generator.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/values/raise.h"
#include "python/values/values.h"

static Value leave(Eval *ev, Value *a) {
  if (!is_a(a[0], ev->types.generator))
    eval_raise(ev, ev->types.TypeError, "a thread is a generator");
  return v_bool(generator_leave_call(ev, a[0]));
}

// Of a thread that left.
static Value abandon(Eval *ev UNUSED, Value *a) {
  generator_abandon(a[0]);
  return v_none();
}

static const NativeDef natives[] = {
    {"leave(generator, /)", leave}, {"abandon(generator, /)", abandon}, {0}};

const ModuleDef module_threads = {.name = "_threads", .functions = natives};
