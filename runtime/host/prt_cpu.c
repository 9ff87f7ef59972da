// SPDX-License-Identifier: Apache-2.0
// The machine that the process runs on. What the CPU can do is asked of cpuid itself: a library's
// own detection would keep state of its own.
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "prt_cpu.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

int32_t prt__cpu_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    int count = CPU_COUNT(&set);
    return count > 0 ? count : 1;
  }
  return prt__cpu_online(); // more CPUs than a cpu_set_t holds
}

int32_t prt__cpu_online(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 && online < 1 << 16 ? (int32_t)online : 1;
}

int64_t prt__cpu_cache_bytes(int level) {
  long bytes = sysconf(level == 1 ? _SC_LEVEL1_DCACHE_SIZE : _SC_LEVEL2_CACHE_SIZE);
  return bytes > 0 ? bytes : 0;
}

int64_t prt__cpu_memory_bytes(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? (int64_t)pages * size : 0;
}

#if defined(__x86_64__)
// State components of XCR0 that the system must save for a feature to be usable.
enum { STATE_NONE = 0, STATE_AVX = 0x6, STATE_AVX512 = 0xe6, STATE_AMX = 0x60000 };
enum { REG_A, REG_B, REG_C, REG_D };

typedef struct Feature {
  uint8_t bit;
  const char *name;
  uint32_t leaf, subleaf;
  uint8_t reg, reg_bit;
  uint32_t state;
} Feature;
static const Feature features_table[] = {
#define PRT_CPU(bit, name, leaf, subleaf, reg, reg_bit, state)                                     \
  {bit, name, leaf, subleaf, REG_##reg, reg_bit, STATE_##state},
#include "prt_cpu.def"
#undef PRT_CPU
};
#define FEATURE_COUNT (sizeof features_table / sizeof *features_table)

static uint64_t saved_state(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & 1u << 27)) return 0; // no OSXSAVE
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

// Linux saves tile registers only for processes that have asked for it, once for all their threads.
// It refuses where it has no AMX, or where a thread's stack for signals is too small for the
// registers.
static bool may_use_tiles(void) {
  enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
  return syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

// The registers of one leaf. In a virtual machine each cpuid instruction leaves the guest, which
// takes some microseconds: rows of one leaf, neighbours in the table, are served by one.
static void ask(const Feature *f, unsigned reg[4]) {
  if (!__get_cpuid_count(f->leaf, f->subleaf, &reg[REG_A], &reg[REG_B], &reg[REG_C], &reg[REG_D]))
    memset(reg, 0, 4 * sizeof *reg);
}

// What this process may use; it asks for what must be asked for.
void prt__cpu_features(uint64_t features[2]) {
  uint64_t state = saved_state();
  if ((state & STATE_AMX) == STATE_AMX && !may_use_tiles()) state &= ~(uint64_t)STATE_AMX;
  features[0] = features[1] = 0;
  unsigned reg[4];
  for (size_t i = 0; i < FEATURE_COUNT; i++) {
    const Feature *f = &features_table[i];
    if (i == 0 || f->leaf != f[-1].leaf || f->subleaf != f[-1].subleaf) ask(f, reg);
    if ((reg[f->reg] >> f->reg_bit & 1) && (state & f->state) == f->state)
      features[f->bit / 64] |= (uint64_t)1 << f->bit % 64;
  }
}
#else
typedef struct Feature {
  uint8_t bit;
  const char *name;
} Feature;
static const Feature features_table[] = {{0, NULL}};
#define FEATURE_COUNT 0
void prt__cpu_features(uint64_t features[2]) { features[0] = features[1] = 0; }
#endif

static void append(char *text, size_t size, const char *more) {
  size_t used = strlen(text);
  if (used + 1 < size) snprintf(text + used, size - used, "%s", more);
}

void prt__cpu_feature_names(const uint64_t missing[2], char *text, size_t size) {
  text[0] = 0;
  uint64_t left[2] = {missing[0], missing[1]};
  for (size_t i = 0; i < FEATURE_COUNT; i++) {
    const Feature *f = &features_table[i];
    uint64_t bit = (uint64_t)1 << f->bit % 64;
    if (!(left[f->bit / 64] & bit)) continue;
    left[f->bit / 64] &= ~bit;
    if (text[0]) append(text, size, ", ");
    append(text, size, f->name);
  }
  if (left[0] | left[1])
    append(text, size,
           text[0] ? ", and features this runtime does not know"
                   : "features this runtime does not know");
}

void prt__leave_cpu(int cpu) {
  cpu_set_t allowed, others;
  if (cpu < 0 || cpu != sched_getcpu()) return;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) return;
  others = allowed;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) && !sched_setaffinity(0, sizeof others, &others))
    sched_setaffinity(0, sizeof allowed, &allowed);
}
