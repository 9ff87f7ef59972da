// SPDX-License-Identifier: Apache-2.0
// The % operator of strings: "%-5.2f of %(name)s" % values (builtin_percent.c).
#pragma once
#include "python/objects/evaluator.h"

Str percent_format(Eval *ev, Str format, Value args); // format % args
