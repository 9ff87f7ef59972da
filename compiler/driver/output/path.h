// SPDX-License-Identifier: Apache-2.0
// Paths.
#pragma once
#include "base/base.h"

Str path_file_name(Str path);  // without folders
bool path_is_stdout(Str path); // "-" is standard output
// A pipe, a terminal or a device, such as /dev/stdin, and what shells make of <(command).
bool path_is_stream(Arena *arena, Str path);
// The file's name without folders and its ending, with another ending.
Str path_with_ending(Arena *arena, Str path, const char *ending);
Str path_replace_ending(Arena *arena, Str path, const char *ending); // in the same folder
// The path that a file of this name has, or will have when it is made: without symbolic links.
Str path_real(Arena *arena, Str path);
