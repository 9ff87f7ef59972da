// SPDX-License-Identifier: Apache-2.0
// --time-passes: how long the compiler is at what. In: the steps of progress. Out: a table, or
// JSON.
#include "times.h"
#include <string.h>
#include <time.h>

double times_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static TimesRow *row_of(Times *times, const char *phase, Str name) {
  for (size_t i = 0; i < times->count; i++) {
    TimesRow *row = &times->rows[i];
    if (strcmp(row->phase, phase) == 0 && str_equal(str_from_c(row->name), name)) return row;
  }
  if (times->count == TIMES_ROWS) return &times->rows[TIMES_ROWS - 1];
  TimesRow *row = &times->rows[times->count++];
  *row = (TimesRow){.phase = phase};
  snprintf(row->name, sizeof row->name, "%.*s", STR_FMT(name));
  return row;
}

static void end_step(Times *times) {
  double now = times_now();
  if (times->at) times->at->seconds += now - times->since;
  times->since = now;
}

void times_begin(Times *times) { *times = (Times){.since = times_now()}; }

// Only passes are distinguished by their names: what else has one is reported together.
void times_step(Times *times, const char *phase, Str what) {
  end_step(times);
  times->at = row_of(times, phase, strcmp(phase, "pass") == 0 ? what : STR(""));
  times->at->count++;
}

// A phase is worded to stand before what it is at: "machine code of add.pk".
static int length_alone(const char *phase) {
  size_t length = strlen(phase);
  bool leads = length > 3 && strcmp(phase + length - 3, " of") == 0;
  return (int)(leads ? length - 3 : length);
}

static void print_json(const Times *times, double total, FILE *out) {
  fputs("{\"times\": [", out);
  for (size_t i = 0; i < times->count; i++) {
    const TimesRow *row = &times->rows[i];
    fprintf(out, "%s{\"phase\": \"%.*s\", ", i ? ", " : "", length_alone(row->phase), row->phase);
    if (row->name[0]) fprintf(out, "\"name\": \"%s\", ", row->name);
    fprintf(out, "\"seconds\": %.9f, \"count\": %zu}", row->seconds, row->count);
  }
  fprintf(out, "], \"seconds\": %.9f}\n", total);
}

static void print_table(const Times *times, double total, FILE *out) {
  fprintf(out, "%12s %8s %8s  %s\n", "time", "share", "times", "what");
  for (size_t i = 0; i < times->count; i++) {
    const TimesRow *row = &times->rows[i];
    fprintf(out, "%9.3f ms %6.1f %% %8zu  %.*s%s%s\n", row->seconds * 1e3,
            total > 0 ? row->seconds / total * 100 : 0, row->count, length_alone(row->phase),
            row->phase, row->name[0] ? " " : "", row->name);
  }
  fprintf(out, "%9.3f ms %6.1f %% %8s  %s\n", total * 1e3, 100.0, "", "all");
}

void times_end(Times *times, bool as_json, FILE *out) {
  end_step(times);
  double total = 0;
  for (size_t i = 0; i < times->count; i++) total += times->rows[i].seconds;
  (as_json ? print_json : print_table)(times, total, out);
  fflush(out);
}
