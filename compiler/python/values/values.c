// SPDX-License-Identifier: Apache-2.0
// What a type derives from.
#include "values.h"

bool type_is_subtype(const Type *type, const Type *base) {
  for (size_t i = 0; i < type->mro_count; i++)
    if (type->mro[i] == base) return true;
  return false;
}
