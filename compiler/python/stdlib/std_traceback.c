// SPDX-License-Identifier: Apache-2.0
// What traceback.pk prints of an exception: the calls that were running when it was raised.
#include "base/source.h"
#include "python/modules/module.h"
#include "python/values/evaluator_state.h"
#include "python/values/make.h"
#include "python/values/raise.h"
#include "python/objects/protocol.h"
#include "python/objects/type_lookup.h"

static Str trimmed(Str text) {
  while (text.len && (text.data[0] == ' ' || text.data[0] == '\t')) text.data++, text.len--;
  while (text.len && (unsigned char)text.data[text.len - 1] <= ' ') text.len--;
  return text;
}

// (file, line, function, text of the line); None in preludes.
static Value entry_of(Eval *ev, Span span, Str function) {
  const SourceFile *file = source_get(ev->session, span.file);
  if (!file || file->is_builtin) return v_none();
  uint32_t line = source_line_col(file, span.begin).line;
  for (size_t i = function.len; i-- > 0;) // without the names of classes and functions around it
    if (function.data[i] == '.') {
      function = (Str){function.data + i + 1, function.len - i - 1};
      break;
    }
  Value items[] = {make_str(ev, file->path), v_int(line), make_str(ev, function),
                   make_str(ev, trimmed(source_line(file, line)))};
  return make_tuple(ev, COUNT_OF(items), items);
}

// From the outermost call to the place where it was raised.
static Value native_entries(Eval *ev, Value *a) {
  if (!is_exception(a[0]))
    eval_raise(ev, ev->types.TypeError, "Exception expected for value, %s found",
               value_type_name(ev, a[0]));
  const ExceptionObject *exception = (const ExceptionObject *)a[0].o;
  List *entries = list_new(ev, exception->frame_count + 1);
  if (!exception->is_raised) return v_object(entries);
  Str function = exception->catcher.len ? exception->catcher : STR("<module>");
  for (size_t i = exception->frame_count; i > 0; i--) {
    list_push(ev, entries, entry_of(ev, exception->frames[i - 1].call, function));
    function = exception->frames[i - 1].name;
  }
  list_push(ev, entries, entry_of(ev, exception->span, function));
  return v_object(entries);
}

// The calls that are running, from the outermost to the one that asks; None in preludes.
static Value native_stack(Eval *ev, Value *a UNUSED) {
  List *entries = list_new(ev, 8);
  Span place = ev->span;
  for (const Frame *frame = ev->frame; frame; frame = frame->caller) {
    list_push(ev, entries, entry_of(ev, place, name_str(frame->function)));
    place = frame->call;
  }
  for (size_t i = 0, j = entries->count; i + 1 < j; i++) {
    Value entry = entries->items[i];
    entries->items[i] = entries->items[--j];
    entries->items[j] = entry;
  }
  return v_object(entries);
}

// From now on an assert without a message tells its operands.
static Value native_explain_asserts(Eval *ev, Value *a) {
  ev->core->explains_asserts = value_truth(ev, a[0]);
  return v_none();
}

static const NativeDef natives[] = {{"_entries(value)", native_entries},
                                    {"_stack()", native_stack},
                                    {"_explain_asserts(whether)", native_explain_asserts},
                                    {0}};

const ModuleDef module_traceback = {.name = "traceback", .functions = natives};
