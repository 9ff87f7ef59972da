// SPDX-License-Identifier: Apache-2.0
// Results of a cluster in the memory of what it is made from.
#pragma once
#include "gen_cluster.h"

// Between cluster_plan and cluster_prepare.
void cluster_take_over(ClusterCode *c);
