// SPDX-License-Identifier: Apache-2.0
// Evaluation that can be left in its middle and gone on with later: on a C stack of its own. One
// runs at a time; who resumes another waits for it, so they nest as calls do.
#pragma once
#include "python/values/evaluator.h"

typedef struct Coroutine Coroutine;
typedef struct CoroutineStack CoroutineStack;
typedef enum CoroutineEnd {
  COROUTINE_SUSPENDED, // the body has called coroutine_suspend
  COROUTINE_RETURNED,  // the body is done
  COROUTINE_RAISED     // an exception came out of it: in *exception
} CoroutineEnd;

// Nothing runs yet. `owner`: the object that alone resumes it; with it the stack goes.
Coroutine *coroutine_new(Eval *ev, const Object *owner, void (*body)(Eval *, void *), void *data);
// Runs the body, from its begin or from where it was left. Not for one that runs or has ended. A
// stack that there is no memory for is a MemoryError.
CoroutineEnd coroutine_resume(Eval *ev, Coroutine *coroutine, Value *exception);
// Leaves the body of the one that runs; comes back when it is resumed. ev->frame must be the one
// that the body has pushed.
void coroutine_suspend(Eval *ev);
// The data of the one that runs.
void *coroutine_running(const Eval *ev);
// Whether an exception is being handled that what runs has caught itself.
bool coroutine_handles_own(const Eval *ev);
