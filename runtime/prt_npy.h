// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy files, format versions 1.0 to 3.0. Every number in a file is checked before it is
// used.
#ifndef PRT_NPY_H
#define PRT_NPY_H
#include "prt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRT_NPY_MAX_RANK 32

// An array in memory, row-major and contiguous, in the machine's byte order.
typedef struct prt_array {
  prt_dtype dtype;
  int32_t rank;
  int64_t dims[PRT_NPY_MAX_RANK];
  int64_t count; // of elements
  size_t bytes;
  void *data;    // 64-byte aligned when it was read; not NULL even if bytes is 0
  void *mapping; // what prt_array_free gives back; NULL: nothing
  size_t mapping_bytes;
} prt_array;

// Reads a file; "-" is standard input. Fortran order and foreign byte order are turned into ours.
// bfloat16, fp8 and int4 arrays are stored by ml_dtypes as raw bytes ('<V2', '<V1') and do not say
// what they are: `*expected` (NULL: no wish) says it, and nothing else; an array of a kind that has
// a type of its own is read as that type. 'bfloat16' and the other names of prt_dtype.def are
// accepted as descr as well. On failure *out is zeroed, the status is PRT_ERROR_IO,
// PRT_ERROR_FORMAT or PRT_ERROR_MEMORY, and the message names the file and what is wrong with it.
PRT_API prt_status prt_npy_read(const char *path, const prt_dtype *expected, prt_array *out);
// The header alone: out->data is NULL. A file whose raw type is not given by `expected` gives
// PRT_BF16 for two bytes and PRT_U8 for one, and *is_raw (may be NULL) is set.
PRT_API prt_status prt_npy_read_header(const char *path, const prt_dtype *expected, prt_array *out,
                                       bool *is_raw);
// The array whose parts along the first dimension are these files, which stay as they are as long
// as it is used: what nobody looks at of them need not be read. Else as prt_npy_read; that they do
// not fit together is PRT_ERROR_FORMAT.
PRT_API prt_status prt_npy_read_parts(const char *const *paths, int32_t count,
                                      const prt_dtype *expected, prt_array *out);
// Writes a file whole or not at all: to a temporary file beside it that is renamed. "-" is standard
// output; devices and pipes are written as they are.
PRT_API prt_status prt_npy_write(const char *path, prt_dtype dtype, int32_t rank,
                                 const int64_t *dims, const void *data);
// The header such a file begins with, a multiple of 64 bytes, into `out` if `size` is enough.
// Returns its length.
PRT_API size_t prt_npy_header(prt_dtype dtype, int32_t rank, const int64_t *dims, char *out,
                              size_t size);
PRT_API void prt_array_free(prt_array *array);
// Memory for an array: dtype, rank and dims set in *out, contents zero. PRT_ERROR_ARGUMENT if its
// size does not fit.
PRT_API prt_status prt_array_new(prt_dtype dtype, int32_t rank, const int64_t *dims,
                                 prt_array *out);

#ifdef __cplusplus
}
#endif
#endif
