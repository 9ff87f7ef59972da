// SPDX-License-Identifier: Apache-2.0
// Places of the program that a value stands for: variables that it was bound to, and operations
// whose results it took the place of. They are for debuggers, are kept only where the module asks
// for it (IrModule.keeps_places), and are no part of the IR's text. And the calls that an op was
// traced through, as diagnostics show them.
#pragma once
#include "base/diag.h"
#include "ir.h"

typedef struct IrPlace {
  Name variable; // NULL: an operation
  Span span;
  const IrFrames *frames; // of the operation, or whose innermost function the variable is of
  const struct IrPlace *next;
} IrPlace;

// The value was bound to a variable of the innermost of `frames`.
void ir_place_bind(IrModule *module, IrValue *value, Name variable, Span span,
                   const IrFrames *frames);
// `with` takes the place of `old`, and so stands for all that `old` stands for. Where that is a
// constant or an argument, which have no place of their own in the code, variables alone are kept.
void ir_place_replace(IrModule *module, IrValue *with, const IrValue *old);
// Adds the calls to a diagnostic (NULL is ignored).
void ir_diag_frames(Session *session, Diag *diag, const IrFrames *frames);
