// SPDX-License-Identifier: Apache-2.0
// Raising and catching: Python's exceptions as longjmps between eval_try and eval_raise_value. An
// exception gathers its frames piece by piece: each raise adds those between it and the handler
// that it goes to, as a traceback does.
#include <string.h>

#include "core.h"

// ---- making ------------------------------------------------------------------------------------
static ExceptionObject *exception_vnew(Eval *ev, Type *type, const char *fmt, va_list args) {
  return exception_new(ev, type, str_vformat(ev->arena, fmt, args));
}

void eval_raise(Eval *ev, Type *type, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_vnew(ev, type, fmt, args);
  va_end(args);
  eval_raise_value(ev, v_object(exception));
}

void eval_raise_at(Eval *ev, Span span, Type *type, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_vnew(ev, type, fmt, args);
  va_end(args);
  ev->span = span;
  eval_raise_value(ev, v_object(exception));
}

void raise_attribute(Eval *ev, Value object, Name name, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_vnew(ev, ev->types.AttributeError, fmt, args);
  va_end(args);
  exception->object = object;
  exception->name = name;
  eval_raise_value(ev, v_object(exception));
}

// In a method, an attribute of that name was probably meant.
static Str self_hint(Eval *ev, const Frame *frame, Name name) {
  const Function *code = frame->code;
  if (!code || !code->owner || !code->params->positional || !frame->env) return (Str){0};
  const Env *env = frame->env;
  while (env && env->scope != code->scope) env = env->outer;
  if (!env || env->slots[0].kind == V_UNBOUND) return (Str){0};
  const Dict *own = instance_dict(env->slots[0]); // nothing of the program's is run here
  if (type_lookup(ev, type_of(ev, env->slots[0]), name).kind == V_UNBOUND &&
      (!own || dict_get_name(own, name).kind == V_UNBOUND))
    return (Str){0};
  return str_format(ev->arena, "did you mean '%s.%s'?", env->scope->slots[0]->text, name->text);
}

// The names that a running function sees, nearest first.
static Str name_hint(Eval *ev, Name name) {
  Suggestion s;
  suggestion_init(&s, name_str(name));
  const Frame *frame = ev->frame;
  if (!frame) return (Str){0};
  Str of_self = self_hint(ev, frame, name);
  if (of_self.len) return of_self;
  for (const Env *env = frame->env; env; env = env->outer)
    for (uint32_t i = 0; i < env->scope->slot_count; i++)
      if (env->slots[i].kind != V_UNBOUND) suggestion_try(&s, name_str(env->scope->slots[i]));
  if (frame->class_dict) suggestion_try_dict(&s, frame->class_dict);
  if (frame->module) suggestion_try_dict(&s, frame->module->dict);
  if (frame->module && frame->module->has_customary) module_suggest_customary(ev, &s);
  suggestion_try_dict(&s, ev->builtins->dict);
  return suggestion_hint(ev, &s);
}

void raise_name(Eval *ev, Type *type, Name name, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_vnew(ev, type, fmt, args);
  va_end(args);
  exception->name = name;
  if (type == ev->types.NameError) exception->hint = name_hint(ev, name);
  eval_raise_value(ev, v_object(exception));
}

void raise_import(Eval *ev, Type *type, Name name, Value module, Str hint, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  ExceptionObject *exception = exception_vnew(ev, type, fmt, args);
  va_end(args);
  exception->name = name;
  exception->object = module;
  exception->hint = hint;
  eval_raise_value(ev, v_object(exception));
}

// ---- raising and catching ----------------------------------------------------------------------
// What notes call a frame: the function's name, the class before it if it is a method.
static Str frame_name(Eval *ev, const Frame *frame) {
  const Function *code = frame->code;
  if (code && code->owner && code->def)
    return str_format(ev->arena, "%s.%s", code->owner->name->text, frame->function->text);
  if (frame->function == ev->names->module_frame && frame->module)
    return str_format(ev->arena, "import %s", frame->module->name->text);
  return name_str(frame->function);
}

