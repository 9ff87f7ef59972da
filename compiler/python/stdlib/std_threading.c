// SPDX-License-Identifier: Apache-2.0
// The module threading is written in the language; here is what it lacks.
#include "python/modules/module.h"

static const NotSupported threading_missing[] = {{"Thread", "there are no threads at trace time"},
                                                 {NULL, NULL}};

const ModuleDef module_threading = {.name = "threading", .not_supported = threading_missing};
