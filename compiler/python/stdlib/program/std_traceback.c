// SPDX-License-Identifier: Apache-2.0
// What traceback.pk prints of an exception: the calls that were running when it was raised.
#include "python/builtins/builtin_traceback.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"

// From the outermost call to the place where it was raised.
static Value native_entries(Eval *ev, Value *a) {
  if (!is_exception(a[0]))
    eval_raise(ev, ev->types.TypeError, "Exception expected for value, %s found",
               value_type_name(ev, a[0]));
  size_t count;
  const TraceEntry *entries = exception_entries(ev, (const ExceptionObject *)a[0].o, &count);
  List *list = list_new(ev, count);
  for (size_t i = 0; i < count; i++)
    list_push(ev, list, trace_entry_tuple(ev, entries[i].span, entries[i].function));
  return v_object(list);
}

// Of each of the entries a dict of its local variables, or None if they were not kept.
static Value native_locals(Eval *ev, Value *a) {
  const ExceptionObject *exception = (const ExceptionObject *)a[0].o;
  const List *kept = exception_locals(ev, exception);
  size_t count = exception->frame_count + 1; // the first is in what has caught it
  List *list = list_new(ev, count);
  for (size_t i = count; i-- > 0;) {
    bool is_there = kept && i < kept->count;
    list_push(ev, list, is_there ? kept->items[i] : v_none());
  }
  return v_object(list);
}

static Value native_keep_locals(Eval *ev, Value *a UNUSED) {
  ev->core->keeps_locals = true;
  return v_none();
}

// The calls that are running, from the outermost to the one that asks; None in preludes.
static Value native_stack(Eval *ev, Value *a UNUSED) {
  List *entries = list_new(ev, 8);
  Span place = ev->span;
  for (const Frame *frame = ev->frame; frame; frame = frame->caller) {
    list_push(
        ev, entries,
        trace_entry_tuple(ev, place, (FrameName){name_str(frame_function(frame)), IN_FUNCTION}));
    place = frame->call;
  }
  for (size_t i = 0, j = entries->count; i + 1 < j; i++) {
    Value entry = entries->items[i];
    entries->items[i] = entries->items[--j];
    entries->items[j] = entry;
  }
  return v_object(entries);
}

// From now on an assert that fails asks the function what to say: by the names of its module, and
// its test (core/assertion.c says how). None: nothing but its own message.
static Value native_explain_asserts(Eval *ev, Value *a) {
  ev->core->explain_assert = a[0];
  return v_none();
}

static const NativeDef natives[] = {{"_entries(value)", native_entries},
                                    {"_locals(value)", native_locals},
                                    {"_keep_locals()", native_keep_locals},
                                    {"_stack()", native_stack},
                                    {"_explain_asserts(function)", native_explain_asserts},
                                    {0}};

const ModuleDef module_traceback = {.name = "traceback", .functions = natives};
