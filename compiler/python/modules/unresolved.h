// SPDX-License-Identifier: Apache-2.0
// What else a file names that is not there (unresolved.c).
#pragma once
#include "python/values/evaluator.h"

// Adds a note to the diagnostic of an exception, for each other name and attribute of a
// module that the file reads and that nothing provides.
void unresolved_report(Eval *ev, Diag *diag, const ExceptionObject *exception);
