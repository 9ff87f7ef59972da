// SPDX-License-Identifier: Apache-2.0
// Text is handed over piece by piece.
#include "prt_sink.h"
#include <string.h>

void prt__put(const prt_sink *out, const char *text, size_t length) {
  if (length) out->add(out->to, text, length);
}

void prt__put_c(const prt_sink *out, const char *text) { prt__put(out, text, strlen(text)); }

void prt__put_pad(const prt_sink *out, char c, int64_t count) {
  char many[64];
  memset(many, c, sizeof many);
  for (; count > 0; count -= (int64_t)sizeof many)
    prt__put(out, many, count < (int64_t)sizeof many ? (size_t)count : sizeof many);
}
