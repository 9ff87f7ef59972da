// SPDX-License-Identifier: Apache-2.0
// Arrays of calls from the command line, in .npy files.
#pragma once
#include "base/session.h"
#include "prt_npy.h"

// The exit status for a failed call of the runtime's, after a diagnostic with its message.
int array_status(Session *session, prt_status status);
// The array of a file, or, if it is sharded, the one whose parts along the first dimension are the
// files of all ranks: x.0.npy, x.1.npy, … of x.npy; `expected` as prt_npy_read has it. 0, and `out`
// is the caller's to free; else an exit status after a diagnostic.
int array_read(Session *session, Str path, const prt_dtype *expected, int ranks, bool is_sharded,
               prt_array *out);
// A rank's part of an array, inside of its memory (nothing to free), and its file. 0, or an exit
// status after a diagnostic: the first dimension is not a multiple of `ranks`.
int shard_of(Session *session, Str path, const prt_array *whole, int rank, int ranks,
             prt_array *part, Str *file);
