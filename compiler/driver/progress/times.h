// SPDX-License-Identifier: Apache-2.0
// How long the compiler is at what (times.c). One thread.
#pragma once
#include <stdio.h>
#include "base/session.h"

enum { TIMES_ROWS = 64 }; // what comes when they are full is added to the last one

typedef struct TimesRow {
  const char *phase; // of session_progress
  char name[32];     // of a pass; else empty
  double seconds;
  size_t count; // how often it was begun
} TimesRow;

typedef struct Times {
  TimesRow rows[TIMES_ROWS]; // in the order in which they came first
  size_t count;
  TimesRow *at; // that is under way since `since`
  double since;
} Times;

double times_now(void); // seconds of a clock that only goes forward
void times_begin(Times *times);
// What was under way has ended, and this begins.
void times_step(Times *times, const char *phase, Str what);
// Prints a table, or one line of JSON: {"times": [{"phase", "name", "seconds", "count"}, …],
// "seconds": all together}.
void times_end(Times *times, bool as_json, FILE *out);
