// SPDX-License-Identifier: Apache-2.0
// What the header promises of a call's arguments: addresses that are multiples of the element's
// size, and outputs that overlap nothing else. Looked at for entry points compiled with checks, and
// for all of them in a debug build of the runtime; two inputs may be one array.
#include "machine/prt_call.h"

static prt_status check_alignment(prt_worker *worker, const prt_param *param,
                                  const void *argument) {
  size_t size = prt_dtype_size((prt_dtype)param->dtype);
  if (size == 0 || (uintptr_t)argument % size == 0) return PRT_OK;
  return prt__fail(worker, PRT_ERROR_ARGUMENT,
                   "argument '%s' is at %p, which is no multiple of %zu, the size of %s",
                   param->name, argument, size, prt_dtype_name((prt_dtype)param->dtype));
}

static bool overlap(const void *x, size_t x_bytes, const void *y, size_t y_bytes) {
  uintptr_t a = (uintptr_t)x, b = (uintptr_t)y;
  return a < b ? b - a < x_bytes : a - b < y_bytes;
}

// Output `i` against all other arguments; outputs behind it look at it themselves.
static prt_status check_output(prt_worker *worker, void *const *arguments, uint32_t i) {
  const prt_entry *entry = worker->call->entry;
  size_t bytes = prt_param_bytes(&entry->params[i]);
  for (uint32_t j = 0; j < entry->param_count; j++) {
    const prt_param *other = &entry->params[j];
    size_t other_bytes = prt_param_bytes(other);
    bool is_done = j == i || (j < i && other->role != PRT_IN);
    if (is_done || !arguments[j] || other_bytes == 0 ||
        !overlap(arguments[i], bytes, arguments[j], other_bytes))
      continue;
    return prt__fail(worker, PRT_ERROR_ARGUMENT,
                     "arguments '%s' and '%s' overlap: %zu bytes at %p, %zu bytes at %p",
                     entry->params[i].name, other->name, bytes, arguments[i], other_bytes,
                     arguments[j]);
  }
  return PRT_OK;
}

// The entry point itself refuses a pointer that is NULL.
static bool has_null(const prt_entry *entry, void *const *arguments) {
  for (uint32_t i = 0; i < entry->param_count; i++)
    if (!arguments[i] && prt_param_bytes(&entry->params[i]) > 0) return true;
  return false;
}

prt_status prt__check_arguments(prt_worker *worker, void *const *arguments) {
  const prt_entry *entry = worker->call->entry;
  if (has_null(entry, arguments)) return PRT_OK;
  for (uint32_t i = 0; i < entry->param_count; i++) {
    const prt_param *param = &entry->params[i];
    if (!arguments[i] || prt_param_bytes(param) == 0) continue;
    prt_status status = check_alignment(worker, param, arguments[i]);
    if (!status && param->role != PRT_IN) status = check_output(worker, arguments, i);
    if (status) return status;
  }
  return PRT_OK;
}
