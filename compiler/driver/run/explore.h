// SPDX-License-Identifier: Apache-2.0
// One call in several schedules.
#pragma once
#include "base/buf.h"
#include "driver/options/options.h"
#include "findings.h"
#include "prt_codegen.h"

typedef struct Explorer {
  Session *session;
  const Options *options;
  prt_machine *machine; // to be set before the first call
  Findings findings;
  uint64_t calls;  // so far
  uint64_t runs;   // of them, one for each schedule
  bool has_failed; // a schedule of --seeds, which was reported
  bool is_silent;  // what the program prints is dropped
  bool keeps;      // or kept, in `printed`
  Buf printed;
} Explorer;
void explorer_init(Explorer *explorer, Session *session, const Options *options);
// Calls an entry point as the options ask for; what the last call left is what there is to be seen.
prt_status explorer_call(Explorer *explorer, const prt_entry *entry, void *const *arguments);
// What the program prints goes here.
void explorer_print(Explorer *explorer, const char *text, size_t length);
// Whether the words behind --schedule are good, and the call they are for; 0: all.
bool explorer_schedule(Session *session, Str words, Str *schedule, uint64_t *call);
