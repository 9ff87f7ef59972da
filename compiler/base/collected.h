// SPDX-License-Identifier: Apache-2.0
// Arenas that are collected (heap.c, heap_mark.c).
#pragma once
#include "base.h"

// An arena whose objects are reclaimed, some while after nothing points at them any more: while it
// allocates it now and then marks what can be reached and reuses the rest. Roots are the memory of
// all arenas of its tree, the stack of the thread that allocates from the caller's `stack_end`
// down, its registers, and the stacks that sleep. Whatever looks like an address in an object, its
// inside included, keeps the object; objects do not move. Pointers elsewhere (malloc, other
// threads) keep nothing. Marks are not for such an arena: a release of one frees nothing. It knows
// of no other such arena, and no signal and no other thread is involved.
Arena *arena_new_collected(Arena *parent, const void *stack_end);
// Memory that will hold no pointers: not looked through. Like arena_alloc in all other arenas.
void *arena_alloc_bytes(Arena *arena, size_t size);
// The same with contents that are not known, at a multiple of 64 bytes.
void *arena_alloc_buffer(Arena *arena, size_t size);

// A stack that sleeps while another one runs.
typedef struct ArenaStack {
  // The caller's: the object that alone can wake it, so that the stack lives as long as that (NULL:
  // always), and what is reported when that was not found. It may not allocate; the object is
  // intact.
  const void *owner;
  void (*lost)(struct ArenaStack *stack); // or NULL
  struct ArenaStack *next, *previous;
  const char *low, *high;
  bool is_seen; // by the marking that goes on
} ArenaStack;
// The stack of the caller goes to sleep from its frame up, and the one that ends at `end` runs.
void arena_stack_leave(Arena *arena, ArenaStack *left, const void *end);
// The stack that slept runs again. Between the two there is only the switch from one to the other.
void arena_stack_resume(Arena *arena, ArenaStack *left);

typedef struct ArenaUse {
  size_t live; // bytes that the last collection found
  size_t collections;
  size_t looked; // bytes that the last one went through
  size_t since;  // bytes handed out after it
} ArenaUse;
ArenaUse arena_use(const Arena *arena);
void arena_collect(Arena *arena); // nothing for other arenas
// What points to an object without keeping it: a collection that does not reach the object sets it
// to NULL. In an arena that is not collected it stays.
typedef struct ArenaWeak {
  void *object;
  struct ArenaWeak *next; // of the arena
} ArenaWeak;
ArenaWeak *arena_weak(Arena *arena, void *object);
// After each marking `forget` is called, once for all, which may ask what was reached, and may not
// allocate. Two for each arena at the most.
void arena_on_collection(Arena *arena, void (*forget)(void *data), void *data);
bool arena_is_reached(const Arena *arena, const void *object); // true for what lies elsewhere
// New names live in an arena that is collected from now on, and only as long as it reaches them.
void interner_collect(Interner *interner, Arena *collected);
// What the evaluator has made of a name, in that arena: forgotten when nothing else has it.
void name_set_object(Interner *interner, Name name, void *object);
// Another evaluator begins: the objects of all names are forgotten, and those that are made from
// now on are its own. One that owned them before may not run again.
void interner_own_objects(Interner *interner, const void *owner);
bool interner_is_owned_by(const Interner *interner, const void *owner);
// The object is garbage: whatever still points into it is not followed any more. Large ones are
// used again at once, others after the next collection.
void arena_discard(Arena *arena, const void *object);
// The bytes of the object that this is the begin of; 0: it is none.
size_t arena_object_size(const Arena *arena, const void *object);
