// SPDX-License-Identifier: Apache-2.0
// super: a view of an object that looks names up behind a class in the MRO (super.c).
#pragma once
#include "python/values/evaluator.h"

void super_init(Eval *ev); // super.c