// The main module, class bodies and generator expressions are not called from anywhere that says
// something.
static bool is_call(const Eval *ev, const Frame *frame) {
  return frame->caller && !frame->body && frame->function != ev->names->genexpr;
}

// Frames from the current one down to `end`, which is not among them.
static void add_frames(Eval *ev, ExceptionObject *exception, const Frame *end) {
  size_t more = 0;
  for (const Frame *f = ev->frame; f && f != end; f = f->caller)
    if (is_call(ev, f)) more++;
  if (more == 0) return;
  DiagFrame *frames = ARENA_ARRAY(ev->arena, DiagFrame, exception->frame_count + more);
  if (exception->frame_count)
    memcpy(frames, exception->frames, exception->frame_count * sizeof *frames);
  for (const Frame *f = ev->frame; f && f != end; f = f->caller)
    if (is_call(ev, f)) frames[exception->frame_count++] = (DiagFrame){frame_name(ev, f), f->call};
  exception->frames = frames;
}

void eval_raise_value(Eval *ev, Value value) {
  if (!is_exception(value))
    eval_raise(ev, ev->types.TypeError, "exceptions must derive from BaseException");
  ExceptionObject *exception = (ExceptionObject *)value.o;
  Handler *handler = ev->handler;
  if (!handler) BUG("an exception where nobody can catch it");
  if (!exception->is_raised) {
    exception->is_raised = true;
    exception->span = ev->span;
  }
  if (exception->context.kind == V_UNBOUND && ev->exception.kind == V_OBJECT &&
      ev->exception.o != value.o && ((ExceptionObject *)ev->exception.o)->context.o != value.o)
    exception->context = ev->exception;
  add_frames(ev, exception, handler->frame);
  ev->exception = value;
  longjmp(handler->place, 1);
}

bool eval_try(Eval *ev, void (*body)(Eval *, void *), void *data, Value *exception) {
  Handler handler;
  handler.outer = ev->handler;
  handler.frame = ev->frame;
  handler.env = ev->frame ? ev->frame->env : NULL;
  handler.span = ev->span;
  handler.handled = ev->exception;
  ev->handler = &handler;
  if (setjmp(handler.place) == 0) {
    body(ev, data);
    ev->handler = handler.outer;
    return true;
  }
  // Only what is reached through ev is looked at: locals changed since setjmp would be
  // indeterminate.
  Handler *caught = ev->handler;
  *exception = ev->exception;
  ev->handler = caught->outer;
  ev->frame = caught->frame;
  if (ev->frame) ev->frame->env = caught->env;
  ev->span = caught->span;
  ev->exception = caught->handled;
  return false;
}

bool exception_matches(Eval *ev, Value exception, Value classes) {
  const Tuple *tuple = value_as_tuple(classes);
  if (tuple) {
    bool matches = false;
    for (size_t i = 0; i < tuple->count; i++)
      matches |= exception_matches(ev, exception, tuple->items[i]);
    return matches;
  }
  // Which refuses.
  if (is_a(classes, ev->core->unsupported)) return value_isinstance(ev, exception, classes);
  if (!is_type(ev, classes) || !((Type *)classes.o)->is_exception)
    eval_raise(ev, ev->types.TypeError,
               "catching classes that do not inherit from BaseException is not allowed");
  return type_is_subtype(type_of(ev, exception), (Type *)classes.o);
}

// ---- limits ------------------------------------------------------------------------------------
// The count stays above the limit: a program that catches this is stopped at its next step.
void eval_step(Eval *ev) {
  ev->steps++;
  if (ev->steps <= ev->options.max_steps) return;
  eval_raise(ev, ev->types.RuntimeError,
             "the limit of %llu steps at trace time is reached (--max-trace-steps)",
             (unsigned long long)ev->options.max_steps);
}

void eval_check_stack(Eval *ev) {
  if ((const char *)__builtin_frame_address(0) >= ev->core->stack_limit) return;
  eval_raise(ev, ev->types.RecursionError, "maximum recursion depth exceeded");
}

