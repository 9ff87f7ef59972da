// SPDX-License-Identifier: Apache-2.0
// Statuses and the message of the last failure.
#include <stdarg.h>

#include "prt_call.h"
#include "prt_fail.h"

// The one piece of state of a thread: a caller must be able to ask after the call is over, without
// a handle.
static _Thread_local struct {
  prt_status status;
  char text[PRT_MESSAGE_SIZE];
} error_message;
static _Thread_local const prt_site *error_site; // NULL: it has no place in a source

static const char *const status_names[] = {
    [PRT_OK] = "no error",
    [PRT_ERROR_ARGUMENT] = "an argument is not valid",
    [PRT_ERROR_MEMORY] = "out of memory",
    [PRT_ERROR_CPU] = "this CPU lacks features the code needs",
    [PRT_ERROR_MACHINE] = "the code was compiled for another machine",
    [PRT_ERROR_CHECK] = "a check failed",
    [PRT_ERROR_IO] = "a file could not be read or written",
    [PRT_ERROR_FORMAT] = "a file is malformed",
    [PRT_ERROR_DEADLOCK] = "deadlock",
    [PRT_ERROR_STOPPED] = "stopped",
};

const char *prt_error_message(void) { return error_message.text; }

prt_status prt__last_error(void) { return error_message.status; }

const prt_site *prt__error_site(void) { return error_site; }

void prt__set_error_site(const prt_site *site) { error_site = site; }

const char *prt_status_name(prt_status status) {
  size_t number = (size_t)status;
  if (number >= sizeof status_names / sizeof *status_names) return "unknown status";
  return status_names[number];
}

const char *prt_version(void) { return PRT_VERSION; }

static void set_verror(prt_status status, const char *format, va_list args) {
  vsnprintf(error_message.text, sizeof error_message.text, format, args);
  error_message.status = status;
  error_site = NULL;
}

prt_status prt__set_error(prt_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  set_verror(status, format, args);
  va_end(args);
  return status;
}
