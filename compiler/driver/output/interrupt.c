// SPDX-License-Identifier: Apache-2.0
// Signals that ask the process to end, as a reader that has left does, held back while there are
// temporary files. In: nothing. Out: whether one has come. The signals stay pending: the process
// ends by them where they are released, as if they had just come, and needs no handler, which would
// need state of its own. While a program runs, a thread waits for SIGINT and notifies the
// evaluator.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "driver/options/options.h"
#include "interrupt.h"
#include "python/eval.h"
#include "python/values/evaluator.h"

// Those that end the process; none that it was started to ignore.
static void find_signals(sigset_t *set) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
  sigemptyset(set);
  for (size_t i = 0; i < COUNT_OF(signals); i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, signals[i]);
  }
}

void interrupt_hold(Interrupt *held) {
  find_signals(&held->signals);
  pthread_sigmask(SIG_BLOCK, &held->signals, &held->before);
}

void interrupt_release(Interrupt *held) { pthread_sigmask(SIG_SETMASK, &held->before, NULL); }

bool interrupt_came(const Interrupt *held) {
  sigset_t pending, both;
  return sigpending(&pending) == 0 && sigandset(&both, &pending, &held->signals) == 0 &&
         !sigisemptyset(&both);
}

bool interrupt_wait_writable(const Interrupt *held, int fd) {
  struct pollfd wanted[] = {{.fd = fd, .events = POLLOUT},
                            {.fd = signalfd(-1, &held->signals, SFD_CLOEXEC), .events = POLLIN}};
  while (poll(wanted, wanted[1].fd < 0 ? 1 : 2, -1) < 0 && errno == EINTR) {
  }
  if (wanted[1].fd >= 0) close(wanted[1].fd);
  return !interrupt_came(held);
}

void interrupt_child(pid_t parent) {
  sigset_t none;
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &none, NULL);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent) _exit(STATUS_MACHINE);
}

int interrupt_wait_child(const Interrupt *held, pid_t child, int signal, int *status) {
  // Not by SIGCHLD, which is the process's, and may come to another thread.
  struct pollfd wanted[] = {{.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN},
                            {.fd = signalfd(-1, &held->signals, SFD_CLOEXEC), .events = POLLIN}};
  int options = wanted[0].fd < 0 || wanted[1].fd < 0 ? 0 : WNOHANG; // without them it just waits
  pid_t ended;
  while ((ended = waitpid(child, status, options)) == 0) {
    if (interrupt_came(held)) {
      kill(-child, signal); // all of its group
      ended = waitpid(child, status, 0);
      break;
    }
    poll(wanted, 2, -1);
  }
  for (size_t i = 0; i < COUNT_OF(wanted); i++)
    if (wanted[i].fd >= 0) close(wanted[i].fd);
  return ended < 0 ? -1 : 0;
}

// ---- programs -----------------------------------------------------------------------------------
static sigset_t only_interrupt(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

void interrupt_end(void) {
  sigset_t set = only_interrupt();
  if (ftrylockfile(stdout) == 0) { // else somebody waits in the middle of it
    fflush_unlocked(stdout);
    funlockfile(stdout);
  }
  signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(SIGINT);
}

// Where the program was when it last took a step. It is in the middle of one, a kernel or a native,
// and has been for a second: what is read here does not change.
static void report_where(const Eval *ev) {
  const Session *session = ev->session;
  Span at = ev->span;
  for (const Frame *f = ev->frame; f && at.file && session->files.items[at.file - 1]->is_builtin;
       f = f->caller)
    at = f->call;
  if (!at.file || session->error_format != FORMAT_HUMAN || ftrylockfile(session->diag_out) != 0)
    return;
  const SourceFile *file = session->files.items[at.file - 1];
  LineCol place = source_line_col(file, at.begin);
  fprintf(session->diag_out,
          "%.*s:%u:%u: error: KeyboardInterrupt: what this runs did not stop within a second\n",
          STR_FMT(file->path), place.line, place.column);
  fflush(session->diag_out);
  funlockfile(session->diag_out);
}

static void *watch_on(void *data) {
  const InterruptWatch *watch = data;
  sigset_t set = only_interrupt();
  for (int signal; sigwait(&set, &signal) == 0;) {
    eval_interrupt(watch->ev, signal);
    if (watch->ev->handled & signal_bit(signal)) continue;
    watch->stop(watch->data, true);
    for (int i = 0; i < 100 && watch->ev->is_interrupted; i++)
      nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (watch->ev->is_interrupted) {
      report_where(watch->ev);
      interrupt_end();
    }
    watch->stop(watch->data, false);
  }
  return NULL;
}

void interrupt_watch(InterruptWatch *watch, Eval *ev, void (*stop)(void *data, bool on),
                     void *data) {
  struct sigaction action;
  sigset_t set = only_interrupt();
  *watch = (InterruptWatch){.ev = ev, .stop = stop, .data = data};
  if (sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler != SIG_DFL) return;
  pthread_sigmask(SIG_BLOCK, &set, &watch->before); // the threads that are made now have it, too
  watch->on = pthread_create(&watch->thread, NULL, watch_on, watch) == 0;
  if (!watch->on) pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}

void interrupt_unwatch(InterruptWatch *watch) {
  if (!watch->on) return;
  pthread_cancel(watch->thread);
  pthread_join(watch->thread, NULL);
  pthread_sigmask(SIG_SETMASK, &watch->before, NULL);
}
