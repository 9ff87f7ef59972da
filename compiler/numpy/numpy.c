// SPDX-License-Identifier: Apache-2.0
// The modules of arrays of the host, registered with the language.
#include "numpy.h"

#include "python/modules/module.h"

#define MODULE(symbol) extern const ModuleDef symbol;
#include "np_modules.def"
#undef MODULE

static const ModuleDef *const defs[] = {
#define MODULE(symbol) &symbol,
#include "np_modules.def"
#undef MODULE
};

static const CustomaryName customary[] = {{"np", "numpy", NULL}};

static const ModuleTable table = {
    .defs = defs,
    .count = COUNT_OF(defs),
    .customary = customary,
    .customary_count = COUNT_OF(customary),
};

void numpy_init(Eval *ev) { modules_register(ev, &table); }
