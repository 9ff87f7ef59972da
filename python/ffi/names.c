// SPDX-License-Identifier: Apache-2.0
// What programs of XLA name by a number: entry points, machines, places where devices meet. A name
// is made of what it stands for, so that a program that another process has compiled, and left in a
// cache, has those of this one.
// In: names and their objects, from Python, while programs are lowered. Out: the objects, on each
// call, from any thread.
// Locks: names_lock protects what is written; readers take none. A table that has become too small
// stays, for there may be readers in it.
#include "names.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef struct Slot {
  _Atomic uint64_t name; // 0: free. Written behind the object
  void *object;
} Slot;

typedef struct Table {
  size_t mask, count; // at most half of the slots are used
  Slot slots[];
} Table;

static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic(Table *) names;

static Slot *find(Table *table, uint64_t name) {
  for (size_t at = name & table->mask;; at = (at + 1) & table->mask) {
    uint64_t there = atomic_load_explicit(&table->slots[at].name, memory_order_acquire);
    if (there == name || !there) return &table->slots[at];
  }
}

static void put(Table *table, uint64_t name, void *object) {
  Slot *slot = find(table, name);
  if (slot->name) return;
  slot->object = object;
  atomic_store_explicit(&slot->name, name, memory_order_release);
  table->count++;
}

// One with room for a further name, which holds what the old one does; NULL: no memory.
static Table *with_room(Table *old) {
  if (old && 2 * (old->count + 1) <= old->mask + 1) return old;
  size_t slots = old ? 2 * (old->mask + 1) : 64;
  Table *table = calloc(1, sizeof *table + slots * sizeof table->slots[0]);
  if (!table) return NULL;
  table->mask = slots - 1;
  for (size_t i = 0; old && i <= old->mask; i++)
    if (old->slots[i].name) put(table, old->slots[i].name, old->slots[i].object);
  return table;
}

bool pallasc_ffi_name(uint64_t name, void *object) {
  pthread_mutex_lock(&names_lock);
  Table *table = with_room(atomic_load_explicit(&names, memory_order_relaxed));
  if (table) {
    put(table, name, object);
    atomic_store_explicit(&names, table, memory_order_release);
  }
  pthread_mutex_unlock(&names_lock);
  return table != NULL;
}

void *named(uint64_t name) {
  Table *table = atomic_load_explicit(&names, memory_order_acquire);
  Slot *slot = table && name ? find(table, name) : NULL;
  return slot && slot->name ? slot->object : NULL;
}
