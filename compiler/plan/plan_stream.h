// SPDX-License-Identifier: Apache-2.0
// Which stores may go past the caches.
#pragma once
#include "ir/core/ir.h"
#include "plan.h"

bool stream_wanted(const PlanOptions *options, const Root *root);
