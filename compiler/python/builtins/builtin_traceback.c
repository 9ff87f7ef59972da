// SPDX-License-Identifier: Apache-2.0
// What Python's traceback and frame objects tell.
#include "base/source.h"
#include "python/builtins/text/builtin_text.h"
#include "builtin_traceback.h"
#include "builtin_wrap.h"
#include "python/values/builtin_state.h"
#include "python/values/dict.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"
#include "python/values/frame.h"
#include "python/values/exception_frames.h"
#include "python/core/function.h"

// Of a running call when it was asked for, or of one that an exception has left: that has neither a
// module nor variables.
typedef struct FrameObject {
  Object base;
  TraceEntry entry;
  Value back; // of the caller; None
  ModuleObject *module;
  Dict *class_dict;
  Env *env;
  const Function *code;
  const Frame *call; // while it runs; compared only
} FrameObject;

// Without the names of classes and functions around it.
static Str last_name(FrameName function) {
  Str text = function.text;
  if (!text.len || function.kind == IN_MODULE) return STR("<module>");
  for (size_t i = text.len; i-- > 0;)
    if (text.data[i] == '.') return (Str){text.data + i + 1, text.len - i - 1};
  return text;
}

// NULL: a line of ours.
static const SourceFile *file_of(const Eval *ev, Span span) {
  const SourceFile *file = source_get(ev->session, span.file);
  return file && !file->is_builtin ? file : NULL;
}

static Str trimmed(Str text) {
  while (text.len && (text.data[0] == ' ' || text.data[0] == '\t')) text.data++, text.len--;
  while (text.len && (unsigned char)text.data[text.len - 1] <= ' ') text.len--;
  return text;
}

static uint32_t line_of(const Eval *ev, const TraceEntry *entry) {
  const SourceFile *file = file_of(ev, entry->span);
  return file ? source_line_col(file, entry->span.begin).line : 0;
}

Value trace_entry_tuple(Eval *ev, Span span, FrameName function) {
  const SourceFile *file = file_of(ev, span);
  if (!file) return v_none();
  uint32_t line = source_line_col(file, span.begin).line;
  Value items[] = {make_str(ev, file->absolute), v_int(line), make_str(ev, last_name(function)),
                   make_str(ev, trimmed(source_line(file, line)))};
  return make_tuple(ev, COUNT_OF(items), items);
}

// ---- traceback objects --------------------------------------------------------------------------
static const TraceEntry *entry_of(Value self) { return &((const TracebackObject *)self.o)->entry; }

static Value tb_lineno(Eval *ev, Value self) { return v_int(line_of(ev, entry_of(self))); }

static Value tb_next(Eval *ev UNUSED, Value self) {
  return ((const TracebackObject *)self.o)->next;
}

static Value tb_frame(Eval *ev, Value self) {
  FrameObject *frame = ARENA_NEW(ev->arena, FrameObject);
  *frame = (FrameObject){{ev->builtin->frame}, *entry_of(self), .back = v_none()};
  return v_object(frame);
}

static Value tb_entry(Eval *ev, Value self) {
  return trace_entry_tuple(ev, entry_of(self)->span, entry_of(self)->function);
}

// Characters in front of byte `at` of its line.
static int64_t column_of(const SourceFile *file, uint32_t at) {
  LineCol place = source_line_col(file, at);
  return (int64_t)text_length((Str){file->text.data + at - (place.column - 1), place.column - 1});
}

// (the line as it is written, last line, first column, column behind the last): where it was.
static Value place_of(Eval *ev, Span span) {
  const SourceFile *file = file_of(ev, span);
  LineCol first = source_line_col(file, span.begin), last = source_line_col(file, span.end);
  Value items[] = {make_str(ev, source_line(file, first.line)), v_int(last.line),
                   v_int(column_of(file, span.begin)), v_int(column_of(file, span.end))};
  return make_tuple(ev, COUNT_OF(items), items);
}

static Value tb_place(Eval *ev, Value self) { return place_of(ev, entry_of(self)->span); }

