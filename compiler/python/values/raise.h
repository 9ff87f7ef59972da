// SPDX-License-Identifier: Apache-2.0
// Raising and catching: Python's exceptions as longjmps between eval_try and eval_raise_value
// (raise.c).
#pragma once
#include "evaluator.h"

NORETURN void eval_raise(Eval *ev, Type *type, const char *fmt, ...) PRINTF_LIKE(3, 4);
NORETURN void eval_raise_at(Eval *ev, Span span, Type *type, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
NORETURN void eval_raise_value(Eval *ev, Value exception);
// Runs body(ev, data). True if it returned; false if it raised, the exception then in *exception.
// The frame, span and handler are restored.
bool eval_try(Eval *ev, void (*body)(Eval *, void *), void *data, Value *exception);
// Counts a step; raises when the limit is reached. Called by loops and calls.
void eval_step(Eval *ev);
// Raises RecursionError when the C stack runs out: to be called by C functions that recurse over
// values (repr, hash, ==).
void eval_check_stack(Eval *ev);
// MemoryError if so many bytes at once do not fit: a program may go on without them.
void demand_memory(Eval *ev, size_t bytes);
NORETURN void raise_attribute(Eval *ev, Value object, Name name, const char *fmt, ...)
    PRINTF_LIKE(4, 5);
NORETURN void raise_import(Eval *ev, Type *type, Name name, Value module, Str hint, const char *fmt,
                           ...) PRINTF_LIKE(6, 7);
Name frame_function(const Frame *frame); // its name in tracebacks
// Adds the frames from the current one down to `end`, which is not among them.
void exception_add_frames(Eval *ev, ExceptionObject *exception, const Frame *end);
// Of each of its frames a dict of the local variables, or None; NULL: they were not kept
// (EvalCore.keeps_locals).
List *exception_locals(Eval *ev, const ExceptionObject *exception);
// The local variables of a call, a new dict.
Dict *env_names(Eval *ev, Env *env);
