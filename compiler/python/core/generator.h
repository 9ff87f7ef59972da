// SPDX-License-Identifier: Apache-2.0
// Generators: of functions that yield, and of generator expressions (comprehension.c). A body that
// is left between its statements alone is gone on with from there (resume.c); others run on stacks
// of their own (generator.c).
#pragma once
#include "python/objects/coroutine.h"

typedef enum GeneratorState {
  GENERATOR_CREATED,
  GENERATOR_SUSPENDED,
  GENERATOR_RUNNING,
  GENERATOR_CLOSED
} GeneratorState;

typedef struct Generator {
  Object base;
  Name name, qualname;
  Function *function; // or NULL: of an expression
  Span made_at;       // the call, of a function
  GeneratorState state;
  // Goes on to the next item, which is put in *out, as is what is raised.
  CoroutineEnd (*step)(Eval *ev, struct Generator *g, Value *out);
  Value sent;     // what `yield` is to give
  Value thrown;   // what it is to raise; V_UNBOUND: nothing
  Value result;   // of `return`
  Value delegate; // that `yield from` goes over, or V_UNBOUND
  bool is_abandoned;
} Generator;

void generator_init(Eval *ev);
// The call of a function that yields, in a coroutine; the arguments are in env. `run` evaluates its
// body in a frame of its own.
Value generator_new(Eval *ev, Function *f, Env *env, Value (*run)(Eval *ev, Function *f, Env *env));
void generator_start(Eval *ev, Generator *g, Name name, Name qualname,
                     CoroutineEnd (*step)(Eval *ev, Generator *g, Value *out));
void generator_start_function(Eval *ev, Generator *g, Function *f, Env *env,
                              CoroutineEnd (*step)(Eval *ev, Generator *g, Value *out));
// Raises what was thrown into it, inside of it. `handles_own`: its body is handling an exception.
_Noreturn void generator_raise_thrown(Eval *ev, Generator *g, bool handles_own);
// Goes on with one that is created or suspended; raises nothing. What came out of a body that
// COROUTINE_RAISED is raised by generator_raise_end.
CoroutineEnd generator_step(Eval *ev, Generator *g, Value *out);
_Noreturn void generator_raise_end(Eval *ev, Value raised);
// Passes what was sent or thrown on to what `yield from` goes over. False at its end; then
// ev->core->stop_value is what it returned.
bool generator_delegate_next(Eval *ev, Value iterator, Value sent, Value thrown, Value *out);
// `yield value` and `yield from iterable` of the generator that runs: what they give.
Value generator_yield(Eval *ev, Value value);
Value generator_delegate(Eval *ev, Value iterable);
// As `yield`, in a call that the body of that generator is in. False: it is not that one's stack
// that runs.
bool generator_leave_call(Eval *ev, Value generator);
// generator_close_all leaves out this one.
void generator_abandon(Value generator);
void generator_close(Eval *ev, Generator *g);
// The generator that the call at `place` made, which nobody else knows; or NULL.
Generator *generator_made_at(const Eval *ev, Value v, Span place);
// It may be suspended where `try` or `with` is around it.
void generator_remember(Eval *ev, Generator *g);
// Closes all of those that are suspended, the oldest first: their `finally` blocks run.
void generator_close_all(Eval *ev);
