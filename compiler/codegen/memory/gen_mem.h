// SPDX-License-Identifier: Apache-2.0
// Memory of arrays: a pointer and strides; views, copies and fills, loops over all coordinates.
#pragma once
#include "codegen/emit/gen.h"
#include "ir/core/ir.h"
#include "plan/plan_layout.h"

typedef struct Mem {
  Value base; // of element 0, 0, …
  DType dtype;
  uint8_t rank;
  int64_t dims[IR_MAX_RANK], strides[IR_MAX_RANK]; // strides in elements
} Mem;

const char *mem_key(LlvmGen *g, const Mem *mem); // equal for memory that differs in its base alone
Mem mem_dense(Value base, DType dtype, size_t rank, const int64_t *dims);
Mem mem_at(Value base, const Layout *layout);
Layout mem_layout(const Mem *mem);
bool mem_is_dense(const Mem *mem);
int64_t mem_count(const Mem *mem);
// False if strides cannot say it.
bool mem_reshape(const Mem *mem, size_t rank, const int64_t *dims, Mem *out);
Mem mem_slice(LlvmGen *g, const Mem *mem, const int64_t *starts, const int64_t *sizes,
              const int64_t *strides);
void mem_copy(LlvmGen *g, const Mem *to, const Mem *from); // same dims; must not overlap
void mem_fill(LlvmGen *g, const Mem *to, Value element);   // element in the compute type
// One element, in the compute type; `index`: an i64 for each dimension.
Value mem_address(LlvmGen *g, const Mem *mem, Value const *index);
Value mem_load(LlvmGen *g, const Mem *mem, Value const *index);
void mem_store(LlvmGen *g, const Mem *mem, Value const *index, Value element);
// As it lies in memory.
Value mem_load_raw(LlvmGen *g, Value address, DType dtype);
void mem_store_raw(LlvmGen *g, Value raw, Value address, DType dtype);
// A loop over all coordinates: body gets an i64 for each dimension.
typedef void (*EachElement)(LlvmGen *g, Value const *index, void *data);
void mem_each(LlvmGen *g, size_t rank, const int64_t *dims, EachElement body, void *data);
// The same, but of dimension `at`, before which all have one element, the range [begin, end) alone.
void mem_each_within(LlvmGen *g, size_t rank, const int64_t *dims, size_t at, Value begin,
                     Value end, EachElement body, void *data);
void mem_each_dynamic(LlvmGen *g, size_t rank, Value const *sizes, EachElement body, void *data);
