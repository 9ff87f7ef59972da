// SPDX-License-Identifier: Apache-2.0
// The floating-point mode of a thread while compiled code runs on it: subnormal numbers are zero,
// as on the chip and in XLA's own code.
#include "prt_internal.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
enum { FLUSH = 0x8040 }; // results (FTZ) and operands (DAZ)

uint64_t prt__float_mode_flush(void) {
  unsigned mode = _mm_getcsr();
  if ((mode & FLUSH) != FLUSH) _mm_setcsr(mode | FLUSH);
  return mode;
}

void prt__float_mode_restore(uint64_t mode) {
  if ((mode & FLUSH) != FLUSH) _mm_setcsr((unsigned)mode);
}

#elif defined(__aarch64__)
#define FLUSH ((uint64_t)1 << 24) // FPCR.FZ

uint64_t prt__float_mode_flush(void) {
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  if (!(mode & FLUSH)) __asm__ volatile("msr fpcr, %0" : : "r"(mode | FLUSH));
  return mode;
}

void prt__float_mode_restore(uint64_t mode) {
  if (!(mode & FLUSH)) __asm__ volatile("msr fpcr, %0" : : "r"(mode));
}

#else
uint64_t prt__float_mode_flush(void) { return 0; }
void prt__float_mode_restore(uint64_t mode) { (void)mode; }
#endif
