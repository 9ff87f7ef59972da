// SPDX-License-Identifier: Apache-2.0
// While a program runs, a thread waits for SIGINT and tells the evaluator and the machine: it is an
// exception where the program is.
#define _GNU_SOURCE
#include <time.h>
#include "driver/driver.h"
#include "python/eval.h"

static sigset_t only_interrupt(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  return set;
}

void interrupt_end(void) {
  sigset_t set = only_interrupt();
  signal(SIGINT, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(SIGINT);
}

static void *watch_on(void *data) {
  const InterruptWatch *watch = data;
  sigset_t set = only_interrupt();
  for (int signal; sigwait(&set, &signal) == 0;) {
    eval_interrupt(watch->ev);
    jit_backend_interrupt(watch->jit, true);
    for (int i = 0; i < 100 && watch->ev->is_interrupted; i++)
      nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    if (watch->ev->is_interrupted) interrupt_end();
    jit_backend_interrupt(watch->jit, false);
  }
  return NULL;
}

void interrupt_watch(InterruptWatch *watch, Eval *ev, JitBackend *jit) {
  struct sigaction action;
  sigset_t set = only_interrupt();
  *watch = (InterruptWatch){.ev = ev, .jit = jit};
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
