// SPDX-License-Identifier: Apache-2.0
// The module gc: what reaches the collector of the evaluator's arena. A compilation's objects live
// as long as it does: there nothing is collected.
#include "python/modules/module.h"
#include "python/values/make.h"
#include "python/objects/protocol.h"

// The number of unreachable objects, which Python gives, is not known: they are not looked at.
static Value gc_collect(Eval *ev, Value *a UNUSED) {
  arena_collect(ev->arena);
  return v_int(0);
}

static Value gc_collections(Eval *ev, Value *a UNUSED) {
  return v_int((int64_t)arena_use(ev->arena).collections);
}

static const NativeDef gc_functions[] = {
    {"collect(generation=2)", gc_collect},
    {"_collections()", gc_collections},
    {0},
};

const ModuleDef module_gc = {.name = "gc", .functions = gc_functions};
