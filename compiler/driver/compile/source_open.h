// SPDX-License-Identifier: Apache-2.0
// A source that the command line names, and the file that was probably meant if there is none.
#pragma once
#include "base/session.h"

// The file that was probably meant by a path where there is none; empty if none was.
Str source_meant(Arena *arena, Str path);
// Whether it ends as sources do: .pk or .py.
bool source_has_ending(Str path);
// Reports why there is none, and gives NULL.
SourceFile *source_open(Session *session, Str path);
