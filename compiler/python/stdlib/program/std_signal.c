// SPDX-License-Identifier: Apache-2.0
// What signal.pk and os.pk ask of the system: which signals the program handles, timers that send
// some, and sending them. A handler in C notes the signal and stops the evaluator, which calls the
// program's own handler before its next step.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "base/collected.h"
#include "std_files.h"
#include "std_signal.h"
#include "python/builtins/builtin_float.h"
#include "python/builtins/builtin_traceback.h"
#include "python/eval.h"
#include "python/modules/module.h"
#include "python/objects/convert.h"
#include "python/objects/protocol.h"
#include "python/objects/value_call.h"
#include "python/values/builtin_state.h"
#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/raise.h"

// Whose program handles signals; a handler has no other argument.
static _Atomic(Eval *) signalled;

static void note(int number) {
  int error = errno;
  Eval *ev = atomic_load(&signalled);
  if (ev) eval_interrupt(ev, number);
  errno = error;
}

void signals_fini(Eval *ev) {
  Eval *own = ev;
  atomic_compare_exchange_strong(&signalled, &own, NULL);
}

static int take_signal(Eval *ev, Value v) {
  int number = (int)take_int(ev, v, "signalnum");
  if (number < 1 || number >= NSIG)
    eval_raise(ev, ev->types.ValueError, "signal number out of range");
  return number;
}

typedef enum Disposition { TO_DEFAULT, TO_IGNORE, TO_PROGRAM } Disposition;

// What is done about a signal from now on.
static Value native_set(Eval *ev, Value *a) {
  int number = take_signal(ev, a[0]);
  Disposition to = (Disposition)take_int(ev, a[1], "disposition");
  struct sigaction action = {.sa_flags = SA_RESTART};
  action.sa_handler = to == TO_DEFAULT ? SIG_DFL : to == TO_IGNORE ? SIG_IGN : note;
  if (to == TO_PROGRAM) atomic_store(&signalled, ev);
  if (sigaction(number, &action, NULL)) raise_errno(ev, errno, NULL);
  if (to == TO_PROGRAM)
    ev->handled |= signal_bit(number);
  else
    ev->handled &= ~signal_bit(number);
  return v_none();
}

// Whether the process was started to ignore it.
static Value native_is_ignored(Eval *ev, Value *a) {
  struct sigaction action;
  return v_bool(sigaction(take_signal(ev, a[0]), NULL, &action) == 0 &&
                action.sa_handler == SIG_IGN);
}

// The function that is called with a signal that has come, and the frame that was running.
static Value native_dispatch(Eval *ev, Value *a) {
  ev->builtin->signal_handler = a[0];
  return v_none();
}

static void handle_signals(Eval *ev, uint64_t came) {
  Object *made = ev->made;
  Span span = ev->span;
  for (int number = 1; number < NSIG; number++) {
    if (!(came & signal_bit(number))) continue;
    Value args[] = {v_int(number), running_frames(ev)};
    value_call_n(ev, ev->builtin->signal_handler, COUNT_OF(args), args);
  }
  ev->made = made;
  ev->fresh = NULL;
  ev->span = span;
}

// To the program itself what it handles comes at once.
static Value native_kill(Eval *ev, Value *a) {
  pid_t pid = (pid_t)take_int(ev, a[0], "pid");
  int number = (int)take_int(ev, a[1], "signal");
  if (pid == getpid() && number > 0 && number < NSIG &&
      (ev->handled & signal_bit(number) || (number == SIGINT && !native_is_ignored(ev, a + 1).i))) {
    eval_interrupt(ev, number);
    eval_step(ev);
    return v_none();
  }
  if (kill(pid, number)) raise_errno(ev, errno, NULL);
  return v_none();
}

static double seconds_of(struct timeval t) { return (double)t.tv_sec + 1e-6 * (double)t.tv_usec; }

static struct timeval timeval_of(Eval *ev, double seconds) {
  if (!(fabs(seconds) < INT32_MAX))
    eval_raise(ev, ev->types.OverflowError, "timestamp out of range for platform time_t");
  double whole = floor(seconds);
  struct timeval t = {(time_t)whole, (suseconds_t)((seconds - whole) * 1e6)};
  if (seconds > 0 && !t.tv_sec && !t.tv_usec) t.tv_usec = 1;
  return t;
}

static Value timer_tuple(Eval *ev, const struct itimerval *timer) {
  return make_tuple(
      ev, 2,
      (Value[]){v_float(seconds_of(timer->it_value)), v_float(seconds_of(timer->it_interval))});
}

static Value native_setitimer(Eval *ev, Value *a) { // which, seconds, interval
  struct itimerval timer = {timeval_of(ev, take_real(ev, a[2])),
                            timeval_of(ev, take_real(ev, a[1]))},
                   old;
  if (setitimer((int)take_int(ev, a[0], "which"), &timer, &old)) raise_errno(ev, errno, NULL);
  return timer_tuple(ev, &old);
}

static Value native_getitimer(Eval *ev, Value *a) {
  struct itimerval timer;
  if (getitimer((int)take_int(ev, a[0], "which"), &timer)) raise_errno(ev, errno, NULL);
  return timer_tuple(ev, &timer);
}

static Value native_alarm(Eval *ev, Value *a) {
  return v_int(alarm((unsigned)take_int(ev, a[0], "seconds")));
}

static Value native_strsignal(Eval *ev, Value *a) {
  return make_str_c(ev, strsignal(take_signal(ev, a[0])));
}

// Until a signal has come that the program handles.
static Value native_pause(Eval *ev, Value *a UNUSED) {
  enum { PIECE_NS = 20000000 };
  while (!ev->is_interrupted) nanosleep(&(struct timespec){.tv_nsec = PIECE_NS}, NULL);
  eval_step(ev);
  return v_none();
}

static const NativeDef natives[] = {
    {"set(number, disposition)", native_set},
    {"is_ignored(number)", native_is_ignored},
    {"dispatch(function)", native_dispatch},
    {"kill(pid, number)", native_kill},
    {"setitimer(which, seconds, interval)", native_setitimer},
    {"getitimer(which)", native_getitimer},
    {"alarm(seconds)", native_alarm},
    {"strsignal(number)", native_strsignal},
    {"pause()", native_pause},
    {0},
};

static void init(Eval *ev, ModuleObject *module UNUSED) {
  ev->core->above.signals = handle_signals;
}

const ModuleDef module_signals = {.name = "_signals", .functions = natives, .init = init};
