// SPDX-License-Identifier: Apache-2.0
// What programs of XLA name by a number.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "prt.h"

// From now on the name, which is not 0, stands for the object, for the life of the process; if it
// stands for one already, for that. false: no memory.
PRT_API bool pallasc_ffi_name(uint64_t name, void *object);

// What a name stands for; NULL: nothing in this process.
void *named(uint64_t name);
