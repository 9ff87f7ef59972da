// SPDX-License-Identifier: Apache-2.0
// Rows shorter than a register: which of them share vectors.
#pragma once
#include "plan.h"

// Where lane `lane` of a vector of several rows finds the node's element, from where lane 0 does.
int64_t plan_group_offset(const Loops *loops, const Affine *at, int64_t lane);
// Of a walk whose lane dimension is set: finds the dimension whose steps are rows of one vector,
// and how many there are, if that costs less than a vector for each row.
void plan_find_group(const PlanOptions *options, Walk *walk, unsigned lanes);
// Whether a load takes what lies side by side along the group from places farther apart than a
// vector, one for each element of a row: each is read by itself.
bool plan_group_has_planes(const Loops *loops, const Affine *at, unsigned lanes);
