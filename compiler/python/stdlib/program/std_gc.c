// SPDX-License-Identifier: Apache-2.0
// The modules gc and weakref: what reaches the collector of the evaluator's arena. A compilation's
// objects live as long as it does: there nothing is collected.
#include "base/collected.h"
#include "python/modules/module.h"
#include "python/objects/type.h"
#include "python/objects/type_lookup.h"
#include "python/values/new_value.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"
#include "python/values/raise.h"
#include "python/objects/type_lookup.h"

// The number of unreachable objects, which Python gives, is not known: they are not looked at.
static Value gc_collect(Eval *ev, Value *a UNUSED) {
  arena_collect(ev->arena);
  return v_int(0);
}

static Value gc_collections(Eval *ev, Value *a UNUSED) {
  return v_int((int64_t)arena_use(ev->arena).collections);
}

// Bytes of objects, those included that are garbage and were not found yet.
static Value gc_bytes(Eval *ev, Value *a UNUSED) {
  ArenaUse use = arena_use(ev->arena);
  return v_int((int64_t)(use.live + use.since));
}

static const NativeDef gc_functions[] = {
    {"_collect()", gc_collect},
    {"_collections()", gc_collections},
    {"_bytes()", gc_bytes},
    {0},
};

// ---- weak references ----------------------------------------------------------------------------
typedef struct WeakCell {
  Object base;
  ArenaWeak *weak;
} WeakCell;

static Value weak_cell(Eval *ev, Value *a) { // object, the type of the cell
  if (a[0].kind != V_OBJECT)
    eval_raise(ev, ev->types.TypeError, "cannot create weak reference to '%s' object",
               value_type_name(ev, a[0]));
  WeakCell *cell = ARENA_NEW(ev->arena, WeakCell);
  *cell = (WeakCell){{(Type *)a[1].o}, arena_weak(ev->arena, a[0].o)};
  return v_object(cell);
}

static Value weak_target(Eval *ev UNUSED, Value *a) {
  Object *object = ((const WeakCell *)a[0].o)->weak->object;
  return object ? v_object(object) : v_none();
}

// Collects if there may be news and collections have not cost more than the program's own
// allocations: `spent` bytes were gone through for those who asked before. Gives what it cost.
static Value weak_refresh(Eval *ev, Value *a) {
  enum { GRACE = 256 << 20 };
  ArenaUse use = arena_use(ev->arena);
  int64_t spent = a[0].i;
  if (!use.since || (spent > GRACE && (size_t)(spent - GRACE) > 4 * use.since)) return v_int(spent);
  int64_t earned = (int64_t)(4 * use.since);
  arena_collect(ev->arena);
  spent += (int64_t)arena_use(ev->arena).looked - earned;
  return v_int(spent > 0 ? spent : 0);
}

static const NativeDef weakref_functions[] = {
    {"_cell(obj, type)", weak_cell},
    {"_target(cell)", weak_target},
    {"_refresh(spent)", weak_refresh},
    {0},
};

const ModuleDef module_weakref = {.name = "weakref", .functions = weakref_functions};

const ModuleDef module_gc = {.name = "gc", .functions = gc_functions};
