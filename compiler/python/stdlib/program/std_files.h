// SPDX-License-Identifier: Apache-2.0
// Files and folders (std_files.c); what the system refuses, as an OSError.
#pragma once
#include "python/values/evaluator.h"

// `path`: of the file, or NULL.
NORETURN void raise_os(Eval *ev, int error, const char *text, const char *path);
NORETURN void raise_errno(Eval *ev, int error, const char *path);
