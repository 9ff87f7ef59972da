// SPDX-License-Identifier: Apache-2.0
// The loops over a cluster's rows.
#pragma once
#include "gen_cluster.h"

// Of a kept value: of one row.
int64_t cluster_row_elements(const ClusterCode *c, const Kept *kept);
