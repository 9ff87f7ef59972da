// SPDX-License-Identifier: Apache-2.0
// Memory of arrays that nothing writes any more (frozen.h).
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

Map *frozen_before(Eval *ev) { return ev->trace->frozen; }

static void add_others(Map *to, const Map *from, const Map *but) {
  const void *ref;
  void *since;
  for (size_t it = 0; map_next(from, &it, &ref, &since);)
    if (!but || map_get(but, ref) != since) map_set(to, ref, since);
}

void frozen_enter(Eval *ev, const Map *before) {
  if (!before) return;
  ev->trace->frozen = map_new(ev->arena);
  add_others(ev->trace->frozen, before, NULL);
}

void frozen_join(Eval *ev, const Map *before, Map *const *ends, size_t count) {
  if (!before) return;
  frozen_enter(ev, before);
  for (size_t i = 0; i < count; i++) add_others(ev->trace->frozen, ends[i], before);
}
