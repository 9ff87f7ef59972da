// SPDX-License-Identifier: Apache-2.0
// Growing text on the heap, for what the runtime prints.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "prt_text.h"

static bool reserve(prt_text *text, size_t more) {
  if (text->failed) return false;
  if (more < text->capacity - text->length) return true;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity - text->length <= more) {
    if (capacity > SIZE_MAX / 2) return !(text->failed = true);
    capacity *= 2;
  }
  char *data = realloc(text->data, capacity);
  if (!data) return !(text->failed = true);
  text->data = data;
  text->capacity = capacity;
  return true;
}

void prt__text_add(prt_text *text, const char *data, size_t length) {
  if (!reserve(text, length)) return;
  memcpy(text->data + text->length, data, length);
  text->length += length;
  text->data[text->length] = 0;
}

void prt__text_c(prt_text *text, const char *data) { prt__text_add(text, data, strlen(data)); }

void prt__text_pad(prt_text *text, char c, int64_t count) {
  if (count <= 0 || !reserve(text, (size_t)count)) return;
  memset(text->data + text->length, c, (size_t)count);
  text->length += (size_t)count;
  text->data[text->length] = 0;
}

void prt__text_printf(prt_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0 && reserve(text, (size_t)length)) {
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
  va_end(args);
}

void prt__text_indices(prt_text *text, int32_t rank, const char *const *names,
                       const int64_t *indices) {
  for (int32_t i = 0; i < rank; i++) {
    const char *name = names ? names[i] : NULL;
    prt__text_printf(text, "%s%s%s%lld", i ? ", " : "", name ? name : "", name ? " = " : "",
                     (long long)indices[i]);
  }
}

void prt__text_sink(void *text, const char *data, size_t length) {
  prt__text_add(text, data, length);
}

void prt__text_free(prt_text *text) {
  free(text->data);
  *text = (prt_text){0};
}
