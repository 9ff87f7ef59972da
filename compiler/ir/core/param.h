// SPDX-License-Identifier: Apache-2.0
// Parameters that the program gave no name: the arrays that its own statements read are in0, in1, …
// until a kernel has a name for them.
#pragma once
#include "ir/core/ir.h"

static inline bool ir_param_is_made_up(const IrParam *param) {
  if (param->label.len || !param->name) return false;
  Str name = name_str(param->name);
  if (!str_starts_with(name, STR("in")) || name.len == 2) return false;
  for (size_t i = 2; i < name.len; i++)
    if (name.data[i] < '0' || name.data[i] > '9') return false;
  return true;
}

// The function's parameter that the value is; NULL: it is none.
static inline IrParam *ir_param_of(const IrValue *value) {
  if (value->def || !value->region || !value->region->func ||
      value->region != value->region->func->body)
    return NULL;
  return &value->region->func->params[value->index];
}
