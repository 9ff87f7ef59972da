// SPDX-License-Identifier: Apache-2.0
// The functions of code in this process, for profilers.
#pragma once
#include <llvm-c/LLJIT.h>
#include "base/session.h"

// Adds the functions of an object, which was added to `lljit`, to this process's map. False after a
// diagnostic.
bool perf_map_add(Session *session, LLVMOrcLLJITRef lljit, Str object);
