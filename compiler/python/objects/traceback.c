// SPDX-License-Identifier: Apache-2.0
// The calls that an exception has left, as Python's traceback objects, and back.
#include "base/source.h"
#include "traceback.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/values/exception_frames.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

TraceEntry *exception_entries(Eval *ev, const ExceptionObject *exception, size_t *count) {
  *count = 0;
  if (!exception->is_raised) return NULL;
  TraceEntry *entries = ARENA_ARRAY(ev->arena, TraceEntry, exception->frame_count + 1);
  FrameName function = exception->catcher;
  for (size_t i = exception->frame_count; i > 0; i--) {
    entries[(*count)++] = (TraceEntry){exception->frames[i - 1].call, function};
    function = (FrameName){exception->frames[i - 1].name, exception->frames[i - 1].kind};
  }
  entries[(*count)++] = (TraceEntry){exception->span, function};
  return entries;
}

Value exception_traceback(Eval *ev, const ExceptionObject *exception) {
  size_t count;
  const TraceEntry *entries = exception_entries(ev, exception, &count);
  while (count && !source_is_users(ev->session, entries[count - 1].span)) count--;
  Value next = v_none();
  for (; count && source_is_users(ev->session, entries[count - 1].span); count--) {
    TracebackObject *traceback = ARENA_NEW(ev->arena, TracebackObject);
    *traceback = (TracebackObject){{ev->builtin->traceback}, entries[count - 1], next};
    next = v_object(traceback);
  }
  return next;
}

void exception_set_traceback(Eval *ev, ExceptionObject *exception, Value value) {
  bool is_none = v_is_none(value);
  if (!is_none && !is_a(value, ev->builtin->traceback))
    eval_raise(ev, ev->types.TypeError, "__traceback__ must be a traceback or None");
  exception->frames = NULL;
  exception->frame_count = 0;
  exception->is_raised = !is_none;
  if (is_none) return;
  const TracebackObject *at = (const TracebackObject *)value.o;
  exception->catcher = at->entry.function;
  size_t count = 0;
  for (const TracebackObject *t = at; !v_is_none(t->next); count++)
    t = (const TracebackObject *)t->next.o;
  exception_reserve_frames(ev, exception, count);
  exception->frame_count = count;
  while (count) {
    const TracebackObject *inner = (const TracebackObject *)at->next.o;
    FrameName name = inner->entry.function;
    exception->frames[--count] = (DiagFrame){name.text, at->entry.span, name.kind};
    at = inner;
  }
  exception->span = at->entry.span;
}
