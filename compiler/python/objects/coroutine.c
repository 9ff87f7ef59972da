// SPDX-License-Identifier: Apache-2.0
// Coroutines: a stack each, entered by makecontext and switched by setjmp. What belongs to the code
// that runs (frame, span, handlers, the exception being handled, where memory that runs out leaves
// to) is exchanged at each switch. Stacks are taken when a body begins and kept for the next one
// when it ends. What lists stacks is at their top, where the collector does not look: what is in a
// list is not needed for that.
#undef _FORTIFY_SOURCE // its longjmp refuses to change stacks
#include "base/collected.h"
#include "coroutine.h"
#include <stddef.h>
#include <ucontext.h>

#include "python/values/evaluator_state.h"
#include "python/values/new_value.h"
#include "python/values/stack_asan.h"
#include "protocol.h"

#define STACK_SIZE  ((size_t)64 << 20) // of addresses: the system gives memory as it is touched
#define STACK_GUARD ((size_t)1 << 16)
// Below this there is room for natives, as on the evaluator's first stack.
#define STACK_ROOM (STACK_SIZE / 4)

// What is exchanged.
typedef struct Running {
  Frame *frame;
  Span span;
  Handler *handler;
  Value exception;
  const char *stack_limit;
  jmp_buf *oom;
  jmp_buf place;
  StackFiber fiber;
} Running;

struct CoroutineStack {
  Mapping *mapping;
  ArenaStack inside, outside; // while they sleep
  Coroutine *user;
  ucontext_t begin;     // not on the stack that is left: nothing is removed from there
  jmp_buf next_body;    // where the function at the bottom waits for another one, if …
  bool is_begun;        // … it has run one to its end
  CoroutineStack *next; // of those that are to be used again
};

struct Coroutine {
  Eval *ev;
  void (*body)(Eval *, void *);
  void *data;
  CoroutineStack *stack; // NULL before the begin and behind the end
  const Object *owner;
  Running inside, outside;
  Coroutine *outer; // the one that resumed it
  Handler *base;    // of all handlers inside
  Value entered;    // the exception that was being handled outside
  bool out_of_memory;
  CoroutineEnd end;
  Value error;
};

// ---- stacks -------------------------------------------------------------------------------------
static void lose(ArenaStack *sleeping);

static CoroutineStack *stack_new(Eval *ev) {
  Mapping *mapping = session_map(ev->session, STACK_SIZE, STACK_GUARD);
  if (!mapping) return NULL;
  size_t room = (sizeof(CoroutineStack) + 63) / 64 * 64;
  CoroutineStack *stack = (CoroutineStack *)(void *)(mapping->memory + mapping->size - room);
  stack->mapping = mapping;
  return stack;
}

static CoroutineStack *take_stack(Eval *ev, Coroutine *c) {
  struct EvalCore *core = ev->core;
  if (!core->spare_stacks && core->stack_count >= core->most_stacks + SPARE_STACKS) {
    arena_collect(ev->arena); // of generators that nobody goes on with
    core->most_stacks = 2 * core->stack_count;
  }
  CoroutineStack *stack = core->spare_stacks;
  if (stack) {
    core->spare_stacks = stack->next;
    core->spare_stack_count--;
  } else {
    stack = stack_new(ev);
    if (!stack) return NULL;
  }
  stack->user = c;
  stack->inside = (ArenaStack){0};
  stack->outside = (ArenaStack){0};
  stack->inside.owner = c->owner;
  stack->inside.lost = lose;
  core->stack_count++;
  return stack;
}

static void give_stack(Eval *ev, CoroutineStack *stack) {
  struct EvalCore *core = ev->core;
  stack->user->stack = NULL;
  core->stack_count--;
  if (core->spare_stack_count < SPARE_STACKS) {
    stack->next = core->spare_stacks;
    core->spare_stacks = stack;
    core->spare_stack_count++;
  } else {
    session_unmap(ev->session, stack->mapping);
  }
}

static void lose(ArenaStack *sleeping) {
  CoroutineStack *stack =
      (CoroutineStack *)(void *)((char *)sleeping - offsetof(CoroutineStack, inside));
  fiber_forget(stack->mapping->memory, (size_t)((char *)stack - stack->mapping->memory));
  give_stack(stack->user->ev, stack);
}

// ---- switching ----------------------------------------------------------------------------------
static void save(Eval *ev, Running *r) {
  r->frame = ev->frame;
  r->span = ev->span;
  r->handler = ev->handler;
  r->exception = ev->exception;
  r->stack_limit = ev->core->stack_limit;
  r->oom = ev->session->oom;
}

static void restore(Eval *ev, const Running *r) {
  ev->frame = r->frame;
  ev->span = r->span;
  ev->handler = r->handler;
  ev->exception = r->exception;
  ev->core->stack_limit = r->stack_limit;
  ev->session->oom = r->oom;
}

// The registers are on the stack before it is said to sleep, where the collector looks for objects:
// in a jmp_buf they are not always as they are.
__attribute__((noinline)) static void leave(Eval *ev, Running *from, Running *to, ArenaStack *left,
                                            const char *end) {
  __builtin_unwind_init();
  arena_stack_leave(ev->arena, left, end);
  fiber_leave(&from->fiber, &to->fiber);
  if (setjmp(from->place) == 0) longjmp(to->place, 1);
  fiber_enter(&from->fiber, &to->fiber);
  arena_stack_resume(ev->arena, left);
}

