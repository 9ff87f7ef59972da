// SPDX-License-Identifier: Apache-2.0
// The calls that an exception has left. It gathers them piece by piece: each raise adds those
// between it and the handler that it goes to, as a traceback does.
#include <string.h>

#include "dict.h"
#include "evaluator_state.h"
#include "exception_frames.h"
#include "new_value.h"
#include "raise.h"

// Its code's: a function may be renamed, as functools.wraps does.
Name frame_function(const Frame *frame) {
  const Function *code = frame->code;
  return code && code->def ? code->def->function.name : frame->function;
}

// Of a method with the class before it.
FrameName frame_name(Eval *ev, const Frame *frame) {
  const Function *code = frame->code;
  const char *own = frame_function(frame)->text;
  if (frame->body) return (FrameName){name_str(frame->function), IN_CLASS_BODY};
  if (frame->function == ev->names->genexpr)
    return (FrameName){name_str(frame->function), IN_GENERATOR_EXPRESSION};
  if (code && code->owner && code->def)
    return (FrameName){str_format(ev->arena, "%s.%s", code->owner->name->text, own), IN_FUNCTION};
  if (frame->function == ev->names->module_frame && frame->module)
    return (FrameName){str_format(ev->arena, "import %s", frame->module->name->text), IN_MODULE};
  return (FrameName){str_from_c(own), IN_FUNCTION};
}

bool frame_is_silent(DiagFrameKind kind) { return kind != IN_FUNCTION && kind != IN_MODULE; }

// Of the exception's own attributes.
static Name locals_name(Eval *ev) {
  return name_intern_c(ev->session->interner, "__traceback_locals__");
}

Dict *env_names(Eval *ev, Env *env) {
  Dict *names = dict_new(ev);
  env->owned = 0; // the dict has them, too
  const Scope *scope = env->scope;
  for (uint32_t i = 0; i < scope->slot_count; i++) {
    uint32_t from = scope->varargs_slot, end = from + scope->keyword_only;
    uint32_t slot = i < from || i > end ? i : i < end ? i + 1 : from;
    if (!v_is_unbound(env->slots[slot]))
      dict_set_name(ev, names, scope->slots[slot], env->slots[slot]);
  }
  return names;
}

List *exception_locals(Eval *ev, const ExceptionObject *exception) {
  Value kept = dict_get_name(exception->instance.dict, locals_name(ev));
  return v_is_unbound(kept) ? NULL : (List *)kept.o;
}

// Environments are used again when their calls end: what is in them is taken now.
static void keep_locals(Eval *ev, ExceptionObject *exception, const Frame *end) {
  List *kept = exception_locals(ev, exception);
  if (!kept) {
    kept = list_new(ev, 4);
    dict_set_name(ev, exception->instance.dict, locals_name(ev), v_object(kept));
  }
  for (const Frame *f = ev->frame; f && f != end; f = f->caller)
    if (f->caller) list_push(ev, kept, f->env ? v_object(env_names(ev, f->env)) : v_none());
}

// An exception that is kept and raised again and again gets more each time: the array is as long as
// the power of two that holds them.
static size_t room_for(size_t count) {
  size_t room = count != 0;
  while (room < count) room *= 2;
  return room;
}

void exception_reserve_frames(Eval *ev, ExceptionObject *exception, size_t more) {
  size_t room = room_for(exception->frame_count + more);
  if (room == room_for(exception->frame_count)) return;
  DiagFrame *frames = ARENA_ARRAY(ev->arena, DiagFrame, room);
  if (exception->frame_count)
    memcpy(frames, exception->frames, exception->frame_count * sizeof *frames);
  exception->frames = frames;
}

// The main module is called from nowhere.
void exception_add_frames(Eval *ev, ExceptionObject *exception, const Frame *end) {
  size_t more = 0;
  for (const Frame *f = ev->frame; f && f != end; f = f->caller) more += f->caller != NULL;
  if (more == 0) return;
  if (ev->core->keeps_locals) keep_locals(ev, exception, end);
  exception_reserve_frames(ev, exception, more);
  for (const Frame *f = ev->frame; f && f != end; f = f->caller)
    if (f->caller) {
      FrameName name = frame_name(ev, f);
      exception->frames[exception->frame_count++] = (DiagFrame){name.text, f->call, name.kind};
    }
}

void exception_raised_again(Eval *ev, ExceptionObject *exception) {
  if (!exception->is_raised) return;
  List *kept = ev->core->keeps_locals ? exception_locals(ev, exception) : NULL;
  if (kept) list_push(ev, kept, v_none());
  exception_reserve_frames(ev, exception, 1);
  FrameName catcher = exception->catcher;
  Str name = catcher.kind == IN_MODULE ? (Str){0} : catcher.text;
  exception->frames[exception->frame_count++] = (DiagFrame){name, ev->span, RAISED_AGAIN};
}
