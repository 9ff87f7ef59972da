// SPDX-License-Identifier: Apache-2.0
// Arenas that are collected: what is reached stays as it is, the rest comes again.
#include <check.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>

#include "base/base.h"
#include "base/collected.h"
#include "suite.h"

typedef struct Node {
  struct Node *next, *other;
  size_t value, rest; // a cell's size as a whole
} Node;

typedef struct Case {
  Arena *parent, *arena;
  Node **root; // a word in the parent's memory
} Case;

static Case case_new(const void *stack_end) {
  Case c = {.parent = arena_new((OomHandler){0}, 0)};
  c.arena = arena_new_collected(c.parent, stack_end);
  c.root = ARENA_NEW(c.parent, Node *);
  return c;
}

// A chain of `count` nodes whose last one points at the first.
__attribute__((noinline)) static Node *make_ring(Arena *arena, size_t count) {
  Node *first = ARENA_NEW(arena, Node), *last = first;
  for (size_t i = 1; i < count; i++) {
    Node *node = ARENA_NEW(arena, Node);
    node->value = i;
    node->other = last;
    last = last->next = node;
  }
  last->next = first;
  return first;
}

__attribute__((noinline)) static void check_ring(const Node *first, size_t count) {
  const Node *node = first;
  for (size_t i = 0; i < count; i++, node = node->next) ck_assert_uint_eq(node->value, i);
  ck_assert_ptr_eq(node, first);
}

// What the calls of a test leave on the stack is no root of its later ones.
__attribute__((noinline)) static void clear_stack(void) {
  volatile char room[1 << 15];
  for (size_t i = 0; i < sizeof room; i++) room[i] = 0;
}

__attribute__((noinline)) static size_t live_after(Arena *arena) {
  clear_stack();
  arena_collect(arena);
  return arena_use(arena).live;
}

START_TEST(what_the_parents_memory_points_at_stays) {
  Case c = case_new(__builtin_frame_address(0));
  *c.root = make_ring(c.arena, 50000);
  for (int i = 0; i < 60; i++) make_ring(c.arena, 50000);
  ck_assert_uint_ge(live_after(c.arena), 50000 * sizeof(Node));
  for (int i = 0; i < 60; i++) make_ring(c.arena, 50000);
  check_ring(*c.root, 50000);
  ck_assert_uint_gt(arena_use(c.arena).collections, 1); // the others were not asked for
  arena_free(c.parent);
}
END_TEST

START_TEST(cycles_that_nothing_reaches_come_again) {
  Case c = case_new(__builtin_frame_address(0));
  make_ring(c.arena, 1000);
  size_t before = live_after(c.arena), most = 0;
  for (int i = 0; i < 2000; i++) {
    make_ring(c.arena, 5000);
    size_t footprint = arena_footprint(c.arena);
    if (footprint > most) most = footprint;
  }
  ck_assert_uint_lt(most, (size_t)128 << 20); // of 480 MB
  ck_assert_uint_lt(live_after(c.arena), before + 5000 * sizeof(Node) * 2);
  arena_free(c.parent);
}
END_TEST

// Memory of the system is dear where most of it would be garbage.
START_TEST(what_dies_young_takes_memory_by_steps) {
  Case c = case_new(__builtin_frame_address(0));
  for (int i = 0; i < 200; i++) make_ring(c.arena, 1000);
  ck_assert_uint_lt(arena_footprint(c.arena), (size_t)5 << 20);
  arena_free(c.parent);
}
END_TEST

START_TEST(memory_that_comes_again_is_zeroed) {
  Case c = case_new(__builtin_frame_address(0));
  static const size_t sizes[] = {1, 16, 40, 300, 8192, 8193, 70000, 1000000, 3000000};
  for (int round = 0; round < 40; round++)
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
      unsigned char *data =
          (round + i) % 2 ? arena_alloc(c.arena, sizes[i]) : arena_alloc_bytes(c.arena, sizes[i]);
      ck_assert_uint_eq((uintptr_t)data % 16, 0);
      size_t set = 0;
      for (size_t k = 0; k < sizes[i]; k++) set += data[k] != 0;
      ck_assert_uint_eq(set, 0);
      memset(data, 0xa5, sizes[i]);
      if (i == 4) arena_collect(c.arena);
    }
  arena_free(c.parent);
}
END_TEST

