// SPDX-License-Identifier: Apache-2.0
// Broadcasting by NumPy's rules.
#pragma once
#include "nd.h"

NdArray *nd_broadcast(Eval *ev, const NdArray *nd, size_t rank,
                      const int64_t *dims); // a read-only view; raises if it does not fit
NdArray *nd_broadcast_opt(Eval *ev, const NdArray *nd, size_t rank,
                          const int64_t *dims); // NULL if it does not fit
// The common shape of several shapes by NumPy's rule; false if there is none.
bool nd_common_shape(size_t count, NdArray *const *arrays, uint8_t *rank, int64_t *dims);
