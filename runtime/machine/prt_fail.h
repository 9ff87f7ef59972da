// SPDX-License-Identifier: Apache-2.0
// Failures: of the calling thread (prt_status.c), and of calls.
#pragma once
#include "prt_call.h"

// Sets the calling thread's message; returns `status`.
prt_status prt__set_error(prt_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
prt_status prt__last_error(void);               // the status of the message that was set last
void prt__set_error_site(const prt_site *site); // of the message that was set last
// Marks the call as failed and keeps the message if it is the first failure.
void prt__call_fail_text(prt_call *call, prt_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same, of a place in the source, which the message begins with; NULL: it has none.
void prt__fail_at(prt_worker *worker, prt_status status, const prt_site *site, const char *format,
                  ...) __attribute__((format(printf, 4, 5)));
// A mistake of a kernel that the call ends with: PRT_ERROR_ARGUMENT; in code with checks a finding
// of this kind (prt_finding_kind) as well.
void prt__fault(prt_worker *worker, int32_t kind, const prt_site *site, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
