// SPDX-License-Identifier: Apache-2.0
// Files that are built and installed with the program.
#pragma once
#include "base/session.h"

// The first of `places`, relative to the program's own folder, that can be read; empty if there is
// none.
Str installed_find(Session *session, size_t count, const char *const *places);
// What tells this build of the program, or the library, from others: where it lies, its size and
// when it was written.
Str installed_identity(Session *session);
