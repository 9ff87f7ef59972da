// SPDX-License-Identifier: Apache-2.0
// Memory of arrays that nothing writes any more (frozen.h).
#include "base/map.h"
#include "ir/core/ir.h"
#include "frozen.h"

bool frozen_has(Eval *ev, const IrValue *ref) {
  if (ref->def) return ev->trace->frozen && map_has(ev->trace->frozen, ref);
  const IrFunc *func = ref->region->func;
  return func && ref->region == func->body && func->params[ref->index].role == PARAM_IN;
}

void frozen_add(Eval *ev, IrValue *ref, IrOp *since) {
  if (!ev->trace->frozen) ev->trace->frozen = map_new(ev->arena);
  map_set(ev->trace->frozen, ref, since ? (void *)since : ref);
}

const IrOp *frozen_by(Eval *ev, const IrValue *ref) {
  const void *since = ref->def && ev->trace->frozen ? map_get(ev->trace->frozen, ref) : NULL;
  return since == ref ? NULL : since;
}

bool frozen_is_latest(Eval *ev, const IrOp *load) {
  const IrOp *since = frozen_by(ev, load->operands[0]), *op = since;
  while (op && op != load) op = op->next;
  return op || !since;
}
