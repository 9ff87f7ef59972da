// SPDX-License-Identifier: Apache-2.0
// Variables and what they are bound to. Grid indices are variables of the kernel, whether it asks
// for them or not: program_id_0, program_id_1, …
#include "ir/core/ir.h"
#include "variables.h"
#include "ir/core/place.h"
#include "jax/array/ref.h"
#include "jax/trace/tracing.h"
#include "pallas.h"
#include "python/modules/report.h"

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

// What the program's function that this one is called for knows by a name.
static Value around(Eval *ev, Name name) {
  const Frame *frame = ev->frame->caller;
  while (frame && is_builtin(frame->code)) frame = frame->caller;
  for (const Env *env = frame ? frame->env : NULL; env; env = env->outer)
    for (uint32_t i = 0; i < env->scope->slot_count; i++)
      if (env->scope->slots[i] == name) return env->slots[i];
  return v_unbound();
}

static Value own(const Function *f, const Value *slots, Name name) {
  for (size_t i = 0; i < f->params->count; i++)
    if (f->params->items[i].name == name) return slots[i];
  return v_unbound();
}

// An assignment that does nothing: `o_ref = x` for `o_ref[...] = x`; or in the body of a pl.when or
// a loop, which a function of the library calls, to a variable of the kernel around it.
static void hint_unread(Eval *ev, const Function *f, const Value *slots) {
  Name name = f->scope->unread;
  Value given = own(f, slots, name), outer = around(ev, name);
  Span span = ev->span;
  ev->span = f->scope->unread_span;
  if (value_is_ref(ev, given) || value_is_ref(ev, outer))
    eval_warn(ev, WARN_HINT,
              "'%s' is a ref: this gives the name another value and stores nothing; "
              "'%s[...] = value' stores",
              name->text, name->text);
  else if (!v_is_unbound(outer) && ev->frame->caller && is_builtin(ev->frame->caller->code))
    eval_warn(ev, WARN_HINT,
              "this '%s' is a variable of the function '%s' alone, and nothing reads it; the one "
              "outside stays as it was: keep what is to change in a ref, or choose it with "
              "jnp.where or lax.cond",
              name->text, f->name->text);
  ev->span = span;
}

void variables_bound(Eval *ev, const Function *f, const Value *slots) {
  refs_take_names(ev, f, slots);
  if (f->scope->unread && ev->trace->level->kind != LEVEL_RUN && !is_builtin(f))
    hint_unread(ev, f, slots);
  if (!trace_module(ev)->keeps_places || is_builtin(f)) return;
  LaunchState *launch = ev->trace->level->launch;
  if (launch && !launch->has_variables) bind_grid(ev, launch, f->span);
  for (size_t i = 0; i < f->params->count; i++)
    bind_scalar(ev, f->params->items[i].name, f->span, slots[i]);
}
