// SPDX-License-Identifier: Apache-2.0
// Findings, and whom they are reported to (prt_check.c, prt_finding.c).
#pragma once
#include "machine/prt_call.h"
#include "print/prt_text.h"

// A finding. `kind`: prt_finding_kind; `format` is a string whose address tells findings of one
// place apart.
void prt__report(prt_worker *worker, int32_t kind, const prt_site *site, const char *format,
                 const char *message);
void prt__report_race(prt_worker *worker, const prt_site *site, const char *format,
                      const char *message, const char *data);
bool prt__is_place(const prt_site *a, const prt_site *b); // both are of one line and column
// And were called from one place: what another rank reports has a place of its own.
bool prt__is_site(const prt_site *a, const prt_site *b);
void prt__json_string(prt_text *out, const char *s); // quoted
// A member that is a string, a comma before it.
void prt__json_field(prt_text *out, const char *name, const char *value);
void prt__json_place(prt_text *out, const prt_site *site);          // members, a comma before each
void prt__finding_text(prt_text *text, const prt_finding *finding); // as people read it
// Gives a finding that ends its call to on_report, or people.
void prt__give_report(prt_machine *machine, const prt_finding *finding);
void prt__findings_finish(prt_call *call); // sums up what was not reported; frees them
// Tells a finding through on_finding, or people; `call`: where its findings are counted, or NULL.
void prt__report_finding(prt_machine *machine, prt_call *call, const prt_finding *finding,
                         const char *format);
