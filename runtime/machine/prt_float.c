// SPDX-License-Identifier: Apache-2.0
// The floating-point mode of a thread while compiled code runs on it: subnormal numbers are zero,
// as on the chip and in XLA's own code; results are rounded to nearest and nothing traps, whatever
// the caller has set (a thread inherits the mode of the one that made it).
#include "prt_float.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
enum {
  STATUS = 0x3f,                       // exceptions that were seen
  FLUSH = 0x8040,                      // results (FTZ) and operands (DAZ)
  KERNEL = FLUSH | 0x1f80,             // every exception masked; to nearest
  CONTROL = 0xffff & ~(unsigned)STATUS // flushing, masks, rounding
};

uint64_t prt__float_mode_set(void) {
  unsigned mode = _mm_getcsr();
  if ((mode & CONTROL) != KERNEL) _mm_setcsr((mode & STATUS) | KERNEL);
  return mode;
}

void prt__float_mode_restore(uint64_t mode) {
  if ((mode & CONTROL) != KERNEL) _mm_setcsr((unsigned)mode);
}

#elif defined(__aarch64__)
#define FLUSH    ((uint64_t)1 << 24)   // FPCR.FZ
#define ROUNDING ((uint64_t)3 << 22)   // FPCR.RMode; 0 is to nearest
#define TRAPS    ((uint64_t)0x9f << 8) // FPCR.IDE, IXE … IOE
#define CONTROL  (FLUSH | ROUNDING | TRAPS)

uint64_t prt__float_mode_set(void) {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  if ((mode & CONTROL) != FLUSH)
    __asm__ volatile("msr fpcr, %0" : : "r"((mode & ~CONTROL) | FLUSH));
  return mode;
}

void prt__float_mode_restore(uint64_t mode) {
  if ((mode & CONTROL) != FLUSH) __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else
uint64_t prt__float_mode_set(void) { return 0; }
void prt__float_mode_restore(uint64_t mode) { (void)mode; }
#endif
