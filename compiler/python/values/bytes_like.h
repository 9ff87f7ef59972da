// SPDX-License-Identifier: Apache-2.0
// What holds bytes: bytes, bytearray, memoryview (bytes_like.c).
#pragma once
#include "evaluator.h"

// bytearray: bytes that may be changed. The head shows them to readers.
typedef struct ByteArray {
  BytesObject head;
  char *bytes; // what head.text shows
  size_t capacity;
} ByteArray;

enum { MEMORY_MAX_RANK = 16 };
// memoryview: elements of the memory of another object.
typedef struct MemoryView {
  Object base;
  Value object;
  union {
    char *data;            // of the first element; NULL: released
    const char *only_read; // if is_readonly
  };
  const char *format; // of an element, as in the module struct
  bool is_readonly;
  size_t item_size, rank;
  int64_t dims[MEMORY_MAX_RANK], strides[MEMORY_MAX_RANK]; // strides in bytes
} MemoryView;

// The bytes of an object that has some; false: it has none.
bool value_as_bytes(Eval *ev, Value v, Str *out);
bool value_is_bytearray(const Eval *ev, Value v);
Value make_bytearray(Eval *ev, Str bytes);
int64_t memory_count(const MemoryView *view);
char *memory_element(const MemoryView *view, int64_t at); // in C order
bool memory_is_in_order(const MemoryView *view);          // row after row, without gaps
Str memory_bytes(Eval *ev, const MemoryView *view);       // in C order: itself where it lies so
