// SPDX-License-Identifier: Apache-2.0
// Elements that the program never wrote, under `check`: who reads them, and where they go.
#pragma once
#include "nd.h"

// The program looks at the data of an array, or at element i of it: a finding if that was never
// written.
void nd_look_at(Eval *ev, const NdArray *nd);
void nd_look_at_element(Eval *ev, const NdArray *nd, int64_t i);
bool nd_is_partly_unwritten(const Eval *ev, const NdArray *nd);
// Each element of `to` comes from the one of `from` in the same place; `to` is contiguous, of the
// same shape.
void nd_moved(Eval *ev, const NdArray *to, const NdArray *from);
