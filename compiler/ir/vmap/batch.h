// SPDX-License-Identifier: Apache-2.0
// vmap as a transformation of a traced region (batch.c; here and not in passes/ because the tracer
// uses it).
#pragma once
#include "ir/core/ir.h"

// Clones the ops of `region` (whose terminator is a yield) at `b` with a leading batch dimension of
// `size` on every value that depends on a batched argument. `args[i]` is the value for region
// argument i: batched along dimension 0 iff batched[i]. Refs and launches are batched as jax.vmap
// batches pallas_call: a leading parallel grid dimension, block specs and index maps extended;
// scratch stays.
// results[i] is the yielded value, always batched along dimension 0 (broadcast if it did not
// depend). An op without a batching rule gives a diagnostic and false.
bool batch_region(IrBuilder *b, IrRegion *region, int64_t size, IrValue *const *args,
                  const bool *batched, IrValue **results);
