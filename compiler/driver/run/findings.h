// SPDX-License-Identifier: Apache-2.0
// What checks find, as diagnostics.
#pragma once
#include "base/map.h"
#include "base/session.h"
#include "prt.h"

typedef enum FindingsMode {
  FINDINGS_REPORTED, // of a call, for the first time
  FINDINGS_AGAIN,    // of the same call in another schedule
  FINDINGS_TRIED     // of a schedule that is only tried: nothing is reported
} FindingsMode;
typedef struct Findings {
  Session *session;
  Map *known; // what was reported
  FindingsMode mode;
  Name first;            // that is news, since it was set to NULL
  Str repeat;            // the schedule that is to be named with what it finds, or empty
  const prt_site *fault; // and the signal that was changed, with how
  const char *fault_how;
} Findings;
void findings_init(Findings *findings, Session *session);
void findings_take(Findings *findings, const prt_finding *finding);
// What is found from here on is reported even if it was reported before.
void findings_forget(Findings *findings);
// A finding as a diagnostic; NULL if there are too many errors.
Diag *findings_report(Session *session, const prt_finding *finding);
// An error: what the runtime's last failure was, at its own place, or at `place` if it has none.
Diag *findings_report_failure(Session *session, Span place);
// Adds how the run is repeated, if that is to be reported.
void findings_note_schedule(const Findings *findings, Diag *diag);
