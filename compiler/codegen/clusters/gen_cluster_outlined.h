// SPDX-License-Identifier: Apache-2.0
// Identical clusters as calls of one function.
#pragma once
#include "gen_cluster.h"

// If the source was unrolled and there has been an identical one. False if it is still to be
// planned.
bool cluster_call_outlined(ClusterCode *c);
