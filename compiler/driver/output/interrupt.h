// SPDX-License-Identifier: Apache-2.0
// What asks the process to end waits while there are temporary files.
#pragma once
#include <sys/types.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

typedef struct Interrupt {
  sigset_t signals, before; // that are held; those that were blocked already
} Interrupt;
void interrupt_hold(Interrupt *held);
// The process ends here if one has come. Holding may be nested.
void interrupt_release(Interrupt *held);
bool interrupt_came(const Interrupt *held);
// Waits until a file takes bytes. False if an interrupt came first.
bool interrupt_wait_writable(const Interrupt *held, int fd);
// Waits for a process that leads its group; an interrupt sends the group `signal`, by which it
// ends. -1 with errno on failure.
int interrupt_wait_child(const Interrupt *held, pid_t child, int signal, int *status);
// First of all in a process that shares work of the process `parent`: the watch of SIGINT is the
// parent's, so the signal ends it, and however the parent ends, it ends with it.
void interrupt_child(pid_t parent);
// While a program runs, SIGINT is an exception in it. One that does not come to its next step
// within a second ends at once.
typedef struct InterruptWatch {
  struct Eval *ev;
  void (*stop)(void *data, bool on);
  void *data;
  pthread_t thread;
  sigset_t before;
  bool on;
} InterruptWatch;
// `stop` learns, on another thread, that what runs should end (on), and that it has.
void interrupt_watch(InterruptWatch *watch, struct Eval *ev, void (*stop)(void *data, bool on),
                     void *data);
void interrupt_unwatch(InterruptWatch *watch);
// Ends the process as SIGINT does, with what it has printed written out. Returns if it cannot.
void interrupt_end(void);