START_TEST(an_address_inside_keeps_the_whole_object) {
  Case c = case_new(__builtin_frame_address(0));
  static const size_t sizes[] = {24, 5000, 100000, 5000000};
  for (size_t i = 0; i < COUNT_OF(sizes); i++) {
    char *object = arena_alloc(c.arena, sizes[i]);
    ck_assert_uint_ge(arena_object_size(c.arena, object), sizes[i]);
    ck_assert_uint_eq(arena_object_size(c.arena, object + 1), 0);
    memset(object, 'x', sizes[i]);
    *c.root = (Node *)(object + sizes[i] - 1);
    object = NULL;
    for (int k = 0; k < 30; k++) memset(arena_alloc(c.arena, sizes[i]), 'y', sizes[i]);
    arena_collect(c.arena);
    for (int k = 0; k < 30; k++) memset(arena_alloc(c.arena, sizes[i]), 'z', sizes[i]);
    const char *end = (char *)*c.root;
    size_t kept = 0;
    for (size_t k = 0; k < sizes[i]; k++) kept += end[-(ptrdiff_t)k] == 'x';
    ck_assert_uint_eq(kept, sizes[i]);
  }
  arena_free(c.parent);
}
END_TEST

// Of 100 objects, `kept` of them known to a root.
__attribute__((noinline)) static void make_weaks(Case *c, ArenaWeak **weaks, size_t kept) {
  Node **known = arena_alloc(c->arena, 100 * sizeof(Node *));
  *c->root = (Node *)known;
  for (size_t i = 0; i < 100; i++) {
    Node *node = arena_alloc(c->arena, sizeof *node);
    weaks[i] = arena_weak(c->arena, node);
    if (i < kept) known[i] = node;
  }
}

static size_t count_alive(ArenaWeak **weaks, size_t from, size_t to) {
  size_t alive = 0;
  for (size_t i = from; i < to; i++) alive += weaks[i]->object != NULL;
  return alive;
}

START_TEST(weak_ones_keep_nothing) {
  Case c = case_new(__builtin_frame_address(0));
  ArenaWeak **weaks = arena_alloc(c.parent, 100 * sizeof *weaks);
  make_weaks(&c, weaks, 40);
  ck_assert_uint_eq(count_alive(weaks, 0, 100), 100);
  live_after(c.arena);
  ck_assert_uint_eq(count_alive(weaks, 0, 40), 40);
  ck_assert_uint_lt(count_alive(weaks, 40, 100), 10);
  ArenaWeak *plain = arena_weak(c.parent, &c);
  arena_collect(c.parent);
  ck_assert_ptr_eq(plain->object, &c);
  arena_free(c.parent);
}
END_TEST

// Twenty rings that only an object of this kind knows: bytes or words.
__attribute__((noinline)) static void make_known_rings(Case *c,
                                                       void *(*alloc)(Arena *arena, size_t size)) {
  Node **known = alloc(c->arena, 20 * sizeof(Node *));
  for (size_t i = 0; i < 20; i++) known[i] = make_ring(c->arena, 10000);
  *c->root = (Node *)known;
}

START_TEST(bytes_are_not_looked_through) {
  Case c = case_new(__builtin_frame_address(0));
  make_known_rings(&c, arena_alloc_bytes);
  // A word of a frame that has returned may keep one.
  ck_assert_uint_lt(live_after(c.arena), 3 * 10000 * sizeof(Node));
  make_known_rings(&c, arena_alloc);
  ck_assert_uint_ge(live_after(c.arena), 20 * 10000 * sizeof(Node));
  arena_free(c.parent);
}
END_TEST

START_TEST(buffers_are_aligned) {
  Case c = case_new(__builtin_frame_address(0));
  for (size_t size = 0; size < 5000000; size = size * 3 + 1) {
    char *buffer = arena_alloc_buffer(c.arena, size);
    ck_assert_uint_eq((uintptr_t)buffer % 64, 0);
    memset(buffer, 1, size);
  }
  arena_free(c.parent);
}
END_TEST

