// SPDX-License-Identifier: Apache-2.0
// Elements that were never written: said to whoever keeps account of them, if anybody does.
#include "numpy/numpy_state.h"
#include "nd_watch.h"

void nd_look_at(Eval *ev, const NdArray *nd) {
  const NdHooks *hooks = &ev->numpy->hooks;
  if (hooks->looked_at) hooks->looked_at(ev, nd);
}

void nd_look_at_element(Eval *ev, const NdArray *nd, int64_t i) {
  if (!ev->numpy->hooks.looked_at) return;
  NdArray element;
  nd_header(&element, nd);
  element.rank = 0;
  element.data = nd_element(nd, i);
  nd_look_at(ev, &element);
}

bool nd_is_partly_unwritten(const Eval *ev, const NdArray *nd) {
  const NdHooks *hooks = &ev->numpy->hooks;
  return hooks->is_partly_unwritten && hooks->is_partly_unwritten(ev, nd);
}

void nd_moved(Eval *ev, const NdArray *to, const NdArray *from) {
  const NdHooks *hooks = &ev->numpy->hooks;
  if (hooks->moved) hooks->moved(ev, to, from);
}
