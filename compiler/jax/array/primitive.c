// SPDX-License-Identifier: Apache-2.0
// What JAX's messages say of primitives: their names, and the dtypes that they accept. In: an
// operation by its public name, or an operator's.
#include "primitive.h"
#include <string.h>

static const struct {
  const char *operation, *primitive, *accepted;
} primitives[] = {
#define PRIMITIVE(operation, primitive, accepted) {operation, primitive, accepted},
#include "primitive_names.def"
#undef PRIMITIVE
};

const char *primitive_name(const char *operation) {
  for (size_t i = 0; i < COUNT_OF(primitives); i++)
    if (strcmp(operation, primitives[i].operation) == 0) return primitives[i].primitive;
  return operation;
}

const char *primitive_accepts(const char *operation) {
  for (size_t i = 0; i < COUNT_OF(primitives); i++)
    if (strcmp(operation, primitives[i].operation) == 0 && primitives[i].accepted[0])
      return primitives[i].accepted;
  return NULL;
}
