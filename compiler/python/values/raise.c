// SPDX-License-Identifier: Apache-2.0
// Raising and catching: Python's exceptions as longjmps between eval_try and eval_raise_value.
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

#include "dict.h"
#include "evaluator_state.h"
#include "exception_context.h"
#include "exception_frames.h"
#include "new_value.h"
#include "raise.h"

// Where an exception goes to: gcc's own way writes three words and reads them. Sanitizers know the
// library's alone.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PLACE_SET(place)   __builtin_setjmp((void **)(void *)(place))
#define PLACE_REACH(place) __builtin_longjmp((void **)(void *)(place), 1)
#else
#define PLACE_SET(place)   setjmp(place)
#define PLACE_REACH(place) longjmp(place, 1)
#endif

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

void demand_memory(Eval *ev, size_t bytes) {
  enum { LARGE_BYTES = 1 << 20 }; // what is smaller does not fill the memory at once
  if (bytes >= LARGE_BYTES &&
      (bytes > SIZE_MAX / 2 || !arena_has_room(ev->arena, bytes + LARGE_BYTES)))
    eval_raise(ev, ev->types.MemoryError, "%s", "");
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
static FrameName catcher_name(Eval *ev, const Frame *frame) {
  return frame && frame->caller ? frame_name(ev, frame) : (FrameName){0};
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
    if (exception->context.kind == V_UNBOUND) exception_set_context(exception, ev->exception);
  }
  exception_add_frames(ev, exception, handler->frame);
  exception->catcher = catcher_name(ev, handler->frame);
  ev->exception = value;
  PLACE_REACH(handler->place);
}

bool eval_try(Eval *ev, void (*body)(Eval *, void *), void *data, Value *exception) {
  Handler handler;
  handler.outer = ev->handler;
  handler.frame = ev->frame;
  handler.env = ev->frame ? ev->frame->env : NULL;
  handler.span = ev->span;
  handler.handled = ev->exception;
  ev->handler = &handler;
  if (PLACE_SET(handler.place) == 0) {
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

// ---- limits ------------------------------------------------------------------------------------
void eval_interrupt(Eval *ev, int signal) {
  ev->came |= signal_bit(signal);
  ev->is_interrupted = true;
  __atomic_store_n(&ev->options.max_steps, 0, __ATOMIC_RELAXED);
}

static void go_on(Eval *ev) {
  ev->is_interrupted = false;
  ev->options.max_steps = ev->step_limit;
}

void eval_interrupted(Eval *ev) {
  go_on(ev);
  ev->came &= ~signal_bit(SIGINT);
}

// The count stays above the limit: a program that catches this is stopped at its next step.
void eval_step(Eval *ev) {
  if (ev->is_interrupted) {
    go_on(ev);
    uint64_t came = atomic_exchange(&ev->came, 0);
    if (came & ev->handled) ev->core->above.signals(ev, came & ev->handled);
    if (came & ~ev->handled) eval_raise(ev, ev->types.KeyboardInterrupt, "%s", "");
  }
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
