// SPDX-License-Identifier: Apache-2.0
// Failures of a call: the first one is kept, with its message, until the call leaves; whoever may
// run on asks whether there is one. And how many threads a call has.
#include <stdarg.h>

#include "prt_fail.h"
#include "transport/prt_ranks.h"

// Locks: none on entry and exit; takes report_lock. The first caller owns the message.
static void fail(prt_call *call, prt_status status, const prt_site *site, const char *format,
                 va_list args) {
  pthread_mutex_lock(&call->machine->report_lock);
  const char *reported = NULL; // what is new, for rank 0
  bool is_worse = status != PRT_ERROR_CHECK &&
                  atomic_load_explicit(&call->status, memory_order_relaxed) == PRT_ERROR_CHECK;
  if (!call->message[0] || is_worse) { // after a finding the code went on
    int used = site
                   ? snprintf(call->message, sizeof call->message, "%s: %s:%d: ", call->entry->name,
                              site->file ? site->file : "?", site->line)
                   : snprintf(call->message, sizeof call->message, "%s: ", call->entry->name);
    size_t from = used < 0 ? 0 : (size_t)used;
    if (from >= sizeof call->message) from = sizeof call->message - 1; // the name fills it
    vsnprintf(call->message + from, sizeof call->message - from, format, args);
    reported = status != PRT_ERROR_CHECK ? call->message + from : NULL;
    call->site = site;
    atomic_store_explicit(&call->status, (int32_t)status, memory_order_relaxed);
  }
  pthread_mutex_unlock(&call->machine->report_lock);
  prt_ranks *r = reported ? prt__reports_to(call->machine) : NULL;
  if (r) r->calls->tell(r, PRT_REPORTED_FAILED, (int64_t)status, site, reported);
}

void prt__call_fail_text(prt_call *call, prt_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(call, status, NULL, format, args);
  va_end(args);
}

prt_status prt__fail(prt_worker *worker, prt_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fail(worker->call, status, NULL, format, args);
  va_end(args);
  return status;
}

void prt__fail_at(prt_worker *worker, prt_status status, const prt_site *site, const char *format,
                  ...) {
  va_list args;
  va_start(args, format);
  fail(worker->call, status, site, format, args);
  va_end(args);
}

prt_status prt__fail_null(prt_worker *worker, int32_t index) {
  const prt_entry *entry = worker->call->entry;
  const char *name =
      index >= 0 && (uint32_t)index < entry->param_count ? entry->params[index].name : "?";
  return prt__fail(worker, PRT_ERROR_ARGUMENT, "argument '%s' is NULL", name);
}

bool prt__has_failed(const prt_worker *worker) {
  return atomic_load_explicit(&worker->call->status, memory_order_relaxed) != PRT_OK;
}

int32_t prt__threads(const prt_worker *worker) {
  return worker->in_body ? 1 : worker->call->machine->threads;
}
