// SPDX-License-Identifier: Apache-2.0
// Devices of one program of XLA, each with a call of its own, meet in one call of a kernel.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "prt.h"

typedef struct Devices Devices;

// For a kernel on `count` devices, of one place in a program; NULL if there is no memory. A device
// that has come waits for the others for so long. Lives as long as the process.
PRT_API Devices *pallasc_ffi_devices_new(int count, int64_t timeout_ms);

// The call of one device in run `run_id`: arrays are its own, in the order of the entry's
// parameters, of which the first `inputs` are given and the others are made. Returns when all
// devices' calls are over: NULL, or what went wrong, to be freed; findings of checks are no failure
// of a call that goes on, nor are devices that do not come of one that misses them. From any
// thread.
char *devices_call(Devices *devices, const prt_entry *entry, prt_machine *machine, int64_t run_id,
                   int position, void *const *arrays, size_t inputs, bool goes_on, bool misses);

// Whether a device has not come to a kernel on this machine since the last question, in calls that
// miss them; text then says which.
PRT_API bool pallasc_ffi_devices_missed(const prt_machine *machine, char *text, size_t size);
