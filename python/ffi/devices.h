// SPDX-License-Identifier: Apache-2.0
// Devices of one program of XLA, each with a call of its own, meet in one call of a kernel.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "prt.h"

typedef struct Devices Devices;

// Who reads a result: somebody all of it, or everybody maybe a part (a mask), or nobody any.
enum { READER_ALL = 'a', READER_PART = 'p', READER_NONE = 'n' };

// What a call that is made in several schedules is at: its first run; another one, whose results
// and prints count in place of those before; its end.
enum { TRIAL_FIRST, TRIAL_AGAIN, TRIAL_OVER };

// A machine, and what may be asked of who made it, in Python's order of fields (library.py).
typedef struct Host {
  prt_machine *machine;
  // Gives what the machine has reported since the last call that failed, as text, to the sink.
  void (*reported)(prt_machine *machine, void (*sink)(void *out, const char *text), void *out);
  // Whether a call that checks found something in is no failure all the same.
  bool (*goes_on)(prt_machine *machine, bool is_masked);
  // Learns what a call is at that is made in the schedules of `pallasc check`.
  void (*trial)(prt_machine *machine, int at);
} Host;

// What a handler calls, and on what; what it asks of the host.
typedef struct Kernel {
  const prt_entry *entry;
  const Host *host;
  bool misses; // a device that does not come is reported by pallasc_ffi_devices_missed alone
  const char *readers; // of each result a READER, what of it is read; NULL: all that there is
  size_t reader_count;
  const char *early; // operations that read results early, a line each (early.py); NULL: none
  size_t early_length;
  bool asks_goes_on;  // else such a call is a failure
  bool asks_reported; // else somebody else asks for it
  bool is_tried;      // in several schedules; else it is made once
} Kernel;

// A call on this thread. NULL, or what went wrong, to be freed: the runtime's message, and behind
// it what the machine has reported.
char *kernel_call(const Kernel *kernel, void *const *arrays);

// For a kernel on `count` devices, of one place in a program; NULL if there is no memory. A device
// that has come waits for the others for so long. Lives as long as the process.
PRT_API Devices *pallasc_ffi_devices_new(int count, int64_t timeout_ms);

// The call of one device in run `run_id`: arrays are its own, so many, in the order of the entry's
// parameters, which are all devices' parts of each, or the parts themselves (--apart). Returns when
// all devices' calls are over: NULL, or what went wrong, to be freed; devices that do not come are
// no failure of a call that misses them. From any thread.
char *devices_call(Devices *devices, const Kernel *kernel, int64_t run_id, int position,
                   void *const *arrays, size_t count);

// Whether a device has not come to a kernel on this machine since the last question, in calls that
// miss them; text then says which.
PRT_API bool pallasc_ffi_devices_missed(const prt_machine *machine, char *text, size_t size);
