// SPDX-License-Identifier: Apache-2.0
// The places of values, as lists that values share the ends of; the calls an op was traced through.
#include "place.h"

static bool stands_for(const IrValue *value, const IrPlace *place) {
  for (const IrPlace *p = value->places; p; p = p->next)
    if (p == place || (p->variable == place->variable && p->frames == place->frames &&
                       (p->variable || p->span.begin == place->span.begin)))
      return true;
  return false;
}

static void add(IrModule *module, IrValue *value, const IrPlace *place) {
  if (stands_for(value, place)) return;
  IrPlace *own = ARENA_NEW(module->arena, IrPlace);
  *own = *place;
  own->next = value->places;
  value->places = own;
}

void ir_place_bind(IrModule *module, IrValue *value, Name variable, Span span,
                   const IrFrames *frames) {
  if (module->keeps_places) add(module, value, &(IrPlace){variable, span, frames, NULL});
}

void ir_place_replace(IrModule *module, IrValue *with, const IrValue *old) {
  if (!module->keeps_places || with == old) return;
  bool has_code = with->def && op_info(with->def->code)->op_class != CLASS_CONST;
  for (const IrPlace *place = old->places; place; place = place->next)
    if (place->variable || has_code) add(module, with, place);
  if (has_code && old->def)
    add(module, with, &(IrPlace){NULL, old->def->span, old->def->frames, NULL});
}

void ir_diag_frames(Session *session, Diag *diag, const IrFrames *frames) {
  VEC(DiagFrame) list = {0};
  for (; frames; frames = frames->caller) {
    DiagFrame frame = {frames->function ? name_str(frames->function) : STR(""), frames->call,
                       IN_FUNCTION};
    VEC_PUSH(session->arena, &list, frame);
  }
  if (diag && list.count) diag_frames(session, diag, list.items, list.count);
}
