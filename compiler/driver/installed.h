// SPDX-License-Identifier: Apache-2.0
// Files that are built and installed with the program.
#pragma once
#include "base/session.h"

// The first of `places`, relative to the program's own folder, that can be read; empty if there is
// none.
Str installed_find(Session *session, size_t count, const char *const *places);
