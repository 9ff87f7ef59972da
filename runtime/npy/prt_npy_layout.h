// SPDX-License-Identifier: Apache-2.0
// How the elements of a .npy file lie in it.
#pragma once
#include "prt_npy.h"

typedef struct prt_npy_layout {
  bool is_raw;   // the type is what the caller expects, or a guess
  bool is_plain; // a regular file whose bytes are the elements as they are in memory
  bool is_short; // and has not all of them
  size_t offset; // of the first one
} prt_npy_layout;

// As prt_npy_read_header.
prt_status prt__npy_layout(const char *path, const prt_dtype *expected, prt_array *out,
                           prt_npy_layout *layout);
