// SPDX-License-Identifier: Apache-2.0
// Identical clusters as calls of one function.
#pragma once
#include "ir/core/ir.h"
#include "gen_cluster.h"

// If the source was unrolled and another cluster does the same. False if it is still to be planned.
bool cluster_call_outlined(ClusterCode *c);
// Before a function is emitted: which of its clusters do the same.
void cluster_count_twins(LlvmGen *g, IrFunc *func);
