// SPDX-License-Identifier: Apache-2.0
// Growing text.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// On the heap; after out-of-memory `failed` is set, the text stays what it was, and further
// additions are ignored.
typedef struct prt_text {
  char *data; // NUL-terminated, or NULL while empty
  size_t length, capacity;
  bool failed;
} prt_text;
void prt__text_add(prt_text *text, const char *data, size_t length);
void prt__text_c(prt_text *text, const char *data);
void prt__text_pad(prt_text *text, char c, int64_t count);
void prt__text_printf(prt_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// "i = 3, 0": of a grid step. `names`: NULL, or NULL for a dimension without one.
void prt__text_indices(prt_text *text, int32_t rank, const char *const *names,
                       const int64_t *indices);
void prt__text_sink(void *text, const char *data, size_t length); // add() of a prt_sink on a text
void prt__text_free(prt_text *text);
