// SPDX-License-Identifier: Apache-2.0
// The progress bar of the command line (progress.c).
#pragma once
#include <pthread.h>
#include "driver/options/options.h"
#include "times.h"

typedef struct ProgressBar {
  size_t input, inputs; // which source, of how many; set by the caller
  bool only_calls;      // run and check: what the compiler does for a call is none of its business
  Times *times;         // NULL, or where steps go as well
  bool on;
  // The rest is the thread's that draws, under the lock.
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool ends, is_shown;
  char line[160]; // what the work is at; empty: nothing is shown
  double begun;   // seconds; of that line: `since`
  double since;
} ProgressBar;

#define PROGRESS_CALL       "checking" // the phase of calls
#define PROGRESS_EVALUATING "evaluating"
#define PROGRESS_RUNNING    "running" // compiled code, for the program itself

// If a bar is to be seen, begins to draw it; progress_end must follow.
void progress_begin(ProgressBar *bar, const Options *o);
void progress_end(ProgressBar *bar);
// A Progress hook of a session; data is the bar.
void progress_step(void *data, const char *phase, size_t done, size_t total, Str what);
// Takes the line away until the next step.
void progress_wipe(ProgressBar *bar);
