// SPDX-License-Identifier: Apache-2.0
// Signals that ask the process to end, held back while there are temporary files. In: nothing. Out:
// whether one has come. The signals stay pending: the process ends by them where they are released,
// as if they had just come, and needs no handler, which would need state of its own.
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>
#include "driver.h"

// Those that end the process; none that it was started to ignore.
static void find_signals(sigset_t *set) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigemptyset(set);
  for (size_t i = 0; i < COUNT_OF(signals); i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, signals[i]);
  }
}

void interrupt_hold(Interrupt *held) {
  find_signals(&held->signals);
  sigset_t blocked = held->signals;
  sigaddset(&blocked, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &blocked, &held->before);
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

int interrupt_wait_child(const Interrupt *held, pid_t child, int *status) {
  sigset_t waited = held->signals;
  sigaddset(&waited, SIGCHLD);
  struct pollfd signal = {.fd = signalfd(-1, &waited, SFD_CLOEXEC | SFD_NONBLOCK),
                          .events = POLLIN};
  pid_t ended;
  while ((ended = waitpid(child, status, signal.fd < 0 ? 0 : WNOHANG)) == 0) {
    if (interrupt_came(held)) {
      kill(-child, SIGTERM); // all of its group
      ended = waitpid(child, status, 0);
      break;
    }
    poll(&signal, 1, -1);
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigtimedwait(&children, NULL, &(struct timespec){0}); // so that the next one can come
  }
  if (signal.fd >= 0) close(signal.fd);
  return ended < 0 ? -1 : 0;
}
