// SPDX-License-Identifier: Apache-2.0
// Which stores may go past the caches.
#pragma once
#include "ir/core/ir.h"
#include "plan.h"

// Whether nothing in the function but one access, through this ref, knows the memory: an output
// that is only written.
bool stream_is_only_written(const IrValue *ref);
bool stream_wanted(const PlanOptions *options, const Root *root);
