// SPDX-License-Identifier: Apache-2.0
// The evaluator's own C stack. Expression trees and Python calls recurse in C, so the limit of
// depth, which programs may set, must be reached before the stack ends. Its memory is reserved at
// once and taken from the system only as it is used.
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "base/collected.h"
#include "evaluator_state.h"
#include "stack.h"
#include "stack_asan.h"

#define LARGEST  ((size_t)1 << 30)
#define SMALLEST ((size_t)1 << 24)
#define GUARD    ((size_t)1 << 16)

typedef struct Switch {
  Eval *ev;
  void (*body)(Eval *, void *);
  void *data;
  ucontext_t outside, inside;
  volatile bool has_run; // getcontext comes back a second time when `inside` ends
  bool out_of_memory;
  ArenaStack left; // the stack outside
  StackFiber outside_fiber, inside_fiber;
} Switch;

// Memory that runs out inside leaves through here, and is reported again outside.
static void run_guarded(Switch *s) {
  Session *session = s->ev->session;
  jmp_buf no_memory;
  jmp_buf *outer = session->oom;
  session->oom = &no_memory;
  if (setjmp(no_memory) == 0)
    s->body(s->ev, s->data);
  else
    s->out_of_memory = true;
  session->oom = outer;
}

// makecontext passes ints only: the pointer comes in two halves.
static void enter(unsigned high, unsigned low) {
  Switch *s = (Switch *)((uintptr_t)high << 32 | low);
  fiber_enter(&s->inside_fiber, &s->outside_fiber);
  run_guarded(s);
  fiber_end(&s->outside_fiber);
}

static void switch_to(Switch *s, char *stack, size_t size) {
  if (getcontext(&s->inside) != 0) BUG("getcontext failed");
  s->inside.uc_stack.ss_sp = stack;
  s->inside.uc_stack.ss_size = size;
  s->inside.uc_link = &s->outside;
  uintptr_t at = (uintptr_t)s;
  makecontext(&s->inside, (void (*)(void))enter, 2, (unsigned)(at >> 32), (unsigned)at);
  s->inside_fiber = fiber_new(stack, size);
  fiber_leave(&s->outside_fiber, &s->inside_fiber);
  // Not swapcontext: under ASan it says on stderr that it is not sure of itself. The annotations
  // here are enough.
  if (getcontext(&s->outside) != 0) BUG("getcontext failed");
  if (!s->has_run) {
    s->has_run = true;
    arena_stack_leave(s->ev->arena, &s->left, stack + size);
    setcontext(&s->inside);
    BUG("setcontext failed");
  }
  fiber_enter(&s->outside_fiber, &s->inside_fiber);
  arena_stack_resume(s->ev->arena, &s->left);
}

static char *reserve(size_t *size) {
  for (*size = LARGEST; *size >= SMALLEST; *size /= 4) {
    void *memory = mmap(NULL, *size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) continue;
    if (mprotect(memory, GUARD, PROT_NONE) != 0) {
      munmap(memory, *size);
      continue;
    }
    return memory;
  }
  return NULL;
}

// Without a stack of our own: what is likely left of the system's.
static void run_here(Eval *ev, void (*body)(Eval *, void *), void *data) {
  struct rlimit limit;
  size_t size = (size_t)8 << 20;
  if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < size) size = limit.rlim_cur;
  ev->core->stack_limit = (const char *)__builtin_frame_address(0) - size / 2;
  body(ev, data);
}

void stack_run(Eval *ev, void (*body)(Eval *, void *), void *data) {
  struct EvalCore *core = ev->core;
  if (core->on_stack) {
    body(ev, data);
    return;
  }
  size_t size;
  char *stack = reserve(&size);
  core->on_stack = true;
  Switch s = {.ev = ev, .body = body, .data = data};
  if (stack) {
    // Below the limit there is room for natives, the parser of imported files and code generation.
    core->stack_limit = stack + GUARD + size / 16;
    switch_to(&s, stack + GUARD, size - GUARD);
    munmap(stack, size);
  } else {
    run_here(ev, body, data);
  }
  core->on_stack = false;
  core->stack_limit = NULL;
  if (s.out_of_memory) longjmp(*ev->session->oom, 1);
}
