// SPDX-License-Identifier: Apache-2.0
// The % operator of strings: "%-5.2f of %(name)s" % values (builtin_percent.c).
#pragma once
#include "python/values/evaluator.h"

// format % args. The conversions of bytes take and give bytes.
Str percent_format(Eval *ev, Str format, Value args, bool of_bytes);