// ---- the body -----------------------------------------------------------------------------------
static void run_body(Eval *ev, void *data) {
  Coroutine *c = data;
  c->base = ev->handler;
  c->body(ev, c->data);
}

// Memory that runs out inside leaves through here, and is reported again outside.
static void run_guarded(Coroutine *c) {
  jmp_buf no_memory;
  c->ev->session->oom = &no_memory;
  if (setjmp(no_memory) == 0)
    c->end = eval_try(c->ev, run_body, c, &c->error) ? COROUTINE_RETURNED : COROUTINE_RAISED;
  else
    c->out_of_memory = true;
}

static void run_user(const CoroutineStack *stack) {
  Coroutine *c = stack->user;
  fiber_enter(&c->inside.fiber, &c->outside.fiber);
  run_guarded(c);
  fiber_end(&c->outside.fiber);
}

// Runs a body for each coroutine that takes the stack: contexts are made by the system, and slowly.
// makecontext passes ints only: the pointer comes in two halves.
static void enter(unsigned high, unsigned low) {
  CoroutineStack *stack = (CoroutineStack *)((uintptr_t)high << 32 | low);
  for (;;) {
    run_user(stack);
    stack->is_begun = true;
    if (setjmp(stack->next_body) == 0) longjmp(stack->user->outside.place, 1);
  }
}

static char *stack_end(const Coroutine *c) { return (char *)c->stack; }

static void begin(Coroutine *c) {
  if (c->stack->is_begun) longjmp(c->stack->next_body, 1);
  ucontext_t *context = &c->stack->begin;
  if (getcontext(context) != 0) BUG("getcontext failed");
  context->uc_stack.ss_sp = c->stack->mapping->memory;
  context->uc_stack.ss_size = (size_t)(stack_end(c) - c->stack->mapping->memory);
  context->uc_link = NULL;
  uintptr_t at = (uintptr_t)c->stack;
  makecontext(context, (void (*)(void))enter, 2, (unsigned)(at >> 32), (unsigned)at);
  setcontext(context);
  BUG("setcontext failed");
}

__attribute__((noinline)) static void leave_to_begin(Coroutine *c) {
  __builtin_unwind_init();
  Running *from = &c->outside;
  arena_stack_leave(c->ev->arena, &c->stack->outside, stack_end(c));
  char *bottom = c->stack->mapping->memory;
  c->inside.fiber = fiber_new(bottom, (size_t)(stack_end(c) - bottom));
  fiber_leave(&from->fiber, &c->inside.fiber);
  if (setjmp(from->place) == 0) begin(c);
  fiber_enter(&from->fiber, &c->inside.fiber);
  arena_stack_resume(c->ev->arena, &c->stack->outside);
}

// ---- for others ---------------------------------------------------------------------------------
Coroutine *coroutine_new(Eval *ev, const Object *owner, void (*body)(Eval *, void *), void *data) {
  Coroutine *c = ARENA_NEW(ev->arena, Coroutine);
  c->ev = ev;
  c->body = body;
  c->data = data;
  c->owner = owner;
  return c;
}

// What runs inside is called from here now. An exception that it does not handle itself is the one
// that is handled here.
static void connect(Eval *ev, Coroutine *c) {
  Running *in = &c->inside;
  c->base->frame = ev->frame;
  c->base->env = ev->frame->env;
  c->base->span = ev->span;
  c->base->handled = ev->exception;
  in->frame->caller = ev->frame;
  in->frame->call = ev->span;
  in->frame->depth = ev->frame->depth + 1;
  if (in->exception.kind == V_UNBOUND) in->exception = ev->exception;
  c->entered = ev->exception;
}

CoroutineEnd coroutine_resume(Eval *ev, Coroutine *c, Value *exception) {
  bool begins = !c->stack;
  if (begins) c->stack = take_stack(ev, c);
  if (!c->stack) {
    *exception = v_object(
        exception_new(ev, ev->types.MemoryError, STR("no memory for the stack of a generator")));
    return COROUTINE_RAISED;
  }
  c->outer = ev->core->coroutine;
  ev->core->coroutine = c;
  c->end = COROUTINE_SUSPENDED;
  save(ev, &c->outside);
  if (begins) {
    c->entered = ev->exception;
    ev->core->stack_limit = c->stack->mapping->memory + STACK_ROOM;
    leave_to_begin(c);
  } else {
    connect(ev, c);
    restore(ev, &c->inside);
    leave(ev, &c->outside, &c->inside, &c->stack->outside, stack_end(c));
  }
  ev->core->coroutine = c->outer;
  restore(ev, &c->outside);
  if (c->out_of_memory) longjmp(*ev->session->oom, 1);
  if (c->end == COROUTINE_SUSPENDED) return c->end;
  give_stack(ev, c->stack);
  *exception = c->error;
  return c->end;
}

void coroutine_suspend(Eval *ev) {
  Coroutine *c = ev->core->coroutine;
  save(ev, &c->inside);
  if (c->inside.exception.kind == V_OBJECT && value_is(c->inside.exception, c->entered))
    c->inside.exception = v_unbound();
  leave(ev, &c->inside, &c->outside, &c->stack->inside, c->stack->outside.high);
}

void *coroutine_running(const Eval *ev) { return ev->core->coroutine->data; }

bool coroutine_handles_own(const Eval *ev) {
  return ev->exception.kind == V_OBJECT && !value_is(ev->exception, ev->core->coroutine->entered);
}
