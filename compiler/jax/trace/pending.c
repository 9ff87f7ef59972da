// SPDX-License-Identifier: Apache-2.0
// Values that are not computed yet: the way from those who need one to who can run it.
#include "pending.h"

#include "tracing.h"

void pending_set(Eval *ev, const PendingHooks *hooks) { ev->trace->pending = hooks; }

void pending_settle(Eval *ev) { ev->trace->pending->settle(ev); }

bool pending_has_raced(Eval *ev, bool forget) {
  pending_settle(ev);
  return ev->trace->pending->has_raced(ev, forget);
}

void pending_need(Eval *ev, struct Array *array) { ev->trace->pending->need(ev, array); }

void pending_note(Eval *ev, struct Array *array) { ev->trace->pending->note(ev, array); }

bool pending_is_elsewhere(Eval *ev, const struct Array *array) {
  return ev->trace->pending->is_elsewhere(ev, array);
}

IrValue *pending_known(Eval *ev, NdArray *data, bool computed) {
  return ev->trace->pending->known(ev, data, computed);
}
