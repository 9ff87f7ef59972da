// SPDX-License-Identifier: Apache-2.0
// The module contextlib is written in the language; here is what it lacks.
#include "python/modules/module.h"

static const NotSupported contextlib_missing[] = {
    {"asynccontextmanager", "there is no async at trace time"},
    {"AsyncExitStack", "there is no async at trace time"},
    {NULL, NULL},
};

const ModuleDef module_contextlib = {.name = "contextlib", .not_supported = contextlib_missing};