// ---- names that were probably meant -------------------------------------------------------------
void suggestion_init(Suggestion *s, Str wanted) {
  *s = (Suggestion){.wanted = wanted, .distance = SIZE_MAX};
}

static bool equal_but_case(Str a, Str b) {
  if (a.len != b.len) return false;
  for (size_t i = 0; i < a.len; i++)
    if ((a.data[i] | 0x20) != (b.data[i] | 0x20)) return false;
  return true;
}

void suggestion_try(Suggestion *s, Str candidate) {
  if (candidate.len == 0 || str_equal(candidate, s->wanted)) return;
  // Private names are suggested only for private names.
  if (candidate.data[0] == '_' && (s->wanted.len == 0 || s->wanted.data[0] != '_')) return;
  // A third of the letters may be wrong, as in CPython.
  size_t most = (s->wanted.len + candidate.len + 3) / 6;
  if (most >= s->distance) most = s->distance - 1; // the first of equals stays
  size_t distance =
      equal_but_case(candidate, s->wanted) ? 1 : str_distance(s->wanted, candidate, most);
  if (distance > most || distance >= s->wanted.len) return;
  s->best = candidate;
  s->distance = distance;
}

void suggestion_try_dict(Suggestion *s, const Dict *dict) {
  DictEntry *entry;
  for (size_t it = 0; dict_next(dict, &it, &entry);) {
    Str text;
    if (value_as_str(entry->key, &text)) suggestion_try(s, text);
  }
}

Str suggestion_hint(Eval *ev, const Suggestion *s) {
  if (s->best.len == 0) return (Str){0};
  return str_format(ev->arena, "did you mean '%.*s'?", STR_FMT(s->best));
}

// ---- telling the user ---------------------------------------------------------------------------
static bool is_users(Eval *ev, Span span) {
  const SourceFile *file = source_get(ev->session, span.file);
  return file && !file->is_builtin;
}

// The place to show and the frames around it: preludes are passed over unless there is nothing
// else.
static Span visible_place(Eval *ev, Span span, const DiagFrame **frames, size_t *count) {
  if (is_users(ev, span)) return span;
  for (size_t i = 0; i < *count; i++) {
    if (!is_users(ev, (*frames)[i].call)) continue;
    Span place = (*frames)[i].call;
    *frames += i + 1;
    *count -= i + 1;
    return place;
  }
  return span;
}

// Frames that the user wrote; calls inside preludes say nothing.
static size_t keep_users_frames(Eval *ev, const DiagFrame *frames, size_t count, DiagFrame *out) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (is_users(ev, frames[i].call)) out[kept++] = frames[i];
  return kept;
}

typedef struct Text {
  Value value;
  Str text;
} Text;

static void try_str(Eval *ev, void *data) {
  Text *t = data;
  t->text = value_str(ev, t->value);
}

typedef struct Elsewhere {
  const char *module;
  Name name;
  bool found;
} Elsewhere;

static void look_elsewhere(Eval *ev, void *data) {
  Elsewhere *e = data;
  ModuleObject *module = module_import(ev, str_from_c(e->module));
  e->found = module_getattr(ev, module, e->name).kind != V_UNBOUND;
}

// Which module has the name: what belongs to jax.nn is often looked for in jax.numpy.
static Str hint_of_module(Eval *ev, const ModuleObject *asked, Name name) {
  static const char *const modules[] = {"jax.experimental.pallas",
                                        "jax.experimental.pallas.tpu",
                                        "jax.numpy",
                                        "jax.lax",
                                        "jax.nn",
                                        "jax",
                                        "jax.random",
                                        "jax.tree_util",
                                        "jax.scipy.special",
                                        "numpy"};
  Str from = name_str(asked->name);
  bool is_of_jax = str_starts_with(from, STR("jax")) || str_equal(from, STR("numpy"));
  bool is_pallas = str_starts_with(from, STR("jax.experimental.pallas"));
  if (!asked->def || !is_of_jax || is_dunder(name)) return (Str){0};
  for (size_t i = is_pallas ? 0 : 2; i < COUNT_OF(modules); i++) {
    Elsewhere e = {modules[i], name, false};
    Value ignored;
    if (str_equal(str_from_c(modules[i]), from)) continue;
    if (eval_try(ev, look_elsewhere, &e, &ignored) && e.found)
      return str_format(ev->arena, "did you mean '%s.%s'?", modules[i], name->text);
  }
  return (Str){0};
}

