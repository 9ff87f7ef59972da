// SPDX-License-Identifier: Apache-2.0
// Decimal digits of floats.
#pragma once

// digits[0] . digits[1…] * 10^exponent; without zeros at the end, but for zero itself: "0".
enum { PRT_MOST_DIGITS = 100 }; // exact ones; of the shortest there are 17 at the most
typedef struct prt_digits {
  char digits[PRT_MOST_DIGITS + 1]; // NUL-terminated
  int count, exponent;
} prt_digits;

// The fewest digits that read back as x, of those the nearest to it. `bits` says what x is an
// element of: 64, 32 or 16 (IEEE's double, single, half). x is finite and not negative.
void prt__shortest(int bits, double x, prt_digits *out);
