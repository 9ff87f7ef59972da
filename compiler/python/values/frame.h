// SPDX-License-Identifier: Apache-2.0
// Environments of running functions, which are used again, and the frames of calls (frame.c).
#pragma once
#include "evaluator.h"

void frame_push(Eval *ev, Frame *frame);
Env *env_new(Eval *ev, const Scope *scope, Env *outer);
void env_release(Eval *ev, Env *env);
// A closure has it: it and those around it, comprehensions too, outlive the calls.
void env_keep(Env *env);
