// SPDX-License-Identifier: Apache-2.0
// Arrays whose contents are made up, for check and bench; and element types as the runtime and the
// compiler call them.
#include "made_up.h"

prt_dtype runtime_dtype(DType dtype) {
  prt_dtype out;
  if (!prt_dtype_from_name(dtype_name(dtype), &out))
    BUG("the runtime has no %s", dtype_name(dtype));
  return out;
}

DType compiler_dtype(prt_dtype dtype) {
  DType out;
  if (!dtype_from_name(str_from_c(prt_dtype_name(dtype)), &out))
    BUG("the compiler has no %s", prt_dtype_name(dtype));
  return out;
}

// Sebastiano Vigna's splitmix64.
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

prt_status made_up_array(DType dtype, int rank, const int64_t *dims, uint64_t *state,
                         prt_array *out) {
  prt_status status = prt_array_new(runtime_dtype(dtype), rank, dims, out);
  if (status) return status;
  size_t size = dtype_size(dtype);
  for (int64_t i = 0; i < out->count; i++) {
    char *p = (char *)out->data + (size_t)i * size;
    uint64_t bits = next_random(state);
    if (dtype_is_float(dtype))
      dtype_store_f64(dtype, p, (double)(bits >> 11) * 0x1p-52 - 1.0);
    else
      dtype_store_i64(dtype, p, (int64_t)(bits >> 60 & (dtype == DT_BOOL ? 1 : 3)));
  }
  return PRT_OK;
}
