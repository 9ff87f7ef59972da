// SPDX-License-Identifier: Apache-2.0
// What AddressSanitizer knows of stacks that are switched; nothing without it.
#pragma once
#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define STACK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STACK_ASAN 1
#endif
#endif
#ifdef STACK_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

typedef struct StackFiber {
  const void *bottom; // of the stack
  size_t size;
  void *fake; // ASan's own, while it sleeps
} StackFiber;

static inline StackFiber fiber_new(const void *bottom, size_t size) {
  return (StackFiber){bottom, size, NULL};
}

// Just before the switch.
static inline void fiber_leave(StackFiber *from, const StackFiber *to) {
#ifdef STACK_ASAN
  __sanitizer_start_switch_fiber(&from->fake, to->bottom, to->size);
#else
  (void)from, (void)to;
#endif
}

// Just behind it: the stack `to` runs, and `from` is known now.
static inline void fiber_enter(const StackFiber *to, StackFiber *from) {
#ifdef STACK_ASAN
  __sanitizer_finish_switch_fiber(to->fake, &from->bottom, &from->size);
#else
  (void)from, (void)to;
#endif
}

// Just before the switch to `to` from a stack that is not gone back to.
static inline void fiber_end(const StackFiber *to) {
#ifdef STACK_ASAN
  __sanitizer_start_switch_fiber(NULL, to->bottom, to->size);
#else
  (void)to;
#endif
}

// The frames of a stack that will not be gone back to.
static inline void fiber_forget(void *bottom, size_t size) {
#ifdef STACK_ASAN
  __asan_unpoison_memory_region(bottom, size);
#else
  (void)bottom, (void)size;
#endif
}
