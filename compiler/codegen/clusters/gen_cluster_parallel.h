// SPDX-License-Identifier: Apache-2.0
// Clusters on several threads.
#pragma once
#include "gen_cluster.h"

// If that pays. False if nothing was emitted.
bool cluster_emit_pieces(ClusterCode *c);
