// SPDX-License-Identifier: Apache-2.0
// Calls of ThreadSanitizer at accesses.
#pragma once
#include "codegen/emit/gen.h"

void sanitize_threads(LlvmGen *g); // the whole module, when all else is done
