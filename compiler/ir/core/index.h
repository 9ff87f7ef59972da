// SPDX-License-Identifier: Apache-2.0
// Ops that say by an index which part of a ref they are about.
#pragma once
#include "ops.h"

bool op_has_index(OpCode code); // accesses and views: that have the attribute `index`
