// SPDX-License-Identifier: Apache-2.0
// Exceptions that nobody caught, and warnings, as diagnostics with the frames of the trace.
#include "base/buf.h"
#include "python/values/evaluator_state.h"
#include "module.h"
#include "report.h"
#include "python/values/dict.h"
#include "python/values/exception_frames.h"
#include "python/objects/dir.h"
#include "python/objects/protocol.h"
#include "python/values/raise.h"
#include "python/values/suggest.h"
#include "python/objects/type_lookup.h"
#include "python/values/values.h"

typedef struct Text {
  Value value;
  Str text;
} Text;

#define MAX_CAUSES 8

Span eval_place(const void *data) {
  const Eval *ev = data;
  Span place = ev->span;
  for (const Frame *frame = ev->frame; frame && !source_is_users(ev->session, place);
       frame = frame->caller)
    place = frame->call;
  return place;
}

// The place to show and the frames around it: preludes are passed over unless there is nothing
// else.
static Span visible_place(Eval *ev, Span span, const DiagFrame **frames, size_t *count) {
  if (source_is_users(ev->session, span)) return span;
  for (size_t i = 0; i < *count; i++) {
    if (!source_is_users(ev->session, (*frames)[i].call)) continue;
    Span place = (*frames)[i].call;
    *frames += i + 1;
    *count -= i + 1;
    return place;
  }
  return span;
}

// Frames that the user wrote; calls inside preludes say nothing, but for the name of the function
// that they call in the end.
static size_t keep_users_frames(Eval *ev, const DiagFrame *frames, size_t count, DiagFrame *out) {
  size_t kept = 0;
  Str called = STR("");
  for (size_t i = 0; i < count; i++) {
    if (frame_is_silent(frames[i].kind)) continue;
    if (!source_is_users(ev->session, frames[i].call)) {
      if (!called.len && (i == 0 || source_is_users(ev->session, frames[i - 1].call)))
        called = frames[i].name;
      continue;
    }
    // What a jaxpr calls stands where the program does, and so does the library that traces it.
    bool is_shown = called.len && kept && span_equal(out[kept - 1].call, frames[i].call);
    if (!is_shown)
      out[kept++] = (DiagFrame){called.len ? called : frames[i].name, frames[i].call, IN_FUNCTION};
    called = STR("");
  }
  return kept;
}

static void try_str(Eval *ev, void *data) {
  Text *t = data;
  t->text = value_str(ev, t->value);
}

static void try_attribute_hint(Eval *ev, void *data) {
  ExceptionObject *exception = data;
  if (ev->hooks.foreign_name)
    exception->hint = ev->hooks.foreign_name(ev, exception->object, exception->name);
  if (exception->hint.len) return;
  const Dict *items = value_as_dict(exception->object);
  if (items && dict_get_name(items, exception->name).kind != V_UNBOUND) {
    exception->hint = str_format(ev->arena, "did you mean ['%s']?", exception->name->text);
    return;
  }
  if (is_a(exception->object, ev->types.module)) {
    exception->hint =
        module_elsewhere_hint(ev, (const ModuleObject *)exception->object.o, exception->name);
    if (exception->hint.len) return;
  }
  Suggestion s;
  suggestion_init(&s, name_str(exception->name));
  List *names = value_dir(ev, exception->object);
  for (size_t i = 0; i < names->count; i++) {
    Str text;
    if (value_as_str(names->items[i], &text)) suggestion_try(&s, text);
  }
  if (is_a(exception->object, ev->types.module)) {
    const ModuleObject *module = (const ModuleObject *)exception->object.o;
    module_suggest_children(ev, module, &s);
    exception->hint = module_suggest_elsewhere(ev, module, &s);
  }
  if (!exception->hint.len) exception->hint = suggestion_hint(ev, &s);
}

static void add_notes(Eval *ev, const ExceptionObject *exception, Buf *buf) {
  if (!exception->instance.dict) return;
  Value notes = dict_get_name(exception->instance.dict, ev->names->notes);
  const List *list = value_as_list(notes);
  for (size_t i = 0; list && i < list->count; i++) {
    Str text;
    if (!value_as_str(list->items[i], &text)) continue;
    buf_char(buf, '\n');
    buf_str(buf, text);
  }
}

Str exception_text(Eval *ev, ExceptionObject *exception) {
  Buf buf;
  buf_init(&buf, ev->arena);
  buf_str(&buf, name_str(exception->instance.base.type->qualname));
  Text text = {v_object(exception), {0}};
  Value ignored;
  if (!eval_try(ev, try_str, &text, &ignored)) text.text = STR("<exception str() failed>");
  if (text.text.len) {
    buf_c(&buf, ": ");
    buf_str(&buf, text.text);
  }
  if (exception->hint.len == 0 && exception->name && exception->object.kind != V_UNBOUND &&
      type_is_subtype(exception->instance.base.type, ev->types.AttributeError))
    eval_try(ev, try_attribute_hint, exception, &ignored);
  if (ev->options.max_depth < EVAL_DEFAULT_MAX_DEPTH && !exception->hint.len &&
      exception->instance.base.type == ev->types.RecursionError)
    exception->hint = str_format(ev->arena, "the limit, --max-depth, is %d", ev->options.max_depth);
  if (exception->hint.len) {
    if (str_ends_with(buf_view(&buf), STR("."))) buf.len--;
    buf_c(&buf, "; ");
    buf_str(&buf, exception->hint);
  }
  add_notes(ev, exception, &buf);
  return buf_view(&buf);
}

