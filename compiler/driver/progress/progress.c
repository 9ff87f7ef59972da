// SPDX-License-Identifier: Apache-2.0
// The progress bar. In: what the compiler says that it is at. Out: one line on standard error,
// drawn over and over by a thread, if that is a terminal, the work takes longer than an instant and
// --quiet is not given; wiped when anything else is to be printed. Of the ranks of a job, rank 0
// alone draws it.
#define _GNU_SOURCE
#include "progress.h"
#include "driver/run/launcher.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { CELLS = 24 };
static const double patience = 0.3; // seconds before the first line
static const long tick = 100000000; // nanoseconds from one line to the next

static size_t terminal_width(void) {
  struct winsize size;
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
}

// The bytes of the first `columns` characters of UTF-8.
static size_t fitting(const char *text, size_t columns) {
  size_t at = 0;
  for (; text[at]; at++)
    if ((text[at] & 0xc0) != 0x80 && columns-- == 0) break;
  return at;
}

static void draw(ProgressBar *bar) {
  double now = times_now();
  if (!bar->line[0] || now - bar->begun < patience) return;
  char text[sizeof bar->line + 32];
  int length = snprintf(text, sizeof text, "%s", bar->line);
  if (now - bar->since >= 1)
    snprintf(text + length, sizeof text - (size_t)length, ", %.0f s", now - bar->since);
  fprintf(stderr, "\r\033[K%.*s", (int)fitting(text, terminal_width() - 1), text);
  fflush(stderr);
  bar->is_shown = true;
}

static void *draw_on(void *data) {
  ProgressBar *bar = data;
  pthread_mutex_lock(&bar->lock);
  while (!bar->ends) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += tick;
    if (until.tv_nsec >= 1000000000) {
      until.tv_nsec -= 1000000000;
      until.tv_sec++;
    }
    pthread_cond_timedwait(&bar->changed, &bar->lock, &until);
    if (!bar->ends) draw(bar);
  }
  pthread_mutex_unlock(&bar->lock);
  return NULL;
}

// Signals are for the thread that works.
static bool start_thread(ProgressBar *bar) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool good = pthread_create(&bar->thread, NULL, draw_on, bar) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return good;
}

void progress_begin(ProgressBar *bar, const Options *o) {
  const char *terminal = getenv("TERM");
  bool is_plain = !terminal || strcmp(terminal, "dumb") == 0,
       wanted = !o->quiet && o->command != COMMAND_RUN && o->command != COMMAND_TEST &&
                o->command != COMMAND_BENCH && o->error_format == FORMAT_HUMAN;
  *bar = (ProgressBar){.only_calls = o->command != COMMAND_COMPILE, .begun = times_now()};
  if (!wanted || is_plain || !isatty(STDERR_FILENO) || job_of_launcher().rank > 0) return;
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_mutex_init(&bar->lock, NULL);
  pthread_cond_init(&bar->changed, &clock);
  pthread_condattr_destroy(&clock);
  bar->on = start_thread(bar);
}

void progress_step(void *data, const char *phase, size_t done, size_t total, Str what) {
  ProgressBar *bar = data;
  if (bar->times) times_step(bar->times, phase, what);
  if (!bar->on) return;
  if (bar->only_calls && strcmp(phase, PROGRESS_CALL) != 0) {
    // The program goes on, or prints: compiling for a call is a part of it.
    if (!strcmp(phase, PROGRESS_EVALUATING) || !strcmp(phase, PROGRESS_RUNNING)) progress_wipe(bar);
    return;
  }
  char cells[CELLS + 1], input[48] = "";
  size_t full = total ? done * CELLS / total : 0;
  memset(cells, '.', CELLS);
  memset(cells, '=', full);
  cells[CELLS] = 0;
  pthread_mutex_lock(&bar->lock);
  if (bar->inputs > 1) snprintf(input, sizeof input, "file %zu/%zu, ", bar->input + 1, bar->inputs);
  if (total)
    snprintf(bar->line, sizeof bar->line, "[%s] %s%s %zu/%zu %.*s", cells, input, phase, done + 1,
             total, STR_FMT(what));
  else
    snprintf(bar->line, sizeof bar->line, "%s%s %.*s", input, phase, STR_FMT(what));
  bar->since = times_now();
  pthread_mutex_unlock(&bar->lock);
}

void progress_wipe(ProgressBar *bar) {
  if (!bar->on) return;
  pthread_mutex_lock(&bar->lock);
  bar->line[0] = 0;
  if (bar->is_shown) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
  }
  bar->is_shown = false;
  pthread_mutex_unlock(&bar->lock);
}

void progress_end(ProgressBar *bar) {
  if (!bar->on) return;
  progress_wipe(bar);
  pthread_mutex_lock(&bar->lock);
  bar->ends = true;
  pthread_cond_signal(&bar->changed);
  pthread_mutex_unlock(&bar->lock);
  pthread_join(bar->thread, NULL);
  pthread_cond_destroy(&bar->changed);
  pthread_mutex_destroy(&bar->lock);
  bar->on = false;
}