START_TEST(a_long_chain_needs_no_stack) {
  Case c = case_new(__builtin_frame_address(0));
  for (size_t i = 0; i < 3000000; i++) {
    Node *node = ARENA_NEW(c.arena, Node);
    node->next = *c.root;
    *c.root = node;
  }
  arena_collect(c.arena);
  size_t count = 0;
  for (const Node *node = *c.root; node; node = node->next) count++;
  ck_assert_uint_eq(count, 3000000);
  arena_free(c.parent);
}
END_TEST

// ---- stacks -------------------------------------------------------------------------------------
enum { STACK_SIZE = 1 << 17, RING = 100000 };

typedef struct Sleeper {
  Case *c;
  ArenaStack outside, inside;
  ucontext_t out, in;
  char *stack;
  bool is_good, is_lost;
} Sleeper;

static void sleep_with_a_ring(unsigned high, unsigned low) {
  Sleeper *s = (Sleeper *)((uintptr_t)high << 32 | low);
  const Node *ring = make_ring(s->c->arena, RING);
  arena_stack_leave(s->c->arena, &s->inside, NULL);
  swapcontext(&s->in, &s->out);
  arena_stack_resume(s->c->arena, &s->inside);
  check_ring(ring, RING);
  s->is_good = true;
}

static void wake(Sleeper *s) {
  arena_stack_leave(s->c->arena, &s->outside, s->stack + STACK_SIZE);
  swapcontext(&s->out, &s->in);
  arena_stack_resume(s->c->arena, &s->outside);
}

static void on_lost(ArenaStack *inside) {
  Sleeper *s = (Sleeper *)((char *)inside - offsetof(Sleeper, inside));
  s->is_lost = true;
}

// Sleeps at once with RING nodes that only its own stack knows, and the registers of it, which are
// saved where nobody looks.
static Sleeper *sleeper_new(Case *c, const void *owner) {
  Sleeper *s = calloc(1, sizeof *s);
  *s = (Sleeper){.c = c, .inside = {.owner = owner, .lost = on_lost}};
  s->stack = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ck_assert(s->stack != MAP_FAILED);
  getcontext(&s->in);
  s->in.uc_stack.ss_sp = s->stack;
  s->in.uc_stack.ss_size = STACK_SIZE;
  s->in.uc_link = &s->out;
  uintptr_t at = (uintptr_t)s;
  makecontext(&s->in, (void (*)(void))sleep_with_a_ring, 2, (unsigned)(at >> 32), (unsigned)at);
  wake(s);
  return s;
}

static void sleeper_free(Sleeper *s) {
  munmap(s->stack, STACK_SIZE);
  free(s);
}

START_TEST(a_sleeping_stack_keeps_what_it_knows) {
  Case c = case_new(__builtin_frame_address(0));
  Sleeper *s = sleeper_new(&c, NULL);
  ck_assert_uint_ge(live_after(c.arena), RING * sizeof(Node));
  make_ring(c.arena, RING);
  wake(s);
  ck_assert(s->is_good);
  ck_assert_uint_lt(live_after(c.arena), RING * sizeof(Node));
  sleeper_free(s);
  arena_free(c.parent);
}
END_TEST

enum { OWNED = 8 };

// The others' owners are kept by the first one's, which the root points at.
__attribute__((noinline)) static void make_owned(Case *c, Sleeper **made) {
  *c->root = ARENA_NEW(c->arena, Node);
  made[0] = sleeper_new(c, *c->root);
  for (size_t i = 1; i < OWNED; i++) {
    Node *owner = ARENA_NEW(c->arena, Node);
    owner->next = (*c->root)->next;
    (*c->root)->next = owner;
    made[i] = sleeper_new(c, owner);
  }
}

static size_t count_lost(Sleeper *const *sleepers) {
  size_t lost = 0;
  for (size_t i = 0; i < OWNED; i++) lost += sleepers[i]->is_lost;
  return lost;
}

START_TEST(a_stack_lives_as_long_as_its_owner) {
  Case c = case_new(__builtin_frame_address(0));
  Sleeper *sleepers[OWNED];
  make_owned(&c, sleepers);
  ck_assert_uint_ge(live_after(c.arena), OWNED * RING * sizeof(Node));
  ck_assert_uint_eq(count_lost(sleepers), 0);
  (*c.root)->next = NULL;
  live_after(c.arena);
  // Owners form a chain: a word of a frame that has returned keeps those behind it.
  ck_assert_uint_ge(count_lost(sleepers), 1);
  ck_assert(!sleepers[0]->is_lost);
  wake(sleepers[0]);
  ck_assert(sleepers[0]->is_good);
  for (size_t i = 0; i < OWNED; i++) sleeper_free(sleepers[i]);
  arena_free(c.parent);
}
END_TEST