// A cause that was never raised is shown where what it caused was.
static void report_causes(Eval *ev, Diag *diag, const ExceptionObject *exception, Span place) {
  for (int i = 0; i < MAX_CAUSES; i++) {
    Value next = exception->cause;
    const char *how = "caused by";
    if (next.kind != V_OBJECT) {
      if (exception->suppress_context) return;
      next = exception->context;
      how = "while handling";
    }
    if (next.kind != V_OBJECT) return;
    ExceptionObject *cause = (ExceptionObject *)next.o;
    const DiagFrame *frames = cause->frames;
    size_t count = cause->frame_count;
    if (cause->is_raised) place = visible_place(ev, cause->span, &frames, &count);
    diag_note(ev->session, diag, place, "%s %.*s", how, STR_FMT(exception_text(ev, cause)));
    exception = cause;
  }
}

// Of a group of exceptions its members, each where it was raised, or where the group was: as many,
// and so deep, as Python shows them.
static void report_members(Eval *ev, Diag *diag, const ExceptionObject *group, Span place,
                           Str above, int depth) {
  enum { MAX_MEMBERS = 15, MAX_DEPTH = 10 };
  if (!group->instance.dict) return;
  Value value = dict_get_name(group->instance.dict, ev->names->members);
  if (!is_a(value, ev->types.tuple) || depth == MAX_DEPTH) return;
  const Tuple *members = (const Tuple *)value.o;
  for (size_t i = 0; i < members->count && i < MAX_MEMBERS; i++) {
    ExceptionObject *member = (ExceptionObject *)members->items[i].o;
    const DiagFrame *frames = member->frames;
    size_t count = member->frame_count;
    Span at = member->is_raised ? visible_place(ev, member->span, &frames, &count) : place;
    Str number = str_format(ev->arena, "%.*s%zu", STR_FMT(above), i + 1);
    diag_note(ev->session, diag, at, "member %.*s: %.*s", STR_FMT(number),
              STR_FMT(exception_text(ev, member)));
    report_members(ev, diag, member, at, str_format(ev->arena, "%.*s.", STR_FMT(number)),
                   depth + 1);
  }
  if (members->count > MAX_MEMBERS)
    diag_note(ev->session, diag, place, "and %zu more", members->count - MAX_MEMBERS);
}

bool exception_report_aside(Eval *ev, Value value) {
  ExceptionObject *exception = (ExceptionObject *)value.o;
  if (!exception->aside || exception->is_reported) return false;
  exception->is_reported = true;
  diag_put_back(ev->session, exception->aside);
  return true;
}

void exception_report(Eval *ev, Value value) {
  ExceptionObject *exception = (ExceptionObject *)value.o;
  if (exception->is_reported || exception_report_aside(ev, value)) return;
  exception->is_reported = true;
  const DiagFrame *frames = exception->frames;
  size_t count = exception->frame_count;
  Span place = visible_place(ev, exception->span, &frames, &count);
  Str text = exception_text(ev, exception);
  // A helper that several entry points call makes its mistake once.
  if (diag_is_reported(ev->session, place, text)) return;
  Diag *diag = diag_error(ev->session, place, "%.*s", STR_FMT(text));
  if (exception->instance.base.type == ev->types.NameError) diag_kind(diag, DIAG_NAME_ERROR);
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, count);
  diag_frames(ev->session, diag, shown, keep_users_frames(ev, frames, count, shown));
  report_causes(ev, diag, exception, place);
  report_members(ev, diag, exception, place, STR(""), 0);
}

void eval_frames_of_import(Eval *ev, Diag *diag, Name module) {
  ExceptionObject here = {.span = ev->span};
  here.frames = ARENA_ARRAY(ev->arena, DiagFrame, 1);
  here.frames[here.frame_count++] =
      (DiagFrame){str_format(ev->arena, "import %s", module->text), ev->span, IN_MODULE};
  exception_add_frames(ev, &here, NULL);
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, here.frame_count);
  diag_frames(ev->session, diag, shown,
              keep_users_frames(ev, here.frames, here.frame_count, shown));
}

void eval_warn(Eval *ev, WarningGroup group, const char *fmt, ...) {
  if (!ev->session->warning_on[group]) return;
  ExceptionObject here = {.span = ev->span};
  exception_add_frames(ev, &here, NULL);
  const DiagFrame *frames = here.frames;
  size_t count = here.frame_count;
  Span place = visible_place(ev, here.span, &frames, &count);
  va_list args;
  va_start(args, fmt);
  Str text = str_vformat(ev->arena, fmt, args);
  va_end(args);
  if (diag_is_reported(ev->session, place, text)) return; // in a loop, or an annotation read again
  Diag *diag = diag_warning(ev->session, group, place, "%.*s", STR_FMT(text));
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, count);
  diag_frames(ev->session, diag, shown, keep_users_frames(ev, frames, count, shown));
}
