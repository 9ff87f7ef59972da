// SPDX-License-Identifier: Apache-2.0
// property, classmethod, staticmethod and mappingproxy (builtin_descr.c).
#pragma once
#include "python/values/evaluator.h"

Value make_mapping_proxy(Eval *ev, Value mapping);
void builtin_descr_init(Eval *ev);