// ---- failures -----------------------------------------------------------------------------------
static void leave(void *data) { longjmp(*(jmp_buf *)data, 1); }

START_TEST(the_limit_holds_and_what_is_free_is_looked_for_first) {
  jmp_buf out;
  Arena *parent = arena_new((OomHandler){leave, &out}, (size_t)32 << 20);
  Arena *arena = arena_new_collected(parent, __builtin_frame_address(0));
  Node **root = ARENA_NEW(parent, Node *);
  volatile int rounds = 0;
  if (setjmp(out) == 0) {
    for (; rounds < 100; rounds++) memset(arena_alloc(arena, 3 << 20), 1, 3 << 20);
    for (;;) {
      Node *node = arena_alloc(arena, 3 << 20);
      node->next = *root;
      *root = node;
      rounds = rounds + 1;
    }
  }
  ck_assert_int_gt(rounds, 104);
  ck_assert_int_lt(rounds, 111);
  arena_free(parent);
}
END_TEST

static bool has_huge_pages(void) {
  char modes[64] = "";
  FILE *file = fopen("/sys/kernel/mm/transparent_hugepage/enabled", "r");
  if (!file) return false;
  bool is_read = fgets(modes, sizeof modes, file);
  fclose(file);
  return is_read && !strstr(modes, "[never]");
}

// A fault for each page of 4 KB would take longer than filling it.
START_TEST(small_objects_lie_in_huge_pages) {
  Case c = case_new(__builtin_frame_address(0));
  size_t count = ((size_t)32 << 20) / sizeof(Node);
  struct rusage before, after;
  *c.root = make_ring(c.arena, 1);
  getrusage(RUSAGE_SELF, &before);
  *c.root = make_ring(c.arena, count);
  getrusage(RUSAGE_SELF, &after);
  check_ring(*c.root, count);
  if (has_huge_pages()) ck_assert_int_lt(after.ru_minflt - before.ru_minflt, (32 << 20) / 4096 / 2);
  arena_free(c.parent);
}
END_TEST

START_TEST(the_nth_failure_is_injected) {
  jmp_buf out;
  for (volatile long n = 0; n < 12; n++) {
    Arena *parent = arena_new((OomHandler){leave, &out}, 0);
    volatile bool left = true;
    arena_fail_after(n);
    if (setjmp(out) == 0) {
      Arena *arena = arena_new_collected(parent, __builtin_frame_address(0));
      void *volatile kept[3];
      for (size_t i = 0; i < 3; i++) kept[i] = arena_alloc(arena, (size_t)2 << 20);
      arena_alloc(arena, 100000);
      (void)kept[0];
      left = false;
    }
    arena_fail_after(-1);
    ck_assert(left == (n < 6));
    arena_free(parent);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("heap");
  TCase *tests = tcase_create("heap");
  tcase_set_timeout(tests, 60);
  tcase_add_test(tests, what_the_parents_memory_points_at_stays);
  tcase_add_test(tests, cycles_that_nothing_reaches_come_again);
  tcase_add_test(tests, what_dies_young_takes_memory_by_steps);
  tcase_add_test(tests, memory_that_comes_again_is_zeroed);
  tcase_add_test(tests, an_address_inside_keeps_the_whole_object);
  tcase_add_test(tests, bytes_are_not_looked_through);
  tcase_add_test(tests, weak_ones_keep_nothing);
  tcase_add_test(tests, buffers_are_aligned);
  tcase_add_test(tests, a_long_chain_needs_no_stack);
  tcase_add_test(tests, a_sleeping_stack_keeps_what_it_knows);
  tcase_add_test(tests, a_stack_lives_as_long_as_its_owner);
  tcase_add_test(tests, the_limit_holds_and_what_is_free_is_looked_for_first);
  tcase_add_test(tests, small_objects_lie_in_huge_pages);
  tcase_add_test(tests, the_nth_failure_is_injected);
  suite_add_tcase(suite, tests);
  return suite_run(suite);
}
