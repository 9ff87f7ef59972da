// SPDX-License-Identifier: Apache-2.0
// Vectors each lane of which takes an element of memory at an offset of its own, known at run time.
#pragma once
#include "codegen/emit/gen.h"

// The offset of a lane, an i64 in elements.
typedef Value (*LaneOffset)(LlvmGen *g, const void *data, unsigned lane);
// Of a vector of `type` the first `active` lanes, by a load for each.
Value gen_pick_apart(LlvmGen *g, Type type, Value base, LaneOffset offset_at, const void *data,
                     unsigned active);
// By offsets in a vector of i32: by one instruction where that is quick. Lanes behind the first
// `active` ones are anything, and so are those where the mask (NULL: all on) is off.
Value gen_pick(LlvmGen *g, Type type, Value base, Value offsets, Value mask, unsigned active);