// ---- frame objects ------------------------------------------------------------------------------
// A call that still runs has gone on since.
static void find_place(const Eval *ev, FrameObject *frame) {
  Span place = ev->span;
  for (const Frame *f = ev->frame; f && frame->call; place = f->call, f = f->caller)
    if (f == frame->call && f->env == frame->env && f->code == frame->code && file_of(ev, place)) {
      frame->entry.span = place;
      return;
    }
}

static Value f_lineno(Eval *ev, Value self) {
  find_place(ev, (FrameObject *)self.o);
  return v_int(line_of(ev, &((const FrameObject *)self.o)->entry));
}

static const FrameObject *frame_of(Value self) { return (const FrameObject *)self.o; }

static Value f_back(Eval *ev UNUSED, Value self) { return frame_of(self)->back; }

static NORETURN void raise_left(Eval *ev, const char *name) {
  eval_raise(ev, ev->types.NotImplementedError,
             "'%s' of a call that an exception has left is not supported", name);
}

static Value f_globals(Eval *ev, Value self) {
  const ModuleObject *module = frame_of(self)->module;
  if (!module) raise_left(ev, "f_globals");
  return v_object(module->dict);
}

static Value f_locals(Eval *ev, Value self) {
  const FrameObject *frame = frame_of(self);
  if (!frame->module) raise_left(ev, "f_locals");
  if (frame->class_dict) return v_object(frame->class_dict);
  return v_object(frame->env ? env_names(ev, frame->env) : frame->module->dict);
}

static Value f_place(Eval *ev, Value self) {
  find_place(ev, (FrameObject *)self.o);
  return place_of(ev, frame_of(self)->entry.span);
}

static Value f_builtins(Eval *ev, Value self UNUSED) { return v_object(ev->builtins->dict); }

static Value f_code(Eval *ev, Value self) {
  const FrameObject *frame = frame_of(self);
  if (frame->code && frame->code->def) return function_code(ev, frame->code);
  const TraceEntry *entry = &frame->entry;
  const SourceFile *file = file_of(ev, entry->span);
  Instance *code = instance_new(ev, ev->core->code);
  dict_set_name(ev, code->dict, name_of(ev, "co_name"), make_str(ev, last_name(entry->function)));
  dict_set_name(ev, code->dict, name_of(ev, "co_filename"),
                make_str(ev, file ? file->absolute : (Str){0}));
  return v_object(code);
}

Value running_frames(Eval *ev) {
  Value innermost = v_none();
  FrameObject *inner = NULL;
  Span place = ev->span;
  for (const Frame *f = ev->frame; f; place = f->call, f = f->caller) {
    if (!file_of(ev, place)) continue;
    FrameObject *frame = ARENA_NEW(ev->arena, FrameObject);
    *frame = (FrameObject){.base = {ev->builtin->frame},
                           .entry = {place, {name_str(frame_function(f)), IN_FUNCTION}},
                           .back = v_none(),
                           .module = f->module ? f->module : ev->builtins,
                           .class_dict = f->class_dict,
                           .env = f->env,
                           .code = f->code,
                           .call = f};
    if (f->env) env_keep(f->env);
    if (inner)
      inner->back = v_object(frame);
    else
      innermost = v_object(frame);
    inner = frame;
  }
  return innermost;
}

void builtin_traceback_init(Eval *ev) {
  static const NativeGetter traceback_getters[] = {{"tb_lineno", tb_lineno}, {"tb_next", tb_next},
                                                   {"tb_frame", tb_frame},   {"_entry", tb_entry},
                                                   {"_place", tb_place},     {0}};
  static const NativeGetter frame_getters[] = {{"f_lineno", f_lineno}, {"f_code", f_code},
                                               {"f_back", f_back},     {"f_globals", f_globals},
                                               {"f_locals", f_locals}, {"f_builtins", f_builtins},
                                               {"_place", f_place},    {0}};
  static const NativeType traceback = {.getters = traceback_getters};
  static const NativeType frame = {.getters = frame_getters};
  ev->builtin->traceback = native_type_new(ev, "builtins", "traceback", NULL, &traceback);
  ev->builtin->frame = native_type_new(ev, "builtins", "frame", NULL, &frame);
  ev->core->above.traceback = exception_traceback;
}
