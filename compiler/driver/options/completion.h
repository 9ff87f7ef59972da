// SPDX-License-Identifier: Apache-2.0
// Completions for shells (completion.c).
#pragma once
#include <stdio.h>
#include "base/arena.h"

void completion_print(Arena *arena, FILE *out); // the source of one for bash
