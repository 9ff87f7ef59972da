// SPDX-License-Identifier: Apache-2.0
// JAX's primitives by name. In: the name of an equation's primitive. Out: its row of
// primitives.def.
#include "primitives.h"
#include <stdlib.h>
#include <string.h>

static const Primitive primitives[] = {
// sorted by name, which a unit test holds
#define PRIMITIVE(name, module, function, params) {name, module, function, params},
#define REFUSED(name, why)                        {name, NULL, NULL, why},
#include "primitives.def"
#undef REFUSED
#undef PRIMITIVE
};

static int compare(const void *key, const void *row) {
  return str_compare(*(const Str *)key, str_from_c(((const Primitive *)row)->name));
}

const Primitive *primitive_find(Str name) {
  return bsearch(&name, primitives, COUNT_OF(primitives), sizeof primitives[0], compare);
}

bool primitive_param(const char **rest, PrimitiveParam *param) {
  if (!**rest) return false;
  size_t len = strcspn(*rest, " ");
  bool dropped = **rest == '-';
  Str word = {*rest + dropped, len - dropped};
  const char *renamed = memchr(word.data, '>', word.len);
  *param = (PrimitiveParam){word, word, dropped};
  if (renamed) {
    param->name.len = (size_t)(renamed - word.data);
    param->keyword = (Str){renamed + 1, word.len - param->name.len - 1};
  }
  *rest += len + strspn(*rest + len, " ");
  return true;
}
