// SPDX-License-Identifier: Apache-2.0
// Where text goes: the heap of the runtime, an arena of the compiler.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct prt_sink {
  void (*add)(void *to, const char *text, size_t length);
  void *to;
} prt_sink;

void prt__put(const prt_sink *out, const char *text, size_t length);
void prt__put_c(const prt_sink *out, const char *text);
void prt__put_pad(const prt_sink *out, char c, int64_t count); // nothing if count is negative
