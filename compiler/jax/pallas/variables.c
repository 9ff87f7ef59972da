// SPDX-License-Identifier: Apache-2.0
// Variables and what they are bound to. Grid indices are variables of the kernel, whether it asks
// for them or not: program_id_0, program_id_1, …
#include "ir/core/ir.h"
#include "variables.h"
#include "ir/core/place.h"
#include "jax/array/ref.h"
#include "jax/trace/tracing.h"
#include "pallas.h"

static bool is_builtin(const Function *f) {
  return f && f->module && f->module->file && f->module->file->is_builtin;
}

static void bind_value(Eval *ev, Name variable, Span span, IrValue *value) {
  ir_place_bind(trace_module(ev), value, variable, span, trace_frames(ev));
}

static void bind_scalar(Eval *ev, Name variable, Span span, Value value) {
  if (!value_is_array(ev, value)) return;
  const Array *array = (const Array *)value.o;
  if (array->ir && !array->ir->type->rank) bind_value(ev, variable, span, array->ir);
}

void variable_assigned(Eval *ev, Name variable, Value value) {
  if (!is_builtin(ev->frame->code)) bind_scalar(ev, variable, ev->span, value);
}

static void bind_grid(Eval *ev, LaunchState *launch, Span span) {
  for (size_t i = 0; i < launch->rank; i++) {
    Str name = str_format(ev->arena, "program_id_%zu", i);
    bind_value(ev, name_intern(ev->session->interner, name), span, launch->indices[i]);
  }
  launch->has_variables = true;
}

void variables_bound(Eval *ev, const Function *f, const Value *slots) {
  refs_take_names(ev, f, slots);
  if (!trace_module(ev)->keeps_places || is_builtin(f)) return;
  LaunchState *launch = ev->trace->level->launch;
  if (launch && !launch->has_variables) bind_grid(ev, launch, f->span);
  for (size_t i = 0; i < f->params->count; i++)
    bind_scalar(ev, f->params->items[i].name, f->span, slots[i]);
}
