// SPDX-License-Identifier: Apache-2.0
// The folder of the project that tests belong to (test_root.c).
#pragma once
#include "driver/options/options.h"

// What the settings for pytest, conftest files and the names of tests start from, as pytest looks
// for it: from the folder that all of `inputs` (FILE, FOLDER or FILE::NAME; none: the current
// folder) lie in, upwards. `has_settings`: whether a file of it may hold settings. An absolute
// path, or empty: it is the current folder.
Str test_root(Arena *arena, const StrList *inputs, bool *has_settings);
