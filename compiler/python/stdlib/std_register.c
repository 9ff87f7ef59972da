// SPDX-License-Identifier: Apache-2.0
// The language's own table of modules: those that are provided, those that are only names, and what
// a file knows without an import.
#include "python/modules/module.h"

#define MODULE(symbol) extern const ModuleDef symbol;
#include "std_modules.def"
#undef MODULE

static const ModuleDef *const defs[] = {
#define MODULE(symbol) &symbol,
#include "std_modules.def"
#undef MODULE
};

static const char *const absent[] = {
#define ABSENT(name) name,
#include "std_absent.def"
#undef ABSENT
};

static const CustomaryName customary[] = {{"partial", "functools", "partial"}};

static const ModuleTable table = {
    .defs = defs,
    .count = COUNT_OF(defs),
    .absent = absent,
    .absent_count = COUNT_OF(absent),
    .customary = customary,
    .customary_count = COUNT_OF(customary),
};

void std_register(Eval *ev) { modules_register(ev, &table); }
