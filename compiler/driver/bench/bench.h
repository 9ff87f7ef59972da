// SPDX-License-Identifier: Apache-2.0
// pallasc bench.
#pragma once
#include "driver/options/options.h"

// Times an entry point on made-up arrays. The exit status.
int bench_run(Session *session, const Options *options);

// ---- bench_limits.c: what this machine can do
typedef struct BenchLimits {
  double bytes; // a second, read and written, of arrays that are larger than caches
  double flops; // a second, of f32 multiply-adds in registers, each counted as two
} BenchLimits;
// Measures for some tenths of a second on so many threads at once, 256 at the most; 0 of what could
// not be measured.
BenchLimits bench_limits(int threads);

// ---- bench_plot.c
typedef struct BenchPoint {
  int64_t size;
  double value;
} BenchPoint;
// A curve over sizes (increasing, their logarithm across), as SVG. limit: a line across, or 0.
Str bench_plot(Arena *arena, Str title, Str size_name, const char *unit, size_t count,
               const BenchPoint *points, double limit);
