// SPDX-License-Identifier: Apache-2.0
// What the fuzzers of the compiler share: in, any bytes; out, they went through `run` in a session
// of their own, and what it said of them was rendered, for nobody.
#pragma once
#include <stdlib.h>

#include "base/session.h"

enum { SESSION_BYTES = 1 << 29 };

// Of a source that is refused.
static inline int give_up(const Session *session) {
  if (!session->error_count) BUG("refused without a diagnostic");
  return 1;
}

// `run` gets the bytes as a Str.
static int in_session(const uint8_t *data, size_t size, int (*run)(Session *, void *)) {
  Session *session = session_new(SESSION_BYTES);
  if (!session) abort();
  session->diag_out = fopen("/dev/null", "w");
  Str input = {(const char *)data, size};
  session_run(session, run, &input);
  diag_flush(session);
  if (session->diag_out) fclose(session->diag_out);
  session_free(session);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