static void try_attribute_hint(Eval *ev, void *data) {
  ExceptionObject *exception = data;
  if (is_a(exception->object, ev->types.module)) {
    exception->hint =
        hint_of_module(ev, (const ModuleObject *)exception->object.o, exception->name);
    if (exception->hint.len) return;
  }
  Suggestion s;
  suggestion_init(&s, name_str(exception->name));
  List *names = value_dir(ev, exception->object);
  for (size_t i = 0; i < names->count; i++) {
    Str text;
    if (value_as_str(names->items[i], &text)) suggestion_try(&s, text);
  }
  exception->hint = suggestion_hint(ev, &s);
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

// "TypeError: …; did you mean …", notes included.
static Str exception_text(Eval *ev, ExceptionObject *exception) {
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
  if (exception->hint.len) {
    buf_c(&buf, "; ");
    buf_str(&buf, exception->hint);
  }
  add_notes(ev, exception, &buf);
  return buf_view(&buf);
}

#define MAX_CAUSES 8

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

// A helper that several entry points call makes its mistake once.
static bool is_known(const Session *session, Span place, Str text) {
  for (const Diag *d = session->first_diag; d; d = d->next)
    if (d->severity == SEV_ERROR && d->span.file == place.file && d->span.begin == place.begin &&
        d->span.end == place.end && str_equal(d->message, text))
      return true;
  return false;
}

void exception_report(Eval *ev, Value value) {
  ExceptionObject *exception = (ExceptionObject *)value.o;
  if (exception->is_reported) return;
  exception->is_reported = true;
  const DiagFrame *frames = exception->frames;
  size_t count = exception->frame_count;
  Span place = visible_place(ev, exception->span, &frames, &count);
  Str text = exception_text(ev, exception);
  if (is_known(ev->session, place, text)) return;
  Diag *diag = diag_error(ev->session, place, "%.*s", STR_FMT(text));
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, count);
  diag_frames(ev->session, diag, shown, keep_users_frames(ev, frames, count, shown));
  report_causes(ev, diag, exception, place);
}

void eval_frames_of_import(Eval *ev, Diag *diag, Name module) {
  ExceptionObject here = {.span = ev->span};
  here.frames = ARENA_ARRAY(ev->arena, DiagFrame, 1);
  here.frames[here.frame_count++] =
      (DiagFrame){str_format(ev->arena, "import %s", module->text), ev->span};
  add_frames(ev, &here, NULL);
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, here.frame_count);
  diag_frames(ev->session, diag, shown,
              keep_users_frames(ev, here.frames, here.frame_count, shown));
}

void eval_warn(Eval *ev, WarningGroup group, const char *fmt, ...) {
  if (!ev->session->warning_on[group]) return;
  ExceptionObject here = {.span = ev->span};
  add_frames(ev, &here, NULL);
  const DiagFrame *frames = here.frames;
  size_t count = here.frame_count;
  Span place = visible_place(ev, here.span, &frames, &count);
  va_list args;
  va_start(args, fmt);
  Str text = str_vformat(ev->arena, fmt, args);
  va_end(args);
  Diag *diag = diag_warning(ev->session, group, place, "%.*s", STR_FMT(text));
  DiagFrame *shown = ARENA_ARRAY(ev->arena, DiagFrame, count);
  diag_frames(ev->session, diag, shown, keep_users_frames(ev, frames, count, shown));
}
