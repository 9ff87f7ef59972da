// SPDX-License-Identifier: Apache-2.0
// The evaluator's life: making it, running the main module, exceptions that nobody catches
// (eval.c).
#pragma once
#include "python/values/evaluator.h"

Eval *eval_new(Session *session, const EvalOptions *options);
// Runs a parsed file as the main module. False after diagnostics.
bool eval_main(Eval *ev, Module *module);
// Calls body under eval_try; an exception that comes out becomes a diagnostic. False if there was
// one.
bool eval_protect(Eval *ev, void (*body)(Eval *, void *), void *data);
// From any thread: KeyboardInterrupt is raised at the program's next step (raise.c).
void eval_interrupt(Eval *ev, int signal);
// What was asked for by that is done: somebody else raises it.
void eval_interrupted(Eval *ev);
