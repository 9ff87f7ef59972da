// SPDX-License-Identifier: Apache-2.0
// Stores that go past the caches: what a store writes of an array so large that nobody finds it in
// a cache afterwards is not read there first. The processor has such stores for whole aligned
// vectors only; plan_loops.c finds those.
#include "ir/core/ir.h"
#include "ir/core/region.h"
#include "plan_stream.h"
#include "ir/analysis/access.h"

// Below, the next reader would rather find the array in the last cache.
static const int64_t LEAST_BYTES = 32 << 20;

bool stream_wanted(const PlanOptions *options, const Root *root) {
  if (root->kind != ROOT_STORE || root->mask || options->check) return false;
  if (!access_is_only_written(root->op->operands[1])) return false;
  const IrValue *array = ir_ref_root(root->op->operands[1]);
  size_t size = dtype_size(array->type->dtype);
  return (options->eager || ir_type_bytes(array->type) >= LEAST_BYTES) && (size & (size - 1)) == 0;
}
